/* Uncertain numbers of a model: parameters and data that are displaced from their values.
 *
 * build() declares a number with a spread s. If the number has an offset z, in spreads, a second build()
 * follows, in which the number is larger by z s. Numbers that the library derives from it, for example
 * curvatures of splines, change as well. s and z are complex: derivatives by z, and by parameters on which s
 * depends, are exact. */
#ifndef GRADYN_CORE_UNCERTAIN_H
#define GRADYN_CORE_UNCERTAIN_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/model.h>

/* One declaration. */
typedef struct gradyn_uncertain_entry {
  char *name, *column; /* of the number; of the column of load cases with its offset */
  gradyn_distribution distribution;
  gradyn_scalar spread; /* in the unit of the number */
  double offset;        /* in the present load case, in spreads */
  int parameter,
      datum; /* index in rho, or in the data; -1: the other one, or neither in a segment */
} gradyn_uncertain_entry;

/* All declarations of a model. */
typedef struct gradyn_model_uncertain {
  gradyn_uncertain_entry *entry; /* [count] */
  int count, cursor;
  /* [count] in spreads, added to those of the load case; set by the build() of an analysis, borrowed during
   * the call; NULL: none */
  const gradyn_scalar *offset;
  bool displaced;       /* the present build() is the second one */
  gradyn_scalar *shift; /* [nx] displacements of data in the second build() */
  gradyn_scalar *rho;   /* [parameters] of the second build() */
  size_t parameters;
  /* finds the numbers by their names and allocates memory, after the structure of the model is final; set by
   * the first declaration; NULL: no number is uncertain. Errors, with a message: GRADYN_INVALID, a name is
   * unknown or of a number of the library; GRADYN_NO_MEMORY */
  gradyn_status (*finalise)(gradyn_model *model);
} gradyn_model_uncertain;

/* Fills shift and rho of the second build() after the first one at rho [parameters]. Returns whether a
 * second build() is needed, because a number has an offset. */
bool gradyn_uncertain_displace(gradyn_model *model, const gradyn_scalar *rho);

/* Returns the number k of the second build() for its value in the first one. A number that must be positive
 * by its name, such as a mass, and is not positive any more, is a build error. */
gradyn_scalar gradyn_uncertain_shift(gradyn_model *model, int k, gradyn_scalar value);

/* Frees all declarations of uncertain numbers; to be called once, with the model. */
void gradyn_uncertain_free(gradyn_model *model);

#endif
