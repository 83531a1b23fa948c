/* gradyn report: writes the report of a study again from its files, or compares several studies. */
#include <stdio.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/report.h"
#include "cli/text/reporter.h"

#include <stdlib.h>

/* Reports the path of the page. */
static void tell(const cli_options *options, const char *path)
{
  if (options->print.json) {
    json_t *root = cli_json_begin("report", NULL, GRADYN_OK), *studies = json_array();
    for (size_t i = 0; i < options->study_count; i++)
      cli_json_append(studies, cli_json_text(options->study[i]));
    cli_json_put(root, "studies", studies);
    cli_json_put(root, "report", cli_json_text(path));
    cli_json_print(root);
  } else {
    cli_say(stdout, "report: %s\n", path);
  }
}

/* gradyn report: the page of one study, or of several side by side. */
int cli_make_report(const cli_options *options)
{
  char message[512];
  /* one study has its page in its own folder; several have a page in the current folder */
  const bool one = options->study_count == 1;
  const char *in = options->out ? options->out : one ? options->study[0] : ".";
  const char *name = one ? "report.html" : "comparison.html";
  gradyn_folder folder = {.path = NULL};
  gradyn_status status = GRADYN_OK;
  if (options->out) {
    /* a folder for the page only; it may contain other studies */
    status = cli_study_open(&folder, options->out, true);
    (void)snprintf(message, sizeof message, "%s", folder.message);
  }
  if (status == GRADYN_OK)
    status = cli_reporter_write((const char *const *)options->study, options->study_count, NULL, in,
                                name, message, sizeof message);
  gradyn_folder_close(&folder);
  if (status != GRADYN_OK)
    return cli_report(options->print.json, "report", NULL, status, message);

  char *path = cli_text("%s/%s", in, name);
  tell(options, path);
  if (options->folder.open) /* after the page is complete */
    cli_reporter_open(path);
  free(path);
  return CLI_DONE;
}
