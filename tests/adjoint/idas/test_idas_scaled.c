/* Gradients of idas scale with their functional: psi times S gives the gradient times S, for any S and any
 * unit of the states, alone or with other functionals. */
#include "tests/runs.h"
#include "tests/declare.h"

#include "problems/builtin.h"

enum { FUNCTIONALS = 3, PARAMETERS = 2 };

/* Unit of length, size of the functional, and whether there are other functionals. */
typedef struct scaling {
  int length, functional; /* powers of ten */
  bool alone;
} scaling;

static gradyn_setting settings[] = {
    {"length", "", 0, -300, 300}, {"functional", "", 0, -300, 300}, {"alone", "", 0, 0, 1}};

/* integral over time of scale (y - reference)^2, and the same at the end */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar y = at->pos ? at->pos[4] : at->y[0];
  *value = at->data[0] * (y - at->data[1]) * (y - at->data[1]);
  return GRADYN_OK;
}

FORMULA(last, at->data[0] * (at->pos ? at->pos[4] : at->y[0]))

static void functionals(gradyn_model *m, double length, double reference)
{
  double scale = pow(10, gradyn_setting_value(m, "functional"));
  gradyn_datum data[] = {{"scale", "", scale / (length * length)},
                         {"reference", "m", reference * length}};
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"psi", "", .integrand = height,
                                                               .data = data, .data_count = 2});
  if (gradyn_setting_value(m, "alone") > 0)
    return;
  gradyn_datum one = {"scale", "", 1 / length}, large = {"scale", "", 1e6 / length};
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"last", "", .terminal = last,
                                                               .data = &one, .data_count = 1});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"large", "", .terminal = last,
                                                               .data = &large, .data_count = 1});
}

/* A pendulum of 1 m; only its functional is scaled. */
static gradyn_status pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(m, "O", 0, 0), bob = gradyn_point(m, "bob", rho[0], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", O, bob, .length = rho[0], .mass = 1});
  gradyn_gravity(m, 0, -9.81 * rho[1]);
  functionals(m, 1, 0.5);
  return gradyn_build_status(m);
}

static gradyn_status swinging(const gradyn_at *at, gradyn_scalar F[])
{
  gradyn_scalar L = at->data[1], k = at->data[0] / (L * L);
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] + 10 * at->y[0] + k * at->y[0] * at->y[0] * at->y[0];
  return GRADYN_OK;
}

/* An oscillator with a hardening spring, in small or large units of length. */
static gradyn_status oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  double length = pow(10, gradyn_setting_value(m, "length"));
  gradyn_state(m, "x", "length", rho[0] * length);
  gradyn_state(m, "v", "length/s", 0);
  gradyn_datum data[] = {{"k", "1/s^2", rho[1]}, {"L", "length", length}};
  declare_equations(m, swinging, data, 2);
  functionals(m, length, 0.5);
  return gradyn_build_status(m);
}

/* Gradient of the first functional divided by its scale. */
static void gradient_of(gradyn_build_fn build, const char *sensitivity, double rtol, scaling s,
                        double gradient[PARAMETERS])
{
  static const gradyn_param params[] = {{"L", "m", .init = 1, GRADYN_UNBOUNDED},
                                        {"g", "", .init = 1, GRADYN_UNBOUNDED}};
  const gradyn_problem problem = PROBLEM("scaled", build, params, .settings = settings,
                                         .setting_count = 3, .t_end = 2);
  const gradyn_setting_choice choice[] = {
      {"length", s.length}, {"functional", s.functional}, {"alone", s.alone ? 1 : 0}};
  double psi[FUNCTIONALS], all[FUNCTIONALS * PARAMETERS];
  const double rho[PARAMETERS] = {1, 1};
  run_local *ev = run_with(&problem, .method = "idas", .sensitivity = sensitivity, .rtol = rtol,
                           .settings = choice, .setting_count = 3);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, all), ev);
  for (int j = 0; j < PARAMETERS; j++)
    gradient[j] = all[j] / pow(10, s.functional);
}

