/* Systems of the campaign `rtol` as problems of the library and of the reference. */
#include "tests/drawn/rtol_systems.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <complex.h>
#include <string.h>

typedef collocation_number number;

/* The algebraic state z satisfies z + cube z^3 = sum of y_i/(1 + i), and contributes drain z to a rate. */
static const long double cube = 0.4L, drain = 0.3L;

/* --- rates ------------------------------------------------------------------------------------ */

/* Linear rates in modal coordinates, which a reflection transforms to the states. */
static void linear(const rtol_system *s, int n, const number *c, long double t, const number y[],
                   number f[])
{
  const number *rate = c, *coupling = c + n, *forcing = c + 2 * n, drive = ccosl(c[3 * n] * t);
  long double square = 0;
  number along = 0, mode[COLLOCATION_STATES];
  for (int i = 0; i < n; i++) {
    square += (long double)s->mirror[i] * s->mirror[i];
    along += s->mirror[i] * y[i];
  }
  for (int i = 0; i < n; i++)
    mode[i] = y[i] - 2 * s->mirror[i] * along / square;
  along = 0;
  for (int i = 0; i < n; i++) {
    f[i] = -rate[i] * mode[i] + forcing[i] * drive;
    f[i] += i + 1 < n ? coupling[i] * mode[i + 1] : 0;
    f[i] -= i > 0 ? coupling[i - 1] * mode[i - 1] : 0;
    along += s->mirror[i] * f[i];
  }
  for (int i = 0; i < n; i++)
    f[i] -= 2 * s->mirror[i] * along / square;
}

static void oscillators(int n, const number *c, number u, long double t, const number y[],
                        number f[])
{
  const int pairs = n / 2;
  const number *common = c + 4 * pairs;
  const number push = common[1] * ccosl(common[2] * t) + common[3] * u;
  for (int i = 0; i < pairs; i++) {
    const number x = y[2 * i], v = y[2 * i + 1], other = y[2 * ((i + 1) % pairs)];
    const number *own = c + 4 * i;
    f[2 * i] = v;
    f[2 * i + 1] = -own[0] * v + own[1] * (1 - x * x) * v - own[2] * x - own[3] * x * x * x +
                   common[0] * (other - x) + push;
  }
  if (n % 2)
    f[n - 1] = common[4] * (y[0] - y[n - 1]);
}

static void prey(int n, const number *c, const number y[], number f[])
{
  const number *growth = c, *own = c + n, *eaten = c + 2 * n;
  for (int i = 0; i < n; i++)
    f[i] = y[i] * (growth[i] - own[i] * y[i]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      const number meet = *eaten++ * y[i] * y[k];
      f[i] += meet;
      f[k] -= meet;
    }
}

static void chemistry(const rtol_system *s, const number *c, const number y[], number f[])
{
  for (int i = 0; i < s->states; i++)
    f[i] = 0;
  for (int k = 0; k < s->reactions; k++) {
    const int *which = s->reaction[k];
    const number pace = c[k] * y[which[0]] * (which[1] < 0 ? 1 : y[which[1]]);
    for (int i = 0; i < 4; i++)
      if (which[i] >= 0)
        f[which[i]] += i < 2 ? -pace : pace;
  }
}

static void network(int n, const number *c, number u, long double t, const number y[], number f[])
{
  const number *rate = c, *weight = c + n, *threshold = weight + n * n, *last = threshold + n;
  number bent[COLLOCATION_STATES];
  for (int k = 0; k < n; k++)
    bent[k] = ctanhl(y[k] + threshold[k]);
  for (int i = 0; i < n; i++) {
    f[i] = -rate[i] * y[i];
    for (int k = 0; k < n; k++)
      f[i] += weight[i * n + k] * bent[k];
  }
  f[0] += last[0] * csinl(last[1] * t) + last[2] * u;
}

