/* Robertson's chemical kinetics as a differential-algebraic equation, with the rate constants as design
 * variables. It is the example of the IDAS solver, whose sensitivities are published. Three species react:
 * A -> B (slow), B + B -> C + B (very fast), B + C -> A + C (fast). Their fractions add up to one, which
 * replaces the third rate equation. */
#include <gradyn/gradyn.h>

enum { P1, P2, P3 };
enum { Y1, Y2, Y3 };

static const gradyn_param params[] = {
    [P1] = {"p1", "1/s", .init = 0.04, .lower = 0.004, .upper = 0.4},
    [P2] = {"p2", "1/s", .init = 1e4, .lower = 1e3, .upper = 1e5},
    [P3] = {"p3", "1/s", .init = 3e7, .lower = 3e6, .upper = 3e8},
};

/* Equations of Robertson (1966), with mass conservation as the algebraic equation. */
static gradyn_status kinetics(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *p = at->data;
  /* r1 = p1 y1, r2 = p2 y2 y3, r3 = p3 y2^2 */
  gradyn_scalar slow = p[P1] * y[Y1], fast = p[P2] * y[Y2] * y[Y3];
  gradyn_scalar very_fast = p[P3] * y[Y2] * y[Y2];

  F[0] = at->yp[Y1] + slow - fast;             /* y1' = -r1 + r2 */
  F[1] = at->yp[Y2] - slow + fast + very_fast; /* y2' = r1 - r2 - r3 */
  F[2] = y[Y1] + y[Y2] + y[Y3] - 1;            /* replaces y3' = r3 */
  return GRADYN_OK;
}

static gradyn_status species1(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[Y1];
  return GRADYN_OK;
}

static gradyn_status species2(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[Y2];
  return GRADYN_OK;
}

static gradyn_status species3(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[Y3];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  /* at the start, there is only the first species */
  gradyn_state(model, "y1", "", 1);
  gradyn_state(model, "y2", "", 0);
  /* y1 + y2 + y3 = 1 replaces the rate of the third species */
  gradyn_algebraic_state(model, "y3", "", 0);
  gradyn_equations(model,
                   &(gradyn_equations_spec){
                       .residual = kinetics,
                       .data = (gradyn_datum[]){{"p1", "1/s", rho[P1]},
                                                {"p2", "1/s", rho[P2]},
                                                {"p3", "1/s", rho[P3]}},
                       .data_count = 3,
                       /* the second species is at most 4e-5, so that it has a smaller tolerance */
                       .atol = (double[]){1e-13, 1e-17, 1e-13}});

  /* fractions of the species at the end */
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"y1_end", "", .terminal = species1});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"y2_end", "", .terminal = species2});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"y3_end", "", .terminal = species3});
  /* integral of y3, as in the adjoint example of IDAS */
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"G", "s", .integrand = species3});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(robertson, .summary = "Robertson's stiff chemical kinetics, a DAE",
               .reference = "Robertson (1966); SUNDIALS examples idasRoberts_FSA_dns, _ASAi_dns",
               .params = params, .build = build, .t_end = 40.0, .rtol = 1e-8);
