/* Cancelling a call: at any step of any forward or backward integration, the call ends with
 * GRADYN_INTERRUPTED, and the evaluator can be used as before. */
#include "problems/builtin.h"
#include "tests/runs.h"

#include <time.h>

enum { PARAMETERS = 5, FUNCTIONALS = 3, PLACES = 12 };

/* Requests the end at call `from` and at all later calls. */
typedef struct deadline {
  long calls, from; /* from 0: never */
} deadline;

static bool out_of_patience(void *user)
{
  deadline *p = user;
  p->calls++;
  return p->from > 0 && p->calls >= p->from;
}

typedef struct discrete {
  const char *method, *sensitivity; /* sensitivity NULL: simulate */
  double memory;                    /* bytes; 0: all states are kept */
} discrete;

typedef struct result {
  double psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS];
} result;

static gradyn_status evaluate(const discrete *s, gradyn_evaluator *ev, result *r)
{
  double rho[PARAMETERS];
  memset(r, 0, sizeof *r);
  run_initial(ev, rho);
  return s->sensitivity ? gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient)
                        : gradyn_evaluator_simulate(ev, rho, r->psi, NULL);
}

static void interrupt_everywhere(const discrete *s, gradyn_evaluator *ev, deadline *p)
{
  result whole, part, again;
  /* the first gradient estimates its accuracy by further runs; later ones are one run each */
  assert_run(evaluate(s, ev, &whole), ev);
  *p = (deadline){0, 0};
  assert_run(evaluate(s, ev, &whole), ev);
  const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
  const long calls = p->calls;
  print_message("%s %s: asked %ld times in %ld steps\n", s->method,
                s->sensitivity ? s->sensitivity : "simulate", calls,
                cost.steps + cost.steps_backward);
  assert_true(calls >= cost.steps + cost.steps_backward);
  for (long place = 0; place < PLACES; place += support_thorough() ? 1 : 4) {
    *p = (deadline){0, 1 + place * (calls - 1) / (PLACES - 1)};
    assert_status(evaluate(s, ev, &part), GRADYN_INTERRUPTED, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), "stopped on request at t = ");
    /* after the first "stop", the callback is called at most twice more */
    assert_true(p->calls <= p->from + 2);
  }
  *p = (deadline){0, 0};
  assert_run(evaluate(s, ev, &again), ev);
  assert_memory_equal(&again, &whole, sizeof whole);
}

TEST(test_every_step_can_be_the_last)
{
  static const discrete scenes[] = {{"idas", NULL, 0},
                                    {"idas", "adjoint", 0},
                                    {"idas", "direct", 0},
                                    {"ali3p", NULL, 0},
                                    {"ali3p", "adjoint", 0},
                                    {"ali3p", "adjoint", 2e4}, /* steps are repeated */
                                    {"ali3p", "direct", 0},
                                    {"ali3p", "continuous-adjoint", 0},
                                    {"ali3p", "differences", 0},
                                    {"variational", "adjoint", 0},
                                    {"variational", "direct", 0},
                                    {"explicit", NULL, 0},
                                    {"explicit", "adjoint", 0},
                                    {"explicit", "adjoint", 8e3},
                                    {"explicit", "direct", 0}};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    deadline p = {0, 0};
    run_local *ev = run_with(
        &gradyn_problem_five_bar, .method = scenes[i].method,
        .sensitivity = scenes[i].sensitivity ? scenes[i].sensitivity : "adjoint", .t_end = 1,
        .step = 0.01, .memory = scenes[i].memory, .cancel = out_of_patience, .cancel_user = &p);
    interrupt_everywhere(&scenes[i], ev, &p);
  }
}

/* time limit of one evaluation in s; on an idle machine it takes some milliseconds */
enum { ALLOWED = 3, ITEMS = 200 };

/* Sleeps once for longer than the time limit of an evaluation. */
static void dawdle(const char *part, int done, int all, void *user)
{
  (void)part;
  (void)done;
  (void)all;
  bool *dawdled = user;
  if (!*dawdled)
    (void)nanosleep(&(struct timespec){ALLOWED, 50000000}, NULL);
  *dawdled = true;
}

/* The time limit of an evaluation must not include the comparisons of derivatives after it. */
TEST(test_limit_of_an_evaluation)
{
  gradyn_check_item item[ITEMS];
  double rho[3];
  size_t count;
  bool dawdled = false;
  run_local *ev = run_with(&gradyn_problem_robertson, .t_end = 0.02, .evaluation_seconds = ALLOWED);
  const gradyn_check_limits limits = {.progress = dawdle, .user = &dawdled};
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_check(ev, rho, &limits, item, ITEMS, &count), ev);
  assert_true(dawdled);
}
