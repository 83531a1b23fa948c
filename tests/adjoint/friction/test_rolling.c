/* Nonholonomic constraints: a skate with a known motion, and a trailer in space, by all methods that
 * support them, with derivatives with respect to all data. */
#include "tests/adjoint/checked.h"
#include "tests/adjoint/compare.h"
#include "tests/adjoint/friction/rolling_models.h"
#include "tests/runs.h"

static const char *const ways[] = {"direct", "adjoint"};

/* A skate and its formulas. */
static const struct {
  const gradyn_problem *problem;
  support_formula formula;
} skate[] = {{&skate_free, skate_free_formula}, {&skate_driven, skate_driven_formula}};

static gradyn_problem in_joint_coordinates(const gradyn_problem *problem)
{
  gradyn_problem joint = *problem;
  joint.coordinates = "joint";
  return joint;
}

/* Methods with error control, and the accuracy of their values and gradients. */
static const struct {
  const char *name;
  double rtol, values, slopes;
} method[] = {
    {"explicit", 1e-12, 1e-10, 1e-9}, {"radau", 1e-10, 1e-8, 1e-7}, {"idas", 1e-11, 1e-7, 1e-6}};

TEST(a_skate_moves_by_formulas)
{
  enum { F = SKATE_FUNCTIONALS, P = SKATE_PARAMETERS };
  double rho[P], psi[F], gradient[F * P], value[F], slope[F * P];
  for (size_t k = 0; k < 5 * GRADYN_COUNT(method); k++) {
    const size_t of = k / 5, way = k % 5 % 2, i = k % 5 / 2 != 0;
    if (!support_takes((int)(k + 2 * of), 3))
      continue;
    const gradyn_problem joint = in_joint_coordinates(skate[i].problem); /* the fifth */
    run_local *ev = run_with(k % 5 == 4 ? &joint : skate[i].problem, ways[way], method[of].name,
                             .rtol = method[of].rtol, .atol = 0.1 * method[of].rtol);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    support_complex_step(skate[i].formula, rho, P, F, value, slope);
    assert_close_array(psi, value, F, method[of].values, method[of].values);
    assert_close_array(gradient, slope, F * P, method[of].slopes, method[of].slopes);
  }
}

/* The method ali3p, whose errors are of second order in the step. */
static const struct {
  const char *name;
  double parameter;
} integrator[] = {{"trapezoidal", 0}, {"hht", -0.1}, {"generalised-alpha", 0.8}};

TEST(ali3p_is_of_second_order)
{
  enum { F = SKATE_FUNCTIONALS, P = SKATE_PARAMETERS, N = F * (1 + P) };
  double rho[P], out[2][N], exact[N];
  for (size_t k = 0; k < GRADYN_COUNT(integrator); k++) {
    for (int half = 0; half < 2; half++) {
      run_local *ev = run_with(skate[k % 2].problem, ways[half], "ali3p", integrator[k].name,
                               integrator[k].parameter, .step = half ? 1e-3 : 2e-3);
      run_initial(ev, rho);
      assert_run(gradyn_evaluator_gradient(ev, rho, out[half], out[half] + F), ev);
    }
    support_complex_step(skate[k % 2].formula, rho, P, F, exact, exact + F);
    /* error that remains after Richardson extrapolation of the second order */
    for (int f = 0; f < F; f++) {
      double most = 0;
      for (int pass = 0; pass < 2; pass++)
        for (int j = -1; j < P; j++) {
          const int i = j < 0 ? f : F + f * P + j;
          const double change = fabs(out[1][i] - out[0][i]);
          if (pass == 0)
            most = fmax(most, change);
          else
            assert_close((4 * out[1][i] - out[0][i]) / 3, exact[i], 0, 0.03 * change + 1e-3 * most);
        }
    }
  }
}

/* With equal steps, direct and adjoint are the same discrete derivative. */
THOROUGH_TEST(direct_equals_adjoint_by_all_data)
{
  static const struct {
    run_setup setup;
    double bound;
  } rows[] = {{{&skate_driven, .method = "explicit", .rtol = 1e-9}, 1e-10},
              {{&rolling_trail, .method = "explicit", .rtol = 1e-9}, 1e-10},
              {{&rolling_trail, .method = "radau", .rtol = 1e-9}, 1e-10},
              {{&skate_driven, .method = "idas", .rtol = 1e-11}, 1e-6},
              {{&skate_driven, .method = "ali3p"}, 1e-10},
              {{&rolling_trail, .method = "ali3p"}, 1e-10}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++)
    if (support_takes((int)k, 2))
      compare_routes(&rows[k].setup, NULL, rows[k].bound);
}

