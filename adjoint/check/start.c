/* Check of the data as functions of the parameters, and of the initial state as a function of the data.
 *
 * x(rho) is built in complex numbers. Its complex-step derivatives dx/drho are compared with differences of
 * its real part, which may contain round-off of build(). The initial state y(x) is the solution of three
 * problems: position, velocity, acceleration. Its derivatives use the matrices of these problems. dy = y_x
 * dx is compared with differences of whole solutions. The transposed product x_bar = y_x^T mu is compared
 * with dy by x_bar . e_k = mu . (y_x e_k). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "adjoint/check/probe.h"
#include "adjoint/gradient/gradient.h"
#include "dae/events/arcs.h"
#include "dae/systems/index1.h"
#include "dae/start/initial.h"

/* --- data from parameters ---------------------------------------------------------------------- */

/* Copies the real parts of the data of the last build(). */
static gradyn_status data(gradyn_probe *p, double t, double *value)
{
  (void)t;
  for (int k = 0; k < p->rows; k++)
    value[k] = creal(p->c->model->value[k]);
  return GRADYN_OK;
}

static const char *datum_name(const gradyn_probe *p, int i)
{
  return p->c->model->entry[i].name;
}

/* Fills a column of dx/drho as a full vector. */
static gradyn_status by_parameter(gradyn_probe *p)
{
  const gradyn_directions *D = &p->c->evaluator->by_rho;
  for (int k = D->start[p->index]; k < D->start[p->index + 1]; k++)
    p->exact[D->index[k]] = D->value[k];
  return GRADYN_OK;
}

/* Every datum has its own scale, because units differ. Data derived together, such as the curvatures of a
 * spline from one linear system, share the largest derivative as scale. If one of them does not change, it
 * contains round-off of the others. */
static gradyn_status group_data(gradyn_probe *p)
{
  const gradyn_data_entry *entry = p->c->model->entry;
  int *group = gradyn_arena_take(&p->arena, (size_t)p->rows, sizeof *group);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
  for (int k = 1; k < p->rows; k++)
    group[k] = group[k - 1] + (strcmp(entry[k].name, entry[k - 1].name) != 0);
  p->group = group;
  p->typical = p->c->x_size;
  return GRADYN_OK;
}

/* Derivatives of build(), by complex step and by differences of calls. */
gradyn_status gradyn_check_build(gradyn_checking *c)
{
  gradyn_evaluator *ev = c->evaluator;
  gradyn_worst w = {.tolerance = c->tolerance};
  OWNED_UNTIL_END(gradyn_probe_close)
  gradyn_probe p = {
      .rows = c->nx, .values = data, .derive = by_parameter, .value_name = datum_name};
  GRADYN_TRY(gradyn_probe_open(&p, c, c->nx));
  GRADYN_TRY(group_data(&p));
  GRADYN_TRY(gradyn_evaluator_load(ev, c->rho));
  GRADYN_TRY(gradyn_directions_by_rho(c->model, &ev->parameters, ev->rho, &ev->by_rho));
  const gradyn_status status = gradyn_probe_compare(&p, GRADYN_BY_PARAMETER, 0, ev->by_rho.count,
                                                    &w);
  /* build() may refuse values next to rho; its derivatives are not wrong for that reason */
  if (status != GRADYN_OK && status != GRADYN_INTERRUPTED)
    gradyn_fail(&ev->message, status,
                "parameter %s = %g: build() refuses nearby values (%s), which differences need. "
                "Check at another value",
                ev->parameters.info[p.index].name, c->rho[p.index], c->model->message.text);
  GRADYN_TRY(status);
  /* the model at rho again */
  GRADYN_TRY(gradyn_evaluator_load(ev, c->rho));
  return gradyn_check_add(c, &w, "differences", "dx/drho of build(), complex step");
}

/* --- initial state from data ------------------------------------------------------------------- */

