/* Standard input, output and error. */
#include "cli/base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/report.h"

void cli_streams_guard(void)
{
  /* a missing descriptor would be taken by the next file that is opened */
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    /* opened the wrong way round: reading 0 and writing 1, 2 stay errors */
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  /* writing to a closed pipe, or beyond a limit, gives errors that are told */
  (void)signal(SIGPIPE, SIG_IGN);
  (void)signal(SIGXFSZ, SIG_IGN);
}

/* A result that could not be written is a failure, whatever else went well. */
int cli_streams_finish(int exit_status)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout))
    return exit_status;
  /* a reader that has gone, as of head: end by the signal that would have ended us */
  if (errno == EPIPE && exit_status == CLI_DONE) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
  }
  (void)fprintf(stderr, "gradyn: io: standard output cannot be written%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
  return exit_status == CLI_DONE ? CLI_FAILED : exit_status;
}
