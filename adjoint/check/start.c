/* Checking what happens before the march: data from parameters, and the initial state from data.
 *
 * x(rho) is built in complex numbers; its derivatives dx/drho by complex step are compared with
 * differences of its real part, of which build() may make round-off. The initial state y(x) is
 * the solution of three problems, position, velocity, acceleration, and its tangent and
 * transpose go through their matrices: dy = y_x dx against differences of whole solutions, and
 * x_bar = y_x^T mu against that by x_bar . e_k = mu . (y_x e_k). */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "adjoint/check/check.h"
#include "core/linear/arena.h"
#include "dae/events/arcs.h"
#include "dae/systems/index1.h"
#include "dae/start/initial.h"

/* --- data from parameters --------------------------------------------------------------------- */

typedef struct building {
  gradyn_checking *c;
  int parameter;
} building;

/* x at rho + s e_j, real parts. */
static gradyn_status build(void *user, double s, double *value)
{
  building *b = user;
  gradyn_evaluator *ev = b->c->evaluator;
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = b->c->rho[j];
  if (b->parameter >= 0)
    /* x(rho + s e_j); what is declared is complex, what is compared its real part */
    ev->rho[b->parameter] += s;
  GRADYN_TRY(gradyn_model_refresh(b->c->model, ev->rho));
  for (int k = 0; k < b->c->nx; k++)
    value[k] = creal(b->c->model->value[k]);
  return GRADYN_OK;
}

/* Whether a datum is zero, and stays so while a parameter moves by its size, but for round-off of numbers of
 * its kind: what build() computes for it need not be exact, and its derivatives are round-off too. */
static bool stays_zero(const gradyn_checking *c, const gradyn_differences *d, int i, double size)
{
  const double most = fmax(fabs(c->x_bar[i]), fabs(d->slope[i])) * size;
  return fmax(fabs(c->x[i]), most) <= 64 * DBL_EPSILON * c->x_size[i];
}

/* Compares every datum with its own size as scale: they have different units. Only what is derived as a row,
 * as the curvatures of a spline are by one linear system, has the largest derivative of the row for all:
 * where one of them does not change, it is left with round-off of the others. */
static void compare_data(gradyn_checking *c, const gradyn_differences *d, int j, gradyn_worst *w)
{
  const gradyn_directions *D = &c->evaluator->by_rho;
  const gradyn_data_entry *entry = c->model->entry;
  double size = D->scale[j];
  memset(c->x_bar, 0, (size_t)c->nx * sizeof(double));
  /* column j of dx/drho in full */
  for (int k = D->start[j]; k < D->start[j + 1]; k++)
    c->x_bar[D->index[k]] = D->value[k];
  for (int k = 0, end; k < c->nx; k = end) {
    double largest = 0;
    for (end = k; end < c->nx && strcmp(entry[end].name, entry[k].name) == 0; end++)
      largest = fmax(largest, fabs(c->x_bar[end]));
    /* that derivative, or 1e-4 of the datum over the scale of the parameter */
    for (int i = k; i < end; i++)
      if (!stays_zero(c, d, i, size))
        gradyn_worst_entry(w, d, i, c->x_bar[i],
                           fmax(largest, 1e-4 * gradyn_check_value(d, i) / size), entry[i].name);
  }
}

