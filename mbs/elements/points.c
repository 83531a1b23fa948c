/* Declaration of points: moving, ground and attached ones, and scalars. Positions and velocities are
 * data. */
#include <complex.h>
#include <math.h>
#include <search.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"
#include "mbs/elements/rebuild.h"

static const char *const axis_name[3] = {"x", "y", "z"};
static const char *const rate_name[3] = {"vx", "vy", "vz"};

int mbs_find_any_point(gradyn_mbs *m, const char *element, int id)
{
  return gradyn_index(m->model, element, "point", id, gradyn_declared(m->point_cursor, m->points));
}

bool mbs_take_point(gradyn_mbs *m, const char *element, int id, int *point)
{
  *point = mbs_find_any_point(m, element, id);
  if (*point < 0)
    return false;
  const mbs_point *p = &m->point[*point];
  if (p->scalar)
    gradyn_build_error(m->model, "%s: %s is a %s: a point is needed", element, p->name,
                       p->state ? "first-order state" : "joint coordinate");
  return !p->scalar;
}

bool mbs_take_points(gradyn_mbs *m, const char *name, const int *points, int count, int taken[])
{
  if (count > GRADYN_CUSTOM_POINTS) {
    gradyn_build_error(m->model, "%s lists %d points: at most %d are possible", name, count,
                       GRADYN_CUSTOM_POINTS);
    return false;
  }
  for (int i = 0; i < count; i++) {
    taken[i] = mbs_find_any_point(m, name, points[i]);
    if (taken[i] < 0)
      return false;
    for (int k = 0; k < i; k++) /* a point listed twice would get two derivatives */
      if (taken[k] == taken[i])
        gradyn_build_error(m->model, "%s lists point %s twice", name, m->point[taken[i]].name);
  }
  return true;
}

bool mbs_check_axis(gradyn_mbs *m, const char *name, gradyn_axis axis)
{
  if ((int)axis >= 0 && (int)axis < m->dim)
    return true;
  gradyn_build_error(m->model, "%s: axis %d does not exist in this mechanism", name, (int)axis);
  return false;
}

bool mbs_use_dimension(gradyn_mbs *m, const char *name, int dim)
{
  /* the first declaration determines the dimension */
  if (m->dim == 0)
    m->dim = dim;
  if (m->dim != dim)
    gradyn_build_error(m->model, "%s needs a %s mechanism, but this one is %s", name,
                       dim == 2 ? "planar" : "spatial", m->dim == 2 ? "planar" : "spatial");
  return m->dim == dim;
}

bool mbs_check_name(gradyn_mbs *m, const char *name)
{
  if (strlen(name) <= MBS_NAME)
    return true;
  gradyn_build_error(m->model, "the name %.40s... has %zu characters: at most %d are possible",
                     name, strlen(name), MBS_NAME);
  return false;
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(a, b);
}

void mbs_forget_names(gradyn_mbs *m)
{
  while (m->parts.point_names) /* the key is the first member of a tree node */
    (void)tdelete(*(const char *const *)m->parts.point_names, &m->parts.point_names, compare_names);
}

/* Stores a point in the first build(), compares its carriers in later ones. Returns its number. */
static int store(gradyn_mbs *m, const char *name, const mbs_point *point)
{
  gradyn_model *model = m->model;
  /* a point without a name is declared nevertheless: others refer to its number until build() ends */
  const bool named = gradyn_model_named(model, name, "a point");
  int number = m->point_cursor++;
  /* later builds change only the values of data */
  if (model->finalised) {
    if (number < m->points)
      mbs_compare_carriers(m, &m->point[number], point);
    return number;
  }
  if (named && tfind(name, &m->parts.point_names, compare_names))
    gradyn_build_error(model, "two points are called %s: names must differ", name);
  mbs_point *added = gradyn_model_append(model, &m->point, &m->points, sizeof *added, point);
  if (!added)
    return 0;
  const char *own = added->name = gradyn_model_copy_name(model, name);
  if (own && named && !tsearch(own, &m->parts.point_names, compare_names))
    gradyn_model_no_memory(model, name);
  return number;
}

