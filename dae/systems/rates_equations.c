/* General equations of index 1 as an explicit system. F(t, y, y', x) = 0 is solved for the rates of the
 * differential states z = y_d, and for the algebraic states y_a. A stage is (y, z'). The index-1 system
 * solves the equations and differentiates the solution. */
#include <stdlib.h>
#include <string.h>

#include "core/equations/equations.h"
#include "core/linear/arena.h"
#include "dae/systems/index1.h"
#include "dae/systems/rates.h"

typedef struct equations_rates {
  gradyn_rates base;
  gradyn_index1 *system;
  double *yp;         /* [ny] rates of the last stage, the initial guess for the next stage */
  double *y;          /* [ny] states of the last stage */
  double *sy, *syp;   /* [ny] changes along one direction, or adjoints of one functional */
  double *p;          /* [nz] */
  double *atol;       /* [nz], if declared */
  gradyn_arena arena; /* owns all arrays */
} equations_rates;

static equations_rates *self(gradyn_rates *s)
{
  return (equations_rates *)s;
}

/* --- start ------------------------------------------------------------------------------------- */

/* Sets z to the differential states of a consistent start. */
static gradyn_status start(gradyn_rates *base, double *z)
{
  equations_rates *s = self(base);
  /* combined: number of combinations of differential states that are algebraic, and so have no rates */
  GRADYN_TRY(s->system->ops->start(s->system, s->y, s->yp));
  if (s->system->combined > 0 && !base->implicit)
    return gradyn_fail(&s->base.model->message, GRADYN_UNSUPPORTED,
                       "the equations have a singular matrix dF/dy': use radau or idas");
  gradyn_rates_gather(&s->base, s->y, z);
  return GRADYN_OK;
}

/* Computes dz of the start along dx. */
static gradyn_status start_tangent(gradyn_rates *base, const double *dx, double *dz)
{
  equations_rates *s = self(base);
  const gradyn_unknown *unknown = base->model->equations->unknown;
  double *y = s->y, *yp = s->yp;
  const bool given = s->system->combined == 0 && !s->system->steady;
  for (int i = 0; i < base->nz && given; i++)
    dz[i] = dx[unknown[base->position[i]].datum]; /* initial values are data */
  if (given)
    return GRADYN_OK;
  /* the matrices must be those of the start */
  GRADYN_TRY(s->system->ops->start(s->system, y, yp));
  GRADYN_TRY(s->system->ops->linearise(s->system, gradyn_model_start(base->model), y, yp));
  GRADYN_TRY(s->system->ops->start_tangent(s->system, dx, s->sy, s->syp));
  gradyn_rates_gather(&s->base, s->sy, dz);
  return GRADYN_OK;
}

static gradyn_status start_transposed(gradyn_rates *base, double *z_bar, double *x_bar)
{
  gradyn_index1 *system = self(base)->system;
  return system->ops->start_transposed(system, z_bar, x_bar);
}

/* --- stages ------------------------------------------------------------------------------------ */

/* Computes z' and y_a for a given z, by Newton's method from the last stage. */
static gradyn_status stage_at(gradyn_rates *base, double t, const double *z, const double *before,
                              double *stage)
{
  equations_rates *s = self(base);
  (void)before;
  /* y_a and y' of the last stage are the initial guess */
  const long made = s->system->factorisations; /* counts since the system was created */
  gradyn_rates_scatter(&s->base, z, s->y);
  GRADYN_TRY(s->system->ops->follow(s->system, t, s->y, s->yp));
  memcpy(stage, s->y, (size_t)base->ny * sizeof(double));
  gradyn_rates_gather(&s->base, s->yp, stage + base->ny); /* a stage: y [ny], then z' [nz] */
  base->factorisations += s->system->factorisations - made;
  return GRADYN_OK;
}

/* Computes the stage at the end of a step. Algebraic combinations in z are corrected so that they follow
 * from the other states. */
static gradyn_status arrive(gradyn_rates *base, double t, double *z, const double *near,
                            double *stage, double *moved)
{
  (void)moved;
  GRADYN_TRY(stage_at(base, t, z, near, stage));
  gradyn_rates_gather(base, stage, z);
  return GRADYN_OK;
}

/* Evaluates the matrices at a stored stage. */
static gradyn_status linearise(gradyn_rates *base, double t, const double *stage)
{
  equations_rates *s = self(base);
  memcpy(s->y, stage, (size_t)base->ny * sizeof(double));
  gradyn_rates_scatter(&s->base, stage + base->ny, s->yp);
  return s->system->ops->linearise(s->system, t, s->y, s->yp);
}

