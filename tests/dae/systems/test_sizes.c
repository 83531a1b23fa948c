/* Sizes of the states of general equations, in any units: from the state itself, from its rate, or from
 * states with the same unit. */
#include "tests/runs.h"
#include "tests/declare.h"

#include "dae/systems/sizes.h"

enum { CHARGE, COLD_CHARGE, GROWING_CHARGE, VOLTAGE, COLD_VOLTAGE, HEAT, STATES };

static gradyn_status rest(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < STATES; i++)
    F[i] = at->yp[i];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  static const char *const unit[] = {"C", "C", "C", "V", "V", "K"};
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), unit[i], 0);
  declare_equations(model, rest, NULL, 0);
  return gradyn_build_status(model);
}

/* Compares the sizes of the states at y with rates yp with the expected ones. */
static void assert_sizes(const double y[], const double yp[], const double expected[])
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "rest", .build = build, .t_end = 3};
  gradyn_model *model;
  gradyn_status status = gradyn_model_create(&problem, NULL, 0, 0, NULL, &model);
  assert_ok(status, model->message.text);
  gradyn_index1 *system;
  assert_ok(gradyn_index1_from_equations(model, &system), model->message.text);
  double size[STATES];
  status = gradyn_state_sizes(model, system, y, yp, 3, size);
  assert_ok(status, model->message.text);
  assert_close_array(size, expected, STATES, 1e-14, 0);
  gradyn_index1_free(system);
  gradyn_model_free(model);
}

TEST(sizes_follow_units)
{
  for (double one = 1e-18; one < 1e19; one *= 1e6) {
    /* the change of the growing state during the whole run, since all others are at rest */
    const double grown = 0.01 * 7 * one * 3;
    assert_sizes((double[STATES]){[CHARGE] = -5 * one, [VOLTAGE] = 2 / one},
                 (double[STATES]){[GROWING_CHARGE] = 7 * one},
                 (double[]){5 * one, grown, grown, 2 / one, 2 / one, 1});
  }
}

/* An initial value that is round-off of zero has no influence on the size if rates soon change the state by
 * more. A larger value has. */
TEST(values_of_round_off_have_no_size)
{
  const double grown = 0.01 * 7 * 3, least = 1e-3 * grown;
  assert_sizes((double[STATES]){[CHARGE] = 2e-32, [GROWING_CHARGE] = -3e-32},
               (double[STATES]){[GROWING_CHARGE] = 7}, (double[]){grown, grown, grown, 1, 1, 1});
  assert_sizes((double[STATES]){[CHARGE] = 1e-24}, (double[STATES]){[GROWING_CHARGE] = 7},
               (double[]){grown, grown, grown, 1, 1, 1});
  assert_sizes((double[STATES]){[CHARGE] = 1e-16}, (double[STATES]){[GROWING_CHARGE] = 7},
               (double[]){least, least, grown, 1, 1, 1});
}

/* A value of round-off compared with the largest value of its unit counts as zero, and gets the size of
 * that unit. A slightly larger value counts, but the size is at least a given fraction of the largest. */
TEST(round_off_beside_its_like_is_zero)
{
  const double none[STATES] = {0};
  assert_sizes((double[STATES]){[CHARGE] = 5, [COLD_CHARGE] = 5e-14}, none,
               (double[]){5, 5, 5, 1, 1, 1});
  assert_sizes((double[STATES]){[CHARGE] = 5, [COLD_CHARGE] = 5e-9}, none,
               (double[]){5, 5e-3, 5e-3, 1, 1, 1});
}

/* --- rates of round-off ------------------------------------------------------------------------- */

/* A pole on a cart, released from the horizontal: the acceleration of the cart starts at cos(pi/2) = 6e-17.
 */
static gradyn_status cart_pole(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp;
  const gradyn_scalar s = sin(y[1]), c = cos(y[1]), D = 1 + 0.3 * s * s;
  F[0] = d[0] - y[2];
  F[1] = d[1] - y[3];
  F[2] = d[2] - (0.15 * s * y[3] * y[3] + 0.3 * 9.81 * c * s) / D;
  F[3] = d[3] + (0.15 * c * s * y[3] * y[3] + 1.3 * 9.81 * s) / (0.5 * D);
  return GRADYN_OK;
}

/* Kinetic and potential energy in J; their sum is constant. */
static gradyn_status energy(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *y = at->y;
  *value = 0.5 * 1.3 * y[2] * y[2] + 0.15 * cos(y[1]) * y[2] * y[3] +
           0.5 * 0.3 * 0.25 * y[3] * y[3] - 0.15 * 9.81 * cos(y[1]);
  return GRADYN_OK;
}

static gradyn_status build_cart(gradyn_model *model, const char *const unit[])
{
  gradyn_state(model, "x", unit[0], 0.5);
  gradyn_state(model, "angle", unit[1], 1.5707963267948966);
  gradyn_state(model, "v", unit[2], 0);
  gradyn_state(model, "w", unit[3], 0);
  declare_equations(model, cart_pole, NULL, 0);
  declare_end(model, "energy", "J", energy);
  return gradyn_build_status(model);
}

static gradyn_status cart_with_units(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return build_cart(model, (const char *const[]){"m", "rad", "m/s", "rad/s"});
}

static gradyn_status cart_in_part(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return build_cart(model, (const char *const[]){"m", "rad", "", ""});
}

static gradyn_status cart_without(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return build_cart(model, (const char *const[]){"", "", "", ""});
}

/* Returns psi by a method; counts its steps. */
static double run(const gradyn_problem *problem, const char *method, double rtol, long *steps)
{
  double psi = NAN;
  run_local *ev = run_with(problem, .method = method, .rtol = rtol);
  assert_run(gradyn_evaluator_simulate(ev, NULL, &psi, NULL), ev);
  *steps = gradyn_evaluator_statistics(ev).steps;
  return psi;
}

