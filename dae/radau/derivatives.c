/* Exact derivatives of the steps of Radau IIA of order 5. One factorisation of the exact stage equations of
 * a step serves all columns of direct and adjoint sweeps.
 *
 * W_i, V_i and Q_i are the slopes of the residual r at stage i by w, by the last and by the first part of
 * z. With B = h A, a direct sweep solves
 *     sum_j (delta_ij W_i + B_ij V_i + (B^2)_ij Q_i) dw_j = -(r_x dx + r_t dt_i + r_z dZ_i at dw = 0).
 * An adjoint sweep solves the transposed equations. */
#include <string.h>

#include "core/linear/lanes.h"
#include "dae/onestep/batches.h"
#include "dae/radau/radau.h"

enum { STAGES = GRADYN_RADAU_STAGES };

/* --- along -------------------------------------------------------------------------------------- */

/* Computes dZ_i = dz + h sum a_ij dZ_j' + dh sum a_ij Z_j' for the present changes of w, from the last part
 * of z to the first. States of general equations are at the indices z_at. */
static void integrate(gradyn_onestep_batches *s, const gradyn_onestep_position *at, int pack)
{
  const gradyn_onestep *run = s->run;
  const gradyn_implicit *model = gradyn_radau_of(run)->system;
  const int lanes = gradyn_batch_lanes(s, pack), nk = model->nk;
  const gradyn_lanes *dz = gradyn_batch_state(s, pack);
  gradyn_batch_entry dh = {0};
  if (s->moving)
    dh = gradyn_batch_length(s, pack, at->share);
  for (int part = model->nz - nk; part >= 0; part -= nk)
    for (int i = 0; i < STAGES; i++)
      for (int k = part; k < part + nk; k++) {
        const int rate = run->rates->rates + k;
        gradyn_lanes *out = gradyn_batch_stage(s, pack, i + 1) + model->z_at[k] * lanes;
        for (int l = 0; l < lanes; l++) {
          gradyn_lanes sum = dz[k * lanes + l];
          for (int j = 0; j < STAGES; j++) {
            const double a = gradyn_radau_a[i * STAGES + j];
            sum += at->h * a * gradyn_batch_stage(s, pack, j + 1)[rate * lanes + l];
            if (s->moving)
              sum += a * gradyn_onestep_stage(run, at->stages, j + 1)[rate] * dh.lane[l];
          }
          out[l] = sum;
        }
      }
}

/* Subtracts slopes times the change of a part of z from r, in the columns of the rates of this part. */
static void subtract_slopes(const gradyn_implicit *model, int lanes, const double *slopes,
                            const gradyn_lanes *dstage, int part, gradyn_lanes *x, gradyn_lanes *r)
{
  memset(x, 0, (size_t)(model->nw * lanes) * sizeof *x);
  for (int k = 0; k < model->nk; k++)
    for (int l = 0; l < lanes; l++)
      x[model->rate[k] * lanes + l] = dstage[model->z_at[part + k] * lanes + l];
  gradyn_lanes_subtract(lanes, false, &model->pattern, model->nw, slopes, x, r);
}

/* Returns the scratch memory of a batch. */
static gradyn_lanes *scratch_of(const gradyn_onestep_batches *s, int pack)
{
  return s->scratch + (size_t)(pack * s->lanes) * s->scratch_size;
}

/* Computes the changes of all stages of a step, for the columns of batch `pack`, from the changes of the
 * state at its start. */
static gradyn_status pack_along(gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                                int pack)
{
  gradyn_onestep *run = s->run;
  gradyn_radau *own = gradyn_radau_of(run);
  gradyn_implicit *model = own->system;
  const int lanes = gradyn_batch_lanes(s, pack), columns = gradyn_batch_columns(s, pack);
  const int nw = model->nw, seen = run->rates->seen;
  gradyn_lanes *b = scratch_of(s, pack), *x = b + STAGES * nw * lanes;
  for (int i = 0; i < STAGES; i++)
    memset(gradyn_batch_stage(s, pack, i + 1), 0, (size_t)(seen * lanes) * sizeof *b);
  integrate(s, at, pack);
  for (int i = 0; i < STAGES; i++) {
    const double c = run->tableau->c[i + 1];
    const gradyn_lanes *dstage = gradyn_batch_stage(s, pack, i + 1);
    gradyn_lanes *r = b + i * nw * lanes;
    gradyn_batch_entry dt;
    if (s->moving)
      dt = gradyn_batch_time(s, pack, c * at->share);
    const gradyn_rates_change d = gradyn_batch_change(s, pack, s->moving ? dt.lane : NULL);
    GRADYN_TRY(model->ops->along(model, at->t + c * at->h,
                                 gradyn_onestep_stage(run, at->stages, i + 1), columns, &d, r));
    for (int k = 0; k < nw * lanes; k++)
      r[k] = -r[k];
    subtract_slopes(model, lanes, own->slopes[i].by_last, dstage, model->nz - model->nk, x, r);
    if (model->order == 2)
      subtract_slopes(model, lanes, own->slopes[i].by_first, dstage, 0, x, r);
  }
  gradyn_linsys_solve_lanes(own->whole.system, false, columns, b);
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < nw; k++)
      for (int l = 0; l < lanes; l++)
        gradyn_batch_stage(s, pack,
                           i + 1)[model->w_at[k] * lanes + l] = b[(i * nw + k) * lanes + l];
  integrate(s, at, pack);
  return GRADYN_OK;
}

