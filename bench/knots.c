/* Costs of gradients of `radau` and `idas` for runs with discontinuities, at equal errors. Problems: a ball
 * with an arm whose hinge damping is a thousand times faster than the motion of the ball, with a spring and
 * a force of 20 knots, or with 20 bounces; and the five-bar linkage over 20 bounces, which is not stiff.
 * Errors are against `radau` at 1e-11, over the largest component of each functional; times are processor
 * times.
 * Usage: bench_knots. */
#include <math.h>
#include <stdio.h>

#include <gradyn/gradyn.h>

#include "bench/curve.h"
#include "bench/timing.h"
#include "problems/builtin.h"

enum { KNOTS = 20, BALL = KNOTS, ARM, LENGTH, DAMPING, PARAMETERS, FUNCTIONALS = 8 };
enum { ENTRIES = PARAMETERS * FUNCTIONALS, METHODS = 2, GOALS = 2, RUNS = 3 };
enum { LEVELS, SLOPES, BOUNCES }; /* cause of the discontinuities */

static const char *const methods[METHODS] = {"radau", "idas"};
static const double goals[GOALS] = {1e-5, 1e-7};

static const gradyn_param params[] = {
    {"push", "N", .count = KNOTS, .init = 1, .lower = -10, .upper = 10},
    {"ball", "kg", .init = 1, .lower = 0.1, .upper = 10},
    {"arm", "kg", .init = 0.02, .lower = 0.01, .upper = 1},
    {"length", "m", .init = 0.5, .lower = 0.1, .upper = 1},
    {"damping", "N m s", .init = 2, .lower = 0.1, .upper = 100},
};
static const gradyn_setting settings[] = {{"jumps", "", LEVELS, LEVELS, BOUNCES}};

/* A force of 20 knots, and a spring to the point above. */
static void push(gradyn_model *mbs, const gradyn_scalar rho[], int ball, gradyn_signal_kind kind)
{
  gradyn_scalar value[KNOTS];
  const int above = gradyn_ground_point(mbs, "above", 0, 2);
  for (int k = 0; k < KNOTS; k++) /* pushes and pulls in turn */
    value[k] = (k % 3 - 1) * rho[k];
  const gradyn_signal_spec spec = {
      .name = "push", .unit = "N", .kind = kind, .count = KNOTS, .knots = value};
  const int signal = gradyn_signal(mbs, &spec);
  gradyn_spring(mbs, &(gradyn_spring_spec){"spring", above, ball, .k = 40, .free_length = 0.8});
  gradyn_force(mbs, &(gradyn_force_spec){.name = "push", .point = ball, .fx = 1, .signal = signal});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int jumps = gradyn_setting_value(mbs, "jumps");
  const gradyn_scalar reach = rho[LENGTH] * sqrt(0.5);
  const int ball = gradyn_point(mbs, "ball", 0, 1),
            tip = gradyn_point(mbs, "tip", reach, 1 + reach);
  gradyn_point_mass(mbs, "ball", ball, rho[BALL]);
  gradyn_rod(mbs, &(gradyn_rod_spec){"arm", ball, tip, .length = rho[LENGTH], .mass = rho[ARM]});
  gradyn_torque(mbs, &(gradyn_torque_spec){"hinge", ball, tip, .c = rho[DAMPING]});
  gradyn_gravity(mbs, 0, -9.81);
  if (jumps == BOUNCES)
    gradyn_impact(mbs, &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = 1});
  else
    push(mbs, rho, ball, jumps == LEVELS ? GRADYN_PIECEWISE_CONSTANT : GRADYN_PIECEWISE_LINEAR);
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"path", gradyn_measure_point(mbs, "", tip, 0, GRADYN_ALL_AXES),
                                     .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, 1}});
  return gradyn_build_status(mbs);
}

#define ARMED(title, end)                                                                          \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = title, .params = params, .param_count = GRADYN_COUNT(params),    \
                          .settings = settings, .setting_count = 1, .build = build, .t_end = end   \
  }

static const gradyn_problem pushed = ARMED("pushed", 4), let_fall = ARMED("let_fall", 15.3);

