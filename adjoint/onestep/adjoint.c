/* The adjoint sweep of a one-step method: backward through projections, samples and boundaries of arcs. The
 * scheme of the method processes the stages. */
#include "adjoint/onestep/costates.h"
#include "adjoint/onestep/jumps.h"
#include "adjoint/onestep/kinks.h"
#include "adjoint/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/model.h"

/* Kinds of functionals at a sample: at a fixed time (STAYING), or moving with their node (MOVING). */
typedef enum timing { ALL, MOVING, STAYING } timing;

/* Selects the parts of functionals to be differentiated: integrands, or the terminal parts at a sample. */
typedef struct parts {
  double weight;
  int sample;  /* -1: integrands */
  timing when; /* at a sample: which functionals */
} parts;

/* Returns the requested part of functional f; NULL: it has none. */
static const gradyn_functional_ops *part_of(const gradyn_onestep *march, int f, const parts *which)
{
  const gradyn_functional_entry *functional = &march->model->functional[f];
  if (which->sample < 0)
    return functional->integrand;
  if (march->tape.sampled[f] != which->sample ||
      (which->when != ALL && (which->when == STAYING) != gradyn_functional_stays(functional)))
    return NULL;
  return functional->terminal;
}

/* add_parts() for a single row, which is a weighted sum of functionals. */
static gradyn_status add_sum(gradyn_onestep_sweeps *s, const parts *which, const gradyn_sample *at,
                             gradyn_lanes *stage_bar, double *x_bar, gradyn_lanes *t_bar, bool *any)
{
  gradyn_onestep *march = s->march;
  const int *list = march->integral;
  const int count = which->sample < 0 ? march->nq
                                      : gradyn_tape_sampled(&march->tape, which->sample, &list);
  for (int i = 0; i < count; i++) {
    const int f = list[i];
    const gradyn_functional_ops *part = s->weight[f] != 0 ? part_of(march, f, which) : NULL;
    if (!part)
      continue;
    const gradyn_gradients asked = {.count = 1,
                                    .of = {&march->model->functional[f]},
                                    .part = {part},
                                    .weight = {which->weight * s->slope[f]},
                                    .y_bar = stage_bar,
                                    .x_bar = x_bar,
                                    .t_bar = (double *)t_bar};
    *any = true;
    GRADYN_TRY(gradyn_gradients_take(march->model, at, &asked));
  }
  return GRADYN_OK;
}

/* Adds the derivatives of the selected parts of the functionals of a batch to the adjoints of stage, data
 * and time. *any: set if there are such parts. */
static gradyn_status add_parts(gradyn_onestep_sweeps *s, int pack, const parts *which,
                               const gradyn_sample *at, gradyn_lanes *stage_bar, double *x_bar,
                               gradyn_lanes *t_bar, bool *any)
{
  gradyn_onestep *march = s->march;
  const int first = pack * GRADYN_LANES;
  if (s->weight)
    return add_sum(s, which, at, stage_bar, x_bar, t_bar, any);
  gradyn_gradients asked = {.count = gradyn_batch_columns(&s->b, pack),
                            .y_bar = stage_bar,
                            .x_bar = x_bar + first * march->model->nx,
                            .t_bar = (double *)t_bar};
  bool some = false;
  for (int j = 0; j < asked.count; j++) {
    const int f = s->row[first + j];
    if (f < 0) /* a guard */
      continue;
    const gradyn_functional_ops *part = part_of(march, f, which);
    if (!part)
      continue;
    asked.of[j] = &march->model->functional[f];
    asked.part[j] = part;
    asked.weight[j] = which->weight * s->slope[f];
    some = true;
  }
  *any = *any || some;
  return some ? gradyn_gradients_take(march->model, at, &asked) : GRADYN_OK;
}

/* Adds the derivative of the integral of functional `of` by the length h of a step to *h_bar. Stage i
 * contributes weight slope g(Z_i), with weight = b_i. */
static gradyn_status add_length_of(const gradyn_onestep_sweeps *s, int of, double weight,
                                   const gradyn_sample *at, double *h_bar)
{
  gradyn_onestep *march = s->march;
  const gradyn_functional_entry *f = &march->model->functional[of];
  double g = 0;
  GRADYN_TRY(f->integrand ? f->integrand->value(march->model, f, at, &g) : GRADYN_OK);
  /* derivative of slope h b_i g by h */
  *h_bar += weight * s->slope[of] * g;
  return GRADYN_OK;
}

