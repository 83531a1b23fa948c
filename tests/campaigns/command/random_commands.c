/* Random command lines: for any input, the command ends with a documented status, states the reason if it is
 * not 0, and with --json prints exactly one object. Best with sanitizers.
 *
 * Usage: random_commands [SECONDS [SEED]] */
#include "tests/campaigns/command/child.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef main

enum { MOST_WORDS = 40, PATIENCE = 5 /* s of processor time of one command */ };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const command[] = {
    "info",        "simulate",  "simulate", "gradient", "gradient", "gradient", "check",
    "steps",       "run",       "run",      "run",      "sweep",    "sweep",    "pareto",
    "equilibrium", "linearise", "pareto",   "list",     "resume",   "status",   "studies",
    "report",      "runn",      "",         "--hlep",   "-q",       "help",     "--version"};
enum { SURE = 22 /* the first of them exist */ };
static const char *const problem[] = {"double-integrator", "five-bar",  "parallel_bars",
                                      "brachistochrone",   "robertson", "chain",
                                      "four-bar-chain",    "five-bra",  "./absent.so",
                                      "/dev/null",         ".",         "",
                                      "x\033[31m",         "\377\376",  "--",
                                      "/dev/zero",         "%s%n"};
static const char *const number[] = {"0.01",   "0.1",   "1e-3", "1e-6",  "1",
                                     "2",      "3",     "10",   "0",     "-1",
                                     "-0.5",   "nan",   "inf",  "-inf",  "1e400",
                                     "1e-400", "1e308", "1e18", "0x1",   "2.5",
                                     "",       " 1",    "1 ",   "1,5",   "eins",
                                     "1e",     "-",     "0.5",  "1e-12", "99999999999999999999"};
static const char *const name[] = {"idas",
                                   "explicit",
                                   "radau",
                                   "auto",
                                   "ali3p",
                                   "variational",
                                   "adjoint",
                                   "direct",
                                   "differences",
                                   "continuous-adjoint",
                                   "lbfgs",
                                   "slsqp",
                                   "mma",
                                   "auglag",
                                   "hht",
                                   "newmark",
                                   "generalised-alpha",
                                   "psi1",
                                   "Ls1",
                                   "u",
                                   "u[3]",
                                   "u[",
                                   "u[-1]",
                                   "u[99999999999]",
                                   "length",
                                   "absent",
                                   "links",
                                   "knots",
                                   "",
                                   "\377",
                                   "a=b=c",
                                   "=",
                                   "out/put",
                                   "second",
                                   "1/2",
                                   "3/2",
                                   "always",
                                   "second",
                                   "never",
                                   "../outside",
                                   ".",
                                   "mass",
                                   "effort",
                                   "psi1,psi2",
                                   "energy,x_end",
                                   "natural",
                                   "joint",
                                   "knots",
                                   "/dev/zero",
                                   "five-bar",
                                   "0.5:2"};
