/* The onset of stiffness: chains of a growing number of links, whose damping is faster for lighter links,
 * and beams of a growing number of elements, which are always stiff. Prints the message of `explicit`, and
 * the processor times of `explicit` and `idas` for values and gradients at a tolerance of 1e-6.
 * Usage: bench_stiff_stiffness [SECONDS], a longer evaluation is stopped; by default 60 s. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "problems/builtin.h"

enum { MOST_PARAMETERS = 16, MOST_FUNCTIONALS = 16 };

typedef struct row {
  const char *label;
  const gradyn_problem *problem;
  const char *setting;
  int value;
  double t_end;
} row;

static const row rows[] = {{"chain", &gradyn_problem_chain, "links", 8, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 16, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 32, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 64, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 128, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 256, 0.5},
                           {"chain", &gradyn_problem_chain, "links", 512, 0.5},
                           {"beam", &gradyn_problem_rigid_spring_beam, "elements", 2, 0},
                           {"beam", &gradyn_problem_rigid_spring_beam, "elements", 4, 0},
                           {"beam", &gradyn_problem_rigid_spring_beam, "elements", 8, 0}};

static double milliseconds(clock_t since)
{
  return 1e3 * (double)(clock() - since) / CLOCKS_PER_SEC;
}

/* Runs one method and prints its cells: steps, values, gradient, or the status. */
static void measure(const row *r, const char *method, double seconds, char *said, size_t capacity)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  const gradyn_setting_choice choice = {r->setting, r->value};
  double rho[MOST_PARAMETERS], psi[MOST_FUNCTIONALS];
  double gradient[MOST_PARAMETERS * MOST_FUNCTIONALS], march = 0, whole = 0;
  long steps = 0;
  gradyn_options_default(r->problem, &options);
  options.method = method;
  options.rtol = 1e-6;
  options.step = 0;
  options.t_end = r->t_end;
  options.evaluation_seconds = seconds;
  gradyn_status status = gradyn_evaluator_create(r->problem, &options, &choice, 1, &ev);
  for (size_t j = 0; status == GRADYN_OK && j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  clock_t start = clock();
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  march = milliseconds(start);
  steps = gradyn_evaluator_statistics(ev).steps;
  for (int k = 0; k < 2 && status == GRADYN_OK;
       k++) { /* the first gradient also estimates its error */
    start = clock();
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    whole = milliseconds(start);
  }
  if (status == GRADYN_OK)
    printf(" %7ld %10.1f %10.1f |", steps, march, whole);
  else
    printf(" %29s |", gradyn_status_describe((int)status).name);
  (void)snprintf(said, capacity, "%s", status == GRADYN_OK ? "" : gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 60;
  char said[2][300];
  printf("                |    explicit                   |    idas                       |\n"
         "                |   steps  values ms gradient ms|   steps  values ms gradient ms|\n");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    printf("%-6s %8d |", rows[k].label, rows[k].value);
    measure(&rows[k], "explicit", seconds, said[0], sizeof said[0]);
    measure(&rows[k], "idas", seconds, said[1], sizeof said[1]);
    printf("\n");
    for (int i = 0; i < 2; i++)
      if (said[i][0])
        printf("    %s\n", said[i]);
    (void)fflush(stdout);
  }
  return 0;
}
