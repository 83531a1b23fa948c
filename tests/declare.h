/* Declarations with the few arguments that most models of tests need. */
#ifndef GRADYN_TESTS_DECLARE_H
#define GRADYN_TESTS_DECLARE_H

#include <gradyn/gradyn.h>

/* Declares a signal with knots [count] at equal distances over the run. Returns its number. */
int declare_signal(gradyn_model *model, const char *name, const char *unit, gradyn_signal_kind kind,
                   int count, const gradyn_scalar *knots);

/* Declares general equations with data [count]. */
void declare_equations(gradyn_model *model, gradyn_residual_fn residual, const gradyn_datum *data,
                       int count);

/* Declares a planar body at rest at (x, y). Returns its number. */
int declare_body(gradyn_model *model, const char *name, gradyn_scalar mass, gradyn_scalar inertia,
                 gradyn_scalar x, gradyn_scalar y);

/* Declares a spatial body at rest with its centre at the given position. inertia [6]: xx, yy, zz, xy, xz,
 * yz. Returns its number. */
int declare_body_3d(gradyn_model *model, const char *name, gradyn_scalar mass,
                    const gradyn_scalar *inertia, const gradyn_scalar *centre);
#define INERTIA(...) ((const gradyn_scalar[6]){__VA_ARGS__})

/* Declares a force on a point: signal times (fx, fy). */
int declare_push(gradyn_model *model, const char *name, int point, gradyn_scalar fx,
                 gradyn_scalar fy, int signal);

/* Coordinates of a position or of a direction:
 *   declare_joint(m, "elbow", GRADYN_REVOLUTE, lower, upper, VECTOR(0.6, 0, 0), VECTOR(0, 1, 0)) */
#define VECTOR(...) ((const gradyn_scalar[3]){__VA_ARGS__})

/* Declare a joint at a position, and a frame on a body. Axes and positions may be NULL: zero. They return
 * the numbers. */
int declare_joint(gradyn_model *model, const char *name, gradyn_joint_kind kind, int body_a,
                  int body_b, const gradyn_scalar *position, const gradyn_scalar *axis);
int declare_frame(gradyn_model *model, const char *name, int body, const gradyn_scalar *origin,
                  const gradyn_scalar *axis);

/* Declares a force on one point, with data [count]. */
int declare_force(gradyn_model *model, const char *name, int point, gradyn_force_fn fn,
                  const gradyn_datum *data, int count);

/* Declare a functional at the end of a run, and the integral of a function. They return the numbers. */
int declare_end(gradyn_model *model, const char *name, const char *unit, gradyn_functional_fn fn);
int declare_integral(gradyn_model *model, const char *name, const char *unit,
                     gradyn_functional_fn fn);
/* A functional of a measure without further members. Returns its number. */
int declare_functional(gradyn_model *model, const char *name, int measure,
                       gradyn_reduction reduction);
/* The fit "fit" as the objective. */
void declare_fit(gradyn_model *model, int measure, const gradyn_fit_spec *spec);
/* The integral of |measure - (x, y, z)|^2. Returns the number. */
int declare_tracking(gradyn_model *model, const char *name, int measure, gradyn_scalar x,
                     gradyn_scalar y, gradyn_scalar z);
/* Measure without a column by the only function of a spec, and reductions of it, called as the spec. */
int declare_hidden(gradyn_model *model, const gradyn_custom_functional_spec *spec);
int declare_maximum(gradyn_model *model, const gradyn_custom_functional_spec *spec);
int declare_smooth_maximum(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                           double sharpness);
int declare_before_event(gradyn_model *model, const gradyn_custom_functional_spec *spec, int event,
                         int occurrence);
int declare_after_event(gradyn_model *model, const gradyn_custom_functional_spec *spec, int event,
                        int occurrence);
int declare_limit(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                  gradyn_scalar lower, gradyn_scalar upper, double tolerance);

#endif
