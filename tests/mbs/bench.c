/* The bench for elements. */
#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include "core/mech/vector.h"

/* The variable of a comparison, and the rows that it inspects. */
typedef struct view {
  int parts, order; /* order -1: residual */
  int entry;        /* index of the varied entry of y, or -1 */
  int datum;        /* that moves, or -1 */
  bool time;        /* t moves */
  bool motion;      /* positions and velocities change with velocities and accelerations */
} view;

enum { VECTORS = 2 }; /* of a transposed product */

static const int part[] = {GRADYN_INERTIA, GRADYN_FORCE, GRADYN_CONSTRAINT, GRADYN_HELD};
static const double RTOL = 1e-10, ATOL = 1e-10; /* differences leave some 1e-12 */

void bench_load(bench *b, int datum, double s)
{
  double x[BENCH_DATA];
  memcpy(x, b->x, sizeof x);
  if (datum >= 0)
    x[datum] += s;
  assert_ok(gradyn_model_load(b->model, x), b->model->message.text);
  gradyn_discrete_state_enter_arc(b->model, b->t);
}

int bench_joined(gradyn_model *model, const char *name, gradyn_joint_kind kind, int body[2])
{
  body[0] = declare_body_3d(model, "A", 1.2, INERTIA(0.3, 0.4, 0.5, 0.01), NULL);
  body[1] = declare_body_3d(model, "B", 2, INERTIA(0.5, 0.6, 0.7, 0, 0.02), VECTOR(1.1, 0.5, -0.4));
  return declare_joint(model, name, kind, body[0], body[1], VECTOR(0.5, 0.2, 0.3),
                       VECTOR(0.4, -0.3, 0.8));
}

void bench_open(bench *b, gradyn_build_fn build, const double *q)
{
  *b = (bench){.problem = {GRADYN_PROBLEM_SIZES, .name = "bench", .build = build, .t_end = 2.0},
               .t = 0.7,
               .step = 0.004};
  gradyn_scalar rho = 0;
  assert_ok(gradyn_model_create(&b->problem, NULL, 0, 0, &rho, &b->model), b->model->message.text);
  b->mech = b->model->mech;
  int n = b->mech->n, ns = 3 * n + b->mech->m + b->mech->held;
  assert_true(ns <= BENCH_STATES && b->model->nx <= BENCH_DATA);
  memcpy(b->x, b->model->x, (size_t)b->model->nx * sizeof(double));
  for (int i = 0; i < ns; i++)
    b->y[i] = sin(1.0 + 2.3 * i) + 0.2 * cos(5.0 * i);
  for (int i = 0; i < n; i++)
    b->y[i] = q ? q[i] : b->x[b->mech->q0[i]] + 0.1 * b->y[i];
  bench_load(b, -1, 0);
}

void bench_close(bench *b)
{
  gradyn_model_free(b->model);
}

int bench_datum(const bench *b, const char *name)
{
  for (int k = 0; k < b->model->nx; k++)
    if (strcmp(b->model->entry[k].name, name) == 0)
      return k;
  fail_msg("there is no datum %s", name);
  return 0;
}

gradyn_mech_state bench_state(const bench *b, const double *y, double t)
{
  int n = b->mech->n;
  return (gradyn_mech_state){t, y, y + n, y + 2 * n, y + 3 * n, NULL};
}

/* Central differences with error h^8; 1/280 and the others are the standard weights. */
void bench_difference(bench *b, bench_line line, const void *what, int count, double *slope)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h = b->step;
  double above[BENCH_STATES], below[BENCH_STATES];
  assert_true(count <= BENCH_STATES);
  for (int i = 0; i < count; i++)
    slope[i] = 0;
  for (int k = 1; k <= 4; k++) {
    line(b, what, k * h, above);
    line(b, what, -k * h, below);
    for (int i = 0; i < count; i++)
      slope[i] += weight[k - 1] * (above[i] - below[i]) / h;
  }
}

static int value_count(const bench *b, const view *v)
{
  return v->order < 0 ? b->mech->n : b->mech->m + (v->parts & GRADYN_HELD ? b->mech->held : 0);
}

static void evaluate(bench *b, const void *what, double s, double *f)
{
  const view *v = what;
  double y[BENCH_STATES];
  memcpy(y, b->y, sizeof y);
  if (v->entry >= 0)
    y[v->entry] += s;
  for (int i = 0; i < 2 * b->mech->n && v->motion; i++) /* q' = v, v' = a */
    y[i] += s * b->y[b->mech->n + i];
  if (v->datum >= 0)
    bench_load(b, v->datum, s);
  gradyn_mech_state at = bench_state(b, y, b->t + (v->time ? s : 0));
  assert_ok(v->order < 0 ? b->mech->ops->residual(b->mech, v->parts, &at, f)
                         : b->mech->ops->phi(b->mech, v->parts, v->order, &at, f),
            b->model->message.text);
}

