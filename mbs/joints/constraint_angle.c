/* Direction of the line between two points, held or driven: Phi = r.n with r the difference of the
 * points and n = (-sin theta, cos theta) the normal of the direction theta(t). Phi is in metres;
 * the multiplier is the force across the line, in newton. In the plane. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void angle(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* d[0] is theta: cosine and sine with their first two derivatives */
  double c = cos(a->s.d[0]), s = sin(a->s.d[0]);
  mbs_jet cosine = mbs_function(a->s, c, -s, -c), sine = mbs_function(a->s, s, c, -s);
  mbs_jet x = mbs_minus(a->x[dim], a->x[0]), y = mbs_minus(a->x[dim + 1], a->x[1]);
  for (int k = 2; k < dim; k++) /* no further components */
    g->x[k] = g->x[dim + k] = mbs_number(0);
  g->x[0] = sine; /* Phi_b = n = -Phi_a */
  g->x[1] = mbs_scaled(-1, cosine);
  g->x[dim] = mbs_scaled(-1, sine);
  g->x[dim + 1] = cosine;
  g->phi = mbs_minus(mbs_times(y, cosine), mbs_times(x, sine));
  g->s = mbs_scaled(-1, mbs_plus(mbs_times(x, cosine), mbs_times(y, sine))); /* n_theta = -e */
}

/* Phi is zero for the opposite direction, too. */
static bool reversed(const mbs_element *e, const mbs_view *at, const double *z)
{
  double x = at->pos[e->at[1]] - at->pos[e->at[0]];
  double y = at->pos[e->at[1] + 1] - at->pos[e->at[0] + 1];
  return x * cos(z[0]) + y * sin(z[0]) < 0; /* e.r < 0 */
}

MBS_JET_FUNCTIONS(angle, 2)

const mbs_element_ops mbs_angle_ops = {
    .kind = "angle", .degree = 1, MBS_JET_OPS(angle), .reversed = reversed};
