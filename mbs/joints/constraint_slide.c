/* Constraints of joints besides scalar products, with a direction u and r = b - a for two points:
 *   along:  Phi = u.r, the component of r along u, m;
 *   across, in the plane:  Phi = u x r = u_x r_y - u_y r_x, the component normal to u, m;
 *   parallel, in the plane:  Phi = u x w for two directions.
 * No inputs. */
#include "mbs/joints/kernel.h"

enum { U = 0, A = 1, B = 2 }; /* vectors, in the order of the element's points */

/* Phi = u.(b - a). */
GRADYN_KERNEL void along(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  g->phi = mbs_number(0);
  g->s = mbs_number(0);
  for (int k = 0; k < dim; k++) {
    mbs_jet u = a->x[dim * U + k], r = mbs_minus(a->x[dim * B + k], a->x[dim * A + k]);
    g->phi = mbs_plus(g->phi, mbs_times(u, r));
    g->x[dim * U + k] = r; /* Phi_u = r, Phi_b = u = -Phi_a */
    g->x[dim * B + k] = u;
    g->x[dim * A + k] = mbs_scaled(-1, u);
  }
}

MBS_JET_FUNCTIONS(along, 3)

const mbs_element_ops mbs_along_ops = {.kind = "guide", .degree = 2, MBS_JET_OPS(along)};

/* u x r with Phi_u = (r_y, -r_x) and Phi_r = (-u_y, u_x). */
GRADYN_KERNEL mbs_jet cross(const mbs_jet *u, const mbs_jet *r, mbs_jet *by_u, mbs_jet *by_r)
{
  by_u[0] = r[1];
  by_u[1] = mbs_scaled(-1, r[0]);
  by_r[0] = mbs_scaled(-1, u[1]);
  by_r[1] = u[0];
  return mbs_minus(mbs_times(u[0], r[1]), mbs_times(u[1], r[0]));
}

GRADYN_KERNEL void across(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  mbs_jet r[2];
  for (int k = 0; k < 2; k++)
    r[k] = mbs_minus(a->x[dim * B + k], a->x[dim * A + k]);
  for (int k = 0; k < 3 * dim; k++)
    g->x[k] = mbs_number(0);
  g->phi = cross(a->x, r, g->x, g->x + dim * B); /* Phi_u, Phi_b */
  for (int k = 0; k < 2; k++)
    g->x[dim * A + k] = mbs_scaled(-1, g->x[dim * B + k]); /* Phi_a = -Phi_b */
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(across, 3)

const mbs_element_ops mbs_across_ops = {.kind = "guide", .degree = 2, MBS_JET_OPS(across)};

GRADYN_KERNEL void parallel(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  for (int k = 0; k < 2 * dim; k++)
    g->x[k] = mbs_number(0);
  g->phi = cross(a->x, a->x + dim, g->x, g->x + dim);
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(parallel, 2)

const mbs_element_ops mbs_parallel_ops = {
    .kind = "parallel directions", .multiplier = "N m", .degree = 2, MBS_JET_OPS(parallel)};