/* Joint coordinates give the same motion; direct and adjoint agree with the derivative of their steps. */
TEST(joint_coordinates_support_them)
{
  enum { N = TRAIL_FUNCTIONALS * TRAIL_PARAMETERS };
  static const struct {
    const char *method;
    /* tolerances; values 0: the steps are too long for a comparison with closed forms */
    double rtol, values, slopes, bound;
  } by[] = {{"explicit", 1e-11, 1e-9, 1e-9, 1e-10},
            {"radau", 1e-9, 1e-7, 1e-7, 1e-9},
            {"idas", 1e-9, 1e-6, 1e-5, 1e-5},
            {"ali3p", 0, 0, 0, 1e-10}};
  const gradyn_problem joint = in_joint_coordinates(&rolling_trail);
  double rho[TRAIL_PARAMETERS], psi[2][TRAIL_FUNCTIONALS], gradient[2][N];
  for (size_t k = 0; k < GRADYN_COUNT(by); k++) {
    if (!support_takes((int)k + 1, 4))
      continue;
    for (int i = 0; i < 2 && by[k].values > 0; i++) {
      run_local *ev = run_with(i ? &joint : &rolling_trail, "adjoint",
                               i ? by[k].method : "explicit", .rtol = i ? by[k].rtol : 1e-11);
      run_initial(ev, rho);
      assert_run(gradyn_evaluator_gradient(ev, rho, psi[i], gradient[i]), ev);
    }
    for (int f = 0; f < TRAIL_FUNCTIONALS * (1 + TRAIL_PARAMETERS) && by[k].values > 0; f++)
      if (f < TRAIL_FUNCTIONALS)
        assert_close(psi[1][f], psi[0][f], by[k].values, by[k].values);
      else
        assert_close(gradient[1][f - TRAIL_FUNCTIONALS], gradient[0][f - TRAIL_FUNCTIONALS],
                     by[k].slopes, by[k].slopes);
    compare_routes(&(run_setup){&joint, .method = by[k].method, .rtol = 1e-9}, NULL, by[k].bound);
  }
}

TEST(gradients_are_those_of_differences)
{
  double rho[TRAIL_PARAMETERS], atol[TRAIL_FUNCTIONALS];
  for (int f = 0; f < TRAIL_FUNCTIONALS; f++)
    atol[f] = 1e-8;
  run_local *ev = run_with(&rolling_trail, "adjoint", "explicit", .rtol = 1e-12);
  run_initial(ev, rho);
  compare_with_differences(ev, rho, &(compare_allowed){5e-3, .rtol = 1e-8, .atol = atol});
}

/* A knife edge takes impulses when it touches the ground and when it hits a wall. */
TEST(impacts_are_differentiated)
{
  static const char *const by[] = {"explicit", "radau", "ali3p"};
  double rho[HITS_PARAMETERS], atol[HITS_FUNCTIONALS];
  for (size_t k = 0; k < GRADYN_COUNT(by); k++)
    compare_routes(&(run_setup){&rolling_hits, .method = by[k], .rtol = 1e-9}, NULL, 1e-9);
  compare_routes(&(run_setup){&rolling_hits, .method = "idas", .rtol = 1e-10}, NULL, 1e-4);
  for (int f = 0; f < HITS_FUNCTIONALS; f++)
    atol[f] = 1e-8;
  run_local *ev = run_with(&rolling_hits, "adjoint", "explicit", .rtol = 1e-12);
  run_initial(ev, rho);
  compare_with_differences(ev, rho, &(compare_allowed){2e-3, .rtol = 1e-7, .atol = atol});
  assert_int_equal(gradyn_evaluator_model_info(ev).events, 2);
}

/* Checks each block of each element with respect to each of its numbers. */
TEST(all_blocks_are_derivatives)
{
  checked c;
  checked_problem(&skate_driven, "explicit", false, &c);
  if (!support_thorough())
    skip();
  checked_problem(&rolling_trail, "explicit", false, &c);
  assert_non_null(checked_find(&c, "rolling constraint: each separately", NULL));
}
