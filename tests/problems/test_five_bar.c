/* The five-bar linkage by idas: the published gradients, and the sensitivities to every datum against the
 * joint-angle reference. */
#include "tests/problems/run.h"
#include "tests/reference/five_bar_joint.h"

#include "adjoint/gradient/gradient.h"

extern const gradyn_problem gradyn_problem_five_bar;

enum { PARAMETERS = 5, FUNCTIONALS = 3, MOST_DATA = 100 };

static const char *const sensitivity[] = {"direct", "adjoint"};
static const double t_end = 5.0; /* s */

/* Reads the rows "psi1,number,..." of the published table. */
static void read_published(double table[FUNCTIONALS * PARAMETERS])
{
  FILE *file = fopen(GRADYN_SOURCE_DIR "/tests/reference/five_bar_published.csv", "r");
  char line[256];
  int rows = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file) && rows < FUNCTIONALS) {
    double *row = table + PARAMETERS * rows;
    if (sscanf(line, "psi%*d,%lf,%lf,%lf,%lf,%lf", row, row + 1, row + 2, row + 3, row + 4) == 5)
      rows++;
  }
  fclose(file);
  assert_int_equal(rows, FUNCTIONALS);
}

TEST(gradients_meet_the_published_ones)
{
  double table[FUNCTIONALS * PARAMETERS], gradient[FUNCTIONALS * PARAMETERS];
  read_published(table);
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_five_bar, sensitivity[i], .rtol = 1e-10};
    assert_int_equal(run_gradient(&setup, NULL, NULL, gradient), FUNCTIONALS);
    assert_close_array(gradient, table, FUNCTIONALS * PARAMETERS, 1e-3, 0);
  }
}

TEST(gradients_meet_the_reference)
{
  double psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS], exact[FUNCTIONALS];
  double complex value[FUNCTIONALS], *member[PARAMETERS];
  five_bar_data d;
  five_bar_default(&d);
  five_bar_parameters(&d, member);
  five_bar_joint(&d, t_end, value);
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_five_bar, sensitivity[i], .rtol = 1e-10};
    run_gradient(&setup, NULL, psi, gradient);
    for (int f = 0; f < FUNCTIONALS; f++)
      assert_close(psi[f], creal(value[f]), 1e-7, 0);
    for (int j = 0; j < PARAMETERS; j++) {
      five_bar_joint_derivative(&d, member[j], t_end, exact);
      for (int f = 0; f < FUNCTIONALS; f++)
        assert_close(gradient[f * PARAMETERS + j], exact[f], 1e-6, 0);
    }
  }
}

TEST(methods_agree)
{
  const double rho[PARAMETERS] = {2.1, 1.9, 1.3, 0.6, 1.45};
  const run_setup setup = {&gradyn_problem_five_bar, .rtol = 1e-10};
  run_compare_methods(&setup, NULL, 1e-6);
  run_compare_methods(&setup, rho, 1e-6);
}

/* The corresponding number of the reference, or NULL. */
static double complex *counterpart(five_bar_data *d, const char *name)
{
  const struct {
    const char *name;
    double complex *member;
  } list[] = {
      {"A.x", &d->A[0]},
      {"A.y", &d->A[1]},
      {"B.x", &d->B[0]},
      {"B.y", &d->B[1]},
      {"gravity.x", &d->gravity[0]},
      {"gravity.y", &d->gravity[1]},
      {"alpha1.value", &d->angle[0]},
      {"alpha1.rate", &d->rate[0]},
      {"alpha2.value", &d->angle[1]},
      {"alpha2.rate", &d->rate[1]},
      {"psi1.target.x", &d->position[0]},
      {"psi1.target.y", &d->position[1]},
      {"psi2.target.x", &d->velocity[0]},
      {"psi2.target.y", &d->velocity[1]},
      {"psi3.target.x", &d->acceleration[0]},
      {"psi3.target.y", &d->acceleration[1]},
  };
  const char *const bar[] = {"A1", "12", "23", "3B"}, *const spring[] = {"S1", "S2"};
  char owner[8], what[24];
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(list[i].name, name) == 0)
      return list[i].member;
  if (sscanf(name, "%7[^.].%23s", owner, what) != 2)
    return NULL;
  for (int i = 0; i < FIVE_BAR_BARS; i++)
    if (strcmp(owner, bar[i]) == 0)
      return strcmp(what, "length") == 0 ? &d->length[i]
             : strcmp(what, "mass") == 0 ? &d->mass[i]
             : strcmp(what, "com") == 0  ? &d->com[i]
                                         : &d->inertia[i];
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++)
    if (strcmp(owner, spring[i]) == 0)
      return strcmp(what, "stiffness") == 0     ? &d->k[i]
             : strcmp(what, "damping") == 0     ? &d->c[i]
             : strcmp(what, "free_length") == 0 ? &d->free_length[i]
                                                : &d->tension[i];
  return NULL;
}

