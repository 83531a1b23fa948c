/* Detects kinks of the rates, for example of saturated friction. If a kink of f lies inside a step, f_z
 * jumps by some D between stages. Derivatives of the discrete run then err by c h D, whatever the order of
 * the method.
 *
 * There are two tests, of increasing cost (docs/theory/explicit.md, section 5). The first one is applied to
 * each step:
 *     direct sweep: e = h sum jump_i dk_i,    adjoint sweep: e = sum back_i Z_i_bar
 * are O(h^5) for smooth rates. Fast transients of the adjoint also make e large. If e is large compared
 * with the derivatives of the run, the second test therefore evaluates only the matrices f_z of the stages:
 *     p_i = w . f_z(Z_i) dz,
 * with the same dz and w at all stages. In the adjoint sweep, w is the adjoint and dz = e tolerance^2; in
 * the direct sweep, dz is the derivative and w = e/tolerance^2. sum jump_i p_i vanishes for polynomials. If
 * f_z jumps, the sum is at least least_jump times the root of sum (b_i p_i)^2. It is 1e-11 of this root
 * along a transient of a block with smooth friction, and 2e-3 to 0.6 of it at kinks of other laws. */
#include "adjoint/onestep/kinks.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A change of f_z counts as a kink above this part of least_jump. */
static const double part = 0.5;

/* Smallest e that counts, as a part of the tolerance and relative to the largest derivative. The errors of
 * gradients of a block with friction are 10 to 140 times e. */
static const double notable = 0.02;

void gradyn_onestep_kinks_begin(gradyn_onestep_sweeps *s)
{
  const gradyn_onestep *march = s->march;
  const size_t bytes = (size_t)(march->nf + 1) * sizeof(double);
  /* only runs with error control that take their own steps: repetitions are compared with each other
   * instead */
  s->kinks.watched = march->tableau->back && march->options.step == 0 && march->limits.given == 0 &&
                     march->limits.count == 0 && march->tolerances.part == 1;
  if (!s->kinks.watched)
    return; /* keep the result of the first run */
  memset(s->kinks.jump, 0, bytes);
  memset(s->kinks.most, 0, bytes);
}

bool gradyn_onestep_kinks_matter(const gradyn_onestep_sweeps *s, double rtol)
{
  for (int f = 0; f <= s->march->nf; f++)
    if (s->kinks.jump[f] > notable * rtol * s->kinks.most[f])
      return true;
  return false;
}

/* Computes the tolerances of the state at the end of step k, which serve as units of its components. */
static void find_tolerances(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep *march = s->march;
  const int nz = march->rates->nz, *position = march->rates->position;
  const double *z = march->z + (size_t)(k + 1) * (size_t)nz;
  for (int i = 0; i < nz; i++)
    s->kinks.tolerance[i] = march->tolerances.atol[position[i]] + march->options.rtol * fabs(z[i]);
}

/* --- the matrices of a step ---------------------------------------------------------------------- */

/* Vectors that multiply the matrices f_z: column `column` of the changes dz, and the weights w [nz]. */
typedef struct probe {
  int columns, column;
  const gradyn_lanes *dz;
  const double *weight;
} probe;

/* Returns p = w . f_z dz for the column of dz. s->kinks.stage must contain f_z dz. */
static double product(const gradyn_onestep_sweeps *s, const probe *p)
{
  const gradyn_rates *rates = s->march->rates;
  const int lanes = (int)gradyn_lanes_groups(p->columns);
  const double *dk = (const double *)(s->kinks.stage + rates->rates * lanes) + p->column;
  double sum = 0;
  for (int i = 0; i < rates->nz; i++)
    sum += p->weight[i] * dk[i * GRADYN_LANES * lanes];
  return sum;
}

/* Second test: sets *jumps if f_z jumps inside step k. Linearises the first stage last, since sweeps need
 * its matrices afterwards. */
static gradyn_status probe_step(gradyn_onestep_sweeps *s, int k, const probe *p, bool *jumps)
{
  gradyn_onestep *march = s->march;
  const gradyn_tableau *tableau = march->tableau;
  gradyn_rates *rates = march->rates;
  const double t = march->step[k].t, h = march->step[k].h;
  const gradyn_rates_change none = {.x = s->kinks.x, .lanes = s->kinks.none};
  double sum = 0, size = 0, *stages;
  GRADYN_TRY(gradyn_onestep_stages(march, k, &stages));
  for (int i = tableau->stages - 1; i >= 0; i--) {
    if (tableau->b[i] == 0)
      continue;
    GRADYN_TRY(rates->ops->linearise(rates, t + tableau->c[i] * h,
                                     gradyn_onestep_stage(march, stages, i)));
    GRADYN_TRY(rates->ops->tangent(rates, p->columns, p->dz, &none, s->kinks.stage));
    const double here = product(s, p);
    sum += tableau->jump[i] * here;
    size += tableau->b[i] * tableau->b[i] * here * here;
  }
  *jumps = fabs(sum) > part * tableau->least_jump * sqrt(size);
  return GRADYN_OK;
}

