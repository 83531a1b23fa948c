/* What a kind of model provides: a mechanism, general equations. */
#ifndef GRADYN_CORE_MODEL_OPS_H
#define GRADYN_CORE_MODEL_OPS_H

#include "core/model/callback.h"
#include "core/model/functional.h"
#include "core/model/drawing.h"
#include <gradyn/describe.h>

typedef enum gradyn_model_kind {
  GRADYN_MODEL_NONE,
  GRADYN_MODEL_MECH,
  GRADYN_MODEL_DAE
} gradyn_model_kind;

typedef struct gradyn_gradients gradyn_gradients; /* see gradients.h */

typedef struct gradyn_model_ops {
  gradyn_model_kind kind;
  /* Before build() runs again: back to the first declaration. May be NULL. */
  void (*restart)(gradyn_model *model);
  /* After each build(): declares what that has not and the model needs; may be NULL. */
  void (*complete)(gradyn_model *model);
  /* After the first build(): checks the declarations, fixes all sizes and takes all memory. */
  gradyn_status (*finalise)(gradyn_model *model);
  /* After a repeated build(): whether what has no data is as before; may be NULL. */
  gradyn_status (*rebuilt)(gradyn_model *model);
  /* Takes over new data, x [nx]: recomputes whatever is constant during a march. */
  gradyn_status (*load)(gradyn_model *model);
  /* Number of states y, and the name and unit of state i ("2.x", "m"). */
  int (*state_count)(const gradyn_model *model);
  void (*state_name)(const gradyn_model *model, int i, char *buffer, size_t size);
  const char *(*state_unit)(const gradyn_model *model, int i);
  /* Further numbers that a model has at a sample, out [output_count], with names and units that live
   * with it; NULL: none. */
  int (*output_count)(const gradyn_model *model);
  const char *(*output_name)(const gradyn_model *model, int i);
  const char *(*output_unit)(const gradyn_model *model, int i);
  gradyn_status (*outputs)(gradyn_model *model, const gradyn_sample *at, double *out);
  /* Fills what user callbacks see from a sample: what they say that they read, and NAN for the rest, or
   * (NULL) everything; arrays owned by the model. */
  void (*fill)(gradyn_model *model, const gradyn_sample *sample, const gradyn_reads *reads,
               gradyn_at *at);
  /* Where state i, or another quantity i that callbacks see (a coordinate that is no state), stands
   * in the arrays that fill() wrote for the same reader: for complex step. slot_other returns NULL beyond the
   * last; other_bar() takes the derivative by such a quantity on to the states and data behind it. */
  gradyn_scalar *(*slot)(gradyn_model *model, const gradyn_reads *reads, int i);
  gradyn_scalar *(*slot_other)(gradyn_model *model, const gradyn_reads *reads, int i);
  void (*other_bar)(gradyn_model *model, int i, double bar, const gradyn_gradient_out *out,
                    const gradyn_sample *sample);
  /* What custom functionals may say that they read: how many points or states there are, and whether
   * slot i (or other quantity i) belongs to what is read. */
  int (*readable)(const gradyn_model *model);
  bool (*is_read)(const gradyn_model *model, const gradyn_reads *reads, int i, bool other);
  /* How many entries of an array functionals see, or (i >= 0) what entry i is, see gradyn_callback. */
  int (*seen)(const gradyn_model *model, gradyn_seen array, int i);
  /* What it consists of: see gradyn_list_elements(), with data by their places in x. */
  void (*elements)(const gradyn_model *model, gradyn_element_fn visit, void *user);
  /* Joint i of a mechanism in joint coordinates, see gradyn_link_at(); NULL: it has none of these. */
  bool (*link)(const gradyn_model *model, int i, gradyn_link_info *link);
  /* What a stage of the motion takes, about, in natural and in joint coordinates, multiplications; NULL: of
   * other models than those in joint coordinates. */
  void (*operations)(const gradyn_model *model, double count[2]);
  /* Gradients of several functionals at once, where they share what each takes; NULL: one by one. */
  gradyn_status (*gradients)(gradyn_model *model, const gradyn_sample *at,
                             const gradyn_gradients *g);
  const gradyn_looks_ops *looks; /* NULL: it cannot be drawn */
  void (*free)(void *impl);
} gradyn_model_ops;

#endif
