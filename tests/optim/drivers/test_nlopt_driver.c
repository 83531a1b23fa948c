/* Arguments of NLopt: the algorithm, and results for accepted and rejected points. The program replaces
 * NLopt by functions that minimise nothing: they store their arguments and request two points. */
#include <nlopt.h>

#include "tests/optim/synthetic.h"

/* Replacement of NLopt's optimiser. */
struct nlopt_opt_s {
  nlopt_algorithm algorithm;
  unsigned n, equal_count, below_count;
  nlopt_func objective;
  nlopt_mfunc equal, below;
  void *objective_data, *equal_data, *below_data;
};

enum { MOST = 8 };
static struct {
  nlopt_algorithm outer, nested; /* algorithms of the last optimiser; nested -1: none */
  double f[2], c[2][MOST];       /* at an accepted and at a rejected point; equalities first */
  double f_x[2][MOST], c_x[2][MOST * MOST];
  double tolerance[MOST]; /* of the constraints */
  unsigned rows;
} heard;

nlopt_opt nlopt_create(nlopt_algorithm algorithm, unsigned n)
{
  nlopt_opt opt = calloc(1, sizeof *opt);
  if (opt != NULL)
    *opt = (struct nlopt_opt_s){.algorithm = algorithm, .n = n};
  return opt;
}

void nlopt_destroy(nlopt_opt opt)
{
  free(opt);
}

nlopt_result nlopt_set_min_objective(nlopt_opt opt, nlopt_func f, void *data)
{
  opt->objective = f;
  opt->objective_data = data;
  return NLOPT_SUCCESS;
}

nlopt_result nlopt_add_equality_mconstraint(nlopt_opt opt, unsigned m, nlopt_mfunc f, void *data,
                                            const double *tolerance)
{
  memcpy(heard.tolerance, tolerance, m * sizeof *tolerance);
  opt->equal_count = m;
  opt->equal = f;
  opt->equal_data = data;
  return NLOPT_SUCCESS;
}

nlopt_result nlopt_add_inequality_mconstraint(nlopt_opt opt, unsigned m, nlopt_mfunc f, void *data,
                                              const double *tolerance)
{
  memcpy(heard.tolerance + opt->equal_count, tolerance, m * sizeof *tolerance);
  opt->below_count = m;
  opt->below = f;
  opt->below_data = data;
  return NLOPT_SUCCESS;
}

nlopt_result nlopt_set_local_optimizer(nlopt_opt opt, const nlopt_opt nested)
{
  (void)opt;
  heard.nested = nested->algorithm;
  return NLOPT_SUCCESS;
}

nlopt_result nlopt_optimize(nlopt_opt opt, double *x, double *f)
{
  *f = 0;
  if (opt->n < 2) { /* the library tests on x^2 whether the algorithm exists */
    double slope = -7;
    assert_close(opt->objective(1, x, &slope, opt->objective_data), x[0] * x[0], 1e-15, 0);
    assert_close(slope, 2 * x[0], 1e-15, 0);
    assert_close(opt->objective(1, x, NULL, opt->objective_data), x[0] * x[0], 1e-15, 0);
    return NLOPT_SUCCESS;
  }
  heard.outer = opt->algorithm;
  heard.rows = opt->equal_count + opt->below_count;
  for (int bad = 0; bad < 2; bad++) {
    x[0] = bad ? 4 : 1.5;
    /* what is not written shows */
    for (unsigned i = 0; i < MOST * MOST; i++)
      heard.c_x[bad][i] = heard.c[bad][i % MOST] = heard.f_x[bad][i % MOST] = -7;
    heard.f[bad] = opt->objective(opt->n, x, heard.f_x[bad], opt->objective_data);
    if (opt->equal)
      opt->equal(opt->equal_count, heard.c[bad], opt->n, x, heard.c_x[bad], opt->equal_data);
    if (opt->below)
      opt->below(opt->below_count, heard.c[bad] + opt->equal_count, opt->n, x,
                 heard.c_x[bad] + opt->equal_count * opt->n, opt->below_data);
  }
  return NLOPT_ROUNDOFF_LIMITED;
}

#define ACCEPT(name, ...)                                                                          \
  nlopt_result name(nlopt_opt opt, __VA_ARGS__)                                                    \
  {                                                                                                \
    (void)opt, (void)value;                                                                        \
    return NLOPT_SUCCESS;                                                                          \
  }
ACCEPT(nlopt_set_maxeval, int value)
ACCEPT(nlopt_set_lower_bounds, const double *value)
ACCEPT(nlopt_set_upper_bounds, const double *value)
ACCEPT(nlopt_set_ftol_rel, double value)
ACCEPT(nlopt_set_xtol_abs1, double value)
ACCEPT(nlopt_set_vector_storage, unsigned value)
nlopt_result nlopt_force_stop(nlopt_opt opt)
{
  (void)opt;
  return NLOPT_SUCCESS;
}

/* f0 = x0 x1, f1 = x0 + 2 x1 and f2 = x0 x0; the evaluation fails for x0 > 3 */
static gradyn_status walled(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  if (x[0] > 3)
    return GRADYN_NOT_CONVERGED;
  const double values[3] = {x[0] * x[1], x[0] + 2 * x[1], x[0] * x[0]};
  const double slopes[6] = {x[1], x[0], 1, 2, 2 * x[0], 0};
  memcpy(psi, values, problem->m * sizeof *psi);
  memcpy(gradient, slopes, problem->m * problem->n * sizeof *gradient);
  return GRADYN_OK;
}

