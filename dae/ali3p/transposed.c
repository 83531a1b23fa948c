/* ALI3-P: transpose of the step's derivative. Stages are processed in reverse order, for four functionals
 * at a time. docs/theory/ali3p.md has the derivation.
 *
 * The matrix P = K + vq C + aq M of the position problem contains 4/h^2 M, and so does its right-hand side.
 * Its adjoint is therefore written as pi = alpha + (vq/aq) beta + delta, where alpha and beta are the
 * adjoints of the two projections. Then these large terms cancel analytically, and only delta, of moderate
 * size, is solved for. */
#include <string.h>

#include "dae/ali3p/linear.h"

/* Adjoints of up to four functionals, in one group of lanes. */
typedef struct pack {
  gradyn_lanes *q, *v, *a, *lam; /* q, v, a [n], lam [m] in one array: adjoints of the node */
  gradyn_lanes *A;               /* [n] adjoint of A if the node contains it; otherwise NULL */
  /* [m] adjoint of kappa if the node contains it; otherwise NULL */
  gradyn_lanes *kappa;
  /* [n + m] adjoints of the stages; pi contains delta at first */
  gradyn_lanes *alpha, *beta, *pi;
  gradyn_lanes *rhs;                    /* [n + m] */
  gradyn_lanes *gamma, *C_pi, *M_delta; /* [n] */
  int columns;                          /* number of functionals */
} pack;

/* Sets the arrays of a group. Adjoints of a node are replaced by those of the node before; the rest is
 * workspace. */
static pack pack_of(const gradyn_ali3p *s, int columns, gradyn_lanes *s_bar)
{
  size_t n = (size_t)s->n, m = (size_t)s->m;
  pack p = {.columns = columns,
            .q = s_bar,
            .v = s_bar + n,
            .a = s_bar + 2 * n,
            .lam = s_bar + 3 * n,
            .A = s->rule.own_A ? s_bar + s->base.ny : NULL,
            .kappa = s->extra ? s_bar + s->extra : NULL};
  p.alpha = s->lanes;
  p.beta = p.alpha + n + m;
  p.pi = p.beta + n + m;
  p.rhs = p.pi + n + m;
  p.gamma = p.rhs + n + m;
  p.C_pi = p.gamma + n;
  p.M_delta = p.C_pi + n;
  return p;
}

/* Where the derivatives by data, step length and time of one group are added. */
typedef struct sink {
  gradyn_lanes *x_bar;   /* [nx] */
  double *h_bar, *t_bar; /* entries of the first functional of the group, or NULL */
} sink;

/* Subtracts the products (residual; phi)_x^T mu and (residual; phi)_t^T mu of all stages from x_bar and
 * t_bar. */
static gradyn_status subtract_data(gradyn_ali3p *s, const pack *p, const sink *out)
{
  const gradyn_mech_point look = {GRADYN_STAGES, s->last.states.stage, &s->last.states.node};
  const gradyn_mech_adjoints adjoints = {.lanes = out->x_bar, .t = out->t_bar};
  GRADYN_TRY(gradyn_ali3p_roll_against(s, p->columns, p->pi + s->n, &adjoints));
  gradyn_lanes *const mu[GRADYN_STAGES] = {
      [GRADYN_PLACE] = p->pi, [GRADYN_VELOCITY] = p->beta, [GRADYN_ACCELERATION] = p->alpha};
  return s->mech->ops->against(s->mech, &look, p->columns, mu, &adjoints);
}

/* Adds the products of the derivatives of a projection by q' and v' with its adjoint mu to the adjoints of
 * q' and, if requested, v'. */
static gradyn_status bend_back(gradyn_ali3p *s, int stage, const pack *p, gradyn_lanes *mu,
                               gradyn_lanes *v_bar)
{
  const gradyn_mech_point look = {1, &s->last.states.stage[stage], &s->last.states.node};
  const gradyn_mech_adjoints adjoints = {.q = p->q, .v = v_bar};
  return s->mech->ops->against(s->mech, &look, p->columns, &mu, &adjoints);
}

/* Computes x = y + z; x must not overlap them. */
static GRADYN_WIDE void add_lanes(int n, const gradyn_lanes *y, const gradyn_lanes *z,
                                  gradyn_lanes *restrict x)
{
  for (int i = 0; i < n; i++)
    x[i] = y[i] + z[i];
}

/* Returns the adjoints of the corrections u and kappa. u changes a' and A' by the same amount. kappa
 * changes lam; with multiplier-dependent forces it is also a part of the node. */
