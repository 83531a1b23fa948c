/* Elements of mechanisms, constraints and forces: what each provides, and what is known of it. */
#ifndef GRADYN_MBS_ELEMENT_H
#define GRADYN_MBS_ELEMENT_H

#include "mbs/elements/entries.h"
#include "mbs/elements/point.h"

/* What an element depends on besides the state, its inputs z: its own data, then signals, then time
 * (custom elements); the value and two derivatives of its law of motion; or, for a held coordinate,
 * the initial position and velocity declared with its point. */
typedef enum mbs_source { MBS_FROM_DATA, MBS_FROM_LAW, MBS_FROM_POINT } mbs_source;

typedef struct mbs_arguments mbs_arguments;
typedef struct mbs_discrete_state mbs_discrete_state;

/* An element's mathematics; local coordinates are those of its points in order. A force provides the first
 * functions, a constraint the others, by one kernel in mbs/joints/kernel.h unless it is a user's. */
typedef struct mbs_element_ops {
  const char *kind;
  /* Generalised force f [local]. */
  gradyn_status (*force)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, double *f);
  /* Its derivatives df/dpos, df/dvel [local][local]; f_vel may be NULL. */
  gradyn_status (*force_state)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *f_pos, double *f_vel);
  /* df/dz [inputs][local]. */
  gradyn_status (*force_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *f_z);
  /* Of opposite forces between two points: what mutual.h says of the second one. NULL: it is none such. */
  gradyn_status (*mutual)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                          const double *z, double *f_pos, double *f_vel, double *f_z);
  /* df/dlam [reads][local], by the multipliers that it reads. NULL: the kind reads none. */
  gradyn_status (*force_lam)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, double *f_lam);
  /* Of forces that load their first local coordinate alone: f, df/dlam [reads] at once. NULL: as above. */
  gradyn_status (*rub)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                       const double *z, mbs_kept *kept, double *f, double *f_lam);
  /* The force in complex numbers, from which the four may come: see formula.h. NULL: they do not. */
  gradyn_status (*formula)(gradyn_mbs *m, const mbs_element *e, const mbs_discrete_state *s,
                           gradyn_scalar *f);
  /* Returns how many speeds slip, of v [local], there are within which of zero, m/s, the force is sudden */
  int (*sudden)(const mbs_element *e, int dim, const double *v, double *within, double *slip);
  bool scalar; /* forces: they load coordinates of joints and states alone, no points */
  /* Whether the force does not depend on velocities for its own data [data_count]; NULL: it may. */
  bool (*still)(const mbs_element *e, const double *data);
  /* Potential energy, its derivatives by pos, g [local], and inputs, U_z [inputs], or NULL. NULL: none. */
  gradyn_status (*energy)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                          const double *z, double *U, double *g, double *U_z);
  /* Phi, Phi' or Phi'' by order. */
  gradyn_status (*phi)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                       const double *z, int order, double *phi);
  /* d phi(order) / d pos [local]. */
  gradyn_status (*phi_q)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, int order, double *g);
  /* Second derivative of Phi [local][local]. */
  gradyn_status (*hessian)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *H);
  /* d phi(order) / dz [inputs]. */
  gradyn_status (*phi_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, int order, double *phi_z);
  /* d Phi_q / dz [inputs][local]. */
  gradyn_status (*phi_q_input)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *g_z);
  /* Rate of Phi_q [local] for any rates of the arguments, from which the last two come, or NULL. */
  void (*slope)(int dim, const mbs_arguments *a, double *g);
  /* d psi' / d vel [local] of rows of velocities alone (core/mech/rolling.h); NULL: the kind has a Phi. */
  gradyn_status (*psi_v)(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                         const double *z, double *g);
  /* The constraint in complex numbers, from which all these may come: see relation.h. NULL: they do not. */
  gradyn_status (*relation)(gradyn_mbs *m, const mbs_element *e, const mbs_discrete_state *s,
                            int order, gradyn_scalar *value);
  const char *multiplier; /* its unit; NULL: N */
  /* Of Phi in the positions: 1 linear, without second derivatives; 2 quadratic; otherwise any. */
  int degree;
  /* Whether the constraint holds on the wrong side; NULL: it has none. */
  bool (*reversed)(const mbs_element *e, const mbs_point_state *at, const double *z);
} mbs_element_ops;

/* The multipliers that a force reads: those of `count` constraints of the motion. */
typedef struct mbs_reading {
  int count, row[MBS_READS];
  char *name[MBS_READS]; /* of the constraints, by which they are found at sealing */
  int *jac;              /* [count][gradient.count] positions in matrices of pattern jac */
} mbs_reading;

/* What of an element depends on data that vary. */
typedef struct mbs_variation {
  bool any;       /* some of its inputs */
  int first, end; /* those are among these inputs */
  bool places;    /* the place of one of its points that is not moving freely */
} mbs_variation;

/* A user's functions behind an element, and their number among all of the model. */
typedef struct mbs_callback {
  gradyn_force_fn force;
  gradyn_constraint_fn constraint;
  void *user;
  int number;
} mbs_callback;

struct mbs_element {
  const mbs_element_ops *ops;
  char *name;
  int points, local;               /* how many, and their coordinates */
  int point[GRADYN_CUSTOM_POINTS]; /* their numbers */
  int at[GRADYN_CUSTOM_POINTS];    /* [points] offsets in the full arrays */
  int slots;      /* points that carry its points: those themselves, or their carriers */
  mbs_slot *slot; /* [slots]; NULL: the points themselves */
  double *weight; /* [slots] of those, with the present data; NULL: all 1 */
  mbs_entries gradient, matrix; /* what can differ from zero and belongs to coordinates */
  bool twice;      /* entries of the gradient share places: points have carriers in common */
  mbs_when when;   /* constraints: when it holds */
  mbs_modes modes; /* that it belongs to */
  mbs_source source;
  mbs_reading *reading;     /* forces: NULL, or the multipliers read */
  int datum, data_count;    /* own data in x */
  int signal, signal_count; /* signals among the inputs: the first and how many */
  bool uses_time, steady;   /* time is the last input; its inputs do not depend on time */
  mbs_variation vary;
  mbs_element *next_timed; /* of those whose inputs depend on time */
  double *input;           /* [inputs] of the present data, and of the time looked at last */
  double *curvature; /* [local][local] second derivative of Phi where constant, filled by load */
  gradyn_axis axis;  /* coordinate constraints */
  int variant,
      divisions; /* of kinds that have some: their own meaning; of beams, into how many parts */
  mbs_callback callback; /* custom elements */
};

/* A constant distance of two points in the motion: see mbs/mechanism/rods.h. */
typedef struct mbs_rod {
  int row, a, b, datum; /* constraint, offsets of its points, datum of its length */
  double s, w;          /* length and 1/length */
  int jac[6];           /* [2][dim] positions in matrices of pattern jac */
  int dyn[2][2][3];     /* [dim] of equal components of two ends, in those of pattern dyn */
} mbs_rod;

/* A scalar product of two free vectors a and b, or of one with itself, in the motion: see dots.h. */
typedef struct mbs_dot {
  int row, a, b;        /* constraint, offsets of the vectors */
  double factor, value; /* Phi = factor (a.b - value) */
  int jac[2][3];        /* [dim] of a and of b in matrices of pattern jac */
  int dyn[2][3];        /* [dim] of (a, b) and of (b, a) in those of pattern dyn */
} mbs_dot;

typedef struct mbs_elements {
  mbs_element *item;
  int count, cursor;
} mbs_elements;

#endif