/* --- first test ----------------------------------------------------------------------------------- */

/* Computes e [count], which is factor times the sum of weight_i x_i over all stages with b_i not 0. The x_i
 * are `next` entries apart. Returns the stage with the largest |b_i|. */
static int sum_up(const gradyn_tableau *t, double factor, const double *weight,
                  const gradyn_lanes *x, int next, int count, gradyn_lanes *e)
{
  const gradyn_lanes *at[GRADYN_MOST_STAGES];
  double share[GRADYN_MOST_STAGES];
  int terms = 0, main = 0;
  for (int i = 0; i < t->stages; i++)
    if (t->b[i] != 0) {
      main = fabs(t->b[i]) > fabs(t->b[main]) ? i : main;
      share[terms] = factor * weight[i];
      at[terms++] = x + i * next;
    }
  gradyn_lanes_clear(count, e);
  gradyn_lanes_add(terms, share, at, count, e, e);
  return main;
}

/* Type of vector comparisons; and a mask for all bits of a number except its sign, for |x|. */
typedef int64_t mask __attribute__((vector_size(32)));
static const mask unsigned_bits = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};

/* Sets entries of e to zero unless they are larger than `least` times the entries of x. */
static GRADYN_WIDE void leave_jumps(int count, double least, const gradyn_lanes *x, gradyn_lanes *e)
{
  const double square = least * least;
  for (int i = 0; i < count; i++)
    e[i] = (gradyn_lanes)((mask)e[i] & (e[i] * e[i] > square * x[i] * x[i]));
}

/* Computes sum |x_i| tolerance_i in each lane. */
static GRADYN_WIDE void weigh(int nz, const double *tolerance, const gradyn_lanes *x,
                              double out[GRADYN_LANES])
{
  gradyn_lanes sum = {0};
  for (int i = 0; i < nz; i++)
    sum += (gradyn_lanes)((mask)x[i] & unsigned_bits) * tolerance[i];
  memcpy(out, &sum, sizeof sum);
}

/* Computes max |x_i|/tolerance_i of each column; `lanes` columns lie side by side. */
static GRADYN_WIDE void find_largest(int nz, int lanes, const double *tolerance,
                                     const gradyn_lanes *x, double out[2 * GRADYN_LANES])
{
  gradyn_lanes most[2] = {{0}, {0}};
  for (int i = 0; i < nz; i++)
    for (int l = 0; l < lanes; l++, x++) {
      const gradyn_lanes here = (gradyn_lanes)((mask)*x & unsigned_bits) / tolerance[i];
      const mask more = here > most[l];
      most[l] = (gradyn_lanes)(((mask)here & more) | ((mask)most[l] & ~more));
    }
  memcpy(out, most, sizeof most);
}

/* Returns whether e of functional f in a step is large enough for the second test, and larger than earlier
 * jumps. */
static bool counts(const gradyn_onestep_sweeps *s, int f, double e)
{
  return e > notable * s->march->tolerances.asked[0] * s->kinks.most[f] && e > s->kinks.jump[f];
}

/* --- adjoint sweep ------------------------------------------------------------------------------ */

/* Second test for lane j of a batch: dz = e tolerance^2, w is the adjoint at the start of the step. */
static gradyn_status probe_against(gradyn_onestep_sweeps *s, int k, int pack, int j, bool *jumps)
{
  const int nz = s->march->rates->nz;
  for (int i = 0; i < nz; i++) {
    const double tolerance = s->kinks.tolerance[i];
    s->kinks.dz[i] = (gradyn_lanes){s->b.work[i][j] * tolerance * tolerance};
    s->kinks.weight[i] = s->b.z[pack * nz + i][j];
  }
  const probe p = {.columns = 1, .dz = s->kinks.dz, .weight = s->kinks.weight};
  return probe_step(s, k, &p, jumps);
}

