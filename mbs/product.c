/* Products with derivatives by data, time and state: constraints and forces, and the whole. */
#include "mbs/product.h"

/* --- inputs ----------------------------------------------------------------------------------- */

/* Inputs that are data, without a detour. */
GRADYN_KERNEL bool meet_data(const mbs_way way, const mbs_product *p, const mbs_element *e,
                             gradyn_lanes *z)
{
  /* data of an element stand in a row of x */
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
  for (int i = 0; i < row->count && p->x; i++) {
    /* z = slope d along; d = slope z_bar against */
    gradyn_lanes d = row->slope[i] * *z;
    if (way == MBS_AGAINST) {
      mbs_give(p, row->datum[i], &d);
      continue;
    }
    change = mbs_take(p, row->datum[i], &d) || change;
    *z += row->slope[i] * d;
  }
  /* explicit time, column by column */
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
    return p->x && meet_data(way, p, e, z);
  /* rows of dz/dx, as sparse as inputs are */
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

/* --- other elements --------------------------------------------------------------------------- */

/* What changes of an element, and what that does to its points: its force f or, of a constraint, its gradient
 * G, both [local]. */
typedef struct slopes {
  int first, end;                   /* inputs that change */
  bool bent, pushed;                /* places of its points do; their velocities, which push */
  double z[MBS_INPUTS * MBS_LOCAL]; /* by inputs [inputs][local] */
  double by_pos[MBS_LOCAL * MBS_LOCAL], vel[MBS_LOCAL * MBS_LOCAL]; /* room */
  const double *pos; /* by positions [local][local] */
} slopes;

/* Whether places of a kind change that an element sees. */
static inline bool sees(const mbs_product *p, const mbs_element *e, int which)
{
  return p->first[which] == 0 ||
         (e->fixed_active && (which == MBS_PLACE || e->slot) && p->end[which] > p->m->mech.n);
}

/* Whether an input of the element changes. */
static inline bool fed(const mbs_product *p, const mbs_element *e)
{
  return (p->x && e->active) || (p->t && !e->steady);
}

/* Looks which parts of an element change; along, z are the changes of its inputs. */
GRADYN_KERNEL bool look_at(const mbs_way way, const mbs_product *p, const mbs_element *e, int rate,
                           slopes *s, gradyn_lanes *z)
{
  s->first = s->end = 0;
  /* places bend; rates of places turn, and push where forces see velocities */
  s->bent = sees(p, e, MBS_PLACE);
  const bool turned = sees(p, e, rate);
  s->pushed = turned && rate == MBS_TERM_RATE;
  if (!fed(p, e))
    return s->bent || turned;
  clear_inputs(e, z);
  /* against, inputs have bars whatever they are; along, only if they change */
  if (way == MBS_AGAINST || meet_inputs(way, p, e, z)) {
    s->first = e->first_input;
    s->end = e->end_input;
  }
  return s->end > s->first || s->bent || turned;
}

/* An element's axes and points: constants of inlined calls for what is most frequent. */
typedef struct extent {
  int dim, points;
} extent;

/* A derivative g [local] by the places of an element's points. */
GRADYN_KERNEL void meet_places(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, const double *g, gradyn_lanes *r, int which)
{
  /* by X_i of the points, where places of that kind change */
  for (int i = 0; i < size.points; i++)
    for (int c = 0; c < size.dim && mbs_moves(p, which, e->at[i]); c++)
      mbs_move(way, g[size.dim * i + c], r, p->place[which] + e->at[i] + c);
}

/* The change f [local] of an element's force or gradient, or what it means. */
GRADYN_KERNEL void meet_slopes(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, const slopes *s, gradyn_lanes *f,
                               gradyn_lanes *z)
{
  const int local = size.dim * size.points;
  /* f_z z + f_X X + f_X' X', or their transposes */
  for (int j = s->first; j < s->end; j++)
    for (int i = 0; i < local; i++)
      mbs_flow(way, s->z[j * local + i], &f[i], &z[j]);
  for (int i = 0; i < local && s->bent; i++)
    meet_places(way, size, p, e, s->pos + i * local, &f[i], MBS_PLACE);
  for (int i = 0; i < local && s->pushed; i++)
    meet_places(way, size, p, e, s->vel + i * local, &f[i], MBS_TERM_RATE);
}

/* Rows of term k at an element's points: scale times f [local]. */
GRADYN_KERNEL void meet_points(const mbs_way way, const extent size, const mbs_product *p,
                               const mbs_element *e, int k, double scale, gradyn_lanes *f)
{
  /* onto the rows of the points */
  for (int i = 0; i < size.points; i++)
    for (int c = 0; c < size.dim && e->at[i] < p->limit; c++)
      mbs_flow(way, scale, p->r[k] + e->at[i] + c, &f[size.dim * i + c]);
}

static gradyn_status constraint_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                       slopes *s)
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  /* dG/dz and H = dG/dq */
  gradyn_status status = GRADYN_OK;
  if (s->end > s->first)
    status = e->ops->phi_q_input(m, e, view, z, s->z);
  return status == GRADYN_OK && s->bent ? mbs_hessian(m, e, view, s->by_pos, &s->pos) : status;
}

