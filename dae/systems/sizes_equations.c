/* Natural sizes of the states of general equations.
 *
 * The size of a state is its declared size, otherwise its absolute value at the start. For a zero value,
 * the size is a hundredth of the change that the rate causes in the time in which other states change. If
 * the rate decays earlier, the size is the change until then.
 *
 * Value and rate may both be round-off: next to an equilibrium, or where a rate is cos(pi/2). A tolerance
 * relative to such a size would require digits that the rates do not have. Therefore a size is at least
 *   - a share of the largest size of its unit, and
 *   - the change that states of other units cause if they change by their sizes:
 *     s_a >= sum_b |f_ab| s_b min(T/100, 1/r_a).
 * Here f_ab is the derivative of rates of unit a by states of unit b. T is the time in which other units
 * change by their sizes. r_a is the largest of |f_aa| and sqrt |f_ab f_ba|, the rate at which changes of
 * unit a decay or are returned by unit b. Algebraic states follow others at once; for them the whole change
 * counts. The second bound loses no accuracy: the other states have errors rtol s_b, and these change state
 * a by at least the tolerance rtol s_a of this bound. The largest size of a unit stands for all its states,
 * so that one derivative along a direction per unit suffices.
 *
 * In a segment of a motion, a size is at least a hundredth of the change in the run by the rate that the
 * largest knots of the signals cause.
 *
 * If the rates of a unit at the start change its states by much more than their values, the values are
 * round-off. They then count as zero, and the rates give the sizes.
 *
 * A state with zero value and rate gets the smallest size of its unit, and 1 if there is none. */
#include "dae/systems/sizes.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "core/equations/equations.h"

enum { PASSES = 4 };

/* Values below this part of the largest value of their unit count as zero. */
static const double nothing = 1e-12;

/* The values of a unit are round-off if its rates change them by more than themselves within this part of
 * the run. */
static const double instant = 1e-20;

/* Size of a zero state, as a part of the change that its rate causes. */
static const double begun = 1e-2;

/* Smallest size relative to the largest of the same unit. With all values from 1e-6 to 1, searches and runs
 * next to equilibria take the same steps. With 1, states such as small amounts of a species lose digits. */
static const double least_share = 1e-3;

/* The states of one unit. */
typedef struct unit_kind {
  const char *unit;
  double most;  /* largest size */
  double least; /* smallest nonzero size; HUGE_VAL: none */
  double rate;  /* largest |y'| */
  /* changes by other units: of its differential and of its algebraic states */
  double made, made_at_once;
} unit_kind;

typedef struct sizing {
  gradyn_index1 *system;
  const double *y, *yp;
  double t_end;
  double *size;    /* [ny] */
  unit_kind *kind; /* [kinds] */
  int kinds;
  int *of;              /* [ny] index of each state's unit in `kind` */
  double *still;        /* [nx] a change of data; zero except in size_by_signals() */
  double *along, *rate; /* [ny] a change of states, and the change of rates that it causes */
  /* [kinds][kinds] change of the rates, and of the algebraic states, of the row's unit per change of the
   * column's unit */
  double *grows, *follows;
} sizing;

/* Returns the index of the unit of state i, and adds the unit if it is new. */
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

/* Updates the largest and smallest size of the unit of state i. */
static void note(sizing *s, int i)
{
  unit_kind *kind = &s->kind[s->of[i]];
  kind->most = fmax(kind->most, s->size[i]);
  if (s->size[i] > 0)
    kind->least = fmin(kind->least, s->size[i]);
}

/* --- sizes by values and rates ----------------------------------------------------------------- */

/* Sets sizes to declared sizes, otherwise to absolute values. Values that are negligible within their unit
 * count as zero. */
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

/* Returns the shortest time in which a nonzero state changes by its size, at most t_end. */
static double pace(const sizing *s)
{
  double time = s->t_end;
  for (int i = 0; i < s->system->ny; i++)
    if (s->size[i] > 0 && fabs(s->yp[i]) * time > s->size[i])
      time = s->size[i] / fabs(s->yp[i]);
  return time;
}

/* Returns the size of a zero state: the part `begun` of the change by its rate yp in a time. If the rate
 * decays, as in y' = -k (y - u), the whole change y'^2/|y''| is the size if it is smaller. */
static double grown(double yp, double ypp, double time)
{
  const double size = begun * fabs(yp) * time;
  return yp * ypp < 0 ? fmin(size, yp * yp / fabs(ypp)) : size;
}

/* Sets the sizes of zero states from y' and y''. y'' is the derivative of consistent rates along y'. */
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

/* --- sizes by other units ---------------------------------------------------------------------- */

/* Computes column b of `grows` and `follows`: the changes of each unit, per size of unit b, if all states
 * of unit b change by about their sizes. Signs and factors differ between states, so that no state is
 * preferred. */
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
    /* restart_tangent() has set entries of algebraic states in `along` to their changes */
    double *made = (differential ? s->grows : s->follows) + s->of[i] * n + b;
    *made = fmax(*made, fabs(differential ? s->rate[i] : s->along[i]) / size);
  }
  return GRADYN_OK;
}

