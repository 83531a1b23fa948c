/* Bodies without a joint, by Euler parameters, against closed forms, with derivatives in complex numbers,
 * and their conserved quantities. */
#include "tests/mbs/passes/turning.h"

enum { ACROSS, ALONG, TILT, SPIN, PARAMETERS };

static const double mass = 1.4, end = 100, speed[] = {0.1, -0.2, 0.05}, place[] = {0.3, -0.2, 0.5};

static const gradyn_param params[] = {{"across", "kg m^2", .init = 0.4, GRADYN_UNBOUNDED},
                                      {"along", "kg m^2", .init = 0.25, GRADYN_UNBOUNDED},
                                      {"tilt", "rad/s", .init = 0.7, GRADYN_UNBOUNDED},
                                      {"spin", "rad/s", .init = 1.1, GRADYN_UNBOUNDED}};

static gradyn_status build_free(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double tip[] = {0, 0, 1};
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "body",
                             .mass = mass,
                             .velocity = {speed[0], speed[1], speed[2]},
                             .omega = {rho[TILT], 0, rho[SPIN]},
                             .inertia = {rho[ACROSS], rho[ACROSS], rho[ALONG]}});
  turning_see(m, body, place, tip);
  return gradyn_build_status(m);
}

static const gradyn_problem free_body = PROBLEM("free", build_free, params, .t_end = end,
                                                .coordinates = "joint");

/* The axis of the body rotates about L at |L|/A, and the body about its axis. */
static void turn_free(const gradyn_scalar rho[], double t, gradyn_scalar x[3])
{
  const gradyn_scalar z[] = {0, 0, 1}, L[] = {rho[ACROSS] * rho[TILT], 0, rho[ALONG] * rho[SPIN]};
  const gradyn_scalar size = csqrt(turning_dot(L, L)), way[] = {L[0] / size, 0, L[2] / size};
  turning_turn(z, rho[SPIN] * (1 - rho[ALONG] / rho[ACROSS]) * t, x);
  turning_turn(way, size / rho[ACROSS] * t, x);
}

/* Positions of P and T. */
static void free_places(const gradyn_scalar rho[], gradyn_scalar out[6])
{
  gradyn_scalar x[2][3] = {{place[0], place[1], place[2]}, {0, 0, 1}};
  for (int i = 0; i < 2; i++) {
    turn_free(rho, end, x[i]);
    for (int k = 0; k < 3; k++)
      out[3 * i + k] = x[i][k] + speed[k] * end;
  }
}

TEST(a_free_body_turns_as_it_does_in_closed_form)
{
  double rho[PARAMETERS], psi[FUNCTIONALS], slope[FUNCTIONALS * PARAMETERS], L[3], e[3];
  gradyn_scalar z[PARAMETERS], exact[6];
  run_local *ev = run_with(&free_body, .method = "explicit", .rtol = 1e-12);
  run_initial(ev, rho);
  assert_int_equal(gradyn_evaluator_model_info(ev).coordinates, 7);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, slope), ev);
  for (int j = 0; j < PARAMETERS; j++) {
    for (int i = 0; i < PARAMETERS; i++)
      z[i] = rho[i] + (i == j ? 1e-40 * _Complex_I : 0);
    free_places(z, exact);
    for (int f = 0; f < 6; f++) {
      assert_close(psi[f], creal(exact[f]), 0, 1e-9);
      assert_close(slope[f * PARAMETERS + j], cimag(exact[f]) / 1e-40, 0, 1e-9 * end);
    }
  }
  for (int k = 0; k < 3; k++)
    e[k] = psi[TIP + k] - speed[k] * end;
  turning_momentum(psi + RATE, e, rho[ACROSS], rho[ALONG], L);
  assert_close(L[0], rho[ACROSS] * rho[TILT], 0, 1e-10);
  assert_close(L[1], 0, 0, 1e-10);
  assert_close(L[2], rho[ALONG] * rho[SPIN], 0, 1e-10);
  assert_close(psi[ENERGY],
               0.5 * (rho[ACROSS] * rho[TILT] * rho[TILT] + rho[ALONG] * rho[SPIN] * rho[SPIN] +
                      mass * (0.01 + 0.04 + 0.0025)),
               1e-10, 0);
}

/* After many turns the error is round-off, mainly of the angle itself. */
TEST(a_body_spins_on)
{
  static const double pi = 3.14159265358979323846;
  const double turns = support_thorough() ? 10000 : 500;
  double rho[PARAMETERS], psi[FUNCTIONALS];
  run_local *ev = run_with(&free_body, .method = "explicit", .rtol = 1e-12, .max_steps = 1000000);
  run_initial(ev, rho);
  rho[TILT] = 0;
  rho[SPIN] = 2 * pi * turns / end;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  for (int k = 0; k < 3; k++) {
    assert_close(psi[POINT + k], place[k] + speed[k] * end, 0, 1e-12 * 2 * pi * turns);
    assert_close(psi[TIP + k], (k == 2) + speed[k] * end, 0, 1e-12);
  }
  assert_close(psi[RATE + 2], rho[SPIN], 1e-10, 0);
}

/* Three different moments of inertia; the rotation is nearly about the middle axis, so that the body turns
 * over repeatedly. */
static gradyn_status build_tumbling(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double one[] = {1, 0, 0}, last[] = {0, 0, 1};
  const int body = gradyn_body_3d(
      m,
      &(gradyn_body_spec){.name = "body",
                          .mass = mass,
                          .omega = {0.01, rho[SPIN], 0.02},
                          .inertia = {rho[ACROSS], 0.5 * (rho[ACROSS] + rho[ALONG]), rho[ALONG]}});
  turning_see(m, body, one, last);
  return gradyn_build_status(m);
}

static const gradyn_problem tumbling = PROBLEM("tumbling", build_tumbling, params, .t_end = end,
                                               .coordinates = "joint");

TEST(a_tumbling_body_keeps_momentum_and_energy)
{
  double rho[PARAMETERS], psi[FUNCTIONALS], L[3] = {0};
  run_local *ev = run_with(&tumbling, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  const double *e[] = {psi + POINT, NULL, psi + TIP}, *w = psi + RATE;
  const double J[] = {rho[ACROSS], 0.5 * (rho[ACROSS] + rho[ALONG]), rho[ALONG]};
  const double across[] = {e[2][1] * e[0][2] - e[2][2] * e[0][1],
                           e[2][2] * e[0][0] - e[2][0] * e[0][2],
                           e[2][0] * e[0][1] - e[2][1] * e[0][0]};
  const double start[] = {0.01, rho[SPIN], 0.02};
  double energy = 0;
  e[1] = across;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      L[k] += J[i] * (w[0] * e[i][0] + w[1] * e[i][1] + w[2] * e[i][2]) * e[i][k];
  for (int k = 0; k < 3; k++) {
    assert_close(L[k], J[k] * start[k], 0, 1e-10);
    energy += 0.5 * J[k] * start[k] * start[k];
  }
  assert_close(psi[ENERGY], energy, 1e-10, 0);
}
