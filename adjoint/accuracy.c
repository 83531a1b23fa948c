/* Gradients to the tolerance asked for. A method whose steps follow from an error gives the derivative
 * of the discrete run, which errs by its own amount: more than the values where a motion is sensitive
 * to its start, and for functionals that are small or cancel. So the same steps are taken once more,
 * three of them joined: the difference is what those err by, and the error of the gradient a known part
 * of it. If that is too much, steps are divided as far as it takes.
 *
 * Adjoint sweeps tell how errors of steps reach the functionals. Where they tell little more than at the
 * initial parameters, where the error has been found in this way, the error follows in proportion and
 * the comparison is left out. */
#include "adjoint/evaluator.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

enum {
  JOINED = 3, /* steps of the run that is compared with */
  MANY = 12,  /* steps of an arc, enough to be joined */
  MOST_DIVISIONS = 2
};

/* What estimates are multiplied by before they count: long steps err by a smaller power of their length
 * than the order says. */
static const double safety = 4;

/* The same for the error of longer steps in comparison with shorter ones: the difference itself. */
static const double nearly = 2;

/* Part of the tolerance that an error may be, judged in proportion, without being looked at. */
static const double unseen = 0.25;

typedef struct accuracy {
  gradyn_evaluator *ev;
  gradyn_gradient_fn *once;
  size_t nf, columns;
  bool data; /* by all data, otherwise by parameters */
  double rtol;
  double *psi, *gradient;    /* [nf], [nf][columns] of the caller: the best ones */
  double *other_psi, *other; /* the same of a repetition */
  double *errors, *first;    /* [nf] of the gradient, and of the first one */
  double *growth;            /* [nf] of the first one */
  double *corner;            /* [nf] s; NAN: none */
} accuracy;

/* Room for the functionals and gradients of repetitions; kept for the next gradient, which needs
 * as much. */
static gradyn_status reserve(accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  size_t need = a->nf * (a->columns + 5); /* psi, four more per functional, and a gradient */
  if (need > ev->errors.room) {
    double *grown = realloc(ev->errors.repeated, need * sizeof *grown);
    if (!grown) {
      gradyn_message_add(&ev->message, "out of memory for a gradient");
      return GRADYN_NO_MEMORY;
    }
    ev->errors.repeated = grown;
    ev->errors.room = need;
  }
  /* one block: five numbers for each functional, then the gradient of a repetition */
  a->other_psi = ev->errors.repeated;
  a->errors = a->other_psi + a->nf;
  a->first = a->errors + a->nf;
  a->growth = a->first + a->nf;
  a->corner = a->growth + a->nf;
  a->other = a->corner + a->nf;
  return GRADYN_OK;
}

/* Size of the j-th number that gradients are taken by. */
static double size_of(const accuracy *a, size_t j)
{
  const gradyn_evaluator *ev = a->ev;
  return a->data ? fabs(ev->model->x[ev->public_data[j]]) : fabs(creal(ev->rho[j]));
}

/* What errors of the components of a functional are measured by: its largest component, but never less than
 * the relative change of its value by the largest number: components that cancel are no more exact. */
static double measure_of(const accuracy *a, size_t f)
{
  const double *g = a->gradient + f * a->columns;
  /* max |g_j| and max |rho_j| */
  double most = 0, largest = 0;
  for (size_t j = 0; j < a->columns; j++) {
    most = fmax(most, fabs(g[j]));
    largest = fmax(largest, size_of(a, j));
  }
  return largest > 0 ? fmax(most, fabs(a->psi[f]) / largest) : most;
}

/* The largest of the errors that both gradients differ by, times `factor`, over their measures. Those of each
 * functional go to errors [nf]; where it has met a corner, errors fall like the steps at best, and the
 * difference itself is the estimate, of which shorter steps would not make enough less. */
