/* The adjoint of general equations as an index-1 system, unknowns z = (w, eta). w = F_yd'^T eta, w' =
 * F_yd^T eta - g_d for the differential states d, F_ya^T eta = g_a for the algebraic ones; B = (F_yd',
 * F_ya) is the matrix that restarts of the march factorise. */
#include <string.h>

#include "dae/index1_equations.h"

/* The system behind the interface. */
static gradyn_equations_system *self(gradyn_index1 *s)
{
  return (gradyn_equations_system *)s;
}

/* Product of a column of F_y or F_yp, or of s->column alone, with eta. */
static double dot_column(const gradyn_equations_system *s, const double *columns, int i,
                         const double *eta)
{
  double sum = 0;
  bool sparse = s->J && columns != s->column; /* s->column is dense whatever J is */
  for (int k = sparse ? s->J->start[i] : 0; sparse && k < s->J->start[i + 1]; k++)
    sum += columns[k] * eta[s->J->row[k]];
  for (int k = 0; k < s->base.ny && !sparse; k++)
    sum += columns[i * s->base.ny + k] * eta[k];
  return sum;
}

/* In the null space of F_yd' the rows a of w' and c of w are w = 0 and (g - F_y^T eta) = 0 instead. */
static void combine_rows(gradyn_equations_system *s, const double *z, const double *zp, double *r)
{
  int np = s->base.np;
  double *a = r, *w = s->v, *null = s->null;
  /* a: row of w', c: row of w */
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

/* Residual rows: w' + g_d - F_yd^T eta; then, by state, w - F_yd'^T eta or g_a - F_ya^T eta. */
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

/* cj dw - F_yd^T deta = b1, dw - F_yd'^T deta = b2 leave (F_y - cj F_y')^T deta = cj b2 - b1 for
 * the differential columns. */
void gradyn_equations_adjoint_solve(gradyn_index1 *base, double *b)
{
  gradyn_equations_system *s = self(base);
  int d = 0;
  /* cj b2 - b1, or -b2 of algebraic columns */
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

/* x_bar -= F_x^T eta: by the equations' own data, and through signals. */
static gradyn_status subtract_data(gradyn_equations_system *s, const double *eta, double *x_bar)
{
  gradyn_model *model = s->base.model;
  gradyn_equations_at(s->e, s->t, s->y, s->yp);
  for (int k = 0; k < s->e->data_count; k++) {
    GRADYN_TRY(gradyn_equations_by_datum(s->e, k, s->column));
    x_bar[s->e->datum + k] -= dot_column(s, s->column, 0, eta); /* F_x^T eta */
  }
  for (int k = 0; k < model->signal_count; k++) {
    GRADYN_TRY(gradyn_equations_by_signal(s->e, k, s->column));
    /* through signals, u = u(t, x) */
    gradyn_signal_transposed(&model->signal[k], model->x, s->t, 0,
                             -dot_column(s, s->column, 0, eta), x_bar);
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

/* s->b = ((1 - P) w + P g_d; g_a) and s->v = (1 - P) w for w [np], g [ny]. */
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

/* B^T eta = (w; g_a), then w' = F_yd^T eta - g_d. */
gradyn_status gradyn_equations_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                               const double *g_y)
{
  gradyn_equations_system *s = self(base);
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  int d = 0;
  split_rhs(s, z, g_y);
  memcpy(z, s->v, (size_t)base->np * sizeof(double));
  /* B^T eta = b */
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

/* What a terminal part w(y, y') leaves: its algebraic states and rates follow from the
 * differential ones. */
gradyn_status gradyn_equations_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                                const double *w_yp, double *p, double *x_bar,
                                                double *t_bar)
{
  gradyn_equations_system *s = self(base);
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  int np = base->np;
  for (int d = 0; d < np; d++)
    s->column[d] = w_yp ? w_yp[s->differential[d]] : 0;
  /* w_y by y_a, w_yp by y_d': both follow from the equations */
  split_rhs(s, s->column, w_y);
  gradyn_equations_system_solve_transposed(s, s->b);
  for (int d = 0; d < np; d++)
    /* w_yd - F_yd^T eta */
    s->v[d] = w_y[s->differential[d]] - dot_column(s, s->F_y, s->differential[d], s->b);
  gradyn_equations_system_divide(s, s->v, s->null);
  for (int d = 0; d < np; d++)
    p[d] += s->v[d];
  GRADYN_TRY(subtract_data(s, s->b, x_bar));
  GRADYN_TRY(gradyn_equations_by_time(s->e, s->column));
  *t_bar -= dot_column(s, s->column, 0, s->b); /* F_t^T eta */
  return GRADYN_OK;
}
