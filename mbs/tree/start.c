/* The start: joint coordinates from the state in natural coordinates, in which the assembly is solved. Most
 * joint coordinates, and the position of a body without a joint, are natural coordinates themselves. Euler
 * parameters p belong, up to a sign, to R = E_p^T E. The columns of E and E_p are the base vectors of the
 * body and of its parent. Rates are
 *   p' = (p, w)/2,   w = ax(R^T R'),        (p, w) = (-p.w; p_0 w + p x w),  ax W = (W - W^T)/2 as a vector,
 * and dp = (p, ax(R^T dR))/2, so that p needs no further derivative. Adjoints use the transpose. */
#include "mbs/passes/joints.h"

#include <math.h>
#include <string.h>

enum { P = TREE_TURN_FREELY };

/* Components of the base vectors of a body, or their changes. */
typedef double triad[3][3];

/* Attitude of a link: R with its rate, Euler parameters p, angular velocity w. */
typedef struct attitude {
  triad R[2];
  double p[P], w[3];
} attitude;

/* Reads the base vectors of a body from an array of natural coordinates. The ground has the identity if
 * `own`, otherwise (for rates and changes) zeros. */
static void take_triad(const double *X, const int *at, bool own, triad E)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      E[i][k] = at[0] >= 0 ? X[at[1 + i] + k] : own && i == k;
}

/* R += share A^T B */
static void add_product(double share, triad A, triad B, triad R)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        R[i][j] += share * A[i][k] * B[j][k];
}

/* C += A B, or A^T B */
static void multiply(bool transposed, triad A, triad B, triad C)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        C[i][j] += (transposed ? A[k][i] : A[i][k]) * B[k][j];
}

static void axial(triad W, double w[3])
{
  for (int k = 0; k < 3; k++)
    w[k] = 0.5 * (W[(k + 2) % 3][(k + 1) % 3] - W[(k + 1) % 3][(k + 2) % 3]);
}

/* y += (p, w)/2 */
static void turn(const double p[P], const double w[3], double y[P])
{
  double across[3];
  mbs_cross(p + 1, w, across);
  for (int k = 0; k < 3; k++) {
    y[0] -= 0.5 * p[1 + k] * w[k];
    y[1 + k] += 0.5 * (p[0] * w[k] + across[k]);
  }
}

/* Adjoints of p and w, the arguments of turn(). */
static void turn_against(const double p[P], const double w[3], const double y_bar[P],
                         double p_bar[P], double w_bar[3])
{
  double of_w[3], of_p[3];
  mbs_cross(y_bar + 1, p + 1, of_w);
  mbs_cross(w, y_bar + 1, of_p);
  for (int k = 0; k < 3; k++) {
    p_bar[0] += 0.5 * y_bar[1 + k] * w[k];
    p_bar[1 + k] += 0.5 * (of_p[k] - y_bar[0] * w[k]);
    w_bar[k] += 0.5 * (p[0] * y_bar[1 + k] - y_bar[0] * p[1 + k] + of_w[k]);
  }
}

/* Finds the Euler parameters p of R, with the sign for which their largest component is positive. */
static void take_parameters(triad R, double p[P])
{
  const double trace = R[0][0] + R[1][1] + R[2][2];
  int most = 0;
  double square[P], size = 0; /* squares of 2 p_k */
  square[0] = 1 + trace;
  for (int k = 0; k < 3; k++)
    square[1 + k] = 1 + 2 * R[k][k] - trace;
  for (int k = 1; k < P; k++)
    most = square[k] > square[most] ? k : most;
  const double four = 2 * sqrt(square[most]);
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const double odd = R[last][next] - R[next][last]; /* 4 p_0 p_k */
    if (most == 0)
      p[1 + k] = odd / four;
    else if (most == 1 + k)
      p[0] = odd / four;
    else
      p[1 + k] = (R[k][most - 1] + R[most - 1][k]) / four;
  }
  p[most] = four / 4;
  for (int k = 0; k < P; k++)
    size += p[k] * p[k];
  for (int k = 0; k < P; k++)
    p[k] /= sqrt(size);
}

/* Finds the rotation of a link relative to its parent, with parameters and angular velocity, from natural
 * coordinates and velocities. */
static void take_attitude(const tree_link *link, const gradyn_mech_place *at, attitude *is)
{
  triad E, E_p, V, V_p, W = {{0}};
  take_triad(at->q, link->own, true, E);
  take_triad(at->q, link->from, true, E_p);
  take_triad(at->v, link->own, false, V);
  take_triad(at->v, link->from, false, V_p);
  memset(is->R, 0, sizeof is->R);
  add_product(1, E_p, E, is->R[0]);
  add_product(1, V_p, E, is->R[1]);
  add_product(1, E_p, V, is->R[1]);
  take_parameters(is->R[0], is->p);
  multiply(true, is->R[0], is->R[1], W);
  axial(W, is->w);
}

