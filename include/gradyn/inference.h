/* Inference. Estimated parameters of a fit: covariances, intervals, profiles, tests of residuals.
 * Uncertainty of functionals: mean, variance and sensitivity indices, from uncertain numbers. Estimates of
 * the state along a run, by a filter. */
#ifndef GRADYN_INFERENCE_H
#define GRADYN_INFERENCE_H

#include <gradyn/analysis.h>
#include <gradyn/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether data determine a parameter. */
typedef enum gradyn_estimate_kind {
  GRADYN_ESTIMATE_DETERMINED, /* it has a deviation and an interval */
  GRADYN_ESTIMATE_FIXED,      /* the search does not change it */
  /* at its lower bound: it has no deviation, and those of other parameters hold at that value */
  GRADYN_ESTIMATE_AT_LOWER,
  GRADYN_ESTIMATE_AT_UPPER,     /* at its upper bound, with the same consequences */
  GRADYN_ESTIMATE_UNDETERMINED, /* it takes part in an undetermined direction */
} gradyn_estimate_kind;

/* A direction of parameters that the data do not determine. Along this direction the fit does not change to
 * second order. Or the 95 % interval is longer than the distance of the bounds of a parameter. */
typedef struct gradyn_undetermined {
  /* [parameters] change of each parameter along the direction, in its unit. Parameters with small parts are
   * 0. The length has no meaning */
  double *change;
  /* standard deviation along `change`, in multiples of it; HUGE_VAL: the fit does not change, to second
   * order. NAN: the direction is that of a parameter at a bound */
  double deviation;
} gradyn_undetermined;

/* Tests of the residuals u of one fit, in standard deviations. */
typedef struct gradyn_residual_tests {
  size_t fit;         /* index of the fit, for gradyn_functional_at() */
  size_t count;       /* number of its data */
  double square_sum;  /* of u */
  double mean;        /* of u */
  double correlation; /* of successive u, -1 to 1; NAN: fewer than three data, or all u are zero */
  /* Probability of such a number of runs of equal sign, or a more unusual one, if signs are independent.
   * Wald and Wolfowitz (1940), normal approximation, two-sided; NAN: fewer than two of either sign */
  double runs_probability;
  /* Probability of at least such skewness and kurtosis, if u is normal (Jarque and Bera 1987); NAN:
   * fewer than eight data */
  double normal_probability;
  size_t largest; /* index of the residual with the largest |u|, for gradyn_functional_at() */
} gradyn_residual_tests;

/* Uncertainty of the estimated parameters of a fit, and tests of its residuals. All arrays belong to it;
 * release it with gradyn_inference_clear(). Numbers that are not defined are NAN: see `kind`. */
typedef struct gradyn_inference {
  size_t parameters;  /* of the evaluator */
  size_t functionals; /* of the evaluator */
  size_t data;        /* number of residuals of the objective */
  size_t estimated;   /* number of independent directions that data determine */
  double objective;   /* at the estimates, in its unit */
  /* Variance of residuals that multiplies the covariance. If each fit has a sigma or deviations, and with a
   * robust loss, it is 1; otherwise the sum of squares divided by data - estimated */
  double variance;
  /* Degrees of freedom of Student's distribution in intervals, data - estimated; HUGE_VAL: the variance is
   * known, and intervals are normal */
  double degrees;
  /* true: a loss is robust, and the covariance is the sandwich of curvature and scores, times data/(data -
   * estimated) */
  bool robust;
  /* Probability of at least this sum of squares by chance; NAN: the variance is not known, a loss is robust
   * or a sigma is estimated */
  double square_probability;
  gradyn_estimate_kind *kind; /* [parameters] */
  double *covariance;         /* [parameters][parameters], in units of both parameters */
  double *correlation;        /* [parameters][parameters], -1 to 1 */
  double *deviation;          /* [parameters] standard deviations, in units of the parameters */
  /* [parameters] ends of 95 % intervals, in units of the parameters; of logarithmic ones symmetric in the
   * logarithm */
  double *lower, *upper;
  /* [functionals] standard deviations of functionals at the estimates, to first order, in their units.
   * NAN: it changes along an undetermined direction */
  double *functional_deviation;
  double
      *u; /* [functionals] of residuals: in standard deviations, without the loss; otherwise NAN */
  gradyn_undetermined *direction; /* [directions] that data do not determine */
  size_t directions;              /* number of these */
  gradyn_residual_tests *tests;   /* [fits] of the objective */
  size_t fits;                    /* number of these */
} gradyn_inference;

