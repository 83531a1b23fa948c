/* Checks general equations: compares derivatives by complex steps with differences.
 *
 * The columns F_y, F_y', F_t and F_x of F(t, y, y', x) are compared with extrapolated differences. The
 * state is one of the run with random rates: F need not vanish there. F_x is checked in both forms:
 * assembled from data and signals, and as the product with a direction, which simulations use. */
#include "adjoint/check/probe.h"
#include "core/equations/equations.h"

/* Evaluation of F at the state (y, y'). */
typedef struct residual {
  gradyn_probe probe;
  gradyn_equations_model *e;
  double *F_u; /* [n] */
} residual;

static gradyn_status values(gradyn_probe *p, double t, double *value)
{
  return gradyn_equations_residual(((residual *)p)->e, t, p->moved, p->moved + p->rows, value);
}

/* Sets the arguments of the equations to the point at which derivatives are taken. */
static gradyn_equations_model *at(gradyn_probe *p)
{
  gradyn_equations_model *e = ((residual *)p)->e;
  gradyn_equations_at(e, p->t, p->base, p->base + p->rows);
  return e;
}

static gradyn_status by_state(gradyn_probe *p)
{
  return gradyn_equations_by_state(at(p), p->index % p->rows, p->index >= p->rows, p->exact);
}

/* Computes F_t at a fixed state, from signals and users' functions of time. */
static gradyn_status by_time(gradyn_probe *p)
{
  return gradyn_equations_by_time(at(p), p->exact);
}

/* Computes F_x of one datum as the product that simulations use. */
static gradyn_status along(gradyn_probe *p)
{
  return gradyn_equations_along(at(p), p->dx, p->exact);
}

/* Computes F_x of one datum from separate derivatives: dF/dx_k = (dF/dx_k)_u + sum_i dF/du_i du_i/dx_k. */
static gradyn_status by_datum(gradyn_probe *p)
{
  gradyn_equations_model *e = at(p);
  const gradyn_model *model = p->c->model;
  double *F_u = ((residual *)p)->F_u;
  if (p->index >= e->datum && p->index < e->datum + e->data_count)
    GRADYN_TRY(gradyn_equations_by_datum(e, p->index - e->datum, p->exact));
  for (int i = 0; i < model->signal_count; i++) {
    /* du_i/dx_k is zero for most signals */
    const double u_k = gradyn_signal_tangent(&model->signal[i], model->x, p->t, 0, p->dx);
    if (u_k == 0)
      continue;
    GRADYN_TRY(gradyn_equations_by_signal(e, i, F_u));
    for (int r = 0; r < p->rows; r++)
      p->exact[r] += u_k * F_u[r];
  }
  return GRADYN_OK;
}

/* Returns whether a column exists. Algebraic states have no rate, and therefore no column of F_y'. */
static bool has_column(const gradyn_probe *p)
{
  return p->by != GRADYN_BY_STATE || p->index < p->rows ||
         !((const residual *)p)->e->unknown[p->index - p->rows].algebraic;
}

/* Sets a state of the run with random rates. */
static gradyn_status prepare(residual *r, gradyn_checking *c)
{
  gradyn_probe *p = &r->probe;
  GRADYN_TRY(gradyn_probe_open(p, c, 2 * p->rows));
  r->F_u = gradyn_arena_numbers(&p->arena, (size_t)p->rows);
  for (int i = 0; i < p->rows; i++) {
    p->base[i] = c->y[i];
    /* typical rate: size of the state divided by the end time */
    p->size[p->rows + i] = c->size[i] / c->x[c->model->t_end];
    p->base[p->rows + i] = gradyn_check_random(c) * p->size[p->rows + i];
  }
  return gradyn_arena_status(&p->arena);
}

gradyn_status gradyn_check_equations(gradyn_checking *c)
{
  const int n = c->ny;
  const struct {
    gradyn_moves by;
    int first, count;
    gradyn_status (*derive)(gradyn_probe *p);
    const char *name;
  } block[] = {{GRADYN_BY_STATE, 0, n, by_state, "dF/dy"},
               {GRADYN_BY_STATE, n, n, by_state, "dF/dy'"},
               {GRADYN_BY_TIME, 0, 1, by_time, "dF/dt at a fixed state"},
               {GRADYN_BY_DATUM, 0, c->nx, by_datum, "dF/dx by datum and by signal"},
               {GRADYN_BY_DATUM, 0, c->nx, along, "dF/dx in a direction"}};
  residual r = {.probe = {.rows = n, .values = values, .depends = has_column}};
  r.e = c->model->equations;
  gradyn_status status = prepare(&r, c);
  for (size_t k = 0; k < GRADYN_COUNT(block) && status == GRADYN_OK; k++) {
    gradyn_worst w = {.tolerance = c->tolerance};
    r.probe.derive = block[k].derive;
    status = gradyn_probe_compare(&r.probe, block[k].by, block[k].first, block[k].count, &w);
    if (status == GRADYN_OK)
      status = gradyn_check_add(c, &w, "differences", "%s", block[k].name);
  }
  gradyn_probe_close(&r.probe);
  return status;
}
