/* Products with derivatives by data and time: constraints and forces, and the whole. */
#include "mbs/product.h"

bool mbs_has_parts(const mbs_product *p, int parts)
{
  for (int k = 0; k < p->terms; k++)
    if (p->term[k].parts & parts)
      return true;
  return false;
}

bool mbs_has_order(const mbs_product *p, int order)
{
  for (int k = 0; k < p->terms; k++)
    if (p->term[k].order >= order)
      return true;
  return false;
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* Inputs that are data, without a detour. */
GRADYN_KERNEL bool meet_data(const mbs_way way, const mbs_product *p, const mbs_element *e,
                             gradyn_lanes *z)
{
  bool change = false;
  for (int k = e->first_input; k < e->end_input; k++)
    if (way == MBS_ALONG)
      change = mbs_take(p, e->datum + k, &z[k]) || change;
    else
      mbs_give(p, e->datum + k, &z[k]);
  return change;
}

GRADYN_KERNEL bool meet_row(const mbs_way way, const mbs_product *p, const mbs_input_row *row,
                            gradyn_lanes *z)
{
  bool change = false;
  for (int i = 0; i < row->count; i++) {
    gradyn_lanes d = row->slope[i] * *z;
    if (way == MBS_AGAINST) {
      mbs_give(p, row->datum[i], &d);
      continue;
    }
    change = mbs_take(p, row->datum[i], &d) || change;
    *z += row->slope[i] * d;
  }
  for (int v = 0; p->t && row->rate != 0 && v < p->columns; v++)
    if (way == MBS_AGAINST) {
      p->t[v] -= row->rate * (*z)[v];
    } else {
      (*z)[v] += row->rate * p->t[v];
      change = change || p->t[v] != 0;
    }
  return change;
}

/* Feed, z = (dz/dx) dx + (dz/dt) dt, and collect, its transpose; along, false: nothing changes. */
GRADYN_KERNEL bool meet_inputs(const mbs_way way, const mbs_product *p, const mbs_element *e,
                               gradyn_lanes *z)
{
  if (mbs_plain_inputs(e))
    return meet_data(way, p, e, z);
  mbs_input_row row[MBS_INPUTS];
  bool change = false;
  mbs_input_rows(p->m, e, p->node->t, row);
  for (int k = 0; k < mbs_input_count(e); k++)
    change = meet_row(way, p, &row[k], &z[k]) || change;
  return change;
}

GRADYN_KERNEL void clear_inputs(const mbs_element *e, gradyn_lanes *z)
{
  for (int k = e->first_input; k < e->end_input; k++)
    z[k] = (gradyn_lanes){0};
}

/* --- rods ------------------------------------------------------------------------------------- */

/* Derivative of a rod's Phi, Phi' or Phi'' by its length. */
GRADYN_KERNEL double rod_slope(int dim, const mbs_rod *rod, int order, const mbs_view *at)
{
  double sum = 0;
  for (int k = 0; k < dim; k++) {
    double r = at->pos[rod->b + k] - at->pos[rod->a + k];
    double v = order > 0 ? at->vel[rod->b + k] - at->vel[rod->a + k] : 0;
    double a = order > 1 ? at->acc[rod->b + k] - at->acc[rod->a + k] : 0;
    sum += order == 0 ? r * r / 2 : order == 1 ? r * v : v * v + r * a;
  }
  return -sum * rod->w * rod->w - (order == 0 ? 0.5 : 0);
}

/* Rows: forces lam w r on b and their opposites on a, w = 1/s; the constraint. Input: the length s. */
GRADYN_KERNEL void rods(const mbs_way way, int dim, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->varying.rods; i++) {
    const mbs_rod *e = &m->rod[m->varying.rod[i]];
    gradyn_lanes s = {0};
    if (way == MBS_ALONG && !mbs_take(p, e->datum, &s))
      continue;
    for (int k = 0; k < p->terms; k++) {
      const gradyn_mech_term *term = &p->term[k];
      bool pulled = term->parts & GRADYN_CONSTRAINT;
      double by_s = pulled ? -term->at.lam[e->row] * e->w * e->w : 0;
      for (int c = 0; c < dim && pulled; c++) {
        double D = by_s * (p->node->pos[e->b + c] - p->node->pos[e->a + c]);
        if (e->a < p->limit)
          mbs_flow(way, -D, p->r[k] + e->a + c, &s);
        if (e->b < p->limit)
          mbs_flow(way, D, p->r[k] + e->b + c, &s);
      }
      if (term->order >= 0)
        mbs_flow(way, rod_slope(dim, e, term->order, p->node), p->phi[k] + e->row, &s);
    }
    if (way == MBS_AGAINST)
      mbs_give(p, e->datum, &s);
  }
}

