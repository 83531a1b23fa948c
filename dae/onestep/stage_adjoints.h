/* Adjoints at the stages of a step, of the first row of an adjoint sweep. */
#ifndef GRADYN_DAE_ONESTEP_STAGE_ADJOINTS_H
#define GRADYN_DAE_ONESTEP_STAGE_ADJOINTS_H

#include "dae/onestep/onestep.h"
#include "dae/systems/index1.h"

/* The function against() of a scheme adds those of the present step. Borrowed. */
typedef struct gradyn_onestep_stage_adjoints {
  double *eta;   /* [slots][ny] of the equations; NULL: not requested */
  double *rates; /* [slots][nz] of the rates, by z = z_0 + h sum of weights and rates, over h */
} gradyn_onestep_stage_adjoints;

/* Sets where the rates add the adjoints of their equations: to the part of s->eta for stage i, from 0, of
 * the present step. No effect if s->eta is NULL. */
static inline void gradyn_stage_adjoints_at(const gradyn_onestep_stage_adjoints *s,
                                            const gradyn_rates *rates, int i)
{
  if (s->eta)
    rates->system->eta = s->eta + i * rates->ny;
}

#endif
