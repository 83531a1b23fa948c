/* Results do not depend on units: if lengths, masses and times of a mechanism are multiplied by powers of
 * two, which is exact, its motion is the same. A constant with a unit inside the library would change it. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { PARAMETERS = 3, MOST_FUNCTIONALS = 6 };

/* Exponents of two for the units of length, mass and time. */
typedef struct units {
  int length, mass, time;
} units;

static gradyn_setting settings[] = {
    {"length", "", 0, -300, 300}, {"mass", "", 0, -300, 300}, {"time", "", 0, -300, 300}};

/* 2^(length L + mass M + time T) in the model's units. */
static double unit(gradyn_model *m, int length, int mass, int time)
{
  return ldexp(1, length * (int)gradyn_setting_value(m, "length") +
                      mass * (int)gradyn_setting_value(m, "mass") +
                      time * (int)gradyn_setting_value(m, "time"));
}

static void gravity(gradyn_model *m)
{
  gradyn_gravity(m, 0, -10 * unit(m, 1, 0, -2));
}

/* A five-bar linkage, a spring with a damper, and a torque with friction. */
static gradyn_status linkage(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit(m, 1, 0, 0), M = unit(m, 0, 1, 0), stiff = unit(m, 0, 1, -2),
               damp = unit(m, 0, 1, -1), torque = unit(m, 2, 1, -2), friction = unit(m, 2, 1, -1);
  int A = gradyn_ground_point(m, "A", 0, 0), B = gradyn_ground_point(m, "B", 1.5 * L, 0.1 * L);
  int P = gradyn_point(m, "P", 0.3 * L, 1.1 * L), Q = gradyn_point(m, "Q", 1.2 * L, 1.7 * L),
      R = gradyn_point(m, "R", 1.8 * L, 0.9 * L);
  gradyn_rod(m, &(gradyn_rod_spec){"a", A, P, .length = 1.1 * L * rho[0], .mass = 2 * M});
  gradyn_rod(m, &(gradyn_rod_spec){"p", P, Q, .length = 1.2 * L, .mass = 1.5 * M * rho[2]});
  gradyn_rod(m, &(gradyn_rod_spec){"q", Q, R, .length = 0.9 * L, .mass = 1 * M});
  gradyn_rod(m, &(gradyn_rod_spec){"r", R, B, .length = L, .mass = 2 * M});
  gradyn_spring(m, &(gradyn_spring_spec){"s", A, Q, .k = 30 * stiff * rho[1], .c = 0.5 * damp,
                                         .free_length = 1.4 * L});
  gradyn_torque(m, &(gradyn_torque_spec){"t", A, P, .torque = 3 * torque, .c = 0.2 * friction});
  gravity(m);
  gradyn_functional(
      m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", Q, 0, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL, .target = {L, L}});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", R, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"turn", gradyn_measure_line_angle(m, "", A, P, 1),
                                                 .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"load", gradyn_measure_multiplier(m, "", 2),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

/* A plane body on a driven crank, with an attached point. */
static gradyn_status driven_body(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit(m, 1, 0, 0), M = unit(m, 0, 1, 0), stiff = unit(m, 0, 1, -2);
  int O = gradyn_ground_point(m, "O", 0, 0), C = gradyn_point(m, "C", 0.4 * L, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", O, C, .length = 0.4 * L * rho[0], .mass = 0.5 * M});
  const int drive = gradyn_angle(m, "drive", O, C,
                                 &(gradyn_time_function){.rate = 2 * unit(m, 0, 0, -1),
                                                         .amplitude = 0.3,
                                                         .frequency = 5 * unit(m, 0, 0, -1)});
  int body = gradyn_body(m, &(gradyn_body_spec){"body", .centre = {1.0 * L, 0.1 * L},
                                                .mass = 2 * M * rho[2],
                                                .inertia = {[2] = 0.3 * M * L * L}});
  int pin = gradyn_body_point(m, body, "pin", 0.4 * L, 0),
      tip = gradyn_body_point(m, body, "tip", 1.5 * L, 0.3 * L);
  gradyn_pin(m, "joint", C, pin);
  gradyn_fix_initial_coordinate(m, gradyn_body_centre(m, body), GRADYN_Y);
  int G = gradyn_ground_point(m, "G", 1.5 * L, 1.5 * L);
  gradyn_spring(m, &(gradyn_spring_spec){"s", tip, G, .k = 20 * stiff * rho[1],
                                         .c = 0.3 * unit(m, 0, 1, -1), .free_length = L});
  gravity(m);
  gradyn_functional(
      m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", tip, 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"tip_x",
                                                 gradyn_measure_point(m, "", tip, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"force", gradyn_measure_multiplier(m, "", drive),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){
                           "torque", gradyn_measure_multiplier(m, "", drive + 1),
                           /* the squared multiplier of the second constraint of the drive */
                           .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

/* A pendulum of a flexible beam. */
static gradyn_status beam(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit(m, 1, 0, 0), M = unit(m, 0, 1, 0);
  int O = gradyn_ground_point(m, "O", 0, 0), E = gradyn_point(m, "E", L * rho[0], 0);
  gradyn_beam(m, &(gradyn_beam_spec){.name = "beam",
                                     .from = O,
                                     .to = E,
                                     .elements = 3,
                                     .section = gradyn_section_rectangle(0.05 * L, 0.05 * L),
                                     .young = 1e6 * unit(m, -1, 1, -2) * rho[1],
                                     .density = 1000 * unit(m, -3, 1, 0) * rho[2],
                                     .damping = 0.01 * unit(m, 0, 0, 1)});
  gradyn_point_mass(m, "load", E, M);
  gravity(m);
  gradyn_functional(m, &(gradyn_functional_spec){"track",
                                                 gradyn_measure_point(m, "", E, 0, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* x' = v, v' = -k x - x^3, and a state that starts at zero; each state has its own unit. */
static gradyn_status swinging(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar L = at->data[1], T = at->data[2], Z = at->data[3];
  const gradyn_scalar x = at->y[0] / L, v = at->y[1] * T / L;
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] * T * T / L + at->data[0] * x + x * x * x;
  F[2] = at->yp[2] * T / Z - v * v;
  return GRADYN_OK;
}

FORMULA(tracking, (at->y[0] - 0.2 * at->data[0]) * (at->y[0] - 0.2 * at->data[0]))
FORMULA(last_state, at->y[2])

static gradyn_status equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const double L = unit(m, 1, 0, 0), Z = unit(m, 0, 1, 0), T = unit(m, 0, 0, 1);
  gradyn_datum data[] = {
      {"k", "", 40 * rho[1]}, {"L", "length", L}, {"T", "time", T}, {"Z", "work", Z}};
  gradyn_datum length = {"L", "length", L};
  gradyn_state(m, "x", "length", rho[0] * L);
  gradyn_state(m, "v", "length/time", 0.3 * rho[2] * L / T);
  gradyn_state(m, "z", "work", 0);
  declare_equations(m, swinging, data, 4);
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"track", "", .integrand = tracking,
                                                               .data = &length, .data_count = 1});
  declare_end(m, "z", "", last_state);
  return gradyn_build_status(m);
}

typedef struct discrete {
  const char *name;
  gradyn_build_fn build;
  double t_end, step;
  const char *without; /* methods that do not support the model */
  /* elimination takes the same pivots in all units, except if the unit of mass changes */
  bool same_pivots;
  int functionals;
  units of[MOST_FUNCTIONALS]; /* exponents of its functionals' units */
} discrete;

static const discrete scenes[] = {
    {"linkage",
     linkage,
     1,
     0.01,
     "",
     true,
     5,
     {{2, 0, 1}, {1, 0, -1}, {0, 0, 0}, {2, 1, -2}, {2, 2, -3}}},
    {"driven body",
     driven_body,
     1,
     0.01,
     "",
     false,
     5,
     {{2, 0, -1}, {1, 0, 0}, {2, 1, -2}, {2, 2, -3}, {4, 2, -3}}},
    {"beam", beam, 0.25, 0.001, "explicit", false, 2, {{2, 0, 1}, {2, 1, -2}}},
    {"equations", equations, 0.8, 0, "ali3p variational", false, 2, {{2, 0, 1}, {0, 1, 0}}}};

static const units tried[] = {{-20, 0, 0}, {20, 0, 0}, {0, -30, 0},     {0, 30, 0},
                              {0, 0, -20}, {0, 0, 20}, {-20, -40, -10}, {10, 20, 13}};

typedef struct result {
  double psi[MOST_FUNCTIONALS], gradient[MOST_FUNCTIONALS * PARAMETERS];
} result;

/* Whether a method has fixed steps in this test. The others control their error. */
static bool has_steps(const char *method)
{
  return strcmp(method, "idas") != 0 && strcmp(method, "explicit") != 0;
}

/* Values and gradients in changed units, converted to the units {0, 0, 0}. */
static void evaluate(const discrete *s, const char *method, const char *sensitivity, units u,
                     result *r)
{
  static const gradyn_param params[] = {{"length", "", .init = 1, GRADYN_UNBOUNDED},
                                        {"stiffness", "", .init = 1, GRADYN_UNBOUNDED},
                                        {"mass", "", .init = 1, GRADYN_UNBOUNDED}};
  const double rho[PARAMETERS] = {1, 1, 1};
  const gradyn_problem problem = PROBLEM(s->name, s->build, params, .settings = settings,
                                         .setting_count = 3, .t_end = ldexp(s->t_end, u.time));
  const gradyn_setting_choice choice[] = {{"length", u.length}, {"mass", u.mass}, {"time", u.time}};
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity,
                           .step = has_steps(method) ? ldexp(s->step, u.time) : 0,
                           .settings = choice, .setting_count = 3);
  assert_run(gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient), ev);
  for (int f = 0; f < s->functionals; f++) {
    const int power = s->of[f].length * u.length + s->of[f].mass * u.mass + s->of[f].time * u.time;
    r->psi[f] = ldexp(r->psi[f], -power);
    for (int j = 0; j < PARAMETERS; j++)
      r->gradient[f * PARAMETERS + j] = ldexp(r->gradient[f * PARAMETERS + j], -power);
  }
}

/* Results must be identical unless elimination selects other pivots in the changed units. In that case idas
 * and explicit take other steps, and results differ by their errors. */
static void compare(const discrete *s, const char *method, units u, const result *other,
                    const result *expected)
{
  const bool fixed = has_steps(method), same = s->same_pivots && u.mass == 0;
  for (int f = 0; f < s->functionals; f++) {
    const double *slope = expected->gradient + f * PARAMETERS;
    const double size = fmax(fmax(fabs(slope[0]), fabs(slope[1])), fabs(slope[2]));
    assert_close(other->psi[f], expected->psi[f], same ? 1e-14 : fixed ? 1e-11 : 1e-6, 0);
    assert_close_array(other->gradient + f * PARAMETERS, slope, PARAMETERS, 0,
                       (same    ? 1e-14
                        : fixed ? 1e-10
                                : 3e-5) *
                           size);
  }
}

TEST(every_method_in_all_units)
{
  static const char *const way[][2] = {{"ali3p", "adjoint"},       {"ali3p", "direct"},
                                       {"variational", "adjoint"}, {"variational", "direct"},
                                       {"explicit", "adjoint"},    {"explicit", "direct"},
                                       {"idas", "adjoint"},        {"idas", "direct"}};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    for (size_t w = 0; w < sizeof way / sizeof *way; w++) {
      const discrete *s = &scenes[k];
      result expected, other;
      if (strstr(s->without, way[w][0]) || !support_takes((int)(w + k), 2))
        continue;
      evaluate(s, way[w][0], way[w][1], (units){0, 0, 0}, &expected);
      /* larger units use the adjoint and smaller ones the direct sensitivity, alternating between cases */
      for (size_t i = support_thorough() ? (k + w) % 2 : ((k + w) / 2 + 4 * (k % 2)) % 8;
           i < sizeof tried / sizeof *tried; i += support_thorough() ? 2 : 8) {
        print_message("%s, %s %s, units 2^(%d, %d, %d)\n", s->name, way[w][0], way[w][1],
                      tried[i].length, tried[i].mass, tried[i].time);
        evaluate(s, way[w][0], way[w][1], tried[i], &other);
        compare(s, way[w][0], tried[i], &other, &expected);
      }
    }
}

/* Squared multipliers are in N^2 or in (N m)^2, and are converted accordingly. */
TEST(reactions_have_the_units_of_their_multipliers)
{
  static const gradyn_param params[] = {
      {"length", "", .init = 1, GRADYN_UNBOUNDED, .count = PARAMETERS}};
  const gradyn_problem problem = PROBLEM("driven body", driven_body, params, .settings = settings,
                                         .setting_count = 3, .t_end = 1);
  run_local *ev = run_with(.problem = &problem);
  assert_string_equal(gradyn_functional_at(ev, 3).unit, "N^2 s");
  assert_string_equal(gradyn_functional_at(ev, 4).unit, "N^2 m^2 s");
}
