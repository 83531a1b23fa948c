/* gradyn check: every derivative against an independent route. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/session.h"
#include "cli/table.h"

#define CAPACITY 1024 /* items; a check of a large model has a few dozen */

static const char *verdict(const gradyn_check_item *item)
{
  if (item->kink)
    return "kink";
  return item->passed ? "ok" : "WRONG";
}

static size_t count_passed(const gradyn_check_item *item, size_t count)
{
  size_t passed = 0;
  for (size_t i = 0; i < count; i++)
    passed += item[i].passed;
  return passed;
}

static void print_json(const cli_session *session, gradyn_status status,
                       const gradyn_check_item *item, size_t count)
{
  json_t *root = cli_json_session(session, status), *array = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *entry = json_object();
    cli_json_put(entry, "name", cli_json_text(item[i].name));
    cli_json_put(entry, "route", cli_json_text(item[i].route));
    cli_json_put(entry, "error", cli_json_number(item[i].error));
    cli_json_put(entry, "tolerance", cli_json_number(item[i].tolerance));
    cli_json_put(entry, "passed", json_boolean(item[i].passed));
    cli_json_put(entry, "kink", json_boolean(item[i].kink));
    cli_json_append(array, entry);
  }
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "checks", array);
  cli_json_put(root, "passed", json_integer((json_int_t)count_passed(item, count)));
  if (status != GRADYN_OK)
    cli_json_put(root, "message", cli_json_text(gradyn_status_sentence((int)status)));
  cli_json_print(root);
}

static void print_text(const gradyn_check_item *item, size_t count)
{
  cli_table table = {.align = "llrrl"};
  bool kink = false;
  cli_table_add(&table, "derivative");
  cli_table_add(&table, "compared with");
  cli_table_add(&table, "relative error");
  cli_table_add(&table, "tolerance");
  cli_table_add(&table, "result");
  for (size_t i = 0; i < count; i++) {
    cli_table_add(&table, "%s", item[i].name);
    cli_table_add(&table, "%s", item[i].route);
    cli_table_add(&table, "%.2e", item[i].error);
    cli_table_add(&table, "%.0e", item[i].tolerance);
    cli_table_add(&table, "%s", verdict(&item[i]));
    kink = kink || item[i].kink;
  }
  cli_table_print(&table, "", stdout);
  if (kink)
    (void)puts("kink: the differences grow as their step shrinks, so the functional jumps or has "
               "a kink\nat these parameters and has no derivative to compare with.");
  size_t passed = count_passed(item, count);
  if (passed == count)
    (void)printf("all %zu derivatives agree\n", count);
  else
    (void)printf("%zu of %zu derivatives DISAGREE\n", count - passed, count);
}

static int check(const cli_session *session)
{
  gradyn_check_item *item = cli_take(CAPACITY, sizeof *item);
  size_t count = 0;
  gradyn_status status = gradyn_check(session->evaluator, session->rho, item, CAPACITY, &count);
  int result = CLI_DONE;
  if (status != GRADYN_OK && status != GRADYN_CHECK_FAILED) {
    result = cli_session_refuse(session, status);
  } else {
    result = status == GRADYN_OK ? CLI_DONE : CLI_FAILED;
    if (session->options->json)
      print_json(session, status, item, count);
    else
      print_text(item, count);
  }
  free(item);
  return result;
}

int cli_check(const cli_options *options)
{
  cli_session session;
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = check(&session);
  cli_session_close(&session);
  return result;
}