/* Phi, Phi' or Phi'' of a constraint, by order. By velocities and accelerations of points:
 * Phi'_v = Phi''_a = Phi_q and Phi''_v = 2 Phi'_q. */
GRADYN_KERNEL gradyn_status meet_equation(const mbs_way way, const mbs_product *p,
                                          const mbs_element *e, const slopes *s, int order,
                                          gradyn_lanes *r, gradyn_lanes *z)
{
  const extent size = {p->m->dim, e->points};
  double room[MBS_INPUTS], phi_z[MBS_INPUTS], g[MBS_LOCAL];
  const double *inputs = mbs_inputs(p->m, e, p->node->t, room);
  gradyn_status status = GRADYN_OK;
  if (s->end > s->first)
    status = e->ops->phi_input(p->m, e, p->node, inputs, order, phi_z);
  for (int j = s->first; j < s->end; j++) /* Phi^(j)_z z */
    mbs_flow(way, phi_z[j], r, &z[j]);
  /* X, X', X'' enter with derivatives of one order less each */
  for (int up = 0; up <= order && status == GRADYN_OK; up++) {
    if (!sees(p, e, MBS_PLACE + up))
      continue;
    status = e->ops->phi_q(p->m, e, p->node, inputs, order - up, g);
    for (int i = 0; i < e->local && up == 1 && order == 2; i++) /* Phi''_v = 2 Phi'_q */
      g[i] *= 2;
    meet_places(way, size, p, e, g, r, MBS_PLACE + up);
  }
  return status;
}

/* The row of a constraint that does not belong to the present mode: that of its own coordinate. */
GRADYN_KERNEL void absent(const mbs_way way, const mbs_product *p, const mbs_element *e, int row)
{
  for (int k = 0; k < p->terms; k++) {
    const int which = MBS_PLACE + p->term[k].order;
    if (mbs_holds(p, k, row) && mbs_moves(p, which, e->modes.at))
      mbs_move(way, 1, p->phi[k] + row, p->place[which] + e->modes.at);
  }
}

