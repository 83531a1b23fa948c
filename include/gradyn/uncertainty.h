/* Uncertainty of functionals: mean, variance and sensitivity indices from those of uncertain numbers. */
#ifndef GRADYN_UNCERTAINTY_H
#define GRADYN_UNCERTAINTY_H

#include <gradyn/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How mean and variance are computed. */
typedef enum gradyn_moments_kind {
  GRADYN_MOMENTS_FIRST, /* from gradients at the means */
  GRADYN_MOMENTS_SECOND, /* from gradients and second derivatives at the means; exact for quadratics */
  GRADYN_MOMENTS_UNSCENTED, /* from points on both sides of the means; the mean is exact for quadratics */
  GRADYN_MOMENTS_SAMPLED, /* from many draws */
  GRADYN_MOMENTS_KINDS    /* number of kinds */
} gradyn_moments_kind;

/* Mean and variance of a functional. NAN: not requested, not known, or draws are missing. */
typedef struct gradyn_moments {
  double mean;     /* in the unit of the functional */
  double variance; /* in its square */
  /* GRADYN_MOMENTS_SAMPLED: standard errors of both, from eight independent parts of the draws;
   * otherwise 0 */
  double mean_error, variance_error;
} gradyn_moments;

/* Sobol index of a functional and an uncertain number, with its standard error. NAN: not requested, draws are
 * missing, or the functional has no variance. */
typedef struct gradyn_sobol_index {
  double value, error; /* dimensionless */
} gradyn_sobol_index;

/* A number that gradyn_uncertain() has declared. */
typedef struct gradyn_uncertain_number {
  const char *name;                 /* lives as long as the result */
  const char *unit;                 /* lives as long as the result */
  gradyn_distribution distribution; /* about the mean */
  double mean;                      /* in its unit; with load cases, in the first one */
  double deviation;                 /* standard deviation, in its unit; > 0 */
} gradyn_uncertain_number;

/* What gradyn_uncertainty_compute() computes besides first order. All zero: first order alone. */
typedef struct gradyn_uncertainty_spec {
  bool second;    /* true: moments to second order */
  bool unscented; /* true: moments from unscented points */
  /* number of draws for sampled moments, at least 16, rounded up to a multiple of 8; 0: none */
  size_t points;
  bool random;   /* true: random draws (Monte Carlo); false: a Sobol sequence, shifted at random */
  bool indices;  /* true: Sobol indices too. Each draw then has 2 + uncertain numbers evaluations */
  uint64_t seed; /* of draws and shifts */
  const char
      *folder; /* existing folder for `unscented` and points; its journals are not repeated */
  gradyn_durability durability;  /* of the journals; default GRADYN_DURABLE_SECOND */
  const gradyn_workers *workers; /* NULL: the calling thread */
} gradyn_uncertainty_spec;

/* Uncertainty of functionals. Arrays belong to it; release it with gradyn_uncertainty_clear(). */
typedef struct gradyn_uncertainty {
  size_t functionals;              /* of the evaluator */
  size_t count;                    /* number of uncertain numbers */
  gradyn_uncertain_number *number; /* [count] in the order of their declaration */
  double *value;                   /* [functionals] at the means, in their units */
  /* [functionals][count] change by one standard deviation of the number, to first order, in the unit of the
   * functional. The sum of squares is the variance to first order */
  double *change;
  gradyn_moments *moments[GRADYN_MOMENTS_KINDS]; /* [functionals] each */
  /* [functionals][count] share of the variance that the number causes alone, and together with others */
  gradyn_sobol_index *main_index, *total_index;
  /* unscented points as load cases, with columns "weight" and NAME.offset. A problem with these cases has
   * mean and deviation as objectives; see over_cases in gradyn_options. NULL: not requested, or the problem
   * has load cases */
  const gradyn_cases *cases;
  size_t points;      /* draws, as rounded; 0: none */
  size_t evaluations; /* of all points */
  size_t missing;     /* of these, evaluations that are not done yet */
  /* Of these, evaluations that have failed. Moments and indices are then those of the other draws; without an
   * unscented point its moments are NAN */
  size_t failed;
  char failure[1024]; /* the first failed evaluation: its numbers and the reason; "": none */
  /* why there are no moments to second order; "": there are, or not requested */
  char unsupported[512];
  char message[1024]; /* reason of a failure of the call; otherwise "" */
  void *memory;       /* owner of the arrays */
} gradyn_uncertainty;

/* Computes mean and variance of all functionals, from the uncertain numbers that build() declares by
 * gradyn_uncertain(). The numbers have their means at rho [parameters]. Results are the same to the last bit
 * for any number of workers.
 *
 * Second order needs what gradyn_evaluator_hessian_product() needs; otherwise `unsupported` has the reason,
 * and the call continues. Release *out with gradyn_uncertainty_clear() in any case. Errors, with a message
 * in the result: GRADYN_INVALID: an argument is wrong, no number is uncertain, or load cases declare
 * different ones. GRADYN_INVALID also: journals of the folder are damaged or have different results.
 * GRADYN_INTERRUPTED: evaluations are missing; call again. GRADYN_CALLBACK, GRADYN_IO: as for
 * gradyn_sweep(). GRADYN_NO_MEMORY. A failed run at the means returns its own status. */
GRADYN_API gradyn_status gradyn_uncertainty_compute(gradyn_evaluator *evaluator,
                                                    const gradyn_uncertainty_spec *spec,
                                                    const double rho[], gradyn_uncertainty *out);

/* Releases the arrays and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_uncertainty_clear(gradyn_uncertainty *uncertainty);

#ifdef __cplusplus
}
#endif

#endif
