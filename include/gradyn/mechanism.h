/* Mechanisms: points, bodies, constraints, beams and hints for drawings. */
#ifndef GRADYN_MECHANISM_H
#define GRADYN_MECHANISM_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Points of mechanisms, and their initial positions and velocities.
 *
 * Lengths are in m, velocities in m/s. A mechanism is planar or, with the functions whose names end in
 * _3d, spatial; one model cannot mix both. Names are copied; names of points are unique and must be
 * given. Numbers must be finite. Errors of all functions here are reported by gradyn_build_status(). */

/* An axis of the ground. */
typedef enum gradyn_axis {
  GRADYN_X = 0,       /* first axis, horizontal in most problems */
  GRADYN_Y = 1,       /* second axis */
  GRADYN_Z = 2,       /* third axis; in the plane the normal, about which bodies rotate */
  GRADYN_ALL_AXES = 3 /* all axes of the mechanism, only where a function accepts it */
} gradyn_axis;

/* The ground, instead of the number of a body, where a function accepts it. */
#define GRADYN_GROUND (-1)

/* Largest number of points that one custom force, constraint or measure may list. */
#define GRADYN_CUSTOM_POINTS 8

/* --- Points ----------------------------------------------------------------------------------- */

/* Declares a point fixed to the ground, in the plane.
 *
 * x, y: position, m. Data: name.x, name.y.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_ground_point(gradyn_model *model, const char *name,
                                               gradyn_scalar x, gradyn_scalar y);

/* Declares a moving point in the plane. It has no mass of its own: see gradyn_point_mass().
 *
 * x, y: approximate initial position, m. The initial velocity is 0 unless gradyn_initial_velocity() sets
 *   another approximate value. The run starts at the nearest position that satisfies all constraints and
 *   all fixed initial conditions. Data: name.x, name.y (m), name.vx, name.vy (m/s).
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x,
                                        gradyn_scalar y);

/* Sets the approximate initial velocity of a moving point in the plane. vx, vy: components, m/s, finite,
 * which are the data name.vx, name.vy of the point. The last call for a point counts. Ground points are
 * refused, and points attached to others or to a body. */
GRADYN_API void gradyn_initial_velocity(gradyn_model *model, gradyn_point_id point,
                                        gradyn_scalar vx, gradyn_scalar vy);

/* Declares a point fixed to the ground, in space. x, y, z: position, m. Data: name.x, name.y, name.z.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_ground_point_3d(gradyn_model *model, const char *name,
                                                  gradyn_scalar x, gradyn_scalar y,
                                                  gradyn_scalar z);

/* Declares a moving point in space. x, y, z: approximate initial position, m, as for gradyn_point().
 * Data: name.x, name.y, name.z (m), name.vx, name.vy, name.vz (m/s). Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_point_3d(gradyn_model *model, const char *name, gradyn_scalar x,
                                           gradyn_scalar y, gradyn_scalar z);

/* Sets the approximate initial velocity of a moving point in space. vx, vy, vz: components, m/s, finite,
 * which are the data name.vx, name.vy, name.vz of the point. The last call for a point counts. Ground points
 * are refused, and points attached to others or to a body. */
GRADYN_API void gradyn_initial_velocity_3d(gradyn_model *model, gradyn_point_id point,
                                           gradyn_scalar vx, gradyn_scalar vy, gradyn_scalar vz);

/* Declares a point on the line through two points, for example along a rod, in the plane or in space. Its
 * position is from + share (to - from).
 *
 * from, to: two different points, moving or on the ground; neither may be attached to others or to a body.
 * share: dimensionless; any value, 0 at `from` and 1 at `to`. Datum: name.share.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_point_between(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                gradyn_scalar share);

/* --- Fixed initial conditions ------------------------------------------------------------------ */

/* Fixes one coordinate of a moving point, and its velocity, at the initial time. The values are those
 * declared with the point (m, m/s); without this call they are only approximate. axis: GRADYN_ALL_AXES is
 * refused. Ground points are refused, and points attached to others or to a body. */
GRADYN_API void gradyn_fix_initial_coordinate(gradyn_model *model, gradyn_point_id point,
                                              gradyn_axis axis);

/* Fixes the distance of two points at the initial time, in the plane or in space. The points may be attached
 * or fixed to the ground. value: distance, m, > 0. rate: its rate, m/s. name NULL: "distance". Data:
 * name.value, name.rate. */
