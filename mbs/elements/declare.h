/* Functions for the declaration of parts of mechanisms. Errors are reported as build errors. Numbers of
 * points, bodies and constraints are indices from 0; an id is a number of the public interface, from 1. */
#ifndef GRADYN_MBS_DECLARE_H
#define GRADYN_MBS_DECLARE_H

#include "mbs/elements/mechanism.h"

/* Makes the mechanism planar (dim 2) or spatial (3), at the first declaration. Returns false after a build
 * error about `name`: a later dim differs. */
bool mbs_use_dimension(gradyn_mbs *m, const char *name, int dim);

/* Returns whether a name, not NULL, of a part has at most MBS_NAME bytes; false after a build error. */
bool mbs_check_name(gradyn_mbs *m, const char *name);

/* Declares a moving or ground point, a copy of *prototype, at `position` [dim], m, with data name.x, .y,
 * .z. A moving point also has .vx, .vy, .vz, initially 0. Returns its number, also after a build error; 0
 * without memory. */
int mbs_add_point(gradyn_mbs *m, const char *name, const mbs_point *prototype,
                  const gradyn_scalar position[3]);
/* Declares a point attached to carrier [carriers], copied, carriers <= MBS_CARRIERS, which is not checked.
 * direction: it is a vector. Returns its number, also after a build error; 0 without memory. */
int mbs_attach_point(gradyn_mbs *m, const char *name, bool direction, int carriers,
                     const mbs_carrier *carrier);
/* Empties the search tree of the points' names, before these names are freed. The names stay valid. */
void mbs_forget_names(gradyn_mbs *m);
/* Declares a scalar in rad if `angle`, otherwise in m, with the datum name.near; returns its number. Of
 * several solutions, the assembly selects the one nearest to this value, which has no weight. */
int mbs_add_scalar(gradyn_mbs *m, const char *name, bool angle, gradyn_scalar near);
/* Declares the scalar of a constraint with that name or NULL, see mbs_modes; returns its number. */
int mbs_add_idle(gradyn_mbs *m, const char *constraint);
/* Declares a scalar of unit inertia and returns its number; the rate of this scalar is a first-order state.
 * Data: name.integral (0), name.initial. unit: of the state's integral, of the state, of the state's rate.
 * size: typical magnitude of the state in its unit; 0: the length scale is 1. */
int mbs_add_state(gradyn_mbs *m, const char *name, const char *const unit[3], double size,
                  gradyn_scalar initial);
/* Returns whether a point cannot move: it is on the ground, or attached to ground points only. */
bool mbs_on_ground(const gradyn_mbs *m, int point);
/* Sets position [dim], m, of a point in the present build(); 0 if memory is exhausted. */
void mbs_initial_position(const gradyn_mbs *m, int point, gradyn_scalar position[3]);
/* Returns the distance of two points, m, in the present build(); 0 if memory is exhausted. */
gradyn_scalar mbs_initial_distance(const gradyn_mbs *m, int from, int to);
/* Sets the approximate initial velocity [dim], m/s, of a moving point; no effect on other points. Build error
 * if a component is not finite; no component is then changed. */
void mbs_set_velocity(gradyn_mbs *m, int point, const gradyn_scalar velocity[3]);

/* Returns a component of a point along an axis, 0 to 2: coordinate (order 0), velocity (1) or acceleration
 * (2); 0 for an axis that the point does not have. y: the state (q, v, a, ...), natural coordinates. */
double mbs_component(const gradyn_mbs *m, int point, int order, int axis, const double *y);

/* Adds weight times the derivatives of mbs_component(), with the same point, order and axis, by y and data
 * to out->y_bar and out->x_bar; each may be NULL. */
void mbs_component_bar(const gradyn_mbs *m, int point, int order, int axis, double weight,
                       const double *y, const gradyn_gradient_out *out);
/* Writes point i as entry `place` of m->work.view, which callbacks see: the first `orders` (0 to 3) of
 * position, velocity and acceleration, from the state y = (q, v, a, ...). */
void mbs_show_point(gradyn_mbs *m, int i, int place, int orders, const double *y);
/* Returns the source of entry i of an array that callbacks see, see gradyn_callback; i < 0: the number of
 * entries. */
int mbs_seen(const gradyn_model *model, gradyn_seen array, int i);

/* Returns the body with an id, valid until the next one is declared. NULL: m is NULL, or there is none,
 * which is a build error that begins with `element`. */
const mbs_body *mbs_check_body(gradyn_mbs *m, const char *element, int body);

/* Returns the beam with an id, valid until the next one is declared. NULL: m is NULL, or there is none,
 * which is a build error that begins with `element`. */
const mbs_beam *mbs_check_beam(gradyn_mbs *m, const char *element, int beam);

/* Sets *point and *slope to the numbers of the points of a beam's node, its position and its slope. node: 0
 * to elements, or GRADYN_BEAM_END. Returns false after a build error, which begins with `element`. */
bool mbs_check_node(gradyn_mbs *m, const char *element, int beam, int node, int *point, int *slope);
/* Returns whether a point is the centre of a body, or attached to points of one body only. Base vectors:
 * false. */
