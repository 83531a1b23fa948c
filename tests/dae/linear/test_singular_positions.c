/* Methods with variable steps report every singular position that they pass, and no position that is only
 * near a singular one. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

#include "problems/builtin.h"

/* The methods, with steps from short to long; order 0: their own. */
static const struct {
  const char *name;
  int order;
} methods[] = {{"idas", 0}, {"explicit", 5}, {"explicit", 8}, {"auto", 0}};

enum { METHODS = sizeof methods / sizeof *methods };

static gradyn_status evaluate(const gradyn_problem *problem, int method, double rtol,
                              const gradyn_setting_choice *choice, const char *sensitivity,
                              double *psi, char *message)
{
  run_local *ev;
  double rho[8], gradient[16];
  gradyn_options options = run_options(problem);
  options.method = method < METHODS ? methods[method].name : "ali3p";
  options.order = method < METHODS ? methods[method].order : 0;
  options.rtol = rtol;
  options.step = rtol > 0 ? 0 : 1e-4;
  if (sensitivity)
    options.sensitivity = sensitivity;
  gradyn_status status = gradyn_evaluator_create(problem, &options, choice, choice ? 1 : 0, &ev);
  assert_run(status, ev);
  assert_in_range(gradyn_parameter_count(ev), 0, 8);
  run_initial(ev, rho);
  status = sensitivity ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                       : gradyn_evaluator_simulate(ev, rho, psi, NULL);
  snprintf(message, 512, "%s", gradyn_evaluator_message(ev));
  return status;
}

/* Loops of equal rods become flat at the same time after some 0.7 s, so that the rank decreases by one, two
 * or three at once. */
TEST(a_passed_singular_position_is_reported)
{
  char message[512];
  double psi[2];
  for (int k = 0; k < METHODS; k++)
    for (int loops = 1; loops <= 3; loops++)
      for (double rtol = methods[k].order > 0 ? 1e-4 : 1e-6; rtol > 5e-12; rtol /= 10) {
        const gradyn_setting_choice choice = {"loops", loops};
        assert_status(
            evaluate(&gradyn_problem_four_bar_chain, k, rtol, &choice, NULL, psi, message),
            GRADYN_SINGULAR, message);
        assert_says(message, "singular position");
        assert_says(message, "t = 0.7");
      }
}

TEST(gradients_end_there_too)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  char message[512];
  double psi[2];
  for (int k = 0; k < 2 * METHODS; k++) {
    const gradyn_setting_choice choice = {"loops", 2};
    assert_status(evaluate(&gradyn_problem_four_bar_chain, k / 2, 1e-8, &choice, sensitivity[k % 2],
                           psi, message),
                  GRADYN_SINGULAR, message);
    assert_says(message, "coupler");
  }
}

/* On the way to a singular position, tight tolerances shorten the steps without limit; this is reported,
 * too. */
TEST(a_run_that_creeps_towards_one_is_reported)
{
  static const int loops[] = {4, 8};
  for (int k = 0; k < 4; k++) {
    char message[512];
    double psi[2];
    const gradyn_setting_choice choice = {"loops", loops[k / 2]};
    assert_status(evaluate(&gradyn_problem_four_bar_chain, 1, k % 2 ? 1e-10 : 1e-12, &choice, NULL,
                           psi, message),
                  GRADYN_SINGULAR, message);
    assert_says(message, "coupler");
    assert_says(message, "t = 0.71");
  }
}

/* y' = -sign(y), which has no solution beyond y = 0. */
FORMULA(chatter, at->yp[0] + (creal(at->y[0]) > 0 ? 1 : -1))

static gradyn_status build_chatter(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(m, "y", "", 0.25);
  declare_equations(m, chatter, NULL, 0);
  gradyn_end_time(m, 1);
  return gradyn_build_status(m);
}

TEST(a_run_that_creeps_elsewhere_is_reported)
{
  static const gradyn_problem chattering = {GRADYN_PROBLEM_SIZES, .name = "chatter",
                                            .build = build_chatter, .t_end = 1};
  for (int method = 1; method <= 2; method++) {
    char message[512];
    double psi;
    assert_status(evaluate(&chattering, method, 1e-12, NULL, NULL, &psi, message),
                  GRADYN_NOT_CONVERGED, message);
    assert_says(message, "t = 0.25");
  }
}

/* --- near one ----------------------------------------------------------------------------------- */

static double size = 1; /* m, of crank, rocker and ground */
static double longer;   /* relative excess of the coupler's length */
static double unit;     /* factor of user-defined constraints; 0: rods are used instead */
/* user-defined constraints for all three rods, with point masses; otherwise for the coupler only */
static bool all;

