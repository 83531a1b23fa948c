/* General equations F(t, y, y', x) = 0 as an index-1 system. With y_d the differential and y_a the
 * algebraic states, index 1 means that B = [F_yd', F_ya] is regular: it gives y_d' and y_a at a
 * start. The adjoint's unknowns are w = F_yd'^T eta (differential) and eta. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/equations.h"
#include "core/linsys.h"
#include "dae/index1.h"

enum { MOST_ITERATIONS = 50 };

typedef struct equations_system {
  gradyn_index1 base;
  gradyn_equations_model *e;
  gradyn_linsys *system; /* dense pattern */
  double *id;            /* [ny] */
  int *differential;     /* [np] */
  double *F_y, *F_yp;    /* [state][equation]: columns one after the other */
  double *b, *column;    /* [ny] */
  double factored[2];    /* by_y, by_yp of the factors in hand; NAN: none of these matrices */
  double cj;
  double t;
  const double *y, *yp; /* point of the last linearise() */
} equations_system;

static equations_system *self(gradyn_index1 *s)
{
  return (equations_system *)s;
}

static gradyn_status residual(gradyn_index1 *base, double t, const double *y, const double *yp,
                              double *F)
{
  return gradyn_equations_residual(self(base)->e, t, y, yp, F);
}

static gradyn_status linearise(gradyn_index1 *base, double t, const double *y, const double *yp)
{
  equations_system *s = self(base);
  int n = base->ny;
  gradyn_status status = GRADYN_OK;
  s->factored[0] = s->factored[1] = NAN;
  s->t = t;
  s->y = y;
  s->yp = yp;
  gradyn_equations_at(s->e, t, y, yp);
  for (int i = 0; i < n && status == GRADYN_OK; i++) {
    status = gradyn_equations_by_state(s->e, i, false, s->F_y + i * n);
    if (s->id[i] != 0 && status == GRADYN_OK)
      status = gradyn_equations_by_state(s->e, i, true, s->F_yp + i * n);
  }
  return status;
}

/* Factorises the matrix whose column i is by_y F_y + by_yp F_yp for a differential state, and F_y
 * for an algebraic one. */
static gradyn_status factor_columns(equations_system *s, double by_y, double by_yp)
{
  int n = s->base.ny;
  if (s->factored[0] == by_y && s->factored[1] == by_yp)
    return GRADYN_OK;
  s->factored[0] = by_y;
  s->factored[1] = by_yp;
  double *values = gradyn_linsys_values(s->system);
  for (int i = 0; i < n; i++) /* i: state (column), k: equation (row) */
    for (int k = 0; k < n; k++)
      values[k * n + i] = s->id[i] != 0 ? by_y * s->F_y[i * n + k] + by_yp * s->F_yp[i * n + k]
                                        : s->F_y[i * n + k];
  s->base.factorisations++;
  gradyn_status status = gradyn_linsys_factor(s->system);
  if (status == GRADYN_OK)
    return status;
  s->factored[0] = s->factored[1] = NAN;
  int at = gradyn_linsys_singular_at(s->system);
  return gradyn_fail(&s->base.model->message, status,
                     "the equations are %s at t = %g s near the state %s: is their index higher "
                     "than 1?",
                     status == GRADYN_SINGULAR ? "singular" : "not finite", s->t,
                     at >= 0 && at < n ? s->e->unknown[at].name : "?");
}

static gradyn_status factor(gradyn_index1 *base, double cj)
{
  return factor_columns(self(base), 1, cj);
}

static void solve(gradyn_index1 *base, double *b)
{
  gradyn_linsys_solve(self(base)->system, b, 1);
}

static gradyn_status data(gradyn_index1 *base, int count, const double *dx, double *const *r)
{
  equations_system *s = self(base);
  gradyn_status status = GRADYN_OK;
  gradyn_equations_at(s->e, s->t, s->y, s->yp);
  for (int k = 0; k < count && status == GRADYN_OK; k++)
    status = gradyn_equations_along(s->e, dx + k * base->nx, r[k]);
  return status;
}

