/* Inertia and gravity of bodies, rods, beams and point masses. In natural coordinates the velocity field of
 * a body is linear in the velocities of its points. Its mass matrix is therefore constant: M = [c_rs] times
 * the identity, for points r, s. Uniform gravity acts as M times g. Inputs of products with derivatives by
 * data are the pair coefficients c, which are linear in R = M w with w = a - g. */
#include "mbs/mechanism/product.h"

#include <string.h>

/* Index of the pair (r, s), r <= s, of a body with `points` points. */
static int pair(int points, int r, int s)
{
  return r * points - r * (r - 1) / 2 + s - r;
}

/* f += [c_rs] w for two points, the most frequent case. */
static void apply_rod(const gradyn_mbs *m, const mbs_inertia *e, const double *c, const double *w,
                      double *f)
{
  const double *w_a = w + e->at[0], *w_b = w + e->at[1];
  double *f_a = f + e->at[0], *f_b = f + e->at[1];
  for (int k = 0; k < m->dim; k++) {
    f_a[k] += c[0] * w_a[k] + c[1] * w_b[k];
    f_b[k] += c[1] * w_a[k] + c[2] * w_b[k];
  }
}

/* f += [c_rs] w for any number of points. */
static void apply(const gradyn_mbs *m, const mbs_inertia *e, const double *c, const double *w,
                  double *f)
{
  if (e->ops->points == 2) {
    apply_rod(m, e, c, w, f);
    return;
  }
  /* f += c_rs w, for pairs r <= s of a symmetric matrix */
  for (int r = 0; r < e->ops->points; r++)
    for (int s = r; s < e->ops->points; s++, c++)
      for (int k = 0; k < e->axes; k++) {
        f[e->at[r] + k] += *c * w[e->at[s] + k];
        if (s > r)
          f[e->at[s] + k] += *c * w[e->at[r] + k];
      }
}

/* Sets m->mass.field to the selected parts of a - g: M (a - g) is inertia and weight in one product. */
void mbs_inertia_field(gradyn_mbs *m, int parts)
{
  for (int i = 0; i < m->full_size; i++)
    m->mass.field[i] = parts & GRADYN_INERTIA ? m->acc[i] : 0;
  if (!(parts & GRADYN_FORCE) || m->gravity < 0)
    return;
  const double *g = m->model->x + m->gravity;
  for (int i = 0; i < m->points; i++)
    /* gravity does not act on base vectors */
    for (int k = 0; k < m->dim && !m->point[i].direction; k++)
      m->mass.field[m->point[i].offset + k] -= g[k];
}

void mbs_inertia_apply(const gradyn_mbs *m, bool attached, const double *w, double *f)
{
  for (int i = 0; i < m->lists.inertias; i++)
    if (!attached || m->lists.inertia[i].attached)
      apply(m, &m->lists.inertia[i], m->lists.inertia[i].c, w, f);
}

/* --- gravity ---------------------------------------------------------------------------------- */

/* Computes the weight at all points (directions have none): in `falling` by 1 m/s^2 along each axis, in
 * `weight` by the model's gravity. */
static void load_weight(gradyn_mbs *m)
{
  const double zero[3] = {0}, *g = m->gravity >= 0 ? m->model->x + m->gravity : zero;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      m->mass.field[m->point[i].offset + k] = !m->point[i].direction;
  for (int k = 0; k < m->full_size; k++)
    m->mass.falling[k] = 0;
  mbs_inertia_apply(m, false, m->mass.field, m->mass.falling);
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      m->mass.weight[m->point[i].offset + k] = -m->mass.falling[m->point[i].offset + k] * g[k];
  mbs_pull(m, m->mass.weight);
  /* clears the other points: weights of attached points are at their carriers */
  for (int k = m->mech.n; k < m->full_size; k++)
    m->mass.weight[k] = 0;
}

