/* Constraints that tie a joint coordinate c to the vectors that it measures, and gears.
 *   turn: for directions x, y of frame a (y normal to x) and w of frame b, c is the angle from x to w:
 *     Phi = (y cos c - x sin c).w, which is |w| times the sine of the error; in the plane y is x turned by
 *       90 degrees.
 *   swing, in the plane: c is the angle of r = r_b - r_a, or of a direction r, to the x axis of the ground:
 *     Phi = r_y cos c - r_x sin c.
 *   slide: c is the component of r_b - r_a along u: Phi = u.(r_b - r_a) - c.
 *   gear: Phi = c_2 - ratio c_1 - offset.
 * As c is a coordinate, angles continue over any number of turns. */
#include "mbs/elements/relation.h"
#include "mbs/joints/coordinate.h"
#include "mbs/joints/kernel.h"

/* --- turn ------------------------------------------------------------------------------------- */

/* Vector i of the element, and the derivatives of Phi by it. */
#define V(i) (a->x + dim * (i))
#define G(i) (g->x + dim * (i))

/* alpha f + beta h by components. */
GRADYN_KERNEL void combine(int dim, mbs_jet alpha, const mbs_jet *f, mbs_jet beta, const mbs_jet *h,
                           mbs_jet *out)
{
  for (int k = 0; k < dim; k++)
    out[k] = mbs_plus(mbs_times(alpha, f[k]), mbs_times(beta, h[k]));
}

GRADYN_KERNEL mbs_jet dot(int dim, const mbs_jet *f, const mbs_jet *h)
{
  mbs_jet sum = mbs_times(f[0], h[0]);
  for (int k = 1; k < dim; k++)
    sum = mbs_plus(sum, mbs_times(f[k], h[k]));
  return sum;
}

/* Sets the derivatives of Phi by the coordinate c, the first component of the first vector, to `value`.
 * Phi_s is 0. */
GRADYN_KERNEL void only_first(int dim, mbs_jet value, mbs_gradient *g)
{
  g->s = mbs_number(0);
  for (int k = 1; k < dim; k++)
    g->x[k] = mbs_number(0);
  g->x[0] = value;
}

/* Phi = (y cos c - x sin c).w of the vectors c, x, y, w. */
GRADYN_KERNEL void turn(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* C = cos c and S = sin c as jets */
  double cosine = cos(a->x[0].d[0]), sine = sin(a->x[0].d[0]);
  mbs_jet C = mbs_function(a->x[0], cosine, -sine, -cosine);
  mbs_jet S = mbs_function(a->x[0], sine, cosine, -sine), minus = mbs_scaled(-1, S);
  mbs_jet X = dot(dim, V(1), V(3)), Y = dot(dim, V(2), V(3));
  g->phi = mbs_minus(mbs_times(C, Y), mbs_times(S, X));                /* C y.w - S x.w */
  only_first(dim, mbs_minus(mbs_times(minus, Y), mbs_times(C, X)), g); /* -S y.w - C x.w */
  combine(dim, C, V(2), minus, V(1), G(3));                            /* Phi_w = C y - S x */
  for (int k = 0; k < dim; k++) {
    /* Phi_x = -S w, Phi_y = C w */
    G(1)[k] = mbs_times(minus, V(3)[k]);
    G(2)[k] = mbs_times(C, V(3)[k]);
  }
}

MBS_JET_FUNCTIONS(turn, 4)

/* Phi_xx of turn without jets, for speed: adjoints in natural coordinates need it at each stage. With u = -S
 * y - C x and X = x.w, Y = y.w
 *     c: (-(C Y - S X), -C w, -S w, u),   x: (-C w, 0, 0, -S),   y: (-S w, 0, 0, C),   w: (u, -S, C, 0). */
