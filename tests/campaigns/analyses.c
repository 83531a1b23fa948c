/* Campaign: do analyses belong to the run at the requested parameters? Random hybrid mechanisms
 * (hybrid_draw.c), also with maxima over time, a path constraint and a smooth maximum, by explicit, radau,
 * ali3p and, for every eighth model, idas. The evaluator has run at other parameters before. Covariances
 * must equal those from the gradient of a new evaluator. Sensitivities of states must equal differences of
 * runs with the same events. Models that a scheme does not run are counted as failed. Exit status 1: a
 * result differs. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/hybrid_draw.h"
#include "tests/runs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { MORE = 5, ALL = F + MORE, STATES = 400, SELDOM = 8 };

FORMULA(height, at->pos[3])
FORMULA(speed, at->vel[2] * at->vel[2] + at->vel[3] * at->vel[3])

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  GRADYN_TRY(problem.build(m, r));
  gradyn_functional(m, &(gradyn_functional_spec){
                           "top",
                           gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "top",
                                                                                  .unit = "m",
                                                                                  .formula = height,
                                                                                  .hidden = true}),
                           .reduction = GRADYN_MAXIMUM});
  gradyn_functional(m, &(gradyn_functional_spec){
                           "fastest",
                           gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "fastest",
                                                                                  .unit = "",
                                                                                  .formula = speed,
                                                                                  .hidden = true}),
                           .reduction = GRADYN_MAXIMUM});
  gradyn_path_constraint(m, "kept",
                         gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "kept",
                                                                                .unit = "m",
                                                                                .formula = height,
                                                                                .hidden = true}),
                         -1, 1, 1e-6, NULL);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "smooth",
                           gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "smooth",
                                                                                  .unit = "m",
                                                                                  .formula = height,
                                                                                  .hidden = true}),
                           .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 3});
  return gradyn_build_status(m);
}

static const struct scheme {
  const char *method;
  double step, agree, differ;
} schemes[] = {{"explicit", 0, 1e-6, 1e-3},
               {"radau", 0, 1e-6, 1e-3},
               {"ali3p", 0.01, 1e-8, 1e-3},
               {"idas", 0, 1e-4, 1e-3}};

typedef struct tally {
  long models, failed, warned, other_events, wrong;
  double covariance, sensitivities;
} tally;

static gradyn_evaluator *open_model(const struct scheme *s)
{
  static gradyn_problem more;
  gradyn_evaluator *ev;
  more = problem;
  more.build = build;
  if (run_try(&ev, &more, .method = s->method, .step = s->step > 0 ? s->step : -1) == GRADYN_OK)
    return ev;
  gradyn_evaluator_free(ev);
  return NULL;
}

/* The largest difference between the standard deviation of a functional and the norm of its gradient,
 * relative to this norm or a minimum size; negative: a call has failed. */
static double compare_covariance(gradyn_evaluator *used, const double psi[], const double g[])
{
  double C[P * P] = {0}, found[ALL], worst = 0;
  const char *name[P];
  LOCAL(gradyn_covariance) c = {0};
  for (size_t j = 0; j < P; j++) {
    name[j] = gradyn_parameter_at(used, j).name;
    C[j * P + j] = 1;
  }
  const gradyn_covariance_spec spec = {name, P, C, 1};
  if (gradyn_covariance_compute(used, rho, &spec, found, NULL, &c) != GRADYN_OK)
    return -1;
  for (size_t f = 0; f < c.functionals; f++) {
    double sum = 0;
    for (size_t j = 0; j < P; j++)
      sum += g[f * P + j] * g[f * P + j];
    const double size = fmax(sqrt(sum), 1e-2);
    worst = fmax(worst, fabs(c.deviation[f] - sqrt(sum)) / size);
    worst = fmax(worst, fabs(found[f] - psi[f]) / fmax(fabs(psi[f]), 1e-2));
  }
  return worst;
}

