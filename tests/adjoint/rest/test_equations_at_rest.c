/* Linearisation of general equations at rest and near a state: two tanks with a valve, whose flow is
 * algebraic; a circuit whose rates have a singular matrix; a pendulum as general equations, upright and
 * hanging. */
#include "tests/runs.h"
#include "tests/declare.h"

static gradyn_evaluator *open_problem(const gradyn_problem *problem, const char *method)
{
  return run_with(problem, .method = method);
}

/* --- two tanks ------------------------------------------------------------------------------------ */

/* h1' = u - w, h2' = w - c h2^2 with the flow w^2 = h1 - h2. In equilibrium w = u and h2 = sqrt(u/c). */
enum { H1, H2, FLOW };
static const double inflow = 0.6, outlet = 1.5;

static gradyn_status tanks(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y;
  F[0] = at->yp[H1] - at->u[1] - inflow + y[FLOW];
  F[1] = at->yp[H2] - y[FLOW] + at->data[0] * y[H2] * y[H2];
  F[2] = y[FLOW] * y[FLOW] - y[H1] + y[H2];
  return GRADYN_OK;
}

static gradyn_status build_tanks(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar none;
  const gradyn_datum data = {"outlet", "", rho[0]};
  declare_signal(model, "pump", "m/s", GRADYN_PIECEWISE_CONSTANT, 1, &none);
  gradyn_state(model, "h1", "m", 3);
  gradyn_state(model, "h2", "m", 0.1);
  gradyn_algebraic_state(model, "flow", "m/s", 1.5);
  declare_equations(model, tanks, &data, 1);
  return gradyn_build_status(model);
}

static const gradyn_param tank_params[] = {{.name = "outlet", .init = 1.5}};
static const gradyn_problem tank_problem = PROBLEM("tanks", build_tanks, tank_params, .t_end = 200,
                                                   .rtol = 1e-10);

/* Expected linearisation about a state: dw = (dh1 - dh2)/(2 w). */
static void expect_tanks(const gradyn_linearisation *l, double h2, double w)
{
  const double s = 1 / (2 * w), out = 2 * outlet * h2;
  const double A[4] = {-s, s, s, -s - out}, B[2] = {1, 0}, Z[6] = {1, 0, s, 0, 1, -s};
  const double trace = A[0] + A[3], det = A[0] * A[3] - A[1] * A[2];
  const double root = sqrt(trace * trace / 4 - det);
  assert_true(l->dof == 0 && l->states == 2 && l->inputs == 1 && l->n == 3);
  assert_true(l->state[0] == H1 && l->state[1] == H2);
  assert_close_array(l->A, A, 4, 1e-9, 1e-12);
  assert_close_array(l->B, B, 2, 1e-12, 1e-14);
  assert_close_array(l->Z, Z, 6, 1e-9, 1e-12);
  assert_close(l->real[0], trace / 2 + root, 1e-9, 0);
  assert_close(l->real[1], trace / 2 - root, 1e-9, 0);
  assert_close_array(l->imag, ((double[2]){0, 0}), 2, 0, 1e-15);
  /* mode shapes contain all states: the flow follows from the levels */
  for (int k = 0; k < 2; k++) {
    const double *shape = l->shape + 6 * k;
    assert_close(shape[FLOW], s * (shape[H1] - shape[H2]), 1e-9, 1e-12);
    assert_close(A[0] * shape[H1] + A[1] * shape[H2], l->real[k] * shape[H1], 1e-9, 1e-12);
    assert_close(fmax(fmax(fabs(shape[0]), fabs(shape[1])), fabs(shape[2])), 1, 1e-12, 0);
  }
}

TEST(tanks_have_the_closed_form)
{
  const double h2 = sqrt(inflow / outlet), rho = outlet;
  for (int k = 0; k < 3; k++) {
    run_local *ev = open_problem(&tank_problem, k == 1 ? "explicit" : "idas");
    OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
    LOCAL(gradyn_linearisation) l;
    gradyn_stability stability = GRADYN_STABLE;
    assert_run(k < 2 ? gradyn_equilibrium_compute(ev, &rho, &stability, at, &l)
                     : gradyn_evaluator_linearise(ev, &rho, true, &l),
               ev);
    assert_int_equal(stability, GRADYN_STABLE);
    /* the state at the end of a long run is the equilibrium, too */
    expect_tanks(&l, h2, inflow);
    assert_string_equal(gradyn_coordinate_at(ev, l.state[1]).name, "h2");
    if (k < 2) {
      double y[3];
      assert_int_equal(gradyn_trajectory_read(at).columns, 3);
      (void)gradyn_trajectory_step(at, 0, y);
      const double expected[3] = {h2 + inflow * inflow, h2, inflow};
      assert_close_array(y, expected, 3, 1e-12, 0);
    }
    gradyn_linearisation_clear(&l);
    assert_run(gradyn_evaluator_linearise(ev, &rho, false, &l), ev);
    expect_tanks(&l, 0.1, sqrt(3 - 0.1));
  }
}

