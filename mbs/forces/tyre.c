/* A tyre, a thin disc that stands on a plane of the ground (docs/theory/rolling.md, section 7). Centre c,
 * triad x, y, z of the wheel with z along its axle; the plane through o has the normal k. With a = k.x, b =
 * k.y, s = sqrt(a^2 + b^2), the radius of the disc that points down meets the plane at
 *     p = c - r (a x + b y)/s,    r = k.(c - o)/s.
 * The wheel's velocity there is v = c' - r (a x' + b y')/s; the force of the ground acts at p. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/formula.h"
#include "mbs/joints/wheel.h"
#include <gradyn/forces.h>

enum { K, C, X, Y, O, SLIP, POINTS = SLIP + 2, AXES = 3 };
enum { AHEAD, ASIDE, BOTH };

enum {
  RADIUS,
  STIFFNESS,
  DAMPING,
  REBOUND,
  CRITICAL,
  FRICTION = CRITICAL + BOTH,
  RELAXATION = FRICTION + BOTH,
  SMOOTHING = RELAXATION + BOTH,
  SLOW,
  NUMBERS
};

static const struct {
  const char *name, *unit;
  bool positive;
} number_of[NUMBERS] = {[RADIUS] = {"radius", "m", true},
                        [STIFFNESS] = {"stiffness", "N/m", true},
                        [DAMPING] = {"damping", "N s/m", false},
                        [REBOUND] = {"rebound", "N s/m", false},
                        [CRITICAL + AHEAD] = {"critical_ahead", "", true},
                        [CRITICAL + ASIDE] = {"critical_aside", "", true},
                        [FRICTION + AHEAD] = {"friction_ahead", "", false},
                        [FRICTION + ASIDE] = {"friction_aside", "", false},
                        [RELAXATION + AHEAD] = {"relaxation_ahead", "m", true},
                        [RELAXATION + ASIDE] = {"relaxation_aside", "m", true},
                        [SMOOTHING] = {"smoothing", "N", true},
                        [SLOW] = {"slow", "m/s", true}};

/* --- contact point ---------------------------------------------------------------------------- */

/* The contact point: a, b, 1/s, radius r, weights of x and y in p and v, and deflection e = R - r along the
 * radius. */
typedef struct contact {
  gradyn_scalar a, b, per, r, weight[2], e;
} contact;

