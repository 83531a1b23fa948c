/* Costs of the ALI3-P scheme: against a hand-written program for one mechanism, of a gradient against a
 * simulation, and their growth with the size of the mechanism.
 * Usage: bench_ali3p [runs [gradients]]; medians of the runs; gradients: without the chains. All
 * measurements are in one process. Compared programs run in turn, so that other load on the machine affects
 * both. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "bench/hand/driven_five_bar.h"
#include "bench/hand/ali3p_five_bar.h"
#include "problems/builtin.h"
#include "bench/timing.h"

enum { MAX_RUNS = 101, STEPS = 50000 };

static const double step_length = 1e-3;     /* s */
static const double hand_tolerance = 1e-12; /* m */

/* An evaluator, its arrays, and the times of its runs. */
typedef struct subject {
  gradyn_evaluator *evaluator;
  size_t p, functionals;
  double *rho;                             /* [p] */
  double *psi;                             /* [functionals] */
  double *gradient;                        /* [functionals][p] */
  double march[MAX_RUNS], whole[MAX_RUNS]; /* s */
  double heap;                             /* bytes in use before the evaluator was created */
} subject;

/* bytes of memory that the process has in use */
static double heap_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();

  return (double)info.uordblks + (double)info.hblkhd;
}

static void subject_close(subject *s)
{
  if (!s)
    return;
  gradyn_evaluator_free(s->evaluator);
  free(s->rho);
  free(s->psi);
  free(s->gradient);
  free(s);
}

/* NULL with a message if something fails. */
static subject *subject_open(const gradyn_problem *problem, const char *sensitivity, double t_end,
                             int links)
{
  const double heap = heap_in_use();
  subject *s = calloc(1, sizeof *s);
  gradyn_options options;
  const gradyn_setting_choice choice = {"links", links};

  if (!s)
    return NULL;
  s->heap = heap;
  gradyn_options_default(problem, &options);
  options.method = "ali3p";
  options.sensitivity = sensitivity;
  options.step = step_length;
  options.t_end = t_end;
  if (gradyn_evaluator_create(problem, &options, &choice, links > 0 ? 1 : 0, &s->evaluator) !=
      GRADYN_OK) {
    fprintf(stderr, "%s: %s\n", problem->name, gradyn_evaluator_message(s->evaluator));
    subject_close(s);
    return NULL;
  }
  s->p = gradyn_parameter_count(s->evaluator);
  s->functionals = gradyn_functional_count(s->evaluator);
  s->rho = calloc(s->p, sizeof *s->rho);
  s->psi = calloc(s->functionals, sizeof *s->psi);
  s->gradient = calloc(s->functionals * s->p, sizeof *s->gradient);
  for (size_t j = 0; j < s->p && s->rho; j++)
    s->rho[j] = gradyn_parameter_at(s->evaluator, j).init;
  if (s->rho && s->psi && s->gradient)
    return s;
  fprintf(stderr, "out of memory\n");
  subject_close(s);
  return NULL;
}

static bool run_march(subject *s, int run)
{
  const double start = bench_now();
  const gradyn_status status = gradyn_evaluator_simulate(s->evaluator, s->rho, s->psi, NULL);

  s->march[run] = bench_now() - start;
  if (status != GRADYN_OK)
    fprintf(stderr, "march: %s\n", gradyn_evaluator_message(s->evaluator));
  return status == GRADYN_OK;
}

static bool run_gradient(subject *s, int run)
{
  const double start = bench_now();
  const gradyn_status status = gradyn_evaluator_gradient(s->evaluator, s->rho, s->psi, s->gradient);

  s->whole[run] = bench_now() - start;
  if (status != GRADYN_OK)
    fprintf(stderr, "gradient: %s\n", gradyn_evaluator_message(s->evaluator));
  return status == GRADYN_OK;
}

/* --- beside the program written by hand ------------------------------------------------------- */

static bool compare_marches(subject *s, int runs)
{
  double hand[MAX_RUNS], psi[RAW_FUNCTIONALS], difference = 0;
  hand_counts counts = {0};

  for (int k = 0; k < runs; k++) {
    const double start = bench_now();

    if (!hand_march(step_length, STEPS, hand_tolerance, NULL, psi, &counts)) {
      fprintf(stderr, "the program written by hand failed\n");
      return false;
    }
    hand[k] = bench_now() - start;
    if (!run_march(s, k))
      return false;
  }
  for (int f = 0; f < RAW_FUNCTIONALS; f++)
    difference = fmax(difference, fabs(s->psi[f] / psi[f] - 1));
  const gradyn_statistics statistics = gradyn_evaluator_statistics(s->evaluator);
  const double by_hand = bench_median(hand, runs), ours = bench_median(s->march, runs);

  printf("%-34s %10s %10s %12s\n", "march", "us/step", "whole, s", "Newton/step");
  printf("%-34s %10.3f %10.4f %12.2f\n", "by hand", 1e6 * by_hand / STEPS, by_hand,
         (double)counts.iterations / STEPS);
  printf("%-34s %10.3f %10.4f %12.2f\n", "gradyn", 1e6 * ours / STEPS, ours,
         (double)statistics.newton_iterations / STEPS);
  printf("ratio gradyn/hand %.2f; functionals differ by %.1e relative\n", ours / by_hand,
         difference);
  printf("printed for this run on another machine: 2.391 s in natural coordinates, 1.813 s and\n"
         "1.906 s in joint coordinates; gradyn: %.0f times faster than the first, %.0f than the "
         "second\n",
         2.391 / ours, 1.813 / ours);
  return true;
}

/* --- gradients -------------------------------------------------------------------------------- */

