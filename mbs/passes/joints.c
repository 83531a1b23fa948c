/* L(z, d) of joints, as the function of their frames' data that the joints' natural constraints define.
 *
 * Each of the two frames is a triad T, with columns in components of its body, and an origin o: A, o_a and
 * B, o_b. With the rotation C(z) by the joint's coordinates,
 *   R = A C B^T,   o = o_a + slides
 * map components of b's body to components of a's body, and give its origin there. The body of the link is
 * b's, with L = [1 o - R o_b; 0 R^T], or a's, with L = [1 o_b - R^T o; 0 R]. Triads are orthonormal for the
 * present data; data_turns.c treats variations of data. */
#include "mbs/passes/joints.h"

#include <math.h>
#include <string.h>

enum { X, Y, Z, ORDERS = 4 };

/* Coordinates of a body without a joint. Entries that are not listed are Euler parameters. */
static const tree_kind floating = {
    true, TREE_POINTS, 7, {{TREE_SLIDE, X}, {TREE_SLIDE, Y}, {TREE_SLIDE, Z}}};

static const tree_kind kinds[GRADYN_CONSTANT_LENGTH + 1] = {
    [GRADYN_FIXED] = {true, TREE_TRIADS, 0, {{0}}},
    [GRADYN_REVOLUTE] = {true, TREE_AXES, 1, {{TREE_TURN, Z}}},
    [GRADYN_PRISMATIC] = {true, TREE_TRIADS, 1, {{TREE_SLIDE, Z}}},
    [GRADYN_CYLINDRICAL] = {true, TREE_AXES, 2, {{TREE_TURN, Z}, {TREE_SLIDE, Z}}},
    /* the thread of a screw remains a constraint */
    [GRADYN_SCREW] = {true, TREE_AXES, 2, {{TREE_TURN, Z}, {TREE_SLIDE, Z}}},
    [GRADYN_UNIVERSAL] = {true, TREE_CROSS, 2, {{TREE_TURN, Z}, {TREE_TURN_B, Z}}},
    [GRADYN_SPHERICAL] = {true, TREE_POINTS, 4, {{TREE_EULER, 0}}},
    [GRADYN_PLANAR] = {true, TREE_AXES, 3, {{TREE_TURN, Z}, {TREE_SLIDE, X}, {TREE_SLIDE, Y}}}};

const tree_kind *tree_kind_at(gradyn_joint_kind kind)
{
  return &kinds[kind];
}

const tree_kind *tree_kind_of(const gradyn_mbs *m, const tree_link *link)
{
  return link->joint < 0 ? &floating : &kinds[m->parts.joint[link->joint].kind];
}

int tree_angle_of(const tree_kind *kind, bool of_b)
{
  for (int i = 0; i < kind->k; i++)
    if (kind->free[i].motion == (of_b ? TREE_TURN_B : TREE_TURN))
      return i;
  return -1;
}

bool tree_slides(const tree_kind *kind)
{
  for (int i = 0; i < kind->k; i++)
    if (kind->free[i].motion == TREE_SLIDE)
      return true;
  return false;
}

/* --- constant parts --------------------------------------------------------------------------- */

/* Splits a triad v. Rotated about its z by phi, it is basis_0 + cos phi basis_1 + sin phi basis_2; without
 * rotation it is basis_0. */
static void take_basis(double v[TREE_FRAME_VECTORS][3], bool turns, double basis[3][3][3])
{
  memset(basis, 0, 27 * sizeof(double));
  for (int k = 0; k < 3; k++) {
    basis[0][k][Z] = v[1 + Z][k];
    basis[turns][k][X] = v[1 + X][k];
    basis[turns][k][Y] = v[1 + Y][k];
    if (!turns)
      continue;
    basis[2][k][X] = v[1 + Y][k];
    basis[2][k][Y] = -v[1 + X][k];
  }
}

/* out = A C B^T. C is the identity or, with `cross`, maps z of b to x of a, and x of b to z of a. */
static void join(double A[3][3], double B[3][3], bool cross, double out[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] = cross ? A[i][X] * B[j][Z] - A[i][Y] * B[j][Y] + A[i][Z] * B[j][X]
                        : A[i][X] * B[j][X] + A[i][Y] * B[j][Y] + A[i][Z] * B[j][Z];
}

