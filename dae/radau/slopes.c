/* Derivatives of the equations at the stages of a step, with the memory for their pattern, and the factors
 * for the derivatives of the step. */
#include "dae/radau/radau.h"

enum { STAGES = GRADYN_RADAU_STAGES };

void gradyn_radau_release_slopes(gradyn_radau *s)
{
  gradyn_blocks_clear(&s->real);
  gradyn_blocks_clear(&s->pair);
  gradyn_blocks_clear(&s->whole);
  gradyn_arena_clear(&s->of_pattern);
  s->patterned = false;
  s->made = 0;
}

static gradyn_status create_patterned(gradyn_radau *s)
{
  const size_t nnz = (size_t)s->system->pattern.nnz;
  for (int i = 0; i <= STAGES; i++) {
    gradyn_implicit_slopes *slopes = i < STAGES ? &s->slopes[i] : &s->start;
    slopes->by_w = gradyn_arena_numbers(&s->of_pattern, nnz);
    slopes->by_last = gradyn_arena_numbers(&s->of_pattern, nnz);
    slopes->by_first = gradyn_arena_numbers(&s->of_pattern, nnz);
  }
  GRADYN_TRY(gradyn_arena_status(&s->of_pattern));
  GRADYN_TRY(gradyn_blocks_create(s->system, 1, &s->real));
  GRADYN_TRY(gradyn_blocks_create(s->system, 2, &s->pair));
  GRADYN_TRY(gradyn_blocks_create(s->system, STAGES, &s->whole));
  s->patterned = true;
  return GRADYN_OK;
}

static gradyn_status take_patterned(gradyn_radau *s)
{
  gradyn_radau_release_slopes(s);
  const gradyn_status status = create_patterned(s);
  return status == GRADYN_NO_MEMORY ? gradyn_fail(&s->system->model->message, status,
                                                  "out of memory for the matrices of a step")
                                    : status;
}

gradyn_status gradyn_radau_slopes_at(gradyn_radau *s, double t, const double *stage,
                                     gradyn_implicit_slopes *out, bool *again)
{
  if (!s->patterned)
    GRADYN_TRY(take_patterned(s));
  GRADYN_TRY(s->system->ops->linearise(s->system, t, stage, out));
  *again = s->system->changed;
  if (*again)
    gradyn_radau_release_slopes(s);
  return GRADYN_OK;
}

gradyn_status gradyn_radau_linearise(gradyn_onestep *march, double t, double h, double *stages)
{
  gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit_slopes *at[STAGES];
  for (int i = 0; i < STAGES;) {
    bool again;
    GRADYN_TRY(gradyn_radau_slopes_at(own, t + march->tableau->c[i + 1] * h,
                                      gradyn_onestep_stage(march, stages, i + 1), &own->slopes[i],
                                      &again));
    at[i] = &own->slopes[i];
    i = again ? 0 : i + 1;
  }
  march->control.factorisations++;
  return gradyn_blocks_factor(&own->whole, t, h, gradyn_radau_a, at);
}
