/* Products with Hessians, and blocks of second derivatives for optimisers. second.h differentiates the
 * gradient along directions. In a block, parameters without second derivatives have entries that are
 * exactly zero. Maxima over time in windows have second derivatives (fixed_maxima.h). */
#include "adjoint/gradient/second.h"

#include <math.h>
#include <string.h>

#include "adjoint/evaluator/verify_callbacks.h"
#include "adjoint/gradient/accuracy.h"
#include "adjoint/gradient/fixed_maxima.h"
#include "core/equations/equations.h"
#include "core/problems/fit.h"

typedef gradyn_second product;

/* Refuses models and methods whose second derivatives cannot be computed with kept steps. Maxima over time
 * are accepted only with `windows`, and never for fixed steps. */
static gradyn_status suits(gradyn_evaluator *ev, bool windows)
{
  const gradyn_model *model = ev->model;
  const gradyn_method *method = ev->method;
  if (model->event_count > 0)
    return gradyn_fail(
        &ev->message, GRADYN_UNSUPPORTED,
        "Hessian: event %s ends a step; second derivatives need steps whose ends are fixed",
        model->event[0].name);
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].maximum &&
        !(windows && model->functional[f].along.to > 0 && method->integration.fixed == NULL))
      return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                         "Hessian: a step ends at the maximum over time %s; second derivatives "
                         "need steps whose ends "
                         "are fixed",
                         model->functional[f].name);
  if (model->equations && model->equations->steady)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "Hessian: %s starts in a steady state, which has first derivatives only",
                       model->problem->name);
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

/* Makes all later runs near rho take the steps of the last run, which they do if they have the same number
 * of arcs. */
static gradyn_status keep_steps(product *x)
{
  /* check again, because the run may have switched to another method */
  GRADYN_TRY(suits(x->ev, false));
  return gradyn_second_keep_steps(x);
}

/* The products to compute. */
typedef struct task {
  gradyn_status (*work)(product *x, struct task *task);
  size_t count;
  const double *direction; /* [count][p] */
  double *out;             /* [count][p] */
  size_t *acting;          /* [count] indices of the parameters with second derivatives */
} task;