int mbs_add_point(gradyn_mbs *m, const char *name, const mbs_point *prototype,
                  const gradyn_scalar position[3])
{
  mbs_point point = *prototype;
  for (int k = 0; k < m->dim; k++) {
    int datum = gradyn_model_datum(m->model, name, axis_name[k], point.direction ? "" : "m",
                                   position[k]);
    /* x is the first of consecutive data */
    point.x = k == 0 ? datum : point.x;
  }
  point.vx = -1;
  for (int k = 0; k < m->dim && point.kind == MBS_MOVING; k++) {
    int datum = gradyn_model_datum(m->model, name, rate_name[k], point.direction ? "1/s" : "m/s",
                                   0);
    point.vx = k == 0 ? datum : point.vx;
  }
  return store(m, name, &point);
}

int mbs_attach_point(gradyn_mbs *m, const char *name, bool direction, int carriers,
                     const mbs_carrier *carrier)
{
  mbs_point point = {
      .kind = MBS_ATTACHED, .direction = direction, .x = -1, .vx = -1, .carriers = carriers};
  memcpy(point.carrier, carrier, (size_t)carriers * sizeof *carrier);
  return store(m, name, &point);
}

/* --- first-order states: rates of scalars of unit inertia ------------------------------------- */

/* Pair coefficient of unit inertia. */
static void unit_pairs(const double *d, int divisions, double *c)
{
  (void)d;
  (void)divisions;
  c[0] = 1;
}

/* Unit inertia depends on no data. */
static void no_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  (void)d;
  (void)divisions;
  (void)D;
}

static const mbs_inertia_ops state_ops = {1, 0, unit_pairs, no_slopes, NULL};

/* Adds a scalar that a constraint determines from other points. `near` selects one of the solutions of the
 * constraint. */
int mbs_add_scalar(gradyn_mbs *m, const char *name, bool angle, gradyn_scalar near)
{
  int datum = gradyn_model_datum(m->model, name, "near", angle ? "rad" : "m", near);
  /* This initial rate is used only if the initial state is given completely. Otherwise the initial rate
   * follows from the velocities of other points. */
  int rate = gradyn_model_hidden(m->model, name, "rate", 0);
  return store(m, name,
               &(mbs_point){.kind = MBS_MOVING,
                            .direction = true,
                            .scalar = true,
                            .angle = angle,
                            .x = datum,
                            .vx = rate});
}

/* Adds a first-order state z: the rate of a scalar of unit inertia, so that z' = force. */
int mbs_add_state(gradyn_mbs *m, const char *name, const char *const unit[3], double size,
                  gradyn_scalar initial)
{
  mbs_point point = {
      .kind = MBS_MOVING, .direction = true, .scalar = true, .state = true, .size = size};
  point.x = gradyn_model_datum(m->model, name, "integral", unit[0], 0);
  point.vx = gradyn_model_datum(m->model, name, "initial", unit[1], initial);
  int number = store(m, name, &point);
  for (int k = 0; k < 3 && !m->model->finalised && !m->model->exhausted; k++)
    m->point[number].unit[k] = gradyn_model_copy_name(m->model, unit[k]);
  if (!m->model->finalised && !m->model->exhausted)
    m->mech.state = m->point[number].name;
  mbs_add_inertia(m, &state_ops, &number, point.vx, 0); /* M = 1: the force is z' */
  return number;
}

/* Adds the idle coordinate q of a constraint. In modes in which the constraint is inactive, its row
 * enforces q = 0, which affects no other coordinate. */
int mbs_add_idle(gradyn_mbs *m, const char *constraint)
{
  const char *name = gradyn_format_name(m->model, "%.80s.idle",
                                        constraint ? constraint : "constraint");
  int datum = gradyn_model_derived(m->model, name, "near", 0);
  return store(m, name,
               &(mbs_point){.kind = MBS_MOVING,
                            .direction = true,
                            .scalar = true,
                            .idle = true,
                            .x = datum,
                            .vx = datum});
}

/* Gives the declared initial position of a point, which the assembly may change. */
void mbs_initial_position(const gradyn_mbs *m, int point, gradyn_scalar position[3])
{
  const mbs_point *p = &m->point[point];
  const gradyn_scalar *value = m->model->value;
  for (int k = 0; k < m->dim; k++)
    position[k] = 0;
  if (m->model->exhausted) /* data may be incomplete */
    return;
  for (int k = 0; k < m->dim; k++) {
    /* attached points: r = sum of (constant + slope datum) r_carrier */
    position[k] = p->kind == MBS_ATTACHED ? 0 : value[p->x + k];
    for (int i = 0; i < p->carriers; i++) {
      const mbs_carrier *c = &p->carrier[i];
      gradyn_scalar weight = c->constant + (c->datum >= 0 ? c->slope * value[c->datum] : 0);
      position[k] += weight * value[m->point[c->point].x + k];
    }
  }
}

