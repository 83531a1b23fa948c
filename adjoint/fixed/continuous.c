/* The continuous adjoint of ALI3-P, López Varela (2022), section 5.4.2.1, with its signs corrected;
 * docs/theory/ali3p-continuous-adjoint.md has the derivation and the numbers of the equations.
 *
 * The equations q' = v*, M v*' + Phi_q^T lam = Q, Phi = 0 and the two projections are adjoined as functions
 * of time. The adjoint equations are then discretised backward by the trapezoidal rule at the nodes of the
 * run. The result converges to the gradient as the step decreases, but is not the derivative of the
 * discrete run. */
#include "adjoint/fixed/continuous.h"
#include "core/mech/rolling.h"

#include <stdlib.h>
#include <string.h>

#include "adjoint/fixed/continuous_node.h"
#include "core/base/clock.h"
#include "core/mech/vector.h"
#include "core/linear/norm.h"

/* Integrated quantities of one functional, and values at the last node but one for the end conditions. */
typedef struct column {
  double *mu1, *mu1_rate;            /* [n] */
  double *p, *p_rate;                /* [n] M (mu2 - alpha) */
  double *alpha_before, *lam_before; /* [n], [m] alpha and g_lam at the last node but one */
  double slope;                      /* dpsi/d(terminal part + integral) */
  double end_bar;                    /* derivative by the end time */
} column;

struct gradyn_continuous {
  gradyn_fixed *march;
  gradyn_adjoint_node node;
  int n, m;
  double *y_bar, *w_bar;     /* [ny] of the integrand and of the terminal part */
  double *alpha, *beta, *mu; /* [n + m] adjoints of the projections; mu2 and mu_Phi */
  double *xi, *b;            /* [n + m] */
  double *c;                 /* [n] */
  double *s_bar;             /* [ns] */
  column *columns;           /* [nf] */
  gradyn_arena arena;        /* owns all these arrays and the arrays of the columns */
};

/* --- memory ----------------------------------------------------------------------------------- */

/* Allocates common arrays, and six arrays for each functional. */
static gradyn_status take_memory(gradyn_continuous *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m, nf = (size_t)s->march->nf;
  gradyn_arena *arena = &s->arena;
  s->y_bar = gradyn_arena_numbers(arena, 3 * n + m);
  s->w_bar = gradyn_arena_numbers(arena, 3 * n + m);
  /* adjoints of a stage with their multipliers */
  double **both[] = {&s->alpha, &s->beta, &s->mu, &s->xi, &s->b};
  for (size_t k = 0; k < sizeof both / sizeof *both; k++)
    *both[k] = gradyn_arena_numbers(arena, n + m);
  s->c = gradyn_arena_numbers(arena, n);
  s->s_bar = gradyn_arena_numbers(arena, (size_t)s->march->stepper->ns);
  /* of each functional, from node to node */
  s->columns = gradyn_arena_take(arena, nf, sizeof *s->columns);
  for (size_t f = 0; f < nf && s->columns; f++) {
    column *c = &s->columns[f];
    double **part[] = {&c->mu1, &c->mu1_rate, &c->p, &c->p_rate, &c->alpha_before};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
      *part[k] = gradyn_arena_numbers(arena, n);
    c->lam_before = gradyn_arena_numbers(arena, m);
  }
  GRADYN_TRY(gradyn_arena_status(arena));
  return gradyn_adjoint_node_create(s->march, &s->node);
}

