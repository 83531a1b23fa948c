/* Functions for tests of terminations. */
#include "tests/optim/endings.h"
#include "tests/random.h"

/* --- Formulas --------------------------------------------------------------------------------- */

#define ENDS(name, expression)                                                                     \
  static double complex name(const double complex x[])                                             \
  {                                                                                                \
    return (expression);                                                                           \
  }
#define SQUARE(a) ((a) * (a))
#define CUBE(a) ((a) * (a) * (a))
#define FOURTH(a) (SQUARE(a) * SQUARE(a))
#define POSITIVE(a) (creal(a) > 0 ? (a) : 0)

/* flat minima */
ENDS(quartic, FOURTH(x[0] - 1))
ENDS(quartic_above, 1 + FOURTH(x[0] - 1))
ENDS(sixth, CUBE(SQUARE(x[0] - 1)))
ENDS(twelfth, CUBE(FOURTH(x[0] - 1)))
ENDS(quartics, FOURTH(x[0] - 1) + FOURTH(x[1] - 2) + FOURTH(x[2] - 3))
ENDS(mixed_powers, SQUARE(x[0] - 1) + FOURTH(x[1] + 1) + CUBE(SQUARE(x[2])))
ENDS(turned_quartic, FOURTH(x[0] + x[1] - 1) + SQUARE(x[0] - x[1]))
ENDS(hinge, SQUARE(POSITIVE(1 - x[0])))
ENDS(hinge_fourth, FOURTH(POSITIVE(1 - x[0])))
ENDS(hinge_and_bowl, SQUARE(POSITIVE(1 - x[0])) + SQUARE(x[1] - x[0]))
ENDS(three_halves, cpow(SQUARE(x[0] - 1) + 1e-8, 0.75))
/* valleys */
ENDS(banana, 100 * SQUARE(x[1] - SQUARE(x[0])) + SQUARE(1 - x[0]))
ENDS(banana_above, 1e3 + 100 * SQUARE(x[1] - SQUARE(x[0])) + SQUARE(1 - x[0]))
ENDS(banana_of_three, 100 * SQUARE(x[1] - SQUARE(x[0])) + SQUARE(1 - x[0]) +
                          100 * SQUARE(x[2] - SQUARE(x[1])) + SQUARE(1 - x[1]))
ENDS(cubic_valley, 100 * SQUARE(x[1] - CUBE(x[0])) + SQUARE(1 - x[0]))
ENDS(beale, SQUARE(1.5 - x[0] * (1 - x[1])) + SQUARE(2.25 - x[0] * (1 - SQUARE(x[1]))) +
                SQUARE(2.625 - x[0] * (1 - CUBE(x[1]))))
ENDS(wood, 100 * SQUARE(x[1] - SQUARE(x[0])) + SQUARE(1 - x[0]) + 90 * SQUARE(x[3] - SQUARE(x[2])) +
               SQUARE(1 - x[2]) + 10 * SQUARE(x[1] + x[3] - 2) + 0.1 * SQUARE(x[1] - x[3]))
ENDS(powell, SQUARE(x[0] + 10 * x[1]) + 5 * SQUARE(x[2] - x[3]) + FOURTH(x[1] - 2 * x[2]) +
                 10 * FOURTH(x[0] - x[3]))
