/* What turns freely, by Euler parameters: a body without a joint and a top on a spherical one against closed
 * forms, their derivatives in complex numbers, and far from the ground's origin. */
#include "tests/runs.h"

#include <complex.h>
#include <math.h>

enum { ACROSS, ALONG, TILT, SPIN, PARAMETERS };
enum { POINT, TIP = POINT + 3, RATE = TIP + 3, ENERGY = RATE + 3, FUNCTIONALS };

static const double mass = 1.4, end = 100, speed[] = {0.1, -0.2, 0.05}, place[] = {0.3, -0.2, 0.5};

static gradyn_scalar dot(const gradyn_scalar a[3], const gradyn_scalar b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* x turned about a unit vector by an angle. */
static void turn(const gradyn_scalar axis[3], gradyn_scalar angle, gradyn_scalar x[3])
{
  const gradyn_scalar c = ccos(angle), s = csin(angle), along = (1 - c) * dot(axis, x);
  gradyn_scalar to[3];
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    to[k] = c * x[k] + s * (axis[next] * x[last] - axis[last] * x[next]) + along * axis[k];
  }
  memcpy(x, to, sizeof to);
}

/* What functionals see of a body: a point in it, one on its axis, its rotation. */
static void see(gradyn_model *m, int body, const double at[3], const double tip[3])
{
  const int P = gradyn_body_point_3d(m, body, "P", at[0], at[1], at[2]);
  const int T = gradyn_body_point_3d(m, body, "T", tip[0], tip[1], tip[2]);
  for (int k = 0; k < 3; k++)
    gradyn_end_position(m, gradyn_name(m, "P%d", k), P, (gradyn_axis)k);
  for (int k = 0; k < 3; k++)
    gradyn_end_position(m, gradyn_name(m, "T%d", k), T, (gradyn_axis)k);
  for (int k = 0; k < 3; k++)
    gradyn_measure_at(
        m, gradyn_name(m, "w%d", k),
        gradyn_measure_rotation_rate(m, gradyn_name(m, "rate%d", k), body, (gradyn_axis)k), 0);
  gradyn_minimise(m, gradyn_end_energy(m, "energy"));
}

/* --- a body without forces -------------------------------------------------------------------------- */

static const gradyn_param params[] = {{"across", "kg m^2", .init = 0.4},
                                      {"along", "kg m^2", .init = 0.25},
                                      {"tilt", "rad/s", .init = 0.7},
                                      {"spin", "rad/s", .init = 1.1}};

static gradyn_status build_free(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double tip[] = {0, 0, 1};
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "body",
                             .mass = mass,
                             .velocity = {speed[0], speed[1], speed[2]},
                             .omega = {rho[TILT], 0, rho[SPIN]},
                             .inertia = {rho[ACROSS], rho[ACROSS], rho[ALONG]}});
  see(m, body, place, tip);
  return gradyn_built(m);
}

static const gradyn_problem free_body = {.name = "free",
                                         .params = params,
                                         .param_count = PARAMETERS,
                                         .build = build_free,
                                         .t_end = end,
                                         .coordinates = "joint"};

