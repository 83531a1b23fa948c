/* Certificates of optimal experiments by closed forms of their sensitivities. */
#include "tests/optim/inference/certify.h"

void certify_compute(gradyn_evaluator *ev, const gradyn_experiment_spec *spec,
                     gradyn_experiment *out)
{
  double rho[16];
  const gradyn_search search = run_search(ev);
  (void)run_initial(ev, rho);
  assert_run(gradyn_experiment_compute(ev, &search, spec, rho, out), ev);
}

/* Replaces M [p][p] by its inverse, by Gauss-Jordan elimination; returns its determinant. */
static double invert(int p, double M[CERTIFY_P][CERTIFY_P])
{
  double determinant = 1;
  for (int k = 0; k < p; k++) { /* M is positive definite */
    const double pivot = M[k][k];
    determinant *= pivot;
    M[k][k] = 1;
    for (int j = 0; j < p; j++)
      M[k][j] /= pivot;
    for (int i = 0; i < p; i++) {
      const double factor = M[i][k];
      if (i == k)
        continue;
      M[i][k] = 0;
      for (int j = 0; j < p; j++)
        M[i][j] -= factor * M[k][j];
    }
  }
  return determinant;
}

/* j^T M^-1 j for D-optimality, j^T M^-2 j for A-optimality. */
static double gain(const certified *known, double inverse[CERTIFY_P][CERTIFY_P],
                   gradyn_experiment_criterion criterion, int fit, double t)
{
  double j[CERTIFY_P], sum = 0, square = 0;
  known->row(fit, t, j);
  for (int a = 0; a < known->p; a++) {
    double x = 0;
    for (int b = 0; b < known->p; b++)
      x += inverse[a][b] * j[b];
    sum += j[a] * x;
    square += x * x;
  }
  return criterion == GRADYN_EXPERIMENT_D ? sum : square;
}

static int fit_of(const certified *known, const size_t first[], size_t fit)
{
  int k = 0;
  while (k < known->fits && first[k] != fit)
    k++;
  assert_true(k < known->fits);
  return k;
}

void certify(const certified *known, const size_t first[], gradyn_experiment_criterion criterion,
             const gradyn_experiment *out)
{
  enum { TIMES = 4001 };
  double M[CERTIFY_P][CERTIFY_P] = {{0}}, total = 0, mean = 0, trace = 0;
  for (int a = 0; a < known->p; a++)
    M[a][a] = known->prior[a];
  for (size_t k = 0; k < out->supports; k++) {
    const gradyn_experiment_support *s = &out->support[k];
    double j[CERTIFY_P];
    known->row(fit_of(known, first, s->fit), s->time, j);
    total += s->weight;
    for (int a = 0; a < known->p; a++)
      for (int b = 0; b < known->p; b++)
        M[a][b] += s->weight * j[a] * j[b];
  }
  assert_close(total, 1, 1e-12, 0);
  const double determinant = invert(known->p, M);
  for (int a = 0; a < known->p; a++)
    trace += M[a][a];
  assert_close(out->criterion, criterion == GRADYN_EXPERIMENT_D ? log(determinant) : trace, 1e-7,
               1e-7);
  for (size_t k = 0; k < out->supports; k++)
    mean += out->support[k].weight * gain(known, M, criterion,
                                          fit_of(known, first, out->support[k].fit),
                                          out->support[k].time);
  for (int fit = 0; fit < known->fits; fit++)
    for (int i = 0; i < TIMES; i++) {
      const double t = known->lower[fit] +
                       (known->upper[fit] - known->lower[fit]) * i / (TIMES - 1);
      const double own = gain(known, M, criterion, fit, t);
      if (own > mean * (1 + 1e-6))
        fail_msg("fit %d at %g s: gain %.9g, mean gain %.9g", fit, t, own, mean);
    }
  assert_true(out->gap < 1e-6);
}
