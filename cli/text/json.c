/* Members of the JSON object of --json and of studies. */
#include "cli/text/json.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/options/named.h"
#include "optim/study/choices.h"

json_t *cli_json_session(const cli_session *session, gradyn_status status)
{
  json_t *root = cli_json_begin(session->options->command->name, session->name, status);
  gradyn_account_evaluation(&root, session->evaluator, &session->evaluation, session->t_end);
  if (session->cases_file)
    cli_json_put(root, "cases_file", cli_json_text(session->cases_file));
  return cli_json_require(root);
}

/* Adds the command line as typed, and the file of a problem that is not built in. To resume a study, both
 * are needed. */
void cli_json_command_line(const cli_session *session, json_t *root)
{
  json_t *line = cli_json_require(json_array());
  char *file = cli_named_file(session->requested);
  if (file)
    cli_json_put(root, "problem_file", cli_json_text(file));
  free(file);
  for (int i = 0; i < session->options->argc; i++)
    cli_json_append(line, cli_json_text(session->options->argv[i]));
  cli_json_put(root, "command_line", line);
}

json_t *cli_json_parameters(const cli_session *session, const double *rho)
{
  return cli_json_require(gradyn_account_parameters(session->evaluator, rho, session->vary));
}

json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient)
{
  return cli_json_require(gradyn_account_functionals(session->evaluator, psi, gradient));
}

void cli_json_statistics(const cli_session *session, json_t *root)
{
  cli_json_put(root, "chosen", gradyn_choices(session->evaluator, NULL));
  gradyn_account_statistics(&root, session->evaluator);
  cli_json_require(root);
}
