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

gradyn_status gradyn_idas_jumps_create(gradyn_idas *march, gradyn_idas_jumps *out);
void gradyn_idas_jumps_clear(gradyn_idas_jumps *s);

/* Before the next two functions: evaluates the guard of an event, and repeats its jump. */
gradyn_status gradyn_idas_jump_begin(gradyn_idas_jumps *s, gradyn_passed_event *at);

/* One direction: sens [ny], derivatives of the differential states before the event, become those after it.
 * Adds changes of functionals evaluated there to psi [nf], those of integrals to integral [nf]. dx [nx]:
 * latched data are set. */
gradyn_status gradyn_idas_jump_along(gradyn_idas_jumps *s, gradyn_passed_event *at, double *dx,
                                     double *sens, double *psi, double *integral);

/* The functionals row [rows], transposed: p, the first np of z [rows][nz], goes from after to before; x_bar
 * [nf][nx] +=.
 * slope [nf]: derivatives of functionals by their integrals. */
gradyn_status gradyn_idas_jump_against(gradyn_idas_jumps *s, gradyn_passed_event *at,
                                       const double *slope, int nz, double *z, double *x_bar);

#endif
