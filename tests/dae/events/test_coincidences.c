/* Events that coincide with the end of a step, a knot of a signal, the time of a functional or another
 * guard, in every scheme. A ball falls; at a given time it is lifted and its velocity reduced. */
#include "tests/runs.h"
#include "tests/declare.h"

/* What coincides with the event, or happens shortly after it. */
static struct setting {
  bool pushed;             /* a signal with five knots pushes the ball */
  gradyn_signal_kind kind; /* of it */
  double away;             /* s */
  double instant;          /* s, time of a functional; 0: none */
  /* number of further events with the same guard but another direction or condition */
  int others;
  bool never; /* which is never met */
  bool ends;  /* the event ends the run */
} now;

static const double g = 9.81, kept = 0.7, lift = 0.5;

FORMULA(clock_guard, at->data[0] - at->t)

static gradyn_status condition(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  *value = now.never ? -1 : 1;
  return GRADYN_OK;
}

FORMULA(height, at->pos[3])

static void push(gradyn_model *mbs, int ball)
{
  const gradyn_scalar knots[] = {0, 3, 1, 4, 2};
  int u = gradyn_signal(mbs, &(gradyn_signal_spec){"u", "N", now.kind, 5, knots, .times = NULL});
  declare_push(mbs, "push", ball, 0, 1, u);
}

/* Parameters: the time of the event, and the initial velocity. */
static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int ball = gradyn_point(mbs, "ball", 0, 1);
  gradyn_initial_velocity(mbs, ball, 0.5, rho[1]);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -g);
  if (now.pushed)
    push(mbs, ball);
  const gradyn_component x = {ball, GRADYN_X}, y = {ball, GRADYN_Y};
  /* y+ = y + lift and v+ = kept v; the part of y that the first map omits is restored as a shift */
  const gradyn_map_term map[] = {{y, y, kept, false},
                                 {y, y, 1 - kept, true},
                                 {y, {GRADYN_CONSTANT, GRADYN_X}, lift, false},
                                 {x, x, 1, false}};
  const gradyn_datum at = {"at", "s", rho[0] + now.away};
  gradyn_event_spec spec = {.name = "jump",
                            .guard = {.terminal = clock_guard, .data = &at, .data_count = 1},
                            .map = map,
                            .map_count = 4};
  int jump = gradyn_event(mbs, &spec);
  if (now.ends)
    gradyn_terminate_at_event(mbs, jump, 1);
  spec.name = "other";
  spec.condition.terminal = condition;
  if (now.others > 0)
    gradyn_event(mbs, &spec);
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){"then", "m", .terminal = height,
                                                                 .instant = now.instant});
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step;
} methods[] = {
    {"idas", 0}, {"explicit", 0}, {"explicit", 0.02}, {"ali3p", 0.02}, {"variational", 0.02}};

enum { P = 2, F = 3, IDAS = 0, STEPS = 3 /* methods from this index on have errors of h^2 */ };

static const double t_end = 1.6;

/* Computes values and gradient by a method, direct or adjoint; `message` gets the message of a failure. */
static gradyn_status run(size_t method, const double rho[P], double psi[F], double gradient[F * P],
                         char message[256])
{
  static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
  const gradyn_problem problem = PROBLEM("coincidences", build, params, .t_end = t_end,
                                         .rtol = 1e-10);
  double other[F * P];
  const size_t events = now.others > 0 && !now.never ? 2 : 1;
  gradyn_status status = GRADYN_OK;
  for (int way = 0; way < 2 && status == GRADYN_OK; way++) {
    run_local *ev = run_with(&problem, .method = methods[method].name, .step = methods[method].step,
                             .sensitivity = way ? "adjoint" : "direct");
    status = gradyn_evaluator_gradient(ev, rho, psi, way ? other : gradient);
    (void)snprintf(message, 256, "%s", gradyn_evaluator_message(ev));
    if (status == GRADYN_OK && gradyn_evaluator_statistics(ev).events != events)
      fail_msg("%s: %zu events, %g s away", methods[method].name,
               gradyn_evaluator_statistics(ev).events, now.away);
  }
  for (int i = 0; i < F * P && status == GRADYN_OK; i++)
    if (fabs(other[i] - gradient[i]) > 1e-8 * (1 + fabs(gradient[i])))
      fail_msg("%s, %g s away: direct %.12g, adjoint %.12g", methods[method].name, now.away,
               gradient[i], other[i]);
  return status;
}

