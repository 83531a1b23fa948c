/* An oscillator with a PID controller against its closed form, by every method. */
#include <complex.h>

#include "tests/mbs/motion.h"
#include "tests/declare.h"

/* J = 1 kg m^2. The gains are chosen so that the characteristic polynomial with a filter of 0.1 s is
 *   0.1 (s + 1) (s^2 + 2 s + 5) (s + 7.2), and without a filter (s + 1) (s^2 + 2 s + 5). */
static const double spring = 2, damper = 0.2, T = 0.1, target = 0.4, angle0 = -0.3, rate0 = 0.7;
static const double z0 = 0.25, w0 = -0.1;
static const double kp[2] = {7 - 2, 3.18}, ki[2] = {5, 3.6}, kd[2] = {3 - 0.2, 2.142};

static bool filtered;

static gradyn_status oscillator(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body(model, "wheel", 1, 1, 0, 0);
  int hinge = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, body, NULL,
                            VECTOR(1, 0));
  int angle = gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
  gradyn_fix_initial_joint(model, "start", angle, angle0, rate0);
  gradyn_joint_spring(model,
                      &(gradyn_joint_spring_spec){"spring", angle, .k = spring, .c = damper});
  gradyn_pid(model, &(gradyn_pid_spec){.name = "PID",
                                       .coordinate = angle,
                                       .kp = kp[filtered],
                                       .ki = ki[filtered],
                                       .kd = kd[filtered],
                                       .target = target,
                                       .filtered = filtered,
                                       .filter_time = T,
                                       .initial = z0,
                                       .initial_filter = w0});
  gradyn_measure_effort(model, "u", "PID");
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* Error e = target - angle at t, and its rate: a sum of exponentials, determined by e and its derivatives
 * at 0. */
static void closed_form(double t, double *error, double *rate)
{
  const double complex root[4] = {-1, -1 + 2 * I, -1 - 2 * I, -7.2};
  const int n = 3 + filtered;
  double e0 = target - angle0, u = kp[filtered] * e0 + ki[filtered] * z0, u_rate;
  double d = filtered ? (e0 - w0) / T : -rate0;
  double acceleration = -spring * angle0 - damper * rate0 + u + kd[filtered] * d;
  u_rate = -kp[1] * rate0 + ki[1] * e0 + kd[1] * (-rate0 - d) / T;
  double complex left[4] = {e0, -rate0, -acceleration,
                            spring * rate0 + damper * acceleration - u_rate};
  /* solves sum of c_i root_i^k = left_k: each c_i by the polynomial that vanishes at the other roots */
  *error = *rate = 0;
  for (int i = 0; i < n; i++) {
    double complex poly[4] = {1}, sum = 0, scale = 1;
    for (int j = 0, degree = 0; j < n; j++) {
      if (j == i)
        continue;
      for (int k = ++degree; k > 0; k--)
        poly[k] = poly[k - 1] - root[j] * poly[k];
      poly[0] *= -root[j];
      scale *= root[i] - root[j];
    }
    for (int k = 0; k < n; k++)
      sum += poly[k] * left[k] / scale;
    *error += creal(sum * cexp(root[i] * t));
    *rate += creal(sum * root[i] * cexp(root[i] * t));
  }
}

/* Errors of a run at its end: of angle, rate and effort. */
static void miss(const char *method, double fine, double out[3])
{
  const double t = 1.6;
  double error, rate, u;
  motion_local m;
  closed_form(t, &error, &rate);
  motion_run(&m, oscillator, method, t, fine);
  double d = filtered ? (error - motion_end(&m, "PID.filtered_error")) / T : rate;
  u = kp[filtered] * error + ki[filtered] * motion_end(&m, "PID.error_integral") + kd[filtered] * d;
  out[0] = motion_end(&m, "hinge.angle") - (target - error);
  out[1] = motion_end(&m, "hinge.angle.rate") + rate;
  out[2] = motion_end(&m, "u") - u;
  /* J w^2/2 + k angle^2/2: states of controllers have no energy */
  assert_close(motion_functional(&m, 0), rate * rate / 2 + pow(target - error, 2), 0,
               10 * fabs(out[0]) + 10 * fabs(out[1]) + 1e-8);
}

TEST(oscillator_moves_as_its_closed_form)
{
  static const char *const adaptive[] = {"idas", "explicit"}, *const fixed[] = {"ali3p",
                                                                                "variational"};
  double out[3], half[3], quarter[3];
  for (int with = 0; with < 2; with++) {
    filtered = with;
    for (size_t k = 0; k < GRADYN_COUNT(adaptive); k++) {
      miss(adaptive[k], 1e-12, out);
      assert_close_array(out, (double[3]){0}, 3, 0, 1e-8);
    }
    for (size_t k = 0; k < GRADYN_COUNT(fixed); k++) { /* of second order: extrapolated twice */
      miss(fixed[k], 4e-3, out);
      miss(fixed[k], 2e-3, half);
      miss(fixed[k], 1e-3, quarter);
      for (int i = 0; i < 2; i++) {
        double first = (4 * half[i] - out[i]) / 3, second = (4 * quarter[i] - half[i]) / 3;
        assert_in_range((int)round(4 * half[i] / quarter[i]), 15, 17);
        assert_close((16 * second - first) / 15, 0, 0, 1e-8);
      }
    }
  }
}
