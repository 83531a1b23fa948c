/* Curvatures in the tangent space of the active constraints: H z = (r(x + e z) - r(x))/e, where r is the
 * gradient of the Lagrangian. A few vectors of the method of Lanczos find a negative curvature, unless it
 * is small. */
#include "optim/search/curvatures.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/linear/symmetric.h"

enum { ESCAPES = 4 };
/* step e for differences of gradients, in units of the parameters */
static const double small_step = 0x1p-6;

/* A minimum is near if the curvature times a step, divided by the slope, is above this. The ratio is 7 for
 * exp(-x) where exp(-x) = 1e-12, and more than 1e5 at minima of quadratics. */
static const double flat = 1e3;

double gradyn_vector_dot(const double a[], const double b[], size_t n)
{
  double sum = 0;
  for (size_t j = 0; j < n; j++)
    sum += a[j] * b[j];
  return sum;
}

bool gradyn_vector_normalise(double v[], size_t n, double size)
{
  const double length = sqrt(gradyn_vector_dot(v, v, n));
  for (size_t j = 0; j < n && length > 0; j++)
    v[j] /= length;
  return isfinite(length) && length > 1e-8 * size;
}

/* Fills z with a direction to which each parameter contributes, the same in every run (splitmix64). Each
 * component points away from the nearer bound. */
static void any_direction(const gradyn_probe *probe, double z[])
{
  const gradyn_optimality *judge = &probe->trials->judge;
  uint64_t state = 1;
  for (size_t j = 0; j < probe->n; j++) {
    uint64_t u = state += 0x9e3779b97f4a7c15u;
    u = (u ^ (u >> 30)) * 0xbf58476d1ce4e5b9u;
    u = (u ^ (u >> 27)) * 0x94d049bb133111ebu;
    const double size = 0.5 + 0.5 * (double)((u ^ (u >> 31)) >> 11) * 0x1p-53;
    const bool near_lower = judge->x[j] - judge->lower[j] < judge->upper[j] - judge->x[j];
    const bool free_of_both = isinf(judge->lower[j]) && isinf(judge->upper[j]);
    z[j] = j >= judge->program->n ? 0 : (free_of_both ? (u & 1) : near_lower) ? size : -size;
  }
}

/* Moves along u, a direction of negative curvature, to a lower objective. */
static gradyn_probed escape(gradyn_probe *probe, double u[])
{
  if (gradyn_vector_dot(u, probe->r, probe->n) > 0)
    for (size_t j = 0; j < probe->n; j++)
      u[j] = -u[j];
  /* steps of up to one unit, because the decrease of the first, s^2/2 u^T H u, may be too small to count */
  double s = small_step;
  for (int k = 0; k < ESCAPES; k++, s *= 4) {
    const gradyn_probe_step tried = gradyn_probe_try(probe, u, s);
    if (tried.lower)
      return GRADYN_PROBED_LOWER;
    if (!tried.known)
      break;
  }
  return GRADYN_PROBED_HOLDS;
}

/* Computes the eigenvalues, ascending, and the eigenvectors [count][count] of the tridiagonal matrix of
 * `count` Lanczos directions. Returns false if LAPACK fails. */
static bool find_curvatures(const double alpha[], const double beta[], size_t count, double value[],
                            double vector[])
{
  double work[GRADYN_SYMMETRIC_WORK(GRADYN_CURVATURE_MOST)];
  /* T = Z^T H Z */
  memset(vector, 0, count * count * sizeof *vector);
  for (size_t k = 0; k < count; k++) {
    vector[k * count + k] = alpha[k];
    if (k + 1 < count)
      vector[k * count + k + 1] = vector[(k + 1) * count + k] = beta[k];
  }
  return gradyn_symmetric_eigen(count, vector, value, work);
}

/* z = sum of c_k times Lanczos direction k; z may be the memory of direction 0. */
static double *combine(const gradyn_probe *probe, const double c[], size_t count, double z[])
{
  for (size_t j = 0; j < probe->n; j++) {
    double sum = 0;
    for (size_t k = 0; k < count; k++)
      sum += c[k] * probe->krylov[k * probe->n + j];
    z[j] = sum;
  }
  return z;
}

/* Computes Lanczos direction k + 1 from w = H z_k, minus the components of w along the earlier directions.
 * Returns false if nothing remains. */
static bool next_direction(gradyn_probe *probe, size_t k, double *beta)
{
  const size_t n = probe->n;
  double *w = probe->krylov + (k + 1) * n;
  memcpy(w, probe->r_there, n * sizeof *w);
  const double size = sqrt(gradyn_vector_dot(w, w, n));
  for (size_t i = 0; i < 2 * (k + 1); i++) { /* subtracted twice, because of round-off */
    const double *z = probe->krylov + (i % (k + 1)) * n;
    const double part = gradyn_vector_dot(z, w, n);
    for (size_t j = 0; j < n; j++)
      w[j] -= part * z[j];
  }
  /* the remainder is beta z_(k+1); if it is negligible, the directions span an invariant space of H */
  *beta = sqrt(gradyn_vector_dot(w, w, n));
  return gradyn_vector_normalise(w, n, 1e4 * size);
}

