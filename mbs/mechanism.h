/* Mechanisms in natural coordinates, in the plane or in space: points, elements, and what an element
 * provides. The coordinates are components of vectors: positions of points, base vectors of bodies,
 * slopes of beams. All of them are called points here; what a point is fixed to decides its kind. */
#ifndef GRADYN_MBS_MECHANISM_H
#define GRADYN_MBS_MECHANISM_H

#include "core/lanes.h"
#include "core/model.h"
#include "mbs/when.h"
#include <gradyn/mbs.h>

enum {
  MBS_CARRIERS = 4,                     /* most points that one is attached to */
  MBS_LOCAL = 3 * GRADYN_CUSTOM_POINTS, /* most coordinates of one element */
  MBS_DATA = 16,                        /* most data of one custom element */
  MBS_INPUTS = 32,                      /* most numbers that an element depends on */
  MBS_READS = GRADYN_CUSTOM_READS,      /* most multipliers that one force reads */
  MBS_NAME = 80,                        /* longest name of what has points of its own */
  MBS_INERTIA_POINTS = 4,
  MBS_INERTIA_PAIRS = 10, /* pairs of those, a point with itself included */
  MBS_INERTIA_DATA = 7
};

typedef enum mbs_point_kind {
  MBS_MOVING,  /* its coordinates are unknowns */
  MBS_GROUND,  /* its coordinates are data */
  MBS_ATTACHED /* a linear combination of others, with weights that depend on data */
} mbs_point_kind;

/* A term of an attached point: (constant + slope x[datum]) times the carrier, which is not attached
 * itself. */
typedef struct mbs_carrier {
  int point;
  double constant, slope;
  int datum;     /* -1: none */
  double weight; /* with the present data */
} mbs_carrier;

typedef struct mbs_point {
  char *name;
  mbs_point_kind kind;
  bool direction;   /* a base vector or slope: without a unit, and gravity does not act on it */
  bool scalar;      /* a joint coordinate: one component only, the first; see mbs/coordinate.c */
  bool angle, idle; /* of those, in rad, otherwise in m; of a constraint, see mbs_modes */
  bool state;       /* a scalar whose rate is a first-order state; see mbs/state.h */
  char *unit[3];    /* of a state's integral, of the state, of its rate */
  double size;      /* of a state, in its unit: how large it usually is; see mbs_add_state() */
  int offset; /* of its x in the full arrays: scalars, moving points, ground points, attached ones */
  int x;      /* data: x and the next ones; -1 for attached points */
  int vx;     /* data of a moving point: vx and the next ones */
  int carriers;
  mbs_carrier carrier[MBS_CARRIERS];
} mbs_point;

/* Where elements are evaluated: coordinates of all points, multipliers of all constraints. */
typedef struct mbs_view {
  double t;
  const double *pos, *vel, *acc; /* [full]; those not needed may be stale */
  const double *lam;             /* [m]; NULL where no force reads them */
} mbs_view;

/* Changes of places, or their adjoints: positions, velocities and accelerations at the node, velocities
 * and accelerations of a term; see mbs/product.h. */
enum { MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND, MBS_TERM_RATE, MBS_TERM_SECOND, MBS_PLACES };

typedef struct gradyn_mbs gradyn_mbs;
typedef struct mbs_element mbs_element;

/* Which point of an element, and which of its carriers (-1: the point itself). */
typedef struct mbs_slot {
  int point, carrier;
} mbs_slot;

/* An entry of an element's matrix [local][local] and its position in matrices of pattern dyn. */
typedef struct mbs_entry {
  int local, dyn;
} mbs_entry;

/* What an element depends on besides the state, its inputs z: its own data, then signals, then time
 * (custom elements); the value and two derivatives of its law of motion; or, for a held coordinate,
 * the initial position and velocity declared with its point. */
typedef enum mbs_source { MBS_FROM_DATA, MBS_FROM_LAW, MBS_FROM_POINT } mbs_source;

typedef struct mbs_arguments mbs_arguments;
typedef struct mbs_scene mbs_scene;

