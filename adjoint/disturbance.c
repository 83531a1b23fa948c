/* Disturbances of the initial state along a run of the explicit method. */
#include "adjoint/disturbance.h"

#include <stdlib.h>
#include <string.h>

#include "core/equations.h"

/* Relative tolerance of the runs: nothing but round-off stands in the way of less. */
static const double tolerance = 1e-11;

void gradyn_disturbance_clear(gradyn_disturbance *s)
{
  double *array[] = {s->x, s->z, s->Z, s->w, s->dw, s->M, s->unit};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(s->place);
  free(s->datum);
  gradyn_explicit_sweeps_clear(&s->sweeps);
  gradyn_explicit_free(s->march);
  gradyn_independent_clear(&s->independent);
}

/* Where the initial values stand among the data. */
static void find_data(gradyn_disturbance *s)
{
  const gradyn_mech *mech = s->model->mech;
  for (int i = 0; i < s->nz; i++) {
    int n = mech ? mech->n : 0;
    s->datum[i] = !mech   ? s->model->equations->unknown[s->march->rates->place[i]].datum
                  : i < n ? mech->q0[i]
                          : mech->v0[i - n];
  }
}

static gradyn_status take_memory(gradyn_disturbance *s)
{
  size_t nz = (size_t)s->nz + 1, nx = (size_t)s->model->nx + 1;
  s->place = calloc(nz, sizeof(int));
  s->datum = calloc(nz, sizeof(int));
  s->x = calloc(nx, sizeof(double));
  s->z = calloc(nz, sizeof(double));
  s->Z = calloc(nz * nz, sizeof(double));
  s->w = calloc(2 * nz, sizeof(double));
  s->dw = calloc(2 * nz, sizeof(double));
  s->M = calloc(nz * nz, sizeof(double));
  s->unit = calloc(nz, sizeof(double));
  if (s->place && s->datum && s->x && s->z && s->Z && s->w && s->dw && s->M && s->unit)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for disturbances");
}

/* The coordinate of a name; -1: there is none. */
static int find_coordinate(const gradyn_model *model, const char *wanted)
{
  for (int at = 0; at < model->mech->n; at++) {
    char name[64];
    model->ops->state_name(model, at, name, sizeof name);
    if (strcmp(name, wanted) == 0)
      return at;
  }
  return -1;
}

static gradyn_mech_state state_of(const gradyn_disturbance *s)
{
  return (gradyn_mech_state){.t = 0, .q = s->z, .v = s->z + s->nz / 2};
}

/* Places of w, where z is the initial state. */
static gradyn_status choose(gradyn_disturbance *s, const char *const *wanted, size_t count)
{
  if (!s->model->mech) {
    s->size = s->nz;
    for (int i = 0; i < s->nz; i++)
      s->place[i] = i;
    return GRADYN_OK;
  }
  int n = s->model->mech->n;
  bool *own = calloc((size_t)n + 1, sizeof *own);
  gradyn_status status = own ? GRADYN_OK : GRADYN_NO_MEMORY;
  for (size_t k = 0; k < count && status == GRADYN_OK; k++) {
    int at = find_coordinate(s->model, wanted[k]);
    if (at < 0)
      status = gradyn_fail(&s->model->message, GRADYN_INVALID,
                           "no coordinate of this mechanism is called '%.60s'", wanted[k]);
    else
      own[at] = true;
  }
  const gradyn_mech_state at = state_of(s);
  if (status == GRADYN_OK)
    status = gradyn_independent_choose(&s->independent, &at, own);
  free(own);
  s->size = 2 * s->independent.count;
  for (int i = 0; i < s->independent.count; i++) {
    s->place[i] = s->independent.at[i];
    s->place[s->independent.count + i] = n + s->independent.at[i];
  }
  return status;
}

static gradyn_status create_march(gradyn_disturbance *s)
{
  gradyn_options options = s->ev->options;
  options.rtol = tolerance;
  options.atol = 0;
  options.step = 0;
  options.order = 8;
  if (s->model->event_count > 0)
    return gradyn_fail(&s->model->message, GRADYN_UNSUPPORTED,
                       "transition matrices and orbits do not go through events (%s) yet",
                       s->model->event[0].name);
  gradyn_status status = gradyn_explicit_create(s->model, &options, &s->march);
  if (status == GRADYN_OK)
    status = gradyn_explicit_sweeps_create(s->march, &s->sweeps);
  if (status == GRADYN_OK && s->model->mech)
    status = gradyn_independent_create(s->model->mech, &s->independent);
  return status;
}

gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const char *const *wanted, size_t count,
                                        gradyn_disturbance *s)
{
  gradyn_model *model = ev->model;
  *s = (gradyn_disturbance){.ev = ev, .model = model};
  gradyn_message_clear(&model->message);
  for (size_t i = 0; i < gradyn_parameter_count(ev); i++)
    ev->rho[i] = rho[i];
  gradyn_status status = gradyn_model_refresh(model, ev->rho);
  if (status == GRADYN_OK)
    status = gradyn_model_load(model, NULL);
  if (status == GRADYN_OK && model->mech && model->mech->ops->activate)
    model->mech->ops->activate(model->mech, NULL);
  if (status == GRADYN_OK)
    status = create_march(s);
  if (status != GRADYN_OK)
    return status;
  s->nz = s->march->rates->nz;
  status = take_memory(s);
  if (status != GRADYN_OK)
    return status;
  find_data(s);
  memcpy(s->x, model->x, (size_t)model->nx * sizeof(double));
  status = s->march->rates->ops->start(s->march->rates, s->z);
  return status == GRADYN_OK ? choose(s, wanted, count) : status;
}

/* Full column z [nz] of a disturbance w [size] at the start. */
static void lift(gradyn_disturbance *s, const double *w, double *z)
{
  int f = s->independent.count;
  if (s->model->mech)
    gradyn_independent_lift(&s->independent, w, w + f, z, z + s->nz / 2);
  else
    memcpy(z, w, (size_t)s->nz * sizeof(double));
}

/* State and rates at the start (0) or the end (1) of the run. */
static void look(gradyn_disturbance *s, int end, const double *z, const double *stage)
{
  for (int i = 0; i < s->size; i++) {
    s->w[end * s->size + i] = z[s->place[i]];
    s->dw[end * s->size + i] = stage[s->march->rates->rates + s->place[i]];
  }
}

gradyn_status gradyn_disturbance_run(gradyn_disturbance *s)
{
  gradyn_explicit *march = s->march;
  double *stages = NULL;
  gradyn_model_derive(s->model, s->x);
  gradyn_status status = gradyn_model_load(s->model, s->x);
  if (status == GRADYN_OK)
    status = gradyn_explicit_march(march, true, NULL, NULL);
  if (status == GRADYN_OK)
    status = gradyn_explicit_stages(march, 0, &stages);
  if (status != GRADYN_OK)
    return status;
  memcpy(s->z, march->z, (size_t)s->nz * sizeof(double));
  look(s, 0, march->z, stages);
  status = gradyn_explicit_stages(march, march->count - 1, &stages);
  if (status == GRADYN_OK)
    look(s, 1, march->z + (size_t)march->count * (size_t)s->nz,
         gradyn_explicit_stage(march, stages, march->slots - 1));
  gradyn_arcs_enter(s->model, &march->arcs, 0);
  const gradyn_mech_state at = state_of(s);
  if (status == GRADYN_OK && s->model->mech)
    status = gradyn_independent_move(&s->independent, &at);
  for (int j = 0; j < s->size && status == GRADYN_OK; j++) {
    memset(s->unit, 0, (size_t)s->size * sizeof(double));
    s->unit[j] = 1;
    lift(s, s->unit, s->Z + j * s->nz);
  }
  if (status == GRADYN_OK)
    status = gradyn_explicit_carry(&s->sweeps, s->size, NULL, s->Z);
  for (int j = 0; j < s->size; j++)
    for (int i = 0; i < s->size; i++)
      s->M[i * s->size + j] = s->Z[j * s->nz + s->place[i]];
  return status;
}

/* The initial state along dx, with w held: dependent coordinates follow the data. */
static gradyn_status hold(gradyn_disturbance *s, const double *dx, double *z)
{
  gradyn_explicit *march = s->march;
  double *moved = march->y;
  memset(z, 0, (size_t)s->nz * sizeof(double));
  if (!s->model->mech)
    return GRADYN_OK;
  gradyn_status status = march->rates->ops->start_tangent(march->rates, dx, z);
  for (int i = 0; i < s->size; i++)
    s->unit[i] = z[s->place[i]];
  lift(s, s->unit, moved);
  for (int i = 0; i < s->nz; i++)
    z[i] -= moved[i];
  return status;
}

gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b)
{
  gradyn_status status = GRADYN_OK;
  int nx = s->model->nx;
  gradyn_arcs_enter(s->model, &s->march->arcs, 0);
  for (int j = 0; j < columns && status == GRADYN_OK; j++) {
    status = hold(s, dx + j * nx, s->Z);
    if (status == GRADYN_OK)
      status = gradyn_explicit_carry(&s->sweeps, 1, dx + j * nx, s->Z);
    for (int i = 0; i < s->size; i++)
      b[j * s->size + i] = s->Z[s->place[i]];
  }
  return status;
}

void gradyn_disturbance_move(gradyn_disturbance *s, const double *dw)
{
  lift(s, dw, s->Z);
  for (int i = 0; i < s->nz; i++)
    s->x[s->datum[i]] = s->z[i] + s->Z[i];
}
