/* Charts at cuts. Of a mechanism those coordinates are unknown that its constraints leave free best at the
 * state in hand; one choice for all cuts would be singular somewhere on a crank's turn. */
#include "optim/segments/cut.h"

#include <string.h>

#include "core/equations/equations.h"
#include "dae/start/independent.h"

size_t gradyn_cut_room(const gradyn_model *model)
{
  return model->mech != NULL ? 2 * (size_t)model->mech->n : (size_t)model->equations->count;
}

/* Room for all that is to be said of a cut. */
static gradyn_status take_memory(gradyn_model *model, gradyn_arena *arena, gradyn_cut *out)
{
  const size_t room = gradyn_cut_room(model);
  *out = (gradyn_cut){.at = gradyn_arena_take(arena, room, sizeof(int)),
                      .slot = gradyn_arena_take(arena, room, sizeof(int)),
                      .datum = gradyn_arena_take(arena, room, sizeof(int)),
                      .z = gradyn_arena_numbers(arena, room),
                      .w = gradyn_arena_numbers(arena, room),
                      .L = gradyn_arena_numbers(arena, room * room)};
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a cut");
}

/* All differential states are independent. */
static void choose_states(const gradyn_model *model, const double *y, gradyn_cut *out)
{
  const gradyn_equations_model *equations = model->equations;
  for (int i = 0; i < equations->count; i++) {
    if (equations->unknown[i].algebraic)
      continue;
    out->slot[out->size] = i;
    out->at[out->size] = (int)out->size;
    out->datum[out->size] = equations->unknown[i].datum;
    out->z[out->size] = out->w[out->size] = y[i];
    out->size++;
  }
  out->nz = out->size;
  for (size_t i = 0; i < out->nz; i++)
    out->L[i * out->size + i] = 1;
}

/* Unknown j of a cut is coordinate k of the independent ones, or its rate: its column of L. */
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
  /* by rows of the widest L there can be, until the width is known */
  for (size_t i = 0; i < 2 * n; i++)
    out->L[i * 2 * n + j] = column[i];
}

/* Closes the gaps between the rows of L. */
static void pack_rows(gradyn_cut *out)
{
  for (size_t i = 1; i < out->nz; i++)
    memmove(out->L + i * out->size, out->L + i * out->nz, out->size * sizeof *out->L);
}

/* Independent coordinates, then their rates. Of first-order states the rates alone count, whose integrals act
 * on nothing; what never moves is left out. */
static gradyn_status choose_coordinates(gradyn_model *model, double t, const double *y,
                                        gradyn_arena *arena, gradyn_cut *out)
{
  gradyn_mech *mech = model->mech;
  gradyn_independent u;
  const size_t n = (size_t)mech->n;
  double *column = gradyn_arena_numbers(arena, 4 * n);
  memcpy(out->z, y, 2 * n * sizeof *y);
  out->nz = 2 * n;
  for (size_t i = 0; i < out->nz; i++) {
    out->slot[i] = (int)i;
    out->datum[i] = i < n ? mech->q0[i] : mech->v0[i - n];
  }
  gradyn_status status = gradyn_independent_create(mech, &u);
  const gradyn_mech_state at = {.t = t, .q = out->z, .v = out->z + n};
  if (status == GRADYN_OK)
    status = column != NULL ? gradyn_independent_choose(&u, &at, NULL) : GRADYN_NO_MEMORY;
  for (int k = 0; k < u.count && status == GRADYN_OK; k++)
    if (mech->spare == NULL || !mech->spare[u.at[k]])
      add_unknown(&u, k, false, column, out);
  for (int k = 0; k < u.count && status == GRADYN_OK; k++)
    if (mech->idle == NULL || !mech->idle[u.at[k]])
      add_unknown(&u, k, true, column, out);
  pack_rows(out);
  gradyn_independent_clear(&u);
  return status;
}

gradyn_status gradyn_cut_choose(gradyn_model *model, double t, const double *y, gradyn_arena *arena,
                                gradyn_cut *out)
{
  GRADYN_TRY(take_memory(model, arena, out));
  if (model->mech != NULL)
    return choose_coordinates(model, t, y, arena, out);
  choose_states(model, y, out);
  return GRADYN_OK;
}
