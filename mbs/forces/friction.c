/* Friction in joints: normal forces from multipliers, slip velocities from joint coordinates, and laws of
 * friction; Verulkar et al. (2023), eqs. (1), (6) to (8). In frame a, with directions u, the force F and the
 * torque T of a on b, about b's origin, are linear in the multipliers:
 *   origins coincide: F.u = -lambda.u;  guide along u: F.u = -lambda;  normal u_i.w_j: T = lambda u_i x u_j,
 * since u = w if the constraints are satisfied. See docs/theory/friction.md. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/formula.h"
#include "mbs/elements/readings.h"
#include "mbs/forces/journal.h"
#include <gradyn/forces.h>

enum { ALWAYS = 1 << STILL | 1 << KINETIC | 1 << TRANSITION | 1 << VISCOUS | 1 << SMOOTHING };

static const struct {
  const char *name, *unit;
  bool positive;
} number_of[NUMBERS] = {[STILL] = {"still", "", false},
                        [KINETIC] = {"kinetic", "", false},
                        [TRANSITION] = {"transition", "m/s", true},
                        [VISCOUS] = {"viscous", "N s/m", false},
                        [SMOOTHING] = {"smoothing", "N", true},
                        [PRESSURE] = {"pressure", "", true},
                        [RADIUS] = {"radius", "m", true},
                        [THRUST_RADIUS] = {"thrust_radius", "m", true},
                        [LENGTH] = {"length", "m", false},
                        [OFFSET] = {"offset", "m", false},
                        [WIDTH] = {"width", "m", false},
                        [STIFFNESS] = {"stiffness", "1/m", true},
                        [DAMPING] = {"damping", "s/m", true},
                        [DWELL] = {"dwell", "s", true}};

/* Normal forces: main, where the joint slips; thrust, at the collar of a revolute joint. */
typedef struct loads {
  gradyn_scalar main, thrust;
} loads;

/* --- normal forces ---------------------------------------------------------------------------- */

/* sqrt(x^2 + y^2 + e^2), differentiable also where x = y = 0. */
static gradyn_scalar size_of(const gradyn_scalar *p, gradyn_scalar x, gradyn_scalar y)
{
  return csqrt(x * x + y * y + p[SMOOTHING] * p[SMOOTHING]); /* smooth |(x, y)| */
}

/* Distributes F and T about b's origin, both without components along the axis z, to the two ends at c
 * and c + a of the axis: T + F x (c z) = a z x F2, F1 = F - F2. Returns false if there is one end only
 * (length 0). */
static bool split(const gradyn_scalar *p, const gradyn_scalar F[2], const gradyn_scalar T[2],
                  gradyn_scalar F1[2], gradyn_scalar F2[2])
{
  if (creal(p[LENGTH]) == 0)
    return false;
  F2[0] = (T[1] - p[OFFSET] * F[0]) / p[LENGTH];  /* a F2_x = T_y - c F_x */
  F2[1] = -(T[0] + p[OFFSET] * F[1]) / p[LENGTH]; /* a F2_y = -(T_x + c F_y) */
  for (int k = 0; k < 2; k++)
    F1[k] = F[k] - F2[k];
  return true;
}

/* Normal force of a journal: the sum of its pressure, which exceeds the force by the factor PRESSURE. */
static gradyn_scalar journal(const gradyn_scalar *p, const gradyn_scalar F[2],
                             const gradyn_scalar T[2])
{
  gradyn_scalar F1[2], F2[2];
  if (!split(p, F, T, F1, F2))
    return p[PRESSURE] * size_of(p, F[0], F[1]);
  return p[PRESSURE] * (size_of(p, F1[0], F1[1]) + size_of(p, F2[0], F2[1]));
}

/* Revolute joint: constraints x, y, z, xz, yz. The element's points are the angle and directions of a. */
static loads revolute(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  const gradyn_scalar *lam = s->lam, *u = s->pos + 3, T[2] = {lam[4], -lam[3]};
  gradyn_scalar F[3] = {0};
  /* F.u_i = -lambda.u_i */
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      F[i] -= lam[k] * u[3 * i + k];
  return (loads){journal(p, F, T), size_of(p, F[2], 0)};
}

/* Cylindrical joint: constraints along_x, along_y, xz, yz. */
static loads cylindrical(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  const gradyn_scalar *lam = s->lam, F[2] = {-lam[0], -lam[1]}, T[2] = {lam[3], -lam[2]};
  return (loads){journal(p, F, T), 0};
}

