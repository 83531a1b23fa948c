/* Tops and other bodies on spherical joints, by Euler parameters: against closed forms, far from the
 * origin, and at rest. */
#include "tests/mbs/passes/turning.h"
#include "tests/declare.h"

static const double end = 100, place[] = {0.3, -0.2, 0.5};

static const double g = 9.81, arm = 0.3, across = 0.1, along = 0.15, precession = 1.5, lean = 0.4;
static const gradyn_setting settings[] = {{"far", "km", 0, 0, 1}};
static const gradyn_param heavy[] = {{"mass", "kg", .init = 1, GRADYN_UNBOUNDED},
                                     {"share", "", .init = 1, GRADYN_UNBOUNDED}};

/* Spin about the axis with the given precession, (C w - A p cos) p = m g l. */
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
  /* another initial precession causes a nutation */
  const gradyn_scalar w[] = {spin * e[0], 0, rho[1] * precession + spin * e[2]};
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "top",
                             .mass = rho[0],
                             .centre = {o[0] + arm * e[0], o[1], o[2] + arm * e[2]},
                             .velocity = {0, arm * (w[2] * e[0] - w[0] * e[2]), 0},
                             .omega = {w[0], 0, w[2]},
                             .inertia = {across + more * e[0] * e[0], across,
                                         across + more * e[2] * e[2], 0, more * e[0] * e[2], 0}});
  declare_joint(m, "ball", GRADYN_SPHERICAL, GRADYN_GROUND, body, VECTOR(o[0], o[1], o[2]), NULL);
  const double P[] = {o[0] + place[0], o[1] + place[1], o[2] + place[2]};
  const double T[] = {o[0] + e[0], o[1], o[2] + e[2]};
  gradyn_gravity_3d(m, 0, 0, -g);
  turning_see(m, body, P, T);
  return gradyn_build_status(m);
}

static const gradyn_problem top = PROBLEM("top", build_top, heavy, .settings = settings,
                                          .setting_count = 1, .t_end = end, .coordinates = "joint");

TEST(a_top_precesses_as_it_does_in_closed_form)
{
  double rho[2], psi[FUNCTIONALS], w[3];
  run_local *ev = run_with(&top, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  assert_int_equal(gradyn_evaluator_model_info(ev).coordinates, 4);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  const gradyn_scalar z[] = {0, 0, 1}, e[] = {sin(lean), 0, cos(lean)};
  const double spin = spin_of_top() - precession * cos(lean);
  gradyn_scalar x[2][3] = {{place[0], place[1], place[2]}, {e[0], 0, e[2]}};
  for (int i = 0; i < 2; i++) {
    turning_turn(e, spin * end, x[i]);
    turning_turn(z, precession * end, x[i]);
    for (int k = 0; k < 3; k++)
      assert_close(psi[3 * i + k], creal(x[i][k]), 0, 1e-9);
  }
  double L[3];
  memcpy(w, psi + RATE, sizeof w);
  turning_momentum(w, psi + TIP, across + arm * arm, along, L);
  const double A = across + arm * arm, C = along, W = spin_of_top();
  assert_close(L[2], A * precession * sin(lean) * sin(lean) + C * W * cos(lean), 1e-10, 0);
  assert_close(w[0] * psi[TIP] + w[1] * psi[TIP + 1] + w[2] * psi[TIP + 2], W, 1e-10, 0);
  assert_close(psi[ENERGY],
               0.5 * (A * pow(precession * sin(lean), 2) + C * W * W) + g * arm * cos(lean), 1e-10,
               0);
}

TEST(a_top_that_nods_keeps_momenta_and_energy)
{
  double rho[2], psi[FUNCTIONALS], L[3];
  run_local *ev = run_with(&top, .method = "explicit", .rtol = 1e-13);
  run_initial(ev, rho);
  rho[1] = 0.3;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  const double *w = psi + RATE, *e = psi + TIP, A = across + arm * arm, p = rho[1] * precession;
  const double W = spin_of_top() + (rho[1] - 1) * precession * cos(lean);
  turning_momentum(w, e, A, along, L);
  assert_close(L[2], A * p * sin(lean) * sin(lean) + along * W * cos(lean), 1e-10, 0);
  assert_close(w[0] * e[0] + w[1] * e[1] + w[2] * e[2], W, 1e-10, 0);
  assert_close(psi[ENERGY], 0.5 * (A * pow(p * sin(lean), 2) + along * W * W) + g * arm * cos(lean),
               1e-10, 0);
  assert_true(e[2] < cos(lean) - 1e-3);
}

/* Kilometres from the origin, positions have fewer digits, but no other result may lose accuracy. Steps are
 * fixed, because tolerances are relative to coordinates, which are large there. */
/* Compares rates, and derivatives with ten times the tolerance. */
static void compare_far(const gradyn_problem *problem, double tolerance)
{
  double rho[2], psi[2][FUNCTIONALS], slope[2][2 * FUNCTIONALS];
  for (int far = 0; far < 2; far++) {
    run_local *ev = run_with(problem, .method = "explicit", .step = 0.01, .t_end = 2,
                             .setting = "far", .value = far);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[far], slope[far]), ev);
  }
  assert_close_array(psi[1] + RATE, psi[0] + RATE, 3, tolerance, tolerance);
  assert_close_array(slope[1] + 2 * RATE, slope[0] + 2 * RATE, 6, 0, 10 * tolerance);
}

