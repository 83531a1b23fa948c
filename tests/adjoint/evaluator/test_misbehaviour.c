/* Faulty user functions: every kind of fault at every stage of every evaluation is reported with its
 * status, function and time, and the evaluator can be used as before. */
#include <complex.h>

#include "tests/runs.h"
#include "tests/declare.h"

/* A fault that begins at call `from`. */
typedef struct fault {
  gradyn_status status; /* GRADYN_OK: the function returns `value`, which is NAN or infinite */
  gradyn_scalar value;
  long calls, from; /* from 0: none */
  bool once;
} fault;

static fault force_fault, integrand_fault, constraint_fault, residual_fault, measure_fault;

/* A message set by the user's function, also after a success. Only messages of failed calls may be
 * reported. */
static const char reason[] = "no fuel at t";

static gradyn_status misbehave(const gradyn_at *at, fault *f, gradyn_scalar *value)
{
  gradyn_callback_error(at, "no %s at t", "fuel");
  f->calls++;
  if (f->from == 0 || f->calls < f->from || (f->once && f->calls > f->from))
    return GRADYN_OK;
  if (f->status == GRADYN_OK)
    *value = f->value;
  return f->status;
}

static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = -at->data[0] * at->pos[0];
  force[1] = sin(at->t) - at->vel[1];
  return misbehave(at, &force_fault, &force[1]);
}

static gradyn_status look(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[4] * at->vel[4];
  return misbehave(at, &integrand_fault, value);
}

/* The rod as a user-defined constraint: (|r|^2 - L^2)/2. */
static gradyn_status bar(const gradyn_at *at, int order, gradyn_scalar *value)
{
  gradyn_scalar r[2], v[2], a[2], L = at->data[0];
  for (int k = 0; k < 2; k++) {
    r[k] = at->pos[2 + k] - at->pos[k];
    v[k] = at->vel[2 + k] - at->vel[k];
    a[k] = at->acc[2 + k] - at->acc[k];
  }
  *value = order == 0   ? (r[0] * r[0] + r[1] * r[1] - L * L) / 2
           : order == 1 ? r[0] * v[0] + r[1] * v[1]
                        : r[0] * a[0] + r[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  return misbehave(at, &constraint_fault, value);
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] * at->of[0] * at->of[0];
  return misbehave(at, &measure_fault, value);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1, 0.1);
  const gradyn_datum gain = {"gain", "N/m", rho[0]}, length = {"length", "m", rho[1]};
  gradyn_custom_constraint(
      model, &(gradyn_custom_constraint_spec){"bar", (int[]){A, P}, 2, bar, &length, 1, NULL});
  gradyn_point_mass(model, "m", P, 1);
  gradyn_gravity(model, 0, -9.81);
  declare_force(model, "pull", P, pull, &gain, 1);
  declare_integral(model, "look", "J", look);
  const int y = gradyn_measure_point(model, "y", P, 0, GRADYN_Y);
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "tracked",
                 gradyn_measure_formula(model, &(gradyn_measure_formula_spec){.name = "height",
                                                                              .formula = height,
                                                                              .of = &y,
                                                                              .count = 1,
                                                                              .data = &gain,
                                                                              .data_count = 1}),
                 .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.3}});
  return gradyn_build_status(model);
}

static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0] - at->y[1];
  F[1] = at->y[1] - sin(at->t);
  return misbehave(at, &residual_fault, &F[0]);
}

FORMULA(end, at->y[0])

static gradyn_status build_flow(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum gain = {"k", "1/s", rho[0]};
  gradyn_state(model, "y", "", rho[1]);
  gradyn_algebraic_state(model, "z", "", 0);
  declare_equations(model, flow, &gain, 1);
  declare_end(model, "end", "", end);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"gain", "N/m", .init = 2, GRADYN_UNBOUNDED},
                                      {"length", "m", .init = 1.1, GRADYN_UNBOUNDED}};
static const gradyn_problem linkage = PROBLEM("linkage", build, params, .t_end = 0.2);
static const gradyn_problem stream = PROBLEM("stream", build_flow, params, .t_end = 0.2);

/* What to compute, by which method, and the name of the function that fails. */
typedef struct discrete {
  const gradyn_problem *problem;
  const char *method, *sensitivity; /* sensitivity NULL: simulate */
  fault *fault;
  const char *name;
} discrete;

typedef struct result {
  double psi[2], gradient[4];
} result;

static gradyn_status evaluate(const discrete *s, gradyn_evaluator *ev, result *r)
{
  const double rho[2] = {2.1, 1.05};
  memset(r, 0, sizeof *r);
  s->fault->calls = 0;
  return s->sensitivity ? gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient)
                        : gradyn_evaluator_simulate(ev, rho, r->psi, NULL);
}

static gradyn_evaluator *create(const discrete *s)
{
  return run_with(s->problem, .method = s->method,
                  .sensitivity = s->sensitivity ? s->sensitivity : "adjoint",
                  .rtol = strcmp(s->method, "idas") == 0 ? 1e-6 : -1, .step = 0.008);
}