static GRADYN_WIDE void rods_along(const mbs_product *p)
{
  if (p->m->dim == 2)
    rods(MBS_ALONG, 2, p);
  else
    rods(MBS_ALONG, 3, p);
}

static GRADYN_WIDE void rods_against(const mbs_product *p)
{
  if (p->m->dim == 2)
    rods(MBS_AGAINST, 2, p);
  else
    rods(MBS_AGAINST, 3, p);
}

/* --- other elements --------------------------------------------------------------------------- */

/* What an element does to its points: by its inputs z [inputs][local], by positions and, for forces, by
 * velocities of its points [local][local], rows = force. */
typedef struct slopes {
  double z[MBS_INPUTS * MBS_LOCAL], pos[MBS_LOCAL * MBS_LOCAL], vel[MBS_LOCAL * MBS_LOCAL];
} slopes;

static gradyn_status force_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                  slopes *s)
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  gradyn_status status = e->ops->force_input(m, e, view, z, s->z);
  return status == GRADYN_OK && e->fixed_active ? e->ops->force_state(m, e, view, z, s->pos, s->vel)
                                                : status;
}

static gradyn_status constraint_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                       slopes *s)
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  gradyn_status status = e->ops->phi_q_input(m, e, view, z, s->z);
  return status == GRADYN_OK && e->fixed_active ? e->ops->hessian(m, e, view, z, s->pos) : status;
}

/* A derivative g [local] by the places of an element's points. */
GRADYN_KERNEL void meet_places(const mbs_way way, const mbs_product *p, const mbs_element *e,
                               double scale, const double *g, gradyn_lanes *r, int which)
{
  int dim = p->m->dim;
  for (int i = 0; i < e->points; i++)
    for (int c = 0; c < dim && e->at[i] >= p->m->mech.n; c++)
      mbs_flow(way, scale * g[dim * i + c], r, p->m->place[which] + e->at[i] + c);
}

/* The rows at an element's points: scale times its slopes. */
GRADYN_KERNEL void meet_points(const mbs_way way, const mbs_product *p, const mbs_element *e, int k,
                               double scale, const slopes *s, gradyn_lanes *z)
{
  int dim = p->m->dim, local = e->local;
  for (int i = 0; i < e->points; i++) {
    gradyn_lanes *r = p->r[k] + e->at[i];
    if (e->at[i] >= p->limit)
      continue;
    for (int j = e->first_input; j < e->end_input; j++)
      for (int c = 0; c < dim; c++)
        mbs_flow(way, scale * s->z[j * local + dim * i + c], r + c, &z[j]);
    for (int c = 0; c < dim && e->fixed_active; c++) {
      int row = (dim * i + c) * local;
      meet_places(way, p, e, scale, s->pos + row, r + c, MBS_PLACE);
      if (e->slot && e->ops->force)
        meet_places(way, p, e, scale, s->vel + row, r + c, MBS_TERM_RATE);
    }
  }
}

/* Phi, Phi' or Phi'' of a constraint, by order. By velocities and accelerations of attached points:
 * Phi'_v = Phi''_a = Phi_q and Phi''_v = 2 Phi'_q. */