/* The part of L due to R, without slides: [0 -R o_b; 0 R^T], or [0 -R^T o_a; 0 R]. */
static void put(const tree_link *link, double R[3][3], tree_map *out)
{
  memset(out, 0, sizeof *out);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      const double Q = link->turned ? R[i][j] : R[j][i];
      out->e[1 + i][1 + j] = Q;
      out->e[0][1 + j] -= Q * link->v[!link->turned][0][i];
    }
}

bool tree_load_map(const gradyn_mbs *m, tree_link *link)
{
  const tree_kind *kind = tree_kind_of(m, link);
  if (kind->ties == TREE_POINTS) {
    tree_euler_load(m, link);
    return true;
  }
  const mbs_joint *j = &m->parts.joint[link->joint];
  double basis[2][3][3][3], R[3][3];
  tree_take_vectors(m, j->a, link->v[0]);
  tree_take_vectors(m, j->b, link->v[1]);
  if (!tree_make_triads(kind, link))
    return false;
  take_basis(link->v[0], kind->ties != TREE_TRIADS, basis[0]);
  take_basis(link->v[1], kind->ties == TREE_CROSS, basis[1]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      join(basis[0][i], basis[1][k], kind->ties == TREE_CROSS, R);
      put(link, R, &link->G[i][k]);
    }
  link->G[0][0].e[0][0] = 1;
  for (int k = 0; k < 3; k++)
    link->G[0][0].e[0][1 + k] += link->v[link->turned][0][k];
  return true;
}

/* --- at a position ---------------------------------------------------------------------------- */

void tree_circle(double z, int k, double *c, double *s)
{
  const double cosine = cos(z), sine = sin(z);
  const double value[4] = {cosine, -sine, -cosine, sine};
  *c = value[k % 4];
  *s = value[(k + 3) % 4];
}

/* Cosine and sine of phi, tan phi = rise_0 tan z - rise_1, with three derivatives by z. */
static void take_angle(const double rise[2], double z, double *C, double *S)
{
  const double c = cos(z), s = sin(z), a = rise[0], t = a * s - rise[1] * c;
  const double u = a * c + rise[1] * s, D = c * c + t * t, D1 = 2 * (t * u - c * s);
  const double D2 = 2 * (u * u - t * t + s * s - c * c), root = sqrt(D);
  const double p1 = a / D, p2 = -p1 * D1 / D, p3 = p1 * (2 * D1 * D1 / D - D2) / D;
  C[0] = c / root;
  S[0] = t / root;
  C[1] = -S[0] * p1;
  S[1] = C[0] * p1;
  C[2] = -C[0] * p1 * p1 - S[0] * p2;
  S[2] = -S[0] * p1 * p1 + C[0] * p2;
  C[3] = S[0] * p1 * p1 * p1 - 3 * C[0] * p1 * p2 - S[0] * p3;
  S[3] = -C[0] * p1 * p1 * p1 - 3 * S[0] * p1 * p2 + C[0] * p3;
}

/* L without slides: L[p][q] is its derivative, p times by the angle of a and q times by the angle of b. */
typedef struct turns {
  int at[2]; /* coordinates of the two angles, -1: none */
  tree_map L[ORDERS][ORDERS];
} turns;

/* to += share f */
GRADYN_KERNEL void add(double share, const tree_map *f, tree_map *to)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      to->e[i][j] += share * f->e[i][j];
}