/* Refuses features that the derivation of the adjoint equations lacks, by name. */
static gradyn_status check_supported(const gradyn_fixed *march)
{
  gradyn_message *message = &march->model->message;
  const gradyn_options *o = &march->options;
  if (o->integrator && strcmp(o->integrator, "trapezoidal") != 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "continuous adjoint: integrator %s; must be trapezoidal. Use adjoint or "
                       "direct sensitivities",
                       o->integrator);
  if (o->projection_penalty > 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "continuous adjoint: supports exact projections only. Omit the projection "
                       "penalty, or use adjoint or direct sensitivities");
  /* the adjoint begins at the end, where terminal parts must be */
  for (int f = 0; f < march->nf; f++)
    if (march->model->functional[f].maximum)
      return gradyn_fail(message, GRADYN_UNSUPPORTED,
                         "functional %s: a maximum over time, which the continuous adjoint does "
                         "not support. Use adjoint or direct sensitivities",
                         march->model->functional[f].name);
    else if (march->model->functional[f].instant > 0)
      return gradyn_fail(message, GRADYN_UNSUPPORTED,
                         "functional %s: taken at t = %g s; the continuous adjoint supports the "
                         "end time only. Use adjoint or direct sensitivities",
                         march->model->functional[f].name, march->model->functional[f].instant);
  /* all equations of the continuous adjoint assume R_lam = Phi_q^T and M_q = 0 */
  if (march->model->mech->reader)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "force %s: reads multipliers, which the continuous adjoint does not "
                       "support. Use adjoint or direct sensitivities",
                       march->model->mech->reader);
  if (march->model->mech->rolling > 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "constraint %s: at velocity level, which the continuous adjoint does not "
                       "support. Use adjoint or direct sensitivities",
                       gradyn_mech_first_roll(march->model->mech));
  if (!march->model->mech->constant_mass)
    return gradyn_fail(
        message, GRADYN_UNSUPPORTED,
        "continuous adjoint: needs a constant mass matrix. Use adjoint or direct sensitivities");
  return GRADYN_OK;
}

/* Creates sweeps of the continuous adjoint over the nodes of a run of ali3p. */
gradyn_status gradyn_continuous_create(gradyn_fixed *march, gradyn_continuous **out)
{
  *out = NULL;
  GRADYN_TRY(check_supported(march));
  gradyn_continuous *s = *out = calloc(1, sizeof *s);
  if (s) {
    s->march = march;
    s->n = march->model->mech->n;
    s->m = march->model->mech->m;
  }
  gradyn_status status = s ? take_memory(s) : GRADYN_NO_MEMORY;
  return status == GRADYN_OK ? status
                             : gradyn_fail(&march->model->message, status,
                                           "out of memory for a continuous adjoint");
}

void gradyn_continuous_free(gradyn_continuous *s)
{
  if (!s)
    return;
  gradyn_adjoint_node_clear(&s->node);
  gradyn_arena_clear(&s->arena);
  free(s);
}

/* --- at every node ---------------------------------------------------------------------------- */

/* Computes y_bar = slope dg/dy of functional f, and adds the derivatives by data to x_bar. */
static gradyn_status integrand_bars(gradyn_continuous *s, int f, double *x_bar)
{
  const gradyn_adjoint_node *node = &s->node;
  const gradyn_functional_entry *functional = &node->model->functional[f];
  int ny = 3 * s->n + s->m;
  memset(s->y_bar, 0, (size_t)ny * sizeof(double));
  if (!functional->integrand)
    return GRADYN_OK;
  const gradyn_sample at = {node->t, node->at};
  double t_bar = 0;
  const gradyn_gradient_out out = {s->y_bar, 1, x_bar, &t_bar};
  /* only derivatives by data have the weight of the trapezoidal rule */
  gradyn_status status = functional->integrand->gradient(node->model, functional, &at,
                                                         s->columns[f].slope * node->weight, &out);
  for (int i = 0; i < ny; i++)
    s->y_bar[i] /= node->weight;
  return status;
}

/* Evaluates the integrand and the adjoints of the projections for functional f, eqs. (8) and (9). */
static gradyn_status project(gradyn_continuous *s, int f, double *x_bar)
{
  gradyn_adjoint_node *node = &s->node;
  /* integrand, then alpha and beta of the projections; x_bar -= weight (H_x^T alpha) and x_bar -= weight
   * (H_x^T beta) */
  GRADYN_TRY(integrand_bars(s, f, x_bar));
  const gradyn_mech_sums adjoints = {.x = x_bar};
  GRADYN_TRY(gradyn_adjoint_node_project(node, s->y_bar, s->alpha, s->beta, s->c));
  GRADYN_TRY(gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_ACCELERATION, 2, node->weight,
                                          s->alpha, &adjoints));
  return gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_VELOCITY, 1, node->weight, s->beta,
                                      &adjoints);
}

/* Computes the rate of mu1, eq. (5), from mu2, mu_Phi and c. */
static void set_mu1_rate(gradyn_continuous *s, column *c)
{
  const gradyn_adjoint_node *node = &s->node;
  /* mu1' = K^T mu2 + Phi_q^T mu_Phi + c */
  memcpy(c->mu1_rate, s->c, (size_t)s->n * sizeof(double));
  gradyn_adjoint_node_transposed(node, node->K, 1, s->mu, c->mu1_rate);
  gradyn_adjoint_node_jacobian(node, node->J, 1, s->mu + s->n, c->mu1_rate);
}