static const struct {
  gradyn_status status, expected;
  double real, imaginary;
} kinds[] = {
    {GRADYN_CALLBACK, GRADYN_CALLBACK, 0, 0},       {GRADYN_OK, GRADYN_NON_FINITE, NAN, 0},
    {GRADYN_OK, GRADYN_NON_FINITE, HUGE_VAL, 0},    {GRADYN_OK, GRADYN_NON_FINITE, 0.1, 1e-9},
    {GRADYN_INTERRUPTED, GRADYN_INTERRUPTED, 0, 0}, {GRADYN_INTERNAL, GRADYN_INTERNAL, 0, 0},
    {GRADYN_INVALID, GRADYN_INVALID, 0, 0},         {GRADYN_NON_FINITE, GRADYN_NON_FINITE, 0, 0}};

/* Tests a third of the pairs of fault and stage, depending on `number`. Three consecutive cases together
 * test all pairs. */
static void check_faults(const discrete *s, int number)
{
  run_local *ev = create(s);
  result good, r;
  /* the first gradient makes additional calls, among others to test the functions; counts are those of the
   * second one */
  assert_run(evaluate(s, ev, &r), ev);
  assert_run(evaluate(s, ev, &good), ev);
  long calls = s->fault->calls;
  assert_true(calls > 20);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (!support_takes(number + (int)k, 4))
      continue;
    for (int stage = (number + (int)k) % 3; stage <= 10; stage += support_thorough() ? 3 : 9) {
      *s->fault = (fault){kinds[k].status, kinds[k].real + I * kinds[k].imaginary, 0,
                          1 + (calls - 1) * stage / 10, false};
      gradyn_status status = evaluate(s, ev, &r);
      s->fault->from = 0;
      /* failures in the runs that estimate the error of a gradient are reported as warnings of the gradient
       */
      const bool said = status == GRADYN_OK || kinds[k].status == GRADYN_OK;
      const bool beside = status == GRADYN_OK &&
                          strstr(gradyn_evaluator_warnings(ev), "the error is unknown");
      if (status == GRADYN_OK)
        assert_string_equal(gradyn_evaluator_message(ev), "");
      const char *message = beside ? gradyn_evaluator_warnings(ev) : gradyn_evaluator_message(ev);
      /* the last call may belong to a monitor, and then the result is the same without it */
      if (stage == 10 && status == GRADYN_OK && memcmp(&r, &good, sizeof r) == 0)
        continue;
      if ((status != kinds[k].expected && !(beside && stage > 0)) || !strstr(message, s->name) ||
          !strstr(message, "t = ") || (!said && !strstr(message, reason)) ||
          (kinds[k].status == GRADYN_OK && strstr(message, reason)))
        fail_msg("%s %s, %s, fault %zu, stage %d: %s, '%s'", s->method,
                 s->sensitivity ? s->sensitivity : "simulate", s->name, k, stage,
                 gradyn_status_describe((int)status).name, message);
      assert_run(evaluate(s, ev, &r), ev);
      assert_memory_equal(&r, &good, sizeof r);
      assert_string_equal(gradyn_evaluator_message(ev), "");
    }
  }
}

static const char *const sensitivities[] = {NULL, "direct", "adjoint"};

static void check_method(const char *method)
{
  for (int k = 0; k < 3; k++) {
    check_faults(&(discrete){&linkage, method, sensitivities[k], &force_fault, "pull"}, k);
    check_faults(&(discrete){&linkage, method, sensitivities[k], &integrand_fault, "look"}, k + 1);
    check_faults(&(discrete){&linkage, method, sensitivities[k], &constraint_fault, "bar"}, k + 2);
    check_faults(&(discrete){&linkage, method, sensitivities[k], &measure_fault, "height"}, k);
  }
}

TEST(idas_passes_faults_out)
{
  check_method("idas");
}

TEST(ali3p_passes_faults_out)
{
  check_method("ali3p");
}

TEST(variational_passes_faults_out)
{
  check_method("variational");
}

TEST(general_equations_pass_faults_out)
{
  for (int k = 0; k < 3; k++)
    check_faults(&(discrete){&stream, "idas", sensitivities[k], &residual_fault, "stream"}, k);
}

/* A single failure in the middle of an integration is avoided by shorter steps, or reported. A result must
 * be correct or absent. */
TEST(single_faults_do_not_spoil_results)
{
  for (int k = 0; k < 3; k++) {
    const discrete s = {&linkage, "idas", sensitivities[k], &force_fault, "pull"};
    run_local *ev = create(&s);
    result good, r;
    long right = 0;
    assert_run(evaluate(&s, ev, &good), ev);
    const long calls = force_fault.calls, most = support_thorough() ? 50 : 12;
    for (long call = 1; call <= calls; call += 1 + calls / most) {
      force_fault = (fault){GRADYN_CALLBACK, 0, 0, call, true};
      gradyn_status status = evaluate(&s, ev, &r);
      force_fault.from = 0;
      if (status == GRADYN_OK) {
        right++;
        assert_close(r.psi[0], good.psi[0], 1e-4, 0);
        assert_close_array(r.gradient, good.gradient, 2, 1e-3, 1e-5);
      } else {
        assert_status(status, GRADYN_CALLBACK, gradyn_evaluator_message(ev));
      }
    }
    assert_true(right > 3 * most / 5);
  }
}
