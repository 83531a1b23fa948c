/* Checking a mechanical model's matrices: derivatives of the residual and of the constraints by state and
 * multipliers, column by column. */
#include <string.h>

#include "adjoint/check/probe.h"

/* Entry i of a state, for messages. */
static const char *entry_name(const gradyn_probe *p, int i, char *buffer, size_t size)
{
  gradyn_model *model = p->c->model;
  if (i >= p->c->ny)
    return "a multiplier of what is held or of a contact";
  model->ops->state_name(model, i, buffer, size);
  return buffer;
}

/* Takes factor times a sparse matrix (its first `rows` rows), or its transpose, by columns. */
static void gather(gradyn_probe *p, const gradyn_pattern *pattern, int rows, const double *values,
                   double factor, bool transposed)
{
  memset(p->column, 0xff, (size_t)p->ns * sizeof *p->column); /* -1: empty */
  for (int i = 0; i < rows; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      int j = pattern->col[k], row = transposed ? j : i, col = transposed ? i : j;
      if (values[k] == 0)
        continue;
      /* a list for each column, the last entry first */
      p->entry_of[k] = (gradyn_probe_entry){row, p->column[col], factor * values[k]};
      p->column[col] = k;
    }
}

/* Compares column j of those gathered with differences by entry `entry` of the state. */
static gradyn_status compare_column(gradyn_probe *p, int j, int entry, gradyn_worst *w)
{
  char name[64];
  const double size = gradyn_probe_size(p, entry);
  const int rows = gradyn_probe_values(p);
  /* the column in full */
  memset(p->exact, 0, (size_t)rows * sizeof *p->exact);
  for (int k = p->column[j]; k >= 0; k = p->entry_of[k].next)
    p->exact[p->entry_of[k].row] += p->entry_of[k].value;
  p->move.entry = entry;
  GRADYN_TRY(gradyn_probe_differentiate(p, size));
  gradyn_worst_column(w, &p->d, rows, p->exact, size, entry_name(p, entry, name, sizeof name));
  return GRADYN_OK;
}

/* The same for the columns of `count` states from `first`: of an element, those that are not zero. */
static gradyn_status compare_columns(gradyn_probe *p, int first, int count, gradyn_worst *w)
{
  gradyn_status status = GRADYN_OK;
  for (int j = 0; j < count; j++) {
    if (p->element && p->column[j] < 0)
      continue;
    if (gradyn_check_proceed(p->c, j, count, &status))
      status = compare_column(p, j, first + j, w);
    else
      w->skipped++; /* no time for it, which is no failure */
    GRADYN_TRY(status);
  }
  p->move.entry = -1;
  return GRADYN_OK;
}

/* J = derivative of Phi, Phi' or Phi'' by q; an element writes its own row only. */
static gradyn_status jacobian(gradyn_probe *p, int order, const gradyn_mech_state *at)
{
  memset(p->J, 0, (size_t)p->mech->jac.nnz * sizeof *p->J);
  return p->mech->ops->phi_q(p->mech, GRADYN_ALL_ROWS, order, at, p->J);
}

/* K, C and M of the k-th part of R. */
gradyn_status gradyn_probe_tangents(gradyn_probe *p, int k)
{
  static const char *const name[] = {"K = dR/dq", "C = dR/dv", "M = dR/da"};
  const double *const matrix[] = {p->K, p->C, p->M}; /* by q, v, a: the blocks of a state */
  const gradyn_probe_part_entry part = gradyn_probe_part[k];
  gradyn_mech *mech = p->mech;
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  gradyn_probe_aim(p, part.parts, GRADYN_RESIDUAL);
  GRADYN_TRY(mech->ops->tangent(mech, part.parts, &at, p->K, p->C, p->M));
  for (int i = 0; i < 3; i++) {
    gradyn_worst w = gradyn_probe_fresh(p);
    gather(p, &mech->dyn, p->n, matrix[i], 1, false);
    GRADYN_TRY(compare_columns(p, i * p->n, p->n, &w));
    GRADYN_TRY(gradyn_probe_report(p, &w, "differences", "%s, %s", name[i], part.name));
  }
  return GRADYN_OK;
}