/* Computes the uncertainty of estimated parameters, at the minimum rho [parameters] of an objective that
 * consists of fits. It needs one gradient. The search states the free parameters and the objective.
 *
 * Covariances come from the Gauss-Newton matrix, with estimated standard deviations the Fisher matrix.
 * Equality constraints and active inequality constraints restrict the parameters. Release *out with
 * gradyn_inference_clear() in any case.
 *
 * Errors, with the message of the evaluator: GRADYN_INVALID: an argument is NULL, the evaluator was not
 * created, or struct_size is wrong. GRADYN_UNSUPPORTED: a term of the objective is no fit.
 * GRADYN_NOT_CONVERGED: eigenvalues were not found. GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_inference_compute(gradyn_evaluator *evaluator,
                                                  const gradyn_search *search, const double rho[],
                                                  gradyn_inference *out);

/* Releases the arrays of an inference and sets all its members to zero; NULL is ignored. */
GRADYN_API void gradyn_inference_clear(gradyn_inference *inference);

/* --- Profiles --------------------------------------------------------------------------------- */

/* Where one side of a profile ends. */
typedef enum gradyn_profile_end {
  GRADYN_PROFILE_CLOSED,    /* at the end of the 95 % interval */
  GRADYN_PROFILE_AT_BOUND,  /* open: the interval reaches the bound of the parameter */
  GRADYN_PROFILE_OPEN,      /* open: 40 points did not reach the end of the interval */
  GRADYN_PROFILE_FAILED,    /* a search failed; its status is that of the last point */
  GRADYN_PROFILE_UNFINISHED /* the work was stopped; call again */
} gradyn_profile_end;

/* A point of a profile: the least objective with the parameter fixed. */
typedef struct gradyn_profile_point {
  double value;         /* of the parameter, in its unit */
  double objective;     /* in its unit; NAN: the search found no point */
  double z;             /* sqrt(2 (objective - that of the fit)/variance), at least 0 */
  gradyn_status status; /* of the search */
  double *rho;          /* [parameters] where the objective is least, in their units */
} gradyn_profile_point;

/* One side of a profile, from the estimate away. */
typedef struct gradyn_profile_side {
  size_t count;                /* number of points */
  gradyn_profile_point *point; /* [count] in the order of the searches */
  gradyn_profile_end end;      /* how the side ends */
  double limit; /* end of the 95 % interval, in the unit of the parameter; NAN: open */
} gradyn_profile_side;

/* The profile of a parameter: the least objective as a function of its value. */
typedef struct gradyn_profile {
  size_t parameter;          /* index, from 0 */
  gradyn_profile_side below; /* smaller values */
  gradyn_profile_side above; /* larger values */
} gradyn_profile;

/* Parameters to profile. */
typedef struct gradyn_profile_spec {
  const size_t
      *parameter;     /* [count] indices of free parameters, from 0; NULL: all free parameters */
  size_t count;       /* number of indices; without indices 0 */
  const char *folder; /* existing folder, required; searches in its journals are not repeated */
  const gradyn_workers *workers; /* NULL: the calling thread */
} gradyn_profile_spec;

/* Profiles of parameters; release it with gradyn_profile_result_clear(). Numbers are NAN as long as the fit
 * is not finished. */
typedef struct gradyn_profile_result {
  size_t parameters;       /* of the evaluator */
  size_t count;            /* number of profiles */
  gradyn_profile *profile; /* [count] */
  double *rho;      /* [parameters] the estimates, in their units; NULL: the fit is not finished */
  double objective; /* of the fit, in its unit */
  double variance;  /* of residuals, as in gradyn_inference */
  double
      z_end; /* z at the ends of a 95 % interval: the quantile of the normal or of Student's distribution */
  double least; /* smallest objective of all points; below that of the fit: the fit is no minimum */
  long evaluations;   /* of all searches */
  double seconds;     /* of all searches, s */
  char message[1024]; /* reason of a failure; "": none */
} gradyn_profile_result;

