/* JSON objects. A lack of memory ends the program, because callers could not report it. */
#include "cli/base/json.h"

#include "cli/base/memory.h"
#include "cli/base/streams.h"
#include "optim/study/account.h"

json_t *cli_json_require(json_t *value)
{
  if (!value)
    cli_no_memory();
  return value;
}

void cli_json_put(json_t *object, const char *key, json_t *value)
{
  gradyn_json_put(&object, key, value);
  cli_json_require(object);
}

void cli_json_append(json_t *array, json_t *value)
{
  gradyn_json_append(&array, value);
  cli_json_require(array);
}

json_t *cli_json_text(const char *text)
{
  return cli_json_require(gradyn_json_text(text));
}

json_t *cli_json_numbers(const double *value, size_t count)
{
  return cli_json_require(gradyn_json_numbers(value, count));
}

json_t *cli_json_matrix(const double *A, size_t rows, size_t columns)
{
  json_t *array = json_array();
  for (size_t i = 0; i < rows; i++)
    cli_json_append(array, cli_json_numbers(A + i * columns, columns));
  return array;
}

json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status)
{
  return cli_json_require(gradyn_account_begin(command, problem, status));
}

void cli_json_write(json_t *root, FILE *file)
{
  if (gradyn_json_write(root, file) != GRADYN_OK)
    cli_no_memory();
  json_decref(root);
}

void cli_json_print(json_t *root)
{
  const bool diverted = cli_streams_restore();
  cli_json_write(root, stdout);
  if (diverted)
    cli_streams_divert();
}

void cli_json_add_failure(json_t *root, gradyn_status status, const char *message)
{
  cli_json_put(root, "status", json_string(gradyn_status_describe((int)status).name));
  cli_json_put(root, "message", cli_json_text(message));
}