static void print_gradient(const char *name, double march, double whole, double bytes)
{
  printf("%-34s %10.3f %10.3f %12.2f %11.1f\n", name, 1e6 * march / STEPS, 1e6 * whole / STEPS,
         whole / march, 1e-6 * bytes);
}

static bool gradient_by_hand(int runs, double gradient[RAW_FUNCTIONALS][RAW_PARAMETERS])
{
  hand_node *nodes = calloc(STEPS + 1, sizeof *nodes);
  double psi[RAW_FUNCTIONALS];
  double march[MAX_RUNS], whole[MAX_RUNS];
  hand_counts counts;
  bool ok = nodes != NULL;

  for (int k = 0; k < runs && ok; k++) {
    const double start = bench_now();

    ok = hand_march(step_length, STEPS, hand_tolerance, NULL, psi, &counts);
    const double middle = bench_now();
    ok = ok && hand_adjoint(step_length, STEPS, hand_tolerance, nodes, psi, gradient);
    march[k] = middle - start;
    whole[k] = bench_now() - middle;
  }
  if (ok)
    print_gradient("by hand, adjoint, p = 5", bench_median(march, runs), bench_median(whole, runs),
                   (STEPS + 1) * (double)sizeof *nodes);
  else
    fprintf(stderr, "the adjoint written by hand failed\n");
  free(nodes);
  return ok;
}

/* reference: the gradient to compare with, or NULL */
static bool gradient_of(const gradyn_problem *problem, const char *sensitivity, int runs,
                        double reference[RAW_FUNCTIONALS][RAW_PARAMETERS])
{
  subject *s = subject_open(problem, sensitivity, STEPS * step_length, 0);
  bool ok = s != NULL;
  char name[64];

  for (int k = 0; k < runs && ok; k++)
    ok = run_march(s, k) && run_gradient(s, k);
  if (ok) {
    snprintf(name, sizeof name, "gradyn, %s, p = %zu", sensitivity, s->p);
    print_gradient(name, bench_median(s->march, runs), bench_median(s->whole, runs),
                   heap_in_use() - s->heap);
  }
  if (ok && reference) {
    double difference = 0;

    for (size_t i = 0; i < RAW_FUNCTIONALS * RAW_PARAMETERS; i++)
      difference = fmax(
          difference, fabs(s->gradient[i] / reference[i / RAW_PARAMETERS][i % RAW_PARAMETERS] - 1));
    printf("%-34s differs by %.1e relative from the gradient by hand\n", "", difference);
  }
  subject_close(s);
  return ok;
}

static bool gradients(int runs)
{
  double by_hand[RAW_FUNCTIONALS][RAW_PARAMETERS];

  printf("\n%-34s %10s %10s %12s %11s\n", "whole gradient of 3 functionals", "march", "gradient",
         "over march", "memory, MB");
  return gradient_by_hand(runs, by_hand) &&
         gradient_of(&gradyn_problem_five_bar, "adjoint", runs, by_hand) &&
         gradient_of(&driven_five_bar, "adjoint", runs, NULL) &&
         gradient_of(&gradyn_problem_five_bar, "direct", runs, by_hand);
}

/* --- size ------------------------------------------------------------------------------------- */

static bool chain(const gradyn_problem *problem, int links, int steps, int runs)
{
  subject *s = subject_open(problem, "adjoint", steps * step_length, links);
  bool ok = s != NULL;

  for (int k = 0; k < runs && ok; k++)
    ok = run_march(s, k) && run_gradient(s, k);
  if (ok) {
    const gradyn_statistics statistics = gradyn_evaluator_statistics(s->evaluator);
    const double march = 1e6 * bench_median(s->march, runs) / steps;
    const double whole = 1e6 * bench_median(s->whole, runs) / steps;

    printf("%6d %7d %10.2f %10.3f %11.2f %10.2f %11.1f %7.2f\n", links, steps, march, march / links,
           whole, whole / march, 1e-6 * (heap_in_use() - s->heap),
           (double)statistics.newton_iterations / (double)statistics.steps);
  }
  subject_close(s);
  return ok;
}

static bool chains(int runs)
{
  const gradyn_setting longer = {"links", "number of links", 8, 1, 1 << 20};
  gradyn_problem problem =
      gradyn_problem_chain; /* with longer chains than the shipped problem allows */

  problem.settings = &longer;
  printf("\nchain of links, us per step, start of the run included\n%6s %7s %10s %10s %11s %10s "
         "%11s %7s\n",
         "links", "steps", "march", "per link", "gradient", "over march", "memory, MB", "Newton");
  return chain(&problem, 8, 4000, runs) && chain(&problem, 64, 1000, runs) &&
         chain(&problem, 512, 200, runs) && chain(&problem, 4096, 100, runs < 3 ? runs : 3);
}

int main(int argc, char **argv)
{
  const int runs = argc > 1 ? atoi(argv[1]) : 9;

  if (runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: %s [runs, 1 to %d [gradients]]\n", argv[0], MAX_RUNS);
    return 2;
  }
  printf("five-bar linkage, ALI3-P, trapezoidal rule, %g s at %g ms; medians of %d runs\n\n",
         STEPS * step_length, 1e3 * step_length, runs);
  subject *s = subject_open(&gradyn_problem_five_bar, "adjoint", STEPS * step_length, 0);
  bool ok = s != NULL && compare_marches(s, runs);
  subject_close(s);
  ok = ok && gradients(runs);
  if (argc < 3 || strcmp(argv[2], "gradients") != 0)
    ok = ok && chains(runs);
  return ok ? 0 : 1;
}
