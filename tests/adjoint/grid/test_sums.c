/* Weighted sums of functionals equal the sums of their terms: values and gradients with all methods, in
 * both coordinates, with and without an event. Also products with the Hessian, and costates. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>

enum { LENGTH, MASS, FORCE, WEIGHT, END, PARAMETERS };

static const gradyn_param params[] = {[LENGTH] = {"length", "m", .init = 0.9, GRADYN_UNBOUNDED},
                                      [MASS] = {"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED},
                                      [FORCE] = {"force", "N", .init = 0.7, GRADYN_UNBOUNDED},
                                      [WEIGHT] = {"weight", "", .init = -0.6, GRADYN_UNBOUNDED},
                                      [END] = {"end", "s", .init = 0.4, GRADYN_UNBOUNDED}};

/* PART is the sum of two terms; TOTAL is the sum of all terms before it. */
enum { BOTH, SPEED, ANGLE, ENERGY, ROD, TIME, NUMBER, PART, TOTAL, FUNCTIONALS };

static const gradyn_setting settings[] = {
    {"event", "1: with an event", .init = 0, .lower = 0, .upper = 1}};

FORMULA(clock_at, at->t - 0.13)
FORMULA(along, at->data[0] * at->pos[4] * at->vel[5] + at->t)
FORMULA(finally, at->data[0] * at->vel[4])

/* Weights of the sums. */
static void weights_of(const gradyn_scalar rho[], gradyn_scalar part[2], gradyn_scalar total[TOTAL])
{
  static const double fixed[] = {1, -2, 0.5, 0.1, 0.03, 3, 0.7};
  part[0] = 2;
  part[1] = total[PART] = rho[WEIGHT];
  for (int k = 0; k < PART; k++)
    total[k] = fixed[k];
}

static void add_sums(gradyn_model *m, const gradyn_scalar rho[])
{
  static const int two[] = {ANGLE + 1, BOTH + 1}, all[] = {1, 2, 3, 4, 5, 6, 7, 8};
  gradyn_scalar part[2], total[TOTAL];
  weights_of(rho, part, total);
  gradyn_functional_sum(m, &(gradyn_functional_sum_spec){"part", NULL, two, part, 2});
  gradyn_functional_sum(m, &(gradyn_functional_sum_spec){"total", "J", all, total, TOTAL});
}

static void reduce(gradyn_model *m, const char *name, int measure, gradyn_reduction reduction)
{
  gradyn_functional(m, &(gradyn_functional_spec){name, measure, .reduction = reduction});
}

static void add_terms(gradyn_model *m, const gradyn_scalar rho[], int A, int p, int rod)
{
  const gradyn_datum mass = {"mass", "kg", rho[MASS]};
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){"both", "J", along, finally, &mass, .data_count = 1});
  reduce(m, "speed", gradyn_measure_point(m, "", p, 1, GRADYN_ALL_AXES), GRADYN_SQUARE_INTEGRAL);
  reduce(m, "angle", gradyn_measure_line_angle(m, "", A, p, 0), GRADYN_AT_END);
  reduce(m, "energy", gradyn_measure_energy(m, ""), GRADYN_INTEGRAL);
  reduce(m, "rod", gradyn_measure_multiplier(m, "", rod), GRADYN_SQUARE_INTEGRAL);
  gradyn_end_time_functional(m, "time");
  gradyn_design_functional(m, "number", "", rho[WEIGHT] * rho[LENGTH]);
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {rho[FORCE], 2 * rho[FORCE], 0.5 + rho[FORCE]};
  const int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", 0.8, -0.3),
            q = gradyn_point(m, "q", 1.3, 0.2);
  gradyn_end_time(m, rho[END]);
  const int u = gradyn_signal(
      m, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR, 3, knots, .t_end = 2});
  const int rod = gradyn_rod(
      m, &(gradyn_rod_spec){"upper", A, p, .length = rho[LENGTH], .mass = rho[MASS]});
  gradyn_rod(m, &(gradyn_rod_spec){"lower", p, q, .length = 0.7, .mass = 0.4});
  gradyn_spring(m, &(gradyn_spring_spec){"spring", A, q, .k = 4, .free_length = 0.5});
  declare_push(m, "push", p, 1, 0, u);
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_coordinate(m, p, GRADYN_Y);
  gradyn_fix_initial_coordinate(m, q, GRADYN_Y);
  if (gradyn_setting_value(m, "event"))
    gradyn_event(m, &(gradyn_event_spec){"clock", .guard = {.terminal = clock_at},
                                         .direction = GRADYN_RISING});
  add_terms(m, rho, A, p, rod);
  add_sums(m, rho);
  return gradyn_build_status(m);
}

