/* Tolerances that nobody gives fit models of any scale: mechanisms and equations that are the same but for
 * their units have the same values and gradients, relative to these. */
#include <math.h>

#include "tests/support.h"
#include <gradyn/gradyn.h>

enum { LENGTH, STIFFNESS, SPEED, PARAMETERS, FUNCTIONALS = 3 };

static const gradyn_param params[PARAMETERS] = {
    {"length", "", .init = 1}, {"stiffness", "", .init = 40}, {"speed", "", .init = 0.3}};

static const gradyn_setting settings[] = {
    {"metre", "binary digits of the unit of length", 0, -40, 40},
    {"second", "binary digits of the unit of time", 0, -40, 40},
    {"kilogram", "binary digits of the unit of mass", 0, -40, 40}};

/* Units of length, time and mass, as powers of two. */
typedef struct units {
  int metre, second, kilogram;
} units;

static double unit_of(gradyn_model *m, const char *setting)
{
  return ldexp(1, gradyn_setting_value(m, setting));
}

/* Two bars of different lengths and a spring from the end of the second to the ground, swinging; units are
 * those of the settings, and the numbers in them are those of a mechanism of one metre. */
static gradyn_status mechanism(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit_of(m, "metre"), T = unit_of(m, "second"), M = unit_of(m, "kilogram");
  const gradyn_scalar l = rho[LENGTH] * L;
  gradyn_end_time(m, 0.8 * T);
  int O = gradyn_ground_point(m, "O", 0, 0), A = gradyn_point(m, "A", l, 0);
  int B = gradyn_point(m, "B", l + 0.5 * L, 0), C = gradyn_ground_point(m, "C", 1.2 * L, 0.5 * L);
  gradyn_rod(m, &(gradyn_rod_spec){"OA", O, A, .length = l, .mass = M});
  gradyn_rod(m, &(gradyn_rod_spec){"AB", A, B, .length = 0.5 * L, .mass = 0.5 * M});
  gradyn_initial_velocity(m, A, 0, rho[SPEED] * L / T);
  gradyn_spring(m, &(gradyn_spring_spec){"s", B, C, .k = rho[STIFFNESS] * M / (T * T),
                                         .free_length = 0.3 * L});
  gradyn_gravity(m, 0, -9.81 * L / (T * T));
  gradyn_track_position(m, "track", A, 0.9 * L, -0.2 * L);
  gradyn_end_position(m, "x", B, GRADYN_X);
  gradyn_end_velocity(m, "v", B, GRADYN_Y);
  return gradyn_built(m);
}

/* x' = v, v' = -k x - x^3, and a state that starts at zero; each state in a unit of its own. */
static gradyn_status swinging(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar L = at->data[1], T = at->data[2], Z = at->data[3];
  const gradyn_scalar x = at->y[0] / L, v = at->y[1] * T / L;
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] * T * T / L + at->data[0] * x + x * x * x;
  F[2] = at->yp[2] * T / Z - v * v;
  return GRADYN_OK;
}

static gradyn_status tracking(const gradyn_at *at, gradyn_scalar *value)
{
  *value = (at->y[0] - 0.2 * at->data[0]) * (at->y[0] - 0.2 * at->data[0]);
  return GRADYN_OK;
}

static gradyn_status last_work(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[2];
  return GRADYN_OK;
}

static gradyn_status last_speed(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[1];
  return GRADYN_OK;
}

static gradyn_status equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit_of(m, "metre"), T = unit_of(m, "second"), Z = unit_of(m, "kilogram");
  gradyn_datum data[] = {
      {"k", "", rho[STIFFNESS]}, {"L", "length", L}, {"T", "time", T}, {"Z", "work", Z}};
  gradyn_datum length = {"L", "length", L};
  gradyn_end_time(m, 0.8 * T);
  gradyn_state(m, "x", "length", rho[LENGTH] * L);
  gradyn_state(m, "v", "length/time", rho[SPEED] * L / T);
  gradyn_state(m, "z", "work", 0);
  gradyn_equations(m,
                   &(gradyn_equations_spec){.residual = swinging, .data = data, .data_count = 4});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"track", "", .integrand = tracking,
                                                               .data = &length, .data_count = 1});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"z", "", .terminal = last_work});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"v", "", .terminal = last_speed});
  return gradyn_built(m);
}

