/* Comparison of measures with data: gradyn_fit().
 *
 * Each datum is a functional, the residual at its time. The fit itself has no part in a run: its value and
 * gradient are sums over its residuals. */
#ifndef GRADYN_CORE_PROBLEMS_FIT_H
#define GRADYN_CORE_PROBLEMS_FIT_H

#include "core/model/model.h"
#include <gradyn/functionals.h>

typedef enum gradyn_fit_part {
  GRADYN_FIT_SUM,
  GRADYN_FIT_RESIDUAL,
  GRADYN_FIT_LOG_SIGMA
} gradyn_fit_part;

/* A part of a comparison with data. */
typedef struct gradyn_fitted {
  gradyn_fit_part part;
  int of; /* of a residual and of ln sigma: their fit */
  /* of a fit: its first residual, and their number; ln sigma, if it is estimated, is before the first */
  int first, count;
  bool estimated;
  double constant;         /* of a fit: a term of its value */
  double value, deviation; /* of a residual: datum, and its standard deviation over sigma */
  int sigma;               /* of the others: index in x; -1: sigma is 1 */
  gradyn_loss loss;        /* of a residual, with its threshold in standard deviations */
  double threshold;
  const char *source; /* of a fit: file of its data, for messages; NULL: none */
  size_t line;        /* of a residual: line of the file */
} gradyn_fitted;

/* The fit to which a part belongs, among the functionals; 0 for others. */
static inline size_t gradyn_fit_of(const gradyn_functional_entry *f)
{
  return f->reduced.fit ? (size_t)f->reduced.fit->of : 0;
}

/* Data of a fit; lines [count] of the file, or NULL. */
typedef struct gradyn_fit_data {
  double *times, *values, *deviations;
  size_t *lines;
  size_t count, capacity;
} gradyn_fit_data;

enum { GRADYN_FIT_DATA = 10000 };

/* Reads the data of a fit from its file, those of the load case if there is one. Missing data are left out.
 * Release in any case. Errors: those of gradyn_read_open(); GRADYN_INVALID: the file is damaged;
 * GRADYN_NO_MEMORY. message [size]: file, line and reason. */
gradyn_status gradyn_fit_read(const gradyn_fit_spec *spec, const char *name, const char *load_case,
                              gradyn_fit_data *out, char message[], size_t size);
void gradyn_fit_data_clear(gradyn_fit_data *data);

/* Computes all fits from their residuals: psi, and in the same way rows [functionals][width] of derivatives
 * by anything. rows may be NULL; psi may be NULL without rows. */
void gradyn_fits_complete(const gradyn_model *model, double psi[], double rows[], size_t width);

/* Adds to weight [functionals] what makes the weighted sum of residuals and ln sigma change to first order as
 * that of their fits, at the values psi. */
void gradyn_fits_spread(const gradyn_model *model, const double psi[], double weight[]);

/* Marks functionals as skipped unless they are requested, or belong to a fit that is. requested NULL: all
 * are. */
void gradyn_functionals_request(gradyn_model *model, const bool requested[]);

/* GRADYN_INVALID: a datum is after the end of the run. */
gradyn_status gradyn_fits_check_times(gradyn_model *model);

#endif