static double difference(const accuracy *a, double factor)
{
  double worst = 0;
  for (size_t f = 0; f < a->nf; f++) {
    const double *g = a->gradient + f * a->columns, *other = a->other + f * a->columns;
    const double scale = measure_of(a, f);
    const bool corner = !isnan(a->corner[f]);
    /* relative to what the functional's derivatives are measured by */
    a->errors[f] = 0;
    for (size_t j = 0; j < a->columns && !a->ev->model->functional[f].skipped && scale > 0; j++)
      a->errors[f] = fmax(a->errors[f], fabs(g[j] - other[j]) / scale);
    /* at a corner the order is lost: no extrapolation, a margin instead */
    a->errors[f] *= corner ? safety : factor;
    worst = corner ? worst : fmax(worst, a->errors[f]);
  }
  return worst;
}

/* Repeats the gradient with the steps of the last run, joined and divided. */
static gradyn_status repeat(accuracy *a, int merge, int parts)
{
  gradyn_evaluator *ev = a->ev;
  GRADYN_TRY(ev->method->repeat(ev->run, merge, parts));
  return a->once(ev, a->other_psi, a->other);
}

/* Parts of which `fine` make a step now, so many that an error over the tolerance comes down to 1. */
static int parts_for(int fine, double error, int order)
{
  /* error of (parts/fine) times as many steps: error (fine/parts)^order = 1/2; at least one part more,
   * at most twice */
  double wanted = fine * pow(2 * error, 1.0 / order);
  return wanted > fine + 1 ? wanted < 2 * fine ? (int)ceil(wanted) : 2 * fine : fine + 1;
}

/* The gradient with steps of the last one divided becomes the best one. The values stay those of the first
 * run, which a simulation gives as well. */
static void take_over(accuracy *a)
{
  a->ev->cost = a->ev->method->statistics(a->ev->run);
  memcpy(a->gradient, a->other, a->nf * a->columns * sizeof *a->gradient);
}

/* The errors found are those of the first run. */
static void keep_errors(accuracy *a)
{
  memcpy(a->first, a->errors, a->nf * sizeof *a->first);
}

/* Error of divided steps over the difference to those before, by how differences have shrunk from `before`
 * (0: not known yet), since steps so few that they cannot be joined may be too long for their order: half
 * of it is believed unseen. */
static double seen_left(double before, double apart, double gain)
{
  if (before == 0)
    return safety / (sqrt(gain) - 1);
  const double rate = apart / before;
  return rate < 0.5 ? fmin(1, safety * rate / (1 - rate)) : 1; /* rate + rate^2 + ... */
}

/* Compares with longer steps, if arcs have enough to be joined, no event ending them, and with shorter ones
 * where that is too coarse to tell; the shorter ones are kept if the ones before were too long. What fails
 * on the way leaves things as they are, unless it is not to be recovered from. */
static gradyn_status improve(accuracy *a, int order, double *error)
{
  const gradyn_statistics *cost = &a->ev->cost;
  gradyn_status status = GRADYN_OK;
  const bool joined = cost->steps >= MANY * cost->arcs && a->ev->model->event_count == 0;
  double before = 0; /* difference of the division before */
  int fine = 1;      /* parts of the steps in hand of which those of the best run were made */
  if (joined) {
    /* with e the error of the best run and J joined steps, the difference is (J^order - 1) e */
    fine = JOINED;
    status = repeat(a, JOINED, 1);
    if (status == GRADYN_OK)
      *error = difference(a, safety / (pow(JOINED, order) - 1));
    keep_errors(a);
  }
  for (int k = 0; k < MOST_DIVISIONS && !(*error <= a->rtol); k++) {
    int parts = parts_for(fine, *error / a->rtol, order);
    /* an error over that of the divided steps */
    double gain = pow((double)parts / fine, order);
    /* the comparison before it may have failed: shorter steps may do */
    if (status != GRADYN_OK && gradyn_status_classify(status) != GRADYN_CLASS_RECOVERABLE)
      return status;
    status = repeat(a, 1, parts);
    if (status != GRADYN_OK)
      break;
    *error = difference(a, nearly * gain / (gain - 1));
    if (k == 0)
      keep_errors(a);
    if (*error <= a->rtol)
      break;
    /* what the divided steps err by themselves: the difference over gain - 1 */
    const double apart = difference(a, 1);
    const double left = fmax(safety / (gain - 1), joined ? 0 : seen_left(before, apart, gain));
    *error = difference(a, left);
    take_over(a);
    before = apart;
    fine = 1;
  }
  return status;
}

