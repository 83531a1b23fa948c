/* Information of the dynamic loader about functions, on systems that provide it. POSIX includes these
 * queries only since 2024. */
#ifndef GRADYN_CORE_LOADED_H
#define GRADYN_CORE_LOADED_H

/* Returns the path of the file from which the function at an address was loaded; owned by the loader. NULL:
 * unknown, or address is NULL. */
const char *gradyn_loaded_from(const void *address);

/* Returns the address of a function by its name, in any loaded library that is visible to the library of
 * the caller. NULL: not found. */
void *gradyn_loaded_function(const char *name);

#endif
