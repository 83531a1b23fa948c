/* gradyn report: makes the report of a study anew from its files, or compares several. */
#include <stdio.h>

#include "cli/text/json.h"
#include "cli/options/memory.h"
#include "cli/page/page.h"
#include "cli/text/plain.h"
#include "cli/text/report.h"
#include "cli/page/reporter.h"

#include <stdlib.h>

/* One study has its report in its own folder; a comparison stands where one is. */
static cli_page place(const cli_options *options)
{
  /* one study has its page in its own folder, several have a page where the command is run */
  bool one = options->study_count == 1;
  return (cli_page){.folder = (const char *const *)options->study,
                    .count = options->study_count,
                    .in = options->out ? options->out
                          : one        ? options->study[0]
                                       : ".",
                    .name = one ? "report.html" : "comparison.html"};
}

/* Where the page is. */
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
  const cli_page page = place(options);
  cli_study folder = {.folder = NULL};
  gradyn_status status = GRADYN_OK;
  if (options->out) {
    /* a folder for the page alone: it may hold other studies */
    status = cli_study_open(&folder, options->out, true);
    (void)snprintf(message, sizeof message, "%s", folder.message);
  }
  if (status == GRADYN_OK)
    status = cli_page_write(&page, message, sizeof message);
  cli_study_close(&folder);
  if (status != GRADYN_OK)
    return cli_report(options->print.json, "report", NULL, status, message);

  char *path = cli_text("%s/%s", page.in, page.name);
  tell(options, path);
  if (options->folder.open) /* after the page is complete */
    cli_reporter_open(path);
  free(path);
  return CLI_DONE;
}
