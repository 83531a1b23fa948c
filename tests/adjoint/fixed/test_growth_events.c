/* Derivatives that grow without bound because of long steps are reported in runs with events, too. There is
 * no warning if events rightly enlarge derivatives. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

static const char *const kinds[] = {"adjoint", "direct"};

/* --- the whip of test_growth.c, with something on the way ---------------------------------------- */

typedef enum on_way { NOTHING, PASSING, BOUNCES, JUMPS } on_way;

FORMULA(clock_of, at->t - at->data[0])

/* Adds an event to the run. Returns the id of the impact of the ball; -1: there is none. */
static int add_event(gradyn_model *m, on_way what, int tip)
{
  const gradyn_datum when = {"when", "s", 0.2};
  const gradyn_scalar knots[] = {0, 0.001, 0, 0.002, 0.001};
  const gradyn_signal_spec u = {
      .name = "u", .kind = GRADYN_PIECEWISE_CONSTANT, .count = 5, .knots = knots};
  if (what == PASSING)
    gradyn_event(
        m, &(gradyn_event_spec){.name = "passing",
                                .guard = {.terminal = clock_of, .data = &when, .data_count = 1},
                                .direction = GRADYN_RISING});
  if (what == JUMPS)
    declare_push(m, "push", tip, 1, 0, gradyn_signal(m, &u));
  if (what != BOUNCES)
    return -1;
  /* an additional ball, which bounces from the floor every few steps */
  int ball = gradyn_point(m, "ball", 3, 0);
  gradyn_initial_velocity(m, ball, 0, 0.03);
  gradyn_point_mass(m, "ball", ball, 1);
  return gradyn_impact(
      m, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, {.value = -1e-4}, .restitution = 1});
}

