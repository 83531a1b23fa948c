/* Derivatives dy of the steady state before a run, by data. Without conserved totals, F_y dy = -F_x dx.
 * With conserved totals (totals.h), F_y is singular, and dy solves
 *   [F_y, W^T; C, 0] (dy, z) = -(F_x dx, s),
 *   s = W g_x dx + dW g - C dy0,    g = F(y, y - y0) - F(y, 0) = M (y - y0).
 * Here y0 is the initial state, W g = C (y - y0) is the change of the totals, which is zero, and z = 0 in
 * the solution.
 *
 * dW, the change of W by data, is not computed. Along the motion M y' = -F(y, 0), so that g is a sum of
 * alpha_k F(y_k) at general states y_k. W F(y_k) = 0 for all data, hence dW F(y_k) = -W F_x(y_k) dx, and
 *   dW g = -sum alpha_k W F_x(y_k) dx. */
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/systems/steady_equations.h"

/* Fortran: solves least squares by a complete orthogonal factorisation. */
void dgelsy_(const int *m, const int *n, const int *columns, double *A, const int *lda, double *b,
             const int *ldb, int *chosen, const double *rcond, int *rank, double *work,
             const int *lwork, int *info);

/* Singular values below this part of the largest one are zero. */
static const double negligible = 1e-12;
/* Largest residual of sum alpha_k F(y_k) = g, relative to the sizes of the states in a total. For rates
 * that differ by factors from 1e4 to 1e14, errors of derivatives are less than 1/60 of the residual. The
 * reason is that parts of the residual do not depend on changes of W. */
static const double accurate = 1e-6;

/* Fails because derivatives by a datum do not exist, or, for datum -1, because derivatives by data on which
 * W depends are not accurate. */
static gradyn_status no_derivative(const gradyn_steady_state *w, int datum)
{
  char name[GRADYN_TOTAL_NAME];
  (void)gradyn_totals_name(&w->totals, w->plain, 0, name);
  if (datum >= 0)
    return gradyn_fail(&w->model->message, GRADYN_UNSUPPORTED,
                       "steady state before the run: the total %s is conserved only for the "
                       "present value of %s. Leave this datum constant",
                       name, w->model->entry[datum].name);
  return gradyn_fail(&w->model->message, GRADYN_UNSUPPORTED,
                     "steady state before the run: changes of the total %s by data were not "
                     "found, rates differ too much. Multiply equations such that factors in the "
                     "total are constant",
                     name);
}

/* Fails if g [ny], the residual of a sum, is not negligible in the totals. */
static gradyn_status check_combined(const gradyn_steady_state *w, const double *g)
{
  const int n = w->system->ny;
  for (int i = 0; i < w->totals.count; i++) {
    double rest = 0, most = 0;
    for (int j = 0; j < n; j++) {
      rest += fabs(w->totals.W[i * n + j] * g[j]);
      most = fmax(most, fabs(w->totals.C[i * n + j]) * fmax(w->size[j], fabs(w->y[j])));
    }
    if (!(rest <= accurate * most))
      return no_derivative(w, -1);
  }
  return GRADYN_OK;
}

/* Finds alpha [totals.states] with sum alpha_k F(y_k) = g by least squares. Each equation is divided by its
 * largest F. */
static gradyn_status combine(gradyn_steady_state *w)
{
  const gradyn_totals *totals = &w->totals;
  double *alpha = totals->alpha, *g = w->kept;
  const int n = w->system->ny, states = totals->states, one = 1;
  const int side = states > n ? states : n, work_size = 2 * side + 4 * n + 4 * side + 1;
  LOCAL(gradyn_arena) arena = {0};
  double *A = gradyn_arena_numbers(&arena, (size_t)n * (size_t)states);
  double *b = gradyn_arena_numbers(&arena, (size_t)side);
  double *work = gradyn_arena_numbers(&arena, (size_t)work_size);
  int *chosen = gradyn_arena_take(&arena, (size_t)states, sizeof *chosen), rank, info;
  if (gradyn_arena_status(&arena) != GRADYN_OK)
    return gradyn_fail(&w->model->message, GRADYN_NO_MEMORY, "out of memory for totals");
  GRADYN_TRY(gradyn_steady_state_moved(w, g));
  for (int i = 0; i < n; i++) {
    double most = 0;
    for (int k = 0; k < states; k++)
      most = fmax(most, fabs(totals->F[(size_t)k * (size_t)n + (size_t)i]));
    for (int k = 0; k < states && most > 0; k++)
      A[(size_t)k * (size_t)n + (size_t)i] = totals->F[(size_t)k * (size_t)n + (size_t)i] / most;
    b[i] = most > 0 ? g[i] / most : g[i];
  }
  dgelsy_(&n, &states, &one, A, &n, b, &side, chosen, &negligible, &rank, work, &work_size, &info);
  memcpy(alpha, b, (size_t)states * sizeof *alpha);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < states; k++)
      g[i] -= alpha[k] * totals->F[(size_t)k * (size_t)n + (size_t)i];
  return check_combined(w, g);
}

