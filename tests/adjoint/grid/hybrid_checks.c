/* Gradients of hybrid models in all schemes. */
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/adjoint/compare.h"
#include "tests/runs.h"

const hybrid_scheme hybrid_schemes[HYBRID_SCHEMES] = {
    {"idas", NULL, 0, 1e-8, 1e-6, 1e-3},
    {"ali3p", NULL, 0.02, 1e-10, 1e-7, 3e-6},
    {"ali3p", "generalised-alpha", 0.02, 1e-10, 1e-7, 3e-6},
    {"variational", NULL, 0.02, 1e-10, 1e-7, 3e-6},
    {"explicit", NULL, 0.02, 1e-11, 1e-7, 3e-6},
    {"explicit", NULL, 0, 1e-11, 1e-7, 1e-3},
    {"radau", NULL, 0.02, 1e-11, 1e-7, 3e-6},
    {"radau", NULL, 0, 1e-11, 1e-7, 1e-3}};

gradyn_status hybrid_drag(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * at->vel[k] * (1 + at->vel[0] * at->vel[0] + at->vel[1] * at->vel[1]);
  return GRADYN_OK;
}

gradyn_evaluator *hybrid_open(const gradyn_problem *problem, const hybrid_scheme *scheme,
                              const char *sensitivity, double memory)
{
  return run_with(problem, .method = scheme->method, .integrator = scheme->integrator,
                  .sensitivity = sensitivity, .step = scheme->step > 0 ? scheme->step : -1,
                  .memory = memory);
}

void hybrid_agree(const gradyn_problem *problem, const double *rho, size_t events, int row)
{
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    if (!support_takes((int)k + row, 4))
      continue;
    const hybrid_scheme *scheme = &hybrid_schemes[k];
    const bool idas = k == 0;
    gradyn_problem of = *problem;
    if (idas)
      of.rtol = support_rtol(of.rtol);
    /* the smallest memory, so that fixed steps are repeated in segments */
    run_local *direct = hybrid_open(&of, scheme, "direct", 0);
    run_local *adjoint = hybrid_open(&of, scheme, "adjoint", idas ? 0 : 3e4);
    compare_by_data(direct, adjoint, rho,
                    &(compare_bounds){.values = idas ? support_rtol(1e-8) : 0,
                                      .share = idas ? support_rtol(scheme->agree) : scheme->agree});
    assert_true(gradyn_evaluator_statistics(direct).events >= events);
    assert_true(gradyn_evaluator_statistics(adjoint).events >= events);
  }
}

void hybrid_differ(const gradyn_problem *problem, const double *rho, int row)
{
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    if (!support_takes((int)k + row + 2, 4))
      continue;
    double atol[COMPARE_FUNCTIONALS];
    run_local *ev = hybrid_open(problem, &hybrid_schemes[k], "adjoint", 0);
    for (int f = 0; f < COMPARE_FUNCTIONALS; f++)
      atol[f] = hybrid_schemes[k].differ;
    compare_with_differences(ev, rho,
                             &(compare_allowed){hybrid_schemes[k].change,
                                                .rtol = hybrid_schemes[k].differ, .atol = atol});
  }
}
