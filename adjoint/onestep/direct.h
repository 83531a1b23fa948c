/* The direct sweep of a one-step method: batches (packs) of columns, and their effect on functionals. */
#ifndef GRADYN_ADJOINT_EXPLICIT_DIRECT_H
#define GRADYN_ADJOINT_EXPLICIT_DIRECT_H

#include "adjoint/onestep/sweeps.h"
#include "dae/systems/rates.h"

/* The present step k, or its first part, with start t and length h, s. */
typedef struct gradyn_direct_position {
  int k;
  double t, h;
  double share; /* of the step */
  double *stages;
} gradyn_direct_position;

/* Groups of lanes of an entry of a batch, 1 or 2. */
static inline int gradyn_direct_lanes(const gradyn_onestep_sweeps *s, int pack)
{
  return (int)gradyn_lanes_packs(gradyn_onestep_columns(s, pack));
}

/* Derivatives [nz] of the state, of a batch. */
static inline gradyn_lanes *gradyn_direct_state(const gradyn_onestep_sweeps *s, int pack)
{
  return s->z + pack * s->march->rates->nz * s->lanes;
}

/* Derivatives [seen] of stage i of the present step, of a batch. */
static inline gradyn_lanes *gradyn_direct_stage(const gradyn_onestep_sweeps *s, int pack, int i)
{
  const gradyn_onestep *march = s->march;
  /* [packs][slots][seen] */
  return s->stage + ((size_t)pack * (size_t)march->kept.slots + (size_t)i) *
                        (size_t)(march->rates->seen * s->lanes);
}

/* Results of the rates for the changes of data of a batch; NULL: the rates have none. */
static inline gradyn_lanes *gradyn_direct_ready(const gradyn_onestep_sweeps *s, int pack)
{
  const int readies = s->march->rates->readies;
  return readies > 0 ? s->ready + pack * s->lanes * readies : NULL;
}

/* Changes of the data of a batch, and of a time; NULL: it does not change. */
static inline gradyn_rates_change gradyn_direct_change(const gradyn_onestep_sweeps *s, int pack,
                                                       const gradyn_lanes *dt)
{
  const int nx = s->march->model->nx, four = pack * s->lanes;
  return (gradyn_rates_change){.x = s->dx + (size_t)(four * GRADYN_LANES) * (size_t)nx,
                               .lanes = s->side.x + four * nx,
                               .t = dt,
                               .ready = gradyn_direct_ready(s, pack)};
}

/* An entry of a batch. */
typedef struct gradyn_direct_entry {
  gradyn_lanes lane[2];
} gradyn_direct_entry;

/* Change of the time of the node plus a share of the length of the present step. */
static inline gradyn_direct_entry gradyn_direct_time(const gradyn_onestep_sweeps *s, int pack,
                                                     double share)
{
  gradyn_direct_entry dt = {0};
  for (int h = 0; h < gradyn_direct_lanes(s, pack) && s->moving; h++)
    dt.lane[h] = s->node.time[pack * s->lanes + h] + share * s->node.length[pack * s->lanes + h];
  return dt;
}

/* Change of a share of the length of the present step. */
static inline gradyn_direct_entry gradyn_direct_length(const gradyn_onestep_sweeps *s, int pack,
                                                       double share)
{
  gradyn_direct_entry dh = {0};
  for (int h = 0; h < gradyn_direct_lanes(s, pack); h++)
    dh.lane[h] = share * s->node.length[pack * s->lanes + h];
  return dh;
}

/* out [nz] = dz + h sum weight_j dk_j + dh sum weight_j k_j with weight [count], of a batch. */
void gradyn_direct_combine(const gradyn_onestep_sweeps *s, const gradyn_direct_position *at,
                           int pack, const double *weight, int count, gradyn_lanes *out);

/* Adds the contributions of the integrands at stage i of the step `at` to the gradients in s->taken.
 * Errors: those of the integrands. */
gradyn_status gradyn_direct_integrands(gradyn_onestep_sweeps *s, const gradyn_direct_position *at,
                                       int i);
/* Adds the contributions of the terminal parts at sample k to the gradients in s->taken. at: its time and
 * states. s->stage has the changes of the states: in the last slot those at the node, which may move, in
 * the first slot those at a fixed time. Errors: those of the terminal parts. */
gradyn_status gradyn_direct_terminals(gradyn_onestep_sweeps *s, int k, const gradyn_sample *at);

#endif
