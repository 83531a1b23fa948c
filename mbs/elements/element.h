/* Elements, constraints and forces: the functions of a kind, and the data of one element. Points, constraints
 * and signals are given by indices from 0. */
#ifndef GRADYN_MBS_ELEMENT_H
#define GRADYN_MBS_ELEMENT_H

#include "mbs/elements/entries.h"
#include "mbs/elements/point.h"
#include <gradyn/forces.h>

/* Source of the inputs z, the arguments of an element besides the state. DATA: own data, signals, time, in
 * this order. LAW: value and two derivatives. POINT: the initial state of its point. */
typedef enum mbs_source { MBS_FROM_DATA, MBS_FROM_LAW, MBS_FROM_POINT } mbs_source;

typedef struct mbs_arguments mbs_arguments;
typedef struct mbs_formula_arguments mbs_formula_arguments;

/* The functions of a kind. Local coordinates are the element's points' coordinates, in order, dim for each.
 * Results are overwritten. Errors: failures of users' functions. Forces provide the first functions;
 * constraints the others, by a kernel (joints/kernel.h) or a user's function. */
typedef struct mbs_element_ops {
  const char *kind;
  /* Generalised force f [local]. */
  gradyn_status (*force)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, double *f);
  /* df/dpos, df/dvel [local][local], by rows, which are components of f; f_vel may be NULL. */
  gradyn_status (*force_state)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *f_pos, double *f_vel);
  /* Derivative df/dz [inputs][local]. */
  gradyn_status (*force_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *f_z);
  /* Derivatives of opposite forces between two points, as in mutual.h. NULL: no such force. */
  gradyn_status (*mutual)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                          const double *z, double *f_pos, double *f_vel, double *f_z);
  /* df/dlam [reads][local], by the multipliers of the force's list. NULL: depends on none. */
  gradyn_status (*force_lam)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, double *f_lam);
  /* For forces on their first local coordinate only: f and df/dlam [reads] together. NULL: no such force. */
  gradyn_status (*rub)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                       const double *z, mbs_kept *kept, double *f, double *f_lam);
  /* The force in complex numbers, from which formula.h makes the functions above. NULL: none. */
  gradyn_status (*formula)(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                           gradyn_scalar *f);
  /* Number of slips of v [local], at most 2; their velocities; their width of regularisation, m/s. */
  int (*sudden)(const mbs_element *e, int dim, const double *v, double *within, double *slip);
  bool scalar; /* true for forces that act on joint coordinates and states only, not on points */
  /* Whether the force is independent of velocities for its data [data_count]; NULL: unknown. */
  bool (*still)(const mbs_element *e, const double *data);
  /* Potential energy U, J; dU/dpos g [local]; dU/dz U_z [inputs]; both or one NULL. NULL: no potential. */
  gradyn_status (*energy)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                          const double *z, double *U, double *g, double *U_z);
  /* Phi, Phi' or Phi'', for order 0, 1 or 2. */
  gradyn_status (*phi)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                       const double *z, int order, double *phi);
  /* d phi(order) / d pos [local]. */
  gradyn_status (*phi_q)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, int order, double *g);
  /* Second derivative of Phi by pos [local][local]. */
  gradyn_status (*hessian)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *H);
  /* d phi(order) / dz [inputs]. */
  gradyn_status (*phi_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, int order, double *phi_z);
  /* d Phi_q / dz [inputs][local]. */
  gradyn_status (*phi_q_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *g_z);
  /* Rate of Phi_q [local] for given rates of the arguments; hessian and phi_q_input may use it. Or NULL. */
  void (*slope)(int dim, const mbs_arguments *a, double *g);
  /* d psi' / d vel [local] of nonholonomic constraints (core/mech/rolling.h); NULL: holonomic. */
  gradyn_status (*psi_v)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, double *g);
  /* The constraint in complex numbers, from which relation.h makes the functions above. NULL: none. */
  gradyn_status (*relation)(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                            int order, gradyn_scalar *value);
  const char *multiplier; /* unit of the multiplier; NULL: N */
  int degree; /* degree of Phi in the positions: 1 (no second derivatives), 2, or other: general */
  /* Whether Phi = 0 is satisfied by a reversed direction; NULL: the kind has no such solution. */
  bool (*reversed)(const mbs_element *e, const mbs_point_state *at, const double *z);
} mbs_element_ops;

