/* Gradients to the tolerance asked for. A method whose steps follow from an error gives the derivative
 * of the discrete run, which errs by its own amount: more than the values where a motion is sensitive
 * to its start, and for functionals that are small or cancel. So the same steps are taken once more,
 * three of them joined: the difference is what those err by, and the error of the gradient a known part
 * of it. If that is too much, steps are divided as far as it takes.
 *
 * A method with an adjoint of the continuous equations has no such steps: it is run with a tenth of its
 * tolerances, and what both gradients are apart by is the error of the first. If that of the second is
 * still too much, tolerances go on to be tightened, by what a tenth has left of the error.
 *
 * A search, which compares values, has the gradients of its runs as they are. */
#include "adjoint/gradient/accuracy.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

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

/* Room for the functionals and gradients of repetitions; kept for the next gradient, which needs
 * as much. */
static gradyn_status reserve(gradyn_accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  size_t need = a->nf * (a->columns + 3); /* psi, two more per functional, and a gradient */
  if (need > ev->repetition.room) {
    double *grown = realloc(ev->repetition.numbers, need * sizeof *grown);
    if (!grown) {
      gradyn_message_add(&ev->message, "out of memory for a gradient");
      return GRADYN_NO_MEMORY;
    }
    ev->repetition.numbers = grown;
    ev->repetition.room = need;
  }
  /* one block: three numbers for each functional, then the gradient of a repetition */
  a->other_psi = ev->repetition.numbers;
  a->errors = a->other_psi + a->nf;
  a->corner = a->errors + a->nf;
  a->other = a->corner + a->nf;
  return GRADYN_OK;
}

double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j)
{
  const gradyn_evaluator *ev = a->ev;
  if (a->data)
    return fabs(ev->model->x[ev->public_data[j]]);
  const gradyn_parameter_info *info = &ev->parameters.info[j];
  const double range = info->upper - info->lower, typical = info->scale > 0   ? info->scale
                                                            : isfinite(range) ? range / 8
                                                                              : fabs(info->init);
  return fmax(fabs(creal(ev->rho[j])), typical);
}

/* What errors of the components of a functional are measured by: its largest component, but never less than
 * the relative change of its value by the largest number: components that cancel are no more exact. */
static double measure_of(const gradyn_accuracy *a, size_t f)
{
  const double *g = a->gradient + f * a->columns;
  /* max |g_j| and max |rho_j| */
  double most = 0, largest = 0;
  for (size_t j = 0; j < a->columns; j++) {
    most = fmax(most, fabs(g[j]));
    largest = fmax(largest, gradyn_accuracy_size(a, j));
  }
  return largest > 0 ? fmax(most, fabs(a->psi[f]) / largest) : most;
}

/* The largest of the errors that both gradients differ by, times `factor`, over their measures. Those of each
 * functional go to errors [nf]; where it has met a corner, errors fall like the steps at best, and the
 * difference itself is the estimate, of which shorter steps would not make enough less. */
double gradyn_accuracy_difference(const gradyn_accuracy *a, double factor)
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
static gradyn_status repeat(gradyn_accuracy *a, int merge, int parts)
{
  gradyn_evaluator *ev = a->ev;
  if (!ev->method->repeat) /* of methods whose steps follow from an error: all of them have it */
    return GRADYN_UNSUPPORTED;
  GRADYN_TRY(ev->method->repeat(ev->run, merge, parts));
  GRADYN_TRY(a->once(ev, a->other_psi, a->other));
  gradyn_accuracy_keep_spread(a);
  return GRADYN_OK;
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
void gradyn_accuracy_take_over(gradyn_accuracy *a)
{
  const gradyn_statistics first = a->ev->cost;
  a->ev->cost = a->ev->method->statistics(a->ev->run);
  /* jumps are looked for along the first run alone */
  a->ev->cost.jumps = first.jumps;
  memcpy(a->ev->cost.jump_time, first.jump_time, sizeof first.jump_time);
  memcpy(a->gradient, a->other, a->nf * a->columns * sizeof *a->gradient);
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
static gradyn_status improve(gradyn_accuracy *a, int order, double *error)
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
      *error = gradyn_accuracy_difference(a, safety / (pow(JOINED, order) - 1));
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
    *error = gradyn_accuracy_difference(a, nearly * gain / (gain - 1));
    if (*error <= a->rtol)
      break;
    /* what the divided steps err by themselves: the difference over gain - 1 */
    const double apart = gradyn_accuracy_difference(a, 1);
    const double left = fmax(safety / (gain - 1), joined ? 0 : seen_left(before, apart, gain));
    *error = gradyn_accuracy_difference(a, left);
    gradyn_accuracy_take_over(a);
    before = apart;
    fine = 1;
  }
  return status;
}

