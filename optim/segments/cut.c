/* Unknowns at segment boundaries. For a mechanism, they are the coordinates that the constraints leave most
 * independent at the present state. If all boundaries had the same selection, it would become singular
 * somewhere during the turn of a crank. */
#include "optim/segments/cut.h"
#include "core/mech/rolling.h"

#include <math.h>
#include <string.h>

#include <gradyn/events.h>

#include "core/equations/equations.h"
#include "dae/start/independent.h"

gradyn_status gradyn_cut_create(gradyn_model *model, double t, gradyn_arena *arena, gradyn_cut *out)
{
  /* upper bound of the number of unknowns and of the length of z */
  const size_t capacity = model->mech != NULL ? 2 * (size_t)model->mech->n
                                              : (size_t)model->equations->count;
  *out = (gradyn_cut){.t = t,
                      .at = gradyn_arena_take(arena, capacity, sizeof(int)),
                      .slot = gradyn_arena_take(arena, capacity, sizeof(int)),
                      .z = gradyn_arena_numbers(arena, capacity),
                      .w = gradyn_arena_numbers(arena, capacity),
                      .L = gradyn_arena_numbers(arena, capacity * capacity),
                      .events = model->event_count,
                      .mode = gradyn_discrete_state_mode_at(model, t),
                      .passed = gradyn_arena_take(arena, (size_t)model->event_count, sizeof(int)),
                      .scratch = gradyn_arena_numbers(arena, 2 * capacity)};
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a segment boundary");
  for (int i = 0; i < model->log.count && model->log.record[i].t <= t; i++)
    out->passed[model->log.record[i].event]++;
  return GRADYN_OK;
}

int gradyn_cut_passed(const gradyn_cut *cut, int event)
{
  int count = 0;
  for (int i = 0; cut != NULL && i < cut->events; i++)
    count += event == GRADYN_ANY_EVENT || event == i ? cut->passed[i] : 0;
  return count;
}

/* Selects all differential states, because they are independent. */
static void choose_states(const gradyn_model *model, const double *y, gradyn_cut *out)
{
  const gradyn_equations_model *equations = model->equations;
  for (int i = 0; i < equations->count; i++) {
    if (equations->unknown[i].algebraic)
      continue;
    out->slot[out->size] = i;
    out->at[out->size] = (int)out->size;
    out->z[out->size] = out->w[out->size] = y[i];
    out->size++;
  }
  out->nz = out->size;
  for (size_t i = 0; i < out->nz; i++)
    out->L[i * out->size + i] = 1;
}

/* Adds an unknown: independent coordinate k, or its rate. column: scratch memory for the column of the
 * unknown in L. */
static void add_unknown(gradyn_independent *u, int k, bool rate, double *column, gradyn_cut *out)
{
  const size_t n = (size_t)u->n;
  double *du = column + 2 * n, *v = du + n;
  memset(du, 0, 2 * n * sizeof *du);
  *(rate ? &v[k] : &du[k]) = 1;
  gradyn_independent_lift(u, du, v, column, column + n);
  const size_t j = out->size++;
  out->at[j] = rate ? u->n + u->at[k] : u->at[k];
  out->w[j] = out->z[out->at[j]];
  /* rows have the largest possible width until the number of unknowns is known */
  for (size_t i = 0; i < 2 * n; i++)
    out->L[i * 2 * n + j] = column[i];
}

/* Removes the unused memory between the rows of L. */
static void pack_rows(gradyn_cut *out)
{
  for (size_t i = 1; i < out->nz; i++)
    memmove(out->L + i * out->size, out->L + i * out->nz, out->size * sizeof *out->L);
}

/* Selects independent coordinates, then their rates. For first-order states only the rates are selected,
 * because their integrals affect nothing. Coordinates that never move are omitted. */