/* Computes p and its rate, eq. (6), from mu1 and mu2. */
static void set_momentum(gradyn_continuous *s, column *c)
{
  const gradyn_adjoint_node *node = &s->node;
  for (int i = 0; i < s->n; i++) {
    /* p = M (mu2 - alpha), p' = -mu1 + C^T mu2 - M beta */
    c->p[i] = 0;
    c->p_rate[i] = -c->mu1[i];
    s->b[i] = s->mu[i] - s->alpha[i];
  }
  gradyn_adjoint_node_multiply(node, node->M, 1, s->b, c->p);
  gradyn_adjoint_node_transposed(node, node->C, 1, s->mu, c->p_rate);
  gradyn_adjoint_node_multiply(node, node->M, -1, s->beta, c->p_rate);
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Adds the derivative of psi by the end time, from the rates at the end. Rates of accelerations and
 * multipliers are differences of the last two nodes. */
static gradyn_status end_time(gradyn_continuous *s, int f, double t_bar)
{
  const gradyn_adjoint_node *node = &s->node;
  const gradyn_functional_entry *functional = &node->model->functional[f];
  const gradyn_sample at = {node->t, node->at};
  const double *y = node->at, *before = node->before;
  column *c = &s->columns[f];
  int n = s->n, m = s->m;
  double g = 0, h = gradyn_fixed_length(s->march, s->march->count - 1);
  gradyn_status status = GRADYN_OK;
  if (functional->integrand)
    status = functional->integrand->value(node->model, functional, &at, &g);
  /* g + w_t + w_q v + w_v a + w_a a' + w_lam lam' */
  c->end_bar += c->slope * g + t_bar + gradyn_dot(s->w_bar, y + n, 2 * n);
  for (int i = 2 * n; i < 3 * n + m; i++)
    c->end_bar += s->w_bar[i] * (y[i] - before[i]) / h;
  return status;
}

/* Reduces the derivatives w_bar of the terminal part to those by q and v* alone. Accelerations and
 * multipliers follow from the equation of motion, eq. (10), velocities from their projection, (11), whose
 * adjoint is then in xi. */
static gradyn_status terminal_bars(gradyn_continuous *s, int f, double *x_bar)
{
  gradyn_adjoint_node *node = &s->node;
  const gradyn_functional_entry *functional = &node->model->functional[f];
  const gradyn_sample at = {node->t, node->at};
  int n = s->n, m = s->m;
  double t_bar = 0, *q_bar = s->w_bar, *v_bar = q_bar + n;
  const gradyn_gradient_out out = {s->w_bar, 1, x_bar, &t_bar};
  memset(s->w_bar, 0, (size_t)(3 * n + m) * sizeof(double));
  if (functional->terminal)
    GRADYN_TRY(
        functional->terminal->gradient(node->model, functional, &at, s->columns[f].slope, &out));
  GRADYN_TRY(end_time(s, f, t_bar));
  /* eliminates a and lam: S^T xi = (w_a; w_lam), adjoints of (q, v, x) -= R_.^T xi */
  memcpy(s->xi, s->w_bar + 2 * n, (size_t)(n + m) * sizeof(double));
  gradyn_adjoint_node_solve_projection(node, s->xi);
  const gradyn_mech_sums by_motion = {.x = x_bar, .q = q_bar, .v = v_bar};
  GRADYN_TRY(gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_MOTION, 2, 1, s->xi, &by_motion));
  /* eliminates v: S^T xi = (w_v; 0) */
  memcpy(s->xi, v_bar, (size_t)n * sizeof(double));
  memset(s->xi + n, 0, (size_t)m * sizeof(double));
  gradyn_adjoint_node_solve_projection(node, s->xi);
  const gradyn_mech_sums by_velocity = {.x = x_bar, .q = q_bar};
  return gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_VELOCITY, 1, 1, s->xi, &by_velocity);
}

/* Adds to mu1 its component along the constraints, from the derivative of Phi_q mu2 = g_lam by time, eq.
 * (14). The rates of alpha and g_lam are differences of the last two nodes. */
