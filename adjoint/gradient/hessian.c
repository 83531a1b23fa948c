/* Products with Hessians: differences of gradients along a direction.
 *
 * A gradient is exact for its discrete run. The run is smooth in the parameters while its steps are constant
 * shares of their arcs. So steps are kept, and H d = (g(rho + h d) - g(rho - h d)) / 2h + O(h^2) has no noise
 * but round-off; new adaptive steps would add their tolerance divided by h. The first gradient chooses the
 * steps. A block of second derivatives for optimisers uses (g(rho + h d) - g(rho)) / h + O(h), which is
 * symmetric only to this accuracy. Its steps are those of the run at rho, so entries that do not change are
 * exactly zero. In a block, maxima over time in windows have their second derivatives (fixed_maxima.h). */
#include "adjoint/gradient/gradient.h"

#include <math.h>
#include <string.h>

#include "adjoint/evaluator/verify_callbacks.h"
#include "adjoint/gradient/accuracy.h"
#include "adjoint/gradient/fixed_maxima.h"
#include "core/problems/fit.h"

/* Largest change of a parameter relative to its size. Truncation error and round-off are 1e-9 of the product
 * each, if gradients are exact to 1e-13. */
static const double reach = 3e-5;

/* The same for one-sided differences: both errors are about 3e-7 for the swing-up of a pole. */
static const double reach_once = 1e-7;

typedef struct product {
  gradyn_evaluator *ev;
  const double *weight, *rho;
  size_t nf, p;
  bool *requested;                /* [nf] functionals with a nonzero weight */
  bool stepping;                  /* steps are chosen and kept */
  double *moved, *psi, *gradient; /* [p], [nf], [nf][p] */
  const double *here; /* [p] gradient of the weighted sum at rho; NULL: two differences */
} product;

/* Refuses models and methods without second derivatives by kept steps. Maxima of fixed steps, and without a
 * window, have none. */
static gradyn_status suits(gradyn_evaluator *ev, bool windows)
{
  const gradyn_model *model = ev->model;
  const gradyn_method *method = ev->method;
  if (model->event_count > 0)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "Hessian: steps end at event %s; it needs steps that can be repeated",
                       model->event[0].name);
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].maximum &&
        !(windows && model->functional[f].along.to > 0 && method->integration.fixed == NULL))
      return gradyn_fail(
          &ev->message, GRADYN_UNSUPPORTED,
          "Hessian: steps end at the maximum over time %s; it needs steps that can be repeated",
          model->functional[f].name);
  if (ev->route == GRADYN_BY_DIFFERENCES || ev->route == GRADYN_BY_CONTINUOUS_ADJOINT)
    return gradyn_fail(
        &ev->message, GRADYN_UNSUPPORTED,
        "Hessian: needs the gradient of the discrete run. Use sensitivity auto, adjoint or direct");
  if (method->tighten && !method->repeat)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "Hessian: method %s cannot repeat its steps. Use explicit, radau or a "
                       "method with fixed steps",
                       method->name);
  return GRADYN_OK;
}

/* Whether the last run had adaptive steps, which have to be kept. */
static bool keeps(const gradyn_evaluator *ev)
{
  return ev->method->repeat != NULL && ev->method->order != NULL && ev->method->order(ev->run) > 0;
}

/* Only functionals with a weight are differentiated from now on. */
static void skip_others(const product *x)
{
  gradyn_functionals_request(x->ev->model, x->requested);
}

/* Makes all later runs near rho take the steps of the last run. They must have the same number of arcs. */
static gradyn_status keep_steps(product *x)
{
  gradyn_evaluator *ev = x->ev;
  GRADYN_TRY(suits(ev, false)); /* the run may have switched to another method */
  GRADYN_TRY(gradyn_evaluator_load(ev, x->rho));
  skip_others(x);
  x->stepping = true;
  return keeps(ev) ? gradyn_evaluator_report_model(ev, ev->method->repeat(ev->run, 1, 1))
                   : GRADYN_OK;
}

/* Returns the step h along a direction; 0 for a zero direction. */
static double distance(const product *x, const double *d)
{
  const gradyn_accuracy sizes = {.ev = x->ev};
  double most = 0;
  for (size_t j = 0; j < x->p; j++) {
    const double size = gradyn_accuracy_size(&sizes, j);
    most = fmax(most, fabs(d[j]) / (size > 0 ? size : 1));
  }
  return most > 0 ? (x->here != NULL ? reach_once : reach) / most : 0;
}

/* Adds factor times the gradient of the weighted sum at rho + h d to out [p]. */
static gradyn_status add_gradient(product *x, const double *d, double h, double factor, double *out)
{
  gradyn_evaluator *ev = x->ev;
  for (size_t j = 0; j < x->p; j++)
    x->moved[j] = x->rho[j] + h * d[j];
  if (x->stepping)
    GRADYN_TRY(gradyn_gradient_of_run(ev, x->moved, x->psi, x->gradient));
  else
    GRADYN_TRY(gradyn_evaluator_gradient_selected(ev, x->requested, x->moved, x->psi, x->gradient));
  if (!x->stepping)
    GRADYN_TRY(keep_steps(x));
  for (size_t f = 0; f < x->nf; f++)
    for (size_t j = 0; x->weight[f] != 0 && j < x->p; j++)
      out[j] += factor * x->weight[f] * x->gradient[f * x->p + j];
  return GRADYN_OK;
}