/* Computes dstage from dz, dx and dt. */
static gradyn_status tangent(gradyn_rates *base, int columns, const gradyn_lanes *dz,
                             const gradyn_rates_change *d, gradyn_lanes *dstage)
{
  equations_rates *s = self(base);
  for (int j = 0; j < columns; j++) {
    /* dy_d is the input; dy_a and dz' are results */
    for (int i = 0; i < base->nz; i++)
      s->sy[base->position[i]] = dz[i][j];
    /* equations take one direction at a time */
    GRADYN_TRY(s->system->ops->restart_tangent(s->system, d->x + j * base->model->nx,
                                               d->t ? (*d->t)[j] : 0, s->sy, s->syp));
    for (int i = 0; i < base->ny; i++)
      dstage[i][j] = s->sy[i];
    for (int i = 0; i < base->nz; i++)
      dstage[base->ny + i][j] = s->syp[base->position[i]];
  }
  return GRADYN_OK;
}

/* Computes the adjoints of z, x and t from those of a stage. */
static gradyn_status transposed(gradyn_rates *base, int columns, gradyn_lanes *stage_bar,
                                gradyn_lanes *z_bar, const gradyn_rates_sums *x_bar,
                                gradyn_lanes *t_bar)
{
  equations_rates *s = self(base);
  memset(z_bar, 0, (size_t)base->nz * sizeof *z_bar); /* also clears unused lanes */
  for (int j = 0; j < columns; j++) {
    double moved = 0;
    memset(s->syp, 0, (size_t)base->ny * sizeof(double));
    memset(s->p, 0, (size_t)base->nz * sizeof(double));
    /* input: adjoints of y and z'; results: adjoints of z, x and t */
    for (int i = 0; i < base->ny; i++)
      s->sy[i] = stage_bar[i][j];
    for (int i = 0; i < base->nz; i++)
      s->syp[base->position[i]] = stage_bar[base->ny + i][j];
    GRADYN_TRY(s->system->ops->adjoint_terminal(s->system, s->sy, s->syp, s->p,
                                                x_bar->x + j * base->model->nx, &moved));
    for (int i = 0; i < base->nz; i++)
      z_bar[i][j] = s->p[i];
    if (t_bar)
      (*t_bar)[j] += moved;
  }
  return GRADYN_OK;
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Also frees the index-1 system. */
static void free_rates(gradyn_rates *base)
{
  equations_rates *s = self(base);
  gradyn_index1_free(s->system);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_rates_ops equations_rates_ops = {.start = start,
                                                     .start_tangent = start_tangent,
                                                     .start_transposed = start_transposed,
                                                     .stage = stage_at,
                                                     .arrive = arrive,
                                                     .linearise = linearise,
                                                     .tangent = tangent,
                                                     .transposed = transposed,
                                                     .free = free_rates};

/* Allocates vectors of states and their rates. */
static gradyn_status take_memory(equations_rates *s)
{
  const size_t ny = (size_t)s->base.ny, nz = (size_t)s->base.nz;
  /* y and y'; their changes; adjoints; tolerances */
  s->y = gradyn_arena_numbers(&s->arena, ny);
  s->yp = gradyn_arena_numbers(&s->arena, ny);
  s->sy = gradyn_arena_numbers(&s->arena, ny);
  s->syp = gradyn_arena_numbers(&s->arena, ny);
  s->p = gradyn_arena_numbers(&s->arena, nz);
  s->atol = gradyn_arena_numbers(&s->arena, nz);
  return gradyn_arena_status(&s->arena);
}

/* Creates the explicit system with z = y_d, the differential states of F(t, y, y', x) = 0. Each stage
 * solves for the algebraic states. */
gradyn_status gradyn_rates_from_equations(gradyn_model *model, gradyn_rates **out)
{
  equations_rates *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->base = (gradyn_rates){.ops = &equations_rates_ops, .model = model};
  /* free_rates() also frees an object whose creation has failed */
  GRADYN_TRY(gradyn_index1_from_equations(model, &s->system));
  s->base.system = s->system;
  s->base.nz = s->system->np;
  s->base.ny = s->base.rates = s->system->ny;
  s->base.seen = s->base.record = s->base.ny + s->base.nz;
  s->base.position = s->system->differential;
  if (take_memory(s) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                       s->base.ny);
  if (s->system->atol) {
    gradyn_rates_gather(&s->base, s->system->atol, s->atol);
    s->base.atol = s->atol;
  }
  return GRADYN_OK;
}
