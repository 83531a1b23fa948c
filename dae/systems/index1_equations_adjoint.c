/* The adjoint of general equations as an index-1 system, with unknowns z = (w, eta). Columns d of
 * differential states give w = F_yd'^T eta and w' = F_yd^T eta - g_d; columns of algebraic states give
 * F_ya^T eta = g_a. The matrix B = (F_yd', F_ya) is also that of restarts of the forward run. */
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/systems/index1_equations.h"

static gradyn_equations_system *self(gradyn_index1 *s)
{
  return (gradyn_equations_system *)s;
}

/* Returns the product of column i of F_y or F_yp with eta. */
static double dot_column(const gradyn_equations_system *s, const double *columns, int i,
                         const double *eta)
{
  double sum = 0;
  if (!s->J)
    return gradyn_dot(columns + i * s->base.ny, eta, s->base.ny);
  for (int k = s->J->start[i]; k < s->J->start[i + 1]; k++)
    sum += columns[k] * eta[s->J->row[k]];
  return sum;
}

/* Combines rows of the residual in the null space of F_yd'. The rows a of w' become P w = 0, and the rows c
 * of w become P (g - F_y^T eta) = 0. */
static void combine_rows(gradyn_equations_system *s, const double *z, const double *zp, double *r)
{
  int np = s->base.np;
  double *a = r, *w = s->v, *null = s->null;
  /* a - w' = g - F_yd^T eta */
  for (int d = 0; d < np; d++)
    w[d] = a[d] - zp[d];
  gradyn_equations_system_divide(s, w, null); /* P (g - F_y^T eta) */
  for (int d = 0; d < np; d++)
    w[d] = r[np + s->differential[d]];
  memcpy(s->b, null, (size_t)np * sizeof(double));
  gradyn_equations_system_divide(s, w, null); /* (1 - P) c */
  for (int d = 0; d < np; d++)
    r[np + s->differential[d]] = w[d] + s->b[d];
  gradyn_equations_system_divide(s, a, null); /* (1 - P) a */
  memcpy(w, z, (size_t)np * sizeof(double));
  gradyn_equations_system_divide(s, w, null); /* P w */
  for (int d = 0; d < np; d++)
    a[d] += null[d];
}

/* Computes the residual r. For each differential state: w' + g_d - F_yd^T eta, and w - F_yd'^T eta; for
 * each algebraic state: g_a - F_ya^T eta. */
void gradyn_equations_adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                                       const double *g_y, double *r)
{
  gradyn_equations_system *s = self(base);
  const double *eta = z + base->np;
  int d = 0;
  for (int i = 0; i < base->ny; i++) {
    double product = dot_column(s, s->F_y, i, eta);
    if (s->id[i] != 0) {
      r[d] = zp[d] + g_y[i] - product;                         /* w' + g_d - F_yd^T eta */
      r[base->np + i] = z[d] - dot_column(s, s->F_yp, i, eta); /* w - F_yd'^T eta */
      d++;
    } else {
      r[base->np + i] = g_y[i] - product; /* g_a - F_ya^T eta */
    }
  }
  if (base->combined > 0)
    combine_rows(s, z, zp, r);
}

gradyn_status gradyn_equations_adjoint_factor(gradyn_index1 *base, double cj)
{
  self(base)->cj = cj;
  return gradyn_equations_system_factor(self(base), 1, -cj); /* F_y - cj F_y' */
}

/* Solves cj dw - F_yd^T deta = b1 and dw - F_yd'^T deta = b2 in place. Together they give (F_y - cj F_y')^T
 * deta = cj b2 - b1 for the columns of differential states. */
void gradyn_equations_adjoint_solve(gradyn_index1 *base, double *b)
{
  gradyn_equations_system *s = self(base);
  int d = 0;
  /* right-hand side: cj b2 - b1 of differential columns, -b2 of algebraic ones */
  for (int i = 0; i < base->ny; i++)
    s->b[i] = s->id[i] != 0 ? s->cj * b[base->np + i] - b[d++] : -b[base->np + i];
  if (base->combined > 0) { /* in the null space: -F_y^T deta = b2, dw = b1 */
    gradyn_equations_system_divide_states(s, s->b);
    memcpy(s->column, s->v, (size_t)base->np * sizeof(double));
    gradyn_equations_system_divide_states(s, b + base->np);
    for (d = 0; d < base->np; d++)
      s->b[s->differential[d]] = s->column[d] - s->null[d];
  }
  gradyn_equations_system_solve_transposed(s, s->b);
  memcpy(s->v, b, (size_t)base->np * sizeof(double));
  gradyn_equations_system_divide(s, s->v, s->null);
  memcpy(s->column, s->null, (size_t)base->np * sizeof(double));
  for (d = 0; d < base->np; d++) {
    int i = s->differential[d];
    s->v[d] = b[base->np + i] + dot_column(s, s->F_yp, i, s->b); /* dw = b2 + F_yd'^T deta */
  }
  gradyn_equations_system_divide(s, s->v, s->null);
  for (d = 0; d < base->np; d++)
    b[d] = s->v[d] + s->column[d];
  memcpy(b + base->np, s->b, (size_t)base->ny * sizeof(double));
}

