/* The JSON object of --json and of a study, where want of memory ends the program: there is nobody left to
 * tell. */
#include "cli/text/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"

/* For jansson, which returns NULL where memory is short. */
static json_t *insist(json_t *value)
{
  if (!value)
    cli_no_memory();
  return value;
}

void cli_json_put(json_t *object, const char *key, json_t *value)
{
  gradyn_json_put(&object, key, value);
  insist(object);
}

void cli_json_append(json_t *array, json_t *value)
{
  gradyn_json_append(&array, value);
  insist(array);
}

json_t *cli_json_text(const char *text)
{
  return insist(gradyn_json_text(text));
}

json_t *cli_json_numbers(const double *value, size_t count)
{
  return insist(gradyn_json_numbers(value, count));
}

json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status)
{
  return insist(gradyn_account_begin(command, problem, status));
}

json_t *cli_json_session(const cli_session *session, gradyn_status status)
{
  json_t *root = cli_json_begin(session->options->command->name, session->name, status);
  gradyn_account_march(&root, session->evaluator, &session->march, session->t_end);
  return insist(root);
}

/* Where a problem in a shared object lies, so that it is found again from any folder; owned by the
 * caller. NULL: the problem is known by name. */
static char *problem_file(const char *problem)
{
  const size_t length = strlen(problem);
  /* a path, or a file of this folder */
  const bool object = length > 3 && strcmp(problem + length - 3, ".so") == 0;
  errno = 0;
  char *file = object || strchr(problem, '/') ? realpath(problem, NULL) : NULL;
  if (!file && errno == ENOMEM)
    cli_no_memory();
  return file;
}

/* What resuming needs: the command line as typed, and the file of a problem that is no built-in
 * one. */
void cli_json_command_line(const cli_session *session, json_t *root)
{
  json_t *line = insist(json_array());
  char *file = problem_file(session->wanted);
  if (file)
    cli_json_put(root, "problem_file", cli_json_text(file));
  free(file);
  /* as typed: resuming repeats it */
  for (int i = 0; i < session->options->argc; i++)
    cli_json_append(line, cli_json_text(session->options->argv[i]));
  cli_json_put(root, "command_line", line);
}

json_t *cli_json_parameters(const cli_session *session, const double *rho)
{
  return insist(gradyn_account_parameters(session->evaluator, rho, session->vary));
}

json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient)
{
  return insist(gradyn_account_functionals(session->evaluator, psi, gradient));
}

void cli_json_statistics(const cli_session *session, json_t *root)
{
  gradyn_account_statistics(&root, session->evaluator);
  insist(root);
}

void cli_json_write(json_t *root, FILE *file)
{
  if (gradyn_json_write(root, file) != GRADYN_OK)
    cli_no_memory();
  json_decref(root);
}

void cli_json_print(json_t *root)
{
  cli_json_write(root, stdout);
}

void cli_json_blame(json_t *root, gradyn_status status, const char *message)
{
  cli_json_put(root, "status", json_string(gradyn_status_name((int)status)));
  cli_json_put(root, "message", cli_json_text(message));
}
