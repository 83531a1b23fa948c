/* The table of rods.
 *
 * Rods are most of the constraints of most mechanisms. Rods of constant length between moving or ground
 * points are stored in a table: offsets of their points, length s and w = 1/s, and positions in matrices.
 * Kernels with constant dimension process it: Phi = (|r|^2 w - s)/2, Phi_q = w (-r, r), second derivative w
 * (1, -1; -1, 1). */
#include "mbs/mechanism/rods.h"

#include <math.h>
#include <stdlib.h>

#include "mbs/mechanism/dots.h"
#include "mbs/mechanism/product.h"

/* Whether constraint i may be in a table: it belongs to the motion, is active in all modes, and has no
 * attached points. */
static bool is_plain(const gradyn_mbs *m, int i)
{
  const mbs_element *e = &m->constraints.item[i];
  return i < m->mech.m && !e->slot && !e->modes.bits;
}

/* The table entry of constraint i. */
static mbs_rod rod_of(const gradyn_mbs *m, int i)
{
  const mbs_element *e = &m->constraints.item[i];
  mbs_rod rod = {.row = i, .a = e->at[0], .b = e->at[1], .datum = e->datum};
  /* entries of ground points, which matrices do not have, go to the scratch entry */
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

/* Sorts constraints into rods, scalar products and others; their order by `when` is kept. */
gradyn_status mbs_collect_rods(gradyn_mbs *m)
{
  size_t count = (size_t)m->constraints.count + 1;
  mbs_lists *l = &m->lists;
  l->rod = malloc(count * sizeof *l->rod);
  l->dot = malloc(count * sizeof *l->dot);
  l->other = malloc(count * sizeof *l->other);
  if (!l->rod || !l->dot || !l->other)
    return GRADYN_NO_MEMORY;
  /* scalar products first */
  for (int i = 0; i < m->mech.m; i++)
    if (is_plain(m, i) && mbs_is_dot(&m->constraints.item[i])) {
      l->dot[l->dots++] = mbs_dot_of(m, i);
      l->other[l->others++] = i;
    }
  for (int i = 0; i < m->constraints.count; i++) {
    const mbs_element *e = &m->constraints.item[i];
    const bool plain = is_plain(m, i);
    if (plain && mbs_is_rod(e))
      l->rod[l->rods++] = rod_of(m, i);
    else if (!plain || !mbs_is_dot(e))
      l->other[l->others++] = i;
    for (int k = e->when; k < MBS_WHENS; k++) /* rods are not counted in others_end */
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
    m->lists.rod[i].w = 1 / m->lists.rod[i].s; /* one division here saves one in each evaluation */
  }
}

GRADYN_KERNEL double product(int dim, const mbs_rod *r, const double *x, const double *y)
{
  double sum = (x[r->b] - x[r->a]) * (y[r->b] - y[r->a]); /* (x_b - x_a).(y_b - y_a) */
  for (int k = 1; k < dim; k++)
    sum += (x[r->b + k] - x[r->a + k]) * (y[r->b + k] - y[r->a + k]);
  return sum;
}

/* The first rod whose value is not finite, by its constraint; -1: there is none. */
static int first_bad(const gradyn_mbs *m, const double *value)
{
  for (int i = 0; i < m->lists.rods; i++)
    if (!isfinite(value[m->lists.rod[i].row]))
      return m->lists.rod[i].row;
  return -1;
}

GRADYN_KERNEL int phi(int dim, const gradyn_mbs *m, const mbs_point_state *at, int order,
                      double *value)
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
  /* one check for all: a finite sum has finite terms */
  return isfinite(sum) ? -1 : first_bad(m, value);
}

int mbs_rods_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value)
{
  /* each call has a constant order, so that its loop has no branches */
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

void mbs_rods_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values)
{
  const double *full = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  MBS_BY_AXES(m, phi_q, m, full, values);
}

/* f += Phi_q^T lam. */
GRADYN_KERNEL void force(int dim, const gradyn_mbs *m, const double *pos, const double *lam,
                         double *f)
{
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    /* f = lam w r, opposite at both ends */
    double tension = lam[r->row] * r->w;
    for (int k = 0; k < dim; k++) {
      double g = tension * (pos[r->b + k] - pos[r->a + k]);
      f[r->a + k] -= g;
      f[r->b + k] += g;
    }
  }
}

void mbs_rods_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f)
{
  MBS_BY_AXES(m, force, m, at->pos, lam, f);
}

