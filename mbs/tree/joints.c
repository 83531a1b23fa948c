/* L(z, d) of joints, as the function of their frames' data that the joints' natural rows define.
 *
 * Each of the two frames is a triad T of columns in components of its body, and an origin o. With A, o_a of
 * the parent's frame and B, o_b of the body's, R = A B^T takes components of the body to those of the
 * parent,
 *   e_k = sum of R_jk e_j of the parent,   r = r_p + (o_a - R o_b) in components of the parent.
 * Triads are orthonormal with the data at hand; what rows make of directions that no longer are is a turn
 * dT = theta x T. The frame that carries the coordinate is frame a of the joint, whichever body has it. */
#include "mbs/tree/passes.h"

#include <math.h>
#include <string.h>

enum { X, Y, Z, ORDERS = 4 };

/* A frame's triad and origin by orders of the coordinate. */
typedef struct side {
  double T[ORDERS][3][3]; /* [order][component][column] */
  double o[ORDERS][3];
} side;

/* --- data ------------------------------------------------------------------------------------------ */

/* Components of a frame's vector in axes of its body (NULL: the ground), and the data that they are, -1:
 * none. */
static void components(const gradyn_mbs *m, const mbs_body *body, int point, double *value,
                       int *datum)
{
  const mbs_point *p = &m->point[point];
  for (int k = 0; k < 3; k++) {
    value[k] = 0;
    datum[k] = -1;
  }
  if (!body) {
    for (int k = 0; k < 3; k++) {
      datum[k] = p->x + k;
      value[k] = m->model->x[datum[k]];
    }
    return;
  }
  for (int k = 0; k < 3; k++) {
    if (body->point[1 + k] == point) /* an aligned frame takes base vectors */
      value[k] = 1;
    for (int i = 0; i < p->carriers; i++)
      if (p->carrier[i].point == body->point[1 + k]) {
        datum[k] = p->carrier[i].datum;
        value[k] = p->carrier[i].constant +
                   (datum[k] >= 0 ? p->carrier[i].slope * m->model->x[datum[k]] : 0);
      }
  }
}

static const mbs_body *body_of(const gradyn_mbs *m, int frame)
{
  const int body = m->parts.frame[frame].body;
  return body >= 0 ? &m->parts.body[body] : NULL;
}

/* Vector i of a frame, the origin first. */
static int vector_of(const mbs_frame *f, int i)
{
  return i == 0 ? f->origin : f->direction[i - 1];
}

/* Whether the rows of a joint, its coordinate's included, read direction i of its frame a, or b. */
static bool reads(const mbs_joint *j, bool of_b, int i)
{
  if (j->kind == GRADYN_REVOLUTE)
    return of_b ? i != Y : i != Z;
  return true;
}

bool tree_find_data(const gradyn_mbs *m, tree_link *link)
{
  const mbs_joint *j = &m->parts.joint[link->joint];
  link->data = 0;
  for (int of_b = 0; of_b < 2; of_b++) {
    const int frame = of_b ? j->b : j->a;
    for (int i = 0; i < TREE_FRAME_VECTORS; i++) {
      double value[3];
      int datum[3];
      if (i > 0 && !reads(j, of_b, i - 1))
        continue;
      if (vector_of(&m->parts.frame[frame], i) < 0)
        return false;
      components(m, body_of(m, frame), vector_of(&m->parts.frame[frame], i), value, datum);
      for (int k = 0; k < 3; k++)
        if (datum[k] >= 0)
          link->datum[link->data++] = (tree_datum){.at = datum[k], .active = true};
    }
  }
  return true;
}

/* --- triads ---------------------------------------------------------------------------------------- */

