/* Data by which a motion cannot be differentiated. Where a motion passes a singular position, combinations
 * of its constraints vanish in their slopes, u^T Phi_q = 0. A datum that moves one of them, u^T Phi_x !=
 * 0, closes the way through or opens another one: functionals jump there, and the derivative of a discrete
 * run, which grows like one over the distance of its nodes from the position, means nothing. Redundant
 * constraints are the same all along.
 *
 * The space of all u is met by projecting random vectors onto it: the products of their projections with
 * Phi_x compare with those of the vectors themselves as the parts of columns of Phi_x in that space with
 * the columns. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/gradient/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/rolling.h"
#include "dae/start/initial.h"
#include "dae/linear/singularity_monitor.h"

enum { PROBES = 3 };

/* Singular values of redundant constraints, with rows of length one, are below this. */
static const double redundant = 1e-5;

/* Part of a column of Phi_x in the space of u from which on it counts. */
static const double counts = 1e-3;

typedef struct marking {
  gradyn_evaluator *ev;
  gradyn_fixed *march;
  gradyn_mech *mech;
  gradyn_singularity_monitor watch;
  double *r;               /* [PROBES][m] */
  double *q;               /* [n] in the singular position */
  double *past;            /* [n] at the node before */
  double *rest;            /* [n] zero */
  const double *v;         /* [n] where rows of velocities alone are looked at; borrowed */
  gradyn_lanes *mu[2];     /* [n + m] of places, and of velocities alone */
  double *bar[2];          /* [PROBES][nx] of the vectors, and of their projections */
  bool *data, *parameters; /* NULL: not wanted */
} marking;

/* Vectors of PROBES probes side by side; one block for all that is double. */
static gradyn_status take_memory(marking *w)
{
  size_t n = (size_t)w->mech->n, m = (size_t)w->mech->m, nx = (size_t)w->mech->nx;
  /* r: PROBES combinations of rows; places; what data do to both */
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

/* The march and its model stay. */
static void clear(marking *w)
{
  gradyn_singularity_monitor_clear(&w->watch);
  free(w->r);
  free(w->mu[0]);
}

/* The same numbers of either sign every time. */
static void choose(double *r, int count)
{
  for (int i = 0; i < count; i++)
    r[i] = sin(1.3 * i + 0.4 * i * i + 1) > 0 ? 1 + 0.5 * sin(7.1 * i) : -1 - 0.5 * sin(3.7 * i);
}

/* bar [PROBES][nx] = Phi_x^T r, of rows of velocities alone psi_x^T r. */
static gradyn_status carry(marking *w, const gradyn_mech_state *at, double *bar)
{
  int n = w->mech->n, m = w->mech->m;
  const gradyn_mech_term term[] = {{0, 0, *at}, {0, 1, *at}};
  const gradyn_mech_point look = {w->mech->rolling > 0 ? 2 : 1, term, at};
  memset(w->mu[0], 0, 2 * (size_t)(n + m) * sizeof *w->mu[0]);
  for (int k = 0; k < PROBES; k++)
    for (int i = 0; i < m; i++)
      /* against() subtracts (R; Phi)_x^T mu: with -r it adds */
      w->mu[gradyn_mech_rolls(w->mech, i)][n + i][k] = -w->r[k * m + i];
  memset(bar, 0, PROBES * (size_t)w->mech->nx * sizeof *bar);
  return w->mech->ops->against(w->mech, &look, PROBES, w->mu, &(gradyn_mech_adjoints){.x = bar});
}

/* A direction of data, whose entries stand at index [count] with values: sums of squares over the probes
 * of the products with both bars, and of their terms. */
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
  /* the projection itself is off by near^2, as the position is; so is what is left where terms cancel */
  const double off = 100 * near * near;
  return sqrt(part) > off * sqrt(terms) && sqrt(part) > (counts + off) * sqrt(whole);
}

/* Parameters by their columns of dx/drho, data by their own entries. */
static void mark(marking *w, double near)
{
  const gradyn_evaluator *ev = w->ev;
  const gradyn_directions *D = &ev->by_rho;
  const double one = 1;
  for (int j = 0; w->parameters && j < D->count; j++)
    if (is_singular(w, D->start[j + 1] - D->start[j], D->index + D->start[j],
                    D->value + D->start[j], near))
      w->parameters[j] = true;
  /* what users know as data: with the share of what is derived from them */
  for (int k = 0; k < 2 * PROBES; k++)
    gradyn_model_derive_transposed(ev->model, w->bar[k / PROBES] + k % PROBES * w->mech->nx);
  for (int i = 0; w->data && i < ev->public_count; i++)
    if (is_singular(w, 1, &ev->public_data[i], &one, near))
      w->data[i] = true;
}

/* Marks what moves the combinations of constraints whose slopes vanish in the position w->q, but for
 * `near`, by what data do to them at the time `law`. */
static gradyn_status mark_at(marking *w, double t, double law, double near)
{
  int m = w->mech->m;
  const gradyn_mech_state at = {.t = t, .q = w->q, .v = w->v, .a = w->rest};
  gradyn_mech_state moved = at;
  moved.t = law;
  choose(w->r, PROBES * m);
  GRADYN_TRY(gradyn_singularity_monitor_project(&w->watch, &at, near, PROBES, w->r));
  /* the directions without rows that have become dependent */
  GRADYN_TRY(carry(w, &moved, w->bar[1]));
  choose(w->r, PROBES * m);
  for (int i = 0; i < PROBES * m; i++)
    /* the projection scales rows to length one: so must what it is compared with */
    w->r[i] *= w->watch.scale[i % m];
  /* the same directions, without projection */
  GRADYN_TRY(carry(w, &moved, w->bar[0]));
  mark(w, near);
  return GRADYN_OK;
}

