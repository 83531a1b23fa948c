/* Mass matrix of the ANCF beam element, Ebrahimi et al. (2018), eq. (30): rho A int S^T S dx. It is
 * constant, and stored as pair coefficients like the mass matrix of bodies. */
#include "mbs/beams/ancf.h"

/* Upper triangle of int S^T S dx for l = 1, and the power of l that multiplies each number. */
static const double shape[10] = {156 / 420.0, 22 / 420.0, 54 / 420.0,  -13 / 420.0, 4 / 420.0,
                                 13 / 420.0,  -3 / 420.0, 156 / 420.0, -22 / 420.0, 4 / 420.0};
static const int power[10] = {1, 2, 1, 2, 3, 2, 3, 1, 2, 3};

void mbs_ancf_mass(double l, double rho, double A, double m[10])
{
  const double by_power[4] = {0, rho * A * l, rho * A * l * l, rho * A * l * l * l};
  for (int k = 0; k < 10; k++) /* c_k l^power, times rho A */
    m[k] = shape[k] * by_power[power[k]];
}

void mbs_ancf_mass_data(double l, double rho, double A, double m_data[3][10])
{
  mbs_ancf_mass(l, 1, A, m_data[1]);
  mbs_ancf_mass(l, rho, 1, m_data[2]);
  mbs_ancf_mass(l, rho, A, m_data[0]);
  for (int k = 0; k < 10; k++)
    m_data[0][k] *= power[k] / l; /* d(l^p)/dl = p l^p / l */
}
