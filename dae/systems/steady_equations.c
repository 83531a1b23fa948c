/* Finds the steady state before a run. The implicit Euler method follows the motion from the initial
 * values, so that the steady state is the one that the motion reaches. Steps are as long as the error
 * permits; as the motion decays, they become steps of Newton's method. If the equations conserve totals
 * (totals.h), F_y is singular. The steady state then has the totals of the initial values, and Newton's
 * matrix is that of steady_derivatives.c. */
#include "dae/systems/steady_equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/start/linearise.h"
#include "dae/systems/sizes.h"

/* Fortran. */
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivots, int *info);
void dgetrs_(const char *transposed, const int *n, const int *columns, const double *A,
             const int *lda, const int *pivots, double *b, const int *ldb, int *info,
             size_t transposed_length);

/* Largest numbers of steps of the motion, and of iterations of Newton's method. */
enum { MOST_STEPS = 3000, MOST_NEWTON = 30 };

/* Largest error of a step of the motion, relative to the sizes of states. */
static const double faithful = 2e-3;
/* Newton's method is tried after a step of the motion below `near`, relative to the sizes. Its own first
 * step must be below `close`. */
static const double near = 0.01, close = 0.03;

/* Steps below this fraction of the sizes are round-off. */
static const double still = 1e-13;
/* Changes of zero states below this fraction of their sizes are round-off. */
static const double nothing = 1e-20;
/* Residuals below this fraction of their terms are round-off. */
static const double balanced = 1e-12;
/* F_y counts as singular if products with it are below this fraction of their terms. */
static const double doubtful = 1e-8;
/* Eigenvalues below this fraction of the largest one are round-off. Real parts below this fraction of their
 * eigenvalue are round-off. */
static const double neutral = 1e-10;

/* --- Newton's matrix -------------------------------------------------------------------------- */

/* Fails because other steady states are adjacent. */
static gradyn_status not_isolated(const gradyn_steady_state *w)
{
  char name[GRADYN_TOTAL_NAME] = "";
  if (w->totals.count > 0)
    gradyn_totals_name(&w->totals, w->plain, 0, name);
  return gradyn_fail(&w->model->message, GRADYN_SINGULAR,
                     "steady state before the run: it is not isolated, %s%s%s. Check for states "
                     "that no equation determines",
                     w->totals.count > 0 ? "though the total " : "and no total is conserved", name,
                     w->totals.count > 0 ? " is kept" : "");
}

/* Factorises [F_y, W^T; C, 0]; fails if it is singular. */
static gradyn_status factor_bordered(gradyn_steady_state *w)
{
  const int n = w->system->ny, count = w->totals.count, side = n + count;
  int info = 0;
  GRADYN_TRY(gradyn_steady_state_fill(w, side, 1, 0));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < count; i++) {
      w->K[(size_t)j * (size_t)side + (size_t)(n + i)] = w->totals.C[i * n + j];
      w->K[(size_t)(n + i) * (size_t)side + (size_t)j] = w->totals.W[i * n + j];
    }
  double most = gradyn_largest(w->K, side * side);
  dgetrf_(&side, &side, w->K, &side, w->pivots, &info);
  for (int i = 0; i < side && info == 0; i++)
    info = fabs(w->K[(size_t)i * (size_t)(side + 1)]) <= 1e-15 * most;
  return info == 0 ? GRADYN_OK : not_isolated(w);
}

/* Sets sum [ny] to the sums of |F_y|_ij |v_j| over j. */
static void add_magnitudes(gradyn_steady_state *w, const double *v, double *sum)
{
  const int n = w->system->ny;
  memset(sum, 0, (size_t)n * sizeof *sum);
  memset(w->kept, 0, (size_t)n * sizeof *w->kept);
  for (int j = 0; j < n; j++) {
    memset(w->r, 0, (size_t)n * sizeof *w->r);
    w->kept[j] = v[j];
    w->system->ops->tangent(w->system, w->kept, w->yp, w->r);
    w->kept[j] = 0;
    for (int i = 0; i < n; i++)
      sum[i] += fabs(w->r[i]);
  }
}

/* Returns whether F_y, which has just been factorised, is singular except for round-off. In that case, the
 * terms of F_y v are large and cancel to b, where v solves F_y v = b. */
