/* A disc that rolls on its tyre: derivatives by all methods and in both kinds of coordinates. */
#include <complex.h>

#include "tests/adjoint/compare.h"
#include "tests/mbs/tyre_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

static const gradyn_scalar up[3] = {0, 0, 1};

/* --- what rolls ------------------------------------------------------------------------------------- */

enum { LEAN, SPIN, TURN, MASS, DEPTH, SLOPE, STIFFNESS, DAMPING, RELAXATION, FRICTION, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    {"lean", "rad", .init = 0.3, GRADYN_UNBOUNDED},
    {"spin", "rad/s", .init = 9, GRADYN_UNBOUNDED},
    {"turn", "rad/s", .init = 0.8, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.6, GRADYN_UNBOUNDED},
    {"depth", "m", .init = 0.006, GRADYN_UNBOUNDED},
    {"slope", "", .init = 0.12, GRADYN_UNBOUNDED},
    {"stiffness", "N/m", .init = 3000, GRADYN_UNBOUNDED},
    {"damping", "N s/m", .init = 30, GRADYN_UNBOUNDED},
    {"relaxation", "m", .init = 0.08, GRADYN_UNBOUNDED},
    {"friction", "", .init = 0.7, GRADYN_UNBOUNDED},
};

/* A leaning disc on a sloping road, with its hub off its centre of mass. The tyre starts with a given
 * compression and slips. The centre of mass is at (0, 0, 0), the road below it. */
static gradyn_status build_disc(gradyn_model *m, const gradyn_scalar p[])
{
  const gradyn_scalar c = ccos(p[LEAN]), s = csin(p[LEAN]), A = p[MASS] * 0.01;
  const gradyn_scalar axle[3] = {0.05, c, s}, normal[3] = {-p[SLOPE], 0.02, 1};
  const gradyn_scalar hub[3] = {0.01, 0.008, 0.005};
  gradyn_scalar size[2] = {0}, lean = 0, above = 0;
  for (int i = 0; i < 3; i++) {
    size[0] += axle[i] * axle[i];
    size[1] += normal[i] * normal[i];
    lean += axle[i] * normal[i];
    above += normal[i] * hub[i];
  }
  /* n.(hub - o) = |n| sin (R - depth), o = (0, 0, -z) */
  const gradyn_scalar z = csqrt(size[1] - lean * lean / size[0]) * (0.2 - p[DEPTH]) - above;
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "disc",
                             .velocity = {p[SPIN] * 0.1, 0.3, 0},
                             .omega = {0, p[SPIN] * c, p[SPIN] * s + p[TURN]},
                             .mass = p[MASS],
                             .inertia = {A, A + A * c * c, A + A * s * s, 0, 0, A * s * c}});
  gradyn_tyre_spec tyre = tyre_numbers(tyre_frame(m, "hub", body, hub[0], hub[1], hub[2], axle),
                                       tyre_frame(m, "road", GRADYN_GROUND, 0, 0, -z, normal), 0.2);
  tyre.stiffness = p[STIFFNESS];
  tyre.damping = p[DAMPING];
  tyre.rebound = p[DAMPING] / 2;
  tyre.relaxation[0] = tyre.relaxation[1] = p[RELAXATION];
  tyre.friction[0] = tyre.friction[1] = p[FRICTION];
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_tyre(m, &tyre);
  const int centre = gradyn_body_centre(m, body);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", centre, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", centre, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vz",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Z),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"lost", gradyn_measure_power(m, "power", "tyre"),
                                                 .reduction = GRADYN_MEAN_SQUARE});
  return gradyn_build_status(m);
}

enum { FUNCTIONALS = 5 };
static const gradyn_problem disc = PROBLEM("disc", build_disc, params, .t_end = 0.15,
                                           .coordinates = "natural"),
                            disc_joint = PROBLEM("disc", build_disc, params, .t_end = 0.15,
                                                 .coordinates = "joint");

/* Derivatives with respect to all data, also for a tyre that falls onto the road. */
TEST(direct_equals_adjoint_by_all_data)
{
  static const struct {
    const char *method;
    const gradyn_problem *problem;
    double rtol, step, bound;
  } by[] = {{"explicit", &disc, 1e-9, 0, 1e-10},   {"explicit", &disc_joint, 1e-9, 0, 1e-10},
            {"radau", &disc, 1e-7, 0, 1e-10},      {"idas", &disc, 1e-8, 0, 1e-6},
            {"ali3p", &disc, 0, 2e-3, 1e-10},      {"ali3p", &disc_joint, 0, 2e-3, 1e-10},
            {"variational", &disc, 0, 2e-3, 1e-10}};
  double rho[PARAMETERS];
  for (size_t k = 0; k < GRADYN_COUNT(by); k++) {
    if (!support_takes((int)k + 2, 3))
      continue;
    const run_setup setup = {by[k].problem, .method = by[k].method, .rtol = by[k].rtol,
                             .step = by[k].step, .t_end = 0.05};
    run_local *ev = run_open(&setup);
    run_initial(ev, rho);
    rho[DEPTH] *= k % 2 ? 1 : -1;
    compare_routes(&setup, rho, by[k].bound);
  }
}

