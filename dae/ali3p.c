/* ALI3-P: augmented Lagrangian index-3 formulation with mass-orthogonal projections of velocities and
 * accelerations; López Varela (2022), section 3.3. All three solves of a step use a saddle form, in
 * which a penalty only regularises and never pollutes. */
#include "dae/ali3p_linear.h"
#include "dae/ali3p_trial.h"
#include "core/mech_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Models up to this size use the Schur complement; beyond, sparse saddle systems are faster. */
enum { SCHUR_SIZE = 48 };

gradyn_status gradyn_ali3p_bend(gradyn_ali3p *s, const gradyn_mech_state *at, double *bend)
{
  int n = s->n;
  const gradyn_pattern *dyn = &s->mech->dyn;
  gradyn_status status = s->mech->ops->tangent(s->mech, GRADYN_DYNAMICS, at, s->K, s->C, s->M);
  /* shares of C and K in the matrix divided by aq */
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq, worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0; /* row i of |M^-1| |c C + k K| */
    const double *inverse = (const double *)(s->schur.inverse + i * s->schur.width);
    for (int r = 0; r < n; r++)
      for (int e = dyn->start[r]; e < dyn->start[r + 1]; e++)
        sum += fabs(inverse[r]) * fabs(c * s->C[e] + k * s->K[e]);
    worst = fmax(worst, sum);
  }
  *bend = worst;
  return status;
}

/* Whether c C + k K is so small beside M at a node that Newton's method does without it. */
static gradyn_status judge_forces(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  gradyn_status status = gradyn_ali3p_bend(s, at, &s->bend);
  /* a hundredth a step: Newton's method loses nothing by leaving them out */
  s->gentle = s->bend < 1e-2;
  return status;
}

/* Chooses for the whole run, so that a step depends on its first node alone. */
static gradyn_status choose_matrices(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J);
  /* a run starts anew: nothing is inherited from the one before */
  s->gentle = s->soft = s->rough = false;
  s->may_soften = true;
  s->use_schur = s->schur_now = status == GRADYN_OK && s->schur.n > 0 &&
                                gradyn_schur_mass(&s->schur, s->M) == GRADYN_OK;
  if (status == GRADYN_OK) /* a penalty would hide that constraints depend on each other */
    status = gradyn_ali3p_factor(s, &s->project, s->M, 0, 0);
  /* dependent at the start: most likely all along */
  s->regular = status == GRADYN_OK && !s->soft && !gradyn_ali3p_near_singular(s);
  s->use_schur = s->schur_now && s->regular; /* dependent ones need the diagonal */
  return status == GRADYN_OK && s->use_schur ? judge_forces(s, h, at) : status;
}

static gradyn_status start(gradyn_stepper *base, double h, double *node)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n, m = s->m;
  /* pivots of an earlier run must not decide this one */
  gradyn_linsys_reset(s->place.system);
  gradyn_linsys_reset(s->project.system);
  gradyn_status status = gradyn_initial_solve(&s->initial);
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(node, s->initial.q, (size_t)n * sizeof(double));
  memcpy(node + n, s->initial.v, (size_t)n * sizeof(double));
  memcpy(node + 2 * n, s->initial.a, (size_t)n * sizeof(double));
  memcpy(node + 3 * n, s->initial.lam, (size_t)m * sizeof(double));
  /* the algorithmic acceleration starts as the true one */
  if (s->own_A)
    memcpy(node + base->ny, s->initial.a, (size_t)n * sizeof(double));
  gradyn_mech_state at = {.t = 0, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  if (status == GRADYN_OK) /* the constant mass matrix of all projections */
    status = s->mech->ops->tangent(s->mech, GRADYN_INERTIA, &at, NULL, NULL, s->M);
  return status == GRADYN_OK ? choose_matrices(s, h, &at) : status;
}

/* A node begins with y. */
static gradyn_status enter(gradyn_stepper *base, double t, double h, const double *y, double *node)
{
  (void)t, (void)h;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(node, y, (size_t)base->ny * sizeof(double));
  /* behind an impact as at the start: A = a */
  if (s->own_A)
    memcpy(node + base->ny, y + 2 * s->n, (size_t)s->n * sizeof(double));
  return GRADYN_OK;
}

static gradyn_status enter_tangent(gradyn_stepper *base, const double *y, const double *dx,
                                   const double *dy, double *ds)
{
  (void)y, (void)dx;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  memcpy(ds, dy, (size_t)base->ny * sizeof(double));
  if (s->own_A)
    memcpy(ds + base->ny, dy + 2 * s->n, (size_t)s->n * sizeof(double));
  return GRADYN_OK;
}

/* The transpose of entering: a node behind an event is a copy of its state, and A begins as a. */
static gradyn_status enter_transposed(gradyn_stepper *base, const double *y, const double *s_bar,
                                      double *y_bar, double *x_bar)
{
  (void)y, (void)x_bar;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  for (int i = 0; i < base->ny; i++)
    y_bar[i] += s_bar[i];
  for (int i = 0; i < s->n && s->own_A; i++) /* y is copied: its bars add */
    y_bar[2 * s->n + i] += s_bar[base->ny + i];
  return GRADYN_OK;
}

static gradyn_status drift(gradyn_stepper *base, double t, const double *node, double *worst)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  gradyn_mech_state at = {.t = t, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  return gradyn_mech_drift(s->mech, &at, 3, s->b, worst);
}

