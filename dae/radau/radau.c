/* Steps of Radau IIA. The stages are found by simplified Newton iterations, which use the derivatives at
 * the start of the step for all stages. Their matrix separates into a real and a complex part. The error
 * estimate is filtered (Hairer and Wanner, Solving Ordinary Differential Equations II, 2nd ed., IV.8). */
#include "dae/radau/radau.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/onestep/pieces.h"
#include "dae/systems/sizes.h"

enum { STAGES = GRADYN_RADAU_STAGES, MOST_ITERATIONS = 15 };

/* Largest remaining error of the stages, relative to the tolerances of a step. */
static const double settled = 1e-3;

/* Relative tolerance of the stages in runs with prescribed steps. */
static const double usual = 1e-11;

/* The tolerance of a step's error estimate is share rtol^power. With 0.1 rtol^(2/3), results of HIRES at
 * rtol 1e-7 and 1e-9 have errors of 11 and 21 tolerances; with 0.03 rtol^0.7, of 1.2 and 2.1. */
static const double step_share = 0.03, step_power = 0.7;

/* If corrections decrease by a factor above this one, the iterations have stalled. */
static const double still = 0.9;

/* If corrections decrease by a factor above this one, the next step gets new factors. */
static const double slow = 0.03;

const double gradyn_radau_a[STAGES * STAGES] = {
    0.19681547722366042587, -0.065535425850198388109, 0.02377097434822015242,
    0.394424314739087277,   0.29207341166522846302,   -0.041548752125997930198,
    0.37640306270046727505, 0.51248582618842161384,   0.11111111111111111111};

/* Transformation A = T S T^-1 with S = (real, 0; 0, pair). */
static const double T[] = {0.091232394870892942792,
                           -0.14125529502095420843,
                           -0.030029194105147424492,
                           0.24171793270710701896,
                           0.20412935229379993199,
                           0.38294211275726193779,
                           0.96604818261509293619,
                           1,
                           0};
static const double T_inverse[] = {
    4.325579890063155351,    0.33919925181580986954,  0.54177053993587487119,
    -4.1787185915519047273,  -0.32768282076106238708, 0.47662355450055045196,
    -0.50287263494578687605, 2.5719269498556054292,   -0.59603920482822492497};
static const double real_part[] = {0.27488882959567736775};
static const double pair_part[] = {0.1625555852021613161, 0.1849493244071407843,
                                   -0.1849493244071407843, 0.1625555852021613161};

/* Tableau in which the start of the step is stage 0: weights, nodes, and weights of the error estimate. */
static const double weights[] = {0, 0.37640306270046727505, 0.51248582618842161384,
                                 0.11111111111111111111};
static const double positions[] = {0, 0.15505102572168219018, 0.64494897427831780982, 1};
static const double judged[] = {0.27488882959567736775, -0.42829829411536810456,
                                0.24503907438491652606, -0.091629609865225789249};
/* unused: three stages cannot distinguish a kink of an integrand from a curvature */
static const double no_jump[STAGES + 1] = {0};

static const gradyn_tableau tableau = {.order = 5,
                                       .falls = 4,
                                       .steady = 1.2,
                                       .stages = STAGES + 1,
                                       .b = weights,
                                       .c = positions,
                                       .e = judged,
                                       .jump = no_jump,
                                       .least_jump = 1};

/* --- creation ---------------------------------------------------------------------------------- */

static void free_own(gradyn_onestep *march)
{
  gradyn_radau *s = march->own;
  if (!s)
    return;
  gradyn_radau_release_slopes(s);
  if (s->system)
    s->system->ops->free(s->system);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static gradyn_status create_own(gradyn_onestep *march)
{
  gradyn_model *model = march->model;
  gradyn_radau *s = march->own = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  march->rates->implicit = true;
  GRADYN_TRY(model->mech ? gradyn_implicit_from_mech(model, &s->system)
                         : gradyn_implicit_from_equations(march->rates->system, &s->system));
  const size_t nw = (size_t)s->system->nw, nz = (size_t)s->system->nz;
  double **of_w[] = {&s->w, &s->r, &s->change, &s->before}, **of_z[] = {&s->Z, &s->moved};
  for (int k = 0; k < 4; k++)
    *of_w[k] = gradyn_arena_numbers(&s->arena, STAGES * nw);
  s->column = gradyn_arena_numbers(&s->arena, STAGES * nw);
  for (int k = 0; k < 2; k++)
    *of_z[k] = gradyn_arena_numbers(&s->arena, STAGES * nz);
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a step");
}

/* --- stages ------------------------------------------------------------------------------------ */

/* Computes Z_i = z + h sum a_ij Z_j', from the last part of z to the first. z NULL: zero. */
static void integrate(const gradyn_implicit *s, double h, const double *z, const double *w,
                      double *Z)
{
  const double *A = gradyn_radau_a;
  const int nk = s->nk, nz = s->nz, last = nz - nk;
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < nk; k++) {
      double sum = 0;
      for (int j = 0; j < STAGES; j++)
        sum += A[i * STAGES + j] * w[j * s->nw + s->rate[k]];
      Z[i * nz + last + k] = (z ? z[last + k] : 0) + h * sum;
    }
  for (int i = 0; i < STAGES && s->order == 2; i++)
    for (int k = 0; k < nk; k++) {
      double sum = 0;
      for (int j = 0; j < STAGES; j++)
        sum += A[i * STAGES + j] * Z[j * nz + nk + k];
      Z[i * nz + k] = (z ? z[k] : 0) + h * sum;
    }
}

