/* Declarations of objects that are released at the end of their block, however the block is left. A failure
 * can therefore be returned at once (GRADYN_TRY).
 *
 *   LOCAL(gradyn_arcs) arcs = {0};             by gradyn_arcs_clear(&arcs)
 *   OWNED(gradyn_model) *model = NULL;         by gradyn_model_free(model), after RELEASE(gradyn_model)
 *   FREED double *numbers = calloc(3, 8);      by free(numbers)
 *   OWNED_UNTIL_END(end) climb c = {0};        by end(&c), a function of the same file
 *   return HANDED(model);                      to the caller, which then owns the object
 *
 * Initialise each object at its declaration. The value must be one that its release function accepts as
 * empty. Objects are released in reverse order of declaration. */
#ifndef GRADYN_OWNED_H
#define GRADYN_OWNED_H

#include <stdlib.h>
#include <string.h>

#define LOCAL(type) OWNED_UNTIL_END(type##_clear) type
#define OWNED(type) OWNED_UNTIL_END(type##_release) type
#define FREED OWNED_UNTIL_END(owned_free)
#define RELEASE(type)                                                                              \
  static inline void type##_release(type **pointer)                                                \
  {                                                                                                \
    type##_free(*pointer);                                                                         \
  }
#define HANDED(pointer) ((__typeof__(pointer))owned_handed(&(pointer)))

#define OWNED_UNTIL_END(release) __attribute__((cleanup(release), unused))

/* Releases the memory of a pointer with free(). pointer: address of a pointer variable of any type. */
static inline void owned_free(void *pointer)
{
  void *memory;
  memcpy(&memory, pointer, sizeof memory);
  free(memory);
}

/* Returns a pointer, and sets its variable to NULL. pointer: address of a pointer variable of any type. */
static inline void *owned_handed(void *pointer)
{
  void *const nothing = NULL, *memory;
  memcpy(&memory, pointer, sizeof memory);
  memcpy(pointer, &nothing, sizeof nothing);
  return memory;
}

#endif
