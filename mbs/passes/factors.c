/* Solves M y = g with the mass matrix of a tree, which is never formed, by articulated bodies. The inertia of
 * a body together with its descendants in the tree, whose joints are free to move, is a 6 x 6 matrix I.
 * Inertias are passed from the leaves to the root, and each joint removes the part of its own motion.
 *
 * Six numbers (w; v) are a body's motion about its own origin. This choice avoids loss of digits far from
 * the ground's origin. dX = T (w; v) means dr = v for the origin r and d(axis) = w x axis. The motion follows
 * from the parent's motion and the joint's coordinates y, (w; v) = B (w_p; v_p) + b y, where B stands for
 * w = w_p, v = v_p + w_p x (r - r_p). In a solve, a is the motion of a body, and p the load that its
 * descendants pass on. With I = [A, H; H^T, S]:
 *   factor, in    U = I b   D = b^T U   I_p += B^T (I - U U^T / D) B
 *   solve, in     e = g - b^T p         p_p += B^T (p + U e / D)
 *          out    y = (e - U^T B a_p) / D      a = B a_p + b y
 * b and U have as many columns as the joint has coordinates. A link stores r - r_p, b, U and 1 / D.
 *
 * For a joint with Euler parameters, p denotes these parameters. They have a constraint, and D p = 0. The
 * block [D, p; p^T, 0] (y; nu) = (e; gamma) has nu = p.e/n, n = p.p. Other links do not depend on nu, since
 * b p = U p = 0. y is the solution with D + s p p^T, s any, and the right-hand side e + p (s gamma - nu).
 * Such links also store p and s. */
#include "mbs/passes/factors.h"
#include "mbs/passes/plane.h"

#include <math.h>
#include <string.h>

/* Numbers stored for a link with k coordinates. */
typedef struct kept {
  const double *arm;     /* [3] r - r_p */
  const double *b, *U;   /* [k][6] */
  const double *inverse; /* [k][k] */
  const double *norm;    /* p, s of Euler parameters */
} kept;

static int kept_size(const tree_link *link)
{
  const int own = link->bent ? TREE_TURN_FREELY + 1 : 0;
  return 3 + 12 * link->k + link->k * link->k + own;
}

/* Pointers to the numbers of a link. */
static inline kept kept_at(const tree_link *link, const double *f)
{
  const int k = link->k;
  return (kept){f, f + 3, f + 3 + 6 * k, f + 3 + 12 * k, f + 3 + 12 * k + k * k};
}

/* Lists the coordinates that have a mass and belong to no joint of the tree. */
static void list_alone(tree *c)
{
  const tree_on_top *rows = &c->left.on_top;
  for (int i = 0; i < c->mech.n; i++)
    c->own.at[i] = 0;
  for (int i = 0; i < c->links; i++)
    for (int k = 0; k < c->link[i].k; k++)
      c->own.at[c->link[i].z[k]] = 1;
  for (int i = 0; i < rows->pairs; i++)
    c->own.at[rows->pair[i].z] = 1;
  for (int i = 0; i < c->mech.n; i++)
    if (!c->own.at[i])
      c->own.alone[c->own.alones++] = i;
}

void tree_reserve(tree *c)
{
  const size_t n = (size_t)c->mech.n;
  c->own.at = gradyn_arena_take(&c->arena, n, sizeof *c->own.at);
  c->own.alone = gradyn_arena_take(&c->arena, n, sizeof *c->own.alone);
  c->own.share = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *c->own.share);
  c->own.six = gradyn_arena_lanes(&c->arena, 6 * (size_t)c->links);
}

/* Returns whether each coordinate in X has no mass or only a mass on the diagonal. */
static bool is_diagonal(tree *c)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  for (int i = 0; i < c->looked.shared; i++) {
    const int row = c->source[i];
    for (int e = dyn->start[row]; e < dyn->start[row + 1]; e++)
      if (c->mbs->mass.inertial[e] && dyn->col[e] != row)
        return false;
    c->own.at[i] = gradyn_pattern_find(dyn, row, row);
  }
  return true;
}

/* Number of numbers that all links store; 0 if a tree does not start at the ground, or an inertia belongs
 * to two bodies. */
static int count_kept(tree *c)
{
  int count = 0;
  for (int i = 0; i < c->links; i++) {
    c->link[i].kept = count;
    count += kept_size(&c->link[i]);
    if (c->link[i].parent < 0 && c->link[i].from[0] >= 0)
      return 0; /* the parent is a body that keeps its own vectors */
  }
  return c->own.composite ? count : 0;
}

