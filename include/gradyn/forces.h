/* Forces on mechanisms. Further ones: <gradyn/bushing.h>, <gradyn/friction.h>, <gradyn/control.h>. */
#ifndef GRADYN_FORCES_H
#define GRADYN_FORCES_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Spring, damper and actuator along the line of two points: tension
 * k (s - free_length) + c s' + force (+ signal). */
typedef struct gradyn_spring_spec {
  const char *name;
  gradyn_point_id from, to;
  gradyn_scalar k;           /* stiffness, N/m */
  gradyn_scalar c;           /* damping, N s/m */
  gradyn_scalar free_length; /* m */
  gradyn_scalar force;       /* constant tension, N */
  bool has_signal;
  gradyn_signal_id signal; /* added tension, N */
} gradyn_spring_spec;

/* Adds a spring; the spec is copied. */
GRADYN_API void gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec);

/* A dashpot between two points that resists their relative velocity in every direction alike, -c (r_b' -
 * r_a'); Ebrahimi et al. (2018), eq. (43). Data: name.damping, N s/m. */
GRADYN_API void gradyn_dashpot(gradyn_model *model, const char *name, gradyn_point_id a,
                               gradyn_point_id b, gradyn_scalar c);

/* Attraction of two points along their line by the inverse square of their distance s, of masses (strength
 * = G m_a m_b), or of charges (negative: they repel each other): strength s/(s^2 + core^2)^(3/2), potential
 * energy -strength/sqrt(s^2 + core^2). A core radius above zero bounds it where points come near each other;
 * without, a run in which they meet fails with GRADYN_NON_FINITE. Data: name.strength, name.core. */
typedef struct gradyn_attraction_spec {
  const char *name;
  gradyn_point_id from, to;
  gradyn_scalar strength; /* N m^2 */
  gradyn_scalar core;     /* m, not negative */
} gradyn_attraction_spec;

/* Adds an attraction; the spec is copied. */
GRADYN_API void gradyn_attraction(gradyn_model *model, const gradyn_attraction_spec *spec);

/* A force on a point: (fx, fy, fz), multiplied by the signal if there is one. N. fz: in space only. */
typedef struct gradyn_force_spec {
  const char *name;
  gradyn_point_id point;
  gradyn_scalar fx, fy;
  bool has_signal;
  gradyn_signal_id signal;
  gradyn_scalar fz;
} gradyn_force_spec;

/* Adds a force; the spec is copied. */
GRADYN_API void gradyn_force(gradyn_model *model, const gradyn_force_spec *spec);

/* A torque on the bar between two points, counter-clockwise, multiplied by the signal if there is
 * one; plus viscous friction -c omega. N m. */
typedef struct gradyn_torque_spec {
  const char *name;
  gradyn_point_id from, to;
  gradyn_scalar torque; /* N m */
  gradyn_scalar c;      /* N m s */
  bool has_signal;
  gradyn_signal_id signal;
} gradyn_torque_spec;

/* Adds a torque; the spec is copied. */
GRADYN_API void gradyn_torque(gradyn_model *model, const gradyn_torque_spec *spec);

/* A force law of the user's own: fills force [point_count][2], in space [3], N, from at->t, at->pos, at->vel,
 * at->data, at->u and, if the force reads multipliers, at->lam; differentiated by complex step. Friction in
 * a joint reads those of its constraints: it must be smooth in them, sqrt(lam^2 + small^2) for |lam|. */
typedef gradyn_status (*gradyn_force_fn)(const gradyn_at *at, gradyn_scalar force[]);

typedef struct gradyn_custom_force_spec {
  const char *name;
  const gradyn_variable_id
      *points; /* [point_count], each once, at most GRADYN_CUSTOM_POINTS: at->pos and
                                       at->vel hold only these, in this order */
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

#ifdef __cplusplus
}
#endif

#endif