/* Adds the pair coefficients of a body to the mass matrix; those of attached points go to their carriers. */
static void add_mass(gradyn_mbs *m, const mbs_inertia *e, const double *c)
{
  int points = e->ops->points;
  for (int r = 0; r < points; r++)
    for (int s = 0; s < points; s++) {
      double value = c[r < s ? pair(points, r, s) : pair(points, s, r)];
      /* attached points distribute their mass to carriers */
      mbs_term row, col;
      for (int i = 0; mbs_point_term(m, e->point[r], i, &row); i++)
        for (int j = 0; mbs_point_term(m, e->point[s], j, &col); j++)
          for (int k = 0; k < e->axes; k++) {
            int at = mbs_dyn_position(m, row.at + k, col.at + k);
            m->mass.M[at] += value * row.weight * col.weight;
          }
    }
}

void mbs_load_inertia(gradyn_mbs *m)
{
  /* data have changed, so M is computed from zero */
  for (int k = 0; k <= m->mech.dyn.nnz; k++)
    m->mass.M[k] = 0;
  for (int i = 0; i < m->lists.inertias; i++) {
    mbs_inertia *e = &m->lists.inertia[i];
    e->ops->pairs(m->model->x + e->datum, e->divisions, e->c);
    e->ops->slopes(m->model->x + e->datum, e->divisions, e->D);
    add_mass(m, e, e->c);
  }
  for (int i = 0; i < m->mech.n; i++)
    if (m->point[m->owner[i]].idle) /* any mass is valid, since no force acts on it */
      m->mass.M[mbs_dyn_position(m, i, i)] = 1;
  load_weight(m);
}

/* --- products with derivatives by data -------------------------------------------------------- */

/* The field w = a - g [dim] at point r of a body in term k. If gravity is NULL, g is 0; directions have no
 * weight. */
GRADYN_KERNEL void field(int dim, const mbs_product *p, const mbs_inertia *e, int r, int k,
                         const double *gravity, double *w)
{
  /* w = a - g: a at points with rows, g at points with weight */
  const bool moves = e->at[r] < p->limit[k] && p->term[k].parts & GRADYN_INERTIA;
  const bool falls = gravity && !p->m->point[e->point[r]].direction;
  for (int c = 0; c < dim; c++)
    w[c] = (moves ? p->a[k][e->at[r] + c] : 0) - (falls ? gravity[c] : 0);
}

/* Changes of the pair coefficients by data, c = D^T d, or the transpose. Tangent: returns whether any
 * changes. */
GRADYN_KERNEL bool meet_pairs(const mbs_way way, const mbs_product *p, const mbs_inertia *e,
                              int pairs, gradyn_lanes *c)
{
  bool change = false;
  for (int k = e->first; k < e->end; k++) {
    /* data that do not change are skipped */
    gradyn_lanes d[MBS_LANES] = {{0}};
    if (way != MBS_AGAINST && !mbs_take(way, p, e->datum + k, d))
      continue;
    change = true;
    for (int i = 0; i < pairs; i++) /* dc_i/dd_k = D_ki */
      mbs_flow(way, e->D[k][i], mbs_at(way, c, i), d);
    if (way == MBS_AGAINST)
      mbs_give(p, e->datum + k, d);
  }
  return change;
}

/* Tangent: returns the changes of the pair coefficients, computed from data or given in `mass`; NULL if
 * none changes. */
GRADYN_KERNEL gradyn_lanes *take_pairs(const mbs_way way, const mbs_product *p,
                                       const mbs_inertia *e, int pairs, const gradyn_lanes *mass,
                                       gradyn_lanes *c)
{
  if (mass)
    return gradyn_lanes_any(mbs_lanes(way) * pairs, mass) ? (gradyn_lanes *)mass : NULL;
  mbs_clear(way, pairs, c);
  return meet_pairs(way, p, e, pairs, c) ? c : NULL;
}

/* Tangent: adds the sum of c_rs w_s to the rows of point r; each row is read and written once. */
GRADYN_KERNEL void add_rows(const mbs_way way, int dim, int points, int r, double (*w)[3],
                            const gradyn_lanes *c, gradyn_lanes *row)
{
  const int lanes = mbs_lanes(way);
  for (int i = 0; i < dim; i++)
    for (int h = 0; h < lanes; h++) {
      gradyn_lanes sum = row[i * lanes + h];
      for (int s = 0; s < points; s++) {
        const int a = r < s ? r : s, b = r < s ? s : r;
        sum += w[s][i] * c[(a * points - a * (a - 1) / 2 + b - a) * lanes + h];
      }
      row[i * lanes + h] = sum;
    }
}

