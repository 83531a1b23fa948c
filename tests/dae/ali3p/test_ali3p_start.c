/* Initial guesses for the steps of ALI3-P: they are exact up to their order, and few iterations follow. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/ali3p/trial.h"
#include "tests/adjoint/ali3p_models.h"

enum { RECORD = 400, STEPS = 12 };

static const double h = 1e-2;

/* Accelerations A*_k of coordinate i at node k. */
typedef double sequence(int i, int k);

static double cubic(int i, int k)
{
  const double t = 0.3 * k - i;
  return 1 + t * (0.5 + t * (0.25 - 0.125 * t));
}

/* An oscillation that is too fast for the step, plus a slow part. */
static double alternating(int i, int k)
{
  return (k % 2 ? -1 : 1) * (i + 1 + 0.2 * k) + 0.1 * k;
}

/* Numbers without a pattern. */
static double random_walk(int i, int k)
{
  return sin(1e4 * (i + 1) * (k + 3));
}

/* Writes node k with A*; a and u = a - A* differ by an arbitrary correction. */
static void write_node(const gradyn_ali3p *s, sequence *A, int k, double *node)
{
  for (int i = 0; i < s->n; i++) {
    const double u = 0.1 * (i + 1) + 0.01 * k * k;
    node[2 * s->n + i] = A(i, k) + u;
    gradyn_ali3p_extra_of(s, node).u[i] = u;
  }
}

/* Returns the kind of guess after the last node; the guess itself is in s->trial.As. */
static int guess_after(gradyn_ali3p *s, sequence *A, int steps)
{
  static double node[STEPS + 1][RECORD];
  double lam[RECORD];
  memset(node, 0, sizeof node);
  for (int k = 0; k <= steps; k++) {
    write_node(s, A, k, node[k]);
    if (k > 0)
      gradyn_ali3p_remember(s, h, node[k - 1], node[k]);
  }
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  gradyn_ali3p_predict(s, h, node[steps], lam);
  return (int)gradyn_ali3p_past(s, node[steps])[GRADYN_PAST_GUESS];
}

TEST(guesses_are_exact)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar, .step = h});
  const gradyn_options options = gradyn_evaluator_options(ev);
  gradyn_stepper *stepper;
  assert_ok(gradyn_ali3p_create(ev->model, &options, &stepper), ev->model->message.text);
  assert_in_range(stepper->record, 1, RECORD);
  gradyn_ali3p *s = (gradyn_ali3p *)stepper;
  const struct {
    sequence *A;
    gradyn_ali3p_guess kind;
  } pattern[] = {{cubic, GRADYN_GUESS_EVERY}, {alternating, GRADYN_GUESS_ALTERNATE}};
  for (size_t p = 0; p < 2; p++) {
    assert_int_equal(guess_after(s, pattern[p].A, STEPS), pattern[p].kind);
    for (int i = 0; i < s->n; i++)
      assert_close(s->trial.As[i], pattern[p].A(i, STEPS + 1), 1e-11, 0);
  }
  /* for a random sequence, the guess is the acceleration of the node */
  for (int steps = 2; steps <= STEPS; steps += STEPS - 2)
    assert_int_equal(guess_after(s, random_walk, steps), GRADYN_GUESS_LAST);
  stepper->ops->free(stepper);
}

TEST(iterations_are_few)
{
  static const struct {
    const gradyn_problem *problem;
    int links; /* 0: no such setting */
    double step, iterations, factorisations;
  } run[] = {
      {&gradyn_problem_five_bar, 0, 1e-3, 1.1, 1.1},
      {&gradyn_problem_chain, 8, 1e-3, 3.5, 2.1},
      {&gradyn_problem_chain, 64, 1e-3, 2.2, 2.2},
      {&gradyn_problem_rigid_spring_beam, 0, 1e-3, 5.5, 2.1},
      {&gradyn_problem_double_wishbone, 0, 2e-2, 8, 5}, /* motions far too fast for the step */
  };
  for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
    const run_setup setup = {.problem = run[k].problem,
                             .setting = run[k].links ? "links" : NULL,
                             .value = run[k].links,
                             .step = run[k].step,
                             .t_end = fmin(1, 400 * run[k].step)};
    run_local *ev = ali3p_open(&setup);
    double rho[64];
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    assert_int_equal(gradyn_evaluator_findings(ev).divided, 0);
    assert_true((double)cost.newton_iterations <= run[k].iterations * (double)cost.steps);
    assert_true((double)cost.factorisations <= run[k].factorisations * (double)cost.steps);
  }
}
