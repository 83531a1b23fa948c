/* Check of a model's own factors of its mass matrix M and of its loop constraints J, and of its own products
 * M x. Differences have verified M and J before. With S = [M, J^T; J, 0] and a random x, S (S^-1 S x) must be
 * S x. */
#include "adjoint/check/mech.h"
#include "dae/linear/projection.h"

#include <math.h>

/* x [n + m]; values and magnitudes of terms [n + m] of S x and of S (S^-1 S x). */
typedef struct solves {
  double *x, *found, *b, *size, *again;
  gradyn_lanes *lanes; /* [2 n] */
} solves;

/* Computes b = S x. size becomes the sum of the magnitudes of the terms. */
static void multiply(const gradyn_mech_probe *p, const double *x, double *b, double *size)
{
  const gradyn_pattern *dyn = &p->mech->dyn, *jac = &p->mech->jac;
  for (int i = 0; i < p->n + p->m; i++)
    b[i] = size[i] = 0;
  for (int i = 0; i < p->n; i++)
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++) {
      b[i] += p->M[k] * x[dyn->col[k]];
      size[i] += fabs(p->M[k] * x[dyn->col[k]]);
    }
  for (int i = 0; i < p->m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++) {
      const int col = jac->col[k];
      b[col] += p->J[k] * x[p->n + i];
      size[col] += fabs(p->J[k] * x[p->n + i]);
      b[p->n + i] += p->J[k] * x[col];
      size[p->n + i] += fabs(p->J[k] * x[col]);
    }
}

static const char *name_of(const gradyn_mech_probe *p, int i)
{
  return i < p->n ? p->mech->coordinate_name(p->mech, i)
                  : p->mech->constraint_name(p->mech, i - p->n);
}

static gradyn_status compare(gradyn_mech_probe *p, int count, const double *exact,
                             const double *other, const double *size, const char *name)
{
  gradyn_worst w = {.tolerance = p->probe.c->tolerance};
  for (int i = 0; i < count; i++)
    gradyn_worst_compare(&w, exact[i], other[i], size[i], 0, name_of(p, i));
  return gradyn_mech_probe_report(p, &w, "matrices", name);
}

/* Checks M x, computed by the model itself without a matrix. */
static gradyn_status look_at_weights(gradyn_mech_probe *p, gradyn_projection *s, solves *of,
                                     const gradyn_mech_state *at)
{
  for (int i = 0; i < p->n; i++) {
    of->lanes[i] = (gradyn_lanes){of->x[i]};
    of->lanes[p->n + i] = (gradyn_lanes){0};
  }
  gradyn_projection_weigh(s, at, of->lanes, of->lanes + p->n);
  for (int i = 0; i < p->n; i++)
    of->found[i] = of->lanes[p->n + i][0];
  for (int i = p->n; i < p->n + p->m; i++)
    of->x[i] = 0;
  multiply(p, of->x, of->b, of->size);
  return compare(p, p->n, of->b, of->found, of->size, "M x without a matrix");
}

/* Checks the residual of the solution of S x = b. The solution itself cannot be checked, because redundant
 * rows have many multipliers. */
static gradyn_status look_at_solves(gradyn_mech_probe *p, gradyn_projection *s, solves *of)
{
  multiply(p, of->x, of->b, of->size);
  for (int i = 0; i < p->n + p->m; i++)
    of->found[i] = of->b[i];
  gradyn_projection_solve(s, of->found, 1);
  multiply(p, of->found, of->again, of->size);
  return compare(p, p->n + p->m, of->b, of->again, of->size, "solves without a matrix");
}

/* Compares the model's products and solves with those of matrices, at the base state of the probe. */
static gradyn_status look(gradyn_mech_probe *p, gradyn_projection *s, solves *of)
{
  const gradyn_mech_ops *ops = p->mech->ops;
  const gradyn_mech_state at = gradyn_mech_state_at(p->n, p->probe.t, p->probe.base);
  if (gradyn_projection_begin(s, &at) != GRADYN_OK)
    return GRADYN_OK; /* a run that begins there reports the failure */
  GRADYN_TRY(ops->tangent(p->mech, GRADYN_INERTIA, &at, p->K, p->C, p->M));
  GRADYN_TRY(ops->phi_q(p->mech, GRADYN_CONSTRAINT, 0, &at, p->J));
  for (int i = 0; i < p->n + p->m; i++)
    of->x[i] = p->mu[i];
  GRADYN_TRY(look_at_solves(p, s, of));
  return look_at_weights(p, s, of, &at);
}

gradyn_status gradyn_mech_probe_solves(gradyn_mech_probe *p)
{
  const size_t size = (size_t)(p->n + p->m);
  LOCAL(gradyn_projection) s = {0};
  solves of;
  if (p->mech->factors.numbers == 0)
    return GRADYN_OK;
  double **array[] = {&of.x, &of.found, &of.b, &of.size, &of.again};
  for (size_t k = 0; k < GRADYN_COUNT(array); k++)
    *array[k] = gradyn_arena_numbers(&p->probe.arena, size);
  of.lanes = gradyn_arena_lanes(&p->probe.arena, 2 * (size_t)p->n);
  GRADYN_TRY(gradyn_arena_status(&p->probe.arena));
  GRADYN_TRY(gradyn_projection_create(p->mech, &s));
  return look(p, &s, &of);
}
