/* Files that the build embeds into the command: the page of the report, scripts, licences. */
#ifndef GRADYN_CLI_ASSETS_H
#define GRADYN_CLI_ASSETS_H

#include <stddef.h>

typedef enum cli_asset_kind {
  CLI_PAGE, /* markup */
  CLI_STYLE,
  CLI_SCRIPT,
  CLI_CURVES, /* a library for curves */
  CLI_SPACE,  /* one for what is to be seen in space */
  CLI_LICENCE /* that of the library of this name */
} cli_asset_kind;

typedef struct cli_asset {
  cli_asset_kind kind;
  const char *name;           /* of the file or library */
  const unsigned char *bytes; /* [size], a zero behind them */
  size_t size;
} cli_asset;

extern const cli_asset cli_assets[]; /* [cli_asset_count], scripts in the order of their use */
extern const size_t cli_asset_count;

#endif
