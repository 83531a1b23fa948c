/* Covariance along a run: Y C Y^T, where Y are the derivatives of the states by the sources from a direct
 * sweep, and C = G G^T. Sources are parameters, data or both, and may be correlated. A measure m(t, y, x)
 * adds the row m_y Y + m_x dx. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "adjoint/analyses/semidefinite.h"
#include "adjoint/tangents.h"
#include "core/linear/norm.h"
#include "core/model/measure.h"

typedef struct sources {
  gradyn_evaluator *ev;
  const gradyn_covariance_spec *spec;
  gradyn_directions directions;
  gradyn_tangents tangents;
  double *G; /* [count][count] C = G G^T, zero columns last */
  int count, rank;
  double t;               /* of the present row, s */
  double *psi, *gradient; /* [nf], [nf][count] */
  double *y;              /* [columns] of the run in the present row */
  double *y_bar, *x_bar;  /* [measures][ny], [measures][nx] derivatives of measures there */
  double *dx;             /* [nx] change of the data by one source */
  bool solved;            /* accelerations in y follow from the equations of motion */
  gradyn_arena arena;     /* owns all arrays */
} sources;

/* --- sources ------------------------------------------------------------------------------------ */

/* Returns the public datum with a name; -1: none. */
static int find_datum(const gradyn_model *model, const char *name)
{
  for (int k = 0; k < model->nx; k++)
    if (!model->entry[k].derived && !model->entry[k].hidden &&
        strcmp(model->entry[k].name, name) == 0)
      return k;
  return -1;
}

/* Returns the parameter with a name; -1: none. */
static int find_parameter(const gradyn_evaluator *ev, const char *name)
{
  for (size_t j = 0; j < ev->parameters.count; j++)
    if (strcmp(ev->parameters.info[j].name, name) == 0)
      return (int)j;
  return -1;
}

/* Sets direction k to the derivative of the data by the parameter or datum that source k names. */
static gradyn_status take_source(sources *s, int k)
{
  gradyn_evaluator *ev = s->ev;
  const char *name = s->spec->name[k];
  if (!name)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "name %d of the sources is NULL", k);
  /* a parameter takes precedence: a datum with the same name depends on it */
  int parameter = find_parameter(ev, name), datum = find_datum(ev->model, name);
  for (int i = 0; i < k; i++)
    if (strcmp(s->spec->name[i], name) == 0)
      return gradyn_fail(&ev->message, GRADYN_INVALID, "source '%.60s': named twice. Name it once",
                         name);
  if (parameter < 0 && datum < 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "source '%.60s': no parameter and no datum has this name", name);
  /* dx/drho_j from build() */
  if (parameter >= 0)
    return gradyn_directions_take(ev->model, &ev->by_rho, parameter, k, &s->directions);
  GRADYN_TRY(gradyn_directions_by_datum(ev->model, &datum, 1, ev->x, &ev->by_datum));
  return gradyn_directions_take(ev->model, &ev->by_datum, 0, k, &s->directions);
}

/* Sets all directions, with the standard deviations as their scales. */
static gradyn_status take_sources(sources *s)
{
  gradyn_evaluator *ev = s->ev;
  gradyn_directions *d = &s->directions;
  GRADYN_TRY(gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho));
  GRADYN_TRY(gradyn_directions_reserve(ev->model, s->count, d));
  for (int k = 0; k < s->count; k++) {
    double deviation = sqrt(s->spec->matrix[k * s->count + k]);
    GRADYN_TRY(take_source(s, k));
    if (deviation > 0)
      d->scale[k] = deviation;
  }
  return GRADYN_OK;
}

/* --- the run ------------------------------------------------------------------------------------ */

/* Adds d times row k of G to out [rank]. */
static void combine(const sources *s, int k, double d, double *out)
{
  for (int r = 0; r < s->rank; r++)
    out[r] += d * s->G[k * s->count + r];
}

/* Sets y to the state of a row, and the derivatives of all measures there. Accelerations and multipliers
 * follow from the equations of motion: samples interpolate them, and between the times that idas controls
 * its derivatives of them have errors of 1e-6. */
