/* L(z, d) of joints by the data d of their frames: what the joints' natural rows make of directions that are
 * no longer orthonormal is a turn of one frame's triad, dT = theta x T, and another place of what slides. */
#include "mbs/passes/joints.h"

#include <string.h>

enum { X, Y, Z };

/* --- which data ------------------------------------------------------------------------------------ */

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

/* Whether the rows of a joint, those of its coordinates included, read direction i of its frame a, or b. */
static bool reads(const tree_kind *kind, bool of_b, int i)
{
  if (kind->ties == TREE_POINTS)
    return false;
  if (kind->ties == TREE_AXES)
    return of_b ? i != Y : i != Z || tree_slides(kind);
  return true;
}

bool tree_find_data(const gradyn_mbs *m, tree_link *link, tree_datum found[TREE_DATA])
{
  link->data = 0;
  if (link->joint < 0)
    return true;
  const mbs_joint *j = &m->parts.joint[link->joint];
  for (int of_b = 0; of_b < 2; of_b++) {
    const int frame = of_b ? j->b : j->a;
    for (int i = 0; i < TREE_FRAME_VECTORS; i++) {
      double value[3];
      int datum[3];
      if (i > 0 && !reads(tree_kind_of(m, link), of_b, i - 1))
        continue;
      if (vector_of(&m->parts.frame[frame], i) < 0)
        return false;
      components(m, body_of(m, frame), vector_of(&m->parts.frame[frame], i), value, datum);
      for (int k = 0; k < 3; k++)
        if (datum[k] >= 0)
          found[link->data++] = (tree_datum){
              .at = datum[k], .active = true, .of_b = of_b, .vector = i, .component = k};
    }
  }
  return true;
}

void tree_take_vectors(const gradyn_mbs *m, int frame, double v[TREE_FRAME_VECTORS][3])
{
  const mbs_frame *f = &m->parts.frame[frame];
  int datum[3];
  for (int i = 0; i < TREE_FRAME_VECTORS; i++)
    if (vector_of(f, i) >= 0)
      components(m, body_of(m, frame), vector_of(f, i), v[i], datum);
  for (int i = 0; i < 3; i++)
    if (f->direction[i] < 0)
      mbs_cross(v[1 + (i + 1) % 3], v[1 + (i + 2) % 3], v[1 + i]);
}

/* --- turns ----------------------------------------------------------------------------------------- */

/* theta about z, by orders of the angle: the coordinate is counted from y cos z - x sin z. */
static void theta_angle(const double v[][3], int i, int j, const double twice[2],
                        double theta[3][3])
{
  const double x = v[1 + X][j], y = v[1 + Y][j];
  for (int order = 0; order < 3; order++) {
    const double c = order == 0 ? twice[0] : order == 1 ? -twice[1] : -twice[0];
    const double s = order == 0 ? twice[1] : order == 1 ? twice[0] : -twice[1];
    const double scale = 1 << order, one = order == 0;
    const double mixed = 0.5 * scale * s, square = 0.5 * (one + (i == X ? -1 : 1) * scale * c);
    theta[order][Z] = i == X ? mixed * x + square * y : -(square * x + mixed * y);
  }
}

void tree_theta_of(tree_ties ties, bool of_b, const double v[][3], int i, int j,
                   const double twice[2], double theta[3][3])
{
  const int next = (i + 1) % 3, other = (i + 2) % 3;
  memset(theta, 0, 9 * sizeof(double));
  if (ties ==
      TREE_TRIADS) { /* rows x.y, y.z, z.x, the first letter a's: the third one is turned about */
    theta[0][of_b ? next : other] = of_b ? -v[1 + other][j] : v[1 + next][j];
    return;
  }
  const bool axis = ties == TREE_AXES && !of_b; /* z of a follows x cross y */
  if (i == Z && !axis) {                        /* z stays normal to the other's directions */
    theta[0][Y] = v[1 + X][j];
    theta[0][X] = -v[1 + Y][j];
  }
  if (i == X && ties == TREE_AXES && of_b) /* what the coordinate turns to */
    theta[0][Z] = v[1 + Y][j];
  else if (i != Z)
    theta_angle(v, i, j, twice, theta);
  if (i != Z && axis)
    theta[0][i == X ? Y : X] = (i == X ? -1 : 1) * v[1 + Z][j];
}

