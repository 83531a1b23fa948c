/* The table of constant distances.
 *
 * Rods are most of the constraints of most mechanisms. Those of constant length between points
 * that are not attached have no element to go through: a table has the offsets of their points,
 * their length s and w = 1/s, and places in matrices, and kernels with the dimension as a
 * constant run over it: Phi = (|r|^2 w - s)/2, Phi_q = w (-r, r), and its second derivative w
 * (1, -1; -1, 1). */
#include "mbs/mechanism/rods.h"
#include "mbs/mechanism/dots.h"

#include <math.h>
#include <stdlib.h>

/* Whether constraint i is one of the table. */
static bool is_rod(const gradyn_mbs *m, int i)
{
  const mbs_element *e = &m->constraints.item[i];
  return i < m->mech.m && e->ops == &mbs_distance_ops && e->data_count == 1 && !e->slot &&
         !e->modes.bits;
}

/* Its entry. */
static mbs_rod rod_of(const gradyn_mbs *m, int i)
{
  const mbs_element *e = &m->constraints.item[i];
  mbs_rod rod = {.row = i, .a = e->at[0], .b = e->at[1], .datum = e->datum};
  /* what belongs to the ground goes to the scratch entry */
  for (int k = 0; k < 6; k++)
    rod.jac[k] = m->mech.jac.nnz;
  for (int k = 0; k < 12; k++)
    rod.dyn[k / 6][k / 3 % 2][k % 3] = m->mech.dyn.nnz;
  for (int k = 0; k < e->gradient.count; k++)
    rod.jac[e->gradient.item[k].local] = e->gradient.item[k].at;
  for (int k = 0; k < e->matrix.count; k++) {
    const mbs_entry *entry = &e->matrix.item[k];
    rod.dyn[entry->row][entry->col][entry->local % m->dim] = entry->at;
  }
  return rod;
}

/* Sorts constraints into rods, scalar products and all others, whose order by time of validity
 * stays. */
gradyn_status mbs_collect_rods(gradyn_mbs *m)
{
  size_t count = (size_t)m->constraints.count + 1;
  mbs_lists *l = &m->lists;
  l->rod = malloc(count * sizeof *l->rod);
  l->dot = malloc(count * sizeof *l->dot);
  l->other = malloc(count * sizeof *l->other);
  if (!l->rod || !l->dot || !l->other)
    return GRADYN_NO_MEMORY;
  /* scalar products first, which are rows of motion */
  for (int i = 0; i < m->mech.m; i++)
    if (mbs_is_dot(m, i)) {
      l->dot[l->dots++] = mbs_dot_of(m, i);
      l->other[l->others++] = i;
    }
  for (int i = 0; i < m->constraints.count; i++) {
    const mbs_element *e = &m->constraints.item[i];
    if (is_rod(m, i))
      l->rod[l->rods++] = rod_of(m, i);
    else if (!mbs_is_dot(m, i))
      l->other[l->others++] = i;
    for (int k = e->when; k < MBS_WHENS; k++) /* rods take no part in these numbers */
      l->others_end[k] = l->others;
  }
  return GRADYN_OK;
}

void mbs_clear_rods(gradyn_mbs *m)
{
  free(m->lists.rod);
  free(m->lists.dot);
  free(m->lists.other);
}

void mbs_load_rods(gradyn_mbs *m)
{
  for (int i = 0; i < m->lists.rods; i++) {
    m->lists.rod[i].s = m->model->x[m->lists.rod[i].datum];
    m->lists.rod[i].w = 1 / m->lists.rod[i].s; /* a division here spares one in each evaluation */
  }
}

GRADYN_KERNEL double product(int dim, const mbs_rod *r, const double *x, const double *y)
{
  double sum = (x[r->b] - x[r->a]) * (y[r->b] - y[r->a]); /* (x_b - x_a).(y_b - y_a) */
  for (int k = 1; k < dim; k++)
    sum += (x[r->b + k] - x[r->a + k]) * (y[r->b + k] - y[r->a + k]);
  return sum;
}

/* The first rod that is not finite; -1: none. */
static int first_bad(const gradyn_mbs *m, const double *value)
{
  for (int i = 0; i < m->lists.rods; i++)
    if (!isfinite(value[m->lists.rod[i].row]))
      return m->lists.rod[i].row;
  return -1;
}

GRADYN_KERNEL int phi(int dim, const gradyn_mbs *m, const mbs_view *at, int order, double *value)
{
  double sum = 0;
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    double result;
    if (order == 0)
      result = (product(dim, r, at->pos, at->pos) * r->w - r->s) / 2; /* (r.r w - s)/2 */
    else if (order == 1)
      result = product(dim, r, at->pos, at->vel) * r->w; /* r.r' w */
    else
      /* (r'.r' + r.r'') w */
      result = (product(dim, r, at->vel, at->vel) + product(dim, r, at->pos, at->acc)) * r->w;
    value[r->row] = result;
    sum += result;
  }
  /* one check for all: a sum is finite only if its terms are */
  return isfinite(sum) ? -1 : first_bad(m, value);
}

int mbs_rods_phi(const gradyn_mbs *m, const mbs_view *at, int order, double *value)
{
  /* orders as constants, so that loops have no branches */
  return order == 0   ? MBS_BY_AXES(m, phi, m, at, 0, value)
         : order == 1 ? MBS_BY_AXES(m, phi, m, at, 1, value)
                      : MBS_BY_AXES(m, phi, m, at, 2, value);
}

/* Phi_q, Phi'_q, Phi''_q are w times the difference of positions, velocities, accelerations. */
GRADYN_KERNEL void phi_q(int dim, const gradyn_mbs *m, const double *full, double *values)
{
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    for (int k = 0; k < dim; k++) {
      double g = r->w * (full[r->b + k] - full[r->a + k]); /* w r^(k) */
      values[r->jac[k]] = -g;
      values[r->jac[dim + k]] = g;
    }
  }
}

void mbs_rods_phi_q(const gradyn_mbs *m, const mbs_view *at, int order, double *values)
{
  const double *full = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  MBS_BY_AXES(m, phi_q, m, full, values);
}

/* f += G^T lam. */
GRADYN_KERNEL void force(int dim, const gradyn_mbs *m, const double *pos, const double *lam,
                         double *f)
{
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    /* f = lam w r, at both ends */
    double tension = lam[r->row] * r->w;
    for (int k = 0; k < dim; k++) {
      double g = tension * (pos[r->b + k] - pos[r->a + k]);
      f[r->a + k] -= g;
      f[r->b + k] += g;
    }
  }
}

void mbs_rods_force(const gradyn_mbs *m, const mbs_view *at, const double *lam, double *f)
{
  MBS_BY_AXES(m, force, m, at->pos, lam, f);
}

/* K += sum of lam H. */
GRADYN_KERNEL void hessian(int dim, const gradyn_mbs *m, const double *lam, double *K)
{
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    /* H = w [1, -1; -1, 1], times lam */
    double h = lam[r->row] * r->w;
    for (int k = 0; k < dim; k++) {
      K[r->dyn[0][0][k]] += h;
      K[r->dyn[1][1][k]] += h;
      K[r->dyn[0][1][k]] -= h;
      K[r->dyn[1][0][k]] -= h;
    }
  }
}

void mbs_rods_hessian(const gradyn_mbs *m, const double *lam, double *K)
{
  MBS_BY_AXES(m, hessian, m, lam, K);
}
