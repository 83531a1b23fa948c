/* Files that the build embeds into the library: the page of the report, scripts, licences. */
#ifndef GRADYN_REPORT_ASSETS_H
#define GRADYN_REPORT_ASSETS_H

#include <stddef.h>

typedef enum gradyn_asset_kind {
  GRADYN_ASSET_PAGE, /* markup */
  GRADYN_ASSET_STYLE,
  GRADYN_ASSET_SCRIPT,
  GRADYN_ASSET_CURVES, /* a library for curves */
  GRADYN_ASSET_SPACE,  /* one for what is to be seen in space */
  GRADYN_ASSET_LICENCE /* that of the library of this name */
} gradyn_asset_kind;

typedef struct gradyn_asset {
  gradyn_asset_kind kind;
  const char *name;           /* of the file or library */
  const unsigned char *bytes; /* [size], a zero behind them */
  size_t size;
} gradyn_asset;

extern const gradyn_asset
    gradyn_assets[]; /* [gradyn_asset_count], scripts in the order of their use */
extern const size_t gradyn_asset_count;

#endif
