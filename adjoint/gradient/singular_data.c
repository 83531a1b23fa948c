/* Finds data by which a motion cannot be differentiated. In a singular position q, some combination u of
 * the constraints has no gradient, u^T Phi_q = 0. A datum x that moves this combination, u^T Phi_x != 0,
 * blocks the passage or opens another branch, and functionals jump. The derivative of a discrete run then
 * grows as one over the distance of its nodes from the singular position, and has no meaning. With
 * redundant constraints, such combinations exist throughout the run.
 *
 * The columns of Phi_x are tested with random vectors r and their projections P r onto the space of all u.
 * The ratio of |(P r)^T Phi_x dx| to |r^T Phi_x dx| estimates the part of Phi_x dx that lies in this space.
 */
#include "adjoint/evaluator/cases.h"
#include "adjoint/gradient/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/rolling.h"
#include "dae/start/initial.h"
#include "dae/linear/singularity_monitor.h"

enum { PROBES = 3 };

/* Singular values of Phi_q below this are those of redundant constraints; rows have length one. */
static const double redundant = 1e-5;

/* A datum counts if at least this part of its column of Phi_x lies in the space of all u. */
static const double counts = 1e-3;

typedef struct marking {
  gradyn_evaluator *ev;
  gradyn_fixed *march;
  gradyn_mech *mech;
  gradyn_singularity_monitor watch;
  double *r;       /* [PROBES][m] */
  double *q;       /* [n] the singular position */
  double *past;    /* [n] position at the previous node */
  double *rest;    /* [n] zeros */
  const double *v; /* [n] velocities for nonholonomic constraints; borrowed */
  /* [n + m] weights for products with holonomic constraints, and for products with nonholonomic ones */
  gradyn_lanes *mu[2];
  double *bar[2];          /* [PROBES][nx] products of Phi_x with r and with P r */
  bool *data, *parameters; /* NULL: not requested */
} marking;

/* Allocates one array for all numbers, and lanes, which contain the PROBES vectors r side by side. */
static gradyn_status take_memory(marking *w)
{
  size_t n = (size_t)w->mech->n, m = (size_t)w->mech->m, nx = (size_t)w->mech->nx;
  /* r, then positions, then the products with Phi_x */
  w->r = calloc(PROBES * m + 3 * n + 2 * PROBES * nx + 1, sizeof(double));
  w->mu[0] = gradyn_lanes_create(2 * (n + m) + 1);
  if (!w->r || !w->mu[0])
    return gradyn_fail(w->mech->message, GRADYN_NO_MEMORY, "out of memory");
  w->mu[1] = w->mu[0] + n + m;
  w->q = w->r + PROBES * m;
  w->past = w->q + n;
  w->rest = w->past + n;
  w->v = w->rest;
  w->bar[0] = w->rest + n;
  w->bar[1] = w->bar[0] + PROBES * nx;
  return gradyn_singularity_monitor_create(w->mech, &w->watch);
}

/* Releases the arrays; run and model are borrowed. */
static void clear(marking *w)
{
  gradyn_singularity_monitor_clear(&w->watch);
  free(w->r);
  free(w->mu[0]);
}

/* Fills r [count] with fixed numbers of both signs and magnitudes of 0.5 to 1.5. */
static void choose(double *r, int count)
{
  for (int i = 0; i < count; i++)
    r[i] = sin(1.3 * i + 0.4 * i * i + 1) > 0 ? 1 + 0.5 * sin(7.1 * i) : -1 - 0.5 * sin(3.7 * i);
}

