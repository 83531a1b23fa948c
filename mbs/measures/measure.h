/* Measures: scalar functions of the state with their gradients. */
#ifndef GRADYN_MBS_MEASURE_H
#define GRADYN_MBS_MEASURE_H

#include "mbs/joints/coordinate.h"
#include <gradyn/functionals.h>

/* Function of a kind of measure: returns the value at a sample, in the measure's unit. Unless out is NULL,
 * it adds weight times the derivatives to *out. A failure of a user's function is stored in
 * m->parts.measure_failed. */
typedef double mbs_measure_fn(gradyn_mbs *m, const mbs_measure *measure, const gradyn_sample *at,
                              double weight, const gradyn_gradient_out *out);

enum { MBS_PARTS = 4 }; /* largest number of measures from which one is computed */

struct mbs_measure {
  mbs_measure_fn *take;
  const char *name;      /* owned by the model */
  const char *unit;      /* static, or owned by the model */
  int index[4];          /* meaning by kind */
  int part[MBS_PARTS];   /* [parts] measures from which it is computed */
  int parts;             /* number of measures from which it is computed */
  int datum, data_count; /* index in x of its first own datum */
  gradyn_measure_fn formula;
  void *user;                              /* argument of the formula */
  int callback;                            /* number of the formula among all callbacks */
  int points, point[GRADYN_CUSTOM_POINTS]; /* points that the formula lists */
  /* number of orders of the points that it uses: positions, velocities, accelerations */
  int orders;
  int order; /* highest time derivative that it uses; 3: multipliers as well */
};

/* Declares a measure with `components` components, each a copy of the prototype with index[which] increased
 * by the number of the component, from 0. Returns the id of the first one; 0 after a build error. name and
 * prototype are copied; the text prototype->unit is kept. */
int mbs_add_measures(gradyn_mbs *m, const char *name, const mbs_measure *prototype, int components,
                     int which);

/* Declares a measure with one component, a copy of the prototype, except for prototype->unit, which is
 * kept. Returns its id; 0 after a build error. */
static inline int mbs_add_measure(gradyn_mbs *m, const char *name, const mbs_measure *prototype)
{
  return mbs_add_measures(m, name, prototype, 1, 0);
}

/* Sets positions_only, motion_only and no_multipliers of f for a measure. order: highest time derivative of
 * the points' positions, 0 to 2; 3: it uses multipliers as well. */
void mbs_reads_order(gradyn_functional_entry *f, int order);

#endif
