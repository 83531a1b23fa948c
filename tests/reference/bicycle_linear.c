/* Appendix A line by line; roots by simultaneous iteration. */
#include "tests/reference/bicycle_linear.h"

#include <math.h>

static const double g = 9.81;

/* Table 1. */
static const double rR = 0.3, mR = 2, IRxx = 0.0603, IRyy = 0.12;
static const double xB = 0.3, zB = -0.9, mB = 85, IBxx = 9.2, IBxz = 2.4, IBzz = 2.8;
static const double xH = 0.9, zH = -0.7, mH = 4, IHxx = 0.05892, IHxz = -0.00756, IHzz = 0.00708;
static const double rF = 0.35, mF = 3, IFxx = 0.1405, IFyy = 0.28;

void bicycle_linear_make(double w, double c, double tilt, bicycle_linear *b)
{
  const double s = sin(tilt), k = cos(tilt);
  /* the complete bicycle: (A1) to (A6) */
  const double mT = mR + mB + mH + mF, xT = (xB * mB + xH * mH + w * mF) / mT;
  const double zT = (-rR * mR + zB * mB + zH * mH - rF * mF) / mT;
  const double ITxx = IRxx + IBxx + IHxx + IFxx + mR * rR * rR + mB * zB * zB + mH * zH * zH +
                      mF * rF * rF;
  const double ITxz = IBxz + IHxz - mB * xB * zB - mH * xH * zH + mF * w * rF;
  const double ITzz = IRxx + IBzz + IHzz + IFxx + mB * xB * xB + mH * xH * xH + mF * w * w;
  /* what steers: (A7) to (A13) */
  const double mA = mH + mF, xA = (xH * mH + w * mF) / mA, zA = (zH * mH - rF * mF) / mA;
  const double IAxx = IHxx + IFxx + mH * (zH - zA) * (zH - zA) + mF * (rF + zA) * (rF + zA);
  const double IAxz = IHxz - mH * (xH - xA) * (zH - zA) + mF * (w - xA) * (rF + zA);
  const double IAzz = IHzz + IFxx + mH * (xH - xA) * (xH - xA) + mF * (w - xA) * (w - xA);
  const double uA = (xA - w - c) * k - zA * s;
  const double IAll = mA * uA * uA + IAxx * s * s + 2 * IAxz * s * k + IAzz * k * k;
  const double IAlx = -mA * uA * zA + IAxx * s + IAxz * k;
  const double IAlz = mA * uA * xA + IAxz * s + IAzz * k;
  /* (A14) to (A18) */
  const double mu = c / w * k, SR = IRyy / rR, SF = IFyy / rF, ST = SR + SF;
  const double SA = mA * uA + mu * mT * xT;
  *b = (bicycle_linear){
      .M = {{ITxx, IAlx + mu * ITxz}, {IAlx + mu * ITxz, IAll + 2 * mu * IAlz + mu * mu * ITzz}},
      .C = {{0, mu * ST + SF * k + ITxz / w * k - mu * mT * zT},
            {-(mu * ST + SF * k), IAlz / w * k + mu * (SA + ITzz / w * k)}},
      .K0 = {{mT * zT, -SA}, {-SA, -SA * s}},
      .K2 = {{0, (ST - mT * zT) / w * k}, {0, (SA + SF * s) / w * k}}};
}

/* a(s) c(s) - b(s) d(s) of quadratics, by powers of s. */
static void add_product(const double a[3], const double b[3], double sign, double out[5])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i + j] += sign * a[i] * b[j];
}

void bicycle_linear_eigenvalues(const bicycle_linear *b, double v, double complex root[4])
{
  double e[2][2][3], p[5] = {0};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      e[i][j][0] = g * b->K0[i][j] + v * v * b->K2[i][j];
      e[i][j][1] = v * b->C[i][j];
      e[i][j][2] = b->M[i][j];
    }
  add_product(e[0][0], e[1][1], 1, p);
  add_product(e[0][1], e[1][0], -1, p);
  for (int i = 0; i < 4; i++)
    root[i] = cpow(3 * (0.4 + 0.9 * I), i);
  for (int pass = 0; pass < 2000; pass++)
    for (int i = 0; i < 4; i++) {
      double complex value = 1, apart = 1;
      for (int k = 3; k >= 0; k--)
        value = value * root[i] + p[k] / p[4];
      for (int k = 0; k < 4; k++)
        apart *= k == i ? 1 : root[i] - root[k];
      root[i] -= value / apart;
    }
}
