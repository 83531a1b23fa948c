/* Constraints of the motion, and fixed initial conditions.
 *
 * Each declaration checks its arguments and declares the data of the law s(t), or of the fixed values. It
 * then adds an element with the kernel of its kind. Fixed initial conditions are constraints at the start
 * (MBS_AT_START). They determine initial positions and velocities, and are not enforced during the
 * motion. */
#include <complex.h>

#include <gradyn/events.h>

#include "core/equations/equations.h"
#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/joints/kernel.h"

static const char *const lengths[] = {"m", "m/s", "m/s^2"};
static const char *const angles[] = {"rad", "rad/s", "rad/s^2"};

/* Declares a constraint with a law of time; returns its id. */
static int declare(gradyn_model *model, const char *name, const mbs_element *prototype,
                   const char *const unit[3], const gradyn_time_function *law)
{
  gradyn_mbs *m = mbs_of(model);
  mbs_element element = *prototype;
  name = gradyn_own_name(model, name, prototype->ops->kind);
  /* data of the law, in the units of the value and of its two rates */
  element.datum = mbs_declare_law(m, name, unit, law, &element);
  return gradyn_id(model, mbs_add_row(m, &element, name));
}

/* Replaces the ids of two points by their indices; false after a build error. */
static bool take_pair(gradyn_model *model, const char *name, int *from, int *to)
{
  gradyn_mbs *m = mbs_of(model);
  return m && mbs_take_point(m, name, *from, from) && mbs_take_point(m, name, *to, to);
}

/* Declares the distance |b - a| = s(t), by Phi = (r.r/s - s)/2, m; see the kernel distance(). */
int gradyn_distance(gradyn_model *model, const char *name, int from, int to,
                    const gradyn_time_function *law)
{
  if (!take_pair(model, name, &from, &to))
    return 0;
  if (!law || !(creal(law->value) > 0)) /* w = 1/s in Phi */
    gradyn_build_error(model, "%s: the distance is %g m: it must be positive", name,
                       law ? creal(law->value) : 0.0);
  mbs_element prototype = mbs_pair(&mbs_distance_ops, from, to);
  return declare(model, name, &prototype, lengths, law);
}

int gradyn_angle(gradyn_model *model, const char *name, int from, int to,
                 const gradyn_time_function *law)
{
  /* normals of a line exist in the plane only */
  if (!take_pair(model, name, &from, &to) || !mbs_use_dimension(mbs_of(model), name, 2))
    return 0;
  mbs_element prototype = mbs_pair(&mbs_angle_ops, from, to);
  return declare(model, name, &prototype, angles, law);
}

/* The constraint Phi = x - s(t) of a coordinate x. */
static mbs_element coordinate_prototype(int point, gradyn_axis axis)
{
  return (mbs_element){.ops = &mbs_coordinate_ops, .points = 1, .point = {point}, .axis = axis};
}

int gradyn_coordinate(gradyn_model *model, const char *name, int point, gradyn_axis axis,
                      const gradyn_time_function *law)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_take_point(m, name, point, &point) || !mbs_check_axis(m, name, axis))
    return 0;
  mbs_element prototype = coordinate_prototype(point, axis);
  return declare(model, name, &prototype, lengths, law);
}

int gradyn_drive_joint(gradyn_model *model, const char *name, int coordinate,
                       const gradyn_time_function *law)
{
  const mbs_point *c = mbs_check_coordinate(mbs_of(model), name, coordinate);
  if (!c)
    return 0;
  mbs_element prototype = coordinate_prototype((int)(c - mbs_of(model)->point), GRADYN_X);
  return declare(model, name, &prototype, c->angle ? angles : lengths, law);
}

/* --- latched by events ------------------------------------------------------------------------ */

/* Whether a constraint, given by its number among those of the motion, is latched already. */
static bool is_latched(const gradyn_model *model, int constraint)
{
  for (int k = 0; k < model->log.captures.count; k++)
    if (model->log.captures.item[k].constraint == constraint)
      return true;
  return false;
}