/* Computes one product with the kept steps. */
static gradyn_status multiply(product *x, const double *d, double *out)
{
  const double h = distance(x, d);
  memset(out, 0, x->p * sizeof *out);
  if (h == 0)
    return GRADYN_OK;
  if (x->here != NULL) {
    GRADYN_TRY(add_gradient(x, d, h, 1, out));
    for (size_t j = 0; j < x->p; j++)
      out[j] = (out[j] - x->here[j]) / h; /* exactly zero where it does not change */
  } else {
    GRADYN_TRY(add_gradient(x, d, h, 0.5 / h, out));
    GRADYN_TRY(add_gradient(x, d, -h, -0.5 / h, out));
  }
  for (size_t j = 0; j < x->p; j++)
    if (!isfinite(out[j]))
      return gradyn_fail(&x->ev->message, GRADYN_NON_FINITE, "a result is not finite");
  return GRADYN_OK;
}

/* The products to compute. */
typedef struct task {
  gradyn_status (*work)(product *x, struct task *task);
  size_t count;
  const double *direction; /* [count][p] */
  double *out;             /* [count][p] */
  size_t *acting;          /* [count] parameters of a block */
} task;

static gradyn_status multiply_all(product *x, task *t)
{
  for (size_t k = 0; k < t->count; k++)
    GRADYN_TRY(multiply(x, t->direction + k * x->p, t->out + k * x->p));
  return GRADYN_OK;
}

/* Sets a direction without symmetry, in which every parameter changes. */
static void choose_direction(const product *x, double *d)
{
  for (size_t j = 0; j < x->p; j++) {
    const double scale = gradyn_parameter_at(x->ev, j).scale;
    d[j] = (scale > 0 ? scale : 1) * (1 + 0.5 * sin(1 + 1.7 * (double)j));
  }
}

/* Second derivatives of the values at maxima, from which the effect of moving times is computed. A share is
 * the time of a maximum as a fraction of the run. slope [count][p]: by the share and by each parameter. bend
 * [count]: twice by the share; 0: the time does not move. */
typedef struct movement {
  const gradyn_fixed_maxima *maxima;
  double *slope, *bend;
} movement;

/* Adds the values and gradients at shares that are moved by `steps` to the differences. */
static gradyn_status add_moved(product *x, const movement *m, double steps)
{
  gradyn_fixed_maxima_move(m->maxima, steps);
  GRADYN_TRY(gradyn_gradient_of_run(x->ev, x->rho, x->psi, x->gradient));
  for (size_t i = 0; i < m->maxima->count; i++) {
    const gradyn_fixed_maximum *maximum = &m->maxima->item[i];
    const double apart = maximum->reach;
    if (apart == 0)
      continue;
    m->bend[i] += (steps != 0 ? 1 : -2) * x->psi[maximum->functional] / (apart * apart);
    for (size_t j = 0; j < x->p; j++)
      m->slope[i * x->p + j] += steps / (2 * apart) * x->gradient[maximum->functional * x->p + j];
  }
  return GRADYN_OK;
}

/* Finds the movement of the maxima. Without a strict maximum, the time is taken as constant. */
static gradyn_status find_movement(product *x, const movement *m)
{
  bool any = false;
  for (size_t i = 0; i < m->maxima->count; i++)
    any = any || m->maxima->item[i].reach > 0;
  for (int steps = -1; steps <= 1 && any; steps++)
    GRADYN_TRY(add_moved(x, m, steps));
  gradyn_fixed_maxima_move(m->maxima, 0);
  for (size_t i = 0; i < m->maxima->count; i++)
    m->bend[i] = fmin(m->bend[i], 0);
  return GRADYN_OK;
}

/* Adds the part of the movement to column c of the block. */
static void add_movement(const product *x, const movement *m, size_t c, double *out)
{
  for (size_t i = 0; i < m->maxima->count; i++) {
    const double *slope = m->slope + i * x->p, weight = x->weight[m->maxima->item[i].functional];
    for (size_t j = 0; j < x->p && m->bend[i] < 0; j++)
      out[j] -= weight * slope[c] * slope[j] / m->bend[i];
  }
}

/* Whether a parameter has second derivatives: of the run with constant times, or of a maximum. A maximum is
 * taken to depend on all parameters that change its value, so that entries do not depend on its time. */
static bool acts(const product *x, const gradyn_fixed_maxima *maxima, const double *column,
                 size_t j)
{
  bool any = column[j] != 0;
  for (size_t i = 0; i < maxima->count; i++) {
    const size_t f = maxima->item[i].functional;
    any = any || (x->weight[f] != 0 && x->gradient[f * x->p + j] != 0);
  }
  return any;
}