/* Prismatic joint: constraints along_x, along_y, xy, yz, zx. Normal forces of all faces add up, eq. (8). */
static loads prismatic(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  const gradyn_scalar *lam = s->lam, F[2] = {-lam[0], -lam[1]}, T[2] = {lam[3], lam[4]};
  /* if LENGTH is 0, one contact carries the whole force */
  gradyn_scalar F1[2] = {F[0], F[1]}, F2[2] = {0}, sum = 0;
  const int ends = 1 + split(p, F, T, F1, F2);
  for (int k = 0; k < 2; k++)
    sum += size_of(p, F1[k], 0) + (ends == 2 ? size_of(p, F2[k], 0) : 0);
  if (creal(p[WIDTH]) != 0) /* 2 |T_z/(2 b)| */
    sum += size_of(p, lam[2] / p[WIDTH], 0);
  return (loads){sum, 0};
}

/* Normal force of a joint with the only constraint along_z. */
static loads flat(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  return (loads){size_of(p, s->lam[0], 0), 0};
}

/* Normal force of a joint with the constraints along_x and along_y. */
static loads runner(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  return (loads){size_of(p, s->lam[0], s->lam[1]), 0};
}

/* Normal force of a revolute joint in the plane, with the constraints x and y. */
static loads plane_revolute(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  return (loads){p[PRESSURE] * size_of(p, s->lam[0], s->lam[1]), 0};
}

/* Prismatic joint in the plane: constraints across_x and xx, a torque T = -lambda. T - c F_y = a F2_y. */
static loads plane_prismatic(const mbs_formula_arguments *s, const gradyn_scalar *p)
{
  gradyn_scalar F = -s->lam[0], T = -s->lam[1];
  if (creal(p[LENGTH]) == 0)
    return (loads){size_of(p, F, 0), 0};
  gradyn_scalar F2 = (T - p[OFFSET] * F) / p[LENGTH];
  return (loads){size_of(p, F - F2, 0) + size_of(p, F2, 0), 0};
}

/* A kind of joint: its data, multipliers and slips. Slips are rates of its slide, then of its angle; if
 * `flat`, of the slides along x and y. */
typedef struct friction_kind {
  gradyn_joint_kind kind;
  int dim, numbers, reads;
  bool slides, turns, flat;
  loads (*load)(const mbs_formula_arguments *s, const gradyn_scalar *p);
} friction_kind;

enum {
  ENDS = 1 << LENGTH | 1 << OFFSET,
  JOURNAL = 1 << PRESSURE | 1 << RADIUS,
  COLLAR = 1 << THRUST_RADIUS,
  SIDES = 1 << WIDTH
};

static const friction_kind kinds[] = {
    {GRADYN_REVOLUTE, 3, JOURNAL | COLLAR | ENDS, 5, false, true, false, revolute},
    {GRADYN_CYLINDRICAL, 3, JOURNAL | ENDS, 4, true, true, false, cylindrical},
    {GRADYN_PRISMATIC, 3, ENDS | SIDES, 5, true, false, false, prismatic},
    {GRADYN_PLANAR, 3, 0, 1, false, false, true, flat},
    {GRADYN_POINT_ON_PLANE, 3, 0, 1, false, false, true, flat},
    {GRADYN_POINT_ON_LINE, 3, 0, 2, true, false, false, runner},
    {GRADYN_REVOLUTE, 2, JOURNAL, 2, false, true, false, plane_revolute},
    {GRADYN_PRISMATIC, 2, ENDS, 2, true, false, false, plane_prismatic},
    {GRADYN_POINT_ON_LINE, 2, 0, 1, true, false, false, flat}};

enum { KINDS = sizeof kinds / sizeof *kinds, SLIPS = 2 };

/* --- laws ------------------------------------------------------------------------------------- */

static const int law_numbers[] = {[GRADYN_BROWN_MCPHEE] = 0,
                                  [GRADYN_LUGRE] = 1 << STIFFNESS | 1 << DAMPING,
                                  [GRADYN_GONTHIER] = 1 << STIFFNESS | 1 << DAMPING | 1 << DWELL};

