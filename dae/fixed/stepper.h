/* Fixed-step schemes as maps from one node to the next, with the derivatives of that map. A march, a
 * direct sweep and an adjoint sweep are written once against this table. */
#ifndef GRADYN_DAE_STEPPER_H
#define GRADYN_DAE_STEPPER_H

#include "core/linear/lanes.h"
#include "core/model/model.h"

typedef struct gradyn_stepper gradyn_stepper;

/* A step that leads to a place where a force changes all of a sudden: how many times as long as such a place
 * is wide, over its length. */
typedef struct gradyn_slip_jump {
  double rate, t;
  const char *force;
} gradyn_slip_jump;

/* How much of the state y a look has to fill; the rest may be anything finite. */
typedef enum gradyn_depth { GRADYN_POSITIONS, GRADYN_VELOCITIES, GRADYN_FORCES } gradyn_depth;

/* What somebody sees of a march at one point: filled by complete() or sample(), and handed to their
 * derivatives, which differentiate this view whatever has been looked at since. */
typedef struct gradyn_view {
  double *y;          /* [ny] */
  double *mult;       /* [m] multipliers of the projection that made the velocities */
  gradyn_depth depth; /* of y what has been filled */
  bool
      node; /* the point is a node; else it lies in a step of length h that begins at t - share h */
  double t, h; /* s */
  long number; /* among the looks of its stepper */
} gradyn_view;

/* Directions, and how the times of a point move with them. */
typedef struct gradyn_view_moves {
  int count;              /* of directions */
  const gradyn_lanes *dx; /* in packs [(count + 3)/4][nx]; NULL: no datum changes */
  const double *dh;       /* [count] of the step's length; at a node they are not read */
  const double *dt;       /* [count] of the node's time, or of the end of the step */
} gradyn_view_moves;

/* Where the bars of a view go, which are added; h_bar and t_bar [count] NULL: not wanted. */
typedef struct gradyn_view_bars {
  int count; /* of functionals */
  gradyn_lanes *s_bar,
      *x_bar; /* in packs [(count + 3)/4][ns] and [..][nx]; s_bar of the second node */
  double *h_bar, *t_bar;
} gradyn_view_bars;

/* A node is a record of `record` numbers: first the scheme's state (ns numbers; it begins with the ny
 * states y that functionals see unless the scheme has complete()), then what its derivatives need of
 * the step that led to the node. A step depends on the state of its first node, the times and the
 * data alone, so that repeating it gives the same bits. */
