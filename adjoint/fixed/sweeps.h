/* Direct and adjoint sweeps over the steps of any fixed-step scheme. */
#ifndef GRADYN_ADJOINT_SWEEPS_H
#define GRADYN_ADJOINT_SWEEPS_H

#include "adjoint/directions.h"
#include "adjoint/fixed/sweep_growth.h"
#include "dae/fixed/fixed.h"

typedef struct gradyn_sweep_events gradyn_sweep_events;

typedef struct gradyn_sweeps {
  gradyn_fixed *march;
  int columns;           /* functionals that read states and are not skipped */
  int *row;              /* [nf] functionals' places in the arrays below: those come first */
  gradyn_lanes *s_bar;   /* [columns in packs][ns] */
  double *column;        /* [ns or ny] one of s_bar, ds or dy */
  double *h_bar, *t_bar; /* [columns] of the step in hand */
  double *slope;         /* [nf] */
  double *end_bar;       /* [nf] derivative with respect to the end time */
  double *y_bar;         /* [columns][ny] */
  double *x_bar;         /* [nf][nx] */
  gradyn_lanes
      *given;        /* [columns in packs][nx] what steps, and what is seen of nodes, have of it */
  int *reach;        /* [nf] entries of y, from the first one, that functionals may read */
  gradyn_lanes *ds;  /* [directions in packs][ns] */
  gradyn_lanes *dy;  /* [directions in packs][ny], where states are not those of functionals */
  double *dx;        /* [directions][nx] */
  gradyn_lanes *fed; /* [directions in packs][nx] the same side by side */
  gradyn_lanes *sum; /* [nf][directions in packs] of what functionals read of states */
  double *rate;      /* [directions] of the end time */
  double *dh, *dt;   /* [directions] of the step in hand; zero if the end does not move */
  int count;         /* directions in hand, with those that are held */
  int held;     /* the last ones: times move alone, to hold instants where a step ends that moves */
  int capacity; /* directions that memory was taken for */
  bool moving_end; /* the end time varies */
  gradyn_adjoint_growth growth;
  gradyn_sweep_events *events;          /* see sweep_events.h; NULL: the model has none */
  gradyn_arena of_model, of_directions; /* of all arrays */
} gradyn_sweeps;

gradyn_status gradyn_sweeps_create(gradyn_fixed *march, gradyn_sweeps *out);
void gradyn_sweeps_clear(gradyn_sweeps *s);

/* Lanes of s_bar. */
static inline size_t gradyn_sweeps_lanes(const gradyn_fixed *march)
{
  return gradyn_lanes_packs(march->nf) * (size_t)march->stepper->ns;
}

/* The first bar of a row, the others of which are GRADYN_LANES numbers apart; bars of a row as one vector,
 * borrowed. */
static inline double *gradyn_sweeps_lane(const gradyn_sweeps *s, int row)
{
  return gradyn_lane(s->s_bar, s->march->stepper->ns, row);
}
double *gradyn_sweeps_column(const gradyn_sweeps *s, int row);

/* Before an adjoint sweep: columns and row, from which functionals are skipped. */
void gradyn_sweeps_sort(gradyn_sweeps *s);

/* After a march: slope from the inner values, and in end_bar the end time's direct effect through the
 * outer function. */
void gradyn_sweeps_begin(gradyn_sweeps *s);

/* As the functions of gradyn_method. */
gradyn_status gradyn_sweep_direct(gradyn_sweeps *s, const gradyn_directions *directions,
                                  double *psi, double *gradient);
gradyn_status gradyn_sweep_adjoint(gradyn_sweeps *s, const bool *active, double *psi,
                                   double *x_bar);

/* ds of all directions from node k to the next one; with events times, too, and data that are captured.
 * gradient [nf][directions]: += impulses, of the directions that are not held. */
gradyn_status gradyn_sweep_along(gradyn_sweeps *s, int k, const double *from, const double *to,
                                 double *gradient);

/* dy of all directions from ds, where the march has looked last; and the bars of all functionals that are
 * carried, y_bar to s_bar and to what data and, if asked for, times have of it. */
static inline gradyn_status gradyn_sweep_view_along(gradyn_sweeps *s)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_view_moves moves = {s->count, s->fed, s->dh, s->dt};
  return stepper->ops->view_tangent(stepper, &s->march->view, &moves, s->ds, s->dy);
}

static inline gradyn_status gradyn_sweep_view_against(gradyn_sweeps *s, bool timed)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_view_bars adjoints = {s->columns, s->s_bar, s->given, timed ? s->h_bar : NULL,
                                     timed ? s->t_bar : NULL};
  return stepper->ops->view_transposed(stepper, &s->march->view, s->y_bar, &adjoints);
}

#endif