/* An element's mathematics at element size. Local coordinates are those of its points in order. A force
 * element provides the first functions, a constraint element the others, which come from one kernel in
 * mbs/jet.h unless a user's function stands behind them. */
typedef struct mbs_element_ops {
  const char *kind;
  /* Generalised force f [local]. */
  gradyn_status (*force)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         double *f);
  /* Its derivatives df/dpos, df/dvel [local][local]; f_vel may be NULL. */
  gradyn_status (*force_state)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *f_pos, double *f_vel);
  /* df/dz [inputs][local]. */
  gradyn_status (*force_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *f_z);
  /* df/dlam [reads][local], by the multipliers that it reads. NULL: the kind reads none. */
  gradyn_status (*force_lam)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, double *f_lam);
  /* The force in complex numbers, from which the four may come: see mbs/formula.h. NULL: they do not. */
  gradyn_status (*formula)(gradyn_mbs *m, const mbs_element *e, const mbs_scene *s,
                           gradyn_scalar *f);
  /* Whether the force does not depend on velocities for its own data [data_count]; NULL: it may. */
  bool (*still)(const mbs_element *e, const double *data);
  /* Potential energy, its derivatives by pos, g [local], and by inputs, U_z [inputs]; g and U_z may be
   * NULL. NULL: the element has none. */
  gradyn_status (*energy)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                          double *U, double *g, double *U_z);

  /* Phi, Phi' or Phi'' by order. */
  gradyn_status (*phi)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                       int order, double *phi);
  /* d phi(order) / d pos [local]. */
  gradyn_status (*phi_q)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *g);
  /* Second derivative of Phi [local][local]. */
  gradyn_status (*hessian)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           double *H);
  /* d phi(order) / dz [inputs]. */
  gradyn_status (*phi_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, int order, double *phi_z);
  /* d Phi_q / dz [inputs][local]. */
  gradyn_status (*phi_q_input)(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, double *g_z);
  /* The rate of Phi_q [local] for any rates of the arguments, from which the last two come. NULL: they do
   * not. */
  void (*slope)(int dim, const mbs_arguments *a, double *g);
  const char *multiplier; /* its unit; NULL: N */
  /* Of Phi in the positions: 1 linear, without second derivatives; 2 quadratic; otherwise any. */
  int degree;
  /* Whether the constraint holds on the wrong side; NULL: it has none. */
  bool (*reversed)(const mbs_element *e, const mbs_view *at, const double *z);
} mbs_element_ops;

/* The multipliers that a force reads: those of `count` constraints of the motion. */
typedef struct mbs_reading {
  int count, row[MBS_READS];
  char *name[MBS_READS]; /* of the constraints, by which they are found at sealing */
  int *jac;              /* [count][slots][dim] positions in matrices of pattern jac */
} mbs_reading;

struct mbs_element {
  const mbs_element_ops *ops;
  char *name;
  int points;                      /* how many */
  int local;                       /* their coordinates */
  int point[GRADYN_CUSTOM_POINTS]; /* their numbers */
  int at[GRADYN_CUSTOM_POINTS];    /* [points] offsets in the full arrays */
  int *dyn;         /* [slots][slots][dim][dim] positions in matrices of pattern dyn */
  int *jac;         /* [slots][dim] constraints: positions in matrices of pattern jac */
  int slots;        /* points that carry its points: those themselves, or their carriers */
  mbs_slot *slot;   /* [slots]; NULL: the points themselves */
  mbs_entry *entry; /* [entries] without slots: what its matrix has between moving points */
  int entries;
  mbs_when when;   /* constraints: when it holds */
  mbs_modes modes; /* that it belongs to */
  mbs_source source;
  mbs_reading *reading;       /* forces: NULL, or the multipliers read */
  int datum, data_count;      /* own data in x */
  int signal, signal_count;   /* signals among the inputs: the first and how many */
  bool uses_time;             /* time is the last input */
  bool steady;                /* its inputs do not depend on time */
  bool active;                /* it depends on data that vary */
  int first_input, end_input; /* inputs among which those are */
  bool fixed;                 /* one of its points is not moving freely */
  bool fixed_active;          /* and its place depends on data that vary */
  double *cache;              /* [inputs] of a steady element, filled by load */
  double
      *curvature; /* [local][local] second derivative of Phi where it is constant, filled by load */
  gradyn_axis axis;         /* coordinate constraints */
  int variant;              /* of kinds that have some: their own meaning */
  int divisions;            /* beam elements: into how many the beam is divided */
  gradyn_force_fn force_fn; /* custom elements */
  gradyn_constraint_fn constraint_fn;
  void *user;
};