GRADYN_KERNEL gradyn_status meet_equation(const mbs_way way, const mbs_product *p,
                                          const mbs_element *e, int order, gradyn_lanes *r,
                                          gradyn_lanes *z)
{
  double room[MBS_INPUTS], phi_z[MBS_INPUTS], g[MBS_LOCAL];
  const double *inputs = mbs_inputs(p->m, e, p->node->t, room);
  gradyn_status status = e->ops->phi_input(p->m, e, p->node, inputs, order, phi_z);
  for (int j = e->first_input; j < e->end_input; j++)
    mbs_flow(way, phi_z[j], r, &z[j]);
  for (int up = 0; up <= (e->slot ? order : 0) && e->fixed_active && status == GRADYN_OK; up++) {
    status = e->ops->phi_q(p->m, e, p->node, inputs, order - up, g);
    meet_places(way, p, e, up == 1 && order == 2 ? 2 : 1, g, r, MBS_PLACE + up);
  }
  return status;
}

GRADYN_KERNEL gradyn_status constraint(const mbs_way way, const mbs_product *p, int row)
{
  const mbs_element *e = &p->m->constraints.item[row];
  slopes s;
  gradyn_lanes z[MBS_INPUTS];
  gradyn_status status = GRADYN_OK;
  clear_inputs(e, z);
  if (way == MBS_ALONG && !meet_inputs(way, p, e, z) && !e->fixed_active)
    return status;
  if (mbs_has_parts(p, row < p->m->mech.m ? GRADYN_CONSTRAINT : GRADYN_HELD))
    status = constraint_slopes(p->m, e, p->node, &s);
  for (int k = 0; k < p->terms && status == GRADYN_OK; k++) {
    const gradyn_mech_term *term = &p->term[k];
    if (mbs_pulls(p, k, row))
      meet_points(way, p, e, k, term->at.lam[row], &s, z);
    if (mbs_holds(p, k, row))
      status = meet_equation(way, p, e, term->order, p->phi[k] + row, z);
  }
  if (way == MBS_AGAINST)
    meet_inputs(way, p, e, z);
  return status;
}

GRADYN_KERNEL gradyn_status constraints(const mbs_way way, const mbs_product *p)
{
  const mbs_varying *list = &p->m->varying;
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < list->constraints && status == GRADYN_OK; i++) {
    const mbs_element *e = &p->m->constraints.item[list->constraint[i]];
    if (e->active || (p->t && !e->steady))
      status = constraint(way, p, list->constraint[i]);
  }
  return status;
}

static GRADYN_WIDE gradyn_status constraints_along(const mbs_product *p)
{
  return constraints(MBS_ALONG, p);
}

static GRADYN_WIDE gradyn_status constraints_against(const mbs_product *p)
{
  return constraints(MBS_AGAINST, p);
}

/* Forces in term k, with R = ... - f. */
GRADYN_KERNEL gradyn_status forces(const mbs_way way, const mbs_product *p, int k,
                                   const mbs_view *view)
{
  const mbs_varying *list = &p->m->varying;
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < list->forces && status == GRADYN_OK; i++) {
    const mbs_element *e = &p->m->forces.item[list->force[i]];
    slopes s;
    gradyn_lanes z[MBS_INPUTS];
    if (!e->active && !p->t)
      continue;
    clear_inputs(e, z);
    if (way == MBS_ALONG && !meet_inputs(way, p, e, z) && !e->fixed_active)
      continue;
    status = force_slopes(p->m, e, view, &s);
    if (status == GRADYN_OK)
      meet_points(way, p, e, k, -1, &s, z);
    if (way == MBS_AGAINST && status == GRADYN_OK)
      meet_inputs(way, p, e, z);
  }
  return status;
}

static GRADYN_WIDE gradyn_status forces_along(const mbs_product *p, int k, const mbs_view *view)
{
  return forces(MBS_ALONG, p, k, view);
}

static GRADYN_WIDE gradyn_status forces_against(const mbs_product *p, int k, const mbs_view *view)
{
  return forces(MBS_AGAINST, p, k, view);
}

/* --- the whole -------------------------------------------------------------------------------- */

static mbs_product product_of(gradyn_mbs *m, const gradyn_mech_look *look, const mbs_view *node,
                              int columns)
{
  return (mbs_product){.m = m,
                       .terms = look->terms,
                       .term = look->term,
                       .state = look->node,
                       .node = node,
                       .columns = columns};
}