bool mbs_belongs(const gradyn_mbs *m, int point, const mbs_body *body);
/* Attaches a point to a body and returns its number. position: initial, m, axes of the ground. Data:
 * name.local_x, .local_y, .local_z, relative to the centre, along the base vectors. */
int mbs_body_point(gradyn_mbs *m, const char *name, const mbs_body *body,
                   const gradyn_scalar position[3]);
/* Scales t [dim], not zero, to length 1. Rows 0 to dim - 2 of n are unit normals of t: n[0] x n[1] = t, in
 * the plane t turned by +90 degrees. Analytic in t, for complex step. */
void mbs_find_normals(const gradyn_mbs *m, gradyn_scalar t[3], gradyn_scalar n[2][3]);
/* Declares a direction fixed to a body (NULL: the ground), initially n [dim], of any length, along axes of
 * the ground; returns its number. */
int mbs_fix_direction(gradyn_mbs *m, const char *name, const mbs_body *body,
                      const gradyn_scalar n[3]);
/* Adds the constraints r_b - r_a = 0 of points a, b along all axes, called name.x, ...; returns the number of
 * the first one in the motion. */
int mbs_join(gradyn_mbs *m, const char *name, int a, int b);

/* Sets *point to the number of the point with an id. Returns false after a build error, which begins with
 * `element`: there is none, or it is a joint coordinate or state. */
bool mbs_take_point(gradyn_mbs *m, const char *element, int id, int *point);

/* Returns the number of the point or scalar with an id; -1 after a build error, which begins with
 * `element`. */
int mbs_find_any_point(gradyn_mbs *m, const char *element, int id);
/* Stores the numbers of points, joint coordinates or states, by ids, in taken [count]. False after a build
 * error: more than GRADYN_CUSTOM_POINTS, or an undeclared one. A repeated id is a build error, too, but
 * returns true. */
bool mbs_take_points(gradyn_mbs *m, const char *name, const int *points, int count, int taken[]);
/* Returns constraint `number` of the motion, in the order of declaration, valid until the next one is
 * declared; NULL: there is none. */
const mbs_element *mbs_motion(const gradyn_mbs *m, int number);
/* Returns the name of constraint `number` of the motion; "?": there is none. */
const char *mbs_motion_name(const gradyn_mbs *m, int number);
/* Returns the unit of the multiplier of constraint `number` of the motion; "N": there is none. */
const char *mbs_motion_unit(const gradyn_mbs *m, int number);
/* Returns the unit of the multiplier of constraint e, such as "N" or "N m", a constant text. */
const char *mbs_multiplier_unit(const gradyn_mbs *m, const mbs_element *e);
/* Returns whether the mechanism has this axis; false after a build error about `name`. */
bool mbs_check_axis(gradyn_mbs *m, const char *name, gradyn_axis axis);
/* Adds an element (first build), or compares it with the stored one (later builds). The prototype is copied.
 * name NULL: its kind. Build error if its two points are equal; it is added nevertheless. Returns the added
 * element, valid until the next one of the list, or NULL in later builds and without memory. The caller
 * declares its data. *number: its index among forces, or among constraints with the same `when`. */
mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number);
/* Adds a constraint, *e copied, and returns its index among those with the same `when`. */
int mbs_add_row(gradyn_mbs *m, const mbs_element *e, const char *name);
/* Adds a force with data [count], whose names are literals, and returns its id, 0 without memory. *e
 * receives count and the index of the first datum. */
int mbs_add_force(gradyn_mbs *m, mbs_element *e, const char *name, const gradyn_datum *data,
                  int count);
/* Returns the prototype of an element between two points, by their numbers. */
mbs_element mbs_pair(const mbs_element_ops *ops, int from, int to);
/* Declares the data of a law and makes it the input of *element, whose `when` is set; returns the index of
 * the first datum, which the caller stores. law: copied; NULL is the constant 0. unit: of the value and its
 * first two derivatives. A fixed initial condition has value and rate only. Build error if the signal of the
 * law is not a cubic spline. */
int mbs_declare_law(gradyn_mbs *m, const char *name, const char *const unit[3],
                    const gradyn_time_function *law, mbs_element *element);
/* Adds a user's gap function of the contact `name`, active at impacts; spec->name is not used. Returns its
 * number among contacts. -1: m is NULL, or a build error about the number of data or about points. After
 * other build errors, also of repeated points, it returns a number. spec->user must outlive the model. */
int mbs_custom_gap(gradyn_mbs *m, const char *name, const gradyn_custom_constraint_spec *spec);
/* Makes the signal with the id `signal` the only one of an element. No signal: id 0, or one that is a build
 * error. */
void mbs_use_signal(gradyn_mbs *m, mbs_element *e, const char *name, int signal);
/* Adds an inertia of points [ops->points] (first build), or compares it (later builds). datum: index of its
 * first datum. divisions: of beams, the number of beam elements. */
void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions);

/* Reports a build error about datum "name.what" if its value is negative. */
void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value);
/* Calls kernel(dim, ...) with the number of axes, 2 or 3, as a constant. */
#define MBS_BY_AXES(m, kernel, ...)                                                                \
  ((m)->dim == 2 ? kernel(2, __VA_ARGS__) : kernel(3, __VA_ARGS__))

#endif
