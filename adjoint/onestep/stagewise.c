/* Second derivatives of a sum of functionals, stage by stage. With the tangents D_c of the arguments, the
 * second derivative along columns c and c' is
 *     sum over stages of - eta^T F''[D_c, D_c'] - eta^T F_u u''[(dx, dt)_c, (dx, dt)_c'] + h b g''[D_c, D_c']
 *                        + dh_c (kappa . dz'_c' + b g'[D_c']) + the same with c, c' exchanged,
 * with kappa = b z*_bar + sum a Z_bar; then the terms of terminal parts and outer functions are added. F
 * and g are differentiated between their arguments or along columns, with the distances
 * gradyn_curvature_distance.
 *
 * One more column, a combination of all others, is differentiated separately at half the distances. Its
 * difference from the combined result is the error. It is caused by the distances, or by pairs of arguments
 * that were wrongly taken not to interact. */
#include "adjoint/onestep/stagewise.h"

#include <math.h>
#include <string.h>

#include "adjoint/onestep/stage_sum.h"

/* Largest number of arguments of the equations for which all pairs are tried. */
enum { MOST_ARGUMENTS = 128 };

/* Error relative to the largest entry. If it is larger, all stages are searched for pairs of arguments that
 * interact. Then distances are shortened as long as this helps. */
static const double small_error = 1e-9;

/* If the error is larger, the caller uses displaced stages instead. */
static const double most_error = 1e-8;

/* Factor of shorter distances, for functions that change fast: truncation errors become smaller by 4^4. */
static const double shorter = 0.25;

enum { MOST_SHRINKS = 4 };

/* Sets the tangents of the combination, the last column of `of`, from the other columns. */
static void combine(const gradyn_stage_sum *m, double *of, int count)
{
  double *last = of + m->columns * count;
  memset(last, 0, (size_t)count * sizeof *last);
  for (int c = 0; c < m->columns; c++)
    for (int i = 0; i < count; i++)
      last[i] += m->task->combination[c] * of[c * count + i];
}

/* --- tangents ------------------------------------------------------------------------------------ */

/* Sets the tangents of stage i of step k, and of the length of the step, for all columns. */
static void set_stage(gradyn_stage_sum *m, int k, int i)
{
  const gradyn_displaced *d = &m->s->displaced;
  const size_t one = gradyn_displaced_width(d, 1) * (size_t)k;
  const int seen = m->tangents - 1;
  int stride;
  for (int c = 0; c < m->columns; c++) {
    const double *stage = gradyn_displaced_stage(m->s, k, i, c, &stride);
    double *D = m->D + c * m->tangents;
    for (int j = 0; j < seen; j++)
      D[j] = stage[j * stride];
    m->dh[c] = gradyn_stage_sum_entry(m, d->length + one, c);
    D[seen] = gradyn_stage_sum_entry(m, d->time + one, c) + m->s->march->tableau->c[i] * m->dh[c];
  }
  combine(m, m->D, m->tangents);
  combine(m, m->dh, 1);
}

/* Sets the tangents of the sample in record k for all columns. Returns whether its time moves. */
static bool set_sample(gradyn_stage_sum *m, int k)
{
  const gradyn_displaced *d = &m->s->displaced;
  const int seen = m->tangents - 1;
  const gradyn_lanes *sample = d->sample + (size_t)k * gradyn_displaced_width(d, seen),
                     *time = d->time_of_sample + (size_t)k * gradyn_displaced_width(d, 1);
  bool moves = false;
  int stride;
  for (int c = 0; c < m->columns; c++) {
    const double *tangent = gradyn_displaced_column(d, sample, seen, c, &stride);
    double *D = m->D + c * m->tangents;
    for (int j = 0; j < seen; j++)
      D[j] = tangent[j * stride];
    D[seen] = gradyn_stage_sum_entry(m, time, c);
    moves = moves || D[seen] != 0;
  }
  combine(m, m->D, m->tangents);
  return moves;
}