static gradyn_status differentiate(sources *s, size_t row, const gradyn_covariance *out)
{
  gradyn_model *model = s->ev->model;
  const bool sampled = s->spec->samples > 0;
  const size_t ny = (size_t)model->ops->state_count(model), nx = (size_t)model->nx;
  const gradyn_sample at = {out->t[row], s->y};
  gradyn_initial *equations = &s->tangents.force;
  if (sampled)
    gradyn_trajectory_sample(s->tangents.states, at.t, s->y);
  else
    (void)gradyn_trajectory_step(s->tangents.states, row, s->y);
  gradyn_discrete_state_follow(model, at.t, sampled || (row > 0 && out->t[row - 1] == at.t));
  s->solved = false;
  if (model->mech) {
    const size_t n = (size_t)model->mech->n;
    const gradyn_status status = gradyn_initial_accelerate(equations, at.t, s->y, s->y + n);
    s->solved = status == GRADYN_OK;
    if (s->solved) {
      memcpy(s->y + 2 * n, equations->a, n * sizeof *s->y);
      memcpy(s->y + 3 * n, equations->lam, (ny - 3 * n) * sizeof *s->y);
    } else if (gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE) {
      return status;
    }
  }
  memset(s->y_bar, 0, out->measures * ny * sizeof *s->y_bar);
  memset(s->x_bar, 0, out->measures * nx * sizeof *s->x_bar);
  for (size_t i = 0; i < out->measures; i++)
    GRADYN_TRY(gradyn_measure_column_gradient(model, (int)i, &at, 1,
                                              &(gradyn_gradient_out){.y_bar = s->y_bar + i * ny,
                                                                     .stride = 1,
                                                                     .x_bar = s->x_bar + i * nx}));
  return GRADYN_OK;
}

/* Adds the part of source k to the measures of a row, factor [measures][rank]; tangents.dy is its change of
 * the states. */
static gradyn_status add_measures(sources *s, int k, const gradyn_covariance *out, double *factor)
{
  const gradyn_model *model = s->ev->model;
  const gradyn_directions *d = &s->directions;
  const int ny = model->ops->state_count(model);
  double *dy = s->tangents.dy;
  memset(s->dx, 0, (size_t)model->nx * sizeof *s->dx);
  for (int i = d->start[k]; i < d->start[k + 1]; i++)
    s->dx[d->index[i]] = d->value[i];
  if (s->solved) {
    const int n = model->mech->n;
    const gradyn_mech_state at = gradyn_mech_state_at(n, s->t, s->y);
    const gradyn_mech_vector change = {.x = s->dx, .q = dy, .v = dy + n};
    GRADYN_TRY(gradyn_initial_accelerate_tangent(&s->tangents.force, &at, &change, dy + 2 * n));
  }
  for (size_t i = 0; i < out->measures; i++)
    combine(s, k,
            gradyn_dot(s->y_bar + i * (size_t)ny, dy, ny) +
                gradyn_dot(s->x_bar + i * (size_t)model->nx, s->dx, model->nx),
            factor + i * out->rank);
  return GRADYN_OK;
}

/* Computes a row of the result from the derivatives at a step, or at the time of a sample. */
static gradyn_status fill_row(sources *s, size_t row, size_t samples, gradyn_covariance *out)
{
  const size_t plain = out->states - out->measures;
  const gradyn_trajectory *states = s->tangents.states;
  size_t last = gradyn_trajectory_read(states).steps - 1;
  double first = gradyn_trajectory_step(states, 0, NULL), end, t;
  end = gradyn_trajectory_step(states, last, NULL);
  /* all steps; or equally spaced samples, the last of them exactly at the end of the run */
  t = samples == 0           ? gradyn_trajectory_step(states, row, NULL)
      : row + 1 == out->rows ? end
                             : first + (end - first) * (double)row / (double)(samples - 1);
  out->t[row] = s->t = t;
  if (out->measures > 0)
    GRADYN_TRY(differentiate(s, row, out));
  double *factor = out->factor + row * out->states * out->rank;
  for (int k = 0; k < s->count; k++) {
    const gradyn_trajectory *column = s->tangents.column[k];
    if (samples == 0)
      (void)gradyn_trajectory_step(column, row, s->tangents.dy);
    else
      gradyn_trajectory_sample(column, t, s->tangents.dy);
    for (size_t i = 0; i < plain; i++)
      combine(s, k, s->tangents.dy[i], factor + i * out->rank);
    if (out->measures > 0)
      GRADYN_TRY(add_measures(s, k, out, factor + plain * out->rank));
  }
  return GRADYN_OK;
}