static void tangent(gradyn_index1 *base, const double *sy, const double *syp, double *r)
{
  const equations_system *s = self(base);
  int n = base->ny;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      r[k] += s->F_y[i * n + k] * sy[i];
      if (s->id[i] != 0)
        r[k] += s->F_yp[i * n + k] * syp[i];
    }
}

/* --- starting an arc -------------------------------------------------------------------------- */

/* Newton's method for y_d' and y_a. */
static gradyn_status restart(gradyn_index1 *base, double t, double *y, double *yp)
{
  equations_system *s = self(base);
  int n = base->ny;
  double last = HUGE_VAL;
  gradyn_linsys_reset(s->system);
  s->factored[0] = s->factored[1] = NAN;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    gradyn_status status = linearise(base, t, y, yp);
    if (status == GRADYN_OK)
      status = factor_columns(s, 0, 1);
    if (status == GRADYN_OK)
      status = residual(base, t, y, yp, s->b);
    if (status != GRADYN_OK)
      return status;
    gradyn_linsys_solve(s->system, s->b, 1);
    double step = 0;
    for (int i = 0; i < n; i++) {
      double *unknown = s->id[i] != 0 ? &yp[i] : &y[i];
      *unknown -= s->b[i];
      step = fmax(step, fabs(s->b[i]) / (1 + fabs(*unknown)));
    }
    if (step < 1e-15 || (step < 1e-11 && step >= last))
      return GRADYN_OK;
    last = step;
  }
  return gradyn_fail(&base->model->message, GRADYN_NOT_ASSEMBLED,
                     "no consistent values of the algebraic states were found at t = %g s (last "
                     "relative change %.2g): give better guesses",
                     t, last);
}

static gradyn_status start(gradyn_index1 *base, double *y, double *yp)
{
  equations_system *s = self(base);
  for (int i = 0; i < base->ny; i++) {
    const gradyn_unknown *state = &s->e->unknown[i];
    y[i] = state->algebraic ? state->guess : base->model->x[state->datum];
    yp[i] = 0;
  }
  return restart(base, 0, y, yp);
}

static gradyn_status restart_tangent(gradyn_index1 *base, const double *dx, double dt, double *sy,
                                     double *syp)
{
  equations_system *s = self(base);
  int n = base->ny;
  gradyn_status status = factor_columns(s, 0, 1);
  for (int i = 0; i < n; i++) {
    syp[i] = 0;
    if (s->id[i] == 0)
      sy[i] = 0;
  }
  if (status == GRADYN_OK)
    status = data(base, 1, dx, &s->b);
  if (status == GRADYN_OK && dt != 0)
    status = gradyn_equations_by_time(s->e, s->column);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n && dt != 0; i++)
    s->b[i] += s->column[i] * dt;
  tangent(base, sy, syp, s->b);
  gradyn_linsys_solve(s->system, s->b, 1);
  for (int i = 0; i < n; i++)
    *(s->id[i] != 0 ? &syp[i] : &sy[i]) = -s->b[i];
  return GRADYN_OK;
}

static gradyn_status start_tangent(gradyn_index1 *base, const double *dx, double *sy, double *syp)
{
  equations_system *s = self(base);
  for (int i = 0; i < base->ny; i++)
    sy[i] = s->id[i] != 0 ? dx[s->e->unknown[i].datum] : 0;
  return restart_tangent(base, dx, 0, sy, syp);
}

static gradyn_status start_transposed(gradyn_index1 *base, const double *p, double *x_bar)
{
  equations_system *s = self(base);
  for (int k = 0; k < base->np; k++)
    x_bar[s->e->unknown[s->differential[k]].datum] += p[k];
  return GRADYN_OK;
}

/* --- adjoint: z = (w, eta) -------------------------------------------------------------------- */

/* Product of a column of F_y or F_yp with eta. */
static double dot_column(const equations_system *s, const double *columns, int i, const double *eta)
{
  double sum = 0;
  for (int k = 0; k < s->base.ny; k++)
    sum += columns[i * s->base.ny + k] * eta[k];
  return sum;
}

