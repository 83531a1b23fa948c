/* Measures: scalar functions of the state with their gradients, by kind. */
#ifndef GRADYN_MBS_MEASURE_H
#define GRADYN_MBS_MEASURE_H

#include "mbs/joints/coordinate.h"
#include <gradyn/measure.h>

/* The kind's mathematics: returns the value at a sample and, unless out is NULL, adds weight times its
 * derivatives to *out. If a user's function fails, the mechanism notes it. */
typedef double mbs_measure_fn(gradyn_mbs *m, const mbs_measure *measure, const gradyn_sample *at,
                              double weight, const gradyn_gradient_out *out);

enum { MBS_PARTS = 4 }; /* that one can be computed from */

struct mbs_measure {
  mbs_measure_fn *take;
  char *name;
  const char *unit;      /* static, or the model's */
  int index[MBS_PARTS];  /* meaning by kind */
  int parts;             /* how many measures it is computed from */
  int datum, data_count; /* index in x of its first own datum */
  gradyn_measure_fn formula;
  void *user;                              /* of the formula */
  int callback;                            /* the number of that among users' functions */
  int points, point[GRADYN_CUSTOM_POINTS]; /* that the formula lists */
  int orders; /* of their positions, velocities, accelerations it reads */
  int order;  /* highest time derivative that it reads; 3: multipliers as well */
};

/* Adds a measure (first build) or steps on to it; returns its number. */
int mbs_add_measure(gradyn_mbs *m, const char *name, const mbs_measure *prototype);
/* What the kind's mathematics gives, and whether a user's function has failed in it. */
gradyn_status mbs_measure_value(gradyn_mbs *m, const mbs_measure *measure, const gradyn_sample *at,
                                double *value);
gradyn_status mbs_measure_bar(gradyn_mbs *m, const mbs_measure *measure, double weight,
                              const gradyn_sample *at, const gradyn_gradient_out *out);

/* A measure given by the user; notes a build error and returns NULL if it is wrong. */
const mbs_measure *mbs_check_measure(gradyn_mbs *m, const char *element, int measure);

/* Notes a build error if the sharpness of a smooth maximum is out of range. */
void mbs_check_sharpness(gradyn_model *model, const char *name, double sharpness);

/* Functions of gradyn_model_ops. */
int mbs_output_count(const gradyn_model *model);
const char *mbs_output_name(const gradyn_model *model, int i);
const char *mbs_output_unit(const gradyn_model *model, int i);
gradyn_status mbs_outputs(gradyn_model *model, const gradyn_sample *at, double *out);

#endif
