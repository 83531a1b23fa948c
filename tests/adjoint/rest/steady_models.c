/* Models of steady_models.h. */
#include "tests/adjoint/rest/steady_models.h"

#include "tests/declare.h"

const gradyn_param steady_params[P] = {
    [K1] = {"k1", "1/s", .init = 0.8, .lower = 0.01, .upper = 10},
    [K2] = {"k2", "1/s", .init = 0.5, .lower = 0.01, .upper = 10},
    [FIRST] = {"first", "", .init = 1.5, .lower = -10, .upper = 10},
    [BEFORE_PUMP] = {"pump_before", "", .init = 0.3, .lower = -10, .upper = 10},
    [VOLUME] = {"volume", "", .init = 1.7, .lower = 0.1, .upper = 10}};

enum { DATA = 4 };

/* A cascade: A' = u - k1 A, B' = k1 A - k2 B^2, and C = A B, an equation without rates. */
FORMULAS(cascade, at->yp[A] - at->u[1] + at->data[0] * at->y[A],
         at->yp[B] - at->data[0] * at->y[A] + at->data[1] * at->y[B] * at->y[B],
         at->y[C] - at->y[A] * at->y[B])

/* A <-> B in volumes 1 and V: A' = -r, V B' = r, r = k1 u A - k2 B, and C' = B - C^2. */
FORMULAS(reaction, at->yp[A] + at->data[0] * at->u[1] * at->y[A] - at->data[1] * at->y[B],
         at->data[2] * at->yp[B] - at->data[0] * at->u[1] * at->y[A] + at->data[1] * at->y[B],
         at->yp[C] - at->y[B] + at->y[C] * at->y[C])

/* A + B <-> C: A' = B' = -C' = -r, r = k1 A B - k2 C. The totals are A + C and B + C. */
FORMULAS(binding, at->yp[A] + at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C],
         at->yp[B] + at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C],
         at->yp[C] - at->data[0] * at->y[A] * at->y[B] + at->data[1] * at->y[C])

/* A <-> B as in `reaction`, with one equation divided by the volume: the conserved total has the factor V. */
FORMULAS(divided, at->yp[A] + at->data[0] * at->y[A] - at->data[1] * at->y[B],
         at->yp[B] - (at->data[0] * at->y[A] - at->data[1] * at->y[B]) / at->data[2],
         at->yp[C] - at->y[B] + at->y[C])

/* A + V B <-> k2 C: A' = -r, V B' = -r, C' = k2 r, r = k1 A B - k2 C. The totals are A - V B and k2 A + C. */
FORMULAS(yield, at->yp[A] + at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C],
         at->yp[B] + (at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C]) / at->data[2],
         at->yp[C] - at->data[1] * (at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C]))

/* A <-> B -> V C <-> B, the first of them faster by many orders of magnitude. */
FORMULAS(stiff, at->yp[A] + at->data[3] * (at->y[A] - at->y[B]),
         at->yp[B] - at->data[3] * (at->y[A] - at->y[B]) + at->data[0] * at->y[B] - at->y[C],
         at->yp[C] - (at->data[0] * at->y[B] - at->y[C]) / at->data[2])

/* As `binding`, with k1 as supply and k2 as drain of A: A + C is kept if both are equal. */
FORMULAS(balanced, at->yp[A] - at->data[0] + at->data[1] + at->y[A] * at->y[B] - at->y[C],
         at->yp[B] + at->y[A] * at->y[B] - at->y[C], at->yp[C] - at->y[A] * at->y[B] + at->y[C])

/* As `binding`, with a supply of A, so that the total A + C grows. */
FORMULAS(supplied, at->yp[A] - 1 + at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C],
         at->yp[B] + at->data[0] * at->y[A] * at->y[B] - at->data[1] * at->y[C],
         at->yp[C] - at->data[0] * at->y[A] * at->y[B] + at->data[1] * at->y[C])

/* A capacitor between two resistors: only A - B has a rate. C' = A - C. */
FORMULAS(circuit, at->yp[A] - at->yp[B] + at->data[0] * (at->y[A] - at->u[1]),
         at->yp[B] - at->yp[A] + at->data[1] * at->y[B], at->yp[C] + at->y[C] - at->y[A])

