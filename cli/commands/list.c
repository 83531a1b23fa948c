/* gradyn list: the names of all problems. */
#include <stdio.h>

#include "cli/text/json.h"
#include "cli/options/session.h"
#include "cli/base/table.h"
#include "core/problems/retired.h"

/* Texts of a problem may be NULL. */
static const char *or_nothing(const char *text)
{
  return text ? text : "";
}

/* The object of --json. */
static void print_json(const cli_session *session)
{
  json_t *root = cli_json_begin("list", NULL, GRADYN_OK), *array = json_array();
  char name[128];
  const gradyn_problem *problem;
  for (size_t i = 0; (problem = gradyn_registry_at(session->registry, i)) != NULL; i++) {
    json_t *item = json_object();
    /* display names, with - for _ */
    gradyn_problem_display_name(problem, name, sizeof name);
    cli_json_put(item, "name", cli_json_text(name));
    cli_json_put(item, "summary", cli_json_text(or_nothing(problem->summary)));
    cli_json_put(item, "reference", cli_json_text(or_nothing(problem->reference)));
    cli_json_append(array, item);
  }
  cli_json_put(root, "problems", array);
  cli_json_print(root);
}

/* gradyn list: all problems with their summaries. */
int cli_list(const cli_session *session)
{
  cli_table table = {.align = "ll"};
  char name[128];
  if (session->options->print.json) {
    print_json(session);
    return CLI_DONE;
  }
  cli_table_add(&table, "problem|summary");
  const gradyn_problem *problem;
  for (size_t i = 0; (problem = gradyn_registry_at(session->registry, i)) != NULL; i++) {
    cli_table_add(&table, "%s|%s", gradyn_problem_display_name(problem, name, sizeof name),
                  or_nothing(problem->summary));
  }
  cli_table_print(&table, "", stdout);
  return CLI_DONE;
}