TEST(rates_of_round_off_have_no_size)
{
  static const gradyn_build_fn builds[] = {cart_with_units, cart_in_part, cart_without};
  for (int k = 0; k < 6; k++) {
    const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "cart", .build = builds[k / 2],
                                    .t_end = 0.1};
    long steps;
    const double psi = run(&problem, run_adaptive[k % 2], 1e-8, &steps);
    assert_close(psi, 0, 0, 3e-8); /* relative to the energy of 1.5 J that is exchanged */
    assert_true(steps < (k % 2 ? 40 : 150));
  }
}

/* --- mechanisms --------------------------------------------------------------------------------- */

static double light; /* kg */

/* Two masses at a distance of 1 m; a force acts on the light one. */
static gradyn_status two_masses(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int a = gradyn_point(model, "a", 0, 0), b = gradyn_point(model, "b", 1, 0);
  gradyn_point_mass(model, "heavy", a, 1);
  gradyn_point_mass(model, "light", b, light);
  gradyn_force(model, &(gradyn_force_spec){.name = "pull", .point = b, .fx = 1});
  return gradyn_build_status(model);
}

/* The acceleration by a load determines the size of a state, unless it is round-off of other accelerations.
 */
TEST(loads_on_round_off_have_no_size)
{
  static const struct {
    double light, acceleration; /* kg, m/s^2 */
  } masses[] = {{1, 1}, {1e-9, 1e9}, {1e-14, 1}};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "two masses", .build = two_masses,
                                  .t_end = 1};
  for (size_t k = 0; k < GRADYN_COUNT(masses); k++) {
    gradyn_model *model;
    const double y[12] = {[2] = 1};
    double size[12];
    light = masses[k].light;
    assert_ok(gradyn_model_create(&problem, NULL, 0, 0, NULL, &model), model->message.text);
    assert_int_equal(model->mech->n, 4);
    assert_ok(gradyn_state_sizes(model, NULL, y, NULL, 1, size), model->message.text);
    for (int i = 0; i < 4; i++)
      assert_close(size[8 + i], masses[k].acceleration, 1e-14, 0);
    gradyn_model_free(model);
  }
}

/* --- declared sizes ----------------------------------------------------------------------------- */

static const double *declared;

/* One state decays from 1; the other one, with the same unit, oscillates by 5e-12. */
FORMULAS(unequal, at->yp[0] + at->y[0], at->yp[1] - 1e-10 * cos(20 * at->t))

FORMULA(second, at->y[1])

static gradyn_status build_unequal(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(model, "much", "mol", 1);
  gradyn_state(model, "little", "mol", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = unequal, .size = declared});
  declare_end(model, "second", "mol", second);
  return gradyn_build_status(model);
}

/* A size is at least a thousandth of the largest size with this unit. A declared size takes precedence,
 * whatever values the state reaches. */
TEST(declared_sizes_go_before)
{
  static const double size[] = {0, 1e-12};
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "unequal",
                                         .build = build_unequal, .t_end = 1};
  const double exact = 5e-12 * sin(20.0);
  long steps;
  declared = NULL;
  assert_true(fabs(run(&problem, "idas", 1e-6, &steps) / exact - 1) > 1e-3);
  declared = size;
  assert_close(run(&problem, "idas", 1e-6, &steps), exact, 3e-5, 0);
  assert_close(run(&problem, "explicit", 1e-6, &steps), exact, 1e-6, 0);
  declared = NULL;
}

/* --- parts of a motion -------------------------------------------------------------------------- */

/* Both rates are a signal, which is zero at the start of the arc. */
FORMULAS(driven, at->yp[0] - at->u[1], at->yp[1] - at->u[1])

static gradyn_status build_driven(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "z", "A", 0);
  declare_signal(model, "u", "", GRADYN_PIECEWISE_LINEAR, 3, (gradyn_scalar[]){1, 0, -2});
  gradyn_equations(model, &(gradyn_equations_spec){.residual = driven, .size = declared});
  return gradyn_build_status(model);
}

/* The size is a hundredth of the change of the state in 3 s by the largest knot, unless a size is declared.
 */
TEST(parts_are_sized_by_the_largest_knots)
{
  static const double none[2] = {0}, some[2] = {0, 1e-3};
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "driven",
                                         .build = build_driven, .t_end = 3};
  for (int k = 0; k < 3; k++) {
    const double made = 0.01 * 3 * 2;
    gradyn_model *model;
    gradyn_index1 *system;
    double size[2];
    declared = k < 2 ? NULL : some;
    assert_ok(gradyn_model_create(&problem, NULL, 0, 0, NULL, &model), model->message.text);
    model->span.from = k > 0 ? 1.5 : 0;
    assert_ok(gradyn_index1_from_equations(model, &system), model->message.text);
    assert_ok(gradyn_state_sizes(model, system, none, none, 3, size), model->message.text);
    assert_close(size[0], k > 0 ? made : 1, 1e-14, 0);
    assert_close(size[1], k == 0 ? 1 : k == 1 ? made : 1e-3, 1e-14, 0);
    gradyn_index1_free(system);
    gradyn_model_free(model);
  }
  declared = NULL;
}

TEST(sizes_that_cannot_be_are_refused)
{
  static const double wrong[] = {-1, NAN, HUGE_VAL};
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "unequal",
                                         .build = build_unequal, .t_end = 1};
  for (int k = 0; k < 3; k++) {
    const double size[] = {1, wrong[k]};
    declared = size;
    assert_no_run(GRADYN_INVALID, "the natural size of little is", .problem = &problem);
  }
  declared = NULL;
}
