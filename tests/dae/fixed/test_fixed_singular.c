/* Fixed steps near singular positions. A slider-crank without gravity, whose rod is slightly longer than
 * its crank, nearly stretches. After its dead point the slider stays near the pivot, and its velocity
 * vanishes within a time that decreases with the difference of the lengths. Steps that do not resolve this
 * must have a warning. A run to the end has the energy, the integral and the derivative of quadratures of
 * the single equation in the crank's angle. If crank and rod have exactly equal lengths, the run passes the
 * dead point straight on. */
#include "tests/runs.h"

static double longer; /* share of the crank's length */
static bool
    watched; /* with an event that never happens, so that the run uses the loop over events */

FORMULA(never, 10 - at->t)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", cos(1), sin(1));
  const int q = gradyn_point(m, "q", 2 * cos(1), 0);
  gradyn_rod(m,
             &(gradyn_rod_spec){.name = "crank", .from = A, .to = p, .length = rho[0], .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){
                    .name = "rod", .from = p, .to = q, .length = rho[0] * (1 + longer), .mass = 1});
  gradyn_coordinate(m, "slide", q, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_initial_velocity(m, p, -2, 2);
  if (watched)
    gradyn_event(m, &(gradyn_event_spec){.name = "never", .guard = {.terminal = never}});
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"v2", gradyn_measure_point(m, "", p, 1, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"q", gradyn_measure_point(m, "", q, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

enum { V2, Q, ENERGY, F };

static const gradyn_param params[] = {{"r", "m", .init = 1, GRADYN_UNBOUNDED}};

/* --- quadratures ------------------------------------------------------------------------------------ */

/* Slider position q and dq/da as functions of the crank's angle a. */
static double slider(double r, double a, double *slope)
{
  const double l = r * (1 + longer), root = sqrt(l * l - r * r * sin(a) * sin(a));
  *slope = -r * sin(a) - r * r * sin(a) * cos(a) / root;
  return r * cos(a) + root;
}

/* 2 T/a'^2 of two uniform rods of 1 kg. */
static double inertia(double r, double a)
{
  double w;
  slider(r, a, &w);
  /* v_p = r (-sin, cos) a', v_q = (w, 0) a' */
  return r * r / 3 + (r * r - r * sin(a) * w + w * w) / 3;
}

/* Computes v2, q and the energy at 1 s, for an initial energy and slider position q. dt = sqrt(I/2E) da and
 * |v_p|^2 dt = r^2 a'da, by the midpoint rule in u with a = pi/2 + sqrt(2 longer) sinh(u). */
static void quadratures(double r, double q, double energy, double psi[F])
{
  enum { POINTS = 1 << 16 };
  const double d = sqrt(2 * longer), top = acos(-1) / 2, l = r * (1 + longer);
  const double first = acos((r * r + q * q - l * l) / (2 * r * q));
  const double from = asinh((first - top) / d), step = (asinh(3 / d) - from) / POINTS;
  double t = 0, slope;
  psi[V2] = 0;
  for (int k = 0; k < POINTS && t < 1; k++) {
    const double u = from + (k + 0.5) * step, a = top + d * sinh(u);
    const double rate = sqrt(2 * energy / inertia(r, a)), da = d * cosh(u) * step;
    const double share = fmin(1, (1 - t) / (da / rate)); /* of the last piece */
    t += da / rate;
    psi[V2] += r * r * rate * da * share;
    psi[Q] = slider(r, top + d * sinh(u + (share - 0.5) * step), &slope);
  }
  psi[ENERGY] = energy;
}

/* --- runs ------------------------------------------------------------------------------------------- */

typedef struct scheme {
  const char *method, *integrator;
} scheme;

enum { EXPLICIT = 3 };

static const scheme schemes[] = {
    {"ali3p", NULL}, {"ali3p", "generalised-alpha"}, {"variational", NULL}, {"explicit", NULL}};

static gradyn_status run(const scheme *which, const char *sensitivity, double step, double t_end,
                         double psi[F], double slope[F], char message[512])
{
  const gradyn_problem problem = PROBLEM("dead_point", build, params, .t_end = t_end);
  const double r = 1;
  run_local *ev = run_with(&problem, .method = which->method, .integrator = which->integrator,
                           .step = step, .sensitivity = sensitivity);
  gradyn_status status = slope ? gradyn_evaluator_gradient(ev, &r, psi, slope)
                               : gradyn_evaluator_simulate(ev, &r, psi, NULL);
  (void)snprintf(message, 512, "%s", gradyn_evaluator_message(ev));
  return status;
}

/* Checks the errors of a run without a warning; steps that are too long cause much larger ones. */
static void compare(const char *what, double step, const double psi[F], const double slope[F])
{
  /* derivatives of the initial state */
  double exact[F], other[2][F], by_r[F], fine[F], rate[F];
  char message[512];
  assert_ok(run(&schemes[EXPLICIT], "adjoint", 1e-7, 1e-7, fine, rate, message), message);
  quadratures(1, fine[Q], fine[ENERGY], exact);
  for (int k = 0; k < 2; k++) {
    const double h = k == 0 ? 1e-4 : -1e-4;
    quadratures(1 + h, fine[Q] + h * rate[Q], fine[ENERGY] + h * rate[ENERGY], other[k]);
  }
  for (int f = 0; f < F; f++) {
    by_r[f] = (other[0][f] - other[1][f]) / 2e-4;
    if (support_error(psi[f], exact[f], 3e-3, 1e-3) > 1 ||
        support_error(slope[f], by_r[f], 0.02, 0.02) > 1)
      fail_msg("%s, steps of %g s, rod longer by %g: functional %d is %g, by r %g, for %g and %g",
               what, step, longer, f, psi[f], slope[f], exact[f], by_r[f]);
  }
}

TEST(steps_that_do_not_resolve_it_are_reported)
{
  static const double steps[] = {1e-3, 1e-2};
  /* exponents of the largest gap that must have a warning, and of the smallest that must have none */
  static const int told[][GRADYN_COUNT(schemes)] = {{6, 6, 6, 7}, {4, 4, 4, 5}};
  static const int resolved[] = {5, 3};
  static const char *const sensitivities[] = {"adjoint", "direct"};
  double psi[F], slope[F];
  char message[512];
  for (size_t h = 0; h < GRADYN_COUNT(steps); h++)
    for (size_t k = 0; k < 2 * GRADYN_COUNT(schemes); k++)
      for (int n = 2; n <= 8; n++) {
        const scheme *which = &schemes[k / 2];
        if (!support_takes((int)(h + k) + n, 3))
          continue;
        longer = pow(10, -n);
        watched = n % 2;
        gradyn_status status = run(which, sensitivities[k % 2], steps[h], 1, psi, slope, message);
        const bool all = status == GRADYN_SINGULAR || status == GRADYN_NOT_CONVERGED;
        if (n <= resolved[h])
          assert_ok(status, message);
        if ((n >= told[h][k / 2] && !all) || (!all && status != GRADYN_OK))
          fail_msg("%s, steps of %g s, rod longer by %g: %s", which->method, steps[h], longer,
                   gradyn_status_describe(status).name);
        if (status == GRADYN_SINGULAR && !strstr(message, "singular position"))
          fail_msg("%s", message);
        if (status == GRADYN_OK)
          compare(which->method, steps[h], psi, slope);
        /* a gradient must end with the status of a simulation */
        assert_int_equal(run(which, "adjoint", steps[h], 1, psi, NULL, message), status);
      }
}

/* Equal lengths, exactly and up to round-off: fixed steps must pass the dead point. */
TEST(a_dead_point_is_passed)
{
  static const double steps[] = {3e-4, 1e-3, 1e-2, 3e-2}, off[] = {0, 1e-16, -2e-16};
  double start[F], psi[F];
  char message[512];
  for (size_t h = 0; h < GRADYN_COUNT(steps); h++)
    for (size_t k = 0; k < EXPLICIT * GRADYN_COUNT(off); k++) {
      longer = off[k / EXPLICIT];
      watched = k % 2;
      const scheme *which = &schemes[k % EXPLICIT];
      assert_ok(run(which, "adjoint", 1e-5, 1e-5, start, NULL, message), message);
      assert_ok(run(which, "adjoint", steps[h], 5, psi, NULL, message), message);
      assert_close(psi[ENERGY], start[ENERGY], 1e-4, 0);
    }
}

/* --- what is not singular --------------------------------------------------------------------------- */

/* A chain of springs so stiff that steps do not resolve them. */
static gradyn_status build_stiff(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  enum { LINKS = 4 };
  int last = gradyn_ground_point(m, "O", 0, 0);
  const int high = gradyn_ground_point(m, "H", 1, 2);
  for (int k = 1; k <= LINKS; k++) {
    const int p = gradyn_point(m, gradyn_format_name(m, "p%d", k), k, 0);
    gradyn_rod(m, &(gradyn_rod_spec){.name = gradyn_format_name(m, "r%d", k),
                                     .from = last,
                                     .to = p,
                                     .length = 1,
                                     .mass = 1});
    gradyn_spring(m, &(gradyn_spring_spec){.name = gradyn_format_name(m, "s%d", k),
                                           .from = high,
                                           .to = p,
                                           .k = 3e5,
                                           .free_length = 2});
    last = p;
  }
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(stiff_forces_are_no_singular_position)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "stiff",
                                         .build = build_stiff, .t_end = 1};
  static const double nothing, steps[] = {1e-3, 5e-3, 1e-2};
  for (size_t k = 0; k < EXPLICIT * GRADYN_COUNT(steps); k++) {
    double energy;
    run_local *ev = run_with(&problem, .method = schemes[k % EXPLICIT].method,
                             .integrator = schemes[k % EXPLICIT].integrator,
                             .step = steps[k / EXPLICIT]);
    gradyn_status status = gradyn_evaluator_simulate(ev, &nothing, &energy, NULL);
    if (status == GRADYN_SINGULAR)
      fail_msg("%s", gradyn_evaluator_message(ev));
  }
}

/* --- where there is no way on ----------------------------------------------------------------------- */

/* Two rods whose ends are driven apart until they are stretched at t = 0.5 s. */
static gradyn_status build_stretched(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(m, "O", 0, 0), p = gradyn_point(m, "p", 0.75, 0.7);
  int q = gradyn_point(m, "q", 1.5, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"first", O, p, .length = 1, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"second", p, q, .length = 1, .mass = 1});
  gradyn_distance(m, "drive", O, q, &(gradyn_time_function){.value = 1.5, .rate = 1});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(an_impassable_position_is_reported)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "stretched",
                                         .build = build_stretched, .t_end = 1};
  static const double nothing;
  for (size_t k = 0; k < EXPLICIT; k++) {
    double energy;
    run_local *ev = run_with(&problem, .method = schemes[k].method,
                             .integrator = schemes[k].integrator, .step = 0.01);
    assert_refused(gradyn_evaluator_simulate(ev, &nothing, &energy, NULL), ev, GRADYN_SINGULAR,
                   "t = 0.4");
  }
}