/* curves of minima, and parameters without influence */
ENDS(trough, SQUARE(x[0] + x[1] - 1))
ENDS(quartic_trough, FOURTH(x[0] + x[1] + x[2] - 1))
ENDS(hyperbola, SQUARE(x[0] * x[1] - 1))
ENDS(ring, SQUARE(SQUARE(x[0]) + SQUARE(x[1]) - 1))
ENDS(idle_parameter, SQUARE(x[0] - 2) + 0 * x[1])
/* plateaus around minima */
ENDS(dip, -1 / (1 + SQUARE(x[0])))
ENDS(saturated, SQUARE(x[0]) / (1 + SQUARE(x[0])))
ENDS(gaussian_dip, -cexp(-SQUARE(x[0])))
ENDS(logarithmic, clog(1 + SQUARE(x[0])))
ENDS(conical, csqrt(1 + SQUARE(x[0] - 3)))
ENDS(waves, ccos(x[0]))
ENDS(morse, SQUARE(1 - cexp(-(x[0] - 1))))
/* distant minima, where a small term rises */
ENDS(rise_of_3, cexp(-x[0]) + 1e-3 * x[0])
ENDS(rise_of_5, cexp(-x[0]) + 1e-5 * x[0])
ENDS(rise_of_7, cexp(-x[0]) + 1e-7 * x[0])
ENDS(hyperbolic_rise, 1 / x[0] + 1e-4 * x[0])
ENDS(root_and_square, 1 / csqrt(1 + SQUARE(x[0])) + 1e-6 * SQUARE(x[0]))
ENDS(barrier, x[0] - clog(x[0]))
ENDS(chain, cexp(x[0]) - x[0])
/* minima at a bound; without the bound there is an infimum */
ENDS(decay, cexp(-x[0]))
ENDS(decay_above, 1 + cexp(-x[0]))
ENDS(slow_decay, 1 / csqrt(1 + SQUARE(x[0])))
ENDS(angle, -catan(x[0]))
ENDS(tangent, -ctanh(x[0]))
ENDS(softplus, clog(1 + cexp(-x[0])))
ENDS(bell, cexp(-SQUARE(x[0])))
ENDS(ratio, -x[0] / csqrt(1 + SQUARE(x[0])))
ENDS(growth, cexp(x[0]))
ENDS(decay_of_sum, cexp(-x[0] - x[1]))
ENDS(decays, cexp(-x[0]) + cexp(-x[1]))
ENDS(two_rates, cexp(-x[0]) + cexp(-3 * x[1]))
ENDS(decay_and_bowl, cexp(-x[0]) + SQUARE(x[1] - 1))
ENDS(slow_decay_and_bowl, 1 / csqrt(1 + SQUARE(x[0])) + 3 * SQUARE(x[1] + 1))
ENDS(turned_decay, cexp(-x[0] - x[1]) + SQUARE(x[0] - x[1] - 1))
ENDS(decay_in_space, cexp(-x[0]) + SQUARE(x[1] - 1) + 5 * SQUARE(x[2] + x[1]))
ENDS(distance, 1 / csqrt(1 + SQUARE(x[0]) + SQUARE(x[1])))
ENDS(inverse_logarithm, 1 / clog(2 + SQUARE(x[0])))
ENDS(first, x[0])
ENDS(second, x[1])
ENDS(minus_first, -x[0])
ENDS(bowl_of_two, SQUARE(x[0] - 3) + SQUARE(x[1] - 2))
ENDS(far_corner, SQUARE(x[0] - 2) + SQUARE(x[1]))
ENDS(paired, x[0] + x[1] - x[2])
/* constraints */
ENDS(up_to_5, x[0] - 5)
ENDS(within_disk, SQUARE(x[0]) + SQUARE(x[1]) - 25)
ENDS(equal_pair, x[0] - x[1])
ENDS(shifted_pair, x[1] - x[0] - 2)
ENDS(at_least_2, 2 - x[1])
ENDS(below_negative, -x[1])
ENDS(minus_first_too, -x[0])
ENDS(below_cube, x[1] - CUBE(x[0]))
ENDS(below_fifth, x[1] - CUBE(x[0]) * SQUARE(x[0]))
ENDS(cusp, x[1] - CUBE(1 - x[0]))
ENDS(product, x[0] * x[1])
ENDS(third_by_first, x[2] - 4 * x[0])
ENDS(third_by_second, x[2] - 4 * x[1])
ENDS(left_disk, SQUARE(x[0] + 1) + SQUARE(x[1]) - 1)
ENDS(right_disk, SQUARE(x[0] - 1) + SQUARE(x[1]) - 1)
ENDS(parabola_below, SQUARE(x[0]) - x[1])
ENDS(line_above, x[1] - 2 * x[0] - 3)
ENDS(one_simplex, x[0] + x[1] - 1)

/* --- Cases ------------------------------------------------------------------------------------ */