/* Writes stage i in the layout of gradyn_rates, and returns it. */
static double *fill_stage(const gradyn_onestep *march, int i, double *stages)
{
  const gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit *s = own->system;
  double *stage = gradyn_onestep_stage(march, stages, i + 1);
  for (int k = 0; k < s->nz; k++)
    stage[s->z_at[k]] = own->Z[i * s->nz + k];
  for (int k = 0; k < s->nw; k++)
    stage[s->w_at[k]] = own->w[i * s->nw + k];
  return stage;
}

/* Computes change = -(simplified matrix)^-1 r. In the basis T, the real part and the pair are solved
 * separately. */
static void solve_simplified(gradyn_radau *own)
{
  const gradyn_implicit *s = own->system;
  const int nw = s->nw;
  double *y = own->change;
  for (int k = 0; k < nw; k++)
    for (int i = 0; i < STAGES; i++) {
      double sum = 0;
      for (int j = 0; j < STAGES; j++)
        sum += T_inverse[i * STAGES + j] * own->r[j * nw + k];
      y[i * nw + k] = -sum;
    }
  gradyn_linsys_solve(own->real.system, y, 1);
  gradyn_linsys_solve(own->pair.system, y + nw, 1);
  for (int k = 0; k < nw; k++) {
    const double part[STAGES] = {y[k], y[nw + k], y[2 * nw + k]};
    for (int i = 0; i < STAGES; i++)
      y[i * nw + k] = T[i * STAGES] * part[0] + T[i * STAGES + 1] * part[1] +
                      T[i * STAGES + 2] * part[2];
  }
}

/* Returns one over the run's tolerance of an entry of a stage. */
static double weight_of(const gradyn_onestep *march, int position, double value)
{
  const gradyn_onestep_tolerances *t = &march->tolerances;
  const double atol = march->options.rtol > 0 ? t->atol[position] / march->options.rtol
                                              : GRADYN_ABSOLUTE_SHARE * t->size[position];
  return 1 / ((t->rtol > 0 ? t->rtol : usual) * (atol + fabs(value)));
}

/* Returns the root mean square of the changes at the stages relative to the run's tolerances. The changes
 * include z and, for general equations, algebraic states, which may not affect z. */
static double size_of_change(const gradyn_onestep *march, const double *z)
{
  const gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit *s = own->system;
  double sum = 0;
  int count = s->nz;
  for (int k = 0; k < s->nz; k++) {
    const double weight = weight_of(march, s->z_at[k], z[k]);
    for (int i = 0; i < STAGES; i++)
      sum += own->moved[i * s->nz + k] * weight * (own->moved[i * s->nz + k] * weight);
  }
  for (int k = 0; k < s->nw && s->order == 1; k++) {
    if (s->w_at[k] >= march->rates->ny) /* a rate */
      continue;
    const double weight = weight_of(march, s->w_at[k], own->w[k]);
    count++;
    for (int i = 0; i < STAGES; i++)
      sum += own->change[i * s->nw + k] * weight * (own->change[i * s->nw + k] * weight);
  }
  return sqrt(sum / (STAGES * count));
}

/* Computes the residuals r of all stages for the present w and Z. */
static gradyn_status find_residuals(gradyn_onestep *march, double t, double h, double *stages)
{
  gradyn_radau *own = gradyn_radau_of(march);
  gradyn_implicit *s = own->system;
  for (int i = 0; i < STAGES; i++) {
    march->rates->evaluations++;
    GRADYN_TRY(s->ops->residual(s, t + positions[i + 1] * h, fill_stage(march, i, stages),
                                own->r + i * s->nw));
  }
  return GRADYN_OK;
}