static gradyn_scalar dot(const gradyn_scalar *u, const gradyn_scalar *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void cross(const gradyn_scalar *u, const gradyn_scalar *v, gradyn_scalar *w)
{
  for (int i = 0; i < AXES; i++)
    w[i] = u[(i + 1) % AXES] * v[(i + 2) % AXES] - u[(i + 2) % AXES] * v[(i + 1) % AXES];
}

/* Geometry of the contact: distance of the centre from the ground, deflection, direction to the ground. */
static contact meet(const mbs_formula_arguments *arguments)
{
  const gradyn_scalar *q = arguments->pos, *k = q + AXES * K;
  contact p = {.a = dot(k, q + AXES * X), .b = dot(k, q + AXES * Y)};
  p.per = 1 / csqrt(p.a * p.a + p.b * p.b);
  p.r = (dot(k, q + AXES * C) - dot(k, q + AXES * O)) * p.per; /* r = k.(c - o)/s */
  p.weight[0] = -p.r * p.a * p.per;
  p.weight[1] = -p.r * p.b * p.per;
  p.e = arguments->z[RADIUS] - p.r;
  return p;
}

/* --- along the radius ------------------------------------------------------------------------- */

/* h(x) = x^3 (6 - 8 x + 3 x^2) for 0 < x < 1, 0 for smaller x, x for larger x. It is twice differentiable
 * and does not decrease. */
static gradyn_scalar ramp(gradyn_scalar x)
{
  return creal(x) <= 0 ? 0 : creal(x) >= 1 ? x : x * x * x * (6 - x * (8 - 3 * x));
}

/* h'. */
static gradyn_scalar ramp_slope(gradyn_scalar x)
{
  return creal(x) <= 0 ? 0 : creal(x) >= 1 ? 1 : x * x * (18 - x * (32 - 15 * x));
}

/* H, the integral of h from 0. */
static gradyn_scalar ramp_integral(gradyn_scalar x)
{
  if (creal(x) <= 0)
    return 0;
  return creal(x) >= 1 ? (x * x - 1) / 2 + 0.4 : x * x * x * x * (1.5 - x * (1.6 - x / 2));
}

/* Force of the ground along the radius, P = E f(D/E). The spring's force is E = w h(x), x = k e/w; the
 * damper's is D = h'(x) d(e'). f(y) is 1 + y for y > -1/2 and decreases to 0 at y = -1, so that the tyre
 * never pulls. */
static gradyn_scalar press(const gradyn_scalar *z, gradyn_scalar e, gradyn_scalar rate)
{
  const gradyn_scalar x = z[STIFFNESS] * e / z[SMOOTHING], E = z[SMOOTHING] * ramp(x);
  if (creal(E) <= 0)
    return 0;
  /* (c + c_r)/2 e' + (c - c_r)/2 |e'| */
  const gradyn_scalar size = csqrt(rate * rate + z[SLOW] * z[SLOW]) - z[SLOW];
  const gradyn_scalar D = ((z[DAMPING] + z[REBOUND]) * rate + (z[DAMPING] - z[REBOUND]) * size) / 2;
  return E * ramp(2 * (1 + ramp_slope(x) * D / E)) / 2;
}

/* --- along the plane -------------------------------------------------------------------------- */

/* Motion at the contact. along: directions ahead, (a y - b x)/s = z x k/s, and aside, k x ahead. v:
 * velocities along these. travel: velocity of the contact point p ahead, c'.ahead + r (k.z) (z'.ahead)/s,
 * by x'.z = -x.z'. */
typedef struct slide {
  gradyn_scalar along[BOTH][AXES], v[BOTH], travel;
} slide;

/* Slip velocities ahead and aside at the contact for the velocity v of its point, and the speed of
 * travel. */
static slide slip(const mbs_formula_arguments *arguments, const contact *p,
                  const gradyn_scalar v[AXES])
{
  const gradyn_scalar *q = arguments->pos, *rate = arguments->vel, *x = q + AXES * X,
                      *y = q + AXES * Y;
  gradyn_scalar z[AXES];
  slide s;
  cross(x, y, z);
  for (int i = 0; i < AXES; i++)
    s.along[AHEAD][i] = (p->a * y[i] - p->b * x[i]) * p->per;
  cross(q + AXES * K, s.along[AHEAD], s.along[ASIDE]);
  for (int i = 0; i < BOTH; i++)
    s.v[i] = dot(s.along[i], v);
  const gradyn_scalar turn = (p->b * dot(rate + AXES * X, z) - p->a * dot(rate + AXES * Y, z)) *
                             p->per; /* z'.ahead */
  s.travel = dot(s.along[AHEAD], rate + AXES * C) + p->r * dot(q + AXES * K, z) * turn * p->per;
  return s;
}

/* Computes the force F of the ground, and the rates of the slips, y' = (v - |V| y)/sigma. */
static void hold(const mbs_formula_arguments *arguments, const slide *s, gradyn_scalar N,
                 gradyn_scalar *F, gradyn_scalar rates[BOTH])
{
  const gradyn_scalar *z = arguments->z;
  const gradyn_scalar square = s->travel * s->travel + s->v[AHEAD] * s->v[AHEAD] +
                               s->v[ASIDE] * s->v[ASIDE];
  const gradyn_scalar speed = square / csqrt(square + z[SLOW] * z[SLOW]); /* |V|, smooth at 0 */
  gradyn_scalar eta[BOTH], size = 0;
  for (int i = 0; i < BOTH; i++) {
    const gradyn_scalar y = arguments->vel[AXES * (SLIP + i)];
    rates[i] = (s->v[i] - speed * y) / z[RELAXATION + i];
    eta[i] = y / z[CRITICAL + i];
    size += eta[i] * eta[i];
  }
  const gradyn_scalar share = 1 / csqrt(csqrt(1 + size * size)); /* (1 + |eta|^4)^(-1/4) */
  for (int i = 0; i < BOTH; i++)
    for (int j = 0; j < AXES; j++)
      F[j] -= z[FRICTION + i] * N * share * eta[i] * s->along[i][j];
}

/* --- the element ------------------------------------------------------------------------------ */

/* Writes F to the force on c, its shares to x and y, and the rates of slips to the forces on their scalars.
 */
static gradyn_status tyre(gradyn_mbs *m, const mbs_element *e,
                          const mbs_formula_arguments *arguments, gradyn_scalar *f)
{
  const contact p = meet(arguments);
  const gradyn_scalar *k = arguments->pos + AXES * K, *rate = arguments->vel;
  gradyn_scalar v[AXES], F[AXES], rates[BOTH];
  if (!isfinite(creal(p.per)))
    return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                       "the wheel of %s lies flat; its axis must not be normal to the ground",
                       e->name);
  for (int i = 0; i < AXES; i++)
    v[i] = rate[AXES * C + i] + p.weight[0] * rate[AXES * X + i] + p.weight[1] * rate[AXES * Y + i];
  const gradyn_scalar N = press(arguments->z, p.e, -dot(k, v) * p.per) * p.per; /* e' = -k.v/s */
  const slide s = slip(arguments, &p, v);
  for (int i = 0; i < AXES; i++)
    F[i] = N * k[i];
  hold(arguments, &s, N, F, rates);
  for (int i = 0; i < e->local; i++)
    f[i] = 0;
  for (int i = 0; i < AXES; i++) {
    f[AXES * C + i] = F[i];
    f[AXES * X + i] = p.weight[0] * F[i];
    f[AXES * Y + i] = p.weight[1] * F[i];
  }
  for (int i = 0; i < BOTH; i++)
    f[AXES * (SLIP + i)] = rates[i];
  return GRADYN_OK;
}

