/* Cancelling a call before the integration: during assembly, the search for an equilibrium, or linearisation,
 * in natural and in joint coordinates. */
#include "problems/builtin.h"
#include "tests/runs.h"

#include <gradyn/analysis.h>

enum { PLACES = 6, ENTRIES = 4000 };

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

typedef enum call { ASSEMBLE, COUNT, REST, LINEARISE } call;

typedef struct discrete {
  const gradyn_problem *problem;
  const char *coordinates, *setting;
  int value; /* of the setting */
  call call;
  long least; /* smallest number of calls of the cancel callback */
} discrete;

/* All numbers of a result, in order. */
typedef struct found {
  int count;
  double number[ENTRIES];
} found;

static void note(found *f, const double *numbers, int count)
{
  assert_true(f->count + count <= ENTRIES);
  memcpy(f->number + f->count, numbers, (size_t)count * sizeof *numbers);
  f->count += count;
}

/* Makes the call and stores its result in f, unless it fails. */
static gradyn_status make_call(const discrete *s, gradyn_evaluator *ev, found *f)
{
  double rho[64], psi[16];
  gradyn_dof freedom;
  gradyn_stability stability;
  LOCAL(gradyn_linearisation) linear = {0};
  gradyn_status status = GRADYN_INTERNAL;
  run_initial(ev, rho);
  memset(f, 0, sizeof *f);
  if (s->call == ASSEMBLE)
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  else if (s->call == COUNT)
    status = gradyn_dof_compute(ev, rho, &freedom, NULL);
  else if (s->call == REST)
    status = gradyn_equilibrium_compute(ev, rho, &stability, NULL, &linear);
  else
    status = gradyn_evaluator_linearise(ev, rho, false, &linear);
  const int size = 2 * linear.dof + linear.states;
  if (status == GRADYN_OK && s->call == ASSEMBLE)
    note(f, psi, (int)gradyn_functional_count(ev));
  else if (status == GRADYN_OK && s->call == COUNT)
    note(f, (double[]){freedom.degrees, freedom.at_start, freedom.redundant_constraints}, 3);
  else if (status == GRADYN_OK) {
    note(f, linear.real, size);
    note(f, linear.imag, size);
  }
  return status;
}

static void interrupt_everywhere(const discrete *s, gradyn_evaluator *ev, deadline *p)
{
  static found whole, part;
  assert_run(make_call(s, ev, &whole), ev);
  *p = (deadline){0, 0};
  assert_run(make_call(s, ev, &whole), ev);
  const long calls = p->calls;
  const int places = calls < PLACES ? (int)calls : PLACES;
  print_message("%s, %s, call %d: asked %ld times\n", s->problem->name, s->coordinates,
                (int)s->call, calls);
  assert_true(whole.count > 0 && calls >= s->least);
  for (int place = 0; place < places; place++) {
    if (!support_takes(place + (int)s->call, 3))
      continue;
    *p = (deadline){0, places > 1 ? 1 + place * (calls - 1) / (places - 1) : 1};
    assert_status(make_call(s, ev, &part), GRADYN_INTERRUPTED, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), "stopped on request at t = ");
    /* after the first "stop", the callback is called at most twice more */
    assert_true(p->calls <= p->from + 2);
  }
  *p = (deadline){0, 0};
  assert_run(make_call(s, ev, &part), ev);
  assert_int_equal(part.count, whole.count);
  assert_memory_equal(part.number, whole.number, (size_t)whole.count * sizeof(double));
}

TEST(test_the_time_before_motion_ends_on_request)
{
  static const discrete scenes[] = {
      {&gradyn_problem_chain, "natural", "links", 12, ASSEMBLE, 100},
      {&gradyn_problem_chain, "natural", "links", 12, COUNT, 5},
      {&gradyn_problem_chain, "natural", "links", 12, REST, 20},
      {&gradyn_problem_chain, "natural", "links", 12, LINEARISE, 5},
      {&gradyn_problem_double_wishbone, "natural", NULL, 0, REST, 20},
      {&gradyn_problem_spatial_slider_crank, "joint", NULL, 0, ASSEMBLE, 100},
      {&gradyn_problem_spatial_slider_crank, "joint", NULL, 0, COUNT, 5},
      {&gradyn_problem_spatial_slider_crank, "joint", NULL, 0, REST, 20},
      {&gradyn_problem_spatial_slider_crank, "joint", NULL, 0, LINEARISE, 5},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    deadline p = {0, 0};
    const discrete *s = &scenes[i];
    if (s->problem == &gradyn_problem_double_wishbone && !support_thorough()) /* takes seconds */
      continue;
    gradyn_setting_choice choice = {.name = s->setting, .value = s->value};
    run_local *ev = NULL;
    gradyn_options options = run_options(s->problem);
    options.method = s->problem->step > 0 ? options.method : "ali3p"; /* of many short steps */
    options.step = 1e-3;
    options.coordinates = s->coordinates;
    options.t_end = 0.1;
    options.cancel = out_of_patience;
    options.cancel_user = &p;
    assert_run(gradyn_evaluator_create(s->problem, &options, &choice, s->setting ? 1 : 0, &ev), ev);
    interrupt_everywhere(s, ev, &p);
  }
}