/* Makes one iteration, with the simplified matrix or with that of the stages. *size: size of the change. */
static gradyn_status iterate(gradyn_onestep *march, double t, double h, const double *z,
                             double *stages, bool simplified, double *size)
{
  gradyn_radau *own = gradyn_radau_of(march);
  gradyn_implicit *s = own->system;
  const int all = STAGES * s->nw;
  GRADYN_TRY(find_residuals(march, t, h, stages));
  if (simplified) {
    solve_simplified(own);
  } else {
    GRADYN_TRY(gradyn_radau_linearise(march, t, h, stages));
    for (int k = 0; k < all; k++)
      own->change[k] = -own->r[k];
    gradyn_linsys_solve(own->whole.system, own->change, 1);
  }
  integrate(s, h, NULL, own->change, own->moved);
  for (int k = 0; k < all; k++)
    own->w[k] += own->change[k];
  integrate(s, h, z, own->w, own->Z);
  *size = size_of_change(march, z);
  return GRADYN_OK;
}

/* Returns whether step lengths are prescribed, so that no step may be shortened. */
static bool is_fixed(const gradyn_onestep *march)
{
  return march->options.step > 0 || march->limits.given > 0;
}

/* Sets the initial values of iterations: from the parabola through w at the stages of the step before, if
 * that step has ended here; otherwise w at the start. */
static void guess(gradyn_onestep *march, double t, double h, const double *stages)
{
  gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit *s = own->system;
  const double *c = positions + 1, late = t - (own->from + own->length);
  const bool follows = own->length > 0 && fabs(late) <= 1e-9 * own->length;
  for (int i = 0; i < STAGES; i++) {
    const double x = follows ? 1 + c[i] * h / own->length : 0;
    const double share[STAGES] = {(x - c[1]) * (x - c[2]) / ((c[0] - c[1]) * (c[0] - c[2])),
                                  (x - c[0]) * (x - c[2]) / ((c[1] - c[0]) * (c[1] - c[2])),
                                  (x - c[0]) * (x - c[1]) / ((c[2] - c[0]) * (c[2] - c[1]))};
    for (int k = 0; k < s->nw; k++)
      own->w[i * s->nw + k] = follows
                                  ? share[0] * own->before[k] + share[1] * own->before[s->nw + k] +
                                        share[2] * own->before[2 * s->nw + k]
                                  : stages[s->w_at[k]];
  }
}

/* Kinds of factors for iterations: simplified factors of an earlier step (OLD), those of this step (FRESH),
 * or factors of the exact equations of the stages (EXACT). */
typedef enum factors { OLD, FRESH, EXACT } factors;

/* Iterates from the initial values until the remaining error is negligible. Sets *found to whether this
 * succeeds. Iterations may end because of round-off only if no other factors can follow. */
static gradyn_status find_stages(gradyn_onestep *march, double t, double h, const double *z,
                                 double *stages, factors with, bool *found)
{
  const bool last_way = with == EXACT || (with == FRESH && !is_fixed(march));
  gradyn_radau *own = gradyn_radau_of(march);
  gradyn_implicit *s = own->system;
  /* If iterations stall, changes up to this size count as round-off: if all later changes decreased by
   * `still`, their sum would be at most the tolerance of a step. For prescribed steps, it is half of all
   * digits. */
  const double exhausted = march->tolerances.rtol > 0 ? (1 - still) * march->tolerances.share
                                                      : sqrt(DBL_EPSILON) / usual;
  double last = HUGE_VAL, before = HUGE_VAL;
  *found = false;
  guess(march, t, h, stages);
  integrate(s, h, z, own->w, own->Z);
  for (int k = 0; k < MOST_ITERATIONS && !*found; k++) {
    double size;
    GRADYN_TRY(iterate(march, t, h, z, stages, with != EXACT, &size));
    /* changes of positions and of rates may alternate, so the rate is measured over two iterations */
    const double rate = k > 1 ? sqrt(size / before) : size / last;
    const bool stays = k > 1 && rate >= still;
    if (!isfinite(size) || (stays && (!last_way || size > exhausted)))
      return GRADYN_OK;
    own->made = k > 0 && rate > slow && size > settled ? 0 : own->made;
    *found = size == 0 || stays || (k > 0 && size * rate <= settled * fmax(1 - rate, DBL_EPSILON));
    before = last;
    last = size;
  }
  *found = *found || (last_way && last <= exhausted);
  for (int i = 0; i < STAGES; i++)
    fill_stage(march, i, stages);
  return GRADYN_OK;
}

