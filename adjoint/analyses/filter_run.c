/* Runs of a filter between measurements. A run begins at a corrected state in the present mode, as a segment
 * of a motion does. A correction dw of independent coordinates and rates changes the state by (dq, dv) =
 * L dw, where dv has the tangential part dv_t. With the nearest position and velocity N on the constraints,
 *
 *   q+ = N(q + dq),   v+ = N(v + (dv + dv_t)/2),   P+ = T P T^T,   T = E d(q+, v+)/d(dw)
 *
 * and the independent entries E in the chart at z+. To second order, q+ is on the geodesic, and v+ is the
 * velocity v + dv_t after parallel transport along it. Without the mean of both parts, a pendulum would have
 * the rate omega (1 + dphi^2/2), and P an error of first order. */
#include "adjoint/analyses/filter_run.h"

#include <math.h>
#include <string.h>

#include "adjoint/evaluator/refined.h"
#include "adjoint/evaluator/verify_callbacks.h"
#include "adjoint/evaluator/warn_run.h"
#include "adjoint/gradient/gradient.h"
#include "core/equations/equations.h"
#include "core/model/declare.h"
#include "core/model/same_time.h"
#include "core/problems/prior.h"

void gradyn_filter_run_clear(gradyn_filter_run *s)
{
  gradyn_riccati_clear(&s->riccati);
  gradyn_nominal_clear(&s->nominal);
  gradyn_initial_clear(&s->nearest);
  gradyn_trajectory_release(&s->run);
  gradyn_arena_clear(&s->arena);
  gradyn_evaluator_free(s->ev);
  s->ev = NULL;
}

/* --- the problem -------------------------------------------------------------------------------- */

/* Keeps only the first residual of each fit, which has the measure of the fit, and evaluates it at the end
 * of runs. All other functionals are removed. */
static void remove_functionals(gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    const gradyn_fitted *fit = f->reduced.fit;
    f->instant = f->which = 0;
    f->from_start = f->maximum = false;
    if (fit && fit->part == GRADYN_FIT_RESIDUAL && k == gradyn_filter_first(model, fit))
      continue;
    f->integrand = f->terminal = NULL;
    f->outer = (gradyn_outer){0};
    f->data_only = true;
  }
}

/* Calls the user's build(), with a free start. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_filter_run *s = (const gradyn_filter_run *)model->problem;
  model->span.free_start = true;
  const gradyn_status status = gradyn_problem_build(s->of, model, rho);
  if (!model->finalised)
    remove_functionals(model);
  return status;
}

/* Refuses models whose discrete state is more than a mode. */
static gradyn_status check_model(gradyn_model *model)
{
  const gradyn_model_captures *c = &model->log.captures;
  if (c->count > 0)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "%s has a value latched at an event, which filters do not support",
                       model->mech->constraint_name(model->mech, c->item[0].row));
  for (int k = 0; k < model->event_count; k++)
    if (model->event[k].ends > 0)
      return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                         "%s ends the run: runs of filters end at a time", model->event[k].name);
  return GRADYN_OK;
}

/* Creates s->ev, an evaluator of a problem whose build() calls the user's build(), and s->model, with the
 * data at rho. Also fails if the method cannot begin a run at a later time. */
static gradyn_status create_evaluator(gradyn_evaluator *ev, const double *rho, gradyn_filter_run *s)
{
  s->problem = *ev->problem;
  s->of = ev->problem;
  s->problem.build = build;
  GRADYN_TRY(gradyn_evaluator_extend(ev, &s->problem, NULL, &ev->message, &s->ev));
  GRADYN_TRY(gradyn_evaluator_load(s->ev, rho));
  s->model = s->ev->model;
  GRADYN_TRY(check_model(s->model));
  GRADYN_TRY(gradyn_choose(s->ev)); /* if the method is auto, choose it */
  if (s->ev->method->integration.onestep)
    return GRADYN_OK;
  return gradyn_fail(
      &s->model->message, GRADYN_UNSUPPORTED,
      "the method %s does not support runs from later times, which filters need: use "
      "explicit or radau",
      s->ev->method->name);
}

/* --- the state ---------------------------------------------------------------------------------- */

