/* What an event's map makes of coordinates: q+ = B q- + b, v~ = B v-, with derivatives. */
#include <string.h>

#include "dae/events/impact.h"

/* What a term multiplies, of positions or velocities. */
static double source(const gradyn_map_term *term, bool positions, const double *from)
{
  if (term->shift && !positions)
    return 0;
  return term->from.point < 0 ? 1 : from[term->from.at];
}

void gradyn_impact_map(const gradyn_impact *s, bool positions, const double *from, double *to)
{
  const gradyn_event *e = s->event;
  memcpy(to, from, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    to[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++)
    /* q+_i = sum B_ij q_j + b_i; v~_i = sum B_ij v_j */
    to[e->map[i].to.at] += s->model->x[e->map[i].datum] * source(&e->map[i], positions, from);
}

void gradyn_impact_map_along(const gradyn_impact *s, bool positions, const double *dx,
                             const double *from, const double *d, double *to)
{
  const gradyn_event *e = s->event;
  memcpy(to, d, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    to[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++) {
    const gradyn_map_term *term = &e->map[i];
    double *sum = &to[term->to.at];
    *sum += dx[term->datum] * source(term, positions, from);
    if (term->from.point >= 0)
      *sum += s->model->x[term->datum] * source(term, positions, d);
  }
}

void gradyn_impact_map_against(const gradyn_impact *s, bool positions, const double *from,
                               const double *to_bar, double *from_bar, double *x_bar)
{
  const gradyn_event *e = s->event;
  memcpy(from_bar, to_bar, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    from_bar[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++) {
    const gradyn_map_term *term = &e->map[i];
    double bar = to_bar[term->to.at];
    /* to = sum of x_k source_k: against x_k, and against the source */
    x_bar[term->datum] += bar * source(term, positions, from);
    if (term->from.point >= 0 && (positions || !term->shift))
      from_bar[term->from.at] += s->model->x[term->datum] * bar;
  }
}