/* Product of one body. A change of c_rs changes the rows of r by w_s, and the rows of s by w_r. Inlined
 * with constant numbers of axes and points in frequent cases. */
GRADYN_KERNEL void body(const mbs_way way, int dim, int points, const mbs_product *p,
                        const mbs_inertia *e, const gradyn_lanes *mass)
{
  gradyn_lanes capacity[MBS_INERTIA_PAIRS * MBS_LANES], *c = capacity;
  int pairs = points * (points + 1) / 2;
  if (way == MBS_AGAINST)
    mbs_clear(way, pairs, c); /* adjoints of c begin at zero */
  else if (!(c = take_pairs(way, p, e, pairs, mass, capacity)))
    return;
  for (int k = 0; k < p->terms; k++) {
    double w[MBS_INERTIA_POINTS][3];
    int pair = 0;
    if (!(p->term[k].parts & (GRADYN_INERTIA | GRADYN_FORCE)))
      continue;
    const bool falls = p->term[k].parts & GRADYN_FORCE && p->m->gravity >= 0;
    const double *gravity = falls ? p->m->model->x + p->m->gravity : NULL;
    for (int r = 0; r < points; r++)
      field(dim, p, e, r, k, gravity, w[r]);
    for (int r = 0; r < points && way != MBS_AGAINST; r++)
      if (e->at[r] < p->limit[k])
        add_rows(way, dim, points, r, w, c, mbs_at(way, p->r[k], e->at[r]));
    for (int r = 0; r < points && way == MBS_AGAINST; r++)
      for (int s = r; s < points; s++, pair++) {
        /* c_rs appears in rows of r with w_s, and in rows of s with w_r */
        gradyn_lanes *row_r = mbs_at(way, p->r[k], e->at[r]),
                     *row_s = mbs_at(way, p->r[k], e->at[s]), *c_rs = mbs_at(way, c, pair);
        for (int i = 0; i < dim && e->at[r] < p->limit[k]; i++)
          mbs_flow(way, w[s][i], mbs_at(way, row_r, i), c_rs);
        for (int i = 0; i < dim && e->at[s] < p->limit[k] && s > r; i++)
          mbs_flow(way, w[r][i], mbs_at(way, row_s, i), c_rs);
      }
  }
  if (way == MBS_AGAINST)
    meet_pairs(way, p, e, pairs, c);
}

/* Tangent: adds c_rs times the change of acceleration of an attached point s to the rows of r; or the
 * transpose. */
GRADYN_KERNEL void meet_column(const mbs_way way, const mbs_product *p, int k, const mbs_inertia *e,
                               int r, int s, double coefficient)
{
  gradyn_lanes *z = p->m->work.position[MBS_TERM_SECOND] + e->at[s], *row = p->r[k] + e->at[r];
  /* accelerations of moving points do not change, ground points have none */
  if (p->m->point[e->point[s]].kind != MBS_ATTACHED || e->at[r] >= p->limit[k])
    return;
  for (int i = 0; i < p->m->dim; i++)
    mbs_move(way, coefficient, row + i, z + i);
}

/* Change of M w by the accelerations of attached points, which change with the weights of carriers. */
GRADYN_KERNEL void meet_mass(const mbs_way way, const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->lists.inertias; i++) {
    const mbs_inertia *e = &m->lists.inertia[i];
    const double *pair = e->c;
    /* both triangles of the symmetric [c_rs] */
    for (int r = 0; r < e->ops->points && e->attached; r++)
      for (int s = r; s < e->ops->points; s++, pair++) {
        meet_column(way, p, k, e, r, s, *pair);
        if (s > r)
          meet_column(way, p, k, e, s, r, *pair);
      }
  }
}

/* Change of the weight by g. Its derivatives are sums of columns of the mass matrix. */
GRADYN_KERNEL void gravity(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  gradyn_lanes g[3 * MBS_LANES] = {{0}};
  bool change = way == MBS_AGAINST; /* transposed: adjoints are always needed */
  for (int i = 0; i < m->dim && way != MBS_AGAINST; i++)
    change = mbs_take(way, p, m->gravity + i, mbs_at(way, g, i)) || change;
  for (int k = 0; k < p->terms && change; k++)
    for (int j = 0; j < m->points && p->term[k].parts & GRADYN_FORCE; j++) {
      /* -M g, with columns summed in `falling` */
      const int at = m->point[j].offset;
      for (int i = 0; i < mbs_axes(m, j) && at < p->limit[k]; i++)
        mbs_flow(way, -m->mass.falling[at + i], mbs_at(way, p->r[k], at + i), mbs_at(way, g, i));
    }
  for (int i = 0; i < m->dim && way == MBS_AGAINST; i++)
    mbs_give(p, m->gravity + i, &g[i]);
}