/* A constant distance of two points in the motion: see mbs/rods.h. */
typedef struct mbs_rod {
  int row, a, b, datum; /* constraint, offsets of its points, datum of its length */
  double s, w;          /* length and 1/length */
  const int *jac, *dyn; /* of its element */
} mbs_rod;

/* The inertia of a body in natural coordinates: M = [c_rs] times the identity, for the points r, s
 * of the body. Pairs are stored in the order 00, 01, .., 11, 12, .. */
typedef struct mbs_inertia_ops {
  int points, data;
  void (*pairs)(const double *d, int divisions, double *c);
  /* D [data][MBS_INERTIA_PAIRS] */
  void (*slopes)(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS]);
} mbs_inertia_ops;

typedef struct mbs_inertia {
  const mbs_inertia_ops *ops;
  int point[MBS_INERTIA_POINTS];
  int at[MBS_INERTIA_POINTS]; /* offsets in the full arrays */
  int axes;                   /* components of each point */
  int datum;
  int divisions;  /* beam elements: into how many the beam is divided */
  int first, end; /* data among which those are that vary */
  /* of the present data: c_rs and their derivatives by the data */
  double c[MBS_INERTIA_PAIRS], D[MBS_INERTIA_DATA][MBS_INERTIA_PAIRS];
} mbs_inertia;

/* Data of a beam, from its first one; the elastic force depends on those before the density. */
enum {
  MBS_BEAM_LENGTH,
  MBS_BEAM_YOUNG,
  MBS_BEAM_AREA,
  MBS_BEAM_SECOND_MOMENT,
  MBS_BEAM_DAMPING,
  MBS_BEAM_DENSITY,
  MBS_BEAM_REACH,
  MBS_BEAM_DATA
};

/* A beam: nodes 0 to elements, each with a position and a slope. */
typedef struct mbs_beam {
  char *name;
  int elements;
  int first_node, first_slope; /* index in the mechanism's list of beam points */
  int datum;                   /* MBS_BEAM_LENGTH and the others */
  bool linear;                 /* the linear elastic force */
} mbs_beam;

/* A body: its centre and base vectors. */
typedef struct mbs_body {
  char *name;
  int point[MBS_CARRIERS];
  gradyn_scalar centre[3]; /* initial position, as the present build() gives it */
} mbs_body;

/* What depends on data that vary, and elements whose inputs depend on time: numbers of constant distances,
 * of other constraints, forces and inertias. */
typedef struct mbs_varying {
  int *rod, *constraint, *force, *inertia;
  int rods, constraints, forces, inertias;
  int constraints_end[3]; /* of the constraints, by when they hold */
} mbs_varying;

/* A hint for drawings. */
typedef struct mbs_hint {
  gradyn_shape shape; /* box or cylinder of a body, trace of a point; otherwise a colour */
  int of;             /* number of the body or point; -1: of what is called name */
  char *name;
  double size[3];
  int axis;
  long colour;
} mbs_hint;

typedef struct mbs_frame mbs_frame;
typedef struct mbs_joint mbs_joint;
typedef struct mbs_measure mbs_measure;

typedef struct mbs_elements {
  mbs_element *item;
  int count, cursor;
} mbs_elements;