GRADYN_API void gradyn_fix_initial_distance(gradyn_model *model, const char *name,
                                            gradyn_point_id from, gradyn_point_id to,
                                            gradyn_scalar value, gradyn_scalar rate);

/* Fixes the direction from one point to another at the initial time, in the plane. The points may be
 * attached or fixed to the ground. value: angle, rad, positive counter-clockwise from the x axis. rate: its
 * rate, rad/s. name NULL: "angle". Data: name.value, name.rate. */
GRADYN_API void gradyn_fix_initial_angle(gradyn_model *model, const char *name,
                                         gradyn_point_id from, gradyn_point_id to,
                                         gradyn_scalar value, gradyn_scalar rate);

/* Starts the mechanism in static equilibrium under the forces, signals and prescribed motions at the initial
 * time.
 *
 * The given positions are the starting point of the search for the equilibrium. The search follows the
 * forces, so it finds a stable equilibrium, unless the given positions are an unstable equilibrium already.
 * With first-order states it may find an unstable one. If none is found, the run fails, usually with
 * GRADYN_NOT_CONVERGED; if the equilibrium is not isolated, with GRADYN_SINGULAR. With a velocity-level
 * constraint the run fails with GRADYN_UNSUPPORTED. The mechanism starts at rest, except for parts that
 * prescribed motions move at once. Fixed initial conditions and initial velocities have no effect. General
 * equations: see `before` of gradyn_equations_spec; call it after their first state. */
GRADYN_API void gradyn_start_in_equilibrium(gradyn_model *model);

/* Rods, point masses, rigid bodies and gravity.
 *
 * Units are SI. Names are copied; NULL stands for the kind, for example "rod". Errors of all functions
 * here are reported by gradyn_build_status(). */

/* --- Inertia ---------------------------------------------------------------------------------- */

/* A rigid rod between two points, uniform unless own_inertia is set. Data: name.length, name.mass,
 * name.com, name.inertia, four independent numbers. */
typedef struct gradyn_rod_spec {
  const char *name;         /* copied; NULL: "rod" */
  gradyn_point_id from, to; /* two different points at its ends, of any kind */
  gradyn_scalar length;     /* m, > 0; 0: distance of the declared positions of the points */
  gradyn_scalar mass;       /* kg, >= 0 */
  /* true: com and inertia are used; false: length/2 and mass length^2/12, and both must be 0 */
  bool own_inertia;
  gradyn_scalar com;     /* distance of the centre of mass from `from` along the rod, m */
  gradyn_scalar inertia; /* moment of inertia about the centre of mass, kg m^2, >= 0 */
} gradyn_rod_spec;

/* Declares a rod. The spec is copied.
 *
 * Its constraint is (|r|^2/L - L)/2 = 0, with r from the first point to the second and L the length. Its
 * multiplier is the axial force, N, positive in tension.
 *
 * Returns the number of the constraint. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec);

/* Declares a mass at a point of any kind. mass: kg, >= 0; masses at one point add up. name NULL: "point".
 * Datum: name.mass. */
GRADYN_API void gradyn_point_mass(gradyn_model *model, const char *name, gradyn_point_id point,
                                  gradyn_scalar mass);

/* Declares uniform gravity in the plane, once per model; without it there is none. gx, gy: components of
 * the acceleration, m/s^2, for example 0 and -9.81. Data: gravity.x, gravity.y. */
GRADYN_API void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy);

/* Declares uniform gravity in space, once per model; without it there is none. gx, gy, gz: components of
 * the acceleration, m/s^2. Data: gravity.x, gravity.y, gravity.z. */
GRADYN_API void gradyn_gravity_3d(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy,
                                  gradyn_scalar gz);

/* --- Rigid bodies ------------------------------------------------------------------------------ */

/* A rigid body: centre of mass and base vectors, which are parallel to the axes of the ground at the
 * initial time. In the plane the third components of centre and velocity are not used. Data: name.mass;
 * name.inertia in the plane, name.inertia_xx, ... in space; name.x, ..., name.vx, ... of the centre;
 * name.e1.x, ... of the base vectors. */
