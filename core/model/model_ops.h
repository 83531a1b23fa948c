/* Operations of a kind of model: mechanism or general equations. */
#ifndef GRADYN_CORE_MODEL_OPS_H
#define GRADYN_CORE_MODEL_OPS_H

#include "core/linear/lanes.h"
#include "core/model/callback.h"
#include "core/model/functional.h"
#include <gradyn/inspect.h>

/* What mechanisms provide for drawings and for checks of energies. */
typedef struct gradyn_drawing_ops {
  int (*axes)(const gradyn_model *model); /* number of axes: 2 or 3 */
  /* Number of points; point i, from 0. */
  int (*points)(const gradyn_model *model);
  gradyn_drawn_point (*point)(const gradyn_model *model, int i);
  /* Calls visit(drawable, user) for each drawable, which is valid during the call only. */
  void (*draw)(const gradyn_model *model, gradyn_drawable_fn visit, void *user);
  /* Kinetic and potential energy at a sample, J. Errors of this and of conserves: failures of callbacks. */
  gradyn_status (*energy)(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);
  /* Whether energy is conserved at a sample: all forces have potentials, no element depends on time, and no
   * constraint is a user's. */
  gradyn_status (*conserves)(gradyn_model *model, const gradyn_sample *at, bool *conserved);
} gradyn_drawing_ops;

typedef enum gradyn_model_kind {
  GRADYN_MODEL_NONE,
  GRADYN_MODEL_MECH,
  GRADYN_MODEL_DAE
} gradyn_model_kind;

/* Gradients of functionals at one sample, `count` lanes, at most GRADYN_LANES. of[k] NULL: no request in lane
 * k. part[k]: its integrand or terminal part. weight[k] times the gradient is added to lane k of y_bar [ny],
 * to x_bar [count][nx] and to t_bar [count]; none of these may be NULL. */
typedef struct gradyn_gradients {
  int count;
  const gradyn_functional_entry *of[GRADYN_LANES];
  const gradyn_functional_ops *part[GRADYN_LANES];
  double weight[GRADYN_LANES];
  gradyn_lanes *y_bar;
  double *x_bar, *t_bar;
} gradyn_gradients;

/* Adds the gradients of all lanes in *g at a sample. Errors: failures of callbacks; the sums are then
 * incomplete. */
gradyn_status gradyn_gradients_take(gradyn_model *model, const gradyn_sample *at,
                                    const gradyn_gradients *g);

/* Adds the gradient of lane k, from 0, in *g at a sample; of[k] must not be NULL. Errors: failures of
 * callbacks; the sums are then incomplete. */
gradyn_status gradyn_gradients_take_lane(gradyn_model *model, const gradyn_sample *at,
                                         const gradyn_gradients *g, int k);

typedef struct gradyn_model_ops {
  gradyn_model_kind kind;
  /* Before build() runs again: resets cursors to the first declaration. May be NULL. */
  void (*restart)(gradyn_model *model);
  /* After each build() without an error: declares missing elements that the model needs; errors are build
   * errors. May be NULL. */
  void (*complete)(gradyn_model *model);
  /* After the first build(): checks declarations, fixes all sizes and allocates all memory. Errors, with a
   * message: GRADYN_INVALID, GRADYN_NO_MEMORY, GRADYN_UNSUPPORTED. */
  gradyn_status (*finalise)(gradyn_model *model);
  /* After a later build(): checks that structure without data is unchanged. May be NULL. GRADYN_INVALID, with
   * a message. */
  gradyn_status (*rebuilt)(gradyn_model *model);
  /* After a change of the data, in model->x [nx]: recomputes quantities that are constant during a run.
   * GRADYN_UNSUPPORTED, with a message: directions of a joint are degenerate. */
  gradyn_status (*load)(gradyn_model *model);
  /* Number ny of states y; name and unit of state i, from 0, for example "2.x" and "m". buffer [size]
   * receives the name, cut if necessary; the unit is owned by the model. */
  int (*state_count)(const gradyn_model *model);
  void (*state_name)(const gradyn_model *model, int i, char *buffer, size_t size);
  const char *(*state_unit)(const gradyn_model *model, int i);
  /* Further outputs at a sample, out [output_count], after the states in a trajectory. Names and units are
   * owned by the model. All four NULL: none. */
  int (*output_count)(const gradyn_model *model);
  const char *(*output_name)(const gradyn_model *model, int i);
  const char *(*output_unit)(const gradyn_model *model, int i);
  gradyn_status (*outputs)(gradyn_model *model, const gradyn_sample *at, double *out);
  /* Fills the arrays that user callbacks read from a sample. Entries that `reads` does not list are NAN;
   * reads NULL: all entries are filled. The arrays are owned by the model and valid until the next fill().
   * Other members of *at stay. */
  void (*fill)(gradyn_model *model, const gradyn_sample *sample, const gradyn_reads *reads,
               gradyn_at *at);
  /* For complex step: address of state i, or of another quantity i (a coordinate that is no state), in the
   * arrays that fill() wrote for the same reader. slot_other returns NULL after the last quantity.
   * other_bar() adds bar, the adjoint of such a quantity, to those of states and data in *out; NULL: no such
   * quantities. */
  gradyn_scalar *(*slot)(gradyn_model *model, const gradyn_reads *reads, int i);
  gradyn_scalar *(*slot_other)(gradyn_model *model, const gradyn_reads *reads, int i);
  void (*other_bar)(gradyn_model *model, int i, double bar, const gradyn_gradient_out *out,
                    const gradyn_sample *sample);
  /* readable: number of points or states that custom functionals may list. readable_name: name of point i,
   * valid as long as the model; NULL: general equations, where state_name has it. is_read: whether slot i, or
   * (other) other quantity i, belongs to a list. */
  int (*readable)(const gradyn_model *model);
  const char *(*readable_name)(const gradyn_model *model, int i);
  bool (*is_read)(const gradyn_model *model, const gradyn_reads *reads, int i, bool other);
  /* With i < 0, returns the number of entries of an array that functionals read; with i >= 0, the source of
   * entry i, see gradyn_callback. */
  int (*seen)(const gradyn_model *model, gradyn_seen array, int i);
  /* Visits all elements, see gradyn_elements_visit(); data are given by their indices in x. */
  void (*elements)(const gradyn_model *model, gradyn_element_fn visit, void *user);
  /* Joint i, from 0, of a mechanism in joint coordinates, see gradyn_link_at(); false after the last one.
   * NULL: no such joints. */
  bool (*link)(const gradyn_model *model, int i, gradyn_link_info *link);
  /* Estimated multiplications per stage, in natural (count[0]) and in joint coordinates (count[1]). NULL: the
   * model has no joint coordinates. */
  void (*operations)(const gradyn_model *model, double count[2]);
  /* Gradients of several functionals at once, with shared intermediate results; arguments as for
   * gradyn_gradients_take(). NULL: one by one. */
  gradyn_status (*gradients)(gradyn_model *model, const gradyn_sample *at,
                             const gradyn_gradients *g);
  const gradyn_drawing_ops *looks; /* NULL: the model cannot be drawn */
  /* Frees impl, the model->impl, complete or not. Not NULL. */
  void (*free)(void *impl);
} gradyn_model_ops;

#endif