static gradyn_status align_mu1(gradyn_continuous *s, column *c, double *x_bar)
{
  gradyn_adjoint_node *node = &s->node;
  int n = s->n, m = s->m;
  double h = gradyn_fixed_length(s->march, s->march->count - 1), *b = s->b, *rate = s->xi;
  const double *lam_bar = s->y_bar + 3 * n;
  for (int i = 0; i < n; i++) {
    /* M (alpha' - beta) + C^T mu2 - mu1, and the rate of g_lam - Phi'_q mu2 below */
    b[i] = -c->mu1[i];
    rate[i] = (s->alpha[i] - c->alpha_before[i]) / h - s->beta[i];
  }
  for (int i = 0; i < m; i++)
    b[n + i] = (lam_bar[i] - c->lam_before[i]) / h;
  gradyn_adjoint_node_multiply(node, node->M, 1, rate, b);
  gradyn_adjoint_node_transposed(node, node->C, 1, s->mu, b);
  for (int i = 0; i < m; i++) /* the sign is changed, because Phi'_q mu is subtracted */
    b[n + i] = -b[n + i];
  GRADYN_TRY(gradyn_adjoint_node_add_rates(node, s->mu, b + n));
  for (int i = 0; i < m; i++)
    b[n + i] = -b[n + i];
  gradyn_adjoint_node_solve_projection(node, b);
  /* mu1 += Phi_q^T times the solved multipliers */
  gradyn_adjoint_node_jacobian(node, node->J, 1, b + n, c->mu1);
  memset(b, 0, (size_t)n * sizeof(double));
  const gradyn_mech_sums adjoints = {.x = x_bar};
  return gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_MOTION, 0, -1, b, &adjoints);
}

/* Conditions at the end time, eqs. (12) to (14); mu_Phi = 0 there. */
static gradyn_status finish(gradyn_continuous *s, int f, double *x_bar)
{
  gradyn_adjoint_node *node = &s->node;
  column *c = &s->columns[f];
  int n = s->n, m = s->m;
  GRADYN_TRY(project(s, f, x_bar));
  GRADYN_TRY(terminal_bars(s, f, x_bar));
  /* [M, Phi_q^T; Phi_q, 0] (mu2; -eta) = (M (alpha + xi); g_lam) */
  memset(s->mu, 0, (size_t)n * sizeof(double));
  memcpy(s->mu + n, s->y_bar + 3 * n, (size_t)m * sizeof(double));
  gradyn_adjoint_node_multiply(node, node->M, 1, s->alpha, s->mu);
  gradyn_adjoint_node_multiply(node, node->M, 1, s->xi, s->mu);
  gradyn_adjoint_node_solve_projection(node, s->mu); /* (mu2; -eta) */
  memset(s->b, 0, (size_t)n * sizeof(double));
  memcpy(s->b + n, s->mu + n, (size_t)m * sizeof(double));
  /* mu1 = w_q - Phi'_q^T (-eta), before it is aligned with the constraints */
  memcpy(c->mu1, s->w_bar, (size_t)n * sizeof(double));
  const gradyn_mech_sums adjoints = {.x = x_bar, .q = c->mu1}, data = {.x = x_bar};
  GRADYN_TRY(gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_VELOCITY, 1, 1, s->b, &adjoints));
  memset(s->mu + n, 0, (size_t)m * sizeof(double));
  GRADYN_TRY(align_mu1(s, c, x_bar));
  set_mu1_rate(s, c);
  set_momentum(s, c);
  return gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_MOTION, 0, node->weight, s->mu, &data);
}

/* Begins the sweep at the last two nodes. */
static gradyn_status begin(gradyn_continuous *s, double *x_bar)
{
  gradyn_fixed *march = s->march;
  int last = march->count, n = s->n, m = s->m, nx = march->model->nx;
  GRADYN_TRY(gradyn_adjoint_node_visit(&s->node, last - 1, true));
  for (int f = 0; f < march->nf; f++) {
    column *c = &s->columns[f];
    /* x_bar serves as workspace; the contributions of this node are added later */
    GRADYN_TRY(integrand_bars(s, f, x_bar));
    GRADYN_TRY(gradyn_adjoint_node_project(&s->node, s->y_bar, s->alpha, s->beta, s->c));
    memcpy(c->alpha_before, s->alpha, (size_t)n * sizeof(double));
    memcpy(c->lam_before, s->y_bar + 3 * n, (size_t)m * sizeof(double));
  }
  memset(x_bar, 0, (size_t)march->nf * (size_t)nx * sizeof(double));
  GRADYN_TRY(gradyn_adjoint_node_visit(&s->node, last, false));
  for (int f = 0; f < march->nf; f++)
    GRADYN_TRY(finish(s, f, x_bar + f * nx));
  return GRADYN_OK;
}