typedef struct gradyn_body_spec {
  const char *name;        /* copied, at most 80 characters; NULL: "body" */
  gradyn_scalar centre[3]; /* approximate initial position of the centre of mass, m */
  gradyn_scalar mass;      /* kg, > 0 */
  /* inertia tensor about the centre of mass at the initial time, kg m^2, in axes of the ground: xx, yy,
   * zz, xy, xz, yz. The tensor is positive definite, and no principal moment exceeds the sum of the other
   * two. In the plane zz only, > 0 */
  gradyn_scalar inertia[6];
  gradyn_scalar velocity[3]; /* approximate initial velocity of the centre of mass, m/s */
  /* approximate initial angular velocity, rad/s; in the plane omega[2] only */
  gradyn_scalar omega[3];
} gradyn_body_spec;

/* Declares a rigid body in the plane. The spec is copied.
 *
 * A slender rod that resists no rotation about its axis is declared by gradyn_rod();
 * gradyn_point_between() attaches points to it. A particle is a point with gradyn_point_mass().
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_body_id gradyn_body(gradyn_model *model, const gradyn_body_spec *spec);

/* Declares a rigid body in space. The spec is copied. Slender rods and particles are declared as in the
 * plane. Returns its number. On failure gradyn_build_status() reports the error, and the number returned
 * is 0. */
GRADYN_API gradyn_body_id gradyn_body_3d(gradyn_model *model, const gradyn_body_spec *spec);

/* Returns the point that is the centre of mass of a body. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_body_centre(gradyn_model *model, gradyn_body_id body);

/* Returns a base vector of a body, a dimensionless unit vector. The vector starts along `axis` of the
 * ground and turns with the body. Callbacks may list it like a point: at->pos, at->vel and at->acc then
 * have its components and their rates. axis: GRADYN_ALL_AXES is refused, and in the plane GRADYN_Z. On
 * failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_variable_id gradyn_body_axis(gradyn_model *model, gradyn_body_id body,
                                               gradyn_axis axis);

/* Declares a point fixed to a body in the plane, which can be used like any other point and needs no
 * joint. name: must be given. x, y: its position in axes of the ground, m, when the centre is at the
 * position declared with the body. Data: name.local_x, name.local_y, the position minus that of the centre.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_body_point(gradyn_model *model, gradyn_body_id body,
                                             const char *name, gradyn_scalar x, gradyn_scalar y);

/* Declares a point fixed to a body in space. name: must be given. x, y, z: its position, m, as for
 * gradyn_body_point(). Data: name.local_x, name.local_y, name.local_z. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_body_point_3d(gradyn_model *model, gradyn_body_id body,
                                                const char *name, gradyn_scalar x, gradyn_scalar y,
                                                gradyn_scalar z);

/* --- Bodies in users' functions ---------------------------------------------------------------- */

/* For callbacks that list the centre of a body and then its base vectors (x, y and, in space, z). The
 * argument `first` is the index of the centre in that list, from 0. Vectors have components along the axes
 * of the ground. Local vectors have components along those of the body. In the plane, third components of
 * positions and forces are 0, and rotations are about z. The result is NAN, and the run fails, if `first` is
 * outside the list, or if *at has no array for `order`. Pointers must not be NULL unless stated. */

/* Computes the angular velocity (order 1, rad/s) or angular acceleration (order 2, rad/s^2) of a body. Its
 * centre has index `first` in the list of the callback. omega [3]: receives the components along the axes of
 * the ground; NAN if the list has no such body. They are correct for motions that satisfy the constraints. A
 * custom constraint is also evaluated at other velocities: use at->vel of the base vectors in it instead. */
GRADYN_API void gradyn_body_turn(const gradyn_at *at, int first, int order, gradyn_scalar omega[3]);

/* Computes position (order 0, m), velocity (order 1, m/s) or acceleration (order 2, m/s^2) of a point of a
 * body. r [3]: receives the components along the axes of the ground; the third one is 0 in the plane.
 *
 * first: index of the centre in the list of the callback, as above.
 * local [3]: position of the point relative to the centre in axes of the body, m; must not be NULL. */
GRADYN_API void gradyn_body_motion(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                   int order, gradyn_scalar r[3]);

/* Adds a force and a torque on a body to the result of a custom force.
 *
 * local [3]: point of application relative to the centre in axes of the body, m; NULL: the centre.
 * on_point [3]: force, N; NULL: none. In the plane its third component is not used.
 * torque [3]: torque, N m; NULL: none. In the plane its third component only is used.
 * force [points][axes]: result of the custom force, to which the load is added, N. An index `first` outside
 *   the list sets force[0] to NAN. */
