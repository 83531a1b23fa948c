/* What the loader knows of functions, where it can be asked: that is no part of POSIX before 2024. */
#ifndef GRADYN_CORE_LOADED_H
#define GRADYN_CORE_LOADED_H

/* The file that the function at an address was loaded from, the loader's own text; NULL: unknown. */
const char *gradyn_loaded_from(const void *address);

/* The address of a function of any loaded library, as the caller's library sees them; NULL: there is none. */
void *gradyn_loaded_function(const char *name);

#endif
