/* Output of a run by a one-step method: terminal parts of functionals, trajectories. */
#include <math.h>
#include <string.h>

#include "core/model/same_time.h"
#include "dae/onestep/pieces.h"

bool gradyn_onestep_takes(const gradyn_onestep *s, int f, int boundary, bool behind)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  /* behind its event, or behind the one that ends the run */
  const bool after = functional->which > 0 ? functional->side == GRADYN_AFTER
                                           : gradyn_model_takes_start(s->model, functional) ||
                                                 (functional->instant == 0 &&
                                                  s->arcs.boundary[boundary].transition > 0);
  return functional->terminal && s->taken_at[f] == boundary && after == behind;
}

bool gradyn_onestep_any_behind(const gradyn_onestep *s, int boundary)
{
  for (int f = 0; f < s->nf; f++)
    if (gradyn_onestep_takes(s, f, boundary, true))
      return true;
  return false;
}

/* w(t, y) of the functionals that are taken at this boundary. */
gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage)
{
  const gradyn_sample at = {gradyn_onestep_boundary(s, boundary), stage};
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    double w = 0;
    if (!gradyn_onestep_takes(s, f, boundary, behind)) /* belongs to another boundary */
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &w));
    s->inner[f] += w;
  }
  return GRADYN_OK;
}

/* psi = outer(int g dt + w) of each functional. */
gradyn_status gradyn_onestep_finish(gradyn_onestep *s, double *psi)
{
  double slope, t_bar, end = gradyn_onestep_boundary(s, s->arcs.count);
  if (s->events)
    GRADYN_TRY(gradyn_log_complete(s->model));
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    /* outer function of smooth maxima */
    double value = gradyn_functional_outer(functional, s->inner[f], end, &slope, &t_bar);
    if (!isfinite(value))
      return gradyn_fail(&s->model->message, GRADYN_NON_FINITE, "functional %s is not finite",
                         functional->name);
    if (psi)
      psi[f] = value;
  }
  return GRADYN_OK;
}

/* A point of the trajectory: y and y'. */
gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory)
{
  const gradyn_rates *rates = s->rates;
  double *yp = NULL;
  /* y' of differential states, zero of others */
  if (rates->seen > rates->ny) { /* the rates are not among the states */
    yp = s->spare + gradyn_onestep_block(s) + rates->nz;
    memset(yp, 0, (size_t)rates->ny * sizeof *yp);
    for (int i = 0; i < rates->nz; i++)
      yp[rates->position[i]] = stage[rates->rates + i];
  }
  return gradyn_trajectory_add(trajectory, t, stage, yp);
}

/* Points inside of a step, where it is too long to be drawn as a line. */
gradyn_status gradyn_onestep_record_inside(gradyn_onestep *s, int k, const double *stages,
                                           gradyn_trajectory *trajectory)
{
  double t = gradyn_onestep_time(s, k), h = gradyn_onestep_length(s, k);
  const size_t bytes = (size_t)s->rates->nz * sizeof(double);
  double *end = s->spare + gradyn_onestep_block(s);
  const double *arrival = gradyn_onestep_stage(s, s->spare, s->kept.slots - 1);
  const double *z = s->z + (size_t)k * (size_t)s->rates->nz;
  gradyn_status status = gradyn_onestep_dense_begin(s, t, h, z, z + s->rates->nz, stages);
  memcpy(end, s->y, bytes); /* the march's own */
  for (int i = 1; i < GRADYN_ONESTEP_PARTS && status == GRADYN_OK; i++) {
    const double share = (double)i / GRADYN_ONESTEP_PARTS;
    /* back onto the constraints; accelerations and multipliers as they follow */
    gradyn_onestep_dense_at(s, share, s->y);
    status = gradyn_onestep_arrive(s, t + share * h, NULL, s->spare);
    if (status == GRADYN_OK)
      status = gradyn_onestep_record(s, t + share * h, arrival, trajectory);
  }
  memcpy(s->y, end, bytes);
  return status;
}