static bool is_doubtful(gradyn_steady_state *w)
{
  const int n = w->system->ny;
  double *v = w->change, *b = w->d;
  add_magnitudes(w, w->size, b);
  for (int i = 0; i < n; i++)
    v[i] = b[i] *= fmod(0.618033988749895 * (i + 1), 1) - 0.3; /* b without special direction */
  w->system->ops->solve(w->system, v);
  add_magnitudes(w, v, w->last);
  for (int i = 0; i < n; i++)
    if (!(fabs(b[i]) >= doubtful * w->last[i]))
      return true;
  return false;
}

/* Factorises Newton's matrix at w->y. If F_y is singular, finds the totals first. */
static gradyn_status factor(gradyn_steady_state *w)
{
  const double t = gradyn_model_start(w->model);
  GRADYN_TRY(w->system->ops->linearise(w->system, t, w->y, w->yp));
  if (w->totals.count > 0)
    return factor_bordered(w);
  const gradyn_status status = w->system->ops->factor(w->system, 0);
  if (status != GRADYN_OK ? status != GRADYN_SINGULAR : !is_doubtful(w))
    return status;
  gradyn_totals_clear(&w->totals);
  GRADYN_TRY(gradyn_totals_find(w->plain, t, w->y0, w->size, &w->totals));
  GRADYN_TRY(w->system->ops->linearise(w->system, t, w->y, w->yp));
  if (w->totals.count > 0)
    return factor_bordered(w);
  return status == GRADYN_OK ? w->system->ops->factor(w->system, 0) : not_isolated(w);
}

void gradyn_steady_state_solve(gradyn_steady_state *w, bool transposed, double *v, double *z)
{
  const int n = w->system->ny, count = w->totals.count, side = n + count, one = 1;
  int info;
  if (count == 0) {
    if (transposed)
      gradyn_equations_system_solve_transposed(w->plain, v);
    else
      w->system->ops->solve(w->system, v);
    return;
  }
  memcpy(w->b, v, (size_t)n * sizeof *v);
  memcpy(w->b + n, z, (size_t)count * sizeof *z);
  dgetrs_(transposed ? "T" : "N", &side, &one, w->K, &side, w->pivots, w->b, &side, &info, 1);
  memcpy(v, w->b, (size_t)n * sizeof *v);
  memcpy(z, w->b + n, (size_t)count * sizeof *z);
}

gradyn_status gradyn_steady_state_moved(gradyn_steady_state *w, double *g)
{
  const int n = w->system->ny;
  const double t = gradyn_model_start(w->model);
  for (int j = 0; j < n; j++)
    w->change[j] = w->plain->id[j] != 0 ? w->y[j] - w->y0[j] : 0;
  GRADYN_TRY(w->system->ops->residual(w->system, t, w->y, w->change, g));
  GRADYN_TRY(w->system->ops->residual(w->system, t, w->y, w->yp, w->last));
  for (int i = 0; i < n; i++)
    g[i] -= w->last[i];
  return GRADYN_OK;
}

/* --- the motion and its end ------------------------------------------------------------------- */

/* Returns the largest entry of v [ny] relative to the size or value of its state, and sets *at to its
 * index. */
static double relative(const gradyn_steady_state *w, const double *v, int *at)
{
  double most = 0;
  for (int i = 0; i < w->system->ny; i++) {
    const double share = fabs(v[i]) / fmax(w->size[i], fabs(w->y[i]));
    if (share > most || isnan(share)) {
      most = isnan(share) ? HUGE_VAL : share;
      *at = i;
    }
  }
  return most;
}

/* Takes one step of Newton's method: subtracts w->d from w->y. *step is the relative size of w->d. */
static gradyn_status newton(gradyn_steady_state *w, double *step)
{
  const int n = w->system->ny;
  int at = 0;
  double *z = w->last; /* try_rest() restores w->last */
  GRADYN_TRY(factor(w));
  if (w->totals.count > 0)
    GRADYN_TRY(gradyn_steady_state_moved(w, w->kept));
  for (int i = 0; i < w->totals.count; i++)
    z[i] = gradyn_dot(w->totals.W + i * n, w->kept, n);
  GRADYN_TRY(w->system->ops->residual(w->system, gradyn_model_start(w->model), w->y, w->yp, w->d));
  gradyn_steady_state_solve(w, false, w->d, z);
  for (int i = 0; i < n; i++)
    w->y[i] -= w->d[i];
  *step = relative(w, w->d, &at);
  if (!gradyn_all_finite(w->y, n))
    *step = HUGE_VAL;
  return GRADYN_OK;
}

