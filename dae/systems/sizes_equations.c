/* Natural sizes of the states of general equations.
 *
 * A state has the size that is declared for it, otherwise its own value at the start. Where that is zero:
 * a hundredth of what its rate makes of it in the time in which other states change, or what the rate makes
 * of it until it has died away, if that is less.
 *
 * Value and rate may say nothing: next to an equilibrium, or where a rate is cos(pi/2), they are round-off,
 * and a tolerance of that size asks for digits that the rates do not have. So a size is no less than
 *   - a share of the largest of its unit, and
 *   - a hundredth of what the states of other units, at their sizes, make of its rate in the time T in which
 *     they change: s_a >= sum_b |f_ab| s_b min(T/100, 1/r_a), f the derivative of the rates by the states,
 *     r_a the largest of |f_aa| and sqrt |f_ab f_ba|, the pace at which what is made dies away or is given
 *     back; of algebraic states, which follow at once, all that the others make of them.
 * The others are off by rtol s_b themselves: what that makes of a state is never less than the tolerance that
 * follows from the second floor. Units stand for their states in it, so that it takes one product a unit.
 *
 * In a part of a motion a size is also no less than a hundredth of what the largest knots of the signals make
 * of its rate.
 *
 * Where no state of a unit is more than round-off of the start, all are zero, with the sizes that rates give.
 *
 * What is zero itself and by its rate is as small as the least of its unit, where there is one, and what is
 * zero after all that has the size 1. */
#include "dae/systems/sizes.h"

#include <math.h>
#include <string.h>

#include "core/linear/arena.h"
#include "core/linear/norm.h"
#include "core/equations/equations.h"

enum { PASSES = 4 };

/* What is below this part of the largest of its unit is meant to be zero. */
static const double nothing = 1e-12;

/* Part of a run within which rates make of a unit's states more than they are, if these are zero. */
static const double instant = 1e-20;

/* Part of what a rate makes of a state that is zero: states grow from there on by themselves. */
static const double begun = 1e-2;

/* Part of the largest of its unit that a state has at least. From 1e-6 to 1 searches and runs next to
 * equilibria take the same steps; at 1 species that are few lose digits. */
static const double least_share = 1e-3;

/* States of one unit. */
typedef struct unit_kind {
  const char *unit;
  double most;               /* largest size */
  double least;              /* smallest that is not zero; HUGE_VAL: none */
  double rate;               /* largest rate, 1/s */
  double made, made_at_once; /* by other units, of its differential and of its algebraic states */
} unit_kind;

typedef struct sizing {
  gradyn_index1 *system;
  const double *y, *yp;
  double t_end;
  double *size;    /* [ny] */
  unit_kind *kind; /* [kinds] */
  int kinds;
  int *of;              /* [ny] kind of a state */
  double *still;        /* [nx] zero: no datum moves */
  double *along, *rate; /* [ny] a direction, and what it makes of the rates */
  double *grows,
      *follows; /* [kinds][kinds] by how much the kind of a row grows, or follows at once, per that
                              of the column */
  gradyn_arena arena;
} sizing;

/* Finds the kind of a state among those there are so far, or begins a new one. */
static int kind_of(sizing *s, int i)
{
  const gradyn_model *model = s->system->model;
  const char *unit = model->ops->state_unit(model, i);
  int k = 0;
  while (k < s->kinds && s->kind[k].unit != unit && strcmp(s->kind[k].unit, unit) != 0)
    k++;
  if (k == s->kinds)
    s->kind[s->kinds++] = (unit_kind){.unit = unit, .least = HUGE_VAL};
  return k;
}

/* What is known of a state becomes part of what is known of its unit. */
static void note(sizing *s, int i)
{
  unit_kind *kind = &s->kind[s->of[i]];
  kind->most = fmax(kind->most, s->size[i]);
  if (s->size[i] > 0)
    kind->least = fmin(kind->least, s->size[i]);
}

/* --- by values and rates ----------------------------------------------------------------------- */

