/* The direct sweep of a one-step method: packs of columns, and what functionals take from them. */
#ifndef GRADYN_ADJOINT_EXPLICIT_DIRECT_H
#define GRADYN_ADJOINT_EXPLICIT_DIRECT_H

#include "adjoint/onestep/sweeps.h"
#include "dae/systems/rates.h"

/* The step in hand, or a part of one. */
typedef struct gradyn_direct_position {
  int k;
  double t, h;
  double start, share; /* over the length of its arc */
  double *stages;
} gradyn_direct_position;

/* Lanes of an entry of a pack. */
static inline int gradyn_direct_lanes(const gradyn_onestep_sweeps *s, int pack)
{
  return (int)gradyn_lanes_packs(gradyn_onestep_columns(s, pack));
}

/* Changes of the state of a pack. */
static inline gradyn_lanes *gradyn_direct_state(const gradyn_onestep_sweeps *s, int pack)
{
  return s->z + pack * s->march->rates->nz * s->lanes;
}

/* Changes of stage i of the step in hand. */
static inline gradyn_lanes *gradyn_direct_stage(const gradyn_onestep_sweeps *s, int pack, int i)
{
  const gradyn_onestep *march = s->march;
  /* [packs][slots][seen] */
  return s->stage + ((size_t)pack * (size_t)march->kept.slots + (size_t)i) *
                        (size_t)(march->rates->seen * s->lanes);
}

/* What the rates have made of the changes of data of a pack; NULL: they make nothing of them. */
static inline gradyn_lanes *gradyn_direct_ready(const gradyn_onestep_sweeps *s, int pack)
{
  const int readies = s->march->rates->readies;
  return readies > 0 ? s->ready + pack * s->lanes * readies : NULL;
}

/* Changes of the data of a pack, and of a time, NULL: it stays. */
static inline gradyn_rates_change gradyn_direct_change(const gradyn_onestep_sweeps *s, int pack,
                                                       const gradyn_lanes *dt)
{
  const int nx = s->march->model->nx, four = pack * s->lanes;
  return (gradyn_rates_change){.x = s->dx + (size_t)(four * GRADYN_LANES) * (size_t)nx,
                               .lanes = s->side.x + four * nx,
                               .t = dt,
                               .ready = gradyn_direct_ready(s, pack)};
}

/* How a boundary moves with the columns of a pack. */
static inline const gradyn_lanes *gradyn_direct_boundary(const gradyn_onestep_sweeps *s,
                                                         int boundary, int pack)
{
  return s->boundary + (boundary * s->packs + pack) * s->lanes;
}

/* An entry of a pack. */
typedef struct gradyn_direct_entry {
  gradyn_lanes lane[2];
} gradyn_direct_entry;

/* How the time start + fraction of an arc moves. */
static inline gradyn_direct_entry gradyn_direct_time(const gradyn_onestep_sweeps *s, int arc,
                                                     int pack, double fraction)
{
  const gradyn_lanes *b0 = gradyn_direct_boundary(s, arc, pack),
                     *b1 = gradyn_direct_boundary(s, arc + 1, pack);
  gradyn_direct_entry dt = {0};
  /* t = t_0 + fraction (t_1 - t_0) */
  for (int h = 0; h < gradyn_direct_lanes(s, pack) && s->moving; h++)
    dt.lane[h] = (1 - fraction) * b0[h] + fraction * b1[h];
  return dt;
}

/* How the length of a step moves that is a share of its arc. */
static inline gradyn_direct_entry gradyn_direct_length(const gradyn_onestep_sweeps *s, int arc,
                                                       int pack, double share)
{
  const gradyn_lanes *b0 = gradyn_direct_boundary(s, arc, pack),
                     *b1 = gradyn_direct_boundary(s, arc + 1, pack);
  gradyn_direct_entry dh = {0};
  /* h = share (t_1 - t_0) */
  for (int h = 0; h < gradyn_direct_lanes(s, pack); h++)
    dh.lane[h] = share * (b1[h] - b0[h]);
  return dh;
}

/* out = dz + h sum weight_j dk_j + dh sum weight_j k_j, of a pack. */
void gradyn_direct_combine(const gradyn_onestep_sweeps *s, const gradyn_direct_position *at,
                           int pack, const double *weight, int count, gradyn_lanes *out);

/* Gradients in s->taken += what functionals take: integrands at stage i, and terminal parts at the end of
 * an arc (-1: the start of the run), or behind the event there; that stage's changes are in the last slot. */
gradyn_status gradyn_direct_integrands(gradyn_onestep_sweeps *s, const gradyn_direct_position *at,
                                       int i);
gradyn_status gradyn_direct_terminals(gradyn_onestep_sweeps *s, int arc, bool behind,
                                      const double *stage);

#endif
