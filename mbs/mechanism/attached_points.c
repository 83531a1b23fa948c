/* Changes of ground and attached points with data and state. Coordinates of ground points are data. An
 * attached point is X = sum of w_i x_i with weights w_i = c_i + s_i x[datum_i]; a force F on it acts on its
 * carriers as w_i F. Hence
 *   dX = sum (dw_i x_i + w_i dx_i), the same for X' and X'', and w_i dF + dw_i F at the carriers. */
#include "mbs/mechanism/product.h"

/* Changes of attached points by their carriers: X += w_i x_i, or its transpose; only for carriers from
 * offset `first` onwards. */
GRADYN_KERNEL void hang(int dim, const mbs_way way, const gradyn_mbs *m, int first,
                        gradyn_lanes *full)
{
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *s = &m->attached.share[i];
    gradyn_lanes X[3];
    for (int c = 0; c < dim; c++)
      X[c] = full[s->at + c];
    for (int k = 0; k < s->carriers; k++)
      for (int c = 0; c < dim && s->from[k] >= first; c++)
        mbs_flow(way, s->weight[k], &X[c], full + s->from[k] + c);
    for (int c = 0; c < dim && way == MBS_ALONG; c++)
      full[s->at + c] = X[c];
  }
}

/* Computes the rows of attached points from those of their carriers (MBS_ALONG), or adds the rows of
 * attached points to those of their carriers (MBS_AGAINST). */
static GRADYN_WIDE void carry_rows(mbs_way way, const gradyn_mbs *m, gradyn_lanes *rows)
{
  way == MBS_ALONG ? MBS_BY_AXES(m, hang, MBS_ALONG, m, 0, rows)
                   : MBS_BY_AXES(m, hang, MBS_AGAINST, m, 0, rows);
}

void mbs_spread_rows(const mbs_product *p, int k)
{
  carry_rows(MBS_ALONG, p->m, p->r[k]);
}

void mbs_pull_rows(const mbs_product *p, int k)
{
  carry_rows(MBS_AGAINST, p->m, p->r[k]);
}

/* --- changes of positions --------------------------------------------------------------------- */

/* Clears entries of positions from an offset onwards, unless the array is the caller's. */
static void clear_from(const mbs_product *p, int which, int offset)
{
  const gradyn_mbs *m = p->m;
  /* the array belongs to the mechanism and has entries after the offset */
  if (p->end[which] == m->full_size && m->full_size > offset)
    mbs_clear_points(m, offset, m->work.position[which]);
}

/* Clears only entries of moving points, ground points and attached points in use. */
void mbs_clear_points(const gradyn_mbs *m, int offset, gradyn_lanes *full)
{
  static const gradyn_lanes nothing = {0};
  if (m->attached.first > offset)
    memset(full + offset, 0, (size_t)(m->attached.first - offset) * sizeof *full);
  for (int i = 0; i < m->attached.count; i++)
    for (int k = 0; k < m->dim; k++)
      full[m->attached.share[i].at + k] = nothing;
}

void mbs_clear_places(const mbs_product *p)
{
  for (int which = 0; which < MBS_TERM_RATE; which++)
    clear_from(p, which, p->first[which]);
  if (p->first[MBS_TERM_RATE] == 0) /* entries after n are cleared for each term */
    memset(p->m->work.position[MBS_TERM_RATE], 0,
           (size_t)p->m->mech.n * sizeof *p->m->work.position[MBS_TERM_RATE]);
}

void mbs_clear_carried(const mbs_product *p)
{
  clear_from(p, MBS_TERM_RATE, p->m->mech.n);
  clear_from(p, MBS_TERM_SECOND, p->m->mech.n);
}

/* Changes of attached points due to their carriers. */
GRADYN_KERNEL void follow(int dim, const mbs_way way, const mbs_product *p, int which)
{
  /* velocities and accelerations of ground points are zero, so only moving carriers change them */
  if (which == MBS_PLACE || p->first[which] == 0)
    hang(dim, way, p->m, p->first[which], p->m->work.position[which]);
}

/* The part of positions that is the state, if the array is not the caller's. Tangent: copied from y.
 * Transposed: added to the adjoints y. */
