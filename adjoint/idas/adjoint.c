/* The adjoint method with IDAS: a forward run that stores its steps; then its records (arcs, jumps and
 * samples) are processed backward. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/idas/backward.h"
#include "core/base/clock.h"

/* Also frees an adjoint that is incomplete. */
void gradyn_idas_adjoint_free(gradyn_idas_adjoint *a)
{
  if (!a)
    return;
  N_Vector vector[] = {a->z, a->zp, a->id, a->quad, a->scratch};
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    N_VDestroy(vector[k]); /* or NULL */
  if (a->solver)
    SUNLinSolFree(a->solver);
  gradyn_idas_sweep_clear(&a->sweep);
  gradyn_idas_sizes_clear(&a->sizes);
  gradyn_arena_clear(&a->arena);
  free(a);
}

gradyn_status gradyn_idas_adjoint_create(gradyn_idas *march, gradyn_idas_adjoint **out)
{
  gradyn_idas_adjoint *a = *out = calloc(1, sizeof *a);
  if (!a)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_index1 *system = march->system;
  const size_t nf = (size_t)march->sums.count, nx = (size_t)system->nx;
  a->march = march;
  a->nz = system->np + system->ne; /* adjoints p of differential and eta of algebraic equations */
  /* one vector of one IDAS object has the adjoints of all functionals; a run may use fewer of them */
  N_Vector *vector[] = {&a->z, &a->zp, &a->id};
  bool all = true;
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    all = (*vector[k] = N_VNew_Serial((int)nf * a->nz + 1, march->sun.context)) && all;
  a->active = gradyn_arena_take(&a->arena, nx + 1, sizeof(int));
  a->row = gradyn_arena_take(&a->arena, nf + 1, sizeof(int));
  a->x_bar = gradyn_arena_numbers(&a->arena, GRADYN_LANES * nx + 1);
  a->g_y = gradyn_arena_numbers(&a->arena, nf * (size_t)march->ny + 1);
  a->slope = gradyn_arena_numbers(&a->arena, nf + 1);
  a->t_bar = gradyn_arena_numbers(&a->arena, nf + 1);
  a->p = gradyn_arena_numbers(&a->arena, (size_t)system->np + 1);
  if (!all || gradyn_arena_status(&a->arena) != GRADYN_OK || gradyn_idas_arc_create(a) != GRADYN_OK)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for the adjoint");
  GRADYN_TRY(gradyn_idas_sizes_create(march, &a->sizes));
  return gradyn_idas_sweep_create(march, &a->sweep);
}

/* --- choice of functionals and data ------------------------------------------------------------ */

void gradyn_idas_adjoint_room(gradyn_idas_adjoint *a, long capacity)
{
  gradyn_idas_stored_resize(a->march, capacity);
}

/* Lists the functionals to be differentiated, a row for each. Sets the lengths of vectors for these rows. */
static void choose_rows(gradyn_idas_adjoint *a)
{
  a->rows = gradyn_functionals_wanted(a->march->model, a->row);
  int size = a->rows * a->nz;
  /* the length of the rows in use, and one more for the step-size governor */
  NV_LENGTH_S(a->z) = NV_LENGTH_S(a->zp) = NV_LENGTH_S(a->id) = size + 1;
  for (int i = 0; i < size; i++)
    NV_Ith_S(a->id, i) = i % a->nz < a->march->system->np; /* p is differential, eta algebraic */
  NV_Ith_S(a->id, size) = 1;
}

/* Selects functionals and data of this run. Arrays only grow. */
static gradyn_status reserve(gradyn_idas_adjoint *a, const bool *active)
{
  gradyn_idas *march = a->march;
  choose_rows(a);
  /* only data that parameters affect */
  a->active_count = 0;
  for (int k = 0; k < march->system->nx; k++)
    if (active[k])
      a->active[a->active_count++] = k;
  int size = march->sums.count * (a->active_count > 0 ? a->active_count : 1);
  if (size > a->capacity) {
    N_VDestroy(a->quad);
    N_VDestroy(a->scratch);
    a->quad = N_VNew_Serial(size, march->sun.context);
    a->scratch = N_VNew_Serial(size, march->sun.context);
    a->capacity = a->quad && a->scratch ? size : 0;
  }
  if (!a->quad || !a->scratch)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for the adjoint");
  NV_LENGTH_S(a->quad) = NV_LENGTH_S(a->scratch) = a->rows * a->active_count;
  return GRADYN_OK;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Adds the terminal parts of the functionals that are evaluated at record k. */
static gradyn_status sample_back(void *adjoint, int k)
{
  gradyn_idas_adjoint *a = adjoint;
  gradyn_idas *march = a->march;
  const int np = march->system->np;
  if (!gradyn_tape_sample_counts(&march->tape, k))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_idas_sweep_sample(&a->sweep, k));
  for (int f = 0; f < a->rows; f++) {
    const int of = a->row[f];
    if (march->tape.sampled[of] != k)
      continue;
    memset(a->p, 0, (size_t)np * sizeof *a->p);
    GRADYN_TRY(gradyn_idas_sweep_terminal(&a->sweep, k, of, a->slope[of], a->p,
                                          a->of_data + of * march->system->nx, &a->t_bar[f]));
    for (int i = 0; i < np; i++)
      gradyn_idas_adjoint_row(a, f)[i] += a->p[i];
  }
  return GRADYN_OK;
}