gradyn_status gradyn_radau_along(gradyn_onestep_batches *s, const gradyn_onestep_position *at)
{
  GRADYN_TRY(gradyn_radau_linearise(s->run, at->t, at->h, at->stages));
  for (int pack = 0; pack < s->active; pack++)
    GRADYN_TRY(pack_along(s, at, pack));
  return GRADYN_OK;
}

/* --- against ------------------------------------------------------------------------------------ */

/* Adjoints of the present step: of Z_i [3][nz], of w_i [3][nw], of Z_i' [3][nz], of the times of the stages
 * [3], and of the length of the step. present: number 0 is 0 if they are all zero. */
typedef struct adjoints {
  gradyn_lanes *Z, *w, *rates, *t, *h, *present;
} adjoints;

/* Returns the adjoints of a batch, which stay until the next step. x [nw]: receives workspace after them. */
static adjoints adjoints_of(const gradyn_onestep_batches *s, int pack, gradyn_lanes **x)
{
  const gradyn_implicit *model = gradyn_radau_of(s->run)->system;
  gradyn_lanes *Z = scratch_of(s, pack), *rates = Z + STAGES * model->nz,
               *w = rates + STAGES * model->nz, *t = w + STAGES * model->nw;
  *x = t + STAGES + 2;
  return (adjoints){Z, w, rates, t, t + STAGES, t + STAGES + 1};
}

/* Computes rates = h b_i z*_bar + h sum_j a_ji Z_j_bar for a part of z. */
static void gather_rates(const gradyn_implicit *model, double h, const gradyn_lanes *star, int part,
                         const adjoints *at)
{
  /* weights b: the step ends with its last stage */
  const double *b = gradyn_radau_a + (STAGES - 1) * STAGES;
  for (int i = 0; i < STAGES; i++)
    for (int k = part; k < part + model->nk; k++) {
      gradyn_lanes sum = h * b[i] * star[k];
      for (int j = 0; j < STAGES; j++)
        sum += h * gradyn_radau_a[j * STAGES + i] * at->Z[j * model->nz + k];
      at->rates[i * model->nz + k] = sum;
    }
}

/* Subtracts the transpose of slopes times mu from out, from the columns of rates to a part of z. */
static void subtract_transposed(const gradyn_implicit *model, const double *slopes,
                                const gradyn_lanes *mu, gradyn_lanes *x, gradyn_lanes *out)
{
  memset(x, 0, (size_t)model->nw * sizeof *x);
  gradyn_lanes_subtract(1, true, &model->pattern, model->nw, slopes, mu, x);
  for (int k = 0; k < model->nk; k++)
    out[k] += x[model->rate[k]];
}

/* Adds the adjoints of the rates of positions, times sign, to those of velocities, which are these rates. */
static void hand_down(const gradyn_implicit *model, double sign, const adjoints *at)
{
  for (int i = 0; i < STAGES && model->order == 2; i++)
    for (int k = 0; k < model->nk; k++)
      at->Z[i * model->nz + model->nk + k] += sign * at->rates[i * model->nz + k];
}

/* Returns whether a batch has adjoints at this step: functionals of earlier times have none. */
static bool is_present(const gradyn_onestep_batches *s, int pack, const adjoints *at)
{
  const gradyn_implicit *model = gradyn_radau_of(s->run)->system;
  return s->record.eta || gradyn_lanes_any(model->nz, s->z + pack * model->nz) ||
         gradyn_lanes_any(STAGES * model->nz, at->Z) ||
         gradyn_lanes_any(STAGES * model->nw, at->w) || gradyn_lanes_any(STAGES + 1, at->t);
}

/* Sets the adjoints of z and w of a batch from those of the state at the end and of integrands. Then
 * replaces the adjoints of w by mu, which solves the transposed equations of the stages. */
