/* The model as the library sees it: named data, signals, functionals, and either a mechanism or
 * general equations. Built once ("declare"), then refilled with new numbers ("refresh"). */
#ifndef GRADYN_CORE_MODEL_H
#define GRADYN_CORE_MODEL_H

#include "core/event.h"
#include "core/functional.h"
#include "core/looks.h"
#include "core/mech.h"
#include "core/message.h"
#include "core/signal.h"
#include <gradyn/evaluate.h>
#include <gradyn/model.h>

/* Step of the complex-step derivatives: small enough that its square vanishes beside any number. */
#define GRADYN_COMPLEX_STEP 1e-40

typedef enum gradyn_model_kind {
  GRADYN_MODEL_NONE,
  GRADYN_MODEL_MECH,
  GRADYN_MODEL_DAE
} gradyn_model_kind;

/* What a kind of model (planar mechanism, general equations) provides. */
typedef struct gradyn_model_ops {
  gradyn_model_kind kind;
  /* Before build() runs again: back to the first declaration. May be NULL. */
  void (*restart)(gradyn_model *model);
  /* After the first build(): checks the declarations, fixes all sizes and takes all memory. */
  gradyn_status (*seal)(gradyn_model *model);
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
  void (*outputs)(gradyn_model *model, const gradyn_sample *at, double *out);
  /* Fills what user callbacks see from a sample; arrays owned by the model. */
  void (*fill)(gradyn_model *model, const gradyn_sample *sample, gradyn_at *at);
  /* Where state i, or another quantity i that callbacks see (a coordinate that is no state), stands
   * in the arrays that fill() wrote: for complex step. slot_other returns NULL beyond the last;
   * other_bar() takes the derivative by such a quantity on to the states and data behind it. */
  gradyn_scalar *(*slot)(gradyn_model *model, int i);
  gradyn_scalar *(*slot_other)(gradyn_model *model, int i);
  void (*other_bar)(gradyn_model *model, int i, double bar, const gradyn_gradient_out *out,
                    const gradyn_sample *sample);
  /* What custom functionals may say that they read: how many points or states there are, whether slot
   * i (or other quantity i) belongs to what is read, and NAN for all the rest in what fill() wrote. */
  int (*readable)(const gradyn_model *model);
  bool (*is_read)(const gradyn_model *model, const gradyn_reads *reads, int i, bool other);
  void (*hide)(gradyn_model *model, const gradyn_reads *reads);
  const gradyn_looks_ops *looks; /* NULL: it cannot be drawn */
  void (*free)(void *impl);
} gradyn_model_ops;

typedef struct gradyn_data_entry {
  char *name, *unit;
  int own;      /* where its part of the name begins, behind the owner's */
  bool derived; /* computed from other data, not shown to users */
} gradyn_data_entry;

/* Addresses of an owner's name formed by gradyn_name() and of a literal: names that cannot have changed
 * need not be compared. */
typedef struct gradyn_datum_key {
  const char *owner, *name; /* name NULL: one of them may change */
} gradyn_datum_key;

struct gradyn_model {
  const gradyn_problem *problem;
  const gradyn_setting_choice *settings; /* [setting_count], borrowed */
  size_t setting_count;

  bool free_start; /* set while building: nothing is held at the start */
  bool sealed;     /* declarations are over: build() only refreshes numbers */
  bool failed;     /* a declaration of the present build() is wrong */
  bool exhausted;  /* one of them found no memory */
  gradyn_message message;

  /* data */
  gradyn_data_entry *entry;   /* [nx] */
  gradyn_datum_key *key;      /* [nx] */
  gradyn_scalar *value;       /* [nx], as the last build() left them */
  double *x;                  /* [nx], real data in use */
  int nx, capacity, cursor;   /* cursor: next datum of the present build() */
  int t_end;                  /* its index in x */
  bool t_end_built;           /* build() gives it */
  double t_end_given;         /* s, takes the place of the problem's; 0: none */
  bool (*cancel)(void *user); /* whether the caller wants no more; NULL: never */
  void *cancel_user;
  double deadline, allowed; /* s: when this call takes too long, and how long that is; 0: never */

  char **name; /* [name_count] formed by gradyn_name(), in the order of its calls */
  int name_count, name_cursor;

