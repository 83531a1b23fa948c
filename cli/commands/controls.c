/* The end of a run with control signals; see controls.h. */
#include "cli/commands/controls.h"

#include <stdio.h>

#include "core/files/csv.h"

void cli_controls_adopt(cli_run_state *r)
{
  gradyn_search_result *result = &r->outcome.result;
  if (result->refined != NULL)
    result->refined = cli_session_widen(&r->session, result->refined);
  r->search.vary = r->session.vary;
}

/* Writes a line for each node: t in s, the Hamiltonian H, states, costates. */
static void write_rows(const gradyn_costates *costates, FILE *file)
{
  gradyn_csv_heading(file, "t", "s");
  (void)fputs(",H", file);
  for (int adjoints = 0; adjoints < 2; adjoints++)
    for (size_t i = 0; i < costates->states; i++) {
      char name[80];
      (void)snprintf(name, sizeof name, "%s%s", adjoints ? "lambda " : "", costates->name[i]);
      (void)fputc(',', file);
      gradyn_csv_heading(file, name, "");
    }
  (void)fputc('\n', file);
  for (size_t k = 0; k < costates->count; k++) {
    gradyn_csv_number(file, costates->t[k]);
    gradyn_csv_numbers(file, costates->hamiltonian + k, 1);
    gradyn_csv_numbers(file, costates->state + k * costates->states, costates->states);
    gradyn_csv_numbers(file, costates->costate + k * costates->states, costates->states);
    (void)fputc('\n', file);
  }
}

gradyn_status cli_controls_write_costates(gradyn_folder *study, const char *name,
                                          const gradyn_costates *costates)
{
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(study, &file, name));
  write_rows(costates, file.stream);
  return gradyn_folder_end(study, &file, ferror(file.stream) ? GRADYN_IO : GRADYN_OK);
}

gradyn_status cli_controls_keep_costates(cli_run_state *r)
{
  gradyn_costates costates;
  gradyn_evaluator *evaluator = r->session.evaluator;
  const gradyn_search_result *result = &r->outcome.result;
  if (gradyn_evaluator_model_info(evaluator).signals == 0 ||
      result->termination == GRADYN_TERMINATION_STOPPED)
    return GRADYN_OK;
  /* a method without costates is no failure */
  gradyn_status status = gradyn_search_costates(evaluator, &r->search, result, &costates);
  if (status == GRADYN_OK)
    status = cli_controls_write_costates(&r->study, "costates_final.csv", &costates);
  else if (status != GRADYN_NO_MEMORY)
    status = GRADYN_OK;
  gradyn_costates_clear(&costates);
  return status;
}
