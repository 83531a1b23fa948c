/* Guesses of states over time, declared by the first build(). The states exist only after the model is
 * finalised, so names are resolved then. */
#include "core/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/mech/mech.h"
#include "core/model/declare.h"

void gradyn_guess(gradyn_model *model, const char *state, const double values[], int count)
{
  if (!gradyn_model_named(model, state, "a state that is guessed") || model->finalised)
    return;
  if (count < 1 || values == NULL) {
    gradyn_build_error(model, "gradyn_guess(): %s has no values", state);
    return;
  }
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i])) {
      gradyn_build_error(model, "gradyn_guess(): %s has value %d = %g, which is not finite", state,
                         i, values[i]);
      return;
    }
  gradyn_model_declared *declared = &model->declared;
  const gradyn_guessed guess = {.count = count, .slot = -1};
  gradyn_guessed *g = gradyn_model_append(model, &declared->guess, &declared->guesses, sizeof guess,
                                          &guess);
  if (g == NULL)
    return;
  g->state = gradyn_model_copy_name(model, state);
  g->value = malloc((size_t)count * sizeof *g->value);
  if (g->value != NULL)
    memcpy(g->value, values, (size_t)count * sizeof *g->value);
  else
    gradyn_model_no_memory(model, "a guess");
}

const gradyn_guessed *gradyn_guess_of(const gradyn_model *model, int slot)
{
  for (int i = 0; i < model->declared.guesses; i++)
    if (model->declared.guess[i].slot == slot)
      return &model->declared.guess[i];
  return NULL;
}

/* States by which guesses are named. In joint coordinates they are the natural positions and velocities. */
static const gradyn_mech_origin *origin_of(const gradyn_model *model)
{
  return model->mech != NULL && model->mech->begin.origin.mech != NULL ? &model->mech->begin.origin
                                                                       : NULL;
}

static int guessable(const gradyn_model *model)
{
  const gradyn_mech_origin *origin = origin_of(model);
  return origin != NULL ? 2 * origin->mech->n : model->ops->state_count(model);
}

static void name_guessable(const gradyn_model *model, int i, char *name, size_t size)
{
  const gradyn_mech_origin *origin = origin_of(model);
  if (origin != NULL)
    origin->name(model->mech, i, name, size);
  else
    model->ops->state_name(model, i, name, size);
}

/* Finds the state of a guess. */
static gradyn_status find(gradyn_model *model, gradyn_guessed *g)
{
  char name[64], nearest_name[64] = "";
  gradyn_nearest nearest = {.requested = g->state};
  for (int i = 0; i < guessable(model); i++) {
    name_guessable(model, i, name, sizeof name);
    if (strcmp(name, g->state) == 0) {
      if (gradyn_guess_of(model, i) != NULL)
        return gradyn_fail(&model->message, GRADYN_INVALID, "gradyn_guess(): %s is guessed twice",
                           g->state);
      g->slot = i;
      return GRADYN_OK;
    }
    const char *before = nearest.best;
    gradyn_nearest_try(&nearest, name);
    /* the buffer changes with the next name, so the nearest name is copied */
    if (nearest.best == name)
      memcpy(nearest_name, name, sizeof name);
    nearest.best = nearest.best == name ? nearest_name : before;
  }
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "gradyn_guess(): there is no state '%s'%s%s%s", g->state,
                     nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?)" : "");
}

gradyn_status gradyn_guesses_finalise(gradyn_model *model)
{
  for (int i = 0; i < model->declared.guesses; i++)
    GRADYN_TRY(find(model, &model->declared.guess[i]));
  return GRADYN_OK;
}

void gradyn_guesses_free(gradyn_model *model)
{
  for (int i = 0; i < model->declared.guesses; i++) {
    free(model->declared.guess[i].state);
    free(model->declared.guess[i].value);
  }
  free(model->declared.guess);
}
