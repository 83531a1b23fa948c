/* The algorithms that a search can name, and their properties. */
#ifndef GRADYN_OPTIM_ALGORITHMS_H
#define GRADYN_OPTIM_ALGORITHMS_H

#include "optim/drivers/driver.h"

/* An algorithm of the table in algorithms.c. */
typedef struct gradyn_algorithm {
  const char *name;
  const char *wrapped; /* name of the same algorithm in an augmented Lagrangian, or NULL */
  const gradyn_driver *driver;
  int local;                     /* the driver's number of the algorithm that minimises */
  bool lagrangian;               /* in an augmented Lagrangian */
  bool equalities, inequalities; /* accepts such constraints */
} gradyn_algorithm;

/* Returns the algorithm with this name. NULL: there is none. */
const gradyn_algorithm *gradyn_algorithm_find(const char *name);

/* Returns the algorithm itself if it accepts such constraints, otherwise its variant that does. */
const gradyn_algorithm *gradyn_algorithm_for(const gradyn_algorithm *algorithm, bool equalities,
                                             bool inequalities);

/* Selects the default algorithm, and the one that continues if it ends without an optimum (NULL: none).
 * varied: number of free parameters. Returns the reason why ipopt is not selected although it suits
 * better. NULL: ipopt is selected, or does not suit better. */
const char *gradyn_algorithm_choose(size_t varied, bool constrained, bool segments,
                                    const char **algorithm, const char **then);

#endif
