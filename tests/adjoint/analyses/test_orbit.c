/* Transition matrices, Floquet multipliers and periodic orbits: linear oscillators against closed forms,
 * van der Pol's oscillator, and a damped pendulum on a rod under a periodic push. */
#include "tests/adjoint/analyses/find_orbit.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

static double determinant(const gradyn_transition *t)
{
  assert_int_equal(t->size, 2);
  return t->matrix[0] * t->matrix[3] - t->matrix[1] * t->matrix[2];
}

/* --- a forced linear oscillator ------------------------------------------------------------------- */

enum { OMEGA, ZETA, FORCE, DRIVE }; /* x'' + 2 zeta omega x' + omega^2 x = force cos(drive t) */

static gradyn_status oscillator(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data, *y = at->y;
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] + 2 * d[ZETA] * d[OMEGA] * y[1] + d[OMEGA] * d[OMEGA] * y[0] -
         d[FORCE] * cos(d[DRIVE] * at->t);
  return GRADYN_OK;
}

static gradyn_status build_oscillator(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"omega", "1/s", rho[OMEGA]},
                               {"zeta", "", rho[ZETA]},
                               {"force", "m/s^2", rho[FORCE]},
                               {"drive", "1/s", 1.7}};
  gradyn_state(model, "x", "m", 0.3);
  gradyn_state(model, "v", "m/s", -0.2);
  declare_equations(model, oscillator, data, 4);
  gradyn_end_time(model, 2 * 3.14159265358979323846 / 1.7);
  return gradyn_build_status(model);
}

static const gradyn_param three[] = {
    {.name = "omega", .init = 1.3}, {.name = "zeta", .init = 0.1}, {.name = "force", .init = 2}};
static const gradyn_problem oscillator_problem = PROBLEM("swing", build_oscillator, three,
                                                         .rtol = 1e-3);

/* x = Re(X e^(i drive t)) with X = force/(omega^2 - drive^2 + 2 i zeta omega drive), for each rtol. */
TEST(a_forced_oscillator_has_the_closed_form)
{
  const double rho[3] = {1.3, 0.1, 2}, drive = 1.7, T = 2 * acos(-1) / drive;
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = orbit_open(&oscillator_problem, NULL, 0);
  assert_run(gradyn_orbit_compute(ev, rho, &(gradyn_orbit_spec){.fixed_period = true}, &orbit), ev);
  double complex below = rho[0] * rho[0] - drive * drive + 2 * _Complex_I * rho[1] * rho[0] * drive;
  const double complex X = rho[2] / below;
  const double complex slope[3] = {-X / below * (2 * rho[0] + 2 * _Complex_I * rho[1] * drive),
                                   -X / below * (2 * _Complex_I * rho[0] * drive), X / rho[2]};
  assert_string_equal(orbit.transition.name[0], "x");
  assert_close(orbit.period, T, 1e-15, 0);
  assert_close(orbit.transition.start[0], creal(X), 1e-9, 0);
  assert_close(orbit.transition.start[1], creal(_Complex_I * drive * X), 1e-9, 0);
  for (int j = 0; j < 3; j++) {
    assert_close(orbit.start_slope[j], creal(slope[j]), 1e-9, 1e-9);
    assert_close(orbit.start_slope[3 + j], creal(_Complex_I * drive * slope[j]), 1e-9, 1e-9);
    assert_close(orbit.period_slope[j], 0, 0, 0);
  }
  const double complex multiplier = cexp((-rho[1] + _Complex_I * sqrt(1 - rho[1] * rho[1])) *
                                         rho[0] * T);
  assert_close(orbit.multiplier[0], creal(multiplier), 1e-9, 0);
  assert_close(fabs(orbit.multiplier[1]), fabs(cimag(multiplier)), 1e-9, 0);
  assert_close(orbit.multiplier[3], -orbit.multiplier[1], 0, 1e-12);
}