/* Calls add_length_of() for all rows of a batch. */
static gradyn_status add_length(gradyn_onestep_sweeps *s, int pack, double weight,
                                const gradyn_sample *at, gradyn_lanes *h_bar)
{
  double *h = (double *)h_bar;
  for (int i = 0; i < s->march->nq && s->weight; i++) {
    const int f = s->march->integral[i];
    if (s->weight[f] != 0)
      GRADYN_TRY(add_length_of(s, f, weight, at, h));
  }
  for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++)
    if (s->row[pack * GRADYN_LANES + j] >= 0)
      GRADYN_TRY(add_length_of(s, s->row[pack * GRADYN_LANES + j], weight, at, h + j));
  return GRADYN_OK;
}

/* Adds the derivatives of the integrands at stage i of a step to the adjoints of the stage. */
static gradyn_status integrands_back(gradyn_onestep_batches *batches,
                                     const gradyn_onestep_position *step, int i, int pack,
                                     gradyn_onestep_adjoints *adjoints)
{
  gradyn_onestep_sweeps *s = (gradyn_onestep_sweeps *)batches;
  gradyn_onestep *march = s->march;
  const double h = step->h, b = march->tableau->b[i];
  const gradyn_sample at = {step->t + march->tableau->c[i] * h,
                            gradyn_onestep_stage(march, step->stages, i)};
  bool any = false;
  if (b == 0)
    return GRADYN_OK;
  GRADYN_TRY(add_parts(s, pack, &(parts){h * b, -1, ALL}, &at, adjoints->stage, adjoints->x,
                       &adjoints->t, &any));
  if (any && !s->weight) /* only for separate functionals, not for a weighted sum */
    gradyn_onestep_corners_add(s, i, pack, adjoints->stage);
  return s->b.moving ? add_length(s, pack, b, &at, &adjoints->h) : GRADYN_OK;
}

/* Returns whether the functional of row j is at a fixed time. The row of a weighted sum has the kind
 * `when`. */
static bool stays(const gradyn_onestep_sweeps *s, int pack, int j, timing when)
{
  const int f = s->row[pack * GRADYN_LANES + j];
  return s->weight ? when == STAYING : gradyn_functional_stays(&s->march->model->functional[f]);
}

/* Adds the adjoint `bar` of the stage of a sample to the adjoint of z, to x_bar, and to *t_bar. If the node
 * moves by dt, a functional at a fixed time reads the state z - z' dt. */
static gradyn_status stage_back(gradyn_onestep_sweeps *s, int pack, timing when,
                                const double *stage, gradyn_lanes *bar, double *x_bar,
                                gradyn_lanes *t_bar)
{
  gradyn_onestep *march = s->march;
  gradyn_rates *rates = march->rates;
  gradyn_lanes *z_bar = s->b.z + pack * rates->nz,
               *own = s->b.stage + pack * march->kept.slots * rates->nz;
  const int columns = gradyn_batch_columns(&s->b, pack);
  gradyn_lanes along = {0};
  GRADYN_TRY(rates->ops->transposed(rates, columns, bar, own, &(gradyn_rates_sums){.x = x_bar},
                                    s->b.moving ? t_bar : NULL));
  for (int i = 0; i < rates->nz; i++)
    z_bar[i] += own[i];
  gradyn_batch_add_dot(-1, own, stage + rates->rates, rates->nz, &along); /* -z' . z_bar */
  for (int j = 0; j < columns; j++)
    if (stays(s, pack, j, when))
      (*t_bar)[j] = along[j];
  return GRADYN_OK;
}

/* Adds the derivatives of the terminal parts at a sample to the adjoints of a batch. */
static gradyn_status pack_back(gradyn_onestep_sweeps *s, int pack, const parts *which,
                               const gradyn_sample *at, double *x_bar)
{
  const gradyn_rates *rates = s->march->rates;
  gradyn_lanes *bar = s->b.work, t_bar = {0};
  bool any = false;
  memset(bar, 0, (size_t)rates->seen * sizeof *bar);
  GRADYN_TRY(add_parts(s, pack, which, at, bar, x_bar, &t_bar, &any));
  if (any)
    GRADYN_TRY(stage_back(s, pack, which->when, at->y, bar,
                          x_bar + pack * GRADYN_LANES * s->march->model->nx, &t_bar));
  s->b.node.time[pack] += t_bar;
  return GRADYN_OK;
}

