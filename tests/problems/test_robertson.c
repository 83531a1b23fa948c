/* Robertson's kinetics: values and sensitivities against an independent integrator and against the published
 * ones of SUNDIALS. */
#include "tests/problems/run.h"
#include "tests/reference/schemes/robertson_radau.h"

extern const gradyn_problem gradyn_problem_robertson;

enum { P = 3 };

static const char *const sensitivity[] = {"direct", "adjoint"};

/* A value known to many digits, and an identity between the derivatives. */
TEST(reference_has_converged)
{
  double value[ROBERTSON_RESULTS], derivative[ROBERTSON_RESULTS * P];
  robertson_reference(40, value, derivative);
  assert_close(value[ROBERTSON_Y1], 0.7158270687, 2e-10, 0);
  /* a factor on all rate constants is a factor on time: sum of p dy/dp = t dy/dt */
  const double p[P] = {0.04, 1e4, 3e7};
  const double y1 = value[ROBERTSON_Y1], y2 = value[ROBERTSON_Y2], y3 = value[ROBERTSON_Y3];
  double sum = 0;
  for (int k = 0; k < P; k++)
    sum += p[k] * derivative[P * ROBERTSON_Y1 + k];
  assert_close(sum, 40 * (-p[0] * y1 + p[1] * y2 * y3), 1e-8, 0);
}

TEST(gradients_meet_the_reference)
{
  const double times[] = {0.4, 40, 4e3, 4e5};
  for (int i = 0; i < 4; i++) {
    double value[ROBERTSON_RESULTS], exact[ROBERTSON_RESULTS * P];
    robertson_reference(times[i], value, exact);
    for (int k = 0; k < 2; k++) {
      double psi[ROBERTSON_RESULTS], gradient[ROBERTSON_RESULTS * P];
      const run_setup setup = {&gradyn_problem_robertson, sensitivity[k], .rtol = 1e-10,
                               .t_end = times[i]};
      assert_int_equal(run_gradient(&setup, NULL, psi, gradient), ROBERTSON_RESULTS);
      assert_close_array(psi, value, ROBERTSON_RESULTS, 1e-7, 0);
      assert_close_array(gradient, exact, ROBERTSON_RESULTS * P, 1e-6, 0);
    }
  }
}

/* One line of the published table: "t,quantity,value,p1,p2,p3". */
typedef struct published {
  double t, value, derivative[P];
  char quantity[16];
} published;

/* Reads the next row; false at the end. */
static bool next_row(FILE *file, published *row)
{
  char line[256];
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "%lf,%15[^,],%lf,%lf,%lf,%lf", &row->t, row->quantity, &row->value,
               &row->derivative[0], &row->derivative[1], &row->derivative[2]) == 6)
      return true;
  return false;
}

typedef struct answer {
  double psi[ROBERTSON_RESULTS], gradient[ROBERTSON_RESULTS * P];
} answer;

/* five digits are printed; late states are below the absolute tolerances of the published run */
static void check_row(const published *row, const answer *a)
{
  const double tolerance = row->t > 4e6 && row->quantity[0] == 'y' ? 0.015 : 1e-4;
  run_local *evaluator = run_with(&gradyn_problem_robertson, .t_end = row->t);
  size_t f = run_functional(evaluator, row->quantity);
  if (!isnan(row->value))
    assert_close(a->psi[f], row->value, tolerance, 0);
  assert_close_array(a->gradient + P * f, row->derivative, P, tolerance, 0);
}

/* Rows with the same time follow each other. */
TEST(gradients_meet_the_published_ones)
{
  FILE *file = fopen(GRADYN_SOURCE_DIR "/tests/reference/robertson_published.csv", "r");
  published row;
  answer found[2];
  int rows = 0;
  double t = 0;
  assert_non_null(file);
  for (; next_row(file, &row); rows++)
    for (int k = 0; k < 2; k++) {
      const run_setup setup = {&gradyn_problem_robertson, sensitivity[k], .t_end = row.t};
      if (row.t != t)
        run_gradient(&setup, NULL, found[k].psi, found[k].gradient);
      check_row(&row, &found[k]);
      t = k == 1 ? row.t : t;
    }
  fclose(file);
  assert_int_equal(rows, 38);
}