static void cross(const double *a, const double *b, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The vectors of a frame: o, x, y, z; what is not declared follows from the others. */
static void take_vectors(const gradyn_mbs *m, int frame, double v[TREE_FRAME_VECTORS][3])
{
  const mbs_frame *f = &m->parts.frame[frame];
  int datum[3];
  for (int i = 0; i < TREE_FRAME_VECTORS; i++)
    if (vector_of(f, i) >= 0)
      components(m, body_of(m, frame), vector_of(f, i), v[i], datum);
  for (int i = 0; i < 3; i++)
    if (f->direction[i] < 0)
      cross(v[1 + (i + 1) % 3], v[1 + (i + 2) % 3], v[1 + i]);
}

/* Order k of cos z and sin z. */
static void circle(double z, int k, double *c, double *s)
{
  const double cosine = cos(z), sine = sin(z);
  const double value[4] = {cosine, -sine, -cosine, sine};
  *c = value[k % 4];
  *s = value[(k + 3) % 4];
}

/* The side of frame a, which the coordinate moves. */
static void side_a(const mbs_joint *j, double v[][3], double z, side *s)
{
  memset(s, 0, sizeof *s);
  for (int k = 0; k < 3; k++) {
    s->o[0][k] = v[0][k];
    for (int i = 0; i < 3; i++)
      s->T[0][k][i] = v[1 + i][k];
    if (j->kind == GRADYN_PRISMATIC) {
      s->o[0][k] += z * v[1 + Z][k];
      s->o[1][k] = v[1 + Z][k];
    }
    for (int order = 0; order < ORDERS && j->kind == GRADYN_REVOLUTE; order++) {
      double c, d;
      circle(z, order, &c, &d);
      s->T[order][k][X] = c * v[1 + X][k] + d * v[1 + Y][k];
      s->T[order][k][Y] = c * v[1 + Y][k] - d * v[1 + X][k];
    }
  }
}

static void side_b(double v[][3], side *s)
{
  memset(s, 0, sizeof *s);
  for (int k = 0; k < 3; k++) {
    s->o[0][k] = v[0][k];
    for (int i = 0; i < 3; i++)
      s->T[0][k][i] = v[1 + i][k];
  }
}

/* --- what data change ------------------------------------------------------------------------------ */

static const double binomial[ORDERS][ORDERS] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};

/* d += (theta x T)(z) by orders, theta by orders in axes of the frame v. */
static void turn(double theta[3][3], double v[][3], const side *s, side *d)
{
  for (int order = 0; order < 3; order++)
    for (int k = 0; k <= order; k++) {
      double w[3];
      for (int i = 0; i < 3; i++)
        w[i] = theta[k][X] * v[1 + X][i] + theta[k][Y] * v[1 + Y][i] + theta[k][Z] * v[1 + Z][i];
      for (int column = 0; column < 3; column++) {
        double t[3], out[3];
        for (int i = 0; i < 3; i++)
          t[i] = s->T[order - k][i][column];
        cross(w, t, out);
        for (int i = 0; i < 3; i++)
          d->T[order][i][column] += binomial[order][k] * out[i];
      }
    }
}

/* The turn of a revolute joint's frame a when component j of its direction i, x or y, changes:
 * z follows x cross y, and the coordinate is counted from y cos z - x sin z. */
static void theta_revolute(double v[][3], int i, int j, double z, double theta[3][3])
{
  const double x = v[1 + X][j], y = v[1 + Y][j];
  theta[0][i == X ? Y : X] = (i == X ? -1 : 1) * v[1 + Z][j];
  for (int order = 0; order < 3; order++) {
    double c, s;
    circle(2 * z, order, &c, &s);
    const double scale = 1 << order, one = order == 0;
    const double mixed = 0.5 * scale * s, square = 0.5 * (one + (i == X ? -1 : 1) * scale * c);
    theta[order][Z] = i == X ? mixed * x + square * y : -(square * x + mixed * y);
  }
}

/* The same of the other side, and of joints whose triads coincide: sign 1 for frame a, -1 for b. */
static void theta_fixed(double v[][3], int i, int j, double theta[3][3])
{
  /* rows x.y, y.z, z.x, the first letter a's: direction i of a turns about the letter that is missing */
  const int next = (i + 1) % 3, about = (i + 2) % 3;
  theta[0][about] = v[1 + next][j];
}

/* Component j of vector i of a frame, the origin first. */
typedef struct entry {
  bool of_b;
  int i, j;
} entry;