/* Declared sizes and values; those that are next to nothing beside their like are zero. */
static void size_by_values(sizing *s)
{
  const double *declared = s->system->size;
  for (int i = 0; i < s->system->ny; i++) {
    s->of[i] = kind_of(s, i);
    s->kind[s->of[i]].most = fmax(s->kind[s->of[i]].most, fabs(s->y[i]));
    s->kind[s->of[i]].rate = fmax(s->kind[s->of[i]].rate, fabs(s->yp[i]));
  }
  for (int k = 0; k < s->kinds; k++)
    if (s->kind[k].most <= instant * s->t_end * s->kind[k].rate)
      s->kind[k].most = 0;
  for (int i = 0; i < s->system->ny; i++) {
    const double most = s->kind[s->of[i]].most;
    const bool zero = most == 0 || fabs(s->y[i]) <= nothing * most;
    s->size[i] = declared && declared[i] > 0 ? declared[i] : zero ? 0 : fabs(s->y[i]);
  }
  for (int i = 0; i < s->system->ny; i++)
    note(s, i);
}

/* The time in which what is not zero changes by as much as it is, at most t_end. */
static double pace(const sizing *s)
{
  double time = s->t_end;
  for (int i = 0; i < s->system->ny; i++)
    if (s->size[i] > 0 && fabs(s->yp[i]) * time > s->size[i])
      time = s->size[i] / fabs(s->yp[i]);
  return time;
}

/* The size of a state that is zero: begun of what its rate makes of it in a time, or all of what a rate that
 * dies away, as y' = -k (y - u), makes of it: |y'| |y' / y''|. */
static double grown(double yp, double ypp, double time)
{
  const double size = begun * fabs(yp) * time;
  return yp * ypp < 0 ? fmin(size, yp * yp / fabs(ypp)) : size;
}

/* Of what is zero, by the rates y' and y'', the derivative of consistent rates along y' as time goes on. */
static gradyn_status size_by_rates(sizing *s)
{
  const double time = pace(s);
  memcpy(s->along, s->yp, (size_t)s->system->ny * sizeof *s->along);
  GRADYN_TRY(s->system->ops->restart_tangent(s->system, s->still, 1, s->along, s->rate));
  for (int i = 0; i < s->system->ny; i++) {
    if (s->size[i] == 0) {
      s->size[i] = grown(s->yp[i], s->rate[i], time);
      note(s, i);
    }
  }
  return GRADYN_OK;
}

/* --- by others --------------------------------------------------------------------------------- */

/* Column b of both matrices: what the states of unit b, moved by about their sizes and in no state's favour,
 * make of each unit, over the size of b. */
static gradyn_status move(sizing *s, int b)
{
  const gradyn_index1 *system = s->system;
  const double size = s->kind[b].most > 0 ? s->kind[b].most : 1;
  const int n = s->kinds;
  for (int i = 0; i < system->ny; i++) {
    const double one = s->size[i] > 0 ? s->size[i] : size;
    s->along[i] = s->of[i] == b ? (i % 2 ? -1 : 1) * (1 + i % 7 / 7.0) * one : 0;
  }
  GRADYN_TRY(system->ops->restart_tangent(s->system, s->still, 0, s->along, s->rate));
  for (int i = 0; i < system->ny; i++) {
    const bool differential = system->id[i] != 0;
    /* of algebraic states the direction has become what follows from it */
    double *made = (differential ? s->grows : s->follows) + s->of[i] * n + b;
    *made = fmax(*made, fabs(differential ? s->rate[i] : s->along[i]) / size);
  }
  return GRADYN_OK;
}

/* The time for which a unit keeps what others make of it, at most begun of the time in which these change by
 * as much as they are. Its own pace is left out: it is as collapsed as its size may be. */
static double kept_for(const sizing *s, int a)
{
  const int n = s->kinds;
  double time = s->t_end;
  for (int b = 0; b < n; b++)
    if (b != a && s->kind[b].rate * time > s->kind[b].most && s->kind[b].most > 0)
      time = s->kind[b].most / s->kind[b].rate;
  time *= begun;
  for (int b = 0; b < n; b++) {
    const double r = sqrt(s->grows[a * n + b]) *
                     sqrt(s->grows[b * n + a]); /* |f_aa| where b is a */
    time = r * time > 1 ? 1 / r : time;
  }
  return time;
}

/* What other units make of each, at what is known of their sizes. */
static void make_sizes(sizing *s)
{
  const int n = s->kinds;
  for (int a = 0; a < n; a++) {
    unit_kind *kind = &s->kind[a];
    const double time = kept_for(s, a);
    kind->made = kind->made_at_once = 0; /* of larger others more than before */
    for (int b = 0; b < n; b++)
      if (b != a) { /* within a unit the share of the largest says as much */
        kind->made += s->grows[a * n + b] * s->kind[b].most * time;
        kind->made_at_once += s->follows[a * n + b] * s->kind[b].most;
      }
  }
  for (int a = 0; a < n; a++)
    s->kind[a].most = fmax(s->kind[a].most, fmax(s->kind[a].made, s->kind[a].made_at_once));
}

