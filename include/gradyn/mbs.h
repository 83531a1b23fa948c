/* Mechanisms in natural coordinates: the coordinates of points, base vectors and slopes. Planar or, with
 * the functions whose names end in _3d, spatial; one model is either. SI units. */
#ifndef GRADYN_MBS_H
#define GRADYN_MBS_H

#include <gradyn/bushing.h>
#include <gradyn/model.h>
#include <gradyn/section.h>

/* --- Points ----------------------------------------------------------------------------------- */

/* A point fixed to the ground at (x, y), m. Returns its number. Data: name.x, name.y. */
GRADYN_API int gradyn_ground_point(gradyn_model *model, const char *name, gradyn_scalar x,
                                   gradyn_scalar y);

/* A moving point with an approximate initial position, m; at rest. Data: name.x, name.y, name.vx,
 * name.vy. The initial position is the one nearest to all these that satisfies the constraints and
 * everything that is held. */
GRADYN_API int gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x,
                            gradyn_scalar y);

/* Gives a moving point an approximate initial velocity, m/s. */
GRADYN_API void gradyn_initial_velocity(gradyn_model *model, int point, gradyn_scalar vx,
                                        gradyn_scalar vy);

/* The same in space. */
GRADYN_API int gradyn_ground_point_3d(gradyn_model *model, const char *name, gradyn_scalar x,
                                      gradyn_scalar y, gradyn_scalar z);
GRADYN_API int gradyn_point_3d(gradyn_model *model, const char *name, gradyn_scalar x,
                               gradyn_scalar y, gradyn_scalar z);
GRADYN_API void gradyn_initial_velocity_3d(gradyn_model *model, int point, gradyn_scalar vx,
                                           gradyn_scalar vy, gradyn_scalar vz);

/* A point on the line through two points, at from + share (to - from), for example along a rod. Neither
 * may itself be attached. Data: name.share. */
GRADYN_API int gradyn_point_between(gradyn_model *model, const char *name, int from, int to,
                                    gradyn_scalar share);

/* --- Inertia ---------------------------------------------------------------------------------- */

/* A rigid bar between two points. Uniform unless own_inertia is set. Data: name.length, name.mass,
 * name.com, name.inertia (four independent numbers). */
typedef struct gradyn_rod_spec {
  const char *name;
  int from, to;
  gradyn_scalar length;  /* m, > 0; 0: the initial distance of its points */
  gradyn_scalar mass;    /* kg, >= 0 */
  bool own_inertia;      /* com and inertia below hold; otherwise length/2 and mass length^2/12 */
  gradyn_scalar com;     /* distance of the centre of mass from `from` along the bar, m */
  gradyn_scalar inertia; /* about the centre of mass, kg m^2, >= 0 */
} gradyn_rod_spec;

/* Returns the number of the rod (for torques and driven angles). The rod's constraint is
 * (|r|^2/L - L)/2 = 0; its multiplier is the axial force, N, positive in tension. */
GRADYN_API int gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec);

/* A mass at a point, kg. Data: name.mass. */
GRADYN_API void gradyn_point_mass(gradyn_model *model, const char *name, int point,
                                  gradyn_scalar mass);

/* Uniform gravity, m/s^2. Data: gravity.x, gravity.y. Once per model. */
GRADYN_API void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy);
GRADYN_API void gradyn_gravity_3d(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy,
                                  gradyn_scalar gz);

/* --- Rigid bodies ------------------------------------------------------------------------------ */

/* A rigid body: centre of mass and base vectors, which are parallel to the axes at the initial time.
 * Data: name.mass, name.inertia (plane) or name.inertia_xx, ... (space); name.x, ... and name.vx, ...
 * of the centre; name.e1.x, ... of the base vectors. */
typedef struct gradyn_body_spec {
  const char *name;
  gradyn_scalar centre[3]; /* initial position of the centre of mass, m */
  gradyn_scalar mass;      /* kg, > 0 */
  gradyn_scalar
      inertia[6]; /* tensor about the centre at the initial time: xx, yy, zz, xy, xz, yz, kg
                                m^2; positive definite. In the plane zz only. */
  gradyn_scalar velocity[3]; /* initial, of the centre, m/s */
  gradyn_scalar omega[3];    /* initial, rad/s; in the plane omega[2] only */
} gradyn_body_spec;

/* Return the number of the body. What resists no rotation about some axis is no body: a slender bar is a
 * rod (its points can carry others: gradyn_point_between), a particle a point with a point mass. */
GRADYN_API int gradyn_body(gradyn_model *model, const gradyn_body_spec *spec);
GRADYN_API int gradyn_body_3d(gradyn_model *model, const gradyn_body_spec *spec);