/* Latches a constraint: an event that leads to its mode sets a hidden datum to the value of the constraint.
 */
void gradyn_latch_constraint(gradyn_model *model, int id)
{
  gradyn_mbs *m = mbs_of(model);
  const int constraint = !m ? -1
                            : gradyn_index(model, "gradyn_latch_constraint()", "constraint", id,
                                           m->row_cursor[MBS_IN_MOTION]);
  if (constraint < 0)
    return;
  /* in the first build, the list has constraints of all kinds in the order of declaration */
  const mbs_element *found = NULL;
  for (int i = 0, row = 0; i < m->constraints.count && !found; i++)
    if (m->constraints.item[i].when == MBS_IN_MOTION && row++ == constraint)
      found = &m->constraints.item[i];
  if (!found) /* only a later build() has this constraint; the comparison of counts reports it */
    return;
  if (found->ops->psi_v)
    gradyn_build_error(
        model, "%s is a velocity-level constraint; only a position constraint can be latched",
        found->name);
  /* a second latch would be a second datum for the same value */
  else if (!model->finalised && is_latched(model, constraint))
    gradyn_build_error(model, "constraint %s: latched already. Call gradyn_latch_constraint() once",
                       found->name);
  else
    gradyn_model_capture(model, found->name, constraint, found->modes.bits);
}

/* --- fixed initial conditions ----------------------------------------------------------------- */

/* Fixes an initial value and its rate. */
static void hold(gradyn_model *model, const char *name, mbs_element *prototype,
                 const char *const unit[3], gradyn_scalar value, gradyn_scalar rate)
{
  const gradyn_time_function law = {.value = value, .rate = rate};
  prototype->when = MBS_AT_START;
  declare(model, name, prototype, unit, &law);
}

void gradyn_fix_initial_distance(gradyn_model *model, const char *name, int from, int to,
                                 gradyn_scalar value, gradyn_scalar rate)
{
  if (!take_pair(model, name, &from, &to))
    return;
  if (!(creal(value) > 0))
    gradyn_build_error(model, "%s: the distance is %g m: it must be positive", name, creal(value));
  mbs_element prototype = mbs_pair(&mbs_distance_ops, from, to);
  hold(model, name, &prototype, lengths, value, rate);
}

void gradyn_fix_initial_angle(gradyn_model *model, const char *name, int from, int to,
                              gradyn_scalar value, gradyn_scalar rate)
{
  if (!take_pair(model, name, &from, &to) || !mbs_use_dimension(mbs_of(model), name, 2))
    return;
  mbs_element prototype = mbs_pair(&mbs_angle_ops, from, to);
  hold(model, name, &prototype, angles, value, rate);
}

/* Fixes one coordinate and its velocity at the start, at the values declared with its point. */
void gradyn_fix_initial_coordinate(gradyn_model *model, int point, gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_take_point(m, "a fixed coordinate", point, &point) ||
      !mbs_check_axis(m, "a fixed coordinate", axis))
    return;
  if (m->point[point].kind != MBS_MOVING) {
    gradyn_build_error(
        model, "%s is %s; only coordinates of moving points can be fixed", m->point[point].name,
        m->point[point].kind == MBS_GROUND ? "a ground point" : "attached to other points");
    return;
  }
  /* inputs are the data of the point: the coordinate and its velocity */
  mbs_element prototype = coordinate_prototype(point, axis);
  prototype.when = MBS_AT_START;
  prototype.source = MBS_FROM_POINT;
  mbs_add_row(m, &prototype, m->point[point].name);
}

void gradyn_fix_initial_joint(gradyn_model *model, const char *name, int coordinate,
                              gradyn_scalar value, gradyn_scalar rate)
{
  const mbs_point *c = mbs_check_coordinate(mbs_of(model), name, coordinate);
  if (!c)
    return;
  mbs_element prototype = coordinate_prototype((int)(c - mbs_of(model)->point), GRADYN_X);
  hold(model, name, &prototype, c->angle ? angles : lengths, value, rate);
}

