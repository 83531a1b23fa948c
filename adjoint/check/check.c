/* gradyn_evaluator_check(): compares every derivative with an independent computation, from the model's
 * interface to gradients of whole runs.
 *
 * The parts run from local to global: residual and constraints of the model (check/mech.c,
 * check/equations.c), functionals, the initial state and build() (check/start.c), and gradients
 * (check/gradients.c). Each comparison becomes an item of the list, with its worst entry. An error in an
 * early part explains errors in later ones. */
#include "adjoint/check/check.h"
#include "adjoint/evaluator/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/sizes.h"
#include "core/base/clock.h"
#include "core/model/declare.h"

/* --- the points at which derivatives are compared --------------------------------------------- */

/* Allocates states, data and their sizes. */
static gradyn_status take_memory(gradyn_checking *c)
{
  const size_t ny = (size_t)c->ny, nx = (size_t)c->nx;
  const size_t columns = ny + gradyn_model_outputs(c->model); /* columns of the trajectory */
  const struct {
    double **array;
    size_t size;
  } need[] = {{&c->y, columns},  {&c->y_end, columns}, {&c->calm[0], ny}, {&c->calm[1], ny},
              {&c->size, ny},    {&c->largest, ny},    {&c->x, nx},       {&c->x_size, nx},
              {&c->x_moved, nx}, {&c->x_bar, nx}};
  for (size_t k = 0; k < GRADYN_COUNT(need); k++)
    *need[k].array = gradyn_arena_numbers(&c->arena, need[k].size);
  return gradyn_arena_status(&c->arena);
}

/* Disturbs a state of the run: derivatives must also be right off the constraints. Positions and general
 * states change little; velocities and multipliers change enough that no term vanishes by accident. */
static void disturb(gradyn_checking *c, double *y)
{
  int n = c->model->mech ? c->model->mech->n : c->ny;
  for (int i = 0; i < c->ny; i++)
    y[i] += (i < n ? 0.01 : 0.3) * c->size[i] * gradyn_check_random(c);
}

/* Simulates, and takes the two states and the typical sizes from the trajectory. */
static gradyn_status look(gradyn_checking *c, gradyn_trajectory *run)
{
  GRADYN_TRY(gradyn_evaluator_simulate(c->evaluator, c->rho, NULL, run));
  memcpy(c->x, c->model->x, (size_t)c->nx * sizeof(double));
  if (c->model->mech && c->model->mech->ops->activate) /* all data, not only those that vary */
    c->model->mech->ops->activate(c->model->mech, NULL);
  gradyn_sizes sizes = {
      .model = c->model, .x = c->x, .largest = c->largest, .size = c->size, .x_size = c->x_size};
  gradyn_sizes_follow(&sizes, run, c->y);
  gradyn_sizes_fill(&sizes);
  /* a fraction of the end time at which a signal is unlikely to have a kink */
  c->t = 0.41370 * c->x[c->model->t_end];
  gradyn_trajectory_sample(run, c->t, c->y);
  gradyn_trajectory_step(run, gradyn_trajectory_read(run).steps - 1, c->y_end);
  /* undisturbed copies, for functionals that exist only near the trajectory */
  memcpy(c->calm[0], c->y, (size_t)c->ny * sizeof(double));
  memcpy(c->calm[1], c->y_end, (size_t)c->ny * sizeof(double));
  disturb(c, c->y);
  disturb(c, c->y_end);
  return GRADYN_OK;
}

