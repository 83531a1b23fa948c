/* Second derivatives of motions in segments equal differences of their gradients: of mechanisms by
 * displaced stages, of general equations by sums over stages. */
#include "tests/optim/segments/pole.h"
#include "tests/optim/reactor.h"
#include "tests/declare.h"
#include "tests/runs.h"

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/onestep/sweeps.h"
#include "core/model/model.h"
#include "optim/segments/segments.h"

extern const gradyn_problem gradyn_problem_five_bar, gradyn_problem_van_der_pol;

static const bool all_used[32] = {true, true, true, true, true, true, true, true};

/* Weighted gradient at rho + h d. */
static void gradient_at(gradyn_segments *s, const double *weight, const double *d, double h,
                        double *sum)
{
  const gradyn_objective *of = &s->objective;
  const size_t n = of->parameter_count, m = of->functional_count + s->held.count;
  FREED double *rho = calloc(n, sizeof *rho), *psi = calloc(m, sizeof *psi);
  FREED double *gradient = calloc(gradyn_entries_count(of->entries, n, m), sizeof *gradient);
  for (size_t j = 0; j < n; j++)
    rho[j] = s->start[j] + h * d[j];
  assert_ok(of->evaluate(s, true, rho, psi, gradient), s->message.text);
  memset(sum, 0, n * sizeof *sum);
  for (size_t i = 0; i < m; i++) {
    const gradyn_entry_row row = gradyn_objective_row(of, i);
    for (size_t k = 0; k < row.count; k++)
      sum[gradyn_entries_column(&row, k)] += weight[i] * gradient[row.first + k];
  }
}

/* Compares H d by central differences of order 6 with products with the matrix, to `precision`; with
 * samples at [rows]. Steps are fixed, so that gradients are smooth in the parameters. */
static void check(const gradyn_problem *problem, const char *method, double step, long count,
                  const gradyn_limit_at at[], size_t rows, double precision)
{
  enum { MOST = 128 };
  gradyn_functional_info info[MOST];
  static const double share[6] = {-3, -2, -1, 1, 2, 3}, part[6] = {-1, 9, -45, 45, -9, 1};
  double rho0[MOST], weight[MOST], d[MOST], expected[MOST] = {0}, found[MOST] = {0}, g[MOST];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(problem, .method = method, .step = step);
  (void)run_initial(ev, rho0);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = count}, all_used, rho0, &s),
            s.message.text);
  if (rows > 0)
    assert_ok(s.objective.hold(&s, at, rows, info), s.message.text);
  const size_t n = s.objective.parameter_count, m = s.objective.functional_count + rows;
  assert_true(n <= MOST && m <= MOST);
  for (size_t i = 0; i < m; i++)
    weight[i] = cos(2.1 * (double)i);
  for (size_t i = 0; i < s.f; i++) /* its samples replace it */
    weight[i] *= s.functionals[i].use != GRADYN_PATH_CONSTRAINT;
  /* references of mechanisms stay */
  const size_t varied = s.p + (s.count - 1) * s.states;
  for (size_t j = 0; j < n; j++)
    d[j] = j < varied ? sin(1.3 * (double)j + 0.2) * s.parameters[j].scale : 0;
  double most = 0;
  const gradyn_block *block;
  assert_ok(s.objective.curve(&s, weight, s.start, &block), s.message.text);
  assert_int_equal(s.objective.blocks.count, count);
  for (size_t k = 0; k < s.count; k++) {
    const gradyn_evaluator *own = gradyn_segments_part_in_use(&s, k)->evaluator;
    assert_int_equal(own->repetition.second.contracted, own->model->equations != NULL);
  }
  const double h = 1e-3;
  for (int k = 0; k < 6; k++) {
    gradient_at(&s, weight, d, share[k] * h, g);
    for (size_t j = 0; j < n; j++)
      expected[j] += part[k] * g[j] / (60 * h);
  }
  for (const gradyn_block *b = block; b < block + count; b++)
    for (size_t i = 0; i < b->count; i++)
      for (size_t j = 0; j < b->count; j++)
        found[b->parameter[i]] += b->H[i * b->count + j] * d[b->parameter[j]];
  for (size_t i = 0; i < varied; i++)
    most = fmax(most, fabs(expected[i]));
  assert_true(most > 0);
  assert_close_array(found, expected, varied, 0, precision * most);
}

/* A pendulum with the mean of a functional over a run of variable length. */
enum { LENGTH, DURATION };
static const gradyn_param params[] = {{"l", "m", .init = 0.8, GRADYN_UNBOUNDED},
                                      {"T", "s", .init = 1.7, GRADYN_UNBOUNDED}};