/* --- the sum ------------------------------------------------------------------------------------- */

/* Adds the second derivatives at stage i of step k to m->H, and those by the length of the step to
 * m->by_h. */
static gradyn_status add_stage(gradyn_stage_sum *m, int k, int i, double *stages)
{
  gradyn_onestep *run = m->s->march;
  const gradyn_rates *rates = run->rates;
  const gradyn_stagewise *own = &m->s->stagewise;
  const double b = run->tableau->b[i], h = run->step[k].h;
  const double *stage = gradyn_onestep_stage(run, stages, i);
  const gradyn_sample at = {run->step[k].t + run->tableau->c[i] * h, stage};
  const int slot = k * run->kept.slots + i;
  set_stage(m, k, i);
  GRADYN_TRY(gradyn_stage_sum_equations(m, at.t, stage, own->eta + slot * rates->ny));
  if (b != 0)
    GRADYN_TRY(gradyn_stage_sum_functionals(m, &(gradyn_stage_parts){h * b, -1}, &at));
  if (!m->s->b.moving)
    return GRADYN_OK;
  if (b != 0)
    GRADYN_TRY(gradyn_stage_sum_slopes(m, &(gradyn_stage_parts){b, -1}, &at));
  const double *kappa = own->rates + slot * rates->nz;
  for (int c = 0; c <= m->columns; c++)
    for (int j = 0; j < rates->nz; j++)
      m->by_h[c] += kappa[j] * m->D[c * m->tangents + rates->rates + j];
  return GRADYN_OK;
}

/* Adds the second derivatives of step k, counted from 0, to m->H. sum: a gradyn_stage_sum. */
static gradyn_status add_step(void *sum, int k)
{
  gradyn_stage_sum *m = sum;
  gradyn_onestep *run = m->s->march;
  double *stages;
  GRADYN_TRY(gradyn_onestep_stages(run, k, &stages)); /* also enters the arc of the step */
  memset(m->by_h, 0, (size_t)(m->columns + 1) * sizeof *m->by_h);
  /* the first stage of an implicit step is its start, and has no equations */
  for (int i = 0; i < run->tableau->stages; i++)
    GRADYN_TRY(add_stage(m, k, i, stages));
  for (int c = 0; c <= m->columns && m->s->b.moving; c++) {
    gradyn_stage_sum_product(m, c, m->dh[c], m->by_h, 1);
    gradyn_stage_sum_product(m, c, m->by_h[c], m->dh, 1);
  }
  return GRADYN_OK;
}

/* Adds the second derivatives at the sample in record k. Sets m->done to false if a functional at a fixed
 * time is evaluated at a node that moves, because this case is not covered. */
static gradyn_status add_sample(void *sum, int k)
{
  gradyn_stage_sum *m = sum;
  gradyn_onestep *run = m->s->march;
  gradyn_sample at;
  if (!gradyn_tape_sample_counts(&run->tape, k))
    return GRADYN_OK;
  const bool moves = set_sample(m, k);
  for (int f = 0; f < run->nf && moves; f++)
    if (m->task->weight[f] != 0 && run->tape.sampled[f] == k &&
        gradyn_functional_stays(&run->model->functional[f]))
      m->done = false;
  GRADYN_TRY(gradyn_onestep_sampled(run, k, &at));
  GRADYN_TRY(
      gradyn_stage_sum_equations(m, at.t, at.y, m->s->stagewise.sampled + k * run->rates->ny));
  return gradyn_stage_sum_functionals(m, &(gradyn_stage_parts){1, k}, &at);
}