static gradyn_status turn_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *H)
{
  enum { X = 3, Y = 6, W = 9, LOCAL = 12 };
  const double *x = at->pos + e->at[1], *y = at->pos + e->at[2], *w = at->pos + e->at[3];
  const double c = at->pos[e->at[0]], C = cos(c), S = sin(c);
  (void)m;
  (void)z;
  memset(H, 0, LOCAL * LOCAL * sizeof *H);
  for (int k = 0; k < 3; k++) {
    H[0] -= (C * y[k] - S * x[k]) * w[k];
    H[X + k] = H[LOCAL * (X + k)] = -C * w[k];
    H[Y + k] = H[LOCAL * (Y + k)] = -S * w[k];
    H[W + k] = H[LOCAL * (W + k)] = -S * y[k] - C * x[k];
    H[LOCAL * (X + k) + W + k] = H[LOCAL * (W + k) + X + k] = -S;
    H[LOCAL * (Y + k) + W + k] = H[LOCAL * (W + k) + Y + k] = C;
  }
  return GRADYN_OK;
}

/* turn in the plane, of the vectors c, x, w: y is x turned by a right angle, so y.w = x_x w_y - x_y w_x. */
GRADYN_KERNEL void plane_turn(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  const mbs_jet *x = V(1), *w = V(2);
  double cosine = cos(a->x[0].d[0]), sine = sin(a->x[0].d[0]);
  mbs_jet C = mbs_function(a->x[0], cosine, -sine, -cosine);
  mbs_jet S = mbs_function(a->x[0], sine, cosine, -sine), minus = mbs_scaled(-1, S);
  /* x.w, and y.w with y = x turned by a right angle */
  mbs_jet X = dot(2, x, w), Y = mbs_minus(mbs_times(x[0], w[1]), mbs_times(x[1], w[0]));
  /* clears all entries after those of c; those that are not zero are set below */
  for (int k = dim; k < 3 * dim; k++)
    g->x[k] = mbs_number(0);
  g->phi = mbs_minus(mbs_times(C, Y), mbs_times(S, X));
  only_first(dim, mbs_minus(mbs_times(minus, Y), mbs_times(C, X)), g);
  /* Phi_x = C (w_y, -w_x) - S w, Phi_w = C (-x_y, x_x) - S x */
  G(1)[0] = mbs_minus(mbs_times(C, w[1]), mbs_times(S, w[0]));
  G(1)[1] = mbs_minus(mbs_times(minus, w[1]), mbs_times(C, w[0]));
  G(2)[0] = mbs_minus(mbs_times(minus, x[0]), mbs_times(C, x[1]));
  G(2)[1] = mbs_minus(mbs_times(C, x[0]), mbs_times(S, x[1]));
}

MBS_JET_FUNCTIONS(plane_turn, 3)

/* Phi = r_y cos c - r_x sin c in the plane; by_r: its derivatives by r. */
GRADYN_KERNEL void point_along(int dim, const mbs_arguments *a, const mbs_jet *r, mbs_jet *by_r,
                               mbs_gradient *g)
{
  double cosine = cos(a->x[0].d[0]), sine = sin(a->x[0].d[0]);
  mbs_jet C = mbs_function(a->x[0], cosine, -sine, -cosine);
  mbs_jet S = mbs_function(a->x[0], sine, cosine, -sine), minus = mbs_scaled(-1, S);
  g->phi = mbs_minus(mbs_times(C, r[1]), mbs_times(S, r[0]));
  only_first(dim, mbs_minus(mbs_times(minus, r[1]), mbs_times(C, r[0])), g);
  by_r[0] = minus;
  by_r[1] = C;
}

/* swing of the vectors c, r_a, r_b, with r = r_b - r_a. */
GRADYN_KERNEL void swing(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  const mbs_jet r[2] = {mbs_minus(V(2)[0], V(1)[0]), mbs_minus(V(2)[1], V(1)[1])};
  for (int k = dim; k < 3 * dim; k++)
    g->x[k] = mbs_number(0);
  point_along(dim, a, r, G(2), g);
  for (int k = 0; k < 2; k++)
    G(1)[k] = mbs_scaled(-1, G(2)[k]);
}

MBS_JET_FUNCTIONS(swing, 3)