/* Loads z as the start of the next run. */
static gradyn_status load_state(gradyn_filter_run *s, const double *z)
{
  for (int i = 0; i < s->nominal.nz; i++)
    s->x[s->datum[i]] = z[i];
  gradyn_model_derive(s->model, s->x);
  return gradyn_model_load(s->model, s->x);
}

/* Sets z to the initial state that build() declares, with fixed values and equilibria. */
static gradyn_status take_start(gradyn_evaluator *ev, gradyn_filter_run *s)
{
  gradyn_rates *rates = NULL;
  gradyn_status status = ev->model->mech ? gradyn_rates_from_mech(ev->model, &rates)
                                         : gradyn_rates_from_equations(ev->model, &rates);
  if (status == GRADYN_OK)
    status = rates->ops->start(rates, s->z);
  if (rates)
    rates->ops->free(rates);
  if (status != GRADYN_OK)
    s->model->message = ev->model->message;
  return status;
}

static gradyn_status take_memory(gradyn_filter_run *s)
{
  const size_t nz = (size_t)s->nominal.nz + 1, nx = (size_t)s->model->nx + 1;
  s->z = gradyn_arena_numbers(&s->arena, nz);
  s->P = gradyn_arena_numbers(&s->arena, nz * nz);
  s->x = gradyn_arena_numbers(&s->arena, nx);
  s->half = gradyn_arena_numbers(&s->arena, nz * nz);
  s->dx = gradyn_arena_numbers(&s->arena, nx);
  s->dz = gradyn_arena_numbers(&s->arena, nz);
  s->before = gradyn_arena_numbers(&s->arena, nz);
  s->change = gradyn_arena_numbers(&s->arena, nz);
  s->datum = gradyn_arena_take(&s->arena, nz, sizeof *s->datum);
  s->run = gradyn_trajectory_create();
  return gradyn_arena_status(&s->arena) == GRADYN_OK && s->run
             ? GRADYN_OK
             : gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a filter");
}

/* Finds the data of the initial state. */
static void find_data(gradyn_filter_run *s)
{
  const gradyn_mech *mech = s->model->mech;
  const int *position = s->nominal.rates->position;
  for (int i = 0; i < s->nominal.nz; i++)
    s->datum[i] = !mech         ? s->model->equations->unknown[position[i]].datum
                  : i < mech->n ? mech->q0[i]
                                : mech->v0[i - mech->n];
  memcpy(s->x, s->model->x, (size_t)s->model->nx * sizeof *s->x);
}

static gradyn_status create(gradyn_evaluator *ev, const double *rho, const char *const *requested,
                            size_t count, gradyn_filter_run *s)
{
  GRADYN_TRY(create_evaluator(ev, rho, s));
  GRADYN_TRY(gradyn_nominal_open(s->model, requested, count, &s->nominal));
  GRADYN_TRY(take_memory(s));
  find_data(s);
  GRADYN_TRY(take_start(ev, s));
  GRADYN_TRY(load_state(s, s->z));
  if (s->model->mech)
    GRADYN_TRY(gradyn_initial_create(s->model->mech, GRADYN_ASSEMBLY, &s->nearest));
  GRADYN_TRY(gradyn_nominal_begin(&s->nominal, 0, s->z));
  return s->model->mech ? gradyn_charting_check(&s->nominal.charting) : GRADYN_OK;
}

gradyn_status gradyn_filter_run_create(gradyn_evaluator *ev, const double *rho,
                                       const char *const *requested, size_t count,
                                       gradyn_filter_run *s)
{
  *s = (gradyn_filter_run){0};
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  return gradyn_evaluator_report(s->ev ? s->ev : ev, create(ev, rho, requested, count, s));
}

int gradyn_filter_run_chart(const gradyn_filter_run *s)
{
  return s->nominal.node[s->nominal.count - 1].chart;
}

int gradyn_filter_run_size(const gradyn_filter_run *s)
{
  return gradyn_nominal_size(&s->nominal, gradyn_filter_run_chart(s));
}

/* --- runs --------------------------------------------------------------------------------------- */

