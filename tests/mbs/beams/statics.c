/* Equilibrium by Newton's method. */
#include "tests/mbs/beams/statics.h"

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);

static void set_matrix(const bench *b, const double *K, const double *J, double *A)
{
  int n = b->mech->n, size = n + b->mech->m;
  memset(A, 0, (size_t)(size * size) * sizeof *A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int k = gradyn_pattern_find(&b->mech->dyn, i, j);
      A[j * size + i] = k < 0 ? 0 : K[k];
    }
  for (int i = n; i < size; i++)
    for (int j = 0; j < n; j++) {
      int k = gradyn_pattern_find(&b->mech->jac, i - n, j);
      A[j * size + i] = A[i * size + j] = k < 0 ? 0 : J[k];
    }
}

/* One step; returns its size. */
static double step(bench *b, double *A)
{
  gradyn_mech *mech = b->mech;
  int n = mech->n, size = n + mech->m, one = 1, info, pivot[BENCH_STATES];
  double K[BENCH_NNZ], J[BENCH_NNZ], r[BENCH_STATES], most = 0;
  gradyn_mech_state at = bench_state(b, b->y, 0);
  const int parts = GRADYN_FORCE | GRADYN_CONSTRAINT;
  assert_ok(mech->ops->residual(mech, parts, &at, r), b->model->message.text);
  assert_ok(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &at, r + n), b->model->message.text);
  assert_ok(mech->ops->tangent(mech, parts, &at, K, NULL, NULL), b->model->message.text);
  assert_ok(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, J), b->model->message.text);
  set_matrix(b, K, J, A);
  dgesv_(&size, &one, A, &size, pivot, r, &size, &info);
  assert_int_equal(info, 0);
  for (int i = 0; i < size; i++) {
    b->y[i < n ? i : 2 * n + i] -= r[i];
    most = fmax(most, i < n ? fabs(r[i]) : 0);
  }
  return most;
}

void statics_open(bench *b, gradyn_build_fn build)
{
  bench_open(b, build, NULL);
  int n = b->mech->n, size = n + b->mech->m, steps = 0;
  assert_true(b->mech->dyn.nnz < BENCH_NNZ && b->mech->jac.nnz < BENCH_NNZ);
  FREED double *A = support_zeros((size_t)(size * size), sizeof *A);
  memset(b->y, 0, sizeof b->y);
  for (int i = 0; i < n; i++)
    b->y[i] = b->x[b->mech->q0[i]];
  while (step(b, A) > 1e-13 && steps < 30)
    steps++;
  assert_true(steps < 30);
}

double statics_displacement(const bench *b, const char *point, int axis)
{
  for (int i = 0; i < b->mech->n; i++)
    if (strcmp(b->mech->coordinate_name(b->mech, i), point) == 0)
      return b->y[i + axis] - b->x[b->mech->q0[i + axis]];
  fail_msg("there is no point %s", point);
  return 0;
}

double statics_multiplier(const bench *b, const char *constraint)
{
  for (int i = 0; i < b->mech->m; i++)
    if (strcmp(b->mech->constraint_name(b->mech, i), constraint) == 0)
      return b->y[3 * b->mech->n + i];
  fail_msg("there is no constraint %s", constraint);
  return 0;
}
