/* Equations of models with known motions, and closed forms of some. */
#include "tests/adjoint/radau/order_models.h"
#include "tests/declare.h"

#include <complex.h>

typedef double complex number;

/* number of steps in references without a closed form */
enum { MANY = 4096 };

/* --- two linear equations --------------------------------------------------------------------------- */

/* y = S m with S = (1, 1; 1/2, 1) and m' = -(p0 m0, p1 m1), from m = (2, -1). The sums are exact in
 * floating point, so that the large eigenvalue does not amplify their round-off. */
static void stiff(number t, const number y[], const number yp[], const number p[], number F[])
{
  const number slow = p[0] * (2 * y[0] - 2 * y[1]), fast = p[1] * (2 * y[1] - y[0]);
  (void)t;
  F[0] = yp[0] + slow + fast;
  F[1] = yp[1] + slow / 2 + fast;
}

static number first(number t, const number y[], const number p[])
{
  (void)t;
  (void)p;
  return y[0];
}

static void stiff_exact(const number p[], number result[])
{
  const double t = order_stiff.t_end;
  const number slow = 2 * cexp(-p[0] * t), fast = -cexp(-p[1] * t);
  result[0] = slow + fast;
  result[1] = slow / 2 + fast;
  result[2] = (2 - slow) / p[0] + (-1 - fast) / p[1];
}

const order_equations order_stiff = {"stiff linear", {2, 2, stiff, first}, 0, 2, {1, 0},
                                     {1, 1e6},       stiff_exact};

/* --- Prothero and Robinson -------------------------------------------------------------------------- */

/* y' = -p0 (y - f) + f' has the solution y = f = p1 sin(p2 t). */
static void prothero_robinson(number t, const number y[], const number yp[], const number p[],
                              number F[])
{
  F[0] = yp[0] + p[0] * (y[0] - p[1] * csin(p[2] * t)) - p[1] * p[2] * ccos(p[2] * t);
}

static void prothero_robinson_exact(const number p[], number result[])
{
  const double t = order_prothero_robinson.t_end;
  result[0] = p[1] * csin(p[2] * t);
  result[1] = p[1] / p[2] * (1 - ccos(p[2] * t));
}

const order_equations order_prothero_robinson = {
    "Prothero and Robinson", {1, 3, prothero_robinson, first}, 0, 2, {0},
    {1e6, 1.3, 3},           prothero_robinson_exact};

/* --- circuit ---------------------------------------------------------------------------------------- */

/* A source is connected with node y2 by a resistor, and y2 with y0 by another. A capacitor is between y0
 * and y1; from y1 a resistor and a diode lead to the ground. Equations: currents into y0, y1 and y2. p:
 * resistance, capacity, saturation current of the diode. */
static void circuit(number t, const number y[], const number yp[], const number p[], number F[])
{
  const number charging = p[1] * (yp[0] - yp[1]), fed = y[2] - y[0];
  F[0] = fed - charging;
  F[1] = charging - y[1] / 2 - p[2] * (cexp(y[1] / 0.2) - 1);
  F[2] = (2 * csin(3 * t) - y[2]) / p[0] - fed;
}

static number power(number t, const number y[], const number p[])
{
  (void)t;
  return y[2] * y[2] / p[0];
}

static void circuit_exact(const number p[], number result[])
{
  result[0] = result[1] = result[2] = 0;
  result[3] = radau_complex(&order_circuit.system, p, order_circuit.t_end, MANY, result);
}

const order_equations order_circuit = {"circuit",        {3, 3, circuit, power}, 1, 2, {0},
                                       {0.8, 0.6, 0.01}, circuit_exact};

/* --- an algebraic state that comes to rest ---------------------------------------------------------- */

static void cubic(number t, const number y[], const number yp[], const number p[], number F[])
{
  (void)t;
  F[0] = yp[0] + p[0] * y[0];
  F[1] = y[1] * y[1] * y[1] + y[1] - p[1] * y[0];
}

static number second(number t, const number y[], const number p[])
{
  (void)t;
  (void)p;
  return y[1];
}

/* Solves a^3 + a = c for a. */
static number root_of(number c)
{
  number a = c;
  for (int k = 0; k < 60; k++)
    a -= (a * a * a + a - c) / (3 * a * a + 1);
  return a;
}

/* Antiderivative of a dt with dt = -dy/(p y): 3 a - 2 atan a, to be divided by p. */
static number primitive(number a)
{
  const double real = creal(a);
  return 3 * a - 2 * (atan(real) + (a - real) / (1 + real * real));
}

static void cubic_exact(const number p[], number result[])
{
  const number y = cexp(-p[0] * order_cubic.t_end);
  result[0] = y;
  result[1] = root_of(p[1] * y);
  result[2] = (primitive(root_of(p[1])) - primitive(result[1])) / p[0];
}

const order_equations order_cubic = {"cubic",    {2, 2, cubic, second}, 1, 4, {1, 1}, {1, 3},
                                     cubic_exact};

/* --- general equations as problems ------------------------------------------------------------------ */