/* Sets *found to whether F is zero up to round-off. If a total changes slowly, F is not zero, and Newton's
 * method converges to F = -W^T z. */
static gradyn_status check_balance(gradyn_steady_state *w, bool *found)
{
  *found = true;
  if (w->totals.count == 0)
    return GRADYN_OK;
  /* values may be zero, so terms by the sizes of states are added */
  double *terms = w->last, *F = w->d;
  add_magnitudes(w, w->y, terms);
  add_magnitudes(w, w->size, F);
  for (int i = 0; i < w->system->ny; i++)
    terms[i] += F[i];
  GRADYN_TRY(w->system->ops->residual(w->system, gradyn_model_start(w->model), w->y, w->yp, F));
  for (int i = 0; i < w->system->ny; i++)
    *found = *found && fabs(F[i]) <= balanced * terms[i];
  return GRADYN_OK;
}

/* Applies Newton's method until its steps are round-off. *found: the first step is short, convergence is
 * fast, and F is zero. */
static gradyn_status polish(gradyn_steady_state *w, bool *found)
{
  double step = 0, last = HUGE_VAL;
  *found = false;
  for (int k = 0; k < MOST_NEWTON; k++, last = step) {
    GRADYN_TRY(newton(w, &step));
    if (k == 0 ? step > close : step > 1e-9 && step > 0.5 * last)
      return GRADYN_OK;
    if (step < 1e-15 || (step < 1e-9 && step >= last)) {
      GRADYN_TRY(factor(w)); /* matrix for derivatives */
      return check_balance(w, found);
    }
  }
  return GRADYN_OK;
}

/* Solves for the step w->d, with one refinement. Changes of zero states below `nothing` of their sizes are
 * set to zero, because such round-off could grow. */
static void refine(gradyn_steady_state *w, double cj)
{
  const int n = w->system->ny;
  double *rest = w->kept, *d = w->change, *rate = w->r;
  memcpy(d, w->d, (size_t)n * sizeof *d);
  w->system->ops->solve(w->system, d);
  memset(rest, 0, (size_t)n * sizeof *rest);
  for (int i = 0; i < n; i++)
    rate[i] = cj * d[i];
  w->system->ops->tangent(w->system, d, rate, rest);
  for (int i = 0; i < n; i++)
    rest[i] = w->d[i] - rest[i];
  w->system->ops->solve(w->system, rest);
  for (int i = 0; i < n; i++)
    w->d[i] = w->y[i] == 0 && fabs(d[i] + rest[i]) < nothing * w->size[i] ? 0 : d[i] + rest[i];
}

/* Sets w->d to the negative of a step of length 1/cj along the motion. */
static gradyn_status aim(gradyn_steady_state *w, double cj)
{
  const double t = gradyn_model_start(w->model);
  GRADYN_TRY(w->system->ops->residual(w->system, t, w->y, w->yp, w->d));
  GRADYN_TRY(w->system->ops->linearise(w->system, t, w->y, w->yp));
  GRADYN_TRY(w->system->ops->factor(w->system, cj));
  refine(w, cj);
  return GRADYN_OK;
}

/* Returns the error of the step w->d relative to the sizes. It is half the difference between w->d and the
 * step, `ratio` times w->last, that the slope before predicts. */
static double error_of(const gradyn_steady_state *w, double ratio)
{
  double most = 0;
  for (int d = 0; d < w->system->np; d++) {
    const int i = w->system->differential[d];
    const double off = fabs(w->d[i] - ratio * w->last[i]) / 2;
    most = fmax(most, off / fmax(w->size[i], fabs(w->y[i])));
    if (isnan(off))
      return HUGE_VAL;
  }
  return most;
}

/* Fails because the motion does not come to rest. */
static gradyn_status no_rest(gradyn_steady_state *w, double t)
{
  int at = 0;
  const double step = relative(w, w->last, &at);
  gradyn_message_clear(&w->model->message); /* messages of failed trials */
  return gradyn_fail(&w->model->message, GRADYN_NOT_CONVERGED,
                     "steady state before the run: none was reached, %s still moves by %.3g of its "
                     "size in a step at t = %.3g s. Check that states converge",
                     w->e->unknown[at].name, step, t);
}

