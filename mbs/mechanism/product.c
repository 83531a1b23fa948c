/* Products with derivatives by data, time and state: the whole, whose parts have files of their own. A
 * look is taken at a state, places of attached points are brought along, every kind of element adds its
 * part, and what carriers share is handed on: along in this order, against in reverse. */
#include "mbs/mechanism/product.h"

/* Places of a kind that the state (from or to y) or data (if `others`) change. Those of free points stand
 * with the caller if no others change. */
static inline void open_places(mbs_product *p, int which, const gradyn_lanes *y, bool others)
{
  const gradyn_mbs *m = p->m;
  p->first[which] = y ? 0 : m->mech.n; /* 0: all free points; n: none of them */
  /* attached and ground points stand behind the free ones */
  p->end[which] = p->carried && (y || others) ? m->full_size : m->mech.n;
  p->place[which] = p->carried ? m->work.place[which] : (gradyn_lanes *)y;
}

/* Whether attached points take part in equations: in these parts, or in constraints of some order. */
static inline bool attached_in(const gradyn_mbs *m, int parts, int order)
{
  return m->attached.parts & (order < 0 ? parts : parts | GRADYN_CONSTRAINT);
}

/* Whether attached points take part in a term: forces alone may see them. */
static inline bool attached_in_term(const mbs_product *p, int k)
{
  return attached_in(p->m, p->term[k].parts, p->term[k].order);
}

/* Rows and accelerations of a term in full: those of attached points have to be carried. */
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

/* The parts of a product that both ways share; p->fed and t, q and v tell what changes. Rows and
 * accelerations stand with the caller, or are full ones where attached points take part; entries of rows have
 * so many lanes. */
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
  /* the parts and the highest order that any term has */
  for (int k = 0; k < look->terms; k++) {
    const gradyn_mech_term *term = &look->term[k];
    parts |= term->parts;
    order = term->order > order ? term->order : order;
    p->r[k] = r[k];
    p->phi[k] = r[k] + lanes * n; /* rows of Phi stand behind those of R */
    p->a[k] = term->at.a;
    p->limit[k] = n;
  }
  p->parts = parts;
  p->order = order;
  const bool attached = attached_in(m, parts, order);
  for (int k = 0; k < p->terms && attached; k++)
    if (attached_in_term(p, k))
      widen(p, k);
  /* data move ground points, and attached ones by their weights and carriers */
  p->loaded = p->fed && m->carriers_active && attached;
  p->carried = (p->fed && m->places_active) || (p->moved && attached);
  open_places(p, MBS_PLACE, q, p->fed && m->places_active);
  /* of constraints, in equations alone */
  open_places(p, MBS_NODE_RATE, order > 0 ? v : NULL, p->loaded && order > 0);
  open_places(p, MBS_NODE_SECOND, NULL, p->loaded && order > 1);
  /* of forces, where any depends on velocities */
  open_places(p, MBS_TERM_RATE, m->mech.damped ? v : NULL, p->loaded);
  open_places(p, MBS_TERM_SECOND, NULL, p->loaded);
}

/* No place changes that is not free. */
static void close_places(mbs_product *p)
{
  p->carried = p->loaded = false;
  for (int which = 0; which < MBS_PLACES; which++)
    p->end[which] = p->m->mech.n;
}

/* Places of the node, and what constraints see besides. */
static mbs_point_state look_at_node(const mbs_product *p)
{
  return mbs_eval_up_to(p->m, p->state, p->order > 0 ? p->order : 0, GRADYN_ALL_ROWS);
}

/* Whether places and velocities of the only term are those of the node, which stand there from the look at
 * it. */
static inline bool stands(const mbs_product *p, const gradyn_mech_state *at)
{
  return p->terms == 1 && p->order > 0 && p->m->attached.count == 0 && at->q == p->state->q &&
         at->v == p->state->v;
}

/* What depends on the velocities of a term, or on what its attached points carry. */
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
  /* along: places before what uses them; against, cleared for what is added */
  if (p->carried)
    mbs_clear_carried(p);
  if (p->carried && way == MBS_ALONG)
    mbs_meet_term_places(way, p, k);
  if (pushes && status == GRADYN_OK)
    status = mbs_meet_forces(way, p, k, &view);
  /* M times what attached points are accelerated by */
  if (loaded && term->parts & m->attached.parts & GRADYN_INERTIA)
    mbs_meet_inertia_places(way, p, k);
  if (p->carried && way == MBS_AGAINST) /* from the term's places back to state and data */
    mbs_meet_term_places(way, p, k);
  return status;
}

/* Forces and loads on attached points, term by term. */
static gradyn_status visit_terms(const mbs_way way, const mbs_product *p)
{
  const bool pushes = mbs_force_count(p) > 0;
  /* not those where nothing depends on what changes */
  for (int k = 0; k < p->terms; k++)
    if ((p->loaded && attached_in_term(p, k)) || (pushes && p->term[k].parts & GRADYN_FORCE))
      GRADYN_TRY(visit_term(way, p, k));
  return GRADYN_OK;
}

/* What captured data do to their rows, Phi - c. */
GRADYN_KERNEL void captures(const mbs_way way, const mbs_product *p)
{
  const gradyn_model *model = p->m->model;
  for (int i = 0; i < model->log.captures.count; i++) { /* lanes: one for each column */
    const gradyn_capture *c = &model->log.captures.item[i];
    gradyn_lanes z[MBS_LANES] = {{0}};
    if (!gradyn_capture_holds(c, model->discrete.mode) ||
        (way != MBS_AGAINST && !mbs_take(way, p, c->datum, z)))
      continue;
    for (int k = 0; k < p->terms; k++)
      if (p->term[k].order == 0 && c->constraint < p->m->mech.m)
        mbs_flow(way, -1, mbs_at(way, p->phi[k], c->constraint),
                 z); /* Phi - c: the column of c is -1 */
    if (way == MBS_AGAINST)
      mbs_give(p, c->datum, z);
  }
}

/* Everything but places at the node. */
GRADYN_KERNEL gradyn_status visit(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  /* rods and constraints once for all terms, forces term by term */
  const bool constrained = p->order >= 0 || p->parts & GRADYN_ALL_ROWS;
  /* data of lengths, and the state */
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

/* r += (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv, for all terms of a look. */
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

/* Its transpose: bars of x, t, q, v lose (R; Phi)^T mu. */
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
  /* mu of attached points is that of their carriers, weighted */
  for (int k = 0; k < p.terms; k++)
    if (p.r[k] != mu[k])
      mbs_spread_rows(&p, k);
  if (p.carried)
    mbs_clear_places(&p); /* bars are added to */
  gradyn_status status = visit(MBS_AGAINST, &p);
  if (p.carried)
    mbs_places_against(&p, adjoints->q, adjoints->v);
  return status;
}
