/* The equations, initial and final values of stiff problems. Each has two constants as parameters. */
#include "tests/adjoint/stiff_set.h"

#include "tests/support.h"

#include <complex.h>

typedef const gradyn_at *place;

/* High irradiance responses of photomorphogenesis. */
static gradyn_status hires(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, k = at->data[0], light = at->data[1];
  F[0] = -k * y[0] + 0.43 * y[1] + 8.32 * y[2] + light;
  F[1] = k * y[0] - 8.75 * y[1];
  F[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  F[3] = 8.32 * y[1] + k * y[2] - 1.12 * y[3];
  F[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  F[5] = -280 * y[5] * y[7] + 0.69 * y[3] + k * y[4] - 0.43 * y[5] + 0.69 * y[6];
  F[6] = 280 * y[5] * y[7] - 1.81 * y[6];
  F[7] = -F[6];
  for (int i = 0; i < 8; i++)
    F[i] -= at->yp[i];
  return GRADYN_OK;
}

/* Robertson's reaction. */
static gradyn_status robertson(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, slow = at->data[0], fast = at->data[1];
  const gradyn_scalar first = slow * y[0] - 1e4 * y[1] * y[2], second = fast * y[1] * y[1];
  F[0] = -first - at->yp[0];
  F[1] = first - second - at->yp[1];
  F[2] = second - at->yp[2];
  return GRADYN_OK;
}

/* Belousov and Zhabotinskii's reaction. */
static gradyn_status oregonator(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, s = at->data[0], w = at->data[1];
  F[0] = s * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1])) - at->yp[0];
  F[1] = (y[2] - (1 + y[0]) * y[1]) / s - at->yp[1];
  F[2] = w * (y[0] - y[2]) - at->yp[2];
  return GRADYN_OK;
}

/* Van der Pol's oscillator; the unit of time is that of its slow motion. */
static gradyn_status van_der_pol(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y;
  F[0] = y[1] - at->yp[0];
  F[1] = (at->data[1] * (1 - y[0] * y[0]) * y[1] - y[0]) * at->data[0] - at->yp[1];
  return GRADYN_OK;
}

/* Air pollution: 25 reactions of 20 species. */
static gradyn_status pollution(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y - 1; /* species are counted from 1 */
  const gradyn_scalar r[] = {0,
                             at->data[0] * y[1],
                             at->data[1] * y[2] * y[4],
                             12300 * y[5] * y[2],
                             0.00086 * y[7],
                             0.00082 * y[7],
                             15000 * y[7] * y[6],
                             0.00013 * y[9],
                             24000 * y[9] * y[6],
                             16500 * y[11] * y[2],
                             9000 * y[11] * y[1],
                             0.022 * y[13],
                             12000 * y[10] * y[2],
                             1.88 * y[14],
                             16300 * y[1] * y[6],
                             4.8e6 * y[3],
                             0.00035 * y[4],
                             0.0175 * y[4],
                             1e8 * y[16],
                             4.44e11 * y[16],
                             1240 * y[17] * y[6],
                             2.1 * y[19],
                             5.78 * y[19],
                             0.0474 * y[1] * y[4],
                             1780 * y[19] * y[1],
                             3.12 * y[20]};
  F[0] = -r[1] - r[10] - r[14] - r[23] - r[24] + r[2] + r[3] + r[9] + r[11] + r[12] + r[22] + r[25];
  F[1] = -r[2] - r[3] - r[9] - r[12] + r[1] + r[21];
  F[2] = -r[15] + r[1] + r[17] + r[19] + r[22];
  F[3] = -r[2] - r[16] - r[17] - r[23] + r[15];
  F[4] = -r[3] + 2 * r[4] + r[6] + r[7] + r[13] + r[20];
  F[5] = -r[6] - r[8] - r[14] - r[20] + r[3] + 2 * r[18];
  F[6] = -r[4] - r[5] - r[6] + r[13];
  F[7] = r[4] + r[5] + r[6] + r[7];
  F[8] = -r[7] - r[8];
  F[9] = -r[12] + r[7] + r[9];
  F[10] = -r[9] - r[10] + r[8] + r[11];
  F[11] = r[9];
  F[12] = -r[11] + r[10];
  F[13] = -r[13] + r[12];
  F[14] = r[14];
  F[15] = -r[18] - r[19] + r[16];
  F[16] = -r[20];
  F[17] = r[20];
  F[18] = -r[21] - r[22] - r[24] + r[23] + r[25];
  F[19] = -r[25] + r[24];
  for (int i = 0; i < 20; i++)
    F[i] -= at->yp[i];
  return GRADYN_OK;
}