/* --- in proportion ---------------------------------------------------------------------------- */

/* Whether the errors of the initial parameters tell something about this gradient: one by
 * parameters, swept back. */
static bool calibrated(const accuracy *a)
{
  return a->ev->errors.known && !a->data && a->ev->route == GRADYN_BY_ADJOINT;
}

/* The largest error in proportion to those at the initial parameters; HUGE_VAL: not known. */
static double foreseen(const accuracy *a)
{
  const double *growth = a->ev->method->growth(a->ev->run);
  double worst = 0;
  for (size_t f = 0; f < a->nf; f++) {
    const gradyn_known_error *known = &a->ev->errors.known[f];
    const double scale = measure_of(a, f);
    if (!isnan(a->ev->method->corners(a->ev->run)[f]))
      return HUGE_VAL;
    if (a->ev->model->functional[f].skipped || growth[f] == 0)
      continue;
    if (known->growth == 0 || scale == 0)
      return HUGE_VAL;
    /* error = known error * growth/known growth: steps err alike, the way to psi amplifies them
     * otherwise */
    worst = fmax(worst, known->error * growth[f] / known->growth / scale);
  }
  return worst;
}

/* Tells what corners leave of the exactness asked for, each with its functional. */
static void tell_corners(const accuracy *a)
{
  for (size_t f = 0; f < a->nf; f++)
    if (!isnan(a->corner[f]) && a->errors[f] > a->rtol)
      gradyn_message_add(
          &a->ev->corners,
          "the gradient of functional %s is exact to about %.0e only: its integrand has a "
          "corner near t = %.4g s, where its slope jumps",
          a->ev->model->functional[f].name, a->errors[f], a->corner[f]);
}

/* Keeps what has been found. */
static gradyn_status remember(const accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  /* so that later gradients of a search need no comparison */
  ev->errors.known = calloc(a->nf, sizeof *ev->errors.known);
  if (!ev->errors.known)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  for (size_t f = 0; f < a->nf; f++)
    ev->errors.known[f] = (gradyn_known_error){a->first[f] * measure_of(a, f), a->growth[f]};
  return GRADYN_OK;
}

/* Whether rho are the initial parameters, and the gradient is asked for by all functionals. */
static bool is_initial(const gradyn_evaluator *ev, const double *rho)
{
  bool same = true;
  /* to the last bit */
  for (size_t j = 0; j < ev->parameters.count && same; j++)
    same = rho[j] == ev->parameters.info[j].init;
  for (int f = 0; f < ev->model->functional_count && same; f++)
    same = !ev->model->functional[f].skipped;
  return same;
}

/* A gradient at the initial parameters, by all functionals, for the sake of its error. */
static gradyn_status go_there(gradyn_evaluator *ev)
{
  size_t p = ev->parameters.count, nf = (size_t)ev->model->functional_count;
  double *rho = calloc(p * (nf + 1) + 1, sizeof *rho);
  bool *skipped = calloc(nf + 1, sizeof *skipped);
  gradyn_status status = GRADYN_NO_MEMORY;
  /* also of functionals that a search leaves out: it may want them later */
  if (rho && skipped) {
    for (size_t f = 0; f < nf; f++) {
      skipped[f] = ev->model->functional[f].skipped;
      ev->model->functional[f].skipped = false;
    }
    /* at the initial parameters, in whose neighbourhood a search goes on */
    for (size_t j = 0; j < p; j++)
      rho[j] = ev->parameters.info[j].init;
    status = gradyn_gradient(ev, rho, NULL, rho + p);
    for (size_t f = 0; f < nf; f++)
      ev->model->functional[f].skipped = skipped[f];
  } else {
    gradyn_message_add(&ev->message, "out of memory for a gradient");
  }
  free(rho);
  free(skipped);
  return status;
}