void rtol_rates(const rtol_system *s, const number c[], number u, long double t, const number y[],
                number f[])
{
  const int n = s->states - s->algebraic;
  const number *own = c + s->states;
  if (s->kind == RTOL_LINEAR || s->kind == RTOL_STIFF)
    linear(s, n, own, t, y, f);
  else if (s->kind == RTOL_VAN_DER_POL || s->kind == RTOL_DUFFING)
    oscillators(n, own, u, t, y, f);
  else if (s->kind == RTOL_PREY)
    prey(n, own, y, f);
  else if (s->kind == RTOL_CHEMISTRY)
    chemistry(s, own, y, f);
  else
    network(n, own, u, t, y, f);
  if (!s->algebraic)
    return;
  const number z = y[n];
  f[n] = s->kind == RTOL_CHEMISTRY ? z : -z - cube * z * z * z;
  for (int i = 0; i < n; i++)
    f[n] += s->kind == RTOL_CHEMISTRY ? y[i] - c[i] : y[i] / (1 + i);
  if (s->kind == RTOL_CHEMISTRY) /* what there is stays */
    f[n] -= c[n];
  else
    f[s->kind == RTOL_VAN_DER_POL || s->kind == RTOL_DUFFING] -= drain * z *
                                                                 (s->kind == RTOL_PREY ? y[0] : 1);
}

/* Integrand and terminal value of a functional. */
static void functional_at(const rtol_functional *f, number y, number *integrand, number *terminal)
{
  const number from = y - f->from, value = f->square ? from * from : from;
  *integrand = f->integral ? value : 0;
  *terminal = f->end ? value : 0;
}

/* --- for the library ---------------------------------------------------------------------------- */

/* used as problems have no user pointer here */
static const rtol_system *present;
/* numbers of the system, with the present parameters inserted */
static number present_number[RTOL_NUMBERS];
static rtol_functional present_functional[COLLOCATION_FUNCTIONALS];

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  const rtol_system *s = present;
  number *c = present_number, y[COLLOCATION_STATES] = {0}, f[COLLOCATION_STATES];
  for (int j = 0; j < s->parameters; j++)
    c[s->moved[j]] = at->data[j];
  for (int i = 0; i < s->states; i++)
    y[i] = at->y[i];
  rtol_rates(s, c, s->knots ? at->u[1] : 0, (long double)creal(at->t), y, f);
  for (int i = 0; i < s->states; i++)
    F[i] = (gradyn_scalar)(s->algebraic && i == s->states - 1 ? f[i] : at->yp[i] - f[i]);
  return GRADYN_OK;
}

static gradyn_status integrand(const gradyn_at *at, gradyn_scalar *value)
{
  const rtol_functional *f = at->user;
  number out, other;
  functional_at(f, at->y[f->state], &out, &other);
  *value = (gradyn_scalar)out;
  return GRADYN_OK;
}

static gradyn_status terminal(const gradyn_at *at, gradyn_scalar *value)
{
  const rtol_functional *f = at->user;
  number out, other;
  functional_at(f, at->y[f->state], &other, &out);
  *value = (gradyn_scalar)out;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const rtol_system *s = present;
  gradyn_scalar c[RTOL_NUMBERS];
  gradyn_datum data[COLLOCATION_PARAMETERS];
  for (int i = 0; i < s->count; i++)
    c[i] = s->number[i];
  for (int j = 0; j < s->parameters; j++) {
    c[s->moved[j]] = s->weight[j] * rho[j];
    data[j] = (gradyn_datum){s->param[j].name, "", c[s->moved[j]]};
  }
  for (int i = 0; i < s->states - s->algebraic; i++)
    gradyn_state(m, gradyn_format_name(m, "y%d", i), "", c[i]);
  if (s->algebraic)
    gradyn_algebraic_state(m, "z", "", creal(c[s->states - 1]));
  if (s->knots)
    declare_signal(m, "u", "", s->signal, s->knots, c + s->first_knot);
  declare_equations(m, residual, data, s->parameters);
  for (int f = 0; f < s->functionals; f++) {
    rtol_functional *own = &present_functional[f];
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = gradyn_format_name(m, "psi%d", f),
                                            .integrand = own->integral ? integrand : NULL,
                                            .terminal = own->end ? terminal : NULL,
                                            .user = own});
  }
  return gradyn_build_status(m);
}