GRADYN_KERNEL void take_turns(const tree_kind *kind, const tree_link *link,
                              const double z[TREE_FREE], turns *t)
{
  double f[2][3][ORDERS] = {{{1}}, {{1}}};
  int most[2] = {1, 1}, bases[2] = {1, 1};
  t->at[0] = t->at[1] = -1;
  for (int i = 0; i < kind->k; i++)
    if (kind->free[i].motion != TREE_SLIDE) {
      const bool of_b = kind->free[i].motion == TREE_TURN_B;
      t->at[of_b] = i;
      most[of_b] = ORDERS;
      bases[of_b] = 3;
      take_angle(link->rise[of_b], z[i], f[of_b][1], f[of_b][2]);
    }
  for (int p = 0; p < most[0]; p++)
    for (int q = 0; q < most[1] && p + q < ORDERS; q++) {
      memset(&t->L[p][q], 0, sizeof t->L[p][q]);
      for (int i = p > 0; i < bases[0]; i++) /* no derivatives by an angle that does not exist */
        for (int k = q > 0; k < bases[1]; k++)
          add(f[0][i][p] * f[1][k][q], &link->G[i][k], &t->L[p][q]);
    }
}

/* L, differentiated p times by the angle of a and q times by the angle of b, with two time derivatives. */
GRADYN_KERNEL void time_turns(const turns *t, int p, int q, double z[3][TREE_FREE], tree_map jet[3])
{
  jet[0] = t->L[p][q];
  memset(&jet[1], 0, 2 * sizeof *jet);
  for (int of_b = 0; of_b < 2; of_b++) {
    const int i = t->at[of_b];
    if (i < 0)
      continue;
    const tree_map *first = &t->L[p + !of_b][q + of_b];
    add(z[1][i], first, &jet[1]);
    add(z[2][i], first, &jet[2]);
    add(z[1][i] * z[1][i], &t->L[p + 2 * !of_b][q + 2 * of_b], &jet[2]);
  }
  if (t->at[0] >= 0 && t->at[1] >= 0)
    add(2 * z[1][t->at[0]] * z[1][t->at[1]], &t->L[p + 1][q + 1], &jet[2]);
}

/* --- slides ----------------------------------------------------------------------------------- */

/* Adds share times the change of o_b - R^T o by a part d of o to out; Q: the part of L due to R. */
static void shift(double share, const tree_map *Q, const double *d, tree_map *out)
{
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      out->e[0][1 + j] -= share * Q->e[1 + i][1 + j] * d[i];
}

/* As shift(), with time derivatives of the map and of d. */
static void shift_in_time(tree_map map[3], double d[3][3])
{
  for (int n = 0; n < 3; n++)
    for (int k = 0; k <= n; k++)
      shift(tree_binomial[n][k], &map[k], d[n - k], &map[n]);
}

/* Displacement d of o by slides, with time derivatives; false: no slides. */
static bool take_slides(const tree_kind *kind, const tree_link *link, double z[3][TREE_FREE],
                        double d[3][3])
{
  bool any = false;
  memset(d, 0, 9 * sizeof(double));
  for (int i = 0; i < kind->k; i++) {
    if (kind->free[i].motion != TREE_SLIDE)
      continue;
    any = true;
    for (int n = 0; n < 3; n++)
      for (int k = 0; k < 3; k++)
        d[n][k] += z[n][i] * link->slide[kind->free[i].along][k];
  }
  return any;
}

/* Derivatives of L by a sliding coordinate: first ones, and second ones with other coordinates. */
static void put_slide(const tree_kind *kind, tree_link *link, int i)
{
  const double *along = link->slide[kind->free[i].along];
  memset(link->jet_z[i], 0, sizeof link->jet_z[i]);
  for (int k = 0; k < 3 && !link->turned; k++)
    link->jet_z[i][0].e[0][1 + k] = along[k];
  for (int n = 0; n < 3 && link->turned; n++)
    shift(1, &link->jet[n], along, &link->jet_z[i][n]);
  for (int j = 0; j < link->k; j++) {
    tree_map *second = &link->L_zz[i][j];
    memset(second, 0, sizeof *second);
    if (link->turned && kind->free[j].motion != TREE_SLIDE)
      shift(1, &link->jet_z[j][0], along, second);
    link->L_zz[j][i] = *second;
  }
}