/* --- derivatives by data ----------------------------------------------------------------------- */

/* If there are more derivatives than this, 32 MB, they are not stored, and each functional evaluates them
 * again. */
static const size_t most_kept = (size_t)1 << 22;

void gradyn_equations_slopes_create(gradyn_equations_system *s)
{
  gradyn_equations_slopes *by = &s->by;
  by->count = s->e->data_count + s->e->model->signal_count + 1;
  const size_t count = (size_t)by->count, ny = (size_t)s->e->count;
  by->known = gradyn_arena_take(&s->arena, count, sizeof *by->known);
  by->other = gradyn_arena_numbers(&s->arena, ny);
  by->F = count * ny <= most_kept ? gradyn_arena_numbers(&s->arena, count * ny) : NULL;
}

/* Sets *F to the derivative of F by number k, which is a datum, a signal or the time. At a point, it is
 * evaluated once for all functionals and directions. */
static gradyn_status find_slope(gradyn_equations_system *s, int k, const double **F)
{
  gradyn_equations_slopes *by = &s->by;
  const int data = s->e->data_count;
  double *slope = by->F ? by->F + (size_t)k * (size_t)s->base.ny : by->other;
  *F = slope;
  if (by->known[k])
    return GRADYN_OK;
  gradyn_equations_at(s->e, s->t, s->y, s->yp);
  GRADYN_TRY(k < data            ? gradyn_equations_by_datum(s->e, k, slope)
             : k + 1 < by->count ? gradyn_equations_by_signal(s->e, k - data, slope)
                                 : gradyn_equations_by_time(s->e, slope));
  by->known[k] = by->F != NULL;
  return GRADYN_OK;
}

/* Computes the product of eta with the derivative of F by number k. */
static gradyn_status slope_along(gradyn_equations_system *s, int k, const double *eta,
                                 double *product)
{
  const double *F;
  GRADYN_TRY(find_slope(s, k, &F));
  *product = gradyn_dot(F, eta, s->base.ny);
  return GRADYN_OK;
}

/* Returns the change of number k along (dx, dt); the number is a datum of the equations, a signal or the
 * time. */
static double change_of(const gradyn_equations_system *s, int k, const double *dx, double dt)
{
  const gradyn_model *model = s->base.model;
  const int data = s->e->data_count;
  if (k < data)
    return dx[gradyn_equations_datum(s->e, k)];
  if (k + 1 == s->by.count)
    return dt;
  const int held = gradyn_equations_held(s->e, k - data);
  return held >= 0 ? dx[held]
                   : gradyn_signal_tangent(&model->signal[k - data], model->x, s->t, 0, dx);
}

/* Computes F_x dx + F_t dt. If more than one derivative is not known yet, a single evaluation along dx
 * replaces them. */
gradyn_status gradyn_equations_system_along(gradyn_equations_system *s, const double *dx, double dt,
                                            double *r)
{
  gradyn_equations_slopes *by = &s->by;
  const int ny = s->base.ny;
  const double *F;
  int unknown = 0;
  for (int k = 0; k + 1 < by->count; k++)
    unknown += !by->known[k] && change_of(s, k, dx, dt) != 0;
  memset(r, 0, (size_t)ny * sizeof *r);
  if (unknown > 1) {
    gradyn_equations_at(s->e, s->t, s->y, s->yp);
    GRADYN_TRY(gradyn_equations_along(s->e, dx, r));
  }
  for (int k = unknown > 1 ? by->count - 1 : 0; k < by->count; k++) {
    const double change = change_of(s, k, dx, dt);
    if (change == 0)
      continue;
    GRADYN_TRY(find_slope(s, k, &F));
    for (int i = 0; i < ny; i++)
      r[i] += change * F[i];
  }
  return GRADYN_OK;
}