/* The forced oscillator with the drive's frequency as a parameter, which also determines the fixed period. */
static gradyn_status build_driven(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {
      {"omega", "1/s", 1.3}, {"zeta", "", 0.1}, {"force", "m/s^2", 2}, {"drive", "1/s", rho[0]}};
  gradyn_state(model, "x", "m", 0.3);
  gradyn_state(model, "v", "m/s", -0.2);
  declare_equations(model, oscillator, data, 4);
  gradyn_end_time(model, 2 * 3.14159265358979323846 / rho[0]);
  return gradyn_build_status(model);
}

TEST(a_fixed_period_changes_with_parameters)
{
  static const gradyn_param drive_only[] = {{.name = "drive", .init = 1.7}};
  static const gradyn_problem driven = PROBLEM("driven", build_driven, drive_only, .rtol = 1e-3);
  const double omega = 1.3, zeta = 0.1, force = 2, drive = 1.7;
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = orbit_open(&driven, NULL, 0);
  assert_run(gradyn_orbit_compute(ev, &drive, &(gradyn_orbit_spec){.fixed_period = true}, &orbit),
             ev);
  const double complex below = omega * omega - drive * drive +
                               2 * _Complex_I * zeta * omega * drive;
  const double complex X = force / below;
  const double complex slope = X / below * (2 * drive - 2 * _Complex_I * zeta * omega);
  assert_close(orbit.period_slope[0], -2 * acos(-1) / (drive * drive), 1e-12, 0);
  assert_close(orbit.start_slope[0], creal(slope), 1e-8, 0);
  assert_close(orbit.start_slope[1], creal(_Complex_I * (X + drive * slope)), 1e-8, 0);
}

/* --- van der Pol ---------------------------------------------------------------------------------- */

static gradyn_status van_der_pol(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar mu = at->data[0], *y = at->y;
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] - mu * (1 - y[0] * y[0]) * y[1] + y[0];
  return GRADYN_OK;
}

static gradyn_status build_van_der_pol(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum mu = {"mu", "", rho[0]};
  gradyn_state(model, "x", "", 2.1);
  gradyn_state(model, "v", "", 0.1);
  declare_equations(model, van_der_pol, &mu, 1);
  return gradyn_build_status(model);
}

static const gradyn_param mu_only[] = {{.name = "mu", .init = 1}};
static const gradyn_problem van_der_pol_problem = PROBLEM("vdp", build_van_der_pol, mu_only,
                                                          .t_end = 6.5);

static double period_at(gradyn_evaluator *ev, double mu, double start[2])
{
  LOCAL(gradyn_orbit) orbit;
  assert_run(gradyn_orbit_compute(ev, &mu, NULL, &orbit), ev);
  double period = orbit.period;
  memcpy(start, orbit.transition.start, 2 * sizeof(double));
  return period;
}

/* The period for mu = 1 is 6.66328685932313. One of the two multipliers is 1. The other one is the
 * determinant, by Liouville's formula exp(integral of mu (1 - x^2)). Here Simpson's rule along an
 * independent Runge-Kutta integration gives the integral. */
static double liouville(double period, const double start[2])
{
  enum { STEPS = 20000 };
  double y[3] = {start[0], start[1], 0}, h = period / STEPS;
  for (int n = 0; n < STEPS; n++) {
    double k[4][3], at[3];
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 3; i++)
        at[i] = y[i] + (s == 0 ? 0 : s == 3 ? h : h / 2) * (s == 0 ? 0 : k[s - 1][i]);
      k[s][0] = at[1];
      k[s][1] = (1 - at[0] * at[0]) * at[1] - at[0];
      k[s][2] = 1 - at[0] * at[0];
    }
    for (int i = 0; i < 3; i++)
      y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return exp(y[2]);
}