typedef struct starting {
  gradyn_probe probe; /* probes y; for general equations, y and then y' */
  gradyn_index1 *system;
  gradyn_initial initial; /* mechanisms */
  bool own;               /* the start is computed by `initial` only, not by a system of index 1 */
  bool full;              /* a and lam have adjoints as well */
  int ny;
  double *y, *yp;  /* [ny] */
  double *s, *sp;  /* [ny] tangents; sp follows s in memory, as yp follows y */
  double *typical; /* [2 ny] sizes of y and y' */
  double *mu;      /* [ny] */
  double *bar;     /* [ny] copy of mu, which is overwritten */
  double *x_bar;   /* [nx] */
} starting;

/* Computes the start (q, v, a, lam) of a run by methods other than idas, also with redundant constraints. */
static gradyn_status start_initial(starting *p, double *y)
{
  const gradyn_mech *mech = p->probe.c->model->mech;
  size_t n = (size_t)mech->n;
  GRADYN_TRY(gradyn_initial_solve(&p->initial));
  memcpy(y, p->initial.q, n * sizeof *y);
  memcpy(y + n, p->initial.v, n * sizeof *y);
  memcpy(y + 2 * n, p->initial.a, n * sizeof *y);
  memcpy(y + 3 * n, p->initial.lam, (size_t)mech->m * sizeof *y);
  return GRADYN_OK;
}

/* Computes the initial state for the present data. idas starts from consistent (y, y'), other methods from
 * (q, v, a, lam). */
static gradyn_status start(gradyn_probe *probe, double t, double *value)
{
  starting *p = (starting *)probe;
  (void)t;
  return p->own
             ? start_initial(p, value)
             : p->system->ops->start(p->system, value, probe->rows > p->ny ? value + p->ny : p->yp);
}

/* Computes the start at rho, with the matrices for its derivatives. */
static gradyn_status load(starting *p)
{
  GRADYN_TRY(gradyn_check_load(p->probe.c, NULL, p->probe.t));
  if (p->own)
    return start_initial(p, p->y);
  GRADYN_TRY(p->system->ops->start(p->system, p->y, p->yp));
  return p->system->ops->linearise(p->system, 0, p->y, p->yp);
}

/* Computes the change s of the last computed start along the data dx. */
static gradyn_status tangent(starting *p)
{
  const int n = p->own ? p->probe.c->model->mech->n : 0;
  const double *dx = p->probe.dx;
  double *s = p->s;
  return p->own ? gradyn_initial_tangent(&p->initial, dx, 0, s, s + n, s + 2 * n, s + 3 * n)
                : p->system->ops->start_tangent(p->system, dx, s, p->sp);
}

/* Computes the start with the present datum slightly changed: a start that fails for the smallest change has
 * no derivatives. Then computes the derivative. */
static gradyn_status derive(gradyn_probe *probe)
{
  starting *p = (starting *)probe;
  GRADYN_TRY(gradyn_check_move(probe->c, probe->index,
                               1e-3 * GRADYN_CHECK_STEP * gradyn_probe_step(probe), probe->t));
  const gradyn_status status = start(probe, probe->t, p->s);
  if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE)
    return GRADYN_NON_FINITE;
  GRADYN_TRY(status);
  GRADYN_TRY(load(p));
  GRADYN_TRY(tangent(p));
  memcpy(probe->exact, p->s, (size_t)probe->rows * sizeof *p->s);
  return GRADYN_OK;
}

/* Computes x_bar from the adjoints mu of the differential states, or of all of q, v, a, lam. */
static gradyn_status start_transposed(starting *p)
{
  memset(p->x_bar, 0, (size_t)p->probe.c->nx * sizeof(double));
  GRADYN_TRY(load(p));
  if (!p->own)
    return p->system->ops->start_transposed(p->system, p->mu, p->x_bar);
  double *bar = p->bar;
  const int n = p->probe.c->model->mech->n;
  /* the transposed functions overwrite their adjoints */
  memcpy(bar, p->mu, (size_t)p->ny * sizeof *bar);
  return gradyn_initial_transposed(&p->initial, bar, bar + n, p->full ? bar + 2 * n : NULL,
                                   p->full ? bar + 3 * n : NULL, p->x_bar, NULL);
}

