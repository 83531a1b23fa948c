/* The algorithms that a search can name, and what they can do. */
#ifndef GRADYN_OPTIM_ALGORITHMS_H
#define GRADYN_OPTIM_ALGORITHMS_H

#include "optim/drivers/driver.h"

typedef struct gradyn_algorithm {
  const char *name;
  const char *wrapped; /* name of the same algorithm inside an augmented Lagrangian, or NULL */
  const gradyn_driver *driver;
  int local;                     /* does the minimisation: the driver's number for it */
  bool lagrangian;               /* inside an augmented Lagrangian */
  bool equalities, inequalities; /* takes such constraints */
} gradyn_algorithm;

/* The algorithm of a name; NULL: there is none. */
const gradyn_algorithm *gradyn_algorithm_find(const char *name);

/* The algorithm itself if it takes such constraints, otherwise its form that does. */
const gradyn_algorithm *gradyn_algorithm_for(const gradyn_algorithm *algorithm, bool equalities,
                                             bool inequalities);

/* What is taken where none is named, and what continues where that one ends short (NULL: none). Returns why
 * ipopt is not taken although it suits more; NULL: it is, or does not. */
const char *gradyn_algorithm_choose(size_t varied, bool constrained, bool segments,
                                    const char **algorithm, const char **then);

#endif