/* Allocates the arrays of the result, which the caller owns. */
static gradyn_status take_result(sources *s, gradyn_covariance *out)
{
  const gradyn_model *model = s->ev->model;
  const size_t ny = (size_t)model->ops->state_count(model), nx = (size_t)model->nx;
  size_t samples = s->spec->samples, nf = (size_t)model->functional_count;
  out->rows = samples > 0 ? samples : gradyn_trajectory_read(s->tangents.states).steps;
  out->rank = (size_t)s->rank;
  out->measures = (size_t)gradyn_measure_columns(model);
  out->states = (model->mech ? 2 * (size_t)model->mech->n : ny) + out->measures;
  out->functionals = nf;
  out->name = calloc(out->states + 1, sizeof *out->name);
  out->unit = calloc(out->states + 1, sizeof *out->unit);
  out->t = calloc(out->rows + 1, sizeof(double));
  out->factor = calloc(out->rows * out->states * out->rank + 1, sizeof(double));
  out->functional = calloc(nf * out->rank + 1, sizeof(double));
  out->deviation = calloc(nf + 1, sizeof(double));
  s->y = gradyn_arena_numbers(&s->arena, gradyn_trajectory_read(s->tangents.states).columns + 1);
  s->y_bar = gradyn_arena_numbers(&s->arena, out->measures * ny + 1);
  s->x_bar = gradyn_arena_numbers(&s->arena, out->measures * nx + 1);
  s->dx = gradyn_arena_numbers(&s->arena, nx + 1);
  if (out->name && out->unit && out->t && out->factor && out->functional && out->deviation &&
      gradyn_arena_status(&s->arena) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_covariance_clear(out);
  return gradyn_fail(&s->ev->message, GRADYN_NO_MEMORY, "out of memory for a covariance");
}

/* Sets names, units, and the factors F of the covariances F F^T. */
static gradyn_status hand_over(sources *s, gradyn_covariance *out)
{
  GRADYN_TRY(take_result(s, out));
  const size_t plain = out->states - out->measures,
               ny = (size_t)s->ev->model->ops->state_count(s->ev->model);
  for (size_t i = 0; i < out->states; i++) {
    const gradyn_column_info column = gradyn_trajectory_column(s->tangents.states,
                                                               i < plain ? i : ny + i - plain);
    (void)snprintf(out->name[i], sizeof *out->name, "%s", column.name);
    (void)snprintf(out->unit[i], sizeof *out->unit, "%s", column.unit);
  }
  /* factors are Y G for each row of the result, and psi_x G for each functional */
  gradyn_discrete_state_rewind(s->ev->model);
  for (size_t row = 0; row < out->rows; row++)
    GRADYN_TRY(gradyn_evaluator_report_model(s->ev, fill_row(s, row, s->spec->samples, out)));
  for (size_t f = 0; f < out->functionals; f++) {
    double *row = out->functional + f * out->rank;
    for (int k = 0; k < s->count; k++)
      combine(s, k, s->gradient[f * (size_t)s->count + (size_t)k], row);
    out->deviation[f] = sqrt(gradyn_dot(row, row, (int)out->rank)); /* sigma^2 = |psi_x G|^2 */
  }
  for (size_t i = 0; i < out->rows * out->states * out->rank; i++)
    if (!isfinite(out->factor[i]))
      return gradyn_fail(&s->ev->message, GRADYN_NON_FINITE, "the covariance is not finite");
  return GRADYN_OK;
}

/* --- the call ----------------------------------------------------------------------------------- */

/* Allocates memory for all sources, and the tangents that the sweep records. */
static gradyn_status open_sources(gradyn_evaluator *ev, const gradyn_covariance_spec *spec,
                                  gradyn_trajectory *trajectory, sources *s)
{
  size_t count = spec->count, nf = (size_t)ev->model->functional_count;
  *s = (sources){.ev = ev, .spec = spec, .count = (int)count};
  if (count == 0 || count > 10000)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "covariance: %zu sources; %s", count,
                       count == 0 ? "give at least 1" : "give at most 10000");
  s->G = gradyn_arena_numbers(&s->arena, count * count);
  s->psi = gradyn_arena_numbers(&s->arena, nf + 1);
  s->gradient = gradyn_arena_numbers(&s->arena, nf * count + 1);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu sources", count);
  s->directions.tangents = &s->tangents;
  return gradyn_tangents_create(ev->model, (int)count, trajectory, &s->tangents);
}

