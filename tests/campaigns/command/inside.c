/* The command many times within one process. */
#include "tests/campaigns/command/inside.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/campaigns/command/child.h"

/* Number of trials of a process; a leak is reported at its end. */
enum { BATCH = 2000, MOST = 1 << 20, ARGUMENTS = 64 };

/* Memory shared with the child process, which remains if the child crashes. */
typedef struct slate {
  uint64_t next; /* number of the next trial */
  long faults;
  char command[256]; /* the last one */
} slate;

typedef struct printed {
  int descriptor; /* of a file, to which a standard stream goes */
  char *text;     /* [MOST + 1] */
} printed;

static slate *shared;
static printed out, err;
static int terminal; /* descriptor for the output of this program itself */
static unsigned deadline;

/* Replaces the function of the C library: writing to a disk would take nine tenths of the time. */
int fsync(int fd)
{
  (void)fd;
  return 0;
}

int fdatasync(int fd)
{
  (void)fd;
  return 0;
}

_Noreturn static void give_up(const char *what)
{
  perror(what);
  _exit(2);
}

/* --- Within the child --------------------------------------------------------------------------- */

static void print_into(printed *stream, FILE *file, int number)
{
  stream->descriptor = fileno(file);
  (void)fcntl(stream->descriptor, F_SETFL, O_APPEND);
  if (dup2(stream->descriptor, number) < 0)
    give_up("dup2");
}

static const char *read_back(const printed *stream)
{
  const ssize_t size = pread(stream->descriptor, stream->text, MOST, 0);
  stream->text[size > 0 ? size : 0] = '\0';
  return stream->text;
}

int inside_command(int argc, char *const argv[], const char **said, const char **complained)
{
  char *copy[ARGUMENTS] = {NULL}; /* options are moved about */
  shared->command[0] = '\0';
  for (int i = 0; i < argc && i < ARGUMENTS - 1; i++) {
    const size_t used = strlen(shared->command);
    copy[i] = argv[i];
    (void)snprintf(shared->command + used, sizeof shared->command - used, " %s", argv[i]);
  }
  if (ftruncate(out.descriptor, 0) != 0 || ftruncate(err.descriptor, 0) != 0)
    give_up("ftruncate");
  (void)alarm(deadline);
  const int status = gradyn_main(argc, copy);
  (void)alarm(0);
  (void)fflush(NULL);
  *said = read_back(&out);
  *complained = read_back(&err);
  return status;
}

void inside_tell(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  (void)vdprintf(terminal, format, args);
  va_end(args);
}

static double now(void)
{
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The life of a child. */
_Noreturn static void work(const inside_campaign *c, FILE *said, FILE *complained, double end)
{
  const uint64_t batch = shared->next + BATCH, last = c->first + c->count;
  const int nothing = open("/dev/null", O_RDONLY);
  terminal = dup(1);
  deadline = c->deadline;
  if (terminal < 0 || nothing < 0 || dup2(nothing, 0) < 0)
    give_up("standard streams");
  print_into(&out, said, 1);
  print_into(&err, complained, 2);
  out.text = malloc(MOST + 1);
  err.text = malloc(MOST + 1);
  if (!out.text || !err.text)
    give_up("malloc");
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){64 << 20, 64 << 20});
  while (shared->next < batch && shared->next < last && now() < end) {
    const uint64_t number = shared->next++;
    if (c->trial(number, c->user)) {
      shared->faults++;
      inside_tell("FAULT in number %llu:%s\n%s%s\n", (unsigned long long)number, shared->command,
                  out.text, err.text);
    }
  }
  free(out.text);
  free(err.text);
  exit(0); /* runs all exit handlers */
}

/* --- Around it ---------------------------------------------------------------------------------- */

void *inside_share(size_t size)
{
  FILE *file = tmpfile();
  if (!file || ftruncate(fileno(file), (off_t)size) != 0)
    give_up("shared memory");
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  if (memory == MAP_FAILED)
    give_up("shared memory");
  (void)fclose(file);
  return memory;
}

/* Reports how a child ended unexpectedly. */
static void tell_end(int state, FILE *complained)
{
  char text[4000];
  const ssize_t size = pread(fileno(complained), text, sizeof text - 1, 0);
  text[size > 0 ? size : 0] = '\0';
  printf("FAULT in number %llu:%s: %s %d\n%s\n", (unsigned long long)(shared->next - 1),
         shared->command, WIFSIGNALED(state) ? "signal" : "exit status",
         WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state), text);
}

long inside_run(const inside_campaign *campaign, uint64_t *done)
{
  const double end = now() + campaign->seconds;
  FILE *said = tmpfile(), *complained = tmpfile();
  if (!said || !complained)
    give_up("a place for what is printed");
  shared = inside_share(sizeof *shared);
  shared->next = campaign->first;
  while (shared->next < campaign->first + campaign->count && now() < end) {
    int state = 0;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
      work(campaign, said, complained, end);
    if (child < 0 || waitpid(child, &state, 0) != child)
      give_up("a process for the trials");
    if (state != 0) {
      shared->faults++;
      tell_end(state, complained);
    }
  }
  const long faults = shared->faults;
  *done = shared->next - campaign->first;
  (void)munmap(shared, sizeof *shared);
  (void)fclose(said);
  (void)fclose(complained);
  return faults;
}
