/* Version of the headers, which the build reads too; gradyn_version() returns the version of the
 * library. */
#ifndef GRADYN_VERSION_H
#define GRADYN_VERSION_H

#define GRADYN_VERSION_MAJOR 0
#define GRADYN_VERSION_MINOR 2
#define GRADYN_VERSION_PATCH 0
#define GRADYN_VERSION "0.2.0"

#endif