/* Compares one column, and records whether it has a nonzero entry. */
static void compare(bench *b, const view *v, const double *exact, bool *present)
{
  double slope[BENCH_STATES];
  int count = value_count(b, v);
  bench_difference(b, evaluate, v, count, slope);
  assert_close_array(exact, slope, count, RTOL, ATOL);
  for (int i = 0; i < count; i++)
    *present = *present || fabs(exact[i]) > 1e-3;
}

/* Compares factor times a sparse matrix with the derivative with respect to a block of the state. */
static bool compare_matrix(bench *b, view v, const gradyn_pattern *A, const double *values,
                           double factor, int first)
{
  bool present = false;
  for (int j = 0; j < A->cols; j++) {
    double column[BENCH_STATES] = {0};
    for (int i = 0; i < A->rows; i++) {
      int k = gradyn_pattern_find(A, i, j);
      column[i] = k < 0 ? 0 : factor * values[k];
    }
    v.entry = first + j;
    compare(b, &v, column, &present);
  }
  return present;
}

/* The term that contains the inspected rows, and the first of these rows. */
static gradyn_mech_term term_of(const bench *b, const view *v, int *first)
{
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  *first = v->order < 0 ? 0 : b->mech->n;
  return v->order < 0 ? (gradyn_mech_term){v->parts, GRADYN_NO_ORDER, at}
                      : (gradyn_mech_term){v->parts & GRADYN_HELD, v->order, at};
}

static gradyn_lanes *work_of(const bench *b)
{
  gradyn_lanes *work = gradyn_lanes_create((size_t)(3 * b->mech->n + b->mech->m + b->mech->held));
  assert_non_null(work);
  return work;
}

static void forward(bench *b, const view *v, const double *dx, double dt, double *f)
{
  double rows[2 * BENCH_STATES] = {0};
  int first;
  const gradyn_mech_term term = term_of(b, v, &first);
  FREED gradyn_lanes *work = work_of(b);
  const gradyn_mech_vector d = {.x = dx, .t = dt};
  assert_ok(gradyn_mech_along(b->mech, &term, &term.at, &d, work, rows), b->model->message.text);
  memcpy(f, rows + first, (size_t)value_count(b, v) * sizeof *f);
}

/* Adds the transposed products of several vectors to x_bar [VECTORS][nx] and t_bar [VECTORS]. */
static void transposed(bench *b, const view *v, const double *mu, double *x_bar, double *t_bar)
{
  int first;
  const gradyn_mech_term term = term_of(b, v, &first);
  FREED gradyn_lanes *work = work_of(b);
  memset(x_bar, 0, VECTORS * (size_t)b->model->nx * sizeof *x_bar);
  for (int j = 0; j < VECTORS; j++) {
    double rows[2 * BENCH_STATES] = {0};
    memcpy(rows + first, mu + j * BENCH_STATES, (size_t)value_count(b, v) * sizeof *rows);
    t_bar[j] = 0;
    const gradyn_mech_sums sums = {.x = x_bar + j * b->model->nx, .t = &t_bar[j]};
    assert_ok(gradyn_mech_against(b->mech, &term, &term.at, rows, work, &sums),
              b->model->message.text);
  }
}

static double product(const bench *b, const view *v, const double *mu, const double *f)
{
  double sum = 0;
  for (int i = 0; i < value_count(b, v); i++)
    sum += mu[i] * f[i];
  return sum;
}

/* Derivatives with respect to time: the forward product against differences, the transposed product against
 * the forward one. */
static bool compare_time(bench *b, view v)
{
  bool present = false;
  double mu[VECTORS * BENCH_STATES], x_bar[VECTORS * BENCH_DATA], f[BENCH_STATES];
  double dx[BENCH_DATA] = {0}, t_bar[VECTORS];
  for (int i = 0; i < VECTORS * BENCH_STATES; i++)
    mu[i] = cos(3.0 * i + 0.5);
  v.time = true;
  forward(b, &v, dx, 1, f);
  transposed(b, &v, mu, x_bar, t_bar);
  for (int j = 0; j < VECTORS; j++)
    assert_close(t_bar[j], product(b, &v, mu + j * BENCH_STATES, f), 1e-13, 1e-13);
  compare(b, &v, f, &present);
  return present;
}

/* Derivatives with respect to every datum: the forward product against differences, the transposed product
 * against the forward one. */