/* Also to be called after a failure of open_sources(). */
static void close_sources(sources *s)
{
  s->directions.tangents = NULL;
  gradyn_directions_clear(&s->directions);
  gradyn_tangents_clear(&s->tangents);
  gradyn_arena_clear(&s->arena);
}

/* Finds directions and the root of C, and runs one sweep along all directions, which records derivatives at
 * every node. */
static gradyn_status find_by(sources *s, gradyn_evaluator *ev, const double *rho,
                             const gradyn_covariance_spec *spec, gradyn_trajectory *trajectory,
                             gradyn_covariance *out)
{
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  GRADYN_TRY(open_sources(ev, spec, trajectory, s));
  GRADYN_TRY(take_sources(s));
  /* C = G G^T; fails if C is no covariance */
  const gradyn_semidefinite C = {"covariance", spec->name, s->count, spec->matrix};
  GRADYN_TRY(gradyn_semidefinite_root(&C, &ev->message, s->G, &s->rank));
  memcpy(ev->x, ev->model->x, (size_t)ev->model->nx * sizeof *ev->x);
  GRADYN_TRY(gradyn_gradient_along(ev, ev->x, &s->directions, s->psi, s->gradient));
  GRADYN_TRY(gradyn_trajectory_complete(trajectory, ev->model));
  return hand_over(s, out);
}

/* Computes the covariance with a given trajectory. */
static gradyn_status find(gradyn_evaluator *ev, const double *rho,
                          const gradyn_covariance_spec *spec, double *psi,
                          gradyn_trajectory *trajectory, gradyn_covariance *out)
{
  OWNED_UNTIL_END(close_sources) sources s = {0};
  gradyn_evaluator_forget(ev);
  const gradyn_status status = find_by(&s, ev, rho, spec, trajectory, out);
  if (status != GRADYN_OK)
    return gradyn_evaluator_report(ev, status);
  if (psi)
    memcpy(psi, s.psi, (size_t)ev->model->functional_count * sizeof(double));
  return GRADYN_OK;
}

gradyn_status gradyn_covariance_compute(gradyn_evaluator *ev, const double *rho,
                                        const gradyn_covariance_spec *spec, double *psi,
                                        gradyn_trajectory *trajectory, gradyn_covariance *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_covariance){0};
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, spec, "spec"));
  if (spec->count > 0 && (!spec->name || !spec->matrix))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s of spec is NULL",
                       spec->name ? "matrix" : "name");
  OWNED(gradyn_trajectory) *own = trajectory ? NULL : gradyn_trajectory_create();
  trajectory = trajectory ? trajectory : own;
  if (!trajectory)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a trajectory");
  return find(ev, rho, spec, psi, trajectory, out);
}

void gradyn_covariance_clear(gradyn_covariance *c)
{
  if (!c)
    return;
  free(c->name);
  free(c->unit);
  free(c->t);
  free(c->factor);
  free(c->functional);
  free(c->deviation);
  *c = (gradyn_covariance){0};
}

double gradyn_covariance_entry(const gradyn_covariance *c, size_t row, size_t i, size_t j)
{
  if (!c || row >= c->rows || i >= c->states || j >= c->states)
    return (double)NAN;
  /* C_ij = sum F_ir F_jr */
  const double *F = c->factor + row * c->states * c->rank;
  return gradyn_dot(F + i * c->rank, F + j * c->rank, (int)c->rank);
}
