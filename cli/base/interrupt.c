/* Requests to end a search early.
 *
 * The first SIGINT, SIGTERM or SIGHUP requests a search to end at its next evaluation and to write its
 * results. A later signal of the same kind ends the program at once. Simulations receive the request, too
 * (gradyn_options.cancel), after a grace time in which an evaluation may finish. */
#include "cli/base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/report.h"

/* Variables of the signal handler; only static ones are accessible there. */
static volatile sig_atomic_t came; /* number of the first signal */
static volatile sig_atomic_t silent;
static void (*leaving)(int) = SIG_DFL;
static double moment; /* time of the first signal, s; written before `came` */
static double limit;  /* time limit by the same clock, s; 0: none */

static const int kind[] = {SIGINT, SIGTERM, SIGHUP};
enum { KINDS = sizeof kind / sizeof kind[0] };
static volatile double latest[KINDS]; /* time of the last signal of each kind, s; 0: none came */

/* Signals of one kind within this time, s, are one request. Some senders send two of them within
 * milliseconds: `timeout` signals the command and then its group, and a launcher forwards the Ctrl-C that
 * the terminal has sent to all processes. A user who sends a second signal takes longer. */
static const double one_request = 0.2;

/* Returns the time of a monotonic clock, s; may be called in a handler. */
static double seconds(void)
{
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Notes a signal. Returns the time since the last signal of its kind, s; 0 if it is the first. */
static double note(int number, double now)
{
  size_t i = 0;
  while (i + 1 < KINDS && kind[i] != number)
    i++;
  const double before = latest[i];
  latest[i] = now;
  return before > 0 ? now - before : 0;
}

/* The signal handler. */
static void remember(int number)
{
  static const char text[] =
      "\ngradyn: stopping; the best point will be written. A second signal ends the command at "
      "once\n";
  /* saved, because the interrupted code may be about to read errno */
  int error = errno;
  const double now = seconds(), pause = note(number, now);
  if (!came) {
    moment = now;
    came = number;
    /* write() is safe in a handler, stdio is not */
    if (!silent && write(STDERR_FILENO, text, sizeof text - 1) < 0)
      silent = 1;
  } else if (pause > one_request) {
    /* the signal is blocked during the handler, so that it acts as soon as the handler returns */
    (void)signal(number, leaving);
    (void)raise(number);
  }
  errno = error;
}

/* Installs a handler for the signals of users and of a closed terminal. Signals that the shell ignores
 * remain ignored. */
static void handle_by(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < KINDS; i++) {
    struct sigaction before;
    /* for example, nohup ignores SIGHUP, which must remain so */
    if (sigaction(kind[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      (void)sigaction(kind[i], &action, NULL);
  }
}

void cli_interrupt_clean(void (*leave)(int))
{
  leaving = leave;
  handle_by(leave);
}

void cli_interrupt_install(bool quiet)
{
  silent = quiet;
  handle_by(remember);
}

bool cli_interrupt_requested(void)
{
  return came != 0;
}

void cli_interrupt_after(double allowed)
{
  limit = allowed > 0 ? seconds() + allowed : 0;
}

bool cli_interrupt_late(void)
{
  return limit > 0 && seconds() >= limit;
}

bool cli_interrupt_cancels(void *user)
{
  const double *grace = user;
  if (!came)
    return cli_interrupt_late();
  return seconds() - moment >= *grace;
}

int cli_interrupt_status(void)
{
  /* exit status of a shell for a program that a signal has ended */
  return came ? 128 + came : CLI_INTERRUPTED;
}