/* Computes the products bar [PROBES][nx] = Phi_x^T r; for nonholonomic constraints psi, psi_x^T r. */
static gradyn_status carry(marking *w, const gradyn_mech_state *at, double *bar)
{
  int n = w->mech->n, m = w->mech->m;
  const gradyn_mech_term term[] = {{0, 0, *at}, {0, 1, *at}};
  const gradyn_mech_point look = {w->mech->rolling > 0 ? 2 : 1, term, at};
  memset(w->mu[0], 0, 2 * (size_t)(n + m) * sizeof *w->mu[0]);
  for (int k = 0; k < PROBES; k++)
    for (int i = 0; i < m; i++)
      /* against() subtracts (R; Phi)_x^T mu, so -r adds Phi_x^T r */
      w->mu[gradyn_mech_rolls(w->mech, i)][n + i][k] = -w->r[k * m + i];
  memset(bar, 0, PROBES * (size_t)w->mech->nx * sizeof *bar);
  return w->mech->ops->against(w->mech, &look, PROBES, w->mu, &(gradyn_mech_adjoints){.x = bar});
}

/* Returns whether a change of data moves a combination u. The change has the entries value [count] at index
 * [count]. Compares sums of squares over all vectors r: of the products with r, of the products with P r,
 * and of their single terms. */
static bool is_singular(const marking *w, int count, const int *index, const double *value,
                        double near)
{
  double whole = 0, part = 0, terms = 0;
  for (int k = 0; k < PROBES; k++) {
    double by_vector = 0, by_projection = 0, size = 0;
    for (int i = 0; i < count; i++) {
      size_t at = (size_t)k * (size_t)w->mech->nx + (size_t)index[i];
      by_vector += w->bar[0][at] * value[i];
      by_projection += w->bar[1][at] * value[i];
      size += fabs(w->bar[0][at] * value[i]);
    }
    whole += by_vector * by_vector;        /* |r^T Phi_x dx|^2 */
    part += by_projection * by_projection; /* |(P r)^T Phi_x dx|^2 */
    terms += size * size;
  }
  /* the position has an error of near^2, and so has the projection; sums whose terms cancel contain it as
   * well */
  const double off = 100 * near * near;
  return sqrt(part) > off * sqrt(terms) && sqrt(part) > (counts + off) * sqrt(whole);
}

/* Marks the parameters, by their columns of dx/drho, and the data that move a combination u. */
static void mark(marking *w, double near)
{
  const gradyn_evaluator *ev = w->ev;
  const gradyn_directions *D = &ev->by_rho;
  const double one = 1;
  for (int j = 0; w->parameters && j < D->count; j++)
    if (is_singular(w, D->start[j + 1] - D->start[j], D->index + D->start[j],
                    D->value + D->start[j], near))
      w->parameters[j] = true;
  /* public data also act through derived data */
  for (int k = 0; k < 2 * PROBES; k++)
    gradyn_model_derive_transposed(ev->model, w->bar[k / PROBES] + k % PROBES * w->mech->nx);
  for (int i = 0; w->data && i < ev->public_count; i++)
    if (is_singular(w, 1, &ev->public_data[i], &one, near))
      w->data[i] = true;
}

/* Marks the data that move combinations u of the constraints in the position w->q at time t, s. A
 * combination counts if its gradient is below `near`. Phi_x is evaluated at the time `law`, s. */
static gradyn_status mark_at(marking *w, double t, double law, double near)
{
  int m = w->mech->m;
  const gradyn_mech_state at = {.t = t, .q = w->q, .v = w->v, .a = w->rest};
  gradyn_mech_state moved = at;
  moved.t = law;
  choose(w->r, PROBES * m);
  GRADYN_TRY(gradyn_singularity_monitor_project(&w->watch, &at, near, PROBES, w->r));
  /* products with P r; then choose() restores r */
  GRADYN_TRY(carry(w, &moved, w->bar[1]));
  choose(w->r, PROBES * m);
  for (int i = 0; i < PROBES * m; i++)
    /* the projection has scaled the rows of Phi_q to length one, so r needs the same scale */
    w->r[i] *= w->watch.scale[i % m];
  /* products with r */
  GRADYN_TRY(carry(w, &moved, w->bar[0]));
  mark(w, near);
  return GRADYN_OK;
}

