/* Gradients by differences of runs, without derivatives of the model. They serve for comparison.
 *
 * With a given perturbation they are forward differences, (psi(rho + s) - psi(rho))/s, as in Ebrahimi et al.
 * (2018). Otherwise central differences of decreasing steps are extrapolated (differences.h), or one-sided
 * ones where a bound excludes the other side. No single step suits all runs: after many events, functionals
 * can have large curvature within a thousandth of a parameter. The uncertainty is estimated, and reported if
 * it is a considerable share of a gradient. */
#include "adjoint/gradient/gradient.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/gradient/neighbours.h"
#include "core/base/clock.h"
#include "core/linear/differences.h"

/* Factor of estimated errors. Estimates assume uniform noise, but runs jump slightly where an iteration takes
 * one more step or an event crosses the end of a step. */
static const double doubt = 10;

/* Largest number of steps, with ratio 1.9, and smallest numbers for two sides and for one. */
enum { LEVELS = 12, LEAST_CENTRAL = 3, LEAST_ONE_SIDED = 5 };

/* Errors above `reported`, relative to the largest derivative, are reported. This derivative counts as at
 * least `negligible` times the functional. */
static const double reported = 1e-6, negligible = 1e-4;

/* Values below this, in their unit, belong to a functional that is zero up to round-off. */
static const double nothing = 1e-12;

typedef struct quotients {
  gradyn_evaluator *ev;
  int nf, p;
  const double *psi;
  gradyn_neighbours beside;
  gradyn_differences d; /* [nf] */
  /* [nf] in units of the functional, for changes of parameters by their sizes */
  double *error, *largest;
  int *by;             /* [nf] parameter with the largest error */
  const double *noise; /* [nf] noise of the functionals, for d; NULL: round-off only */
  double first;        /* first step of differences, relative to the sizes of parameters */
  int others;          /* first parameter whose forward run has other events; -1: none */
  gradyn_arena arena;
} quotients;

/* Returns the typical change of a parameter. */
static double size_of(const quotients *q, int j)
{
  return fmax(fabs(q->beside.centre[j]), q->ev->parameters.info[j].scale);
}

static gradyn_status no_room(quotients *q, int j)
{
  const gradyn_parameter_info *p = &q->ev->parameters.info[j];
  return gradyn_fail(&q->ev->message, GRADYN_INVALID,
                     "no difference is possible with respect to parameter %s: its bounds %g and %g "
                     "are too close to its value %g. Use adjoint or direct sensitivities",
                     p->name, p->lower, p->upper, q->beside.centre[j]);
}

/* --- a given step ----------------------------------------------------------------------------- */

/* Returns the signed step of parameter j for the given perturbation: forward; backward if a bound requires
 * it; or, if neither side has space, to the more distant bound. The step is representable. */
static double given_distance(const quotients *q, int j)
{
  const gradyn_parameter_info *p = &q->ev->parameters.info[j];
  const double rho = q->beside.centre[j],
               h = q->ev->options.perturbation * (rho != 0 ? fabs(rho) : p->scale);
  const double up = p->upper - rho, down = rho - p->lower;
  /* volatile prevents excess precision: the step is the difference of two doubles */
  volatile double moved = up >= h      ? fmin(rho + h, p->upper)
                          : down >= h  ? fmax(rho - h, p->lower)
                          : up >= down ? p->upper
                                       : p->lower;
  return moved - rho;
}

/* Reports the parameter whose change made a run fail. */
static gradyn_status tell_run(quotients *q, int j, gradyn_status status)
{
  const gradyn_parameter_info *p = &q->ev->parameters.info[j];
  gradyn_message_add(&q->ev->message, "in the perturbed run with %s = %.10g instead of %.10g %s",
                     p->name, q->beside.moved[j], q->beside.centre[j], p->unit);
  return status;
}

/* Computes column j of the gradient by a forward difference. */
static gradyn_status differ_forward(quotients *q, int j, double *gradient)
{
  const double s = given_distance(q, j);
  if (s == 0)
    return no_room(q, j);
  q->beside.line[j] = s;
  q->beside.parted = false;
  gradyn_status status = gradyn_neighbour(&q->beside, 1, q->ev->sample);
  /* the user has requested this perturbation: other events of the perturbed run are only reported */
  if (status == GRADYN_NON_FINITE && q->beside.parted) {
    q->others = q->others < 0 ? j : q->others;
    status = GRADYN_OK;
  }
  q->beside.line[j] = 0;
  for (int f = 0; f < q->nf && status == GRADYN_OK; f++)
    gradient[f * q->p + j] = (q->ev->sample[f] - q->psi[f]) / s;
  return status == GRADYN_OK ? status : tell_run(q, j, status);
}

