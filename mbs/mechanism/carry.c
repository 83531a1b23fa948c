/* Linear velocity fields r' = L r that continue a steady motion. The mechanism turns with Omega and moves
 * along, and each body turns about its centre in its own axes, as a wheel does:
 *     r' = Omega x r + u,      e_i' = Omega x e_i + sum_k e_k W_ki,   W_ki = e_k.((omega - Omega) x e_i),
 * with omega the body's angular velocity. The fields r' and e_i' are linear in natural coordinates, with
 * constant coefficients. */
#include <string.h>

#include "mbs/bodies/frame.h"
#include "mbs/bodies/turning.h"
#include "mbs/mechanism/assembly.h"

/* Adds a body's rotation about its own axes to L. */
static void add_spin(const gradyn_mbs *m, const mbs_body *body, const gradyn_mech_state *at,
                     const double omega[3], double *L)
{
  const size_t n = (size_t)m->mech.n;
  double w[3], e[3][3] = {{0}}, turned[3];
  mbs_find_turn(m, body, at->q, at->v, w);
  for (int k = 0; k < 3; k++)
    w[k] -= omega[k];
  for (int i = 0; i < m->dim; i++)
    mbs_take_vector(m, at->q, body->point[1 + i], e[i]);
  for (int i = 0; i < m->dim; i++) {
    mbs_cross(w, e[i], turned);
    for (int k = 0; k < m->dim; k++) {
      const double W = e[k][0] * turned[0] + e[k][1] * turned[1] + e[k][2] * turned[2];
      const int row = m->point[body->point[1 + i]].offset,
                column = m->point[body->point[1 + k]].offset;
      for (int c = 0; c < m->dim && i != k; c++)
        L[(size_t)(row + c) * n + (size_t)(column + c)] += W;
    }
  }
}

bool mbs_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  const size_t n = (size_t)mech->n;
  double omega[3];
  if (!mbs_find_turning(m, at, which, omega))
    return false;
  memset(L, 0, n * n * sizeof *L);
  const double cross[3][3] = {
      {0, -omega[2], omega[1]}, {omega[2], 0, -omega[0]}, {-omega[1], omega[0], 0}};
  for (int i = 0; i < m->points; i++)
    for (int r = 0; r < m->dim && mbs_moves(m, i); r++)
      for (int c = 0; c < m->dim; c++)
        L[(size_t)(m->point[i].offset + r) * n + (size_t)(m->point[i].offset + c)] = cross[r][c];
  for (int j = 0; j < m->parts.bodies; j++)
    add_spin(m, &m->parts.body[j], at, omega, L);
  return true;
}
