/* Derivatives of the steps of a run in batches (packs) of columns. A column is a tangent along a direction,
 * or the adjoint of a functional, then also called a row. The functions along() and against() of a scheme
 * differentiate its steps. */
#ifndef GRADYN_DAE_ONESTEP_BATCHES_H
#define GRADYN_DAE_ONESTEP_BATCHES_H

#include "core/linear/lanes.h"
#include "dae/onestep/stage_adjoints.h"

/* Derivatives, or adjoints, of the time of the node at which a step starts or ends, and of the length of
 * the step. */
typedef struct gradyn_onestep_node {
  gradyn_lanes *time, *length; /* [packs + 1] */
} gradyn_onestep_node;

/* Changes or adjoints of data, four columns side by side. */
typedef struct gradyn_onestep_side {
  gradyn_lanes *x;    /* [batches][nx] direct: changes; adjoint: adjoints within an arc */
  gradyn_lanes *kept; /* [batches][sums] adjoint: sums that the rates turn into adjoints of data */
  int *active, actives; /* adjoint: indices of the requested data, and their number */
} gradyn_onestep_side;

/* Adjoints at a stage of a step, for the rows of a batch. */
typedef struct gradyn_onestep_adjoints {
  gradyn_lanes *stage; /* [seen]; must be zero before */
  double *x;           /* [rows][nx] adjoints of data; added to */
  gradyn_lanes t, h; /* adjoints of the time of the stage and of the length of the step; added to */
} gradyn_onestep_adjoints;

struct gradyn_onestep_batches {
  gradyn_onestep *run; /* borrowed */
  /* number of columns; of batches (packs) of columns; of groups of four lanes in an entry, 1 or 2. Entries
   * of the last batch have one group if it has at most four columns */
  int columns, packs, lanes;
  int active;      /* batches of the present step: packs, and one more for an event at its end */
  bool moving;     /* true: boundaries depend on the data that change */
  gradyn_lanes *z; /* [packs][nz] entries: derivatives, or adjoints, of the state */
  gradyn_lanes *stage; /* [packs][slots][seen] of the stages; adjoint: [packs][slots][nz] of Z_i */
  gradyn_lanes *scratch; /* [packs][lanes * scratch_size] of the scheme */
  size_t scratch_size;
  gradyn_lanes *work; /* [max(nz, seen)] */
  gradyn_onestep_node node;
  double *dx; /* direct: [columns][nx] */
  gradyn_onestep_side side;
  gradyn_onestep_stage_adjoints record; /* adjoint, general equations */
  gradyn_lanes *ready; /* direct: [packs][readies] results of the rates for these changes of data */
  /* Adds the adjoints of stage i of a step that follow from the integrands of a batch. Errors: those of the
   * integrands. */
  gradyn_status (*integrands)(gradyn_onestep_batches *s, const gradyn_onestep_position *at, int i,
                              int pack, gradyn_onestep_adjoints *adjoints);
};

/* Adds factor times the product of a [count], lanes, and b [count], numbers, to *sum. */
static inline void gradyn_batch_add_dot(double factor, const gradyn_lanes *a, const double *b,
                                        int count, gradyn_lanes *sum)
{
  for (int i = 0; i < count; i++)
    *sum += factor * b[i] * a[i];
}

/* Returns the number of columns of batch `pack`, from 0. Batch s->packs belongs to an event and has one
 * column. */
static inline int gradyn_batch_columns(const gradyn_onestep_batches *s, int pack)
{
  const int most = GRADYN_LANES * s->lanes, left = pack < s->packs ? s->columns - pack * most : 1;
  return left < most ? left : most;
}

/* Returns entry 0 of a column in an array of `count` entries per batch; its next ones at *stride doubles. */
static inline double *gradyn_batch_column(const gradyn_onestep_batches *s, gradyn_lanes *array,
                                          int count, int column, int *stride)
{
  const int most = GRADYN_LANES * s->lanes, pack = column / most;
  *stride = GRADYN_LANES * (int)gradyn_lanes_groups(gradyn_batch_columns(s, pack));
  return (double *)(array + pack * count * s->lanes) + column % most;
}

