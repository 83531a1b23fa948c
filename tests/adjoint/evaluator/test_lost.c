/* Derivatives that are lost in complex numbers. A loss in build() or in a user's function is refused with
 * its name wherever derivatives are used, and does not affect simulations. Kinks, jumps, tables and steep
 * laws are not refused. */
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/evaluator/lost_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

/* --- gradients ------------------------------------------------------------------------------------ */

static const double rho[2] = {1.05, 0.7};

/* Methods and sensitivities; the first ones support general equations. */
static const char *const methods[][2] = {
    {"explicit", "adjoint"}, {"explicit", "direct"}, {"idas", "adjoint"},       {"idas", "direct"},
    {"ali3p", "adjoint"},    {"ali3p", "direct"},    {"variational", "adjoint"}};

/* Requests the gradients twice, for one kind of loss in one function by one method. Both requests must be
 * refused, or both must succeed. */
static void try_gradients(const char *const method[2])
{
  run_local *ev = lost_create(lost_taken.at, method[0], method[1]);
  double psi[FUNCTIONALS], gradient[2 * FUNCTIONALS];
  const gradyn_status before = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  /* for guards the rate at the zero is a derivative, so that even a simulation may be refused */
  if (lost_taken.at != IN_GUARD || !lost_is_lost[lost_taken.by])
    assert_run(before, ev);
  for (int again = 0; again < 2; again++) {
    const gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    if (lost_is_lost[lost_taken.by])
      lost_assert_told(ev, status, lost_taken.at);
    else if (status != GRADYN_OK)
      fail_msg("%s, place %d, way %d: %s", method[0], (int)lost_taken.at, (int)lost_taken.by,
               gradyn_evaluator_message(ev));
  }
  assert_int_equal(gradyn_evaluator_simulate(ev, rho, psi, NULL), before);
}

TEST(losses_are_reported_and_nothing_else)
{
  for (lost_taken.at = IN_BUILD; lost_taken.at < PLACES; lost_taken.at++)
    for (lost_taken.by = PLAIN; lost_taken.by < WAYS; lost_taken.by++) {
      /* laws with stairs or a steep slope inside of the equations are tested elsewhere, and guards need the
       * derivative in time */
      const bool rough = lost_taken.by == STAIRS || lost_taken.by == STEEP;
      const bool in_run = lost_taken.at == IN_CONSTRAINT || lost_taken.at == IN_GUARD ||
                          lost_taken.at == IN_FORCE || lost_taken.at == IN_RESIDUAL;
      const bool flat = lost_taken.by == BY_MODULUS || lost_taken.by == KINK ||
                        lost_taken.by == TABLE;
      if ((rough && in_run) || (flat && lost_taken.at == IN_GUARD))
        continue;
      try_gradients(methods[0]);
    }
}

TEST(all_methods_monitor)
{
  for (lost_taken.at = IN_BUILD; lost_taken.at < PLACES; lost_taken.at++)
    for (size_t k = 1; k < GRADYN_COUNT(methods); k++) {
      const bool equations = lost_taken.at == IN_RESIDUAL;
      lost_taken.by = k % 2 ? HALF : BY_DOUBLE;
      if (!equations || k < 4)
        try_gradients(methods[k]);
    }
}

/* --- other uses of derivatives ----------------------------------------------------------------------- */

static gradyn_status by_data(gradyn_evaluator *ev)
{
  double gradient[FUNCTIONALS * 20];
  return gradyn_evaluator_data_gradient(ev, rho, NULL, gradient);
}

static gradyn_status by_covariance(gradyn_evaluator *ev)
{
  const char *name = "thick";
  LOCAL(gradyn_covariance) covariance;
  return gradyn_covariance_compute(
      ev, rho,
      &(gradyn_covariance_spec){.name = &name, .count = 1, .matrix = &(double){1e-4}, .samples = 5},
      NULL, NULL, &covariance);
}

static gradyn_status by_saltation(gradyn_evaluator *ev)
{
  LOCAL(gradyn_saltations) saltations;
  return gradyn_saltations_compute(ev, rho, NULL, 0, &saltations);
}

static gradyn_status by_equilibrium(gradyn_evaluator *ev)
{
  gradyn_stability stability;
  return gradyn_equilibrium_compute(ev, rho, &stability, NULL, NULL);
}

