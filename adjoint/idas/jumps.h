/* Derivatives across the events of a run of idas in continuous time (dae/events/instant.h), with the states
 * before and after at the time of the event,
 *     dY- = dy- + y-' dtau,  dY+ = R_y dY- + R_t dtau + R_x dx,  dy+ = dY+ - y+' dtau,
 * dy at fixed times; an integral changes by (g- - g+) dtau. */
#ifndef GRADYN_ADJOINT_IDAS_JUMPS_H
#define GRADYN_ADJOINT_IDAS_JUMPS_H

#include "dae/events/instant.h"
#include "dae/idas/events.h"

typedef struct gradyn_idas_jumps {
  gradyn_idas *march;
  double *r_y, *r_x; /* [np], [nx] derivatives of the guard */
  gradyn_root root;  /* root of the present event; refers to r_y and r_x */
  double *w_y, *w_x; /* [ny], [nx] of a functional */
  double *sy, *syp;  /* [ny] */
  double *yp;        /* [ny] */
  const int *row;    /* [rows] functionals of a sweep back, borrowed */
  int rows;
  const double *rate; /* [nf] dpsi/dtau if the event ends the run, borrowed; NULL: it does not */
  double *t_bar;      /* [nf] */
  double moves;       /* dtau of the last direction */
  gradyn_arena arena; /* owns all arrays */
} gradyn_idas_jumps;

/* Allocates the arrays, if the model has events. march: borrowed, must outlive *out. Clear *out in any case:
 * clear() frees members only and may be repeated. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_jumps_create(gradyn_idas *march, gradyn_idas_jumps *out);
void gradyn_idas_jumps_clear(gradyn_idas_jumps *s);

/* Before the directions of an event: evaluates its guard with derivatives, and repeats its jump, whose
 * derivatives gradyn_idas_jump_along() uses. Errors: those of guard and jump. */
gradyn_status gradyn_idas_jump_begin(gradyn_idas_jumps *s, gradyn_passed_event *at);

/* One direction, after gradyn_idas_jump_begin(). sens [ny], changes of the differential states before the
 * event, become those after it. Adds changes of the functionals evaluated at the event to psi [nf], and
 * sets those of inner values by integrals in integral [nf]. dx [nx]: changes of data; changes of data
 * latched at the event are set. Errors: those of gradyn_impact_tangent(), functionals and equations. */
gradyn_status gradyn_idas_jump_along(gradyn_idas_jumps *s, gradyn_passed_event *at, double *dx,
                                     double *sens, double *psi, double *integral);

/* Transpose of gradyn_idas_jump_begin() and gradyn_idas_jump_along() for the functionals row [rows]. In z
 * [rows][nz], the first np of each row, adjoints after the event, become those before it. Adds to x_bar
 * [nf][nx]. slope [nf]: derivatives of functionals by their integrals. Errors: those of
 * gradyn_idas_jump_begin(), gradyn_impact_transposed(), functionals and equations. */
gradyn_status gradyn_idas_jump_against(gradyn_idas_jumps *s, gradyn_passed_event *at,
                                       const double *slope, int nz, double *z, double *x_bar);

#endif
