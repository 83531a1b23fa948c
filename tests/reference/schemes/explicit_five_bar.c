/* The five-bar linkage by explicit Runge-Kutta methods in complex arithmetic. It uses only the tables of
 * coefficients of the library. */
#include "explicit_five_bar.h"

#include <string.h>

#include "dae/explicit/explicit.h"
#include "tests/reference/five_bar_natural.h"

enum { N = NATURAL_N, M = NATURAL_M, SIZE = NATURAL_SIZE, MOST_STAGES = 12, CORRECTIONS = 8 };

/* q nearest to q* in the norm of the masses: M (q - q*) + Phi_q^T nu = 0, Phi(q) = 0, by Newton's method on
 * the whole system until nothing changes any more. */
static void project_position(const five_bar_data *d, natural_state *x)
{
  natural_state y = *x; /* members used for the unknowns: y.a is q - q*, y.lam is nu */
  five_bar_data bare = *d;
  memset(bare.gravity, 0, sizeof bare.gravity);
  memset(bare.k, 0, sizeof bare.k);
  memset(bare.c, 0, sizeof bare.c);
  memset(bare.tension, 0, sizeof bare.tension);
  memset(y.a, 0, sizeof y.a);
  memset(y.lam, 0, sizeof y.lam);
  memset(y.v, 0, sizeof y.v);
  for (int k = 0; k < CORRECTIONS; k++) {
    double complex b[SIZE];
    natural_matrix S;
    natural_residual(&bare, &y, b);
    natural_newton_matrix(&bare, &y, 1, 0, S);
    natural_solve(S, b);
    for (int i = 0; i < N; i++) {
      y.q[i] -= b[i];
      y.a[i] -= b[i];
    }
    for (int i = 0; i < M; i++)
      y.lam[i] -= b[N + i];
  }
  memcpy(x->q, y.q, sizeof x->q);
}

/* v nearest to v*: M (v - v*) + Phi_q^T tau = 0, Phi_q v = 0. */
static void project_velocity(const five_bar_data *d, natural_state *x)
{
  double complex b[SIZE] = {0};
  natural_matrix S = {{0}};
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, x->q, S);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      b[N + i] -= S[N + i][j] * x->v[j];
  natural_solve(S, b);
  for (int i = 0; i < N; i++)
    x->v[i] += b[i];
}

/* to += weight (q', v') = weight (v, a) of a stage. */
static void add_rates(const natural_state *stage, double complex weight, natural_state *to)
{
  for (int i = 0; i < N; i++) {
    to->q[i] += weight * stage->v[i];
    to->v[i] += weight * stage->a[i];
  }
}

static void step(const five_bar_data *d, const gradyn_tableau *t, double complex h,
                 natural_state *x, double complex psi[3])
{
  natural_state stage[MOST_STAGES];
  for (int i = 0; i < t->stages; i++) {
    stage[i] = *x;
    for (int j = 0; j < i; j++)
      add_rates(&stage[j], h * gradyn_tableau_row(t, i)[j], &stage[i]);
    natural_accelerate(d, &stage[i]);
    natural_integrands(d, &stage[i], h * t->b[i], psi);
  }
  for (int i = 0; i < t->stages; i++)
    add_rates(&stage[i], h * t->b[i], x);
  project_position(d, x);
  project_velocity(d, x);
}

void explicit_five_bar(const five_bar_data *d, int order, double complex t_end, int steps,
                       double complex psi[3])
{
  natural_state x;
  memset(psi, 0, 3 * sizeof *psi);
  natural_start(d, &x);
  for (int k = 0; k < steps; k++)
    step(d, gradyn_tableau_find(order), t_end / steps, &x, psi);
}

void explicit_five_bar_derivative(five_bar_data *d, int order, double complex *member, double t_end,
                                  int steps, double derivative[3])
{
  const double tiny = 1e-40;
  double complex kept = member ? *member : t_end, psi[3];
  if (member)
    *member = kept + tiny * I;
  explicit_five_bar(d, order, member ? t_end : kept + tiny * I, steps, psi);
  if (member)
    *member = kept;
  for (int i = 0; i < 3; i++)
    derivative[i] = cimag(psi[i]) / tiny;
}