GRADYN_KERNEL gradyn_status constraint(const mbs_way way, const mbs_product *p, int row)
{
  const mbs_element *e = &p->m->constraints.item[row];
  if (mbs_absent(p->m, e)) {
    absent(way, p, e, row);
    return GRADYN_OK;
  }
  slopes s;
  gradyn_lanes z[MBS_INPUTS], G[MBS_LOCAL];
  gradyn_status status = GRADYN_OK;
  const extent size = {p->m->dim, e->points};
  bool pulled = p->parts & mbs_part(p, row);
  /* rows that are not part of any term */
  if (row >= p->m->mech.m && !pulled)
    return status;
  if (!look_at(way, p, e, MBS_NODE_RATE, &s, z))
    return status;
  s.bent = s.bent && e->ops->degree != 1; /* of G */
  pulled = pulled && (s.end > s.first || s.bent);
  for (int i = 0; i < e->local && pulled; i++)
    G[i] = (gradyn_lanes){0};
  if (pulled)
    status = constraint_slopes(p->m, e, p->node, &s);
  /* along: dG first, then lam dG; against, in the other direction */
  if (way == MBS_ALONG && pulled && status == GRADYN_OK)
    meet_slopes(way, size, p, e, &s, G, z);
  for (int k = 0; k < p->terms && status == GRADYN_OK; k++) {
    const gradyn_mech_term *term = &p->term[k];
    if (pulled && mbs_pulls(p, k, row))
      meet_points(way, size, p, e, k, term->at.lam[row], G); /* R += G^T lam */
    if (mbs_holds(p, k, row))                                /* Phi^(order) of this term */
      status = meet_equation(way, p, e, &s, term->order, p->phi[k] + row, z);
  }
  if (way == MBS_AGAINST && pulled && status == GRADYN_OK)
    meet_slopes(way, size, p, e, &s, G, z);
  if (way == MBS_AGAINST && s.end > s.first)
    meet_inputs(way, p, e, z);
  return status;
}

/* Constraints that are visited: with the state all that are no rods, with data alone those of the list, in
 * the order in which they hold. */
static int constraint_count(const mbs_product *p)
{
  /* kinds of rows stand one after the other */
  const gradyn_mbs *m = p->m;
  const mbs_when last = p->parts & GRADYN_CONTACT ? MBS_AT_IMPACTS
                        : p->parts & GRADYN_HELD  ? MBS_AT_START
                                                  : MBS_IN_MOTION;
  return p->moved ? m->others_end[last] : m->varying.constraints_end[last];
}

GRADYN_KERNEL gradyn_status constraints(const mbs_way way, const mbs_product *p)
{
  const int *number = p->moved ? p->m->other : p->m->varying.constraint;
  const int count = constraint_count(p);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < count && status == GRADYN_OK; i++)
    status = constraint(way, p, number[i]);
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

static gradyn_status force_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                  slopes *s)
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  gradyn_status status = GRADYN_OK;
  s->pos = s->by_pos;
  /* blocks only by what changes */
  if (s->end > s->first)
    status = e->ops->force_input(m, e, view, z, s->z);
  return status == GRADYN_OK && (s->bent || s->pushed)
             ? e->ops->force_state(m, e, view, z, s->by_pos, s->pushed ? s->vel : NULL)
             : status;
}

static int force_count(const mbs_product *p)
{
  return p->moved ? p->m->forces.count : p->m->varying.forces;
}

/* A force in term k, with R = ... - f. */
GRADYN_KERNEL gradyn_status force(const mbs_way way, const extent size, const mbs_product *p,
                                  const mbs_element *e, int k, const mbs_view *view)
{
  slopes s;
  gradyn_lanes z[MBS_INPUTS], f[MBS_LOCAL];
  if (!look_at(way, p, e, MBS_TERM_RATE, &s, z))
    return GRADYN_OK;
  gradyn_status status = force_slopes(p->m, e, view, &s);
  if (status != GRADYN_OK)
    return status;
  /* bars begin at zero; along, f is a sum */
  for (int j = 0; j < size.dim * size.points; j++)
    f[j] = (gradyn_lanes){0};
  /* along: f by its arguments, then the rows; against, the rows first */
  if (way == MBS_ALONG)
    meet_slopes(way, size, p, e, &s, f, z);
  meet_points(way, size, p, e, k, -1, f); /* R = ... - f */
  if (way == MBS_AGAINST)
    meet_slopes(way, size, p, e, &s, f, z);
  if (way == MBS_AGAINST && s.end > s.first)
    meet_inputs(way, p, e, z);
  return status;
}