/* Constraint unit (|b - a|^2 - L^2)/2 and its time derivatives. */
static gradyn_status keep_length(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const double L = *(const double *)at->user;
  gradyn_scalar sum = order == 0 ? -L * L / 2 : 0;
  for (int k = 0; k < 2; k++) {
    gradyn_scalar d = at->pos[2 + k] - at->pos[k];
    gradyn_scalar rate = order > 0 ? at->vel[2 + k] - at->vel[k] : 0;
    sum += order == 0 ? d * d / 2 : order == 1 ? d * rate : rate * rate;
    sum += order == 2 ? d * (at->acc[2 + k] - at->acc[k]) : 0;
  }
  *value = unit * sum;
  return GRADYN_OK;
}

static void add_bar(gradyn_model *m, const char *name, int from, int to, double *length, bool own)
{
  if (own)
    gradyn_custom_constraint(m, &(gradyn_custom_constraint_spec){.name = name,
                                                                 .points = (int[]){from, to},
                                                                 .point_count = 2,
                                                                 .fn = keep_length,
                                                                 .user = length});
  else
    gradyn_rod(m, &(gradyn_rod_spec){name, from, to, .length = *length, .mass = 1});
}

static gradyn_status four_bar(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  static double l, coupler;
  l = size;
  coupler = size * (1 + longer);
  int A = gradyn_ground_point(m, "A", 0, 0), B = gradyn_ground_point(m, "B", l, 0);
  int a = gradyn_point(m, "a", 0, l), b = gradyn_point(m, "b", coupler, l);
  gradyn_initial_velocity(m, a, l, 0);
  if (all) {
    gradyn_point_mass(m, "at a", a, 1);
    gradyn_point_mass(m, "at b", b, 1);
  }
  add_bar(m, "crank", A, a, &l, all);
  add_bar(m, "coupler", a, b, &coupler, unit > 0);
  add_bar(m, "rocker", B, b, &l, all);
  gradyn_gravity(m, 0, -9.81 * l);
  gradyn_functional(
      m, &(gradyn_functional_spec){"psi", gradyn_measure_point(m, "", a, 0, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, l}});
  return gradyn_build_status(m);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "four_bar", .build = four_bar,
                                       .t_end = 1.2};

TEST(nearness_is_no_singular_position)
{
  static const double lengths[] = {0.1, 0.03, 0.01, 0.003, 0.001};
  for (int k = 0; k < 5; k++)
    for (double rtol = 1e-6; rtol > 5e-11; rtol /= 100) {
      char message[512];
      double psi, expected;
      longer = lengths[k];
      gradyn_status status = evaluate(&problem, METHODS, 0, NULL, NULL, &expected, message);
      assert_ok(status, message);
      for (int method = 0; method < METHODS; method++) {
        status = evaluate(&problem, method, rtol, NULL, NULL, &psi, message);
        assert_ok(status, message);
        assert_close(psi, expected, 1e-3, 0);
      }
    }
}

/* The same motion in micrometres and in kilometres, and with constraints in any unit. */
TEST(sizes_do_not_matter)
{
  static const struct {
    double size, unit;
    bool all;
    int like; /* index of the case with the same motion */
  } cases[] = {{1, 1, false, 0},   {1e-6, 1, false, 0}, {1e3, 1, false, 0}, {1, 1e-7, false, 0},
               {1, 1e7, false, 0}, {1, 1, true, 5},     {1, 1e-7, true, 5}, {1, 1e7, true, 5}};
  for (int method = 0; method < METHODS; method++) {
    double psi[GRADYN_COUNT(cases)];
    for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
      char message[512];
      longer = 0.001;
      size = cases[k].size;
      unit = cases[k].unit;
      all = cases[k].all;
      gradyn_status status = evaluate(&problem, method, 1e-8, NULL, NULL, &psi[k], message);
      assert_ok(status, message);
      assert_close(psi[k], psi[cases[k].like] * size * size, 1e-3, 0);
      longer = 0;
      double passed;
      status = evaluate(&problem, method, 1e-8, NULL, NULL, &passed, message);
      if (unit == 1 || all)
        assert_status(status, GRADYN_SINGULAR, message);
      else /* constraints with a small factor may end the run earlier, because of short steps */
        assert_true(status == GRADYN_SINGULAR || status == GRADYN_NOT_CONVERGED);
    }
  }
  size = 1;
  unit = 0;
  all = false;
}