/* Derivatives of build() itself, by complex step and by differences of calls. */
gradyn_status gradyn_check_build(gradyn_checking *c)
{
  gradyn_evaluator *ev = c->evaluator;
  gradyn_differences d;
  building b = {c, -1};
  gradyn_worst w = {.tolerance = c->tolerance};
  gradyn_status status = gradyn_differences_create(c->nx, &d);
  if (status == GRADYN_OK)
    /* x(rho) at the place itself */
    status = build(&b, 0, c->x_moved);
  if (status == GRADYN_OK)
    status = gradyn_directions_by_rho(c->model, &ev->parameters, ev->rho, &ev->by_rho);
  /* a column for each parameter */
  for (int j = 0; j < ev->by_rho.count && status == GRADYN_OK; j++) {
    if (!gradyn_check_proceed(c, j, ev->by_rho.count, &status)) {
      w.skipped++;
      continue;
    }
    b.parameter = j;
    /* noise is measured a thousand times closer than differences are taken */
    double first = GRADYN_CHECK_STEP * ev->by_rho.scale[j];
    status = gradyn_measure_noise(&d, c->nx, build, &b, 1e-3 * first, d.noise);
    if (status == GRADYN_OK)
      status = gradyn_differentiate(&d, c->nx, build, &b, first, GRADYN_DIFFERENCE_LEVELS, d.noise);
    /* build() may refuse what lies beside rho: no reason to call its derivatives wrong */
    if (status == GRADYN_OK)
      compare_data(c, &d, j, &w);
    else
      gradyn_fail(&ev->message, status,
                  "build() refuses values next to parameter %s = %g, so that no differences can be "
                  "taken there (%s): check at another value",
                  ev->parameters.info[j].name, c->rho[j], c->model->message.text);
  }
  /* the model at rho again */
  b.parameter = -1;
  if (status == GRADYN_OK)
    status = build(&b, 0, c->x_moved);
  if (status == GRADYN_OK)
    status = gradyn_check_add(c, &w, "differences", "dx/drho of build(), complex step");
  gradyn_differences_clear(&d);
  return status;
}

/* --- initial state from data ------------------------------------------------------------------ */

typedef struct starting {
  gradyn_checking *c;
  gradyn_index1 *system;
  gradyn_initial initial; /* mechanisms */
  double t;               /* s, inside the first arc */
  int datum;              /* that moves, or -1 */
  bool own;               /* from `initial` alone, not from y, y' of index 1 */
  bool full;              /* a and lam have bars, too */
  bool redundant;         /* constraints depend on each other */
  bool noise_known;       /* d.noise is that of a start */
  bool *stuck;            /* [nx] data that cannot change alone for that reason */
  bool *marked;           /* [nx] data by which motions have no derivatives, here or further on */
  int ny;
  double *y, *yp;       /* [ny] */
  double *s, *sp;       /* [ny] tangents; sp follows s in memory, as yp follows y */
  double *size;         /* [2 ny] typical sizes of y and y' */
  double *mu;           /* [ny] */
  double *bar;          /* [ny] a copy of mu, which is overwritten */
  double *dx;           /* [nx] a unit direction, zero between uses */
  double *x_bar;        /* [nx] */
  gradyn_differences d; /* of y and y' */
  gradyn_arena arena;   /* of all arrays */
} starting;

/* The start of a run of other methods than idas, which copes with redundant constraints: q, v, a, lam. */
static gradyn_status start_initial(starting *p, double *y)
{
  const gradyn_mech *mech = p->c->model->mech;
  size_t n = (size_t)mech->n;
  GRADYN_TRY(gradyn_initial_solve(&p->initial));
  memcpy(y, p->initial.q, n * sizeof *y);
  memcpy(y + n, p->initial.v, n * sizeof *y);
  memcpy(y + 2 * n, p->initial.a, n * sizeof *y);
  memcpy(y + 3 * n, p->initial.lam, (size_t)mech->m * sizeof *y);
  return GRADYN_OK;
}

/* The initial state with the datum in hand moved by s: (q, v, a, lam), or y and y'. */
static gradyn_status start(void *user, double s, double *value)
{
  starting *p = user;
  GRADYN_TRY(p->datum >= 0 ? gradyn_check_move(p->c, p->datum, s, p->t)
                           : gradyn_check_load(p->c, NULL, p->t));
  /* idas starts from consistent (y, y'), the others from (q, v, a, lam) */
  return p->own ? start_initial(p, value) : p->system->ops->start(p->system, value, value + p->ny);
}

/* Back to rho. */
static gradyn_status load(starting *p)
{
  /* the start at rho, and the matrices that its derivatives need there */
  p->datum = -1;
  GRADYN_TRY(start(p, 0, p->y));
  return !p->own ? p->system->ops->linearise(p->system, 0, p->y, p->yp) : GRADYN_OK;
}