/* If adjoints of stages are recorded for stagewise.c, sets the arrays for those of step k. */
static void record_stages(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep *run = s->march;
  if (s->stagewise.recording)
    s->b.record = (gradyn_onestep_stage_adjoints){
        s->stagewise.eta + k * run->kept.slots * run->rates->ny,
        s->stagewise.rates + k * run->kept.slots * run->rates->nz};
}

/* If adjoints are recorded for stagewise.c, sets the array for the sample in record k. */
static void record_sample(gradyn_onestep_sweeps *s, int k)
{
  if (s->stagewise.recording)
    s->march->rates->system->eta = s->stagewise.sampled + k * s->march->rates->ny;
}

/* Adds the derivatives of the terminal parts at the sample in record k to the adjoints. */
static gradyn_status sample_back(void *sweeps, int k)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_rates *rates = s->march->rates;
  double *x_bar = s->x_bar;
  gradyn_sample at;
  if (!gradyn_tape_sample_counts(&s->march->tape, k))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_onestep_sampled(s->march, k, &at));
  GRADYN_TRY(rates->ops->linearise(rates, at.t, at.y));
  record_sample(s, k);
  if (s->weight) { /* in a weighted sum, functionals at fixed times are processed separately */
    GRADYN_TRY(pack_back(s, 0, &(parts){1, k, MOVING}, &at, x_bar));
    return pack_back(s, 0, &(parts){1, k, STAYING}, &at, x_bar);
  }
  for (int pack = 0; pack < s->b.packs; pack++)
    GRADYN_TRY(pack_back(s, pack, &(parts){1, k, ALL}, &at, x_bar));
  return GRADYN_OK;
}

/* Passes the adjoints at the end of step k backward through the projection of the state onto the
 * constraints. */
static gradyn_status arrival_back(gradyn_onestep_sweeps *s, int k, double *stages, double *x_bar)
{
  gradyn_onestep *march = s->march;
  gradyn_rates *rates = march->rates;
  double t = march->step[k].t + march->step[k].h;
  const double *arrival = gradyn_onestep_stage(march, stages, march->kept.slots - 1);
  const bool ends = gradyn_onestep_ends_arc(march, k);
  /* otherwise the rates are still linearised there, at the first stage of the next step */
  if (rates->ops->arrive_transposed &&
      (ends || k >= march->kept.steps || !march->scheme->leaves_start))
    GRADYN_TRY(rates->ops->linearise(rates, t, arrival));
  for (int pack = 0; pack < s->b.active; pack++) {
    gradyn_lanes *z_bar = s->b.z + pack * rates->nz, t_bar = {0};
    if (rates->ops->arrive_transposed && gradyn_lanes_any(rates->nz, z_bar))
      GRADYN_TRY(rates->ops->arrive_transposed(
          rates, gradyn_batch_columns(&s->b, pack), gradyn_onestep_arrival_numbers(march, stages),
          z_bar, x_bar + pack * GRADYN_LANES * march->model->nx, s->b.moving ? &t_bar : NULL));
    s->b.node.time[pack] += t_bar;
    s->b.node.length[pack] = s->b.node.time[pack]; /* the node at the end has the time t + h */
  }
  return GRADYN_OK;
}

/* Adds, for each functional, the effect of an error at the end of step k that has the size of the
 * tolerances. */
static void add_growth(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep *march = s->march;
  int nz = march->rates->nz;
  /* the state at the end of the step, whose error is at most the tolerances */
  const double *z = march->z + (size_t)(k + 1) * (size_t)nz;
  for (int pack = 0; pack < s->b.packs; pack++) {
    const gradyn_lanes *z_bar = s->b.z + pack * nz;
    gradyn_lanes sum = {0};
    /* effect of these errors on the functional, to first order */
    for (int i = 0; i < nz; i++) {
      const double tolerance = march->tolerances.atol[march->rates->position[i]] +
                               march->options.rtol * fabs(z[i]);
      for (int j = 0; j < GRADYN_LANES; j++) /* |z_bar| (atol + rtol |z|) */
        sum[j] += fabs(z_bar[i][j]) * tolerance;
    }
    for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++) {
      const int f = s->row[pack * GRADYN_LANES + j];
      s->reach[f] = s->growth[f] > 0 ? s->reach[f] : sum[j];
      s->growth[f] += sum[j];
    }
  }
}

/* Compares the effects of the errors of all steps with the sizes of functionals. A size is the largest of
 * the value, the integral of |g|, and the effect of the states on the terminal part. */
