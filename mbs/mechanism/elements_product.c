/* Products with derivatives by data, time and state: constraints other than rods, and forces. A product
 * visits each element once. Tangent: adds D^T z to the rows. Transposed: adds D r to the inputs. The element
 * computes the blocks D [inputs][rows]. The direction is a constant of each inlined call. */
#include "mbs/mechanism/product.h"

/* --- inputs ----------------------------------------------------------------------------------- */

/* Changes of inputs that are data; transposed: passes the adjoints of inputs to the data. */
GRADYN_KERNEL bool meet_data(const mbs_way way, const mbs_product *p, const mbs_element *e,
                             gradyn_lanes *z)
{
  /* an element's data are consecutive in x */
  bool change = false;
  for (int k = e->vary.first; k < e->vary.end; k++)
    if (way == MBS_AGAINST)
      mbs_give(p, e->datum + k, &z[k]);
    else
      change = mbs_take(way, p, e->datum + k, mbs_at(way, z, k)) || change;
  return change;
}

/* Change of one input by its row of derivatives, z = z_x dx + z_t dt; or the transpose. */
GRADYN_KERNEL bool meet_row(const mbs_way way, const mbs_product *p, const mbs_input_row *row,
                            gradyn_lanes *z)
{
  bool change = false;
  for (int i = 0; i < row->count && p->fed; i++) {
    /* tangent: z += slope d; transposed: d = slope z_bar */
    gradyn_lanes d[MBS_LANES] = {{0}};
    if (way == MBS_AGAINST) {
      *d = row->slope[i] * *z;
      mbs_give(p, row->datum[i], d);
      continue;
    }
    change = mbs_take(way, p, row->datum[i], d) || change;
    for (int h = 0; h < mbs_lanes(way); h++)
      z[h] += row->slope[i] * d[h];
  }
  /* explicit time, column by column: z += rate dt */
  for (int v = 0; p->t && row->rate != 0 && v < p->columns; v++)
    if (way == MBS_AGAINST) {
      p->t[v] -= row->rate * (*z)[v];
    } else {
      z[v / GRADYN_LANES][v % GRADYN_LANES] += row->rate * p->t[v];
      change = change || p->t[v] != 0;
    }
  return change;
}

/* z = (dz/dx) dx + (dz/dt) dt, or its transpose; tangent: returns whether any input changes. */
GRADYN_KERNEL bool meet_inputs(const mbs_way way, const mbs_product *p, const mbs_element *e,
                               gradyn_lanes *z)
{
  if (mbs_plain_inputs(e))
    return p->fed && meet_data(way, p, e, z);
  /* sparse rows of dz/dx */
  mbs_input_row row[MBS_INPUTS];
  bool change = false;
  mbs_input_rows(p->m, e, p->node->t, row);
  for (int k = 0; k < mbs_input_count(e); k++)
    change = meet_row(way, p, &row[k], mbs_at(way, z, k)) || change;
  return change;
}

/* Clears z if it is a sum or an adjoint. In tangent products, inputs that are data are overwritten. */
GRADYN_KERNEL void clear_inputs(const mbs_way way, const mbs_element *e, gradyn_lanes *z)
{
  if (way == MBS_AGAINST || !mbs_plain_inputs(e))
    mbs_clear(way, e->vary.end - e->vary.first, mbs_at(way, z, e->vary.first));
}

/* --- other elements --------------------------------------------------------------------------- */

/* What changes in an element, and the derivatives of its force f [local] or, for a constraint, of its
 * gradient G [local]. */
typedef struct slopes {
  int first, end;    /* range of inputs that change */
  bool bent, pushed; /* bent: positions change; pushed: velocities that affect f change */
  double z[MBS_INPUTS * MBS_LOCAL]; /* derivatives by inputs [inputs][local] */
  double by_pos[MBS_LOCAL * MBS_LOCAL], vel[MBS_LOCAL * MBS_LOCAL]; /* working space */
  const double *pos; /* derivatives by positions [local][local] */
} slopes;

/* Whether positions or rates of a kind change on which the element depends. */
static inline bool sees(const mbs_product *p, const mbs_element *e, int which)
{
  return p->first[which] == 0 ||
         (e->vary.positions && (which == MBS_PLACE || e->slot) && p->end[which] > p->m->mech.n);
}

/* Whether an input of the element changes. */
static inline bool fed(const mbs_product *p, const mbs_element *e)
{
  return (p->fed && e->vary.any) || (p->t && !e->steady);
}

/* Finds what changes in an element; returns whether anything changes. Tangent: z gets the changes of
 * inputs. */
