/* Smooth pieces of a run: between the knots at which a signal, or its derivative, jumps. */
#ifndef GRADYN_DAE_ARCS_H
#define GRADYN_DAE_ARCS_H

#include "core/model/model.h"

/* Instead of an event: the boundary follows the one before it at a fixed distance. */
enum { GRADYN_TIED = -1 };

/* A boundary between arcs: time = (1 - fraction) x[start] + fraction x[end]; -1: not a datum (0). Or
 * an event that the march has found: then its time is t, and moves as the guard has it. */
typedef struct gradyn_boundary {
  double t; /* s */
  double fraction;
  int start, end;                 /* indices in x */
  int transition;                 /* 1 + number of the event in the run; 0: none; or GRADYN_TIED */
  bool jumps;                     /* a signal jumps there */
  bool instant;                   /* of a functional: nothing changes there */
  gradyn_discrete_state discrete; /* of the arc that starts there, once it has been run */
} gradyn_boundary;

/* arc k goes from boundary[k] to boundary[k + 1]. */
typedef struct gradyn_arcs {
  gradyn_boundary *boundary; /* [count + 1] */
  int count, capacity;
} gradyn_arcs;

/* Whether arc k has no length: it stands between two events at one time. */
static inline bool gradyn_arcs_pause(const gradyn_arcs *arcs, int k)
{
  return arcs->boundary[k + 1].t <= arcs->boundary[k].t;
}

/* Whether signals change their pieces where arc k starts: not at an event, an instant or within a step. */
static inline bool gradyn_arcs_change(const gradyn_arcs *arcs, int k)
{
  const gradyn_boundary *b = &arcs->boundary[k];
  return k > 0 && b->transition == 0 && !b->instant && (b->start >= 0 || b->end >= 0);
}

/* Finds the arcs for the model's present data, which end at such knots; memory is kept for the next
 * call. Third derivatives jump at all knots of splines, which matters to methods of high order. */
gradyn_status gradyn_arcs_find(gradyn_model *model, gradyn_knots knots, gradyn_arcs *arcs);
void gradyn_arcs_clear(gradyn_arcs *arcs);

/* Adds a boundary at any time behind the start of the run, s, unless there is one; for methods whose steps
 * then end there. */
gradyn_status gradyn_arcs_add_time(gradyn_model *model, gradyn_arcs *arcs, double t);

/* GRADYN_SAME_TIME of the run, s. */
double gradyn_arcs_closest(const gradyn_model *model);

/* The same for the instants of all functionals. */
gradyn_status gradyn_arcs_add_instants(gradyn_model *model, gradyn_arcs *arcs);

/* Steps of about a length that arc k is made of: as many as at first, since their number must not
 * jump while boundaries move, unless there are other arcs now than then. */
double gradyn_arcs_steps(const gradyn_arcs *arcs, const gradyn_arcs *first, int k, double length);

/* Whether an event at t in the arc before boundary k falls on that boundary, which the event takes the
 * place of: a knot where signals only bend, or an instant. GRADYN_EVENT: a signal jumps there, or the
 * event falls on the arc's own start, so that the order of the two would decide. */
gradyn_status gradyn_arcs_meet(gradyn_model *model, const gradyn_arcs *arcs, int k, double t,
                               int event, bool *meets);

/* Puts a boundary in as number k, or takes it out. */
gradyn_status gradyn_arcs_insert(gradyn_model *model, gradyn_arcs *arcs, int k,
                                 const gradyn_boundary *boundary);
void gradyn_arcs_remove(gradyn_arcs *arcs, int k);

/* Makes arc k the one in which signals are evaluated, and keeps its scene. */
void gradyn_arcs_enter(gradyn_model *model, gradyn_arcs *arcs, int k);

/* dt/dx of a boundary times dx; and x_bar += t_bar dt/dx. */
double gradyn_boundary_tangent(const gradyn_boundary *b, const double *dx);
void gradyn_boundary_transposed(const gradyn_boundary *b, double t_bar, double *x_bar);

#endif