/* Marks data at the singular position between the previous node and this one. There sigma, the smallest
 * singular value with its sign, is zero; the position follows by linear interpolation. Because the motion
 * is curved, the error of position and of sigma is of second order in the step. */
static gradyn_status mark_between(marking *w, double before, double t, const double *q)
{
  /* sigma changes its sign at the singular position, which is at `share` of the step */
  double span = w->watch.sigma - w->watch.turned, share = span > 0 ? -w->watch.turned / span : 1;
  for (int i = 0; i < w->mech->n; i++)
    w->q[i] = w->past[i] + share * (q[i] - w->past[i]);
  t = before + share * (t - before);
  return mark_at(w, t, t, pow(span, 1.5));
}

/* Examines the first position q and velocities v of a run. If constraints are redundant, marks the data
 * that move them, and returns GRADYN_SINGULAR. */
static gradyn_status look_first(marking *w, const double *q, const double *v)
{
  gradyn_status status = gradyn_singularity_monitor_check(&w->watch, &(gradyn_mech_state){.q = q});
  if (status == GRADYN_OK && w->watch.sigma < redundant)
    status = GRADYN_SINGULAR;
  if (status != GRADYN_SINGULAR)
    return status;
  memcpy(w->q, q, (size_t)w->mech->n * sizeof *q);
  w->v = v;
  /* evaluated at the end of the run: there all coefficients of a function of time move its constraint */
  GRADYN_TRY(mark_at(w, 0, gradyn_model_end(w->ev->model), redundant));
  return GRADYN_SINGULAR;
}

/* Examines the stored nodes of a run with fixed steps. */
static gradyn_status walk(marking *w)
{
  gradyn_fixed *march = w->march;
  double before = 0;
  for (int k = 0; k <= march->count; k++) {
    const double *from, *to, *y, t = gradyn_fixed_time(march, k);
    GRADYN_TRY(gradyn_fixed_nodes(march, k < march->count ? k : k - 1, &from, &to));
    /* nodes with positions only */
    GRADYN_TRY(
        gradyn_fixed_output_state(march, k, k < march->count ? from : to, GRADYN_POSITIONS, &y));
    /* the monitor detects singular positions between consecutive nodes */
    const gradyn_mech_state at = {.t = t, .q = y};
    gradyn_status status = k == 0 ? look_first(w, y, w->rest)
                                  : gradyn_singularity_monitor_check(&w->watch, &at);
    /* constraints are redundant throughout: all data are marked */
    if (k == 0 && status == GRADYN_SINGULAR)
      return GRADYN_OK;
    if (status == GRADYN_SINGULAR) {
      /* mark data where sigma vanishes between both nodes */
      GRADYN_TRY(mark_between(w, before, t, y));
      status = gradyn_singularity_monitor_check(&w->watch, &at);
    }
    GRADYN_TRY(status);
    /* the next interval begins at this node */
    memcpy(w->past, y, (size_t)w->mech->n * sizeof *y);
    before = t;
  }
  return GRADYN_OK;
}

/* Marks data at all singular positions of a run whose nodes are stored. */
static gradyn_status mark_all(gradyn_evaluator *ev, gradyn_fixed *march, bool *data,
                              bool *parameters)
{
  OWNED_UNTIL_END(clear)
  marking w = {
      .ev = ev, .march = march, .mech = ev->model->mech, .data = data, .parameters = parameters};
  GRADYN_TRY(take_memory(&w));
  return walk(&w);
}

/* Assembles the start of a run, and marks data in this position. */
static gradyn_status assemble_first(marking *w, gradyn_initial *first)
{
  GRADYN_TRY(gradyn_initial_create(w->mech, GRADYN_ASSEMBLY, first));
  GRADYN_TRY(gradyn_initial_solve(first));
  GRADYN_TRY(take_memory(w));
  return look_first(w, first->q, first->v);
}

/* Marks data at the assembled start only. Constraints that are redundant there are redundant throughout the
 * run. */