/* --- automatic steps -------------------------------------------------------------------------- */

/* Chooses the side of parameter j to which runs are made (0: both sides), and the first step relative to
 * the size of j. Runs remain strictly within the bounds. */
static gradyn_status choose_side(quotients *q, int j, double *first)
{
  const gradyn_parameter_info *p = &q->ev->parameters.info[j];
  const double up = (p->upper - q->beside.centre[j]) / size_of(q, j);
  const double down = (q->beside.centre[j] - p->lower) / size_of(q, j);
  const bool both = fmin(up, down) > q->first / 4;
  if (!(fmax(up, down) > 0))
    return no_room(q, j);
  q->d.side = both ? 0 : up >= down ? 1 : -1;
  q->d.least = both ? LEAST_CENTRAL : LEAST_ONE_SIDED;
  *first = fmin(q->first, (both ? fmin(up, down) : fmax(up, down)) / 2);
  return GRADYN_OK;
}

/* Reports why differences by parameter j do not exist. */
static gradyn_status tell_none(quotients *q, int j, gradyn_status status)
{
  const char *name = q->ev->parameters.info[j].name;
  gradyn_message *message = &q->ev->message;
  if (status == GRADYN_OK || (status == GRADYN_NON_FINITE && q->beside.parted))
    return gradyn_fail(message, GRADYN_EVENT,
                       "parameter %s: runs with perturbed values have another event sequence; "
                       "differences need the same sequence. Use adjoint or direct sensitivities",
                       name);
  if (status != GRADYN_NON_FINITE || q->beside.failed == GRADYN_OK)
    return tell_run(q, j, status);
  *message = q->beside.why;
  return tell_run(q, j, q->beside.failed);
}

/* Records uncertainties and sizes of the derivatives by parameter j. */
static void note_errors(quotients *q, int j)
{
  for (int f = 0; f < q->nf; f++) {
    /* at a kink only one-sided derivatives exist, so their difference is the error */
    const double error = doubt * fmax(q->d.error[f], q->d.kink[f] ? q->d.gap[f] : 0);
    q->largest[f] = fmax(q->largest[f], fabs(q->d.slope[f]));
    if (error > q->error[f]) {
      q->error[f] = error;
      q->by[f] = j;
    }
  }
}

/* Computes column j of the gradient by extrapolated differences. */
static gradyn_status differ_extrapolated(quotients *q, int j, double *gradient)
{
  double first;
  GRADYN_TRY(choose_side(q, j, &first));
  q->beside.line[j] = size_of(q, j);
  q->beside.parted = false;
  q->beside.failed = GRADYN_OK;
  for (int f = 0; f < q->nf; f++)
    q->d.enough[f] = q->d.share * q->largest[f];
  gradyn_status status = gradyn_neighbours_reach(&q->beside, q->d.side, q->ev->sample, &first);
  const bool near = status == GRADYN_OK && first > 0;
  if (near)
    status = gradyn_differentiate(&q->d, q->nf, gradyn_neighbour, &q->beside, first, LEVELS,
                                  q->noise);
  q->beside.line[j] = 0;
  if (status != GRADYN_OK || !near)
    return tell_none(q, j, status);
  note_errors(q, j);
  for (int f = 0; f < q->nf; f++)
    gradient[f * q->p + j] = q->d.slope[f] / size_of(q, j);
  return GRADYN_OK;
}

/* Measures the noise that adaptive steps cause in functionals, along a line that changes all parameters
 * within their bounds. */