/* s by datum k, at the start last computed. */
static gradyn_status tangent(starting *p, int k)
{
  const int n = p->own ? p->c->model->mech->n : 0;
  double *s = p->s;
  p->dx[k] = 1;
  gradyn_status status = p->own ? gradyn_initial_tangent(&p->initial, p->dx, s, s + n, s + 2 * n,
                                                         s + 3 * n)
                                : p->system->ops->start_tangent(p->system, p->dx, s, p->sp);
  p->dx[k] = 0;
  return status;
}

/* x_bar of the bars mu: of the differential states, or of all of q, v, a, lam. */
static gradyn_status start_transposed(starting *p)
{
  memset(p->x_bar, 0, (size_t)p->c->nx * sizeof(double));
  GRADYN_TRY(load(p));
  if (!p->own)
    return p->system->ops->start_transposed(p->system, p->mu, p->x_bar);
  double *bar = p->bar;
  const int n = p->c->model->mech->n;
  /* the transposed overwrite their bars */
  memcpy(bar, p->mu, (size_t)p->ny * sizeof *bar);
  return gradyn_initial_transposed(&p->initial, bar, bar + n, p->full ? bar + 2 * n : NULL,
                                   p->full ? bar + 3 * n : NULL, p->x_bar);
}

/* (y_x^T mu)_k against mu.(y_x e_k) for every datum that can change alone. */
static gradyn_status check_transposed(starting *p, const char *name)
{
  const gradyn_checking *c = p->c;
  const int rows = p->full ? p->ny : p->system->np;
  gradyn_worst w = {.tolerance = GRADYN_CHECK_EXACT};
  gradyn_status status = start_transposed(p);
  for (int k = 0; k < c->nx && status == GRADYN_OK; k++) {
    double sum = 0, scale = 0;
    if (p->stuck[k])
      continue;
    status = tangent(p, k);
    for (int i = 0; i < rows; i++) {
      const int state = p->full ? i : p->system->differential[i];
      sum += p->mu[state] * p->s[state];
      scale += fabs(p->mu[state]) * (fabs(p->s[state]) + 1e-4 * p->size[state] / c->x_size[k]);
    }
    gradyn_worst_compare(&w, p->x_bar[k], sum, scale, 0, c->model->entry[k].name);
  }
  return status == GRADYN_OK ? gradyn_check_add(p->c, &w, "forward product", "%s", name) : status;
}

/* Groups of initial values that are compared as one: q, v, a, lam or y, y'. */
typedef struct group {
  int first, count;
  const char *name;
  gradyn_worst worst;
} group;

/* Quantities with a unit in common, which share a scale: q, v, a, lam, or y and y'. */
static int group_values(const starting *p, group groups[4])
{
  const gradyn_mech *mech = p->c->model->mech;
  gradyn_worst w = {.tolerance = p->c->tolerance};
  if (!mech) {
    groups[0] = (group){0, p->ny, "y", w}; /* unknowns and rates */
    groups[1] = (group){p->ny, p->ny, "y'", w};
    return 2;
  }
  static const char *const name[] = {"q", "v", "a", "lam"};
  for (int i = 0; i < 4; i++)
    groups[i] = (group){i * mech->n, i < 3 ? mech->n : mech->m, name[i], w};
  return 4;
}

/* Column k of each group against its part of the differences. */
static void compare_groups(starting *p, group *groups, int count, int k)
{
  /* values are as large as they become, though they may begin with zero */
  memcpy(p->d.value, p->size, 2 * (size_t)p->ny * sizeof(double));
  for (int i = 0; i < count; i++) {
    const int first = groups[i].first, end = first + groups[i].count;
    const double scale = gradyn_check_scale(&p->d, first, end, p->s, p->c->x_size[k]);
    for (int r = first; r < end; r++)
      gradyn_worst_entry(&groups[i].worst, &p->d, r, p->s[r], scale, p->c->model->entry[k].name);
  }
}