/* Simulates once for the states at which derivatives are compared, and for the sizes of states. */
static gradyn_status prepare(gradyn_checking *c)
{
  GRADYN_TRY(take_memory(c));
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  return run ? look(c, run) : GRADYN_NO_MEMORY;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Orders items for qsort(): ascending errors relative to the tolerance; failures and kinks last. */
static int better(const void *a, const void *b)
{
  const gradyn_check_item *p = a, *q = b;
  if (p->passed != q->passed)
    return p->passed ? -1 : 1;
  double left = p->error / p->tolerance, right = q->error / q->tolerance;
  return left < right ? -1 : left > right;
}

/* Copies the worst `capacity` items in ascending order of their errors. Error: GRADYN_CHECK_FAILED. */
static gradyn_status hand_over(gradyn_checking *c, gradyn_check_item *items, size_t capacity,
                               size_t *count)
{
  size_t all = (size_t)c->count, kept = all < capacity ? all : capacity, failed = 0;
  if (all > 0)
    qsort(c->item, all, sizeof *c->item, better);
  for (size_t i = 0; i < all; i++)
    failed += !c->item[i].passed;
  if (kept > 0)
    memcpy(items, c->item + (all - kept), kept * sizeof *items);
  *count = kept;
  gradyn_message_clear(&c->evaluator->message); /* remove messages about runs that were repeated */
  if (failed == 0)
    return GRADYN_OK;
  return gradyn_fail(&c->evaluator->message, GRADYN_CHECK_FAILED,
                     "%zu of %zu derivatives disagree, worst: %s", failed, all,
                     c->item[all - 1].name);
}

/* Runs all parts; each should end when its share of the allowed time is used. */
static gradyn_status run_parts(gradyn_checking *c)
{
  /* cheap, local parts first: they locate an error even if time is short */
  const struct {
    gradyn_status (*run)(gradyn_checking *c);
    const char *name;
    double share;
  } part[] = {{gradyn_check_functions, "users' functions", 0.05},
              {c->model->mech ? gradyn_check_mech : gradyn_check_equations, "model", 0.25},
              {gradyn_check_functionals, "functionals", 0.5},
              {gradyn_check_start, "initial state", 0.65},
              {gradyn_check_build, "build()", 0.7},
              {gradyn_check_gradients, "gradients", 1}};
  GRADYN_TRY(prepare(c));
  for (size_t i = 0; i < GRADYN_COUNT(part); i++) {
    c->part = part[i].name; /* for the progress callback */
    c->share = part[i].share;
    GRADYN_TRY(gradyn_check_load(c, NULL, c->t));
    GRADYN_TRY(part[i].run(c));
  }
  return GRADYN_OK;
}

/* Copies the worst items of one load case into the list over all load cases, and adds the name of the case.
 */
static void merge(const char *name, gradyn_check_item own[], size_t own_count,
                  gradyn_check_item all[], size_t capacity, size_t *count)
{
  for (size_t i = own_count; i-- > 0;) {
    char text[sizeof own[i].name];
    (void)snprintf(text, sizeof text, "%.40s: %s", name, own[i].name);
    memcpy(own[i].name, text, sizeof text);
    if (*count < capacity)
      all[(*count)++] = own[i];
    else if (capacity > 0 && better(&all[0], &own[i]) < 0)
      all[0] = own[i];
    qsort(all, *count, sizeof *all, better);
  }
}

/* Checks all load cases, with equal shares of the time. */
static gradyn_status check_cases(gradyn_evaluator *ev, const double rho[],
                                 const gradyn_check_limits *limits, gradyn_check_item items[],
                                 size_t capacity, size_t *count)
{
  const size_t cases = gradyn_case_count(ev);
  gradyn_check_limits share = limits ? *limits : (gradyn_check_limits){0};
  FREED gradyn_check_item *own = calloc(capacity + 1, sizeof *own);
  gradyn_status all = GRADYN_OK;
  share.max_seconds /= (double)cases;
  *count = 0;
  if (!own)
    return gradyn_evaluator_report(ev, GRADYN_NO_MEMORY);
  gradyn_message_clear(&ev->message);
  for (size_t k = 0; k < cases; k++) {
    size_t found = 0;
    const gradyn_status status = gradyn_evaluator_check(gradyn_case_at(ev, k).evaluator,
                                                        gradyn_case_point(ev, k, rho), &share, own,
                                                        capacity, &found);
    if (status != GRADYN_OK && all == GRADYN_OK)
      all = gradyn_case_fail(ev, k, status);
    if (status != GRADYN_OK && status != GRADYN_CHECK_FAILED)
      return gradyn_case_fail(ev, k, status);
    merge(gradyn_case_at(ev, k).name, own, found, items, capacity, count);
  }
  return all;
}

gradyn_status gradyn_evaluator_check(gradyn_evaluator *ev, const double rho[],
                                     const gradyn_check_limits *limits, gradyn_check_item items[],
                                     size_t capacity, size_t *count)
{
  if (!ev || !ev->sample || (!rho && ev->parameters.count > 0) || !count ||
      (capacity > 0 && !items))
    return GRADYN_INVALID;
  if (ev->load.all)
    return check_cases(ev, rho, limits, items, capacity, count);
  gradyn_model *model = ev->model;
  gradyn_checking c = {.evaluator = ev, .model = model, .rho = rho, .seed = 20220711};
  c.nx = model->nx;
  c.ny = model->ops->state_count(model);
  /* differences are accurate to little more than half of the digits */
  c.tolerance = ev->problem->check_tolerance > 0 ? ev->problem->check_tolerance : 1e-8;
  c.limits = limits ? *limits : (gradyn_check_limits){0};
  c.started = gradyn_seconds();
  *count = 0;
  gradyn_message_clear(&ev->message);
  gradyn_message_clear(&model->message);
  /* functions that are not complex-differentiable become items of the list; they must not end the first
   * part that calls them */
  const bool trusted = model->declared.trusted;
  model->declared.trusted = true;
  gradyn_status status = run_parts(&c);
  if (status == GRADYN_OK)
    status = hand_over(&c, items, capacity, count);
  (void)gradyn_evaluator_report(ev, status);
  model->declared.trusted = trusted;
  /* forget the arguments of calls off the trajectory: they are not typical of runs */
  for (int k = 0; k < model->declared.callbacks; k++)
    if (model->declared.callback[k].looked == 0)
      gradyn_callback_forget(&model->declared.callback[k]);
  /* the next call of the evaluator expects the data at rho */
  if (c.x && c.count > 0)
    gradyn_model_load(model, c.x);
  gradyn_arena_clear(&c.arena);
  free(c.item);
  return status;
}
