/* Declarations with what most models of tests give of them. */
#ifndef GRADYN_TESTS_DECLARE_H
#define GRADYN_TESTS_DECLARE_H

#include <gradyn/gradyn.h>

/* A signal with knots [count] at equal distances over the run; its number. */
int declare_signal(gradyn_model *model, const char *name, const char *unit, gradyn_signal_kind kind,
                   int count, const gradyn_scalar *knots);

/* General equations with data [count]. */
void declare_equations(gradyn_model *model, gradyn_residual_fn residual, const gradyn_datum *data,
                       int count);

/* A body in the plane that rests at (x, y); its number. */
int declare_body(gradyn_model *model, const char *name, gradyn_scalar mass, gradyn_scalar inertia,
                 gradyn_scalar x, gradyn_scalar y);

/* A body in space that rests with its centre at a place; inertia [6] xx, yy, zz, xy, xz, yz; its number. */
int declare_body_3d(gradyn_model *model, const char *name, gradyn_scalar mass,
                    const gradyn_scalar *inertia, const gradyn_scalar *centre);
#define INERTIA(...) ((const gradyn_scalar[6]){__VA_ARGS__})

/* What a signal is times (fx, fy) as a force on a point. */
void declare_push(gradyn_model *model, const char *name, int point, gradyn_scalar fx,
                  gradyn_scalar fy, int signal);

/* Coordinates of a place or of a direction:
 *   declare_joint(m, "elbow", GRADYN_REVOLUTE, lower, upper, VECTOR(0.6, 0, 0), VECTOR(0, 1, 0)) */
#define VECTOR(...) ((const gradyn_scalar[3]){__VA_ARGS__})

/* A joint at a place, and a frame on a body, their axes and places as told or NULL: zero; their numbers. */
int declare_joint(gradyn_model *model, const char *name, gradyn_joint_kind kind, int body_a,
                  int body_b, const gradyn_scalar *position, const gradyn_scalar *axis);
int declare_frame(gradyn_model *model, const char *name, int body, const gradyn_scalar *origin,
                  const gradyn_scalar *axis);

/* A force on one point, with data [count]. */
void declare_force(gradyn_model *model, const char *name, int point, gradyn_force_fn fn,
                   const gradyn_datum *data, int count);

/* A functional of what a model is at its end, or the integral of a function; its number. */
int declare_end(gradyn_model *model, const char *name, const char *unit, gradyn_functional_fn fn);
int declare_integral(gradyn_model *model, const char *name, const char *unit,
                     gradyn_functional_fn fn);

#endif