static void add_slides(const tree_kind *kind, tree_link *link, double z[3][TREE_FREE])
{
  double d[3][3];
  if (!take_slides(kind, link, z, d))
    return;
  for (int n = 0; n < 3 && !link->turned; n++)
    for (int k = 0; k < 3; k++)
      link->jet[n].e[0][1 + k] += d[n][k];
  if (link->turned)
    shift_in_time(link->jet, d);
  for (int i = 0; i < kind->k; i++) {
    if (kind->free[i].motion == TREE_SLIDE)
      put_slide(kind, link, i);
    else if (link->turned) {
      shift_in_time(link->jet_z[i], d);
      shift(1, &link->L_zz[i][i], d[0], &link->L_zz[i][i]);
    }
  }
}

/* --- maps ------------------------------------------------------------------------------------- */

/* A row of a map, at any address. */
typedef double map_row __attribute__((vector_size(32), aligned(8), may_alias));

GRADYN_KERNEL map_row *row_of(tree_map *f, int i)
{
  return (map_row *)f->e[i];
}

/* Maps of a joint with one rotation, of frame a about its z by coordinate i: L = G_0 + cos G_1 + sin G_2
 * with three derivatives by phi, row by row. With orders = 1, only L and L_z are computed. */
static GRADYN_WIDE void map_turn(const int orders, tree_link *link, int i, double z[3][TREE_FREE])
{
  double C[ORDERS], S[ORDERS];
  take_angle(link->rise[0], z[0][i], C, S);
  const double rate = z[1][i], acceleration = z[2][i], square = rate * rate;
  tree_map *jet = link->jet, *jet_z = link->jet_z[i];
  for (int k = 0; k < TREE_VECTORS; k++) {
    const map_row a = *row_of(&link->G[1][0], k), b = *row_of(&link->G[2][0], k);
    const map_row L1 = C[1] * a + S[1] * b;
    *row_of(&jet[0], k) = *row_of(&link->G[0][0], k) + C[0] * a + S[0] * b;
    *row_of(&jet_z[0], k) = L1;
    if (orders == 1)
      continue;
    const map_row L2 = C[2] * a + S[2] * b, L3 = C[3] * a + S[3] * b;
    *row_of(&jet[1], k) = rate * L1;
    *row_of(&jet[2], k) = acceleration * L1 + square * L2;
    *row_of(&jet_z[1], k) = rate * L2;
    *row_of(&jet_z[2], k) = acceleration * L2 + square * L3;
    *row_of(&link->L_zz[i][i], k) = L2;
  }
}

/* L and its derivatives without slides, for any kind. */
static GRADYN_WIDE void map_turns(const tree_kind *kind, tree_link *link, double z[3][TREE_FREE])
{
  turns t;
  take_turns(kind, link, z[0], &t);
  time_turns(&t, 0, 0, z, link->jet);
  for (int of_b = 0; of_b < 2; of_b++) {
    const int i = t.at[of_b];
    if (i < 0)
      continue;
    time_turns(&t, !of_b, of_b, z, link->jet_z[i]);
    link->L_zz[i][i] = t.L[2 * !of_b][2 * of_b];
  }
  if (t.at[0] >= 0 && t.at[1] >= 0)
    link->L_zz[t.at[0]][t.at[1]] = link->L_zz[t.at[1]][t.at[0]] = t.L[1][1];
}

void tree_map_at(const gradyn_mbs *m, int orders, tree_link *link, double z[3][TREE_FREE])
{
  const tree_kind *kind = tree_kind_of(m, link);
  if (kind->ties == TREE_POINTS) {
    tree_euler_map(link, z);
    return;
  }
  const int turn = kind->ties == TREE_CROSS ? -1 : tree_angle_of(kind, false);
  if (turn >= 0)
    map_turn(orders, link, turn, z);
  else
    map_turns(kind, link, z);
  add_slides(kind, link, z);
}

int tree_coordinate_of(const mbs_joint *j, int i, int *row)
{
  const tree_kind *kind = tree_kind_at(j->kind);
  const int along = kind->free[i].along;
  *row = -1;
  switch (kind->free[i].motion) {
  case TREE_EULER:
    return -1;
  case TREE_TURN:
    *row = j->angle_row;
    return j->angle;
  case TREE_TURN_B:
    *row = j->angle_b_row;
    return j->angle_b;
  default:
    *row = along == 2 ? j->slide_row : j->along_row[along];
    return along == 2 ? j->slide : j->along[along];
  }
}
