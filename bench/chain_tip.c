/* The swinging chain of eight rods over 1 s by `explicit`, without friction: the loosest tolerance whose
 * error at the tip is below 5e-7 m against 1e-13, and the median of its times, in natural or joint
 * coordinates. mujoco_chain.py runs it in turn with another program.
 * Usage: bench_chain_tip natural|joint [ROUNDS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/timing.h"

#include <gradyn/gradyn.h>

#include "problems/builtin.h"

static const double wanted = 5e-7;

/* Final position of the tip; false: the run failed. */
static bool tip_at_end(gradyn_evaluator *ev, const double rho[], double tip[2])
{
  double psi[3];
  gradyn_trajectory *course = gradyn_trajectory_create();
  const bool run = course && gradyn_evaluator_simulate(ev, rho, psi, course) == GRADYN_OK;
  const gradyn_trajectory_view view = gradyn_trajectory_read(course);
  const double *row = run ? view.rows + (view.steps - 1) * view.columns : NULL;
  for (size_t k = 0; row && k < view.columns; k++) {
    if (strcmp(gradyn_trajectory_column(course, k).name, "8.x") == 0)
      tip[0] = row[k];
    if (strcmp(gradyn_trajectory_column(course, k).name, "8.y") == 0)
      tip[1] = row[k];
  }
  gradyn_trajectory_free(course);
  return run;
}

static gradyn_evaluator *open_chain(const char *coordinates, double rtol)
{
  static gradyn_problem problem;
  gradyn_options options;
  gradyn_evaluator *ev = NULL;
  problem = gradyn_problem_chain;
  problem.coordinates = coordinates;
  problem.t_end = 1;
  problem.method = "explicit";
  gradyn_options_default(&problem, &options);
  options.rtol = rtol;
  options.step = 0;
  (void)gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  return ev;
}

/* Median of the times of some runs, s. */
static double time_of(gradyn_evaluator *ev, int rounds)
{
  double *took = calloc((size_t)rounds, sizeof *took), psi[3], middle = NAN;
  for (int i = 0; took && i < rounds; i++) {
    const double rho[3] = {1 + 1e-14 * (i + 1), 2, 0}; /* not known yet */
    const double began = bench_now();
    (void)gradyn_evaluator_simulate(ev, rho, psi, NULL);
    took[i] = bench_now() - began;
  }
  if (took)
    middle = bench_median(took, rounds);
  free(took);
  return middle;
}

int main(int argc, char **argv)
{
  const char *coordinates = argc > 1 ? argv[1] : "joint";
  const int rounds = argc > 2 ? atoi(argv[2]) : 31;
  const double rho[3] = {1, 2, 0};
  double right[2] = {0}, off = HUGE_VAL;
  gradyn_evaluator *ev = open_chain(coordinates, 1e-13);
  bool run = ev && tip_at_end(ev, rho, right);
  double rtol = 2e-2;
  while (run && off > wanted) {
    double tip[2] = {0};
    gradyn_evaluator_free(ev);
    rtol /= 2;
    ev = open_chain(coordinates, rtol);
    run = ev && tip_at_end(ev, rho, tip);
    off = fmax(fabs(tip[0] - right[0]), fabs(tip[1] - right[1]));
  }
  if (run)
    printf("%s: rtol %.1e, %.1e m off, %.3f ms\n", coordinates, rtol, off,
           1e3 * time_of(ev, rounds));
  gradyn_evaluator_free(ev);
  return !run;
}
