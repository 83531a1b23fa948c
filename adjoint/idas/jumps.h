/* Derivatives across the events of a run of idas: instants in continuous time (dae/events/instant.h),
 * with the states before and behind at the event's own time,
 *     dY- = dy- + y-' dtau,  dY+ = R_y dY- + R_t dtau + R_x dx,  dy+ = dY+ - y+' dtau,
 * dy at fixed times; an integral changes by (g- - g+) dtau. */
#ifndef GRADYN_ADJOINT_IDAS_JUMPS_H
#define GRADYN_ADJOINT_IDAS_JUMPS_H

#include "dae/events/instant.h"
#include "dae/idas/events.h"

typedef struct gradyn_idas_jumps {
  gradyn_idas *march;
  double *r_y, *r_x; /* [np], [nx] of the guard, */
  gradyn_root root;  /* whose root is the event in hand */
  double *w_y, *w_x; /* [ny], [nx] of a functional */
  double *sy, *syp;  /* [ny] */
  double *yp;        /* [ny] */
  const int *row;    /* [rows] functionals of a sweep back, borrowed */
  int rows;
  const double
      *rate;     /* [nf] dpsi/dtau where the run ends with the event, borrowed; NULL: it goes on */
  double *t_bar; /* [nf] */
  double moves;  /* dtau in the last direction that was taken along */
  gradyn_arena arena; /* of all arrays */
} gradyn_idas_jumps;

gradyn_status gradyn_idas_jumps_create(gradyn_idas *march, gradyn_idas_jumps *out);
void gradyn_idas_jumps_clear(gradyn_idas_jumps *s);

/* Before directions or rows go across an event: its guard, and its jump once more. */
gradyn_status gradyn_idas_jump_begin(gradyn_idas_jumps *s, gradyn_passed_event *at);

/* One event in one direction: the sensitivities of the differential states in s [ny] go from before to
 * after; psi [nf] += changes of functionals taken there, integral [nf] those of integrals. */
gradyn_status gradyn_idas_jump_along(gradyn_idas_jumps *s, gradyn_passed_event *at, double *dx,
                                     double *sens, double *psi, double *integral);

/* The functionals row [rows], transposed: p, the first np of z [rows][nz], goes from after to before; x_bar
 * [nf][nx] +=.
 * slope [nf]: derivatives of functionals by their integrals. */
gradyn_status gradyn_idas_jump_against(gradyn_idas_jumps *s, gradyn_passed_event *at,
                                       const double *slope, int nz, double *z, double *x_bar);

#endif