/* The lists of all elements while one of them is isolated, and what stands in their place; see isolate.c. */
typedef struct mbs_whole {
  bool kept;
  mbs_elements forces;
  mbs_rod *rod, one_rod;
  int rods, *reader, readers, *other, others, others_end[MBS_WHENS], one, inertias;
  mbs_inertia *inertia;
} mbs_whole;

struct gradyn_mbs {
  gradyn_mech mech; /* first member: the interface to the schemes */
  gradyn_model *model;

  int dim; /* 2 or 3; 0: not yet known */
  mbs_point *point;
  int points, point_cursor, moving;
  int *attached;                    /* [attached_count] numbers of attached points */
  int attached_count;               /* of which sealing makes the list */
  mbs_elements constraints, forces; /* after sealing the first in the order of mbs_when */
  mbs_rod *rod;                     /* the constant distances among the constraints */
  int rods;
  int *reader; /* [readers] forces that read multipliers */
  int readers;
  int *other, others, others_end[MBS_WHENS]; /* the other constraints; ends of those of a kind */
  mbs_inertia *inertia;
  int inertias, inertia_cursor;
  mbs_whole whole;
  mbs_body *body;
  int bodies, body_cursor;
  mbs_beam *beam;
  int beams, beam_cursor;
  mbs_frame *frame; /* see mbs/frame.h */
  int frames, frame_cursor;
  mbs_joint *joint;
  int joints, joint_cursor;
  mbs_measure *measure; /* see mbs/measure.h */
  int measures, measure_cursor;
  int *beam_point; /* numbers of the points of beams */
  int beam_points, beam_point_cursor;
  mbs_hint *hint;
  int hints, hint_cursor;
  int gravity; /* index in x of gravity.x; -1: none */
  bool gravity_active;
  bool places_active;   /* data that vary move ground or attached points */
  bool carriers_active; /* those of attached points are among them */
  mbs_varying varying;
  int row_cursor[MBS_WHENS]; /* constraints declared so far */

  /* taken at sealing; a full array has the coordinates of all points */
  int full_size;           /* coordinates of all points */
  int *owner;              /* [full] point to which a coordinate belongs */
  double *nearness;        /* [n] see gradyn_mech */
  bool *spare;             /* [n] see gradyn_mech */
  int *q0, *v0;            /* [n] data of the approximate initial state */
  double *lever;           /* [n] see gradyn_mech */
  double *pos, *vel, *acc; /* [full] */
  double *full;            /* [full] residual under assembly */
  double *field;           /* [full] what multiplies the mass matrix */
  double *mass;            /* [dyn.nnz + 1] constant mass matrix */
  double *weight;          /* [full] gravity forces */
  double *falling;         /* [full] the same with 1 m/s^2 along every axis, at points */
  /* of products with derivatives, see mbs/product.h; rows and fields only with attached points */
  gradyn_lanes *place[MBS_PLACES];       /* [full] changes of places, or their adjoints */
  gradyn_lanes *rows[GRADYN_MECH_TERMS]; /* [full] */
  double *fields[GRADYN_MECH_TERMS];     /* [full] accelerations */
  gradyn_scalar *view[4];                /* what callbacks see: pos, vel, acc [full], lam [m] */
};

/* The mechanism of a model; created on first use. NULL: the model has general equations. */
gradyn_mbs *mbs_of(gradyn_model *model);

/* Ends the declarations: numbering, patterns, memory. Then: fills mech.length and mech.lever. */
gradyn_status mbs_seal(gradyn_mbs *m);
gradyn_status mbs_take_sizes(gradyn_mbs *m);

/* The first declaration fixes whether it is planar (2) or spatial (3); false, and a build error: not so. */
bool mbs_use_dimension(gradyn_mbs *m, const char *name, int dim);

/* Notes a build error if a name leaves no room for those of the parts that are called after it. */
bool mbs_check_name(gradyn_mbs *m, const char *name);

/* Declares a moving, ground or attached point with data named by x, y, z. */
int mbs_add_point(gradyn_mbs *m, const char *name, const mbs_point *prototype,
                  const gradyn_scalar position[3]);
