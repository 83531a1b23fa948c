/* ALI3-P: transpose of the step's derivative, its stages in reverse order, for several functionals
 * at once.
 *
 * The position problem's matrix contains 4/h^2 M, and so does its right-hand side. Writing its adjoint
 * as alpha + (vq/aq) beta + delta, with alpha and beta those of the two projections, cancels these
 * terms on paper, and only delta, of moderate size, is solved for. */
#include <string.h>

#include "dae/ali3p.h"

/* Work arrays of one functional in s->bars, all [n]. */
typedef struct work {
  double *v_star, *a_star; /* bars of v*, a* without the part that alpha and beta cancel */
  double *Ma, *Mb, *Md;    /* M alpha, M beta, M delta */
  double *Ca, *pi, *mu;    /* C^T pi, the position adjoint, a signed copy */
} work;

static work work_of(const gradyn_ali3p *s)
{
  double *b = s->bars;
  int n = s->n;
  return (work){b, b + n, b + 2 * n, b + 3 * n, b + 4 * n, b + 5 * n, b + 6 * n, b + 7 * n};
}

static gradyn_mech_state state_of(const gradyn_ali3p *s, const double *v, const double *a,
                                  const double *lam)
{
  return (gradyn_mech_state){.t = s->t + s->h, .q = s->to, .v = v, .a = a, .lam = lam};
}

/* x_bar -= (residual; phi)_x^T mu and *t_bar -= (residual; phi)_t^T mu for mu [n + m]. */
static gradyn_status subtract_data(gradyn_ali3p *s, int parts, int order,
                                   const gradyn_mech_state *force,
                                   const gradyn_mech_state *constraints, const double *mu,
                                   double *x_bar, double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  double *minus = s->rest;
  for (int i = 0; i < n + m; i++)
    minus[i] = -mu[i];
  gradyn_status status =
      mech->ops->residual_data_transposed(mech, parts, force, minus, x_bar);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data_transposed(mech, GRADYN_CONSTRAINT, order, constraints, minus + n,
                                            x_bar);
  if (!t_bar || status != GRADYN_OK)
    return status;
  status = mech->ops->residual_time(mech, parts, force, s->sum);
  for (int i = 0; i < n; i++)
    *t_bar += minus[i] * s->sum[i];
  if (status == GRADYN_OK)
    status = mech->ops->phi_time(mech, order, constraints, s->sum);
  for (int i = 0; i < m; i++)
    *t_bar += minus[n + i] * s->sum[i];
  return status;
}

/* Acceleration projection: (alpha; kappa^) in c, then its effect on q' and v'. */
static gradyn_status acceleration_stage(gradyn_ali3p *s, int count, double *s_bar, double *x_bar,
                                        double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m;
  const double *extra = s->to + s->base.ns;
  gradyn_mech_state force = state_of(s, s->vs, extra + n, extra + 2 * n + m);
  gradyn_mech_state node = state_of(s, s->to + n, s->to + 2 * n, s->to + 3 * n);
  for (int f = 0; f < count; f++) {
    const double *bar = s_bar + f * s->base.ns;
    double *c = s->c + f * size;
    for (int i = 0; i < n; i++)
      c[i] = bar[2 * n + i] + (s->own_A ? bar[s->base.ny + i] : 0);
    memset(c + n, 0, (size_t)m * sizeof(double));
  }
  gradyn_ali3p_solve(s, &s->project, s->M, s->projection_diagonal, true, s->c, count);
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < count && status == GRADYN_OK; f++) {
    double *bar = s_bar + f * s->base.ns, *c = s->c + f * size;
    gradyn_pattern_multiply_transposed(&mech->dyn, n, s->Hu, -1, c, bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->J2, -1, c + n, bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, -2, c + n, bar + n);
    status = subtract_data(s, GRADYN_INERTIA | GRADYN_CONSTRAINT, 2, &force, &node, c,
                           x_bar + f * s->base.model->nx, t_bar ? t_bar + f : NULL);
  }
  return status;
}

