/* Adjoint with IDAS: a forward run with checkpoints, then one backward problem for all functionals.
 *
 * With L = psi - integral of eta^T F, the differential adjoints p begin with the terminal parts and are
 * integrated backward through every arc. The sensitivity of a datum is
 *     dpsi/dx = terminal + sum over moving boundaries + integral of (g_x - F_x^T eta) dt
 *               + (dy_d(0)/dx)^T p(0). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/arc_boundaries.h"
#include "adjoint/idas/jumps.h"
#include "adjoint/idas/kept.h"
#include "adjoint/idas/sensitivity.h"
#include "adjoint/idas/sizes.h"
#include "core/base/clock.h"
#include "dae/idas/arc_time.h"

enum { MOST_STEPS = 2000000 };

struct gradyn_idas_adjoint {
  gradyn_idas *march;
  gradyn_arc_boundaries ends;
  gradyn_idas_jumps jumps;
  int *row, rows;         /* [rows] functionals that are not skipped: those of the arrays below */
  int nz;                 /* adjoint unknowns of one functional, p and eta */
  N_Vector z, zp, id;     /* [rows][nz], and one more: the step-size governor */
  double cj;              /* coefficient of the last Jacobian, 1/s */
  N_Vector quad, scratch; /* [rows][active_count] */
  gradyn_idas_sizes sizes;
  void *backward;        /* IDAS object of the present backward run */
  const double *present; /* [ny] state of the last residual */
  int *active;           /* [active_count] data whose sensitivity is integrated */
  int active_count, capacity;
  double *x_bar; /* [GRADYN_LANES][nx] */
  double *g_y;   /* [rows][ny] slope times gradients of the integrands */
  gradyn_idas_kept kept;
  SUNLinearSolver solver;
};

/* Also frees an adjoint that is incomplete. */
void gradyn_idas_adjoint_free(gradyn_idas_adjoint *a)
{
  if (!a)
    return;
  N_Vector vector[] = {a->z, a->zp, a->id, a->quad, a->scratch};
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    N_VDestroy(vector[k]); /* or NULL */
  if (a->solver)
    SUNLinSolFree(a->solver);
  gradyn_arc_boundaries_clear(&a->ends);
  gradyn_idas_jumps_clear(&a->jumps);
  gradyn_idas_sizes_clear(&a->sizes);
  gradyn_idas_kept_clear(&a->kept);
  free(a->active);
  free(a->row);
  free(a->x_bar);
  free(a->g_y);
  free(a);
}

/* --- callbacks -------------------------------------------------------------------------------- */

