/* A nominal run: nodes, charts, and products with the linearisation. Regulators integrate Riccati's equation
 * along it. Each interval between nodes is smooth; each event is a jump with its saltation matrix. */
#include "adjoint/analyses/nominal.h"
#include "core/model/same_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/events/arcs.h"

/* A chart is poor if a dependent coordinate moves more than this many times as far as an independent one. */
static const double poor = 30;

/* --- charts ------------------------------------------------------------------------------------- */

/* Returns the state (q, v) of a mechanism in z. */
static gradyn_mech_state state_of(const gradyn_nominal *s, double t, const double *z)
{
  return (gradyn_mech_state){.t = t, .q = z, .v = z + s->nz / 2};
}

int gradyn_nominal_size(const gradyn_nominal *s, int chart)
{
  return s->model->mech ? gradyn_chart_size(&s->chart[chart]) : s->nz;
}

int gradyn_nominal_positions(const gradyn_nominal *s, int chart)
{
  return s->model->mech ? s->chart[chart].position.count : s->nz;
}

int gradyn_nominal_index(const gradyn_nominal *s, int chart, int i)
{
  return s->model->mech ? gradyn_chart_index(&s->chart[chart], i) : i;
}

/* Returns the largest change of a dependent coordinate, times its length scale, for a unit change of an
 * independent one. */
static double worst_of(const gradyn_nominal *s, const gradyn_independent *c)
{
  const double *length_scale = s->model->mech->length_scale;
  double worst = 0;
  /* each row gives dq_pivot = -sum entry dq_k */
  for (int i = 0; i < c->m; i++)
    for (int k = 0; k < c->count && c->pivot[i] >= 0; k++) {
      double entry = c->rows[(size_t)i * (size_t)(c->n + c->m) + (size_t)c->at[k]];
      worst = fmax(worst, fabs(entry) * length_scale[c->pivot[i]] / length_scale[c->at[k]]);
    }
  return worst;
}

/* Returns whether independent positions or rates move dependent ones too far. */
static bool is_poor(const gradyn_nominal *s, const gradyn_chart *c)
{
  return fmax(worst_of(s, &c->position), c->divided ? worst_of(s, &c->rate) : 0) > poor;
}

/* Returns whether a chart belongs to the present mode and is not poor at (t, z). */
static bool serves(gradyn_nominal *s, int chart, double t, const double *z)
{
  const gradyn_mech_state at = state_of(s, t, z);
  gradyn_chart *c = &s->chart[chart];
  return gradyn_charting_fits(&s->charting, c, &at) && !is_poor(s, c);
}

/* Adds a chart for (t, z), with the requested coordinates or, if these are poor, with the best ones. */
static gradyn_status add_chart(gradyn_nominal *s, double t, const double *z)
{
  const gradyn_mech_state at = state_of(s, t, z);
  /* realloc may move charts: they own their arrays */
  gradyn_chart *more = realloc(s->chart, ((size_t)s->charts + 1) * sizeof *more);
  if (!more)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
  s->chart = more;
  gradyn_chart *c = &more[s->charts++];
  /* counted first, so that clear() frees it after a failure */
  GRADYN_TRY(gradyn_chart_create(s->model->mech, c));
  GRADYN_TRY(gradyn_charting_choose(&s->charting, c, &at));
  /* after the first chart, requested coordinates are only preferred */
  if (s->charts == 1 || !is_poor(s, c))
    return GRADYN_OK;
  memset(s->raw, 0, (size_t)s->nz * sizeof *s->raw);
  return gradyn_chart_choose(c, s->model->discrete.mode, &at, s->charting.loose, s->raw);
}

/* Chooses the chart of the last node: the chart of the node before, another existing one, or a new one. */
static gradyn_status choose_chart(gradyn_nominal *s)
{
  gradyn_nominal_node *node = &s->node[s->count - 1];
  const double *z = s->z + (size_t)(s->count - 1) * (size_t)s->nz;
  if (!s->model->mech)
    return GRADYN_OK;
  gradyn_charting_loosen(&s->charting);
  node->chart = s->count > 1 ? node[-1].chart : 0;
  if (s->charts > 0 && serves(s, node->chart, node->t, z))
    return GRADYN_OK;
  for (int c = 0; c < s->charts; c++)
    if (serves(s, c, node->t, z)) {
      node->chart = c;
      return GRADYN_OK;
    }
  gradyn_message_clear(&s->model->message); /* charts that do not fit may have left a message */
  node->chart = s->charts;
  return add_chart(s, node->t, z);
}

