/* Processes and shards of the work, with their progress.
 *
 * Searches and points are shared by processes of this machine (--jobs) or by those of mpirun (ranks.h).
 * With --shard K/N, a command does every N-th of them. The library distributes them (optim/jobs/pool.c).
 * This file makes a gradyn_workers from options, shows a progress line, updates the report, and ends at the
 * time limit or on request. */
#include "cli/text/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/options/ranks.h"
#include "core/base/clock.h"

/* Whether --max-seconds has passed. */
static bool is_late(const cli_workers *workers)
{
  return workers->limit > 0 && gradyn_seconds() - workers->begun >= workers->limit;
}

/* Returns whether to continue. Called before each task. */
static bool go_on(void *user)
{
  return !cli_interrupt_requested() && !is_late(user);
}

/* Updates the page every few seconds, and the progress line a few times per second. */
static void show(size_t done, size_t tasks, void *user)
{
  cli_workers *h = user;
  const double now = gradyn_seconds(), spent = now - h->begun;
  if (h->reporter) {
    char far[96];
    (void)snprintf(far, sizeof far, "%zu of %zu %s have ended", done, tasks, h->what);
    cli_reporter_renew(h->reporter, far);
  }
  if (h->silent || (done < tasks && now - h->told < 0.2))
    return;
  h->told = now;
  (void)fprintf(stderr, "\r\033[K%zu of %zu %s", done, tasks, h->what);
  /* assumes that each remaining task takes as long as a finished one */
  const double rest = done > 0 ? spent * (double)(tasks - done) / (double)done : HUGE_VAL;
  const double most = h->limit > 0 ? fmax(0, h->limit - spent) : HUGE_VAL;
  /* before the first task has ended, there is no estimate */
  if (done < tasks && fmin(rest, most) < HUGE_VAL)
    (void)fprintf(stderr, ", %s %.0f s left", rest < most ? "about" : "at most", fmin(rest, most));
  (void)fflush(stderr);
}

/* Parses "K/N" with 1 <= K <= N. */
static bool parse_shard(const char *text, gradyn_workers *workers)
{
  char *end = NULL;
  const long k = strtol(text, &end, 10);
  if (end == text || *end != '/')
    return false;
  const char *second = end + 1;
  const long n = strtol(second, &end, 10);
  if (end == second || *end != '\0' || k < 1 || k > n || n > 1000000)
    return false;
  workers->shard = (size_t)k - 1; /* the option counts from 1, the library from 0 */
  workers->shards = (size_t)n;
  return true;
}

int cli_workers_choose(const cli_session *session, const char *what, cli_workers *out)
{
  const cli_options *given = session->options;
  *out = (cli_workers){.workers = {.jobs = (size_t)given->many.jobs,
                                   .processes = true,
                                   .go_on = go_on,
                                   .progress = show},
                       .what = what,
                       .limit = given->max_seconds,
                       .begun = gradyn_seconds()};
  /* the limit also ends evaluations that are in progress, including those of worker processes */
  cli_interrupt_after(given->max_seconds);
  /* set only now, because it is the address of the struct to which the literal was copied */
  out->workers.user = out;
  /* only a terminal can rewrite a line */
  out->silent = given->print.quiet || !isatty(STDERR_FILENO);
  if (given->many.shard && !parse_shard(given->many.shard, &out->workers))
    return cli_session_fail(session, GRADYN_INVALID,
                            "--shard '%s': write K/N with 1 <= K <= N, for example 3/8",
                            given->many.shard);
  cli_ranks_share(&out->workers); /* if there are processes of mpirun, they share the work */
  return CLI_DONE;
}

void cli_workers_end(const cli_workers *workers)
{
  cli_ranks_leave();
  if (!workers->silent && workers->told > 0)
    (void)fputc('\n', stderr);
}

bool cli_workers_over(const cli_workers *workers, gradyn_status *status)
{
  /* at the time limit, the work is not finished, but the user has not interrupted it */
  if (*status != GRADYN_INTERRUPTED || cli_interrupt_requested() || !is_late(workers))
    return false;
  *status = GRADYN_STALLED;
  return true;
}

int cli_workers_helped(const cli_session *session, gradyn_status status, const char *message)
{
  /* missing work is no failure here, because rank 0 reports it */
  if (status == GRADYN_OK || status == GRADYN_INTERRUPTED)
    return CLI_DONE;
  return cli_session_fail(session, status, "%s", message);
}

int cli_workers_seed(const cli_session *session, uint64_t *seed)
{
  const double given = session->options->many.seed;
  *seed = 1;
  if (isnan(given))
    return CLI_DONE;
  /* integers up to 9e15 are exact as double */
  if (given < 0 || given > 9e15 || given != floor(given))
    return cli_session_fail(session, GRADYN_INVALID,
                            "--seed %.17g: it must be a whole number from 0 to 9e15", given);
  *seed = (uint64_t)given;
  return CLI_DONE;
}
