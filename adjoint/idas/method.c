/* The method `idas`: index-1 equations, variable order and step, direct and adjoint sensitivities.
 *
 * The table of functions of the method: simulations by dae/idas/idas.h, and direct and adjoint
 * sensitivities, which are created for the first gradient. */
#include <stdlib.h>

#include "adjoint/idas/sensitivity.h"
#include "adjoint/method.h"

typedef struct idas_method {
  gradyn_idas *march;
  gradyn_idas_direct *direct; /* NULL until first needed */
  gradyn_idas_adjoint *adjoint;
} idas_method;

/* Frees sensitivities first, because they borrow the integrator. */
static void free_method(void *self)
{
  idas_method *s = self;
  if (!s)
    return;
  gradyn_idas_direct_free(s->direct);
  gradyn_idas_adjoint_free(s->adjoint);
  gradyn_idas_free(s->march);
  free(s);
}

/* Creates the integrator only, which is sufficient for simulations. */
static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  idas_method *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  return gradyn_idas_create(model, options, &s->march);
}

/* Simulates, without sensitivities. */
static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_idas_simulate(((idas_method *)self)->march, psi, trajectory);
}

/* Runs a direct sweep. If its object cannot be created completely, it is freed, and the next gradient tries
 * again. */
static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  idas_method *s = self;
  /* one object serves all calls, since its vectors grow with the number of directions */
  gradyn_status status = s->direct ? GRADYN_OK : gradyn_idas_direct_create(s->march, &s->direct);
  if (status == GRADYN_OK)
    return gradyn_idas_direct_run(s->direct, directions, psi, gradient);
  gradyn_idas_direct_free(s->direct);
  s->direct = NULL;
  return status;
}

/* Runs an adjoint sweep. Its object is created for the first gradient; if that fails, it is freed. */
static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  idas_method *s = self;
  gradyn_status status = s->adjoint ? GRADYN_OK : gradyn_idas_adjoint_create(s->march, &s->adjoint);
  if (status == GRADYN_OK)
    return gradyn_idas_adjoint_run(s->adjoint, active, psi, x_bar);
  gradyn_idas_adjoint_free(s->adjoint);
  s->adjoint = NULL;
  return status;
}

/* Returns the report of the integrator, to which sensitivities add their cost. */
static const gradyn_run_report *report(const void *self)
{
  return &((const idas_method *)self)->march->report;
}

/* Multiplies the tolerances of the next runs by `part`. */
static void tighten(void *self, double part)
{
  gradyn_idas_tighten(((idas_method *)self)->march, part);
}

/* Sizes of the values of functionals. */
static const double *sizes(const void *self)
{
  return ((const idas_method *)self)->march->sums.size;
}

/* Sets the largest number of steps of a run; 0: the limit in the options. */
static void limit(void *self, long most)
{
  ((idas_method *)self)->march->limit = most;
}

const gradyn_method gradyn_idas_method = {
    .name = "idas",
    .lacks = GRADYN_LACKS_COUNTS,
    .summary = "index-1 equations, variable step and order (SUNDIALS IDAS)",
    .mechanical = true,
    .general = true,
    .price_mechanical = {0.35, 3.8, 1.7, 4.9},
    .price_general = {1.6, 4.0, 4.8, 1.4},
    .events = true,
    .rtol = 1e-8,
    .index1 = true,
    .atol = 1e-10,
    .create = create,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .report = report,
    .limit = limit,
    .tighten = tighten,
    .sizes = sizes};
