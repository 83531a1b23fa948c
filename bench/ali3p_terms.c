/* Effect of single terms of ALI3-P's derivative: docs/theory/ali3p.md, section 6. The scheme is written by
 * hand in complex arithmetic for the five-bar linkage. Imaginary parts, which are the derivative, omit the
 * chosen terms; real parts are always complete. The last row is for projections with an explicitly formed
 * penalty matrix. Usage: bench_ali3p_terms; prints the table of that section. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "problems/builtin.h"
#include "tests/reference/five_bar_natural.h"

enum { N = NATURAL_N, M = NATURAL_M, SIZE = NATURAL_SIZE, F = 3, P = 5, STEPS = 5000 };

typedef enum omission {
  NOTHING,
  SECOND_DERIVATIVES, /* H_w, H_u: derivatives of the projections' matrices, times the corrections */
  STATES,             /* all data of the projections except the projected vector */
  CURVATURE,          /* sum lam Phi_qq in Newton's matrix */
  SADDLE,             /* omits nothing, but forms M + penalty J^T J */
  OMISSIONS
} omission;

static const char *const omitted[OMISSIONS] = {
    "nothing", "H_w, H_u", "all state derivatives of the projections", "sum lam Phi_qq in K",
    "nothing, penalty projections formed"};

static const double t_end = 5, penalty = 1e9;

static void keep_real(double complex *x, size_t count)
{
  for (size_t i = 0; i < count; i++)
    x[i] = creal(x[i]);
}

/* --- position --------------------------------------------------------------------------------- */

static void place(double h, const natural_state *x, const double complex dq[N], natural_state *y)
{
  for (int i = 0; i < N; i++) {
    y->q[i] = x->q[i] + dq[i];
    y->v[i] = 2 / h * dq[i] - x->v[i];
    y->a[i] = 4 / (h * h) * (dq[i] - h * x->v[i]) - x->a[i];
  }
}

/* Keeps the directions of the reactions independent of positions: rest += (J(Re q) - J(q))^T lam. */
static void straighten(const five_bar_data *d, const natural_state *y, double complex rest[N])
{
  double complex still[N];
  natural_matrix J = {{0}}, J0 = {{0}};
  memcpy(still, y->q, sizeof still);
  keep_real(still, N);
  natural_add_jacobian(d, y->q, J);
  natural_add_jacobian(d, still, J0);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < M; k++)
      rest[i] += (J0[N + k][i] - J[N + k][i]) * y->lam[k];
}

/* One correction by Newton's matrix, with or without the curvature of constraints. */
static double correct(const five_bar_data *d, double h, const natural_state *x, bool curved,
                      double complex dq[N], natural_state *y)
{
  double complex b[SIZE];
  natural_matrix S;
  natural_state at = *y;
  natural_residual(d, y, b);
  if (!curved) {
    straighten(d, y, b);
    memset(at.lam, 0, sizeof at.lam);
  }
  natural_newton_matrix(d, &at, 4 / (h * h), 2 / h, S);
  natural_solve(S, b);
  for (int i = 0; i < N; i++)
    dq[i] -= b[i];
  for (int i = 0; i < M; i++)
    y->lam[i] -= b[N + i];
  place(h, x, dq, y);
  return natural_largest(b, N, 0);
}

/* The real solution first; then corrections for the imaginary parts. */
static void solve_position(const five_bar_data *d, double h, const natural_state *x, omission omit,
                           natural_state *y)
{
  double complex dq[N];
  five_bar_data d0 = *d;
  natural_state x0 = *x;
  keep_real((double complex *)&d0, sizeof d0 / sizeof(double complex));
  keep_real((double complex *)&x0, sizeof x0 / sizeof(double complex));
  for (int i = 0; i < N; i++)
    dq[i] = h * x0.v[i] + h * h / 2 * x0.a[i];
  *y = x0;
  place(h, &x0, dq, y);
  for (int k = 0; k < 30 && (correct(&d0, h, &x0, true, dq, y) > 1e-15 || k < 2); k++)
    ;
  place(h, x, dq, y);
  for (int k = 0; k < 3; k++)
    correct(d, h, x, omit != CURVATURE, dq, y);
}

/* --- projections ------------------------------------------------------------------------------ */

/* M x' + penalty J^T (J x' + bias) = M x, in the ill-conditioned form. */
static void project_formed(const five_bar_data *d, const double complex q[N],
                           const double complex bias[M], double complex x[N])
{
  natural_matrix S = {{0}}, A = {{0}};
  double complex b[SIZE] = {0};
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, q, S);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      A[i][j] = S[i][j];
      b[i] += S[i][j] * x[j];
      for (int k = 0; k < M; k++)
        A[i][j] += penalty * S[N + k][i] * S[N + k][j];
    }
    for (int k = 0; k < M; k++)
      b[i] -= penalty * S[N + k][i] * bias[k];
  }
  for (int i = N; i < SIZE; i++)
    A[i][i] = 1;
  natural_solve(A, b);
  memcpy(x, b, N * sizeof *x);
}

