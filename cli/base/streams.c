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
  /* a missing descriptor would be given to the next file that is opened */
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    /* opened in the wrong direction, so that reading from 0 and writing to 1 and 2 still fail */
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  /* with these signals ignored, writing to a closed pipe or beyond a limit gives errors, which are reported
   */
  (void)signal(SIGPIPE, SIG_IGN);
  (void)signal(SIGXFSZ, SIG_IGN);
}

/* copy of standard output while the descriptor itself leads to standard error; -1: it does not */
static int own = -1;
static int lost; /* errno of the first result that could not be written */

/* Flushes standard output, and records a failure to do so. */
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
  (void)fflush(stdout); /* sends output of libraries to standard error */
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

/* Returns the exit status. A result that could not be written is a failure of the command. */
int cli_streams_finish(int exit_status)
{
  if (own < 0)
    flush();
  const bool good = !lost && !ferror(stdout);
  /* from here on, buffered output of libraries goes to standard error */
  cli_streams_divert();
  if (good)
    return exit_status;
  errno = lost;
  /* the reader, such as head, has closed the pipe: the program ends by the signal that was ignored so far */
  if (errno == EPIPE && exit_status == CLI_DONE) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
  }
  (void)fprintf(stderr, "gradyn: io: standard output cannot be written%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
  return exit_status == CLI_DONE ? CLI_FAILED : exit_status;
}