/* Applies both tests to the functionals of a batch. */
static gradyn_status judge_against(gradyn_onestep_sweeps *s, int k, int pack)
{
  const int nz = s->march->rates->nz;
  double e[GRADYN_LANES], size[GRADYN_LANES];
  weigh(nz, s->kinks.tolerance, s->b.work, e);
  weigh(nz, s->kinks.tolerance, s->b.z + pack * nz, size);
  for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++) {
    const int f = s->row[pack * GRADYN_LANES + j];
    bool jumps = false;
    s->kinks.most[f] = fmax(s->kinks.most[f], size[j]);
    /* kinks of integrands are reported separately */
    if (counts(s, f, e[j]) && isnan(s->corner[f]))
      GRADYN_TRY(probe_against(s, k, pack, j, &jumps));
    s->kinks.jump[f] = jumps ? e[j] : s->kinks.jump[f];
  }
  return GRADYN_OK;
}

static gradyn_status pack_against(gradyn_onestep_sweeps *s, int k, int pack)
{
  const gradyn_onestep *march = s->march;
  const gradyn_tableau *t = march->tableau;
  const int nz = march->rates->nz;
  const gradyn_lanes *adjoints = s->b.stage + pack * march->kept.slots * nz;
  const int main = sum_up(t, 1, t->back, adjoints, nz, nz, s->b.work);
  leave_jumps(nz, part * t->least_back, adjoints + main * nz, s->b.work);
  return judge_against(s, k, pack);
}

gradyn_status gradyn_onestep_kinks_against(gradyn_onestep_sweeps *s, int k)
{
  if (!s->kinks.watched)
    return GRADYN_OK;
  find_tolerances(s, k);
  for (int pack = 0; pack < s->b.packs; pack++)
    GRADYN_TRY(pack_against(s, k, pack));
  return GRADYN_OK;
}

/* --- direct sweep ------------------------------------------------------------------------------- */

/* Second test for a column of a batch: dz is the column itself, w = e/tolerance^2. */
static gradyn_status probe_along(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at,
                                 int pack, int column, bool *jumps)
{
  const int lanes = gradyn_batch_lanes(&s->b, pack);
  const double *e = (const double *)s->b.work + column;
  for (int i = 0; i < s->march->rates->nz; i++)
    s->kinks.weight[i] = e[i * GRADYN_LANES * lanes] /
                         (s->kinks.tolerance[i] * s->kinks.tolerance[i]);
  const probe p = {.columns = gradyn_batch_columns(&s->b, pack),
                   .column = column,
                   .dz = gradyn_batch_state(&s->b, pack),
                   .weight = s->kinks.weight};
  return probe_step(s, at->k, &p, jumps);
}

/* Applies both tests to the columns of a batch. e is relative to the largest derivative of all columns, as
 * errors of gradients are. */
static gradyn_status judge_along(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at,
                                 int pack)
{
  const int nz = s->march->rates->nz, lanes = gradyn_batch_lanes(&s->b, pack);
  double e[2 * GRADYN_LANES], size[2 * GRADYN_LANES];
  find_largest(nz, lanes, s->kinks.tolerance, s->b.work, e);
  find_largest(nz, lanes, s->kinks.tolerance, gradyn_batch_state(&s->b, pack), size);
  for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++) {
    bool jumps = false;
    s->kinks.most[0] = fmax(s->kinks.most[0], size[j]);
    if (counts(s, 0, e[j]))
      GRADYN_TRY(probe_along(s, at, pack, j, &jumps));
    s->kinks.jump[0] = jumps ? e[j] : s->kinks.jump[0];
  }
  return GRADYN_OK;
}

/* Examines the batch `pack` of a step for kinks of its rates. */
static gradyn_status pack_along(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at,
                                int pack)
{
  const gradyn_rates *rates = s->march->rates;
  const gradyn_tableau *t = s->march->tableau;
  const int lanes = gradyn_batch_lanes(&s->b, pack), count = rates->nz * lanes,
            next = rates->seen * s->b.lanes;
  const gradyn_lanes *dk = gradyn_batch_stage(&s->b, pack, 0) + rates->rates * lanes;
  const int main = sum_up(t, at->h, t->jump, dk, next, count, s->b.work);
  leave_jumps(count, part * t->least_jump * at->h * t->b[main], dk + main * next, s->b.work);
  return judge_along(s, at, pack);
}

gradyn_status gradyn_onestep_kinks_along(gradyn_onestep_sweeps *s,
                                         const gradyn_onestep_position *at)
{
  if (!s->kinks.watched)
    return GRADYN_OK;
  find_tolerances(s, at->k);
  for (int pack = 0; pack < s->b.packs; pack++)
    GRADYN_TRY(pack_along(s, at, pack));
  return GRADYN_OK;
}