/* Computes profile likelihoods of parameters. The call first fits all free parameters from rho0
 * [parameters]. It then fixes each parameter at successive values on both sides of its estimate, and
 * searches for the least objective over the others. Sides are independent tasks of the workers. Results do
 * not depend on the number of workers. The search states algorithm, tolerances, free parameters and
 * objective; its journal and callback are not used.
 *
 * Release *result with gradyn_profile_result_clear() in any case.
 *
 * Errors, with a message in the result: GRADYN_INTERRUPTED: searches are missing; call again.
 * GRADYN_INVALID: an argument is wrong, a parameter is not free, or journals of the folder are damaged or
 * have different results. GRADYN_UNSUPPORTED: a term of the objective is no fit, the search runs in
 * segments or refines controls, or there are parts (shards). GRADYN_STALLED: the fit did not end at an
 * optimum. GRADYN_CALLBACK, GRADYN_IO: as for gradyn_pareto(). GRADYN_NO_MEMORY. A failed fit returns its
 * own status. */
GRADYN_API gradyn_status gradyn_profile_compute(gradyn_evaluator *evaluator,
                                                const gradyn_search *search,
                                                const gradyn_profile_spec *spec,
                                                const double rho0[], gradyn_profile_result *result);

/* Releases the arrays of profiles and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_profile_result_clear(gradyn_profile_result *result);

/* --- Uncertainty of functionals ---------------------------------------------------------------- */

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

/* Sobol index of a functional and an uncertain number, with its standard error. NAN: not requested, draws
 * are missing, or the functional has no variance. */
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

/* Which moments gradyn_uncertainty_compute() computes in addition to those of first order. All zero: first
 * order alone. */
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
  /* Of these, evaluations that have failed. Moments and indices are then those of the other draws; without
   * an unscented point its moments are NAN */
  size_t failed;
  char failure[1024]; /* the first failed evaluation: its numbers and the reason; "": none */
  /* reason for which moments to second order are missing; "": they are present, or not requested */
  char unsupported[512];
  char message[1024]; /* reason of a failure of the call; otherwise "" */
  void *memory;       /* owner of the arrays */
} gradyn_uncertainty;

/* Computes mean and variance of all functionals, from the uncertain numbers that build() declares by
 * gradyn_uncertain(). The numbers have their means at rho [parameters]. Results are the same to the last bit
 * for any number of workers.
 *
 * Second order needs what gradyn_evaluator_hessian_product() needs; otherwise `unsupported` has the reason,
 * and the call continues. Release *out with gradyn_uncertainty_clear() in any case.
 *
 * Errors, with a message in the result: GRADYN_INVALID: an argument is wrong, no number is uncertain, or
 * load cases declare different ones. GRADYN_INVALID also: journals of the folder are damaged or have
 * different results. GRADYN_INTERRUPTED: evaluations are missing; call again. GRADYN_CALLBACK, GRADYN_IO: as
 * for gradyn_sweep(). GRADYN_NO_MEMORY. A failed run at the means returns its own status. */
GRADYN_API gradyn_status gradyn_uncertainty_compute(gradyn_evaluator *evaluator,
                                                    const gradyn_uncertainty_spec *spec,
                                                    const double rho[], gradyn_uncertainty *out);

/* Releases the arrays and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_uncertainty_clear(gradyn_uncertainty *uncertainty);

/* --- Estimates of the state along a run --------------------------------------------------------- */

/* Covariances of the initial state and of noise, for an extended Kalman filter. Each matrix is given with
 * the names of its rows, and a row has the unit of its name. Arrays and names are read during the call
 * only. */