gradyn_problem rtol_problem(const rtol_system *system)
{
  present = system;
  for (int i = 0; i < system->count; i++)
    present_number[i] = system->number[i];
  memcpy(present_functional, system->functional, sizeof present_functional);
  return (gradyn_problem){GRADYN_PROBLEM_SIZES,    .name = "drawn",
                          .params = system->param, .param_count = (size_t)system->parameters,
                          .build = build,          .t_end = system->t_end};
}

/* --- for the reference --------------------------------------------------------------------------- */

static void numbers_at(const rtol_system *s, const number rho[], number c[])
{
  for (int i = 0; i < s->count; i++)
    c[i] = s->number[i];
  for (int j = 0; j < s->parameters; j++)
    c[s->moved[j]] = s->weight[j] * rho[j];
}

/* Second derivatives at the knots of a natural spline with knots at distances h. */
static void curvatures(const number knot[], int count, long double h, number curvature[])
{
  long double pivot[RTOL_KNOTS];
  curvature[0] = curvature[count - 1] = 0;
  for (int i = 1; i < count - 1; i++) {
    pivot[i] = 4 - (i > 1 ? 1 / pivot[i - 1] : 0);
    curvature[i] = 6 * (knot[i - 1] - 2 * knot[i] + knot[i + 1]) / (h * h);
    curvature[i] -= i > 1 ? curvature[i - 1] / pivot[i - 1] : 0;
  }
  for (int i = count - 2; i > 0; i--)
    curvature[i] = (curvature[i] - curvature[i + 1]) / pivot[i];
}

/* The signal at a time within an arc. */
static number signal_at(const rtol_system *s, const number knot[], int arc, long double t)
{
  number curvature[RTOL_KNOTS];
  if (s->knots == 0)
    return 0;
  if (s->signal == GRADYN_PIECEWISE_CONSTANT)
    return knot[arc];
  const long double h = (long double)s->t_end / (s->knots - 1), b = t / h - arc, a = 1 - b;
  number value = a * knot[arc] + b * knot[arc + 1];
  if (s->signal == GRADYN_PIECEWISE_LINEAR)
    return value;
  curvatures(knot, s->knots, h, curvature);
  value += h * h / 6 * ((a * a * a - a) * curvature[arc] + (b * b * b - b) * curvature[arc + 1]);
  return value;
}

static void start(const void *self, const number rho[], number y[])
{
  const rtol_system *s = self;
  number c[RTOL_NUMBERS];
  numbers_at(s, rho, c);
  memcpy(y, c, (size_t)s->states * sizeof *y);
}

static void rates(const void *self, const number rho[], int arc, long double t, const number y[],
                  number f[])
{
  const rtol_system *s = self;
  number c[RTOL_NUMBERS];
  numbers_at(s, rho, c);
  rtol_rates(s, c, signal_at(s, c + s->first_knot, arc, t), t, y, f);
}

static void functionals_at(const void *self, const number rho[], const number y[], number g[],
                           number w[])
{
  (void)rho;
  const rtol_system *s = self;
  for (int f = 0; f < s->functionals; f++)
    functional_at(&s->functional[f], y[s->functional[f].state], &g[f], &w[f]);
}

collocation_problem rtol_reference(const rtol_system *s, const double rho[], long double times[])
{
  const int arcs = s->knots == 0                            ? 1
                   : s->signal == GRADYN_PIECEWISE_CONSTANT ? s->knots
                                                            : s->knots - 1;
  collocation_problem p = {.states = s->states,
                           .parameters = s->parameters,
                           .functionals = s->functionals,
                           .arcs = arcs,
                           .times = times,
                           .rho = rho,
                           .self = s,
                           .start = start,
                           .rates = rates,
                           .functionals_at = functionals_at};
  p.algebraic[s->states - 1] = s->algebraic;
  for (int i = 0; i <= arcs; i++)
    times[i] = i == arcs ? (long double)s->t_end : (long double)s->t_end * i / arcs;
  return p;
}