/* A chemical process of Akzo Nobel, with one algebraic state. */
static gradyn_status akzo_nobel(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, k1 = at->data[0], k2 = at->data[1];
  const gradyn_scalar root = sqrt(y[1]), r1 = k1 * y[0] * y[0] * y[0] * y[0] * root,
                      r2 = k2 * y[2] * y[3], r3 = k2 / 34.4 * y[0] * y[4],
                      r4 = 0.09 * y[0] * y[3] * y[3], r5 = 0.42 * y[5] * y[5] * root;
  F[0] = -2 * r1 + r2 - r3 - r4 - at->yp[0];
  F[1] = -0.5 * r1 - r4 - 0.5 * r5 + 3.3 * (0.9 / 737 - y[1]) - at->yp[1];
  F[2] = r1 - r2 + r3 - at->yp[2];
  F[3] = -r2 + r3 - 2 * r4 - at->yp[3];
  F[4] = r2 - r3 + r5 - at->yp[4];
  F[5] = 115.83 * y[0] * y[3] - y[5];
  return GRADYN_OK;
}

/* A transistor amplifier: eight voltages whose rates have a matrix of rank five. */
static gradyn_status amplifier(place at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp, alpha = at->data[0], R1 = at->data[1];
  const double R0 = 1000, R = 9000, supply = 6, omega = 200 * 3.14159265358979323846;
  const gradyn_scalar source = 0.1 * sin(omega * at->t);
  gradyn_scalar current[2];
  for (int k = 0; k < 2; k++)
    current[k] = 1e-6 * (exp((y[3 * k + 1] - y[3 * k + 2]) / 0.026) - 1);
  F[0] = 1e-6 * (d[1] - d[0]) - (y[0] - source) / R0;
  F[1] = 1e-6 * (d[0] - d[1]) - y[1] / R1 - (y[1] - supply) / R - (1 - alpha) * current[0];
  F[2] = -2e-6 * d[2] - y[2] / R + current[0];
  F[3] = 3e-6 * (d[4] - d[3]) - (y[3] - supply) / R - alpha * current[0];
  F[4] = 3e-6 * (d[3] - d[4]) - y[4] / R - (y[4] - supply) / R - (1 - alpha) * current[1];
  F[5] = -4e-6 * d[5] - y[5] / R + current[1];
  F[6] = 5e-6 * (d[7] - d[6]) - (y[6] - supply) / R - alpha * current[1];
  F[7] = 5e-6 * (d[6] - d[7]) - y[7] / R;
  return GRADYN_OK;
}