/* Simulates one run from z to t by the evaluator's method. The integrator has the arcs of this run only. */
static gradyn_status simulate(gradyn_filter_run *s, double t)
{
  const gradyn_method *method = s->ev->method;
  const double end = s->model->x[s->model->t_end];
  void *integrator = NULL;
  s->model->span.to = fmin(t / end, 1);
  gradyn_status status = method->create(s->model, &s->ev->options, &integrator);
  if (status == GRADYN_OK)
    status = method->simulate(integrator, NULL, s->run);
  if (status == GRADYN_OK) {
    const gradyn_run_report *report = method->report(integrator);
    gradyn_evaluator_warn_run(s->ev, &report->found, report->cost.steps);
  }
  if (integrator)
    method->free(integrator);
  return status;
}

/* Makes the workspace for P large enough for all charts so far. */
static gradyn_status fit_riccati(gradyn_filter_run *s)
{
  static const double none[1];
  if (s->riccati.nominal && s->riccati.largest >= s->nominal.size)
    return GRADYN_OK;
  gradyn_riccati_clear(&s->riccati);
  return gradyn_riccati_create(&s->nominal, s->noise.rank, s->noise.dxG, 0, none, NULL,
                               &s->riccati);
}

/* Computes P = T P T^T with the rows of L that are independent in the present chart. */
static void transport(gradyn_filter_run *s, int before)
{
  const int nz = s->nominal.nz, behind = gradyn_filter_run_size(s),
            chart = gradyn_filter_run_chart(s);
  for (int i = 0; i < behind; i++)
    for (int j = 0; j < before; j++) {
      const int l = gradyn_nominal_index(&s->nominal, chart, i);
      s->half[i * before + j] = 0;
      for (int k = 0; k < before; k++)
        s->half[i * before + j] += s->nominal.L[k * nz + l] * s->P[k * before + j];
    }
  for (int i = 0; i < behind; i++)
    for (int j = 0; j < behind; j++) {
      const int l = gradyn_nominal_index(&s->nominal, chart, j);
      s->P[i * behind + j] = 0;
      for (int k = 0; k < before; k++)
        s->P[i * behind + j] += s->half[i * before + k] * s->nominal.L[k * nz + l];
    }
}

gradyn_status gradyn_filter_run_pass(gradyn_filter_run *s)
{
  gradyn_nominal *c = &s->nominal;
  for (int i = 0; i < s->noise.count; i++)
    GRADYN_TRY(gradyn_input_check(c, &s->noise.input[i]));
  GRADYN_TRY(fit_riccati(s));
  for (int k = 0; k + 1 < c->count; k++)
    GRADYN_TRY(gradyn_riccati_forward(&s->riccati, k, s->P));
  memcpy(s->z, c->z + (size_t)(c->count - 1) * (size_t)c->nz, (size_t)c->nz * sizeof *s->z);
  gradyn_nominal_enter(c, c->count - 1);
  return GRADYN_OK;
}

gradyn_status gradyn_filter_run_until(gradyn_filter_run *s, double t)
{
  if (!gradyn_model_later(s->model, t, s->t))
    return GRADYN_OK;
  GRADYN_TRY(simulate(s, t));
  GRADYN_TRY(gradyn_nominal_follow(&s->nominal, s->run, 0));
  s->t = t;
  return gradyn_filter_run_pass(s);
}

gradyn_status gradyn_filter_run_begin(gradyn_filter_run *s, int mode)
{
  s->model->span.from = s->t / s->model->x[s->model->t_end];
  s->model->span.mode = mode;
  GRADYN_TRY(load_state(s, s->z));
  const int before = gradyn_filter_run_chart(s);
  GRADYN_TRY(gradyn_nominal_begin(&s->nominal, gradyn_model_start(s->model), s->z));
  if (gradyn_filter_run_chart(s) == before)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_nominal_lift(&s->nominal, before, s->t, s->z));
  transport(s, gradyn_nominal_size(&s->nominal, before));
  return GRADYN_OK;
}

/* --- corrections -------------------------------------------------------------------------------- */

/* Finds the state nearest to z at the present time, in s->nearest. */
static gradyn_status solve_nearest(gradyn_filter_run *s)
{
  GRADYN_TRY(load_state(s, s->z));
  s->nearest.t = s->t;
  return gradyn_initial_solve(&s->nearest);
}

/* Replaces column j of L by the derivative of the last solution along this column. With `rates_only`, uses
 * only the rates of the column, and replaces only its rates: by the mean of the old and the new ones. */