/* Errors at the initial parameters, once for a search: later gradients need no repetition. */
gradyn_status gradyn_know_error(gradyn_evaluator *ev, const double *rho)
{
  /* once only, where adjoints are swept back over steps that follow from an error */
  const bool here = is_initial(ev, rho);
  ev->errors.calibrating = false;
  if (ev->errors.asked || ev->route != GRADYN_BY_ADJOINT || ev->options.step > 0)
    return GRADYN_OK; /* fixed steps, or routes without an estimate */
  gradyn_status status = here && !ev->choice.made ? GRADYN_OK : gradyn_choose(ev);
  if (status != GRADYN_OK)
    ev->message = ev->model->message;
  if (status != GRADYN_OK || !ev->method->growth)
    return status;
  ev->errors.asked = true;
  ev->errors.calibrating = true;
  if (here)
    return GRADYN_OK; /* the gradient asked for is the one */
  status = go_there(ev);
  ev->errors.calibrating = false;
  return gradyn_status_classify(status) == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

/* --- to the tolerance --------------------------------------------------------------------------- */

/* Improves what the first run has given. */
static gradyn_status look_closer(accuracy *a, int order, double *error)
{
  gradyn_evaluator *ev = a->ev;
  gradyn_status status = reserve(a);
  if (status != GRADYN_OK)
    return status;
  /* growth and corners are those of the first run: repetitions overwrite them */
  memset(a->errors, 0, a->nf * sizeof *a->errors);
  memcpy(a->growth, ev->method->growth(ev->run), a->nf * sizeof *a->growth);
  memcpy(a->corner, ev->method->corners(ev->run), a->nf * sizeof *a->corner);
  status = improve(a, order, error);
  if (ev->errors.calibrating && isfinite(*error) && !ev->errors.known && !a->data)
    status = remember(a);
  tell_corners(a);
  if (status == GRADYN_OK || gradyn_status_classify(status) == GRADYN_CLASS_RECOVERABLE) {
    gradyn_message_clear(&ev->message);
    gradyn_message_clear(&ev->model->message);
    status = GRADYN_OK;
  }
  /* the next run chooses its steps again */
  (void)ev->method->repeat(ev->run, 0, 1);
  return status;
}

/* A gradient, and where it is not known to be exact enough a second one with other steps: their
 * difference is its error. */
gradyn_status gradyn_to_tolerance(gradyn_evaluator *ev, gradyn_gradient_fn *once, double *psi,
                                  bool data, double *gradient)
{
  const gradyn_method *method = ev->method;
  const double clock = gradyn_seconds();
  gradyn_status status = once(ev, psi, gradient);
  int order = status == GRADYN_OK && method->order ? method->order(ev->run) : 0;
  if (order == 0)
    return status;
  accuracy a = {.ev = ev,
                .once = once,
                .nf = (size_t)ev->model->functional_count,
                .columns = data ? (size_t)ev->public_count : ev->parameters.count,
                .data = data,
                /* tolerance of sensitivities */
                .rtol = ev->options.rtol_sens > 0 ? ev->options.rtol_sens : ev->options.rtol,
                .psi = psi,
                .gradient = gradient};
  /* without a comparison where the errors at the initial parameters tell enough */
  double error = calibrated(&a) ? foreseen(&a) : HUGE_VAL;
  ev->cost = method->statistics(ev->run);
  /* a second gradient, with steps divided, tells the error of the first */
  if (!(error <= unseen * a.rtol))
    status = look_closer(&a, order, &error);
  ev->cost.time_gradient = gradyn_seconds() - clock;
  ev->cost.gradient_error = isfinite(error) ? error : 0;
  ev->use_cost = true;
  return status;
}
