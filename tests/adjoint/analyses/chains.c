/* Chains under a periodic load: see chains.h. */
#include "tests/adjoint/analyses/chains.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { MOST = CHAINS_STATES };
static const double pace = 1.9, when = 1.3, coupling = 0.5; /* 1/s, s, 1/s or 1/s^2 */
const double chains_period = 2 * 3.14159265358979323846 / 1.9;

static int members, orders, parameters; /* of the present case */
static bool loses;

/* Factor by which the event multiplies the states. */
static double kept(void)
{
  return loses ? 0.6 : 1;
}

/* Decay and load of member i: each depends on all parameters rho. */
static double complex decay(int i, const double complex rho[])
{
  double complex a = 0.3 + 0.17 * i;
  for (int j = 0; j < parameters; j++)
    a += 0.05 * cos(i + 3 * j) * rho[j];
  return a;
}

static double complex load(int i, const double complex rho[])
{
  double complex f = 1;
  for (int j = 0; j < parameters; j++)
    f += 0.4 * sin(2 * i + j + 1) * rho[j];
  return f;
}

/* --- problems ------------------------------------------------------------------------------------- */

/* y_i' = -a_i y_i + coupling y_i-1 + f_i cos(pace t) */
static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < members; i++)
    F[i] = at->yp[i] + at->data[i] * at->y[i] - (i > 0 ? coupling * at->y[i - 1] : 0) -
           at->data[members + i] * cos(pace * at->t);
  return GRADYN_OK;
}

/* x_i'' = -2 x_i - a_i x_i' + coupling x_i-1 + f_i cos(pace t), on rails, of masses of 1 kg */
static gradyn_status forces(const gradyn_at *at, gradyn_scalar force[])
{
  for (int i = 0; i < members; i++) {
    force[2 * i] = -2 * at->pos[2 * i] - at->data[i] * at->vel[2 * i] +
                   (i > 0 ? coupling * at->pos[2 * i - 2] : 0) +
                   at->data[members + i] * cos(pace * at->t);
    force[2 * i + 1] = 0;
  }
  return GRADYN_OK;
}

FORMULA(time_left, when - at->t)
FORMULA(first, orders == 1 ? at->y[0] : at->pos[2])

/* The tests evaluate no functional of an orbit with events, so that this function must never be called. */
static gradyn_status fails(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  (void)value;
  return GRADYN_CALLBACK;
}

static int add_mass(gradyn_model *m, int i)
{
  const int point = gradyn_point(m, gradyn_format_name(m, "m%d", i), 0.1, 0);
  gradyn_point_mass(m, gradyn_format_name(m, "mass%d", i), point, 1);
  gradyn_coordinate(m, gradyn_format_name(m, "rail%d", i), point, GRADYN_Y,
                    &(gradyn_time_function){0});
  return point;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum data[2 * MOST];
  gradyn_map_term map[MOST];
  int point[MOST];
  for (int i = 0; i < members; i++) {
    point[i] = orders == 1 ? gradyn_state(m, gradyn_format_name(m, "y%d", i), "", 0.1)
                           : add_mass(m, i);
    const gradyn_component it = {point[i], GRADYN_X};
    map[i] = (gradyn_map_term){it, it, kept(), false};
    data[i] = (gradyn_datum){gradyn_format_name(m, "decay%d", i), "1/s", decay(i, rho)};
    data[members + i] = (gradyn_datum){gradyn_format_name(m, "load%d", i), "1/s", load(i, rho)};
  }
  if (orders == 1)
    declare_equations(m, residual, data, 2 * members);
  else
    gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "load",
                                                       .points = point,
                                                       .point_count = members,
                                                       .fn = forces,
                                                       .data = data,
                                                       .data_count = 2 * members});
  if (loses)
    gradyn_event(m, &(gradyn_event_spec){.name = "loses",
                                         .guard = {.terminal = time_left},
                                         .map = map,
                                         .map_count = members});
  declare_end(m, "first", "", first);
  if (loses)
    gradyn_custom_functional(m, &(gradyn_custom_functional_spec){
                                    .name = "fails", .integrand = fails, .terminal = fails});
  return gradyn_build_status(m);
}

static gradyn_param params[] = {{.name = "rho", .count = 1, .init = 0.2}};
static const gradyn_problem problem = PROBLEM(
    "chain", build, params, .t_end = 2 * 3.14159265358979323846 / 1.9, .rtol = 1e-10);

const gradyn_problem *chains_problem(const chains_case *of)
{
  members = of->members;
  orders = of->orders;
  loses = of->loses;
  parameters = params[0].count = of->parameters;
  return &problem;
}

/* --- by linear algebra ---------------------------------------------------------------------------- */

typedef chains_matrix matrix;

static int size(void)
{
  return members * orders;
}