#define MINIMUM(count, formula, value, ...)                                                        \
  {                                                                                                \
    .name = #formula, .kind = ENDING_MINIMUM, .n = (count), .f = (formula), .least = (value),      \
    __VA_ARGS__                                                                                    \
  }
#define INFIMUM(count, formula, value, ...)                                                        \
  {                                                                                                \
    .name = #formula, .kind = ENDING_INFIMUM, .n = (count), .f = (formula), .least = (value),      \
    __VA_ARGS__                                                                                    \
  }
#define UNQUALIFIED(title, count, formula, value, ...)                                             \
  {                                                                                                \
    .name = (title), .kind = ENDING_UNQUALIFIED, .n = (count), .f = (formula), .least = (value),   \
    __VA_ARGS__                                                                                    \
  }
#define STARTS(a, b) .from = (a), .to = (b)
#define BOUNDS(a, b) .lower = (a), .upper = (b)

const ending_case ending_cases[] = {
    MINIMUM(1, quartic, 0, STARTS(-3, 3)),
    MINIMUM(1, quartic_above, 1, STARTS(-3, 3)),
    MINIMUM(1, sixth, 0, STARTS(-2, 0)),
    MINIMUM(1, twelfth, 0, STARTS(-2, 0)),
    MINIMUM(3, quartics, 0, STARTS(-2, 5)),
    MINIMUM(3, mixed_powers, 0, STARTS(-2, 2)),
    MINIMUM(2, turned_quartic, 0, STARTS(-2, 2)),
    MINIMUM(1, hinge, 0, STARTS(-3, 0)),
    MINIMUM(1, hinge_fourth, 0, STARTS(-3, 0)),
    MINIMUM(2, hinge_and_bowl, 0, STARTS(-3, 3)),
    MINIMUM(1, three_halves, 1e-6, STARTS(-3, 3)),
    MINIMUM(2, banana, 0, STARTS(-2, 2)),
    MINIMUM(2, banana_above, 1e3, STARTS(-2, 2)),
    MINIMUM(3, banana_of_three, 0, STARTS(0, 2)),
    MINIMUM(2, cubic_valley, 0, STARTS(0, 2)),
    MINIMUM(2, beale, 0, STARTS(0.5, 1.5)),
    MINIMUM(4, wood, 0, STARTS(0, 2)),
    MINIMUM(4, powell, 0, STARTS(-3, 3)),
    MINIMUM(2, trough, 0, STARTS(-3, 3)),
    MINIMUM(3, quartic_trough, 0, STARTS(-3, 3)),
    MINIMUM(2, hyperbola, 0, STARTS(0.5, 3)),
    MINIMUM(2, ring, 0, STARTS(0.2, 3)),
    MINIMUM(2, idle_parameter, 0, STARTS(-3, 3)),
    MINIMUM(1, dip, -1, STARTS(0.2, 3)),
    MINIMUM(1, saturated, 0, STARTS(0.2, 3)),
    MINIMUM(1, gaussian_dip, -1, STARTS(0.2, 1.5)),
    MINIMUM(1, logarithmic, 0, STARTS(0.2, 5)),
    MINIMUM(1, conical, 1, STARTS(-5, 2)),
    MINIMUM(1, waves, -1, STARTS(1, 5)),
    MINIMUM(1, morse, 0, STARTS(0, 2)),
    MINIMUM(1, rise_of_3, 7.907755278982137e-3, STARTS(0, 2)),
    MINIMUM(1, rise_of_5, 1.2512925464970229e-4, STARTS(0, 2)),
    MINIMUM(1, rise_of_7, 1.7118095650958321e-6, STARTS(0, 2)),
    MINIMUM(1, hyperbolic_rise, 0.02, STARTS(0.5, 5), BOUNDS(1e-3, HUGE_VAL)),
    MINIMUM(1, root_and_square, 0.018897815748423096, STARTS(0.5, 5)),
    MINIMUM(1, barrier, 1, STARTS(0.5, 3), BOUNDS(1e-3, HUGE_VAL)),
    MINIMUM(1, chain, 1, STARTS(-2, 2)),
    MINIMUM(1, decay, 4.5399929762484854e-5, STARTS(0, 2), BOUNDS(-5, 10)),
    MINIMUM(1, decay, 0, STARTS(0, 2), BOUNDS(-5, 1e4)),
    MINIMUM(1, decay_above, 1, STARTS(0, 2), BOUNDS(-5, 1e3)),
    MINIMUM(1, slow_decay, 1e-3, STARTS(0.5, 2), BOUNDS(-5, 1e3)),
    MINIMUM(1, angle, -1.5607966601082315, STARTS(0, 2), BOUNDS(-5, 1e2)),
    MINIMUM(1, tangent, -1, STARTS(0, 2), BOUNDS(-5, 1e2)),
    MINIMUM(1, growth, 0, STARTS(-2, 2), BOUNDS(-1e3, 5)),
    MINIMUM(2, decays, 0, STARTS(0, 2), BOUNDS(-5, 1e3)),
    MINIMUM(2, turned_decay, 0, STARTS(0, 2), BOUNDS(-1e3, 1e3)),
    MINIMUM(1, quartic, 1e-12, STARTS(-3, 0.9), BOUNDS(-4, 0.999)),
    MINIMUM(1, quartic, 0, STARTS(-3, 0.9), BOUNDS(-4, 1)),
    MINIMUM(1, first, -4, STARTS(-3, 3), BOUNDS(-4, 4)),
    MINIMUM(1, decay, 6.737946999085467e-3, STARTS(0, 2), .constraint = {up_to_5}),
    MINIMUM(2, decay_of_sum, 8.489033838903158e-4, STARTS(0, 2), .constraint = {within_disk}),
    MINIMUM(2, decays, 0.05828638622248493, STARTS(0, 2), .constraint = {within_disk}),
    MINIMUM(2, bowl_of_two, 0, STARTS(0, 2), .constraint = {within_disk}),
    MINIMUM(2, bowl_of_two, 0.5, STARTS(0, 2), .constraint = {equal_pair}, .equalities = 1),
    MINIMUM(2, bowl_of_two, 0, STARTS(0, 2), .constraint = {below_negative, minus_first_too}),
    MINIMUM(2, bowl_of_two, 8, STARTS(0, 2), .constraint = {one_simplex, minus_first_too}),
    MINIMUM(2, decay, 0.049787068367863944, STARTS(0, 1),
            .constraint = {parabola_below, line_above}),

    INFIMUM(1, decay, 0, STARTS(0, 2)),
    INFIMUM(1, decay, 0, STARTS(0.5, 2), BOUNDS(0, HUGE_VAL)),
    INFIMUM(1, decay_above, 1, STARTS(0, 2)),
    INFIMUM(1, slow_decay, 0, STARTS(0.5, 2)),
    INFIMUM(1, angle, -1.5707963267948966, STARTS(0, 2)),
    INFIMUM(1, tangent, -1, STARTS(0, 2)),
    INFIMUM(1, softplus, 0, STARTS(-1, 2)),
    INFIMUM(1, bell, 0, STARTS(0.3, 1)),
    INFIMUM(1, ratio, -1, STARTS(0, 2)),
    INFIMUM(1, growth, 0, STARTS(-2, 2)),
    INFIMUM(1, inverse_logarithm, 0, STARTS(0.5, 2)),
    INFIMUM(2, decay_of_sum, 0, STARTS(0, 2)),
    INFIMUM(2, decays, 0, STARTS(0, 2)),
    INFIMUM(2, two_rates, 0, STARTS(0, 2)),
    INFIMUM(2, decay_and_bowl, 0, STARTS(0, 2)),
    INFIMUM(2, slow_decay_and_bowl, 0, STARTS(0.5, 2)),
    INFIMUM(2, turned_decay, 0, STARTS(0, 2)),
    INFIMUM(3, decay_in_space, 0, STARTS(0, 2)),
    INFIMUM(2, distance, 0, STARTS(0.5, 2)),
    INFIMUM(2, decay, 0, STARTS(0, 2), .constraint = {equal_pair}, .equalities = 1),
    INFIMUM(2, decay, 0, STARTS(0, 2), .constraint = {shifted_pair, at_least_2}),
    INFIMUM(2, decay_and_bowl, 1, STARTS(0, 2), .constraint = {at_least_2}),
    INFIMUM(2, distance, 0, STARTS(0.5, 2), .constraint = {equal_pair}, .equalities = 1),
    INFIMUM(2, slow_decay, 0, STARTS(0.5, 2), .constraint = {shifted_pair}),

    UNQUALIFIED("cube", 2, first, 0, STARTS(0.2, 1), .constraint = {below_negative, below_cube}),
    UNQUALIFIED("cube with a bound", 2, first, 0, STARTS(0.2, 1), BOUNDS(0, HUGE_VAL),
                .constraint = {below_cube}),
    UNQUALIFIED("fifth power", 2, first, 0, STARTS(0.3, 1),
                .constraint = {below_negative, below_fifth}),
    UNQUALIFIED("Kuhn and Tucker's cusp", 2, minus_first, -1, STARTS(0, 0.5),
                .constraint = {cusp, below_negative, minus_first_too}),
    UNQUALIFIED("Kuhn and Tucker's cusp with bounds", 2, minus_first, -1, STARTS(0.1, 0.5),
                BOUNDS(0, HUGE_VAL), .constraint = {cusp}),
    UNQUALIFIED("Hock and Schittkowski's 13", 2, far_corner, 1, STARTS(0.1, 0.5),
                BOUNDS(0, HUGE_VAL), .constraint = {cusp}),
    UNQUALIFIED("paired complementarity", 3, paired, 0, STARTS(0.2, 1), BOUNDS(0, HUGE_VAL),
                .constraint = {third_by_first, third_by_second, product}),
    UNQUALIFIED("two disks that touch", 2, second, 0, STARTS(-0.1, 0.1),
                .constraint = {left_disk, right_disk}),

    /* start values near zero, whose units become tiny */
    MINIMUM(4, wood, 0, STARTS(0, 2), .next_to_zero = 1e-5),
    MINIMUM(4, wood, 0, STARTS(0, 2), .next_to_zero = 1e-9),
    MINIMUM(2, banana, 0, STARTS(-2, 2), .next_to_zero = 1e-6),
    MINIMUM(2, cubic_valley, 0, STARTS(0.1, 2), .next_to_zero = 1e-8),
    MINIMUM(3, quartics, 0, STARTS(1, 5), .next_to_zero = 1e-7),
    MINIMUM(2, turned_quartic, 0, STARTS(1, 2), .next_to_zero = 1e-6),
    MINIMUM(2, bowl_of_two, 0.5, STARTS(1, 2), .constraint = {equal_pair}, .equalities = 1,
            .next_to_zero = 1e-6),
    MINIMUM(2, decays, 0.05828638622248493, STARTS(0.3, 2), .constraint = {within_disk},
            .next_to_zero = 1e-7),
    MINIMUM(4, wood, 0, STARTS(0, 2), .next_to_zero = 1e-7, .scaled = true),
    MINIMUM(3, quartics, 0, STARTS(1, 5), .next_to_zero = 1e-7, .scaled = true),
    MINIMUM(2, bowl_of_two, 0, STARTS(1, 2), BOUNDS(-4, 4), .next_to_zero = 1e-7, .scaled = true),
    MINIMUM(2, bowl_of_two, 0, STARTS(1, 2), BOUNDS(0, HUGE_VAL), .next_to_zero = 1e-7),
};
const size_t ending_case_count = sizeof ending_cases / sizeof ending_cases[0];

