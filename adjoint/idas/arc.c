/* The adjoint of idas in an arc, backward in time.
 *
 * The adjoint equations follow from L = psi - integral of eta^T F, where eta are the multipliers of the
 * equations F = 0. The differential adjoints p are integrated backward. The sensitivity of a datum is
 *     dpsi/dx = sum over boundaries + integral of (g_x - F_x^T eta) dt + (dy_d(0)/dx)^T p(0). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/idas/backward.h"
#include "dae/idas/arc_time.h"

enum { MOST_STEPS = 2000000 };

/* --- callbacks -------------------------------------------------------------------------------- */

/* Computes the matrices at a point of the forward run, unless they are those of the last call. `since`:
 * time since the start of the arc, which identifies the point. */
static gradyn_status linearise(gradyn_idas_adjoint *a, double since, N_Vector y, N_Vector yp)
{
  gradyn_idas *march = a->march;
  if (since == march->linearised_at)
    return GRADYN_OK;
  march->linearised_at = since;
  return march->system->ops->linearise(march->system, gradyn_idas_time(march, since),
                                       N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
}

/* Computes g_y of all functionals, times the slopes of their outer functions. */
static gradyn_status integrand_gradients(gradyn_idas_adjoint *a, double t, const double *y)
{
  gradyn_idas *march = a->march;
  const gradyn_sample at = {t, y};
  memset(a->g_y, 0, (size_t)a->rows * (size_t)march->ny * sizeof(double));
  for (int k = 0; k < a->rows; k++) {
    const gradyn_functional_entry *f = &march->model->functional[a->row[k]];
    /* slope g_y only; data_sensitivities() computes derivatives by data */
    const gradyn_gradient_out out = {a->g_y + k * march->ny, 1, NULL, NULL};
    if (!f->integrand)
      continue;
    GRADYN_TRY(f->integrand->gradient(march->model, f, &at, a->slope[a->row[k]], &out));
  }
  return GRADYN_OK;
}

/* Computes all values at a point of the forward run that the residual of the adjoint equations needs. */
static gradyn_status look_at(gradyn_idas_adjoint *a, double since, N_Vector y, N_Vector yp)
{
  const double t = gradyn_idas_time(a->march, since);
  GRADYN_TRY(gradyn_model_cancelled(a->march->model, t));
  GRADYN_TRY(linearise(a, since, y, yp));
  return integrand_gradients(a, t, N_VGetArrayPointer(y));
}

/* Computes the residual of the adjoint equations of all functionals, one after the other. A callback of
 * IDAS. */
static int residual(sunrealtype since, N_Vector y, N_Vector yp, N_Vector z, N_Vector zp, N_Vector r,
                    void *user)
{
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->observer.run;
  /* weights() needs y, but gets only the adjoint from IDAS */
  a->present = N_VGetArrayPointer(y);
  const gradyn_status status = look_at(a, since, y, yp);
  for (int f = 0; f < a->rows && status == GRADYN_OK; f++)
    march->system->ops->adjoint_residual(march->system, N_VGetArrayPointer(z) + f * a->nz,
                                         N_VGetArrayPointer(zp) + f * a->nz, a->g_y + f * march->ny,
                                         N_VGetArrayPointer(r) + f * a->nz);
  int m = a->rows * a->nz; /* backward equation of the step-size governor */
  NV_Ith_S(r, m) = NV_Ith_S(zp, m) - march->beat * NV_Ith_S(z, m);
  return gradyn_idas_callback(march, status);
}

/* Factorises the matrix of the adjoint equations. A callback of IDAS, which calls it when the step has
 * changed much. */
static int jacobian(sunrealtype since, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector z,
                    N_Vector zp, N_Vector r, SUNMatrix J, void *user, N_Vector t1, N_Vector t2,
                    N_Vector t3)
{
  (void)z, (void)zp, (void)r, (void)J, (void)t1, (void)t2, (void)t3;
  gradyn_idas *march = user;
  /* the matrix (F_y - cj F_y')^T is the same for all functionals */
  ((gradyn_idas_adjoint *)march->observer.run)->cj = cj;
  gradyn_status status = linearise(march->observer.run, since, y, yp);
  if (status == GRADYN_OK)
    status = march->system->ops->adjoint_factor(march->system, cj);
  return gradyn_idas_callback(march, status);
}

/* Solves for each functional with the common factors. */
static void solve(void *user, double *b)
{
  gradyn_idas_adjoint *a = user;
  for (int f = 0; f < a->rows; f++)
    a->march->system->ops->adjoint_solve(a->march->system, b + f * a->nz);
  b[a->rows * a->nz] /= a->cj - a->march->beat; /* equation of the step-size governor */
}

/* Computes x_bar = slope g_x - F_x^T eta for `count` functionals from row `first` on. */
static gradyn_status data_sensitivities(gradyn_idas_adjoint *a, int first, int count,
                                        const gradyn_sample *at, const double *z)
{
  gradyn_idas *march = a->march;
  int nx = march->system->nx;
  memset(a->x_bar, 0, (size_t)(count * nx) * sizeof(double));
  for (int j = 0; j < count; j++) {
    int i = a->row[first + j];
    const gradyn_functional_entry *f = &march->model->functional[i];
    const gradyn_gradient_out out = {NULL, 1, a->x_bar + j * nx, NULL};
    if (f->integrand)
      GRADYN_TRY(f->integrand->gradient(march->model, f, at, a->slope[i], &out));
  }
  return march->system->ops->adjoint_data(march->system, count, z, a->x_bar);
}

/* Computes the rate of the sensitivities by data. IDAS integrates backward in time, so the rate is minus
 * (slope g_x - F_x^T eta). A callback of IDAS. */
static int quadrature_rate(sunrealtype since, N_Vector y, N_Vector yp, N_Vector z, N_Vector zp,
                           N_Vector rate, void *user)
{
  (void)zp;
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->observer.run;
  const gradyn_sample at = {gradyn_idas_time(march, since), N_VGetArrayPointer(y)};
  /* derivatives by data are computed for groups of functionals in lanes */
  gradyn_status status = linearise(a, since, y, yp);
  for (int f = 0; f < a->rows && status == GRADYN_OK; f += GRADYN_LANES) {
    int count = a->rows - f < GRADYN_LANES ? a->rows - f : GRADYN_LANES;
    status = data_sensitivities(a, f, count, &at, N_VGetArrayPointer(z) + f * a->nz);
    for (int j = 0; j < count; j++)
      for (int k = 0; k < a->active_count; k++)
        NV_Ith_S(rate,
                 (f + j) * a->active_count + k) = -a->x_bar[j * march->system->nx + a->active[k]];
  }
  return gradyn_idas_callback(march, status);
}

/* Returns the integrals of the data sensitivities up to the end of the last step. NULL: there are none, or
 * IDAS does not give values at that time. */
static const double *present_quadratures(gradyn_idas_adjoint *a)
{
  sunrealtype t = 0;
  if (a->active_count == 0 || IDAGetCurrentTime(a->backward, &t) < 0 ||
      IDAGetQuadDky(a->backward, t, 0, a->scratch) < 0)
    return NULL;
  return N_VGetArrayPointer(a->scratch);
}

/* Sets the error weights of a step, and of quadratures, from the state at its start. IDAS passes its
 * forward object, which has the user data. */
static int weights(N_Vector z, N_Vector weight, void *forward)
{
  void *user = NULL;
  long steps = 0;
  IDAGetUserData(forward, &user);
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->observer.run;
  IDAGetNumSteps(a->backward, &steps);
  /* a new step begins, so earlier failures no longer count */
  march->failure.status = GRADYN_OK;
  march->failure.at = NAN;
  /* tolerances follow from the largest values so far */
  if (steps > 0)
    gradyn_idas_sizes_follow(&a->sizes, a->present, N_VGetArrayPointer(z), present_quadratures(a));
  gradyn_idas_sizes_weights(&a->sizes, N_VGetArrayPointer(z), N_VGetArrayPointer(weight));
  int m = a->rows * a->nz;
  NV_Ith_S(weight, m) = 1 / (a->sizes.rtol * (fabs(NV_Ith_S(z, m)) + GRADYN_METRONOME_LOOSE));
  if (a->active_count == 0)
    return 0;
  gradyn_idas_sizes_tolerances(&a->sizes, N_VGetArrayPointer(a->scratch));
  return IDAQuadSVtolerances(a->backward, a->sizes.rtol, a->scratch);
}

gradyn_status gradyn_idas_arc_create(gradyn_idas_adjoint *a)
{
  a->solver = gradyn_idas_solver(a->march->sun.context, solve, a);
  return a->solver ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* --- one arc ---------------------------------------------------------------------------------- */

/* Creates the backward problem in the object of an arc. Returns a code of IDAS. */
static int set_up(gradyn_idas_adjoint *a, void *ida, int *which)
{
  gradyn_idas *march = a->march;
  const double length = march->end - march->begin;
  GRADYN_IDAS_TRY(IDACreateB(ida, which));
  a->backward = IDAGetAdjIDABmem(ida, *which);
  GRADYN_IDAS_TRY(IDAInitB(ida, *which, residual, length, a->z, a->zp));
  GRADYN_IDAS_TRY(IDAWFtolerances(a->backward, weights));
  GRADYN_IDAS_TRY(IDASetUserDataB(ida, *which, march));
  GRADYN_IDAS_TRY(IDASetIdB(ida, *which, a->id));
  /* no error test of eta, which follows from p by a linear solve */
  GRADYN_IDAS_TRY(IDASetSuppressAlgB(ida, *which, SUNTRUE));
  GRADYN_IDAS_TRY(IDASetMaxNumStepsB(ida, *which, gradyn_idas_steps_left(march, MOST_STEPS, 0)));
  GRADYN_IDAS_TRY(IDASetLinearSolverB(ida, *which, a->solver, march->sun.matrix));
  GRADYN_IDAS_TRY(IDASetJacFnB(ida, *which, jacobian));
  GRADYN_IDAS_TRY(
      IDASetInitStepB(ida, *which, gradyn_idas_sizes_first_step(&a->sizes, a->z, a->zp, length)));
  if (a->active_count == 0)
    return IDA_SUCCESS;
  GRADYN_IDAS_TRY(IDAQuadInitB(ida, *which, quadrature_rate, a->quad));
  /* an error test of the sensitivities by data as well */
  gradyn_idas_sizes_tolerances(&a->sizes, N_VGetArrayPointer(a->scratch));
  GRADYN_IDAS_TRY(IDAQuadSVtolerancesB(ida, *which, a->sizes.rtol, a->scratch));
  return IDASetQuadErrConB(ida, *which, SUNTRUE);
}

/* Creates the backward problem of arc k, which begins with p in z. The matrices must be those at the end of
 * the arc. */
static gradyn_status open_backward(gradyn_idas_adjoint *a, int k, int *which)
{
  gradyn_idas *march = a->march;
  /* the step-size governor begins with 1 at the end of the arc */
  march->beat = 1 / (march->end - march->begin);
  NV_Ith_S(a->z, a->rows * a->nz) = 1;
  NV_Ith_S(a->zp, a->rows * a->nz) = march->beat;
  a->backward = NULL;
  return gradyn_idas_failed(march, set_up(a, march->stored.arc[k].ida, which),
                            "setting up the adjoint", march->end);
}

/* Makes eta and p' consistent at the end of arc k. */
static gradyn_status enter_backward(gradyn_idas_adjoint *a, int k, const double *x_bar)
{
  gradyn_idas *march = a->march;
  gradyn_index1 *system = march->system;
  const double t = march->arcs.boundary[k + 1].t;
  const gradyn_idas_node node = gradyn_idas_node_at(march, k + 1, GRADYN_BEFORE);
  double *z = N_VGetArrayPointer(a->z), *zp = N_VGetArrayPointer(a->zp);
  double *y = N_VGetArrayPointer(march->sun.y), *yp = N_VGetArrayPointer(march->sun.yp);
  /* signals and mode of this arc, not of the next one */
  gradyn_idas_enter_side(march, k + 1, GRADYN_BEFORE);
  gradyn_idas_enter_time(march, k);
  memcpy(y, node.y, (size_t)march->ny * sizeof *y);
  memcpy(yp, node.yp, (size_t)march->ny * sizeof *yp);
  /* the matrices of the last call are not valid: this time may have had another state */
  march->linearised_at = NAN;
  GRADYN_TRY(system->ops->restart(system, t, y, yp));
  GRADYN_TRY(system->ops->linearise(system, t, y, yp));
  GRADYN_TRY(integrand_gradients(a, t, y));
  for (int f = 0; f < a->rows; f++)
    GRADYN_TRY(system->ops->adjoint_restart(system, z + f * a->nz, zp + f * a->nz,
                                            a->g_y + f * march->ny));
  /* the quadratures continue the sums of later arcs */
  for (int f = 0; f < a->rows; f++)
    for (int i = 0; i < a->active_count; i++)
      NV_Ith_S(a->quad, f * a->active_count + i) = x_bar[a->row[f] * system->nx + a->active[i]];
  GRADYN_TRY(gradyn_idas_sizes_curvature(&a->sizes, t, y, march->end - march->begin, a->slope));
  a->present = y;
  gradyn_idas_sizes_follow(&a->sizes, a->present, z, N_VGetArrayPointer(a->quad));
  return GRADYN_OK;
}

/* Integrates backward through arc k. A failure reports the time that was reached. */
static gradyn_status solve_backward(gradyn_idas_adjoint *a, int k)
{
  gradyn_idas *march = a->march;
  void *ida = march->stored.arc[k].ida;
  int which;
  sunrealtype since;
  GRADYN_TRY(open_backward(a, k, &which));
  GRADYN_TRY(gradyn_idas_failed(march, IDASolveB(ida, 0, IDA_NORMAL), "adjoint run, backwards",
                                gradyn_idas_reached(march, a->backward)));
  GRADYN_TRY(
      gradyn_idas_failed(march, IDAGetB(ida, which, &since, a->z, a->zp), "adjoint", march->begin));
  if (a->active_count > 0)
    GRADYN_TRY(gradyn_idas_failed(march, IDAGetQuadB(ida, which, &since, a->quad), "adjoint",
                                  march->begin));
  gradyn_idas_count(march, a->backward, true);
  return GRADYN_OK;
}

/* Returns p^T y' + slope g at a node, for the functional of a row. */
static double rate_of(const gradyn_idas_adjoint *a, const gradyn_idas_node *node, int f)
{
  return gradyn_idas_node_rate(a->march, node, gradyn_idas_adjoint_row(a, f)) +
         a->slope[a->row[f]] * gradyn_idas_node_integrand(a->march, node, a->row[f]);
}

/* Passes the adjoints of the end time of arc k to the data that move it. If the arc ends at an event,
 * passes them to data and state by the derivatives of the guard. */
static gradyn_status end_back(gradyn_idas_adjoint *a, int k, double *x_bar)
{
  gradyn_idas *march = a->march;
  const gradyn_boundary *b = &march->arcs.boundary[k + 1];
  const gradyn_idas_node node = gradyn_idas_node_at(march, k + 1, GRADYN_BEFORE);
  gradyn_root root = {0};
  if (b->transition > 0)
    GRADYN_TRY(gradyn_idas_sweep_root(&a->sweep, k + 1, &root));
  /* if the end moves by dt, dy = s + y' dt, and an integral changes by g dt */
  for (int f = 0; f < a->rows; f++) {
    const double t_bar = a->t_bar[f] + rate_of(a, &node, f);
    double *of = x_bar + a->row[f] * march->system->nx;
    if (b->transition > 0)
      (void)gradyn_root_against(&root, t_bar, gradyn_idas_adjoint_row(a, f), 1, of);
    else
      gradyn_boundary_transposed(b, t_bar, of);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_arc_against(void *adjoint, int k)
{
  gradyn_idas_adjoint *a = adjoint;
  gradyn_idas *march = a->march;
  double *x_bar = a->of_data;
  const gradyn_idas_node node = gradyn_idas_node_at(march, k, GRADYN_AFTER);
  GRADYN_TRY(end_back(a, k, x_bar));
  if (!gradyn_arcs_pause(&march->arcs, k)) {
    GRADYN_TRY(enter_backward(a, k, x_bar));
    GRADYN_TRY(solve_backward(a, k));
    /* sums of all arcs so far */
    for (int f = 0; f < a->rows; f++)
      for (int i = 0; i < a->active_count; i++)
        x_bar[a->row[f] * march->system->nx + a->active[i]] = NV_Ith_S(a->quad,
                                                                       f * a->active_count + i);
  }
  /* if the start moves by dt, s = dy - y' dt, and an integral changes by -g dt */
  for (int f = 0; f < a->rows; f++)
    a->t_bar[f] = -rate_of(a, &node, f);
  return GRADYN_OK;
}
