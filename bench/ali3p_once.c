/* Runs one evaluation so that its instructions can be counted. The scheme is ALI3-P, for the pendulum the
 * variational one. The difference of two runs of different length is the cost of their steps, without the
 * start of the program.
 * Usage: bench_ali3p_once CASE march|adjoint|direct STEPS, with a case of hand, five-bar, four (its first
 * four parameters), driven, pendulum or a number of links; bench/ali3p_instructions.sh takes
 * differences. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "bench/hand/driven_five_bar.h"
#include "bench/hand/ali3p_five_bar.h"
#include "problems/builtin.h"

enum { MOST = 4096 };

static const double step_length = 1e-3; /* s */

static int fail(const char *what)
{
  fprintf(stderr, "bench_ali3p_once: %s\n", what);
  return 1;
}

/* The five-bar linkage with all but the last of its parameters. */
static gradyn_status build_four(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_problem *five = &gradyn_problem_five_bar;
  gradyn_scalar all[8];

  for (size_t j = 0; j < five->param_count; j++)
    all[j] = j + 1 < five->param_count ? rho[j] : five->params[j].init;
  return five->build(model, all);
}

static int by_hand(int steps)
{
  double psi[RAW_FUNCTIONALS];
  hand_counts counts;

  return hand_march(step_length, steps, 1e-12, NULL, psi, &counts) ? 0 : fail("no convergence");
}

/* Arguments of a run: links of a chain, 0 for other problems; end of the run in s, 0: the number of steps
 * times 1 ms. */
typedef struct subject {
  const gradyn_problem *problem;
  const char *method;
  int links;
  double t_end;
} subject;

static int evaluate(const subject *s, const char *what, int steps)
{
  static double rho[MOST], psi[16], gradient[16 * MOST];
  const gradyn_setting_choice choice = {"links", s->links};
  const bool march = strcmp(what, "march") == 0;
  gradyn_options options;
  gradyn_evaluator *evaluator;

  gradyn_options_default(s->problem, &options);
  options.method = s->method;
  options.sensitivity = march ? "adjoint" : what;
  options.t_end = s->t_end > 0 ? s->t_end : steps * step_length;
  options.step = options.t_end / steps;
  gradyn_status status = gradyn_evaluator_create(s->problem, &options, &choice, s->links > 0,
                                                 &evaluator);
  for (size_t j = 0; status == GRADYN_OK && j < gradyn_parameter_count(evaluator); j++)
    rho[j] = gradyn_parameter_at(evaluator, j).init;
  if (status == GRADYN_OK)
    status = march ? gradyn_evaluator_simulate(evaluator, rho, psi, NULL)
                   : gradyn_evaluator_gradient(evaluator, rho, psi, gradient);
  const int result = status == GRADYN_OK ? 0 : fail(gradyn_evaluator_message(evaluator));
  gradyn_evaluator_free(evaluator);
  return result;
}

int main(int argc, char **argv)
{
  const gradyn_setting longer = {"links", "number of links", 8, 1, 1 << 20};
  const int steps = argc > 3 ? atoi(argv[3]) : 0;
  gradyn_problem problem = gradyn_problem_chain, four = gradyn_problem_five_bar;

  problem.settings = &longer; /* longer chains than the shipped problem allows */
  four.param_count--;
  four.build = build_four;
  if (steps < 1)
    return fail("usage: bench_ali3p_once CASE march|adjoint|direct STEPS");
  if (strcmp(argv[1], "hand") == 0)
    return by_hand(steps);
  const struct {
    const char *name;
    subject subject;
  } cases[] = {{"five-bar", {&gradyn_problem_five_bar, "ali3p", 0, 0}},
               {"four", {&four, "ali3p", 0, 0}},
               {"driven", {&driven_five_bar, "ali3p", 0, 0}},
               {"pendulum", {&gradyn_problem_flexible_pendulum, "variational", 0, 4}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (strcmp(argv[1], cases[k].name) == 0)
      return evaluate(&cases[k].subject, argv[2], steps);
  return evaluate(&(subject){&problem, "ali3p", atoi(argv[1]), 0}, argv[2], steps);
}