/* K += sum of lam H over the rods. */
GRADYN_KERNEL void hessian(int dim, const gradyn_mbs *m, const double *lam, double *K)
{
  for (int i = 0; i < m->lists.rods; i++) {
    const mbs_rod *r = &m->lists.rod[i];
    /* H = w [1, -1; -1, 1] */
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

/* --- products with derivatives by data and state ---------------------------------------------- */

/* Derivative of a rod's Phi, Phi' or Phi'' by its length. */
GRADYN_KERNEL double rod_slope(int dim, const mbs_rod *rod, int order, const mbs_point_state *at)
{
  double sum = 0;
  for (int k = 0; k < dim; k++) {
    double r = at->pos[rod->b + k] - at->pos[rod->a + k];
    double v = order > 0 ? at->vel[rod->b + k] - at->vel[rod->a + k] : 0;
    double a = order > 1 ? at->acc[rod->b + k] - at->acc[rod->a + k] : 0;
    /* d(w r.r/2 - s/2)/ds for order 0, and so on, with w_s = -w^2 */
    sum += order == 0 ? r * r / 2 : order == 1 ? r * v : v * v + r * a;
  }
  return -sum * rod->w * rod->w - (order == 0 ? 0.5 : 0);
}

/* Changes by a rod's length s: of G lam, with G = Phi_q, and of the constraint. */
GRADYN_KERNEL void stretch_rod(const mbs_way way, int dim, const mbs_product *p, const mbs_rod *e)
{
  const double *pos = p->node->pos;
  gradyn_lanes s[MBS_LANES] = {{0}};
  if (way != MBS_AGAINST && !mbs_take(way, p, e->datum, s))
    return;
  for (int k = 0; k < p->terms; k++) {
    const gradyn_mech_term *term = &p->term[k];
    const bool pulled = term->parts & GRADYN_CONSTRAINT;
    const double by_s = pulled ? -term->at.lam[e->row] * e->w * e->w : 0; /* d(lam w)/ds */
    for (int c = 0; c < dim && pulled; c++) {
      /* at b, and opposite at a */
      const double D = by_s * (pos[e->b + c] - pos[e->a + c]);
      if (e->a < p->limit[k])
        mbs_flow(way, -D, mbs_at(way, p->r[k], e->a + c), s);
      if (e->b < p->limit[k])
        mbs_flow(way, D, mbs_at(way, p->r[k], e->b + c), s);
    }
    if (term->order >= 0) /* derivative of Phi^(j) by s */
      mbs_flow(way, rod_slope(dim, e, term->order, p->node), mbs_at(way, p->phi[k], e->row), s);
  }
  if (way == MBS_AGAINST)
    mbs_give(p, e->datum, s);
}

/* The ends of a rod to which an operation applies. */
typedef struct ends {
  bool a, b;
} ends;

/* Difference d of the positions of the ends: computed (tangent), or distributed to the ends (transposed). */
GRADYN_KERNEL void meet_difference(const mbs_way way, int dim, const mbs_rod *e, ends move,
                                   gradyn_lanes *position, gradyn_lanes *d)
{
  for (int c = 0; c < dim && move.b; c++) /* r = b - a */
    mbs_move(way, 1, mbs_at(way, d, c), mbs_at(way, position, e->b + c));
  for (int c = 0; c < dim && move.a; c++)
    mbs_move(way, -1, mbs_at(way, d, c), mbs_at(way, position, e->a + c));
}

/* Changes the rows of the two ends by the difference d: h d at b, -h d at a. */
GRADYN_KERNEL void meet_ends(const mbs_way way, int dim, const mbs_rod *e, ends row, double h,
                             gradyn_lanes *r, gradyn_lanes *d)
{
  for (int c = 0; c < dim && row.b; c++)
    mbs_flow(way, h, mbs_at(way, r, e->b + c), mbs_at(way, d, c));
  for (int c = 0; c < dim && row.a; c++)
    mbs_flow(way, -h, mbs_at(way, r, e->a + c), mbs_at(way, d, c));
}

/* Change of the constraint by a difference d. The derivative is factor times the difference of u between
 * the ends. */
GRADYN_KERNEL void meet_equality(const mbs_way way, int dim, const mbs_rod *e, double factor,
                                 const double *u, gradyn_lanes *row, gradyn_lanes *d)
{
  for (int c = 0; c < dim; c++)
    mbs_flow(way, factor * (u[e->b + c] - u[e->a + c]), row, mbs_at(way, d, c));
}

/* Ends whose positions (or rates, by `which`) change. Without ground and attached points, these are the
 * ends that have rows. */
GRADYN_KERNEL ends moving(const bool carried, const mbs_product *p, const mbs_rod *e, int which,
                          ends row)
{
  return carried ? (ends){mbs_moves(p, which, e->a), mbs_moves(p, which, e->b)} : row;
}

/* Kinds of changes of rods, which are constants of inlined calls. bent: positions of ends change; turned:
 * velocities change; carried: ground or attached points may change too. */
typedef struct motion {
  bool bent, turned, carried;
} motion;

/* Changes of rods in term k by differences d of positions (bent) and of velocities (turned) of the ends: (G
 * lam)_q d = w lam d, Phi^(j)_q = w r^(j), Phi'_v = w r, Phi''_v = 2 w r'. For all rods, or for listed rods
 * with positions that data change. */
GRADYN_KERNEL void bend_rods(const mbs_way way, int dim, const motion by, const mbs_product *p,
                             int k, const int *list)
{
  const gradyn_mbs *m = p->m;
  const gradyn_mech_term *term = &p->term[k];
  const int order = term->order, count = list ? m->varying.rods : m->lists.rods;
  const double *lam = term->parts & GRADYN_CONSTRAINT ? term->at.lam : NULL;
  const double *const r[] = {p->node->pos, p->node->vel, p->node->acc};
  /* Phi^(j)_q = w r^(j), and Phi^(j)_v = j w r^(j-1) */
  const double *above = order >= 0 ? r[order] : NULL, *below = order > 0 ? r[order - 1] : NULL;
  for (int i = 0; i < count; i++) {
    const mbs_rod *e = &m->lists.rod[list ? list[i] : i];
    gradyn_lanes d[3 * MBS_LANES] = {{0}}, rate[3 * MBS_LANES] = {{0}};
    gradyn_lanes *row = mbs_at(way, p->phi[k], e->row);
    if (list && (list[i] >= m->lists.rods || !m->constraints.item[e->row].vary.positions))
      continue;
    const ends rows = {e->a < p->limit[k], e->b < p->limit[k]};
    const ends position = moving(by.carried, p, e, MBS_PLACE, rows);
    const ends turn = moving(by.carried, p, e, MBS_NODE_RATE, rows);
    if (way != MBS_AGAINST && by.bent)
      meet_difference(way, dim, e, position, p->position[MBS_PLACE], d);
    if (way != MBS_AGAINST && by.turned)
      meet_difference(way, dim, e, turn, p->position[MBS_NODE_RATE], rate);
    if (by.bent && lam)
      meet_ends(way, dim, e, rows, lam[e->row] * e->w, p->r[k], d); /* (G lam)_q d */
    if (by.bent && above)
      meet_equality(way, dim, e, e->w, above, row, d); /* Phi^(j)_q d */
    if (by.turned && below)
      meet_equality(way, dim, e, order * e->w, below, row, rate); /* Phi^(j)_v d' */
    if (way == MBS_AGAINST && by.bent)
      meet_difference(way, dim, e, position, p->position[MBS_PLACE], d);
    if (way == MBS_AGAINST && by.turned)
      meet_difference(way, dim, e, turn, p->position[MBS_NODE_RATE], rate);
  }
}

/* Changes of rods by the state, in all terms. */
GRADYN_KERNEL void follow_state(const mbs_way way, int dim, const bool carried,
                                const mbs_product *p)
{
  const bool bent = p->first[MBS_PLACE] == 0, turned = p->first[MBS_NODE_RATE] == 0;
  /* constant flags, so that the loops have no branches */
  for (int k = 0; k < p->terms; k++)
    if (bent && turned)
      bend_rods(way, dim, (motion){true, true, carried}, p, k, NULL);
    else if (bent)
      bend_rods(way, dim, (motion){true, false, carried}, p, k, NULL);
    else if (turned)
      bend_rods(way, dim, (motion){false, true, carried}, p, k, NULL);
}

/* Products of all rods: changes by lengths, by positions that data move, and by the state. */
GRADYN_KERNEL void rods(int dim, const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->varying.rods && p->fed; i++)
    if (m->varying.rod[i] < m->lists.rods) /* false while another element is isolated */
      stretch_rod(way, dim, p, &m->lists.rod[m->varying.rod[i]]);
  if (p->moved && p->carried)
    follow_state(way, dim, true, p);
  else if (p->moved)
    follow_state(way, dim, false, p);
  /* positions that only data change; with the state, the loop above includes them */
  for (int k = 0; k < p->terms && p->fed && p->carried && p->first[MBS_PLACE] != 0; k++)
    bend_rods(way, dim, (motion){true, false, true}, p, k, m->varying.rod);
}

/* Products of rods, compiled for wide registers too. */
static GRADYN_WIDE void meet_rods(mbs_way way, const mbs_product *p)
{
  MBS_BY_WAY(way, MBS_BY_AXES, p->m, rods, p);
}

void mbs_meet_rods(mbs_way way, const mbs_product *p)
{
  meet_rods(way, p);
}