TEST(van_der_pol_has_its_known_period)
{
  const double mu = 1, h = 1e-3;
  double start[2], other[2];
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = orbit_open(&van_der_pol_problem, NULL, 0);
  assert_run(gradyn_orbit_compute(ev, &mu, NULL, &orbit), ev);
  assert_close(orbit.period, 6.66328685932313, 1e-10, 0);
  assert_close(orbit.multiplier[0], 1, 1e-9, 0);
  assert_close(orbit.multiplier[2], liouville(orbit.period, orbit.transition.start), 1e-7, 0);
  assert_close(determinant(&orbit.transition), orbit.multiplier[0] * orbit.multiplier[2], 1e-9, 0);
  /* derivative of the period by Richardson differences of complete orbits */
  double d1 = (period_at(ev, mu + h, start) - period_at(ev, mu - h, other)) / (2 * h);
  double d2 = (period_at(ev, mu + 2 * h, start) - period_at(ev, mu - 2 * h, other)) / (4 * h);
  assert_close(orbit.period_slope[0], (4 * d1 - d2) / 3, 1e-8, 0);
}

/* --- a pendulum on a rod -------------------------------------------------------------------------- */

/* A damping torque c w and a periodic push: over a period the determinant is exp(-c T/J). */
static gradyn_status push(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *r = at->pos, *v = at->vel, l2 = r[0] * r[0] + r[1] * r[1];
  gradyn_scalar torque = cos(at->data[1] * at->t) - at->data[0] * (r[0] * v[1] - r[1] * v[0]) / l2;
  force[0] = -torque * r[1] / l2;
  force[1] = torque * r[0] / l2;
  return GRADYN_OK;
}

