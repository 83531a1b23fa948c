/* What functions that declare parts of mechanisms have in common. */
#ifndef GRADYN_MBS_DECLARE_H
#define GRADYN_MBS_DECLARE_H

#include "mbs/elements/mechanism.h"

/* The first declaration fixes whether it is planar (2) or spatial (3); false, and a build error: not so. */
bool mbs_use_dimension(gradyn_mbs *m, const char *name, int dim);

/* Notes a build error if a name leaves no room for those of the parts that are called after it. */
bool mbs_check_name(gradyn_mbs *m, const char *name);

/* Declares a moving, ground or attached point with data named by x, y, z. */
int mbs_add_point(gradyn_mbs *m, const char *name, const mbs_point *prototype,
                  const gradyn_scalar position[3]);
int mbs_attach_point(gradyn_mbs *m, const char *name, bool direction, int carriers,
                     const mbs_carrier *carrier);
/* Takes all names out of the search for equal ones, before they are freed. */
void mbs_forget_names(gradyn_mbs *m);
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
/* Fills what callbacks see of point i at a place of theirs: its first `orders` of position, velocity and
 * acceleration. */
void mbs_show_point(gradyn_mbs *m, int i, int place, int orders, const double *y);
/* How many entries an array has that callbacks see, or (i >= 0) what entry i is: see gradyn_callback. */
int mbs_seen(const gradyn_model *model, gradyn_seen array, int i);

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
/* Copies numbers of points or joint coordinates that a user's function lists, each once; build errors if
 * not. */
bool mbs_take_points(gradyn_mbs *m, const char *name, const int *points, int count, int taken[]);

/* Notes a build error: an instant is no time of a run. */
void mbs_check_instant(gradyn_model *model, const char *name, double instant);

/* The number-th constraint of the motion, in the order of declaration (NULL: there is none); its name, and
 * the unit of its multiplier. */
const mbs_element *mbs_motion(const gradyn_mbs *m, int number);
const char *mbs_motion_name(const gradyn_mbs *m, int number);
const char *mbs_motion_unit(const gradyn_mbs *m, int number);
const char *mbs_multiplier_unit(const gradyn_mbs *m, const mbs_element *e);

/* Notes a build error if the mechanism has no such axis. */
bool mbs_check_axis(gradyn_mbs *m, const char *name, gradyn_axis axis);

/* Adds an element (first build) or steps on to it (later ones); returns it or NULL. The caller
 * declares its data. number: its position among forces, or among constraints that hold when it does. */
mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number);
/* The same of a constraint; and of a force with its data. They return the number. */
int mbs_add_row(gradyn_mbs *m, const mbs_element *e, const char *name);
int mbs_add_force(gradyn_mbs *m, mbs_element *e, const char *name, const gradyn_datum *data,
                  int count);
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

/* Adds the gap of a contact given by the user's function; returns its number among contacts. */
int mbs_custom_gap(gradyn_mbs *m, const char *name, const gradyn_custom_constraint_spec *spec);

/* Adds a signal to the inputs of an element if has_signal. */
void mbs_use_signal(gradyn_mbs *m, mbs_element *e, const char *name, bool has_signal, int signal);

/* Adds an inertia (first build) or steps on to it; points [ops->points]. */
void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions);
/* Notes a build error if a number is negative. */
void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value);

/* A kernel inlined with the number of axes as a constant. */
#define MBS_BY_AXES(m, kernel, ...)                                                                \
  ((m)->dim == 2 ? kernel(2, __VA_ARGS__) : kernel(3, __VA_ARGS__))

#endif
