/* Fixed-step schemes as maps from one node to the next, with the derivatives of that map. Runs, direct
 * sweeps and adjoint sweeps use these tables only. [batches] stands for [(count + 3)/4] arrays of lanes. */
#ifndef GRADYN_DAE_STEPPER_H
#define GRADYN_DAE_STEPPER_H

#include "core/linear/lanes.h"
#include "core/model/model.h"

typedef struct gradyn_stepper gradyn_stepper;

/* A step into a narrow range of slip velocities in which a force changes fast. */
typedef struct gradyn_slip_jump {
  double rate, t; /* change of the slip in a step over the width of the range and h, 1/s; time, s */
  const char *force; /* name of the force */
} gradyn_slip_jump;

/* Part of y that is requested at a point: q; q and v; all. The rest may have any finite values. */
typedef enum gradyn_depth { GRADYN_POSITIONS, GRADYN_VELOCITIES, GRADYN_FORCES } gradyn_depth;

/* The output state at one point of a run, filled by complete() or sample(). view_tangent() and
 * view_transposed() differentiate it, also after other points have been evaluated. */
typedef struct gradyn_view {
  double *y;          /* [ny] */
  double *mult;       /* [m] multipliers of the projection of the velocities */
  gradyn_depth depth; /* part of y that is filled */
  bool node;   /* true: a node; false: inside a step of length h that begins at t - share h */
  double t, h; /* time of the node or of the point, and length of the step, s */
  long number; /* counts the points evaluated by the stepper */
} gradyn_view;

/* Directions of differentiation, and changes of the times of a point along them. */
typedef struct gradyn_view_moves {
  int count;              /* number of directions */
  const gradyn_lanes *dx; /* [batches][nx]; NULL: no datum changes */
  const double *dh;       /* [count] changes of the step's length; not used at a node */
  const double *dt;       /* [count] changes of the time of the node, or of the step's end */
} gradyn_view_moves;

/* Adjoints to which those of an output state are added. h_bar, t_bar [count]; NULL: not requested. */
typedef struct gradyn_view_bars {
  int count;                   /* number of functionals */
  gradyn_lanes *s_bar, *x_bar; /* [batches][ns] of the node, or of a step's end; [batches][nx] */
  double *h_bar, *t_bar;
} gradyn_view_bars;

/* A node has `record` numbers: the state of the scheme [ns], then data of the step to the node for
 * derivatives. Without complete(), the state begins with the output state y [ny]. A step depends only on
 * the state of its first node, the times and the data: a repetition gives the same bits. Errors of all
 * functions: failures of the equations, and those stated. */