/* The turn of a frame's triad by an entry of one of its directions. */
static void theta_of(const mbs_joint *joint, const entry *e, double v[][3], double z,
                     double theta[3][3])
{
  const int i = e->i - 1, j = e->j;
  memset(theta, 0, 9 * sizeof(double));
  if (joint->kind == GRADYN_REVOLUTE && !e->of_b)
    theta_revolute(v, i, j, z, theta);
  else if (joint->kind == GRADYN_REVOLUTE && i == X) /* x of b is what the coordinate turns to */
    theta[0][Z] = v[1 + Y][j];
  else if (joint->kind == GRADYN_REVOLUTE) { /* z of b is the axis */
    theta[0][Y] = v[1 + X][j];
    theta[0][X] = -v[1 + Y][j];
  } else if (!e->of_b)
    theta_fixed(v, i, j, theta);
  else { /* the second letter b's */
    const int before = (i + 2) % 3, about = (i + 1) % 3;
    theta[0][about] = -v[1 + before][j];
  }
}

/* Change d of a side by an entry of its frame. */
static void change(const mbs_joint *joint, const entry *e, double v[][3], const side *s, double z,
                   side *d)
{
  double theta[3][3];
  memset(d, 0, sizeof *d);
  if (e->i == 0) {
    d->o[0][e->j] = 1;
    return;
  }
  theta_of(joint, e, v, z, theta);
  turn(theta, v, s, d);
  /* r_b - r_a is the coordinate times what is normal to x and y and 1 along z, of a */
  for (int k = 0; k < 3 && joint->kind == GRADYN_PRISMATIC && !e->of_b; k++) {
    const double along = -v[1 + Z][e->j] * v[e->i][k];
    d->o[0][k] = z * along;
    d->o[1][k] = along;
  }
}

/* --- maps ------------------------------------------------------------------------------------------ */

/* Time jets of what depends on z alone: f, f_z, f_zz with z' and z''. */
static void make_jet(const tree_map *f, const double z[3], tree_map *jet)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++) {
      jet[0].e[i][j] = f[0].e[i][j];
      jet[1].e[i][j] = f[1].e[i][j] * z[1];
      jet[2].e[i][j] = f[1].e[i][j] * z[2] + f[2].e[i][j] * z[1] * z[1];
    }
}