GRADYN_API void gradyn_body_load(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                 const gradyn_scalar on_point[3], const gradyn_scalar torque[3],
                                 gradyn_scalar force[]);

/* Constraints between points. Joints between frames are in <gradyn/joints.h>.
 *
 * Each function returns the number of its constraint, which is the index of its multiplier. A constraint Phi
 * = 0 acts on the mechanism with the generalised force -(dPhi/dq) multiplier. Points may be of any kind,
 * also attached ones, but must be two different points. Names and laws are copied. A name NULL stands for
 * the kind: "pin", and for the next such element "pin-2". A law may be NULL where the comment allows it. */

/* Declares a pin (in space a spherical joint): two points coincide.
 *
 * The constraints are r_b - r_a = 0: name.x, name.y and, in space, name.z. Their multipliers are the
 * components of the force that b exerts on a, N. Two points fixed to the ground are refused.
 *
 * Returns the number of the constraint along x; the others follow. On failure gradyn_build_status() reports
 * the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_pin(gradyn_model *model, const char *name, gradyn_point_id a,
                                           gradyn_point_id b);

/* --- Functions of time for driven constraints ------------------------------------------------- */

/* A prescribed function of time, in the unit [u] of the quantity that it prescribes, with t in s from the
 * start of the run:
 *
 * value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) + signal(t).
 *
 * Members left 0 have no effect. All numbers are data of the constraint: name.value, .rate, .acceleration,
 * .amplitude, .frequency, .phase. */
typedef struct gradyn_time_function {
  /* value, u; rate at t = 0, u/s; acceleration, u/s^2. u is m for lengths, rad for angles and m/s for
   * speeds */
  gradyn_scalar value, rate, acceleration;
  /* amplitude, u; frequency, rad/s; phase, rad */
  gradyn_scalar amplitude, frequency, phase;
  /* a cubic spline, declared before: driven constraints need two continuous derivatives; 0: none */
  gradyn_signal_id signal;
} gradyn_time_function;

/* --- Constraints that may be driven ------------------------------------------------------------- */

/* Prescribes the distance of two points, |r_to - r_from| = law(t), in m. Data: those of the law.
 *
 * name, law: must be given; copied. law->value must be positive, and law(t) at all times. For a constant
 *   distance set law->value alone. The constraint is (|r|^2/s - s)/2 = 0 with s = law(t). Its multiplier is
 *   the axial force, N, positive in tension.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_distance(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                const gradyn_time_function *law);

/* Prescribes one coordinate of a point, r[axis] = law(t), in m. axis: GRADYN_ALL_AXES is refused. law NULL:
 * 0. The multiplier is minus the force on the point along the axis, N. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_coordinate(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, gradyn_axis axis,
                                                  const gradyn_time_function *law);

/* Prescribes the direction from one point to another in the plane: angle = law(t), in rad,
 * counter-clockwise from the x axis.
 *
 * law NULL: 0. The constraint is r.n = 0 with n = (-sin law, cos law). Its multiplier is minus the force
 * on `to` along n, N; gradyn_measure_drive() gives the torque.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_angle(gradyn_model *model, const char *name,
                                             gradyn_point_id from, gradyn_point_id to,
                                             const gradyn_time_function *law);

/* Evaluates a constraint of the user's.
 *
 * order 0: stores phi(t, pos, data); order 1: its first time derivative, with vel; order 2: its second time
 * derivative, with vel and acc. Do not use at->vel in order 0, nor at->acc in orders 0 and 1. at->u and
 * at->lam are NULL. value: one number, 0 before the call. Jacobians are computed by complex step. `gradyn
 * check` tests that the three orders agree.
 *
 * Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails with
 * it. A value that is not finite or not real fails with GRADYN_NON_FINITE. */
typedef gradyn_status (*gradyn_constraint_fn)(const gradyn_at *at, int order, gradyn_scalar *value);

/* A constraint of the user's. */
typedef struct gradyn_custom_constraint_spec {
  const char *name; /* copied; NULL: "constraint" or "rolling" */
  /* [point_count], points, base vectors and joint coordinates that it uses, each once; copied. The arrays
   * at->pos, at->vel and at->acc have these only, in this order. First-order states are refused */
  const gradyn_variable_id *points;
  int point_count;         /* 1 to GRADYN_CUSTOM_POINTS */
  gradyn_constraint_fn fn; /* must be given */
  /* [data_count], data of its own, named name.<datum>; copied; NULL only without data */
  const gradyn_datum *data;
  int data_count; /* number of data, at most 16; 0: none */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
} gradyn_custom_constraint_spec;

