/* Periodic orbits through changes of constraints: a periodic force presses a mass against a wall until the
 * wall would have to pull. Orbit, derivatives and monodromy matrix have closed forms. Also transition
 * matrices of runs from other initial states. */
#include "tests/runs.h"
#include "tests/adjoint/analyses/find_orbit.h"
#include "tests/declare.h"

#include <complex.h>

enum {
  A,
  C,
  K,
  P
}; /* parameters: amplitude and offset of the force, N; stiffness along the wall, N/m */
static const double mass = 0.8, damping = 0.5, along = 1.1, coupling = 0.4;
static const double omega = 6.283185307179586, phase = 0.84; /* T = 1 s */

/* Forces normal to the wall and along it. */
static gradyn_status force(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *d = at->data;
  F[0] = d[A] * cos(omega * at->t + phase) - d[C] + coupling * q[1];
  F[1] = along * cos(omega * at->t) - d[K] * q[1] - damping * v[1];
  return GRADYN_OK;
}

/* The wall only presses. */
FORMULA(presses, at->lam[1])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {
      [A] = {"amplitude", "N", rho[A]}, [C] = {"offset", "N", rho[C]}, [K] = {"k", "N/m", rho[K]}};
  int away = gradyn_mode(model, "away"), held = gradyn_mode(model, "held");
  int ball = gradyn_point(model, "ball", 0.05, 0.01);
  gradyn_initial_velocity(model, ball, 0.2, 0);
  gradyn_point_mass(model, "mass", ball, mass);
  declare_force(model, "force", ball, force, data, P);
  gradyn_event_set_modes(
      model,
      gradyn_impact(
          model,
          &(gradyn_impact_spec){.name = "hits", .point = ball, .axis = GRADYN_X, .mode = held}),
      gradyn_modes_of(away));
  gradyn_constraint_set_modes(
      model, gradyn_coordinate(model, "wall", ball, GRADYN_X, &(gradyn_time_function){.value = 0}),
      gradyn_modes_of(held));
  gradyn_event_set_modes(model,
                         gradyn_event(model, &(gradyn_event_spec){.name = "leaves",
                                                                  .guard = {.terminal = presses},
                                                                  .direction = GRADYN_EITHER,
                                                                  .mode = away}),
                         gradyn_modes_of(held));
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {[A] = {.name = "amplitude", .init = 3},
                                      [C] = {.name = "offset", .init = 1.5},
                                      [K] = {.name = "k", .init = 20}};
static const gradyn_problem problem = PROBLEM("pressed", build, params, .t_end = 1, .rtol = 1e-11);

/* --- by hand -------------------------------------------------------------------------------------- */

/* Amplitude Y of the motion y = Re(Y e^(i omega t)) along the wall, as real part p and imaginary part q, so
 * that a complex step remains possible. Its second integral is y over -omega^2. */
static void amplitude(const double complex rho[P], double complex Y[2])
{
  const double complex stiff = rho[K] - mass * omega * omega, drag = damping * omega;
  const double complex over = along / (stiff * stiff + drag * drag);
  Y[0] = stiff * over;
  Y[1] = -drag * over;
}

/* The force normal to the wall, and the first and second integral of its periodic part. */
static double complex across(const double complex rho[P], int integrals, double complex t)
{
  const double complex angle = omega * t;
  double complex Y[2], c[2], s[2], over = cpow(omega, integrals);
  amplitude(rho, Y);
  c[0] = ccos(angle + phase), s[0] = csin(angle + phase);
  c[1] = ccos(angle), s[1] = csin(angle);
  const double complex wave = rho[A] * c[0] + coupling * (Y[0] * c[1] - Y[1] * s[1]);
  const double complex turned = rho[A] * s[0] + coupling * (Y[0] * s[1] + Y[1] * c[1]);
  return (integrals == 0 ? wave - rho[C] : integrals == 1 ? turned : -wave) / over;
}

/* The time before t = 0 at which the wall releases the mass: the force becomes positive. */
static double complex release(const double complex rho[P])
{
  double complex t = -0.3;
  for (int k = 0; k < 20; k++) {
    const double complex slope = (across(rho, 0, t + 1e-6) - across(rho, 0, t - 1e-6)) / 2e-6;
    t -= across(rho, 0, t) / slope;
  }
  return t;
}

/* x, y, vx, vy at t = 0. */
static void start(const double complex rho[P], double complex z[4])
{
  const double complex t = release(rho);
  double complex Y[2];
  amplitude(rho, Y);
  z[2] = (across(rho, 1, 0) - across(rho, 1, t) + rho[C] * t) / mass;
  z[0] = (across(rho, 2, 0) - across(rho, 2, t) + across(rho, 1, t) * t - rho[C] * t * t / 2) /
         mass;
  z[1] = Y[0];
  z[3] = -omega * Y[1];
}

