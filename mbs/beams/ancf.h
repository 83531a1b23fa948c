/* The two-noded gradient-deficient Euler-Bernoulli beam of the absolute nodal coordinate formulation, in the
 * plane and in space. For one element: forces, mass, strains, energy and their first derivatives.
 * Independent of the assembly of models. Ebrahimi et al. (2018), section 5.1 and appendix A.
 *
 * Local coordinates u = (r_i, r_x,i, r_j, r_x,j), [4 dim]: position (m) and slope dr/dx (dimensionless) of
 * both nodes, where x in [0, l] is the undeformed arc length. r(x) is the cubic Hermite interpolation, eqs.
 * (28), (29). v is the rate of u.
 *
 * Forces depend on w = (r_x,i, (r_j - r_i)/l, r_x,j) only, which does not change in translations. Two force
 * models are in tables; they agree for small strains.
 *
 * "full" (eq. 32): eps = (r'.r' - 1)/2, kappa = |r' x r''|/|r'|^3, written as kappa^2 = (a c - b^2)/a^3 with
 * a = r'.r', b = r'.r'', c = r''.r''. This form is smooth at kappa = 0 and the same in plane and space. U =
 * 1/2 int (E A eps^2 + E I kappa^2) dx. The axial integral uses Lobatto points xi = 0, 1/2, 1, the bending
 * integral three Gauss points. Neighbouring elements share the end points. The axial terms therefore impose
 * no more conditions than curved cubics can satisfy. Consequently there is no membrane locking, the order is
 * four for any slenderness, and all motions have strain energy. Three Gauss points for both integrals would
 * lock. For example, let eight elements model a cantilever under P L^2/(E I) = 1, with E A L^2 = 1e8 E I.
 * Their error is then 3e-3 of the deflection instead of 6e-6.
 * Damping: dissipation D = eta/2 int (E A eps_t^2 + E I |n_t|^2) dx. Here n = dt/ds is the curvature vector,
 * t = r'/|r'|, and n_t = (1 - t t^T) dn/dt its rate in a frame that follows the tangent without spin about
 * it.
 *
 * "linear" (eqs. 33, 34): eps = |r_j - r_i|/l - 1, kappa = |r''|, f = -(K_long(eps) + K_trans) u. The
 * matrices (59), (60) are evaluated from their integrals, as the printed ones have errors. K_long u is not
 * the gradient of the energy 1/2 E A eps^2 l. This model therefore does not conserve energy, and its tangent
 * is not symmetric. Damping: D = eta/2 (E A l eps_t^2 + E I int |n_t|^2 dx) with n_t = d(r'')/dt - W r'',
 * relative to the chord. The chord rotates with W = (d1 d^T - d d1^T)/d.d, d = r_j - r_i, d1 its rate.
 *
 * Both dampings only dissipate energy and exert no net force. They vanish in rigid motions in the plane. In
 * space they vanish in rigid motions of a straight element, and in rigid motions without spin about the
 * tangent (chord). The centre line does not determine the spin of sections. A curved element in space that
 * spins about its own tangent is therefore damped as if its sections did not spin. No smooth law could do
 * better: if the spin grows while the curvature decreases, the motion becomes a pure rate of bending.
 *
 * If r' is zero at an integration point (full) or the nodes coincide (linear), results are not finite. */
#ifndef GRADYN_MBS_ANCF_H
#define GRADYN_MBS_ANCF_H

enum { MBS_ANCF_MAX = 12 }; /* largest number of coordinates of an element */

/* Data of the forces, in the order of derivatives. */
enum { MBS_ANCF_L, MBS_ANCF_E, MBS_ANCF_A, MBS_ANCF_I, MBS_ANCF_ETA, MBS_ANCF_DATA };

typedef struct mbs_ancf {
  int dim;    /* 2 or 3 */
  double l;   /* undeformed length, m */
  double E;   /* Young's modulus, Pa */
  double A;   /* area of the section, m^2 */
  double I2;  /* second moment of area, the same about all axes in space, m^4 */
  double eta; /* Kelvin-Voigt structural damping, ratio of viscosity to modulus, s */
} mbs_ancf;

/* Strain and squared curvature at a point of the centre line. */
typedef struct mbs_ancf_strain {
  double eps, kappa2;            /* dimensionless, 1/m^2 */
  double eps_u[MBS_ANCF_MAX];    /* [4 dim] derivative by u */
  double kappa2_u[MBS_ANCF_MAX]; /* [4 dim] derivative by u */
  double eps_l, kappa2_l;        /* derivative by l */
} mbs_ancf_strain;

/* A force model. u, v are [4 dim]. */
typedef struct mbs_ancf_ops {
  const char *name;

  /* f [4 dim]: generalised force of the element on its coordinates, elastic and damping, N and N m;
   * overwritten, as all results. */
  void (*force)(const mbs_ancf *b, const double *u, const double *v, double *f);

  /* df/du and df/dv [4 dim][4 dim], row-major, rows: components of f. f_v is zero if eta is zero. */
  void (*force_state)(const mbs_ancf *b, const double *u, const double *v, double *f_u,
                      double *f_v);

  /* f_data [MBS_ANCF_DATA][4 dim]: derivatives of f by l, E, A, I, eta. */
  void (*force_data)(const mbs_ancf *b, const double *u, const double *v, double *f_data);

  /* Strain and squared curvature, by the definitions of the model, at x = xi l, xi in [0, 1]; fills *out. */
  void (*strain)(const mbs_ancf *b, const double *u, double xi, mbs_ancf_strain *out);

  /* Returns the elastic energy, J; U_u [4 dim] and U_data [MBS_ANCF_DATA] are its derivatives by u and data.
   * None is NULL. */
  double (*energy)(const mbs_ancf *b, const double *u, double *U_u, double *U_data);
} mbs_ancf_ops;

extern const mbs_ancf_ops mbs_ancf_linear;
extern const mbs_ancf_ops mbs_ancf_full;

/* Sets m [10] to the mass matrix, eq. (30), kg (with slopes: kg m, kg m^2), the upper triangle, by rows, of
 * a 4 x 4 matrix. The matrix of the element is its product with the identity of dim. Uniform gravity g acts
 * as this matrix times (g, 0, g, 0), eq. (35). l in m, rho in kg/m^3, A in m^2. */
void mbs_ancf_mass(double l, double rho, double A, double m[10]);

/* Sets m_data to the derivatives of the ten numbers of mbs_ancf_mass() by l, rho and A, in this order. */
void mbs_ancf_mass_data(double l, double rho, double A, double m_data[3][10]);

#endif