typedef struct gradyn_stepper_ops {
  const char *name;
  /* Consistent initial node; h: the length of the steps to come, as a hint. */
  gradyn_status (*start)(gradyn_stepper *s, double h, double *node);
  /* One step from t to t + h. GRADYN_NOT_CONVERGED may succeed with a smaller h, GRADYN_SINGULAR (the
   * end is too near a position where constraints depend on each other) with any other one; a lenient
   * stepper makes the best of that. */
  gradyn_status (*step)(gradyn_stepper *s, double t, double h, const double *from, double *to);

  /* Derivatives of the initial state in the direction dx, ds [ns]; and their transpose: x_bar +=
   * (ds/dx)^T s_bar [ns]. The model is at the data of start(). */
  gradyn_status (*start_tangent)(gradyn_stepper *s, const double *dx, double *ds);
  gradyn_status (*start_transposed)(gradyn_stepper *s, double *s_bar, double *x_bar);

  /* Evaluates and factorises the matrices of a step that has been taken. */
  gradyn_status (*linearise)(gradyn_stepper *s, double t, double h, const double *from,
                             const double *to);
  /* Products with the derivative of the step of the last linearise(), for count directions at once:
   * ds goes from the first node's to the second's, for directions dx in which the step grows by dh [count]
   * and its end moves by dt [count]. ds and dx have lanes of directions in packs, [(count + 3)/4][ns] and
   * [..][nx]; dx NULL: no datum changes. */
  gradyn_status (*tangent)(gradyn_stepper *s, int count, const gradyn_lanes *dx, const double *dh,
                           const double *dt, gradyn_lanes *ds);
  /* Transposed, for count functionals at once: s_bar goes from the second node's to the first's, x_bar
   * +=, h_bar, t_bar [count] += (NULL: not wanted). s_bar and x_bar have lanes of functionals in packs,
   * [(count + 3)/4][ns] and [..][nx]; lanes without one are zero and stay so. */
  gradyn_status (*transposed)(gradyn_stepper *s, int count, gradyn_lanes *s_bar,
                              gradyn_lanes *x_bar, double *h_bar, double *t_bar);

  /* A node behind an event, from a consistent y [ny] at t; h: the length of the steps to come. Its
   * derivatives: ds [ns] from dy [ny] in the direction dx; y_bar [ny] and x_bar += from s_bar [ns]. NULL:
   * the scheme knows no events. */
  gradyn_status (*enter)(gradyn_stepper *s, double t, double h, const double *y, double *node);
  gradyn_status (*enter_tangent)(gradyn_stepper *s, const double *y, const double *dx,
                                 const double *dy, double *ds);
  gradyn_status (*enter_transposed)(gradyn_stepper *s, const double *y, const double *s_bar,
                                    double *y_bar, double *x_bar);

  /* Schemes whose state is not y: the view of a node, to the depth asked for. NULL: a node begins with y. */
  gradyn_status (*complete)(gradyn_stepper *s, double t, const double *node, gradyn_depth depth,
                            gradyn_view *view);
  /* Schemes that integrate by a rule of one point, which is at t + share h: its view in a step taken. NULL:
   * integrals are taken by the trapezoidal rule over nodes. */
  gradyn_status (*sample)(gradyn_stepper *s, double t, double h, const double *from,
                          const double *to, gradyn_depth depth, gradyn_view *view);
  /* Derivatives of a view: dy from ds of its node, or of the second node of its step, in packs
   * [(count + 3)/4][ny] and [..][ns]; and the transpose, from y_bar [count][ny], which is overwritten and
   * zero beyond the depth. */
  gradyn_status (*view_tangent)(gradyn_stepper *s, const gradyn_view *view,
                                const gradyn_view_moves *moves, const gradyn_lanes *ds,
                                gradyn_lanes *dy);
  gradyn_status (*view_transposed)(gradyn_stepper *s, const gradyn_view *view, double *y_bar,
                                   const gradyn_view_bars *adjoints);

  /* Raises worst [3] to max |Phi|, |Phi'|, |Phi''| at a node; where y is not the state, as far as the last
   * view shows that node. NULL: none. */
  gradyn_status (*drift)(gradyn_stepper *s, double t, const double *node, const gradyn_view *view,
                         double *worst);
  void (*free)(gradyn_stepper *s);
} gradyn_stepper_ops;

struct gradyn_stepper {
  const gradyn_stepper_ops *ops;
  gradyn_model *model;
  int ny, ns, record;
  double share;     /* place of sample() in a step */
  bool lenient;     /* takes steps that end near singular positions */
  bool abrupt;      /* velocities have leapt in the last step, as constraints may have them do */
  bool multipliers; /* somebody asks for those of directions: tangent() must not leave them out */
  long newton_iterations, factorisations;
  gradyn_slip_jump leap; /* the farthest of all steps */
  gradyn_slip_jump exit; /* the same of those that lead out of such a place */
};

/* The ALI3-P scheme for mechanisms. */
gradyn_status gradyn_ali3p_create(gradyn_model *model, const gradyn_options *options,
                                  gradyn_stepper **out);

/* The variational scheme for mechanisms with a constant mass matrix. */
gradyn_status gradyn_variational_create(gradyn_model *model, const gradyn_options *options,
                                        gradyn_stepper **out);

/* Kinematics with inverse dynamics, for mechanisms without freedom. */
gradyn_status gradyn_kinematic_create(gradyn_model *model, const gradyn_options *options,
                                      gradyn_stepper **out);

#endif