int tree_count_factors(tree *c)
{
  list_alone(c);
  if (!tree_rows_serve(c) || !is_diagonal(c))
    return 0;
  c->own.kept = c->plane ? plane_count_factors(c) : count_kept(c);
  return c->own.kept > 0 ? c->own.kept + 2 * c->mech.jac.start[c->left.rows] : 0;
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Motion (w; v) of a body by a coordinate of its joint: dX = L_z X_p is a rigid motion, with d(axis) = w x
 * axis. */
static void motion_of(const tree *c, const tree_link *link, const tree_axes *dX, double *b)
{
  for (int k = 0; k < 3; k++) {
    b[k] = 0;
    b[3 + k] = dX->e[0][k];
  }
  for (int i = 1; i < TREE_VECTORS; i++) {
    double turn[3];
    const double change[3] = {dX->e[i][0], dX->e[i][1], dX->e[i][2]};
    mbs_cross(c->X[0] + link->own[i], change, turn);
    for (int k = 0; k < 3; k++)
      b[k] += 0.5 * turn[k];
  }
}

void tree_add_body(const tree *c, const tree_link *link, tree_share *S)
{
  const tree_map *m = &link->M;
  double s[3] = {0, 0, 0}, P[3][3] = {{0}};
  for (int i = 1; i < TREE_VECTORS; i++) {
    const double *axis = c->X[0] + link->own[i];
    double w[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
      s[k] += m->e[0][i] * axis[k];
      for (int j = 1; j < TREE_VECTORS; j++)
        w[k] += m->e[i][j] * c->X[0][link->own[j] + k];
    }
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        P[k][l] += axis[k] * w[l];
  }
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    for (int l = 0; l < 3; l++)
      S->A[k][l] -= P[k][l];
    S->A[k][k] += P[0][0] + P[1][1] + P[2][2];
    S->S[k][k] += m->e[0][0];
    S->H[k][next] -= s[last]; /* s x */
    S->H[k][last] += s[next];
  }
}

/* U = I b. Returns a magnitude for comparison with pivots: the total inertia for the speeds of b. */
static double load_of(const tree_share *S, const double *b, double *U)
{
  const double *w = b, *v = b + 3;
  for (int k = 0; k < 3; k++) {
    U[k] = U[3 + k] = 0;
    for (int l = 0; l < 3; l++) {
      U[k] += S->A[k][l] * w[l] + S->H[k][l] * v[l];
      U[3 + k] += S->H[l][k] * w[l] + S->S[k][l] * v[l];
    }
  }
  return (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * (S->A[0][0] + S->A[1][1] + S->A[2][2]) +
         (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * (S->S[0][0] + S->S[1][1] + S->S[2][2]);
}

/* Whether a pivot is more than round-off. The limit is about 450 units in the last place: between bodies of
 * equal size, solves lose less than this by cancellation. */
bool tree_resists(double pivot, double size)
{
  static const double nothing = 1e-13;
  return pivot > nothing * size;
}

/* Inverts D [k][k] in place by Gauss-Jordan elimination, with pivots in order: D is positive definite.
 * size [k]: magnitudes for the diagonal. *weak: the singular pivot. Errors: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE. */
static gradyn_status invert(int k, const double *size, double *D, int *weak)
{
  for (int p = 0; p < k; p++) {
    const double pivot = D[p * k + p];
    *weak = p;
    if (!isfinite(pivot))
      return GRADYN_NON_FINITE;
    if (!tree_resists(pivot, size[p]))
      return GRADYN_SINGULAR;
    D[p * k + p] = 1;
    for (int j = 0; j < k; j++)
      D[p * k + j] /= pivot;
    for (int i = 0; i < k; i++) {
      const double part = i == p ? 0 : D[i * k + p];
      D[i * k + p] = i == p ? D[i * k + p] : 0;
      for (int j = 0; j < k; j++)
        D[i * k + j] -= part * D[p * k + j];
    }
  }
  return GRADYN_OK;
}

/* Adds s p p^T to D for Euler parameters p, with s of the magnitude of D; norm: p, s. */
static void stiffen(const tree *c, const tree_link *link, double *D, double *norm)
{
  const int k = link->k, first = k - TREE_TURN_FREELY;
  double n = 0, trace = 0;
  for (int i = 0; i < TREE_TURN_FREELY; i++) {
    norm[i] = c->looked.z[0][link->z[first + i]];
    n += norm[i] * norm[i];
    trace += D[(first + i) * (k + 1)];
  }
  norm[TREE_TURN_FREELY] = trace / n;
  for (int i = 0; i < TREE_TURN_FREELY; i++)
    for (int j = 0; j < TREE_TURN_FREELY; j++)
      D[(first + i) * k + first + j] += norm[TREE_TURN_FREELY] * norm[i] * norm[j];
}

/* Removes the motion of a link's coordinates: I -= U U^T / D. */
static gradyn_status take_out(const tree *c, const tree_link *link, double *f, tree_share *S,
                              int *weak)
{
  const int k = link->k;
  double *b = f + 3, *U = b + 6 * k, *inverse = U + 6 * k;
  double size[TREE_FREE];
  for (int i = 0; i < k; i++) {
    const double own = link->z[i] < c->looked.shared ? c->mbs->mass.M[c->own.at[link->z[i]]] : 0;
    size[i] = own + load_of(S, b + 6 * i, U + 6 * i);
    for (int j = 0; j <= i; j++) {
      double D = i == j ? own : 0;
      for (int l = 0; l < 6; l++)
        D += U[6 * i + l] * b[6 * j + l];
      inverse[i * k + j] = inverse[j * k + i] = D;
    }
  }
  if (link->bent)
    stiffen(c, link, inverse, inverse + k * k);
  GRADYN_TRY(invert(k, size, inverse, weak));
  for (int j = 0; j < k && link->parent >= 0; j++) { /* roots have no parent */
    double push[6] = {0};
    for (int i = 0; i < k; i++)
      for (int r = 0; r < 6; r++)
        push[r] += U[6 * i + r] * inverse[i * k + j];
    for (int r = 0; r < 3; r++)
      for (int l = 0; l < 3; l++) {
        S->A[r][l] -= push[r] * U[6 * j + l];
        S->H[r][l] -= push[r] * U[6 * j + 3 + l];
        S->S[r][l] -= push[3 + r] * U[6 * j + 3 + l];
      }
  }
  return GRADYN_OK;
}

/* I_p += B^T I B, with the inertia I of a link and I_p of its parent. With K = arm x: H' = H + K S,
 * A' = A - H' K + K H^T. */
static void hand_in(const tree_share *S, const double *arm, tree_share *to)
{
  double H[3][3];
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    for (int l = 0; l < 3; l++) {
      H[k][l] = S->H[k][l] + arm[next] * S->S[last][l] - arm[last] * S->S[next][l];
      to->H[k][l] += H[k][l];
      to->S[k][l] += S->S[k][l];
    }
  }
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    double bent[3]; /* row k of H' K: row k of H' times arm x */
    mbs_cross(H[k], arm, bent);
    for (int l = 0; l < 3; l++)
      to->A[k][l] += S->A[k][l] - bent[l] + arm[next] * S->H[l][last] - arm[last] * S->H[l][next];
  }
}

