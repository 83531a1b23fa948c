/* The five-bar linkage by the variational scheme in complex arithmetic, in the form of Ebrahimi et al.
 * (2018): eqs. (14) and (17) in the positions of three nodes, without momenta. The iterations use a matrix
 * without forces and continue until real and imaginary parts have converged. */
#include "variational_five_bar.h"

#include <string.h>

#include "tests/reference/five_bar_natural.h"

enum { N = NATURAL_N, M = NATURAL_M, SIZE = NATURAL_SIZE };

/* -Q at the quadrature point of a step; mid: the state there. */
static void force(const five_bar_data *d, double alpha, double complex h, const double complex q[N],
                  const double complex dq[N], natural_state *mid, double complex f[N])
{
  double complex rest[SIZE];
  memset(mid, 0, sizeof *mid);
  for (int i = 0; i < N; i++) {
    mid->q[i] = q[i] + alpha * dq[i];
    mid->v[i] = dq[i] / h;
  }
  natural_residual(d, mid, rest);
  memcpy(f, rest, N * sizeof *f);
}

/* out = M x. */
static void mass_times(const five_bar_data *d, const double complex x[N], double complex out[N])
{
  natural_matrix S = {{0}};
  natural_add_mass(d, 1, S);
  for (int i = 0; i < N; i++) {
    out[i] = 0;
    for (int j = 0; j < N; j++)
      out[i] += S[i][j] * x[j];
  }
}

/* Residual of h times the discrete equation of node n, D_2 L_d(n-1) + D_1 L_d(n) with constraints, and of
 * the constraints at n+1. `arrives` is h D_2 L_d(n-1), or h M v at the first node. */
static void equations(const five_bar_data *d, double alpha, double complex h,
                      const double complex q[N], const double complex dq[N],
                      const double complex hlam[M], const double complex arrives[N],
                      double complex b[SIZE])
{
  natural_state mid, end = {0};
  natural_matrix S = {{0}};
  double complex f[N], rest[SIZE];
  force(d, alpha, h, q, dq, &mid, f);
  mass_times(d, dq, b);
  natural_add_jacobian(d, q, S);
  for (int i = 0; i < N; i++) {
    b[i] += (1 - alpha) * h * h * f[i] - arrives[i];
    for (int k = 0; k < M; k++)
      b[i] += S[i][N + k] * hlam[k];
    end.q[i] = q[i] + dq[i];
  }
  natural_residual(d, &end, rest);
  memcpy(b + N, rest + N, M * sizeof *b);
}

/* One step: replaces dq by the next increment, and `arrives` by h D_2 L_d of this step. */
static void step(const five_bar_data *d, double alpha, double complex h, const double complex q[N],
                 double complex dq[N], double complex arrives[N], natural_state *mid)
{
  double complex hlam[M] = {0}, b[SIZE], f[N], q1[N];
  for (int iteration = 0; iteration < 60; iteration++) {
    natural_matrix S = {{0}}, T = {{0}};
    equations(d, alpha, h, q, dq, hlam, arrives, b);
    for (int i = 0; i < N; i++)
      q1[i] = q[i] + dq[i];
    natural_add_mass(d, 1, S);
    natural_add_jacobian(d, q, S);
    natural_add_jacobian(d, q1, T);
    for (int k = 0; k < M; k++)
      memcpy(S[N + k], T[N + k], sizeof S[N + k]);
    natural_solve(S, b);
    for (int i = 0; i < N; i++)
      dq[i] -= b[i];
    for (int k = 0; k < M; k++)
      hlam[k] -= b[N + k];
    if (iteration > 1 && natural_largest(b, N, 0) < 1e-17 &&
        natural_largest(b, N, 1) <= 1e-16 * natural_largest(dq, N, 1))
      break;
  }
  force(d, alpha, h, q, dq, mid, f);
  mass_times(d, dq, arrives);
  for (int i = 0; i < N; i++)
    arrives[i] -= alpha * h * h * f[i];
}

void variational_five_bar(const five_bar_data *d, double alpha, double complex t_end, int steps,
                          double complex psi[3])
{
  natural_state x, mid;
  double complex h = t_end / steps, dq[N], arrives[N];
  memset(psi, 0, 3 * sizeof *psi);
  natural_start(d, &x);
  mass_times(d, x.v, arrives); /* eq. (17) */
  for (int i = 0; i < N; i++) {
    arrives[i] *= h;
    dq[i] = h * x.v[i];
  }
  for (int k = 0; k < steps; k++) {
    step(d, alpha, h, x.q, dq, arrives, &mid);
    natural_accelerate(d, &mid);
    natural_integrands(d, &mid, h, psi);
    for (int i = 0; i < N; i++)
      x.q[i] += dq[i];
  }
}

void variational_five_bar_derivative(five_bar_data *d, double alpha, double complex *member,
                                     double t_end, int steps, double derivative[3])
{
  const double tiny = 1e-40;
  double complex kept = member ? *member : t_end, psi[3];
  if (member)
    *member = kept + tiny * I;
  variational_five_bar(d, alpha, member ? t_end : kept + tiny * I, steps, psi);
  if (member)
    *member = kept;
  for (int i = 0; i < 3; i++)
    derivative[i] = cimag(psi[i]) / tiny;
}