/* Natural and joint coordinates, explicit and implicit steps give the same motion. */
THOROUGH_TEST(methods_and_coordinates_agree)
{
  static const struct {
    const char *method;
    const gradyn_problem *problem;
    double rtol, values, slopes;
  } by[] = {{"explicit", &disc, 1e-11, 0, 0},
            {"explicit", &disc_joint, 1e-11, 1e-10, 1e-9},
            {"radau", &disc, 1e-10, 1e-8, 1e-7},
            {"idas", &disc, 1e-9, 1e-6, 1e-5}};
  double rho[PARAMETERS], value[2][FUNCTIONALS], slope[2][FUNCTIONALS * PARAMETERS];
  for (size_t k = 0; k < GRADYN_COUNT(by); k++) {
    if (k == 2 && !support_thorough())
      continue;
    run_local *ev = run_with(by[k].problem, "adjoint", by[k].method, .rtol = by[k].rtol);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, value[k > 0], slope[k > 0]), ev);
    for (int i = 0; i < FUNCTIONALS && k > 0; i++) {
      const double size = largest_of(slope[0] + i * PARAMETERS, PARAMETERS);
      assert_close(value[1][i], value[0][i], by[k].values, by[k].values);
      assert_close_array(slope[1] + i * PARAMETERS, slope[0] + i * PARAMETERS, PARAMETERS,
                         by[k].slopes, by[k].slopes * size);
    }
  }
}

TEST(gradients_are_those_of_differences)
{
  double rho[PARAMETERS];
  const double atol[FUNCTIONALS] = {1e-8, 1e-8, 1e-7, 1e-6, 1e-5};
  run_local *ev = run_with(&disc, "adjoint", "explicit", .rtol = 1e-11);
  run_initial(ev, rho);
  compare_with_differences(ev, rho, &(compare_allowed){1e-4, .rtol = 1e-6, .atol = atol});
}

/* --- what is no tyre -------------------------------------------------------------------------------- */

static int wrong;
static const struct {
  size_t at; /* offset of a number in the specification */
  double value;
  const char *told;
} wrongs[] = {
    {offsetof(gradyn_tyre_spec, radius), 0, "tyre has the radius 0 m: it must be positive"},
    {offsetof(gradyn_tyre_spec, stiffness), 0, "tyre.stiffness is 0 N/m: it must be positive"},
    {offsetof(gradyn_tyre_spec, damping), -1, "tyre.damping is -1 N s/m: it must not be negative"},
    {offsetof(gradyn_tyre_spec, rebound), NAN, "tyre.rebound is nan N s/m"},
    {offsetof(gradyn_tyre_spec, critical[0]), 0, "tyre.critical_ahead is 0: it must be positive"},
    {offsetof(gradyn_tyre_spec, friction[1]), -2, "tyre.friction_aside is -2: it must not be neg"},
    {offsetof(gradyn_tyre_spec, relaxation[1]), 0, "tyre.relaxation_aside is 0 m: it must be pos"},
    {offsetof(gradyn_tyre_spec, smoothing), 0, "tyre.smoothing is 0 N: it must be positive"},
    {offsetof(gradyn_tyre_spec, slow), 0, "tyre.slow is 0 m/s: it must be positive"}};

static gradyn_status build_wrong(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  const gradyn_scalar y[3] = {0, 1, 0};
  const int body = declare_body_3d(m, "b", 1, INERTIA(1, 1, 1), VECTOR(0, 0, 1));
  gradyn_tyre_spec spec = tyre_numbers(tyre_frame(m, "hub", body, 0, 0, 1, y),
                                       tyre_frame(m, "road", GRADYN_GROUND, 0, 0, 0, up), 1);
  const gradyn_scalar value = wrongs[wrong].value;
  memcpy((char *)&spec + wrongs[wrong].at, &value, sizeof value);
  gradyn_tyre(m, &spec);
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                        .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(invalid_tyres_are_reported)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "wrong",
                                         .build = build_wrong, .t_end = 0.1};
  for (wrong = 0; wrong < (int)GRADYN_COUNT(wrongs); wrong++)
    assert_no_run(GRADYN_INVALID, wrongs[wrong].told, .problem = &problem, .method = "explicit");
}
