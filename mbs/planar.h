/* Planar mechanisms in natural coordinates: points, elements, and what an element provides. */
#ifndef GRADYN_MBS_PLANAR_H
#define GRADYN_MBS_PLANAR_H

#include "core/model.h"
#include <gradyn/mbs.h>

enum {
  MBS_LOCAL = 2 * GRADYN_CUSTOM_POINTS, /* most coordinates of one element */
  MBS_DATA = 16,                        /* most data of one custom element */
  MBS_INPUTS = 32                       /* most numbers that an element depends on */
};

typedef struct mbs_point {
  char *name;
  bool ground;
  int offset; /* of its x in the full arrays: moving points first, then ground points */
  int x;      /* data: x, y = x + 1; */
  int vx;     /* data of a moving point: vx, vy = vx + 1 */
} mbs_point;

/* Where elements are evaluated: coordinates of all points, ground ones included. */
typedef struct mbs_view {
  double t;
  const double *pos, *vel, *acc; /* [2 points]; those not needed may be stale */
} mbs_view;

typedef struct gradyn_mbs gradyn_mbs;
typedef struct mbs_element mbs_element;

/* What an element depends on besides the state, its inputs z: its own data, then signals, then time
 * (custom elements); the value and two derivatives of its law of motion; or, for a held coordinate,
 * the initial position and velocity declared with its point. */
typedef enum mbs_source { MBS_FROM_DATA, MBS_FROM_LAW, MBS_FROM_POINT } mbs_source;

/* An element's mathematics at element size, hand-differentiated. Local coordinates are x and y of
 * its points in order. A force element provides the first three functions, a constraint element the
 * others. */
typedef struct mbs_element_ops {
  const char *kind;
  /* Generalised force f [local]. */
  gradyn_status (*force)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         double *f);
  /* Its derivatives df/dpos, df/dvel [local][local]. */
  gradyn_status (*force_state)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *f_pos, double *f_vel);
  /* df/dz [inputs][local]. */
  gradyn_status (*force_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *f_z);

  /* Phi, Phi' or Phi'' by order. */
  gradyn_status (*phi)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                       int order, double *phi);
  /* d phi(order) / d pos [local]. */
  gradyn_status (*phi_q)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *g);
  /* Second derivative of Phi [local][local]; NULL if zero. */
  gradyn_status (*hessian)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           double *H);
  /* d phi(order) / dz [inputs]. */
  gradyn_status (*phi_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, int order, double *phi_z);
  /* d Phi_q / dz [inputs][local]; NULL if zero. */
  gradyn_status (*phi_q_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *g_z);
  /* Whether the constraint holds on the wrong side; NULL: it has none. */
  bool (*reversed)(const mbs_element *e, const mbs_view *at, const double *z);
} mbs_element_ops;

struct mbs_element {
  const mbs_element_ops *ops;
  char *name;
  int points;                      /* how many */
  int point[GRADYN_CUSTOM_POINTS]; /* their numbers */
  int at[GRADYN_CUSTOM_POINTS];    /* [points] offsets in the full arrays */
  int *dyn;                        /* [local][local] positions in matrices of pattern dyn */
  int jac[MBS_LOCAL];              /* constraints: positions in matrices of pattern jac */
  bool held;                       /* constraint of the initial state only */
  mbs_source source;
  int datum, data_count;    /* own data in x */
  int signal, signal_count; /* signals among the inputs: the first and how many */
  bool uses_time;           /* time is the last input */
  bool steady;              /* its inputs do not depend on time */
  bool active;              /* data that vary, or a ground point's, are among its own */
  bool grounded;            /* one of its points is a ground point */
  double *cache;            /* [inputs] of a steady element, filled by load */
  gradyn_axis axis;         /* coordinate constraints */
  gradyn_force_fn force_fn; /* custom elements */
  gradyn_constraint_fn constraint_fn;
  void *user;
};

/* A rod's or a point's inertia: M of the pair (a, b) is [maa, mab; mab, mbb] times the identity. */
typedef struct mbs_inertia {
  char *name;
  int point[2];
  int count;        /* 2: rod, 1: point mass */
  int datum;        /* rod: length, mass, com, inertia; point mass: mass */
  int dyn[2][2][2]; /* positions of (i, j) for x and y */
  bool active;      /* data that vary are among its own */
} mbs_inertia;