/* A bistable system: A' = A (1 - A) (A - 0.4); B and C follow A. */
FORMULAS(toggle, at->yp[A] - at->y[A] * (1 - at->y[A]) * (at->y[A] - 0.4),
         at->yp[B] + at->y[B] - at->y[A], at->yp[C] + at->y[C] - at->y[A])

/* A' is positive above -0.5 and nearly zero at 1, which the motion passes slowly. Equilibria are at -1 and
 * 2. */
FORMULAS(ghost,
         at->yp[A] - ((at->y[A] - 1) * (at->y[A] - 1) + 1e-4) * (2 - at->y[A]) * (at->y[A] + 1) *
                         (at->y[A] + 0.5),
         at->yp[B] + at->y[B], at->yp[C] + at->y[C])

/* An oscillator: with damping d, A'' = -A + d (1 - A^2) A'. */
FORMULAS(oscillator, at->yp[A] - at->y[B],
         at->yp[B] + at->y[A] - at->data[3] * (1 - at->y[A] * at->y[A]) * at->y[B],
         at->yp[C] + at->y[C])

/* A' = -A^2 approaches a double zero. */
FORMULAS(doubled, at->yp[A] + at->y[A] * at->y[A], at->yp[B] + at->y[B], at->yp[C] + at->y[C])

static const struct {
  gradyn_residual_fn fn;
  bool pumped, algebraic;
} models[MODELS] = {[CASCADE] = {cascade, .pumped = true, .algebraic = true},
                    [REACTION] = {reaction, .pumped = true},
                    [BINDING] = {.fn = binding},
                    [DIVIDED] = {.fn = divided},
                    [YIELD] = {.fn = yield},
                    [STIFF] = {.fn = stiff},
                    [RIGID] = {.fn = stiff},
                    [BALANCED] = {.fn = balanced},
                    [SUPPLIED] = {.fn = supplied},
                    [CIRCUIT] = {circuit, .pumped = true},
                    [TOGGLE] = {.fn = toggle},
                    [GHOST] = {.fn = ghost},
                    [CYCLE] = {.fn = oscillator},
                    [UNDAMPED] = {.fn = oscillator},
                    [DOUBLED] = {.fn = doubled}};

FORMULA(mixture, at->y[A] + 2 * at->y[B] + 3 * at->y[C])
FORMULA(product, at->y[A] * at->y[B] + at->y[C])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(model, "model");
  const gradyn_scalar knots[3] = {2, 1.2, 2};
  const gradyn_datum data[DATA] = {{"k1", "1/s", rho[K1]},
                                   {"k2", "1/s", rho[K2]},
                                   {"volume", "", rho[VOLUME]},
                                   {"damping", "",
                                    which == STIFF   ? 1e8
                                    : which == RIGID ? 1e12
                                                     : which == CYCLE}};
  const gradyn_datum before[] = {{"pump", "", rho[BEFORE_PUMP]}, {"k2", "1/s", 0.7 + rho[K2]}};
  declare_signal(model, "pump", "", GRADYN_PIECEWISE_CONSTANT, 3, knots);
  gradyn_state(model, "A", "", rho[FIRST]);
  gradyn_state(model, "B", "", 0.2);
  if (models[which].algebraic)
    gradyn_algebraic_state(model, "C", "", 0.1);
  else
    gradyn_state(model, "C", "", 0.1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = models[which].fn,
                                                   .data = data,
                                                   .data_count = DATA,
                                                   .before = before,
                                                   .before_count = models[which].pumped ? 2 : 0});
  gradyn_start_in_equilibrium(model);
  declare_integral(model, "mixture", "", mixture);
  declare_end(model, "product", "", product);
  return gradyn_build_status(model);
}

static const gradyn_setting settings[] = {{"model", "", 0, 0, MODELS - 1}};
const gradyn_problem steady_problem = PROBLEM("steady", build, steady_params, .settings = settings,
                                              .setting_count = 1, .t_end = 1.5);