/* Sets *stays to whether small changes of the state w->y decay, according to the eigenvalues. If not,
 * *grows becomes the largest rate of growth, 1/s. */
static gradyn_status judge(gradyn_steady_state *w, bool *stays, double *grows)
{
  LOCAL(gradyn_linearisation) linear = {0};
  const gradyn_discrete_state kept = w->model->discrete;
  double fast = 0;
  *stays = true;
  if (w->system->ny > GRADYN_STEADY_TESTED)
    return GRADYN_OK;
  const gradyn_status status = gradyn_linearise_equations(w->model, gradyn_model_start(w->model),
                                                          w->y, &linear);
  gradyn_discrete_state_enter(w->model, kept);
  GRADYN_TRY(status);
  for (int k = 0; k < linear.states; k++)
    fast = fmax(fast, hypot(linear.real[k], linear.imag[k]));
  for (int k = 0; k < linear.states; k++) {
    const double size = hypot(linear.real[k], linear.imag[k]);
    /* oscillations must decay; real eigenvalues near zero are permitted: totals and slow decay have them */
    const double most = linear.imag[k] != 0 ? -neutral * size : 0;
    if (size > neutral * fast && linear.real[k] > most) {
      *stays = false;
      *grows = fmax(*grows, linear.real[k]);
    }
  }
  return GRADYN_OK;
}

/* Fails because the steady state is not stable: disturbances grow by exp(grows t). */
static gradyn_status unstable(gradyn_steady_state *w, double grows)
{
  return gradyn_fail(&w->model->message, GRADYN_NOT_CONVERGED,
                     "steady state before the run: it is not stable, disturbances grow by exp(%.3g "
                     "t). Begin with other initial values",
                     grows);
}

/* Tries Newton's method from the present state, and restores this state if it fails. *grows: rate, 1/s, at
 * which the motion leaves a steady state that is not stable; 0 for other results. *lost: the distance from
 * this steady state, in the direction that grows, is round-off. */
static gradyn_status try_rest(gradyn_steady_state *w, bool stable, double *grows, bool *lost,
                              bool *found)
{
  const size_t bytes = (size_t)w->system->ny * sizeof(double);
  FREED double *kept = malloc(2 * bytes + 1);
  if (!kept)
    return gradyn_fail(&w->model->message, GRADYN_NO_MEMORY, "out of memory");
  memcpy(kept, w->y, bytes);
  memcpy(kept + w->system->ny, w->last, bytes);
  gradyn_status status = polish(w, found);
  *grows = 0;
  if (status == GRADYN_OK && *found && stable)
    status = judge(w, found, grows);
  if (status == GRADYN_OK && *found)
    return GRADYN_OK;
  if (status == GRADYN_OK && *grows > 0)
    status = gradyn_steady_state_lost(w, *grows, kept, lost);
  *found = false;
  memcpy(w->y, kept, bytes);
  memcpy(w->last, kept + w->system->ny, bytes);
  return status;
}