const stiff_problem stiff_set[STIFF_PROBLEMS] = {
    [STIFF_HIRES] = {"hires",
                     8,
                     0,
                     hires,
                     321.8122,
                     {1, 0, 0, 0, 0, 0, 0, 0.0057},
                     {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                      0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                      0.2849998395185769e-2, 0.2850001604814231e-2},
                     {1.71, 0.0007},
                     {0},
                     false},
    [STIFF_ROBERTSON] = {"robertson",
                         3,
                         0,
                         robertson,
                         1e11,
                         {1, 0, 0},
                         {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050},
                         {0.04, 3e7},
                         {1e-7, 1e-12, 1},
                         true},
    [STIFF_OREGONATOR] = {"oregonator",
                          3,
                          0,
                          oregonator,
                          360,
                          {1, 2, 3},
                          {0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3},
                          {77.27, 0.161},
                          {0},
                          false},
    [STIFF_VAN_DER_POL] = {"van der pol",
                           2,
                           0,
                           van_der_pol,
                           2,
                           {2, 0},
                           {0.1706167732170483e1, -0.8928097010247975},
                           {1e6, 1},
                           {0},
                           true},
    [STIFF_POLLUTION] = {"pollution",
                         20,
                         0,
                         pollution,
                         60,
                         {0, 0.2, 0, 0.04, 0, 0, 0.1,   0.3, 0.01, 0,
                          0, 0,   0, 0,    0, 0, 0.007, 0,   0,    0},
                         {0.5646255480022769e-1,  0.1342484130422339,    0.4139734331099427e-8,
                          0.5523140207484359e-2,  0.2018977262302196e-6, 0.1464541863493966e-6,
                          0.7784249118997964e-1,  0.3245075353396018,    0.7494013383880406e-2,
                          0.1622293157301561e-7,  0.1135863833257075e-7, 0.2230505975721359e-2,
                          0.2087162882798630e-3,  0.1396921016840158e-4, 0.8964884856898295e-2,
                          0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3,
                          0.1772146513969984e-5,  0.5682943292316392e-4},
                         {0.35, 26.6},
                         {0},
                         false},
    [STIFF_AKZO_NOBEL] = {"akzo nobel",
                          6,
                          1,
                          akzo_nobel,
                          180,
                          {0.444, 0.00123, 0, 0.007, 0, 0.36},
                          {0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974,
                           0.3656156421249283e-3, 0.1708010885264404e-1, 0.4873531310307455e-2},
                          {18.7, 0.58},
                          {0},
                          false},
    [STIFF_AMPLIFIER] = {"amplifier",
                         8,
                         0,
                         amplifier,
                         0.2,
                         {0, 3, 3, 6, 3, 3, 6, 0},
                         {-0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1,
                          0.2926422536206241e1, 0.2704617865010554e1, 0.2761837778393145e1,
                          0.4770927631616772e1, 0.1236995868091548e1},
                         {0.99, 9000},
                         {0},
                         false},
};

static const stiff_problem *present;

/* Final value of the state with the index given as datum. */
FORMULA(final_state, at->y[(int)creal(at->data[0])])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const stiff_problem *p = present;
  for (int i = 0; i < p->states; i++) {
    const char *name = gradyn_format_name(m, "y%d", i + 1);
    if (i < p->states - p->algebraic)
      gradyn_state(m, name, "", p->start[i]);
    else
      gradyn_algebraic_state(m, name, "", p->start[i]);
  }
  const gradyn_datum data[] = {{"first", "", rho[0]}, {"second", "", rho[1]}};
  gradyn_equations(m, &(gradyn_equations_spec){
                          .residual = p->residual, .data = data, .data_count = 2, .size = p->size});
  for (int i = 0; i < p->states; i++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = gradyn_format_name(m, "end%d", i + 1),
                                            .unit = "",
                                            .terminal = final_state,
                                            .data = &(gradyn_datum){"number", "", i},
                                            .data_count = 1});
  return gradyn_build_status(m);
}

gradyn_problem stiff_declare(const stiff_problem *p)
{
  static gradyn_param params[STIFF_PARAMETERS];
  present = p;
  params[0] = (gradyn_param){"first", "", .init = p->parameter[0], GRADYN_UNBOUNDED};
  params[1] = (gradyn_param){"second", "", .init = p->parameter[1], GRADYN_UNBOUNDED};
  return (gradyn_problem){GRADYN_PROBLEM_SIZES,
                          .name = p->name,
                          .build = build,
                          .params = params,
                          .param_count = STIFF_PARAMETERS,
                          .t_end = p->t_end};
}