static gradyn_status build_whip(gradyn_model *m, const gradyn_scalar rho[])
{
  enum { LINKS = 128 };
  int last = gradyn_ground_point(m, "0", 0, 0);
  for (int k = 1; k <= LINKS; k++) {
    int next = gradyn_point(m, gradyn_format_name(m, "%d", k), k * rho[0] / LINKS, 0);
    gradyn_rod(m, &(gradyn_rod_spec){gradyn_format_name(m, "link%d", k), last, next,
                                     .length = rho[0] / LINKS, .mass = 2.0 / LINKS});
    gradyn_torque(m, &(gradyn_torque_spec){gradyn_format_name(m, "friction%d", k), last, next,
                                           .c = 0.01 / LINKS});
    last = next;
  }
  gradyn_gravity(m, 0, -9.81);
  const int hits = add_event(m, (on_way)gradyn_setting_value(m, "on-way"), last);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"tip", gradyn_measure_point(m, "", last, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  /* a functional that jumps at the event: the check of growth must include this jump */
  if (hits >= 0)
    gradyn_event_impulse(m, "blow", hits, 1);
  return gradyn_build_status(m);
}

static const gradyn_param length[] = {{"length", "m", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"on-way", "what happens", 0, 0, 3}};
static const gradyn_problem whip = PROBLEM("whip", build_whip, length, .settings = settings,
                                           .setting_count = 1, .t_end = 0.5);

/* Returns the warning of growth (code 0: none) and stores the derivative of the first functional. */
static gradyn_warning differentiate(const run_setup *setup, double *slope)
{
  double rho[8], psi[8], gradient[64];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  *slope = gradient[0];
  gradyn_warning growth = run_warning(ev, GRADYN_WARNING_ADJOINT_GROWTH);
  growth.subject = growth.unit = growth.text = NULL; /* they end with the evaluator */
  return growth;
}

/* The derivative is 0.1404 with other steps and methods. Steps of 1 ms are at the limit, so the last bits
 * decide, and several steps are tried. A derivative far from the right one must have a warning, with any
 * kind of event during the run. */
THOROUGH_TEST(explosions_are_reported_through_events)
{
  for (int what = NOTHING; what <= JUMPS; what++)
    for (int k = 0; k < 2; k++) {
      if (!support_takes(what + k, 2))
        continue;
      int exploded = 0;
      for (int i = 0; i < 4; i++) {
        double slope;
        const gradyn_warning s = differentiate(&(run_setup){.problem = &whip,
                                                            .setting = "on-way",
                                                            .value = what,
                                                            .method = "variational",
                                                            .sensitivity = kinds[k],
                                                            .step = 1e-3 + 2e-5 * i},
                                               &slope);
        if (fabs(slope) < 100)
          continue;
        exploded++;
        assert_true(s.value > 1e4 && s.t > 0.3);
        assert_true(s.suggestion > 2e-5 && s.suggestion < 7e-4);
        if (!support_thorough())
          break;
      }
      assert_true(exploded >= 1);
    }
}

/* With shorter steps, and with another scheme, there is no warning. */
TEST(resolved_whips_have_no_warning)
{
  static const struct {
    const char *method;
    double step;
  } schemes[] = {{"variational", 5e-4}, {"ali3p", 1e-3}};
  for (int what = PASSING; what <= JUMPS; what++)
    for (int i = 0; i < 4; i++) {
      if (!support_takes(what + i, 6))
        continue;
      double slope;
      const gradyn_warning s = differentiate(&(run_setup){.problem = &whip,
                                                          .setting = "on-way",
                                                          .value = what,
                                                          .method = schemes[i / 2].method,
                                                          .sensitivity = kinds[i % 2],
                                                          .step = schemes[i / 2].step},
                                             &slope);
      assert_int_equal(s.code, 0);
      assert_close(slope, 0.1404, 2e-3, 0);
    }
}

/* --- chaos --------------------------------------------------------------------------------------- */

/* The gap to a round post at the origin: (|r|^2 - R^2)/(2 R). */
static gradyn_status post(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc, R = at->data[0];
  if (order == 0)
    *value = (r[0] * r[0] + r[1] * r[1]) / (2 * R) - R / 2;
  else if (order == 1)
    *value = (r[0] * v[0] + r[1] * v[1]) / R;
  else
    *value = (v[0] * v[0] + v[1] * v[1] + r[0] * a[0] + r[1] * a[1]) / R;
  return GRADYN_OK;
}

/* Two balls on a spring between four walls and around a round post. The post separates neighbouring motions
 * by a factor of about ten at each impact. */
static gradyn_status build_billiard(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum radius = {"radius", "m", 0.2};
  int ball[2];
  for (int i = 0; i < 2; i++) {
    ball[i] = gradyn_point(m, gradyn_format_name(m, "ball%d", i), -0.7 + 0.3 * i, 0.31 * rho[0]);
    gradyn_initial_velocity(m, ball[i], 2.1, -0.7 - 0.1 * i);
    gradyn_point_mass(m, gradyn_format_name(m, "ball%d", i), ball[i], 1);
    for (int side = 0; side < 4; side++)
      gradyn_impact(m, &(gradyn_impact_spec){gradyn_format_name(m, "wall%d.%d", i, side),
                                             ball[i],
                                             side / 2 ? GRADYN_X : GRADYN_Y,
                                             {.value = side % 2 ? 1 : -1},
                                             .below = side % 2 == 1,
                                             .restitution = 1});
    const gradyn_custom_constraint_spec gap = {
        .points = &ball[i], .point_count = 1, .fn = post, .data = &radius, .data_count = 1};
    gradyn_impact(m, &(gradyn_impact_spec){gradyn_format_name(m, "post%d", i), ball[i], GRADYN_X,
                                           .gap = &gap, .restitution = 1});
  }
  gradyn_spring(m, &(gradyn_spring_spec){"band", ball[0], ball[1], .k = 3, .free_length = 0.3});
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", ball[0], 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem billiard = PROBLEM("billiard", build_billiard, length, .t_end = 8);

/* Derivatives above 1e4 that belong to a chaotic motion have no warning of growth, although most of the
 * growth occurs within a few steps. */
TEST(chaos_is_not_called_too_long_steps)
{
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      static const double step[] = {0.05, 0.02, 0.01, 0.005};
      if (!support_takes(i + k, 3))
        continue;
      double slope;
      const gradyn_warning s = differentiate(&(run_setup){.problem = &billiard,
                                                          .method = run_fixed[k],
                                                          .sensitivity = kinds[i % 2],
                                                          .step = step[i]},
                                             &slope);
      assert_true(fabs(slope) > 1e4);
      assert_int_equal(s.code, 0);
    }
}