/* Velocity projection: (beta; sigma^) in b, then its effect on q'. */
static gradyn_status velocity_stage(gradyn_ali3p *s, int count, double *s_bar, double *x_bar,
                                    double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m;
  const double *extra = s->to + s->base.ns;
  gradyn_mech_state force = state_of(s, s->vs, extra, extra + 2 * n);
  gradyn_mech_state node = state_of(s, s->to + n, s->to + 2 * n, s->to + 3 * n);
  for (int f = 0; f < count; f++) {
    memcpy(s->b + f * size, s_bar + f * s->base.ns + n, (size_t)n * sizeof(double));
    memset(s->b + f * size + n, 0, (size_t)m * sizeof(double));
  }
  gradyn_ali3p_solve(s, &s->project, s->M, s->projection_diagonal, true, s->b, count);
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < count && status == GRADYN_OK; f++) {
    double *bar = s_bar + f * s->base.ns, *b = s->b + f * size;
    gradyn_pattern_multiply_transposed(&mech->dyn, n, s->Hw, -1, b, bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, -1, b + n, bar);
    status = subtract_data(s, GRADYN_INERTIA | GRADYN_CONSTRAINT, 1, &force, &node, b,
                           x_bar + f * s->base.model->nx, t_bar ? t_bar + f : NULL);
  }
  return status;
}

/* Right-hand side of delta in `rhs` [n + m], from alpha, beta and the bars so far. With
 * a*_bar = M^T alpha - A_bar and v*_bar = M^T beta, and r = vq/aq:
 *     P^T delta + Phi_q^T phi^ = q_bar + (Aq - aq) A_bar - vq C^T alpha - K^T alpha
 *                                - r (vq C^T + K^T) beta,
 *     Phi_q delta = lam_bar - Phi_q alpha - r Phi_q beta  (zero but for the projections' penalty). */
static void position_rhs(const gradyn_ali3p *s, const double *bar, const double *alpha,
                         const double *beta, double *rhs)
{
  const gradyn_mech *mech = s->mech;
  const gradyn_ali3p_coefficients *k = &s->k;
  int n = s->n, m = s->m;
  double r = k->vq / k->aq;
  for (int i = 0; i < n; i++)
    rhs[i] = bar[i] + (s->own_A ? (k->Aq - k->aq) * bar[s->base.ny + i] : 0);
  for (int i = 0; i < m; i++)
    rhs[n + i] = bar[3 * n + i];
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, -1, alpha, rhs);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, -k->vq, alpha, rhs);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, -r, beta, rhs);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, -r * k->vq, beta, rhs);
  if (s->projection_diagonal != 0) { /* Phi_q alpha = diagonal kappa^, likewise for beta */
    for (int i = 0; i < m; i++)
      rhs[n + i] -= s->projection_diagonal * (alpha[n + i] + r * beta[n + i]);
  }
}

/* Bars of the first node from those of q', the adjoints alpha (c), beta (b) and delta (d). */
static void first_node(gradyn_ali3p *s, double *bar, const double *alpha, const double *beta,
                       const double *delta, const double *phi_hat)
{
  const gradyn_mech *mech = s->mech;
  const gradyn_ali3p_coefficients *k = &s->k;
  int n = s->n, m = s->m;
  double r = k->vq / k->aq;
  work x = work_of(s);
  memset(x.Ma, 0, (size_t)(4 * n) * sizeof(double)); /* Ma, Mb, Md, Ca */
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->M, 1, alpha, x.Ma);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->M, 1, beta, x.Mb);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->M, 1, delta, x.Md);
  for (int i = 0; i < n; i++)
    x.pi[i] = alpha[i] + r * beta[i] + delta[i];
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, 1, x.pi, x.Ca);

  /* q: q' = q + dq, and the position problem sees q directly */
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, -1, x.pi, bar);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J, -1, phi_hat, bar);
  for (int i = 0; i < n; i++) {
    double A_bar = s->own_A ? bar[s->base.ny + i] : 0;
    double v_star = x.Mb[i] - x.Ca[i];                 /* v*_bar - C^T pi */
    double a_star = -A_bar - r * x.Mb[i] - x.Md[i];    /* a*_bar - M^T pi */
    double to_A = k->vA * v_star + k->aA * a_star + k->AA * A_bar;
    bar[n + i] = k->vv * v_star + k->av * a_star + k->Av * A_bar;
    bar[2 * n + i] = k->aa * a_star;
    if (s->own_A)
      bar[s->base.ny + i] = to_A;
    else
      bar[2 * n + i] += to_A;
    x.v_star[i] = v_star;
    x.a_star[i] = a_star;
  }
  memset(bar + 3 * n, 0, (size_t)m * sizeof(double));
}