static gradyn_status project_column(gradyn_filter_run *s, int j, bool rates_only)
{
  const int n = s->nominal.nz / 2;
  double *column = s->nominal.L + (size_t)j * (size_t)s->nominal.nz, *d = s->change;
  memset(s->dx, 0, (size_t)s->model->nx * sizeof *s->dx);
  for (int i = rates_only ? n : 0; i < 2 * n; i++)
    s->dx[s->datum[i]] = column[i];
  GRADYN_TRY(gradyn_initial_tangent(&s->nearest, s->dx, 0, d, d + n, NULL, NULL));
  for (int i = 0; i < 2 * n; i++)
    column[i] = !rates_only ? d[i] : i < n ? column[i] : (column[i] + d[i]) / 2;
  return GRADYN_OK;
}

/* Moves the state of a mechanism by dz [nz] on the constraints, and replaces the columns of L by
 * derivatives of the new state. */
static gradyn_status project(gradyn_filter_run *s, const double *dz, int size)
{
  const int n = s->nominal.nz / 2;
  for (int i = n; i < 2 * n; i++)
    s->z[i] += dz[i];
  GRADYN_TRY(solve_nearest(s)); /* v + dv_t */
  for (int j = 0; j < size; j++)
    GRADYN_TRY(project_column(s, j, true));
  for (int i = 0; i < n; i++) {
    s->z[i] += dz[i];
    s->z[n + i] = (s->z[n + i] + s->nearest.v[i]) / 2;
  }
  GRADYN_TRY(solve_nearest(s));
  for (int j = 0; j < size; j++)
    GRADYN_TRY(project_column(s, j, false));
  memcpy(s->z, s->nearest.q, (size_t)n * sizeof *s->z);
  memcpy(s->z + n, s->nearest.v, (size_t)n * sizeof *s->z);
  return load_state(s, s->z);
}

/* Moves the state by dz [nz], and replaces the columns of L by derivatives of the new state. */
static gradyn_status move(gradyn_filter_run *s, const double *dz, int size)
{
  if (s->model->mech)
    return project(s, dz, size);
  for (int i = 0; i < s->nominal.nz; i++)
    s->z[i] += dz[i];
  return load_state(s, s->z);
}

gradyn_status gradyn_filter_run_move(gradyn_filter_run *s, const double *dw)
{
  gradyn_nominal *c = &s->nominal;
  const int nz = c->nz, size = gradyn_filter_run_size(s);
  const gradyn_nominal_node last = c->node[c->count - 1];
  GRADYN_TRY(gradyn_nominal_lift(c, last.chart, s->t, s->z));
  memset(s->dz, 0, (size_t)nz * sizeof *s->dz);
  for (int j = 0; j < size; j++)
    for (int i = 0; i < nz; i++)
      s->dz[i] += c->L[j * nz + i] * dw[j];
  memcpy(s->before, s->z, (size_t)nz * sizeof *s->before);
  s->model->span.from = s->t / s->model->x[s->model->t_end];
  s->model->span.mode = last.discrete.mode;
  GRADYN_TRY(move(s, s->dz, size));
  GRADYN_TRY(gradyn_nominal_begin(c, gradyn_model_start(s->model), s->z));
  transport(s, size);
  return gradyn_filter_run_cross(s, s->before);
}

gradyn_status gradyn_filter_run_disturb(gradyn_filter_run *s, int rank, const double *directions)
{
  gradyn_nominal *c = &s->nominal;
  const size_t nz = (size_t)c->nz;
  const gradyn_discrete_state here = {.mode = s->model->discrete.mode,
                                      .within = s->model->discrete.within};
  GRADYN_TRY(gradyn_filter_run_begin(s, here.mode));
  if (s->model->mech)
    GRADYN_TRY(solve_nearest(s));
  const int n = gradyn_filter_run_size(s), chart = gradyn_filter_run_chart(s);
  for (int r = 0; r < rank; r++) {
    const double *d = directions + (size_t)r * nz;
    if (s->model->mech) {
      d = memcpy(c->L + (size_t)r * nz, d, nz * sizeof *d);
      GRADYN_TRY(project_column(s, r, false));
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        s->P[i * n + j] += d[gradyn_nominal_index(c, chart, i)] *
                           d[gradyn_nominal_index(c, chart, j)];
  }
  /* at a jump of a signal, data are measured just before the jump */
  gradyn_discrete_state_enter(s->model, here);
  return GRADYN_OK;
}