/* Factorises a link. All links that it carries must be factorised before. */
static gradyn_status factor_link(tree *c, int i, double *f, int *weak)
{
  const tree_link *link = &c->link[i];
  tree_share *S = &c->own.share[i];
  int which = 0;
  for (int k = 0; k < 3; k++)
    f[k] = c->X[0][link->own[0] + k] - (link->from[0] >= 0 ? c->X[0][link->from[0] + k] : 0);
  tree_add_body(c, link, S);
  for (int k = 0; k < link->k; k++)
    motion_of(c, link, &c->motion[i * TREE_FREE + k], f + 3 + 6 * k);
  gradyn_status status = take_out(c, link, f, S, &which);
  *weak = link->z[which];
  if (status == GRADYN_OK && link->parent >= 0)
    hand_in(S, f, &c->own.share[link->parent]);
  return status;
}

gradyn_status tree_factor_links(tree *c, double *f, int *weak)
{
  for (int i = 0; i < c->own.alones; i++) {
    *weak = c->own.alone[i];
    if (!(c->mbs->mass.M[c->own.at[*weak]] > 0))
      return GRADYN_SINGULAR;
  }
  if (c->plane)
    return plane_factor(c, f, weak);
  memset(c->own.share, 0, (size_t)c->links * sizeof *c->own.share);
  for (int i = c->links - 1; i >= 0; i--)
    GRADYN_TRY(factor_link(c, i, f + c->link[i].kept, weak));
  return GRADYN_OK;
}

/* --- solves ----------------------------------------------------------------------------------- */

/* Inward part of a solve for one link: e = g - b^T p replaces g in x; adds U e / D to p. */
GRADYN_KERNEL void solve_in(const tree_link *link, const kept *f, lane_six *p, gradyn_lanes *x)
{
  for (int k = 0; k < link->k; k++)
    for (int i = 0; i < 6; i++)
      x[link->z[k]] -= f->b[6 * k + i] * p->e[i];
  for (int k = 0; k < link->k; k++) {
    gradyn_lanes pulled = {0};
    for (int l = 0; l < link->k; l++)
      pulled += f->inverse[k * link->k + l] * x[link->z[l]];
    for (int i = 0; i < 6; i++)
      p->e[i] += f->U[6 * k + i] * pulled;
  }
}