static gradyn_status begin_against(gradyn_onestep_batches *s, const gradyn_onestep_position *step,
                                   int pack, double *x_bar)
{
  gradyn_radau *own = gradyn_radau_of(s->run);
  gradyn_implicit *model = own->system;
  const int nz = model->nz, nw = model->nw, last = nz - model->nk, seen = s->run->rates->seen;
  gradyn_lanes *star = s->z + pack * nz, *stage_bar = s->work, *x;
  const adjoints at = adjoints_of(s, pack, &x);
  *at.h = (gradyn_lanes){0};
  for (int i = 0; i < STAGES; i++) {
    memset(stage_bar, 0, (size_t)seen * sizeof *stage_bar);
    gradyn_onestep_adjoints taken = {.stage = stage_bar, .x = x_bar, .h = *at.h};
    GRADYN_TRY(s->integrands(s, step, i + 1, pack, &taken));
    at.t[i] = taken.t;
    *at.h = taken.h;
    for (int j = 0; j < nz; j++)
      at.Z[i * nz + j] = stage_bar[model->z_at[j]];
    for (int j = 0; j < nw; j++)
      at.w[i * nw + j] = stage_bar[model->w_at[j]];
  }
  (*at.present)[0] = is_present(s, pack, &at);
  if ((*at.present)[0] == 0)
    return GRADYN_OK;
  /* at first only with the adjoints of w, from the first part of z to the last */
  for (int part = 0; part <= last; part += model->nk) {
    gather_rates(model, step->h, star, part, &at);
    if (part < last)
      hand_down(model, 1, &at);
  }
  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < model->nk; j++)
      at.w[i * nw + model->rate[j]] += at.rates[i * nz + last + j];
  /* take these back, and compute them with the contributions of mu */
  hand_down(model, -1, &at);
  gradyn_linsys_solve_lanes(own->whole.system, true, gradyn_batch_columns(s, pack), at.w);
  return GRADYN_OK;
}

/* Adds the effect of mu at stage i, from 0, to the adjoints of z, data and time. */
static gradyn_status stage_against(gradyn_onestep_batches *s, int pack, int i, double *x_bar)
{
  gradyn_onestep *run = s->run;
  gradyn_radau *own = gradyn_radau_of(run);
  gradyn_implicit *model = own->system;
  const int nz = model->nz, last = nz - model->nk;
  gradyn_lanes *x;
  const adjoints at = adjoints_of(s, pack, &x);
  gradyn_lanes *mu = at.w + i * model->nw;
  if ((*at.present)[0] == 0)
    return GRADYN_OK;
  gradyn_stage_adjoints_at(&s->record, run->rates, i + 1);
  GRADYN_TRY(model->ops->against(model, gradyn_batch_columns(s, pack), mu,
                                 x_bar + pack * GRADYN_LANES * run->model->nx,
                                 s->moving ? &at.t[i] : NULL));
  subtract_transposed(model, own->slopes[i].by_last, mu, x, at.Z + i * nz + last);
  if (model->order == 2)
    subtract_transposed(model, own->slopes[i].by_first, mu, x, at.Z + i * nz);
  return GRADYN_OK;
}

/* Adds the adjoints of the stages of a batch to those of the state at the start, of its time, and of the
 * length of the step. */
static void end_against(gradyn_onestep_batches *s, const gradyn_onestep_position *step, int pack)
{
  gradyn_onestep *run = s->run;
  gradyn_implicit *model = gradyn_radau_of(run)->system;
  const int nz = model->nz, last = nz - model->nk;
  gradyn_lanes *star = s->z + pack * nz, *x;
  const adjoints at = adjoints_of(s, pack, &x);
  if ((*at.present)[0] == 0)
    return;
  for (int part = 0; part <= last; part += model->nk) {
    gather_rates(model, step->h, star, part, &at);
    if (part < last)
      hand_down(model, 1, &at);
  }
  /* derivatives by h are sums of these rates without the factor h, also in a step of length 0 */
  for (int part = 0; part <= last && s->moving; part += model->nk)
    gather_rates(model, 1, star, part, &at);
  gradyn_lanes h_bar = *at.h;
  for (int i = 0; i < STAGES; i++) {
    const double *rate = gradyn_onestep_stage(run, step->stages, i + 1) + run->rates->rates;
    for (int j = 0; j < nz; j++) {
      star[j] += at.Z[i * nz + j];
      h_bar += rate[j] * at.rates[i * nz + j];
      if (s->record.eta && s->moving)
        s->record.rates[(i + 1) * nz + j] = at.rates[i * nz + j][0];
    }
    s->node.time[pack] += at.t[i];
    h_bar += run->tableau->c[i + 1] * at.t[i]; /* t_i = t + c_i h */
  }
  s->node.length[pack] += h_bar;
}

/* Computes the transpose of gradyn_radau_along(). The adjoints of the state at the end become those at the
 * start, and adjoints of data are added to x_bar [rows][nx]. Derivatives by data at a stage serve all
 * batches. */
gradyn_status gradyn_radau_against(gradyn_onestep_batches *s, const gradyn_onestep_position *step,
                                   double *x_bar)
{
  gradyn_onestep *run = s->run;
  gradyn_implicit *model = gradyn_radau_of(run)->system;
  GRADYN_TRY(gradyn_radau_linearise(run, step->t, step->h, step->stages));
  for (int pack = 0; pack < s->active; pack++)
    GRADYN_TRY(begin_against(s, step, pack, x_bar));
  for (int i = 0; i < STAGES; i++) {
    model->ops->enter(model, step->t + run->tableau->c[i + 1] * step->h,
                      gradyn_onestep_stage(run, step->stages, i + 1));
    for (int pack = 0; pack < s->active; pack++)
      GRADYN_TRY(stage_against(s, pack, i, x_bar));
  }
  for (int pack = 0; pack < s->active; pack++)
    end_against(s, step, pack);
  return GRADYN_OK;
}
