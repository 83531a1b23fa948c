/* Arms whose frames are oblique, in space and in the plane, with events of all kinds. */
#ifndef GRADYN_TESTS_MBS_TREE_EVENTFUL_H
#define GRADYN_TESTS_MBS_TREE_EVENTFUL_H

#include <gradyn/gradyn.h>

/* The setting "kind" says which. Both rooms have the first: walls, landings, switches by formulas, velocities
 * that are set, a map, one that is kept, an end. */
enum {
  EVENTFUL_LANDINGS = 2,
  EVENTFUL_SET_BODY = 9,
  EVENTFUL_SHARED = 13,
  EVENTFUL_FUNCTIONALS = 7,
  EVENTFUL_PARAMETERS = 4
};

/* In space: a joint that is let go; loads on balls and loads that float; some of them in a loop. */
enum {
  EVENTFUL_RELEASE = EVENTFUL_SHARED,
  EVENTFUL_RELEASE_BALL,
  EVENTFUL_ON_BALL,
  EVENTFUL_AFLOAT,
  EVENTFUL_SET_AFLOAT,
  EVENTFUL_IN_LOOP,
  EVENTFUL_KINDS = EVENTFUL_IN_LOOP + 4,
  EVENTFUL_RUBS = 100 /* added to a kind: with friction in both hinges */
};
extern const gradyn_problem eventful_natural, eventful_joint;

/* In the plane, where the tip is the end of a rod: its velocity set and kept; a joint and a rod that are let
 * go; a load that floats; some of them in a loop. */
enum {
  EVENTFUL_SET_TIP = EVENTFUL_SHARED,
  EVENTFUL_KEEP_TIP,
  EVENTFUL_RELEASE_JOINT,
  EVENTFUL_RELEASE_ROD,
  EVENTFUL_FLAT_AFLOAT,
  EVENTFUL_SET_FLAT_AFLOAT,
  EVENTFUL_IN_FLAT_LOOP,
  EVENTFUL_OPEN_FLAT_LOOP,
  EVENTFUL_FLAT_KINDS = EVENTFUL_IN_FLAT_LOOP + 4
};
extern const gradyn_problem eventful_flat_natural, eventful_flat_joint;

/* --- what both arms are made of -------------------------------------------------------------------- */

/* The arm of the model in hand. */
typedef struct eventful_arm {
  int dim, up;      /* axes, and the one that is vertical */
  int upper, lower; /* bodies */
  int angle, bend;  /* coordinates of the shoulder and of the elbow */
  int tip, pivot;   /* points */
  int floor_row;    /* what goes through this constraint is seen */
  void (*close)(gradyn_model *m,
                int mode);  /* ties the tip to the ground by what is there in a mode, or in
                                             * every one, and leaves the coordinates free */
  double strain;            /* when a switch by forces happens, for each kilogram */
  gradyn_component kept[2]; /* [keeps] what a kinematic jump keeps */
  int keeps;
} eventful_arm;
extern eventful_arm eventful;
extern const gradyn_param eventful_params[EVENTFUL_PARAMETERS];

/* Declare events: of a shared kind, and what others are made of; each returns the event. */
int eventful_add(gradyn_model *m, const gradyn_scalar rho[], int kind);
int eventful_bounce(gradyn_model *m, const gradyn_scalar rho[]);
int eventful_bounce_off_gap(gradyn_model *m, const gradyn_scalar rho[]);
int eventful_land(gradyn_model *m, const gradyn_scalar rho[]);
int eventful_switch(gradyn_model *m, const gradyn_scalar rho[]);
int eventful_keep(gradyn_model *m, const gradyn_scalar rho[]);
int eventful_reset(gradyn_model *m, const gradyn_scalar rho[], gradyn_functional_fn formula,
                   const gradyn_component *set, int count);
gradyn_status eventful_kick(const gradyn_at *at, gradyn_scalar *value);
/* The four kinds in a loop: a wall, the loop opened, a landing, a switch. */
int eventful_in_loop(gradyn_model *m, const gradyn_scalar rho[], int kind);
/* A mode for what an event lets go, and that event. */
int eventful_held(gradyn_model *m);
int eventful_let_go(gradyn_model *m, const gradyn_scalar rho[], int held);

/* A joint's angle with its start and its spring. */
int eventful_angle(gradyn_model *m, int joint, const char *name, double start, gradyn_scalar rate);
/* Functionals of an event and of the run. */
void eventful_see(gradyn_model *m, int event);

#endif
