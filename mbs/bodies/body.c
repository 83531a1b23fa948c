/* Rigid bodies in natural coordinates: the centre of mass, and one base vector for each axis. Internal
 * constraints keep the base vectors orthonormal; Ebrahimi et al. (2018), section 5.2 and appendix B. At the
 * initial time the base vectors are the axes of the ground. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* --- inertia ---------------------------------------------------------------------------------- */

/* In the plane the moment of inertia J is the sum of int x^2 dm and int y^2 dm. The motion depends on the
 * sum only, so both are set to J/2. */
static void plane_pairs(const double *d, int divisions, double *c)
{
  (void)divisions;
  const double pairs[6] = {d[0], 0, 0, d[1] / 2, 0, d[1] / 2}; /* c_00 = m, c_11 = c_22 = J/2 */
  memcpy(c, pairs, sizeof pairs);
}

/* Derivatives of the pair coefficients by mass and moment of inertia. */
static void plane_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  (void)d;
  (void)divisions;
  memset(D, 0, 2 * sizeof *D);
  D[0][0] = 1;
  D[1][3] = D[1][5] = 0.5;
}

enum { MASS, XX, YY, ZZ, XY, XZ, YZ, SPACE_DATA };

/* Derivatives of the pair coefficients: int x^2 dm = (-Jxx + Jyy + Jzz)/2 and so on, int xy dm = -Jxy. They
 * are constant, because the coefficients are linear in the data. */
static void space_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  enum { E11 = 4, E12, E13, E22, E23, E33 }; /* indices of the pairs of base vectors */
  (void)d;
  (void)divisions;
  memset(D, 0, SPACE_DATA * sizeof *D);
  D[MASS][0] = 1;
  const int square[3] = {E11, E22, E33};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      D[XX + i][square[k]] = i == k ? -0.5 : 0.5; /* E_ii = (J_jj + J_kk - J_ii)/2 */
  D[XY][E12] = D[XZ][E13] = D[YZ][E23] = -1;      /* E_ij = -J_ij */
}

/* Pair coefficients c from mass and inertia J. Pairs of base vectors have the second moments E = trace(J)/2
 * 1 - J. */
static void space_pairs(const double *d, int divisions, double *c)
{
  double D[SPACE_DATA][MBS_INERTIA_PAIRS];
  space_slopes(d, divisions, D);
  for (int j = 0; j < MBS_INERTIA_PAIRS; j++) {
    c[j] = 0;
    for (int k = 0; k < SPACE_DATA; k++)
      c[j] += d[k] * D[k][j]; /* linear: c = D^T d */
  }
}

static const mbs_inertia_ops plane_ops = {3, 2, plane_pairs, plane_slopes, "body"};
static const mbs_inertia_ops space_ops = {4, SPACE_DATA, space_pairs, space_slopes, "body"};

/* Smallest principal minor of a symmetric matrix; minors of order k are divided by trace^k. */
static double least_minor(const double *J)
{
  double xx = J[0], yy = J[1], zz = J[2], xy = J[3], xz = J[4], yz = J[5], trace = xx + yy + zz;
  /* if all minors are positive, J is positive definite */
  double two = fmin(xx * yy - xy * xy, fmin(xx * zz - xz * xz, yy * zz - yz * yz));
  double three = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  double one = fmin(xx, fmin(yy, zz));
  return fmin(one / trace, fmin(two / (trace * trace), three / (trace * trace * trace)));
}