/* --- a circuit ------------------------------------------------------------------------------------ */

/* A capacitor C between nodes 1 and 2, a resistor from node 1 to a source of 1 V, and one from node 2 to
 * the ground. Only the difference of the voltages has a rate, -(e1 - e2 - 1)/(C (R1 + R2)). */
static const double C = 0.02, R1 = 3, R2 = 7;

static gradyn_status circuit(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar current = C * (at->yp[0] - at->yp[1]);
  F[0] = current + (at->y[0] - 1 - at->u[1]) / R1;
  F[1] = -current + at->y[1] / R2;
  return GRADYN_OK;
}

static gradyn_status build_circuit(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  static const gradyn_scalar none;
  declare_signal(model, "source", "V", GRADYN_PIECEWISE_CONSTANT, 1, &none);
  gradyn_state(model, "e1", "V", 0.3);
  gradyn_state(model, "e2", "V", 0.1);
  declare_equations(model, circuit, NULL, 0);
  return gradyn_build_status(model);
}

static const gradyn_problem circuit_problem = {GRADYN_PROBLEM_SIZES, .name = "circuit",
                                               .build = build_circuit, .t_end = 1, .rtol = 1e-10};

/* The only state is v = (e1 - e2)/2, the part of e1 that has a rate. Both voltages follow from the current
 * through the resistors, (1 - 2 v)/(R1 + R2). */
TEST(combinations_without_rates_are_no_states)
{
  const double rate = -1 / (C * (R1 + R2));
  for (int k = 0; k < 2; k++) {
    run_local *ev = open_problem(&circuit_problem, "idas");
    OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
    LOCAL(gradyn_linearisation) l;
    gradyn_stability stability = GRADYN_STABLE;
    double y[2];
    assert_run(k == 0 ? gradyn_equilibrium_compute(ev, NULL, &stability, at, &l)
                      : gradyn_evaluator_linearise(ev, NULL, false, &l),
               ev);
    assert_int_equal(l.states, 1);
    assert_close(l.A[0], rate, 1e-12, 0);
    assert_close(l.real[0], rate, 1e-12, 0);
    assert_close(l.B[0], -rate / 2, 1e-12, 0);
    assert_close(l.Z[0], 2 * R1 / (R1 + R2), 1e-12, 0);
    assert_close(l.Z[1], -2 * R2 / (R1 + R2), 1e-12, 0);
    if (k == 0) {
      (void)gradyn_trajectory_step(at, 0, y);
      assert_close_array(y, ((double[2]){1, 0}), 2, 1e-12, 1e-12);
      assert_int_equal(stability, GRADYN_STABLE);
    }
  }
}

/* --- a pendulum ----------------------------------------------------------------------------------- */

static const double g = 9.81, air = 0.3;

FORMULAS(swing, at->yp[0] - at->y[1], at->yp[1] + g * sin(at->y[0]) + at->data[0] * at->y[1])

static gradyn_status build_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum drag = {"drag", "1/s", rho[1]};
  gradyn_state(model, "angle", "rad", rho[0]);
  gradyn_state(model, "rate", "rad/s", 0);
  declare_equations(model, swing, &drag, 1);
  return gradyn_build_status(model);
}

static const gradyn_param pendulum_params[] = {{.name = "angle", .init = 1},
                                               {.name = "drag", .init = 0.3}};
static const gradyn_problem pendulum_problem = PROBLEM("pendulum", build_pendulum, pendulum_params,
                                                       .t_end = 1);

/* From the upright position the search finds this unstable equilibrium, and from beside it the hanging one.
 * The hanging equilibrium is neutral without air, and unstable if air adds energy; it is found all the
 * same. */
TEST(a_pendulum_falls_where_it_hangs)
{
  const double pi = acos(-1);
  const struct {
    double angle, air, at;
    gradyn_stability stability;
  } cases[] = {{pi, air, pi, GRADYN_UNSTABLE},
               {2.5, air, 0, GRADYN_STABLE},
               {0.8, 0, 0, GRADYN_NEUTRAL},
               {0.3, -air, 0, GRADYN_UNSTABLE}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    run_local *ev = open_problem(&pendulum_problem, "explicit");
    OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
    LOCAL(gradyn_linearisation) l;
    gradyn_stability stability;
    const double rho[2] = {cases[k].angle, cases[k].air};
    double y[2], sum = 0, product;
    assert_run(gradyn_equilibrium_compute(ev, rho, &stability, at, &l), ev);
    (void)gradyn_trajectory_step(at, 0, y);
    assert_close(y[0], cases[k].at, 1e-12, 1e-12);
    assert_close(y[1], 0, 0, 1e-12);
    assert_int_equal(stability, cases[k].stability);
    /* s^2 + air s + g cos(angle) = 0 */
    for (int i = 0; i < 2; i++)
      sum += l.real[i];
    product = l.real[0] * l.real[1] - l.imag[0] * l.imag[1];
    assert_close(sum, -cases[k].air, 1e-9, 1e-12);
    assert_close(product, g * cos(cases[k].at), 1e-9, 0);
  }
}