/* Computes L [size][nz]: the change of z for a unit change of each independent coordinate or rate, with
 * constraints satisfied. */
gradyn_status gradyn_nominal_lift(gradyn_nominal *s, int chart, double t, const double *z)
{
  const gradyn_mech_state at = state_of(s, t, z);
  if (s->model->mech)
    GRADYN_TRY(gradyn_chart_move(&s->chart[chart], &at));
  for (int j = 0; j < gradyn_nominal_size(s, chart); j++) {
    double *column = s->L + (size_t)j * (size_t)s->nz;
    if (s->model->mech)
      gradyn_chart_lift(&s->chart[chart], j, column);
    else
      column[j] = 1; /* all states of general equations are independent */
  }
  return GRADYN_OK;
}

/* Computes E, the linearised change from node k to the next chart: by an event, or by a change of
 * coordinates only. */
gradyn_status gradyn_nominal_jump(gradyn_nominal *s, int k, double *E)
{
  const gradyn_nominal_node *node = &s->node[k], *next = node + 1;
  const bool event = node->event >= 0;
  const int before = gradyn_nominal_size(s, node->chart),
            behind = gradyn_nominal_size(s, next->chart);
  /* E = (selection in the next chart) (saltation, or unit matrix) (lift in this chart) */
  const double *z = s->z + (size_t)(event ? k : k + 1) * (size_t)s->nz;
  GRADYN_TRY(gradyn_nominal_lift(s, node->chart, event ? node->t : next->t, z));
  if (event)
    GRADYN_TRY(gradyn_crossing_prepare(&s->crossing, &s->model->log.record[node->event], z));
  for (int j = 0; j < before; j++) {
    double *d = s->L + (size_t)j * (size_t)s->nz;
    if (event)
      GRADYN_TRY(gradyn_crossing_carry(&s->crossing, d));
    for (int i = 0; i < behind; i++)
      E[i * before + j] = d[gradyn_nominal_index(s, next->chart, i)];
  }
  return GRADYN_OK;
}

/* --- linearisation ------------------------------------------------------------------------------ */

void gradyn_nominal_enter(gradyn_nominal *s, int k)
{
  const gradyn_nominal_node *node = &s->node[k];
  const bool last = k > 0 && k + 1 == s->count;
  double other = last ? node[-1].t : k + 1 < s->count ? node[1].t : node->t;
  const gradyn_discrete_state discrete = {node->discrete.mode, node->discrete.passed,
                                          (node->t + other) / 2};
  gradyn_discrete_state_enter(s->model, discrete);
}

/* Sets dstage for `some` columns from column j on: unit disturbances, or changes dx [columns][nx] of the
 * data if dx is not NULL. */
static gradyn_status take_lanes(gradyn_nominal *s, int j, int some, const double *dx)
{
  memset(s->dz, 0, (size_t)s->nz * sizeof *s->dz);
  for (int l = 0; l < some && !dx; l++)
    for (int i = 0; i < s->nz; i++)
      s->dz[i][l] = s->L[(size_t)(j + l) * (size_t)s->nz + (size_t)i];
  const gradyn_rates_change d = {.x = dx ? dx + (size_t)j * (size_t)s->model->nx : s->none};
  return s->rates->ops->tangent(s->rates, some, s->dz, &d, s->dstage);
}

/* Computes `count` columns of A (dx NULL) or B, in lanes, to out [size][count]. */
static gradyn_status take_columns(gradyn_nominal *s, int chart, int count, const double *dx,
                                  double *out)
{
  const int size = gradyn_nominal_size(s, chart), rates = s->rates->rates;
  for (int j = 0; j < count; j += GRADYN_LANES) {
    const int some = count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
    /* w' = E f_z L w + E f_x dx, with constant independent coordinates within a chart */
    GRADYN_TRY(take_lanes(s, j, some, dx));
    for (int l = 0; l < some; l++)
      for (int i = 0; i < size; i++)
        out[i * count + j + l] = s->dstage[rates + gradyn_nominal_index(s, chart, i)][l];
  }
  return GRADYN_OK;
}