/* Its axis turns about L at |L|/A, and it about its axis. */
static void turn_free(const gradyn_scalar rho[], double t, gradyn_scalar x[3])
{
  const gradyn_scalar z[] = {0, 0, 1}, L[] = {rho[ACROSS] * rho[TILT], 0, rho[ALONG] * rho[SPIN]};
  const gradyn_scalar size = csqrt(dot(L, L)), way[] = {L[0] / size, 0, L[2] / size};
  turn(z, rho[SPIN] * (1 - rho[ALONG] / rho[ACROSS]) * t, x);
  turn(way, size / rho[ACROSS] * t, x);
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

/* A w + (C - A) (w.e) e of a body with that axis. */
static void momentum(const double w[3], const double e[3], double A, double C, double L[3])
{
  for (int k = 0; k < 3; k++)
    L[k] = A * w[k] + (C - A) * (w[0] * e[0] + w[1] * e[1] + w[2] * e[2]) * e[k];
}

TEST(a_free_body_turns_as_it_does_in_closed_form)
{
  double rho[PARAMETERS], psi[FUNCTIONALS], slope[FUNCTIONALS * PARAMETERS], L[3], e[3];
  gradyn_scalar z[PARAMETERS], exact[6];
  gradyn_evaluator *ev = run_with(&free_body, .method = "explicit", .rtol = 1e-12);
  run_initial(ev, rho);
  assert_int_equal(gradyn_model_describe(ev).coordinates, 7);
  assert_run(gradyn_gradient(ev, rho, psi, slope), ev);
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
  momentum(psi + RATE, e, rho[ACROSS], rho[ALONG], L);
  assert_close(L[0], rho[ACROSS] * rho[TILT], 0, 1e-10);
  assert_close(L[1], 0, 0, 1e-10);
  assert_close(L[2], rho[ALONG] * rho[SPIN], 0, 1e-10);
  assert_close(psi[ENERGY],
               0.5 * (rho[ACROSS] * rho[TILT] * rho[TILT] + rho[ALONG] * rho[SPIN] * rho[SPIN] +
                      mass * (0.01 + 0.04 + 0.0025)),
               1e-10, 0);
  gradyn_evaluator_free(ev);
}

/* Many turns: what is left is round-off, for the most part of the angle itself. */
TEST(a_body_spins_on)
{
  static const double turns = 10000, pi = 3.14159265358979323846;
  double rho[PARAMETERS], psi[FUNCTIONALS];
  gradyn_evaluator *ev = run_with(&free_body, .method = "explicit", .rtol = 1e-12,
                                  .max_steps = 1000000);
  run_initial(ev, rho);
  rho[TILT] = 0;
  rho[SPIN] = 2 * pi * turns / end;
  assert_run(gradyn_simulate(ev, rho, psi, NULL), ev);
  for (int k = 0; k < 3; k++) {
    assert_close(psi[POINT + k], place[k] + speed[k] * end, 0, 1e-12 * 2 * pi * turns);
    assert_close(psi[TIP + k], (k == 2) + speed[k] * end, 0, 1e-12);
  }
  assert_close(psi[RATE + 2], rho[SPIN], 1e-10, 0);
  gradyn_evaluator_free(ev);
}

/* Three moments of inertia, about the middle one but for a little, where it turns over again and again. */
static gradyn_status build_tumbling(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double one[] = {1, 0, 0}, last[] = {0, 0, 1};
  const int body = gradyn_body_3d(
      m,
      &(gradyn_body_spec){.name = "body",
                          .mass = mass,
                          .omega = {0.01, rho[SPIN], 0.02},
                          .inertia = {rho[ACROSS], 0.5 * (rho[ACROSS] + rho[ALONG]), rho[ALONG]}});
  see(m, body, one, last);
  return gradyn_built(m);
}

static const gradyn_problem tumbling = {.name = "tumbling",
                                        .params = params,
                                        .param_count = PARAMETERS,
                                        .build = build_tumbling,
                                        .t_end = end,
                                        .coordinates = "joint"};

TEST(a_tumbling_body_keeps_momentum_and_energy)
{
  double rho[PARAMETERS], psi[FUNCTIONALS], L[3] = {0};
  gradyn_evaluator *ev = run_with(&tumbling, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  assert_run(gradyn_simulate(ev, rho, psi, NULL), ev);
  const double *e[] = {psi + POINT, NULL, psi + TIP}, *w = psi + RATE;
  const double I[] = {rho[ACROSS], 0.5 * (rho[ACROSS] + rho[ALONG]), rho[ALONG]};
  const double across[] = {e[2][1] * e[0][2] - e[2][2] * e[0][1],
                           e[2][2] * e[0][0] - e[2][0] * e[0][2],
                           e[2][0] * e[0][1] - e[2][1] * e[0][0]};
  const double start[] = {0.01, rho[SPIN], 0.02};
  double energy = 0;
  e[1] = across;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      L[k] += I[i] * (w[0] * e[i][0] + w[1] * e[i][1] + w[2] * e[i][2]) * e[i][k];
  for (int k = 0; k < 3; k++) {
    assert_close(L[k], I[k] * start[k], 0, 1e-10);
    energy += 0.5 * I[k] * start[k] * start[k];
  }
  assert_close(psi[ENERGY], energy, 1e-10, 0);
  gradyn_evaluator_free(ev);
}

/* --- a top ------------------------------------------------------------------------------------------- */

static const double g = 9.81, arm = 0.3, across = 0.1, along = 0.15, precession = 1.5, lean = 0.4;
static const gradyn_setting settings[] = {{"far", "km", 0, 0, 1}};
static const gradyn_param heavy[] = {{"mass", "kg", .init = 1}, {"share", "", .init = 1}};

/* How fast it turns about its axis with that precession, (C w - A p cos) p = m g l. */
static double spin_of_top(void)
{
  const double A = across + arm * arm;
  return (g * arm / precession + A * precession * cos(lean)) / along;
}

static gradyn_status build_top(gradyn_model *m, const gradyn_scalar rho[])
{
  const double e[] = {sin(lean), 0, cos(lean)}, far = 1000 * gradyn_setting_value(m, "far");
  const double o[] = {far, -2 * far, 0.5 * far}, more = along - across;
  const double spin = spin_of_top() - precession * cos(lean);
  /* with another share of its precession it nods */
  const gradyn_scalar w[] = {spin * e[0], 0, rho[1] * precession + spin * e[2]};
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "top",
                             .mass = rho[0],
                             .centre = {o[0] + arm * e[0], o[1], o[2] + arm * e[2]},
                             .velocity = {0, arm * (w[2] * e[0] - w[0] * e[2]), 0},
                             .omega = {w[0], 0, w[2]},
                             .inertia = {across + more * e[0] * e[0], across,
                                         across + more * e[2] * e[2], 0, more * e[0] * e[2], 0}});
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "ball",
                                          .kind = GRADYN_SPHERICAL,
                                          .body_a = GRADYN_GROUND,
                                          .body_b = body,
                                          .position = {o[0], o[1], o[2]}});
  const double P[] = {o[0] + place[0], o[1] + place[1], o[2] + place[2]};
  const double T[] = {o[0] + e[0], o[1], o[2] + e[2]};
  gradyn_gravity_3d(m, 0, 0, -g);
  see(m, body, P, T);
  return gradyn_built(m);
}

