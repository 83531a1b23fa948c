/* Derivatives of the steady state before a run, F_y dy + F_x dx = 0. With conserved totals (totals.h)
 *
 *   [F_y, W^T; C, 0] (dy, z) = -(F_x dx, s),    s = W (F(y, y - y0) - F(y, 0))_x dx - C dy0
 *
 * with z = 0. The total C (y - y0) is W (F(y, y - y0) - F(y, 0)), whose coefficients may depend on data. */
#include <string.h>

#include "core/linear/norm.h"
#include "dae/systems/steady_equations.h"

/* Fails if a total depends on data whose derivatives are requested: dx [nx], or all active ones. */
static gradyn_status check_totals(const gradyn_steady_state *w, const double *dx)
{
  const int k = w->totals.datum;
  char name[GRADYN_TOTAL_NAME];
  if (w->totals.count == 0 || k < 0 || (dx ? dx[k] == 0 : w->e->active && !w->e->active[k]))
    return GRADYN_OK;
  return gradyn_fail(&w->model->message, GRADYN_UNSUPPORTED,
                     "steady state before the run: the equations that conserve %s combine with "
                     "factors that depend on %s. Multiply equations such that factors are constant",
                     gradyn_totals_name(&w->totals, w->plain, 0, name), w->model->entry[k].name);
}

/* sy [ny] = dy along dx [nx]. */
static gradyn_status along(gradyn_steady_state *w, const double *dx, double *sy)
{
  gradyn_equations_system *s = w->plain;
  const int n = w->system->ny;
  double *z = w->d;
  const double t = gradyn_model_start(w->model);
  GRADYN_TRY(check_totals(w, dx));
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
  gradyn_steady_state_solve(w, false, sy, z);
  for (int j = 0; j < n; j++)
    sy[j] = -sy[j];
  return GRADYN_OK;
}

/* x_bar [nx] += (dy/dx)^T y_bar, y_bar [ny] in w->r. */
static gradyn_status against(gradyn_steady_state *w, double *x_bar)
{
  gradyn_equations_system *s = w->plain;
  const int n = w->system->ny, count = w->totals.count;
  double *z = w->d, t_bar = 0;
  const double t = gradyn_model_start(w->model);
  GRADYN_TRY(check_totals(w, NULL));
  memset(z, 0, (size_t)n * sizeof *z);
  gradyn_steady_state_solve(w, true, w->r, z);
  /* eta = W^T z */
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