static const gradyn_lanes *correction_bars(const gradyn_ali3p *s, const pack *p)
{
  const int n = s->n, m = s->m;
  if (!p->A && !p->kappa) /* these are a_bar and lam_bar, which follow each other in the node */
    return p->a;
  memcpy(p->rhs, p->a, (size_t)(n + m) * sizeof *p->a);
  if (p->A)
    add_lanes(n, p->a, p->A, p->rhs);
  if (p->kappa)
    add_lanes(m, p->lam, p->kappa, p->rhs + n);
  return p->rhs;
}

/* Computes the adjoints (alpha; kappa^) of the projection of accelerations from a_bar and lam_bar. Adds
 * their contributions to the adjoints of q' and v'. */
static gradyn_status acceleration_stage(gradyn_ali3p *s, const pack *p)
{
  const gradyn_lanes *adjoints = correction_bars(s, p);
  if (gradyn_lanes_any(s->m, adjoints + s->n))
    /* the matrix is symmetric, so the projection is its own transpose */
    gradyn_ali3p_project(s, true, adjoints, p->alpha);
  else
    gradyn_ali3p_solve_projection(s, adjoints, p->alpha);
  return bend_back(s, GRADYN_ACCELERATION, p, p->alpha, p->v);
}

/* Computes the adjoints (beta; sigma^) of the projection of velocities from v_bar. Adds their contribution
 * to the adjoint of q'. v_bar becomes M beta, the adjoint of v*. */
static gradyn_status velocity_stage(gradyn_ali3p *s, const pack *p)
{
  gradyn_ali3p_solve_projection(s, p->v, p->beta); /* the right-hand side is v_bar */
  /* v_bar - Phi_q^T sigma^ = M beta, the adjoint of v* */
  gradyn_ali3p_pull(s, p->beta + s->n, p->v);
  return bend_back(s, GRADYN_VELOCITY, p, p->beta, NULL);
}

/* Adds Q_lam^T x = (Phi_q - U) x to out. */
static void add_reading(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *out)
{
  gradyn_lanes_multiply(&s->mech->jac, s->m, s->mat.J, 1, x, out);
  gradyn_lanes_multiply(&s->mech->jac, s->m, s->mat.U, -1, x, out);
}

/* Adjoint of the position problem. With r = vq/aq, gamma = alpha + r beta and B = K + vq C:
 *
 *   P^T delta + Phi_q^T phi^ = q_bar + (Aq - aq) A_bar - B^T gamma,
 *   U delta = lam_bar - U gamma = Q_lam^T gamma - kappa_bar - eps (kappa^ + r sigma^),
 *
 * with U = R_lam^T = Phi_q - Q_lam^T. Phi_q gamma equals lam_bar + kappa_bar except for the penalty of the
 * projections. Without multiplier-dependent forces, lam_bar cancels. */
static GRADYN_WIDE gradyn_status position_adjoint(gradyn_ali3p *s, const pack *p)
{
  /* a local copy, which adjoints written below cannot alias */
  const gradyn_ali3p_coefficients k = s->k;
  const int n = s->n, m = s->m;
  const double r = k.vq / k.aq, share = 1 / k.aq, beyond = (k.Aq - k.aq) / k.aq;
  const double soft = s->choice.projection_diagonal;
  const bool rates = soft != 0 || p->kappa;
  for (int i = 0; i < n; i++) {
    p->gamma[i] = p->alpha[i] + r * p->beta[i]; /* gamma = alpha + r beta */
    p->rhs[i] = share * p->q[i];                /* (q_bar + (Aq - aq) A_bar)/aq */
  }
  for (int i = 0; i < n && p->A; i++)
    p->rhs[i] += beyond * p->A[i];
  for (int i = n; i < n + m && rates; i++)
    p->rhs[i] = -soft * (p->alpha[i] + r * p->beta[i]);
  if (p->kappa) {
    for (int i = 0; i < m; i++)
      p->rhs[n + i] -= p->kappa[i];
    add_reading(s, p->gamma, p->rhs + n);
  }
  const gradyn_ali3p_ask ask = {.transposed = true, .rates = rates, .multipliers = true};
  gradyn_status status = gradyn_ali3p_solve_place(s, ask, p->rhs, p->gamma, p->pi, p->M_delta);
  for (int i = 0; i < n; i++) {
    p->pi[i] += p->gamma[i]; /* pi = gamma + delta */
    p->C_pi[i] = (gradyn_lanes){0};
  }
  for (int i = n; i < n + m; i++)
    p->pi[i] *= k.aq; /* the solution contains phi^/aq */
  if (s->mat.viscous)
    gradyn_lanes_multiply_transposed(&s->mech->dyn, n, s->mat.C, 1, p->pi, p->C_pi);
  gradyn_ali3p_roll_pull(s, p->pi + n, p->C_pi); /* psi depends on v* too */
  return status;
}

/* Adds the derivative by h at fixed A* to *h_bar, the transpose of stretch(). It acts through q', with the
 * adjoint of the first node's q, and through v*. */