static const gradyn_problem top = {.name = "top",
                                   .params = heavy,
                                   .param_count = 2,
                                   .settings = settings,
                                   .setting_count = 1,
                                   .build = build_top,
                                   .t_end = end,
                                   .coordinates = "joint"};

TEST(a_top_precesses_as_it_does_in_closed_form)
{
  double rho[2], psi[FUNCTIONALS], w[3];
  gradyn_evaluator *ev = run_with(&top, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  assert_int_equal(gradyn_model_describe(ev).coordinates, 4);
  assert_run(gradyn_simulate(ev, rho, psi, NULL), ev);
  const gradyn_scalar z[] = {0, 0, 1}, e[] = {sin(lean), 0, cos(lean)};
  const double spin = spin_of_top() - precession * cos(lean);
  gradyn_scalar x[2][3] = {{place[0], place[1], place[2]}, {e[0], 0, e[2]}};
  for (int i = 0; i < 2; i++) {
    turn(e, spin * end, x[i]);
    turn(z, precession * end, x[i]);
    for (int k = 0; k < 3; k++)
      assert_close(psi[3 * i + k], creal(x[i][k]), 0, 1e-9);
  }
  double L[3];
  memcpy(w, psi + RATE, sizeof w);
  momentum(w, psi + TIP, across + arm * arm, along, L);
  const double A = across + arm * arm, C = along, W = spin_of_top();
  assert_close(L[2], A * precession * sin(lean) * sin(lean) + C * W * cos(lean), 1e-10, 0);
  assert_close(w[0] * psi[TIP] + w[1] * psi[TIP + 1] + w[2] * psi[TIP + 2], W, 1e-10, 0);
  assert_close(psi[ENERGY],
               0.5 * (A * pow(precession * sin(lean), 2) + C * W * W) + g * arm * cos(lean), 1e-10,
               0);
  gradyn_evaluator_free(ev);
}

TEST(a_top_that_nods_keeps_momenta_and_energy)
{
  double rho[2], psi[FUNCTIONALS], L[3];
  gradyn_evaluator *ev = run_with(&top, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  rho[1] = 0.3;
  assert_run(gradyn_simulate(ev, rho, psi, NULL), ev);
  const double *w = psi + RATE, *e = psi + TIP, A = across + arm * arm, p = rho[1] * precession;
  const double W = spin_of_top() + (rho[1] - 1) * precession * cos(lean);
  momentum(w, e, A, along, L);
  assert_close(L[2], A * p * sin(lean) * sin(lean) + along * W * cos(lean), 1e-10, 0);
  assert_close(w[0] * e[0] + w[1] * e[1] + w[2] * e[2], W, 1e-10, 0);
  assert_close(psi[ENERGY], 0.5 * (A * pow(p * sin(lean), 2) + along * W * W) + g * arm * cos(lean),
               1e-10, 0);
  assert_true(e[2] < cos(lean) - 1e-3);
  gradyn_evaluator_free(ev);
}

/* Kilometres from the ground's origin, positions have digits less, and nothing else does; by the same steps,
 * since tolerances are relative to coordinates, which a place far away is among. */
/* Rates, and with ten times the tolerance their derivatives. */
static void compare_far(const gradyn_problem *problem, double tolerance)
{
  double rho[2], psi[2][FUNCTIONALS], slope[2][2 * FUNCTIONALS];
  for (int far = 0; far < 2; far++) {
    gradyn_evaluator *ev = run_with(problem, .method = "explicit", .step = 0.01, .t_end = 2,
                                    .setting = "far", .value = far);
    run_initial(ev, rho);
    assert_run(gradyn_gradient(ev, rho, psi[far], slope[far]), ev);
    gradyn_evaluator_free(ev);
  }
  assert_close_array(psi[1] + RATE, psi[0] + RATE, 3, tolerance, tolerance);
  assert_close_array(slope[1] + 2 * RATE, slope[0] + 2 * RATE, 6, 0, 10 * tolerance);
}

TEST(a_top_far_away_is_the_same)
{
  compare_far(&top, 1e-11);
}

/* A body without a joint on a spring: where it is are coordinates of kilometres, each to 2e-13 m, which is
 * all that it loses, in natural coordinates as well. */
static gradyn_status build_tethered(gradyn_model *m, const gradyn_scalar rho[])
{
  const double far = 1000 * gradyn_setting_value(m, "far"), o[] = {far, -2 * far, 0.5 * far};
  const double P[] = {o[0] + place[0], o[1] + place[1], o[2] + place[2]};
  const int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "body",
                                                         .mass = rho[0],
                                                         .centre = {o[0], o[1], o[2]},
                                                         .velocity = {0.1, rho[1], -0.2},
                                                         .omega = {0.3, -1, 2},
                                                         .inertia = {0.1, 0.2, 0.25, 0.01}});
  const int to = gradyn_body_point_3d(m, body, "to", P[0], P[1], P[2]);
  const int from = gradyn_ground_point_3d(m, "from", o[0] + 1, o[1], o[2] + 0.5);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", from, to, .k = 40, .c = 1, .free_length = 0.3});
  see(m, body, P, (const double[]){o[0], o[1], o[2] + 1});
  return gradyn_built(m);
}

