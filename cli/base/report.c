/* Reports failures on standard error, and with --json also as an object on standard output. */
#include "cli/base/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/base/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"

int cli_exit_status(gradyn_status status)
{
  if (status == GRADYN_OK)
    return CLI_DONE;
  if (status == GRADYN_INTERRUPTED)
    return cli_interrupt_status();
  return gradyn_status_describe((int)status).kind == GRADYN_CLASS_MISUSE ? CLI_USAGE : CLI_FAILED;
}

/* Prints lines on standard error. Control characters are replaced, so that a terminal does not execute
 * them. */
void cli_report_lines(const char *text)
{
  char *plain = gradyn_plain(cli_text("%s", text), true);
  /* lines after the first are indented */
  for (const char *line = plain;;) {
    size_t length = strcspn(line, "\n");
    (void)fprintf(stderr, "%.*s\n", (int)length, line);
    line += length;
    if (!*line || !*++line)
      break;
    (void)fputs("  ", stderr);
  }
  free(plain);
}

int cli_report(bool json, const char *command, const char *problem, gradyn_status status,
               const char *message)
{
  /* a failure without a text gets the sentence of its status */
  if (!*message)
    message = gradyn_status_describe((int)status).sentence;
  (void)fprintf(stderr, "gradyn: %s: ", gradyn_status_describe((int)status).name);
  cli_report_lines(message);
  if (json) {
    json_t *root = cli_json_begin(command, problem, status);
    cli_json_put(root, "message", cli_json_text(message));
    cli_json_print(root);
  }
  return cli_exit_status(status);
}