/* Where rows and accelerations stand: those of the caller, or full ones of attached points. */
static void lay_out(mbs_product *p, gradyn_lanes *const *r)
{
  gradyn_mbs *m = p->m;
  bool carried = m->attached_count > 0;
  p->limit = carried ? m->full_size : m->mech.n;
  for (int k = 0; k < p->terms; k++) {
    const gradyn_mech_term *term = &p->term[k];
    p->r[k] = carried ? m->rows[k] : r[k];
    p->phi[k] = r[k] + m->mech.n;
    p->a[k] = carried ? m->fields[k] : term->at.a;
    if (carried && term->parts & GRADYN_INERTIA)
      mbs_fill(m, term->at.a, m->fields[k]);
  }
}

/* What depends on the velocities of a term, or on what its attached points carry. */
static gradyn_status visit_term(const mbs_way way, const mbs_product *p, int k)
{
  gradyn_mbs *m = p->m;
  const gradyn_mech_term *term = &p->term[k];
  const bool pushes = term->parts & GRADYN_FORCE && m->varying.forces > 0;
  const bool carried = m->carriers_active;
  gradyn_status status = GRADYN_OK;
  if (!pushes && !carried)
    return status;
  const mbs_view view = mbs_look_up_to(m, &term->at, carried ? 2 : 1);
  if (carried)
    status = mbs_point_loads(m, term->parts, &term->at, &view);
  if (carried && way == MBS_ALONG)
    mbs_term_places_along(p, k);
  else if (carried)
    mbs_clear_places(p, MBS_TERM_RATE, MBS_PLACES);
  if (pushes && status == GRADYN_OK)
    status = way == MBS_ALONG ? forces_along(p, k, &view) : forces_against(p, k, &view);
  if (carried && term->parts & GRADYN_INERTIA && way == MBS_ALONG)
    mbs_inertia_places_along(p, k);
  else if (carried && term->parts & GRADYN_INERTIA)
    mbs_inertia_places_against(p, k);
  if (carried && way == MBS_AGAINST)
    mbs_term_places_against(p, k);
  return status;
}

static gradyn_status visit_terms(const mbs_way way, const mbs_product *p)
{
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < p->terms && status == GRADYN_OK; k++)
    status = visit_term(way, p, k);
  return status;
}

gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                        const double *dx, const double *dt, gradyn_lanes *const *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_view node = mbs_look(m, look->node);
  mbs_product p = product_of(m, look, &node, columns);
  p.x = (double *)dx; /* only read */
  p.t = (double *)dt;
  lay_out(&p, r);
  for (int k = 0; k < p.terms && m->attached_count > 0; k++)
    memset(m->rows[k], 0, (size_t)p.limit * sizeof **r);
  if (m->places_active)
    mbs_places_along(&p);
  if (m->varying.rods > 0)
    rods_along(&p);
  gradyn_status status = m->varying.constraints > 0 ? constraints_along(&p) : GRADYN_OK;
  mbs_inertia_along(&p);
  if (status == GRADYN_OK)
    status = visit_terms(MBS_ALONG, &p);
  for (int k = 0; k < p.terms && m->attached_count > 0; k++) {
    mbs_pull_rows(&p, k);
    for (int i = 0; i < mech->n; i++)
      r[k][i] += m->rows[k][i];
  }
  return status;
}

gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                          gradyn_lanes *const *mu, double *x_bar, double *t_bar)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_view node = mbs_look(m, look->node);
  mbs_product p = product_of(m, look, &node, columns);
  p.x = x_bar;
  p.t = t_bar;
  lay_out(&p, mu);
  for (int k = 0; k < p.terms && m->attached_count > 0; k++) {
    memset(m->rows[k], 0, (size_t)p.limit * sizeof **mu);
    memcpy(m->rows[k], mu[k], (size_t)mech->n * sizeof **mu);
    mbs_spread_rows(&p, k);
  }
  if (m->places_active)
    mbs_clear_places(&p, MBS_PLACE, MBS_TERM_RATE);
  if (m->varying.rods > 0)
    rods_against(&p);
  gradyn_status status = m->varying.constraints > 0 ? constraints_against(&p) : GRADYN_OK;
  mbs_inertia_against(&p);
  if (status == GRADYN_OK)
    status = visit_terms(MBS_AGAINST, &p);
  if (m->places_active)
    mbs_places_against(&p);
  return status;
}