/* --- the way back ----------------------------------------------------------------------------- */

/* Takes one step of length h back to the present node, eq. (16). */
static gradyn_status step_back(gradyn_continuous *s, int f, double h, double *x_bar)
{
  gradyn_adjoint_node *node = &s->node;
  column *c = &s->columns[f];
  int n = s->n, m = s->m;
  double *mu = s->mu;
  GRADYN_TRY(project(s, f, x_bar));
  for (int i = 0; i < n; i++) {
    /* first half of the step of mu1, with its rate at the later node */
    c->mu1[i] -= h / 2 * c->mu1_rate[i];
    mu[i] = c->p[i] - h / 2 * c->p_rate[i] + h / 2 * (c->mu1[i] - h / 2 * s->c[i]);
    s->b[i] = s->alpha[i] + h / 2 * s->beta[i];
  }
  gradyn_adjoint_node_multiply(node, node->M, 1, s->b, mu);
  /* (M + h/2 C + h^2/4 K)^T mu2 + Phi_q^T h^2/4 mu_Phi = .., Phi_q mu2 = g_lam */
  memcpy(mu + n, s->y_bar + 3 * n, (size_t)m * sizeof(double));
  gradyn_adjoint_node_solve_motion(node, mu);
  /* mu_Phi itself */
  for (int i = n; i < n + m; i++)
    mu[i] *= 4 / (h * h);
  /* second half, with the rate at this node */
  set_mu1_rate(s, c);
  for (int i = 0; i < n; i++)
    c->mu1[i] -= h / 2 * c->mu1_rate[i];
  set_momentum(s, c);
  const gradyn_mech_sums adjoints = {.x = x_bar};
  return gradyn_adjoint_node_subtract(node, GRADYN_ADJOINT_MOTION, 0, node->weight, mu, &adjoints);
}

/* Adds the derivatives of the start, mu1^T dq0 + p^T dv0, and that by the end time. */
static gradyn_status start(gradyn_continuous *s, int f, double *x_bar)
{
  gradyn_stepper *stepper = s->march->stepper;
  const column *c = &s->columns[f];
  memset(s->s_bar, 0, (size_t)stepper->ns * sizeof(double));
  memcpy(s->s_bar, c->mu1, (size_t)s->n * sizeof(double));
  memcpy(s->s_bar + s->n, c->p, (size_t)s->n * sizeof(double));
  x_bar[s->march->model->t_end] += c->end_bar;
  return stepper->ops->start_transposed(stepper, s->s_bar, x_bar);
}

/* Simulates, then integrates the adjoint equations from the last node to the first, with the steps of the
 * run. */
gradyn_status gradyn_continuous_sweep(gradyn_continuous *s, double *psi, double *x_bar)
{
  gradyn_fixed *march = s->march;
  int nx = march->model->nx;
  double clock = gradyn_seconds();
  GRADYN_TRY(gradyn_fixed_run(march, true, psi, NULL));
  /* pivots of an earlier sweep must have no effect */
  gradyn_factors_begin(&s->node.motion, s->node.M);
  gradyn_factors_begin(&s->node.project, s->node.M);
  for (int f = 0; f < march->nf; f++)
    gradyn_functional_outer(&march->model->functional[f], march->inner[f], march->t_end,
                            &s->columns[f].slope, &s->columns[f].end_bar);
  GRADYN_TRY(begin(s, x_bar));
  for (int k = march->count - 1; k >= 0; k--) {
    double h = gradyn_fixed_length(march, k);
    /* matrices of a node are shared by all functionals */
    GRADYN_TRY(gradyn_adjoint_node_visit(&s->node, k, false));
    GRADYN_TRY(gradyn_adjoint_node_factor_motion(&s->node, h));
    for (int f = 0; f < march->nf; f++)
      GRADYN_TRY(step_back(s, f, h, x_bar + f * nx));
  }
  for (int f = 0; f < march->nf; f++)
    GRADYN_TRY(start(s, f, x_bar + f * nx));
  march->report.cost.steps_backward = march->count;
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}
