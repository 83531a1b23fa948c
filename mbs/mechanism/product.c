/* Products with derivatives by data, time and state. A product evaluates the state, computes changes of
 * positions of attached points, visits all kinds of elements, and distributes loads of attached points.
 * Transposed products run in reverse order. */
#include "mbs/mechanism/product.h"

/* Sets the range of positions of a kind that change: by the state (array y) and, if `others`, by data. If
 * only moving points change, the caller's array is used. */
static inline void open_places(mbs_product *p, int which, const gradyn_lanes *y, bool others)
{
  const gradyn_mbs *m = p->m;
  p->first[which] = y ? 0 : m->mech.n; /* 0: all moving points; n: none */
  /* ground and attached points follow the moving ones */
  p->end[which] = p->carried && (y || others) ? m->full_size : m->mech.n;
  p->position[which] = p->carried ? m->work.position[which] : (gradyn_lanes *)y;
}

/* Whether attached points take part in these parts of the equations, or in constraints of an order. */
static inline bool attached_in(const gradyn_mbs *m, int parts, int order)
{
  return m->attached.parts & (order < 0 ? parts : parts | GRADYN_CONSTRAINT);
}

/* Whether attached points take part in term k. */
static inline bool attached_in_term(const mbs_product *p, int k)
{
  return attached_in(p->m, p->term[k].parts, p->term[k].order);
}

/* Replaces rows and accelerations of a term by full arrays, so that attached points have entries. */
static void widen(mbs_product *p, int k)
{
  gradyn_mbs *m = p->m;
  memcpy(m->work.rows[k], p->r[k], (size_t)m->mech.n * sizeof *p->r[k]);
  mbs_clear_points(m, m->mech.n, m->work.rows[k]);
  p->limit[k] = m->full_size;
  p->r[k] = m->work.rows[k];
  p->a[k] = m->work.fields[k];
  if (p->term[k].parts & GRADYN_INERTIA)
    mbs_fill(m, p->term[k].at.a, true, m->work.fields[k]);
}

/* Begins a product of either direction. Data change if p->fed is set, q and v unless they are NULL. Rows
 * and accelerations are the caller's, or full arrays if attached points take part. lanes: groups of lanes
 * of an entry. */
GRADYN_KERNEL void begin(mbs_product *p, const gradyn_mech_point *look, const gradyn_lanes *q,
                         const gradyn_lanes *v, gradyn_lanes *const *r, int lanes)
{
  const gradyn_mbs *m = p->m;
  const int n = m->mech.n;
  p->terms = look->terms;
  p->term = look->term;
  p->state = look->node;
  p->moved = q || v;
  int parts = 0, order = GRADYN_NO_ORDER;
  /* parts of all terms, and their highest order */
  for (int k = 0; k < look->terms; k++) {
    const gradyn_mech_term *term = &look->term[k];
    parts |= term->parts;
    order = term->order > order ? term->order : order;
    p->r[k] = r[k];
    p->phi[k] = r[k] + lanes * n; /* rows of Phi follow the rows of R */
    p->a[k] = term->at.a;
    p->limit[k] = n;
  }
  p->parts = parts;
  p->order = order;
  const bool attached = attached_in(m, parts, order);
  for (int k = 0; k < p->terms && attached; k++)
    if (attached_in_term(p, k))
      widen(p, k);
  /* data move ground points, and attached points by weights and carriers */
  p->loaded = p->fed && m->carriers_active && attached;
  p->carried = (p->fed && m->places_active) || (p->moved && attached);
  open_places(p, MBS_PLACE, q, p->fed && m->places_active);
  /* constraints use rates only in Phi' and Phi'' */
  open_places(p, MBS_NODE_RATE, order > 0 ? v : NULL, p->loaded && order > 0);
  open_places(p, MBS_NODE_SECOND, NULL, p->loaded && order > 1);
  /* forces use velocities if any is damped */
  open_places(p, MBS_TERM_RATE, m->mech.damped ? v : NULL, p->loaded);
  open_places(p, MBS_TERM_SECOND, NULL, p->loaded);
}

/* Declares that no ground or attached point changes. */
static void close_places(mbs_product *p)
{
  p->carried = p->loaded = false;
  for (int which = 0; which < MBS_PLACES; which++)
    p->end[which] = p->m->mech.n;
}

/* Evaluates the node up to the order that constraints use. */
static mbs_point_state look_at_node(const mbs_product *p)
{
  return mbs_eval_up_to(p->m, p->state, p->order > 0 ? p->order : 0, GRADYN_ALL_ROWS);
}

/* Whether the state of the only term has the positions and velocities of the node: they need not be copied
 * again. */
static inline bool stands(const mbs_product *p, const gradyn_mech_state *at)
{
  return p->terms == 1 && p->order > 0 && p->m->attached.count == 0 && at->q == p->state->q &&
         at->v == p->state->v;
}