/* d psi / dh at fixed dq: through v*, A*, a*. */
static double step_bar(const gradyn_ali3p *s, const double *A_bar)
{
  const gradyn_ali3p_coefficients *k = &s->k;
  const double *v = s->from + s->n, *A = gradyn_ali3p_A(s, s->from);
  double share = k->aq / k->Aq, b2 = s->beta * s->h * s->h, sum = 0;
  work x = work_of(s);
  for (int i = 0; i < s->n; i++) {
    double dq = (s->vs[i] - k->vv * v[i] - k->vA * A[i]) / k->vq;
    double As_h = (v[i] - 2 * dq / s->h) / b2;
    double vs_h = -k->vq / s->h * dq + k->vA / s->h * A[i];
    sum += vs_h * x.v_star[i] + As_h * (share * x.a_star[i] + (A_bar ? A_bar[i] : 0));
  }
  return sum;
}

static gradyn_status position_stage(gradyn_ali3p *s, int count, double *s_bar, double *x_bar,
                                    double *h_bar, double *t_bar)
{
  int n = s->n, size = s->n + s->m, nx = s->base.model->nx;
  gradyn_mech_state at = state_of(s, s->vs, s->as, s->to + 3 * n);
  double r = s->k.vq / s->k.aq;
  for (int f = 0; f < count; f++) {
    double *rhs = s->d + f * size;
    position_rhs(s, s_bar + f * s->base.ns, s->c + f * size, s->b + f * size, rhs);
    for (int i = 0; i < n; i++) /* the factors are those of the matrix over aq */
      rhs[i] /= s->k.aq;
  }
  gradyn_ali3p_solve(s, &s->place, s->A, 0, true, s->d, count);
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < count && status == GRADYN_OK; f++) {
    double *bar = s_bar + f * s->base.ns, *mu = s->d + f * size;
    const double *alpha = s->c + f * size, *beta = s->b + f * size;
    for (int i = n; i < size; i++)
      mu[i] *= s->k.aq;
    for (int i = 0; i < n && s->own_A; i++)
      s->A_bar[i] = bar[s->base.ny + i];
    first_node(s, bar, alpha, beta, mu, mu + n);
    if (h_bar)
      h_bar[f] += step_bar(s, s->own_A ? s->A_bar : NULL);
    for (int i = 0; i < n; i++) /* delta becomes the whole adjoint pi */
      mu[i] += alpha[i] + r * beta[i];
    status = subtract_data(s, GRADYN_DYNAMICS, 0, &at, &at, mu, x_bar + f * nx,
                           t_bar ? t_bar + f : NULL);
  }
  return status;
}

gradyn_status gradyn_ali3p_transposed(gradyn_stepper *base, int count, double *s_bar,
                                      double *x_bar, double *h_bar, double *t_bar)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_status status = acceleration_stage(s, count, s_bar, x_bar, t_bar);
  if (status == GRADYN_OK)
    status = velocity_stage(s, count, s_bar, x_bar, t_bar);
  if (status == GRADYN_OK)
    status = position_stage(s, count, s_bar, x_bar, h_bar, t_bar);
  return status;
}

gradyn_status gradyn_ali3p_start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  for (int i = 0; i < n && s->own_A; i++)
    s_bar[2 * n + i] += s_bar[base->ny + i];
  return gradyn_initial_transposed(&s->initial, s_bar, s_bar + n, s_bar + 2 * n, s_bar + 3 * n,
                                   x_bar);
}