static gradyn_status mark_first(gradyn_evaluator *ev, bool *data, bool *parameters)
{
  OWNED_UNTIL_END(clear)
  marking w = {.ev = ev, .mech = ev->model->mech, .data = data, .parameters = parameters};
  LOCAL(gradyn_initial) first = {0};
  if (w.mech->m == 0) /* without constraints there is no singular position */
    return GRADYN_OK;
  gradyn_discrete_state_enter(ev->model, (gradyn_discrete_state){0});
  const gradyn_status status = assemble_first(&w, &first);
  return status == GRADYN_SINGULAR ? GRADYN_OK : status;
}

/* Marks data and parameters by which the motion at rho cannot be differentiated. */
static gradyn_status mark_data(gradyn_evaluator *ev, const double *rho, bool *data,
                               bool *parameters)
{
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  gradyn_mech *mech = ev->model->mech;
  gradyn_fixed *march = ev->method->integration.fixed ? ev->method->integration.fixed(ev->run)
                                                      : NULL;
  if (data)
    memset(data, 0, (size_t)ev->public_count * sizeof *data);
  if (parameters)
    memset(parameters, 0, ev->parameters.count * sizeof *parameters);
  if (!mech || mech->m == 0)
    return GRADYN_OK;
  if (parameters)
    GRADYN_TRY(gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho));
  /* all data are examined */
  if (mech->ops->activate)
    mech->ops->activate(mech, NULL);
  if (march)
    GRADYN_TRY(gradyn_fixed_run(march, true, NULL, NULL));
  GRADYN_TRY(march ? mark_all(ev, march, data, parameters) : mark_first(ev, data, parameters));
  gradyn_message_clear(mech->message); /* remove messages about singular positions */
  return GRADYN_OK;
}

/* Marks parameters of all load cases; data are those of the first case. */
static gradyn_status mark_cases(gradyn_evaluator *ev, const double *rho, bool *data,
                                bool *parameters)
{
  if (parameters)
    memset(parameters, 0, ev->parameters.count * sizeof *parameters);
  for (size_t k = 0; k < ev->load.all->count; k++) {
    const gradyn_case_part *part = &ev->load.all->part[k];
    const size_t p = gradyn_parameter_count(part->ev);
    FREED bool *own = calloc(p + 1, sizeof *own);
    const gradyn_status status = own ? gradyn_evaluator_singular_data(part->ev,
                                                                      gradyn_case_point(ev, k, rho),
                                                                      k == 0 ? data : NULL, own)
                                     : GRADYN_NO_MEMORY;
    if (status != GRADYN_OK)
      return gradyn_case_fail(ev, k, status);
    for (size_t j = 0; j < p && parameters; j++)
      parameters[part->parameter[j]] = parameters[part->parameter[j]] || own[j];
  }
  return GRADYN_OK;
}

/* Methods with fixed steps run once more. Other methods end at singular positions, so that only the start
 * is examined. A separate evaluator is used, so that the given one keeps its last run. */
gradyn_status gradyn_evaluator_singular_data(gradyn_evaluator *ev, const double *rho, bool *data,
                                             bool *parameters)
{
  if (!ev || !ev->sample) /* `sample` is allocated last */
    return GRADYN_INVALID;
  gradyn_message_clear(&ev->message);
  if (!rho && ev->parameters.count > 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "rho is NULL");
  if (ev->load.all)
    return mark_cases(ev, rho, data, parameters);
  OWNED(gradyn_evaluator) *twin = NULL;
  gradyn_options options = ev->options;
  options.method = ev->method->name; /* the method that "auto" has chosen */
  options.t_end = ev->model->span.given;
  gradyn_status status = gradyn_evaluator_clone(ev, &options, &twin);
  if (status == GRADYN_OK)
    status = mark_data(twin, rho, data, parameters);
  if (status != GRADYN_OK) {
    if (twin)
      (void)gradyn_evaluator_report(twin, status);
    gradyn_message_add(&ev->message, "%s", twin ? twin->message.text : "out of memory");
  }
  return status;
}
