/* Friction with bristles. A block on an incline below the angle of friction comes to rest on the bristles
 * and stays. Dragged at a constant speed, its force follows the law from the start. */
#include "tests/mbs/motion.h"
#include "tests/declare.h"
#include <gradyn/forces.h>

static const double mass = 2, still = 0.5, kinetic = 0.3, transition = 0.02, small = 1e-3;
static const double stiffness = 500, damping = 5, slope = 0.2;

static gradyn_friction_law law;
static double drag; /* m/s, prescribed speed; 0: the block slides freely */

static gradyn_status block(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body(model, "block", mass, 0.1, 0, 0);
  int guide = declare_joint(model, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL,
                            VECTOR(1, 0));
  int slide = gradyn_joint_coordinate(model, guide, GRADYN_SLIDE);
  gradyn_gravity(model, -9.81 * sin(slope), -9.81 * cos(slope));
  gradyn_joint_friction(model,
                        &(gradyn_joint_friction_spec){.name = "friction",
                                                      .joint = guide,
                                                      .law = law,
                                                      .still = still,
                                                      .kinetic = kinetic,
                                                      .transition = transition,
                                                      .smoothing = small,
                                                      .stiffness = stiffness,
                                                      .damping = damping,
                                                      .dwell = law == GRADYN_GONTHIER ? 0.1 : 0});
  if (drag > 0)
    gradyn_drive_joint(model, "drag", slide, &(gradyn_time_function){.rate = drag});
  gradyn_measure_effort(model, "F", "friction");
  return gradyn_build_status(model);
}

/* In the end stiffness z N = m g sin. */
TEST(what_sticks_stays)
{
  const double z = -tan(slope) / stiffness;
  for (int k = GRADYN_LUGRE; k <= GRADYN_GONTHIER; k++) {
    double place[2];
    law = (gradyn_friction_law)k;
    drag = 0;
    for (int i = 0; i < 2; i++) {
      motion_local m;
      motion_run(&m, block, "idas", i ? 6 : 3, 1e-9);
      place[i] = motion_end(&m, "guide.slide");
      assert_close(motion_end(&m, "friction.bristle"), z, 1e-6, 0);
      assert_close(motion_end(&m, "F"), mass * 9.81 * sin(slope), 1e-6, 0);
      assert_close(motion_end(&m, "guide.slide.rate"), 0, 0, 1e-8);
    }
    assert_close(place[1], place[0], 1e-6, 0); /* it does not creep */
    assert_true(place[0] < 0 && place[0] > -0.1);
  }
}

/* Coefficient at time t at a constant speed, from unbent bristles. z' = v - r z has constant coefficients:
 * z = z_end (1 - exp(-r t)), and w = s + (1 - s) exp(-t sigma0/sigma1). */
static double coefficient(double t)
{
  const double v = drag, s = exp(-v * v / (transition * transition));
  const double direction = v / hypot(v, 1e-3 * transition), g = kinetic + (still - kinetic) * s;
  double rate = stiffness * v * direction / g, end = v / rate;
  if (law == GRADYN_GONTHIER) {
    rate = (1 - s) * stiffness / damping;
    end = (s * v + (1 - s) * kinetic * direction / damping) / rate;
  }
  const double z = end * (1 - exp(-rate * t)), bends = end * rate * exp(-rate * t);
  if (law == GRADYN_LUGRE)
    return stiffness * z + damping * s * bends;
  const double w = s + (1 - s) * exp(-t * stiffness / damping);
  return fmin(stiffness * z + damping * bends, kinetic + (still - kinetic) * w);
}

TEST(dragging_takes_the_force_of_the_law)
{
  static const double times[] = {2e-3, 0.02, 0.1, 2};
  const double N = hypot(mass * 9.81 * cos(slope), small);
  for (int k = GRADYN_LUGRE; k <= GRADYN_GONTHIER; k++)
    for (int i = 0; i < 2 * (int)GRADYN_COUNT(times); i++) {
      motion_local m;
      const double t = times[i / 2];
      law = (gradyn_friction_law)k;
      drag = i % 2 ? 5 * transition : 0.5 * transition;
      motion_run(&m, block, "explicit", t, 1e-11);
      assert_close(motion_end(&m, "F"), -coefficient(t) * N, 1e-8, 0);
    }
}