/* Adds outer functions, and products of the gradients by data with dx. Makes H symmetric. */
static void finish(gradyn_stage_sum *m)
{
  const int nx = m->s->march->model->nx;
  for (int f = 0; f < m->s->march->nf; f++)
    if (m->task->weight[f] != 0)
      gradyn_stage_sum_outer(m, f);
  for (int c = 0; c <= m->columns; c++)
    for (int k = c == m->columns ? c : 0; k <= c; k++) {
      double *to = c == m->columns ? &m->along : &m->H[c * m->columns + k];
      for (int i = 0; i < m->moves; i++)
        *to += m->x_bar[c * nx + m->moved[i]] * m->dx[k][m->moved[i]];
    }
  for (int c = 0; c < m->columns; c++)
    for (int k = 0; k < c; k++)
      m->H[k * m->columns + c] = m->H[c * m->columns + k];
}

/* Returns the error: the difference along the combination, relative to the largest entry of H, in units of
 * the columns. */
static double error_of(const gradyn_stage_sum *m)
{
  double most = 0, along = 0;
  for (int c = 0; c < m->columns; c++)
    for (int k = 0; k < m->columns; k++) {
      const double value = m->H[c * m->columns + k];
      most = fmax(most, m->task->scale[c] * m->task->scale[k] * fabs(value));
      along += m->task->combination[c] * value * m->task->combination[k];
    }
  const double apart = fabs(m->along - along);
  return apart > 0 ? apart / fmax(most, fabs(along)) : 0;
}

/* no function for jumps: suits() excludes them */
static const gradyn_record_ops along = {add_step, NULL, add_sample};

/* Adds the second derivatives of all records of the run to m->H. */
static gradyn_status add_all(gradyn_stage_sum *m)
{
  const gradyn_tape *tape = &m->s->march->tape;
  const size_t nx = (size_t)m->s->march->model->nx, columns = (size_t)m->columns;
  memset(m->H, 0, columns * columns * sizeof *m->H);
  memset(m->x_bar, 0, (columns + 1) * nx * sizeof *m->x_bar);
  m->along = 0;
  gradyn_onestep_enter(m->s->march, 0);
  GRADYN_TRY(gradyn_tape_along(tape, tape->count, &along, m));
  finish(m);
  return GRADYN_OK;
}

/* --- the adjoint sweep --------------------------------------------------------------------------- */

/* Sweeps back, and records the adjoints of all stages. */
static gradyn_status record(gradyn_onestep_sweeps *s, const gradyn_contraction *task)
{
  const gradyn_onestep *run = s->march;
  gradyn_stagewise *own = &s->stagewise;
  const size_t slots = gradyn_displaced_room(run->count) * (size_t)run->kept.slots;
  gradyn_arena_rewind(&own->run);
  own->eta = gradyn_arena_numbers(&own->run, slots * (size_t)run->rates->ny);
  own->rates = gradyn_arena_numbers(&own->run, slots * (size_t)run->rates->nz);
  own->sampled = gradyn_arena_numbers(&own->run, gradyn_displaced_room(run->tape.count) *
                                                     (size_t)run->rates->ny);
  if (own->columns != s->displaced.columns) {
    gradyn_arena_clear(&own->model);
    own->columns = s->displaced.columns;
    own->shrink = 1;
    own->varies = gradyn_arena_take(&own->model, 2 * (size_t)own->columns, sizeof *own->varies);
    gradyn_curvature_create(run->model->equations, &own->model, &own->pairs);
  }
  GRADYN_TRY(gradyn_arena_status(&own->run));
  GRADYN_TRY(gradyn_arena_status(&own->model));
  own->recording = true;
  const gradyn_status status = gradyn_onestep_adjoint_of_sum(s, task->weight, task->active,
                                                             task->x_bar);
  own->recording = false;
  s->b.record = (gradyn_onestep_stage_adjoints){0};
  run->rates->system->eta = NULL;
  return status;
}