/* The largest difference between the sensitivities of positions and velocities and differences of runs,
 * relative to the largest. NAN: a run has other events; negative: a call has failed. */
static double compare_sensitivities(gradyn_evaluator *used)
{
  static double y[3][STATES], dy[STATES * P], other[STATES * P];
  const size_t n = 2 * (size_t)used->model->mech->n;
  const double t = 0.7 * gradyn_evaluator_model_info(used).t_end, h = 1e-5;
  double worst = 0, most = 0, moved[P];
  size_t events[3];
  if ((size_t)gradyn_evaluator_model_info(used).states > STATES)
    return NAN;
  for (size_t j = 0; j < P; j++) {
    for (int side = 0; side < 3; side++) {
      memcpy(moved, rho, sizeof moved);
      moved[j] += (side - 1) * h;
      if (gradyn_sensitivities_compute(used, moved, &t, 1, y[side], side == 1 ? dy : other) !=
          GRADYN_OK)
        return -1;
      events[side] = gradyn_evaluator_statistics(used).events;
    }
    if (events[0] != events[1] || events[1] != events[2])
      return NAN;
    for (size_t i = 0; i < n; i++) {
      most = fmax(most, fabs(dy[i * P + j]));
      worst = fmax(worst, fabs(dy[i * P + j] - (y[2][i] - y[0][i]) / (2 * h)));
    }
  }
  return worst / fmax(most, 1e-2);
}

static void examine(const struct scheme *s, uint64_t seed, tally *t)
{
  double psi[ALL], g[ALL * P], moved[P], scratch[ALL * P];
  run_local *fresh = open_model(s), *used = open_model(s);
  t->models++;
  for (int j = 0; j < P; j++)
    moved[j] = rho[j] * 1.03;
  if (!fresh || !used || gradyn_evaluator_gradient(fresh, rho, psi, g) != GRADYN_OK) {
    t->failed++;
    return;
  }
  /* a warning of a large error: no comparison; with fixed steps, warnings do not concern it */
  if (s->step == 0 && *gradyn_evaluator_warnings(fresh) != '\0') {
    t->warned++;
    return;
  }
  (void)gradyn_evaluator_gradient(used, moved, NULL, scratch); /* wherever it comes to */
  const double covariance = compare_covariance(used, psi, g);
  t->warned += *gradyn_evaluator_warnings(used) != '\0';
  (void)gradyn_evaluator_simulate(used, moved, NULL, NULL);
  const double sensitivities = compare_sensitivities(used);
  t->other_events += isnan(sensitivities);
  t->covariance = fmax(t->covariance, covariance);
  t->sensitivities = fmax(t->sensitivities, sensitivities);
  if (covariance >= 0 && covariance <= s->agree && !(sensitivities < 0) &&
      !(sensitivities > s->differ))
    return;
  t->wrong++;
  (void)printf("  seed %llu, %s: covariance %.2g, sensitivities %.2g: %s\n",
               (unsigned long long)seed, s->method, covariance, sensitivities,
               gradyn_evaluator_message(used));
}

bool campaign_analyses(campaign *c)
{
  tally all[GRADYN_COUNT(schemes)] = {{0}};
  long wrong = 0;
  for (uint64_t seed; campaign_next(c, &seed);)
    for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
      if (strcmp(schemes[k].method, "idas") == 0 && seed % SELDOM != 0)
        continue;
      draw(seed);
      examine(&schemes[k], seed, &all[k]);
    }
  (void)printf("%-10s %8s %8s %8s %12s %8s %12s %14s\n", "method", "models", "failed", "warned",
               "other events", "wrong", "covariance", "sensitivities");
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    const tally *t = &all[k];
    (void)printf("%-10s %8ld %8ld %8ld %12ld %8ld %12.1e %14.1e\n", schemes[k].method, t->models,
                 t->failed, t->warned, t->other_events, t->wrong, t->covariance, t->sensitivities);
    wrong += t->wrong;
  }
  return wrong > 0;
}
