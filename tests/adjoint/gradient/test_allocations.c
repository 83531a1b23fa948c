/* Forward and backward integration allocate no memory, and a failed allocation does no harm. */
#include "tests/allocations.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/gradyn.h>

/* --- a mechanism that watches ----------------------------------------------------------------- */

enum { MOST = 200000 };

/* Records the time and the number of requests at every call of the force. */
typedef struct watch {
  bool
      /* the gradient is computed twice, since the library tests the user's function after the first one */
      second;
  long count;
  double t[MOST];
  long requests[MOST];
} watch;

static watch seen;

static gradyn_status look(const gradyn_at *at, gradyn_scalar force[])
{
  if (seen.count < MOST) {
    seen.t[seen.count] = creal(at->t);
    seen.requests[seen.count++] = allocations_requests();
  }
  force[0] = -0.1 * at->vel[0];
  force[1] = at->data[0] * sin(3 * at->t);
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0);
  int P = gradyn_point(model, "P", 1, 0.1), Q = gradyn_point(model, "Q", 1.5, 1);
  const gradyn_datum data = {"gain", "N", rho[0]};
  gradyn_rod(model, &(gradyn_rod_spec){"upper", A, P, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"lower", P, Q, .length = rho[1], .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  const gradyn_scalar knots[4] = {0, 1, -1, rho[0]};
  int u = gradyn_signal(
      model, &(gradyn_signal_spec){"u", "N", GRADYN_CUBIC_SPLINE, 4, knots, .times = NULL});
  declare_push(model, "push", P, 1, 0, u);
  gradyn_functional(model, &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", u),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_custom_force_spec spec = {"watch", &Q, 1, look, &data, 1, NULL, NULL, 0};
  gradyn_custom_force(model, &spec);
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"track", gradyn_measure_point(model, "", Q, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 1}}),
      1);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_fix_initial_angle(model, "angle", A, P, 0.1, 1);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"gain", "N", .init = 2, GRADYN_UNBOUNDED},
                                      {"length", "m", .init = 1.1, GRADYN_UNBOUNDED}};
static const gradyn_problem linkage = PROBLEM("linkage", build, params, .t_end = 1.5);