/* R += P C^T, orders of the coordinate. */
static void add_turns(const side *P, const side *C, int orders, double R[ORDERS][3][3])
{
  for (int n = 0; n < orders; n++)
    for (int k = 0; k <= n; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          for (int column = 0; column < 3; column++)
            R[n][j][i] += binomial[n][k] * P->T[k][j][column] * C->T[n - k][i][column];
}

/* o -= R o_c. */
static void subtract_arm(double R[ORDERS][3][3], double o_c[ORDERS][3], int orders,
                         double o[ORDERS][3])
{
  for (int n = 0; n < orders; n++)
    for (int k = 0; k <= n; k++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          o[n][j] -= binomial[n][k] * R[k][j][i] * o_c[n - k][i];
}

static void put(double o[ORDERS][3], double R[ORDERS][3][3], int orders, tree_map *out)
{
  for (int n = 0; n < orders; n++) {
    memset(&out[n], 0, sizeof out[n]);
    for (int j = 0; j < 3; j++) {
      out[n].e[0][1 + j] = o[n][j];
      for (int i = 0; i < 3; i++)
        out[n].e[1 + i][1 + j] = R[n][j][i];
    }
  }
}

/* The map's derivative by a datum that changes the parent's side, or the body's, by d. */
static void put_change(const side *P, side *C, bool of_parent, side *d, tree_map *out)
{
  double dR[ORDERS][3][3] = {{{0}}}, R[ORDERS][3][3] = {{{0}}}, o[ORDERS][3] = {{0}};
  add_turns(of_parent ? d : P, of_parent ? C : d, 3, dR);
  if (of_parent)
    memcpy(o, d->o, sizeof o);
  subtract_arm(dR, C->o, 3, o);
  add_turns(P, C, 3, R);
  if (!of_parent)
    subtract_arm(R, d->o, 3, o);
  put(o, dR, 3, out);
}

/* Derivatives by the data of one of the frames, in the order in which tree_find_data() has listed them. */
static void map_data(const gradyn_mbs *m, tree_link *link, bool of_b, double v[][3],
                     const double z[3], side s[2], int *next)
{
  const mbs_joint *j = &m->parts.joint[link->joint];
  const int frame = of_b ? j->b : j->a;
  const bool of_parent = of_b == link->turned;
  for (int i = 0; i < TREE_FRAME_VECTORS; i++) {
    double value[3];
    int datum[3];
    if (i > 0 && !reads(j, of_b, i - 1))
      continue;
    components(m, body_of(m, frame), vector_of(&m->parts.frame[frame], i), value, datum);
    for (int k = 0; k < 3; k++) {
      if (datum[k] < 0)
        continue;
      tree_datum *x = &link->datum[(*next)++];
      tree_map D[3];
      side d;
      if (!x->active)
        continue;
      change(j, &(entry){of_b, i, k}, v, &s[of_b], z[0], &d);
      put_change(&s[link->turned], &s[!link->turned], of_parent, &d, D);
      make_jet(D, z, x->jet);
      x->z[0] = D[1];
    }
  }
}

/* The sides of both frames at a coordinate, and their vectors. */
static void take_sides(const gradyn_mbs *m, const tree_link *link, double z,
                       double v[2][TREE_FRAME_VECTORS][3], side s[2])
{
  const mbs_joint *j = &m->parts.joint[link->joint];
  take_vectors(m, j->a, v[0]);
  take_vectors(m, j->b, v[1]);
  side_a(j, v[0], z, &s[0]);
  side_b(v[1], &s[1]);
}

bool tree_load_map(const gradyn_mbs *m, tree_link *link)
{
  const mbs_joint *j = &m->parts.joint[link->joint];
  double v[2][TREE_FRAME_VECTORS][3], slide[3], R[ORDERS][3][3] = {{{0}}}, o[ORDERS][3];
  tree_map L[ORDERS];
  side s[2];
  take_vectors(m, j->a, v[0]);
  take_vectors(m, j->b, v[1]);
  if (!tree_make_triads(j, v, slide, link->rise))
    return false;
  side_a(j, v[0], 0, &s[0]);
  side_b(v[1], &s[1]);
  if (j->kind == GRADYN_PRISMATIC)
    memcpy(s[0].o[1], slide, sizeof slide);
  const side *P = &s[link->turned];
  side *C = &s[!link->turned];
  add_turns(P, C, ORDERS, R);
  memcpy(o, P->o, sizeof o);
  subtract_arm(R, C->o, ORDERS, o);
  put(o, R, ORDERS, L);
  L[0].e[0][0] = 1;
  const bool turns = j->kind == GRADYN_REVOLUTE;
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < TREE_VECTORS; k++) {
      link->G[0].e[i][k] = L[0].e[i][k] + (turns ? L[2].e[i][k] : 0);
      link->G[1].e[i][k] = turns ? -L[2].e[i][k] : L[1].e[i][k];
      link->G[2].e[i][k] = turns ? L[1].e[i][k] : 0;
    }
  return true;
}

/* Cosine and sine of phi with three derivatives by z. */
static void take_angle(const tree_link *link, double z, double *C, double *S)
{
  const double c = cos(z), s = sin(z), a = link->rise[0], t = a * s - link->rise[1] * c;
  const double u = a * c + link->rise[1] * s, D = c * c + t * t, D1 = 2 * (t * u - c * s);
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

void tree_map_at(const gradyn_mbs *m, tree_link *link, double z[3][TREE_FREE], bool data)
{
  const bool turns = m->parts.joint[link->joint].kind == GRADYN_REVOLUTE;
  double own[3] = {0, 0, 0};
  for (int order = 0; order < 3 && link->k > 0; order++)
    own[order] = z[order][0];
  double one[ORDERS] = {own[0], 1, 0, 0}, other[ORDERS] = {0, 0, 0, 0};
  tree_map L[ORDERS];
  if (turns)
    take_angle(link, own[0], one, other);
  for (int k = 0; k < ORDERS; k++)
    for (int i = 0; i < TREE_VECTORS; i++)
      for (int j = 0; j < TREE_VECTORS; j++)
        L[k].e[i][j] = (k == 0 ? link->G[0].e[i][j] : 0) + one[k] * link->G[1].e[i][j] +
                       other[k] * link->G[2].e[i][j];
  make_jet(L, own, link->jet);
  make_jet(L + 1, own, link->jet_z[0]);
  link->L_zz[0][0] = L[2];
  if (!data)
    return;
  double v[2][TREE_FRAME_VECTORS][3];
  side sides[2];
  int next = 0;
  take_sides(m, link, own[0], v, sides);
  for (int of_b = 0; of_b < 2; of_b++)
    map_data(m, link, of_b, v[of_b], own, sides, &next);
}