static void gradients_scale(gradyn_build_fn build, const int *lengths, int count)
{
  double exact[PARAMETERS], gradient[PARAMETERS];
  gradient_of(build, "direct", 1e-11, (scaling){0, 0, true}, exact);
  for (int k = 0; k < count; k++)
    for (int digits = -12; digits <= 12; digits += 3)
      for (int alone = 0; alone < 2; alone++) {
        if (!support_takes(k + digits / 3 + alone, 5))
          continue;
        gradient_of(build, "adjoint", 1e-8, (scaling){lengths[k], digits, alone > 0}, gradient);
        assert_close_array(gradient, exact, PARAMETERS, 2e-5, 0);
      }
}

TEST(gradients_scale_with_the_functional)
{
  gradients_scale(pendulum, (int[]){0}, 1);
}

TEST(gradients_do_not_depend_on_the_unit_of_states)
{
  gradients_scale(oscillator, (int[]){-9, -3, 0, 3, 6}, 5);
}

/* The functional is 5e-10, and the adjoints of the stiff beam have very different sizes. */
THOROUGH_TEST(a_small_functional_of_a_stiff_beam)
{
  const gradyn_problem *problem = &gradyn_problem_rigid_spring_beam;
  double psi[2], gradient[2][4];
  static const char *const sensitivity[] = {"direct", "adjoint"};
  const double rho[] = {0.8, 0};
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(problem, .method = "idas", .sensitivity = sensitivity[k],
                             .t_end = support_thorough() ? 0.01 : 0.004, .rtol = 1e-8, .step = -1,
                             .setting = "elements", .value = 1);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[k]), ev);
  }
  double size = hypot(gradient[0][0], gradient[0][1]);
  assert_true(size > 0);
  assert_close_array(gradient[1], gradient[0], 2, 0, 3e-6 * size);
}

/* w' = p (1e-8 + 20 t cos 30 t) is nearly zero at the start, and later passes zero repeatedly. */
FORMULAS(awakening, at->yp[0] - at->data[0] * (1e-8 + 20 * at->t * cos(30 * at->t)),
         at->yp[1] + at->y[1] - at->y[0])

FORMULA(first_state, at->y[0])

static gradyn_status build_awakening(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum p = {"p", "", rho[0]};
  gradyn_state(m, "w", "", 0);
  gradyn_state(m, "z", "", 1);
  declare_equations(m, awakening, &p, 1);
  declare_integral(m, "psi", "", first_state);
  return gradyn_build_status(m);
}

/* If tolerances of integrals and sensitivities followed the sizes at the start, they would be below
 * round-off. */
TEST(states_may_outgrow_their_first_sizes)
{
  static const gradyn_param p = {"p", "", .init = 1, GRADYN_UNBOUNDED};
  static const gradyn_problem problem = {
      GRADYN_PROBLEM_SIZES, .name = "awakening",      .params = &p,
      .param_count = 1,     .build = build_awakening, .t_end = 2};
  static const char *const sensitivity[] = {"direct", "adjoint"};
  /* integral of w = 1e-8 t + 20 (t sin 30 t / 30 + (cos 30 t - 1)/900) */
  const double T = 2,
               expected = 0.5e-8 * T * T + 20 * ((sin(30 * T) / 900 - T * cos(30 * T) / 30) / 30 +
                                                 sin(30 * T) / 27000 - T / 900);
  for (int k = 0; k < 4; k++) {
    const double rtol = k < 2 ? 1e-8 : 1e-11;
    double psi, gradient;
    run_local *ev = run_with(&problem, sensitivity[k % 2], "idas", .rtol = rtol);
    assert_run(gradyn_evaluator_gradient(ev, &(double){1}, &psi, &gradient), ev);
    /* w reaches 1.3: the tolerance is about a hundred times that of the integral over 2 s */
    assert_close(psi, expected, 0, 260 * rtol);
    assert_close(gradient, expected, 0, 260 * rtol);
  }
}
