/* The table of scalar products of moving vectors. Phi = (a.b - value) factor has no inputs, no carriers and
 * constant second derivatives. In space, half of the constraints are of this kind. Formulas as in
 * constraints.c. */
#include "mbs/mechanism/dots.h"

#include <math.h>

/* Table entry of a constraint; for a length, a.a/2, b is a. */
mbs_dot mbs_dot_of(const gradyn_mbs *m, int i)
{
  const mbs_element *e = &m->constraints.item[i];
  const bool alone = e->points == 1;
  mbs_dot dot = {.row = i,
                 .a = e->at[0], /* gradient of a.a/2: a */
                 .b = e->at[alone ? 0 : 1],
                 .factor = alone ? 0.5 : 1,
                 .value = alone ? 1 : 0};
  /* entries of ground points, which matrices do not have, go to the scratch entry */
  for (int k = 0; k < 6; k++) {
    dot.jac[k / 3][k % 3] = m->mech.jac.nnz;
    dot.dyn[k / 3][k % 3] = m->mech.dyn.nnz;
  }
  for (int k = 0; k < e->gradient.count; k++) {
    const mbs_entry *entry = &e->gradient.item[k];
    dot.jac[entry->local / m->dim][entry->local % m->dim] = entry->at;
  }
  for (int k = 0; k < e->matrix.count; k++) /* (a_k, b_k) and (b_k, a_k) */
    dot.dyn[e->matrix.item[k].row][e->matrix.item[k].local % m->dim] = e->matrix.item[k].at;
  for (int k = 0; k < m->dim && alone; k++) {
    dot.jac[1][k] = dot.jac[0][k];
    dot.dyn[1][k] = dot.dyn[0][k];
  }
  return dot;
}

GRADYN_KERNEL double product(int dim, const mbs_dot *d, const double *x, const double *y)
{
  double sum = x[d->a] * y[d->b];
  for (int k = 1; k < dim; k++)
    sum += x[d->a + k] * y[d->b + k];
  return sum;
}

/* The first constraint whose value is not finite, for a message; -1: there is none. */
static int first_bad(const gradyn_mbs *m, const double *value)
{
  for (int i = 0; i < m->lists.dots; i++)
    if (!isfinite(value[m->lists.dot[i].row]))
      return m->lists.dot[i].row;
  return -1;
}

GRADYN_KERNEL int phi(int dim, const gradyn_mbs *m, const mbs_point_state *at, int order,
                      double *value)
{
  const double *x = at->pos, *v = at->vel, *w = at->acc;
  double all = 0;
  for (int i = 0; i < m->lists.dots; i++) {
    const mbs_dot *d = &m->lists.dot[i];
    double sum;
    if (order == 0)
      sum = product(dim, d, x, x) - d->value; /* a.b - c */
    else if (order == 1)
      sum = product(dim, d, v, x) + product(dim, d, x, v); /* a'.b + a.b' */
    else                                                   /* a''.b + 2 a'.b' + a.b'' */
      sum = product(dim, d, w, x) + 2 * product(dim, d, v, v) + product(dim, d, x, w);
    value[d->row] = d->factor * sum;
    all += value[d->row];
  }
  /* one check for all: a finite sum has finite terms */
  return isfinite(all) ? -1 : first_bad(m, value);
}

int mbs_dots_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value)
{
  /* each call has a constant order, so that its loop has no branches */
  return order == 0   ? MBS_BY_AXES(m, phi, m, at, 0, value)
         : order == 1 ? MBS_BY_AXES(m, phi, m, at, 1, value)
                      : MBS_BY_AXES(m, phi, m, at, 2, value);
}

/* Derivatives of Phi, Phi', Phi'' by a are b, b', b''; by b they are a, a', a''. For a length, a and b have
 * the same entry. */
GRADYN_KERNEL void phi_q(int dim, const gradyn_mbs *m, const double *full, double *values)
{
  for (int i = 0; i < m->lists.dots; i++) {
    const mbs_dot *d = &m->lists.dot[i];
    for (int k = 0; k < dim; k++) {
      values[d->jac[0][k]] = full[d->b + k];
      values[d->jac[1][k]] = full[d->a + k];
    }
  }
}

void mbs_dots_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values)
{
  const double *full = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  MBS_BY_AXES(m, phi_q, m, full, values);
}

/* f += Phi_q^T lam. */
GRADYN_KERNEL void force(int dim, const gradyn_mbs *m, const double *pos, const double *lam,
                         double *f)
{
  for (int i = 0; i < m->lists.dots; i++) {
    const mbs_dot *d = &m->lists.dot[i];
    /* for a length, a and b are the same vector: two halves add up */
    const double pull = d->factor * lam[d->row];
    for (int k = 0; k < dim; k++) {
      f[d->a + k] += pull * pos[d->b + k];
      f[d->b + k] += pull * pos[d->a + k];
    }
  }
}

void mbs_dots_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f)
{
  MBS_BY_AXES(m, force, m, at->pos, lam, f);
}

/* K += lam (Phi_ab + Phi_ba): the second derivatives are constant identity blocks between a and b. */
void mbs_dots_hessian(const gradyn_mbs *m, const double *lam, double *K)
{
  for (int i = 0; i < m->lists.dots; i++) {
    const mbs_dot *d = &m->lists.dot[i];
    for (int k = 0; k < m->dim; k++) {
      K[d->dyn[0][k]] += d->factor * lam[d->row];
      K[d->dyn[1][k]] += d->factor * lam[d->row];
    }
  }
}