/* Compares (y_x^T mu)_k with mu.(y_x e_k) for every datum that can change separately. */
static gradyn_status check_transposed(starting *p, const char *name)
{
  gradyn_checking *c = p->probe.c;
  const int rows = p->full ? p->ny : p->system->np;
  gradyn_worst w = {.tolerance = GRADYN_CHECK_EXACT};
  GRADYN_TRY(start_transposed(p));
  for (int k = 0; k < c->nx; k++) {
    double sum = 0, scale = 0;
    if (p->probe.stuck[k])
      continue;
    p->probe.dx[k] = 1;
    GRADYN_TRY(tangent(p));
    p->probe.dx[k] = 0;
    for (int i = 0; i < rows; i++) {
      const int state = p->full ? i : p->system->differential[i];
      sum += p->mu[state] * p->s[state];
      scale += fabs(p->mu[state]) * (fabs(p->s[state]) + 1e-4 * p->typical[state] / c->x_size[k]);
    }
    gradyn_worst_compare(&w, p->x_bar[k], sum, scale, 0, c->model->entry[k].name);
  }
  return gradyn_check_add(c, &w, "forward product", "%s", name);
}

/* Returns false if the datum is the start time of a signal that starts with the run: the state at time 0
 * has a kink there. */
static bool is_smooth(const gradyn_probe *p)
{
  const gradyn_checking *c = p->c;
  for (int i = 0; i < c->model->signal_count; i++) {
    const gradyn_waveform *s = &c->model->signal[i];
    if ((s->timed ? s->time : s->t_start) == p->index && c->x[p->index] == 0)
      return false;
  }
  return true;
}

/* Returns whether constraints are known to be redundant, because some data cannot change separately. */
static bool is_redundant(const starting *p)
{
  bool found = false;
  for (int k = 0; k < p->probe.c->nx; k++)
    found = found || p->probe.stuck[k];
  return found;
}

/* Compares y_x column by column, in groups with a common unit: q, v, a, lam, or y and y'. */
static gradyn_status check_start(starting *p)
{
  static const char *const of_mechanism[] = {"q", "v", "a", "lam"}, *const of_equations[] = {"y",
                                                                                             "y'"};
  gradyn_checking *c = p->probe.c;
  const gradyn_mech *mech = c->model->mech;
  gradyn_worst worst[4];
  int *group = gradyn_arena_take(&p->probe.arena, (size_t)p->probe.rows, sizeof *group);
  GRADYN_TRY(gradyn_arena_status(&p->probe.arena));
  for (int i = 0; i < p->probe.rows; i++)
    group[i] = !mech ? i / p->ny : i < 3 * mech->n ? i / mech->n : 3;
  for (int i = 0; i < 4; i++)
    worst[i] = (gradyn_worst){.tolerance = c->tolerance};
  p->probe.group = group;
  GRADYN_TRY(gradyn_probe_compare(&p->probe, GRADYN_BY_DATUM, 0, c->nx, worst));
  /* the multipliers of redundant constraints, the last group, are not unique; with a singular matrix of
   * rates, gradients need only a part of y' */
  const int count = (mech ? 4 : 2) - (is_redundant(p) || p->system->combined > 0);
  for (int i = 0; i < count; i++)
    GRADYN_TRY(gradyn_check_add(c, &worst[i], "differences", "initial d%s/dx",
                                mech ? of_mechanism[i] : of_equations[i]));
  return GRADYN_OK;
}

/* Checks the transposed derivatives of the method's start and, for schemes with fixed steps, of all of q,
 * v, a, lam. */
static gradyn_status check_products(starting *p)
{
  const gradyn_mech *mech = p->probe.c->model->mech;
  /* with a singular matrix of rates, only a part of the product is needed */
  if (p->system->combined == 0)
    GRADYN_TRY(check_transposed(p, "initial d(q, v)/dx or dy/dx, transposed"));
  if (!mech)
    return GRADYN_OK;
  p->own = p->full = true;
  for (int i = 3 * mech->n; i < p->ny && is_redundant(p); i++)
    p->mu[i] = 0; /* multipliers that are not unique get no adjoints */
  return check_transposed(p, "initial d(q, v, a, lam)/dx, transposed");
}

