/* Progress of a search on standard error.
 *
 * On a terminal one line is rewritten. It shows the best point so far, not the newest. Otherwise the first
 * ten evaluations have a line each, and later ones increasingly fewer, so that logs stay short; -v prints a
 * line for each. */
#include "cli/text/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/base/plain.h"

bool cli_progress_can_rewrite(void)
{
  const char *terminal = getenv("TERM"); /* without TERM, the program has no terminal */
  return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void cli_progress_begin(cli_progress *progress, const cli_options *options, bool constrained)
{
  *progress = (cli_progress){.silent = options->print.quiet,
                             .constrained = constrained,
                             .all = options->print.verbose >= 1,
                             .objective = (double)NAN,
                             .most = (double)options->search.max_evaluations,
                             .longest = options->max_seconds};
  /* true if the line can be rewritten and -v is not given */
  progress->one_line = !progress->all && cli_progress_can_rewrite();
}

/* Prints a line for an evaluation under the heading. */
static void show_line(const cli_progress *progress, const gradyn_iteration *i)
{
  if (!progress->started)
    (void)fputs("evaluation        objective  violation  proj. gradient   steps  seconds\n",
                stderr);
  if (i->status != GRADYN_OK) {
    /* prints the first line of the reason only */
    cli_say(stderr, "%10ld  rejected (%s): %.*s\n", i->evaluation,
            gradyn_status_describe((int)i->status).name, (int)strcspn(i->message, "\n"),
            i->message);
    return;
  }
  /* columns have the widths of the heading */
  (void)fprintf(stderr, "%10ld %16.9g %10.2e ", i->evaluation, i->objective, i->violation);
  if (isfinite(i->projected_gradient))
    (void)fprintf(stderr, "%15.2e", i->projected_gradient);
  else
    (void)fprintf(stderr, "%15s", "-");
  (void)fprintf(stderr, " %7ld %8.3f%s\n", i->steps, i->seconds, i->best ? " best" : "");
}

/* Returns the number of columns of the terminal; 80 if it is not known. */
static size_t columns(void)
{
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Adds an item to a line, unless it would reach the last column. If the terminal wrapped the line, it could
 * not be rewritten. */
static void add_item(char *line, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_item(char *line, size_t size, const char *format, ...)
{
  char item[64];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(item, sizeof item, format, args);
  va_end(args);
  size_t used = strlen(line);
  if (used + strlen(item) < size)
    (void)snprintf(line + used, size - used, "%s", item);
}

/* Returns the time in s after which a limit is reached at the latest. HUGE_VAL: there is no limit. */
static double left(const cli_progress *progress, long evaluations)
{
  const double n = (double)evaluations,
               spent = progress->spent; /* n evaluations have taken `spent` */
  const double by_count = progress->most > 0 ? spent / n * (progress->most - n) : HUGE_VAL;
  const double by_time = progress->longest > 0 ? progress->longest - spent : HUGE_VAL;
  return fmax(0, fmin(by_count, by_time));
}

/* Rewrites the line of progress. It shows the violation beside the objective, because the objective may
 * have to rise before a search becomes feasible. */
static void rewrite_line(const cli_progress *progress, const gradyn_iteration *i)
{
  char line[160] = "";
  size_t size = columns(); /* width of the terminal */
  /* longer lines are cut off, because a wrapped line cannot be rewritten */
  size = size < sizeof line ? size : sizeof line;
  add_item(line, size, "%ld:", i->evaluation);
  if (isfinite(progress->objective))
    add_item(line, size, " best %.9g", progress->objective);
  if (isfinite(progress->objective) && progress->constrained)
    add_item(line, size, progress->violation <= 1 ? ", feasible" : ", violation %.2g",
             progress->violation);
  if (isfinite(progress->residual))
    add_item(line, size, ", projected gradient %.1e", progress->residual);
  if (progress->rejected > 0)
    add_item(line, size, ", %ld rejected", progress->rejected);
  if (isfinite(left(progress, i->evaluation)))
    add_item(line, size, ", at most %.0f s left", left(progress, i->evaluation));
  /* returns to the beginning of the line, erases it, and writes it again */
  (void)fprintf(stderr, "\r\033[K%s", line);
  (void)fflush(stderr);
}

/* Whether an evaluation has a line of its own. In a log, the first ten have, then increasingly fewer. */
static bool has_line(const cli_progress *progress, long evaluation)
{
  /* after the first ten, the next line follows when the number has increased by a quarter */
  return progress->all || evaluation <= 10 || evaluation >= progress->shown + progress->shown / 4;
}

/* Shows an evaluation. Called after each of them. */
void cli_progress_show(cli_progress *progress, const gradyn_iteration *iteration)
{
  /* time is added up even without output */
  progress->spent += iteration->seconds;
  if (iteration->status != GRADYN_OK) {
    progress->rejected++;
  } else if (iteration->best) {
    progress->objective = iteration->objective;
    progress->violation = iteration->violation;
    progress->residual = iteration->projected_gradient;
  }
  if (progress->silent)
    return;
  if (progress->one_line) {
    rewrite_line(progress, iteration);
  } else if (has_line(progress, iteration->evaluation)) {
    show_line(progress, iteration);
    progress->shown = iteration->evaluation;
  }
  progress->started = true;
}

void cli_progress_end(cli_progress *progress)
{
  if (progress->started && progress->one_line)
    (void)fputc('\n', stderr);
}