static gradyn_status find_noise(quotients *q)
{
  const gradyn_parameter_info *info = q->ev->parameters.info;
  double first = q->first;
  if (q->ev->method->rtol == 0)
    return GRADYN_OK;
  for (int j = 0; j < q->p; j++) {
    const double up = info[j].upper - q->beside.centre[j],
                 down = q->beside.centre[j] - info[j].lower;
    const double most = fmin(size_of(q, j) / sqrt(q->p), fmax(fmax(up, down), 0));
    q->beside.line[j] = up >= down ? most : -most;
  }
  gradyn_status status = gradyn_neighbours_reach(&q->beside, 1, q->ev->sample, &first);
  /* ten neighbouring runs, the last one at a quarter of the first step */
  if (status == GRADYN_OK && first > 0)
    status = gradyn_measure_noise(&q->d, q->nf, gradyn_neighbour, &q->beside, first / 40,
                                  q->d.noise);
  memset(q->beside.line, 0, (size_t)q->p * sizeof *q->beside.line);
  q->noise = q->d.noise;
  return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

/* Warns that the gradient of functional f is uncertain by `error`, the largest of `count` such gradients. */
static void warn_noise(quotients *q, int f, double error, int count)
{
  char subject[GRADYN_WARNING_SUBJECT];
  (void)snprintf(subject, sizeof subject, "%s by %s", q->ev->model->functional[f].name,
                 q->ev->parameters.info[q->by[f]].name);
  gradyn_warnings_add(&q->ev->found,
                      GRADYN_WARNING(DIFFERENCE_NOISE, .subject = subject, .value = error,
                                     .limit = reported, .count = count));
}

/* Reports the functional with the most uncertain gradient, if the uncertainty is considerable. */
static void tell_errors(quotients *q)
{
  int worst = -1, count = 0;
  double most = reported;
  for (int f = 0; f < q->nf; f++) {
    const double scale = fmax(q->largest[f], negligible * fabs(q->psi[f]));
    if (fabs(q->psi[f]) < nothing && q->error[f] * q->first < doubt * nothing)
      continue;
    count += q->error[f] > reported * scale;
    if (q->error[f] > most * scale) {
      most = q->error[f] / scale;
      worst = f;
    }
  }
  if (q->others >= 0)
    gradyn_warnings_add(
        &q->ev->found,
        GRADYN_WARNING(OTHER_EVENTS, .subject = q->ev->parameters.info[q->others].name));
  if (worst >= 0)
    warn_noise(q, worst, most, count);
}

/* --- the whole -------------------------------------------------------------------------------- */

static gradyn_status prepare(quotients *q, const double *rho)
{
  gradyn_evaluator *ev = q->ev;
  const size_t p = (size_t)q->p, nf = (size_t)q->nf;
  q->beside = (gradyn_neighbours){
      .run = ev, .centre = rho, .psi = q->psi, .moved = ev->repetition.moved};
  q->beside.line = gradyn_arena_numbers(&q->arena, p);
  q->error = gradyn_arena_numbers(&q->arena, nf);
  q->largest = gradyn_arena_numbers(&q->arena, nf);
  q->by = gradyn_arena_take(&q->arena, nf, sizeof *q->by);
  if (gradyn_arena_status(&q->arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu differences", p);
  if (gradyn_differences_create(q->nf, &q->d) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu differences", nf);
  /* three extrapolated differences have an error of the fifth power of the step */
  const double noise = ev->method->rtol > 0 ? ev->options.rtol : 0;
  q->first = pow(fmax(DBL_EPSILON, noise), 0.2);
  /* convergence criterion: half of the digits, which is more than a single difference with its best step
   * has */
  q->d.share = sqrt(DBL_EPSILON);
  return GRADYN_OK;
}

/* Runs at rho, for the values psi and the sequence of events. */
static gradyn_status run_middle(quotients *q, const double *rho, double *psi)
{
  const gradyn_status status = gradyn_evaluator_simulate(q->ev, rho, psi, NULL);
  gradyn_count_run(q->ev);
  q->beside.events = gradyn_events_of(q->ev);
  return status;
}

static gradyn_status differ(quotients *q, const double *rho, double *psi, double *gradient)
{
  const bool given = q->ev->options.perturbation > 0;
  GRADYN_TRY(prepare(q, rho));
  GRADYN_TRY(run_middle(q, rho, psi));
  if (!given)
    GRADYN_TRY(find_noise(q));
  for (int j = 0; j < q->p; j++)
    GRADYN_TRY(given ? differ_forward(q, j, gradient) : differ_extrapolated(q, j, gradient));
  /* failures of neighbouring runs that were skipped are not errors */
  gradyn_message_clear(&q->ev->message);
  tell_errors(q);
  return GRADYN_OK;
}

gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *ev, const double *rho, double *psi,
                                             double *gradient)
{
  const double clock = gradyn_seconds();
  quotients q = {.ev = ev,
                 .nf = ev->model->functional_count,
                 .p = (int)ev->parameters.count,
                 .psi = psi,
                 .others = -1};
  ev->kept = (gradyn_run_report){0};
  const gradyn_status status = differ(&q, rho, psi, gradient);
  gradyn_differences_clear(&q.d);
  gradyn_arena_clear(&q.arena);
  ev->kept.cost.time_gradient = gradyn_seconds() - clock;
  ev->repetition.use_cost = true;
  return status;
}
