/* Searches whose end is easily misjudged, and the true result of each. */
#include "tests/optim/pathological.h"

/* --- Without a minimum ------------------------------------------------------------------------ */

/* -(1 + x^2)^(1/4): decreases without a lower bound, with a slope that tends to zero. */
SYNTHETIC(root)
{
  const double s = 1 + x[0] * x[0];
  psi[0] = -pow(s, 0.25);
  gradient[0] = -0.5 * x[0] * pow(s, -0.75);
}

/* -ln(1 + x^2): the slope vanishes far away, but there is no minimum. */
SYNTHETIC(logarithm)
{
  const double s = 1 + x[0] * x[0];
  psi[0] = -log(s);
  gradient[0] = -2 * x[0] / s;
}

/* A plane. */
SYNTHETIC(plane)
{
  psi[0] = -x[0] - 2 * x[1];
  gradient[0] = -1;
  gradient[1] = -2;
}

/* Bounded in one direction, decreasing like a root in the other. */
SYNTHETIC(gutter)
{
  const double s = 1 + x[1] * x[1], b = x[0] - 3;
  psi[0] = b * b - pow(s, 0.25);
  gradient[0] = 2 * b;
  gradient[1] = -0.5 * x[1] * pow(s, -0.75);
}

/* x y, whose saddle is at 0. */
SYNTHETIC(hyperbolic)
{
  psi[0] = x[0] * x[1];
  gradient[0] = x[1];
  gradient[1] = x[0];
}

/* --- Maxima and saddles ----------------------------------------------------------------------- */

/* Sum of (x_i^2 - 1)^2: a maximum at 0, and saddles where some x_i are 0. */
SYNTHETIC(wells)
{
  for (size_t i = 0; i < problem->n; i++) {
    const double s = x[i] * x[i] - 1;
    psi[0] += s * s;
    gradient[i] = 4 * s * x[i];
  }
}