GRADYN_KERNEL bool look_at(const mbs_way way, const mbs_product *p, const mbs_element *e, int rate,
                           slopes *s, gradyn_lanes *z)
{
  s->first = s->end = 0;
  /* rates change Phi' and Phi''; velocities of a term change forces */
  s->bent = sees(p, e, MBS_PLACE);
  const bool turned = sees(p, e, rate);
  s->pushed = turned && rate == MBS_TERM_RATE;
  if (!fed(p, e))
    return s->bent || turned;
  clear_inputs(way, e, z);
  /* transposed: all inputs have adjoints; tangent: only if they change */
  if (way == MBS_AGAINST || meet_inputs(way, p, e, z)) {
    s->first = e->vary.first;
    s->end = e->vary.end;
  }
  return s->end > s->first || s->bent || turned;
}

/* Numbers of axes and points of an element. In frequent cases they are constants of inlined calls. */
typedef struct extent {
  int dim, points;
} extent;

/* Change of r [rows] by positions or rates of the element's points, with derivatives g [rows][local]; or the
 * transpose. */
GRADYN_KERNEL void meet_places(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, const int rows, const double *g,
                               gradyn_lanes *r, int which)
{
  const int local = size.dim * size.points;
  /* all rows of one coordinate together */
  for (int i = 0; i < size.points; i++)
    for (int c = 0; c < size.dim && mbs_moves(p, which, e->at[i]); c++)
      for (int k = 0; k < rows; k++)
        mbs_move(way, g[k * local + size.dim * i + c], mbs_at(way, r, k),
                 mbs_at(way, p->position[which], e->at[i] + c));
}

/* Change of `count` rows, from `first` onwards, of an element's force or gradient f [local]; or the
 * transpose. */
GRADYN_KERNEL void meet_rows(const mbs_way way, const extent size, const mbs_product *p,
                             const mbs_element *e, const slopes *s, const int first,
                             const int count, gradyn_lanes *f, gradyn_lanes *z)
{
  const int local = size.dim * size.points;
  gradyn_lanes *r = mbs_at(way, f, first);
  /* f_z z + f_X X + f_X' X', or their transposes */
  for (int j = s->first; j < s->end; j++)
    for (int i = 0; i < count; i++)
      mbs_flow(way, s->z[j * local + first + i], mbs_at(way, r, i), mbs_at(way, z, j));
  if (s->bent)
    meet_places(way, size, p, e, count, s->pos + first * local, r, MBS_PLACE);
  if (s->pushed)
    meet_places(way, size, p, e, count, s->vel + first * local, r, MBS_TERM_RATE);
}

/* As meet_rows(), for all rows. */
GRADYN_KERNEL void meet_slopes(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, const slopes *s, gradyn_lanes *f,
                               gradyn_lanes *z)
{
  meet_rows(way, size, p, e, s, 0, size.dim * size.points, f, z);
}

/* Change of a force between two points in the plane. Points that have no rows in the term are skipped. */
GRADYN_KERNEL void meet_pair(const mbs_way way, const mbs_product *p, const mbs_element *e,
                             const slopes *s, int limit, gradyn_lanes *f, gradyn_lanes *z)
{
  const extent pair = {2, 2};
  if (e->at[0] < limit)
    meet_rows(way, pair, p, e, s, 0, 2, f, z);
  if (e->at[1] < limit)
    meet_rows(way, pair, p, e, s, 2, 2, f, z);
}

/* Tangent: difference of coordinate c of two points, second minus first; a point that does not change
 * counts as zero. Transposed: adds the adjoint of the difference to those of the points, negated as in all
 * arrays of positions. */
GRADYN_KERNEL void meet_difference(const mbs_way way, const mbs_product *p, const mbs_element *e,
                                   int which, int c, gradyn_lanes *difference)
{
  for (int i = 0; i < 2; i++)
    if (mbs_moves(p, which, e->at[i]))
      mbs_move(way, i == 0 ? -1 : 1, difference, mbs_at(way, p->position[which], e->at[i] + c));
}

/* Change of a mutual force f by the difference of positions, or of velocities, with derivatives g. */
GRADYN_KERNEL void meet_mutual_places(const mbs_way way, int dim, const mbs_product *p,
                                      const mbs_element *e, const double *g, gradyn_lanes *f,
                                      int which)
{
  for (int c = 0; c < dim; c++) {
    gradyn_lanes difference[MBS_LANES];
    mbs_clear(way, 1, difference);
    if (way != MBS_AGAINST)
      meet_difference(way, p, e, which, c, difference);
    for (int i = 0; i < dim; i++)
      mbs_flow(way, g[dim * i + c], mbs_at(way, f, i), difference);
    if (way == MBS_AGAINST)
      meet_difference(way, p, e, which, c, difference);
  }
}