typedef struct gradyn_stepper_ops {
  const char *name;
  /* Computes a consistent initial node; h: expected length of the next steps, s. */
  gradyn_status (*start)(gradyn_stepper *s, double h, double *node);
  /* Takes a step from t to t + h, s. GRADYN_NOT_CONVERGED: a smaller h may succeed. GRADYN_SINGULAR: the
   * step ends too near a singular position; another h may succeed, or the same h with `lenient` set. */
  gradyn_status (*step)(gradyn_stepper *s, double t, double h, const double *from, double *to);

  /* Sets ds [ns], the derivative of the initial state along dx [nx]; and the transpose, x_bar [nx] +=    *
   * (ds/dx)^T s_bar [ns], which may overwrite s_bar. The data must be those of start(). */
  gradyn_status (*start_tangent)(gradyn_stepper *s, const double *dx, double *ds);
  gradyn_status (*start_transposed)(gradyn_stepper *s, double *s_bar, double *x_bar);

  /* Evaluates and factorises the matrices of a step taken before, for the next two functions. */
  gradyn_status (*linearise)(gradyn_stepper *s, double t, double h, const double *from,
                             const double *to);
  /* Derivative of the step of the last linearise(), for `count` directions: ds [batches][ns] of the first
   * node becomes that of the second. Data change by dx [batches][nx] (NULL: no change), the length of the
   * step by dh [count], the time of its end by dt [count]. */
  gradyn_status (*tangent)(gradyn_stepper *s, int count, const gradyn_lanes *dx, const double *dh,
                           const double *dt, gradyn_lanes *ds);
  /* Transpose, for `count` functionals: s_bar [batches][ns] of the second node becomes that of the first;
   * x_bar [batches][nx], h_bar and t_bar [count] (NULL: not requested) are added to. Unused lanes stay
   * zero. */
  gradyn_status (*transposed)(gradyn_stepper *s, int count, gradyn_lanes *s_bar,
                              gradyn_lanes *x_bar, double *h_bar, double *t_bar);

  /* enter(): computes a node from a consistent output state y [ny] after an event at t, s; h: expected
   * length of the next steps, s. Tangent: ds [ns] from dy [ny] along dx [nx]. Transposed: adds to y_bar
   * [ny] and x_bar [nx], from s_bar [ns]. */
  gradyn_status (*enter)(gradyn_stepper *s, double t, double h, const double *y, double *node);
  gradyn_status (*enter_tangent)(gradyn_stepper *s, const double *y, const double *dx,
                                 const double *dy, double *ds);
  gradyn_status (*enter_transposed)(gradyn_stepper *s, const double *y, const double *s_bar,
                                    double *y_bar, double *x_bar);

  /* Computes the output state of a node at t, to the requested depth, in *view. NULL: a node begins with
   * y. */
  gradyn_status (*complete)(gradyn_stepper *s, double t, const double *node, gradyn_depth depth,
                            gradyn_view *view);
  /* Computes the output state at the only quadrature point of a step from t, t + share h. NULL: integrals
   * are computed by the trapezoidal rule over nodes. */
  gradyn_status (*sample)(gradyn_stepper *s, double t, double h, const double *from,
                          const double *to, gradyn_depth depth, gradyn_view *view);
  /* Derivative of an output state: dy [batches][ny] from ds [batches][ns] of its node, or of the node at
   * the end of its step. Transposed: from y_bar [count][ny], which is overwritten and must be 0 for parts
   * of y beyond the depth. */
  gradyn_status (*view_tangent)(gradyn_stepper *s, const gradyn_view *view,
                                const gradyn_view_moves *moves, const gradyn_lanes *ds,
                                gradyn_lanes *dy);
  gradyn_status (*view_transposed)(gradyn_stepper *s, const gradyn_view *view, double *y_bar,
                                   const gradyn_view_bars *adjoints);

  /* Raises worst [3] to max |Phi|, |Phi'|, |Phi''| at a node. A scheme with complete() uses the last view,
   * and |Phi'|, |Phi''| only if its depth includes them. NULL: not available. */
  gradyn_status (*drift)(gradyn_stepper *s, double t, const double *node, const gradyn_view *view,
                         double *worst);
  void (*free)(gradyn_stepper *s);
} gradyn_stepper_ops;

struct gradyn_stepper {
  const gradyn_stepper_ops *ops;
  gradyn_model *model;
  int ny, ns, record;
  double share; /* position of the quadrature point in a step */
  bool lenient; /* accept steps that end near singular positions */
  bool
      abrupt; /* velocities changed abruptly in the last step; a singular position may be the cause */
  bool multipliers; /* tangent() must include derivatives of multipliers */
  long newton_iterations, factorisations;
  gradyn_slip_jump leap; /* largest one of the run; rate 0: none */
  gradyn_slip_jump exit; /* the same for steps that leave such a range */
};

/* Creates the ALI3-P scheme for mechanisms. The model must outlive *out; options are not kept. Free *out,
 * unless NULL, by ops->free() also after an error. Errors: GRADYN_INVALID, GRADYN_UNSUPPORTED, the options
 * or the model do not suit; GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_create(gradyn_model *model, const gradyn_options *options,
                                  gradyn_stepper **out);

/* Creates the variational scheme for mechanisms with a constant mass matrix. The model must outlive *out;
 * options are not kept. Free *out, unless NULL, by ops->free() also after an error. Errors: GRADYN_INVALID,
 * GRADYN_UNSUPPORTED, GRADYN_NO_MEMORY. */
gradyn_status gradyn_variational_create(gradyn_model *model, const gradyn_options *options,
                                        gradyn_stepper **out);

/* Creates a scheme for kinematics with inverse dynamics; options are not used. The model must outlive *out.
 * Free *out, unless NULL, by ops->free() also after an error. Errors: GRADYN_UNSUPPORTED, there are degrees
 * of freedom; GRADYN_NO_MEMORY. */
gradyn_status gradyn_kinematic_create(gradyn_model *model, const gradyn_options *options,
                                      gradyn_stepper **out);

#endif
