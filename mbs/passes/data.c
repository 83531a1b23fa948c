/* Data of joints' frames: their list, and the frames' vectors. */
#include "mbs/passes/joints.h"

enum { X, Y, Z };

/* Components of a frame's vector in axes of its body (NULL: the ground), and the data of these components,
 * -1: none. */
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
    if (body->point[1 + k] == point) /* an aligned frame uses base vectors */
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

/* Whether the constraints of a joint and of its coordinates use direction i of its frame a, or b. */
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

bool tree_change_frame(const tree *c, const tree_link *link, bool of_b, const tree_change *d,
                       gradyn_lanes dv[TREE_FRAME_VECTORS][3])
{
  static const gradyn_lanes none = {0};
  bool any = false;
  for (int i = 0; i < TREE_FRAME_VECTORS; i++)
    dv[i][X] = dv[i][Y] = dv[i][Z] = none;
  for (int k = 0; k < link->data && d->data; k++) {
    const tree_datum *x = &link->datum[k];
    if (x->active && x->of_b == of_b)
      any = tree_take_datum(c, d, x->at, &dv[x->vector][x->component]) || any;
  }
  return any;
}
