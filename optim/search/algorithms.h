/* The algorithms that a search can name, and what they can do. */
#ifndef GRADYN_OPTIM_ALGORITHMS_H
#define GRADYN_OPTIM_ALGORITHMS_H

#include <stdbool.h>
#include <stddef.h>

#include <nlopt.h>

typedef struct gradyn_algorithm {
  const char *name;
  const char *wrapped;   /* name of the same algorithm inside an augmented Lagrangian, or NULL */
  nlopt_algorithm local; /* does the minimisation */
  bool lagrangian;       /* inside an augmented Lagrangian */
  bool equalities, inequalities; /* takes such constraints */
  bool luksan;                   /* from a part of NLopt that may have been left out */
} gradyn_algorithm;

/* The algorithm of a name; NULL: there is none. */
const gradyn_algorithm *gradyn_algorithm_find(const char *name);

/* The algorithm itself if it takes such constraints, otherwise its form that does. */
const gradyn_algorithm *gradyn_algorithm_for(const gradyn_algorithm *algorithm, bool equalities,
                                             bool inequalities);

/* Whether the NLopt that is linked has the algorithm; yes where there is no memory for the question. */
bool gradyn_algorithm_available(const gradyn_algorithm *algorithm);

#endif