/* Under gravity alone, all schemes are exact. */
TEST(an_event_may_end_a_step)
{
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++)
    for (int i = 1; i < 80; i += k == IDAS ? 9 : 1) {
      const double rho[P] = {0.02 * i, 0.3}, rest = t_end - rho[0];
      const double v = rho[1] - g * rho[0], y = 1 + rho[1] * rho[0] - g / 2 * rho[0] * rho[0];
      double psi[F], gradient[F * P];
      char message[256];
      now = (struct setting){0};
      assert_ok(run(k, rho, psi, gradient, message), message);
      assert_close(psi[0], y + lift + kept * v * rest - g / 2 * rest * rest, 1e-8, 1e-8);
      assert_close(gradient[0], (1 - kept) * (v + g * rest), 1e-7, 1e-7);
      assert_close(gradient[1], rho[0] + kept * rest, 1e-8, 1e-8);
      assert_close(gradient[P], (1 - kept) * g, 1e-7, 0);
    }
}

static const double away[] = {0, 1e-14, -1e-14, 3e-13, -3e-13, 1e-11, -1e-11};

/* If a signal has a kink at the time of the event, all schemes find the event as without the kink. */
TEST(a_knot_with_a_kink_is_permitted)
{
  const gradyn_signal_kind kinds[] = {GRADYN_PIECEWISE_LINEAR, GRADYN_CUBIC_SPLINE};
  const double rho[P] = {0.4, 0.3};
  for (size_t c = 0; c < 2 * GRADYN_COUNT(away) * 2; c++) {
    if (!support_takes((int)c, 3))
      continue;
    double first[F], gradient[F * P], slope[F * P], psi[F];
    char message[256];
    now = (struct setting){
        .pushed = true, .kind = kinds[c % 2], .away = away[c / 4], .instant = c / 2 % 2 ? 0.4 : 0};
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      /* the time of a functional is another arc boundary; for fixed steps the order of both boundaries is
       * undefined */
      const bool both = now.instant > 0 && k >= STEPS && fabs(now.away) < 1e-12;
      assert_status(run(k, rho, psi, slope, message), both ? GRADYN_EVENT : GRADYN_OK, message);
      memcpy(first, psi, k == IDAS ? sizeof first : 0);
      memcpy(gradient, slope, k == IDAS ? sizeof gradient : 0);
      if (both)
        continue;
      assert_close_array(psi, first, F, k < STEPS ? 1e-7 : 1e-3, k < STEPS ? 1e-7 : 1e-3);
      /* if a step ends at a kink of the force, its rate is that of one side: an error O(h) */
      assert_close_array(slope, gradient, F * P, k < STEPS ? 1e-7 : 2e-2, k < STEPS ? 1e-7 : 2e-2);
    }
  }
}

/* If the signal jumps at the time of the event, the order of both would matter: the run is refused. At
 * slightly different times it is not. */
TEST(a_jump_at_the_same_time_is_reported)
{
  const double rho[P] = {0.64, 0.3};
  for (size_t c = 0; c < GRADYN_COUNT(away); c++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      double psi[F], gradient[F * P];
      char message[256];
      const bool same = fabs(away[c]) < 1e-12;
      now = (struct setting){.pushed = true, .away = away[c]};
      assert_status(run(k, rho, psi, gradient, message), same ? GRADYN_EVENT : GRADYN_OK, message);
      if (same && !strstr(message, "jump occurs at t = 0.64 s, where a signal jumps"))
        fail_msg("%s", message);
      /* derivative (1 - kept)(v - (T - at) a); the push on 2 kg is 3 N before the jump and 1 N after it */
      const double v = 0.3 - g * rho[0] + 1.5 * 0.32, a = (away[c] < 0 ? 1.5 : 0.5) - g;
      if (!same && fabs(gradient[0] - (1 - kept) * (v - (t_end - rho[0]) * a)) > 1e-8)
        fail_msg("%s, %g s away: %.12g", methods[k].name, away[c], gradient[0]);
      now.ends = true; /* nothing follows */
      if (away[c] <= 0)
        assert_ok(run(k, rho, psi, gradient, message), message);
    }
}

TEST(a_guard_that_is_not_armed_does_not_coincide)
{
  const double rho[P] = {0.317, 0.3};
  for (int never = 0; never < 2; never++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      double psi[F], gradient[F * P];
      char message[256];
      now = (struct setting){.others = 1, .never = never};
      assert_ok(run(k, rho, psi, gradient, message), message);
      /* both lift and slow down */
      const double v = rho[1] - g * rho[0], rest = t_end - rho[0],
                   y = 1 + rho[1] * rho[0] - g / 2 * rho[0] * rho[0], slow = never ? 1 : kept;
      assert_close(psi[0],
                   y + lift * (never ? 1 : 2) + slow * kept * v * rest - g / 2 * rest * rest, 1e-8,
                   1e-8);
      assert_close(gradient[P], (1 - slow * kept) * g, 1e-7, 0);
    }
}