/* Passes adjoints backward across the event at a boundary. */
static gradyn_status jump_back(void *adjoint, int boundary)
{
  gradyn_idas_adjoint *a = adjoint;
  gradyn_jump jump;
  GRADYN_TRY(gradyn_idas_sweep_jump(&a->sweep, boundary, &jump));
  for (int f = 0; f < a->rows; f++) {
    const int of = a->row[f];
    GRADYN_TRY(gradyn_jump_against(&jump, gradyn_jump_gives(&jump, of) ? a->slope[of] : 0,
                                   gradyn_idas_adjoint_row(a, f), 1,
                                   a->of_data + of * a->march->system->nx, &a->t_bar[f]));
  }
  return GRADYN_OK;
}

static const gradyn_record_ops back = {gradyn_idas_arc_against, jump_back, sample_back};

/* --- one run ---------------------------------------------------------------------------------- */

/* Processes all records from the end of the run to its start. Sets x_bar [nf][nx]. */
static gradyn_status backward(gradyn_idas_adjoint *a, double *x_bar)
{
  gradyn_idas *march = a->march;
  const gradyn_index1 *system = march->system;
  const double end = march->arcs.boundary[march->arcs.count].t;
  a->of_data = x_bar;
  memset(x_bar, 0, (size_t)march->sums.count * (size_t)system->nx * sizeof *x_bar);
  for (int f = 0; f < a->rows; f++) {
    const int of = a->row[f];
    memset(gradyn_idas_adjoint_row(a, f), 0,
           /* p is zero until a functional adds its derivatives */
           (size_t)system->np * sizeof(double));
    gradyn_functional_outer(&march->model->functional[of], march->sums.inner[of], end,
                            &a->slope[of], &a->t_bar[f]);
  }
  if (a->rows == 0)
    return GRADYN_OK;
  gradyn_idas_sizes_rows(&a->sizes, a->row, a->rows);
  gradyn_idas_sizes_begin(&a->sizes, a->slope, a->active, a->active_count);
  GRADYN_TRY(gradyn_tape_against(&march->tape, &back, a));
  gradyn_idas_enter_side(march, 0, GRADYN_AFTER);
  for (int f = 0; f < a->rows; f++) { /* (dy_d(0)/dx)^T p(0) */
    double *of = x_bar + a->row[f] * system->nx;
    gradyn_boundary_transposed(&march->arcs.boundary[0], a->t_bar[f], of);
    GRADYN_TRY(system->ops->start_transposed(march->system, gradyn_idas_adjoint_row(a, f), of));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_adjoint_run(gradyn_idas_adjoint *a, const bool *active, double *psi,
                                      double *x_bar)
{
  gradyn_idas *march = a->march;
  double clock = gradyn_seconds();
  march->observer = (gradyn_idas_observer){.what = "forward run", .run = a, .stores = true};
  march->monitors.run.derivatives = true;
  march->watch_rates = false; /* these rates are for direct sweeps only */
  GRADYN_TRY(reserve(a, active));
  gradyn_status status = gradyn_idas_run(march, psi);
  march->report.cost.time_simulate = gradyn_seconds() - clock;
  status = status == GRADYN_OK ? backward(a, x_bar) : status;
  if (status == GRADYN_OK)
    gradyn_idas_sizes_judge(&a->sizes, psi, &march->report.found);
  gradyn_idas_stored_release(march);
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  for (int i = 0; i < march->sums.count * march->system->nx && status == GRADYN_OK; i++)
    if (!isfinite(x_bar[i]))
      status = gradyn_fail(&march->model->message, GRADYN_NON_FINITE,
                           "the adjoint is not finite at datum %s",
                           march->model->entry[i % march->system->nx].name);
  return status;
}