/* Residual rows: w' + g_d - F_yd^T eta; then, by state, w - F_yd'^T eta or g_a - F_ya^T eta. */
static void adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                             const double *g_y, double *r)
{
  equations_system *s = self(base);
  const double *eta = z + base->np;
  int d = 0;
  for (int i = 0; i < base->ny; i++) {
    double product = dot_column(s, s->F_y, i, eta);
    if (s->id[i] != 0) {
      r[d] = zp[d] + g_y[i] - product;
      r[base->np + i] = z[d] - dot_column(s, s->F_yp, i, eta);
      d++;
    } else {
      r[base->np + i] = g_y[i] - product;
    }
  }
}

static gradyn_status adjoint_factor(gradyn_index1 *base, double cj)
{
  self(base)->cj = cj;
  return factor_columns(self(base), 1, -cj);
}

/* cj dw - F_yd^T deta = b1, dw - F_yd'^T deta = b2 leave (F_y - cj F_y')^T deta = cj b2 - b1 for
 * the differential columns. */
static void adjoint_solve(gradyn_index1 *base, double *b)
{
  equations_system *s = self(base);
  int d = 0;
  for (int i = 0; i < base->ny; i++)
    s->b[i] = s->id[i] != 0 ? s->cj * b[base->np + i] - b[d++] : -b[base->np + i];
  gradyn_linsys_solve_transposed(s->system, s->b, 1);
  d = 0;
  for (int i = 0; i < base->ny; i++)
    if (s->id[i] != 0) {
      b[d] = b[base->np + i] + dot_column(s, s->F_yp, i, s->b);
      d++;
    }
  memcpy(b + base->np, s->b, (size_t)base->ny * sizeof(double));
}

static gradyn_status subtract_data(equations_system *s, const double *eta, double *x_bar)
{
  gradyn_model *model = s->base.model;
  gradyn_status status = GRADYN_OK;
  gradyn_equations_at(s->e, s->t, s->y, s->yp);
  for (int k = 0; k < s->e->data_count && status == GRADYN_OK; k++) {
    status = gradyn_equations_by_datum(s->e, k, s->column);
    x_bar[s->e->datum + k] -= dot_column(s, s->column, 0, eta);
  }
  for (int k = 0; k < model->signal_count && status == GRADYN_OK; k++) {
    status = gradyn_equations_by_signal(s->e, k, s->column);
    gradyn_signal_transposed(&model->signal[k], model->x, s->t, 0,
                             -dot_column(s, s->column, 0, eta), x_bar);
  }
  return status;
}

static gradyn_status adjoint_data(gradyn_index1 *base, int count, const double *z, double *x_bar)
{
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < count && status == GRADYN_OK; f++, z += base->np + base->ne)
    status = subtract_data(self(base), z + base->np, x_bar + f * base->nx);
  return status;
}

/* B^T eta = (w; g_a), then w' = F_yd^T eta - g_d. */
static gradyn_status adjoint_restart(gradyn_index1 *base, double *z, double *zp, const double *g_y)
{
  equations_system *s = self(base);
  gradyn_status status = factor_columns(s, 0, 1);
  if (status != GRADYN_OK)
    return status;
  int d = 0;
  for (int i = 0; i < base->ny; i++)
    s->b[i] = s->id[i] != 0 ? z[d++] : g_y[i];
  gradyn_linsys_solve_transposed(s->system, s->b, 1);
  memcpy(z + base->np, s->b, (size_t)base->ny * sizeof(double));
  memset(zp + base->np, 0, (size_t)base->ny * sizeof(double));
  d = 0;
  for (int i = 0; i < base->ny; i++)
    if (s->id[i] != 0) {
      zp[d] = dot_column(s, s->F_y, i, s->b) - g_y[i];
      d++;
    }
  return GRADYN_OK;
}