/* The singular position between the last node and this one, where sigma, taken as linear, is zero. The
 * motion curves away from that by the square of what it moves by, and sigma with it: what is nearly
 * singular lies between. */
static gradyn_status mark_between(marking *w, double before, double t, const double *q)
{
  /* sigma, with the sign turned behind the position, is zero at `share` of the way */
  double span = w->watch.sigma - w->watch.turned, share = span > 0 ? -w->watch.turned / span : 1;
  for (int i = 0; i < w->mech->n; i++)
    w->q[i] = w->past[i] + share * (q[i] - w->past[i]);
  t = before + share * (t - before);
  return mark_at(w, t, t, pow(span, 1.5));
}

/* The first position q of a run. Where constraints are redundant all along, marks what moves them;
 * GRADYN_SINGULAR: so it is. */
static gradyn_status look_first(marking *w, const double *q, const double *v)
{
  gradyn_status status = gradyn_singularity_monitor_check(&w->watch, &(gradyn_mech_state){.q = q});
  if (status == GRADYN_OK && w->watch.sigma < redundant)
    status = GRADYN_SINGULAR;
  if (status != GRADYN_SINGULAR)
    return status;
  memcpy(w->q, q, (size_t)w->mech->n * sizeof *q);
  w->v = v;
  /* all coefficients of a law in time move its row behind t = 0 */
  GRADYN_TRY(mark_at(w, 0, gradyn_model_end(w->ev->model), redundant));
  return GRADYN_SINGULAR;
}

/* The nodes of a march that has kept them. */
static gradyn_status walk(marking *w)
{
  gradyn_fixed *march = w->march;
  double before = 0;
  for (int k = 0; k <= march->count; k++) {
    const double *from, *to, *y, t = gradyn_fixed_time(march, k);
    GRADYN_TRY(gradyn_fixed_nodes(march, k < march->count ? k : k - 1, &from, &to));
    /* positions alone tell what rows do */
    GRADYN_TRY(gradyn_fixed_look(march, k, k < march->count ? from : to, GRADYN_POSITIONS, &y));
    /* a look from node to node tells what lies between */
    const gradyn_mech_state at = {.t = t, .q = y};
    gradyn_status status = k == 0 ? look_first(w, y, w->rest)
                                  : gradyn_singularity_monitor_check(&w->watch, &at);
    /* all along the way: nothing to be marked between nodes */
    if (k == 0 && status == GRADYN_SINGULAR)
      return GRADYN_OK;
    if (status == GRADYN_SINGULAR) {
      /* where it is least, between both nodes */
      GRADYN_TRY(mark_between(w, before, t, y));
      status = gradyn_singularity_monitor_check(&w->watch, &at);
    }
    GRADYN_TRY(status);
    /* the next singular position lies behind this node */
    memcpy(w->past, y, (size_t)w->mech->n * sizeof *y);
    before = t;
  }
  return GRADYN_OK;
}

/* Along a march whose nodes are kept. */
static gradyn_status mark_all(gradyn_evaluator *ev, gradyn_fixed *march, bool *data,
                              bool *parameters)
{
  OWNED_UNTIL_END(clear)
  marking w = {
      .ev = ev, .march = march, .mech = ev->model->mech, .data = data, .parameters = parameters};
  GRADYN_TRY(take_memory(&w));
  return walk(&w);
}

/* In the position in which a run starts. */
static gradyn_status assemble_first(marking *w, gradyn_initial *first)
{
  GRADYN_TRY(gradyn_initial_create(w->mech, GRADYN_ASSEMBLY, first));
  GRADYN_TRY(gradyn_initial_solve(first));
  GRADYN_TRY(take_memory(w));
  return look_first(w, first->q, first->v);
}

/* By assembly: constraints that are redundant at the start are so all along. */
static gradyn_status mark_first(gradyn_evaluator *ev, bool *data, bool *parameters)
{
  OWNED_UNTIL_END(clear)
  marking w = {.ev = ev, .mech = ev->model->mech, .data = data, .parameters = parameters};
  LOCAL(gradyn_initial) first = {0};
  if (w.mech->m == 0) /* nothing can be */
    return GRADYN_OK;
  gradyn_discrete_state_enter(ev->model, (gradyn_discrete_state){0});
  const gradyn_status status = assemble_first(&w, &first);
  return status == GRADYN_SINGULAR ? GRADYN_OK : status;
}

/* Data whose derivatives do not exist since the motion passes a singular position that they
 * move, or constraints are redundant. */
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
  /* all data are asked about */
  if (mech->ops->activate)
    mech->ops->activate(mech, NULL);
  if (march)
    GRADYN_TRY(gradyn_fixed_march(march, true, NULL, NULL));
  GRADYN_TRY(march ? mark_all(ev, march, data, parameters) : mark_first(ev, data, parameters));
  gradyn_message_clear(mech->message); /* of the positions that have been passed */
  return GRADYN_OK;
}

/* The same of all load cases; data are those of the first. */
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

/* A method with fixed steps marches once more; others end at singular positions, so that the first one tells
 * all. An evaluator of its own does it: the one in hand goes on telling of its last run. */
gradyn_status gradyn_evaluator_singular_data(gradyn_evaluator *ev, const double *rho, bool *data,
                                             bool *parameters)
{
  if (!ev || !ev->sample) /* taken last: it has been created in full */
    return GRADYN_INVALID;
  gradyn_message_clear(&ev->message);
  if (!rho && ev->parameters.count > 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "rho is NULL");
  if (ev->load.all)
    return mark_cases(ev, rho, data, parameters);
  OWNED(gradyn_evaluator) *twin = NULL;
  gradyn_options options = ev->options;
  options.method = ev->method->name; /* that which "auto" has chosen */
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