static gradyn_status choose_coordinates(gradyn_model *model, const double *y, gradyn_cut *out)
{
  gradyn_mech *mech = model->mech;
  LOCAL(gradyn_independent) u = {0};
  const size_t n = (size_t)mech->n;
  if (mech->rolling > 0)
    return gradyn_fail(
        &model->message, GRADYN_UNSUPPORTED,
        "%s is a nonholonomic constraint: a motion with it cannot be divided into segments",
        gradyn_mech_first_roll(mech));
  memcpy(out->z, y, 2 * n * sizeof *y);
  out->nz = 2 * n;
  for (size_t i = 0; i < out->nz; i++)
    out->slot[i] = (int)i;
  const gradyn_mech_state at = {.t = out->t, .q = out->z, .v = out->z + n};
  GRADYN_TRY(gradyn_independent_create(mech, &u));
  GRADYN_TRY(gradyn_independent_choose(&u, &at, NULL));
  for (int k = 0; k < u.count; k++)
    if (mech->spare == NULL || !mech->spare[u.at[k]])
      add_unknown(&u, k, false, out->scratch, out);
  for (int k = 0; k < u.count; k++)
    if (mech->idle == NULL || !mech->idle[u.at[k]])
      add_unknown(&u, k, true, out->scratch, out);
  pack_rows(out);
  return GRADYN_OK;
}

gradyn_status gradyn_cut_choose(gradyn_model *model, const double *y, gradyn_cut *cut)
{
  cut->size = 0;
  if (model->mech != NULL) {
    const int mode = gradyn_discrete_state_switch_mode(model, cut->mode);
    const gradyn_status status = choose_coordinates(model, y, cut);
    (void)gradyn_discrete_state_switch_mode(model, mode);
    return status;
  }
  choose_states(model, y, cut);
  return GRADYN_OK;
}

int gradyn_cut_datum(const gradyn_model *model, const gradyn_cut *cut, size_t i)
{
  const int slot = cut->slot[i];
  if (model->mech == NULL)
    return model->equations->unknown[slot].datum;
  const int n = model->mech->n;
  return slot < n ? model->mech->q0[slot] : model->mech->v0[slot - n];
}

/* Returns how well unknown coordinate j is independent at another state, whose tangents are in u. */
static double worth_of(const gradyn_cut *cut, gradyn_independent *u, size_t j, double *scratch)
{
  const size_t n = (size_t)u->n;
  double *du = scratch, *dq = du + n, both = 0, own = 0;
  memset(du, 0, n * sizeof *du);
  for (int k = 0; k < u->count; k++)
    du[k] = u->at[k] == cut->at[j];
  gradyn_independent_positions(u, du, dq);
  for (size_t i = 0; i < n; i++) {
    both += dq[i] * cut->L[i * cut->size + j];
    own += dq[i] * dq[i];
  }
  return both / own;
}

double gradyn_cut_worth(const gradyn_cut *cut, gradyn_mech *mech, const double *z)
{
  gradyn_independent u;
  bool good = gradyn_independent_create(mech, &u) == GRADYN_OK;
  bool *requested = (bool *)cut->scratch; /* [n] */
  const gradyn_mech_state at = {.t = cut->t, .q = cut->z, .v = cut->z + mech->n},
                          there = {.t = cut->t, .q = z, .v = z + mech->n};
  memset(requested, 0, (size_t)mech->n * sizeof *requested);
  for (size_t j = 0; j < cut->size; j++)
    if (cut->at[j] < mech->n)
      requested[cut->at[j]] = true;
  good = good && gradyn_independent_choose(&u, &at, requested) == GRADYN_OK &&
         gradyn_independent_move(&u, &there) == GRADYN_OK;
  double worth = good ? 1 : 0;
  for (size_t j = 0; j < cut->size && good; j++)
    if (cut->at[j] < mech->n)
      worth = fmin(worth, worth_of(cut, &u, j, cut->scratch));
  gradyn_independent_clear(&u);
  return worth;
}
