/* Points that do not move freely: how data and the state move them. A ground point's coordinates are data; an
 * attached point is X = sum of w_i x_i over its carriers with weights w_i = c_i + s_i x[datum_i], and it
 * hands the force F on it on to them as w_i F. Hence
 *   dX = sum (dw_i x_i + w_i dx_i), the same for X' and X'', and w_i dF + dw_i F at the carriers. */
#include "mbs/product.h"

/* --- values of attached points ---------------------------------------------------------------- */

GRADYN_KERNEL void spread(int dim, const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *p = &m->attached.share[i];
    double X[3] = {0};
    /* X = sum of w_i x_i */
    for (int k = 0; k < p->carriers; k++)
      for (int c = 0; c < dim; c++)
        X[c] += p->weight[k] * full[p->from[k] + c];
    for (int c = 0; c < dim; c++)
      full[p->at + c] = X[c];
  }
}

void mbs_spread(const gradyn_mbs *m, double *full)
{
  if (m->dim == 2)
    spread(2, m, full);
  else
    spread(3, m, full);
}

GRADYN_KERNEL void pull(int dim, const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *p = &m->attached.share[i];
    double F[3] = {0};
    for (int c = 0; c < dim; c++)
      F[c] = full[p->at + c];
    /* F_i += w_i F */
    for (int k = 0; k < p->carriers; k++)
      for (int c = 0; c < dim; c++)
        full[p->from[k] + c] += p->weight[k] * F[c];
  }
}

void mbs_pull(const gradyn_mbs *m, double *full)
{
  if (m->dim == 2)
    pull(2, m, full);
  else
    pull(3, m, full);
}

/* The same for rows, both ways. */
GRADYN_KERNEL void carry_rows(const mbs_way way, const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_point *point = &m->point[m->attached.point[i]];
    /* r_i += w r along, the transpose against */
    for (int j = 0; j < point->carriers; j++)
      for (int c = 0; c < m->dim; c++)
        mbs_flow(way, point->carrier[j].weight,
                 p->r[k] + m->point[point->carrier[j].point].offset + c,
                 p->r[k] + point->offset + c);
  }
}

void mbs_pull_rows(const mbs_product *p, int k)
{
  carry_rows(MBS_ALONG, p, k);
}

void mbs_spread_rows(const mbs_product *p, int k)
{
  carry_rows(MBS_AGAINST, p, k);
}

/* --- changes of places ------------------------------------------------------------------------ */

/* Zero from an offset on, where the array is not the caller's. */
static void clear_from(const mbs_product *p, int which, int offset)
{
  const gradyn_mbs *m = p->m;
  /* not the caller's array, and beyond the offset */
  if (p->end[which] == m->full_size && m->full_size > offset)
    memset(m->work.place[which] + offset, 0,
           (size_t)(m->full_size - offset) * sizeof **m->work.place);
}

void mbs_clear_places(const mbs_product *p)
{
  for (int which = 0; which < MBS_PLACES; which++)
    clear_from(p, which, p->first[which]);
}

void mbs_clear_carried(const mbs_product *p)
{
  clear_from(p, MBS_TERM_RATE, p->m->mech.n);
  clear_from(p, MBS_TERM_SECOND, p->m->mech.n);
}

/* Places of a kind that attached points have because their free carriers move. */
GRADYN_KERNEL void follow(const mbs_way way, const mbs_product *p, int which)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->attached.count && p->first[which] == 0; i++) {
    const mbs_point *point = &m->point[m->attached.point[i]];
    for (int j = 0; j < point->carriers; j++) {
      const mbs_carrier *carrier = &point->carrier[j];
      const mbs_point *from = &m->point[carrier->point];
      /* only carriers that move freely */
      for (int c = 0; c < m->dim && from->kind == MBS_MOVING; c++)
        mbs_flow(way, carrier->weight, m->work.place[which] + point->offset + c,
                 m->work.place[which] + from->offset + c);
    }
  }
}

static GRADYN_WIDE void add_bars(int n, const gradyn_lanes *place, gradyn_lanes *restrict y)
{
  for (int i = 0; i < n; i++)
    y[i] += place[i];
}

/* The state's part of places that are not the caller's own: copied along, added to the bars against. */
static void meet_state(const mbs_way way, const mbs_product *p, int which, gradyn_lanes *y)
{
  const int n = p->m->mech.n;
  gradyn_lanes *place = p->place[which];
  /* the caller's array is not written; what no force sees is not moved */
  if (p->first[which] > 0 || place == y)
    return;
  if (way == MBS_ALONG)
    memcpy(place, y, (size_t)n * sizeof *y);
  if (way == MBS_AGAINST)
    add_bars(n, place, y);
}

static void ground_places(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->points; i++)
    for (int c = 0; c < m->dim && m->point[i].kind == MBS_GROUND; c++) {
      gradyn_lanes *place = m->work.place[MBS_PLACE] + m->point[i].offset + c, bar = -*place;
      if (way == MBS_ALONG)
        mbs_take(p, m->point[i].x + c, place);
      else
        mbs_give(p, m->point[i].x + c, &bar);
    }
}

/* A weight's change and what follows: places number which[] from full arrays from[], of which NULL stands
 * for what is not needed; and, with loads, the rows at the carrier. */
typedef struct attachment {
  int which[3];
  const double *from[3];
  const double *load; /* [full] or NULL */
  int k;              /* term whose rows take the loads */
} attachment;