/* Floors of units and of states; those of units a few times, since what is made makes others in turn. */
static gradyn_status size_by_others(sizing *s)
{
  const double *declared = s->system->size;
  for (int b = 0; b < s->kinds && s->kinds > 1; b++)
    GRADYN_TRY(move(s, b));
  for (int pass = 0; pass < PASSES; pass++)
    make_sizes(s);
  for (int i = 0; i < s->system->ny; i++) {
    unit_kind *kind = &s->kind[s->of[i]];
    const double made = s->system->id[i] != 0 ? kind->made : kind->made_at_once;
    if (s->size[i] == 0 && isfinite(kind->least))
      s->size[i] = kind->least;
    if (!declared || declared[i] == 0)
      s->size[i] = fmax(s->size[i], fmax(made, least_share * kind->most));
  }
  return GRADYN_OK;
}

/* A part of a motion may begin where a signal passes zero, and value and rate are round-off: there a state is
 * no smaller than a hundredth of what the largest knots make of its rate over the run. */
static gradyn_status size_by_signals(sizing *s)
{
  const gradyn_model *model = s->system->model;
  const double *declared = s->system->size;
  const size_t ny = (size_t)s->system->ny, nx = (size_t)s->system->nx;
  if (!(model->span.from > 0))
    return GRADYN_OK;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *u = &model->signal[i];
    const double most = gradyn_largest(model->x + u->knot, u->count);
    for (int k = 0; k < u->count; k++)
      s->still[u->knot + k] = most;
  }
  gradyn_model_derive_along(model, s->still);
  memset(s->along, 0, ny * sizeof *s->along);
  const gradyn_status status = s->system->ops->restart_tangent(s->system, s->still, 0, s->along,
                                                               s->rate);
  memset(s->still, 0, nx * sizeof *s->still);
  for (size_t i = 0; i < ny && status == GRADYN_OK; i++)
    if (s->system->id[i] != 0 && (!declared || declared[i] == 0))
      s->size[i] = fmax(s->size[i], begun * s->t_end * fabs(s->rate[i]));
  return status;
}

/* --- the whole --------------------------------------------------------------------------------- */

/* Working arrays. */
static gradyn_status take_memory(sizing *s)
{
  const size_t ny = (size_t)s->system->ny, nx = (size_t)s->system->nx;
  s->kind = gradyn_arena_take(&s->arena, ny, sizeof *s->kind);
  s->of = gradyn_arena_take(&s->arena, ny, sizeof *s->of);
  s->still = gradyn_arena_numbers(&s->arena, nx);
  s->along = gradyn_arena_numbers(&s->arena, ny);
  s->rate = gradyn_arena_numbers(&s->arena, ny);
  return gradyn_arena_status(&s->arena);
}

/* Step by step: what is known by one is what the next begins with. */
static gradyn_status size_all(sizing *s)
{
  GRADYN_TRY(take_memory(s));
  size_by_values(s);
  const size_t n = (size_t)s->kinds;
  s->grows = gradyn_arena_numbers(&s->arena, n * n);
  s->follows = gradyn_arena_numbers(&s->arena, n * n);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(s->system->ops->linearise(s->system, 0, s->y, s->yp));
  GRADYN_TRY(size_by_rates(s));
  GRADYN_TRY(size_by_signals(s));
  GRADYN_TRY(size_by_others(s));
  /* nothing is known of it */
  for (int i = 0; i < s->system->ny; i++)
    s->size[i] = s->size[i] > 0 ? s->size[i] : 1;
  return GRADYN_OK;
}

gradyn_status gradyn_equations_sizes(gradyn_index1 *system, const double *y, const double *yp,
                                     double t_end, double *size)
{
  sizing s = {.system = system, .y = y, .yp = yp, .t_end = t_end, .size = size};
  const gradyn_status status = size_all(&s);
  gradyn_arena_clear(&s.arena);
  return status == GRADYN_NO_MEMORY ? gradyn_fail(&system->model->message, status,
                                                  "out of memory for %d states", system->ny)
                                    : status;
}