typedef struct gradyn_filter_spec {
  /* covariance of the initial state, positive semidefinite. Names: differential states such as "2.x" and
   * "2.vx", independent of each other on the constraints. All other initial states are known exactly; count
   * 0: all are known */
  gradyn_weights initial;
  /* intensity W of white noise, positive semidefinite, in the product of both units times s. Names: signals
   * or data on which the noise acts. They must affect forces or rates, not constraints; count 0: no noise */
  gradyn_weights noise;
  /* covariance Q that is added before each time of data after the start, once. Names: any
   * differential states; only the part along the constraints counts. count 0: none */
  gradyn_weights added;
} gradyn_filter_spec;

/* A datum in a filter. Numbers have the unit of the datum, but `normalised` is dimensionless. */
typedef struct gradyn_filter_datum {
  size_t functional; /* index of its residual, for gradyn_functional_at() */
  double t;          /* time, s */
  double value;      /* the datum */
  double predicted;  /* its expectation before the measurement */
  double innovation; /* value - predicted */
  double deviation;  /* standard deviation of the measurement alone */
  /* Innovation, made independent of those of the data before it at the same time, in standard deviations. If
   * the model is right, these numbers are independent and have a standard normal distribution */
  double normalised;
} gradyn_filter_datum;

/* Estimates of the differential states at the times of data, to first order. Covariances respect the
 * constraints. The arrays belong to the struct. */
typedef struct gradyn_filter {
  size_t rows;                  /* number of times */
  size_t states;                /* number of differential states */
  size_t data;                  /* number of data */
  char (*name)[64];             /* [states] names of the states, as in trajectories */
  char (*unit)[24];             /* [states] units of the states */
  double *t;                    /* [rows] times, s, ascending */
  double *predicted;            /* [rows][states] before the measurements, each in its unit */
  double *estimate;             /* [rows][states] after them */
  double *predicted_covariance; /* [rows][states][states], in the product of both units */
  double *covariance;           /* [rows][states][states] after the measurements */
  size_t *first; /* [rows + 1] index in `datum` of the first datum of each row, then `data` */
  gradyn_filter_datum *datum; /* [data] in the order of time */
  /* covariances S of the innovations of each row, [m][m] for its m data, one after the other */
  double *innovation_covariance;
  size_t *block; /* [rows + 1] index of the first entry of S of each row, then their number */
  double minus_log_likelihood; /* -ln of the likelihood of all data */
} gradyn_filter;

/* Estimates the state along a run by an extended Kalman filter, at rho [parameters]; NULL if there are none.
 * Data are those of all gradyn_fit() with their sigma, scale and offset. Between data the covariance follows
 * from the linearised motion, with saltation matrices at events. At data the state is corrected in
 * independent coordinates, along the constraints. The motion continues from there. If the correction passes
 * the guard of an event, the event happens at once. Derivatives by parameters do not exist.
 *
 * Overwrites *out without releasing its arrays; release *out with gradyn_filter_clear() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, no fit has data, or a fit has no sigma. GRADYN_INVALID also
 * if a name is unknown, repeated or depends on other states. GRADYN_INVALID also if a matrix is not
 * symmetric and positive semidefinite, or a callback is not complex-differentiable. GRADYN_UNSUPPORTED: a
 * fit has a delay or another loss, or the method is not explicit or radau. GRADYN_UNSUPPORTED also if a
 * constraint is latched, or an event ends the run. GRADYN_UNSUPPORTED also if general equations have events,
 * noise moves a constraint or the time of an event, or the evaluator has load cases. GRADYN_EVENT: a
 * correction passes the guard of an event which the motion does not meet. GRADYN_NOT_CONVERGED: the
 * covariance needs too short steps. GRADYN_NON_FINITE: a covariance is not finite. GRADYN_NO_MEMORY. The
 * others are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_filter_compute(gradyn_evaluator *evaluator, const double rho[],
                                               const gradyn_filter_spec *spec, gradyn_filter *out);

/* Releases the arrays of a filter, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_filter_clear(gradyn_filter *filter);

/* --- Experiments ------------------------------------------------------------------------------- */

/* Which number of an experiment is least. */
typedef enum gradyn_experiment_criterion {
  GRADYN_EXPERIMENT_D, /* the volume of the region of confidence: -ln det of the information */
  GRADYN_EXPERIMENT_A, /* the sum of the variances of parameters, each over the square of its scale */
} gradyn_experiment_criterion;

