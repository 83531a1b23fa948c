/* Functionals of mechanisms: values against formulas written here, gradients with respect to state, data
 * and time against differences of these values. */

#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

enum { P = 1, Q, G, N = 4 }; /* moving points, a ground point; number of coordinates */
enum { POSITION, VELOCITY, ACCELERATION, ROTATION, REACTION, CUSTOM, EFFORT, INTEGRALS };
enum { END_X = INTEGRALS, END_VY, END_OMEGA, END_ENERGY, END_TIME, FUNCTIONALS };

static const double place[N] = {0.4, 0.3, 1.5, -0.8}; /* m */
static const double ground[2] = {-0.5, 0.9};          /* m */

/* g = w |r_Q - r_G|^2 v_Px u + t lam_1 */
static gradyn_status custom_integrand(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar x = at->pos[2 * Q] - at->pos[2 * G], y = at->pos[2 * Q + 1] - at->pos[2 * G + 1];
  *value = at->data[0] * (x * x + y * y) * at->vel[2 * P] * at->u[1] + at->t * at->lam[2] +
           at->acc[2 * Q + 1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar knots[] = {1, 4};
  int u = declare_signal(model, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, knots);
  gradyn_point(model, "P", 0, 0);
  gradyn_point(model, "Q", 1, 0);
  gradyn_ground_point(model, "G", ground[0], ground[1]);
  gradyn_rod(model, &(gradyn_rod_spec){"GP", G, P, 1.3, 2.0, true, 0.4, 0.3});
  int rod = gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .length = 1.6, .mass = 2.5});
  gradyn_point_mass(model, "bob", Q, 0.7);
  gradyn_gravity(model, 0.4, -9.81);
  gradyn_spring(model, &(gradyn_spring_spec){"spring", G, Q, .k = 60, .c = 2, .free_length = 1.1,
                                             .force = 5});

  declare_tracking(model, "position", gradyn_measure_point(model, "", Q, 0, GRADYN_ALL_AXES), 0.3,
                   0.2, 0);
  declare_tracking(model, "velocity", gradyn_measure_point(model, "", P, 1, GRADYN_ALL_AXES), -0.1,
                   0.4, 0);
  declare_tracking(model, "acceleration", gradyn_measure_point(model, "", Q, 2, GRADYN_ALL_AXES),
                   1.0, -2.0, 0);
  declare_functional(model, "rotation", gradyn_measure_line_angle(model, "", G, Q, 1),
                     GRADYN_INTEGRAL);
  declare_functional(model, "reaction", gradyn_measure_multiplier(model, "", rod),
                     GRADYN_SQUARE_INTEGRAL);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = "custom",
                                              .integrand = custom_integrand,
                                              .data = (gradyn_datum[]){{"weight", "", 0.8}},
                                              .data_count = 1});
  declare_functional(model, "effort", gradyn_measure_signal(model, "", u), GRADYN_SQUARE_INTEGRAL);
  declare_functional(model, "end_x", gradyn_measure_point(model, "", Q, 0, GRADYN_X),
                     GRADYN_AT_END);
  declare_functional(model, "end_vy", gradyn_measure_point(model, "", P, 1, GRADYN_Y),
                     GRADYN_AT_END);
  declare_functional(model, "end_omega", gradyn_measure_line_angle(model, "", P, Q, 1),
                     GRADYN_AT_END);
  declare_functional(model, "end_energy", gradyn_measure_energy(model, ""), GRADYN_AT_END);
  gradyn_end_time_functional(model, "end_time");
  return gradyn_build_status(model);
}

/* --- values ----------------------------------------------------------------------------------- */

static double square(double x, double y)
{
  return x * x + y * y;
}

static double angular_velocity(const double from[2], const double to[2], const double v_from[2],
                               const double v_to[2])
{
  double x = to[0] - from[0], y = to[1] - from[1];
  return (x * (v_to[1] - v_from[1]) - y * (v_to[0] - v_from[0])) / square(x, y);
}