/* The point that is its centre of mass. */
GRADYN_API int gradyn_body_centre(gradyn_model *model, int body);

/* A point fixed to a body, given by its position at the initial time, m; it can be used like any other
 * point, without a joint. Data: name.local_x, ... */
GRADYN_API int gradyn_body_point(gradyn_model *model, int body, const char *name, gradyn_scalar x,
                                 gradyn_scalar y);
GRADYN_API int gradyn_body_point_3d(gradyn_model *model, int body, const char *name,
                                    gradyn_scalar x, gradyn_scalar y, gradyn_scalar z);

/* --- Beams ------------------------------------------------------------------------------------- */

/* A straight flexible beam between two points (of any kind: sharing a point is a pin), divided into
 * elements of the absolute nodal coordinate formulation without shear; Ebrahimi et al. (2018), section
 * 5.1. Data: name.length, young, area, second_moment, damping, density, reach; of its nodes
 * name.1.x, ... and of its slopes name.slope0.x, ... */
typedef struct gradyn_beam_spec {
  const char *name;
  int from, to;
  int elements;           /* >= 1 */
  gradyn_section section; /* see <gradyn/section.h> */
  gradyn_scalar young;    /* Pa */
  gradyn_scalar density;  /* kg/m^3 */
  gradyn_scalar damping;  /* structural (Kelvin-Voigt): viscosity over modulus, s */
  bool linear; /* the simple force for small strains, eq. (34), which conserves no energy,
                             instead of the one of the full strain and curvature, eq. (32) */
  gradyn_scalar velocity[3]; /* initial, of the line through `from`, m/s: inner nodes move like a */
  gradyn_scalar omega[3];    /* rigid body with velocity at `from` and this rate of turn, rad/s; the
                                two points have initial velocities of their own */
} gradyn_beam_spec;

/* Returns the number of the beam. */
GRADYN_API int gradyn_beam(gradyn_model *model, const gradyn_beam_spec *spec);

#define GRADYN_BEAM_END (-1) /* the last node of a beam, whatever its number */

/* The point that is a node, and the direction that is its slope dr/dx; nodes 0 to elements. */
GRADYN_API int gradyn_beam_node(gradyn_model *model, int beam, int node);
GRADYN_API int gradyn_beam_slope(gradyn_model *model, int beam, int node);

/* --- Joints of points, bodies and beams -------------------------------------------------------- */

/* Pin (spherical joint): two points coincide. Returns the number of the constraint along x; those along
 * y and z follow. Their multipliers are the force that b exerts on a, N. */
GRADYN_API int gradyn_pin(gradyn_model *model, const char *name, int a, int b);

/* Weld: a node of a beam keeps its place in a body, and its slope its direction there, normal to n1 and
 * n2 (in the plane n1). Twist is not transmitted: the beams have none. Ebrahimi et al. (2018), eq. (42),
 * hold the length of the slope as well, hence no axial strain where the beam is held; here the beam
 * stretches freely. Constraints: name.n1, name.n2, whose multipliers are the bending moment, N m; data:
 * name.n1.local_x, ... */
GRADYN_API void gradyn_weld(gradyn_model *model, const char *name, int beam, int node, int body);

/* Weld of two beams: the nodes coincide, the slopes keep their angle (constraint name.slope, datum
 * name.cosine), or, if they are in line, stay equal or opposite, with one axial strain. */
GRADYN_API void gradyn_weld_beams(gradyn_model *model, const char *name, int beam_a, int node_a,
                                  int beam_b, int node_b);

/* A node of a beam keeps its initial place and direction, as if welded to the ground. Data:
 * name.n1.x, ... */
GRADYN_API void gradyn_clamp(gradyn_model *model, const char *name, int beam, int node);

/* --- Functions of time for driven constraints ------------------------------------------------- */

/* value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) (+ a cubic-spline
 * signal). All of them are data. */
typedef struct gradyn_law {
  gradyn_scalar value, rate, acceleration;
  gradyn_scalar amplitude, frequency, phase; /* frequency in rad/s, phase in rad */
  bool has_signal;
  int signal; /* a cubic spline: driven constraints need two continuous derivatives */
} gradyn_law;

/* --- Constraints: each returns its number, the index of its multiplier ------------------------ */

/* |r_to - r_from| = law(t), law > 0, m. */
GRADYN_API int gradyn_distance(gradyn_model *model, const char *name, int from, int to,
                               const gradyn_law *law);

typedef enum gradyn_axis { GRADYN_X = 0, GRADYN_Y = 1, GRADYN_Z = 2 } gradyn_axis;