static gradyn_status swing(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[DURATION]);
  const int pin = gradyn_ground_point(model, "pin", 0, 0),
            bob = gradyn_point(model, "bob", -0.3, -1);
  gradyn_point_mass(model, "bob.mass", bob, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pin, bob, .length = rho[LENGTH]});
  gradyn_gravity(model, 0, -9.81);
  gradyn_minimise(model,
                  gradyn_functional(model,
                                    &(gradyn_functional_spec){
                                        "mean", gradyn_measure_point(model, "x", bob, 0, GRADYN_X),
                                        .reduction = GRADYN_MEAN_SQUARE}),
                  1);
  return gradyn_build_status(model);
}

TEST(sums_over_stages_are_exact_for_equations_of_all_kinds)
{
  check(&reactor_problem, "explicit", 0.05, 3, NULL, 0, 1e-9);
  check(&reactor_problem, "radau", 0.05, 3, NULL, 0, 1e-9);
}

TEST(second_derivatives_are_differences_of_gradients)
{
  const gradyn_problem pendulum = PROBLEM("pendulum", swing, params, .t_end = 1);
  static const char *const methods[] = {"explicit", "radau"};
  for (size_t k = 0; k < 2; k++) {
    check(&pendulum, methods[k], 0.01, 3, NULL, 0, 1e-9);
    check(&pole_problem, methods[k], 0.02, 4, NULL, 0, 1e-9);
    check(&gradyn_problem_five_bar, methods[k], 0.01, 3, NULL, 0, 1e-9);
  }
}

/* A cart and a hanging bob as a mechanism. */
static const gradyn_param force_params[] = {
    {"u", "N", .init = 0, .count = 6, .scale = 8, GRADYN_UNBOUNDED}};

static gradyn_status push(gradyn_model *model, const gradyn_scalar rho[])
{
  const int cart = gradyn_point(model, "cart", 0, 0), bob = gradyn_point(model, "bob", 0, -0.5),
            force = gradyn_signal(model, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR,
                                                               .count = 6, .knots = rho});
  gradyn_point_mass(model, "cart.mass", cart, 1);
  gradyn_point_mass(model, "bob.mass", bob, 0.3);
  gradyn_rod(model, &(gradyn_rod_spec){"pole", cart, bob, .length = 0.5});
  gradyn_coordinate(model, "track", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_force(model, &(gradyn_force_spec){"drive", cart, .fx = 1, .signal = force});
  gradyn_gravity(model, 0, -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "x", bob, 0, GRADYN_X),
                                           .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(model);
}

/* A rate with small oscillations, which do not change the motion. */
static const gradyn_param start_params[] = {{"x", "", .init = 1, GRADYN_UNBOUNDED}};
static double ripples; /* per unit of the state */

FORMULA(area, at->y[0])

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->y[0] + 0.1 * sin(ripples * at->y[0]) / ripples;
  return GRADYN_OK;
}

static gradyn_status rippled(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "", rho[0]);
  declare_equations(model, decay, NULL, 0);
  gradyn_minimise(model, declare_integral(model, "area", "s", area), 1);
  return gradyn_build_status(model);
}

/* Distances of differences are reduced until they resolve the oscillations. If the shortest ones do not,
 * displaced stages replace them. These do not resolve the oscillations either, and the error is reported. */
TEST(displaced_stages_replace_sums_that_are_not_exact)
{
  const gradyn_problem problem = PROBLEM("ripples", rippled, start_params, .t_end = 1);
  static const struct {
    double ripples;
    bool contracted;
  } rows[] = {{1, true}, {1e4, true}, {2e4, false}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    LOCAL(gradyn_segments) s;
    double rho0[1], weight[8] = {1, 0.5};
    const gradyn_block *block;
    ripples = rows[k].ripples;
    run_local *ev = run_with(&problem, .method = "explicit", .step = 0.05);
    (void)run_initial(ev, rho0);
    assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 2}, all_used, rho0, &s),
              s.message.text);
    assert_ok(s.objective.curve(&s, weight, s.start, &block), s.message.text);
    const gradyn_second_plan *plan =
        &gradyn_segments_part_in_use(&s, 0)->evaluator->repetition.second;
    assert_int_equal(plan->contracted, rows[k].contracted);
    assert_int_equal(plan->error <= 1e-8, rows[k].contracted);
  }
}

/* Computes the blocks at a fraction `share` of large forces, in one array, for parameters in units of their
 * scales. Returns the number of entries. */