/* Computes z' and, with matrices, A = E f_z L and B = E f_x dx of w' = A w + B u. */
gradyn_status gradyn_nominal_rates(gradyn_nominal *s, int chart, double t, const double *z,
                                   const gradyn_nominal_matrices *matrices, double *k)
{
  gradyn_rates *rates = s->rates;
  GRADYN_TRY(rates->ops->stage(rates, t, z, NULL, s->stage));
  memcpy(k, s->stage + rates->rates, (size_t)s->nz * sizeof(double));
  if (!matrices)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_nominal_lift(s, chart, t, z));
  GRADYN_TRY(rates->ops->linearise(rates, t, s->stage));
  GRADYN_TRY(take_columns(s, chart, gradyn_nominal_size(s, chart), NULL, matrices->A));
  return take_columns(s, chart, matrices->inputs, matrices->dx, matrices->B);
}

gradyn_status gradyn_nominal_states(gradyn_nominal *s, int chart, double t, const double *z,
                                    double *dy)
{
  gradyn_rates *rates = s->rates;
  const int size = gradyn_nominal_size(s, chart);
  GRADYN_TRY(gradyn_nominal_lift(s, chart, t, z));
  GRADYN_TRY(rates->ops->stage(rates, t, z, NULL, s->stage));
  GRADYN_TRY(rates->ops->linearise(rates, t, s->stage));
  for (int j = 0; j < size; j += GRADYN_LANES) {
    const int some = size - j < GRADYN_LANES ? size - j : GRADYN_LANES;
    GRADYN_TRY(take_lanes(s, j, some, NULL));
    for (int l = 0; l < some; l++)
      for (int i = 0; i < rates->ny; i++)
        dy[(j + l) * rates->ny + i] = s->dstage[i][l];
  }
  return GRADYN_OK;
}

/* Takes a step of length h from (t, z) by the explicit method of order 8; z in place. */
static gradyn_status take_step(gradyn_nominal *s, double t, double h, double *z)
{
  const gradyn_tableau *tableau = s->tableau;
  for (int i = 0; i < tableau->stages; i++) {
    memcpy(s->at, z, (size_t)s->nz * sizeof(double));
    /* Z_i = z + h sum a_ij k_j */
    for (int j = 0; j < i; j++)
      for (int l = 0; l < s->nz; l++)
        s->at[l] += h * gradyn_tableau_row(tableau, i)[j] * s->k[j * s->nz + l];
    GRADYN_TRY(gradyn_nominal_rates(s, 0, t + tableau->c[i] * h, s->at, NULL, s->k + i * s->nz));
  }
  /* z + h sum b_i k_i */
  for (int i = 0; i < tableau->stages; i++)
    for (int l = 0; l < s->nz; l++)
      z[l] += h * tableau->b[i] * s->k[i * s->nz + l];
  return GRADYN_OK;
}

/* --- nodes -------------------------------------------------------------------------------------- */

/* Adds a node with the present discrete state and its chart. Arrays grow by doubling. */
static gradyn_status add_node(gradyn_nominal *s, double t, const double *z)
{
  size_t nz = (size_t)s->nz;
  if (s->count == s->capacity) {
    size_t capacity = 2 * (size_t)s->capacity + 256;
    gradyn_nominal_node *node = realloc(s->node, capacity * sizeof *node);
    s->node = node ? node : s->node;
    double *states = realloc(s->z, capacity * nz * sizeof *states);
    s->z = states ? states : s->z;
    if (!node || !states)
      return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %zu nodes",
                         capacity);
    s->capacity = (int)capacity;
  }
  s->node[s->count] = (gradyn_nominal_node){.t = t, .discrete = s->model->discrete, .event = -1};
  memcpy(s->z + (size_t)s->count * nz, z, nz * sizeof *z);
  s->count++;
  /* pieces of signals, and chart, of the arc that begins here */
  gradyn_discrete_state_enter_arc(s->model, t);
  return choose_chart(s);
}

gradyn_status gradyn_nominal_step(gradyn_nominal *s, double h)
{
  const double t = s->node[s->count - 1].t;
  memcpy(s->between, s->z + (size_t)(s->count - 1) * (size_t)s->nz, (size_t)s->nz * sizeof(double));
  gradyn_discrete_state_enter_arc(s->model, t + h / 2);
  GRADYN_TRY(take_step(s, t, h, s->between));
  return add_node(s, t + h, s->between);
}

