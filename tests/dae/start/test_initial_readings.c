/* Initial states with multiplier-dependent forces: the multipliers must be unique. */
#include "tests/dae/start/solved.h"
#include "tests/support.h"

#include <complex.h>
#include <tgmath.h>

#include <gradyn/forces.h>
#include <gradyn/mechanism.h>

enum { ONCE, TWICE, ACROSS }; /* how the upper point is constrained */

static gradyn_status rub(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = 0.3 * at->lam[0];
  force[1] = 0;
  return GRADYN_OK;
}

/* Two points that hang from rods, with friction on the lower one. rho[0]: the upper one is constrained by
 * its rod, by two equal rods, or by two more rods in line up to an angle. rho[1]: this angle; rho[2]:
 * whether friction reads the lower rod. */
static gradyn_status hanging(gradyn_model *model, const gradyn_scalar rho[])
{
  const int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 0, -1);
  const int W = gradyn_ground_point(model, "W", -1, -1), Q = gradyn_point(model, "Q", 0.3, -2);
  const int E = gradyn_ground_point(model, "E", cos(rho[1]), sin(rho[1]) - 1);
  const int held = (int)creal(rho[0]);
  gradyn_rod(model, &(gradyn_rod_spec){"upper", A, P, .length = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"lower", P, Q, .length = sqrt(1.09)});
  if (held == TWICE)
    gradyn_rod(model, &(gradyn_rod_spec){"twin", A, P, .length = 1});
  if (held == ACROSS) {
    gradyn_rod(model, &(gradyn_rod_spec){"left", W, P, .length = 1});
    gradyn_rod(model, &(gradyn_rod_spec){"right", P, E, .length = 1});
  }
  gradyn_initial_velocity(model, Q, 1, 0.3);
  gradyn_point_mass(model, "p", P, 1);
  gradyn_point_mass(model, "q", Q, 2);
  gradyn_custom_force(model, &(gradyn_custom_force_spec){
                                 .name = "friction",
                                 .points = &Q,
                                 .point_count = 1,
                                 .fn = rub,
                                 .reads = (const char *[]){creal(rho[2]) > 0 ? "lower" : "upper"},
                                 .read_count = 1});
  gradyn_gravity(model, 0, -9.81);
  return gradyn_build_status(model);
}

/* A multiplier that a force reads must be unique, however small the part that other constraints could
 * carry. */
TEST(multipliers_that_are_read_are_unique)
{
  static const struct {
    int held;
    double angle;
    bool lower, refused;
  } row[] = {{TWICE, 0, false, true},
             {ACROSS, 1e-2, false, true},
             {ACROSS, 1e-4, false, true},
             {TWICE, 0, true, false},
             {ONCE, 0, false, false}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const gradyn_scalar rho[] = {row[k].held, row[k].angle, row[k].lower},
                        alone[] = {ONCE, 0, row[k].lower};
    solved s = solve(hanging, rho), single = solve(hanging, alone);
    if (row[k].refused) {
      assert_status(s.status, GRADYN_SINGULAR, s.model->message.text);
      assert_non_null(strstr(s.model->message.text,
                             "friction reads the multiplier of upper, which is not determined"));
    } else {
      assert_ok(s.status, s.model->message.text);
      for (int i = 0; i < 4; i++)
        assert_close(s.initial.a[i], single.initial.a[i], 1e-13, 1e-13);
      assert_close(s.initial.lam[1], single.initial.lam[1], 1e-13, 0);
    }
    release(&s);
    release(&single);
  }
}
