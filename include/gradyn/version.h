/* Version of the headers; gradyn_version() gives that of the library. The build reads it here. */
#ifndef GRADYN_VERSION_H
#define GRADYN_VERSION_H

#define GRADYN_VERSION_MAJOR 0
#define GRADYN_VERSION_MINOR 2
#define GRADYN_VERSION_PATCH 0
#define GRADYN_VERSION "0.2.0"

#endif