TEST(test_values)
{
  bench_local b;
  bench_open(&b, build, place);
  const double *q = b.y, *v = b.y + N, *a = b.y + 2 * N, *lam = b.y + 3 * N, still[2] = {0};
  double u = 1 + 1.5 * b.t;
  assert_close(bench_functional(&b, POSITION), square(q[2] - 0.3, q[3] - 0.2), 1e-15, 0);
  assert_close(bench_functional(&b, VELOCITY), square(v[0] + 0.1, v[1] - 0.4), 1e-15, 0);
  assert_close(bench_functional(&b, ACCELERATION), square(a[2] - 1, a[3] + 2), 1e-15, 0);
  assert_close(bench_functional(&b, ROTATION), angular_velocity(ground, q + 2, still, v + 2), 1e-14,
               0);
  assert_close(bench_functional(&b, REACTION), lam[1] * lam[1], 1e-15, 0);
  assert_close(bench_functional(&b, CUSTOM),
               0.8 * square(q[2] - ground[0], q[3] - ground[1]) * v[0] * u + b.t * lam[1] + a[3],
               1e-14, 0);
  assert_close(bench_functional(&b, EFFORT), u * u, 1e-15, 0);
  assert_close(bench_functional(&b, END_X), q[2], 0, 0);
  assert_close(bench_functional(&b, END_VY), v[1], 0, 0);
  assert_close(bench_functional(&b, END_OMEGA), angular_velocity(q, q + 2, v, v + 2), 1e-14, 0);
}

/* Energy: the sum of kinetic and potential energies of all bodies. */
TEST(test_energy)
{
  bench_local b;
  bench_open(&b, build, place);
  const double *q = b.y, *v = b.y + N;
  double E = 0;
  for (int k = 0; k < 2; k++) {
    double g = k == 0 ? 0.4 : -9.81;
    /* rod G-P: its centre is at 0.4/1.3 of its length */
    double part = 0.4 / 1.3, r = ground[k] + part * (q[k] - ground[k]), vc = part * v[k];
    E += (2.0 * vc * vc + 0.3 * (v[k] / 1.3) * (v[k] / 1.3)) / 2 - 2.0 * g * r;
    /* rod P-Q, uniform, and the mass at Q */
    double centre = (v[k] + v[2 + k]) / 2, relative = (v[2 + k] - v[k]) / 1.6;
    E += (2.5 * centre * centre + 2.5 * 1.6 * 1.6 / 12 * relative * relative) / 2;
    E -= 2.5 * g * (q[k] + q[2 + k]) / 2;
    E += 0.7 * v[2 + k] * v[2 + k] / 2 - 0.7 * g * q[2 + k];
  }
  double s = hypot(q[2] - ground[0], q[3] - ground[1]);
  E += 60 * (s - 1.1) * (s - 1.1) / 2; /* a constant tension of 5 N stores no energy */
  assert_close(bench_functional(&b, END_ENERGY), E, 1e-14, 0);
}

/* --- gradients -------------------------------------------------------------------------------- */

TEST(test_gradients)
{
  static const int present[FUNCTIONALS] = {
      [POSITION] = 1 | 2, [VELOCITY] = 1 | 2,   [ACCELERATION] = 1 | 2, [ROTATION] = 1 | 2,
      [REACTION] = 1 | 2, [CUSTOM] = 1 | 2 | 4, [EFFORT] = 2 | 4,       [END_X] = 1 | 2,
      [END_VY] = 1 | 2,   [END_OMEGA] = 1 | 2,  [END_ENERGY] = 1 | 2};
  bench_local b;
  bench_open(&b, build, place);
  assert_int_equal(b.model->functional_count, FUNCTIONALS);
  for (int i = 0; i < END_TIME; i++)
    assert_int_equal(bench_check_functional(&b, i), present[i]);
  /* an end time depends on its datum or on the time, but never on the state */
  assert_int_equal(bench_check_functional(&b, END_TIME) & 1, 0);
}