/* Finds the block with constant times of maxima, and adds their movement. */
static gradyn_status find_columns(product *x, task *t, const gradyn_fixed_maxima *maxima)
{
  LOCAL(gradyn_arena) arena = {0};
  double *here = gradyn_arena_numbers(&arena, x->p), *d = gradyn_arena_numbers(&arena, x->p);
  const movement m = {maxima, gradyn_arena_numbers(&arena, maxima->count * x->p),
                      gradyn_arena_numbers(&arena, maxima->count)};
  GRADYN_TRY(gradyn_arena_status(&arena));
  skip_others(x);
  GRADYN_TRY(find_movement(x, &m)); /* nodes move: their runs choose their steps */
  GRADYN_TRY(gradyn_evaluator_simulate(x->ev, x->rho, NULL, NULL));
  GRADYN_TRY(keep_steps(x));
  GRADYN_TRY(add_gradient(x, x->rho, 0, 1, here));
  x->here = here;
  choose_direction(x, d);
  GRADYN_TRY(multiply(x, d, t->out));
  for (size_t j = 0; j < x->p; j++)
    if (acts(x, maxima, t->out, j))
      t->acting[t->count++] = j;
  for (size_t c = 0; c < t->count; c++) {
    memset(d, 0, x->p * sizeof *d);
    d[t->acting[c]] = 1;
    GRADYN_TRY(multiply(x, d, t->out + c * x->p));
    add_movement(x, &m, t->acting[c], t->out + c * x->p);
  }
  return GRADYN_OK;
}

/* Finds the parameters that act, and their columns, consecutively in out [p][p]. */
static gradyn_status find_block(product *x, task *t)
{
  gradyn_fixed_maxima maxima;
  gradyn_status status = gradyn_fixed_maxima_create(x->ev, &maxima);
  if (status == GRADYN_OK)
    status = find_columns(x, t, &maxima);
  gradyn_fixed_maxima_clear(&maxima);
  return gradyn_evaluator_report_model(x->ev, status);
}

/* Performs a task at rho. */
static gradyn_status work(product *x, task *t)
{
  gradyn_evaluator *ev = x->ev;
  GRADYN_TRY(gradyn_evaluator_load(ev, x->rho));
  gradyn_evaluator_take_route(ev, x->p);
  GRADYN_TRY(suits(ev, t->acting != NULL));
  GRADYN_TRY(t->work(x, t));
  return gradyn_verify_callbacks_functions(ev, ev->active);
}

/* Allocates, performs a task, and restores the evaluator. */
static gradyn_status do_task(gradyn_evaluator *ev, const double weight[], const double rho[],
                             task *t)
{
  LOCAL(gradyn_arena) arena = {0};
  product x = {.ev = ev,
               .weight = weight,
               .rho = rho,
               .nf = gradyn_functional_count(ev),
               .p = gradyn_parameter_count(ev)};
  gradyn_message_clear(&ev->message);
  if (rho == NULL && x.p > 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "rho is NULL");
  x.requested = gradyn_arena_take(&arena, x.nf, sizeof *x.requested);
  x.moved = gradyn_arena_numbers(&arena, x.p);
  x.psi = gradyn_arena_numbers(&arena, x.nf);
  x.gradient = gradyn_arena_numbers(&arena, x.nf * x.p);
  if (gradyn_arena_status(&arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for products with a Hessian");
  for (size_t f = 0; f < x.nf; f++)
    x.requested[f] = weight[f] != 0;
  const gradyn_status status = work(&x, t);
  /* the next run chooses its own steps, with all functionals; the data remain those at rho, and the message
   * that of the first failure */
  if (ev->method->repeat != NULL)
    (void)ev->method->repeat(ev->run, 0, 0);
  gradyn_functionals_request(ev->model, NULL);
  const gradyn_message kept = ev->message;
  const gradyn_status back = gradyn_evaluator_load(ev, rho);
  if (status != GRADYN_OK)
    ev->message = kept;
  return status != GRADYN_OK ? status : back;
}

gradyn_status gradyn_evaluator_hessian_product(gradyn_evaluator *ev, const double weight[],
                                               const double rho[], size_t count,
                                               const double direction[], double out[])
{
  if (ev == NULL || ev->sample == NULL)
    return GRADYN_INVALID;
  if (weight == NULL || direction == NULL || out == NULL)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL",
                       weight == NULL      ? "the array of weights"
                       : direction == NULL ? "the array of directions"
                                           : "the array of the products");
  GRADYN_TRY(gradyn_evaluator_single(ev));
  task t = {.work = multiply_all, .count = count, .direction = direction, .out = out};
  return do_task(ev, weight, rho, &t);
}

gradyn_status gradyn_hessian_block(gradyn_evaluator *ev, const double weight[], const double rho[],
                                   size_t acting[], size_t *count, double columns[])
{
  task t = {.work = find_block, .out = columns, .acting = acting};
  const gradyn_status status = do_task(ev, weight, rho, &t);
  *count = t.count;
  return status;
}