/* --- Searches --------------------------------------------------------------------------------- */

typedef struct ending_problem {
  synthetic problem; /* must be the first member, since the objective points to it */
  const ending_case *of;
} ending_problem;

/* The objective, then constraints. */
static gradyn_status fill(const synthetic *problem, const double x[], double psi[],
                          double gradient[])
{
  const ending_case *c = ((const ending_problem *)(const void *)problem)->of;
  for (size_t i = 0; i < problem->m; i++) {
    const ending_formula f = i == 0 ? c->f : c->constraint[i - 1];
    for (size_t j = 0; j < c->n; j++) {
      double complex z[ENDING_PARAMETERS];
      for (size_t k = 0; k < c->n; k++)
        z[k] = x[k] + (k == j ? 1e-100 * I : 0);
      const double complex value = f(z);
      psi[i] = creal(value);
      gradient[i * c->n + j] = cimag(value) / 1e-100;
    }
  }
  return GRADYN_OK;
}

static ending_problem make_problem(const ending_case *c, double factor)
{
  const bool bounded = c->lower != 0 || c->upper != 0;
  size_t m = 0;
  while (m < ENDING_CONSTRAINTS && c->constraint[m] != NULL)
    m++;
  ending_problem p = {.problem = synthetic_make(c->n, bounded ? c->lower : -HUGE_VAL,
                                                bounded ? c->upper : HUGE_VAL, 1 + m, fill),
                      .of = c};
  p.problem.factor = factor;
  for (size_t i = 0; i < m; i++)
    synthetic_constrain(&p.problem, 1 + i, i < c->equalities ? GRADYN_EQUAL : GRADYN_AT_MOST, 0);
  return p;
}