TEST(a_top_far_away_is_the_same)
{
  compare_far(&top, 1e-11);
}

/* A body without a joint on a spring. Its position is given by coordinates of kilometres, accurate to 2e-13
 * m each; this is the only loss, in natural coordinates as well. */
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
  turning_see(m, body, P, (const double[]){o[0], o[1], o[2] + 1});
  return gradyn_build_status(m);
}

static const gradyn_problem tethered = PROBLEM("tethered", build_tethered, heavy,
                                               .settings = settings, .setting_count = 1, .t_end = 2,
                                               .coordinates = "joint");

TEST(a_body_without_a_joint_far_away_is_the_same)
{
  compare_far(&tethered, 1e-10);
}

/* --- at rest ------------------------------------------------------------------------------------------ */

/* A body on a spherical joint and one without a joint, each held at four points by springs along the axes. */
static gradyn_status build_rest(gradyn_model *m, const gradyn_scalar rho[])
{
  for (int i = 0; i < 2; i++) {
    const int body = declare_body_3d(m, gradyn_format_name(m, "body%d", i), rho[0] + i,
                                     INERTIA(0.1, 0.2, 0.25, 0.01), VECTOR(0.3 + i, 0.1, -0.2));
    for (int k = 0; k < 12; k++) {
      const double x = i + 0.5 * (k / 3 == 0), y = 0.5 * (k / 3 == 1), z = 0.5 * (k / 3 == 2);
      const int P = gradyn_body_point_3d(m, body, gradyn_format_name(m, "P%d.%d", i, k), x, y, z);
      const int R = gradyn_ground_point_3d(m, gradyn_format_name(m, "R%d.%d", i, k),
                                           x + (k % 3 == 0), y + (k % 3 == 1), z + (k % 3 == 2));
      gradyn_spring(m, &(gradyn_spring_spec){gradyn_format_name(m, "spring%d.%d", i, k), P, R,
                                             .k = 40, .c = 1, .free_length = 0.9});
    }
    if (i == 0)
      declare_joint(m, "ball", GRADYN_SPHERICAL, GRADYN_GROUND, body, NULL, NULL);
  }
  gradyn_gravity_3d(m, 0, 0, -g);
  return gradyn_build_status(m);
}

#define REST(its_coordinates)                                                                      \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = "rest", .params = heavy, .param_count = 1, .build = build_rest,  \
                          .t_end = 1, .coordinates = its_coordinates                               \
  }

TEST(equilibria_have_the_modes_that_they_have_in_natural_coordinates)
{
  static const gradyn_problem rest[] = {REST("natural"), REST("joint")};
  double real[2][18], imag[2][18];
  for (int c = 0; c < 2; c++) {
    double rho[1];
    gradyn_stability stability;
    LOCAL(gradyn_linearisation) found;
    run_local *ev = run_with(&rest[c], .method = "explicit");
    run_initial(ev, rho);
    assert_run(gradyn_equilibrium_compute(ev, rho, &stability, NULL, &found), ev);
    assert_int_equal(stability, GRADYN_STABLE);
    assert_int_equal(found.dof, 9);
    for (int i = 0; i < 18; i++) {
      real[c][i] = found.real[i];
      imag[c][i] = fabs(found.imag[i]);
    }
  }
  assert_close_array(real[1], real[0], 18, 1e-8, 0);
  assert_close_array(imag[1], imag[0], 18, 1e-8, 0);
}
