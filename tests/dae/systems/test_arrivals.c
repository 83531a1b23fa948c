/* Ends of steps of mechanisms with multiplier-dependent friction: iterations from the accelerations and
 * multipliers of a near stage give the same result as iterations from zero. */
#include <math.h>
#include <string.h>

#include "dae/systems/rates.h"
#include "problems/builtin.h"
#include "tests/support.h"

enum { ROOM = 2000 };

/* Solves at the end of a step at z, from accelerations and multipliers that are wrong by the fraction
 * `part`. */
static void arrive(gradyn_rates *rates, const double *z, const double *from, double part,
                   double *stage)
{
  double near[ROOM], moved[ROOM], end[ROOM];
  for (int i = 0; i < rates->ny; i++)
    near[i] = from[i] * (1 + part * sin(i));
  memcpy(end, z, (size_t)rates->nz * sizeof *end);
  assert_ok(rates->ops->arrive(rates, 0.1, end, part < 0 ? NULL : near, stage, moved),
            rates->model->message.text);
}

TEST(arrivals_are_the_same_wherever_they_begin)
{
  static const gradyn_problem *const problems[] = {&gradyn_problem_governor,
                                                   &gradyn_problem_inverted_pendulum};
  for (size_t k = 0; k < GRADYN_COUNT(problems); k++) {
    gradyn_model *model;
    gradyn_rates *rates;
    double z[ROOM] = {0}, exact[ROOM], stage[ROOM];
    gradyn_scalar rho[ROOM];
    for (size_t j = 0; j < problems[k]->param_count; j++)
      rho[j] = problems[k]->params[j].init;
    assert_ok(gradyn_model_create(problems[k], NULL, 0, 0, rho, &model), NULL);
    assert_ok(gradyn_rates_from_mech(model, &rates), model->message.text);
    assert_in_range(rates->record + rates->moved, 1, ROOM);
    assert_ok(rates->ops->start(rates, z), model->message.text);
    arrive(rates, z, z, -1, exact);
    for (double part = 1e-9; part < 20; part *= 100) {
      arrive(rates, z, exact, part, stage);
      double most = 0;
      for (int i = rates->nz; i < rates->ny; i++)
        most = fmax(most, fabs(exact[i]));
      assert_close_array(stage, exact, (size_t)rates->ny, 1e-9, 1e-10 * most);
    }
    rates->ops->free(rates);
    gradyn_model_free(model);
  }
}