/* One coordinate of a point = law(t), m. */
GRADYN_API int gradyn_coordinate(gradyn_model *model, const char *name, int point, gradyn_axis axis,
                                 const gradyn_law *law);

/* Direction from one point to another, counter-clockwise from the x axis = law(t), rad. */
GRADYN_API int gradyn_angle(gradyn_model *model, const char *name, int from, int to,
                            const gradyn_law *law);

/* A constraint written by the user in position, velocity and acceleration form: order 0 gives
 * phi(t, pos), order 1 its time derivative (uses vel), order 2 the second one (uses vel, acc).
 * The Jacobians come by complex step; `gradyn check` tests that the three forms agree. */
typedef gradyn_status (*gradyn_constraint_fn)(const gradyn_at *at, int order, gradyn_scalar *value);

typedef struct gradyn_custom_constraint_spec {
  const char *name;
  const int *points; /* [point_count], those whose coordinates it uses; at->pos etc. hold only
                        these, in this order */
  int point_count;   /* at most GRADYN_CUSTOM_POINTS */
  gradyn_constraint_fn fn;
  const gradyn_datum *data; /* [data_count] */
  int data_count;
  void *user;
} gradyn_custom_constraint_spec;

#define GRADYN_CUSTOM_POINTS 8

/* Adds such a constraint; returns its number. */
GRADYN_API int gradyn_custom_constraint(gradyn_model *model,
                                        const gradyn_custom_constraint_spec *spec);

/* --- What is held when the initial position and velocity are solved --------------------------- */

/* Holds a coordinate of a point, with its initial velocity, at the values given with the point. */
GRADYN_API void gradyn_hold_coordinate(gradyn_model *model, int point, gradyn_axis axis);

/* Holds the distance of two points (m) and its rate (m/s). Data: name.value, name.rate. */
GRADYN_API void gradyn_hold_distance(gradyn_model *model, const char *name, int from, int to,
                                     gradyn_scalar value, gradyn_scalar rate);

/* Holds the direction from one point to another (rad) and its rate (rad/s). */
GRADYN_API void gradyn_hold_angle(gradyn_model *model, const char *name, int from, int to,
                                  gradyn_scalar value, gradyn_scalar rate);

/* The mechanism starts in static equilibrium: the initial position is not the one nearest to the points as
 * given but an equilibrium, stable unless they are one already, to which it falls from there under the
 * forces, signals and laws of motion at the initial time. It starts at rest (laws that move at once leave no
 * choice); what is held, and initial velocities, do not count. */
GRADYN_API void gradyn_start_in_equilibrium(gradyn_model *model);

/* --- Forces ----------------------------------------------------------------------------------- */

/* Spring, damper and actuator along the line of two points: tension
 * k (s - free_length) + c s' + force (+ signal). */
typedef struct gradyn_spring_spec {
  const char *name;
  int from, to;
  gradyn_scalar k;           /* stiffness, N/m */
  gradyn_scalar c;           /* damping, N s/m */
  gradyn_scalar free_length; /* m */
  gradyn_scalar force;       /* constant tension, N */
  bool has_signal;
  int signal; /* added tension, N */
} gradyn_spring_spec;

/* Adds a spring; the spec is copied. */
GRADYN_API void gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec);

/* A dashpot between two points that resists their relative velocity in every direction alike, -c (r_b' -
 * r_a'); Ebrahimi et al. (2018), eq. (43). Data: name.damping, N s/m. */
GRADYN_API void gradyn_dashpot(gradyn_model *model, const char *name, int a, int b,
                               gradyn_scalar c);

/* A force on a point: (fx, fy, fz), multiplied by the signal if there is one. N. fz: in space only. */
typedef struct gradyn_force_spec {
  const char *name;
  int point;
  gradyn_scalar fx, fy;
  bool has_signal;
  int signal;
  gradyn_scalar fz;
} gradyn_force_spec;

/* Adds a force; the spec is copied. */
GRADYN_API void gradyn_force(gradyn_model *model, const gradyn_force_spec *spec);

/* A torque on the bar between two points, counter-clockwise, multiplied by the signal if there is
 * one; plus viscous friction -c omega. N m. */
typedef struct gradyn_torque_spec {
  const char *name;
  int from, to;
  gradyn_scalar torque; /* N m */
  gradyn_scalar c;      /* N m s */
  bool has_signal;
  int signal;
} gradyn_torque_spec;

/* Adds a torque; the spec is copied. */
GRADYN_API void gradyn_torque(gradyn_model *model, const gradyn_torque_spec *spec);

/* A force law of the user's own: fills force [point_count][2], in space [3], N, from at->t, at->pos, at->vel,
 * at->data, at->u and, if the force reads multipliers, at->lam; differentiated by complex step. Friction in
 * a joint reads those of its constraints: it must be smooth in them, sqrt(lam^2 + small^2) for |lam|. */
