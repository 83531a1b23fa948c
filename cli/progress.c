/* Progress of a search on standard error. */
#include "cli/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool can_rewrite_lines(void)
{
  const char *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void cli_progress_begin(cli_progress *progress, const cli_options *options)
{
  *progress = (cli_progress){.silent = options->quiet, .best = (double)NAN};
  progress->one_line = options->verbose < 1 && can_rewrite_lines();
}

static void show_line(const cli_progress *progress, const gradyn_iteration *i)
{
  if (!progress->started)
    (void)fputs("evaluation        objective  violation  proj. gradient   steps  seconds\n",
                stderr);
  if (i->status != GRADYN_OK) {
    /* the first line of the reason is enough here */
    (void)fprintf(stderr, "%10ld  rejected (%s): %.*s\n", i->evaluation,
                  gradyn_status_name((int)i->status), (int)strcspn(i->message, "\n"), i->message);
    return;
  }
  (void)fprintf(stderr, "%10ld %16.9g %10.2e ", i->evaluation, i->objective, i->violation);
  if (isfinite(i->projected_gradient))
    (void)fprintf(stderr, "%15.2e", i->projected_gradient);
  else
    (void)fprintf(stderr, "%15s", "-");
  (void)fprintf(stderr, " %7ld %8.3f%s\n", i->steps, i->seconds, i->best ? " best" : "");
}

static void rewrite_line(const cli_progress *progress, const gradyn_iteration *i)
{
  (void)fprintf(stderr, "\r\033[Kevaluation %ld: best objective %.9g", i->evaluation,
                progress->best);
  if (i->status == GRADYN_OK && isfinite(i->projected_gradient))
    (void)fprintf(stderr, ", projected gradient %.1e", i->projected_gradient);
  if (progress->rejected > 0)
    (void)fprintf(stderr, ", %ld rejected", progress->rejected);
  (void)fflush(stderr);
}

void cli_progress_show(cli_progress *progress, const gradyn_iteration *iteration)
{
  if (iteration->status != GRADYN_OK)
    progress->rejected++;
  else if (iteration->best)
    progress->best = iteration->objective;
  if (progress->silent)
    return;
  if (progress->one_line)
    rewrite_line(progress, iteration);
  else
    show_line(progress, iteration);
  progress->started = true;
}

void cli_progress_end(cli_progress *progress)
{
  if (progress->started && progress->one_line)
    (void)fputc('\n', stderr);
}