GRADYN_KERNEL void meet_state(const mbs_way way, const mbs_product *p, int which, gradyn_lanes *y)
{
  const int n = p->m->mech.n;
  gradyn_lanes *position = p->position[which];
  /* nothing to copy: the caller's array is used directly, or these positions are constant */
  if (p->first[which] > 0 || position == y)
    return;
  if (way == MBS_ALONG)
    memcpy(position, y, (size_t)n * sizeof *y);
  for (int i = 0; i < n && way == MBS_AGAINST; i++)
    y[i] += position[i];
}

/* Changes of ground points by data. Tangent: returns whether any ground point changes. */
GRADYN_KERNEL bool ground_places(int dim, const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  bool moves = false;
  /* ground points are between moving and attached ones */
  for (int at = m->mech.n; at < m->attached.first; at += dim)
    for (int c = 0; c < dim; c++) {
      gradyn_lanes *position = m->work.position[MBS_PLACE] + at + c, bar = -*position;
      const int datum = m->point[m->owner[at]].x + c;
      if (way == MBS_ALONG)
        moves = mbs_take(way, p, datum, position) || moves;
      else
        mbs_give(p, datum, &bar);
    }
  return moves;
}

/* Quantities that a change of a weight changes. which[]: kinds of positions; from[]: full arrays of these
 * positions, NULL if not needed. */
typedef struct attachment {
  int which[3];
  const double *from[3];
  const double *load; /* loads [full], or NULL */
  gradyn_lanes *r;    /* rows to which loads are added */
} attachment;

/* A change dw of the weight of carrier i adds dw x_i to positions, and dw F to rows of the carrier. */
GRADYN_KERNEL void meet_weight(int dim, const mbs_way way, const gradyn_mbs *m, const mbs_share *s,
                               int i, const attachment *a, gradyn_lanes *dw)
{
  const int at = s->from[i];
  for (int j = 0; j < 3; j++)
    for (int c = 0; c < dim && a->from[j]; c++) /* transposed: positions are minus the adjoints */
      mbs_flow(way, way == MBS_ALONG ? a->from[j][at + c] : -a->from[j][at + c],
               m->work.position[a->which[j]] + s->at + c, dw);
  for (int c = 0; c < dim && a->load; c++)
    mbs_flow(way, a->load[s->at + c], a->r + at + c, dw);
}

/* Changes by all weights. Tangent: returns whether any weight changes. */
GRADYN_KERNEL bool attached_places(int dim, const mbs_way way, const mbs_product *p,
                                   const attachment *a)
{
  const gradyn_mbs *m = p->m;
  bool moves = false;
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *s = &m->attached.share[i];
    for (int k = 0; k < s->carriers; k++) {
      const mbs_carrier *carrier = &s->carrier[k];
      gradyn_lanes dw = {0};
      if (carrier->datum < 0) /* constant weight */
        continue;
      if (way == MBS_ALONG) { /* dw = s_i dx */
        if (!mbs_take(way, p, carrier->datum, &dw))
          continue;
        dw *= carrier->slope;
        moves = true;
      }
      meet_weight(dim, way, m, s, k, a, &dw);
      dw *= carrier->slope; /* x_bar = s_i dw_bar */
      if (way == MBS_AGAINST)
        mbs_give(p, carrier->datum, &dw);
    }
  }
  return moves;
}

/* The arrays at the node: positions, and velocities and accelerations if constraints use them. The state is
 * copied again, because terms may have changed the full arrays. */
static attachment at_node(const mbs_product *p)
{
  const int order = p->m->attached.parts & GRADYN_ALL_ROWS ? p->order : 0;
  const mbs_point_state view = mbs_eval_up_to(p->m, p->state, order > 0 ? order : 0, 0);
  return (attachment){
      .which = {MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND},
      .from = {view.pos, order >= 1 ? view.vel : NULL, order >= 2 ? view.acc : NULL}};
}

