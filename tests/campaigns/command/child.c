/* The command in a process of its own. */
#include "tests/campaigns/command/child.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folder.h"

enum { MOST = 1000000 };

static char place[FOLDER_SIZE];

_Noreturn static void give_up(const char *what)
{
  perror(what);
  exit(2);
}

static FILE *scratch(void)
{
  FILE *file = tmpfile();
  if (!file)
    give_up("tmpfile");
  return file;
}

static char *contents(FILE *file)
{
  char *text = malloc(MOST + 1);
  if (!text || fseek(file, 0, SEEK_SET) != 0)
    give_up("reading what was printed");
  text[fread(text, 1, MOST, file)] = '\0';
  (void)fclose(file);
  return text;
}

void child_run(int argc, char *argv[], unsigned seconds, child_end *end)
{
  FILE *out = scratch(), *err = scratch();
  int state = 0;
  (void)fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    give_up("fork");
  if (child == 0) {
    (void)dup2(open("/dev/null", O_RDONLY), 0);
    (void)dup2(fileno(out), 1);
    (void)dup2(fileno(err), 2);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){64 << 20, 64 << 20});
    (void)alarm(
        30 * seconds); /* ends a process that waits instead of computing, also on a busy machine */
    exit(gradyn_main(argc, argv));
  }
  if (waitpid(child, &state, 0) != child)
    give_up("waitpid");
  int signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  *end = (child_end){.status = signal ? 128 + signal : WEXITSTATUS(state),
                     .late = signal == SIGALRM || signal == SIGXCPU || signal == SIGKILL,
                     .out = contents(out),
                     .err = contents(err)};
}

void child_clear(child_end *end)
{
  free(end->out);
  free(end->err);
}

bool child_broken(const child_end *end)
{
  return (end->status > 2 && !end->late) || strstr(end->err, "Sanitizer") ||
         strstr(end->err, "runtime error:");
}

uint64_t child_random(uint64_t *state, uint64_t n)
{
  /* xorshift64*, Vigna 2016 */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (*state * 2685821657736338717U >> 11) % n;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
  (void)about;
  (void)kind;
  return at->level > 0 ? remove(path) : 0;
}

void child_enter(void)
{
  if (!folder_create("campaign", place) || chdir(place) != 0)
    give_up(place);
  /* so that this user's state is not changed */
  if (setenv("XDG_STATE_HOME", place, 1) != 0)
    give_up("setenv");
}

void child_empty(void)
{
  (void)nftw(place, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void child_leave(void)
{
  child_empty();
  (void)rmdir(place);
}