/* A signal that starts with the run: what holds at time 0 has a kink in its start time. */
static bool is_signal_start(const gradyn_checking *c, int k)
{
  for (int i = 0; i < c->model->signal_count; i++)
    if (!c->model->signal[i].timed && c->model->signal[i].t_start == k && c->x[k] == 0)
      return true;
  return false;
}

/* Differences of the start by the datum in hand, whose derivatives are in s. The noise is that of the
 * iterations, whatever moves. A start that fails however little moves has no derivatives. */
static gradyn_status differentiate(starting *p, const group *groups, int count)
{
  const int rows = 2 * p->ny;
  const double first = GRADYN_CHECK_STEP * p->c->x_size[p->datum], near = 1e-3 * first;
  const gradyn_status status = start(p, near, p->d.value);
  if (gradyn_status_classify((int)status) == GRADYN_CLASS_RECOVERABLE)
    return GRADYN_NON_FINITE;
  GRADYN_TRY(status);
  if (!p->noise_known)
    GRADYN_TRY(gradyn_measure_noise(&p->d, rows, start, p, near, p->d.noise));
  for (int i = 0; i < rows && !p->noise_known; i++)
    /* where the start answers with equal bits, round-off is there all the same */
    p->d.noise[i] = fmax(p->d.noise[i], 1e-14 * p->size[i]);
  p->noise_known = true;
  /* any error is small enough for the rates of a mechanism, which are in its state already */
  for (int i = 0; i < rows; i++)
    p->d.enough[i] = HUGE_VAL;
  for (int i = 0; i < count; i++)
    gradyn_check_demand(p->c, &p->d, groups[i].first, groups[i].first + groups[i].count, p->s);
  return gradyn_differentiate(&p->d, rows, start, p, first, GRADYN_DIFFERENCE_LEVELS, p->d.noise);
}

/* A change that constraints which depend on each other do not allow: they hold elsewhere, if at all. */
static bool has_left(const starting *p)
{
  for (int i = 0; i < 2 * p->ny && p->marked[p->datum]; i++)
    if (p->d.kink[i])
      return true;
  return false;
}

/* Datum k: y_x e_k against differences. Redundant constraints leave no freedom to change one alone: nothing
 * to compare with. */
static gradyn_status check_datum(starting *p, group *groups, int count, int k)
{
  gradyn_status status = load(p);
  if (status == GRADYN_OK)
    status = tangent(p, k);
  p->datum = k;
  if (status == GRADYN_OK)
    status = differentiate(p, groups, count);
  if (status == GRADYN_OK && has_left(p))
    status = GRADYN_NON_FINITE;
  if (status == GRADYN_OK)
    compare_groups(p, groups, count, k);
  if (status != GRADYN_NON_FINITE)
    return status;
  p->redundant = p->stuck[k] = true;
  return GRADYN_OK;
}

/* y_x column by column. */
static gradyn_status check_start(starting *p)
{
  gradyn_checking *c = p->c;
  group groups[4];
  const int count = group_values(p, groups);
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < c->nx && status == GRADYN_OK; k++) {
    if (is_signal_start(c, k))
      continue;
    if (gradyn_check_proceed(c, k, c->nx, &status)) {
      status = check_datum(p, groups, count, k);
      continue;
    }
    groups[0].worst.skipped++; /* whether constraints are redundant remains unknown */
    p->redundant = p->stuck[k] = true;
  }
  /* the multipliers of redundant constraints, the last group, are not unique; and of rates that enter with
   * a singular matrix, gradients need a part alone */
  for (int i = 0; i < count - (p->redundant || p->system->combined > 0) && status == GRADYN_OK; i++)
    status = gradyn_check_add(c, &groups[i].worst, "differences", "initial d%s/dx", groups[i].name);
  return status;
}

/* The transposed derivatives of the method's start, and that of all of q, v, a, lam, which fixed-step schemes
 * need. */