GRADYN_KERNEL gradyn_status forces(const mbs_way way, const mbs_product *p, int k,
                                   const mbs_view *view)
{
  const gradyn_mbs *m = p->m;
  const extent plane = {2, 2};
  const int count = force_count(p);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < count && status == GRADYN_OK; i++) {
    const mbs_element *e = &m->forces.item[p->moved ? i : m->varying.force[i]];
    if (mbs_absent(m, e))
      continue;
    /* most forces in the plane join two points: constants for the compiler */
    if (m->dim == 2 && e->points == 2)
      status = force(way, plane, p, e, k, view);
    else
      status = force(way, (extent){m->dim, e->points}, p, e, k, view);
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

/* Places of a kind that the state (from or to y) or data (if `others`) change. Those of free points stand
 * with the caller if no others change. */
static inline void open_places(mbs_product *p, int which, const gradyn_lanes *y, bool others)
{
  const gradyn_mbs *m = p->m;
  p->first[which] = y ? 0 : m->mech.n; /* 0: all free points; n: none of them */
  /* attached and ground points stand behind the free ones */
  p->end[which] = p->carried && (y || others) ? m->full_size : m->mech.n;
  p->place[which] = p->carried ? m->place[which] : (gradyn_lanes *)y;
}

/* The parts of a product that both ways share; p->x and t, q and v tell what changes. Rows and
 * accelerations stand with the caller, or are full ones where points are attached. */
static void begin(mbs_product *p, const gradyn_mech_look *look, const gradyn_lanes *q,
                  const gradyn_lanes *v, gradyn_lanes *const *r)
{
  gradyn_mbs *m = p->m;
  const bool attached = m->attached_count > 0;
  p->terms = look->terms;
  p->term = look->term;
  p->state = look->node;
  p->limit = attached ? m->full_size : m->mech.n; /* rows of attached points have to be carried */
  p->moved = q || v;
  /* weights of attached points */
  p->carried = (p->x && m->places_active) || (p->moved && attached);
  const bool carriers = p->x && m->carriers_active;
  open_places(p, MBS_PLACE, q, p->x && m->places_active);
  open_places(p, MBS_NODE_RATE, v, carriers);
  open_places(p, MBS_NODE_SECOND, NULL, carriers);
  /* of forces, where any depends on velocities */
  open_places(p, MBS_TERM_RATE, m->mech.damped ? v : NULL, carriers);
  open_places(p, MBS_TERM_SECOND, NULL, carriers);
  p->parts = p->order = 0;
  /* the parts and the highest order that any term has */
  for (int k = 0; k < p->terms; k++) {
    const gradyn_mech_term *term = &p->term[k];
    p->parts |= term->parts;
    p->order = term->order > p->order ? term->order : p->order;
    p->r[k] = attached ? m->rows[k] : r[k];
    p->phi[k] = r[k] + m->mech.n; /* rows of Phi stand behind those of R */
    p->a[k] = attached ? m->fields[k] : term->at.a;
    if (attached && term->parts & GRADYN_INERTIA) /* accelerations of attached points, too */
      mbs_fill(m, term->at.a, m->fields[k]);
  }
}

/* What depends on the velocities of a term, or on what its attached points carry. */
static gradyn_status visit_term(const mbs_way way, const mbs_product *p, int k)
{
  gradyn_mbs *m = p->m;
  const gradyn_mech_term *term = &p->term[k];
  const bool pushes = term->parts & GRADYN_FORCE && force_count(p) > 0;
  const bool loaded = m->carriers_active && p->x;
  gradyn_status status = GRADYN_OK;
  /* nothing in the term depends on what changes */
  if (!pushes && !loaded)
    return status;
  /* loads need accelerations, for M a */
  const mbs_view view = mbs_look_up_to(m, &term->at, loaded ? 2 : 1);
  if (loaded)
    status = mbs_point_loads(m, term->parts, &term->at, &view);
  /* along: places before what uses them; against, cleared for what is added */
  if (p->carried && way == MBS_ALONG)
    mbs_term_places_along(p, k);
  else if (p->carried)
    mbs_clear_carried(p);
  if (pushes && status == GRADYN_OK)
    status = way == MBS_ALONG ? forces_along(p, k, &view) : forces_against(p, k, &view);
  /* M times what attached points are accelerated by */
  if (loaded && term->parts & GRADYN_INERTIA && way == MBS_ALONG)
    mbs_inertia_places_along(p, k);
  else if (loaded && term->parts & GRADYN_INERTIA)
    mbs_inertia_places_against(p, k);
  if (p->carried && way == MBS_AGAINST) /* from the term's places back to state and data */
    mbs_term_places_against(p, k);
  return status;
}

/* Everything but places at the node. */
static gradyn_status visit(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  gradyn_status status = GRADYN_OK;
  /* rods and constraints once for all terms, forces term by term */
  const bool constrained = p->order >= 0 || p->parts & GRADYN_ASSEMBLY;
  if (constrained && m->rods > 0 && (p->moved || m->varying.rods > 0))
    way == MBS_ALONG ? mbs_rods_along(p) : mbs_rods_against(p);
  if (p->x && p->parts & (GRADYN_INERTIA | GRADYN_FORCE))
    way == MBS_ALONG ? mbs_inertia_along(p) : mbs_inertia_against(p);
  if (constrained && constraint_count(p) > 0)
    status = way == MBS_ALONG ? constraints_along(p) : constraints_against(p);
  if ((p->parts & GRADYN_FORCE && force_count(p) > 0) || m->carriers_active)
    for (int k = 0; k < p->terms && status == GRADYN_OK; k++)
      status = visit_term(way, p, k);
  return status;
}

gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                        const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_product p;
  p.m = m;
  p.columns = columns;
  p.x = (double *)d->x; /* only read */
  p.t = (double *)d->t;
  begin(&p, look, d->q, d->v, r);
  const mbs_view node = mbs_look_up_to(m, look->node, p.order > 0 ? p.order : 0);
  p.node = &node;
  /* full rows, to be carried to the free points */
  for (int k = 0; k < p.terms && m->attached_count > 0; k++)
    memset(m->rows[k], 0, (size_t)m->full_size * sizeof **r);
  if (p.carried)
    mbs_places_along(&p, d->q, d->v);
  gradyn_status status = visit(MBS_ALONG, &p);
  /* loads on attached points go to their carriers */
  /* mu of attached points is that of their carriers, weighted */
  for (int k = 0; k < p.terms && m->attached_count > 0; k++) {
    mbs_pull_rows(&p, k);
    for (int i = 0; i < mech->n; i++)
      r[k][i] += m->rows[k][i];
  }
  return status;
}

gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                          gradyn_lanes *const *mu, const gradyn_mech_bars *bars)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_product p;
  p.m = m;
  p.columns = columns;
  p.x = bars->x;
  p.t = bars->t;
  begin(&p, look, bars->q, bars->v, mu);
  const mbs_view node = mbs_look_up_to(m, look->node, p.order > 0 ? p.order : 0);
  p.node = &node;
  for (int k = 0; k < p.terms && m->attached_count > 0; k++) {
    memset(m->rows[k], 0, (size_t)m->full_size * sizeof **mu);
    memcpy(m->rows[k], mu[k], (size_t)mech->n * sizeof **mu);
    mbs_spread_rows(&p, k);
  }
  if (p.carried)
    mbs_clear_places(&p); /* bars are added to */
  gradyn_status status = visit(MBS_AGAINST, &p);
  if (p.carried)
    mbs_places_against(&p, bars->q, bars->v);
  return status;
}
