/* Spatial slider-crank, López Varela (2022), section 7.2. A crank on a revolute joint drives a slider along
 * the x axis by a connecting rod, with a spherical joint on the crank and a universal joint on the slider.
 * It is a problem of the IFToMM library of computational benchmark problems, to which the thesis adds a
 * spring and a damper. The cross of the universal joint has one axis along the slide, and the other normal
 * to the slide and to the rod. With it, the motion without spring is the published one of the library.
 *
 * Our choice where the texts say nothing: D is 0.05 m beyond the slider's centre, so that the spring starts
 * without tension; gravity is 9.81 m/s^2 along -z. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { MASS, STIFFNESS, DAMPING, FREE_LENGTH };

/* Eq. (7.32) */
static const gradyn_param params[] = {
    [MASS] = {"m_CD", "kg", .init = 2.0, .lower = 0.5, .upper = 5.0},
    [STIFFNESS] = {"k_S1", "N/m", .init = 10.0, .lower = 0.0, .upper = 100.0},
    [DAMPING] = {"c_S1", "N s/m", .init = 1.0, .lower = 0.0, .upper = 20.0},
    [FREE_LENGTH] = {"L_S1", "m", .init = 0.25, .lower = 0.05, .upper = 0.5},
};

static const gradyn_setting settings[] = {
    {"spring", "1: with the spring and damper of the thesis, 0: the benchmark without", .init = 1,
     .upper = 1},
    {"isotropic", "inertias: 0 of slender bars, as in the library, 1 as printed in the thesis",
     .upper = 1},
};

static const double speed = 6; /* initial rate of the crank, rad/s */

/* Positions of the crank's centre, the crank pin and the slider's centre, m. */
static const double A[3] = {0, 0.1, 0.12}, B[3] = {0, 0.1, 0.2}, C[3] = {0.2, 0, 0};

/* Adds a rod between two points, with moments of inertia `across` normal to its axis and `along` about it,
 * kg m^2. */
static int bar(gradyn_model *mbs, const char *name, const double *from, const double *to,
               double mass, double across, double along)
{
  gradyn_body_spec spec = {.name = name, .mass = mass};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  /* u: vector along the rod; division by its square normalises the tensor */
  double u[3], square = 0;
  /* the thesis has one moment of inertia for all axes */
  along = gradyn_setting_value(mbs, "isotropic") ? across : along;
  for (int k = 0; k < 3; k++) {
    spec.centre[k] = (from[k] + to[k]) / 2;
    u[k] = to[k] - from[k];
    square += u[k] * u[k];
  }
  for (int k = 0; k < 6; k++) /* J = across (1 - u u^T) + along u u^T */
    spec.inertia[k] = (k < 3 ? across : 0) + (along - across) * u[row[k]] * u[column[k]] / square;
  return gradyn_body_3d(mbs, &spec);
}

/* Declares functionals of position, velocity and acceleration of point D. */
static void add_functionals(gradyn_model *mbs, gradyn_point_id D)
{
  gradyn_measure_id r = gradyn_measure_point(mbs, "", D, 0, GRADYN_ALL_AXES);
  gradyn_measure_id v = gradyn_measure_point(mbs, "", D, 1, GRADYN_ALL_AXES);
  gradyn_measure_id a = gradyn_measure_point(mbs, "", D, 2, GRADYN_ALL_AXES);
  gradyn_measure_id energy = gradyn_measure_energy(mbs, "");
  gradyn_functional(mbs, &(gradyn_functional_spec){"psi1", r, .reduction = GRADYN_SQUARE_INTEGRAL,
                                                   .target = {0.25, 0, 0}}); /* (7.30) */
  gradyn_functional_id psi2 = gradyn_functional(
      mbs, &(gradyn_functional_spec){"psi2", v, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){"psi3", a, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"end_energy", energy, .reduction = GRADYN_AT_END});
  gradyn_minimise(mbs, psi2, 1);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* the three bodies in their initial positions */
  int crank = bar(mbs, "crank", A, B, 0.12, 1e-4, 1e-5);
  int rod = bar(mbs, "rod", B, C, 0.5, 4e-3, 4e-4);
  int slider = gradyn_body_3d(mbs, &(gradyn_body_spec){.name = "slider",
                                                       .centre = {C[0], C[1], C[2]},
                                                       .mass = rho[MASS],
                                                       .inertia = {1e-4, 1e-4, 1e-4}});
  /* joint between ground and crank, about x */
  int hinge = gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "A",
                                                                     .kind = GRADYN_REVOLUTE,
                                                                     .body_a = GRADYN_GROUND,
                                                                     .body_b = crank,
                                                                     .position = {A[0], A[1], A[2]},
                                                                     .axis = {1, 0, 0}});
  /* joint between crank and rod */
  gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "B",
                                                         .kind = GRADYN_SPHERICAL,
                                                         .body_a = crank,
                                                         .body_b = rod,
                                                         .position = {B[0], B[1], B[2]}});
  /* joint between slider and rod; axis_b is normal to the slide and to the rod */
  gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "C",
                                                         .kind = GRADYN_UNIVERSAL,
                                                         .body_a = slider,
                                                         .body_b = rod,
                                                         .position = {C[0], C[1], C[2]},
                                                         .axis = {1, 0, 0},
                                                         .axis_b = {0, C[2] - B[2], B[1] - C[1]}});
  /* the slider moves along x, without rotation */
  gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "guide",
                                                         .kind = GRADYN_PRISMATIC,
                                                         .body_a = GRADYN_GROUND,
                                                         .body_b = slider,
                                                         .axis = {1, 0, 0}});
  /* initial angle and rate of the crank */
  gradyn_fix_initial_joint(mbs, "start", gradyn_joint_coordinate(mbs, hinge, GRADYN_ANGLE), 0,
                           speed);

  int D = gradyn_body_point_3d(mbs, slider, "D", 0.25, 0, 0);
  /* spring between the slider and the origin */
  if (gradyn_setting_value(mbs, "spring"))
    gradyn_spring(mbs, &(gradyn_spring_spec){.name = "S1",
                                             .from = gradyn_ground_point_3d(mbs, "O", 0, 0, 0),
                                             .to = D,
                                             .k = rho[STIFFNESS],
                                             .c = rho[DAMPING],
                                             .free_length = rho[FREE_LENGTH]});
  gradyn_gravity_3d(mbs, 0, 0, -9.81);

  add_functionals(mbs, D);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(spatial_slider_crank, .summary = "Slider-crank in space with a spring",
               .reference = "López Varela (2022), section 7.2; IFToMM library of computational "
                            "benchmark problems",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 5.0);
