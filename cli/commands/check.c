/* gradyn check: compares every derivative with an independent computation.
 *
 * The library makes the comparisons (gradyn_evaluator_check()). This file prints them as a table or as
 * JSON, and shows progress on a terminal. The exit status states whether all comparisons agree. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/text/progress.h"
#include "cli/options/session.h"
#include "cli/base/table.h"
#include "core/base/clock.h"

#define DEFAULT_SECONDS 120 /* limit of time if --max-seconds is not given */
#define CAPACITY 1024       /* largest number of items; a check of a large model has a few dozen */

/* Adds the result of an item, and the reason why comparisons were omitted. */
static void add_verdict(cli_table *table, const gradyn_check_item *item)
{
  const char *word = item->kink ? "kink" : item->passed ? "ok" : "WRONG";
  if (item->skipped == 0)
    cli_table_add(table, "%s", word);
  else if (item->passed && item->error == 0) /* no comparison was made */
    cli_table_add(table, "not checked: %s", item->reason);
  else
    cli_table_add(table, "%s in part: %s", word, item->reason);
}

/* Returns how many items have passed. */
static size_t count_passed(const gradyn_check_item *item, size_t count)
{
  size_t passed = 0;
  for (size_t i = 0; i < count; i++)
    passed += item[i].passed;
  return passed;
}

/* Returns how many comparisons were omitted in all items. */
static int count_skipped(const gradyn_check_item *item, size_t count)
{
  int skipped = 0;
  for (size_t i = 0; i < count; i++)
    skipped += item[i].skipped;
  return skipped;
}

/* The object of --json. */
static void print_json(const cli_session *session, gradyn_status status,
                       const gradyn_check_item *item, size_t count)
{
  json_t *root = cli_json_session(session, status), *array = json_array();
  for (size_t i = 0; i < count; i++) {
    /* numbers that are not finite become null */
    json_t *entry = json_object();
    cli_json_put(entry, "name", cli_json_text(item[i].name));
    cli_json_put(entry, "route", cli_json_text(item[i].route));
    cli_json_put(entry, "error", gradyn_json_number(item[i].error));
    cli_json_put(entry, "tolerance", gradyn_json_number(item[i].tolerance));
    cli_json_put(entry, "passed", json_boolean(item[i].passed));
    cli_json_put(entry, "kink", json_boolean(item[i].kink));
    cli_json_put(entry, "skipped", json_integer(item[i].skipped));
    cli_json_put(entry, "reason", cli_json_text(item[i].reason));
    cli_json_append(array, entry);
  }
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "checks", array);
  cli_json_put(root, "passed", json_integer((json_int_t)count_passed(item, count)));
  cli_json_put(root, "skipped", json_integer(count_skipped(item, count)));
  if (status != GRADYN_OK)
    cli_json_put(root, "message", cli_json_text(gradyn_status_describe((int)status).sentence));
  cli_json_print(root);
}

/* Prints the table and a summary. */
static void print_text(const gradyn_check_item *item, size_t count)
{ /* columns: derivative, route, error, tolerance, result */
  cli_table table = {.align = "llrrl"};
  bool kink = false;
  /* a row for each comparison */
  cli_table_add(&table, "derivative|compared with|relative error|tolerance|result");
  for (size_t i = 0; i < count; i++) {
    cli_table_add(&table, "%s|%s|%.2e|%.0e", item[i].name, item[i].route, item[i].error,
                  item[i].tolerance);
    add_verdict(&table, &item[i]);
    kink = kink || item[i].kink;
  }
  cli_table_print(&table, "", stdout);
  /* explanation of kinks, then the count */
  if (kink)
    (void)puts(
        "kink: at these parameters, the function jumps or its derivatives differ on both sides. No "
        "derivative exists\nfor the comparison.");
  size_t passed = count_passed(item, count);
  if (passed == count)
    (void)printf("all %zu derivatives agree%s\n", count,
                 count_skipped(item, count) > 0 ? " as far as they were compared" : "");
  else
    (void)printf("%zu of %zu derivatives DISAGREE\n", count - passed, count);
}

/* Reports the failure in one line on standard error. The last item has the largest disagreement. */
static void tell_failure(const gradyn_check_item *item, size_t count)
{
  if (count > 0)
    (void)fprintf(stderr, "gradyn: check-failed: %zu of %zu derivatives disagree, most: %s\n",
                  count - count_passed(item, count), count, item[count - 1].name);
}

/* --- Progress ----------------------------------------------------------------------------------- */

/* State of the progress line, which is shown after the first second and then rewritten. */
typedef struct watching {
  double next; /* s, time of the next update */
  bool shown;
} watching;

/* Called by the library between comparisons. */
static void watch(const char *part, int done, int all, void *user)
{
  watching *w = user;
  double now = gradyn_seconds();
  if (w->next == 0) /* no line during the first second */
    w->next = now + 1;
  if (now < w->next)
    return;
  w->next = now + 0.2; /* five times per second */
  w->shown = true;
  (void)fprintf(stderr, "\r\033[Kchecking: %s, %d of %d", part, done, all);
  (void)fflush(stderr);
}

/* Runs the comparisons and prints them. */
int cli_check(const cli_session *session)
{
  const cli_options *options = session->options;
  gradyn_check_item *item = cli_take(CAPACITY, sizeof *item);
  watching w = {.next = 0};
  /* files and simple terminals cannot rewrite a line */
  bool show = !options->print.quiet && cli_progress_can_rewrite();
  const gradyn_check_limits limits = {.max_seconds = options->max_seconds > 0 ? options->max_seconds
                                                                              : DEFAULT_SECONDS,
                                      .progress = show ? watch : NULL,
                                      .user = &w};
  size_t count = 0;
  gradyn_status status = gradyn_evaluator_check(session->evaluator, session->rho, &limits, item,
                                                CAPACITY, &count);
  int result = CLI_DONE;
  if (w.shown) /* clears the line */
    (void)fputs("\r\033[K", stderr);
  /* a wrong derivative is a result; only a check that could not run is a failure */
  if (status != GRADYN_OK && status != GRADYN_CHECK_FAILED) {
    result = cli_session_refuse(session, status);
  } else {
    result = status == GRADYN_OK ? CLI_DONE : CLI_FAILED;
    if (options->print.json)
      print_json(session, status, item, count);
    else
      print_text(item, count);
    if (status != GRADYN_OK)
      tell_failure(item, count);
    cli_session_warn(session->evaluator);
    /* omitted comparisons are also reported on standard error, even with --json */
    int skipped = count_skipped(item, count);
    if (skipped > 0)
      (void)fprintf(stderr,
                    "gradyn: warning: %d comparisons were omitted: the table has the reasons (no "
                    "time: the limit is %g s; --max-seconds raises it)\n",
                    skipped, limits.max_seconds);
  }
  free(item);
  return result;
}
