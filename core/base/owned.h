/* What a block declares and has released where it ends, however it is left, so that a failure is returned at
 * once (GRADYN_TRY) from where something is held as well.
 *   LOCAL(gradyn_arcs) arcs = {0};             by gradyn_arcs_clear(&arcs)
 *   OWNED(gradyn_model) *model = NULL;         by gradyn_model_free(model), behind RELEASE(gradyn_model)
 *   FREED double *numbers = calloc(3, 8);      by free(numbers)
 *   OWNED_UNTIL_END(end) climb c = {0};        by end(&c), of a file's own
 *   return HANDED(model);                      to the caller, who owns it from here on
 * Each has a value where it is declared, which its release takes for nothing. The last that is declared is
 * released first. */
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

/* Both take the address of a pointer to any type. */
static inline void owned_free(void *pointer)
{
  void *memory;
  memcpy(&memory, pointer, sizeof memory);
  free(memory);
}

static inline void *owned_handed(void *pointer)
{
  void *const nothing = NULL, *memory;
  memcpy(&memory, pointer, sizeof memory);
  memcpy(pointer, &nothing, sizeof nothing);
  return memory;
}

#endif
