/* The impulse of a wall if constraints of the next mode also stop the point. As much of the impulse as
 * possible belongs to the wall. A new constraint may equal the wall's, or the pins of a foot may contain
 * it. */
#include "tests/adjoint/compare.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* Constraints after the landing: of a ball on a moving slope, or of a rod's tip at a vertical wall. */
typedef enum landing {
  SLIDES,     /* the wall's own row */
  SCALED,     /* the same row times 1e6 */
  PINNED,     /* x and y, which together contain the normal */
  STICKS,     /* the constraint of the wall and one along it */
  TIP_SAME,   /* tip of the rod: x, as the wall */
  TIP_ACROSS, /* tip of the rod: y, equivalent to x because of the rod */
  LANDINGS,
  BOUNCES = LANDINGS /* a wall with restitution, although the tip is held: a contradiction */
} landing;

enum { ANGLE, SPEED, MASS, DRAG, P };
enum { NORMAL_SPEED, IMPULSE, F };

static const double rho[P] = {0.4, 0.6, 1.3, 0.15};

/* Constraint along or across a slope through the origin; data are the normal and the position. */
static gradyn_status on_line(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order], *d = at->data;
  *value = d[0] * r[0] + d[1] * r[1] - (order == 0 ? d[2] : 0);
  return GRADYN_OK;
}

/* Normal velocity n . v of the last point. */
FORMULA(approach, at->data[0] * at->vel[at->user ? 4 : 2] + at->data[1] * at->vel[at->user ? 5 : 3])

/* A ball above the slope; declares the constraint after the landing and the wall. */
static int build_ball(gradyn_model *mbs, landing what, const gradyn_scalar r[], const int mode[2])
{
  const gradyn_scalar s = sin(r[ANGLE]), c = cos(r[ANGLE]);
  const double by = what == SCALED ? 1e6 : 1;
  const gradyn_datum held[] = {{"n_x", "", by * s}, {"n_y", "", by * c}, {"place", "m", by * 0.1}};
  const gradyn_datum across[] = {{"n_x", "", s}, {"n_y", "", c}, {"place", "m", 0.1}};
  const gradyn_datum along[] = {{"t_x", "", c}, {"t_y", "", -s}, {"place", "m", 0}};
  int point = gradyn_point(mbs, "ball", 0.2, 1);
  gradyn_custom_constraint_spec line = {.name = "slope",
                                        .points = &point,
                                        .point_count = 1,
                                        .fn = on_line,
                                        .data = held,
                                        .data_count = 3};
  gradyn_initial_velocity(mbs, point, r[SPEED], 0.3);
  gradyn_point_mass(mbs, "mass", point, r[MASS]);
  if (what == PINNED)
    for (int k = 0; k < 2; k++) {
      gradyn_constraint_id latched = gradyn_coordinate(mbs, k ? "y" : "x", point, (gradyn_axis)k,
                                                       &(gradyn_time_function){0});
      gradyn_constraint_set_modes(mbs, latched, gradyn_modes_of(mode[1]));
      gradyn_latch_constraint(mbs, latched);
    }
  else
    gradyn_constraint_set_modes(mbs, gradyn_custom_constraint(mbs, &line),
                                gradyn_modes_of(mode[1]));
  line.data = along;
  line.name = "place";
  if (what == STICKS) {
    gradyn_constraint_id latched = gradyn_custom_constraint(mbs, &line);
    gradyn_constraint_set_modes(mbs, latched, gradyn_modes_of(mode[1]));
    gradyn_latch_constraint(mbs, latched);
  }
  line.data = across;
  int lands = gradyn_impact(mbs,
                            &(gradyn_impact_spec){.name = "lands", .gap = &line, .mode = mode[1]});
  gradyn_event_set_modes(mbs, lands, gradyn_modes_of(mode[0]));
  const gradyn_custom_functional_spec spec = {"speed", "m/s", .terminal = approach, .data = across,
                                              .data_count = 2};
  declare_before_event(mbs, &spec, lands, 1);
  return point;
}