/* --- life ------------------------------------------------------------------------------------- */

/* Of any stage of its making: arrays that are missing are NULL. */
static void free_scheme(gradyn_stepper *base)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_initial_clear(&s->initial);
  gradyn_saddle_clear(&s->place);
  gradyn_saddle_clear(&s->project);
  gradyn_schur_clear(&s->schur);
  double *array[] = {s->K,   s->C, s->M, s->A,   s->J,   s->b,   s->rest,
                     s->sum, s->B, s->E, s->own, s->lam, s->read};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(s->trial);
  free(s->lanes);
  free(s->side);
  free(s);
}

static const gradyn_stepper_ops ali3p_ops = {.name = "ali3p",
                                             .start = start,
                                             .step = gradyn_ali3p_step,
                                             .start_tangent = gradyn_ali3p_start_tangent,
                                             .start_transposed = gradyn_ali3p_start_transposed,
                                             .linearise = gradyn_ali3p_linearise,
                                             .tangent = gradyn_ali3p_tangent,
                                             .transposed = gradyn_ali3p_transposed,
                                             .enter = enter,
                                             .enter_tangent = enter_tangent,
                                             .enter_transposed = enter_transposed,
                                             .drift = drift,
                                             .free = free_scheme};

/* Models that the Schur complement serves. */
static bool suits_schur(const gradyn_ali3p *s)
{
  /* symmetric, constant, small, and without a diagonal of its own */
  bool suits = !s->mech->reader && s->mech->constant_mass && s->n <= GRADYN_ROW_MOST &&
               s->m <= GRADYN_ROW_MOST && s->n + s->m <= SCHUR_SIZE && s->projection_diagonal == 0;
  for (int i = 0; i < s->m && suits; i++) /* every constraint moves something */
    suits = s->mech->jac.start[i + 1] > s->mech->jac.start[i];
  return suits;
}

static gradyn_status take_memory(gradyn_ali3p *s)
{
  size_t dyn = (size_t)s->mech->dyn.nnz + 1, jac = (size_t)s->mech->jac.nnz + 1;
  size_t n = (size_t)s->n + 1, size = (size_t)(s->n + s->m) + 1;
  const size_t columns = GRADYN_LANES;
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->K, dyn},
              {&s->C, dyn},
              {&s->M, dyn},
              {&s->A, dyn},
              {&s->J, jac},
              {&s->own, s->mech->reader ? jac : 1},
              {&s->lam, size},
              {&s->read, size},
              {&s->rest, size},
              {&s->sum, size},
              {&s->b, columns * size},
              {&s->B, dyn},
              {&s->E, s->small ? n * n : 1}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    if (!(*need[k].array = calloc(need[k].count, sizeof(double))))
      return GRADYN_NO_MEMORY;
  /* E as a full matrix only where the Schur complement serves */
  s->lanes = gradyn_lanes_create(gradyn_ali3p_lanes_needed(s->n, s->m));
  s->side = gradyn_lanes_create(3 * size);
  const size_t width = (size_t)gradyn_row_width(s->n);
  s->trial = gradyn_lanes_create(5 * width);
  if (!s->lanes || !s->side || !s->trial)
    return GRADYN_NO_MEMORY;
  s->q = (double *)(s->trial + width);
  s->vs = (double *)(s->trial + 2 * width);
  s->as = (double *)(s->trial + 3 * width);
  s->As = (double *)(s->trial + 4 * width);
  gradyn_status status = gradyn_initial_create(s->mech, GRADYN_ASSEMBLY, &s->initial);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&s->mech->dyn, NULL, &s->mech->jac, s->m, GRADYN_BACKEND_AUTO,
                                  &s->place);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&s->mech->dyn, s->mech->inertia, &s->mech->jac, s->m,
                                  GRADYN_BACKEND_AUTO, &s->project);
  if (s->small && status == GRADYN_OK)
    status = gradyn_schur_create(&s->mech->dyn, &s->mech->jac, s->m, &s->schur);
  return status;
}

gradyn_status gradyn_ali3p_create(gradyn_model *model, const gradyn_options *options,
                                  gradyn_stepper **out)
{
  gradyn_ali3p *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = model->mech;
  s->n = s->mech->n;
  s->m = s->mech->m;
  s->base = (gradyn_stepper){.ops = &ali3p_ops, .model = model, .ny = 3 * s->n + s->m};
  gradyn_status status = gradyn_ali3p_choose_integrator(s, options, &model->message);
  if (status != GRADYN_OK)
    return status;
  /* a node: y, then A, then kappa, as far as they are needed */
  s->base.ns = s->base.ny + (s->own_A ? s->n : 0);
  if (s->mech->reader) {
    s->extra = s->base.ns;
    s->base.ns += s->m;
  }
  /* then what the derivatives of the step need: w, sigma, u, kappa and how it was solved */
  s->past = s->base.ns + 2 * (s->n + s->m) + 1;
  s->position_diagonal = options->penalty > 0 ? 1 / options->penalty : 0;
  if (options->projection_penalty > 0)
    s->projection_diagonal = 1 / options->projection_penalty;
  s->small = suits_schur(s);
  /* and the history from which accelerations are predicted */
  s->base.record = s->past + 3 * gradyn_ali3p_differences(s) + GRADYN_PAST_NUMBERS;
  status = take_memory(s);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", s->n);
}