bool mbs_on_ground(const gradyn_mbs *m, int point)
{
  const mbs_point *p = &m->point[point];
  for (int k = 0; k < p->carriers; k++)
    if (m->point[p->carrier[k].point].kind != MBS_GROUND)
      return false;
  return p->kind != MBS_MOVING;
}

/* Declares a moving or a ground point. */
static int declare_point(gradyn_model *model, const char *name, int dim, mbs_point_kind kind,
                         const gradyn_scalar position[3])
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !gradyn_model_named(model, name, "a point") || !mbs_use_dimension(m, name, dim))
    return 0;
  return gradyn_id(model, mbs_add_point(m, name, &(mbs_point){.kind = kind}, position));
}

int gradyn_ground_point(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y)
{
  return declare_point(model, name, 2, MBS_GROUND, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y)
{
  return declare_point(model, name, 2, MBS_MOVING, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_ground_point_3d(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y,
                           gradyn_scalar z)
{
  return declare_point(model, name, 3, MBS_GROUND, (gradyn_scalar[3]){x, y, z});
}

int gradyn_point_3d(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y,
                    gradyn_scalar z)
{
  return declare_point(model, name, 3, MBS_MOVING, (gradyn_scalar[3]){x, y, z});
}

void mbs_set_velocity(gradyn_mbs *m, int point, const gradyn_scalar velocity[3])
{
  if (m->model->exhausted || point >= m->points || m->point[point].kind != MBS_MOVING)
    return; /* an error has been reported already */
  const mbs_point *p = &m->point[point];
  /* all components are checked before any is stored */
  for (int k = 0; k < m->dim; k++)
    if (!isfinite(creal(velocity[k]))) {
      gradyn_build_error(m->model,
                         "the initial velocity of %s has the component %g: it must be "
                         "finite",
                         p->name, creal(velocity[k]));
      return;
    }
  for (int k = 0; k < m->dim; k++)
    m->model->value[p->vx + k] = velocity[k];
}

/* Sets the initial velocity of a moving point; other points are refused. */
static void declare_velocity(gradyn_model *model, int dim, int point,
                             const gradyn_scalar velocity[3])
{
  static const char *const fixed[] = {"", "a ground point", "attached to others"};
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_take_point(m, "initial velocity", point, &point) ||
      !mbs_use_dimension(m, "an initial velocity", dim))
    return;
  const mbs_point *p = &m->point[point];
  if (p->kind != MBS_MOVING)
    gradyn_build_error(model, "%s is %s: it cannot have a velocity of its own", p->name,
                       fixed[p->kind]);
  else
    mbs_set_velocity(m, point, velocity);
}

void gradyn_initial_velocity(gradyn_model *model, int point, gradyn_scalar vx, gradyn_scalar vy)
{
  declare_velocity(model, 2, point, (gradyn_scalar[3]){vx, vy, 0});
}

void gradyn_initial_velocity_3d(gradyn_model *model, int point, gradyn_scalar vx, gradyn_scalar vy,
                                gradyn_scalar vz)
{
  declare_velocity(model, 3, point, (gradyn_scalar[3]){vx, vy, vz});
}

int gradyn_point_between(gradyn_model *model, const char *name, int from, int to,
                         gradyn_scalar share)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !gradyn_model_named(model, name, "a point") || !mbs_take_point(m, name, from, &from) ||
      !mbs_take_point(m, name, to, &to))
    return 0;
  if (from == to)
    gradyn_build_error(model,
                       "%s lies between %s and the same point: it needs two different points", name,
                       m->point[from].name);
  /* Carriers must not be attached themselves, so that one pass computes all attached points. */
  for (int k = 0; k < 2; k++) {
    const mbs_point *p = &m->point[k ? to : from];
    if (p->kind == MBS_ATTACHED) {
      gradyn_build_error(model,
                         "%s: the point %s is attached to other points; attach to those points "
                         "instead",
                         name, p->name);
      return 0;
    }
  }
  int datum = gradyn_model_datum(model, name, "share", "", share);
  /* position: (1 - share) from + share to */
  const mbs_carrier carrier[2] = {{from, 1, -1, datum, 0}, {to, 0, 1, datum, 0}};
  return gradyn_id(model, mbs_attach_point(m, name, false, 2, carrier));
}