/* y' = A y + b cos(pace t) */
static void chain(const double complex rho[], matrix A, double complex b[])
{
  const int n = members;
  memset(A, 0, sizeof(matrix));
  for (int i = 0; i < n; i++) {
    const int row = (orders - 1) * n + i; /* positions, then rates */
    A[row][row] = -decay(i, rho);
    if (i > 0)
      A[row][i - 1] = coupling;
    b[i] = 0;
    b[row] = load(i, rho);
    if (orders == 2) {
      A[i][row] = 1;
      A[row][i] = -2;
    }
  }
}

static void multiply(matrix A, matrix B, matrix out)
{
  for (int i = 0; i < size(); i++)
    for (int j = 0; j < size(); j++) {
      out[i][j] = 0;
      for (int k = 0; k < size(); k++)
        out[i][j] += A[i][k] * B[k][j];
    }
}

/* Solves A x = b by elimination with pivoting. Overwrites A; x may be the same array as b. */
static void solve(matrix A, const double complex b[], double complex x[])
{
  const int n = size();
  memmove(x, b, (size_t)n * sizeof *x);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      best = fabs(creal(A[i][k])) > fabs(creal(A[best][k])) ? i : best;
    for (int j = 0; j <= n; j++) {
      double complex *to = j < n ? &A[k][j] : &x[k], *from = j < n ? &A[best][j] : &x[best];
      const double complex kept_there = *to;
      *to = *from;
      *from = kept_there;
    }
    for (int i = k + 1; i < n; i++) {
      const double complex share = A[i][k] / A[k][k];
      for (int j = k; j < n; j++)
        A[i][j] -= share * A[k][j];
      x[i] -= share * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

/* exp(A t): Taylor series at t/2^SQUARED, then repeated squaring. */
static void propagator(const double complex rho[], double t, matrix out)
{
  enum { SQUARED = 6, TERMS = 14 };
  double complex b[MOST];
  matrix A, term = {{0}}, next;
  chain(rho, A, b);
  memset(out, 0, sizeof(matrix));
  for (int i = 0; i < size(); i++)
    out[i][i] = term[i][i] = 1;
  for (int k = 1; k < TERMS; k++) {
    multiply(term, A, next);
    for (int i = 0; i < size(); i++)
      for (int j = 0; j < size(); j++)
        out[i][j] += term[i][j] = next[i][j] * t / (1 << SQUARED) / k;
  }
  for (int k = 0; k < SQUARED; k++) {
    multiply(out, out, next);
    memcpy(out, next, sizeof next);
  }
}

/* The steady periodic motion of a damped chain is p cos(pace t) + q sin(pace t). The residual gives pace
 * q = A p + b and -pace p = A q, hence (A^2 + pace^2) p = -A b. */
static void swinging(const double complex rho[], double t, double complex y[])
{
  const int n = size();
  double complex b[MOST], p[MOST], q[MOST];
  matrix A, square;
  chain(rho, A, b);
  multiply(A, A, square);
  for (int i = 0; i < n; i++) {
    square[i][i] += pace * pace;
    p[i] = 0;
    for (int j = 0; j < n; j++)
      p[i] -= A[i][j] * b[j];
  }
  solve(square, p, p);
  for (int i = 0; i < n; i++) {
    q[i] = b[i];
    for (int j = 0; j < n; j++)
      q[i] += A[i][j] * p[j];
    y[i] = p[i] * cos(pace * t) + q[i] / pace * sin(pace * t);
  }
}

/* z = s(T) + E2 (kept (s(t) + E1 (z - s(0))) - s(t)): s is the steady periodic motion, E1 and E2 are the
 * propagators before and after the event. */
void chains_start(const double complex rho[], double complex z[])
{
  matrix E1, E2, M;
  double complex s[2][MOST], at[MOST];
  swinging(rho, 0, s[0]); /* s at the end of the period */
  swinging(rho, when, s[1]);
  propagator(rho, when, E1);
  propagator(rho, chains_period - when, E2);
  multiply(E2, E1, M);
  for (int i = 0; i < size(); i++) {
    at[i] = (kept() - 1) * s[1][i];
    for (int j = 0; j < size(); j++)
      at[i] -= kept() * E1[i][j] * s[0][j];
  }
  for (int i = 0; i < size(); i++) {
    z[i] = s[0][i];
    for (int j = 0; j < size(); j++) {
      z[i] += E2[i][j] * at[j];
      M[i][j] = (i == j) - kept() * M[i][j];
    }
  }
  solve(M, z, z);
}

void chains_transition(const double complex rho[], matrix out)
{
  propagator(rho, chains_period, out);
  for (int i = 0; i < size(); i++)
    for (int j = 0; j < size(); j++)
      out[i][j] *= kept();
}

double complex chains_multiplier(const double complex rho[], int k)
{
  const double complex a = decay(k / orders, rho), root = csqrt(a * a / 4 - 2);
  const double complex rate = orders == 1 ? -a : -a / 2 + (k % 2 ? root : -root);
  return kept() * cexp(rate * chains_period);
}