/* Adds nodes at extra times between the last node and t, by separate steps. *next: first remaining extra
 * time. */
static gradyn_status add_between(gradyn_nominal *s, double t, int *next)
{
  while (*next < s->extras && gradyn_model_later(s->model, t, s->extra[*next])) {
    double to = s->extra[*next];
    const double last = s->node[s->count - 1].t;
    ++*next;
    if (gradyn_model_later(s->model, to, last))
      GRADYN_TRY(gradyn_nominal_step(s, to - last));
  }
  return GRADYN_OK;
}

/* Adds all steps of a run as nodes. If two steps have the same time, the second becomes a node at an event;
 * at a knot of a signal it is left out. */
static gradyn_status add_nodes(gradyn_nominal *s, const gradyn_trajectory *run)
{
  gradyn_model *model = s->model;
  int next = 0;
  gradyn_discrete_state_rewind(model);
  for (size_t i = 0; i < gradyn_trajectory_read(run).steps; i++) {
    double t = gradyn_trajectory_step(run, i, s->y);
    bool same = s->count > 0 && t == s->node[s->count - 1].t;
    const int passed = model->discrete.passed;
    if (same && !(passed < model->log.count && model->log.record[passed].t <= t))
      continue; /* the nodes are before and after a knot */
    if (same) { /* the nodes are before and after an event */
      const int before = model->discrete.mode, event = model->log.record[passed].event;
      s->node[s->count - 1].event = passed;
      gradyn_discrete_state_enter(model,
                                  gradyn_discrete_state_after(model, model->discrete, event));
      gradyn_charting_latch(&s->charting, event, before);
    } else if (s->count > 0)
      GRADYN_TRY(add_between(s, t, &next));
    for (int l = 0; l < s->nz; l++)
      /* the differential states among the columns of the trajectory */
      s->at[l] = s->y[s->rates->position[l]];
    GRADYN_TRY(gradyn_model_cancelled(model, t));
    GRADYN_TRY(add_node(s, t, s->at));
  }
  return GRADYN_OK;
}

/* Orders times for qsort(). */
static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Finds the extra times: knots of signals and samples. */
static gradyn_status find_extra(gradyn_nominal *s, size_t samples)
{
  LOCAL(gradyn_arcs) arcs = {0};
  double end = s->model->x[s->model->t_end];
  GRADYN_TRY(gradyn_arcs_find(s->model, GRADYN_ALL_KNOTS, &arcs));
  free(s->extra);
  s->extras = 0;
  s->extra = calloc((size_t)arcs.count + samples + 1, sizeof(double));
  for (int k = 1; k < arcs.count && s->extra; k++)
    s->extra[s->extras++] = arcs.boundary[k].t;
  if (!s->extra)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
  /* the first and the last sample are nodes of the run */
  for (size_t i = 1; i + 1 < samples; i++)
    s->extra[s->extras++] = end * (double)i / (double)(samples - 1);
  qsort(s->extra, (size_t)s->extras, sizeof(double), ascending);
  return GRADYN_OK;
}

/* Marks the last node at the time of each sample; without samples, all nodes. */
static void mark_reported(gradyn_nominal *s, size_t samples)
{
  double first = s->node[0].t, last = s->node[s->count - 1].t;
  for (int k = 0; k < s->count && samples == 0; k++)
    s->node[k].reported = true;
  for (size_t i = 0, k = 0; i < samples; i++) {
    double t = samples > 1 ? first + (last - first) * (double)i / (double)(samples - 1) : first;
    /* the last node that is not later than the sample */
    while (k + 1 < (size_t)s->count && !gradyn_model_later(s->model, s->node[k + 1].t, t))
      k++;
    s->node[k].reported = true;
  }
}

/* --- life --------------------------------------------------------------------------------------- */

void gradyn_nominal_clear(gradyn_nominal *s)
{
  void *array[] = {s->z, s->extra, s->node};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  gradyn_arena_clear(&s->arena);
  for (int c = 0; c < s->charts; c++)
    gradyn_chart_clear(&s->chart[c]);
  free(s->chart);
  gradyn_crossing_clear(&s->crossing);
  if (s->rates)
    s->rates->ops->free(s->rates);
  *s = (gradyn_nominal){0};
}

