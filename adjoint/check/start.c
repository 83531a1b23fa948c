/* Checking what happens before the march: data from parameters, and the initial state from data.
 *
 * x(rho) is built in complex numbers; its derivatives dx/drho by complex step are compared with
 * differences of its real part, of which build() may make round-off. The initial state y(x) is
 * the solution of three problems, position, velocity, acceleration, and its tangent and
 * transpose go through their matrices: dy = y_x dx against differences of whole solutions, and
 * x_bar = y_x^T mu against that by x_bar . e_k = mu . (y_x e_k). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "adjoint/check/probe.h"
#include "adjoint/gradient/gradient.h"
#include "dae/events/arcs.h"
#include "dae/systems/index1.h"
#include "dae/start/initial.h"

/* --- data from parameters --------------------------------------------------------------------- */

/* Data of the model that build() has made, real parts. */
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

/* Column of dx/drho in full. */
static gradyn_status by_parameter(gradyn_probe *p)
{
  const gradyn_directions *D = &p->c->evaluator->by_rho;
  for (int k = D->start[p->index]; k < D->start[p->index + 1]; k++)
    p->exact[D->index[k]] = D->value[k];
  return GRADYN_OK;
}

/* Every datum has its own scale: they have different units. Only what is derived as a row, as the curvatures
 * of a spline are by one linear system, has the largest derivative of the row for all: where one of them does
 * not change, it is left with round-off of the others. */
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

/* Derivatives of build() itself, by complex step and by differences of calls. */
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
  const gradyn_status status = gradyn_probe_look(&p, GRADYN_BY_PARAMETER, 0, ev->by_rho.count, &w);
  /* build() may refuse what lies beside rho: no reason to call its derivatives wrong */
  if (status != GRADYN_OK && status != GRADYN_INTERRUPTED)
    gradyn_fail(&ev->message, status,
                "build() refuses values next to parameter %s = %g, so that no differences can be "
                "taken there (%s): check at another value",
                ev->parameters.info[p.index].name, c->rho[p.index], c->model->message.text);
  GRADYN_TRY(status);
  /* the model at rho again */
  GRADYN_TRY(gradyn_evaluator_load(ev, c->rho));
  return gradyn_check_add(c, &w, "differences", "dx/drho of build(), complex step");
}

/* --- initial state from data ------------------------------------------------------------------ */

typedef struct starting {
  gradyn_probe probe; /* of y, and of general equations y' behind it */
  gradyn_index1 *system;
  gradyn_initial initial; /* mechanisms */
  bool own;               /* from `initial` alone, not from y, y' of index 1 */
  bool full;              /* a and lam have bars, too */
  int ny;
  double *y, *yp;  /* [ny] */
  double *s, *sp;  /* [ny] tangents; sp follows s in memory, as yp follows y */
  double *typical; /* [2 ny] sizes of y and y' */
  double *mu;      /* [ny] */
  double *bar;     /* [ny] a copy of mu, which is overwritten */
  double *x_bar;   /* [nx] */
} starting;

/* The start of a run of other methods than idas, which copes with redundant constraints: q, v, a, lam. */
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

/* The initial state with the data in force: (q, v, a, lam), or y and y'. idas starts from consistent (y, y'),
 * the others from (q, v, a, lam). */
static gradyn_status start(gradyn_probe *probe, double t, double *value)
{
  starting *p = (starting *)probe;
  (void)t;
  return p->own
             ? start_initial(p, value)
             : p->system->ops->start(p->system, value, probe->rows > p->ny ? value + p->ny : p->yp);
}

/* The start at rho, and the matrices that its derivatives need there. */
static gradyn_status load(starting *p)
{
  GRADYN_TRY(gradyn_check_load(p->probe.c, NULL, p->probe.t));
  if (p->own)
    return start_initial(p, p->y);
  GRADYN_TRY(p->system->ops->start(p->system, p->y, p->yp));
  return p->system->ops->linearise(p->system, 0, p->y, p->yp);
}

/* s by the data dx, at the start last computed. */
static gradyn_status tangent(starting *p)
{
  const int n = p->own ? p->probe.c->model->mech->n : 0;
  const double *dx = p->probe.dx;
  double *s = p->s;
  return p->own ? gradyn_initial_tangent(&p->initial, dx, 0, s, s + n, s + 2 * n, s + 3 * n)
                : p->system->ops->start_tangent(p->system, dx, s, p->sp);
}

/* The start with the datum in hand next to rho. One that fails however little it moves has no derivatives. */
static gradyn_status derive(gradyn_probe *probe)
{
  starting *p = (starting *)probe;
  GRADYN_TRY(gradyn_check_move(probe->c, probe->index,
                               1e-3 * GRADYN_CHECK_STEP * gradyn_probe_step(probe), probe->t));
  const gradyn_status status = start(probe, probe->t, p->s);
  if (gradyn_status_classify((int)status) == GRADYN_CLASS_RECOVERABLE)
    return GRADYN_NON_FINITE;
  GRADYN_TRY(status);
  GRADYN_TRY(load(p));
  GRADYN_TRY(tangent(p));
  memcpy(probe->exact, p->s, (size_t)probe->rows * sizeof *p->s);
  return GRADYN_OK;
}