typedef struct mbs_elements {
  mbs_element *item;
  int count, cursor;
} mbs_elements;

struct gradyn_mbs {
  gradyn_mech mech; /* first member: the interface to the schemes */
  gradyn_model *model;

  mbs_point *point;
  int points, point_cursor, moving;
  mbs_elements constraints; /* after sealing: those of the motion first, then the held ones */
  mbs_elements forces;
  mbs_inertia *inertia;
  int inertias, inertia_cursor;
  int gravity; /* index in x of gravity.x; -1: none */
  bool gravity_active;
  int motion_cursor; /* constraints of the motion declared so far */

  /* taken at sealing */
  int *q0, *v0;            /* [n] data of the approximate initial state */
  double *pos, *vel, *acc; /* [2 points] full arrays */
  double *full;            /* [2 points] residual under assembly */
  double *field;           /* [2 points] what multiplies the mass matrix */
  double *mass;            /* [dyn.nnz + 1] constant mass matrix */
  double *weight;          /* [2 points] gravity forces */
  gradyn_scalar *view[4];  /* what callbacks see: pos, vel, acc [2 points], lam [m] */
};

/* The mechanism of a model; created on first use. NULL: the model has general equations. */
gradyn_mbs *mbs_of(gradyn_model *model);

/* Ends the declarations: numbering, patterns, memory. */
gradyn_status mbs_seal(gradyn_mbs *m);

/* Checks a point's number given by the user; notes a build error if it is wrong. */
bool mbs_check_point(gradyn_mbs *m, const char *element, int point);

/* Adds an element (first build) or steps on to it (later ones); returns it or NULL. The caller
 * declares its data. number: its position among motion constraints or among forces. */
mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number);
mbs_element mbs_pair(const mbs_element_ops *ops, int from, int to);

/* Declares the data of a law (NULL: a constant zero); returns the index of the first. unit: of the
 * value and its first two derivatives. A held element has a value and a rate only. */
int mbs_declare_law(gradyn_mbs *m, const char *name, const char *const unit[3],
                    const gradyn_law *law, mbs_element *element);

/* Adds a signal to the inputs of an element if has_signal. */
void mbs_use_signal(gradyn_mbs *m, mbs_element *e, const char *name, bool has_signal, int signal);

/* Inputs of an element at time t: values, rates in time, and their dependence on data. */
int mbs_input_count(const mbs_element *e);
bool mbs_input_steady(const mbs_element *e);
void mbs_inputs_at(const gradyn_mbs *m, const mbs_element *e, double t, double *z);
void mbs_inputs_rate(const gradyn_mbs *m, const mbs_element *e, double t, double *z_t);
void mbs_inputs_tangent(const gradyn_mbs *m, const mbs_element *e, double t, const double *dx,
                        double *dz);
void mbs_inputs_transposed(const gradyn_mbs *m, const mbs_element *e, double t, const double *z_bar,
                           double *x_bar);

/* Inputs of an element: those of load() if they never change, otherwise computed into room [inputs]. */
static inline const double *mbs_inputs(const gradyn_mbs *m, const mbs_element *e, double t,
                                       double *room)
{
  if (e->steady)
    return e->cache;
  mbs_inputs_at(m, e, t, room);
  return room;
}

/* Mass matrix and weights from the present data. */
void mbs_load_inertia(gradyn_mbs *m);

/* Products with the derivative of the mass matrix for a field w [2 points]: f [2 points] += dM w for a
 * direction dx, and x_bar [count][nx] += mu^T M_x w for count vectors mu [moving], stride numbers
 * apart, that are zero at all coordinates from `moving` on. */
void mbs_inertia_tangent(const gradyn_mbs *m, const double *w, const double *dx, double *f);
void mbs_inertia_transposed(const gradyn_mbs *m, const double *w, int count, const double *mu,
                            int stride, int moving, double *x_bar);

/* The weight -M g: f [2 points] -= M dg for a change dg [2] of gravity; x_bar -= mu^T M, mu as above. */
void mbs_gravity_tangent(const gradyn_mbs *m, const double *dg, double *f);
void mbs_gravity_transposed(const gradyn_mbs *m, const double *mu, int moving, double *x_bar);

extern const gradyn_mech_ops mbs_mech_ops;
extern const mbs_element_ops mbs_distance_ops, mbs_coordinate_ops, mbs_angle_ops, mbs_spring_ops;

#endif
