/* Friction with bristles: a block on an incline below the angle of friction comes to rest where they bear it,
 * and stays; dragged at a constant speed it feels what the law says. */
#include <math.h>

#include "tests/mbs/motion.h"
#include <gradyn/friction.h>

static const double mass = 2, still = 0.5, kinetic = 0.3, transition = 0.02, small = 1e-3;
static const double stiffness = 500, damping = 5, slope = 0.2;

static gradyn_friction_law law;
static double drag; /* m/s; 0: none, it slides freely */

static gradyn_status block(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = gradyn_body(
      model, &(gradyn_body_spec){.name = "block", .mass = mass, .inertia = {0, 0, 0.1}});
  int guide = gradyn_joint_at(model, &(gradyn_place_spec){.name = "guide",
                                                          .kind = GRADYN_PRISMATIC,
                                                          .body_a = GRADYN_GROUND,
                                                          .body_b = body,
                                                          .axis = {1, 0}});
  int slide = gradyn_joint_slide(model, guide);
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
    gradyn_drive_joint(model, "drag", slide, &(gradyn_law){.rate = drag});
  gradyn_measure_effort(model, "F", "friction");
  return gradyn_built(model);
}

/* At last stiffness z N = m g sin. */
static void what_sticks_stays(void **state)
{
  (void)state;
  const double z = -tan(slope) / stiffness;
  for (int k = GRADYN_LUGRE; k <= GRADYN_GONTHIER; k++) {
    double place[2];
    law = (gradyn_friction_law)k;
    drag = 0;
    for (int i = 0; i < 2; i++) {
      motion m;
      motion_run(&m, block, "idas", i ? 6 : 3, 1e-9);
      place[i] = motion_end(&m, "guide.slide");
      assert_close(motion_end(&m, "friction.bristle"), z, 1e-6, 0);
      assert_close(motion_end(&m, "F"), mass * 9.81 * sin(slope), 1e-6, 0);
      assert_close(motion_end(&m, "guide.slide.rate"), 0, 0, 1e-8);
      motion_free(&m);
    }
    assert_close(place[1], place[0], 1e-6, 0); /* it does not creep */
    assert_true(place[0] < 0 && place[0] > -0.1);
  }
}

static void dragging_takes_what_the_law_says(void **state)
{
  (void)state;
  const double N = mass * 9.81 * cos(slope);
  for (int k = GRADYN_LUGRE; k <= GRADYN_GONTHIER; k++)
    for (int i = 0; i < 2; i++) {
      motion m;
      law = (gradyn_friction_law)k;
      drag = i ? 5 * transition : 0.5 * transition;
      motion_run(&m, block, "idas", 2, 1e-9);
      double stick = exp(-drag * drag / (transition * transition)), mu = kinetic;
      if (law == GRADYN_LUGRE)
        mu = kinetic + (still - kinetic) * stick;
      else if (i == 0) /* limited by the dwelling, w = s */
        mu = kinetic + (still - kinetic) * stick;
      assert_close(motion_end(&m, "F"), -mu * N, 1e-5, 0);
      motion_free(&m);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_sticks_stays),
      cmocka_unit_test(dragging_takes_what_the_law_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
