/* Files that the build embeds into the library: page of the report, scripts, licences. */
#ifndef GRADYN_REPORT_ASSETS_H
#define GRADYN_REPORT_ASSETS_H

#include <stddef.h>

typedef enum gradyn_asset_kind {
  GRADYN_ASSET_PAGE, /* HTML */
  GRADYN_ASSET_STYLE,
  GRADYN_ASSET_SCRIPT,
  GRADYN_ASSET_CURVES, /* a library for plots of curves */
  GRADYN_ASSET_SPACE,  /* a library for drawings in three dimensions */
  GRADYN_ASSET_LICENCE /* licence of the library of this name */
} gradyn_asset_kind;

typedef struct gradyn_asset {
  gradyn_asset_kind kind;
  const char *name;           /* name of the file or library */
  const unsigned char *bytes; /* [size], followed by a zero byte */
  size_t size;
} gradyn_asset;

extern const gradyn_asset
    gradyn_assets[]; /* [gradyn_asset_count], scripts in the order of their use */
extern const size_t gradyn_asset_count;

#endif