/* dR/dlam of forces that read multipliers: what it is of all less Phi_q^T. */
static gradyn_status check_reading(gradyn_probe *p, const gradyn_mech_state *at)
{
  gradyn_mech *mech = p->mech;
  gradyn_worst w = gradyn_probe_fresh(p);
  gradyn_probe_aim(p, GRADYN_FORCE, GRADYN_RESIDUAL);
  memset(p->U, 0, (size_t)mech->jac.nnz * sizeof *p->U);
  GRADYN_TRY(jacobian(p, 0, at));
  GRADYN_TRY(mech->ops->residual_lam(mech, at, p->U));
  for (int k = 0; k < mech->jac.start[p->m]; k++)
    p->U[k] -= p->J[k]; /* R_lam^T - Phi_q = -(dQ/dlam)^T */
  gather(p, &mech->jac, p->m, p->U, 1, true);
  GRADYN_TRY(compare_columns(p, 3 * p->n, p->m, &w));
  return gradyn_probe_report(p, &w, "differences", "dR/dlam, forces");
}

/* R is linear in the multipliers: R_lam is the transposed Jacobian, less Q_lam of forces that
 * read them. */
gradyn_status gradyn_probe_multipliers(gradyn_probe *p)
{
  gradyn_mech *mech = p->mech;
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  /* those of the motion, then those of all rows */
  for (int held = 0; held < 2; held++) {
    gradyn_worst w = gradyn_probe_fresh(p);
    const int rows = held ? p->rows : p->m;
    gradyn_probe_aim(p, held ? GRADYN_ALL_ROWS : GRADYN_INERTIA | GRADYN_CONSTRAINT,
                     GRADYN_RESIDUAL);
    GRADYN_TRY(jacobian(p, 0, &at));
    gather(p, &mech->jac, rows, p->J, 1, true);
    GRADYN_TRY(compare_columns(p, 3 * p->n, rows, &w));
    GRADYN_TRY(
        gradyn_probe_report(p, &w, "differences", "dR/dlam = Phi_q^T%s", held ? ", held" : ""));
  }
  return mech->reader ? check_reading(p, &at) : GRADYN_OK;
}

/* Derivatives of the constraints by q, and the relations for those by v and a. */
gradyn_status gradyn_probe_constraints(gradyn_probe *p)
{
  static const struct {
    int order, block, source; /* d phi(order) / d block = factor phi_q(source) */
    double factor;
    const char *name;
  } relation[] = {{0, 0, 0, 1, "Phi_q"},
                  {1, 0, 1, 1, "Phi'_q"},
                  {2, 0, 2, 1, "Phi''_q"},
                  {1, 1, 0, 1, "Phi'_v = Phi_q"},
                  {2, 1, 1, 2, "Phi''_v = 2 Phi'_q"},
                  {2, 2, 0, 1, "Phi''_a = Phi_q"}};
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  /* a model gives Phi_q, Phi'_q and Phi''_q; schemes take the others from these by the relations
   * above */
  for (size_t k = 0; k < GRADYN_COUNT(relation); k++) {
    gradyn_worst w = gradyn_probe_fresh(p);
    gradyn_probe_aim(p, GRADYN_ALL_ROWS, relation[k].order);
    GRADYN_TRY(jacobian(p, relation[k].source, &at));
    gather(p, &p->mech->jac, p->rows, p->J, relation[k].factor, false);
    GRADYN_TRY(compare_columns(p, relation[k].block * p->n, p->n, &w));
    GRADYN_TRY(gradyn_probe_report(p, &w, "differences", "%s", relation[k].name));
  }
  return GRADYN_OK;
}