/* Allocates arrays of states and data. */
static gradyn_status take_memory(starting *p)
{
  gradyn_checking *c = p->probe.c;
  gradyn_arena *arena = &p->probe.arena;
  const size_t ny = (size_t)p->ny, nx = (size_t)c->nx;
  /* y and y' in one block, and their changes in another one */
  double **pair[] = {&p->y, &p->s, &p->typical};
  for (size_t k = 0; k < GRADYN_COUNT(pair); k++)
    *pair[k] = gradyn_arena_numbers(arena, 2 * ny);
  p->mu = gradyn_arena_numbers(arena, ny);
  p->bar = gradyn_arena_numbers(arena, ny);
  p->probe.stuck = gradyn_arena_take(arena, nx, sizeof(bool));
  p->x_bar = gradyn_arena_numbers(arena, nx);
  GRADYN_TRY(gradyn_arena_status(arena));
  p->yp = p->y + p->ny;
  p->sp = p->s + p->ny;
  for (int i = 0; i < p->ny; i++) {
    /* random values, so that errors do not cancel */
    p->mu[i] = gradyn_check_random(c);
    p->typical[i] = c->size[i];
    /* rates: sizes divided by the length of the run */
    p->typical[p->ny + i] = c->size[i] / c->x[c->model->t_end];
  }
  p->probe.typical = p->typical;
  return GRADYN_OK;
}

/* Creates the system whose start is checked. The time is inside the first arc at a generic point, where
 * signals are smooth. */
static gradyn_status choose_system(starting *p)
{
  const gradyn_checking *c = p->probe.c;
  const gradyn_options *o = &c->evaluator->options;
  LOCAL(gradyn_arcs) arcs = {0};
  GRADYN_TRY(gradyn_arcs_find(c->model, GRADYN_KINKS, &arcs));
  p->probe.t = 0.4137 * arcs.boundary[1].t;
  if (!c->model->mech)
    return gradyn_index1_from_equations(c->model, &p->system);
  p->own = !c->evaluator->method->index1;
  GRADYN_TRY(gradyn_index1_from_mech(c->model, o->baumgarte_alpha, o->baumgarte_beta, &p->system));
  return gradyn_initial_create(c->model->mech, GRADYN_ASSEMBLY, &p->initial);
}

/* Marks data that redundant constraints do not allow to change separately. Public data have only names;
 * derived data change with them. */
static gradyn_status mark_data(starting *p)
{
  gradyn_evaluator *ev = p->probe.c->evaluator;
  gradyn_arena *arena = &p->probe.arena;
  bool *data = gradyn_arena_take(arena, (size_t)ev->public_count, sizeof *data);
  bool *marked = gradyn_arena_take(arena, (size_t)p->probe.c->nx, sizeof *marked);
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(gradyn_evaluator_singular_data(ev, p->probe.c->rho, data, NULL));
  for (int i = 0; i < ev->public_count; i++)
    marked[ev->public_data[i]] = data[i];
  p->probe.marked = marked;
  return GRADYN_OK;
}

/* Frees all parts. */
static void clear(starting *p)
{
  gradyn_initial_clear(&p->initial);
  if (p->system)
    gradyn_index1_free(p->system);
  gradyn_probe_close(&p->probe);
}

/* Checks the derivatives of the initial state by all data, in the form of the method, and all parts that
 * schemes need. */
gradyn_status gradyn_check_start(gradyn_checking *c)
{
  OWNED_UNTIL_END(clear)
  starting p = {.probe = {.rows = c->model->mech ? c->ny : 2 * c->ny,
                          .apart = true,
                          .values = start,
                          .derive = derive,
                          .depends = is_smooth},
                .ny = c->ny};
  GRADYN_TRY(gradyn_probe_open(&p.probe, c, 2 * c->ny));
  GRADYN_TRY(take_memory(&p));
  GRADYN_TRY(choose_system(&p));
  if (c->model->mech)
    GRADYN_TRY(mark_data(&p));
  GRADYN_TRY(check_start(&p));
  return check_products(&p);
}