/* Allocates workspace; add_node() allocates nodes. */
static gradyn_status take_memory(gradyn_nominal *s)
{
  const gradyn_rates *rates = s->rates;
  size_t nz = (size_t)rates->nz + 1, stages = (size_t)s->tableau->stages;
  s->nz = rates->nz;
  s->stage = gradyn_arena_numbers(&s->arena, (size_t)rates->record + 1);
  s->k = gradyn_arena_numbers(&s->arena, stages * nz);
  s->at = gradyn_arena_numbers(&s->arena, nz);
  s->between = gradyn_arena_numbers(&s->arena, nz);
  s->L = gradyn_arena_numbers(&s->arena, nz * nz);
  s->none = gradyn_arena_numbers(&s->arena, GRADYN_LANES * (size_t)s->model->nx + 1);
  s->raw = gradyn_arena_take(&s->arena, nz, sizeof(int));
  if (s->model->mech)
    gradyn_charting_create(s->model, &s->arena, &s->charting);
  s->dz = gradyn_arena_lanes(&s->arena, nz);
  s->dstage = gradyn_arena_lanes(&s->arena, (size_t)rates->seen + 1);
  if (gradyn_arena_status(&s->arena) == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
}

/* Creates the explicit system of the model, and its workspace. */
static gradyn_status open_rates(gradyn_nominal *s)
{
  gradyn_model *model = s->model;
  gradyn_mech *mech = model->mech;
  if (mech && mech->ops->activate)
    mech->ops->activate(mech, NULL); /* signals are data */
  GRADYN_TRY(mech ? gradyn_rates_from_mech(model, &s->rates)
                  : gradyn_rates_from_equations(model, &s->rates));
  s->tableau = gradyn_tableau_find(8);
  GRADYN_TRY(take_memory(s));
  /* the run ended in its last mode, but the system starts in the first one; start() fails for implicit
   * equations */
  gradyn_discrete_state_rewind(model);
  GRADYN_TRY(s->rates->ops->start(s->rates, s->at));
  if (model->event_count == 0)
    return GRADYN_OK;
  if (!mech)
    return gradyn_fail(
        &model->message, GRADYN_UNSUPPORTED,
        "%s: saltation matrices are available for mechanisms, not for general equations",
        model->event[0].name);
  return gradyn_crossing_create(model, &s->crossing);
}

gradyn_status gradyn_nominal_open(gradyn_model *model, const char *const *wanted, size_t count,
                                  gradyn_nominal *s)
{
  *s = (gradyn_nominal){.model = model};
  GRADYN_TRY(open_rates(s));
  if (!model->mech && count > 0)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "general equations have no coordinate called '%.60s'",
                       wanted[0] ? wanted[0] : "");
  return model->mech ? gradyn_charting_want(&s->charting, wanted, count) : GRADYN_OK;
}

gradyn_status gradyn_nominal_begin(gradyn_nominal *s, double t, const double *z)
{
  s->count = 0;
  gradyn_discrete_state_rewind(s->model);
  return add_node(s, t, z);
}

gradyn_status gradyn_nominal_follow(gradyn_nominal *s, const gradyn_trajectory *run, size_t samples)
{
  GRADYN_TRY(gradyn_log_smooth(s->model));
  s->y = s->y ? s->y : gradyn_arena_numbers(&s->arena, gradyn_trajectory_read(run).columns + 1);
  if (!s->y)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
  GRADYN_TRY(find_extra(s, samples));
  GRADYN_TRY(add_nodes(s, run));
  if (s->model->mech)
    GRADYN_TRY(gradyn_charting_check(&s->charting));
  mark_reported(s, samples);
  for (int c = 0; c < (s->charts > 0 ? s->charts : 1); c++)
    s->size = gradyn_nominal_size(s, c) > s->size ? gradyn_nominal_size(s, c) : s->size;
  return GRADYN_OK;
}

gradyn_status gradyn_nominal_create(gradyn_evaluator *ev, const double *rho,
                                    const char *const *wanted, size_t count, size_t samples,
                                    gradyn_nominal *s)
{
  *s = (gradyn_nominal){.model = ev->model};
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  if (!run)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a trajectory");
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, NULL, run));
  GRADYN_TRY(gradyn_nominal_open(ev->model, wanted, count, s));
  return gradyn_nominal_follow(s, run, samples);
}