/* dR += w x R, or -R w x for frame b, of some orders. */
static void turn(bool of_b, double w[3], double share, const double R[3][3], double out[3][3])
{
  const double S[3][3] = {{0, -w[Z], w[Y]}, {w[Z], 0, -w[X]}, {-w[Y], w[X], 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        out[i][j] += share * (of_b ? -R[i][k] * S[k][j] : S[i][k] * R[k][j]);
}

/* --- changes --------------------------------------------------------------------------------------- */

/* o -= R c, or R^T c */
static void subtract(bool turned, double share, const double R[3][3], const double *c, double *o)
{
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      o[j] -= share * (turned ? R[i][j] : R[j][i]) * c[i];
}

/* What L, and orders - 1 derivatives, change by with the pose, whose change is `by`, and with the origin of
 * frame b, NULL: it stays. */
static void change_map(const tree_link *link, const tree_pose *at, const tree_pose *by,
                       const double *origin_b, int orders, tree_map *out)
{
  const bool turned = link->turned;
  for (int n = 0; n < orders; n++) {
    double o[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
      o[k] = !turned ? by->o[n][k] : origin_b && n == 0 ? origin_b[k] : 0;
    for (int k = 0; k <= n && turned; k++) {
      subtract(true, tree_binomial[n][k], by->R[k], at->o[n - k], o);
      subtract(true, tree_binomial[n][k], at->R[k], by->o[n - k], o);
    }
    if (!turned) {
      subtract(false, 1, by->R[n], link->v[1][0], o);
      if (origin_b)
        subtract(false, 1, at->R[n], origin_b, o);
    }
    memset(&out[n], 0, sizeof out[n]);
    for (int j = 0; j < 3; j++) {
      out[n].e[0][1 + j] = o[j];
      for (int i = 0; i < 3; i++)
        out[n].e[1 + i][1 + j] = turned ? by->R[n][i][j] : by->R[n][j][i];
    }
  }
}

/* What a change is taken along: time, or a coordinate. Theta, slides by orders of that. */
typedef struct way {
  int orders;
  double theta[3][3], z[3][TREE_FREE];
} way;

/* Change of a pose by a direction's component. */
static void change(const tree_kind *kind, const tree_link *link, const tree_datum *x,
                   const tree_pose *at, const way *along, tree_pose *by)
{
  const double(*v)[3] = (const double(*)[3])link->v[x->of_b];
  memset(by, 0, sizeof *by);
  for (int n = 0; n < along->orders; n++)
    for (int k = 0; k <= n; k++) {
      const double *theta = along->theta[k];
      double w[3];
      for (int i = 0; i < 3; i++)
        w[i] = theta[X] * v[1 + X][i] + theta[Y] * v[1 + Y][i] + theta[Z] * v[1 + Z][i];
      turn(x->of_b, w, tree_binomial[n][k], at->R[n - k], by->R[n]);
    }
  /* slides are components along a's directions: those that r_b - r_a is made of are their reciprocals */
  for (int i = 0; i < kind->k && !x->of_b; i++)
    for (int n = 0; n < along->orders && kind->free[i].motion == TREE_SLIDE; n++)
      for (int k = 0; k < 3; k++)
        by->o[n][k] -= along->z[n][i] * v[1 + kind->free[i].along][x->component] * v[x->vector][k];
}

/* What there is at first order along a coordinate. */
static void set_along(const tree_pose *at, const tree_pose *by, tree_pose *along)
{
  *along = *at;
  memcpy(along->R[1], by->R[0], sizeof along->R[1]);
  memcpy(along->o[1], by->o[0], sizeof along->o[1]);
}

/* A direction's datum: its jet, then its change along each coordinate. */
static void map_direction(const tree_kind *kind, const tree_link *link, tree_datum *x,
                          double z[3][TREE_FREE], const tree_pose *at, const tree_pose *by)
{
  const int angle = tree_angle_of(kind, x->of_b);
  double f[3][3];
  way time = {.orders = 3}, one = {.orders = 2};
  tree_pose changed;
  double twice[2];
  tree_circle(angle >= 0 ? 2 * z[0][angle] : 0, 0, &twice[0], &twice[1]);
  tree_theta_of(kind->ties, x->of_b, (const double(*)[3])link->v[x->of_b], x->vector - 1,
                x->component, twice, f);
  for (int k = 0; k < 3; k++) {
    const double v = angle >= 0 ? z[1][angle] : 0, a = angle >= 0 ? z[2][angle] : 0;
    time.theta[0][k] = one.theta[0][k] = f[0][k];
    time.theta[1][k] = f[1][k] * v;
    time.theta[2][k] = f[1][k] * a + f[2][k] * v * v;
  }
  memcpy(time.z, z, sizeof time.z);
  memcpy(one.z, z, sizeof *one.z);
  change(kind, link, x, at, &time, &changed);
  change_map(link, at, &changed, NULL, 3, x->jet);
  for (int i = 0; i < kind->k; i++) {
    tree_pose along;
    tree_map map[2];
    set_along(at, &by[i], &along);
    for (int k = 0; k < kind->k; k++)
      one.z[1][k] = k == i;
    for (int k = 0; k < 3; k++)
      one.theta[1][k] = i == angle ? f[1][k] : 0;
    change(kind, link, x, &along, &one, &changed);
    change_map(link, &along, &changed, NULL, 2, map);
    x->z[i] = map[1];
  }
}

/* An origin's datum. */
static void map_origin(const tree_kind *kind, const tree_link *link, tree_datum *x,
                       const tree_pose *at, const tree_pose *by)
{
  double unit[3] = {0, 0, 0};
  tree_pose moved;
  memset(&moved, 0, sizeof moved);
  unit[x->component] = 1;
  if (!x->of_b)
    moved.o[0][x->component] = 1;
  change_map(link, at, &moved, x->of_b ? unit : NULL, 3, x->jet);
  for (int i = 0; i < kind->k; i++) {
    tree_pose along;
    tree_map map[2];
    set_along(at, &by[i], &along);
    change_map(link, &along, &moved, x->of_b ? unit : NULL, 2, map);
    x->z[i] = map[1];
  }
}

void tree_map_data(const gradyn_mbs *m, tree_link *link, double z[3][TREE_FREE],
                   const tree_pose *at, const tree_pose *by)
{
  const tree_kind *kind = tree_kind_of(m, link);
  for (int k = 0; k < link->data; k++) {
    tree_datum *x = &link->datum[k];
    if (x->active && x->vector == 0)
      map_origin(kind, link, x, at, by);
    else if (x->active)
      map_direction(kind, link, x, z, at, by);
  }
}