/* Derivatives of the reference with respect to a datum of gradyn. */
static void reference_derivative(const char *name, double exact[FUNCTIONALS])
{
  five_bar_data d;
  five_bar_default(&d);
  double complex *member = counterpart(&d, name);
  if (member) {
    five_bar_joint_derivative(&d, member, t_end, exact);
  } else if (strcmp(name, "t_end") == 0) {
    /* differences of order h^4, h = 1e-3 s */
    double complex psi[4][FUNCTIONALS];
    const double h = 1e-3;
    for (int i = 0; i < 4; i++)
      five_bar_joint(&d, t_end + h * (i < 2 ? i - 2 : i - 1), psi[i]);
    for (int f = 0; f < FUNCTIONALS; f++)
      exact[f] = creal(psi[0][f] - 8 * psi[1][f] + 8 * psi[2][f] - psi[3][f]) / (12 * h);
  } else {
    /* approximate positions and velocities have no effect, since the fixed angles and the rods determine
     * the state */
    assert_true(name[0] >= '1' && name[0] <= '3' && name[1] == '.');
    memset(exact, 0, FUNCTIONALS * sizeof *exact);
  }
}

/* Relative error 1e-6. Derivatives that are zero may have an error of 1e-8 of the functional (0.73 m^2 s,
 * 7.3 m^2/s, 305 m^2/s^3) per unit of the datum. */
THOROUGH_TEST(every_datum_meets_the_reference)
{
  double psi[FUNCTIONALS], gradient[2][FUNCTIONALS * MOST_DATA];
  gradyn_evaluator *evaluator[2];
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_five_bar, sensitivity[i], .rtol = 1e-10};
    evaluator[i] = run_open(&setup);
    double rho[PARAMETERS];
    run_initial(evaluator[i], rho);
    assert_true(gradyn_evaluator_model_info(evaluator[i]).data <= MOST_DATA);
    assert_run(gradyn_evaluator_data_gradient(evaluator[i], rho, psi, gradient[i]), evaluator[i]);
  }
  size_t count = gradyn_evaluator_model_info(evaluator[0]).data;
  assert_int_equal(count, 53);
  for (size_t k = 0; k < count; k++) {
    double exact[FUNCTIONALS];
    reference_derivative(gradyn_datum_at(evaluator[0], k).name, exact);
    for (int i = 0; i < 2; i++)
      for (size_t f = 0; f < FUNCTIONALS; f++)
        assert_close(gradient[i][f * count + k], exact[f], 1e-6, 1e-8 * psi[f]);
  }
  for (int i = 0; i < 2; i++)
    gradyn_evaluator_free(evaluator[i]);
}

/* A search requests the gradient of psi1 only, and at its end those of all functionals. Steps depend on the
 * errors of the requested sensitivities, so small values may differ between both, within the tolerance. */
TEST(values_after_requested_gradients_are_no_failure)
{
  for (int i = 0; i < 4; i++)
    for (long evaluations = 1; evaluations <= 3; evaluations++) {
      LOCAL(gradyn_search_result) result;
      double rho[PARAMETERS];
      run_local *evaluator = run_with(&gradyn_problem_five_bar, .method = run_adaptive[i / 2],
                                      .sensitivity = sensitivity[i % 2], .t_end = 0.05);
      run_initial(evaluator, rho);
      gradyn_search search = run_search(evaluator);
      search.max_evaluations = evaluations;
      (void)gradyn_optimise(evaluator, &search, rho, &result);
      if (result.termination != GRADYN_TERMINATION_EVALUATIONS)
        fail_msg("%s %s: %s", run_adaptive[i / 2], sensitivity[i % 2], result.reason);
    }
}

/* At the optimum the objective and its gradient nearly vanish. Their relative errors are large there, which
 * must not cause a warning. */
THOROUGH_TEST(the_optimum_has_no_warning)
{
  LOCAL(gradyn_search_result) result;
  double rho[PARAMETERS], start[PARAMETERS];
  run_local *evaluator = run_with(.problem = &gradyn_problem_five_bar);
  run_initial(evaluator, rho);
  run_initial(evaluator, start);
  gradyn_search search = run_search(evaluator);
  assert_ok(gradyn_optimise(evaluator, &search, rho, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  if (result.warning_count > 0)
    fail_msg("%s", result.warnings[0].text);
  /* near the optimum gradients vanish but their errors do not; a search reports fewer of them at its end */
  int apart = 0;
  for (int k = 10; k < 40; k++) {
    double psi[3], gradient[3 * PARAMETERS];
    for (size_t j = 0; j < PARAMETERS; j++)
      rho[j] = result.rho[j] * (1 + ldexp(1, -k));
    assert_run(gradyn_evaluator_gradient(evaluator, rho, psi, gradient), evaluator);
    const bool told = strstr(gradyn_evaluator_warnings(evaluator), "is exact to about");
    assert_run(gradyn_end_gradient(evaluator, start, search.optimality, rho, psi, gradient),
               evaluator);
    const bool told_there = strstr(gradyn_evaluator_warnings(evaluator), "is exact to about");
    assert_true(told || !told_there);
    apart += told && !told_there;
  }
  assert_true(apart > 0);
}

/* Close to equilibrium, functionals are squares of nearly zero, and their derivatives are round-off. */
TEST(steps_are_not_divided_for_round_off)
{
  static const double away[] = {1e-12, 1e-11, 3e-11, 1e-10}; /* m */
  double rho[PARAMETERS];
  run_local *evaluator = run_with(.problem = &gradyn_problem_five_bar);
  run_initial(evaluator, rho);
  rho[1] = 1.844868886805372;
  for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
    double psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS];
    rho[0] = 2.4319235744575614 + away[i];
    assert_run(gradyn_evaluator_gradient(evaluator, rho, psi, gradient), evaluator);
    const gradyn_statistics cost = gradyn_evaluator_statistics(evaluator);
    if (cost.steps > 1000)
      fail_msg("%g m away: %ld steps", away[i], cost.steps);
  }
}
