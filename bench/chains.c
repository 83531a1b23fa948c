/* The swinging chain of rods in the plane, in natural or joint coordinates: one simulation or one gradient
 * by its three parameters, for counts of instructions per step by
 *   valgrind --tool=callgrind bench_chains LINKS SECONDS simulate|gradient [joint [STEP]]
 * with steps of 1 ms by default. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "problems/builtin.h"

int main(int argc, char **argv)
{
  if (argc < 4)
    return fprintf(stderr, "usage: %s LINKS SECONDS simulate|gradient [joint [STEP]]\n", argv[0]),
           2;
  const double rho[] = {1, 2, 0.01};
  const gradyn_problem *chain = &gradyn_problem_chain;
  const gradyn_setting_choice choice = {"links", atoi(argv[1])};
  double psi[3], slope[9];
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(chain, &options);
  options.method = "explicit";
  options.t_end = atof(argv[2]);
  options.coordinates = argc > 4 ? argv[4] : "natural";
  if (argc > 5)
    options.step = atof(argv[5]);
  gradyn_status status = gradyn_evaluator_create(chain, &options, &choice, 1, &ev);
  if (status == GRADYN_OK)
    status = strcmp(argv[3], "simulate") == 0 ? gradyn_evaluator_simulate(ev, rho, psi, NULL)
                                              : gradyn_evaluator_gradient(ev, rho, psi, slope);
  if (status == GRADYN_OK)
    printf("%s links, %ld steps, psi %.15g\n", argv[1], gradyn_evaluator_statistics(ev).steps,
           psi[0]);
  else
    fprintf(stderr, "%s\n", ev ? gradyn_evaluator_message(ev) : "out of memory");
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK ? 0 : 1;
}