static gradyn_status adjoint_terminal(gradyn_index1 *base, const double *w_y, const double *w_yp,
                                      double *p, double *x_bar, double *t_bar)
{
  equations_system *s = self(base);
  gradyn_status status = factor_columns(s, 0, 1);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < base->ny; i++)
    s->b[i] = s->id[i] == 0 ? w_y[i] : w_yp ? w_yp[i] : 0;
  gradyn_linsys_solve_transposed(s->system, s->b, 1);
  int d = 0;
  for (int i = 0; i < base->ny; i++)
    if (s->id[i] != 0) {
      p[d] += w_y[i] - dot_column(s, s->F_y, i, s->b);
      d++;
    }
  status = subtract_data(s, s->b, x_bar);
  if (status == GRADYN_OK)
    status = gradyn_equations_by_time(s->e, s->column);
  *t_bar -= dot_column(s, s->column, 0, s->b);
  return status;
}

/* --- life ------------------------------------------------------------------------------------- */

static void free_system(gradyn_index1 *base)
{
  equations_system *s = self(base);
  gradyn_linsys_free(s->system);
  free(s->id);
  free(s->differential);
  free(s->F_y);
  free(s->F_yp);
  free(s->b);
  free(s->column);
  free(s);
}

static const gradyn_index1_ops equations_index1_ops = {.residual = residual,
                                                       .linearise = linearise,
                                                       .factor = factor,
                                                       .solve = solve,
                                                       .data = data,
                                                       .tangent = tangent,
                                                       .start = start,
                                                       .start_tangent = start_tangent,
                                                       .start_transposed = start_transposed,
                                                       .restart = restart,
                                                       .restart_tangent = restart_tangent,
                                                       .adjoint_residual = adjoint_residual,
                                                       .adjoint_factor = adjoint_factor,
                                                       .adjoint_solve = adjoint_solve,
                                                       .adjoint_data = adjoint_data,
                                                       .adjoint_restart = adjoint_restart,
                                                       .adjoint_terminal = adjoint_terminal,
                                                       .free = free_system};

static gradyn_status create_system(equations_system *s)
{
  int n = s->e->count;
  size_t square = (size_t)n * (size_t)n;
  int *row = malloc(square * sizeof *row), *col = malloc(square * sizeof *col);
  gradyn_pattern dense = {0};
  gradyn_status status = row && col ? GRADYN_OK : GRADYN_NO_MEMORY;
  for (int k = 0; k < n * n && status == GRADYN_OK; k++) {
    row[k] = k / n;
    col[k] = k % n;
  }
  if (status == GRADYN_OK)
    status = gradyn_pattern_create(n, n, n * n, row, col, &dense);
  if (status == GRADYN_OK)
    status = gradyn_linsys_create(&dense, GRADYN_BACKEND_AUTO, &s->system);
  gradyn_pattern_clear(&dense);
  free(row);
  free(col);
  s->id = calloc((size_t)n, sizeof(double));
  s->differential = calloc((size_t)n, sizeof(int));
  s->F_y = calloc(square, sizeof(double));
  s->F_yp = calloc(square, sizeof(double));
  s->b = calloc((size_t)n, sizeof(double));
  s->column = calloc((size_t)n, sizeof(double));
  bool ok = s->id && s->differential && s->F_y && s->F_yp && s->b && s->column;
  return ok ? status : GRADYN_NO_MEMORY;
}

gradyn_status gradyn_index1_from_equations(gradyn_model *model, gradyn_index1 **out)
{
  equations_system *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->e = model->equations;
  int n = s->e->count;
  s->base = (gradyn_index1){.ops = &equations_index1_ops, .model = model, .ny = n};
  gradyn_status status = create_system(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for %d states", n);
  for (int i = 0; i < n; i++)
    if (!s->e->unknown[i].algebraic) {
      s->id[i] = 1;
      s->differential[s->base.np++] = i;
    }
  s->base.ne = n;
  s->base.nx = model->nx;
  s->base.id = s->id;
  s->base.differential = s->differential;
  s->base.atol = s->e->atol;
  return GRADYN_OK;
}

void gradyn_index1_free(gradyn_index1 *s)
{
  if (s)
    s->ops->free(s);
}