/* M dx + J^T mult = 0, J (x + dx) + bias = 0. */
static void project(const five_bar_data *d, const double complex q[N], const double complex bias[M],
                    omission omit, double complex x[N])
{
  double complex place_of[N], b[SIZE] = {0};
  natural_matrix moving = {{0}}, S = {{0}};
  memcpy(place_of, q, sizeof place_of);
  if (omit == STATES)
    keep_real(place_of, N);
  natural_add_jacobian(d, place_of, moving);
  for (int i = 0; i < M; i++) {
    b[N + i] = -bias[i];
    for (int j = 0; j < N; j++)
      b[N + i] -= moving[N + i][j] * x[j];
  }
  if (omit == SECOND_DERIVATIVES)
    keep_real(place_of, N);
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, place_of, S);
  natural_solve(S, b);
  for (int i = 0; i < N; i++)
    x[i] += b[i];
}

static void step(const five_bar_data *d, double h, omission omit, natural_state *x)
{
  natural_state y;
  double complex bias[M] = {0}, v[N];
  solve_position(d, h, x, omit, &y);
  if (omit == SADDLE)
    project_formed(d, y.q, bias, y.v);
  else
    project(d, y.q, bias, omit, y.v);
  memcpy(v, y.v, sizeof v);
  if (omit == STATES)
    keep_real(v, N);
  natural_centripetal(d, v, bias);
  if (omit == SADDLE)
    project_formed(d, y.q, bias, y.a);
  else
    project(d, y.q, bias, omit, y.a);
  *x = y;
}

/* --- the table -------------------------------------------------------------------------------- */

/* The functionals, and their derivatives by the five parameters. */
static void differentiate(omission omit, double value[F], double slope[F][P])
{
  const double tiny = 1e-40, h = t_end / STEPS;
  for (int j = 0; j < P; j++) {
    five_bar_data d;
    double complex *member[P], psi[F] = {0};
    natural_state x;
    five_bar_default(&d);
    five_bar_parameters(&d, member);
    *member[j] += tiny * I;
    natural_start(&d, &x);
    natural_integrands(&d, &x, h / 2, psi);
    for (int k = 1; k <= STEPS; k++) {
      step(&d, h, omit, &x);
      natural_integrands(&d, &x, k < STEPS ? h : h / 2, psi);
    }
    for (int f = 0; f < F; f++) {
      value[f] = creal(psi[f]);
      slope[f][j] = cimag(psi[f]) / tiny;
    }
  }
}

static gradyn_status by_gradyn(double slope[F][P])
{
  gradyn_options options;
  gradyn_evaluator *ev;
  double rho[P], psi[F];
  gradyn_options_default(&gradyn_problem_five_bar, &options);
  options.method = "ali3p";
  options.step = t_end / STEPS;
  options.t_end = t_end;
  gradyn_status status = gradyn_evaluator_create(&gradyn_problem_five_bar, &options, NULL, 0, &ev);
  for (size_t j = 0; status == GRADYN_OK && j < P; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(ev, rho, psi, slope[0]);
  if (status != GRADYN_OK)
    fprintf(stderr, "%s\n", gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status;
}

static void print(const char *what, double slope[F][P], double exact[F][P])
{
  printf("%-42s", what);
  for (int f = 0; f < F; f++) {
    double worst = 0;
    for (int j = 0; j < P; j++)
      worst = fmax(worst, fabs(slope[f][j] / exact[f][j] - 1));
    printf(" %10.1e", worst);
  }
  printf("\n");
}

int main(void)
{
  double exact[F][P], slope[F][P], psi[F], value[F], worst = 0;
  differentiate(NOTHING, psi, exact);
  printf("five-bar, 5 s at 1 ms: largest relative errors of derivatives\n%-42s %10s %10s %10s\n",
         "left out", "position", "velocity", "accel.");
  if (by_gradyn(slope) != GRADYN_OK)
    return 1;
  print("nothing, adjoint of gradyn", slope, exact);
  for (int k = 1; k < OMISSIONS; k++) {
    differentiate((omission)k, value, slope);
    print(omitted[k], slope, exact);
  }
  for (int f = 0; f < F; f++)
    worst = fmax(worst, fabs(value[f] / psi[f] - 1));
  printf("the last one changes the functionals themselves by up to %.1e\n", worst);
  return 0;
}