  gradyn_waveform *signal; /* [signal_count] */
  gradyn_scalar *u;        /* [signal_count], scratch for callbacks */
  gradyn_scalar *local;    /* [local_size], scratch for the data of the callback being called */
  int local_size;
  int signal_count, signal_cursor;
  gradyn_functional *functional; /* [functional_count] */
  int functional_count, functional_cursor;
  gradyn_event *event; /* [event_count] */
  int event_count, event_cursor;
  char **mode_name; /* [mode_count] */
  int mode_count, mode_cursor;
  unsigned scope;           /* bits of the modes that what is declared now belongs to; 0: all */
  int mode;                 /* the present one, from 0 on */
  gradyn_event_record *log; /* [log_count] the events of the last run */
  int log_count, log_room;

  const gradyn_model_ops *ops;
  void *impl;                               /* of the kind: the mechanism or the equations */
  gradyn_mech *mech;                        /* NULL for general equations */
  struct gradyn_equations_model *equations; /* NULL for mechanisms */
};

/* Builds the model of a problem at rho [p] and seals it. settings are borrowed for the model's life.
 * t_end: instead of the problem's, s; 0: none. *out is set even on failure (message). */
gradyn_status gradyn_model_create(const gradyn_problem *problem,
                                  const gradyn_setting_choice *settings, size_t setting_count,
                                  double t_end, const gradyn_scalar *rho, gradyn_model **out);
void gradyn_model_free(gradyn_model *model);

/* Runs build() again at rho: fills value [nx]; fails if the structure has changed or a number is
 * not finite. */
gradyn_status gradyn_model_refresh(gradyn_model *model, const gradyn_scalar *rho);

/* Takes data x [nx] into use (NULL: the real parts of value). */
gradyn_status gradyn_model_load(gradyn_model *model, const double *x);

/* How many further numbers the model has at a sample: see gradyn_model_ops. */
static inline size_t gradyn_model_outputs(const gradyn_model *model)
{
  return model->ops->output_count ? (size_t)model->ops->output_count(model) : 0;
}

/* Recomputes derived data in x from the others; and x_bar of the others from derived ones. */
void gradyn_model_derive(const gradyn_model *model, double *x);
void gradyn_model_derive_transposed(const gradyn_model *model, double *x_bar);

/* GRADYN_INTERRUPTED if the caller wants no more, GRADYN_STEP_LIMIT if it takes too long; to be asked at
 * each step of whatever takes long, of which t is the time, s. */
gradyn_status gradyn_model_cancelled(gradyn_model *model, double t);

/* --- for the declaring functions of each kind ------------------------------------------------- */

/* Declares (or refreshes) the next datum "owner.name"; returns its index. Non-finite values are
 * build errors. name is a literal, as in the next two functions. */
int gradyn_model_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_scalar value);
int gradyn_model_derived(gradyn_model *model, const char *owner, const char *name,
                         gradyn_scalar value);
/* Declares the data of an element; returns the index of the first. The same for data that a user names, of
 * which NULL may be given. */
int gradyn_model_data(gradyn_model *model, const char *owner, const gradyn_datum *data, int count);
int gradyn_model_user_data(gradyn_model *model, const char *owner, const gradyn_datum *data,
                           int count);

/* Declares a row "owner.name[0]", ... [count] whose length is as in the first build(); returns the
 * index of the first. known: that index, -1 in the first build(). */
int gradyn_model_row(gradyn_model *model, const char *owner, const char *name, const char *unit,
                     int count, const gradyn_scalar *value, int known);

/* Makes room for one more element in an array with capacity doubling; NULL: out of memory, which is
 * also noted as a build error. */
void *gradyn_model_grow(gradyn_model *model, void *array, int count, size_t size);
/* Copies a name or a unit (NULL: ""); what is wrong with it is a build error. NULL: out of memory. */
char *gradyn_model_copy_name(gradyn_model *model, const char *name);

/* Notes what is wrong with a name as a build error, once however many declarations use it. */
void gradyn_model_check_name(gradyn_model *model, const char *name);

/* Whether a name is one of the last that gradyn_name() has formed. */
bool gradyn_model_formed(const gradyn_model *model, const char *name);

/* Whether what a declaring function cannot do without has been given: its specification, or the name of
 * what it declares. If not, that is a build error (as far as there is a model at all). */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function);
bool gradyn_model_named(gradyn_model *model, const char *name, const char *what);

/* Notes as a build error that there is no memory for something. */
void gradyn_model_no_memory(gradyn_model *model, const char *what);

/* Values of all signals at t, for callbacks; u [signal_count]. */
void gradyn_model_signals(const gradyn_model *model, double t, gradyn_scalar *u);

/* Fixes which smooth piece of every signal holds: the one around t. Called at the start of an arc,
 * so that values at its two ends are one-sided limits. NAN: by the time of each evaluation. */
void gradyn_model_enter_arc(gradyn_model *model, double t);

#endif