static gradyn_status by_transition(gradyn_evaluator *ev)
{
  LOCAL(gradyn_transition) transition;
  return gradyn_transition_compute(ev, rho, NULL, 0, &transition);
}

static gradyn_status by_linearisation(gradyn_evaluator *ev)
{
  LOCAL(gradyn_linearisation) linear;
  return gradyn_evaluator_linearise(ev, rho, true, &linear);
}

TEST(analyses_report)
{
  gradyn_status (*const analysis[])(gradyn_evaluator *) = {
      by_data, by_covariance, by_transition, by_linearisation, by_saltation, by_equilibrium};
  for (size_t k = 0; k < GRADYN_COUNT(analysis); k++)
    for (int lost = 0; lost < 2; lost++) {
      lost_taken.at = IN_FORCE;
      lost_taken.by = lost ? BY_DOUBLE : PLAIN;
      run_local *ev = lost_create(IN_FORCE, "explicit", "adjoint");
      const gradyn_status status = analysis[k](ev);
      if (lost)
        lost_assert_told(ev, status, IN_FORCE);
      else
        assert_run(status, ev);
    }
}

/* --- imaginary parts at real arguments ---------------------------------------------------------------- */

static gradyn_status by_simulation(gradyn_evaluator *ev)
{
  double psi[FUNCTIONALS];
  return gradyn_evaluator_simulate(ev, rho, psi, NULL);
}

static gradyn_status by_gradient(gradyn_evaluator *ev)
{
  double gradient[2 * FUNCTIONALS];
  return gradyn_evaluator_gradient(ev, rho, NULL, gradient);
}

static gradyn_status by_sensitivities(gradyn_evaluator *ev)
{
  const double t = 0.1;
  double y[20], dy[40];
  return gradyn_sensitivities_compute(ev, rho, &t, 1, y, dy);
}

/* Transition matrices do not evaluate functionals. */
static bool of_functionals(place at)
{
  return at == IN_INTEGRAND || at == IN_TERMINAL || at == IN_FORMULA;
}

/* The library's complex step is so small that an imaginary part of 1e-30 would count as a derivative of
 * 1e10. It is refused in every function and for every request. */
TEST(round_off_in_imaginary_parts_is_refused)
{
  static const char *const name[PLACES] = {
      [IN_BUILD] = "bar.length",  [IN_FORCE] = "force drag", [IN_CONSTRAINT] = "constraint bar",
      [IN_INTEGRAND] = "speed",   [IN_TERMINAL] = "height",  [IN_GUARD] = "passage",
      [IN_RESET] = "brake.reset", [IN_FORMULA] = "x^2",      [IN_RESIDUAL] = "residual 1"};
  gradyn_status (*const ask[])(gradyn_evaluator *) = {
      by_simulation, by_gradient,   by_sensitivities, by_data,
      by_covariance, by_transition, by_linearisation, by_saltation};
  for (lost_taken.at = IN_BUILD; lost_taken.at < PLACES; lost_taken.at++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++)
      for (size_t i = 0; i < GRADYN_COUNT(ask) && (lost_taken.at != IN_RESIDUAL || k < 4); i++) {
        if (k > 0 && i > 1) /* analyses are tested with one method only */
          continue;
        lost_taken.by = PLAIN;
        run_local *ev = lost_create(lost_taken.at, methods[k][0], methods[k][1]);
        lost_taken.by = ROUND_OFF;
        const gradyn_status status = ask[i](ev);
        const char *said = gradyn_evaluator_message(ev);
        if (ask[i] == by_transition && of_functionals(lost_taken.at)) {
          assert_run(status, ev);
          continue;
        }
        if ((status != GRADYN_NON_FINITE && status != GRADYN_INVALID) ||
            !strstr(said, name[lost_taken.at]) || !strstr(said, "real"))
          fail_msg("place %d, %s, %zu: %s, '%s'", (int)lost_taken.at, methods[k][0], i,
                   gradyn_status_describe((int)status).name, said);
      }
}

/* --- what is no loss ---------------------------------------------------------------------------------- */

TEST(differences_need_no_derivatives)
{
  const place places[] = {IN_BUILD, IN_FORCE};
  for (int k = 0; k < 2; k++) {
    lost_taken.at = places[k];
    lost_taken.by = BY_DOUBLE;
    run_local *ev = lost_create(lost_taken.at, "explicit", "differences");
    double psi[FUNCTIONALS], gradient[2 * FUNCTIONALS];
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  }
}