/* Change of a mutual force f on the second of two points; or the transpose. */
GRADYN_KERNEL void meet_mutual(const mbs_way way, int dim, const mbs_product *p,
                               const mbs_element *e, const slopes *s, gradyn_lanes *f,
                               gradyn_lanes *z)
{
  for (int j = s->first; j < s->end; j++)
    for (int i = 0; i < dim; i++)
      mbs_flow(way, s->z[dim * j + i], mbs_at(way, f, i), mbs_at(way, z, j));
  if (s->bent)
    meet_mutual_places(way, dim, p, e, s->by_pos, f, MBS_PLACE);
  if (s->pushed)
    meet_mutual_places(way, dim, p, e, s->vel, f, MBS_TERM_RATE);
}

/* Subtracts a mutual force f from the rows of term k, R = ... - f; or the transpose. */
GRADYN_KERNEL void meet_mutual_points(const mbs_way way, int dim, const mbs_product *p,
                                      const mbs_element *e, int k, gradyn_lanes *f)
{
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < dim && e->at[i] < p->limit[k]; c++)
      mbs_flow(way, i == 0 ? 1 : -1, mbs_at(way, p->r[k], e->at[i] + c), mbs_at(way, f, c));
}

/* Change of a force that acts on scalars only. */
GRADYN_KERNEL void meet_scalars(const mbs_way way, const extent size, const mbs_product *p,
                                const mbs_element *e, const slopes *s, gradyn_lanes *f,
                                gradyn_lanes *z)
{
  for (int i = 0; i < size.points; i++)
    if (mbs_axes(p->m, e->point[i]) == 1)
      meet_rows(way, size, p, e, s, size.dim * i, 1, f, z);
}

/* Selects the function for the extent of the element, which is a constant of each call. */
GRADYN_KERNEL void meet_force(const mbs_way way, const extent size, const mbs_product *p,
                              const mbs_element *e, const slopes *s, int limit, gradyn_lanes *f,
                              gradyn_lanes *z)
{
  if (size.dim == 2 && size.points == 2)
    meet_pair(way, p, e, s, limit, f, z);
  else if (e->ops->scalar)
    meet_scalars(way, size, p, e, s, f, z);
  else
    meet_slopes(way, size, p, e, s, f, z);
}

/* Adds scale times f [local] to the rows of term k at an element's points; or the transpose. */
GRADYN_KERNEL void meet_points(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, int k, double scale, gradyn_lanes *f)
{
  for (int i = 0; i < size.points; i++)
    for (int c = 0; c < size.dim && e->at[i] < p->limit[k]; c++)
      mbs_flow(way, scale, mbs_at(way, p->r[k], e->at[i] + c), mbs_at(way, f, size.dim * i + c));
}

/* Derivatives of the gradient G of a constraint by inputs, and by positions. */
static gradyn_status constraint_slopes(gradyn_mbs *m, const mbs_element *e,
                                       const mbs_point_state *view, slopes *s)
{
  /* dG/dz and H = dG/dq */
  gradyn_status status = GRADYN_OK;
  if (s->end > s->first)
    status = e->ops->phi_q_input(m, e, view, e->input, s->z);
  return status == GRADYN_OK && s->bent ? mbs_hessian(m, e, view, s->by_pos, &s->pos) : status;
}

/* Derivatives g [local] of Phi^(order) by X^(up) of the element's points, where X^(0) are positions and
 * X^(1) velocities. They follow from (Phi^(order - up))_q, and Phi''_v = 2 Phi'_q. For nonholonomic
 * constraints, psi'_v is not 2 psi_q. */
static gradyn_status equation_slopes(const mbs_product *p, const mbs_element *e, int order, int up,
                                     double *g)
{
  if (up == 1 && order == 2 && e->ops->psi_v)
    return e->ops->psi_v(p->m, e, p->node, e->input, g);
  GRADYN_TRY(e->ops->phi_q(p->m, e, p->node, e->input, order - up, g));
  for (int i = 0; i < e->local && up == 1 && order == 2; i++)
    g[i] *= 2;
  return GRADYN_OK;
}