/* Requests that all forces are in equilibrium at the start; declared positions are only a guess. */
void gradyn_start_in_equilibrium(gradyn_model *model)
{
  if (!model)
    return;
  if (model->ops && model->ops->kind == GRADYN_MODEL_DAE) {
    gradyn_equations_start_steady(model);
    return;
  }
  gradyn_mbs *m = mbs_of(model);
  if (m && !model->finalised)
    m->mech.begin.balanced = true;
  else if (m && !m->mech.begin.balanced)
    gradyn_build_error(model,
                       "build() starts the model in equilibrium, but did not in its first call: "
                       "the structure of a model must not depend on parameters");
}

/* Distance of two points, constant (rods) or driven: Phi = (|r|^2 w - s)/2, with r the difference of the
 * points, s(t) the distance and w = 1/s. If Phi = 0, Phi_q is the unit vector along r. The multiplier is
 * then the axial force in N, positive in tension; Phi is in m. */

GRADYN_KERNEL void distance(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  mbs_jet w = mbs_inverse(a->s), square = mbs_number(0);
  for (int k = 0; k < dim; k++) {
    mbs_jet r = mbs_minus(a->x[dim + k], a->x[k]);
    square = mbs_plus(square, mbs_times(r, r));
    g->x[dim + k] = mbs_times(r, w); /* Phi_b = r w = -Phi_a */
    g->x[k] = mbs_scaled(-1, g->x[dim + k]);
  }
  mbs_jet quotient = mbs_times(square, w);
  g->phi = mbs_scaled(0.5, mbs_minus(quotient, a->s)); /* (|r|^2 w - s)/2 */
  /* -(|r|^2 w^2 + 1)/2 */
  g->s = mbs_scaled(-0.5, mbs_plus(mbs_times(quotient, w), mbs_number(1)));
}

MBS_JET_FUNCTIONS(distance, 2)

const mbs_element_ops mbs_distance_ops = {.kind = "distance", .degree = 2, MBS_JET_OPS(distance)};

/* Direction of the line between two points, fixed or driven, in the plane: Phi = r.n, with r the difference
 * of the points and n = (-sin theta, cos theta) normal to the direction theta(t). Phi is in m; the
 * multiplier is the force across the line, N. */

GRADYN_KERNEL void angle(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* d[0] is theta: cosine and sine with their first two derivatives */
  double c = cos(a->s.d[0]), s = sin(a->s.d[0]);
  mbs_jet cosine = mbs_function(a->s, c, -s, -c), sine = mbs_function(a->s, s, c, -s);
  mbs_jet x = mbs_minus(a->x[dim], a->x[0]), y = mbs_minus(a->x[dim + 1], a->x[1]);
  for (int k = 2; k < dim; k++) /* the plane has no further components */
    g->x[k] = g->x[dim + k] = mbs_number(0);
  g->x[0] = sine; /* Phi_b = n = -Phi_a */
  g->x[1] = mbs_scaled(-1, cosine);
  g->x[dim] = mbs_scaled(-1, sine);
  g->x[dim + 1] = cosine;
  g->phi = mbs_minus(mbs_times(y, cosine), mbs_times(x, sine));
  /* n_theta = -(cos theta, sin theta) */
  g->s = mbs_scaled(-1, mbs_plus(mbs_times(x, cosine), mbs_times(y, sine)));
}

/* Whether the line points opposite to theta; Phi is zero for this direction too. */
static bool reversed(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  double x = at->pos[e->at[1]] - at->pos[e->at[0]];
  double y = at->pos[e->at[1] + 1] - at->pos[e->at[0] + 1];
  return x * cos(z[0]) + y * sin(z[0]) < 0; /* e.r < 0 */
}

MBS_JET_FUNCTIONS(angle, 2)

const mbs_element_ops mbs_angle_ops = {
    .kind = "angle", .degree = 1, MBS_JET_OPS(angle), .reversed = reversed};