/* tanh(4 s)/s as a function of S = s^2; for small X = 16 S by a series, which is exact to round-off there. */
static gradyn_scalar tanh_ratio(gradyn_scalar S)
{
  gradyn_scalar X = 16 * S, s = csqrt(S);
  if (cabs(X) < 1e-3)
    /* 4 tanh(x)/x as a series in X = x^2 */
    return 4 * (1 - X / 3 * (1 - 2 * X / 5 * (1 - 17 * X / 42 * (1 - 62 * X / 153))));
  return ctanh(4 * s) / s;
}

/* Ratio mu(v)/v of the Brown-McPhee law, eq. (1), as a function of v^2. */
static gradyn_scalar brown_mcphee(const gradyn_scalar *p, gradyn_scalar square)
{
  gradyn_scalar S = square / (p[TRANSITION] * p[TRANSITION]), bump = S / 4 + 0.75;
  /* mu/s = mu_k tanh(4 s)/s + (mu_s - mu_k)/(s^2/4 + 3/4)^2, s = v/v_t */
  gradyn_scalar mu = p[KINETIC] * tanh_ratio(S) + (p[STILL] - p[KINETIC]) / (bump * bump);
  return mu / p[TRANSITION];
}

/* Slips, bristles, and the coefficient of friction as a vector. */
typedef struct contact {
  int slips;
  gradyn_scalar v[SLIPS], square; /* m/s, |v|^2 */
  const gradyn_scalar *bristle;   /* the deflection of bristle i is bristle[dim i] */
  int dim;
  gradyn_scalar mu[SLIPS], rate[SLIPS]; /* coefficients, rates z' */
} contact;

/* A smooth |v|, quadratic near 0, so that bristles of a joint at rest do not relax. */
static gradyn_scalar smooth_speed(const gradyn_scalar *p, gradyn_scalar square)
{
  const gradyn_scalar small = 1e-3 * p[TRANSITION];
  return square / csqrt(square + small * small);
}

/* The law GRADYN_LUGRE for deflections z: z' = v - sigma0 |v| z/g, mu = sigma0 z + sigma1 s z',
 * g = mu_k + (mu_s - mu_k) s, s = exp(-v^2/v_t^2). The damping sigma1 s decreases with the speed; otherwise
 * bristles that begin to deflect at speed would lock the joint. */
static void lugre(const gradyn_scalar *p, contact *c)
{
  /* s = exp(-(v/v_t)^2), g = kinetic + (still - kinetic) s */
  gradyn_scalar S = c->square / (p[TRANSITION] * p[TRANSITION]);
  gradyn_scalar s = cexp(-S), g = p[KINETIC] + (p[STILL] - p[KINETIC]) * s;
  for (int i = 0; i < c->slips; i++) {
    gradyn_scalar z = c->bristle[c->dim * i];
    /* z' = v - sigma0 |v| z/g */
    c->rate[i] = c->v[i] - p[STIFFNESS] * smooth_speed(p, c->square) * z / g;
    c->mu[i] = p[STIFFNESS] * z + p[DAMPING] * s * c->rate[i]; /* mu = sigma0 z + sigma1 s z' */
  }
}

/* The law GRADYN_GONTHIER: a share s = exp(-v^2/v_t^2) of the bristles sticks. Deflections z have the rates
 * z' = s v + (1 - s)(mu_k v/|v| - sigma0 z)/sigma1. mu = sigma0 z + sigma1 z' is limited to
 * mu_k + (mu_s - mu_k) w. Returns w' = (s - w)/(dwell, or sigma1/sigma0 if s < w). */
static gradyn_scalar gonthier(const gradyn_scalar *p, gradyn_scalar w, contact *c)
{
  const gradyn_scalar small = 1e-3 * p[TRANSITION];
  gradyn_scalar s = cexp(-c->square / (p[TRANSITION] * p[TRANSITION])), total = 0;
  /* the limit grows with the dwell state w */
  gradyn_scalar most = p[KINETIC] + (p[STILL] - p[KINETIC]) * w;
  for (int i = 0; i < c->slips; i++) {
    gradyn_scalar z = c->bristle[c->dim * i];
    gradyn_scalar direction = c->v[i] / csqrt(c->square + small * small);
    c->rate[i] = s * c->v[i] + (1 - s) * (p[KINETIC] * direction - p[STIFFNESS] * z) / p[DAMPING];
    c->mu[i] = p[STIFFNESS] * z + p[DAMPING] * c->rate[i];
    total += c->mu[i] * c->mu[i];
  }
  /* the vector mu is shortened to the limit; its direction is kept */
  for (int i = 0; i < c->slips && creal(total) > creal(most * most); i++)
    c->mu[i] *= most / csqrt(total);
  return (s - w) / (creal(s) >= creal(w) ? p[DWELL] : p[DAMPING] / p[STIFFNESS]);
}

