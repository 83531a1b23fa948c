/* Cost of a journal: the time to write an evaluation, against that of the evaluation, for the three kinds
 * of durability.
 *
 * Usage: bench_jobs_journal [FOLDER], on the disk to be measured */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "optim/study/journal.h"

typedef struct subject {
  const char *problem, *method;
  int evaluations;
} subject;

/* Seconds to write an evaluation. */
static double write_down(const char *file, size_t p, size_t f, gradyn_record *record,
                         gradyn_durability durability, int count)
{
  gradyn_journal *journal = NULL;
  (void)unlink(file);
  if (gradyn_journal_open(file, p, f, durability, &journal) != GRADYN_OK ||
      gradyn_journal_begin(journal, json_object()) != GRADYN_OK)
    exit(1);
  const double started = gradyn_seconds();
  for (int i = 0; i < count; i++)
    if (gradyn_journal_append(journal, record) != GRADYN_OK)
      exit(1);
  const double spent = (gradyn_seconds() - started) / count;
  gradyn_journal_close(journal);
  (void)unlink(file);
  return spent;
}

static void measure(const gradyn_registry *registry, const subject *s, const char *file)
{
  const gradyn_problem *problem = NULL;
  gradyn_options options;
  gradyn_evaluator *evaluator = NULL;
  if (gradyn_registry_find((gradyn_registry *)registry, s->problem, &problem) != GRADYN_OK)
    exit(1);
  gradyn_options_default(problem, &options);
  if (s->method)
    options.method = s->method;
  if (gradyn_evaluator_create(problem, &options, NULL, 0, &evaluator) != GRADYN_OK)
    exit(1);
  const size_t p = gradyn_parameter_count(evaluator), f = gradyn_functional_count(evaluator);
  gradyn_record record = {.rho = calloc(p + 1, sizeof(double)),
                          .psi = calloc(f + 1, sizeof(double)),
                          .gradient = calloc(f * p + 1, sizeof(double))};
  for (size_t j = 0; j < p; j++)
    record.rho[j] = gradyn_parameter_at(evaluator, j).init;
  const double started = gradyn_seconds();
  for (int i = 0; i < s->evaluations; i++)
    if (gradyn_evaluator_gradient(evaluator, record.rho, record.psi, record.gradient) != GRADYN_OK)
      exit(1);
  record.seconds = (gradyn_seconds() - started) / s->evaluations;
  const double never = write_down(file, p, f, &record, GRADYN_DURABLE_NEVER, 2000);
  const double second = write_down(file, p, f, &record, GRADYN_DURABLE_SECOND, 2000);
  const double each = write_down(file, p, f, &record, GRADYN_DURABLE_EACH, 200);
  printf("%-16s %-7s %4zu numbers %10.1f us  never %7.1f us (%.2f %%)  second %7.1f us (%.2f %%)  "
         "each %8.1f us (%.2f %%)\n",
         s->problem, options.method, p + f + f * p, 1e6 * record.seconds, 1e6 * never,
         100 * never / record.seconds, 1e6 * second, 100 * second / record.seconds, 1e6 * each,
         100 * each / record.seconds);
  free(record.rho);
  free(record.psi);
  free(record.gradient);
  gradyn_evaluator_free(evaluator);
}

int main(int argc, char *argv[])
{
  static const subject subjects[] = {
      {"five-bar", "ali3p", 50}, {"cart-pole", NULL, 3}, {"double-wishbone", NULL, 1}};
  char file[1024];
  gradyn_registry *registry = NULL;
  (void)snprintf(file, sizeof file, "%s/bench-journal-%ld.jsonl", argc > 1 ? argv[1] : ".",
                 (long)getpid());
  if (gradyn_registry_create(NULL, &registry) != GRADYN_OK)
    return 1;
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
    measure(registry, &subjects[i], file);
  gradyn_registry_free(registry);
  return 0;
}
