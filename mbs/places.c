/* Points that do not move freely: how data move them. A ground point's coordinates are data; an attached
 * point is X = sum of w_i x_i over its carriers with weights w_i = c_i + s_i x[datum_i], and it hands the
 * force F on it on to them as w_i F. Hence
 *   dX = sum (dw_i x_i + w_i dx_i), the same for X' and X'', and w_i dF + dw_i F at the carriers. */
#include "mbs/product.h"

/* --- values of attached points ---------------------------------------------------------------- */

void mbs_spread(const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *p = &m->point[m->attached[i]];
    for (int c = 0; c < m->dim; c++) {
      double sum = 0;
      for (int k = 0; k < p->carriers; k++)
        sum += p->carrier[k].weight * full[m->point[p->carrier[k].point].offset + c];
      full[p->offset + c] = sum;
    }
  }
}

void mbs_pull(const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *p = &m->point[m->attached[i]];
    for (int c = 0; c < m->dim; c++)
      for (int k = 0; k < p->carriers; k++)
        full[m->point[p->carrier[k].point].offset + c] += p->carrier[k].weight *
                                                          full[p->offset + c];
  }
}

/* The same for rows, both ways. */
GRADYN_KERNEL void carry_rows(const mbs_way way, const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *point = &m->point[m->attached[i]];
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

void mbs_clear_places(const mbs_product *p, int first, int end)
{
  const gradyn_mbs *m = p->m;
  int ground = m->mech.n, others = m->full_size - ground;
  for (int k = first; k < end && (k == MBS_PLACE || m->attached_count > 0); k++)
    memset(m->place[k] + ground, 0, (size_t)others * sizeof *m->place[k]);
}

static void ground_places(const mbs_way way, const mbs_product *p)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->points; i++)
    for (int c = 0; c < m->dim && m->point[i].kind == MBS_GROUND; c++) {
      gradyn_lanes *place = m->place[MBS_PLACE] + m->point[i].offset + c;
      if (way == MBS_ALONG)
        mbs_take(p, m->point[i].x + c, place);
      else
        mbs_give(p, m->point[i].x + c, place);
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
  for (int j = 0; j < 3; j++)
    for (int c = 0; c < m->dim && a->from[j]; c++)
      mbs_flow(way, a->from[j][at + c], m->place[a->which[j]] + point->offset + c, dw);
  for (int c = 0; c < m->dim && a->load; c++)
    mbs_flow(way, a->load[point->offset + c], p->r[a->k] + at + c, dw);
}

GRADYN_KERNEL void attached_places(const mbs_way way, const mbs_product *p, const attachment *a)
{
  const gradyn_mbs *m = p->m;
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *point = &m->point[m->attached[i]];
    for (int j = 0; j < point->carriers; j++) {
      const mbs_carrier *carrier = &point->carrier[j];
      const mbs_point *from = &m->point[carrier->point];
      gradyn_lanes dw = {0};
      for (int c = 0; c < m->dim && from->kind == MBS_GROUND && a->which[0] == MBS_PLACE; c++)
        mbs_flow(way, carrier->weight, m->place[MBS_PLACE] + point->offset + c,
                 m->place[MBS_PLACE] + from->offset + c);
      if (carrier->datum < 0)
        continue;
      if (way == MBS_ALONG && mbs_take(p, carrier->datum, &dw))
        dw *= carrier->slope;
      meet_weight(way, p, point, carrier, a, &dw);
      dw *= carrier->slope;
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
  return (attachment){.which = {MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND},
                      .from = {p->m->pos, mbs_has_order(p, 1) ? p->m->vel : NULL,
                               mbs_has_order(p, 2) ? p->m->acc : NULL}};
}

void mbs_places_along(const mbs_product *p)
{
  const attachment node = at_node(p);
  mbs_clear_places(p, MBS_PLACE, MBS_TERM_RATE);
  ground_places(MBS_ALONG, p);
  attached_places(MBS_ALONG, p, &node);
}

void mbs_places_against(const mbs_product *p)
{
  const attachment node = at_node(p);
  attached_places(MBS_AGAINST, p, &node);
  ground_places(MBS_AGAINST, p);
}

/* In the state of a term, which the full arrays hold. */
static attachment at_term(const mbs_product *p, int k)
{
  const gradyn_mbs *m = p->m;
  int parts = p->term[k].parts;
  return (attachment){
      .which = {MBS_TERM_RATE, MBS_TERM_RATE, MBS_TERM_SECOND},
      .from = {NULL, parts & GRADYN_FORCE ? m->vel : NULL, parts & GRADYN_INERTIA ? m->acc : NULL},
      .load = m->full,
      .k = k};
}

void mbs_term_places_along(const mbs_product *p, int k)
{
  const attachment term = at_term(p, k);
  mbs_clear_places(p, MBS_TERM_RATE, MBS_PLACES);
  attached_places(MBS_ALONG, p, &term);
}

void mbs_term_places_against(const mbs_product *p, int k)
{
  const attachment term = at_term(p, k);
  attached_places(MBS_AGAINST, p, &term);
}