/* Factorises the simplified matrix with the derivatives at the start of a step. */
static gradyn_status make_factors(gradyn_onestep *march, double t, double h, const double *stages)
{
  gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit_slopes *start[] = {&own->start, &own->start};
  bool again = true;
  own->made = 0;
  while (again)
    GRADYN_TRY(gradyn_radau_slopes_at(own, t, stages, &own->start, &again));
  GRADYN_TRY(gradyn_blocks_factor(&own->real, t, h, real_part, start));
  GRADYN_TRY(gradyn_blocks_factor(&own->pair, t, h, pair_part, start));
  march->control.factorisations += 2;
  own->made = h;
  return GRADYN_OK;
}

/* Prepares the steps of an arc, without data of other arcs, and without pivots from them. */
static gradyn_status enter(gradyn_onestep *march)
{
  gradyn_radau *own = gradyn_radau_of(march);
  gradyn_implicit *system = own->system;
  own->made = own->length = 0;
  if (own->patterned) {
    gradyn_linsys_reset(own->real.system);
    gradyn_linsys_reset(own->pair.system);
    gradyn_linsys_reset(own->whole.system);
  }
  return system->ops->soften ? system->ops->soften(system, march->rates->dependent,
                                                   gradyn_model_start(march->model), march->z)
                             : GRADYN_OK;
}

/* Finds the stages of a step: with old factors; if this fails, with new ones; then, for prescribed lengths,
 * with exact ones. */
static gradyn_status take(gradyn_onestep *march, double t, double h, const double *z,
                          double *stages)
{
  gradyn_radau *own = gradyn_radau_of(march);
  gradyn_implicit *s = own->system;
  bool found = false;
  if (own->made == h)
    GRADYN_TRY(find_stages(march, t, h, z, stages, OLD, &found));
  if (!found) {
    GRADYN_TRY(make_factors(march, t, h, stages));
    GRADYN_TRY(find_stages(march, t, h, z, stages, FRESH, &found));
  }
  /* only for prescribed lengths: otherwise a shorter step costs less than exact factors */
  if (!found && is_fixed(march))
    GRADYN_TRY(find_stages(march, t, h, z, stages, EXACT, &found));
  if (!found)
    return gradyn_fail(&march->model->message, GRADYN_NOT_CONVERGED,
                       "the stages of a step of %.3g s at t = %.6g s were not found: use shorter "
                       "steps",
                       h, t);
  memcpy(march->y, own->Z + 2 * s->nz, (size_t)s->nz * sizeof(double));
  memcpy(own->before, own->w, (size_t)(STAGES * s->nw) * sizeof(double));
  own->from = t;
  own->length = h;
  return GRADYN_OK;
}

/* Replaces e by (1 - g h f_z)^-1 e, with the real eigenvalue g of A, and f_z of the rates at the start of
 * the step. Stiff components then do not count as errors of the step. */
static void filter(gradyn_onestep *march, double h, double *e)
{
  gradyn_radau *own = gradyn_radau_of(march);
  const gradyn_implicit *s = own->system;
  const int nk = s->nk, last = s->nz - nk;
  const double sigma = h * real_part[0];
  double *b = own->column, *x = own->change;
  memset(b, 0, (size_t)s->nw * sizeof(double));
  memset(x, 0, (size_t)s->nw * sizeof(double));
  for (int k = 0; k < nk; k++)
    x[s->rate[k]] = e[last + k];
  gradyn_pattern_multiply(&s->pattern, s->nw, own->start.by_last, -1, x, b);
  /* for equations of second order, also the rates of positions */
  for (int k = 0; k < nk && s->order == 2; k++)
    x[s->rate[k]] = e[k] += sigma * e[last + k];
  if (s->order == 2)
    gradyn_pattern_multiply(&s->pattern, s->nw, own->start.by_first, -1, x, b);
  gradyn_linsys_solve(own->real.system, b, 1);
  for (int k = 0; k < nk; k++) {
    e[last + k] += sigma * b[s->rate[k]];
    if (s->order == 2)
      e[k] += sigma * sigma * b[s->rate[k]];
  }
}

static const gradyn_tableau *find_tableau(int order)
{
  return order == 0 || order == tableau.order ? &tableau : NULL;
}

/* Returns the tolerance of a step. The estimate decreases with h^4 and the error with h^6, so this is about
 * the tolerance of the run to the power 2/3. */
static double tolerance(double rtol)
{
  return step_share * pow(rtol, step_power);
}

const gradyn_onestep_scheme gradyn_radau_scheme = {.name = "radau",
                                                   .orders = "5",
                                                   .ends_in_stage = true,
                                                   .tableau = find_tableau,
                                                   .tolerance = tolerance,
                                                   .create = create_own,
                                                   .free = free_own,
                                                   .enter = enter,
                                                   .take = take,
                                                   .filter = filter,
                                                   .along = gradyn_radau_along,
                                                   .against = gradyn_radau_against};