GRADYN_KERNEL void meet_weight(const mbs_way way, const mbs_product *p, const mbs_point *point,
                               const mbs_carrier *carrier, const attachment *a, gradyn_lanes *dw)
{
  const gradyn_mbs *m = p->m;
  int at = m->point[carrier->point].offset;
  /* dw x_i to the place */
  for (int j = 0; j < 3; j++)
    for (int c = 0; c < m->dim && a->from[j]; c++) /* against, places hold minus their adjoints */
      mbs_flow(way, way == MBS_ALONG ? a->from[j][at + c] : -a->from[j][at + c],
               m->work.place[a->which[j]] + point->offset + c, dw);
  for (int c = 0; c < m->dim && a->load; c++)
    /* (dw) F to the rows of the carrier */
    mbs_flow(way, a->load[point->offset + c], p->r[a->k] + at + c, dw);
}

GRADYN_KERNEL void attached_places(const mbs_way way, const mbs_product *p, const attachment *a)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_point *point = &m->point[m->attached.point[i]];
    for (int j = 0; j < point->carriers; j++) {
      const mbs_carrier *carrier = &point->carrier[j];
      const mbs_point *from = &m->point[carrier->point];
      gradyn_lanes dw = {0};
      /* w_i dx_i of a carrier on the ground */
      for (int c = 0; c < m->dim && from->kind == MBS_GROUND && a->which[0] == MBS_PLACE; c++)
        mbs_flow(way, carrier->weight, m->work.place[MBS_PLACE] + point->offset + c,
                 m->work.place[MBS_PLACE] + from->offset + c);
      if (carrier->datum < 0) /* a constant weight */
        continue;
      if (way == MBS_ALONG && mbs_take(p, carrier->datum, &dw)) /* dw = s_i dx */
        dw *= carrier->slope;
      meet_weight(way, p, point, carrier, a, &dw);
      dw *= carrier->slope; /* x_bar = s_i dw_bar */
      if (way == MBS_AGAINST)
        mbs_give(p, carrier->datum, &dw);
    }
  }
}

/* Positions, velocities and accelerations at the node, which is looked at again: terms may have moved the
 * full arrays. */
static attachment at_node(const mbs_product *p)
{
  mbs_look(p->m, p->state);
  return (attachment){
      .which = {MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND},
      .from = {p->m->pos, p->order >= 1 ? p->m->vel : NULL, p->order >= 2 ? p->m->acc : NULL}};
}

void mbs_places_along(const mbs_product *p, const gradyn_lanes *q, const gradyn_lanes *v)
{
  /* the state's changes first, then those that follow from them */
  meet_state(MBS_ALONG, p, MBS_PLACE, (gradyn_lanes *)q); /* only read */
  meet_state(MBS_ALONG, p, MBS_NODE_RATE, (gradyn_lanes *)v);
  meet_state(MBS_ALONG, p, MBS_TERM_RATE, (gradyn_lanes *)v);
  /* what does not move freely starts at zero, and follows its carriers */
  for (int which = MBS_PLACE; which < MBS_TERM_RATE; which++) {
    clear_from(p, which, p->m->mech.n);
    follow(MBS_ALONG, p, which);
  }
  if (!p->fed || !p->m->places_active)
    return;
  /* data move ground points, and weights of attached ones */
  ground_places(MBS_ALONG, p);
  if (p->m->attached.count == 0)
    return;
  const attachment node = at_node(p);
  attached_places(MBS_ALONG, p, &node);
}

void mbs_places_against(const mbs_product *p, gradyn_lanes *q_bar, gradyn_lanes *v_bar)
{
  /* the transpose of the above, in reverse order */
  if (p->fed && p->m->places_active && p->m->attached.count > 0) {
    const attachment node = at_node(p);
    attached_places(MBS_AGAINST, p, &node);
  }
  if (p->fed && p->m->places_active)
    ground_places(MBS_AGAINST, p);
  for (int which = MBS_PLACE; which < MBS_TERM_RATE; which++)
    follow(MBS_AGAINST, p, which);
  meet_state(MBS_AGAINST, p, MBS_PLACE, q_bar);
  meet_state(MBS_AGAINST, p, MBS_NODE_RATE, v_bar);
  meet_state(MBS_AGAINST, p, MBS_TERM_RATE, v_bar);
}

/* In the state of a term, which the full arrays hold. */
static attachment at_term(const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  int parts = p->term[k].parts;
  return (attachment){
      /* a weight's change acts through v and a of the term, and hands on its loads */
      .which = {MBS_TERM_RATE, MBS_TERM_RATE, MBS_TERM_SECOND},
      .from = {NULL, parts & GRADYN_FORCE ? m->vel : NULL, parts & GRADYN_INERTIA ? m->acc : NULL},
      .load = m->full,
      .k = k};
}

void mbs_term_places_along(const mbs_product *p, int k)
{
  /* as at the node, but for the term's own velocities */
  mbs_clear_carried(p);
  follow(MBS_ALONG, p, MBS_TERM_RATE);
  if (!p->fed || !p->m->carriers_active)
    return;
  const attachment term = at_term(p, k);
  attached_places(MBS_ALONG, p, &term);
}

void mbs_term_places_against(const mbs_product *p, int k)
{
  if (p->fed && p->m->carriers_active) {
    const attachment term = at_term(p, k);
    attached_places(MBS_AGAINST, p, &term);
  }
  follow(MBS_AGAINST, p, MBS_TERM_RATE);
}