/* s, about where the last gradient met a corner of the integrand of functional f; NAN: nowhere. */
static double corner_of(const gradyn_accuracy *a, size_t f)
{
  const gradyn_method *method = a->ev->method;
  return method->corners ? method->corners(a->ev->run)[f] : NAN;
}

/* Tells what corners leave of the exactness asked for, each with its functional. */
static void tell_corners(const gradyn_accuracy *a)
{
  for (size_t f = 0; f < a->nf; f++)
    if (!isnan(a->corner[f]) && a->errors[f] > a->rtol)
      gradyn_message_add(
          &a->ev->corners,
          "the gradient of functional %s is exact to about %.0e only: its integrand has a "
          "corner near t = %.4g s, where its slope jumps",
          a->ev->model->functional[f].name, a->errors[f], a->corner[f]);
}

/* --- to the tolerance --------------------------------------------------------------------------- */

/* Improves what the first run has given. */
static gradyn_status look_closer(gradyn_accuracy *a, int order, double *error)
{
  gradyn_evaluator *ev = a->ev;
  gradyn_status status = reserve(a);
  if (status != GRADYN_OK)
    return status;
  /* a method that has come to the end is not given up for steps of repetitions */
  if (ev->method->limit)
    ev->method->limit(ev->run, 0);
  memset(a->errors, 0, a->nf * sizeof *a->errors);
  for (size_t f = 0; f < a->nf; f++) /* of the first run: repetitions overwrite them */
    a->corner[f] = corner_of(a, f);
  status = ev->method->tighten ? gradyn_accuracy_tighten(a, error) : improve(a, order, error);
  const bool fatal = status != GRADYN_OK &&
                     gradyn_status_classify(status) != GRADYN_CLASS_RECOVERABLE;
  if (status != GRADYN_OK && !fatal && ev->method->tighten && !(*error <= a->rtol))
    gradyn_message_add(
        &ev->corners,
        "the gradient could not be made as exact as asked for: with tighter tolerances the run "
        "fails: %.300s",
        *ev->message.text ? ev->message.text : ev->model->message.text);
  tell_corners(a);
  if (status == GRADYN_OK || gradyn_status_classify(status) == GRADYN_CLASS_RECOVERABLE) {
    gradyn_message_clear(&ev->message);
    gradyn_message_clear(&ev->model->message);
    status = GRADYN_OK;
  }
  /* the next run chooses its steps again */
  if (ev->method->repeat)
    (void)ev->method->repeat(ev->run, 0, 1);
  return status;
}

/* A gradient and, unless it is to be as it is, a second one with other steps: their difference is its
 * error. */
static gradyn_status to_tolerance(gradyn_accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_method *method = ev->method;
  const double clock = gradyn_seconds();
  double error = HUGE_VAL;
  if (method->tighten)
    method->tighten(ev->run, 1);
  gradyn_status status = a->once(ev, a->psi, a->gradient);
  const int order = status == GRADYN_OK && method->order ? method->order(ev->run) : 0;
  if (status != GRADYN_OK || (order == 0 && !method->tighten))
    return status;
  ev->cost = method->statistics(ev->run);
  /* steps may be unstable for derivatives alone, which is no matter of a tolerance */
  if (ev->care == GRADYN_AS_IT_IS && !gradyn_is_undetermined(&ev->cost))
    return status;
  GRADYN_TRY(gradyn_accuracy_keep_log(a));
  status = look_closer(a, order, &error);
  gradyn_accuracy_restore_log(a);
  if (status == GRADYN_OK)
    status = gradyn_accuracy_conclude(a, error);
  ev->cost.time_gradient = gradyn_seconds() - clock;
  ev->cost.gradient_error = isfinite(error) ? error : 0;
  ev->use_cost = true;
  return status;
}

gradyn_status gradyn_to_tolerance(gradyn_evaluator *ev, gradyn_gradient_fn *once, double *psi,
                                  bool data, double *gradient)
{
  gradyn_accuracy a = {.ev = ev,
                       .once = once,
                       .nf = (size_t)ev->model->functional_count,
                       .columns = data ? (size_t)ev->public_count : ev->parameters.count,
                       .data = data,
                       /* tolerance of sensitivities */
                       .spread = -1,
                       .rtol = ev->options.rtol_sens > 0 ? ev->options.rtol_sens : ev->options.rtol,
                       .psi = psi,
                       .gradient = gradient};
  const gradyn_status status = to_tolerance(&a);
  /* simulations are done with what was asked for */
  if (ev->method->tighten)
    ev->method->tighten(ev->run, 1);
  return status;
}

gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *rho, double *psi,
                                  double *gradient)
{
  ev->care = GRADYN_AT_AN_END;
  const gradyn_status status = gradyn_gradient(ev, rho, psi, gradient);
  ev->care = GRADYN_TO_TOLERANCE;
  return status;
}
