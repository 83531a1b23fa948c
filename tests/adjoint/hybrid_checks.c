/* Gradients of hybrid models in all schemes. */
#include "tests/adjoint/hybrid_checks.h"
#include "tests/adjoint/compare.h"

static const struct scheme {
  const char *method, *integrator;
  double step, agree, differ; /* direct and adjoint; gradient and differences */
  double change; /* of a parameter: events of fixed steps must not pass the end of one */
} schemes[] = {{"idas", NULL, 0, 1e-8, 1e-6, 1e-3},
               {"ali3p", NULL, 0.02, 1e-10, 1e-7, 3e-6},
               {"ali3p", "generalised-alpha", 0.02, 1e-10, 1e-7, 3e-6},
               {"variational", NULL, 0.02, 1e-10, 1e-7, 3e-6},
               {"explicit", NULL, 0.02, 1e-11, 1e-7, 3e-6},
               {"explicit", NULL, 0, 1e-11, 1e-6, 1e-3}};

static gradyn_evaluator *open_with(const gradyn_problem *problem, const struct scheme *scheme,
                                   const char *sensitivity, double memory)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(problem, &options);
  options.method = scheme->method;
  options.integrator = scheme->integrator;
  options.sensitivity = sensitivity;
  options.step = scheme->step;
  options.memory = memory;
  gradyn_status status = gradyn_evaluator_create(problem, &options, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  return ev;
}

void hybrid_agree(const gradyn_problem *problem, const double *rho, size_t events)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    const struct scheme *scheme = &schemes[k];
    /* the least memory makes fixed steps repeat segments */
    gradyn_evaluator *direct = open_with(problem, scheme, "direct", 0);
    gradyn_evaluator *adjoint = open_with(problem, scheme, "adjoint", k > 0 ? 3e4 : 0);
    compare_by_data(direct, adjoint, rho,
                    &(compare_bounds){.values = k > 0 ? 0 : 1e-8, .share = scheme->agree});
    assert_true(gradyn_event_log_count(direct) >= events);
    assert_true(gradyn_event_log_count(adjoint) >= events);
    gradyn_evaluator_free(direct);
    gradyn_evaluator_free(adjoint);
  }
}

void hybrid_differ(const gradyn_problem *problem, const double *rho)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    double atol[COMPARE_FUNCTIONALS];
    gradyn_evaluator *ev = open_with(problem, &schemes[k], "adjoint", 0);
    for (int f = 0; f < COMPARE_FUNCTIONALS; f++)
      atol[f] = schemes[k].differ;
    compare_with_differences(ev, rho, schemes[k].change, schemes[k].differ, atol);
    gradyn_evaluator_free(ev);
  }
}
