/* Ends of arcs: terminal functionals and moving boundaries. If the time of a boundary moves by dt, the jump
 * [y'] dt of the rates enters the states and [g] dt the integrals. At the end, g dt + w_t dt is added. */
#include "adjoint/arc_boundaries.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_arc_boundaries_create(const gradyn_idas *idas, gradyn_arc_boundaries *e)
{
  size_t nf = (size_t)idas->sums.count, np = (size_t)idas->system->np,
         nx = (size_t)idas->system->nx;
  *e = (gradyn_arc_boundaries){
      .nf = idas->sums.count, .np = idas->system->np, .nx = idas->system->nx};
  e->p = gradyn_arena_numbers(&e->arena, nf * np + 1);
  e->x_bar = gradyn_arena_numbers(&e->arena, nf * nx + 1);
  e->rate = gradyn_arena_numbers(&e->arena, nf + 1);
  e->slope = gradyn_arena_numbers(&e->arena, nf + 1);
  e->g = gradyn_arena_numbers(&e->arena, nf + 1);
  e->w_y = gradyn_arena_numbers(&e->arena, (size_t)idas->ny + 1);
  if (gradyn_arena_status(&e->arena) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_arc_boundaries_clear(e);
  return gradyn_fail(&idas->model->message, GRADYN_NO_MEMORY, "out of memory for %d functionals",
                     idas->sums.count);
}

/* Also frees an object whose creation has failed. */
void gradyn_arc_boundaries_clear(gradyn_arc_boundaries *e)
{
  gradyn_arena_clear(&e->arena);
  free(e->jump_y);
  free(e->jump_g);
  *e = (gradyn_arc_boundaries){0};
}

/* Allocates the jumps of rates and integrands at each boundary. */
gradyn_status gradyn_arc_boundaries_reserve(gradyn_arc_boundaries *e, gradyn_idas *idas)
{
  int need = idas->arcs.count;
  if (need <= e->boundaries)
    return GRADYN_OK;
  need += need / 2; /* events add boundaries */
  /* each array stays valid if the other allocation fails */
  double *y = realloc(e->jump_y, (size_t)need * (size_t)e->np * sizeof *y + 1);
  if (y)
    e->jump_y = y;
  double *g = realloc(e->jump_g, (size_t)need * (size_t)e->nf * sizeof *g + 1);
  if (g)
    e->jump_g = g;
  if (!y || !g)
    return gradyn_fail(&idas->model->message, GRADYN_NO_MEMORY, "out of memory for %d arcs", need);
  e->boundaries = need;
  return GRADYN_OK;
}

/* Integrands of all functionals at the present state; zero without an integrand. */
static gradyn_status integrands(const gradyn_idas *idas, double t, double *g)
{
  const gradyn_sample at = {t, N_VGetArrayPointer(idas->sun.y)};
  for (int k = 0; k < idas->sums.count; k++) {
    const gradyn_functional_entry *f = &idas->model->functional[k];
    /* 0 for functionals with a terminal part only */
    g[k] = 0;
    if (!f->integrand)
      continue;
    GRADYN_TRY(f->integrand->value(idas->model, f, &at, &g[k]));
  }
  return GRADYN_OK;
}

/* w_y, w_x and w_t of a functional at the present state, with the contributions of algebraic states. */
static gradyn_status differentiate(gradyn_arc_boundaries *e, gradyn_idas *idas, int k, double t,
                                   double *t_bar)
{
  const gradyn_functional_entry *f = &idas->model->functional[k];
  const gradyn_sample at = {t, N_VGetArrayPointer(idas->sun.y)};
  double *p = e->p + k * e->np, *x_bar = e->x_bar + k * e->nx, explicit_t = 0;
  /* derivative of outer at the present value; outer may depend on time explicitly */
  gradyn_functional_outer(f, idas->sums.inner[k], t, &e->slope[k], &explicit_t);
  memset(p, 0, (size_t)e->np * sizeof(double));
  memset(x_bar, 0, (size_t)e->nx * sizeof(double));
  *t_bar = 0;
  if (f->skipped)
    return GRADYN_OK;
  *t_bar = explicit_t;
  if (!f->terminal || f->which > 0)
    return GRADYN_OK;
  const gradyn_gradient_out out = {e->w_y, 1, x_bar, t_bar};
  memset(e->w_y, 0, (size_t)idas->ny * sizeof(double));
  GRADYN_TRY(f->terminal->gradient(idas->model, f, &at, e->slope[k], &out));
  return idas->system->ops->adjoint_terminal(idas->system, e->w_y, NULL, p, x_bar, t_bar);
}

/* Adds the contribution of a time that is a share of the run, dt = share dT. */
static void ride(gradyn_arc_boundaries *e, const gradyn_idas *idas, int f, double t_bar)
{
  const gradyn_functional_entry *functional = &idas->model->functional[f];
  const double *yp = N_VGetArrayPointer(idas->sun.yp), *p = e->p + f * e->np;
  double rate = t_bar; /* w_t + p^T y' */
  for (int i = 0; i < e->np; i++)
    rate += p[i] * yp[idas->system->differential[i]];
  e->x_bar[f * e->nx + idas->model->t_end] += functional->along.share * rate;
}

/* Differentiates the functionals that are evaluated at the end of arc k, in the present state. */
static gradyn_status take_instants(gradyn_arc_boundaries *e, gradyn_idas *idas, int k)
{
  bool any;
  double t = idas->arcs.boundary[k + 1].t, t_bar;
  GRADYN_TRY(gradyn_idas_take_instants(idas, k, &any));
  if (any)
    GRADYN_TRY(idas->system->ops->linearise(idas->system, t, N_VGetArrayPointer(idas->sun.y),
                                            N_VGetArrayPointer(idas->sun.yp)));
  for (int f = 0; f < e->nf && any; f++)
    if (idas->sums.taken_at[f] == k + 1) {
      GRADYN_TRY(differentiate(e, idas, f, t, &t_bar));
      ride(e, idas, f, t_bar);
    }
  return GRADYN_OK;
}

gradyn_status gradyn_arc_boundaries_start(gradyn_arc_boundaries *e, gradyn_idas *idas)
{
  double t_bar; /* of a fixed time */
  bool any = false;
  /* evaluate matrices only if a functional needs them */
  for (int f = 0; f < e->nf; f++)
    any = any || idas->sums.taken_at[f] == GRADYN_IDAS_START;
  if (!any)
    return GRADYN_OK;
  GRADYN_TRY(idas->system->ops->linearise(idas->system, 0, N_VGetArrayPointer(idas->sun.y),
                                          N_VGetArrayPointer(idas->sun.yp)));
  for (int f = 0; f < e->nf; f++)
    if (idas->sums.taken_at[f] == GRADYN_IDAS_START)
      GRADYN_TRY(differentiate(e, idas, f, 0, &t_bar));
  return GRADYN_OK;
}

gradyn_status gradyn_arc_boundaries_cross(gradyn_arc_boundaries *e, gradyn_idas *idas, int k)
{
  gradyn_index1 *system = idas->system;
  /* functionals first: they belong to the arc that ends */
  GRADYN_TRY(gradyn_arc_boundaries_reserve(e, idas));
  GRADYN_TRY(take_instants(e, idas, k));
  double t = idas->arcs.boundary[k + 1].t, sign = 1;
  double *jump_y = e->jump_y + k * e->np, *jump_g = e->jump_g + k * e->nf;
  const double *yp = N_VGetArrayPointer(idas->sun.yp);
  memset(jump_y, 0, (size_t)e->np * sizeof(double));
  memset(jump_g, 0, (size_t)e->nf * sizeof(double));
  if (idas->arcs.boundary[k + 1].transition > 0) /* see idas/jumps.h */
    return gradyn_idas_next_arc(idas, k);
  for (int side = 0; side < 2; side++, sign = -1) {
    GRADYN_TRY(side == 0 ? system->ops->restart(system, t, N_VGetArrayPointer(idas->sun.y),
                                                N_VGetArrayPointer(idas->sun.yp))
                         : gradyn_idas_next_arc(idas, k));
    GRADYN_TRY(integrands(idas, t, e->g));
    for (int i = 0; i < e->np; i++)
      /* y'(before) - y'(after) */
      jump_y[i] += sign * yp[system->differential[i]];
    for (int f = 0; f < e->nf; f++)
      /* g(before) - g(after) */
      jump_g[f] += sign * e->g[f];
  }
  return GRADYN_OK;
}

/* Terminal part of one functional at the end time. */
static gradyn_status terminal(gradyn_arc_boundaries *e, gradyn_idas *idas, int k, double t)
{
  const gradyn_functional_entry *f = &idas->model->functional[k];
  const double *p = e->p + k * e->np, *yp = N_VGetArrayPointer(idas->sun.yp);
  double t_bar;
  e->rate[k] = 0;
  if (idas->sums.taken_at[k] < idas->arcs.count) /* evaluated at an earlier time */
    return GRADYN_OK;
  GRADYN_TRY(differentiate(e, idas, k, t, &t_bar));
  if (f->skipped || gradyn_functional_stays(f))
    return GRADYN_OK;
  /* w_t + slope g + p^T y' */
  e->rate[k] = t_bar + e->slope[k] * e->g[k];
  for (int i = 0; i < e->np; i++)
    e->rate[k] += p[i] * yp[idas->system->differential[i]];
  return GRADYN_OK;
}

/* Terminal parts at the end of the last arc. */
gradyn_status gradyn_arc_boundaries_terminal(gradyn_arc_boundaries *e, gradyn_idas *idas)
{
  double t = idas->arcs.boundary[idas->arcs.count].t;
  /* g at the end: contribution of a moving end */
  GRADYN_TRY(integrands(idas, t, e->g));
  /* algebraic states there follow from the linearised equations */
  GRADYN_TRY(idas->system->ops->linearise(idas->system, t, N_VGetArrayPointer(idas->sun.y),
                                          N_VGetArrayPointer(idas->sun.yp)));
  for (int k = 0; k < e->nf; k++)
    GRADYN_TRY(terminal(e, idas, k, t));
  return GRADYN_OK;
}

double gradyn_arc_boundaries_tangent(const gradyn_arc_boundaries *e, const gradyn_idas *idas, int k,
                                     int f, const double *sy)
{
  double sum = 0;
  if (idas->sums.taken_at[f] == k + 1)
    for (int i = 0; i < e->np; i++)
      sum += e->p[f * e->np + i] * sy[idas->system->differential[i]]; /* p^T s */
  return sum;
}

void gradyn_arc_boundaries_transpose(const gradyn_arc_boundaries *e, const gradyn_idas *idas, int k,
                                     int f, double *z)
{
  if (idas->sums.taken_at[f] == k + 1)
    for (int i = 0; i < e->np; i++)
      /* the adjoint jumps by p where the functional is evaluated */
      z[i] += e->p[f * e->np + i];
}