/* --- freely rotating links -------------------------------------------------------------------- */

static const int *parameters(const tree_link *link)
{
  return link->z + link->k - P;
}

/* Finds the Euler parameters of a link and their rates, from natural coordinates and velocities. */
static void take_link(const tree_link *link, const gradyn_mech_place *at,
                      const gradyn_mech_place *to)
{
  attitude is;
  double rate[P] = {0};
  take_attitude(link, at, &is);
  turn(is.p, is.w, rate);
  for (int k = 0; k < P; k++) {
    to->q[parameters(link)[k]] = is.p[k];
    to->v[parameters(link)[k]] = rate[k];
  }
}

/* Computes the changes of R, and with rates also of R', by changes d. */
static void change_turn(const tree_link *link, const gradyn_mech_place *at,
                        const gradyn_mech_place *d, triad dR[2])
{
  triad E[2], dE[2], E_p[2], dE_p[2];
  for (int rate = 0; rate < 2; rate++) {
    const double *X = rate ? at->v : at->q, *dX = rate ? d->v : d->q;
    take_triad(X, link->own, !rate, E[rate]);
    take_triad(X, link->from, !rate, E_p[rate]);
    take_triad(dX, link->own, false, dE[rate]);
    take_triad(dX, link->from, false, dE_p[rate]);
  }
  memset(dR, 0, 2 * sizeof *dR);
  for (int one = 0; one < 2; one++)
    for (int other = 0; one + other < 2; other++) {
      add_product(1, dE_p[one], E[other], dR[one + other]);
      add_product(1, E_p[one], dE[other], dR[one + other]);
    }
}

/* Computes the changes of a link's Euler parameters and rates by changes d of natural coordinates and
 * velocities. */
static void link_along(const tree_link *link, const gradyn_mech_place *at,
                       const gradyn_mech_place *d, const gradyn_mech_place *to)
{
  attitude is;
  triad dR[2], W = {{0}}, V = {{0}};
  double theta[3], dw[3], dp[P] = {0}, rate[P] = {0};
  take_attitude(link, at, &is);
  change_turn(link, at, d, dR);
  multiply(true, is.R[0], dR[0], W);
  multiply(true, dR[0], is.R[1], V);
  multiply(true, is.R[0], dR[1], V);
  axial(W, theta);
  axial(V, dw);
  turn(is.p, theta, dp);
  turn(dp, is.w, rate);
  turn(is.p, dw, rate);
  for (int k = 0; k < P; k++) {
    to->q[parameters(link)[k]] = dp[k];
    to->v[parameters(link)[k]] = rate[k];
  }
}

/* Computes the adjoint W of a matrix from the adjoint of its axial vector. */
static void axial_against(const double w_bar[3], triad W)
{
  memset(W, 0, sizeof(triad));
  for (int k = 0; k < 3; k++) {
    W[(k + 2) % 3][(k + 1) % 3] = 0.5 * w_bar[k];
    W[(k + 1) % 3][(k + 2) % 3] = -0.5 * w_bar[k];
  }
}

/* Computes the adjoints of R and R' from those of p and p', and adds to the adjoint of p. */
static void bars_of_turn(attitude *is, double p_bar[P], const double rate_bar[P], triad R_bar[2])
{
  double theta_bar[3] = {0}, w_bar[3] = {0}, ignored[P] = {0};
  triad W, V;
  turn_against(is->p, is->w, rate_bar, p_bar, w_bar);
  turn_against(is->p, is->w, p_bar, ignored, theta_bar);
  axial_against(theta_bar, W);
  axial_against(w_bar, V);
  memset(R_bar, 0, 2 * sizeof *R_bar);
  multiply(false, is->R[0], W, R_bar[0]);
  multiply(false, is->R[0], V, R_bar[1]);
  for (int i = 0; i < 3; i++) /* the term from dR in dR^T R': R' V^T */
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        R_bar[0][i][a] += V[a][b] * is->R[1][i][b];
}

/* Adds the adjoints of A and B in R = A^T B; the ground has none. */
static void product_against(triad R_bar, triad A, triad B, const tree_link *link, double *A_bar,
                            double *B_bar)
{
  const int *to_A = link->from, *to_B = link->own;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        if (to_A[0] >= 0)
          A_bar[to_A[1 + i] + k] += R_bar[i][j] * B[j][k];
        B_bar[to_B[1 + j] + k] += R_bar[i][j] * A[i][k];
      }
}