/* x_bar of the bars mu: of the differential states, or of all of q, v, a, lam. */
static gradyn_status start_transposed(starting *p)
{
  memset(p->x_bar, 0, (size_t)p->probe.c->nx * sizeof(double));
  GRADYN_TRY(load(p));
  if (!p->own)
    return p->system->ops->start_transposed(p->system, p->mu, p->x_bar);
  double *bar = p->bar;
  const int n = p->probe.c->model->mech->n;
  /* the transposed overwrite their bars */
  memcpy(bar, p->mu, (size_t)p->ny * sizeof *bar);
  return gradyn_initial_transposed(&p->initial, bar, bar + n, p->full ? bar + 2 * n : NULL,
                                   p->full ? bar + 3 * n : NULL, p->x_bar, NULL);
}

/* (y_x^T mu)_k against mu.(y_x e_k) for every datum that can change alone. */
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

/* A signal that starts with the run: what holds at time 0 has a kink in its start time. */
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

/* Whether constraints depend on each other, as far as is known: there are data that cannot change alone. */
static bool is_redundant(const starting *p)
{
  bool found = false;
  for (int k = 0; k < p->probe.c->nx; k++)
    found = found || p->probe.stuck[k];
  return found;
}

/* y_x column by column, in groups with a unit in common: q, v, a, lam, or y and y'. */
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
  GRADYN_TRY(gradyn_probe_look(&p->probe, GRADYN_BY_DATUM, 0, c->nx, worst));
  /* the multipliers of redundant constraints, the last group, are not unique; and of rates that enter with
   * a singular matrix, gradients need a part alone */
  const int count = (mech ? 4 : 2) - (is_redundant(p) || p->system->combined > 0);
  for (int i = 0; i < count; i++)
    GRADYN_TRY(gradyn_check_add(c, &worst[i], "differences", "initial d%s/dx",
                                mech ? of_mechanism[i] : of_equations[i]));
  return GRADYN_OK;
}

/* The transposed derivatives of the method's start, and that of all of q, v, a, lam, which fixed-step schemes
 * need. */
static gradyn_status check_products(starting *p)
{
  const gradyn_mech *mech = p->probe.c->model->mech;
  /* rates that enter with a singular matrix need a part of the product alone */
  if (p->system->combined == 0)
    GRADYN_TRY(check_transposed(p, "initial d(q, v)/dx or dy/dx, transposed"));
  if (!mech)
    return GRADYN_OK;
  p->own = p->full = true;
  for (int i = 3 * mech->n; i < p->ny && is_redundant(p); i++)
    p->mu[i] = 0; /* multipliers that are not unique have no bars */
  return check_transposed(p, "initial d(q, v, a, lam)/dx, transposed");
}

/* Arrays of states and data. */
static gradyn_status take_memory(starting *p)
{
  gradyn_checking *c = p->probe.c;
  gradyn_arena *arena = &p->probe.arena;
  const size_t ny = (size_t)p->ny, nx = (size_t)c->nx;
  /* y and y' in one block, and so for what they change by */
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
    /* at random: what is wrong does not cancel */
    p->mu[i] = gradyn_check_random(c);
    p->typical[i] = c->size[i];
    /* rates: by their sizes over the run */
    p->typical[p->ny + i] = c->size[i] / c->x[c->model->t_end];
  }
  p->probe.typical = p->typical;
  return GRADYN_OK;
}

/* The system whose start is looked at, inside the first arc, at no special place: signals are smooth
 * there. */
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

/* Changes that constraints which depend on each other do not allow: they hold elsewhere, if at all. Public
 * data only have names; what is derived from them moves with them. */
static gradyn_status mark_data(starting *p)
{
  gradyn_evaluator *ev = p->probe.c->evaluator;
  gradyn_arena *arena = &p->probe.arena;
  bool *data = gradyn_arena_take(arena, (size_t)ev->public_count, sizeof *data);
  bool *marked = gradyn_arena_take(arena, (size_t)p->probe.c->nx, sizeof *marked);
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(gradyn_singular_data(ev, p->probe.c->rho, data, NULL));
  for (int i = 0; i < ev->public_count; i++)
    marked[ev->public_data[i]] = data[i];
  p->probe.marked = marked;
  return GRADYN_OK;
}

/* Whatever has been taken. */
static void clear(starting *p)
{
  gradyn_initial_clear(&p->initial);
  if (p->system)
    gradyn_index1_free(p->system);
  gradyn_probe_close(&p->probe);
}

/* The initial state by all data, in the form of the method, and with all that schemes need of it. */
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