/* --- the element ------------------------------------------------------------------------------ */

/* Number of directions in which the joint slips. */
static int slip_count(const friction_kind *kind)
{
  return kind->flat ? 2 : kind->slides + kind->turns;
}

/* Kind of the joint of an element; variant = index of the kind + KINDS law. */
static const friction_kind *kind_of(const mbs_element *e)
{
  return &kinds[e->variant % KINDS];
}

/* All data p [NUMBERS] of an element with data z; data that it does not have are 0. */
static void spread(const mbs_element *e, const gradyn_scalar *z, gradyn_scalar *p)
{
  const int has = ALWAYS | kind_of(e)->numbers | law_numbers[e->variant / KINDS];
  for (int k = 0; k < NUMBERS; k++)
    p[k] = has & 1 << k ? *z++ : 0;
}

/* Length scale of slip i: v = scale times the rate of the coordinate. */
static gradyn_scalar length_scale_of(const friction_kind *kind, const gradyn_scalar *p, int i)
{
  return kind->turns && i == kind->slides ? p[RADIUS] : 1;
}

/* Coefficients and rates of bristles, whose states are the last points of the element. */
static void bend(const mbs_element *e, const mbs_formula_arguments *s, const gradyn_scalar *p,
                 contact *c, gradyn_scalar *f)
{
  const bool dwells = e->variant / KINDS == GRADYN_GONTHIER;
  const int first = c->dim * (e->points - c->slips - dwells), last = c->dim * (e->points - 1);
  c->bristle = s->vel + first;
  if (dwells)
    f[last] = gonthier(p, s->vel[last], c); /* sets z', returns the dwell state's rate */
  else
    lugre(p, c);
  for (int i = 0; i < c->slips; i++)
    f[first + c->dim * i] = c->rate[i];
}

/* Normal forces N from multipliers and slip velocities v give the force -(mu(v) N + c v) of each slip, times
 * its length scale. */
static gradyn_status friction(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                              gradyn_scalar *f)
{
  const friction_kind *kind = kind_of(e);
  const bool bristles = e->variant / KINDS != GRADYN_BROWN_MCPHEE, collar = kind->numbers & COLLAR;
  gradyn_scalar p[NUMBERS];
  contact c = {.slips = slip_count(kind), .dim = m->dim};
  spread(e, s->z, p);
  const loads N = kind->load(s, p);
  for (int k = 0; k < e->local; k++)
    f[k] = 0;
  for (int i = 0; i < c.slips; i++) {
    /* an angle slips at the radius of the journal */
    c.v[i] = length_scale_of(kind, p, i) * s->vel[c.dim * i];
    c.square += c.v[i] * c.v[i];
  }
  gradyn_scalar main = N.main;
  /* With bristles, the collar's normal force is converted to the journal's radius. */
  if (bristles) {
    bend(e, s, p, &c, f);
    main += collar ? N.thrust * p[THRUST_RADIUS] / p[RADIUS] : 0;
  }
  const gradyn_scalar ratio = bristles ? 0 : brown_mcphee(p, c.square);
  for (int i = 0; i < c.slips; i++) {
    gradyn_scalar mu = bristles ? c.mu[i] : ratio * c.v[i];
    /* generalised force: length scale times -(mu N + c v) */
    f[c.dim * i] = -length_scale_of(kind, p, i) * (mu * main + p[VISCOUS] * c.v[i]);
  }
  if (collar && !bristles) {
    gradyn_scalar v = p[THRUST_RADIUS] * s->vel[0];
    /* the collar slips at its own radius */
    f[0] -= p[THRUST_RADIUS] * brown_mcphee(p, v * v) * v * N.thrust;
  }
  return GRADYN_OK;
}