/* A user's function may convert a number to double if no parameter changes it and no derivative with
 * respect to it is requested. Examples here: the stiffness of a spring, the offset in the formula of a
 * measure, the position of a wall. */
static bool spring_is_real;
static int place_of_wall; /* index of the wall among the coordinates of the formula */

static gradyn_status stiff(const gradyn_at *at, gradyn_scalar force[])
{
  const double k = creal(at->data[0]), late = floor(3 * creal(at->t));
  force[0] = spring_is_real ? -k * at->pos[0] + 0.1 * late + 0.1 * sin(creal(at->t))
                            : -at->data[0] * at->pos[0];
  return GRADYN_OK;
}

FORMULA(shifted, at->of[0] + creal(at->data[0]) + creal(at->pos[place_of_wall]))

static gradyn_status build_fixed(gradyn_model *m, const gradyn_scalar p[])
{
  const int bob = gradyn_point(m, "bob", p[0], 0),
            points[] = {gradyn_ground_point(m, "wall", 2, 1), bob};
  const gradyn_datum k = {"k", "N/m", 3}, offset = {"offset", "m", 0.2};
  gradyn_point_mass(m, "bob", bob, 1);
  declare_force(m, "spring", bob, stiff, &k, 1);
  const int x = gradyn_measure_point(m, "x", bob, 0, GRADYN_X);
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "moved",
             gradyn_measure_formula(
                 m, &(gradyn_measure_formula_spec){"shifted", "m", shifted, .of = &x, .count = 1,
                                                   .points = points, .point_count = 2,
                                                   .data = &offset, .data_count = 1}),
             .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", bob, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", bob, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(fixed_numbers_may_be_real)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "fixed",      .params = lost_params,
                                  .param_count = 1,     .build = build_fixed, .t_end = 1};
  double psi[3], gradient[60];
  for (int k = 0; k < 2; k++) {
    spring_is_real = k == 0;
    place_of_wall = k;
    run_local *ev = run_with(&problem, .method = "ali3p", .step = 0.01);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_refused(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev, GRADYN_INVALID,
                   spring_is_real ? "force spring" : "formula of shifted");
  }
  for (place_of_wall = 2; place_of_wall < 4; place_of_wall++) { /* that of the bob */
    run_local *ev = run_with(&problem, .method = "ali3p", .step = 0.01);
    assert_refused(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev, GRADYN_INVALID,
                   "formula of shifted");
  }
}

/* --- check -------------------------------------------------------------------------------------------- */

/* The check lists the functions that it has tested, and names those that lose derivatives. */
TEST(check_lists_functions)
{
  enum { ROOM = 200 };
  gradyn_check_item item[ROOM];
  size_t count;
  for (int lost = 0; lost < 2; lost++) {
    lost_taken.at = IN_FORCE;
    lost_taken.by = lost ? BY_DOUBLE : PLAIN;
    run_local *ev = lost_create(IN_FORCE, "explicit", "adjoint");
    assert_status(gradyn_evaluator_check(ev, rho, NULL, item, ROOM, &count),
                  lost ? GRADYN_CHECK_FAILED : GRADYN_OK, gradyn_evaluator_message(ev));
    const char *const names[] = {"force drag itself", "constraint bar itself",
                                 "integrand of speed itself", "terminal part of height itself",
                                 "formula of x^2 itself"};
    for (size_t k = 0; k < GRADYN_COUNT(names); k++) {
      size_t i = 0;
      while (i < count && !strstr(item[i].name, names[k]))
        i++;
      if (i == count)
        fail_msg("no item for %s", names[k]);
      assert_string_equal(item[i].route, "real numbers");
      assert_int_equal(item[i].passed, k > 0 || !lost);
    }
    /* a later gradient tests the functions itself, at points of the motion only */
    double psi[FUNCTIONALS], gradient[2 * FUNCTIONALS];
    for (int k = 0; k < ev->model->declared.callbacks; k++)
      assert_int_equal(ev->model->declared.callback[k].count, 0);
    assert_int_equal(gradyn_evaluator_gradient(ev, rho, psi, gradient),
                     lost ? GRADYN_INVALID : GRADYN_OK);
  }
}
