/* L of freely rotating bodies: a spherical joint, or a body without a joint. Its coordinates p define the
 * rotation R(p/|p|) = P(p)/n, n = p.p, from components of the body to components of its parent, where
 *   P(p) = B(p, p),  B(x, y) = (x_0 y_0 - x.y) 1 + x y^T + y x^T + [x_0 y + y_0 x] x,  x, y: the last three.
 * Bodies therefore stay rigid if |p| is not 1, and L_p p = 0. Only the origins o of the joint's frames are
 * used: L = [1 o - R o_own; 0 R^T]. For a body without a joint, its position replaces o. L is linear in R.
 * With the parts of L due to B(e_i, e_k), which are constant with the present data, the part of P and its
 * derivatives are
 *   P_i = 2 sum p_k B_ik,    P = sum p_i P_i / 2,    P' = sum p'_i P_i,    P'' = sum p''_i P_i + p'_i P'_i.
 * The parts of R follow from n R = P, n R_i = P_i - R n_i, n R_ij = P_ij - R_i n_j - R_j n_i - R n_ij. */
#include "mbs/passes/joints.h"

#include <string.h>

enum { P = TREE_TURN_FREELY };

/* --- constant parts --------------------------------------------------------------------------- */

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

/* The part of L due to R, with the origin of the body's frame. */
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

/* --- at a position ---------------------------------------------------------------------------- */

/* Parameters and n = p.p, with two time derivatives. */
typedef struct position {
  double p[3][P], n[3];
} position;

/* Copies Euler parameters with two time derivatives, and forms those of their square sum n. */
static void take_place(double z[3][TREE_FREE], int first, position *at)
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

/* A row of all maps L, L_i and L_ij; the recursions treat rows separately. */
typedef struct map_row {
  gradyn_lanes R[3], R_i[P][3], R_ij[P][P];
} map_row;

GRADYN_KERNEL void load_row(const double *from, gradyn_lanes *to)
{
  memcpy(to, from, sizeof *to);
}

/* Stores the numerators P_i in R_i, and P in R. */
GRADYN_KERNEL void put_numerators(const position *at, const tree_link *link, int row, map_row *m)
{
  for (int i = 0; i < P; i++) {
    gradyn_lanes bent[P];
    for (int k = 0; k < P; k++)
      load_row(link->bent[i][k].e[row], &bent[k]);
    for (int order = 0; order < 3; order++) {
      const double *p = at->p[order];
      m->R_i[i][order] = 2 * (p[0] * bent[0] + p[1] * bent[1] + p[2] * bent[2] + p[3] * bent[3]);
    }
  }
  m->R[0] = m->R[1] = m->R[2] = (gradyn_lanes){0};
  for (int i = 0; i < P; i++) {
    m->R[0] += 0.5 * at->p[0][i] * m->R_i[i][0];
    m->R[1] += at->p[1][i] * m->R_i[i][0];
    m->R[2] += at->p[2][i] * m->R_i[i][0] + at->p[1][i] * m->R_i[i][1];
  }
}

/* Computes R and its time derivatives from n R = P. */
GRADYN_KERNEL void divide(const position *at, gradyn_lanes R[3])
{
  const double share = 1 / at->n[0];
  R[0] = share * R[0];
  R[1] = share * (R[1] - at->n[1] * R[0]);
  R[2] = share * (R[2] - 2 * at->n[1] * R[1] - at->n[2] * R[0]);
}

/* Computes R_i from n R_i = P_i - R n_i, n_i = 2 p_i; and R_ij, where n_ij = 2 for i = j. */
GRADYN_KERNEL void take_row(const position *at, const tree_link *link, int row, map_row *m)
{
  const double share = 2 / at->n[0], (*p)[P] = at->p;
  put_numerators(at, link, row, m);
  divide(at, m->R);
  for (int i = 0; i < P; i++) {
    m->R_i[i][0] -= 2 * p[0][i] * m->R[0];
    m->R_i[i][1] -= 2 * (p[0][i] * m->R[1] + p[1][i] * m->R[0]);
    m->R_i[i][2] -= 2 * (p[0][i] * m->R[2] + 2 * p[1][i] * m->R[1] + p[2][i] * m->R[0]);
    divide(at, m->R_i[i]);
  }
  for (int i = 0; i < P; i++)
    for (int j = 0; j <= i; j++) {
      gradyn_lanes bent;
      load_row(link->bent[i][j].e[row], &bent);
      bent -= p[0][j] * m->R_i[i][0] + p[0][i] * m->R_i[j][0];
      m->R_ij[i][j] = share * (i == j ? bent - m->R[0] : bent);
    }
}

static GRADYN_WIDE void map_euler_turn(const position *at, tree_link *link)
{
  const int first = link->k - P;
  for (int row = 0; row < TREE_VECTORS; row++) {
    map_row m;
    take_row(at, link, row, &m);
    for (int order = 0; order < 3; order++) {
      memcpy(link->jet[order].e[row], &m.R[order], sizeof m.R[order]);
      for (int i = 0; i < P; i++)
        memcpy(link->jet_z[first + i][order].e[row], &m.R_i[i][order], sizeof m.R[order]);
    }
    for (int i = 0; i < P; i++)
      for (int j = 0; j <= i; j++) {
        memcpy(link->L_zz[first + i][first + j].e[row], &m.R_ij[i][j], sizeof m.R[0]);
        memcpy(link->L_zz[first + j][first + i].e[row], &m.R_ij[i][j], sizeof m.R[0]);
      }
  }
}

/* Computes L and its derivatives for a link with Euler parameters. Slides of a body without a joint are
 * along the ground's axes; derivatives of L by them are constant. */
void tree_euler_map(tree_link *link, double z[3][TREE_FREE])
{
  const int slides = link->k - P;
  position at;
  take_place(z, slides, &at);
  map_euler_turn(&at, link);
  link->jet[0].e[0][0] = 1;
  for (int k = 0; k < 3; k++)
    link->jet[0].e[0][1 + k] += link->v[link->turned][0][k];
  for (int k = 0; k < slides; k++) {
    link->jet_z[k][0].e[0][1 + k] = 1;
    for (int order = 0; order < 3; order++)
      link->jet[order].e[0][1 + k] += z[order][k];
  }
}