/* A double well in the first parameter and bowls in the others, with rotated axes. */
SYNTHETIC(turned)
{
  double y[4] = {0}, dy[4] = {0}, sum = 0, dsum = 0;
  const size_t n = problem->n;
  for (size_t i = 0; i < n; i++)
    sum += x[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] - 2 * sum; /* a reflection */
  const double s = y[0] * y[0] - 1;
  psi[0] = s * s;
  dy[0] = 4 * s * y[0];
  for (size_t i = 1; i < n; i++) {
    psi[0] += 0.5 * (double)i * y[i] * y[i];
    dy[i] = (double)i * y[i];
  }
  for (size_t i = 0; i < n; i++)
    dsum += dy[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    gradient[i] = dy[i] - 2 * dsum;
}

/* 4 x0^2 - x1^2/2 + x1^4/4: at its saddle it rises along most directions, even along two orthogonal ones. */
SYNTHETIC(pass)
{
  const double s = x[1] * x[1];
  psi[0] = 4 * x[0] * x[0] - s / 2 + s * s / 4;
  gradient[0] = 8 * x[0];
  gradient[1] = (s - 1) * x[1];
}

/* -x^2 / 2 between bounds, started at its maximum. */
SYNTHETIC(hill)
{
  psi[0] = -0.5 * x[0] * x[0];
  gradient[0] = -x[0];
}

/* x0 on a circle: its maximum satisfies the first-order conditions, as does its minimum. */
SYNTHETIC(on_circle)
{
  const size_t n = problem->n;
  psi[0] = x[0];
  gradient[0] = 1;
  psi[1] = x[0] * x[0] + x[1] * x[1];
  gradient[n] = 2 * x[0];
  gradient[n + 1] = 2 * x[1];
}

/* x0^3 - 3 x0 x1^2 + |x|^4, with zero curvature at 0. */
SYNTHETIC(monkey)
{
  const double a = x[0], b = x[1], r = a * a + b * b;
  psi[0] = a * a * a - 3 * a * b * b + r * r;
  gradient[0] = 3 * a * a - 3 * b * b + 4 * r * a;
  gradient[1] = -6 * a * b + 4 * r * b;
}

/* --- Far, flat, hidden ------------------------------------------------------------------------ */

/* Brown's badly scaled function (More, Garbow and Hillstrom 1981, 4): 0 at (1e6, 2e-6). */
SYNTHETIC(brown)
{
  const double a = x[0] - 1e6, b = x[1] - 2e-6, c = x[0] * x[1] - 2;
  psi[0] = a * a + b * b + c * c;
  gradient[0] = 2 * a + 2 * c * x[1];
  gradient[1] = 2 * b + 2 * c * x[0];
}

/* Hock and Schittkowski (1981), problem 13: (x0 - 2)^2 + x1^2 with (1 - x0)^3 >= x1; the optimum
 * (1, 0) is a cusp without multipliers. */
SYNTHETIC(hs013)
{
  const double a = x[0] - 2, b = 1 - x[0];
  psi[0] = a * a + x[1] * x[1];
  gradient[0] = 2 * a;
  gradient[1] = 2 * x[1];
  psi[1] = b * b * b - x[1];
  gradient[problem->n] = -3 * b * b;
  gradient[problem->n + 1] = -1;
}

/* --- The list --------------------------------------------------------------------------------- */

#define ANYWHERE .lower = -HUGE_VAL, .upper = HUGE_VAL
#define UNBOUNDED(title, count, function, ...)                                                     \
  {                                                                                                \
    .name = (title), .kind = PATHOLOGY_UNBOUNDED, .n = (count), .fill = (function), ANYWHERE,      \
    .start = {                                                                                     \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }
#define MINIMUM(title, count, function, value, ...)                                                \
  {                                                                                                \
    .name = (title), .kind = PATHOLOGY_MINIMUM, .n = (count), .fill = (function), ANYWHERE,        \
    .least = (value), .start = {                                                                   \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }
#define HIDDEN(title, count, function, added, ...)                                                 \
  {                                                                                                \
    .name = (title), .kind = PATHOLOGY_HIDDEN, .n = (count), .fill = (function), ANYWHERE,         \
    .constant = (added), .start = {                                                                \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

const pathological pathological_problems[] = {
    UNBOUNDED("root", 1, root, 1),
    UNBOUNDED("logarithm", 1, logarithm, 3),
    UNBOUNDED("plane", 2, plane, 0, 0),
    UNBOUNDED("gutter", 2, gutter, 1, 1),
    UNBOUNDED("hyperbolic, at its saddle", 2, hyperbolic, 0, 0),
    MINIMUM("wells, at their top", 2, wells, 0, 0, 0),
    MINIMUM("wells, at a saddle", 2, wells, 0, 1, 0),
    MINIMUM("wells, towards a saddle", 2, wells, 0, 2, 0),
    MINIMUM("wells of four, at their top", 4, wells, 0, 0, 0, 0, 0),
    MINIMUM("turned, at its saddle", 4, turned, 0, 0, 0, 0, 0),
    MINIMUM("pass, at its saddle", 2, pass, -0.25, 0, 0),
    MINIMUM("monkey saddle", 2, monkey, -27.0 / 256, 0, 0),
    {.name = "hill between bounds",
     .kind = PATHOLOGY_MINIMUM,
     .n = 1,
     .fill = hill,
     .lower = -1,
     .upper = 1,
     .least = -0.5},
    {.name = "circle, at the largest value",
     .kind = PATHOLOGY_MINIMUM,
     .n = 2,
     .fill = on_circle,
     .start = {1, 0},
     .lower = -2,
     .upper = 2,
     .least = -1,
     .constraint = {GRADYN_EQUAL, 1}},
    MINIMUM("brown's from (1, 1)", 2, brown, 0, 1, 1),
    MINIMUM("brown's from (1/2, 2)", 2, brown, 0, 0.5, 2),
    {.name = "brown's from (1, 1), tnewton",
     .kind = PATHOLOGY_MINIMUM,
     .n = 2,
     .fill = brown,
     .algorithm = "tnewton",
     .start = {1, 1},
     ANYWHERE},
    {.name = "brown's from (1, 1000), tnewton",
     .kind = PATHOLOGY_MINIMUM,
     .n = 2,
     .fill = brown,
     .algorithm = "tnewton",
     .start = {1, 1000},
     ANYWHERE},
    HIDDEN("valley, 1e12 added", 2, rosenbrock, 1e12, -1.2, 1),
    HIDDEN("valley, 1e6 added", 2, rosenbrock, 1e6, -1.2, 1),
    HIDDEN("bowl, -1e12 added", 2, bowl, -1e12, 5, -3),
    HIDDEN("bowl, 1e9 added", 3, bowl, 1e9, 5, -3, 7),
    {.name = "hs13",
     .kind = PATHOLOGY_CUSP,
     .n = 2,
     .fill = hs013,
     .start = {-2, -2},
     .upper = HUGE_VAL,
     .least = 1,
     .constraint = {GRADYN_AT_LEAST, 0}},
};
const size_t pathological_count = sizeof pathological_problems / sizeof pathological_problems[0];

/* --- Searches --------------------------------------------------------------------------------- */

/* A function without its additive constant, and without messages. */
typedef struct shifted {
  synthetic problem;
  const pathological *of;
} shifted;

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  shifted *s = self;
  const gradyn_objective inner = synthetic_objective(&s->problem);
  const gradyn_status status = inner.evaluate(&s->problem, all, rho, psi, gradient);
  psi[0] += s->of->constant;
  return status;
}

static const char *no_message(void *self)
{
  (void)self;
  return "it cannot be evaluated";
}

/* Returns whether the reported result is true. */
static bool is_truthful(const pathological *p, const pathological_verdict *v)
{
  switch (p->kind) {
  case PATHOLOGY_UNBOUNDED:
    return !v->said_optimal && strstr(v->reason, "unbounded below") != NULL;
  case PATHOLOGY_MINIMUM:
    return v->said_optimal && v->is;
  case PATHOLOGY_HIDDEN:
    return v->said_optimal ? v->is : strstr(v->reason, "Subtract") != NULL;
  case PATHOLOGY_CUSP:
    return true;
  }
  return false;
}

pathological_verdict pathological_search(const pathological *p)
{
  const bool constrained = p->constraint.use != GRADYN_MONITORED;
  shifted s = {synthetic_make(p->n, p->lower, p->upper, constrained ? 2 : 1, p->fill), p};
  for (size_t j = 0; j < p->n; j++)
    s.problem.parameters[j].scale = p->scale;
  if (constrained)
    synthetic_constrain(&s.problem, 1, p->constraint.use, p->constraint.bound);
  gradyn_objective objective = synthetic_objective(&s.problem);
  objective.evaluate = evaluate;
  objective.message = no_message;
  objective.steps = NULL;
  objective.self = &s;
  gradyn_search search = synthetic_search(p->algorithm);
  search.max_evaluations = 3000;
  LOCAL(gradyn_search_result) result;
  pathological_verdict verdict = {0};
  verdict.said_optimal = gradyn_search_run(&objective, &search, p->start, &result) == GRADYN_OK;
  /* the remaining fraction of the possible decrease */
  const double left = result.objective - p->constant - p->least;
  const double gain = result.initial_objective - p->constant - p->least;
  verdict.is = p->kind != PATHOLOGY_UNBOUNDED && result.violation <= 1 &&
               fabs(left) <= 1e-4 * fmax(gain, fabs(p->least));
  verdict.evaluations = result.evaluations;
  verdict.objective = result.objective;
  memcpy(verdict.reason, result.reason, sizeof verdict.reason);
  verdict.truthful = is_truthful(p, &verdict);
  return verdict;
}
