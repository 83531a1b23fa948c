/* The five-bar linkage by ALI3-P in complex arithmetic. Newton's iterations continue until real and imaginary
 * parts have converged. */
#include "ali3p_five_bar.h"

#include <string.h>

#include "tests/reference/five_bar_natural.h"

enum { N = NATURAL_N, M = NATURAL_M, SIZE = NATURAL_SIZE };

/* q', v*, a* and lam' of the step from x. */
static void position(const five_bar_data *d, double complex h, const natural_state *x,
                     natural_state *y)
{
  double complex dq[N], b[SIZE];
  for (int i = 0; i < N; i++)
    dq[i] = h * x->v[i] + h * h / 2 * x->a[i];
  for (int iteration = 0; iteration < 30; iteration++) {
    for (int i = 0; i < N; i++) {
      y->q[i] = x->q[i] + dq[i];
      y->v[i] = 2 / h * dq[i] - x->v[i];
      y->a[i] = 4 / (h * h) * (dq[i] - h * x->v[i]) - x->a[i];
    }
    if (iteration > 1 && natural_largest(b, N, 0) < 1e-14 &&
        natural_largest(b, N, 1) <= 1e-14 * natural_largest(dq, N, 1))
      break;
    natural_matrix S;
    natural_residual(d, y, b);
    natural_newton_matrix(d, y, 4 / (h * h), 2 / h, S);
    natural_solve(S, b);
    for (int i = 0; i < N; i++)
      dq[i] -= b[i];
    for (int i = 0; i < M; i++)
      y->lam[i] -= b[N + i];
  }
}

/* Mass-orthogonal projection of x: M dx + Phi_q^T mult = 0, Phi_q (x + dx) + bias = 0. */
static void project(const five_bar_data *d, const double complex q[N], const double complex bias[M],
                    double complex x[N])
{
  double complex b[SIZE] = {0};
  natural_matrix S = {{0}};
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, q, S);
  for (int i = 0; i < M; i++) {
    b[N + i] = -bias[i];
    for (int j = 0; j < N; j++)
      b[N + i] -= S[N + i][j] * x[j];
  }
  natural_solve(S, b);
  for (int i = 0; i < N; i++)
    x[i] += b[i];
}

static void step(const five_bar_data *d, double complex h, natural_state *x)
{
  natural_state y = *x;
  double complex bias[M] = {0};
  position(d, h, x, &y);
  project(d, y.q, bias, y.v);
  natural_centripetal(d, y.v, bias);
  project(d, y.q, bias, y.a);
  *x = y;
}

void ali3p_five_bar(const five_bar_data *d, double complex t_end, int steps, double complex psi[3])
{
  natural_state x;
  double complex h = t_end / steps;
  memset(psi, 0, 3 * sizeof *psi);
  natural_start(d, &x);
  natural_integrands(d, &x, h / 2, psi);
  for (int k = 1; k <= steps; k++) {
    step(d, h, &x);
    natural_integrands(d, &x, k < steps ? h : h / 2, psi);
  }
}

void ali3p_five_bar_derivative(five_bar_data *d, double complex *member, double t_end, int steps,
                               double derivative[3])
{
  const double tiny = 1e-40;
  double complex kept = member ? *member : t_end, psi[3];
  if (member)
    *member = kept + tiny * I;
  ali3p_five_bar(d, member ? t_end : kept + tiny * I, steps, psi);
  if (member)
    *member = kept;
  for (int i = 0; i < 3; i++)
    derivative[i] = cimag(psi[i]) / tiny;
}