/* Allocates and sets the columns, and lists the data that they move. */
static gradyn_status begin(gradyn_stage_sum *m)
{
  const gradyn_onestep *run = m->s->march;
  const size_t nx = (size_t)run->model->nx, columns = (size_t)m->columns + 1,
               seen = (size_t)run->rates->seen,
               arguments = (size_t)m->s->stagewise.pairs.count + 2 * GRADYN_SIGNAL_DATA;
  gradyn_arena *arena = &m->s->stagewise.run;
  m->tangents = (int)seen + 1;
  m->dx = gradyn_arena_take(arena, columns, sizeof *m->dx);
  m->scale = gradyn_arena_numbers(arena, columns);
  m->D = gradyn_arena_numbers(arena, columns * (seen + 2));
  m->dh = gradyn_arena_numbers(arena, columns);
  m->by_h = gradyn_arena_numbers(arena, columns);
  m->x_bar = gradyn_arena_numbers(arena, columns * nx);
  m->by_data = gradyn_arena_numbers(arena, nx);
  m->moved = gradyn_arena_take(arena, nx, sizeof *m->moved);
  m->v = gradyn_arena_numbers(arena, arguments * columns);
  m->size = gradyn_arena_numbers(arena, arguments);
  m->d = gradyn_arena_numbers(arena, arguments);
  m->y = gradyn_arena_numbers(arena, seen);
  m->y_bar = gradyn_arena_numbers(arena, seen);
  m->x = gradyn_arena_numbers(arena, nx);
  double *last = gradyn_arena_numbers(arena, nx);
  GRADYN_TRY(gradyn_arena_status(arena));
  memcpy(m->x, run->model->x, nx * sizeof *m->x);
  for (int c = 0; c < m->columns; c++) {
    m->dx[c] = m->s->b.dx + (size_t)c * nx;
    m->scale[c] = m->s->stagewise.shrink * m->task->scale[c];
    for (size_t i = 0; i < nx; i++)
      last[i] += m->task->combination[c] * m->dx[c][i];
  }
  m->dx[m->columns] = last;
  /* the combination has size 1; its distances are halved */
  m->scale[m->columns] = 0.5 * m->s->stagewise.shrink;
  for (size_t i = 0; i < nx; i++) {
    bool any = false;
    for (int c = 0; c < m->columns; c++)
      any = any || m->dx[c][i] != 0;
    if (any)
      m->moved[m->moves++] = (int)i;
  }
  return GRADYN_OK;
}

/* Returns whether the run suits: only stages of general equations, without events and projections, all
 * stored. */
static bool suits(const gradyn_onestep *run)
{
  const gradyn_rates *rates = run->rates;
  return rates->system && rates->system->combined == 0 && !rates->ops->arrive_transposed &&
         run->model->log.count == 0 && run->kept.steps >= run->count &&
         gradyn_curvature_arguments(run->model->equations) <= MOST_ARGUMENTS;
}

/* Computes the sum again with all pairs of arguments at all stages, and then with shorter distances as long
 * as the error falls. */
static gradyn_status improve(gradyn_stage_sum *m)
{
  double *error = m->task->error, before = HUGE_VAL;
  m->thorough = m->every = true;
  GRADYN_TRY(add_all(m));
  *error = error_of(m);
  for (int k = 0; k < MOST_SHRINKS; k++) {
    if (*error <= small_error || *error >= before)
      return GRADYN_OK;
    before = *error;
    m->s->stagewise.shrink *= shorter;
    for (int c = 0; c <= m->columns; c++)
      m->scale[c] *= shorter;
    GRADYN_TRY(add_all(m));
    *error = error_of(m);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_contracted(void *sweeps, const gradyn_contraction *task, bool *done)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_stage_sum m = {.s = s,
                        .task = task,
                        .columns = s->displaced.columns,
                        .H = task->H,
                        .done = true,
                        .thorough = s->stagewise.columns != s->displaced.columns};
  *done = suits(s->march);
  if (!*done)
    return GRADYN_OK;
  GRADYN_TRY(record(s, task));
  GRADYN_TRY(begin(&m));
  GRADYN_TRY(add_all(&m));
  *task->error = error_of(&m);
  if (m.done && *task->error > small_error)
    GRADYN_TRY(improve(&m));
  *done = m.done && *task->error <= most_error;
  return GRADYN_OK;
}