/* What gradyn_experiment_compute() designs. All zero: D-optimal measurements at times of data. */
typedef struct gradyn_experiment_spec {
  gradyn_experiment_criterion criterion; /* default GRADYN_EXPERIMENT_D */
  /* Number of candidate times of each fit, equally spaced from start to end of the run, at least 2. With a
   * delay they are inside the run. 0: the times of its data, also of data without a value */
  size_t candidates;
  size_t
      measurements; /* N, number of measurements; 0: that of the data, without data that of supports */
  bool fixed_times; /* true: times stay at those of candidates */
  /* [parameters] of GRADYN_EXPERIMENT_A: true: its variance counts; NULL: all that are estimated */
  const bool *counts;
} gradyn_experiment_spec;

/* A time at which a fit is measured. */
typedef struct gradyn_experiment_support {
  size_t fit;    /* its index, for gradyn_functional_at() */
  double time;   /* s */
  double weight; /* share of all measurements */
  size_t number; /* of N measurements, by efficient rounding */
} gradyn_experiment_support;

/* An experiment. Arrays belong to it; release it with gradyn_experiment_clear(). */
typedef struct gradyn_experiment {
  size_t parameters;                  /* of the evaluator */
  size_t candidates;                  /* number of candidates */
  size_t data;                        /* number of data with a value */
  size_t measurements;                /* N */
  size_t supports;                    /* number of times with a weight */
  gradyn_experiment_support *support; /* [supports] in the order of fits, then of time */
  /* GRADYN_EXPERIMENT_D: ln det of the information of one measurement, by parameters in their units; NAN: a
   * direction is not determined. GRADYN_EXPERIMENT_A: sum of variances over squared scales, times N */
  double criterion;
  /* Largest relative excess of the gain of a candidate over the mean gain. By the equivalence theorem
   * (Kiefer and Wolfowitz 1960) no weights of the candidates have a better criterion if it is 0 */
  double gap;
  /* Share of measurements that the optimal weights need for the criterion of other ones. Of data: for as
   * many measurements as data, NAN: there are none; 0: they do not determine what candidates determine */
  double data_efficiency, rounded_efficiency;
  /* [parameters] expected standard deviations after N rounded measurements, and after the present data, in
   * units of the parameters; of logarithmic ones as in gradyn_inference. NAN: not free, or not determined */
  double *deviation, *data_deviation;
  double *scale; /* [parameters] for GRADYN_EXPERIMENT_A, in their units; NAN: not free */
  /* false: a fit has no standard deviations. Then 1 stands for them, also in `deviation` */
  bool weighted;
  gradyn_undetermined *direction; /* [directions] that no candidate determines */
  size_t directions;              /* number of these */
} gradyn_experiment;

/* Computes optimal weights of measurements at rho [parameters]. Candidates are times of all fits. The
 * information in a measurement is that of gradyn_inference: derivatives of the measure over its standard
 * deviation, and of an estimated sigma. Priors of parameters add theirs once. Neither values of data nor
 * robust losses matter. The search gives the free parameters and the objective.
 *
 * Times of candidates with weights then move to where the criterion is least, between the first and the
 * last candidate of the fit. Release *out with gradyn_experiment_clear() in any case. Errors, with the
 * message of the evaluator: GRADYN_INVALID: an argument is NULL, or the evaluator was not created.
 * GRADYN_INVALID also: a number is wrong, no candidate determines a parameter, or N is less than the number
 * of supports. GRADYN_NOT_CONVERGED: eigenvalues were not found. GRADYN_NO_MEMORY. A failed run returns its
 * own status. */
GRADYN_API gradyn_status gradyn_experiment_compute(gradyn_evaluator *evaluator,
                                                   const gradyn_search *search,
                                                   const gradyn_experiment_spec *spec,
                                                   const double rho[], gradyn_experiment *out);

/* Releases the arrays of an experiment and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_experiment_clear(gradyn_experiment *experiment);

#ifdef __cplusplus
}
#endif

#endif