/* Change of Phi, Phi' or Phi'' of a constraint, by order; or the transpose. */
GRADYN_KERNEL gradyn_status meet_equation(const mbs_way way, const mbs_product *p,
                                          const mbs_element *e, const slopes *s, int order,
                                          gradyn_lanes *r, gradyn_lanes *z)
{
  const extent size = {p->m->dim, e->points};
  double phi_z[MBS_INPUTS], g[MBS_LOCAL];
  if (s->end > s->first)
    GRADYN_TRY(e->ops->phi_input(p->m, e, p->node, e->input, order, phi_z));
  for (int j = s->first; j < s->end; j++) /* Phi^(order)_z z */
    mbs_flow(way, phi_z[j], r, mbs_at(way, z, j));
  for (int up = 0; up <= order; up++) {
    if (!sees(p, e, MBS_PLACE + up) || (order == 0 && e->ops->psi_v))
      continue;
    GRADYN_TRY(equation_slopes(p, e, order, up, g));
    meet_places(way, size, p, e, 1, g, r, MBS_PLACE + up);
  }
  return GRADYN_OK;
}

/* Part of the equations to which a constraint belongs. */
static inline int part_of(const mbs_product *p, int row)
{
  static const int part[MBS_WHENS] = {GRADYN_CONSTRAINT, GRADYN_HELD, GRADYN_CONTACT};
  return part[p->m->constraints.item[row].when];
}

/* Whether the multiplier of a constraint is in the residual of term k. */
static inline bool pulls(const mbs_product *p, int k, int row)
{
  return p->term[k].parts & part_of(p, row);
}

/* Whether the equation of a constraint is in term k. */
static inline bool holds(const mbs_product *p, int k, int row)
{
  return p->term[k].order >= 0 && (row < p->m->mech.m || p->term[k].parts & part_of(p, row));
}

/* Change of a constraint that is absent in the present mode: it is enforced on its idle coordinate. */
GRADYN_KERNEL void absent(const mbs_way way, const mbs_product *p, const mbs_element *e, int row)
{
  for (int k = 0; k < p->terms; k++) {
    const int which = MBS_PLACE + p->term[k].order;
    if (which == MBS_PLACE && e->ops->psi_v)
      continue;
    if (holds(p, k, row) && mbs_moves(p, which, e->modes.at))
      mbs_move(way, 1, mbs_at(way, p->phi[k], row), mbs_at(way, p->position[which], e->modes.at));
  }
}

/* Product of one constraint in all terms: its part of R += G^T lam, and its own row. */
GRADYN_KERNEL gradyn_status constraint(const mbs_way way, const mbs_product *p, int row)
{
  const mbs_element *e = &p->m->constraints.item[row];
  if (mbs_absent(p->m, e)) {
    absent(way, p, e, row);
    return GRADYN_OK;
  }
  slopes s;
  gradyn_lanes z[MBS_INPUTS * MBS_LANES], G[MBS_LOCAL * MBS_LANES];
  const extent size = {p->m->dim, e->points};
  bool pulled = p->parts & part_of(p, row);
  /* skips constraints at the start or at impacts that are not selected */
  if (row >= p->m->mech.m && !pulled)
    return GRADYN_OK;
  if (!look_at(way, p, e, MBS_NODE_RATE, &s, z)) /* no change */
    return GRADYN_OK;
  s.bent = s.bent && e->ops->degree != 1; /* G of linear constraints is constant */
  pulled = pulled && (s.end > s.first || s.bent);
  if (pulled) {
    mbs_clear(way, e->local, G);
    GRADYN_TRY(constraint_slopes(p->m, e, p->node, &s));
  }
  /* tangent: dG first, then lam dG; transposed: in reverse order */
  if (way != MBS_AGAINST && pulled)
    meet_slopes(way, size, p, e, &s, G, z);
  for (int k = 0; k < p->terms; k++) {
    const gradyn_mech_term *term = &p->term[k];
    if (pulled && pulls(p, k, row))
      meet_points(way, size, p, e, k, term->at.lam[row], G); /* R += G^T lam */
    if (holds(p, k, row))                                    /* Phi^(order) of this term */
      GRADYN_TRY(meet_equation(way, p, e, &s, term->order, mbs_at(way, p->phi[k], row), z));
  }
  if (way == MBS_AGAINST && pulled)
    meet_slopes(way, size, p, e, &s, G, z);
  if (way == MBS_AGAINST && s.end > s.first)
    meet_inputs(way, p, e, z);
  return GRADYN_OK;
}

GRADYN_KERNEL gradyn_status constraints(const mbs_way way, const mbs_product *p)
{
  const int *number = p->moved ? p->m->lists.other : p->m->varying.constraint;
  const int count = mbs_constraint_count(p);
  for (int i = 0; i < count; i++)
    GRADYN_TRY(constraint(way, p, number[i]));
  return GRADYN_OK;
}

/* Products of all constraints, compiled for wide registers too. */
static GRADYN_WIDE gradyn_status meet_constraints(mbs_way way, const mbs_product *p)
{
  return MBS_BY_WAY(way, MBS_PLAINLY, p->m, constraints, p);
}