typedef gradyn_status (*gradyn_force_fn)(const gradyn_at *at, gradyn_scalar force[]);

typedef struct gradyn_custom_force_spec {
  const char *name;
  const int *points; /* [point_count], at most GRADYN_CUSTOM_POINTS */
  int point_count;
  gradyn_force_fn fn;
  const gradyn_datum *data; /* [data_count] */
  int data_count;
  void *user;
  const char *const *reads; /* [read_count] names of the constraints whose multipliers it reads:
                               at->lam holds these, in this order */
  int read_count;           /* at most GRADYN_CUSTOM_READS; not with the method variational */
} gradyn_custom_force_spec;

#define GRADYN_CUSTOM_READS 8

/* Adds such a force; the spec is copied. */
GRADYN_API void gradyn_custom_force(gradyn_model *model, const gradyn_custom_force_spec *spec);

/* --- Functionals of mechanisms: each returns its number --------------------------------------- */

/* Integral of |r - (x, y)|^2, |r' - (x, y)|^2, |r'' - (x, y)|^2 of a point. Data: name.x, name.y. */
GRADYN_API int gradyn_track_position(gradyn_model *model, const char *name, int point,
                                     gradyn_scalar x, gradyn_scalar y);
GRADYN_API int gradyn_track_velocity(gradyn_model *model, const char *name, int point,
                                     gradyn_scalar x, gradyn_scalar y);
GRADYN_API int gradyn_track_acceleration(gradyn_model *model, const char *name, int point,
                                         gradyn_scalar x, gradyn_scalar y);

/* The same in space. */
GRADYN_API int gradyn_track_position_3d(gradyn_model *model, const char *name, int point,
                                        gradyn_scalar x, gradyn_scalar y, gradyn_scalar z);
GRADYN_API int gradyn_track_velocity_3d(gradyn_model *model, const char *name, int point,
                                        gradyn_scalar x, gradyn_scalar y, gradyn_scalar z);
GRADYN_API int gradyn_track_acceleration_3d(gradyn_model *model, const char *name, int point,
                                            gradyn_scalar x, gradyn_scalar y, gradyn_scalar z);

/* A coordinate, or velocity, of a point at the end time. */
GRADYN_API int gradyn_end_position(gradyn_model *model, const char *name, int point,
                                   gradyn_axis axis);
GRADYN_API int gradyn_end_velocity(gradyn_model *model, const char *name, int point,
                                   gradyn_axis axis);

/* Rotation of the line from one point to another over the run, rad: integral of omega. */
GRADYN_API int gradyn_rotation(gradyn_model *model, const char *name, int from, int to);

/* Angular velocity of that line at the end time, rad/s. */
GRADYN_API int gradyn_end_angular_velocity(gradyn_model *model, const char *name, int from, int to);

/* Integral of the squared multiplier of a constraint. */
GRADYN_API int gradyn_reaction(gradyn_model *model, const char *name, int constraint);

/* Deflection of the last node of a beam from the tangent at its first, m: in the plane positive to the
 * left of the tangent, in space a distance. At a time of the run, s; 0: at its end. */
GRADYN_API int gradyn_deflection(gradyn_model *model, const char *name, int beam, double instant);

/* Axial stress of a beam at a node, in the fibre that bending stretches or shortens most,
 * E (eps +- reach kappa), Pa; time as above. */
typedef enum gradyn_fibre { GRADYN_STRETCHED, GRADYN_SHORTENED } gradyn_fibre;
GRADYN_API int gradyn_stress(gradyn_model *model, const char *name, int beam, int node,
                             gradyn_fibre side, double instant);

/* Kreisselmeier-Steinhauser maximum of the magnitude of the axial stress over the allowed one (1: just
 * allowed), over all nodes, fibres and the run: (1/sharpness) ln( (1/T) integral of the sum of
 * exp(sharpness |stress|/allowed) dt ), sharpness at most 600. Data: name.allowed, Pa. */
GRADYN_API int gradyn_largest_stress(gradyn_model *model, const char *name, int beam,
                                     gradyn_scalar allowed, double sharpness);

/* Undeformed length of a beam, m; mass of the whole mechanism, kg. */
GRADYN_API int gradyn_beam_length(gradyn_model *model, const char *name, int beam);
GRADYN_API int gradyn_mass(gradyn_model *model, const char *name);

/* Kinetic plus potential energy (of gravity, springs, beams) at the end time, J. */
GRADYN_API int gradyn_end_energy(gradyn_model *model, const char *name);

#endif
