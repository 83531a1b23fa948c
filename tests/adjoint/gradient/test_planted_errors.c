/* Planted errors of gradients: each is reported with its derivative and unit. In random mechanisms one
 * derivative is wrong by a thousandth, with a sign that changes between runs or without an error in some.
 * With joined steps the error is larger, as if no steps were short enough. */
#include "adjoint/method.h"
#include "tests/drawn/mechanisms.h"
#include "tests/random.h"
#include "tests/runs.h"

#include <math.h>
#include <string.h>

enum { MOST_FUNCTIONALS = 40, P = MECHANISM_PARAMETERS };

/* relative error with the original steps; factor of the error with joined steps */
static const double planted = 1e-3, joined_error = 100;

/* Errors are planted only in derivatives that exceed this fraction of the functional's largest derivative. */
static const double considerable = 1e-2;

static const gradyn_method *honest;
static size_t place;     /* among [functionals][parameters] */
static int runs, joined; /* runs so far; whether the first steps of the present one are joined */

static gradyn_status repeat(void *self, int merge, int parts)
{
  joined = merge;
  return honest->repeat(self, merge, parts);
}

static gradyn_status spoilt(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  const gradyn_status status = honest->direct(self, directions, psi, gradient);
  gradient[place] *= 1 + planted * (joined > 1 ? joined_error : runs++ % 3 - 1);
  return status;
}

/* Chooses a derivative that is large enough; returns false if there is none. */
static bool choose(uint64_t *random, const gradyn_evaluator *ev, const double *psi,
                   const double *gradient)
{
  const size_t f = (size_t)(random_unit(random) * (double)gradyn_functional_count(ev));
  double most = 1e-3 +
                fabs(psi[f]); /* at least the size for mechanisms of a metre and a kilogram */
  for (size_t j = 0; j < P; j++)
    most = fmax(most, fabs(gradient[f * P + j]));
  for (int tries = 0; tries < 20; tries++) {
    place = f * P + (size_t)(random_unit(random) * P);
    if (fabs(gradient[place]) > considerable * most)
      return true;
  }
  return false;
}

TEST(all_are_reported)
{
  static double psi[MOST_FUNCTIONALS], gradient[MOST_FUNCTIONALS * P];
  const double rho[P] = {1, 1, 1, 1, 1, 1, 1, 1};
  const int gradients = support_thorough() ? 200 : 25;
  int told = 0;
  for (uint64_t seed = 1; told < gradients; seed++) {
    uint64_t random = seed;
    gradyn_evaluator *ev;
    mechanism_drawn = (mechanism){.seed = seed, .metre = 1, .kilogram = 1};
    const gradyn_problem problem = mechanism_problem();
    const bool runs_well = run_try(&ev, &problem, .method = "explicit", .sensitivity = "direct",
                                   .step = -1, .max_steps = 2000) == GRADYN_OK &&
                           gradyn_functional_count(ev) <= MOST_FUNCTIONALS &&
                           gradyn_evaluator_gradient(ev, rho, psi, gradient) == GRADYN_OK;
    if (runs_well && choose(&random, ev, psi, gradient)) {
      honest = ev->method;
      gradyn_method method = *honest;
      method.direct = spoilt;
      method.repeat = repeat;
      ev->method = &method;
      assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
      const char *subject = run_warning(ev, GRADYN_WARNING_GRADIENT_ACCURACY).subject;
      const gradyn_functional_info f = gradyn_functional_at(ev, place / P);
      ev->method = honest;
      if (!subject || !strstr(subject, f.name))
        fail_msg("seed %llu, d %s / d %s: \"%s\"", (unsigned long long)seed, f.name,
                 gradyn_parameter_at(ev, place % P).name, gradyn_evaluator_warnings(ev));
      told++;
    }
    gradyn_evaluator_free(ev);
  }
}