/* Options, and the kind of their argument: a number, a name, an assignment, a range, or none. */
static const struct {
  const char *text;
  char takes; /* 'n', 'w', 'a', 'r', '-' */
} option[] = {{"--method", 'w'},
              {"--sensitivity", 'w'},
              {"--perturbation", 'n'},
              {"--staggered", '-'},
              {"--set", 'a'},
              {"--set", 'a'},
              {"--from", 'w'},
              {"--problem", 'w'},
              {"--coordinates", 'w'},
              {"--preferred-coordinates", 'w'},
              {"--segments", 'w'},
              {"--guess", 'w'},
              {"--refine-controls", 'n'},
              {"--hessian", '-'},
              {"--case", 'a'},
              {"--cases", 'a'},
              {"--covariance", 'a'},
              {"--over-cases", 'a'},
              {"--about", 'w'},
              {"--step", 'n'},
              {"--integrator", 'w'},
              {"--integrator-parameter", 'n'},
              {"--penalty", 'n'},
              {"--projection-penalty", 'n'},
              {"--quadrature", 'n'},
              {"--memory", 'n'},
              {"--rtol", 'n'},
              {"--atol", 'n'},
              {"--rtol-sens", 'n'},
              {"--t-end", 'n'},
              {"--max-steps", 'n'},
              {"--baumgarte", 'n'},
              {"--algorithm", 'w'},
              {"--objective", 'w'},
              {"--fix", 'w'},
              {"--free", 'w'},
              {"--max-seconds", 'n'},
              {"--ftol", 'n'},
              {"--xtol", 'n'},
              {"--optimality", 'n'},
              {"--no-scaling", '-'},
              {"--out", 'w'},
              {"--samples", 'n'},
              {"--order", 'n'},
              {"--starts", 'n'},
              {"--starts", 'n'},
              {"--spread", 'n'},
              {"--screen", 'n'},
              {"--seed", 'n'},
              {"--jobs", 'n'},
              {"--shard", 'w'},
              {"--over", 'r'},
              {"--over", 'r'},
              {"--over", 'r'},
              {"--points", 'n'},
              {"--objectives", 'w'},
              {"--second-at-most", 'w'},
              {"--gradient", '-'},
              {"--refine-discretisation", '-'},
              {"--from-best", '-'},
              {"--evaluation-seconds", 'n'},
              {"--all-data", '-'},
              {"--quiet", '-'},
              {"-v", '-'},
              {"--force", '-'},
              {"--help", '-'},
              {"--version", '-'},
              {"--absent", 'n'},
              {"-z", '-'},
              {"--s", 'a'},
              {"--samples=7", '-'},
              {"--durability", 'w'},
              {"--json=1", '-'},
              {"-qvqv", '-'},
              {"---", '-'},
              {"--force=", '-'}};

static uint64_t seed;

static const char *pick(const char *const *words, size_t count)
{
  return words[child_random(&seed, count)];
}

/* Returns a valid or invalid "NAME=VALUE", from a ring of buffers that is longer than a command line needs.
 */
static const char *assignment(void)
{
  static char ring[MOST_WORDS][64];
  static size_t next;
  char *text = ring[next++ % MOST_WORDS];
  (void)snprintf(text, sizeof ring[0], "%s=%s", pick(name, COUNT(name)),
                 pick(number, COUNT(number)));
  return text;
}

/* "NAME=FROM:TO:N", well or badly. */
static const char *range(void)
{
  static char ring[MOST_WORDS][96];
  static size_t next;
  char *text = ring[next++ % MOST_WORDS];
  static const char *const count[] = {"1", "2", "3", "0", "-1", "1e18", "x", ""};
  (void)snprintf(text, sizeof ring[0], "%s=%s:%s:%s", pick(name, COUNT(name)), pick(number, 8),
                 pick(number, child_random(&seed, 4) > 0 ? 8 : COUNT(number)),
                 pick(count, child_random(&seed, 4) > 0 ? 3 : COUNT(count)));
  return text;
}

static int add_words(char *argv[], int argc)
{
  const uint64_t words = child_random(&seed, 4);
  for (uint64_t i = 0; i < words; i++) {
    const uint64_t k = child_random(&seed, COUNT(option));
    /* mostly a valid kind of argument, sometimes any */
    const char takes = child_random(&seed, 8) > 0 ? option[k].takes
                                                  : "nwar-"[child_random(&seed, 5)];
    argv[argc++] = (char *)option[k].text;
    if (takes == 'n')
      argv[argc++] = (char *)pick(number, child_random(&seed, 3) > 0 ? 8 : COUNT(number));
    else if (takes == 'w')
      argv[argc++] = (char *)pick(name, COUNT(name));
    else if (takes == 'a')
      argv[argc++] = (char *)assignment();
    else if (takes == 'r')
      argv[argc++] = (char *)range();
  }
  return argc;
}

static bool marches(const char *word)
{
  static const char *const marching[] = {"simulate", "gradient", "check", "steps",
                                         "run",      "sweep",    "pareto"};
  for (size_t i = 0; i < COUNT(marching); i++)
    if (strcmp(word, marching[i]) == 0)
      return true;
  return false;
}

