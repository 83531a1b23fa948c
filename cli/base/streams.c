/* Standard input, output and error. */
#include "cli/base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/report.h"

void cli_streams_guard(void)
{
  /* the next file opened would get a missing descriptor */
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    /* opened in the wrong direction, so that reading 0 and writing 1, 2 still fail */
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  /* writing to a closed pipe, or beyond a limit, then gives errors, which are reported */
  (void)signal(SIGPIPE, SIG_IGN);
  (void)signal(SIGXFSZ, SIG_IGN);
}

static int own = -1; /* copy of standard output while that is redirected to standard error */
static int lost;     /* errno of the first result that could not be written */

/* Flushes standard output and records a failure. */
static void flush(void)
{
  if (fflush(stdout) != 0 && !lost)
    lost = errno;
}

void cli_streams_divert(void)
{
  if (own >= 0)
    return;
  flush();
  own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own >= 0)
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
}

bool cli_streams_restore(void)
{
  if (own < 0)
    return false;
  (void)fflush(stdout); /* output of others, to standard error */
  clearerr(stdout);
  (void)dup2(own, STDOUT_FILENO);
  (void)close(own);
  own = -1;
  return true;
}

bool cli_streams_terminal(void)
{
  return isatty(own >= 0 ? own : STDOUT_FILENO) == 1;
}

/* A failed write of a result is a failure of the command. */
int cli_streams_finish(int exit_status)
{
  if (own < 0)
    flush();
  const bool good = !lost && !ferror(stdout);
  /* libraries may write buffered output when the program ends */
  cli_streams_divert();
  if (good)
    return exit_status;
  errno = lost;
  /* the reader has closed the pipe, as head does: end by the signal that was ignored before */
  if (errno == EPIPE && exit_status == CLI_DONE) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
  }
  (void)fprintf(stderr, "gradyn: io: standard output cannot be written%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
  return exit_status == CLI_DONE ? CLI_FAILED : exit_status;
}