static const gradyn_problem tethered = {.name = "tethered",
                                        .params = heavy,
                                        .param_count = 2,
                                        .settings = settings,
                                        .setting_count = 1,
                                        .build = build_tethered,
                                        .t_end = 2,
                                        .coordinates = "joint"};

TEST(a_body_without_a_joint_far_away_is_the_same)
{
  compare_far(&tethered, 1e-10);
}

/* --- at rest ------------------------------------------------------------------------------------------ */

/* A body on a ball and one without a joint, each held by springs along the axes at four points. */
static gradyn_status build_rest(gradyn_model *m, const gradyn_scalar rho[])
{
  for (int i = 0; i < 2; i++) {
    const int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_name(m, "body%d", i),
                                                           .mass = rho[0] + i,
                                                           .centre = {0.3 + i, 0.1, -0.2},
                                                           .inertia = {0.1, 0.2, 0.25, 0.01}});
    for (int k = 0; k < 12; k++) {
      const double x = i + 0.5 * (k / 3 == 0), y = 0.5 * (k / 3 == 1), z = 0.5 * (k / 3 == 2);
      const int P = gradyn_body_point_3d(m, body, gradyn_name(m, "P%d.%d", i, k), x, y, z);
      const int R = gradyn_ground_point_3d(m, gradyn_name(m, "R%d.%d", i, k), x + (k % 3 == 0),
                                           y + (k % 3 == 1), z + (k % 3 == 2));
      gradyn_spring(m, &(gradyn_spring_spec){gradyn_name(m, "spring%d.%d", i, k), P, R, .k = 40,
                                             .c = 1, .free_length = 0.9});
    }
    if (i == 0)
      gradyn_joint_at(m, &(gradyn_place_spec){.name = "ball",
                                              .kind = GRADYN_SPHERICAL,
                                              .body_a = GRADYN_GROUND,
                                              .body_b = body});
  }
  gradyn_gravity_3d(m, 0, 0, -g);
  return gradyn_built(m);
}

#define REST(its_coordinates)                                                                      \
  {                                                                                                \
    .name = "rest", .params = heavy, .param_count = 1, .build = build_rest, .t_end = 1,            \
    .coordinates = its_coordinates                                                                 \
  }

TEST(equilibria_have_the_modes_that_they_have_in_natural_coordinates)
{
  static const gradyn_problem rest[] = {REST(NULL), REST("joint")};
  double real[2][18], imag[2][18];
  for (int c = 0; c < 2; c++) {
    double rho[1];
    gradyn_stability stability;
    gradyn_linearisation found;
    gradyn_evaluator *ev = run_with(&rest[c], .method = "explicit");
    run_initial(ev, rho);
    assert_run(gradyn_equilibrium(ev, rho, &stability, NULL, &found), ev);
    assert_int_equal(stability, GRADYN_STABLE);
    assert_int_equal(found.freedom, 9);
    for (int i = 0; i < 18; i++) {
      real[c][i] = found.real[i];
      imag[c][i] = fabs(found.imag[i]);
    }
    gradyn_linearisation_clear(&found);
    gradyn_evaluator_free(ev);
  }
  assert_close_array(real[1], real[0], 18, 1e-8, 0);
  assert_close_array(imag[1], imag[0], 18, 1e-8, 0);
}