/* Functionals, then gradients, each over the unit of its functional. */
static void evaluate(gradyn_build_fn build, const char *sensitivity, units u,
                     double all[FUNCTIONALS * (1 + PARAMETERS)])
{
  const gradyn_problem problem = {.name = "scaled",
                                  .params = params,
                                  .param_count = PARAMETERS,
                                  .settings = settings,
                                  .setting_count = 3,
                                  .build = build,
                                  .t_end = 1};
  const gradyn_setting_choice choice[] = {
      {"metre", u.metre}, {"second", u.second}, {"kilogram", u.kilogram}};
  const double rho[PARAMETERS] = {1, 40, 0.3};
  const double L = ldexp(1, u.metre), T = ldexp(1, u.second), Z = ldexp(1, u.kilogram);
  const double of_mechanism[] = {L * L * T, L, L / T}, of_equations[] = {L * L * T, Z, L / T};
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&problem, &options);
  options.method = "idas";
  options.sensitivity = sensitivity;
  gradyn_status status = gradyn_evaluator_create(&problem, &options, choice, 3, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  status = gradyn_gradient(ev, rho, all, all + FUNCTIONALS);
  assert_ok(status, gradyn_evaluator_message(ev));
  for (int f = 0; f < FUNCTIONALS; f++) {
    const double unit = build == mechanism ? of_mechanism[f] : of_equations[f];
    all[f] /= unit;
    for (int j = 0; j < PARAMETERS; j++)
      all[FUNCTIONALS + f * PARAMETERS + j] /= unit;
  }
  gradyn_evaluator_free(ev);
}

/* The same numbers in all units. These are powers of two: in units of length and time, mechanisms differ
 * by nothing at all. The unit of mass, and those of equations, decide which pivots are taken: there,
 * results agree to what the tolerance leaves. */
static void compare(gradyn_build_fn build)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  static const units in[] = {{-20, 0, 0}, {-10, 0, 0}, {10, 0, 0},     {20, 0, 0},
                             {0, -20, 0}, {0, 20, 0},  {20, -10, 0},   {-20, 15, 0},
                             {0, 0, -20}, {0, 0, 20},  {-20, -10, 10}, {20, 10, -20}};
  double all[FUNCTIONALS * (1 + PARAMETERS)], expected[FUNCTIONALS * (1 + PARAMETERS)];
  for (int s = 0; s < 2; s++) {
    evaluate(build, sensitivity[s], (units){0, 0, 0}, expected);
    for (size_t k = 0; k < GRADYN_COUNT(in); k++) {
      const double tolerance = build == mechanism && in[k].kilogram == 0 ? 1e-14 : 1e-5;
      evaluate(build, sensitivity[s], in[k], all);
      assert_close_array(all, expected, FUNCTIONALS, tolerance, 0);
      for (int f = 0; f < FUNCTIONALS; f++) {
        const double *row = expected + FUNCTIONALS + f * PARAMETERS;
        double size = hypot(hypot(row[0], row[1]), row[2]);
        assert_close_array(all + FUNCTIONALS + f * PARAMETERS, row, PARAMETERS, 0,
                           tolerance * size);
      }
    }
  }
}

static void mechanisms_of_any_size(void **state)
{
  (void)state;
  compare(mechanism);
}

static void equations_in_any_unit(void **state)
{
  (void)state;
  compare(equations);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mechanisms_of_any_size),
      cmocka_unit_test(equations_in_any_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