/* Returns the time for which changes by other units act on unit a. It is the part `begun` of the shortest
 * time in which another unit changes by its size. If changes of unit a decay or are returned at a rate r,
 * it is at most 1/r. The rate y' of unit a itself is not used, because it is as unreliable as the size of
 * a. */
static double kept_for(const sizing *s, int a)
{
  const int n = s->kinds;
  double time = s->t_end;
  for (int b = 0; b < n; b++)
    if (b != a && s->kind[b].rate * time > s->kind[b].most && s->kind[b].most > 0)
      time = s->kind[b].most / s->kind[b].rate;
  time *= begun;
  for (int b = 0; b < n; b++) {
    const double r = sqrt(s->grows[a * n + b]) * sqrt(s->grows[b * n + a]); /* |f_aa| if b is a */
    time = r * time > 1 ? 1 / r : time;
  }
  return time;
}

/* Computes the changes that other units cause in each unit, and raises the largest sizes of units to them. */
static void make_sizes(sizing *s)
{
  const int n = s->kinds;
  for (int a = 0; a < n; a++) {
    unit_kind *kind = &s->kind[a];
    const double time = kept_for(s, a);
    /* computed anew, since the pass before may have raised the sizes of other units */
    kind->made = kind->made_at_once = 0;
    for (int b = 0; b < n; b++)
      if (b != a) { /* states of one unit have the bound least_share instead */
        kind->made += s->grows[a * n + b] * s->kind[b].most * time;
        kind->made_at_once += s->follows[a * n + b] * s->kind[b].most;
      }
  }
  for (int a = 0; a < n; a++)
    s->kind[a].most = fmax(s->kind[a].most, fmax(s->kind[a].made, s->kind[a].made_at_once));
}

/* Raises sizes to their lower bounds. make_sizes() is repeated, because a larger size of a unit causes
 * larger changes of others. */
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

/* Raises sizes in a segment of a motion. A segment may begin where a signal passes zero, so that value and
 * rate are round-off. A size is then at least a hundredth of the change in the run by the rate that the
 * largest knots cause. */
static gradyn_status size_by_signals(sizing *s)
{
  const gradyn_model *model = s->system->model;
  const double *declared = s->system->size;
  const size_t ny = (size_t)s->system->ny, nx = (size_t)s->system->nx;
  if (!(model->span.from > 0))
    return GRADYN_OK;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *u = &model->signal[i];
    const double *knot = model->x + gradyn_signal_datum(u);
    const double most = u->stored < u->count ? u->most : gradyn_largest(knot, u->count);
    for (int k = u->first; k < u->first + u->stored; k++)
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

/* --- all sizes --------------------------------------------------------------------------------- */

/* Allocates the workspace. */
static gradyn_status take_memory(sizing *s)
{
  const size_t ny = (size_t)s->system->ny, nx = (size_t)s->system->nx;
  s->kind = gradyn_arena_take(&s->system->sizing, ny, sizeof *s->kind);
  s->of = gradyn_arena_take(&s->system->sizing, ny, sizeof *s->of);
  s->still = gradyn_arena_numbers(&s->system->sizing, nx);
  s->along = gradyn_arena_numbers(&s->system->sizing, ny);
  s->rate = gradyn_arena_numbers(&s->system->sizing, ny);
  return gradyn_arena_status(&s->system->sizing);
}

/* Computes all sizes; each call starts from the sizes of the call before. */
static gradyn_status size_all(sizing *s)
{
  GRADYN_TRY(take_memory(s));
  size_by_values(s);
  const size_t n = (size_t)s->kinds;
  s->grows = gradyn_arena_numbers(&s->system->sizing, n * n);
  s->follows = gradyn_arena_numbers(&s->system->sizing, n * n);
  GRADYN_TRY(gradyn_arena_status(&s->system->sizing));
  GRADYN_TRY(s->system->ops->linearise(s->system, 0, s->y, s->yp));
  GRADYN_TRY(size_by_rates(s));
  GRADYN_TRY(size_by_signals(s));
  GRADYN_TRY(size_by_others(s));
  /* nothing is known about the size of this state */
  for (int i = 0; i < s->system->ny; i++)
    s->size[i] = s->size[i] > 0 ? s->size[i] : 1;
  return GRADYN_OK;
}

gradyn_status gradyn_equations_sizes(gradyn_index1 *system, const double *y, const double *yp,
                                     double t_end, double *size)
{
  sizing s = {.system = system, .y = y, .yp = yp, .t_end = t_end, .size = size};
  gradyn_arena_rewind(&system->sizing);
  const gradyn_status status = size_all(&s);
  return status == GRADYN_NO_MEMORY ? gradyn_fail(&system->model->message, status,
                                                  "out of memory for %d states", system->ny)
                                    : status;
}