/* Transpose of link_along(): adds to the adjoints of natural coordinates and velocities. */
static void link_against(const tree_link *link, const gradyn_mech_place *at,
                         const gradyn_mech_place *adjoints, const gradyn_mech_place *to)
{
  attitude is;
  triad E[2], E_p[2], R_bar[2];
  double p_bar[P], rate_bar[P];
  take_attitude(link, at, &is);
  for (int k = 0; k < P; k++) {
    p_bar[k] = adjoints->q[parameters(link)[k]];
    rate_bar[k] = adjoints->v[parameters(link)[k]];
  }
  bars_of_turn(&is, p_bar, rate_bar, R_bar);
  take_triad(at->q, link->own, true, E[0]);
  take_triad(at->v, link->own, false, E[1]);
  take_triad(at->q, link->from, true, E_p[0]);
  take_triad(at->v, link->from, false, E_p[1]);
  product_against(R_bar[0], E_p[0], E[0], link, to->q, to->q);
  product_against(R_bar[1], E_p[1], E[0], link, to->v, to->q);
  product_against(R_bar[1], E_p[0], E[1], link, to->q, to->v);
}

/* --- all links -------------------------------------------------------------------------------- */

static const tree *tree_behind(const gradyn_mech *own)
{
  return (const tree *)own;
}

/* Copies the coordinates that are natural coordinates. */
static void pick(const tree *c, const gradyn_mech_place *from, const gradyn_mech_place *to)
{
  for (int i = 0; i < c->mech.n; i++)
    if (c->source[i] >= 0) {
      to->q[i] = from->q[c->source[i]];
      to->v[i] = from->v[c->source[i]];
    }
}

static void take(gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to)
{
  const tree *c = tree_behind(own);
  pick(c, at, to);
  for (int i = 0; i < c->links; i++)
    if (c->link[i].bent)
      take_link(&c->link[i], at, to);
}

static void along(gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *d,
                  const gradyn_mech_place *to)
{
  const tree *c = tree_behind(own);
  pick(c, d, to);
  for (int i = 0; i < c->links; i++)
    if (c->link[i].bent)
      link_along(&c->link[i], at, d, to);
}

static void against(gradyn_mech *own, const gradyn_mech_place *at,
                    const gradyn_mech_place *adjoints, const gradyn_mech_place *to)
{
  const tree *c = tree_behind(own);
  memset(to->q, 0, (size_t)c->natural->n * sizeof *to->q);
  memset(to->v, 0, (size_t)c->natural->n * sizeof *to->v);
  for (int i = 0; i < c->mech.n; i++)
    if (c->source[i] >= 0) {
      to->q[c->source[i]] += adjoints->q[i];
      to->v[c->source[i]] += adjoints->v[i];
    }
  for (int i = 0; i < c->links; i++)
    if (c->link[i].bent)
      link_against(&c->link[i], at, adjoints, to);
}

static void give(gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to)
{
  tree *c = (tree *)own;
  const size_t size = (size_t)c->natural->n * sizeof *to->q;
  tree_move(c, at->q, at->v, NULL);
  memcpy(to->q, c->X[0], size);
  memcpy(to->v, c->X[1], size);
}

/* Changes the signs of Euler parameters to be nearest to those before: p and -p are the same attitude. */
static void nearest(const gradyn_mech *own, const gradyn_mech_place *before,
                    const gradyn_mech_place *to)
{
  const tree *c = tree_behind(own);
  for (int i = 0; i < c->links; i++) {
    double along = 0;
    for (int k = 0; k < P && c->link[i].bent; k++)
      along += before->q[parameters(&c->link[i])[k]] * to->q[parameters(&c->link[i])[k]];
    for (int k = 0; k < P && along < 0; k++) {
      to->q[parameters(&c->link[i])[k]] *= -1;
      to->v[parameters(&c->link[i])[k]] *= -1;
    }
  }
}

static void name(const gradyn_mech *own, int i, char *buffer, size_t size)
{
  const tree *c = tree_behind(own);
  c->natural_ops->state_name(c->mbs->model, i, buffer, size);
}

static const char *unit(const gradyn_mech *own, int i)
{
  const tree *c = tree_behind(own);
  return c->natural_ops->state_unit(c->mbs->model, i);
}

const gradyn_mech_origin tree_origin = {.take = take,
                                        .along = along,
                                        .against = against,
                                        .give = give,
                                        .nearest = nearest,
                                        .name = name,
                                        .unit = unit};