/* Returns the number of groups of lanes in an entry of a batch, 1 or 2. */
static inline int gradyn_batch_lanes(const gradyn_onestep_batches *s, int pack)
{
  return (int)gradyn_lanes_groups(gradyn_batch_columns(s, pack));
}

/* Returns the derivatives of the state of batch `pack`, from 0, [nz] entries, which belong to s. */
static inline gradyn_lanes *gradyn_batch_state(const gradyn_onestep_batches *s, int pack)
{
  return s->z + pack * s->run->rates->nz * s->lanes;
}

/* Returns the derivatives of stage i of the present step of batch `pack`, both from 0, [seen] entries,
 * which belong to s. */
static inline gradyn_lanes *gradyn_batch_stage(const gradyn_onestep_batches *s, int pack, int i)
{
  const gradyn_onestep *march = s->run;
  return s->stage + ((size_t)pack * (size_t)march->kept.slots + (size_t)i) *
                        (size_t)(march->rates->seen * s->lanes);
}

/* Returns results [readies] of the rates for the changes of data of a batch; NULL: there are none. */
static inline gradyn_lanes *gradyn_batch_ready(const gradyn_onestep_batches *s, int pack)
{
  const int readies = s->run->rates->readies;
  return readies > 0 ? s->ready + pack * s->lanes * readies : NULL;
}

/* Returns the changes of data of batch `pack`, from 0, and dt, those of the time; dt NULL: zero. */
static inline gradyn_rates_change gradyn_batch_change(const gradyn_onestep_batches *s, int pack,
                                                      const gradyn_lanes *dt)
{
  const int nx = s->run->model->nx, four = pack * s->lanes;
  return (gradyn_rates_change){.x = s->dx + (size_t)(four * GRADYN_LANES) * (size_t)nx,
                               .lanes = s->side.x + four * nx,
                               .t = dt,
                               .ready = gradyn_batch_ready(s, pack)};
}
/* An entry of a batch. */
typedef struct gradyn_batch_entry {
  gradyn_lanes lane[2];
} gradyn_batch_entry;
/* Returns the changes of the time of the node plus `share` times the length of the present step, of batch
 * `pack`. */
static inline gradyn_batch_entry gradyn_batch_time(const gradyn_onestep_batches *s, int pack,
                                                   double share)
{
  gradyn_batch_entry dt = {0};
  for (int h = 0; h < gradyn_batch_lanes(s, pack) && s->moving; h++)
    dt.lane[h] = s->node.time[pack * s->lanes + h] + share * s->node.length[pack * s->lanes + h];
  return dt;
}
/* Returns the changes of the length of the present step times `share`, of batch `pack`. */
static inline gradyn_batch_entry gradyn_batch_length(const gradyn_onestep_batches *s, int pack,
                                                     double share)
{
  gradyn_batch_entry dh = {0};
  for (int h = 0; h < gradyn_batch_lanes(s, pack); h++)
    dh.lane[h] = share * s->node.length[pack * s->lanes + h];
  return dh;
}
/* Sets out [nz] to dz + h sum weight_j dk_j + dh sum weight_j k_j over the first `count` stages of a step,
 * for batch `pack`, from 0. weight [count]; k_j: rates at stage j. */
void gradyn_batch_combine(const gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                          int pack, const double *weight, int count, gradyn_lanes *out);
/* Adds factor x [count] d to out [count], for entries of `lanes` groups of lanes; d is one entry. */
void gradyn_batch_add_moved(int lanes, int count, double factor, const double *x,
                            const gradyn_batch_entry *d, gradyn_lanes *out);
/* Returns the arrays to which the rates add the adjoints of data of batch `pack`, from 0. x_bar [rows][nx]:
 * adjoints of all rows, borrowed. */
gradyn_rates_sums gradyn_batch_sums(const gradyn_onestep_batches *s, int pack, double *x_bar);

#endif