/* The multipliers on which a force depends, of `count` constraints of the motion. */
typedef struct mbs_reading {
  int count, row[MBS_READS];
  char *name[MBS_READS]; /* names of the constraints; finalising finds their rows */
  int *jac;              /* [count][gradient.count] positions in matrices of pattern jac */
} mbs_reading;

/* Dependence of an element on active data. */
typedef struct mbs_variation {
  bool any;       /* some inputs depend on active data */
  int first, end; /* range of these inputs */
  bool positions; /* the position of a ground or attached point depends on them */
} mbs_variation;
/* A user's functions, and their number among all callbacks of the model. */
typedef struct mbs_callback {
  gradyn_force_fn force;
  gradyn_constraint_fn constraint;
  void *user;
  int number;
} mbs_callback;

struct mbs_element {
  const mbs_element_ops *ops;
  char *name;
  int points, local;               /* number of points, of their coordinates */
  int point[GRADYN_CUSTOM_POINTS]; /* the points */
  int at[GRADYN_CUSTOM_POINTS];    /* [points] offsets in the full arrays */
  int slots;                       /* number of points or carriers on which the element acts */
  mbs_slot *slot;                  /* [slots]; NULL: the points themselves */
  double *weight; /* [slots] weights of carriers, from the present data; NULL: all 1 */
  mbs_entries gradient, matrix; /* entries that may be nonzero and belong to coordinates */
  bool twice;      /* several entries of the gradient share a position, by common carriers */
  mbs_when when;   /* constraints: when they are enforced */
  mbs_modes modes; /* modes to which the element belongs */
  mbs_source source;
  mbs_reading *reading;     /* forces: the multipliers that the force uses; NULL: none */
  int datum, data_count;    /* index in x of the first own datum; count */
  int signal, signal_count; /* signals among the inputs: the first; count */
  bool uses_time, steady;   /* time is the last input; no input depends on time */
  mbs_variation vary;
  mbs_element *next_timed; /* in the list of elements with inputs that depend on time */
  double *input;           /* [inputs] of the present data, at the time of the last evaluation */
  /* [local][local] constant second derivative of Phi, filled by load(); or NULL */
  double *curvature;
  gradyn_axis axis;       /* coordinate constraints */
  int variant, divisions; /* number of the variant of a kind; number of elements of a beam */
  mbs_callback callback;  /* custom elements */
};

/* A constant distance of two points, enforced in the motion: see mbs/mechanism/rods.h. */
typedef struct mbs_rod {
  int row, a, b, datum; /* constraint, offsets of points, datum of length */
  double s, w;          /* length, m, and 1/length */
  int jac[6];           /* [2][dim] positions in matrices of pattern jac */
  int dyn[2][2][3];     /* [dim] positions of equal components of two ends, pattern dyn */
} mbs_rod;

/* A scalar product of two moving vectors, or the square of one, enforced in the motion: see dots.h. */
typedef struct mbs_dot {
  int row, a, b;        /* constraint, offsets of the vectors */
  double factor, value; /* Phi = factor (a.b - value) */
  int jac[2][3];        /* [dim] positions of a and b in matrices of pattern jac */
  int dyn[2][3];        /* [dim] positions of (a, b) and (b, a) in matrices of pattern dyn */
} mbs_dot;

typedef struct mbs_elements {
  mbs_element *item;
  int count, cursor;
} mbs_elements;

#endif