/* Declares a constraint phi(t, pos, data) = 0 by a function of the user's. The spec is copied. The unit of
 * its multiplier is J over the unit of phi. Returns its number. On failure gradyn_build_status() reports
 * the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_custom_constraint(gradyn_model *model,
                                                         const gradyn_custom_constraint_spec *spec);

/* Declares a nonholonomic (velocity-level) constraint psi(t, pos, vel, data) = 0 by a function of the
 * user's.
 *
 * psi must be linear in vel and must not be the rate of a function of positions. Order 1 of spec->fn
 * stores psi, order 2 its time derivative; order 0 is not requested. The spec is copied. With the methods
 * variational and kinematic, gradyn_evaluator_create() returns GRADYN_UNSUPPORTED.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id
gradyn_custom_nonholonomic(gradyn_model *model, const gradyn_custom_constraint_spec *spec);

/* Cross sections of beams: the numbers that bending needs, computed from dimensions.
 *
 * All numbers are gradyn_scalar, so that they carry derivatives by complex step. The functions check no
 * values and may be called anywhere; gradyn_beam() checks the section. */

/* A cross section. Plain data, which a user may also fill in directly. */
typedef struct gradyn_section {
  gradyn_scalar area;          /* area, m^2 */
  gradyn_scalar second_moment; /* second moment of area about the neutral axis of bending, m^4 */
  gradyn_scalar reach;         /* distance of the extreme fibre from the neutral axis, m */
} gradyn_section;

/* Returns the section of a ring, or of a solid circle. outer, inner: radii, m; inner 0: solid. The second
 * moment is the same about every axis. If inner exceeds outer, the area is negative and gradyn_beam()
 * refuses the section. */
GRADYN_API gradyn_section gradyn_section_tube(gradyn_scalar outer, gradyn_scalar inner);

/* Returns the section of a solid rectangle for bending in the direction of its height. width, height:
 * sides, m. In space a beam has one second moment for all directions, so that only squares are exact. The
 * reach is that of bending parallel to a side; across the corners of a square it is sqrt(2) times
 * larger. */
GRADYN_API gradyn_section gradyn_section_rectangle(gradyn_scalar width, gradyn_scalar height);

/* Flexible beams and their welds.
 *
 * Beams are divided into elements of the absolute nodal coordinate formulation without shear: Ebrahimi et
 * al. (2018), section 5.1. Errors of all functions here are reported by gradyn_build_status(). Names are
 * copied. */

/* A flexible beam between two points, straight at the initial time. Beams and bodies that share a point
 * are pinned there. The length of the beam is the initial distance of its points. Data: name.length,
 * .young, .area, .second_moment, .damping, .density, .reach; of its inner nodes name.1.x, ...; of its
 * slopes name.slope0.x, ... */
typedef struct gradyn_beam_spec {
  const char *name; /* copied, at most 80 characters; NULL: "beam" */
  /* points at its first and last node, of any kind, at different positions */
  gradyn_point_id from, to;
  int elements;           /* number of elements, 1 to 1000000 */
  gradyn_section section; /* cross section: area and second moment > 0, reach >= 0 */
  gradyn_scalar young;    /* Young's modulus, Pa, > 0 */
  gradyn_scalar density;  /* kg/m^3, > 0 */
  /* structural (Kelvin-Voigt) damping: viscosity over modulus, s, >= 0 */
  gradyn_scalar damping;
  /* true: simple force for small strains, eq. (34), which does not conserve energy; false: force of the
   * full strain and curvature, eq. (32) */
  bool linear;
  /* initial velocity of the beam at `from`, m/s. Inner nodes start like points of a rigid body with this
   * velocity and omega. The points from and to have initial velocities of their own */
  gradyn_scalar velocity[3];
  /* initial angular velocity of that rigid body, rad/s; in the plane omega[2] only */
  gradyn_scalar omega[3];
} gradyn_beam_spec;

/* Declares a beam. The spec is copied. Returns its number. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_beam_id gradyn_beam(gradyn_model *model, const gradyn_beam_spec *spec);

/* The last node of a beam, instead of its index. */
#define GRADYN_BEAM_END (-1)

/* All nodes of a beam, for gradyn_measure_stress(). */
#define GRADYN_ALL_NODES (-2)

