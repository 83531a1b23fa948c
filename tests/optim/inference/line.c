/* A straight line y = a1 + a2 + b t as the solution of y' = b, and its fit. */
#include "tests/optim/inference/line.h"

#include <complex.h>

#include "tests/declare.h"

const double line_times[LINE_DATA] = {0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1};
const double line_values[LINE_DATA] = {1.02, 1.17, 1.55, 1.71, 2.9, 2.3, 2.44, 2.79, 3.06};
const double line_sigma = 0.1;

FORMULAS(moves, at->yp[0] - at->data[0] - at->data[1] * at->t)
FORMULA(height, at->y[0])

gradyn_measure_id line_declare(gradyn_model *model, gradyn_scalar a, gradyn_scalar b,
                               gradyn_scalar bend)
{
  gradyn_state(model, "y", "m", a);
  declare_equations(model, moves, (gradyn_datum[]){{"b", "m/s", b}, {"c", "m/s^2", bend}}, 2);
  return gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "y", .unit = "m", .formula = height});
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int deviation = (int)gradyn_setting_value(model, "deviation");
  const double bend = gradyn_setting_value(model, "bent") > 0 ? 1e-5 : 0;
  const gradyn_measure_id y = line_declare(model, rho[LINE_A1] + rho[LINE_A2], rho[LINE_B],
                                           bend * rho[LINE_A2]);
  declare_fit(model, y,
              &(gradyn_fit_spec){.times = line_times,
                                 .values = line_values,
                                 .count = LINE_DATA,
                                 .sigma = deviation == LINE_LIKELIHOOD ? cexp(rho[LINE_SIGMA])
                                          : deviation == LINE_GIVEN    ? line_sigma
                                                                       : 0,
                                 .likelihood = deviation == LINE_LIKELIHOOD,
                                 .loss = (gradyn_loss)gradyn_setting_value(model, "loss")});
  if (gradyn_setting_value(model, "balanced") > 0)
    gradyn_constrain(model,
                     gradyn_design_functional(model, "balance", "", rho[LINE_A1] - rho[LINE_B] / 2),
                     0, 0, 1e-9);
  return gradyn_build_status(model);
}

#define PARAMS(steepest)                                                                           \
  {                                                                                                \
    [LINE_A1] = {"a1", "m", .init = 0.8, .lower = -10, .upper = 10},                               \
    [LINE_A2] = {"a2", "m", .init = 0.1, GRADYN_UNBOUNDED, .scale = 1},                            \
    [LINE_B] = {"b", "m/s", .init = 1, .lower = -INFINITY, .upper = (steepest), .scale = 1},       \
    [LINE_SIGMA] = {"ln_sigma", "", .init = -1, .lower = -5, .upper = 2},                          \
  }
static const gradyn_param params[LINE_P] = PARAMS(5), narrow[LINE_P] = PARAMS(1.5);
static const gradyn_setting settings[] = {{"deviation", "", 0, 0, 2},
                                          {"loss", "", 0, 0, 2},
                                          {"balanced", "", 0, 0, 1},
                                          {"bent", "", 0, 0, 1}};
static const gradyn_problem problems[2] = {
    PROBLEM("line", build, params, .settings = settings, .setting_count = 4, .t_end = 1,
            .rtol = 1e-12, .atol = 1e-12),
    PROBLEM("narrow_line", build, narrow, .settings = settings, .setting_count = 4, .t_end = 1,
            .rtol = 1e-12, .atol = 1e-12)};

gradyn_evaluator *line_open(line_kind kind)
{
  return line_cancelled(kind, NULL, NULL);
}

gradyn_evaluator *line_cancelled(line_kind kind, bool (*cancel)(void *user), void *user)
{
  const gradyn_setting_choice choice[] = {{"deviation", kind.deviation},
                                          {"loss", kind.loss},
                                          {"balanced", kind.balanced},
                                          {"bent", kind.bent}};
  return run_with(&problems[kind.narrow], .method = "explicit", .settings = choice,
                  .setting_count = 4, .cancel = cancel, .cancel_user = user);
}

gradyn_search line_search(gradyn_evaluator *ev, line_kind kind)
{
  static const bool vary[2][2][LINE_P] = {{{true, false, true, false}, {true, false, true, true}},
                                          {{true, true, true, false}, {true, true, true, true}}};
  gradyn_search search = run_search(ev);
  search.vary = vary[kind.split][kind.deviation == LINE_LIKELIHOOD];
  search.optimality = 1e-10;
  search.ftol = 0;
  search.xtol = 0;
  return search;
}

void line_infer(gradyn_evaluator *ev, line_kind kind, double rho[], gradyn_inference *out)
{
  const gradyn_search search = line_search(ev, kind);
  LOCAL(gradyn_search_result) result;
  (void)run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  memcpy(rho, result.rho, LINE_P * sizeof *rho);
  assert_run(gradyn_inference_compute(ev, &search, rho, out), ev);
}
