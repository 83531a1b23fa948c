/* Tables that several commands print. */
#include "cli/text/show.h"

#include <math.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/table.h"
#include "optim/study/choices.h"

/* Describes the use of a functional. */
const char *cli_show_use(const gradyn_functional_info *f, char *buffer, size_t size)
{
  switch (f->use) {
  case GRADYN_OBJECTIVE:
    (void)snprintf(buffer, size, "objective, weight %.10g", f->weight);
    break;
  case GRADYN_LARGEST:
    (void)snprintf(buffer, size, "objective: the largest, weight %.10g", f->weight);
    break;
  /* constraints are described with their tolerances */
  case GRADYN_EQUAL:
  case GRADYN_AT_MOST:
  case GRADYN_AT_LEAST:
    (void)snprintf(buffer, size, "%s %.10g, tolerance %.3g",
                   f->use == GRADYN_EQUAL     ? "equal to"
                   : f->use == GRADYN_AT_MOST ? "at most"
                                              : "at least",
                   f->bound, f->tolerance);
    break;
  case GRADYN_PATH_CONSTRAINT:
    (void)snprintf(buffer, size, "path constraint: at most 0, tolerance %.3g", f->tolerance);
    break;
  case GRADYN_RESIDUAL:
    (void)snprintf(buffer, size, "residual of a fit");
    break;
  case GRADYN_LOG_SIGMA:
    (void)snprintf(buffer, size, "ln sigma of a fit");
    break;
  case GRADYN_MONITORED:
  default:
    (void)snprintf(buffer, size, "monitored");
    break;
  }
  return buffer;
}

/* Describes how gradients are computed, with the perturbation of differences. */
const char *cli_show_sensitivity(const gradyn_options *evaluation, char *buffer, size_t size)
{
  /* differences are forward or central; other methods have a name */
  bool differences = strcmp(evaluation->sensitivity, "differences") == 0;
  if (differences && evaluation->perturbation > 0)
    (void)snprintf(buffer, size, "forward-difference (%.3g)", evaluation->perturbation);
  else
    (void)snprintf(buffer, size, "%s",
                   differences ? "central-difference" : evaluation->sensitivity);
  return buffer;
}

void cli_show_choices(const cli_session *session, const gradyn_search *search, FILE *file)
{
  const char *key;
  json_t *value;
  json_auto_t *root = gradyn_choices(session->evaluator, search);
  if (!root)
    cli_no_memory();
  json_object_foreach(root, key, value) cli_say(file, "%s: %s\n", key, json_string_value(value));
}

void cli_show_evaluation(const cli_session *session, FILE *file)
{
  const gradyn_options *evaluation = &session->evaluation;
  char how[96];
  (void)fprintf(file, "%s to t = %.10g s", evaluation->method,
                gradyn_evaluator_model_info(session->evaluator).t_end);
  if (evaluation->step > 0)
    (void)fprintf(file, ", step %.3g s", evaluation->step);
  if (evaluation->rtol > 0)
    (void)fprintf(file, ", rtol %.1e", evaluation->rtol);
  if (evaluation->atol > 0)
    (void)fprintf(file, ", atol %.1e", evaluation->atol);
  if (strcmp(evaluation->sensitivity, "differences") == 0)
    (void)fprintf(file, "; %s gradients", cli_show_sensitivity(evaluation, how, sizeof how));
}

const char *cli_show_bound(double bound, char *buffer, size_t size)
{
  /* an infinite bound means no bound */
  if (isfinite(bound))
    (void)snprintf(buffer, size, "%.10g", bound);
  else
    (void)snprintf(buffer, size, "-");
  return buffer;
}

/* Prints a table of functionals, with their values if psi is not NULL. */
void cli_show_functionals(const cli_session *session, const double *psi, FILE *file)
{
  /* psi is NULL before a simulation */
  cli_table table = {.align = psi ? "lrll" : "lll"};
  char use[96];
  cli_table_add(&table, psi ? "functional|value|unit|use" : "functional|unit|use");
  for (size_t i = 0; i < session->functionals; i++) {
    const gradyn_functional_info *functional = &session->functional[i];
    cli_table_add(&table, "%s", functional->name);
    if (psi)
      cli_table_add(&table, "%.12g", psi[i]);
    cli_table_add(&table, "%s|%s", functional->unit, cli_show_use(functional, use, sizeof use));
  }
  cli_table_print(&table, "", file);
}

void cli_show_statistics(const cli_session *session, FILE *file)
{
  gradyn_statistics s = gradyn_evaluator_statistics(session->evaluator);
  (void)fprintf(file, "%s: ", s.method);
  if (s.simulations > 0)
    (void)fprintf(file, "%ld simulations for differences, ", s.simulations);
  (void)fprintf(file, "%ld steps", s.steps);
  /* steps of a reverse sweep */
  if (s.steps_backward > 0)
    (void)fprintf(file, ", %ld backward", s.steps_backward);
  if (s.newton_iterations > 0)
    (void)fprintf(file, ", %ld Newton iterations", s.newton_iterations);
  if (s.drift_position > 0) /* simulations compute the drift, but not every gradient does */
    (void)fprintf(file, ", constraint drift %.2g", s.drift_position);
  /* a time that a method does not measure is zero and left out */
  if (s.time_simulate > 0)
    (void)fprintf(file, ", simulation %.3g s", s.time_simulate);
  if (session->options->command->bit == CLI_GRADIENT)
    (void)fprintf(file, ", %s gradient %.3g s", session->evaluation.sensitivity, s.time_gradient);
  const gradyn_exactness *exactness = &session->evaluator->exactness;
  if (exactness->error > 0)
    (void)fprintf(file, ", its error about %.1g%s%s in d %s / d %s", exactness->error,
                  *exactness->unit ? " " : "", exactness->unit, exactness->functional,
                  exactness->by);
  (void)fputc('\n', file);
}
