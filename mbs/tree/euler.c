/* L of what turns freely: a spherical joint, or a body without one. Its coordinates p take components of the
 * body to those of its parent by R(p/|p|) = P(p)/n, n = p.p, where
 *   P(p) = B(p, p),  B(x, y) = (x_0 y_0 - x.y) 1 + x y^T + y x^T + [x_0 y + y_0 x] x,  x, y: the last three,
 * so that bodies stay rigid where |p| is not 1, and L_p p = 0. Origins o of the joint's frames are all it
 * knows: L = [1 o - R o_own; 0 R^T], and a body without a joint has its place in that of o. L is linear in R.
 * So with what B(e_i, e_k) makes of L, constant with the data at hand, P's part of L and its derivatives are
 *   P_i = 2 sum p_k B_ik,    P = sum p_i P_i / 2,    P' = sum p'_i P_i,    P'' = sum p''_i P_i + p'_i P'_i
 * and those of R follow from n R = P, n R_i = P_i - R n_i, n R_ij = P_ij - R_i n_j - R_j n_i - R n_ij. */
#include "mbs/tree/joints.h"

#include <string.h>

enum { P = TREE_TURN_FREELY };

/* --- constant parts ---------------------------------------------------------------------------------- */

/* B(e_l, e_i) */
static void take_product(int l, int i, double B[3][3])
{
  double x[P] = {0}, y[P] = {0};
  x[l] = y[i] = 1;
  memset(B, 0, 9 * sizeof(double));
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const double turn = x[0] * y[1 + k] + y[0] * x[1 + k];
    B[k][k] += x[0] * y[0] - x[1] * y[1] - x[2] * y[2] - x[3] * y[3];
    B[last][next] += turn;
    B[next][last] -= turn;
    for (int j = 0; j < 3; j++)
      B[k][j] += x[1 + k] * y[1 + j] + y[1 + k] * x[1 + j];
  }
}

/* The part of L that R makes, with the origin of the body's frame. */
static void put(double R[3][3], const double *origin, tree_map *out)
{
  memset(out, 0, sizeof *out);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      out->e[1 + i][1 + j] = R[j][i];
      out->e[0][1 + j] -= R[j][i] * origin[i];
    }
}

void tree_euler_load(const gradyn_mbs *m, tree_link *link)
{
  memset(link->v, 0, sizeof link->v);
  if (link->joint >= 0) {
    const mbs_joint *j = &m->parts.joint[link->joint];
    tree_take_vectors(m, j->a, link->v[0]);
    tree_take_vectors(m, j->b, link->v[1]);
  }
  for (int l = 0; l < P; l++)
    for (int i = 0; i < P; i++) {
      double B[3][3];
      take_product(l, i, B);
      put(B, link->v[!link->turned][0], &link->bent[l][i]);
    }
}

/* --- at a place -------------------------------------------------------------------------------------- */

/* to += share f */
GRADYN_KERNEL void add(double share, const tree_map *f, tree_map *to)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      to->e[i][j] += share * f->e[i][j];
}

GRADYN_KERNEL void scale(double share, tree_map *f)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      f->e[i][j] *= share;
}

/* Parameters, the square of their length, both with two time derivatives. */
typedef struct place {
  double p[3][P], n[3];
} place;

static void take_place(double z[3][TREE_FREE], int first, place *at)
{
  memset(at->n, 0, sizeof at->n);
  for (int k = 0; k < P; k++) {
    const double p = at->p[0][k] = z[0][first + k], v = at->p[1][k] = z[1][first + k];
    const double a = at->p[2][k] = z[2][first + k];
    at->n[0] += p * p;
    at->n[1] += 2 * p * v;
    at->n[2] += 2 * (p * a + v * v);
  }
}

/* P_i into jets of L_i, and P into those of L. */
GRADYN_KERNEL void put_numerators(const place *at, tree_link *link, tree_map (*L_p)[3])
{
  memset(link->jet, 0, sizeof link->jet);
  for (int i = 0; i < P; i++) {
    memset(L_p[i], 0, sizeof L_p[i]);
    for (int order = 0; order < 3; order++)
      for (int k = 0; k < P; k++)
        add(2 * at->p[order][k], &link->bent[i][k], &L_p[i][order]);
    add(0.5 * at->p[0][i], &L_p[i][0], &link->jet[0]);
    add(at->p[1][i], &L_p[i][0], &link->jet[1]);
    add(at->p[2][i], &L_p[i][0], &link->jet[2]);
    add(at->p[1][i], &L_p[i][1], &link->jet[2]);
  }
}

/* R from n R = P in time. */
GRADYN_KERNEL void divide(const place *at, tree_map R[3])
{
  for (int order = 0; order < 3; order++) {
    for (int k = 1; k <= order; k++)
      add(-tree_binomial[order][k] * at->n[k], &R[order - k], &R[order]);
    scale(1 / at->n[0], &R[order]);
  }
}

/* R_i from n R_i = P_i - R n_i, n_i = 2 p_i. */
GRADYN_KERNEL void divide_slope(const place *at, const tree_map R[3], int i, tree_map R_i[3])
{
  for (int order = 0; order < 3; order++)
    for (int k = 0; k <= order; k++)
      add(-2 * tree_binomial[order][k] * at->p[k][i], &R[order - k], &R_i[order]);
  divide(at, R_i);
}

/* R_ij, n_ij = 2 of equal ones. */
GRADYN_KERNEL void take_bend(const place *at, const tree_link *link, tree_map (*L_p)[3], int i,
                             int j, tree_map *R_ij)
{
  *R_ij = link->bent[i][j];
  scale(2, R_ij);
  add(-2 * at->p[0][j], &L_p[i][0], R_ij);
  add(-2 * at->p[0][i], &L_p[j][0], R_ij);
  if (i == j)
    add(-2, &link->jet[0], R_ij);
  scale(1 / at->n[0], R_ij);
}

static GRADYN_WIDE void map_turn(const place *at, tree_link *link)
{
  const int first = link->k - P;
  tree_map(*L_p)[3] = link->jet_z + first;
  put_numerators(at, link, L_p);
  divide(at, link->jet);
  for (int i = 0; i < P; i++)
    divide_slope(at, link->jet, i, L_p[i]);
  for (int i = 0; i < P; i++)
    for (int j = 0; j <= i; j++) {
      take_bend(at, link, L_p, i, j, &link->L_zz[first + i][first + j]);
      link->L_zz[first + j][first + i] = link->L_zz[first + i][first + j];
    }
}

/* Slides of a body without a joint are along the ground's axes; by these L is constant. */
void tree_euler_map(tree_link *link, double z[3][TREE_FREE])
{
  const int slides = link->k - P;
  place at;
  take_place(z, slides, &at);
  map_turn(&at, link);
  link->jet[0].e[0][0] = 1;
  for (int k = 0; k < 3; k++)
    link->jet[0].e[0][1 + k] += link->v[link->turned][0][k];
  for (int k = 0; k < slides; k++) {
    link->jet_z[k][0].e[0][1 + k] = 1;
    for (int order = 0; order < 3; order++)
      link->jet[order].e[0][1 + k] += z[order][k];
  }
}