/* Composes a command line; limits come first, so that most runs are short. */
static int compose(char *argv[MOST_WORDS], bool *json)
{
  int argc = 0;
  argv[argc++] = "gradyn";
  argv[argc++] = (char *)pick(command, child_random(&seed, 10) > 0 ? SURE : COUNT(command));
  *json = child_random(&seed, 2) == 0;
  if (*json)
    argv[argc++] = "--json";
  if (child_random(&seed, 20) > 0)
    argv[argc++] = (char *)pick(problem, child_random(&seed, 4) > 0 ? 7 : COUNT(problem));
  if (strcmp(argv[1], "pareto") == 0) {
    argv[argc++] = "--max-evaluations=3";
    argv[argc++] = "--points=3";
    argv[argc++] = child_random(&seed, 2) == 0 ? "--objectives=psi1,psi3"
                                               : "--objectives=energy,v_end";
  }
  if (strcmp(argv[1], "run") == 0) {
    argv[argc++] = "--max-evaluations=3";
    /* most study folders get no report, which costs more than the search */
    if (child_random(&seed, 8) > 0)
      argv[argc++] = "--no-report";
  }
  if (marches(argv[1]) && child_random(&seed, 40) > 0) {
    argv[argc++] = "--t-end=0.02";
    argv[argc++] = "--max-steps=400";
  }
  argc = add_words(argv, argc);
  argv[argc] = NULL;
  return argc;
}

/* Returns whether a result has the status ok although a number in it is NAN. */
static bool hides_nan(const json_t *root)
{
  size_t i;
  const json_t *item, *status = json_object_get(root, "status");
  if (!status || strcmp(json_string_value(status), "ok") != 0)
    return false;
  json_array_foreach(json_object_get(root, "functionals"), i,
                     item) if (json_is_null(json_object_get(item, "value"))) return true;
  return false;
}

/* Returns what is wrong with the end of a command; NULL: nothing. */
static const char *judge(const child_end *end, bool json)
{
  if (child_broken(end))
    return "crash, sanitizer or undocumented status";
  if (end->late)
    return NULL;
  if (end->status != 0 && !strstr(end->err, "gradyn: ") && !strstr(end->err, "usage: gradyn"))
    return "fails without a word";
  if (strstr(end->err, "gradyn: internal"))
    return "internal";
  /* help and version are text */
  if (!json || strncmp(end->out, "usage: ", 7) == 0 || strncmp(end->out, "gradyn", 6) == 0)
    return NULL;
  json_t *root = json_loads(end->out, 0, NULL);
  const char *fault = NULL;
  if (!root || !json_is_object(root))
    fault = "not exactly one object";
  else if (end->status == 0 && hides_nan(root))
    fault = "a number that is none is called ok";
  json_decref(root);
  return fault;
}

static void tell(int argc, char *argv[], const child_end *end, const char *fault)
{
  printf("FAULT (%s, status %d):", fault, end->status);
  for (int i = 0; i < argc; i++)
    printf(" '%s'", argv[i]);
  printf("\n  out: %.200s\n  err: %.600s\n", end->out, end->err);
}

int main(int argc, char *argv[])
{
  const double seconds = argc > 1 ? atof(argv[1]) : 60;
  const uint64_t given = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const time_t begin = time(NULL);
  long runs = 0, faults = 0, late = 0, ended[3] = {0};
  seed = given * 2862933555777941757U + 1;
  child_enter();
  while (difftime(time(NULL), begin) < seconds) {
    char *words[MOST_WORDS];
    bool json;
    child_end end;
    const int count = compose(words, &json);
    child_run(count, words, PATIENCE, &end);
    const char *fault = judge(&end, json);
    if (fault)
      tell(count, words, &end, fault);
    faults += fault != NULL;
    late += end.late;
    if (end.status <= 2)
      ended[end.status]++;
    child_clear(&end);
    if (++runs % 64 == 0)
      child_empty();
  }
  child_leave();
  printf("seed %llu: %ld command lines, exit status 0: %ld, 1: %ld, 2: %ld; %ld took longer than "
         "%d s, %ld faults\n",
         (unsigned long long)given, runs, ended[0], ended[1], ended[2], late, PATIENCE, faults);
  return faults > 0;
}