static size_t blocks_at(gradyn_segments *s, double share, double *H)
{
  enum { MOST = 128 };
  double rho[MOST], weight[MOST];
  const gradyn_block *block;
  const size_t varied = s->p + (s->count - 1) * s->states;
  size_t count = 0;
  for (size_t j = 0; j < s->objective.parameter_count; j++)
    /* references of mechanisms stay */
    rho[j] = s->start[j] + share *
                               (j < s->p     ? 1
                                : j < varied ? 0.1
                                             : 0) *
                               cos(1.1 * (double)j) * s->parameters[j].scale;
  for (size_t i = 0; i < s->objective.functional_count; i++)
    weight[i] = cos(2.1 * (double)i);
  assert_ok(s->objective.curve(s, weight, rho, &block), s->message.text);
  for (const gradyn_block *b = block; b < block + s->objective.blocks.count; b++)
    for (size_t i = 0; i < b->count * b->count; i++)
      H[count++] = s->parameters[b->parameter[i / b->count]].scale * b->H[i] *
                   s->parameters[b->parameter[i % b->count]].scale;
  return count;
}

/* Returns the number of interacting pairs of arguments found by the sums over stages of a segment. */
static int pairs_of(const gradyn_segments *s, size_t part)
{
  const gradyn_onestep_sweeps *run = gradyn_segments_part_in_use(s, part)->evaluator->run;
  return run->stagewise.pairs.pairs;
}

/* Blocks must not depend on whether blocks at rest were computed before. At rest the functions are nearly
 * quadratic, so that wide differences suffice; a force changes only the rates, and few arguments of the
 * equations seem to interact. */
static void follow(const gradyn_problem *problem, int pairs)
{
  enum { ENTRIES = 4096 };
  static double H[2][ENTRIES];
  double rho0[128];
  size_t count[2];
  for (int moved = 0; moved < 2; moved++) {
    LOCAL(gradyn_segments) s;
    run_local *ev = run_with(problem, .method = "explicit", .step = 0.02);
    (void)run_initial(ev, rho0);
    assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 4}, all_used, rho0, &s),
              s.message.text);
    if (moved)
      (void)blocks_at(&s, 1e-9, H[1]);
    if (moved)
      assert_int_equal(pairs_of(&s, 0), pairs);
    count[moved] = blocks_at(&s, 1, H[moved]);
  }
  assert_int_equal(count[0], count[1]);
  assert_true(count[0] <= ENTRIES);
  assert_close_array(H[1], H[0], count[0], 0, 1e-9 * largest_of(H[0], count[0]));
}

TEST(blocks_follow_the_motion)
{
  const gradyn_problem pushed = PROBLEM("pushed", push, force_params, .t_end = 1);
  follow(&pole_problem, 4);
  follow(&pushed, 0);
}

/* The rate has a minimum inside the second window, and its maxima at the ends of the others. */
TEST(samples_have_second_derivatives_also_where_they_move)
{
  static const gradyn_limit_at at[] = {{.side = 1, .share = 0.1},
                                       {.side = 1, .share = 0.17, .from = 0.151, .to = 0.199},
                                       {.side = 1, .share = 0.3, .from = 0.25, .to = 0.3},
                                       {.side = 1, .share = 0.5, .from = 0.45, .to = 0.5}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    check(&gradyn_problem_van_der_pol, "explicit", 0.05, 4, &at[i], 1, i == 1 ? 1e-4 : 1e-9);
  check(&gradyn_problem_van_der_pol, "explicit", 0.05, 4, at, sizeof at / sizeof *at, 1e-4);
}

/* The pendulum, and its largest distance from the wall. */
static gradyn_status swing_far(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)swing(model, rho);
  gradyn_functional(
      model, &(gradyn_functional_spec){"far", gradyn_measure_point(model, "far", 2, 0, GRADYN_X),
                                       .reduction = GRADYN_MAXIMUM, .scale = 1});
  return gradyn_build_status(model);
}

TEST(maxima_have_none)
{
  const gradyn_problem far = PROBLEM("far", swing_far, params, .t_end = 1);
  LOCAL(gradyn_search_result) result;
  double rho0[2];
  run_local *ev = run_with(&far, .method = "explicit");
  (void)run_initial(ev, rho0);
  gradyn_search search = run_search(ev);
  search.hessian = true;
  assert_int_equal(gradyn_optimise(ev, &search, rho0, &result), GRADYN_INVALID);
  assert_says(result.reason, "searches in segments by ipopt");
  gradyn_search_result_clear(&result);
  search.segments = 4;
  search.algorithm = "ipopt";
  assert_int_equal(gradyn_optimise(ev, &search, rho0, &result), GRADYN_UNSUPPORTED);
  assert_says(result.reason, "exact Hessian: not available for motions with events or maxima");
}