/* Visits the forces of a term, and the loads on its attached points. */
static gradyn_status visit_term(const mbs_way way, const mbs_product *p, int k)
{
  gradyn_mbs *m = p->m;
  const gradyn_mech_term *term = &p->term[k];
  const bool pushes = term->parts & GRADYN_FORCE, loaded = p->loaded && attached_in_term(p, k);
  gradyn_status status = GRADYN_OK;
  /* loads need accelerations, for M a */
  const int order = stands(p, &term->at) ? -1 : loaded ? 2 : 1;
  const mbs_point_state view = mbs_eval_up_to(m, &term->at, order, term->parts);
  if (loaded)
    status = mbs_attached_loads(m, term->parts, &term->at, &view);
  /* tangent: computes rates before forces use them; transposed: only clears them, since forces add to them */
  if (p->carried)
    mbs_clear_carried(p);
  if (p->carried && way == MBS_ALONG)
    mbs_meet_term_places(way, p, k);
  if (pushes && status == GRADYN_OK)
    status = mbs_meet_forces(way, p, k, &view);
  /* M times changes of accelerations of attached points */
  if (loaded && term->parts & m->attached.parts & GRADYN_INERTIA)
    mbs_meet_inertia_places(way, p, k);
  if (p->carried && way == MBS_AGAINST) /* adjoints of the term's rates go to state and data */
    mbs_meet_term_places(way, p, k);
  return status;
}

/* Visits forces and loads on attached points, term by term. */
static gradyn_status visit_terms(const mbs_way way, const mbs_product *p)
{
  const bool pushes = mbs_force_count(p) > 0;
  /* skips terms that do not depend on the changes */
  for (int k = 0; k < p->terms; k++)
    if ((p->loaded && attached_in_term(p, k)) || (pushes && p->term[k].parts & GRADYN_FORCE))
      GRADYN_TRY(visit_term(way, p, k));
  return GRADYN_OK;
}

/* Products of latched values c, which are in their constraints Phi - c. */
GRADYN_KERNEL void captures(const mbs_way way, const mbs_product *p)
{
  const gradyn_model *model = p->m->model;
  for (int i = 0; i < model->log.captures.count; i++) {
    const gradyn_capture *c = &model->log.captures.item[i];
    gradyn_lanes z[MBS_LANES] = {{0}};
    if (!gradyn_latch_active(c, model->discrete.mode) ||
        (way != MBS_AGAINST && !mbs_take(way, p, c->datum, z)))
      continue;
    for (int k = 0; k < p->terms; k++)
      if (p->term[k].order == 0 && c->constraint < p->m->mech.m)
        mbs_flow(way, -1, mbs_at(way, p->phi[k], c->constraint),
                 z); /* derivative of Phi - c by c */
    if (way == MBS_AGAINST)
      mbs_give(p, c->datum, z);
  }
}

/* Visits all parts of a product except positions at the node. */
GRADYN_KERNEL gradyn_status visit(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  /* rods and constraints: all terms at once; forces: term by term */
  const bool constrained = p->order >= 0 || p->parts & GRADYN_ALL_ROWS;
  if (constrained && m->lists.rods > 0 && (p->moved || m->varying.rods > 0))
    mbs_meet_rods(way, p);
  if (p->fed && p->parts & (GRADYN_INERTIA | GRADYN_FORCE))
    mbs_meet_inertia(way, p);
  if (constrained && mbs_constraint_count(p) > 0)
    GRADYN_TRY(mbs_meet_constraints(way, p));
  if (constrained && m->model->log.captures.count > 0 && p->fed)
    captures(way, p);
  return (p->parts & GRADYN_FORCE && mbs_force_count(p) > 0) || p->loaded ? visit_terms(way, p)
                                                                          : GRADYN_OK;
}

/* r += (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv, for all terms. */
gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                        const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_product p;
  p.m = m;
  p.columns = columns;
  p.fed = d->x || d->lanes;
  p.lanes = (gradyn_lanes *)d->lanes; /* only read */
  p.x = (double *)d->x;
  p.t = (double *)d->t;
  p.mass = d->mass;
  const bool twice = columns > GRADYN_LANES;
  begin(&p, look, d->q, d->v, r, twice ? 2 : 1);
  const mbs_point_state node = look_at_node(&p);
  p.node = &node;
  if (p.carried && !mbs_places_along(&p, d->q, d->v) && !p.moved)
    close_places(&p);
  gradyn_status status = visit(twice ? MBS_ALONG_TWICE : MBS_ALONG, &p);
  /* loads on attached points go to their carriers */
  for (int k = 0; k < p.terms; k++)
    if (p.r[k] != r[k]) {
      mbs_pull_rows(&p, k);
      memcpy(r[k], p.r[k], (size_t)mech->n * sizeof **r);
    }
  return status;
}

/* Transpose: x_bar, t_bar, q_bar, v_bar -= (R; Phi)^T mu. */
gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                          gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_product p;
  p.m = m;
  p.columns = columns;
  p.fed = adjoints->x || adjoints->lanes;
  p.lanes = adjoints->lanes;
  p.x = adjoints->x;
  p.t = adjoints->t;
  begin(&p, look, adjoints->q, adjoints->v, mu, 1);
  const mbs_point_state node = look_at_node(&p);
  p.node = &node;
  /* mu of attached points is the weighted sum of mu of their carriers */
  for (int k = 0; k < p.terms; k++)
    if (p.r[k] != mu[k])
      mbs_spread_rows(&p, k);
  if (p.carried)
    mbs_clear_places(&p); /* elements add to these arrays */
  gradyn_status status = visit(MBS_AGAINST, &p);
  if (p.carried)
    mbs_places_against(&p, adjoints->q, adjoints->v);
  return status;
}