int mbs_attach_point(gradyn_mbs *m, const char *name, bool direction, int carriers,
                     const mbs_carrier *carrier);
/* Declares a scalar, rad or m, with its initial value as datum name.near: the solution nearest to it is
 * meant, but it does not pull. Or one of a constraint, see mbs_modes. */
int mbs_add_scalar(gradyn_mbs *m, const char *name, bool angle, gradyn_scalar near);
int mbs_add_idle(gradyn_mbs *m, const char *constraint);
/* Declares a scalar of unit inertia whose rate is a first-order state, with data name.integral (0) and
 * name.initial. unit: of the state's integral, of the state, of its rate; size in that unit, 0: the
 * mechanism's extent, m. */
int mbs_add_state(gradyn_mbs *m, const char *name, const char *const unit[3], double size,
                  gradyn_scalar initial);
/* Whether a point cannot move: a ground point, or attached to such. */
bool mbs_on_ground(const gradyn_mbs *m, int point);
/* Initial position of a point, as the present build() gives it. */
void mbs_initial_position(const gradyn_mbs *m, int point, gradyn_scalar position[3]);
gradyn_scalar mbs_initial_distance(const gradyn_mbs *m, int from, int to);
/* Approximate initial velocity of a moving point. */
void mbs_set_velocity(gradyn_mbs *m, int point, const gradyn_scalar velocity[3]);

/* Coordinate (order 0), velocity (1) or acceleration (2) of a point along an axis, from the whole state
 * y; and the adjoint of that: adds weight times its derivatives to *out. */
double mbs_component(const gradyn_mbs *m, int point, int order, int axis, const double *y);
void mbs_component_bar(const gradyn_mbs *m, int point, int order, int axis, double weight,
                       const double *y, const gradyn_gradient_out *out);

/* The same for bodies and beams (NULL if wrong) and for the node of a beam, whose position and slope are
 * told. */
const mbs_body *mbs_check_body(gradyn_mbs *m, const char *element, int body);
const mbs_beam *mbs_check_beam(gradyn_mbs *m, const char *element, int beam);
bool mbs_check_node(gradyn_mbs *m, const char *element, int beam, int node, int *point, int *slope);

/* Whether a point is one of a body's: its centre, or attached to nothing but the body. */
bool mbs_belongs(const gradyn_mbs *m, int point, const mbs_body *body);

/* Attaches a point to a body, given by its initial position. */
int mbs_body_point(gradyn_mbs *m, const char *name, const mbs_body *body,
                   const gradyn_scalar position[3]);

/* Unit normals n [dim - 1] of a vector t, which is brought to length 1; t, n[0], n[1] are right-handed.
 * Analytic in t, for complex step. */
void mbs_find_normals(const gradyn_mbs *m, gradyn_scalar t[3], gradyn_scalar n[2][3]);

/* A direction fixed to a body (NULL: to the ground), initially n. */
int mbs_fix_direction(gradyn_mbs *m, const char *name, const mbs_body *body,
                      const gradyn_scalar n[3]);

/* r_b - r_a = 0 along every axis; returns the number of the first row. */
int mbs_join(gradyn_mbs *m, const char *name, int a, int b);

/* Whether a user's number is that of a point, of a point or joint coordinate; build errors if not. */
bool mbs_check_point(gradyn_mbs *m, const char *element, int point);
bool mbs_check_any_point(gradyn_mbs *m, const char *element, int point);

/* Components that a point has. */
static inline int mbs_axes(const gradyn_mbs *m, int point)
{
  return m->point[point].scalar ? 1 : m->dim;
}

/* Notes a build error: an instant is no time of a run. */
void mbs_check_instant(gradyn_model *model, const char *name, double instant);

/* Name and multiplier's unit of a constraint of the motion, by its number in the order of declaration. */
const char *mbs_motion_name(const gradyn_mbs *m, int number);
const char *mbs_motion_unit(const gradyn_mbs *m, int number);

/* Notes a build error if the mechanism has no such axis. */
bool mbs_check_axis(gradyn_mbs *m, const char *name, gradyn_axis axis);