/* Scalar products of vectors: Phi = a.b of two vectors, Phi = (a.a - 1)/2 of one. They keep base vectors
 * orthonormal, and slopes of beams normal to directions of bodies. They have no data. */

GRADYN_KERNEL void dot(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  g->phi = mbs_product(dim, a, 0, 1); /* Phi_a = b, Phi_b = a */
  for (int k = 0; k < dim; k++) {
    g->x[k] = a->x[dim + k];
    g->x[dim + k] = a->x[k];
  }
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(dot, 2)

const mbs_element_ops mbs_dot_ops = {
    .kind = "scalar product", .multiplier = "N m", .degree = 2, MBS_JET_OPS(dot)};

GRADYN_KERNEL void square(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  g->phi = mbs_scaled(0.5, mbs_minus(mbs_product(dim, a, 0, 0), mbs_number(1))); /* (a.a - 1)/2 */
  for (int k = 0; k < dim; k++)
    g->x[k] = a->x[k];
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(square, 1)

const mbs_element_ops mbs_square_ops = {
    .kind = "length", .multiplier = "N m", .degree = 2, MBS_JET_OPS(square)};

/* Equal coordinates of two points: Phi = r_2 - r_1 along an axis, m. A pin has one such constraint for each
 * axis. No inputs. */

GRADYN_KERNEL void pin(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  for (int k = 0; k < dim; k++) {
    g->x[k] = mbs_number(k == a->axis ? -1 : 0); /* Phi_1 = -1, Phi_2 = 1 */
    g->x[dim + k] = mbs_number(k == a->axis);
  }
  g->phi = mbs_minus(a->x[dim + a->axis], a->x[a->axis]);
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(pin, 2)

const mbs_element_ops mbs_pin_ops = {.kind = "pin", .degree = 1, MBS_JET_OPS(pin)};

/* Constant angle of two vectors of any lengths: Phi = a.b/(|a||b|) - c, with the only datum c. Welds of
 * beams use it, because slopes change length as beams stretch. With
 *   P = 1/(|a||b|), C = P a.b:  Phi_a = P b - C/(a.a) a, and Phi_b with a and b exchanged. */

GRADYN_KERNEL void corner(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* P = (a.a b.b)^-1/2, C = P a.b */
  mbs_jet aa = mbs_product(dim, a, 0, 0), bb = mbs_product(dim, a, 1, 1);
  mbs_jet P = mbs_inverse_root(mbs_times(aa, bb)), C = mbs_times(P, mbs_product(dim, a, 0, 1));
  mbs_jet A = mbs_times(C, mbs_inverse(aa)), B = mbs_times(C, mbs_inverse(bb));
  for (int k = 0; k < dim; k++) {
    mbs_jet a_k = a->x[k], b_k = a->x[dim + k];
    g->x[k] = mbs_minus(mbs_times(P, b_k), mbs_times(A, a_k)); /* Phi_a = P b - C/(a.a) a */
    g->x[dim + k] = mbs_minus(mbs_times(P, a_k), mbs_times(B, b_k));
  }
  g->phi = mbs_minus(C, a->s);
  g->s = mbs_number(-1);
}

MBS_JET_FUNCTIONS(corner, 2)

const mbs_element_ops mbs_corner_ops = {
    .kind = "corner", .multiplier = "N m", .degree = 3, MBS_JET_OPS(corner)};

/* A prescribed coordinate of a point: Phi = x - s(t), m. */

GRADYN_KERNEL void coordinate(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* Phi_x = 1 along the axis, Phi_s = -1 */
  for (int k = 0; k < dim; k++)
    g->x[k] = mbs_number(k == a->axis);
  g->phi = mbs_minus(a->x[a->axis], a->s);
  g->s = mbs_number(-1);
}

MBS_JET_FUNCTIONS(coordinate, 1)

const mbs_element_ops mbs_coordinate_ops = {
    .kind = "coordinate", .degree = 1, MBS_JET_OPS(coordinate)};
