/* Loads shared objects in a separate process as a trial. */
#define _XOPEN_SOURCE 700 /* for sigaltstack() */
#include "cli/options/vet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gradyn/problem.h>

enum { PATIENCE = 10 }; /* s */

/* Reads all characters of a text. If the text is invalid, this crashes here, in the child. */
static size_t read_text(const char *text)
{
  return text ? strlen(text) : 0;
}

/* Reads every text in the description of a problem. */
static size_t read_problem(const gradyn_problem *problem)
{
  size_t sum = read_text(problem->name) + read_text(problem->summary) +
               read_text(problem->reference) + read_text(problem->method) +
               read_text(problem->algorithm);
  for (size_t i = 0; i < problem->param_count; i++)
    sum += read_text(problem->params[i].name) + read_text(problem->params[i].unit);
  for (size_t i = 0; i < problem->setting_count; i++)
    sum += read_text(problem->settings[i].name) + read_text(problem->settings[i].summary);
  return sum;
}

/* Code of the child process. It has no standard streams, writes no core file, and its time is limited. */
_Noreturn static void try(const char *path)
{
  gradyn_registry *registry = NULL;
  const gradyn_problem *problem = NULL;
  int nowhere = open("/dev/null", O_RDWR);
  /* output of the object is discarded */
  for (int descriptor = 0; descriptor <= 2 && nowhere >= 0; descriptor++)
    (void)dup2(nowhere, descriptor);
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  (void)alarm(PATIENCE);
  if (gradyn_registry_create(NULL, &registry) == GRADYN_OK &&
      gradyn_registry_find(registry, path, &problem) == GRADYN_OK) {
    /* volatile, so that the compiler does not remove the reading */
    volatile size_t seen = read_problem(problem);
    (void)seen;
  }
  /* unloading is part of the trial, because it may run functions of the object */
  gradyn_registry_free(registry);
  _exit(0);
}

/* Loads an object in a child process. Returns whether this succeeds; a crash of the child does not affect
 * this process. */
bool cli_vet(const char *path, char *reason, size_t size, void *user)
{
  (void)user;
  int end = 0;
  pid_t child = fork();
  if (child == 0)
    try(path);
  if (child < 0) { /* if no child can be created, the object is loaded without a trial */
    return true;
  }
  while (waitpid(child, &end, 0) < 0)
    if (errno != EINTR)
      return true;
  if (WIFSIGNALED(end) && WTERMSIG(end) == SIGALRM)
    (void)snprintf(reason, size, "loading it takes longer than %d s", PATIENCE);
  /* distinguishes a crash from a call of exit() */
  else if (WIFSIGNALED(end))
    (void)snprintf(reason, size, "loading it crashes (%s)", strsignal(WTERMSIG(end)));
  else if (WEXITSTATUS(end) != 0)
    (void)snprintf(reason, size, "loading it ends the program (exit status %d)", WEXITSTATUS(end));
  const bool good = WIFEXITED(end) && WEXITSTATUS(end) == 0;
  /* loading may still crash here, because memory differs from that of the child */
  if (good)
    cli_vet_watch("loaded", path);
  return good;
}

/* --- Later crashes ------------------------------------------------------------------------------ */

/* Text of the handler. It is formed in advance, because a handler may call few functions only. */
static char last_text[512];

/* Handler of crashes. Of all output functions, it may only call write(). */
static void tell_crash(int number)
{
  if (write(STDERR_FILENO, last_text, strlen(last_text)) < 0)
    (void)signal(number, SIG_DFL);
  (void)raise(number); /* ends the program: SA_RESETHAND has restored the default action */
}

/* Installs a handler that reports a crash in the code of a user: what was done, and with which problem. */
void cli_vet_watch(const char *done, const char *name)
{
  static const int number[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
  static char
      stack[16384]; /* memory for the handler, because the stack of the program may be exhausted */
  struct sigaction present;
  /* handlers of sanitizers are kept, because they report more */
  if (sigaction(SIGSEGV, NULL, &present) != 0 ||
      (present.sa_handler != SIG_DFL && present.sa_handler != tell_crash))
    return;
  (void)snprintf(
      last_text, sizeof last_text,
      "gradyn: the program has crashed while it %s '%.100s'.\n"
      "  If the file is your own, check its functions first: compile it with -g and run gdb "
      "--args gradyn ...\n",
      done, name);
  /* the handler has a separate stack */
  (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_handler = tell_crash,
                             .sa_flags = (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
    (void)sigaction(number[i], &action, NULL);
}