/* Derivatives of the force by inputs, positions and velocities. */
GRADYN_KERNEL gradyn_status force_slopes(gradyn_mbs *m, const mbs_element *e,
                                         const mbs_point_state *view, slopes *s)
{
  const double *z = e->input;
  gradyn_status status = GRADYN_OK;
  s->pos = s->by_pos;
  /* only derivatives by what changes */
  if (s->end > s->first)
    status = e->ops->force_input(m, e, view, z, s->z);
  return status == GRADYN_OK && (s->bent || s->pushed)
             ? e->ops->force_state(m, e, view, z, s->by_pos, s->pushed ? s->vel : NULL)
             : status;
}

/* Product of one force in term k, R = ... - f. */
GRADYN_KERNEL gradyn_status force(const mbs_way way, const extent size, const mbs_product *p,
                                  const mbs_element *e, int k, const mbs_point_state *view)
{
  slopes s;
  gradyn_lanes z[MBS_INPUTS * MBS_LANES], f[MBS_LOCAL * MBS_LANES];
  if (!look_at(way, p, e, MBS_TERM_RATE, &s, z))
    return GRADYN_OK;
  GRADYN_TRY(force_slopes(p->m, e, view, &s));
  /* adjoints begin at zero; tangent: f is a sum */
  mbs_clear(way, size.dim * size.points, f);
  /* tangent: f from its arguments, then the rows; transposed: the rows first */
  if (way != MBS_AGAINST)
    meet_force(way, size, p, e, &s, p->limit[k], f, z);
  meet_points(way, size, p, e, k, -1, f); /* R = ... - f */
  if (way == MBS_AGAINST)
    meet_force(way, size, p, e, &s, p->limit[k], f, z);
  if (way == MBS_AGAINST && s.end > s.first)
    meet_inputs(way, p, e, z);
  return GRADYN_OK;
}

/* Product of a mutual force in term k. */
GRADYN_KERNEL gradyn_status mutual_force(const mbs_way way, int dim, const mbs_product *p,
                                         const mbs_element *e, int k, const mbs_point_state *view)
{
  slopes s;
  gradyn_lanes z[MBS_INPUTS * MBS_LANES], f[3 * MBS_LANES];
  if (!look_at(way, p, e, MBS_TERM_RATE, &s, z))
    return GRADYN_OK;
  GRADYN_TRY(e->ops->mutual(p->m, e, view, e->input, s.by_pos, s.pushed ? s.vel : NULL, s.z));
  mbs_clear(way, dim, f);
  if (way != MBS_AGAINST)
    meet_mutual(way, dim, p, e, &s, f, z);
  meet_mutual_points(way, dim, p, e, k, f);
  if (way == MBS_AGAINST)
    meet_mutual(way, dim, p, e, &s, f, z);
  if (way == MBS_AGAINST && s.end > s.first)
    meet_inputs(way, p, e, z);
  return GRADYN_OK;
}

/* Products of all visited forces in term k. */
GRADYN_KERNEL gradyn_status forces(const mbs_way way, const mbs_product *p, int k,
                                   const mbs_point_state *view)
{
  const gradyn_mbs *m = p->m;
  const extent plane = {2, 2};
  const int count = mbs_force_count(p);
  for (int i = 0; i < count; i++) {
    const mbs_element *e = &m->lists.forces.item[p->moved ? i : m->varying.force[i]];
    if (mbs_absent(m, e))
      continue;
    /* most forces in the plane join two points: constant sizes */
    if (e->ops->mutual)
      GRADYN_TRY(m->dim == 2 ? mutual_force(way, 2, p, e, k, view)
                             : mutual_force(way, 3, p, e, k, view));
    else if (m->dim == 2 && e->points == 2)
      GRADYN_TRY(force(way, plane, p, e, k, view));
    else
      GRADYN_TRY(force(way, (extent){m->dim, e->points}, p, e, k, view));
  }
  return GRADYN_OK;
}

/* The direction is a constant of each call, so that each direction is compiled separately. */
static GRADYN_WIDE gradyn_status meet_forces(mbs_way way, const mbs_product *p, int k,
                                             const mbs_point_state *view)
{
  return MBS_BY_WAY(way, MBS_PLAINLY, p->m, forces, p, k, view);
}

gradyn_status mbs_meet_constraints(mbs_way way, const mbs_product *p)
{
  return meet_constraints(way, p);
}

gradyn_status mbs_meet_forces(mbs_way way, const mbs_product *p, int k, const mbs_point_state *view)
{
  return meet_forces(way, p, k, view);
}