/* Outward part of a solve for one link: y replaces e in x; a += b y. */
GRADYN_KERNEL void solve_out(const tree_link *link, const kept *f, lane_six *a, gradyn_lanes *x)
{
  gradyn_lanes rest[TREE_FREE]; /* [k] */
  for (int k = 0; k < link->k; k++) {
    rest[k] = x[link->z[k]];
    for (int i = 0; i < 6; i++)
      rest[k] -= f->U[6 * k + i] * a->e[i];
  }
  for (int k = 0; k < link->k; k++) {
    gradyn_lanes y = {0};
    for (int l = 0; l < link->k; l++)
      y += f->inverse[k * link->k + l] * rest[l];
    x[link->z[k]] = y;
  }
  for (int k = 0; k < link->k; k++)
    for (int i = 0; i < 6; i++)
      a->e[i] += f->b[6 * k + i] * x[link->z[k]];
}

/* Replaces e and gamma by the right-hand side e + p (s gamma - nu) and by nu, for links with Euler
 * parameters p; see the head of this file. */
static GRADYN_WIDE void solve_norms(const tree *c, const double *f, gradyn_lanes *x)
{
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const int *z = link->z + link->k - TREE_TURN_FREELY;
    const double *p = kept_at(link, f + link->kept).norm;
    gradyn_lanes nu = {0};
    double n = 0;
    if (!link->bent)
      continue;
    for (int k = 0; k < TREE_TURN_FREELY; k++) {
      nu += p[k] * x[z[k]];
      n += p[k] * p[k];
    }
    nu /= n;
    gradyn_lanes *row = &x[c->mech.n + link->norm];
    const gradyn_lanes push = p[TREE_TURN_FREELY] * *row - nu;
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      x[z[k]] += p[k] * push;
    *row = nu;
  }
}

static GRADYN_WIDE void enter_links(const tree *c, const double *f, gradyn_lanes *x)
{
  lane_six *body = (lane_six *)c->own.six;
  memset(body, 0, (size_t)c->links * sizeof *body);
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    const kept k = kept_at(link, f + link->kept);
    solve_in(link, &k, &body[i], x);
    if (link->parent >= 0)
      hand_lanes_in(k.arm, &body[i], &body[link->parent]);
  }
}

static GRADYN_WIDE void leave_links(const tree *c, const double *f, gradyn_lanes *x)
{
  static const lane_six rest = {{{0}}};
  lane_six *body = (lane_six *)c->own.six;
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const kept k = kept_at(link, f + link->kept);
    hand_lanes_out(k.arm, link->parent >= 0 ? &body[link->parent] : &rest, &body[i]);
    solve_out(link, &k, &body[i], x);
  }
}

void tree_enter_links(const tree *c, const double *f, gradyn_lanes *x)
{
  if (c->plane) {
    plane_enter(c, f, x);
    return;
  }
  solve_norms(c, f, x);
  enter_links(c, f, x);
}

void tree_leave_links(const tree *c, const double *f, gradyn_lanes *x)
{
  if (c->plane)
    plane_leave(c, f, x);
  else
    leave_links(c, f, x);
  for (int i = 0; i < c->own.alones; i++)
    x[c->own.alone[i]] /= c->mbs->mass.M[c->own.at[c->own.alone[i]]];
}

/* --- constraints ------------------------------------------------------------------------------ */

static GRADYN_WIDE void enter_rows(const tree *c, int group, const double *f, gradyn_lanes *x)
{
  const tree_on_top *rows = &c->left.on_top;
  lane_six *body = (lane_six *)c->own.six;
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++)
    memset(&body[rows->path[p]], 0, sizeof *body);
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++) {
    const int i = rows->path[p];
    const tree_link *link = &c->link[i];
    const kept k = kept_at(link, f + link->kept);
    load_lanes(link, c->X[0], -1, rows->load, &body[i]);
    solve_in(link, &k, &body[i], x);
    if (link->parent >= 0)
      hand_lanes_in(k.arm, &body[i], &body[link->parent]);
  }
}

void tree_divide_rows(const tree *c, int group, const double *f, gradyn_lanes *x)
{
  const tree_on_top *rows = &c->left.on_top;
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++) {
    const tree_link *link = &c->link[rows->path[p]];
    const kept k = kept_at(link, f + link->kept);
    gradyn_lanes e[TREE_FREE] = {{0}};
    for (int i = 0; i < link->k; i++)
      e[i] = x[link->z[i]];
    for (int i = 0; i < link->k; i++) {
      x[link->z[i]] = (gradyn_lanes){0};
      for (int j = 0; j < link->k; j++)
        x[link->z[i]] += k.inverse[i * link->k + j] * e[j];
    }
  }
  for (int i = 0; i < c->own.alones; i++)
    x[c->own.alone[i]] /= c->mbs->mass.M[c->own.at[c->own.alone[i]]];
}

void tree_enter_rows(const tree *c, int group, const double *f, gradyn_lanes *x)
{
  enter_rows(c, group, f, x);
}
