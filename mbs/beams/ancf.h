/* The two-noded gradient-deficient Euler-Bernoulli beam of the absolute nodal coordinate
 * formulation, plane and space, at element size: forces, mass, strains, energy and their first
 * derivatives. Nothing here knows how a model is assembled. Ebrahimi et al. (2018), section 5.1 and
 * appendix A.
 *
 * Local coordinates u = (r_i, r_x,i, r_j, r_x,j), [4 dim]: position (m) and slope dr/dx (without
 * unit) of either node, where x in [0, l] is the undeformed arc length; r(x) is the cubic Hermite
 * interpolation, eqs. (28), (29). v is the rate of u.
 *
 * The element shortens to w = (r_x,i, (r_j - r_i)/l, r_x,j): all but the rigid displacement. Two
 * force models stand in tables; they agree for small strains.
 *
 * "full" (eq. 32): eps = (r'.r' - 1)/2, kappa = |r' x r''|/|r'|^3, written as
 * kappa^2 = (a c - b^2)/a^3 with a = r'.r', b = r'.r'', c = r''.r'', which is smooth at kappa = 0
 * and the same in plane and space. U = 1/2 int (E A eps^2 + E I kappa^2) dx. The axial
 * integral is taken at Lobatto's points xi = 0, 1/2, 1, that of bending at three Gauss points. With
 * the ends, which neighbours share, the axial terms ask for no more than bent cubics can give: no
 * membrane locking, fourth order whatever the slenderness, and still no idle motion. (The three
 * Gauss points for both lock: eight elements of a cantilever under P L^2/(E I) = 1, E A L^2 =
 * 1e8 E I, then miss the deflection by 3e-3 of it instead of 6e-6.)
 * Damping: dissipation D = eta/2 int (E A eps_t^2 + E I |n_t|^2) dx, where n = dt/ds is the
 * curvature vector, t = r'/|r'|, and n_t = (1 - t t^T) dn/dt its rate seen from a frame that
 * follows the tangent without spinning about it.
 *
 * "linear" (eqs. 33, 34): eps = |r_j - r_i|/l - 1, kappa = |r''|, f = -(K_long(eps) + K_trans) u,
 * with the matrices (59), (60) as their integrals give them (printed with slips). K_long u is not
 * the gradient of the energy 1/2 E A eps^2 l, so this model does not conserve energy and its
 * tangent is not symmetric. Damping: D = eta/2 (E A l eps_t^2 + E I int |n_t|^2 dx) with
 * n_t = d(r'')/dt - W r'', seen from the chord, which turns with W = (d1 d^T - d d1^T)/d.d,
 * d = r_j - r_i, d1 its rate.
 *
 * Both dampings only take energy out and exert no net force. Rigid motions of the plane, and
 * in space all those of a straight element and all without spin about the tangent (chord), leave
 * them zero. A bent element in space that is spun about its own tangent is damped as if its
 * sections did not spin with it: the centre line alone cannot tell. No smooth law could do
 * better: let the spin grow as the bend shrinks, and it becomes a pure rate of bending.
 *
 * If r' vanishes at a point of the rules (full) or the nodes coincide (linear), results are not finite. */
#ifndef GRADYN_MBS_ANCF_H
#define GRADYN_MBS_ANCF_H

enum { MBS_ANCF_MAX = 12 }; /* coordinates of an element, at most */

/* The data that forces depend on, in the order of their derivatives. */
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
  double eps, kappa2;            /* -, 1/m^2 */
  double eps_u[MBS_ANCF_MAX];    /* [4 dim] derivative by u */
  double kappa2_u[MBS_ANCF_MAX]; /* [4 dim] */
  double eps_l, kappa2_l;        /* derivative by l */
} mbs_ancf_strain;

/* A force model. u, v are [4 dim]. */
typedef struct mbs_ancf_ops {
  const char *name;

  /* f [4 dim]: generalised force that the element applies on its coordinates, N and N m. */
  void (*force)(const mbs_ancf *b, const double *u, const double *v, double *f);

  /* f_u, f_v [4 dim][4 dim], row-major, rows = force: df/du, df/dv. f_v is zero if eta is. */
  void (*force_state)(const mbs_ancf *b, const double *u, const double *v, double *f_u,
                      double *f_v);

  /* f_data [MBS_ANCF_DATA][4 dim]: df by l, E, A, I, eta. */
  void (*force_data)(const mbs_ancf *b, const double *u, const double *v, double *f_data);

  /* Strain and curvature, as the model defines them, at x = xi l, xi in [0, 1]. */
  void (*strain)(const mbs_ancf *b, const double *u, double xi, mbs_ancf_strain *out);

  /* Returns the elastic energy, J; U_u [4 dim] and U_data [MBS_ANCF_DATA] are its derivatives. */
  double (*energy)(const mbs_ancf *b, const double *u, double *U_u, double *U_data);
} mbs_ancf_ops;

extern const mbs_ancf_ops mbs_ancf_linear;
extern const mbs_ancf_ops mbs_ancf_full;

/* Mass matrix, eq. (30): the scalar 4 x 4 matrix, upper triangle by rows, m [10]; the matrix of
 * the element is that times the identity of dim. Uniform gravity g acts as this matrix times
 * (g, 0, g, 0), which is eq. (35). l in m, rho in kg/m^3, A in m^2. */
void mbs_ancf_mass(double l, double rho, double A, double m[10]);

/* Derivatives of the ten numbers by l, rho, A. */
void mbs_ancf_mass_data(double l, double rho, double A, double m_data[3][10]);

#endif