/* swing of the vectors c and r, where r is a direction. */
GRADYN_KERNEL void heading(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  for (int k = dim; k < 2 * dim; k++)
    g->x[k] = mbs_number(0);
  point_along(dim, a, V(1), G(1), g);
}

MBS_JET_FUNCTIONS(heading, 2)

/* Whether r points opposite to the angle c, r.(cos c, sin c) < 0. Phi is zero for this direction too. */
static bool points_back(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  (void)z;
  const double *p = at->pos, *r = p + e->at[e->points - 1], c = p[e->at[0]];
  const double x = e->points == 3 ? p[e->at[1]] : 0, y = e->points == 3 ? p[e->at[1] + 1] : 0;
  return (r[0] - x) * cos(c) + (r[1] - y) * sin(c) < 0;
}

const mbs_element_ops mbs_swing_ops = {
    .kind = "angle of a rod", .degree = 3, MBS_JET_OPS(swing), .reversed = points_back};
const mbs_element_ops mbs_heading_ops = {.kind = "angle of a body",
                                         .multiplier = "N m",
                                         .degree = 3,
                                         MBS_JET_OPS(heading),
                                         .reversed = points_back};

/* Whether w points opposite to the angle c, cos c x.w + sin c y.w < 0. Phi is zero for this direction too. */
static bool reversed(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  (void)z;
  const double *p = at->pos, *x = p + e->at[1], *y = p + e->at[2], *w = p + e->at[e->points - 1];
  /* x.w and y.w; in the plane y follows from x */
  double c = p[e->at[0]], X = x[0] * w[0] + x[1] * w[1], Y = x[0] * w[1] - x[1] * w[0];
  if (e->points == 4) {
    X += x[2] * w[2];
    Y = y[0] * w[0] + y[1] * w[1] + y[2] * w[2];
  }
  return X * cos(c) + Y * sin(c) < 0;
}

const mbs_element_ops mbs_turn_ops = {.kind = "angle of a joint",
                                      .multiplier = "N m",
                                      .degree = 3,
                                      MBS_JET_OPS_AND(turn, turn_hessian),
                                      .reversed = reversed};
const mbs_element_ops mbs_plane_turn_ops = {.kind = "angle of a joint",
                                            .multiplier = "N m",
                                            .degree = 3,
                                            MBS_JET_OPS(plane_turn),
                                            .reversed = reversed};

/* --- slide ------------------------------------------------------------------------------------ */

/* slide of the vectors c, u, r_a, r_b. */
GRADYN_KERNEL void slide(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  only_first(dim, mbs_number(-1), g);
  for (int k = 0; k < dim; k++) {
    G(1)[k] = mbs_minus(V(3)[k], V(2)[k]); /* Phi_u = r_b - r_a */
    G(2)[k] = mbs_scaled(-1, V(1)[k]);     /* Phi_a = -u, Phi_b = u */
    G(3)[k] = V(1)[k];
  }
  /* u.(r_b - r_a) - c */
  g->phi = mbs_minus(dot(dim, V(1), G(1)), a->x[0]);
}

MBS_JET_FUNCTIONS(slide, 4)

const mbs_element_ops mbs_slide_ops = {
    .kind = "distance of a joint", .multiplier = "N", .degree = 2, MBS_JET_OPS(slide)};

/* --- gear ------------------------------------------------------------------------------------- */

enum { RATIO, OFFSET };

/* Phi = c_2 - ratio c_1 - offset. The offset is constant, so it does not occur in the rates. */
static gradyn_status gear(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                          int order, gradyn_scalar *phi)
{
  const gradyn_scalar *c = order == 0 ? s->pos : order == 1 ? s->vel : s->acc;
  (void)e;
  *phi = c[m->dim] - s->z[RATIO] * c[0] - (order == 0 ? s->z[OFFSET] : 0);
  return GRADYN_OK;
}

const mbs_element_ops mbs_gear_ops = {.kind = "gear", MBS_RELATION_OPS(gear), .degree = 1};