/* Products of all bodies with active data: changes of M by the pair coefficients. */
GRADYN_KERNEL void bodies(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  const gradyn_lanes *mass = way == MBS_AGAINST ? NULL : p->mass;
  for (int i = 0; i < m->varying.inertias; i++) {
    const mbs_inertia *e = &m->lists.inertia[m->varying.inertia[i]];
    /* constant sizes for rods in the plane and bodies in space */
    if (m->dim == 2 && e->ops->points == 2)
      body(way, 2, 2, p, e, mass);
    else if (m->dim == 3 && e->ops->points == 4)
      body(way, 3, 4, p, e, mass);
    else
      body(way, m->dim, e->ops->points, p, e, mass);
    mass = mass ? mass + mbs_lanes(way) * mbs_inertia_pairs(e) : NULL;
  }
}

/* Tangent: writes the changes of the pair coefficients of all bodies to `mass`, one body after the other. */
GRADYN_KERNEL void pairs_of_bodies(const mbs_way way, const mbs_product *p, gradyn_lanes *mass)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->varying.inertias && way != MBS_AGAINST; i++) {
    const mbs_inertia *e = &m->lists.inertia[m->varying.inertia[i]];
    mbs_clear(way, mbs_inertia_pairs(e), mass);
    meet_pairs(way, p, e, mbs_inertia_pairs(e), mass);
    mass += mbs_lanes(way) * mbs_inertia_pairs(e);
  }
}

/* Products of bodies, compiled for wide registers too. */
static GRADYN_WIDE void meet_bodies(mbs_way way, const mbs_product *p)
{
  MBS_BY_WAY(way, MBS_PLAINLY, p->m, bodies, p);
}

/* Products with derivatives with respect to the data of gravity. */
static GRADYN_WIDE void meet_gravity(mbs_way way, const mbs_product *p)
{
  MBS_BY_WAY(way, MBS_PLAINLY, p->m, gravity, p);
}

void mbs_meet_inertia(mbs_way way, const mbs_product *p)
{
  /* without active data, the list is empty and gravity is inactive */
  if (p->m->varying.inertias > 0)
    meet_bodies(way, p);
  if (p->m->gravity_active)
    meet_gravity(way, p);
}

void mbs_mass_along(gradyn_mech *mech, int columns, const gradyn_mech_change *d, gradyn_lanes *mass)
{
  const mbs_product p = {.m = (gradyn_mbs *)mech,
                         .columns = columns,
                         .fed = true,
                         .lanes = (gradyn_lanes *)d->lanes,
                         .x = (double *)d->x};
  if (columns > GRADYN_LANES)
    pairs_of_bodies(MBS_ALONG_TWICE, &p, mass);
  else
    pairs_of_bodies(MBS_ALONG, &p, mass);
}

void mbs_meet_inertia_places(mbs_way way, const mbs_product *p, int k)
{
  meet_mass(way, p, k);
}

/* x_bar += factor mu^T M_x a, outside of products; used for energies. */
void mbs_inertia_bars(gradyn_mbs *m, int parts, double factor, const double *a, const double *mu,
                      double *x_bar)
{
  const gradyn_mech_term term = {.parts = parts};
  const mbs_product p = {.m = m,
                         .terms = 1,
                         .term = &term,
                         .columns = 1,
                         .limit = {m->full_size},
                         .fed = true,
                         .x = x_bar,
                         .r = {m->work.rows[0]},
                         .a = {a}};
  /* the transposed product subtracts M_x^T mu; -factor mu makes it add */
  for (int i = 0; i < m->full_size; i++)
    m->work.rows[0][i] = (gradyn_lanes){-factor * mu[i]};
  mbs_meet_inertia(MBS_AGAINST, &p);
}
