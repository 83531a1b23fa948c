/* Measures: scalar functions of the state with their gradients. */
#ifndef GRADYN_MBS_MEASURE_H
#define GRADYN_MBS_MEASURE_H

#include "mbs/joints/coordinate.h"
#include <gradyn/measures.h>

/* Function of a kind: returns the value at a sample. Unless out is NULL, it adds weight times the
 * derivatives to *out. A failure of a user's function is stored in the mechanism (parts.measure_failed). */
typedef double mbs_measure_fn(gradyn_mbs *m, const mbs_measure *measure, const gradyn_sample *at,
                              double weight, const gradyn_gradient_out *out);

enum { MBS_PARTS = 4 }; /* largest number of measures from which one is computed */

struct mbs_measure {
  mbs_measure_fn *take;
  char *name;
  const char *unit;      /* static, or owned by the model */
  int index[MBS_PARTS];  /* meaning by kind */
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

/* Adds a measure (first build), or counts it (later builds); returns its number. Errors: build errors. */
int mbs_add_measure(gradyn_mbs *m, const char *name, const mbs_measure *prototype);
/* Value of a measure, and weight times its derivatives added to *out. Errors: failures of users' functions,
 * with a message. */
gradyn_status mbs_measure_value(gradyn_mbs *m, const mbs_measure *measure, const gradyn_sample *at,
                                double *value);
gradyn_status mbs_measure_bar(gradyn_mbs *m, const mbs_measure *measure, double weight,
                              const gradyn_sample *at, const gradyn_gradient_out *out);

/* The measure with a user's number; NULL after a build error. */
const mbs_measure *mbs_check_measure(gradyn_mbs *m, const char *element, int measure);

/* Unit of the integral of the square of what has this unit, "N^2 m^2 s" for "N m". */
const char *mbs_unit_of_square(gradyn_mbs *m, const char *unit);

/* Build error if the sharpness of a smooth maximum is out of range. */
void mbs_check_sharpness(gradyn_model *model, const char *name, double sharpness);

/* Functions of gradyn_model_ops: measures are outputs. */
int mbs_output_count(const gradyn_model *model);
const char *mbs_output_name(const gradyn_model *model, int i);
const char *mbs_output_unit(const gradyn_model *model, int i);
gradyn_status mbs_outputs(gradyn_model *model, const gradyn_sample *at, double *out);

#endif
