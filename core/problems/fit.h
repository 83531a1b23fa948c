/* Comparison of measures with data: gradyn_fit().
 *
 * Each datum is a functional, the residual at its time. The fit itself has no part in a run: its value and
 * gradient are sums over its residuals. Parts of fits refer to functionals by their indices. */
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
  int of;    /* residuals and ln sigma: the fit to which they belong */
  int prior; /* priors: 1 + index of the parameter, also of the residual; 0: no prior */
  /* fits: index of the first residual, and number of residuals; an estimated ln sigma is the functional
   * before the first one */
  int first, count;
  bool estimated;
  double constant;          /* fits: a constant term of the value */
  double value, deviation;  /* residuals: datum, and its standard deviation over sigma */
  int sigma;                /* fits and residuals: index of sigma in x; -1: sigma is 1 */
  int scale, offset, delay; /* fits and residuals: indices in x; 0: none */
  int delayed_by;           /* fits: 1 + index of the parameter of the delay; 0: none */
  double time;              /* residuals: time of the datum */
  bool weighted;            /* sigma or deviations are given */
  bool missing;             /* residuals of candidates: the datum has no value */
  bool candidate;   /* residuals: a possible measurement; sigma is no quantity that it measures */
  gradyn_loss loss; /* residuals: loss, with its threshold in standard deviations */
  double threshold;
  const char *source; /* fits: file of the data, for messages, owned by the model; NULL: none */
  size_t line;        /* residuals: line of the file */
} gradyn_fitted;

/* Returns the index of the fit to which a residual or ln sigma belongs; 0 for other functionals. */
static inline size_t gradyn_fit_of(const gradyn_functional_entry *f)
{
  return f->reduced.fit ? (size_t)f->reduced.fit->of : 0;
}

/* Returns the standard deviation of the datum of a residual, in the unit of the datum, at the data in use. */
double gradyn_fit_deviation(const gradyn_model *model, const gradyn_fitted *residual);

/* Data of a fit, owned: [count] each; lines of the file, from 1, or NULL. */
typedef struct gradyn_fit_data {
  double *times, *values, *deviations;
  size_t *lines;
  size_t count, capacity;
} gradyn_fit_data;

enum { GRADYN_FIT_DATA = 100000 };

/* Possible times of the measurements of a fit. */
typedef struct gradyn_fit_times {
  const char *fit; /* its name in build() */
  size_t row;      /* of the load case; 0 without load cases */
  const double *t; /* [count] s, ascending */
  size_t count;
} gradyn_fit_times;

/* Candidates for measurements, which a build() of an analysis requests before it declares fits. They replace
 * the data of all fits: their value is 0 and their loss the square, so that the derivatives of residuals are
 * those of the measures over the standard deviations. */
typedef struct gradyn_candidate_times {
  const gradyn_fit_times *of; /* [count] */
  size_t count;               /* 0: times of all data, also of those without a value */
} gradyn_candidate_times;

/* Makes the data of a fit in the first build() its candidates, if the model has some. Deviations are
 * interpolated linearly between the data. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_fit_take_candidates(const gradyn_model *model, const char *name,
                                         gradyn_fit_data *data);

/* Reads the data of a fit from spec->file, those of the load case with the name load_case, if the file has
 * a column "case". name: of the fit, for messages. Without `all`, lines without a value are left out. *out
 * is zero at first; clear it in any case. Errors: GRADYN_NOT_FOUND, GRADYN_IO, GRADYN_NO_MEMORY;
 * GRADYN_INVALID: the file is damaged or no regular file. message [size]: file, line and reason; unchanged
 * if memory is exhausted at once. */
gradyn_status gradyn_fit_read(const gradyn_fit_spec *spec, const char *name, const char *load_case,
                              bool all, gradyn_fit_data *out, char message[], size_t size);

/* Frees the arrays, not data itself; may be repeated. */
void gradyn_fit_data_clear(gradyn_fit_data *data);

/* Computes all fits from their residuals: the values psi [functionals], and rows [functionals][width],
 * their derivatives by `width` variables, whatever these are. Other entries stay; rows of skipped fits
 * become 0. rows may be NULL; psi may be NULL without rows, which has no effect. */
void gradyn_fits_complete(const gradyn_model *model, double psi[], double rows[], size_t width);

/* Adds terms to weight [functionals]: the weighted sum of residuals and ln sigma then changes to first
 * order as that of their fits, at the values psi [functionals]. Weights of the fits stay. */
void gradyn_fits_spread(const gradyn_model *model, const double psi[], double weight[]);

/* Marks functionals as skipped unless they are requested [functionals], or belong to a fit that is. requested
 * NULL: all are. */
void gradyn_functionals_request(gradyn_model *model, const bool requested[]);

/* Checks the times of all data. Error: GRADYN_INVALID, with a message: a datum is after the end time of the
 * data in use, or a delayed one at or before the start. */
gradyn_status gradyn_fits_check_times(gradyn_model *model);

#endif