static gradyn_search_result search(synthetic *problem, const char *algorithm, bool scaled)
{
  const double x0[2] = {1.2, 2};
  gradyn_search how = synthetic_search(algorithm);
  gradyn_search_result result;
  how.no_scaling = !scaled; /* functions arrive as they are */
  heard.nested = (nlopt_algorithm)-1;
  (void)synthetic_run(problem, &how, x0, &result);
  return result;
}

TEST(the_algorithm_that_was_named_runs)
{
  static const struct {
    const char *name;
    nlopt_algorithm free, equal, nested; /* without and with an equality */
  } expected[] = {
      {"lbfgs", NLOPT_LD_LBFGS, NLOPT_AUGLAG, NLOPT_LD_LBFGS},
      {"slsqp", NLOPT_LD_SLSQP, NLOPT_LD_SLSQP, (nlopt_algorithm)-1},
      {"mma", NLOPT_LD_MMA, NLOPT_AUGLAG, NLOPT_LD_MMA},
      {"ccsaq", NLOPT_LD_CCSAQ, NLOPT_AUGLAG, NLOPT_LD_CCSAQ},
      {"tnewton", NLOPT_LD_TNEWTON_PRECOND_RESTART, NLOPT_AUGLAG, NLOPT_LD_TNEWTON_PRECOND_RESTART},
      {"var2", NLOPT_LD_VAR2, NLOPT_AUGLAG, NLOPT_LD_VAR2},
      {"auglag", NLOPT_LD_LBFGS, NLOPT_AUGLAG, NLOPT_LD_LBFGS},
      {"auglag-slsqp", NLOPT_LD_SLSQP, NLOPT_AUGLAG, NLOPT_LD_SLSQP},
      {"auglag-mma", NLOPT_LD_MMA, NLOPT_AUGLAG, NLOPT_LD_MMA},
      {"auglag-ccsaq", NLOPT_LD_CCSAQ, NLOPT_AUGLAG, NLOPT_LD_CCSAQ},
      {"auglag-tnewton", NLOPT_LD_TNEWTON_PRECOND_RESTART, NLOPT_AUGLAG,
       NLOPT_LD_TNEWTON_PRECOND_RESTART},
      {"auglag-var2", NLOPT_LD_VAR2, NLOPT_AUGLAG, NLOPT_LD_VAR2},
      {"auglag-lbfgs", NLOPT_LD_LBFGS, NLOPT_AUGLAG, NLOPT_LD_LBFGS},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    synthetic problem = synthetic_make(2, -10, 10, 2, walled);
    LOCAL(gradyn_search_result) result = search(&problem, expected[i].name, false);
    assert_int_equal(heard.outer, expected[i].free);
    gradyn_search_result_clear(&result);
    synthetic_constrain(&problem, 1, GRADYN_EQUAL, 5);
    result = search(&problem, expected[i].name, false);
    assert_int_equal(heard.outer, expected[i].equal);
    assert_int_equal(heard.nested, expected[i].nested);
  }
}

/* At (1.5, 2) all values and gradients are exact. At (4, 2), which fails, the objective is infinite, and
 * every constraint is a large finite number with the gradient zero. */
TEST(accepted_and_rejected_points_have_results)
{
  synthetic problem = synthetic_make(2, -10, 10, 3, walled);
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 5);
  synthetic_constrain(&problem, 2, GRADYN_AT_LEAST, 1);
  LOCAL(gradyn_search_result) result = search(&problem, "slsqp", false);
  assert_int_equal(heard.rows, 2);
  assert_close(heard.f[0], 3, 1e-15, 0);
  const double c[2] = {0.5, 1 - 2.25}, f_x[2] = {2, 1.5}, c_x[4] = {1, 2, -3, 0};
  assert_close_array(heard.c[0], c, 2, 1e-15, 0);
  assert_close_array(heard.f_x[0], f_x, 2, 1e-15, 0);
  assert_close_array(heard.c_x[0], c_x, 4, 1e-15, 0);

  const double zero[4] = {0};
  assert_true(isinf(heard.f[1]) && heard.f[1] > 0);
  assert_close_array(heard.f_x[1], zero, 2, 0, 0);
  for (int i = 0; i < 2; i++)
    assert_true(heard.c[1][i] >= 1e6 && isfinite(heard.c[1][i]));
  assert_close_array(heard.c_x[1], zero, 4, 0, 0);
  assert_true(result.rejected > 0);
}

/* NLopt receives half of each tolerance, scaled by the power of two near the slope of its constraint. */
TEST(tolerances_are_scaled_with_their_rows)
{
  synthetic problem = synthetic_make(2, -10, 10, 3, walled);
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 5);
  synthetic_constrain(&problem, 2, GRADYN_AT_LEAST, 1);
  problem.parameters[0].scale = problem.parameters[1].scale = 1;
  for (int scaled = 0; scaled < 2; scaled++) {
    LOCAL(gradyn_search_result) result = search(&problem, "slsqp", scaled);
    const double factor[2] = {heard.c_x[0][0], heard.c_x[0][2] / -3};
    for (int i = 0; i < 2; i++) {
      assert_close(factor[i], scaled ? 0.5 : 1, 0, 0);
      assert_close(heard.tolerance[i], 0.5 * factor[i] * 1e-8, 1e-15, 0);
    }
  }
}