GRADYN_KERNEL bool node_along(int dim, const mbs_product *p, const gradyn_lanes *q,
                              const gradyn_lanes *v)
{
  bool moves = false;
  /* first the changes by the state; those of ground and attached points begin at zero */
  meet_state(MBS_ALONG, p, MBS_PLACE, (gradyn_lanes *)q); /* only read */
  meet_state(MBS_ALONG, p, MBS_NODE_RATE, (gradyn_lanes *)v);
  meet_state(MBS_ALONG, p, MBS_TERM_RATE, (gradyn_lanes *)v);
  for (int which = MBS_PLACE; which < MBS_TERM_RATE; which++)
    clear_from(p, which, p->m->mech.n);
  /* data move ground points, and change weights of attached points */
  if (p->fed && p->m->places_active)
    moves = ground_places(dim, MBS_ALONG, p);
  if (p->loaded) {
    const attachment node = at_node(p);
    moves = attached_places(dim, MBS_ALONG, p, &node) || moves;
  }
  for (int which = MBS_PLACE; which < MBS_TERM_RATE; which++)
    follow(dim, MBS_ALONG, p, which);
  return moves;
}

/* Adjoints of the state at the node, from three arrays of positions and rates. */
GRADYN_KERNEL void node_against(int dim, const mbs_product *p, gradyn_lanes *q_bar,
                                gradyn_lanes *v_bar)
{
  /* transpose of node_along(), in reverse order */
  for (int which = MBS_PLACE; which < MBS_TERM_RATE; which++)
    follow(dim, MBS_AGAINST, p, which);
  if (p->loaded) {
    const attachment node = at_node(p);
    attached_places(dim, MBS_AGAINST, p, &node);
  }
  if (p->fed && p->m->places_active)
    ground_places(dim, MBS_AGAINST, p);
  meet_state(MBS_AGAINST, p, MBS_PLACE, q_bar);
  meet_state(MBS_AGAINST, p, MBS_NODE_RATE, v_bar);
  meet_state(MBS_AGAINST, p, MBS_TERM_RATE, v_bar);
}

/* Effects of weights in the state of term k, which is in the full arrays. Weights change v and a of
 * attached points, and the distribution of their loads. Ground points have neither v nor a. */
GRADYN_KERNEL void term_places(int dim, const mbs_way way, const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  const int parts = p->term[k].parts & m->attached.parts;
  const attachment term = {
      .which = {MBS_TERM_RATE, MBS_TERM_RATE, MBS_TERM_SECOND},
      .from = {NULL, parts & GRADYN_FORCE ? m->vel : NULL, parts & GRADYN_INERTIA ? m->acc : NULL},
      .load = m->full,
      .r = p->r[k]};
  /* the two calls are linear and independent, so any order is correct */
  follow(dim, way, p, MBS_TERM_RATE);
  if (p->loaded && p->limit[k] > m->mech.n)
    attached_places(dim, way, p, &term);
}

/* --- by number of axes ------------------------------------------------------------------------ */

/* Changes of all positions by dq, dv and data; returns whether data move any point. */
static GRADYN_WIDE bool places_along(const mbs_product *p, const gradyn_lanes *q,
                                     const gradyn_lanes *v)
{
  return MBS_BY_AXES(p->m, node_along, p, q, v);
}

/* Computes the adjoints of q, v and data from those of all positions. */
static GRADYN_WIDE void places_against(const mbs_product *p, gradyn_lanes *q_bar,
                                       gradyn_lanes *v_bar)
{
  MBS_BY_AXES(p->m, node_against, p, q_bar, v_bar);
}

/* Changes of positions in the state of term k; or the transpose. */
static GRADYN_WIDE void meet_term_places(mbs_way way, const mbs_product *p, int k)
{
  way == MBS_ALONG ? MBS_BY_AXES(p->m, term_places, MBS_ALONG, p, k)
                   : MBS_BY_AXES(p->m, term_places, MBS_AGAINST, p, k);
}

bool mbs_places_along(const mbs_product *p, const gradyn_lanes *q, const gradyn_lanes *v)
{
  return places_along(p, q, v);
}

void mbs_places_against(const mbs_product *p, gradyn_lanes *q_bar, gradyn_lanes *v_bar)
{
  places_against(p, q_bar, v_bar);
}

void mbs_meet_term_places(mbs_way way, const mbs_product *p, int k)
{
  meet_term_places(way, p, k);
}