/* U = w^2/k H(k e/w), H' = h. */
static gradyn_scalar stored(const mbs_formula_arguments *arguments)
{
  const gradyn_scalar w = arguments->z[SMOOTHING], k = arguments->z[STIFFNESS];
  return w * w / k * ramp_integral(k * meet(arguments).e / w);
}

/* Derivative of the stored energy by the argument *slot. */
static double by(mbs_formula_arguments *arguments, gradyn_scalar *slot)
{
  const gradyn_scalar keep = *slot;
  *slot += GRADYN_COMPLEX_STEP * I;
  const double slope = cimag(stored(arguments)) / GRADYN_COMPLEX_STEP;
  *slot = keep;
  return slope;
}

static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  mbs_formula_arguments arguments;
  mbs_set_formula(m, e, at, z, 0, &arguments);
  *U = creal(stored(&arguments));
  for (int i = 0; i < e->local && g; i++)
    g[i] = i < AXES * SLIP ? by(&arguments, arguments.pos + i) : 0;
  for (int i = 0; i < mbs_input_count(e) && U_z; i++)
    U_z[i] = by(&arguments, arguments.z + i);
  return GRADYN_OK;
}

static const mbs_element_ops tyre_ops = {.kind = "tyre", MBS_FORMULA_OPS(tyre), .energy = energy};

/* --- declaration ------------------------------------------------------------------------------ */

/* Declares the data of a tyre; wrong values are build errors. Returns the index of the first one. */
static int list_data(gradyn_mbs *m, const char *name, const gradyn_tyre_spec *spec)
{
  const gradyn_scalar value[NUMBERS] = {[RADIUS] = spec->radius,
                                        [STIFFNESS] = spec->stiffness,
                                        [DAMPING] = spec->damping,
                                        [REBOUND] = spec->rebound,
                                        [CRITICAL + AHEAD] = spec->critical[AHEAD],
                                        [CRITICAL + ASIDE] = spec->critical[ASIDE],
                                        [FRICTION + AHEAD] = spec->friction[AHEAD],
                                        [FRICTION + ASIDE] = spec->friction[ASIDE],
                                        [RELAXATION + AHEAD] = spec->relaxation[AHEAD],
                                        [RELAXATION + ASIDE] = spec->relaxation[ASIDE],
                                        [SMOOTHING] = spec->smoothing,
                                        [SLOW] = spec->slow};
  gradyn_datum data[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) {
    const double number = creal(value[i]);
    data[i] = (gradyn_datum){number_of[i].name, number_of[i].unit, value[i]};
    if (number_of[i].positive ? !(number > 0) : !(number >= 0))
      gradyn_build_error(m->model, "%s.%s is %g%s%s: it must %s", name, data[i].name, number,
                         *data[i].unit ? " " : "", data[i].unit,
                         number_of[i].positive ? "be positive" : "not be negative");
  }
  return gradyn_model_data(m->model, name, data, NUMBERS);
}

int gradyn_tyre(gradyn_model *model, const gradyn_tyre_spec *spec)
{
  static const char *const state[BOTH] = {"slip_ahead", "slip_aside"};
  static const char *const unit[3] = {"s", "", "1/s"};
  if (!gradyn_model_given(model, spec, "gradyn_tyre()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "tyre");
  mbs_frame *wheel = mbs_check_frame(m, name, spec->wheel);
  mbs_frame *ground = mbs_check_frame(m, name, spec->ground);
  if (!wheel || !ground || !mbs_check_name(m, name) ||
      !mbs_check_wheel(m, name, wheel, ground, spec->radius))
    return 0;
  mbs_element e = {.ops = &tyre_ops,
                   .points = POINTS,
                   .point = {[K] = mbs_frame_direction(m, ground, 2),
                             [C] = wheel->origin,
                             [X] = mbs_frame_direction(m, wheel, 0),
                             [Y] = mbs_frame_direction(m, wheel, 1),
                             [O] = ground->origin},
                   .data_count = NUMBERS};
  for (int i = 0; i < BOTH;
       /* Typical slip: the value at which the force reaches its limit. */
       i++)
    e.point[SLIP + i] = mbs_add_state(m, gradyn_format_name(model, "%s.%s", name, state[i]), unit,
                                      creal(spec->critical[i]), 0);
  e.datum = list_data(m, name, spec);
  int number;
  mbs_add_element(m, &m->lists.forces, &e, name, &number);
  return gradyn_id(model, number);
}