/* Slip velocities of a force that changes suddenly: Brown-McPhee, within the transition velocity. */
static int sudden(const mbs_element *e, int dim, const double *v, double *within, double *slip)
{
  const friction_kind *kind = kind_of(e);
  gradyn_scalar z[NUMBERS] = {0}, p[NUMBERS];
  if (e->variant / KINDS != GRADYN_BROWN_MCPHEE)
    return 0; /* with bristles, the force changes at the time scale of their stiffness */
  for (int k = 0; k < e->data_count; k++)
    z[k] = e->input[k];
  spread(e, z, p);
  *within = creal(p[TRANSITION]);
  for (int i = 0; i < slip_count(kind); i++)
    slip[i] = creal(length_scale_of(kind, p, i)) * v[dim * i];
  return slip_count(kind);
}

static const mbs_element_ops friction_ops = {
    .kind = "joint friction", MBS_FORMULA_OPS(friction), .sudden = sudden, .scalar = true};

static const mbs_element_ops journal_ops = {
    .kind = "joint friction", MBS_JOURNAL_OPS(friction), .sudden = sudden, .scalar = true};

/* --- declaration ------------------------------------------------------------------------------ */

/* The kind of friction of a joint; NULL after a build error. */
static const friction_kind *find_kind(gradyn_mbs *m, const char *name, const mbs_joint *joint)
{
  for (int k = 0; k < KINDS; k++) {
    /* a joint has no multipliers of its frames' origins if other parts connect these origins */
    const bool pins = kinds[k].kind == GRADYN_REVOLUTE;
    if (kinds[k].kind != joint->kind || kinds[k].dim != m->dim)
      continue; /* other entries may match */
    if (pins && joint->loose)
      gradyn_build_error(m->model,
                         "%s: joint %s has no constraint that determines its force, because other "
                         "parts already connect the origins of its frames rigidly",
                         name, joint->name);
    else if (m->dim == 3 && kinds[k].reads > 2 && m->parts.frame[joint->b].body == MBS_BAR_FRAME)
      gradyn_build_error(m->model, "%s: body b of joint %s is a rod, but friction needs a body",
                         name, joint->name);
    else
      return &kinds[k];
    return NULL;
  }
  gradyn_build_error(
      m->model,
      "%s: joint %s cannot have friction; revolute, prismatic and point-on-line joints can and, in "
      "space, cylindrical, planar and point-on-plane joints",
      name, joint->name);
  return NULL;
}

/* Fills value [NUMBERS] from a specification, with defaults. */
static void take_numbers(const gradyn_joint_friction_spec *spec, gradyn_scalar *value)
{
  /* defaults: 1, and the radius of the journal */
  const gradyn_scalar pressure = spec->pressure != 0 ? spec->pressure : 1;
  const gradyn_scalar thrust = spec->thrust_radius != 0 ? spec->thrust_radius : spec->radius;
  const gradyn_scalar all[NUMBERS] = {
      [STILL] = spec->still,     [KINETIC] = spec->kinetic,     [TRANSITION] = spec->transition,
      [VISCOUS] = spec->viscous, [SMOOTHING] = spec->smoothing, [PRESSURE] = pressure,
      [RADIUS] = spec->radius,   [THRUST_RADIUS] = thrust,      [LENGTH] = spec->length,
      [OFFSET] = spec->offset,   [WIDTH] = spec->width,         [STIFFNESS] = spec->stiffness,
      [DAMPING] = spec->damping, [DWELL] = spec->dwell};
  for (int k = 0; k < NUMBERS; k++)
    value[k] = all[k];
}

/* Checks the values and lists those that are data; returns their number. */
static int list_data(gradyn_mbs *m, const char *name, int used, const gradyn_scalar *value,
                     gradyn_datum *data)
{
  int count = 0;
  for (int k = 0; k < NUMBERS; k++) {
    const double number = creal(value[k]);
    const bool signless = k == OFFSET;
    if (used & 1 << k) {
      /* only data that joint and law use */
      data[count++] = (gradyn_datum){number_of[k].name, number_of[k].unit, value[k]};
      if (number < 0 && !signless && !number_of[k].positive)
        gradyn_build_error(m->model, "%s.%s is %g: it must not be negative", name,
                           number_of[k].name, number);
      if (number_of[k].positive && !(number > 0))
        gradyn_build_error(m->model, "%s.%s is %g %s: it must be positive", name, number_of[k].name,
                           number, number_of[k].unit);
    } else if (number != 0 && k != PRESSURE && k != THRUST_RADIUS) {
      gradyn_build_error(m->model, "%s.%s is %g: this joint and law do not use it", name,
                         number_of[k].name, number);
    }
  }
  return count;
}