static const struct subject {
  const char *title;
  const gradyn_problem *problem;
  int jumps; /* value of the problem's setting; -1: it has no setting */
  double t_end;
} subjects[] = {{"20 levels", &pushed, LEVELS, 0},
                {"20 slopes", &pushed, SLOPES, 0},
                {"20 bounces", &let_fall, BOUNCES, 0},
                {"five-bar, 20 bounces", &gradyn_problem_bouncing_five_bar, -1, 11.2}};

typedef struct answer {
  gradyn_status status;
  size_t events, parameters, functionals;
  long steps;
  double gradient[ENTRIES], march, whole; /* s */
} answer;

static void ask(const struct subject *s, const char *method, double rtol, answer *a)
{
  const gradyn_setting_choice choice = {"jumps", s->jumps};
  gradyn_options options;
  gradyn_evaluator *ev;
  double rho[PARAMETERS], psi[FUNCTIONALS], march[RUNS], whole[RUNS];
  gradyn_options_default(s->problem, &options);
  options.method = method;
  options.sensitivity = "adjoint";
  options.rtol = rtol;
  options.t_end = s->t_end;
  options.evaluation_seconds = 20;
  a->status = gradyn_evaluator_create(s->problem, &options, &choice, s->jumps >= 0, &ev);
  a->parameters = gradyn_parameter_count(ev);
  a->functionals = gradyn_functional_count(ev);
  for (size_t j = 0; j < a->parameters; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = 0; k < RUNS && a->status == GRADYN_OK; k++) {
    double since = bench_now();
    a->status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    march[k] = bench_now() - since;
    a->steps = gradyn_evaluator_statistics(ev).steps;
    since = bench_now();
    if (a->status == GRADYN_OK)
      a->status = gradyn_evaluator_gradient(ev, rho, psi, a->gradient);
    whole[k] = bench_now() - since;
  }
  a->events = gradyn_evaluator_statistics(ev).events;
  if (a->status == GRADYN_OK) {
    a->march = bench_median(march, RUNS);
    a->whole = bench_median(whole, RUNS);
  } else {
    (void)fprintf(stderr, "%s at %.1e by %s: %s\n", s->title, rtol, method,
                  gradyn_evaluator_message(ev));
  }
  gradyn_evaluator_free(ev);
}

/* The largest error of a gradient; HUGE_VAL if it failed. */
static double judge(const answer *a, const answer *exact)
{
  const size_t count = exact->parameters;
  double error = a->status == GRADYN_OK && a->events == exact->events ? 0 : HUGE_VAL;
  for (size_t f = 0; f < exact->functionals && isfinite(error); f++) {
    double most = 0, off = 0;
    for (size_t j = 0; j < count; j++) {
      most = fmax(most, fabs(exact->gradient[f * count + j]));
      off = fmax(off, fabs(a->gradient[f * count + j] - exact->gradient[f * count + j]));
    }
    error = most > 0 ? fmax(error, off / most) : error;
  }
  return error;
}

static void compare(const struct subject *s)
{
  double error[METHODS][CURVE_RUNS], steps[METHODS][CURVE_RUNS], whole[METHODS][CURVE_RUNS];
  answer exact = {0};
  ask(s, "radau", 1e-11, &exact);
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < CURVE_RUNS; i++) {
      answer a = {0};
      ask(s, methods[m], bench_tolerance(i), &a);
      error[m][i] = judge(&a, &exact);
      steps[m][i] = (double)a.steps;
      whole[m][i] = a.whole;
    }
  for (int g = 0; g < GOALS; g++) {
    double cost[METHODS];
    (void)printf("| %-20s | %6zu | %.0e |", s->title, exact.events, goals[g]);
    for (int m = 0; m < METHODS; m++) {
      cost[m] = bench_cost_at(goals[g], error[m], whole[m]);
      (void)printf(" %6.0f | %8.2f ms |", bench_cost_at(goals[g], error[m], steps[m]),
                   1e3 * cost[m]);
    }
    (void)printf(" %6.2f |\n", cost[1] / cost[0]);
  }
  (void)fflush(stdout);
}

int main(void)
{
  (void)printf("| run                  | events | error | radau steps | gradient | idas steps | "
               "gradient | idas/radau |\n");
  for (size_t k = 0; k < GRADYN_COUNT(subjects); k++)
    compare(&subjects[k]);
  return 0;
}