/* Matrices at a point of the forward run, which is identified by its time since the start of the arc. */
static gradyn_status linearise(gradyn_idas_adjoint *a, double since, N_Vector y, N_Vector yp)
{
  gradyn_idas *march = a->march;
  if (since == march->linearised_at)
    return GRADYN_OK;
  march->linearised_at = since;
  return march->system->ops->linearise(march->system, gradyn_idas_time(march, since),
                                       N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
}

/* g_y of the functionals, times their slopes. */
static gradyn_status integrand_gradients(gradyn_idas_adjoint *a, double t, const double *y)
{
  gradyn_idas *march = a->march;
  const gradyn_sample at = {t, y};
  memset(a->g_y, 0, (size_t)a->rows * (size_t)march->ny * sizeof(double));
  for (int k = 0; k < a->rows; k++) {
    const gradyn_functional_entry *f = &march->model->functional[a->row[k]];
    /* slope g_y; derivatives by data are computed elsewhere */
    const gradyn_gradient_out out = {a->g_y + k * march->ny, 1, NULL, NULL};
    if (!f->integrand)
      continue;
    GRADYN_TRY(f->integrand->gradient(march->model, f, &at, a->ends.slope[a->row[k]], &out));
  }
  return GRADYN_OK;
}

/* Computes what the residual of the adjoint equations needs at a point of the forward run. */
static gradyn_status look_at(gradyn_idas_adjoint *a, double since, N_Vector y, N_Vector yp)
{
  const double t = gradyn_idas_time(a->march, since);
  GRADYN_TRY(gradyn_model_cancelled(a->march->model, t));
  GRADYN_TRY(linearise(a, since, y, yp));
  return integrand_gradients(a, t, N_VGetArrayPointer(y));
}

/* Residual of the adjoint equations, for all functionals in a row. A callback of IDAS. */
static int residual(sunrealtype since, N_Vector y, N_Vector yp, N_Vector z, N_Vector zp, N_Vector r,
                    void *user)
{
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->rider.run;
  /* for weights(), which gets only the adjoint from IDAS */
  a->present = N_VGetArrayPointer(y);
  const gradyn_status status = look_at(a, since, y, yp);
  for (int f = 0; f < a->rows && status == GRADYN_OK; f++)
    march->system->ops->adjoint_residual(march->system, N_VGetArrayPointer(z) + f * a->nz,
                                         N_VGetArrayPointer(zp) + f * a->nz, a->g_y + f * march->ny,
                                         N_VGetArrayPointer(r) + f * a->nz);
  int m = a->rows * a->nz; /* the step-size governor runs backward */
  NV_Ith_S(r, m) = NV_Ith_S(zp, m) - march->beat * NV_Ith_S(z, m);
  return gradyn_idas_callback(march, status);
}

/* A callback of IDAS, which calls it if the step has changed much. */
static int jacobian(sunrealtype since, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector z,
                    N_Vector zp, N_Vector r, SUNMatrix J, void *user, N_Vector t1, N_Vector t2,
                    N_Vector t3)
{
  (void)z, (void)zp, (void)r, (void)J, (void)t1, (void)t2, (void)t3;
  gradyn_idas *march = user;
  /* one matrix F_y - cj F_y', transposed, for all functionals */
  ((gradyn_idas_adjoint *)march->rider.run)->cj = cj;
  gradyn_status status = linearise(march->rider.run, since, y, yp);
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
  b[a->rows * a->nz] /= a->cj - a->march->beat; /* the metronome's own equation */
}

/* x_bar = slope g_x - F_x^T eta of count functionals. */
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
      GRADYN_TRY(f->integrand->gradient(march->model, f, at, a->ends.slope[i], &out));
  }
  return march->system->ops->adjoint_data(march->system, count, z, a->x_bar);
}

/* Rate of the data sensitivities. IDAS integrates backwards, which changes the sign of the integral:
 * hence minus (slope g_x - F_x^T eta). */