/* Returns whether the reported result is true. */
static bool is_truthful(const ending_case *c, const ending_verdict *v, double gain)
{
  switch (c->kind) {
  case ENDING_MINIMUM:
    return !v->said_infimum && (v->is || !v->said_optimal);
  case ENDING_INFIMUM:
    /* if the remaining decrease is below round-off of the total one, the slope towards infinity cannot be
     * distinguished from zero */
    return !v->succeeded || fabs(v->objective - c->least) <= 1e-13 * fabs(gain);
  case ENDING_UNQUALIFIED:
    return !v->said_infimum && (v->is || !v->said_optimal);
  }
  return false;
}

const char *const ending_algorithms[] = {"lbfgs", "slsqp", "mma", "auglag", "tnewton", "ipopt"};

ending_verdict ending_judge(const ending_case *c, ending_search how)
{
  ending_problem p = make_problem(c, how.factor);
  gradyn_search search = synthetic_search(how.algorithm);
  search.max_evaluations = 3000;
  double start[ENDING_PARAMETERS];
  for (size_t j = 0; j < c->n; j++) {
    /* near the middle, with a different value for each parameter */
    const double part = how.seed ? random_unit(&how.seed) : 0.45 + 0.1 * (double)j;
    start[j] = c->from + (c->to - c->from) * part;
    if (j % 2 == 0 && c->next_to_zero > 0)
      start[j] *= c->next_to_zero;
    p.problem.parameters[j].scale = c->scaled ? fabs(start[j]) : 0;
  }
  LOCAL(gradyn_search_result) result;
  const gradyn_status status = synthetic_run(&p.problem, &search, start, &result);
  ending_verdict v = {.said_optimal = result.termination == GRADYN_TERMINATION_OPTIMAL,
                      .succeeded = status == GRADYN_OK &&
                                   result.termination != GRADYN_TERMINATION_EVALUATIONS,
                      .said_infimum = result.termination == GRADYN_TERMINATION_UNBOUNDED,
                      .evaluations = result.evaluations,
                      .objective = result.objective / how.factor};
  const double gain = result.initial_objective / how.factor - c->least;
  /* without constraint qualification, points may deviate by the square root of the tolerance 1e-8, and
   * their sums by more */
  const double allowed = c->kind == ENDING_UNQUALIFIED ? 3e-4
                                                       : 1e-4 * fmax(fabs(gain), fabs(c->least));
  v.is = result.violation <= 1 && fabs(v.objective - c->least) <= allowed;
  memcpy(v.reason, result.reason, sizeof v.reason);
  v.truthful = is_truthful(c, &v, gain);
  v.whole = c->kind == ENDING_MINIMUM ? v.said_optimal
                                      : v.said_infimum || c->kind == ENDING_UNQUALIFIED;
  return v;
}