/* The extreme fibre of a beam that bending stretches most, or shortens most, or both. */
typedef enum gradyn_fibre {
  GRADYN_STRETCHED, /* E (eps + reach kappa), strain eps of the axis, curvature kappa >= 0 */
  GRADYN_SHORTENED, /* E (eps - reach kappa) */
  /* two components E (-eps + reach kappa) and E (eps + reach kappa); the larger is |stress| */
  GRADYN_EITHER_FIBRE
} gradyn_fibre;

/* Returns the point at a node of a beam. node: 0 to the number of elements, or GRADYN_BEAM_END. The points
 * of the first and last node are those of the spec. On failure gradyn_build_status() reports the error, and
 * the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_beam_node(gradyn_model *model, gradyn_beam_id beam, int node);

/* Returns the slope dr/dx of a beam at a node: the tangent vector, dimensionless, of length 1 without axial
 * strain.
 *
 * node: 0 to the number of elements, or GRADYN_BEAM_END. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_slope_id gradyn_beam_slope(gradyn_model *model, gradyn_beam_id beam, int node);

/* Welds a node of a beam to a body or to the ground: node and tangent keep their initial position and
 * direction in it.
 *
 * The tangent stays normal to its initial normals n1 and, in space, n2. Its length is free, so that the
 * beam can stretch there; Ebrahimi et al. (2018), eq. (42), fix it. Beams transmit no twist.
 *
 * Constraints: name.n1 and, in space, name.n2, with the bending moment as multiplier, N m. If the node is
 * no point of the body, name.x, ... follow; their multipliers are the force of the body on the node, N. A
 * weld to the ground has name.point.x, ... instead, with the force of the node on the ground, unless the
 * node is fixed already. Data: name.n1.local_x, ... and name.point.local_x, ... Data of a weld to the
 * ground: name.n1.x, ... and name.point.x, ...
 *
 * name: at most 80 characters; NULL: "weld", on the ground "clamp". node: 0 to the number of elements, or
 *   GRADYN_BEAM_END. body: its number, or GRADYN_GROUND. The node may be a point of another body. */
GRADYN_API void gradyn_weld(gradyn_model *model, const char *name, gradyn_beam_id beam, int node,
                            gradyn_body_id body);

/* Welds a node of one beam to a node of another: the nodes coincide and the tangents keep their angle.
 *
 * Different nodes are pinned by name.x, ..., as by gradyn_pin() with the node of beam_b as b. Constraint of
 * the tangents: name.slope, with the datum name.cosine and a multiplier in N m. If the tangents are
 * parallel at the start, they stay equal or opposite instead, also in length: name.slope.x, ... Both beams
 * then have the same axial strain there. name: at most 80 characters; NULL: "weld". node_a, node_b: 0 to
 * the number of elements, or GRADYN_BEAM_END. */
GRADYN_API void gradyn_weld_beams(gradyn_model *model, const char *name, gradyn_beam_id beam_a,
                                  int node_a, gradyn_beam_id beam_b, int node_b);

/* Drawing hints for mechanisms. Hints affect reports only.
 *
 * For build(). Errors of all functions here are reported by gradyn_build_status(). */

/* Draws a body as a box about its centre of mass. x, y, z: lengths of the sides along the base vectors,
 * m, > 0; in the plane z is not used. The last box or cylinder of a body counts. */
GRADYN_API void gradyn_draw_box(gradyn_model *model, gradyn_body_id body, double x, double y,
                                double z);

/* Draws a body as a cylinder about its centre of mass. axis: base vector along the cylinder; in the plane
 * GRADYN_Z, for a disc. radius, length: m, > 0. */
GRADYN_API void gradyn_draw_cylinder(gradyn_model *model, gradyn_body_id body, gradyn_axis axis,
                                     double radius, double length);

/* Draws the path of a point of any kind; joint coordinates and first-order states are refused. */
GRADYN_API void gradyn_draw_trace(gradyn_model *model, gradyn_point_id point);

/* Sets the colour of a drawn object. name: name of the object, for example a rod, spring, body or beam;
 * copied; must be given. rgb: 0x000000 to 0xffffff, as 0xrrggbb. The last colour of a name counts; a name
 * that is not drawn has no effect. */
GRADYN_API void gradyn_draw_colour(gradyn_model *model, const char *name, unsigned rgb);

#ifdef __cplusplus
}
#endif

#endif
