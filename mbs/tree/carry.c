/* Velocity fields L that continue a steady motion, in joint coordinates. The mechanism rotates with Omega,
 * and each body also rotates about its own axes. Angles and slides of joints then have constant rates,
 * positions have r' = Omega x r + u, and Euler parameters of a body relative to its parent
 *     p' = (p, w)/2 - (w_p, p)/2,      w_i = e_i.(omega - Omega),     (p, w) = (-p.w; p_0 w + p x w),
 * with constant w of the body and w_p of its parent; of the ground, -Omega. */
#include "mbs/bodies/turning.h"
#include "mbs/passes/passes.h"
#include "mbs/tree/sight.h"

#include <string.h>

enum { P = TREE_TURN_FREELY };

/* Finds the vector w of a body, see the head of this file; body -1: of the ground. */
static void find_spin(const tree *c, int body, const gradyn_mech_state *at, const double omega[3],
                      double w[3])
{
  double e[3], turn[3];
  for (int k = 0; k < 3 && body < 0; k++)
    w[k] = -omega[k];
  if (body < 0)
    return;
  const mbs_body *of = &c->mbs->parts.body[body];
  mbs_find_turn(c->mbs, of, at->q, at->v, turn);
  for (int i = 0; i < 3; i++) {
    mbs_take_vector(c->mbs, at->q, of->point[1 + i], e);
    w[i] = 0;
    for (int k = 0; k < 3; k++)
      w[i] += e[k] * (turn[k] - omega[k]);
  }
}

static void put_parameters(const tree *c, const tree_link *link, const gradyn_mech_state *at,
                           const double omega[3], double *L)
{
  const int *z = link->z + link->k - P;
  double w[3], of_parent[3];
  find_spin(c, link->body, at, omega, w);
  find_spin(c, link->parent >= 0 ? c->link[link->parent].body : -1, at, omega, of_parent);
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const double turns = 0.5 * (w[k] - of_parent[k]), crosses = 0.5 * (w[k] + of_parent[k]);
    double *const row[] = {L + z[0] * c->mech.n, L + z[1 + k] * c->mech.n,
                           L + z[1 + next] * c->mech.n, L + z[1 + last] * c->mech.n};
    row[0][z[1 + k]] -= turns;
    row[1][z[0]] += turns;
    row[2][z[1 + last]] += crosses; /* row k of p x w */
    row[3][z[1 + next]] -= crosses;
  }
}

/* Writes the rows of L for positions of floating bodies, and for vectors that keep natural coordinates. */
static void put_places(const tree *c, const double omega[3], double *L)
{
  const int n = c->mech.n, dim = c->mbs->dim;
  for (int i = 0; i < c->mbs->points; i++) {
    int z = 0;
    while (z < n && c->source[z] != c->mbs->point[i].offset)
      z++;
    if (z == n || !mbs_moves(c->mbs, i))
      continue;
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      if (next < dim && last < dim) {
        L[(z + last) * n + z + next] = omega[k];
        L[(z + next) * n + z + last] = -omega[k];
      }
    }
  }
}

bool tree_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L)
{
  tree *c = (tree *)mech;
  gradyn_mech_state natural;
  double omega[3];
  tree_to_natural(c, at, &(tree_sight){.v = true, .a = true}, &natural);
  if (!mbs_find_turning(c->mbs, &natural, which, omega))
    return false;
  memset(L, 0, (size_t)mech->n * (size_t)mech->n * sizeof *L);
  put_places(c, omega, L);
  for (int i = 0; i < c->links; i++)
    if (c->link[i].bent)
      put_parameters(c, &c->link[i], &natural, omega, L);
  return true;
}