/* A body, attached points, beams and welds of every kind. */
static gradyn_status build_flexible(gradyn_model *model, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", 2, 0);
  int U = gradyn_point(model, "U", 2, 1), V = gradyn_point(model, "V", 2, 2);
  int body = gradyn_body(model, &(gradyn_body_spec){.name = "body",
                                                    .centre = {0.5, 0},
                                                    .mass = 1,
                                                    .inertia = {0, 0, 0.1},
                                                    .omega = {0, 0, 1}});
  int end = gradyn_body_point(model, body, "end", 1, 0);
  gradyn_pin(model, "pin", O, gradyn_body_point(model, body, "start", 0, 0));
  gradyn_point_mass(model, "bob", gradyn_point_between(model, "half", T, U, rho[0] / 4), 0.2);
  gradyn_beam_spec spec = {.elements = 2, .young = 1e6, .density = 50, .damping = 0.01};
  const int ends[3][2] = {{end, T}, {T, U}, {V, U}};
  int beam[3];
  for (int k = 0; k < 3; k++) {
    spec.name = (const char *[3]){"first", "second", "third"}[k];
    spec.section = gradyn_section_rectangle(rho[1] / 10, rho[1] / 10);
    spec.from = ends[k][0];
    spec.to = ends[k][1];
    beam[k] = gradyn_beam(model, &spec);
  }
  gradyn_weld(model, "weld", beam[0], 0, body);
  gradyn_weld_beams(model, "elbow", beam[0], GRADYN_BEAM_END, beam[1], 0);
  gradyn_weld_beams(model, "line", beam[1], 2, beam[2], 2);
  gradyn_weld(model, "clamp", beam[2], 0, GRADYN_GROUND);
  gradyn_minimise(
      model,
      gradyn_functional(model, &(gradyn_functional_spec){"stress",
                                                         gradyn_measure_stress(model, "", beam[0],
                                                                               0, GRADYN_STRETCHED),
                                                         .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "largest",
                 gradyn_measure_stress(model, "", beam[1], GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
                 .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = 1e6, .sharpness = 5});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem flexible = PROBLEM("flexible", build_flexible, params, .t_end = 0.02);

/* y' = -k y + z, z^3 + z = y. */
FORMULAS(residual, at->yp[0] + at->data[0] * at->y[0] - at->y[1],
         at->y[1] * at->y[1] * at->y[1] + at->y[1] - at->y[0])

FORMULA(final_value, at->y[0])

static gradyn_status build_equations(gradyn_model *model, const gradyn_scalar rho[])
{
  const double atol[2] = {1e-8, 1e-7};
  const gradyn_datum data = {"k", "1/s", rho[0]};
  gradyn_state(model, "y", "", rho[1]);
  gradyn_algebraic_state(model, "z", "", 0.5);
  gradyn_equations(model, &(gradyn_equations_spec){
                              .residual = residual, .data = &data, .data_count = 1, .atol = atol});
  gradyn_custom_functional_spec f = {.name = "end", .unit = "", .terminal = final_value};
  f.data = &data;
  f.data_count = 1;
  gradyn_minimise(model, gradyn_custom_functional(model, &f), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem decay = PROBLEM("decay", build_equations, params, .t_end = 1);

typedef struct result {
  double psi[3], gradient[6];
} result;

/* Creates an evaluator, computes one gradient and frees all; sensitivity NULL: simulates. */
static gradyn_status evaluate(const gradyn_problem *problem, const char *method,
                              const char *sensitivity, result *r, char *message)
{
  const double rho[2] = {2, 1.1};
  run_local *ev;
  gradyn_options options = run_options(problem);
  options.method = method;
  options.rtol = strcmp(method, "idas") == 0 ? 1e-6 : 0;
  options.step = 0.01;
  if (sensitivity)
    options.sensitivity = sensitivity;
  memset(r, 0, sizeof *r);
  gradyn_status status = gradyn_evaluator_create(problem, &options, NULL, 0, &ev);
  if (status == GRADYN_OK && sensitivity && seen.second)
    status = gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient);
  seen.count = 0;
  if (status == GRADYN_OK)
    status = sensitivity ? gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient)
                         : gradyn_evaluator_simulate(ev, rho, r->psi, NULL);
  strcpy(message, gradyn_evaluator_message(ev));
  return status;
}

static const char *const methods[] = {"idas", "ali3p", "variational"};
enum { METHODS = sizeof methods / sizeof *methods };
static const char *const sensitivities[] = {NULL, "direct", "adjoint"};

/* Number of requests between two recorded calls. */
static long between(long first, long last)
{
  return last > first ? seen.requests[last] - seen.requests[first] : 0;
}

/* Forward: from the first call after the start to the last call before the end. Backward: from the first
 * call before the end to the last call after the start. Only the first run counts, since idas repeats it
 * with other tolerances. */
TEST(steps_allocate_nothing)
{
  const double late = 1.49; /* s; some methods do not evaluate forces at the end itself */
  char message[ALLOCATIONS_MESSAGE];
  result r;
  seen.second = true;
  for (int m = 0; m < METHODS; m++)
    for (int k = 0; k < 3; k++) {
      assert_ok(evaluate(&linkage, methods[m], sensitivities[k], &r, message), message);
      assert_in_range(seen.count, 100, MOST - 1);
      long first = 0, top = 0;
      while (seen.t[first] <= 0)
        first++;
      while (seen.t[top] < late)
        top++;
      assert_true(first + 50 < top);
      assert_int_equal(between(first, top - 1), 0);
      while (top < seen.count && seen.t[top] >= late)
        top++;
      long last = top < seen.count ? top : seen.count - 1;
      while (last + 1 < seen.count && seen.t[last + 1] > 0)
        last++;
      if (k == 2)
        assert_true(top + 50 < last);
      assert_int_equal(between(top, last), 0);
    }
  seen.second = false;
}

typedef struct gradient_work {
  const gradyn_problem *problem;
  const char *method, *sensitivity;
} gradient_work;

static gradyn_status take_gradient(const void *user, char *message)
{
  const gradient_work *w = user;
  result r;
  return evaluate(w->problem, w->method, w->sensitivity, &r, message);
}

/* A failed allocation must not change the results of later evaluations. */
static void check_failures(const gradyn_problem *problem, const char *method,
                           const char *sensitivity)
{
  char message[ALLOCATIONS_MESSAGE];
  const gradient_work w = {problem, method, sensitivity};
  result r, good;
  assert_ok(evaluate(problem, method, sensitivity, &good, message), message);
  allocations_check(take_gradient, &w, method);
  assert_ok(evaluate(problem, method, sensitivity, &r, message), message);
  assert_memory_equal(&r, &good, sizeof r);
}

/* Evaluates with two parameters, then with more, so that buffers must grow, and then with two again. After
 * a failed allocation, the next evaluation must succeed. */
static gradyn_status grow(const void *user, char *message)
{
  const gradient_work *w = user;
  const double rho[2] = {2, 1.1};
  double psi[3], few[6] = {0}, many[300], again[6];
  run_local *ev;
  gradyn_options options = run_options(w->problem);
  options.method = w->method;
  options.sensitivity = w->sensitivity;
  options.step = strcmp(w->method, "ali3p") == 0 ? 0.05 : 0;
  gradyn_status status = gradyn_evaluator_create(w->problem, &options, NULL, 0, &ev);
  const bool made = status == GRADYN_OK;
  if (made)
    status = gradyn_evaluator_gradient(ev, rho, psi, few);
  if (status == GRADYN_OK) {
    assert_in_range(gradyn_functional_count(ev) * gradyn_evaluator_model_info(ev).data, 3,
                    GRADYN_COUNT(many));
    status = gradyn_evaluator_data_gradient(ev, rho, psi, many);
  }
  strcpy(message, gradyn_evaluator_message(ev));
  if (made) {
    const gradyn_status after = gradyn_evaluator_gradient(ev, rho, psi, again);
    if (status == GRADYN_OK && after != GRADYN_OK)
      strcpy(message, gradyn_evaluator_message(ev));
    else
      assert_ok(after, gradyn_evaluator_message(ev));
    status = status == GRADYN_OK ? after : status;
  }
  if (status == GRADYN_OK)
    assert_close_array(again, few, 2 * gradyn_functional_count(ev), 1e-7, 0);
  return status;
}

TEST(failed_growth_does_no_harm)
{
  for (int k = 1; k < 3; k++)
    for (int m = 0; m < 3; m++) {
      if (!support_takes(k + m, 4))
        continue;
      const char *method = (const char *[]){"idas", "explicit", "ali3p"}[m];
      const gradient_work w = {m < 2 ? &decay : &linkage, method, sensitivities[k]};
      allocations_check(grow, &w, method);
    }
}

TEST(failed_requests_do_no_harm)
{
  for (int k = 0; k < 3; k++) {
    for (int m = 0; m < METHODS; m++)
      if (support_takes(k + m + 1, 3))
        check_failures(&linkage, methods[m], sensitivities[k]);
    if (support_takes(k + 2, 3))
      check_failures(&decay, "idas", sensitivities[k]);
    if (support_takes(k + 1, 3))
      check_failures(&flexible, "ali3p", sensitivities[k]);
  }
}