static void add_step_bar(const gradyn_ali3p *s, const pack *p, int i, const gradyn_lanes *v_star,
                         double *h_bar)
{
  const double v = s->last.from[s->n + i], A = gradyn_ali3p_A(s, s->last.from)[i], h = s->last.h;
  const double As = gradyn_ali3p_moved(s, i), b = s->rule.beta, g = s->rule.gamma;
  gradyn_lanes sum = (v + h * ((1 - 2 * b) * A + 2 * b * As)) * p->q[i] +
                     ((1 - g) * A + g * As) * *v_star;
  for (int f = 0; f < p->columns; f++)
    h_bar[f] += sum[f];
}

/* Computes the adjoints of the first node. By the equation of the position problem, q_bar - K^T
 * pi - Phi_q^T phi^ equals vq C^T pi + aq M delta - (Aq - aq) A_bar, and a*_bar - M pi equals -A_bar - r M
 * beta - M delta. */
static GRADYN_WIDE void first_node(const gradyn_ali3p *s, const pack *p, double *h_bar)
{
  /* a local copy, which adjoints written below cannot alias */
  const gradyn_ali3p_coefficients k = s->k;
  const double r = k.vq / k.aq, beyond = k.Aq - k.aq;
  const int n = s->n;
  const bool own_A = p->A != NULL;
  for (int i = 0; i < n; i++) {
    const gradyn_lanes A_bar = own_A ? p->A[i] : (gradyn_lanes){0};
    gradyn_lanes v_star = p->v[i] - p->C_pi[i]; /* adjoint of v*: M beta - C^T pi */
    /* adjoint of a*: - A_bar - r M beta - M delta */
    gradyn_lanes a_star = -r * p->v[i] - p->M_delta[i];
    if (own_A)
      a_star -= A_bar;
    /* vq C^T pi + aq M delta - (Aq - aq) A_bar */
    p->q[i] = k.vq * p->C_pi[i] + k.aq * p->M_delta[i];
    if (own_A)
      p->q[i] -= beyond * A_bar;
    if (h_bar)
      add_step_bar(s, p, i, &v_star, h_bar);
    /* through v* = .. + vv v + vA A, through A* and through a* */
    p->v[i] = k.vv * v_star + k.av * a_star;
    p->a[i] = k.aa * a_star;
    /* AA A_bar + vA v*_bar + aA a*_bar is the adjoint of A, or of a if A = a */
    const gradyn_lanes to_A = k.vA * v_star + k.aA * a_star;
    if (own_A) {
      p->v[i] += k.Av * A_bar;
      p->A[i] = to_A + k.AA * A_bar;
    } else {
      p->a[i] += to_A;
    }
  }
  for (int i = 0; i < s->m; i++) /* a step does not depend on the multipliers of its first node */
    p->lam[i] = (gradyn_lanes){0};
}

/* Replaces the adjoints of a node by those of the node before. Adds the contributions of the step to the
 * adjoints of data and times. */
static gradyn_status transpose_pack(gradyn_ali3p *s, int columns, gradyn_lanes *s_bar,
                                    const sink *out)
{
  const pack p = pack_of(s, columns, s_bar);
  /* in the reverse order of the step */
  GRADYN_TRY(acceleration_stage(s, &p));
  GRADYN_TRY(velocity_stage(s, &p));
  GRADYN_TRY(position_adjoint(s, &p));
  first_node(s, &p, out->h_bar);
  /* adjoint of the first node's kappa, which was added to the multipliers of forces */
  if (p.kappa) {
    memset(p.kappa, 0, (size_t)s->m * sizeof *p.kappa);
    add_reading(s, p.pi, p.kappa);
  }
  return subtract_data(s, &p, out);
}

/* Replaces the adjoints of a node by those of the node before, for groups of four functionals. */
gradyn_status gradyn_ali3p_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                      gradyn_lanes *x_bar, double *h_bar, double *t_bar)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  for (int f = 0; f < count; f += GRADYN_LANES, s_bar += base->ns) {
    /* adjoints of the groups follow each other */
    const sink out = {x_bar + f / GRADYN_LANES * base->model->nx, h_bar ? h_bar + f : NULL,
                      t_bar ? t_bar + f : NULL};
    int columns = count - f < GRADYN_LANES ? count - f : GRADYN_LANES;
    GRADYN_TRY(transpose_pack(s, columns, s_bar, &out));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_ali3p_start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  /* A starts as a, so its adjoint is added to that of a */
  for (int i = 0; i < n && s->rule.own_A; i++)
    s_bar[2 * n + i] += s_bar[base->ny + i];
  return gradyn_initial_transposed(&s->initial, s_bar, s_bar + n, s_bar + 2 * n, s_bar + 3 * n,
                                   x_bar, NULL);
}