static const order_equations *present;

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  present->system.residual(at->t, at->y, at->yp, at->data, F);
  return GRADYN_OK;
}

FORMULA(integrand, present->system.integrand(at->t, at->y, at->data))
FORMULA(final_state, at->y[(int)creal(at->data[0])])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const order_equations *e = present;
  const int states = e->system.states, parameters = e->system.parameters;
  gradyn_datum data[ORDER_PARAMETERS];
  for (int j = 0; j < parameters; j++)
    data[j] = (gradyn_datum){gradyn_format_name(m, "p%d", j), "", rho[j]};
  for (int i = 0; i < states; i++)
    if (i < states - e->algebraic)
      gradyn_state(m, gradyn_format_name(m, "y%d", i), "", e->start[i]);
    else
      gradyn_algebraic_state(m, gradyn_format_name(m, "y%d", i), "", e->start[i]);
  declare_equations(m, residual, data, parameters);
  for (int i = 0; i < states; i++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = gradyn_format_name(m, "end%d", i),
                                            .unit = "",
                                            .terminal = final_state,
                                            .data = &(gradyn_datum){"number", "", i},
                                            .data_count = 1});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = "integral",
                                                               .unit = "",
                                                               .integrand = integrand,
                                                               .data = data,
                                                               .data_count = parameters});
  return gradyn_build_status(m);
}

gradyn_problem order_declare(const order_equations *e)
{
  static gradyn_param params[ORDER_PARAMETERS];
  static const char *const names[ORDER_PARAMETERS] = {"p0", "p1", "p2"};
  present = e;
  for (int j = 0; j < e->system.parameters; j++)
    params[j] = (gradyn_param){names[j], "", .init = e->parameter[j], GRADYN_UNBOUNDED};
  return (gradyn_problem){GRADYN_PROBLEM_SIZES,
                          .name = e->name,
                          .build = build,
                          .params = params,
                          .param_count = (size_t)e->system.parameters,
                          .t_end = e->t_end};
}

/* --- pendulum --------------------------------------------------------------------------------------- */

enum { MASS, LENGTH, GRAVITY };

static const double start_angle = 1.2, pendulum_end = 1;

FORMULA(rod_force, at->lam[1])

static gradyn_status of_point(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *const part[] = {at->pos, at->vel, at->acc};
  *value = part[(int)creal(at->data[0])][2]; /* x of the first point */
  return GRADYN_OK;
}

static gradyn_status build_pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  static const struct {
    const char *name, *unit;
  } ends[] = {{"x", "m"}, {"v", "m/s"}, {"a", "m/s^2"}};
  const int P = gradyn_point(m, "P", rho[LENGTH] * sin(start_angle),
                             -rho[LENGTH] * cos(start_angle));
  const int O = gradyn_ground_point(m, "O", 0, 0);
  gradyn_point_mass(m, "weight", P, rho[MASS]);
  gradyn_gravity(m, 0, -rho[GRAVITY]);
  gradyn_distance(m, "rod", O, P, &(gradyn_time_function){.value = rho[LENGTH]});
  for (int i = 0; i < (int)GRADYN_COUNT(ends); i++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = ends[i].name,
                                            .unit = ends[i].unit,
                                            .terminal = of_point,
                                            .data = &(gradyn_datum){"part", "", i},
                                            .data_count = 1});
  declare_end(m, "force", "N", rod_force);
  declare_integral(m, "impulse", "N s", rod_force);
  return gradyn_build_status(m);
}

static const gradyn_param pendulum_params[] = {
    {"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
    {"length", "m", .init = 0.7, GRADYN_UNBOUNDED},
    {"gravity", "m/s^2", .init = 9.81, GRADYN_UNBOUNDED}};

const gradyn_problem order_pendulum = PROBLEM("pendulum", build_pendulum, pendulum_params,
                                              .t_end = pendulum_end);

/* y: the angle from the lower position, and its rate. */
static void swing(number t, const number y[], const number yp[], const number p[], number F[])
{
  (void)t;
  F[0] = yp[0] - y[1];
  F[1] = yp[1] + p[GRAVITY] / p[LENGTH] * csin(y[0]);
}

static number pull(number t, const number y[], const number p[])
{
  (void)t;
  return p[MASS] * (p[GRAVITY] * ccos(y[0]) + y[1] * y[1] * p[LENGTH]);
}

void order_pendulum_exact(const number p[], number result[])
{
  static const radau_complex_system system = {2, 3, swing, pull};
  const number L = p[LENGTH];
  number y[] = {start_angle, 0};
  result[PENDULUM_IMPULSE] = radau_complex(&system, p, pendulum_end, MANY / 8, y);
  const number rate = -p[GRAVITY] / L * csin(y[0]);
  result[PENDULUM_X] = L * csin(y[0]);
  result[PENDULUM_V] = L * ccos(y[0]) * y[1];
  result[PENDULUM_A] = L * (ccos(y[0]) * rate - csin(y[0]) * y[1] * y[1]);
  result[PENDULUM_FORCE] = pull(0, y, p);
}
