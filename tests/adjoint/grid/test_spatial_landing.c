/* A double pendulum in space whose tip lands on a level without bouncing, slides there, lifts off and lands
 * again, with a side wall from which it may bounce. In all schemes, direct is compared with adjoint for all
 * data, and with differences. Also with tolerances so loose that the lengths of rods are less accurate than
 * the thresholds of landings. */
#include "tests/runs.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

enum { P = 5, TIP = 3, LEVEL = 3 }; /* LEVEL: index of the constraint, after those of both rods */

/* Lengths of both rods, level, initial speed of the elbow, restitution of the side wall. */
static const double rho[P] = {1, 0.8, -1.5, 1.5, 0.6};

FORMULA(height, at->pos[3 * TIP + 2] - at->data[0])
FORMULA(pressure, at->lam[LEVEL])

/* A drag on the tip. With it the rate of a discrete step differs from the rate of the motion. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  gradyn_scalar square = 0;
  for (int k = 0; k < 3; k++)
    square += at->vel[k] * at->vel[k];
  for (int k = 0; k < 3; k++)
    force[k] = -at->data[0] * at->vel[k] * (1 + square);
  return GRADYN_OK;
}

static int add_pendulum(gradyn_model *mbs, const gradyn_scalar r[])
{
  int pivot = gradyn_ground_point_3d(mbs, "pivot", 0, 0, 0);
  int elbow = gradyn_point_3d(mbs, "elbow", r[0], 0, 0);
  int tip = gradyn_point_3d(mbs, "tip", r[0], 0.6 * r[1], 0.8 * r[1]);
  const gradyn_datum air = {"air", "N s/m", 0.002};
  gradyn_initial_velocity_3d(mbs, elbow, 0, r[3], 0);
  gradyn_rod(mbs, &(gradyn_rod_spec){"upper", pivot, elbow, .length = r[0], .mass = 1.2});
  gradyn_rod(mbs, &(gradyn_rod_spec){"lower", elbow, tip, .length = r[1], .mass = 0.9});
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  declare_force(mbs, "drag", tip, drag, &air, 1);
  return tip;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  const gradyn_datum level = {"level", "m", r[2]};
  const int air = gradyn_mode(mbs, "air"), slides = gradyn_mode(mbs, "slides");
  int tip = add_pendulum(mbs, r);
  gradyn_constraint_set_modes(
      mbs, gradyn_coordinate(mbs, "floor", tip, GRADYN_Z, &(gradyn_time_function){.value = r[2]}),
      gradyn_modes_of(slides));
  gradyn_event_set_modes(
      mbs,
      gradyn_event(
          mbs, &(gradyn_event_spec){.name = "lifts", .guard = {.terminal = pressure}, .mode = air}),
      gradyn_modes_of(slides));
  int lands = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "lands",
                                .guard = {.terminal = height, .data = &level, .data_count = 1},
                                .mode = slides});
  gradyn_event_set_modes(mbs, lands, gradyn_modes_of(air));
  gradyn_impact(mbs,
                &(gradyn_impact_spec){
                    "side", tip, GRADYN_Y, {.value = 1.2}, .below = true, .restitution = r[4]});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"way", gradyn_measure_point(mbs, "", tip, 0, GRADYN_ALL_AXES),
                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_event_time(mbs, "second", lands, 2);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};

static gradyn_problem problem = PROBLEM("spatial-landing", build, params, .t_end = 2,
                                        .rtol = 1e-12);

TEST(gradients_agree)
{
  hybrid_agree(&problem, rho, 3, 2);
}

THOROUGH_TEST(gradients_are_those_of_the_run)
{
  hybrid_differ(&problem, rho, 2);
}

TEST(a_run_may_be_coarse)
{
  double sharp[2], coarse[2];
  for (int loose = 0; loose < 2; loose++) {
    problem.rtol = loose ? 1e-5 : 1e-12;
    run_local *ev = hybrid_open(&problem, &hybrid_schemes[0], "direct", 0);
    assert_run(gradyn_evaluator_simulate(ev, rho, loose ? coarse : sharp, NULL), ev);
  }
  assert_close(coarse[1], sharp[1], 1e-3, 0);
}