/* Prepares changes of W by those data that dx [nx] changes; NULL: by active data. Sets *states to the
 * number of general states in the sum, and to 0 if W does not change. */
static gradyn_status find_changes(gradyn_steady_state *w, const double *dx, int *states)
{
  *states = 0;
  for (int k = 0; k < w->totals.data_count; k++) {
    const gradyn_totals_datum *d = &w->totals.data[k];
    if (dx ? dx[d->datum] == 0 : w->e->active && !w->e->active[d->datum])
      continue;
    if (!d->exists)
      return no_derivative(w, d->datum);
    *states = w->totals.states;
  }
  return *states > 0 ? combine(w) : GRADYN_OK;
}

/* Computes sy [ny], the change of the steady state along dx [nx]. */
static gradyn_status along(gradyn_steady_state *w, const double *dx, double *sy)
{
  gradyn_equations_system *s = w->plain;
  const int n = w->system->ny;
  double *z = w->d;
  const double t = gradyn_model_start(w->model);
  int states;
  GRADYN_TRY(find_changes(w, dx, &states));
  if (w->totals.count > 0) {
    gradyn_equations_system_point(s, t, w->y, w->change);
    GRADYN_TRY(gradyn_equations_system_along(s, dx, 0, w->kept));
  }
  gradyn_equations_system_point(s, t, w->y, w->yp);
  GRADYN_TRY(gradyn_equations_system_along(s, dx, 0, sy));
  for (int i = 0; i < w->totals.count; i++) {
    z[i] = gradyn_dot(w->totals.W + i * n, w->kept, n) - gradyn_dot(w->totals.W + i * n, sy, n);
    for (int j = 0; j < n; j++)
      if (s->id[j] != 0)
        z[i] -= w->totals.C[i * n + j] * dx[w->e->unknown[j].datum];
  }
  for (int k = 0; k < states; k++) {
    gradyn_equations_system_point(s, t, w->totals.y + (size_t)k * (size_t)n, w->yp);
    GRADYN_TRY(gradyn_equations_system_along(s, dx, 0, w->kept));
    for (int i = 0; i < w->totals.count; i++)
      z[i] -= w->totals.alpha[k] * gradyn_dot(w->totals.W + i * n, w->kept, n);
  }
  gradyn_steady_state_solve(w, false, sy, z);
  for (int j = 0; j < n; j++)
    sy[j] = -sy[j];
  return GRADYN_OK;
}

/* Adds (dy/dx)^T y_bar to x_bar [nx]. y_bar [ny] is in w->r. */
static gradyn_status against(gradyn_steady_state *w, double *x_bar)
{
  gradyn_equations_system *s = w->plain;
  const int n = w->system->ny, count = w->totals.count;
  double *z = w->d, t_bar = 0;
  const double t = gradyn_model_start(w->model);
  int states;
  GRADYN_TRY(find_changes(w, NULL, &states));
  memset(z, 0, (size_t)n * sizeof *z);
  gradyn_steady_state_solve(w, true, w->r, z);
  /* w->kept = W^T z */
  for (int j = 0; j < n; j++) {
    w->kept[j] = 0;
    for (int i = 0; i < count; i++) {
      w->kept[j] += w->totals.W[i * n + j] * z[i];
      if (s->id[j] != 0)
        x_bar[w->e->unknown[j].datum] += w->totals.C[i * n + j] * z[i];
    }
  }
  if (count > 0) {
    gradyn_equations_system_point(s, t, w->y, w->change);
    GRADYN_TRY(gradyn_equations_system_against(s, w->kept, x_bar, &t_bar));
  }
  for (int j = 0; j < n; j++)
    w->r[j] -= w->kept[j];
  for (int k = 0; k < states; k++) {
    for (int j = 0; j < n; j++)
      w->last[j] = -w->totals.alpha[k] * w->kept[j];
    gradyn_equations_system_point(s, t, w->totals.y + (size_t)k * (size_t)n, w->yp);
    GRADYN_TRY(gradyn_equations_system_against(s, w->last, x_bar, &t_bar));
  }
  gradyn_equations_system_point(s, t, w->y, w->yp);
  return gradyn_equations_system_against(s, w->r, x_bar, &t_bar);
}

gradyn_status gradyn_steady_state_along(gradyn_steady_state *w, const double *dx, double *sy)
{
  w->e->before = w->before;
  const gradyn_status status = along(w, dx, sy);
  w->e->before = false;
  return status;
}

gradyn_status gradyn_steady_state_against(gradyn_steady_state *w, double *x_bar)
{
  w->e->before = w->before;
  const gradyn_status status = against(w, x_bar);
  w->e->before = false;
  return status;
}