static void judge_values(gradyn_onestep_sweeps *s, const double *psi)
{
  gradyn_onestep *march = s->march;
  const double rtol = march->options.rtol;
  for (int k = 0; k < s->rows && march->options.step == 0; k++) {
    const int f = s->row[k];
    double size = fmax(fabs(psi[f]), s->reach[f] / rtol);
    for (int i = 0; i < march->nq; i++)
      if (march->integral[i] == f)
        size = fmax(size, fabs(s->slope[f]) * march->sum[i].mass);
    gradyn_note_undetermined(march->model, f, s->growth[f] / rtol, rtol, size,
                             &march->report.found);
  }
}

/* Passes the adjoints backward through the jump at a boundary, with the adjoint of the time of the event. */
static gradyn_status jump_back(void *sweeps, int boundary)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_lanes *t_bar = s->boundary + boundary * s->b.packs;
  for (int pack = 0; pack < s->b.packs; pack++)
    t_bar[pack] += s->b.node.time[pack];
  GRADYN_TRY(gradyn_onestep_jump_against(s, boundary, s->x_bar));
  memcpy(s->b.node.time, t_bar, (size_t)s->b.packs * sizeof *t_bar);
  return GRADYN_OK;
}

/* Passes the adjoints of the length of step k, and of the time of its start, to the boundaries of its arc. */
static void times_back(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep_step *step = &s->march->step[k];
  gradyn_lanes *b0 = s->boundary + step->arc * s->b.packs;
  gradyn_length_against(&(gradyn_length){step->law, step->share}, s->b.packs * GRADYN_LANES,
                        (double *)s->b.node.length, (double *)s->b.node.time,
                        (double *const[2]){(double *)b0, (double *)(b0 + s->b.packs)});
  const int moved = gradyn_onestep_begins_arc(s->march, k) ? s->b.packs : 0;
  for (int pack = 0; pack < moved; pack++) {
    b0[pack] += s->b.node.time[pack];
    s->b.node.time[pack] = (gradyn_lanes){0};
  }
}

/* Processes step k backward, with the guard of an event at its end. Records costates if they are requested.
 */
static gradyn_status step_back(void *sweeps, int k)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_onestep *march = s->march;
  double *x_bar = s->x_bar;
  const bool begins = gradyn_onestep_begins_arc(march, k), record = march->model->span.costates,
             event = march->step[k].law == GRADYN_LENGTH_EVENT;
  gradyn_onestep_position at = {.k = k, .t = march->step[k].t, .h = march->step[k].h, .share = 1};
  if (event)
    GRADYN_TRY(gradyn_onestep_root_begin(s, k));
  if (!s->weight)
    add_growth(s, k);
  /* stages are stored, or computed again from the state at the start of the step */
  GRADYN_TRY(gradyn_onestep_stages(march, k, &at.stages));
  GRADYN_TRY(arrival_back(s, k, at.stages, x_bar));
  if (record)
    GRADYN_TRY(gradyn_onestep_costates_add(
        s, at.t + at.h, gradyn_onestep_stage(march, at.stages, march->kept.slots - 1), true));
  /* kinks of integrands are detected by comparing the stages of this step */
  gradyn_onestep_corners_begin(s, s->b.packs);
  record_stages(s, k);
  GRADYN_TRY(march->scheme->against(&s->b, &at, x_bar));
  if (!s->weight) {
    gradyn_onestep_corners_judge(s, k);
    GRADYN_TRY(gradyn_onestep_kinks_against(s, k));
  }
  if (event)
    gradyn_onestep_root_against(s);
  if (s->b.moving)
    times_back(s, k);
  if (begins) /* the data may have other values in the arc before */
    gradyn_onestep_gather(s, x_bar);
  return record && begins ? gradyn_onestep_costates_add(
                                s, at.t, gradyn_onestep_stage(march, at.stages, 0), false)
                          : GRADYN_OK;
}

static const gradyn_record_ops back = {step_back, jump_back, sample_back};

/* Passes the adjoints of the first node, and of the boundaries of arcs, to the data. */
static gradyn_status finish(gradyn_onestep_sweeps *s, int row, double *x_bar)
{
  gradyn_onestep *march = s->march;
  int nz = march->rates->nz, pack = row / GRADYN_LANES, j = row % GRADYN_LANES;
  double *z_bar = march->trial;
  /* adjoints of boundary times become adjoints of data; the time of the first node is that of the first
   * boundary */
  s->boundary[pack][j] += s->b.node.time[pack][j];
  for (int b = 0; b <= march->arcs.count && s->b.moving; b++)
    gradyn_boundary_transposed(&march->arcs.boundary[b], s->boundary[b * s->b.packs + pack][j],
                               x_bar);
  for (int i = 0; i < nz; i++)
    z_bar[i] = s->b.z[pack * nz + i][j];
  return march->rates->ops->start_transposed(march->rates, z_bar, x_bar);
}