/* Propagates a disturbance (y, vy) along the wall from 0 to t. */
static void swing(double k, double t, double y[2], double v[2])
{
  const double c = damping / (2 * mass), w = sqrt(k / mass - c * c), E = exp(-c * t);
  y[0] = E * (cos(w * t) + c / w * sin(w * t));
  y[1] = E * sin(w * t) / w;
  v[0] = -E * (k / mass) / w * sin(w * t);
  v[1] = E * (cos(w * t) - c / w * sin(w * t));
}

/* A disturbance of x or vx vanishes while the wall holds the mass. From the release at T + t_r on, x
 * depends on the disturbance of y only. */
static void monodromy(const double rho[P], double left, double M[16])
{
  enum { PIECES = 4000 };
  double y[2], v[2], h = -left / PIECES;
  memset(M, 0, 16 * sizeof *M);
  for (int k = 0; k <= PIECES; k++) { /* Simpson's rule */
    const double weight = (k == 0 || k == PIECES ? 1 : 2 + 2 * (k % 2)) * h / 3 * coupling / mass;
    swing(rho[K], 1 + left + k * h, y, v);
    for (int j = 0; j < 2; j++) {
      M[1 + 2 * j] += weight * (-left - k * h) * y[j];
      M[8 + 1 + 2 * j] += weight * y[j];
    }
  }
  swing(rho[K], 1, y, v);
  for (int j = 0; j < 2; j++) {
    M[4 + 1 + 2 * j] = y[j];
    M[12 + 1 + 2 * j] = v[j];
  }
}

/* --- the tests ------------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  double step, error;
} methods[] = {
    {"idas", 0, 1e-8}, {"explicit", 0, 1e-8}, {"ali3p", 1e-3, 1e-4}, {"variational", 1e-3, 1e-4}};
enum { METHODS = 4 };

static gradyn_evaluator *open_method(int k)
{
  return run_with(&problem, .method = methods[k].name, .step = methods[k].step);
}

TEST(what_is_pressed_has_the_closed_form)
{
  const double rho[P] = {3, 1.5, 20};
  double complex p[P] = {3, 1.5, 20}, z[4];
  double M[16];
  monodromy(rho, creal(release(p)), M);
  for (int k = 0; k < METHODS; k++) {
    const double error = methods[k].error;
    LOCAL(gradyn_orbit) orbit;
    run_local *ev = open_method(k);
    orbit_find(ev, rho, &(gradyn_orbit_spec){.fixed_period = true}, &orbit);
    start(p, z);
    assert_int_equal(orbit.transition.size, 4);
    assert_int_equal(orbit.event_count, 2);
    for (int i = 0; i < 4; i++)
      assert_close(orbit.transition.start[i], creal(z[i]), error, error);
    assert_close_array(orbit.transition.matrix, M, 16, error, error);
    /* one pair belongs to the motion along the wall; the other two multipliers are zero */
    const double *m = orbit.multiplier;
    assert_close(m[0] * m[0] + m[1] * m[1], exp(-damping / mass), 10 * error, 0);
    assert_true(hypot(m[4], m[5]) < 1e-5 && hypot(m[6], m[7]) < 1e-5);
    for (int j = 0; j < P; j++) {
      p[j] += 1e-40 * _Complex_I;
      start(p, z);
      p[j] = rho[j];
      for (int i = 0; i < 4; i++)
        assert_close(orbit.start_slope[i * P + j], cimag(z[i]) / 1e-40, 10 * error, 10 * error);
    }
  }
}

/* The transition matrix is also checked for a run that is not periodic. */
TEST(transitions_do_not_depend_on_earlier_constraints)
{
  const double rho[P] = {3, 1.5, 20};
  for (int k = 0; k < METHODS; k++) {
    LOCAL(gradyn_transition) found;
    run_local *ev = open_method(k);
    assert_run(gradyn_transition_compute(ev, rho, NULL, 0, &found), ev);
    double y[2], v[2];
    swing(rho[K], 1, y, v);
    const double expected[8] = {0, y[0], 0, y[1], 0, v[0], 0, v[1]};
    assert_close_array(found.matrix + 4, expected, 4, methods[k].error, methods[k].error);
    assert_close_array(found.matrix + 12, expected + 4, 4, methods[k].error, methods[k].error);
    for (int i = 0; i < 16; i += 2) /* derivatives with respect to x and vx at the start */
      assert_close(found.matrix[i], 0, 0, methods[k].error);
  }
}
