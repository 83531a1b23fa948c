/* The algorithms that a search can name, and their properties. */
#ifndef GRADYN_OPTIM_ALGORITHMS_H
#define GRADYN_OPTIM_ALGORITHMS_H

#include "optim/drivers/driver.h"

/* An algorithm of the table in algorithms.c, static. */
typedef struct gradyn_algorithm {
  const char *name;
  const char *wrapped; /* name of the same algorithm in an augmented Lagrangian, or NULL */
  const gradyn_driver *driver;
  int local;                     /* the driver's number of the algorithm that minimises */
  bool lagrangian;               /* in an augmented Lagrangian */
  bool equalities, inequalities; /* accepts such constraints */
} gradyn_algorithm;

/* Returns the algorithm with exactly this name, static; NULL: there is none. The library of the algorithm may
 * be missing, see lacks() of its driver. name must not be NULL. */
const gradyn_algorithm *gradyn_algorithm_find(const char *name);

/* Returns the algorithm to use for a program with equality or inequality constraints (equalities,
 * inequalities). It is the given one if it accepts these constraints, otherwise its variant in an augmented
 * Lagrangian, or itself if it has none. */
const gradyn_algorithm *gradyn_algorithm_for(const gradyn_algorithm *algorithm, bool equalities,
                                             bool inequalities);

/* Selects the default algorithm by the number of free parameters (varied), the presence of constraints
 * (constrained), a division into segments, and whether the objective is a fit to data. *algorithm gets its
 * name, and *then that of the algorithm that continues if the first one ends without an optimum (NULL:
 * none). Returns why ipopt is not selected although it suits better; NULL: it is selected, or does not suit
 * better. All texts are static. */
const char *gradyn_algorithm_choose(size_t varied, bool constrained, bool segments, bool fit,
                                    const char **algorithm, const char **then);

#endif