/* Follows the motion from w->y with the rates in w->last until it is at rest. */
static gradyn_status follow(gradyn_steady_state *w, bool stable)
{
  const int n = w->system->ny;
  const size_t bytes = (size_t)n * sizeof(double);
  const double t_end = w->model->x[w->model->t_end];
  int at = 0;
  /* the first step is at most t_end, and changes states by at most a hundredth of their sizes */
  double cj = fmax(1 / t_end, 100 * relative(w, w->last, &at)), before = 1, t = 0, grows = 0;
  gradyn_status status = GRADYN_OK;
  int sign;
  GRADYN_TRY(gradyn_steady_state_sign(w, 0, 1, &sign));
  for (int i = 0; i < n; i++)
    w->last[i] = -w->last[i]; /* the negative of a step of length 1 */
  for (int k = 0; k < MOST_STEPS; k++) {
    GRADYN_TRY(gradyn_model_cancelled(w->model, 0));
    status = aim(w, cj);
    if (status != GRADYN_OK && gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE)
      return status;
    double error = status == GRADYN_OK ? error_of(w, before / cj) : HUGE_VAL;
    if (error <= faithful && sign != 0) {
      int now;
      GRADYN_TRY(gradyn_steady_state_sign(w, 1, cj, &now));
      error = now == sign ? error : 4 * faithful; /* this error halves the step */
    }
    if (error > faithful) {
      cj *= fmin(10, fmax(1.5, sqrt(error / faithful)));
      if (!(cj < 1e30 / t_end))
        /* no step was short enough */
        return status == GRADYN_OK || t > 0 ? no_rest(w, t) : status;
      continue;
    }
    for (int i = 0; i < n; i++)
      w->y[i] -= w->d[i];
    memcpy(w->last, w->d, bytes);
    before = cj;
    t += 1 / cj;
    if (!gradyn_all_finite(w->y, n) || !isfinite(t))
      return no_rest(w, t);
    bool found = false;
    const double moved = relative(w, w->d, &at);
    bool lost = false;
    grows = 0;
    if (moved < near)
      status = try_rest(w, stable, &grows, &lost, &found);
    if (found || (status != GRADYN_OK && status != GRADYN_SINGULAR))
      return status;
    /* the motion that remains is round-off */
    if (moved < still || lost)
      return status != GRADYN_OK ? status : grows > 0 ? unstable(w, grows) : no_rest(w, t);
    /* longer steps would reverse or damp the part that grows */
    cj /= fmin(4, fmax(0.3, 0.9 * sqrt(faithful / error)));
    cj = fmax(cj, 4 * grows);
  }
  return status != GRADYN_OK ? status : grows > 0 ? unstable(w, grows) : no_rest(w, t);
}

/* Finds the steady state that the motion from the initial values reaches, with the present data. */
static gradyn_status find(gradyn_steady_state *w, bool stable)
{
  const size_t bytes = (size_t)w->system->ny * sizeof(double);
  gradyn_totals_clear(&w->totals);
  GRADYN_TRY(w->system->ops->start(w->system, w->y, w->last));
  gradyn_message_clear(&w->model->message);
  memcpy(w->y0, w->y, bytes);
  GRADYN_TRY(w->system->ops->linearise(w->system, gradyn_model_start(w->model), w->y, w->last));
  GRADYN_TRY(gradyn_state_sizes(w->model, w->system, w->y, w->last, w->model->x[w->model->t_end],
                                w->size));
  GRADYN_TRY(follow(w, stable));
  gradyn_message_clear(&w->model->message);
  return GRADYN_OK;
}

gradyn_status gradyn_steady_state_find(gradyn_steady_state *w, bool stable)
{
  const size_t bytes = (size_t)w->model->nx * sizeof(double);
  if (memcmp(w->x, w->model->x, bytes) == 0)
    return GRADYN_OK;
  w->x[0] = NAN;
  w->e->before = w->before;
  const gradyn_status status = find(w, stable);
  w->e->before = false;
  if (status == GRADYN_OK)
    memcpy(w->x, w->model->x, bytes);
  return status;
}

gradyn_status gradyn_steady_state_at(gradyn_steady_state *w, const double *y)
{
  const size_t bytes = (size_t)w->system->ny * sizeof *y;
  gradyn_totals_clear(&w->totals);
  w->x[0] = NAN;
  memcpy(w->y, y, bytes);
  memcpy(w->y0, y, bytes);
  GRADYN_TRY(
      gradyn_state_sizes(w->model, w->system, w->y, w->yp, w->model->x[w->model->t_end], w->size));
  return factor(w);
}

gradyn_status gradyn_steady_state_create(gradyn_model *model, bool before, gradyn_steady_state *out)
{
  const size_t ny = (size_t)model->equations->count;
  *out = (gradyn_steady_state){.model = model, .e = model->equations, .before = before};
  double **vector[] = {&out->y0,   &out->y,    &out->yp, &out->size,  &out->d,
                       &out->last, &out->kept, &out->r,  &out->change};
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    *vector[k] = gradyn_arena_numbers(&out->arena, ny);
  out->x = gradyn_arena_numbers(&out->arena, (size_t)model->nx);
  if (gradyn_arena_status(&out->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu states", ny);
  out->x[0] = NAN;
  const gradyn_status status = gradyn_index1_plain_equations(model, &out->system);
  out->plain = (gradyn_equations_system *)out->system;
  return status;
}

void gradyn_steady_state_clear(gradyn_steady_state *w)
{
  gradyn_index1_free(w->system);
  gradyn_totals_clear(&w->totals);
  gradyn_arena_clear(&w->arena);
  *w = (gradyn_steady_state){0};
}