/* Subtracts F_x^T eta from x_bar: by the equations' own data, and by data of signals. */
static gradyn_status subtract_data(gradyn_equations_system *s, const double *eta, double *x_bar)
{
  gradyn_model *model = s->base.model;
  const int data = s->e->data_count;
  double product;
  for (int k = 0; k < data; k++) {
    const int datum = gradyn_equations_datum(s->e, k);
    if (s->e->active && !s->e->active[datum])
      continue;
    GRADYN_TRY(slope_along(s, k, eta, &product));
    x_bar[datum] -= product; /* F_x^T eta */
  }
  for (int k = 0; k < model->signal_count; k++) {
    GRADYN_TRY(slope_along(s, data + k, eta, &product));
    /* a signal u(t, x) passes its adjoint to its data */
    const int held = gradyn_equations_held(s->e, k);
    if (held >= 0)
      x_bar[held] -= product;
    else
      gradyn_signal_transposed(&model->signal[k], model->x, s->t, 0, -product, x_bar);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_equations_adjoint_data(gradyn_index1 *base, int count, const double *z,
                                            double *x_bar)
{
  for (int f = 0; f < count; f++, z += base->np + base->ne)
    GRADYN_TRY(subtract_data(self(base), z + base->np, x_bar + f * base->nx));
  return GRADYN_OK;
}

/* Computes s->b = ((1 - P) w + P g_d; g_a) and s->v = (1 - P) w, for w [np] and g [ny]. */
static void split_rhs(gradyn_equations_system *s, const double *w, const double *g)
{
  int np = s->base.np;
  gradyn_equations_system_divide_states(s, g);
  for (int i = 0, d = 0; i < s->base.ny; i++)
    s->b[i] = s->id[i] != 0 ? s->null[d++] : g[i];
  memcpy(s->v, w, (size_t)np * sizeof(double));
  gradyn_equations_system_divide(s, s->v, s->null);
  for (int d = 0; d < np; d++)
    s->b[s->differential[d]] += s->v[d];
}

/* Computes eta and w' for given w: B^T eta = (w; g_a), then w' = F_yd^T eta - g_d. */
gradyn_status gradyn_equations_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                               const double *g_y)
{
  gradyn_equations_system *s = self(base);
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  int d = 0;
  split_rhs(s, z, g_y);
  memcpy(z, s->v, (size_t)base->np * sizeof(double));
  /* solve B^T eta = b */
  gradyn_equations_system_solve_transposed(s, s->b);
  /* z = (w, eta) */
  memcpy(z + base->np, s->b, (size_t)base->ny * sizeof(double));
  memset(zp + base->np, 0, (size_t)base->ny * sizeof(double));
  d = 0;
  for (int i = 0; i < base->ny; i++)
    if (s->id[i] != 0) {
      zp[d] = dot_column(s, s->F_y, i, s->b) - g_y[i]; /* w' = F_yd^T eta - g_d */
      d++;
    }
  gradyn_equations_system_divide(s, zp, s->null);
  return GRADYN_OK;
}

/* Adds the gradient of a terminal functional w(y, y') by the differential states to p. Algebraic states and
 * rates follow from these states, so their derivatives are included. */
gradyn_status gradyn_equations_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                                const double *w_yp, double *p, double *x_bar,
                                                double *t_bar)
{
  gradyn_equations_system *s = self(base);
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  int np = base->np;
  for (int d = 0; d < np; d++)
    s->column[d] = w_yp ? w_yp[s->differential[d]] : 0;
  /* right-hand side: w_y of algebraic states and w_yp of differential ones, which both follow from the
   * equations */
  split_rhs(s, s->column, w_y);
  gradyn_equations_system_solve_transposed(s, s->b);
  for (int d = 0; d < np; d++)
    /* w_yd - F_yd^T eta */
    s->v[d] = w_y[s->differential[d]] - dot_column(s, s->F_y, s->differential[d], s->b);
  gradyn_equations_system_divide(s, s->v, s->null);
  for (int d = 0; d < np; d++)
    p[d] += s->v[d];
  return gradyn_equations_system_against(s, s->b, x_bar, t_bar);
}

gradyn_status gradyn_equations_system_against(gradyn_equations_system *s, const double *eta,
                                              double *x_bar, double *t_bar)
{
  double product;
  for (int i = 0; i < s->base.ny && s->base.eta; i++)
    s->base.eta[i] += eta[i];
  GRADYN_TRY(subtract_data(s, eta, x_bar));
  GRADYN_TRY(slope_along(s, s->by.count - 1, eta, &product));
  *t_bar -= product; /* F_t^T eta */
  return GRADYN_OK;
}