/* Computes the products of a task, one row of t->out for each direction. */
static gradyn_status multiply_all(product *x, task *t)
{
  if (t->count == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_evaluator_gradient_selected(x->ev, x->requested, x->rho, x->psi, x->gradient));
  GRADYN_TRY(keep_steps(x));
  x->ev->repetition.second = (gradyn_second_plan){0};
  GRADYN_TRY(gradyn_second_begin(x, t->count, t->direction));
  for (size_t k = 0; k < t->count; k++)
    GRADYN_TRY(gradyn_second_multiply(x, k, t->out + k * x->p));
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

/* Second derivatives of values at maxima, from which the effect of moving times is computed. A share is the
 * time of a maximum as a fraction of the run. slope [count][p]: second derivatives by the share and by each
 * parameter. bend [count]: second derivatives by the share; 0: the time does not move. */
typedef struct movement {
  const gradyn_fixed_maxima *maxima;
  double *slope, *bend;
} movement;

/* Moves the shares of the maxima by `steps` times their distance `reach`. Adds the values and gradients
 * there to the differences. */
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

/* Computes the second derivatives by the shares of all maxima. If a maximum is not strict, its time is
 * taken as constant. */
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

/* Adds the effect of moving times to column c of the block. */
static void add_movement(const product *x, const movement *m, size_t c, double *out)
{
  for (size_t i = 0; i < m->maxima->count; i++) {
    const double *slope = m->slope + i * x->p, weight = x->weight[m->maxima->item[i].functional];
    for (size_t j = 0; j < x->p && m->bend[i] < 0; j++)
      out[j] -= weight * slope[c] * slope[j] / m->bend[i];
  }
}

/* Marks the parameters that change the value of a maximum. The time of the maximum is assumed to depend on
 * all of them, so that the structure of the matrix does not depend on that time. */
static gradyn_status mark_movers(product *x, const gradyn_fixed_maxima *maxima, bool *moves)
{
  if (maxima->count > 0)
    GRADYN_TRY(gradyn_gradient_of_run(x->ev, x->rho, x->psi, x->gradient));
  for (size_t i = 0; i < maxima->count; i++) {
    const size_t f = maxima->item[i].functional;
    for (size_t j = 0; j < x->p; j++)
      moves[j] = moves[j] || (x->weight[f] != 0 && x->gradient[f * x->p + j] != 0);
  }
  return GRADYN_OK;
}

/* The first product chooses the steps of differences, along a direction without symmetry. Each block
 * estimates their error again: it compares its product with this direction to the product computed
 * directly, relative to the largest entry. If the difference is larger than this number, the steps are
 * chosen again. */
static const double most_apart = 1e-9;

/* Computes the products out [p][p] with all unit vectors, by displaced stages or by gradients. *apart: the
 * difference that is compared with most_apart. */
static gradyn_status multiply_units(product *x, const double *direction, double *out, double *apart)
{
  gradyn_arena *arena = &x->memory->arena;
  const size_t p = x->p;
  const bool chosen = x->ev->repetition.second.known || !gradyn_second_by_stages(x);
  double *alone = gradyn_arena_numbers(arena, p), *sum = gradyn_arena_numbers(arena, p);
  GRADYN_TRY(gradyn_evaluator_report(x->ev, gradyn_arena_status(arena)));
  GRADYN_TRY(gradyn_second_begin(x, p + 1, direction));
  GRADYN_TRY(gradyn_second_multiply(x, p, alone));
  if (!chosen)
    GRADYN_TRY(gradyn_second_simplify(x, p, alone));
  for (size_t c = 0; c < p; c++) {
    GRADYN_TRY(gradyn_second_multiply(x, c, out + c * p));
    for (size_t j = 0; j < p; j++)
      sum[j] += direction[p * p + c] * out[c * p + j];
  }
  *apart = gradyn_second_apart(x, sum, alone);
  return GRADYN_OK;
}

/* Computes all columns. If the differences are not exact, chooses other steps and repeats them. */
static gradyn_status multiply_exactly(product *x, const double *direction, double *out)
{
  gradyn_second_plan *plan = &x->ev->repetition.second;
  const bool known = plan->known;
  double apart;
  GRADYN_TRY(multiply_units(x, direction, out, &apart));
  if (known && apart > most_apart) {
    plan->known = false;
    GRADYN_TRY(multiply_units(x, direction, out, &apart));
  }
  plan->error = fmax(plan->error, apart);
  return GRADYN_OK;
}

/* Computes all columns: by sums over stages if the method has them, otherwise by multiply_exactly(). */
static gradyn_status find_matrix(product *x, double *out)
{
  gradyn_second_plan *plan = &x->ev->repetition.second;
  gradyn_arena *arena = &x->memory->arena;
  const size_t p = x->p;
  double *direction = gradyn_arena_numbers(arena, (p + 1) * p);
  GRADYN_TRY(gradyn_evaluator_report(x->ev, gradyn_arena_status(arena)));
  for (size_t c = 0; c < p; c++)
    direction[c * p + c] = 1;
  choose_direction(x, direction + p * p);
  plan->contracted = false;
  if (!plan->known && x->ev->model->equations) {
    GRADYN_TRY(gradyn_second_begin(x, p, direction));
    GRADYN_TRY(gradyn_second_contract(x, out, &plan->contracted));
  }
  return plan->contracted ? GRADYN_OK : multiply_exactly(x, direction, out);
}

/* Moves the columns of parameters that have second derivatives, at constant times or by moving maxima, to
 * the front of t->out. */
static void choose_acting(const product *x, task *t, const bool *moves)
{
  const size_t p = x->p;
  for (size_t j = 0; j < p; j++) {
    bool any = moves[j];
    for (size_t i = 0; i < p; i++)
      any = any || t->out[i * p + j] != 0 || t->out[j * p + i] != 0;
    if (any)
      t->acting[t->count++] = j;
  }
  for (size_t c = 0; c < t->count; c++)
    memmove(t->out + c * p, t->out + t->acting[c] * p, p * sizeof *t->out);
}

/* Computes the block at constant times of maxima, and adds the effect of moving times. */
static gradyn_status find_columns(product *x, task *t, const gradyn_fixed_maxima *maxima)
{
  gradyn_arena *arena = &x->memory->arena;
  const movement m = {maxima, gradyn_arena_numbers(arena, maxima->count * x->p),
                      gradyn_arena_numbers(arena, maxima->count)};
  bool *moves = gradyn_arena_take(arena, x->p, sizeof *moves);
  GRADYN_TRY(gradyn_arena_status(arena));
  gradyn_functionals_request(x->ev->model, x->requested);
  GRADYN_TRY(find_movement(x, &m)); /* runs for the movement of maxima choose their own steps */
  const gradyn_second_plan *plan = &x->ev->repetition.second;
  /* no product has been computed yet: a run chooses the method */
  if (!plan->known && !plan->contracted) {
    GRADYN_TRY(gradyn_evaluator_simulate(x->ev, x->rho, NULL, NULL));
    GRADYN_TRY(suits(x->ev, false));
  }
  if (!gradyn_second_by_stages(x))
    GRADYN_TRY(keep_steps(x));
  GRADYN_TRY(mark_movers(x, maxima, moves));
  GRADYN_TRY(find_matrix(x, t->out));
  choose_acting(x, t, moves);
  for (size_t c = 0; c < t->count; c++)
    add_movement(x, &m, t->acting[c], t->out + c * x->p);
  return GRADYN_OK;
}

/* Finds the parameters with second derivatives. Their columns follow each other in out [p][p]. */
static gradyn_status find_block(product *x, task *t)
{
  gradyn_fixed_maxima maxima;
  gradyn_status status = gradyn_fixed_maxima_create(x->ev, &x->memory->arena, &maxima);
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
  product x = {.ev = ev, .weight = weight, .rho = rho};
  gradyn_message_clear(&ev->message);
  if (rho == NULL && gradyn_parameter_count(ev) > 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "rho is NULL");
  const gradyn_status created = gradyn_second_create(&x);
  const gradyn_status status = created == GRADYN_OK ? work(&x, t) : created;
  /* The next run chooses its own steps and evaluates all functionals. The data remain those at rho, and the
   * message remains that of the first failure. */
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