/* Reports a build error if a coefficient is 0: the law GRADYN_LUGRE divides by a coefficient. */
static void check_bristles(gradyn_mbs *m, const char *name, const gradyn_scalar *value)
{
  for (int k = STILL; k <= KINETIC; k++)
    if (creal(value[k]) == 0)
      gradyn_build_error(m->model, "%s.%s is 0: it must be positive with the law GRADYN_LUGRE",
                         name, number_of[k].name);
}

/* Index of a coordinate of the joint. */
static int coordinate(gradyn_model *model, const gradyn_joint_friction_spec *spec,
                      gradyn_coordinate_kind kind)
{
  return gradyn_joint_coordinate(model, spec->joint, kind) - gradyn_first_id(model);
}

/* Adds the variables of the force to its points: coordinates of the slips, states of bristles, and, if
 * multipliers are in axes of the ground, the directions of frame a. */
static void list_points(gradyn_mbs *m, const gradyn_joint_friction_spec *spec, const char *name,
                        const friction_kind *kind, mbs_element *e)
{
  gradyn_model *model = m->model;
  static const char *const unit[2][3] = {{"m s", "m", "m/s"}, {"s", "", "1/s"}};
  const int slips = slip_count(kind), a = mbs_check_joint(m, name, spec->joint)->a;
  /* z = mu_s/sigma0, the typical deflection of a bristle */
  const double size = creal(spec->still / spec->stiffness);
  /* order: coordinates of slips, directions, states of bristles */
  for (int i = 0; i < 2 && kind->flat; i++)
    e->point[e->points++] = coordinate(model, spec, i ? GRADYN_SLIDE_Y : GRADYN_SLIDE_X);
  if (kind->slides)
    e->point[e->points++] = coordinate(model, spec, GRADYN_SLIDE);
  if (kind->turns)
    e->point[e->points++] = coordinate(model, spec, GRADYN_ANGLE);
  for (int i = 0; i < 3 && kind->load == revolute; i++)
    e->point[e->points++] = mbs_frame_direction(m, &m->parts.frame[a], i);
  for (int i = 0; i < slips && spec->law != GRADYN_BROWN_MCPHEE; i++)
    e->point[e->points++] = mbs_add_state(
        m,
        gradyn_format_name(model, slips == 2 ? i ? "%s.bristle_y" : "%s.bristle_x" : "%s.bristle",
                           name),
        unit[0], size > 0 ? size : 0, 0);
  if (spec->law == GRADYN_GONTHIER)
    e->point[e->points++] = mbs_add_state(m, gradyn_format_name(model, "%s.dwell_state", name),
                                          unit[1], 1, 1);
}

int gradyn_joint_friction(gradyn_model *model, const gradyn_joint_friction_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_joint_friction()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "friction");
  const mbs_joint *joint = mbs_check_joint(m, name, spec->joint);
  if (!joint || !mbs_check_name(m, name))
    return 0;
  /* the law is checked before anything is declared */
  if ((int)spec->law < 0 || spec->law > GRADYN_GONTHIER) {
    gradyn_build_error(model, "%s: there is no friction law %d", name, (int)spec->law);
    return 0;
  }
  const friction_kind *kind = find_kind(m, name, joint);
  if (!kind)
    return 0;
  const int first = joint->first;
  gradyn_scalar value[NUMBERS];
  gradyn_datum data[NUMBERS];
  const char *reads[MBS_READS];
  const bool by_hand = kind->load == revolute && spec->law == GRADYN_BROWN_MCPHEE;
  mbs_element e = {.ops = by_hand ? &journal_ops : &friction_ops,
                   .variant = (int)(kind - kinds) + KINDS * (int)spec->law};
  list_points(m, spec, name, kind, &e);
  take_numbers(spec, value);
  e.data_count = list_data(m, name, ALWAYS | kind->numbers | law_numbers[spec->law], value, data);
  if (spec->law == GRADYN_LUGRE)
    check_bristles(m, name, value);
  e.datum = gradyn_model_data(model, name, data, e.data_count);
  /* multipliers of the joint, from which normal forces follow */
  for (int k = 0; k < kind->reads; k++)
    reads[k] = mbs_motion_name(m, first + k);
  int number;
  mbs_element *added = mbs_add_element(m, &m->lists.forces, &e, name, &number);
  mbs_read_multipliers(m, added, number, name, reads, kind->reads);
  return gradyn_id(model, number);
}