static int quadrature_rate(sunrealtype since, N_Vector y, N_Vector yp, N_Vector z, N_Vector zp,
                           N_Vector rate, void *user)
{
  (void)zp;
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->rider.run;
  const gradyn_sample at = {gradyn_idas_time(march, since), N_VGetArrayPointer(y)};
  /* in lanes of functionals, which share the derivatives by data */
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

/* Returns the sensitivities at the end of the last step; NULL: none, or IDAS refuses the time of its
 * end. */
static const double *present_quadratures(gradyn_idas_adjoint *a)
{
  sunrealtype t = 0;
  if (a->active_count == 0 || IDAGetCurrentTime(a->backward, &t) < 0 ||
      IDAGetQuadDky(a->backward, t, 0, a->scratch) < 0)
    return NULL;
  return N_VGetArrayPointer(a->scratch);
}

/* Sets error weights of a step and of quadratures, from its first state. IDAS passes its forward object. */
static int weights(N_Vector z, N_Vector weight, void *forward)
{
  void *user = NULL;
  long steps = 0;
  IDAGetUserData(forward, &user);
  gradyn_idas *march = user;
  gradyn_idas_adjoint *a = march->rider.run;
  IDAGetNumSteps(a->backward, &steps);
  /* a step has succeeded, so earlier failures no longer count */
  march->failure.status = GRADYN_OK;
  march->failure.at = NAN;
  /* tolerances from the largest values so far */
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

/* --- life ------------------------------------------------------------------------------------- */

gradyn_status gradyn_idas_adjoint_create(gradyn_idas *march, gradyn_idas_adjoint **out)
{
  gradyn_idas_adjoint *a = *out = calloc(1, sizeof *a);
  if (!a)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_index1 *system = march->system;
  a->march = march;
  a->nz = system->np + system->ne; /* p and eta */
  /* rows of all functionals, of which a run may use fewer */
  int size = march->sums.count * a->nz;
  /* adjoints of all functionals are one vector of one IDAS object */
  a->z = N_VNew_Serial(size + 1, march->sun.context);
  a->zp = N_VNew_Serial(size + 1, march->sun.context);
  a->id = N_VNew_Serial(size + 1, march->sun.context);
  a->active = calloc((size_t)system->nx + 1, sizeof(int));
  a->row = calloc((size_t)march->sums.count + 1, sizeof(int));
  a->x_bar = calloc(GRADYN_LANES * (size_t)system->nx + 1, sizeof(double));
  a->g_y = calloc((size_t)march->sums.count * (size_t)march->ny + 1, sizeof(double));
  a->solver = gradyn_idas_solver(march->sun.context, solve, a);
  if (!a->z || !a->zp || !a->id || !a->active || !a->row || !a->x_bar || !a->g_y || !a->solver)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for the adjoint");
  GRADYN_TRY(gradyn_idas_sizes_create(march, &a->sizes));
  GRADYN_TRY(gradyn_idas_jumps_create(march, &a->jumps));
  GRADYN_TRY(gradyn_idas_kept_create(march, &a->kept));
  return gradyn_arc_boundaries_create(march, &a->ends);
}

/* --- one forward run, one backward arc ----------------------------------------------------------- */

void gradyn_idas_adjoint_room(gradyn_idas_adjoint *a, long capacity)
{
  gradyn_idas_kept_room(&a->kept, capacity);
}

/* Lists the functionals to be differentiated, and sets the lengths of vectors with a row for each. */
static void choose_rows(gradyn_idas_adjoint *a)
{
  a->rows = gradyn_functionals_wanted(a->march->model, a->row);
  int size = a->rows * a->nz;
  /* vectors have the length of the rows in use */
  NV_LENGTH_S(a->z) = NV_LENGTH_S(a->zp) = NV_LENGTH_S(a->id) = size + 1;
  for (int i = 0; i < size; i++)
    NV_Ith_S(a->id, i) = i % a->nz < a->march->system->np; /* p is differential, eta algebraic */
  NV_Ith_S(a->id, size) = 1;
}

/* Selects functionals and data of this run. Arrays only grow. */
static gradyn_status reserve(gradyn_idas_adjoint *a, const bool *active)
{
  gradyn_idas *march = a->march;
  choose_rows(a);
  /* data that no parameter affects are left out */
  a->active_count = 0;
  for (int k = 0; k < march->system->nx; k++)
    if (active[k])
      a->active[a->active_count++] = k;
  int size = march->sums.count * (a->active_count > 0 ? a->active_count : 1);
  if (size > a->capacity) {
    N_VDestroy(a->quad);
    N_VDestroy(a->scratch);
    a->quad = N_VNew_Serial(size, march->sun.context);
    a->scratch = N_VNew_Serial(size, march->sun.context);
    a->capacity = a->quad && a->scratch ? size : 0;
  }
  if (!a->quad || !a->scratch)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for the adjoint");
  NV_LENGTH_S(a->quad) = NV_LENGTH_S(a->scratch) = a->rows * a->active_count;
  GRADYN_TRY(gradyn_idas_kept_reserve(&a->kept));
  return gradyn_arc_boundaries_reserve(&a->ends, march);
}

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
  /* eta follows from p by a linear solve and must not affect the step */
  GRADYN_IDAS_TRY(IDASetSuppressAlgB(ida, *which, SUNTRUE));
  GRADYN_IDAS_TRY(IDASetMaxNumStepsB(ida, *which, gradyn_idas_steps_left(march, MOST_STEPS, 0)));
  GRADYN_IDAS_TRY(IDASetLinearSolverB(ida, *which, a->solver, march->sun.matrix));
  GRADYN_IDAS_TRY(IDASetJacFnB(ida, *which, jacobian));
  GRADYN_IDAS_TRY(
      IDASetInitStepB(ida, *which, gradyn_idas_sizes_first_step(&a->sizes, a->z, a->zp, length)));
  if (a->active_count == 0)
    return IDA_SUCCESS;
  GRADYN_IDAS_TRY(IDAQuadInitB(ida, *which, quadrature_rate, a->quad));
  /* sensitivities by data are in the error test, too */
  gradyn_idas_sizes_tolerances(&a->sizes, N_VGetArrayPointer(a->scratch));
  GRADYN_IDAS_TRY(IDAQuadSVtolerancesB(ida, *which, a->sizes.rtol, a->scratch));
  return IDASetQuadErrConB(ida, *which, SUNTRUE);
}

/* Creates the backward problem of arc k from p in z. The matrices are those at the end of the arc. */
static gradyn_status open_backward(gradyn_idas_adjoint *a, int k, int *which)
{
  gradyn_idas *march = a->march;
  /* the step-size governor begins with 1 at the end of the arc */
  march->beat = 1 / (march->end - march->begin);
  NV_Ith_S(a->z, a->rows * a->nz) = 1;
  NV_Ith_S(a->zp, a->rows * a->nz) = march->beat;
  a->backward = NULL;
  return gradyn_idas_failed(march, set_up(a, a->kept.arc[k].ida, which), "setting up the adjoint",
                            march->end);
}

/* Adds contributions of the moving boundary at the end of arc k, and p of functionals evaluated there. */
static gradyn_status cross_backward(gradyn_idas_adjoint *a, int k, double *x_bar)
{
  gradyn_idas *march = a->march;
  const gradyn_index1 *system = march->system;
  const gradyn_boundary *b = &march->arcs.boundary[k + 1];
  double *z = N_VGetArrayPointer(a->z);
  const bool event = b->transition > 0;
  if (event) {
    a->jumps.row = a->row;
    a->jumps.rows = a->rows;
    a->jumps.rate = k + 1 == march->arcs.count ? a->ends.rate : NULL;
    for (int f = 0; f < a->rows && a->jumps.rate; f++) /* p at the end is that after the event */
      gradyn_arc_boundaries_transpose(&a->ends, march, k, a->row[f], z + f * a->nz);
    GRADYN_TRY(gradyn_idas_jump_against(&a->jumps, gradyn_idas_passage_at(march, k + 1),
                                        a->ends.slope, a->nz, z, x_bar));
  }
  /* t_bar = slope [g] + p^T [y'], [.]: before less after */
  for (int f = 0; f < a->rows && k + 1 < march->arcs.count && !event; f++) {
    const int of = a->row[f];
    double t_bar = a->ends.slope[of] * a->ends.jump_g[k * march->sums.count + of];
    for (int i = 0; i < system->np; i++)
      t_bar += z[f * a->nz + i] * a->ends.jump_y[k * system->np + i];
    gradyn_boundary_transposed(b, t_bar, x_bar + of * system->nx);
  }
  for (int f = 0; f < a->rows && !(event && a->jumps.rate); f++) /* p of functionals here */
    gradyn_arc_boundaries_transpose(&a->ends, march, k, a->row[f], z + f * a->nz);
  return GRADYN_OK;
}

/* Makes eta and p' consistent at the end of arc k, whose state is in the forward memory. */
static gradyn_status enter_backward(gradyn_idas_adjoint *a, int k, const double *x_bar)
{
  gradyn_idas *march = a->march;
  gradyn_index1 *system = march->system;
  const double t = march->arcs.boundary[k + 1].t;
  double *z = N_VGetArrayPointer(a->z), *zp = N_VGetArrayPointer(a->zp);
  /* signals and mode of this arc, not of the next one */
  gradyn_discrete_state_enter(march->model, march->arcs.boundary[k].discrete);
  gradyn_idas_enter_time(march, k);
  if (IDAGetAdjY(a->kept.arc[k].ida, march->end - march->begin, march->sun.y, march->sun.yp) < 0)
    return gradyn_fail(&march->model->message, GRADYN_INTERNAL,
                       "forward state at t = %g s: cannot be interpolated between the checkpoints",
                       t);
  march->linearised_at = NAN; /* the same time may occur again with another state */
  /* interpolated states are not consistent to the last bit */
  double *y = N_VGetArrayPointer(march->sun.y), *yp = N_VGetArrayPointer(march->sun.yp);
  GRADYN_TRY(system->ops->restart(system, t, y, yp));
  GRADYN_TRY(system->ops->linearise(system, t, y, yp));
  GRADYN_TRY(integrand_gradients(a, t, y));
  for (int f = 0; f < a->rows; f++)
    GRADYN_TRY(system->ops->adjoint_restart(system, z + f * a->nz, zp + f * a->nz,
                                            a->g_y + f * march->ny));
  /* the sum so far is the initial value of a quadrature */
  for (int f = 0; f < a->rows; f++)
    for (int i = 0; i < a->active_count; i++)
      NV_Ith_S(a->quad, f * a->active_count + i) = x_bar[a->row[f] * system->nx + a->active[i]];
  GRADYN_TRY(
      gradyn_idas_sizes_curvature(&a->sizes, t, y, march->end - march->begin, a->ends.slope));
  a->present = y;
  gradyn_idas_sizes_follow(&a->sizes, a->present, z, N_VGetArrayPointer(a->quad));
  return GRADYN_OK;
}

/* Integrates backward through arc k. A failure reports the time that was reached. */
static gradyn_status solve_backward(gradyn_idas_adjoint *a, int k)
{
  const int flag = IDASolveB(a->kept.arc[k].ida, 0, IDA_NORMAL);
  return gradyn_idas_failed(a->march, flag, "adjoint run, backwards",
                            gradyn_idas_reached(a->march, a->backward));
}

/* From the end of arc k, with z, to its start. Adds quadratures to x_bar. */
static gradyn_status backward_arc(gradyn_idas_adjoint *a, int k, double *x_bar)
{
  gradyn_idas *march = a->march;
  sunrealtype since;
  int which;
  GRADYN_TRY(cross_backward(a, k, x_bar));
  if (gradyn_arcs_pause(&march->arcs, k))
    return GRADYN_OK;
  GRADYN_TRY(enter_backward(a, k, x_bar));
  GRADYN_TRY(open_backward(a, k, &which));
  GRADYN_TRY(solve_backward(a, k));
  GRADYN_TRY(gradyn_idas_failed(march, IDAGetB(a->kept.arc[k].ida, which, &since, a->z, a->zp),
                                "adjoint", march->begin));
  if (a->active_count > 0)
    GRADYN_TRY(gradyn_idas_failed(march, IDAGetQuadB(a->kept.arc[k].ida, which, &since, a->quad),
                                  "adjoint", march->begin));
  gradyn_idas_count(march, a->backward, true);
  /* copies sums from the quadratures */
  for (int f = 0; f < a->rows; f++)
    for (int i = 0; i < a->active_count; i++)
      x_bar[a->row[f] * march->system->nx + a->active[i]] = NV_Ith_S(a->quad,
                                                                     f * a->active_count + i);
  return GRADYN_OK;
}

/* --- one run ---------------------------------------------------------------------------------- */

/* Runs forward, arc by arc, and stores what the backward run needs. */
static gradyn_status forward(gradyn_idas_adjoint *a, const bool *active, double *psi)
{
  gradyn_idas *march = a->march;
  GRADYN_TRY(gradyn_idas_begin(march)); /* the state is that of the start */
  GRADYN_TRY(gradyn_arc_boundaries_start(&a->ends, march));
  GRADYN_TRY(reserve(a, active));
  for (int k = 0; k < march->arcs.count; k++) {
    /* each arc has an IDAS object with checkpoints */
    GRADYN_TRY(gradyn_idas_kept_march(&a->kept, k));
    if (gradyn_idas_crosses(march, k))
      GRADYN_TRY(gradyn_arc_boundaries_cross(&a->ends, march, k));
  }
  return gradyn_idas_finish(march, psi);
}

/* From the end of the run to its start, arc by arc; x_bar [nf][nx]. */
static gradyn_status backward(gradyn_idas_adjoint *a, double *x_bar)
{
  gradyn_idas *march = a->march;
  gradyn_index1 *system = march->system;
  const gradyn_boundary *last = &march->arcs.boundary[march->arcs.count];
  GRADYN_TRY(gradyn_arc_boundaries_terminal(&a->ends, march));
  /* terminal parts: by data, by the end time */
  memcpy(x_bar, a->ends.x_bar, (size_t)march->sums.count * (size_t)system->nx * sizeof(double));
  double *z = N_VGetArrayPointer(a->z);
  for (int f = 0; f < a->rows; f++) {
    memset(z + f * a->nz, 0, (size_t)system->np * sizeof(double)); /* p begins at functionals */
    gradyn_boundary_transposed(last, a->ends.rate[a->row[f]], x_bar + a->row[f] * system->nx);
  }
  if (a->rows == 0)
    return GRADYN_OK;
  gradyn_idas_sizes_rows(&a->sizes, a->row, a->rows);
  gradyn_idas_sizes_begin(&a->sizes, a->ends.slope, a->active, a->active_count);
  for (int k = march->arcs.count - 1; k >= 0; k--)
    GRADYN_TRY(backward_arc(a, k, x_bar));
  /* (dy_d(0)/dx)^T p(0), with p of functionals evaluated at the start */
  for (int f = 0; f < a->rows; f++) {
    double *p = z + f * a->nz;
    gradyn_arc_boundaries_transpose(&a->ends, march, GRADYN_BEFORE_ARCS, a->row[f], p);
    GRADYN_TRY(system->ops->start_transposed(system, p, x_bar + a->row[f] * system->nx));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_adjoint_run(gradyn_idas_adjoint *a, const bool *active, double *psi,
                                      double *x_bar)
{
  gradyn_idas *march = a->march;
  double clock = gradyn_seconds();
  march->rider.run = a;
  march->monitors.run.derivatives = true;
  march->watch_rates = false; /* of direct sweeps only */
  gradyn_status status = forward(a, active, psi);
  if (gradyn_idas_must_repeat(march)) {
    gradyn_idas_kept_release(&a->kept);
    status = forward(a, active, psi);
  }
  march->report.cost.time_simulate = gradyn_seconds() - clock;
  status = status == GRADYN_OK ? backward(a, x_bar) : status;
  if (status == GRADYN_OK)
    gradyn_idas_sizes_judge(&a->sizes, psi, &march->report.found);
  gradyn_idas_kept_release(&a->kept);
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  for (int i = 0; i < march->sums.count * march->system->nx && status == GRADYN_OK; i++)
    if (!isfinite(x_bar[i]))
      status = gradyn_fail(&march->model->message, GRADYN_NON_FINITE,
                           "the adjoint is not finite at datum %s",
                           march->model->entry[i % march->system->nx].name);
  return status;
}