/* A pendulum that hits a wall on its left; declares how the wall holds its tip. */
static int build_tip(gradyn_model *mbs, landing what, const gradyn_scalar r[], const int mode[2])
{
  static const int tip = 1;
  const gradyn_scalar s = sin(r[ANGLE]), c = cos(r[ANGLE]);
  const gradyn_datum normal[] = {{"n_x", "", 1}, {"n_y", "", 0}};
  const gradyn_axis axis = what == TIP_ACROSS ? GRADYN_Y : GRADYN_X;
  int pivot = gradyn_ground_point(mbs, "pivot", 0, 0);
  int point = gradyn_point(mbs, "tip", s + 0.3, -c);
  gradyn_rod(mbs, &(gradyn_rod_spec){"rod", pivot, point, .length = 1, .mass = r[MASS]});
  int hold = gradyn_coordinate(mbs, "hold", point, axis, &(gradyn_time_function){0});
  gradyn_constraint_set_modes(mbs, hold, gradyn_modes_of(mode[1]));
  gradyn_latch_constraint(mbs, hold);
  int lands = gradyn_impact(mbs, &(gradyn_impact_spec){.name = "lands",
                                                       .point = point,
                                                       .axis = GRADYN_X,
                                                       .level = {.value = s},
                                                       .restitution = what == BOUNCES ? 0.5 : 0,
                                                       .mode = mode[1]});
  gradyn_event_set_modes(mbs, lands, gradyn_modes_of(mode[0]));
  const gradyn_custom_functional_spec spec = {
      "speed", "m/s", .terminal = approach, .data = normal, .data_count = 2, .user = (void *)&tip};
  declare_before_event(mbs, &spec, lands, 1);
  return point;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  const landing what = (landing)gradyn_setting_value(mbs, "what");
  const int first = gradyn_mode(mbs, "first"), mode[] = {first, gradyn_mode(mbs, "second")};
  gradyn_gravity(mbs, 0, -9.81);
  int point = what < TIP_SAME ? build_ball(mbs, what, r, mode) : build_tip(mbs, what, r, mode);
  const gradyn_datum drag = {"drag", "N s/m", r[DRAG]};
  declare_force(mbs, "air", point, hybrid_drag, &drag, 1);
  gradyn_event_impulse(mbs, "impulse", 1, 1);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 0.5}};

static gradyn_problem problem_of(landing what, gradyn_setting *setting)
{
  *setting = (gradyn_setting){"what", "holds behind the landing", what, 0, BOUNCES};
  return (gradyn_problem)PROBLEM("landings", build, params, .settings = setting, .setting_count = 1,
                                 .t_end = 0.9, .rtol = 1e-11);
}

/* Effective mass m over n . v. For the ball it is its mass. For the rod's tip at the height cos(angle)
 * below the pivot it is (m/3)/cos^2: the angular velocity is n . v / cos(angle), and the lever of the
 * impulse is cos(angle). */
static double inertia(landing what)
{
  return what < TIP_SAME ? rho[MASS] : rho[MASS] / 3 / (cos(rho[ANGLE]) * cos(rho[ANGLE]));
}

TEST(impulses_are_those_of_the_wall)
{
  for (landing what = SLIDES; what < LANDINGS; what++) {
    gradyn_setting setting;
    const gradyn_problem problem = problem_of(what, &setting);
    for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
      double psi[F];
      if (!support_takes((int)k + (int)what, 3))
        continue;
      run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], "adjoint", 0);
      assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
      assert_true(psi[NORMAL_SPEED] < -0.5);
      assert_close(psi[IMPULSE], -inertia(what) * psi[NORMAL_SPEED], 1e-9, 0);
    }
  }
}

TEST(derivatives_of_impulses_are_right)
{
  for (landing what = SLIDES; what < LANDINGS; what++) {
    gradyn_setting setting;
    const gradyn_problem problem = problem_of(what, &setting);
    hybrid_agree(&problem, rho, 1, (int)what);
    hybrid_differ(&problem, rho, (int)what);
  }
}

TEST(fixed_points_do_not_bounce)
{
  gradyn_setting setting;
  const gradyn_problem problem = problem_of(BOUNCES, &setting);
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    double psi[F];
    run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], "adjoint", 0);
    assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_INVALID, "lands");
    assert_says(gradyn_evaluator_message(ev), "restitution of 0.5");
  }
}