static bool compare_data(bench *b, view v)
{
  bool present = false;
  double mu[VECTORS * BENCH_STATES], x_bar[VECTORS * BENCH_DATA], f[BENCH_STATES];
  double dx[BENCH_DATA] = {0}, t_bar[VECTORS];
  for (int i = 0; i < VECTORS * BENCH_STATES; i++)
    mu[i] = cos(3.0 * i + 0.5);
  transposed(b, &v, mu, x_bar, t_bar);
  for (v.datum = 0; v.datum < b->model->nx; v.datum++) {
    dx[v.datum] = 1;
    forward(b, &v, dx, 0, f);
    dx[v.datum] = 0;
    for (int j = 0; j < VECTORS; j++)
      assert_close(x_bar[j * b->model->nx + v.datum], product(b, &v, mu + j * BENCH_STATES, f),
                   1e-13, 1e-13);
    compare(b, &v, f, &present);
    bench_load(b, -1, 0);
  }
  return present;
}

static void expect(int present, int flag, bool found, const char *name, int k)
{
  if (present & flag && !found)
    fail_msg("%s %d vanishes: nothing was compared", name, k);
}

void bench_check_residual(bench *b, int present)
{
  double K[BENCH_NNZ], C[BENCH_NNZ], M[BENCH_NNZ];
  gradyn_mech *mech = b->mech;
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  assert_true(mech->dyn.nnz < BENCH_NNZ);
  for (int k = 0; k < 4; k++) {
    view v = {.parts = part[k], .order = -1, .entry = -1, .datum = -1};
    assert_ok(mech->ops->tangent(mech, part[k], &at, K, C, M), b->model->message.text);
    expect(present, BENCH_K_INERTIA << k, compare_matrix(b, v, &mech->dyn, K, 1, 0), "K of part",
           k);
    bool found = compare_matrix(b, v, &mech->dyn, C, 1, mech->n);
    expect(present, k == 1 ? BENCH_C_FORCE : 0, found, "C of part", k);
    if (found && !mech->damped)
      fail_msg("forces depend on velocities though the model says that they do not");
    found = compare_matrix(b, v, &mech->dyn, M, 1, 2 * mech->n);
    expect(present, k == 0 ? BENCH_M_INERTIA : 0, found, "M of part", k);
    expect(present, BENCH_X_INERTIA << k, compare_data(b, v), "dR/dx of part", k);
  }
  bool found = false;
  for (int k = 0; k < 4; k++) {
    view v = {.parts = part[k], .order = -1, .entry = -1, .datum = -1};
    found = compare_time(b, v) || found;
  }
  expect(present, BENCH_R_TIME, found, "dR/dt", 0);
}

void bench_check_constraints(bench *b, int present)
{
  double J[3][BENCH_NNZ];
  gradyn_mech *mech = b->mech;
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  assert_true(mech->jac.nnz < BENCH_NNZ);
  for (int k = 0; k < 3; k++) {
    view v = {.parts = GRADYN_ASSEMBLY, .order = k, .entry = -1, .datum = -1};
    assert_ok(mech->ops->phi_q(mech, GRADYN_ASSEMBLY, k, &at, J[k]), b->model->message.text);
    expect(present, BENCH_PHI_Q0 << k, compare_matrix(b, v, &mech->jac, J[k], 1, 0), "Phi_q", k);
    expect(present, BENCH_PHI_X0 << k, compare_data(b, v), "dPhi/dx", k);
    v.parts = GRADYN_CONSTRAINT;
    expect(present, BENCH_PHI_T0 << k, compare_time(b, v), "dPhi/dt", k);
  }
  /* Phi' and Phi'' are the rates of Phi and Phi' */
  for (int k = 0; k < 2; k++) {
    view v = {GRADYN_CONSTRAINT, k, -1, -1, true, true};
    double rate[BENCH_STATES];
    bool moves = false;
    assert_ok(mech->ops->phi(mech, GRADYN_CONSTRAINT, k + 1, &at, rate), b->model->message.text);
    compare(b, &v, rate, &moves);
  }
  /* Phi'_v = Phi_q, Phi''_v = 2 Phi'_q, Phi''_a = Phi_q */
  view first = {.parts = GRADYN_ASSEMBLY, .order = 1, .entry = -1, .datum = -1}, second = first;
  second.order = 2;
  compare_matrix(b, first, &mech->jac, J[0], 1, mech->n);
  compare_matrix(b, second, &mech->jac, J[1], 2, mech->n);
  compare_matrix(b, second, &mech->jac, J[0], 1, 2 * mech->n);
}