static gradyn_status check_products(starting *p)
{
  const gradyn_mech *mech = p->c->model->mech;
  /* rates that enter with a singular matrix need a part of the product alone */
  if (p->system->combined == 0)
    GRADYN_TRY(check_transposed(p, "initial d(q, v)/dx or dy/dx, transposed"));
  if (!mech)
    return GRADYN_OK;
  p->own = p->full = true;
  for (int i = 3 * mech->n; i < p->ny && p->redundant; i++)
    p->mu[i] = 0; /* multipliers that are not unique have no bars */
  return check_transposed(p, "initial d(q, v, a, lam)/dx, transposed");
}

/* Arrays of states and data, and the system whose start is looked at. */
static gradyn_status take_memory(starting *p)
{
  gradyn_checking *c = p->c;
  gradyn_arcs arcs = {.boundary = NULL};
  gradyn_status status = gradyn_arcs_find(c->model, GRADYN_KINKS, &arcs);
  if (status == GRADYN_OK)
    /* inside the first arc, at no special place: signals are smooth there */
    p->t = 0.4137 * arcs.boundary[1].t;
  gradyn_arcs_clear(&arcs);
  GRADYN_TRY(status);
  const size_t ny = (size_t)p->ny, nx = (size_t)c->nx;
  /* y and y' in one block, and so for what they change by */
  double **pair[] = {&p->y, &p->s, &p->size};
  for (size_t k = 0; k < GRADYN_COUNT(pair); k++)
    *pair[k] = gradyn_arena_numbers(&p->arena, 2 * ny);
  p->mu = gradyn_arena_numbers(&p->arena, ny);
  p->bar = gradyn_arena_numbers(&p->arena, ny);
  p->dx = gradyn_arena_numbers(&p->arena, nx);
  p->stuck = gradyn_arena_take(&p->arena, nx, sizeof(bool));
  p->marked = gradyn_arena_take(&p->arena, nx, sizeof(bool));
  p->x_bar = gradyn_arena_numbers(&p->arena, nx);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
  GRADYN_TRY(gradyn_differences_create(2 * p->ny, &p->d));
  p->yp = p->y + p->ny;
  p->sp = p->s + p->ny;
  for (int i = 0; i < p->ny; i++) {
    /* at random: what is wrong does not cancel */
    p->mu[i] = gradyn_check_random(c);
    p->size[i] = c->size[i];
    /* rates: by their sizes over the run */
    p->size[p->ny + i] = c->size[i] / c->x[c->model->t_end];
  }
  if (!c->model->mech)
    return gradyn_index1_from_equations(c->model, &p->system);
  const gradyn_options *o = &c->evaluator->options;
  p->own = !c->evaluator->method->index1;
  status = gradyn_index1_from_mech(c->model, o->baumgarte_alpha, o->baumgarte_beta, &p->system);
  return status == GRADYN_OK ? gradyn_initial_create(c->model->mech, GRADYN_ASSEMBLY, &p->initial)
                             : status;
}

/* Public data only have names; what is derived from them moves with them. */
static gradyn_status mark_data(starting *p)
{
  gradyn_evaluator *ev = p->c->evaluator;
  bool *data = gradyn_arena_take(&p->arena, (size_t)ev->public_count, sizeof *data);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
  GRADYN_TRY(gradyn_singular_data(ev, p->c->rho, data, NULL));
  for (int i = 0; i < ev->public_count; i++)
    p->marked[ev->public_data[i]] = data[i];
  return GRADYN_OK;
}

/* The initial state by all data, in the form of the method, and with all that schemes need of it. */
gradyn_status gradyn_check_start(gradyn_checking *c)
{
  starting p = {.c = c, .datum = -1, .ny = c->ny};
  gradyn_status status = take_memory(&p);
  if (status == GRADYN_OK && c->model->mech)
    status = mark_data(&p);
  if (status == GRADYN_OK)
    status = check_start(&p);
  if (status == GRADYN_OK)
    status = check_products(&p);
  /* whatever has been taken */
  gradyn_initial_clear(&p.initial);
  if (p.system)
    gradyn_index1_free(p.system);
  gradyn_arena_clear(&p.arena);
  gradyn_differences_clear(&p.d);
  return status;
}