/* Adds an element (first build) or steps on to it (later ones); returns it or NULL. The caller
 * declares its data. number: its position among forces, or among constraints that hold when it does. */
mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number);
mbs_element mbs_pair(const mbs_element_ops *ops, int from, int to);

/* Repeated builds: note a build error, naming the points, if what is declared now is not connected as
 * what was stored by the first one. */
void mbs_compare_element(gradyn_mbs *m, const mbs_element *stored, const mbs_element *now,
                         const char *name);
void mbs_compare_inertia(gradyn_mbs *m, const mbs_inertia *stored, const mbs_inertia_ops *ops,
                         const int *points);
void mbs_compare_carriers(gradyn_mbs *m, const mbs_point *stored, const mbs_point *now);
/* stored, now: numbers of points. */
void mbs_compare_node(gradyn_mbs *m, const char *beam, int stored, int now);

/* Declares the data of a law (NULL: a constant zero); returns the index of the first. unit: of the
 * value and its first two derivatives. What is held has a value and a rate only. */
int mbs_declare_law(gradyn_mbs *m, const char *name, const char *const unit[3],
                    const gradyn_law *law, mbs_element *element);

/* Adds a signal to the inputs of an element if has_signal. */
void mbs_use_signal(gradyn_mbs *m, mbs_element *e, const char *name, bool has_signal, int signal);

/* Adds an inertia (first build) or steps on to it; points [ops->points]. */
void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions);
/* Notes a build error if a number is negative. */
void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value);

/* A coordinate that a point's own one contributes to: the point itself, or a carrier. */
typedef struct mbs_term {
  int at; /* offset in the full arrays */
  double weight;
} mbs_term;

/* Term i of a point; false beyond the last. */
static inline bool mbs_point_term(const gradyn_mbs *m, int point, int i, mbs_term *term)
{
  const mbs_point *p = &m->point[point];
  if (p->kind != MBS_ATTACHED) {
    *term = (mbs_term){p->offset, 1};
    return i == 0;
  }
  if (i >= p->carriers)
    return false;
  *term = (mbs_term){m->point[p->carrier[i].point].offset, p->carrier[i].weight};
  return true;
}

/* Index in the full arrays of component c of what slot i of an element stands for; what a scalar does not
 * have lies behind the coordinates. */
int mbs_slot_index(const gradyn_mbs *m, const mbs_element *e, int i, int c);

/* Position in matrices of pattern dyn; what does not belong to two moving points goes to the scratch
 * entry at the end. */
int mbs_dyn_position(const gradyn_mbs *m, int row, int col);

/* Attached points: their values in a full array from those of their carriers; and the transpose, which
 * adds theirs to those of their carriers. */
void mbs_spread(const gradyn_mbs *m, double *full);
void mbs_pull(const gradyn_mbs *m, double *full);

/* Mass matrix and weights from the present data. */
void mbs_load_inertia(gradyn_mbs *m);
/* What multiplies the mass matrix, m->field [full]: accelerations m->acc, minus gravity if forces take
 * part. */
void mbs_inertia_field(gradyn_mbs *m, int parts);
/* f [full] += M w for all inertias, w [full]. */
void mbs_inertia_apply(const gradyn_mbs *m, const double *w, double *f);

/* x_bar += factor times the derivative of mu^T M a (part INERTIA) and of the weight's -mu^T M g (part FORCE)
 * by data, for mu, a [full]. */
void mbs_inertia_bars(gradyn_mbs *m, int parts, double factor, const double *a, const double *mu,
                      double *x_bar);

extern const gradyn_mech_ops mbs_mech_ops;
extern const gradyn_looks_ops mbs_looks;
extern const mbs_element_ops mbs_distance_ops, mbs_coordinate_ops, mbs_angle_ops, mbs_spring_ops,
    mbs_dot_ops, mbs_square_ops, mbs_corner_ops, mbs_pin_ops, mbs_beam_ops;

#endif