static gradyn_status build_pendulum(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int pivot = gradyn_ground_point(mbs, "pivot", 0, 0), bob = gradyn_point(mbs, "bob", 0.1, -0.9949);
  const gradyn_datum data[] = {{"damping", "N m s", rho[0]}, {"drive", "1/s", 2}};
  gradyn_rod(mbs, &(gradyn_rod_spec){"rod", pivot, bob, .length = 1, .mass = 0.6});
  gradyn_point_mass(mbs, "bob", bob, 1.3);
  gradyn_gravity(mbs, 0, -9.81);
  declare_force(mbs, "push", bob, push, data, 2);
  if (gradyn_setting_value(mbs, "held") == 1)
    gradyn_fix_initial_coordinate(mbs, bob, GRADYN_X);
  if (gradyn_setting_value(mbs, "held") == 2)
    gradyn_start_in_equilibrium(mbs);
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", bob, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const gradyn_param damping[] = {{.name = "c", .init = 0.5}};
static const gradyn_setting held[] = {
    {"held", "1: a coordinate at the start; 2: equilibrium", 0, 0, 2}};
static const gradyn_problem pendulum_problem = PROBLEM("pendulum", build_pendulum, damping,
                                                       .settings = held, .setting_count = 1,
                                                       .t_end = 3.14159265358979323846);

static double start_at(gradyn_evaluator *ev, double c)
{
  LOCAL(gradyn_orbit) orbit;
  assert_run(gradyn_orbit_compute(ev, &c, &(gradyn_orbit_spec){.fixed_period = true}, &orbit), ev);
  return orbit.transition.start[0];
}

TEST(a_pendulum_contracts_at_the_rate_of_its_damper)
{
  const double c = 0.5, J = 0.6 / 3 + 1.3, h = 1e-3;
  LOCAL(gradyn_orbit) orbit;
  LOCAL(gradyn_transition) free_run;
  run_local *ev = orbit_open(&pendulum_problem, NULL, 0);
  assert_run(gradyn_orbit_compute(ev, &c, &(gradyn_orbit_spec){.fixed_period = true}, &orbit), ev);
  assert_int_equal(orbit.transition.size, 2);
  assert_string_equal(orbit.transition.name[1], "bob.vx");
  assert_close(determinant(&orbit.transition), exp(-c * orbit.period / J), 1e-9, 0);
  double d1 = (start_at(ev, c + h) - start_at(ev, c - h)) / (2 * h);
  double d2 = (start_at(ev, c + 2 * h) - start_at(ev, c - 2 * h)) / (4 * h);
  assert_close(orbit.start_slope[0], (4 * d1 - d2) / 3, 1e-7, 1e-9);
  assert_run(gradyn_transition_compute(ev, &c, NULL, 0, &free_run), ev);
  assert_true(fabs(free_run.end[0] - free_run.start[0]) > 1e-3); /* no orbit */
}

/* Analyses that search for an initial state leave the data as the parameters determine them. */
TEST(data_are_those_of_the_parameters_afterwards)
{
  const double c = 0.5;
  double psi, before;
  run_local *ev = orbit_open(&pendulum_problem, NULL, 0);
  for (size_t i = 0; i < gradyn_evaluator_model_info(ev).data; i++) {
    assert_run(gradyn_evaluator_simulate(ev, &c, &psi, NULL), ev);
    before = gradyn_datum_at(ev, i).value;
    (void)start_at(ev, c);
    assert_true(gradyn_datum_at(ev, i).value == before);
  }
}

/* Fixed initial conditions, or an equilibrium, give only the initial guess of the search. The orbit must
 * not depend on them. */
TEST(fixed_initial_conditions_do_not_fix_orbits)
{
  const double c = 0.5;
  double start[3];
  for (int way = 0; way < 3; way++) {
    run_local *ev = run_with(&pendulum_problem, .setting = "held", .value = way);
    start[way] = start_at(ev, c);
  }
  assert_close(start[1], start[0], 1e-9, 0);
  assert_close(start[2], start[0], 1e-9, 0);
}

/* --- what cannot be ------------------------------------------------------------------------------- */

/* Requests by names of coordinates, which general equations do not have. */
TEST(coordinates_of_general_equations_are_refused)
{
  static const char *const named[] = {"x"}, *const none[] = {NULL};
  const double rho[3] = {1.3, 0.1, 2};
  LOCAL(gradyn_transition) found;
  run_local *ev = orbit_open(&oscillator_problem, NULL, 0);
  assert_refused(gradyn_transition_compute(ev, rho, named, 1, &found), ev, GRADYN_INVALID,
                 "general equations have no coordinate called 'x'");
  assert_refused(gradyn_transition_compute(ev, rho, none, 1, &found), ev, GRADYN_INVALID,
                 "called ''");
}

TEST(impossible_requests_are_reported)
{
  const double rho[] = {0.5}, mu = 0;
  const char *const knee = "knee.x";
  LOCAL(gradyn_orbit) orbit;
  gradyn_transition t;
  run_local *ev = orbit_open(&pendulum_problem, NULL, 0);
  assert_refused(gradyn_transition_compute(ev, rho, &knee, 1, &t), ev, GRADYN_INVALID, "'knee.x'");
  assert_int_equal(gradyn_orbit_compute(NULL, rho, NULL, &orbit), GRADYN_INVALID);
  assert_int_equal(gradyn_orbit_compute(ev, rho, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_transition_compute(ev, rho, NULL, 0, NULL), GRADYN_INVALID);
  gradyn_orbit_clear(NULL);
  gradyn_transition_clear(NULL);
  gradyn_evaluator_free(ev);
  ev = orbit_open(&van_der_pol_problem, NULL, 0); /* for mu = 0 every motion is periodic */
  gradyn_status status = gradyn_orbit_compute(ev, &mu, NULL, &orbit);
  assert_true(status == GRADYN_OK || status == GRADYN_NOT_CONVERGED || status == GRADYN_SINGULAR);
  gradyn_orbit_clear(&orbit);
  gradyn_evaluator_free(ev);
  ev = orbit_open(&van_der_pol_problem, NULL, 0);
  assert_refused(gradyn_orbit_compute(ev, &mu, &(gradyn_orbit_spec){.section = "impact"}, &orbit),
                 ev, GRADYN_INVALID, "'impact'");
}