/* Computes H z by a difference of gradients, into r_there. Returns z^T H z. */
static double take_curvature(gradyn_probe *probe, const double z[])
{
  for (size_t j = 0; j < probe->n; j++)
    probe->r_there[j] = (probe->r_there[j] - probe->r[j]) / small_step;
  gradyn_span_project(probe->span, probe->r_there);
  return gradyn_vector_dot(z, probe->r_there, probe->n);
}

gradyn_probed gradyn_curvature_try(gradyn_probe *probe)
{
  const gradyn_trials *trials = probe->trials;
  const size_t n = probe->n, most = probe->length > 0 ? 2 : GRADYN_CURVATURE_MOST;
  double alpha[GRADYN_CURVATURE_MOST] = {0}, beta[GRADYN_CURVATURE_MOST] = {0};
  double value[GRADYN_CURVATURE_MOST], vector[GRADYN_CURVATURE_MOST * GRADYN_CURVATURE_MOST];
  /* error of a difference of gradients; a negative curvature must exceed it */
  const double size = sqrt(gradyn_vector_dot(probe->r, probe->r, n));
  const double error = trials->scaling->provisional
                           ? size + 1e-12 * fabs(probe->objective) * trials->judge.factor
                           : size + trials->judge.optimality;
  /* z_0 must be in the tangent space, which may have the dimension zero */
  any_direction(probe, probe->krylov);
  gradyn_span_project(probe->span, probe->krylov);
  if (!gradyn_vector_normalise(probe->krylov, n, 1))
    return GRADYN_PROBED_HOLDS;
  for (size_t k = 0; k < most; k++) {
    const double *z = probe->krylov + k * n;
    if (k == 0 && most == GRADYN_CURVATURE_MOST && gradyn_probe_try(probe, z, -small_step).lower)
      /* the curvature vanishes within errors; higher derivatives may lead to a lower point */
      return GRADYN_PROBED_LOWER;
    const gradyn_probe_step tried = gradyn_probe_try(probe, z, small_step);
    if (tried.lower || !tried.known)
      return tried.lower ? GRADYN_PROBED_LOWER : GRADYN_PROBED_HOLDS;
    alpha[k] = take_curvature(probe, z);
    if (find_curvatures(alpha, beta, k + 1, value, vector) && value[0] * small_step < -error)
      return escape(probe, combine(probe, vector, k + 1, probe->krylov));
    if (k + 1 < most && !next_direction(probe, k, &beta[k]))
      break;
  }
  return GRADYN_PROBED_HOLDS;
}

/* Replaces direction 0, the direction of the search, by its component in the space of flat directions,
 * scaled to length one. Fills probe->across with the step to the minimum in the other directions. Returns
 * false if direction 0 has no such component. */
static bool keep_flat(gradyn_probe *probe, const double value[], const double vector[],
                      size_t count)
{
  double c[GRADYN_CURVATURE_MOST] = {0}, across[GRADYN_CURVATURE_MOST] = {0};
  for (size_t i = 0; i < count; i++) {
    const double *v = vector + i * count;
    double slope = 0;
    for (size_t k = 0; k < count; k++)
      slope += v[k] * gradyn_vector_dot(probe->krylov + k * probe->n, probe->r, probe->n);
    const double step = gradyn_probe_first_step(probe->length * v[0]);
    const bool steep = value[i] * step > flat * fabs(slope);
    for (size_t k = 0; k < count; k++) {
      c[k] += steep ? 0 : v[0] * v[k];
      across[k] -= steep ? slope / value[i] * v[k] : 0; /* minimum of a parabola along v */
    }
  }
  (void)combine(probe, across, count, probe->across);
  /* the remainder must be more than round-off */
  return gradyn_vector_normalise(combine(probe, c, count, probe->krylov), probe->n, 1);
}

bool gradyn_curvature_flatten(gradyn_probe *probe)
{
  double alpha[GRADYN_CURVATURE_MOST] = {0}, beta[GRADYN_CURVATURE_MOST] = {0};
  double value[GRADYN_CURVATURE_MOST], vector[GRADYN_CURVATURE_MOST * GRADYN_CURVATURE_MOST];
  size_t count = 0;
  do {
    const double *z = probe->krylov + count * probe->n;
    if (!gradyn_probe_try(probe, z, small_step).known)
      return false;
    alpha[count] = take_curvature(probe, z);
    count++;
  } while (count < GRADYN_CURVATURE_MOST && next_direction(probe, count - 1, &beta[count - 1]));
  return find_curvatures(alpha, beta, count, value, vector) &&
         keep_flat(probe, value, vector, count);
}