/* Reports a build error unless a rigid body can have this inertia. */
static void check_tensor(gradyn_model *model, const char *name, const gradyn_scalar *inertia)
{
  /* entries xx, yy, zz, xy, xz, yz */
  double J[6], half = 0, E[6];
  for (int k = 0; k < 6; k++)
    J[k] = creal(inertia[k]);
  /* half the trace */
  for (int k = 0; k < 3; k++)
    half += J[k] / 2;
  for (int k = 0; k < 6; k++)
    /* E = trace(J)/2 1 - J, which must be positive semidefinite */
    E[k] = (k < 3 ? half : 0) - J[k];
  if (!isfinite(half + J[3] + J[4] + J[5])) /* an invalid datum itself is reported elsewhere */
    return;
  if (!(half > 0) || least_minor(J) < 1e-12)
    gradyn_build_error(
        model,
        "%s has the inertia (%g, %g, %g; %g, %g, %g) kg m^2, which resists no rotation about some "
        "axis. Use a rod for a slender bar, a point mass for a particle",
        name, J[0], J[1], J[2], J[3], J[4], J[5]);
  else if (least_minor(E) < -1e-9)
    gradyn_build_error(model,
                       "%s has the inertia (%g, %g, %g; %g, %g, %g) kg m^2; no principal moment "
                       "may exceed the sum of the other two",
                       name, J[0], J[1], J[2], J[3], J[4], J[5]);
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Declares mass and moments of inertia as data, and the inertia of the body; returns the first datum.
 * Moments are about the centre, along the axes of the body. */
static int declare_inertia(gradyn_mbs *m, const char *name, const gradyn_body_spec *spec,
                           const int *point)
{
  const gradyn_scalar *J = spec->inertia;
  if (!(creal(spec->mass) > 0))
    gradyn_build_error(m->model, "%s.mass is %g kg: it must be positive", name, creal(spec->mass));
  /* in the plane a body turns about z only */
  if (m->dim == 2) {
    const gradyn_datum data[] = {{"mass", "kg", spec->mass}, {"inertia", "kg m^2", J[2]}};
    if (!(creal(J[2]) > 0))
      gradyn_build_error(m->model, "%s.inertia[2] is %g kg m^2: it must be positive in the plane",
                         name, creal(J[2]));
    int datum = gradyn_model_data(m->model, name, data, 2);
    mbs_add_inertia(m, &plane_ops, point, datum, 0);
    return datum;
  }
  const gradyn_datum data[SPACE_DATA] = {
      /* in the order of the public specification */
      {"mass", "kg", spec->mass},     {"inertia_xx", "kg m^2", J[0]},
      {"inertia_yy", "kg m^2", J[1]}, {"inertia_zz", "kg m^2", J[2]},
      {"inertia_xy", "kg m^2", J[3]}, {"inertia_xz", "kg m^2", J[4]},
      {"inertia_yz", "kg m^2", J[5]}};
  check_tensor(m->model, name, J);
  int datum = gradyn_model_data(m->model, name, data, SPACE_DATA);
  mbs_add_inertia(m, &space_ops, point, datum, 0);
  return datum;
}

/* Declares the constraints |e_i| = 1 and e_i.e_j = 0 of the base vectors. */
static void declare_internal(gradyn_mbs *m, const char *name, const int *base)
{
  /* three constraints in the plane, six in space */
  for (int i = 0; i < m->dim; i++)
    for (int j = i; j < m->dim; j++) {
      mbs_element e = mbs_pair(i == j ? &mbs_square_ops : &mbs_dot_ops, base[i], base[j]);
      e.points = i == j ? 1 : 2;
      mbs_add_row(m, &e, gradyn_format_name(m->model, "%s.e%d.e%d", name, i + 1, j + 1));
    }
}

/* Declares the centre and the base vectors e, with initial velocities v and omega x e. */
static void declare_points(gradyn_mbs *m, const char *name, const gradyn_body_spec *spec,
                           int *point)
{
  const gradyn_scalar *w = spec->omega;
  /* omega x e_i */
  const gradyn_scalar rate[3][3] = {{0, w[2], -w[1]}, {-w[2], 0, w[0]}, {w[1], -w[0], 0}};
  point[0] = mbs_add_point(m, name, &(mbs_point){.kind = MBS_MOVING}, spec->centre);
  mbs_set_velocity(m, point[0], spec->velocity);
  for (int i = 0; i < m->dim; i++) {
    const gradyn_scalar axis[3] = {i == 0, i == 1, i == 2}; /* axes of the ground at the start */
    const char *full = gradyn_format_name(m->model, "%s.e%d", name, i + 1);
    point[1 + i] = mbs_add_point(m, full, &(mbs_point){.kind = MBS_MOVING, .direction = true},
                                 axis);
    mbs_set_velocity(m, point[1 + i], rate[i]);
  }
}

/* Declares hidden data: values near which the Euler parameters of a body and their rates are sought. Only
 * joint coordinates use them. They start from the orientation of the ground, which a body has when it is
 * declared. Returns the first datum, or -1. */
static int declare_turn(gradyn_model *model, const char *name)
{
  static const char *const names[] = {"p0", "p1", "p2", "p3", "p0'", "p1'", "p2'", "p3'"};
  int first = -1;
  for (int k = 0; k < 8 && model->settings.joint_coordinates; k++) {
    const int datum = gradyn_model_hidden(model, name, names[k], k == 0);
    first = k == 0 ? datum : first;
  }
  return first;
}

/* Declares a body with all its parts; returns its number. */
static int declare_body(gradyn_model *model, const gradyn_body_spec *spec, int dim)
{
  if (!gradyn_model_given(model, spec, dim == 2 ? "gradyn_body()" : "gradyn_body_3d()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "body");
  if (!m || !mbs_use_dimension(m, name, dim) || !mbs_check_name(m, name))
    return 0;
  mbs_body body = {0};
  declare_points(m, name, spec, body.point);
  if (model->exhausted)
    return 0;
  declare_inertia(m, name, spec, body.point);
  declare_internal(m, name, body.point + 1);
  body.turn = dim == 3 ? declare_turn(model, name) : -1;
  memcpy(body.centre, spec->centre, sizeof body.centre);
  /* bodies are numbered in the order of declaration */
  int number = m->parts.body_cursor++;
  /* later builds update the centre, because local coordinates of points follow from it */
  if (model->finalised) {
    if (number < m->parts.bodies)
      memcpy(m->parts.body[number].centre, spec->centre, sizeof body.centre);
    return gradyn_id(model, number);
  }
  mbs_body *own = gradyn_model_append(model, &m->parts.body, &m->parts.bodies, sizeof body, &body);
  if (own)
    own->name = gradyn_model_copy_name(model, name);
  return own ? gradyn_id(model, number) : 0;
}

int gradyn_body(gradyn_model *model, const gradyn_body_spec *spec)
{
  return declare_body(model, spec, 2);
}

int gradyn_body_3d(gradyn_model *model, const gradyn_body_spec *spec)
{
  return declare_body(model, spec, 3);
}

const mbs_body *mbs_check_body(gradyn_mbs *m, const char *element, int body)
{
  const int k = !m ? -1
                   : gradyn_index(m->model, element, "body", body,
                                  gradyn_declared(m->parts.body_cursor, m->parts.bodies));
  return k < 0 ? NULL : &m->parts.body[k];
}

int gradyn_body_centre(gradyn_model *model, int body)
{
  const mbs_body *b = mbs_check_body(mbs_of(model), "the centre of a body", body);
  return b ? gradyn_id(model, b->point[0]) : 0;
}

int gradyn_body_axis(gradyn_model *model, int body, gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_body *b = mbs_check_body(m, "a base vector of a body", body);
  return b && mbs_check_axis(m, "a base vector of a body", axis)
             ? gradyn_id(model, b->point[1 + axis])
             : 0;
}

/* Declares a point fixed to a body, X = c + x e_1 + y e_2 + z e_3. It has no coordinates of its own. */
int mbs_body_point(gradyn_mbs *m, const char *name, const mbs_body *body,
                   const gradyn_scalar position[3])
{
  static const char *const axis[3] = {"local_x", "local_y", "local_z"};
  /* the local coordinates x, y, z are data */
  mbs_carrier carrier[MBS_CARRIERS] = {{body->point[0], 1, 0, -1, 0}};
  for (int k = 0; k < m->dim && k < 3; k++) {
    int datum = gradyn_model_datum(m->model, name, axis[k], "m", position[k] - body->centre[k]);
    carrier[1 + k] = (mbs_carrier){body->point[1 + k], 0, 1, datum, 0};
  }
  return mbs_attach_point(m, name, false, 1 + m->dim, carrier);
}

/* Whether a point is the centre of the body, or is attached to points of this body only. */
bool mbs_belongs(const gradyn_mbs *m, int point, const mbs_body *body)
{
  const mbs_point *p = &m->point[point];
  int own = 0;
  for (int k = 0; k < p->carriers; k++)
    for (int i = 0; i <= m->dim; i++)
      own += p->carrier[k].point == body->point[i];
  return point == body->point[0] || (p->kind == MBS_ATTACHED && own == p->carriers);
}

void mbs_find_normals(const gradyn_mbs *m, gradyn_scalar t[3], gradyn_scalar n[2][3])
{
  gradyn_scalar square = 0, part = 0;
  int least = 0;
  for (int k = 0; k < m->dim; k++)
    square += t[k] * t[k];
  for (int k = 0; k < m->dim; k++) {
    t[k] /= csqrt(square); /* csqrt() of complex numbers, for derivatives by complex step */
    least = fabs(creal(t[k])) < fabs(creal(t[least])) ? k : least;
  }
  /* normals are right-handed with t */
  if (m->dim == 2) {
    n[0][0] = -t[1];
    n[0][1] = t[0];
    return;
  }
  for (int k = 0; k < 3; k++) { /* the axis that is most normal to t, minus its part along t */
    n[0][k] = (k == least) - t[least] * t[k]; /* e_least - (t.e_least) t */
    part += n[0][k] * n[0][k];
  }
  for (int k = 0; k < 3; k++)
    n[0][k] /= csqrt(part);
  for (int k = 0; k < 3; k++)
    /* n2 = t x n1 */
    n[1][k] = t[(k + 1) % 3] * n[0][(k + 2) % 3] - t[(k + 2) % 3] * n[0][(k + 1) % 3];
}

/* Declares a direction fixed to a body, or to the ground if `body` is NULL. */
int mbs_fix_direction(gradyn_mbs *m, const char *name, const mbs_body *body,
                      const gradyn_scalar n[3])
{
  static const char *const local[3] = {"local_x", "local_y", "local_z"};
  const mbs_point ground = {.kind = MBS_GROUND, .direction = true};
  if (!body)
    return mbs_add_point(m, name, &ground, n);
  const int dim = m->dim == 2 ? 2 : 3;
  mbs_carrier carrier[3];
  for (int k = 0; k < dim; k++) { /* initially the base vectors are the axes of the ground */
    int datum = gradyn_model_datum(m->model, name, local[k], "", n[k]);
    carrier[k] = (mbs_carrier){body->point[1 + k], 0, 1, datum, 0};
  }
  return mbs_attach_point(m, name, true, dim, carrier);
}

/* Declares a point fixed to a body. */
static int declare_body_point(gradyn_model *model, int body, const char *name, int dim,
                              const gradyn_scalar position[3])
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_body *b = mbs_check_body(m, name ? name : "a point", body);
  if (!b || !gradyn_model_named(model, name, "a point") || !mbs_use_dimension(m, name, dim))
    return 0;
  return gradyn_id(model, mbs_body_point(m, name, b, position));
}

int gradyn_body_point(gradyn_model *model, int body, const char *name, gradyn_scalar x,
                      gradyn_scalar y)
{
  return declare_body_point(model, body, name, 2, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_body_point_3d(gradyn_model *model, int body, const char *name, gradyn_scalar x,
                         gradyn_scalar y, gradyn_scalar z)
{
  return declare_body_point(model, body, name, 3, (gradyn_scalar[3]){x, y, z});
}
