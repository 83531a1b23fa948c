/* Shared objects are tried in a process of their own. */
#define _XOPEN_SOURCE 700 /* sigaltstack() */
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

/* Touches all of it: a text that is none crashes here, in the child. */
static size_t read_text(const char *text)
{
  return text ? strlen(text) : 0;
}

/* Reads every text that the description of a problem points to. */
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

/* The child: its standard streams lead nowhere, it leaves no core, and it does not live long. */
_Noreturn static void try(const char *path)
{
  gradyn_registry *registry = NULL;
  const gradyn_problem *problem = NULL;
  int nowhere = open("/dev/null", O_RDWR);
  /* what it prints while it is loaded is nobody's business */
  for (int descriptor = 0; descriptor <= 2 && nowhere >= 0; descriptor++)
    (void)dup2(nowhere, descriptor);
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  (void)alarm(PATIENCE);
  if (gradyn_registry_create(NULL, &registry) == GRADYN_OK &&
      gradyn_registry_find(registry, path, &problem) == GRADYN_OK) {
    /* volatile: reading must not be optimised away */
    volatile size_t seen = read_problem(problem);
    (void)seen;
  }
  gradyn_registry_free(registry); /* what it does when it is closed belongs to it, too */
  _exit(0);
}

/* Loads a shared object in a child first: what crashes there cannot crash here. */
bool cli_vet(const char *path, char *reason, size_t size, void *user)
{
  (void)user;
  int end = 0;
  pid_t child = fork();
  if (child == 0)
    try(path);
  if (child < 0) { /* better to load it untried than not at all */
    return true;
  }
  while (waitpid(child, &end, 0) < 0)
    if (errno != EINTR)
      return true;
  if (WIFSIGNALED(end) && WTERMSIG(end) == SIGALRM)
    (void)snprintf(reason, size, "loading it takes longer than %d s", PATIENCE);
  /* crashes, and exits by its own choice, are told apart */
  else if (WIFSIGNALED(end))
    (void)snprintf(reason, size, "loading it crashes (%s)", strsignal(WTERMSIG(end)));
  else if (WEXITSTATUS(end) != 0)
    (void)snprintf(reason, size, "loading it ends the program (exit status %d)", WEXITSTATUS(end));
  const bool good = WIFEXITED(end) && WEXITSTATUS(end) == 0;
  /* what went well there may fail here, where other things are in memory */
  if (good)
    cli_vet_watch("loaded", path);
  return good;
}

/* --- Crashes later on ------------------------------------------------------------------------- */

/* What the handler writes, put together before: it may call hardly anything. */
static char last_text[512];

/* Nothing but write() is safe in a handler. */
static void tell_crash(int number)
{
  if (write(STDERR_FILENO, last_text, strlen(last_text)) < 0)
    (void)signal(number, SIG_DFL);
  (void)raise(number); /* its default action is back */
}

/* A message for crashes in users' code, with what was being done. */
void cli_vet_watch(const char *done, const char *name)
{
  static const int number[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
  static char stack[16384]; /* that of the program may be what has run out */
  struct sigaction present;
  /* the handlers of sanitizers tell more */
  if (sigaction(SIGSEGV, NULL, &present) != 0 ||
      (present.sa_handler != SIG_DFL && present.sa_handler != tell_crash))
    return;
  (void)snprintf(
      last_text, sizeof last_text,
      "gradyn: the program has crashed while it %s '%.100s'.\n"
      "  If the file is your own, check its functions first: compile it with -g and run gdb "
      "--args gradyn ...\n",
      done, name);
  /* the handler's own stack */
  (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_handler = tell_crash,
                             .sa_flags = (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
    (void)sigaction(number[i], &action, NULL);
}