/* Starts the adjoints with psi = outer(inner, t_end): sets the slopes by inner, and the adjoint of the end
 * time. */
static void begin(gradyn_onestep_sweeps *s)
{
  gradyn_lanes *last = s->boundary + s->march->arcs.count * s->b.packs;
  gradyn_tape_slopes(&s->march->tape, &s->march->arcs, s->march->inner, s->slope, s->end_bar);
  for (int f = 0; f < s->march->nf && s->weight; f++) {
    s->slope[f] *= s->weight[f];
    last[0][0] += s->weight[f] * s->end_bar[f];
  }
  for (int k = 0; k < s->rows && !s->weight; k++)
    last[k / GRADYN_LANES][k % GRADYN_LANES] += s->end_bar[s->row[k]];
}

/* Selects a row for each requested functional. Functionals that read no state are last: unless events
 * depend on states, they have no adjoints of states, and a batch of such rows costs almost nothing. */
static void list_rows(gradyn_onestep_sweeps *s)
{
  const gradyn_functional_entry *functional = s->march->model->functional;
  s->rows = 0;
  for (int last = 0; last < 2; last++)
    for (int f = 0; f < s->march->nf; f++)
      if (!functional[f].skipped && functional[f].data_only == last)
        s->row[s->rows++] = f;
}

/* Copies the rows of s->x_bar to their functionals. Functionals without a row get zeros. */
static void spread_rows(const gradyn_onestep_sweeps *s, double *x_bar)
{
  const size_t nx = (size_t)s->march->model->nx;
  memset(x_bar, 0, (size_t)s->march->nf * nx * sizeof *x_bar);
  for (int k = 0; k < s->rows; k++)
    memcpy(x_bar + (size_t)s->row[k] * nx, s->x_bar + (size_t)k * nx, nx * sizeof *x_bar);
}

/* Sweeps back over the last run for all rows, and sets their adjoints s->x_bar. */
static gradyn_status sweep_back(gradyn_onestep_sweeps *s, const bool *active)
{
  gradyn_onestep *march = s->march;
  GRADYN_TRY(gradyn_onestep_sweeps_reserve(s, s->rows, 1));
  memset(s->x_bar, 0, (size_t)s->rows * (size_t)march->model->nx * sizeof *s->x_bar);
  gradyn_onestep_sweeps_activate(s, active);
  s->b.integrands = integrands_back;
  /* with events, times depend on all data; otherwise only if active data move boundaries of arcs */
  s->b.moving = march->model->log.count > 0 || gradyn_arcs_move(&march->arcs, active);
  begin(s);
  GRADYN_TRY(s->rows > 0 ? gradyn_tape_against(&march->tape, &back, s) : GRADYN_OK);
  /* enter the first arc, since the initial state depends on its signals */
  gradyn_onestep_enter(march, 0);
  for (int k = 0; k < s->rows; k++)
    GRADYN_TRY(finish(s, k, s->x_bar + k * march->model->nx));
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_adjoint_of_sum(gradyn_onestep_sweeps *s, const double *weight,
                                            const bool *active, double *x_bar)
{
  s->weight = weight;
  s->rows = 1;
  s->row[0] = GRADYN_NO_FUNCTIONAL;
  const gradyn_status status = sweep_back(s, active);
  s->weight = NULL;
  for (int i = 0; i < s->march->model->nx && status == GRADYN_OK; i++)
    x_bar[i] += s->x_bar[i];
  return status;
}

/* Runs once and sweeps back once. The cost is that of a few runs, for any number of data. */
gradyn_status gradyn_onestep_adjoint(void *sweeps, const bool *active, double *psi, double *x_bar)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_onestep *march = s->march;
  double clock = gradyn_seconds();
  GRADYN_TRY(gradyn_onestep_run(march, true, psi, NULL));
  list_rows(s);
  gradyn_onestep_corners_forget(s);
  gradyn_onestep_kinks_begin(s);
  memset(s->growth, 0, (size_t)march->nf * sizeof *s->growth);
  if (march->model->span.costates)
    GRADYN_TRY(gradyn_onestep_costates_begin(s));
  GRADYN_TRY(sweep_back(s, active));
  spread_rows(s, x_bar);
  judge_values(s, psi);
  march->report.cost.steps_backward = march->count;
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}
