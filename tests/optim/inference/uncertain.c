/* Functionals of uncertain parameters with moments in closed form. */
#include "tests/optim/inference/uncertain.h"

#include <complex.h>

#include "tests/declare.h"
#include "tests/optim/journals.h"

static gradyn_status slopes(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < at->states; i++)
    F[i] = at->yp[i] - at->data[i];
  return creal(at->data[2]) > 0 && at->user ? GRADYN_CALLBACK : GRADYN_OK;
}

/* 1 + g y + y^T H y/2 */
static const double g[SUMS_N] = {2, -1, 3},
                    H[SUMS_N][SUMS_N] = {{1, -0.7, 0}, {-0.7, -0.4, 0.9}, {0, 0.9, 2.2}};

static gradyn_status quadratic(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 1;
  for (int i = 0; i < SUMS_N; i++) {
    *value += g[i] * at->y[i];
    for (int j = 0; j < SUMS_N; j++)
      *value += H[i][j] * at->y[i] * at->y[j] / 2;
  }
  return GRADYN_OK;
}

FORMULA(linear, at->y[0] - 2 * at->y[1] + 4 * at->y[2])

static void declare_uncertain(gradyn_model *model, int fault, gradyn_scalar p)
{
  const double spread = fault == SUMS_NO_SPREAD ? 0 : fault == SUMS_NAN ? (double)NAN : 0.1;
  gradyn_uncertain(model, fault == SUMS_UNKNOWN ? "pp" : "p",
                   fault == SUMS_KIND ? (gradyn_distribution)7 : GRADYN_NORMAL, spread);
  gradyn_uncertain(model, "b", GRADYN_NORMAL, 0.2 * p);
  gradyn_uncertain(model, fault == SUMS_TWICE ? "b" : "c", GRADYN_UNIFORM, 0.5);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static char steep;
  const int fault = gradyn_setting_value(model, "fault");
  for (int i = 0; i < SUMS_N; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "m", 0);
  if (fault != SUMS_NONE)
    declare_uncertain(model, fault, rho[0]);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = slopes,
                                            .user = fault == SUMS_STEEP ? &steep : NULL,
                                            .data = (gradyn_datum[]){{"a", "m/s", rho[0] + 0.5},
                                                                     {"b", "m/s", 0.3},
                                                                     {"c", "m/s", rho[1]}},
                                            .data_count = SUMS_N});
  gradyn_minimise(model, declare_end(model, "quadratic", "m", quadratic), 1);
  declare_end(model, "linear", "m", linear);
  return gradyn_build_status(model);
}

static const gradyn_param params[SUMS_P] = {{"p", "m/s", .init = 1, .lower = 0, .upper = 5},
                                            {"q", "m/s", .init = -0.4, .lower = -5, .upper = 5}};
static const gradyn_setting settings[] = {{"fault", "", 0, 0, SUMS_STEEP}};
const gradyn_problem uncertain_sums = PROBLEM("sums", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1, .rtol = 1e-12,
                                              .atol = 1e-12);

gradyn_moments uncertain_second(int functional)
{
  static const double
      y[SUMS_N] = {1.5, 0.3, -0.4},
      v[SUMS_N] = {0.01, 0.04, 0.25 / 3},
      /* fourth moments: 3 v^2 for a normal variable, w^4/5 for a uniform one on +-w */
      w[SUMS_N] = {0.0003, 0.0048, 0.0625 / 5}, steep[SUMS_N] = {1, -2, 4};
  gradyn_moments m = {functional == QUADRATIC ? 1 : 0, 0, 0, 0};
  for (int i = 0; i < SUMS_N; i++) {
    double slope = functional == QUADRATIC ? g[i] : steep[i];
    m.mean += slope * y[i];
    for (int j = 0; j < SUMS_N && functional == QUADRATIC; j++) {
      slope += H[i][j] * y[j];
      m.mean += H[i][j] * (y[i] * y[j] + (i == j ? v[i] : 0)) / 2;
      m.variance += i == j ? H[i][i] * H[i][i] * (w[i] - v[i] * v[i]) / 4
                           : H[i][j] * H[i][j] * v[i] * v[j] / 2;
    }
    m.variance += slope * slope * v[i];
  }
  return m;
}

gradyn_status uncertain_compute(gradyn_evaluator *ev, gradyn_uncertainty_spec spec,
                                gradyn_uncertainty *out)
{
  double rho[16];
  char *folder = journal_folder();
  (void)run_initial(ev, rho);
  spec.folder = folder;
  spec.durability = GRADYN_DURABLE_NEVER;
  const gradyn_status status = gradyn_uncertainty_compute(ev, &spec, rho, out);
  journal_sweep_up(folder);
  return status;
}

void uncertain_equal(const gradyn_uncertainty *a, const gradyn_uncertainty *b)
{
  const size_t f = a->functionals, n = a->count;
  assert_int_equal(b->functionals, f);
  assert_int_equal(b->count, n);
  assert_memory_equal(a->value, b->value, f * sizeof *a->value);
  assert_memory_equal(a->change, b->change, f * n * sizeof *a->change);
  for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++)
    assert_memory_equal(a->moments[kind], b->moments[kind], f * sizeof *a->moments[kind]);
  assert_memory_equal(a->main_index, b->main_index, f * n * sizeof *a->main_index);
  assert_memory_equal(a->total_index, b->total_index, f * n * sizeof *a->total_index);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->failed, b->failed);
  assert_string_equal(a->failure, b->failure);
}