static const gradyn_problem natural = PROBLEM("sums", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 0.4, .rtol = 1e-7,
                                              .step = 0.01, .coordinates = "natural"),
                            joint = PROBLEM("sums", build, params, .settings = settings,
                                            .setting_count = 1, .t_end = 0.4, .rtol = 1e-7,
                                            .step = 0.01, .coordinates = "joint");

/* Compares sum `f` with the given terms. */
static void compare(int f, const int terms[], const gradyn_scalar w[], int count,
                    const double psi[], const double d[], double slack)
{
  double value = 0, size = 0, gradient[PARAMETERS] = {0};
  for (int k = 0; k < count; k++) {
    const double of = creal(w[k]);
    value += of * psi[terms[k]];
    for (int j = 0; j < PARAMETERS; j++)
      gradient[j] += of * d[terms[k] * PARAMETERS + j];
    size = fmax(size, fabs(of * psi[terms[k]]));
  }
  /* the last term has a parameter as its weight */
  gradient[WEIGHT] += psi[terms[count - 1]];
  assert_close(psi[f], value, 1e-11, 1e-11 * size);
  for (int j = 0; j < PARAMETERS; j++)
    assert_close(d[f * PARAMETERS + j], gradient[j], slack, slack * (1 + size));
}

static void compare_sums(const gradyn_problem *problem, const char *method, const char *sensitivity,
                         int event, double slack)
{
  static const int two[] = {ANGLE, BOTH}, all[] = {0, 1, 2, 3, 4, 5, 6, 7};
  double rho[PARAMETERS], psi[FUNCTIONALS], d[FUNCTIONALS * PARAMETERS];
  gradyn_scalar at[PARAMETERS], part[2], total[TOTAL];
  run_local *ev = run_with(problem, .method = method, .sensitivity = sensitivity,
                           .setting = "event", .value = event);
  run_initial(ev, rho);
  for (int j = 0; j < PARAMETERS; j++)
    at[j] = rho[j];
  weights_of(at, part, total);
  print_message("%s, %s, %s, event %d\n", problem->coordinates, method, sensitivity, event);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, d), ev);
  compare(PART, two, part, 2, psi, d, slack);
  compare(TOTAL, all, total, TOTAL, psi, d, slack);
}

TEST(sums_are_those_of_their_terms)
{
  static const char *const sensitivity[] = {"adjoint", "direct"};
  for (int i = 0; i < RUN_METHODS; i++)
    for (int j = 0; j < 2; j++)
      for (int event = 0; event < (i < RUN_ADAPTIVE ? 2 : 1); event++) {
        const double slack = i < RUN_ADAPTIVE ? 1e-5 : 1e-10;
        compare_sums(&natural, run_methods[i], sensitivity[j], event, slack);
        if (i == 1 || i == 2)
          compare_sums(&joint, run_methods[i], sensitivity[j], event, slack);
      }
}

/* Requests the sum of two terms alone, and both terms with the same weights. One weight is a parameter. */
TEST(products_and_costates_are_those_of_their_terms)
{
  static const gradyn_problem *const problems[] = {&natural, &joint};
  static const double direction[PARAMETERS] = {0.3, -0.2, 0.5, 0, 0.1};
  for (int i = 0; i < 2; i++) {
    double rho[PARAMETERS], of_sum[PARAMETERS], of_terms[PARAMETERS], psi[FUNCTIONALS];
    double d[FUNCTIONALS * PARAMETERS], sum[FUNCTIONALS] = {[PART] = 1}, terms[FUNCTIONALS] = {0};
    run_local *ev = run_with(problems[i], .method = "explicit");
    run_initial(ev, rho);
    terms[ANGLE] = 2;
    terms[BOTH] = rho[WEIGHT];
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, d), ev);
    assert_run(gradyn_evaluator_hessian_product(ev, sum, rho, 1, direction, of_sum), ev);
    assert_run(gradyn_evaluator_hessian_product(ev, terms, rho, 1, direction, of_terms), ev);
    for (int j = 0; j < PARAMETERS; j++)
      of_terms[WEIGHT] += d[BOTH * PARAMETERS + j] * direction[j];
    assert_close_array(of_sum, of_terms, PARAMETERS, 1e-6, 1e-6);
    LOCAL(gradyn_costates) one;
    LOCAL(gradyn_costates) two;
    assert_run(gradyn_costates_compute(ev, sum, rho, &one), ev);
    assert_run(gradyn_costates_compute(ev, terms, rho, &two), ev);
    assert_int_equal(one.count, two.count);
    assert_close_array(one.costate, two.costate, one.count * one.states, 1e-10, 1e-10);
    assert_close_array(one.hamiltonian, two.hamiltonian, one.count, 1e-10, 1e-10);
  }
}
