/* Saltation matrices of the events of a run, from the states before them, for each independent coordinate and
 * each of their rates. */
#include <gradyn/saltation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/crossing.h"
#include "adjoint/evaluator.h"
#include "dae/independent.h"

typedef struct salting {
  gradyn_model *model;
  int n;
  gradyn_crossing crossing;
  gradyn_independent independent;
  double *y;    /* [columns of trajectories] before */
  double *d;    /* [2 n] */
  double *du;   /* [4 n] one of which is 1 */
  int mode;     /* before the event in hand */
  bool *wanted; /* [n] */
} salting;

static void clear(salting *s)
{
  double *array[] = {s->y, s->d, s->du};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(s->wanted);
  gradyn_crossing_clear(&s->crossing);
  gradyn_independent_clear(&s->independent);
}

static gradyn_status create(gradyn_model *model, size_t columns, salting *s)
{
  size_t n = (size_t)model->mech->n + 1;
  *s = (salting){.model = model, .n = model->mech->n};
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->y, columns + 1}, {&s->d, 2 * n}, {&s->du, 4 * n}};
  s->wanted = calloc(n, sizeof(bool));
  bool all = s->wanted != NULL;
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    all = (*need[k].array = calloc(need[k].count, sizeof(double))) && all;
  if (!all)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for saltation matrices");
  gradyn_status status = gradyn_independent_create(model->mech, &s->independent);
  return status == GRADYN_OK && model->event_count > 0 ? gradyn_crossing_create(model, &s->crossing)
                                                       : status;
}

/* The coordinate of a name; n: there is none. */
static int find_coordinate(const salting *s, const char *wanted)
{
  for (int at = 0; at < s->n; at++) {
    char name[64];
    s->model->ops->state_name(s->model, at, name, sizeof name);
    if (strcmp(name, wanted) == 0)
      return at;
  }
  return s->n;
}

/* Marks the coordinates that are wanted. */
static gradyn_status want(salting *s, const char *const *wanted, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    int at = find_coordinate(s, wanted[k]);
    if (at == s->n)
      return gradyn_fail(&s->model->message, GRADYN_INVALID,
                         "no coordinate of this mechanism is called '%.60s'", wanted[k]);
    s->wanted[at] = true;
  }
  return GRADYN_OK;
}

static gradyn_status choose_here(salting *s, double t)
{
  return gradyn_independent_choose(
      &s->independent, &(gradyn_mech_state){.t = t, .q = s->y, .v = s->y + s->n}, s->wanted);
}

static gradyn_status fill(salting *s, const gradyn_event_record *event, double *matrix)
{
  int f = s->independent.count, size = 2 * f;
  const gradyn_mech_state at = {.t = event->t, .q = s->y, .v = s->y + s->n};
  gradyn_status status = gradyn_independent_move(&s->independent, &at);
  if (status == GRADYN_OK)
    status = gradyn_crossing_prepare(&s->crossing, event, s->y);
  for (int j = 0; j < size && status == GRADYN_OK; j++) {
    memset(s->du, 0, (size_t)size * sizeof(double));
    /* column j: independent coordinate j alone moves, the others follow */
    s->du[j] = 1;
    gradyn_independent_lift(&s->independent, s->du, s->du + f, s->d, s->d + s->n);
    status = gradyn_crossing_carry(&s->crossing, s->d);
    for (int i = 0; i < size; i++)
      matrix[i * size + j] = s->d[i < f ? s->independent.at[i] : s->n + s->independent.at[i - f]];
  }
  return status;
}

/* The state before an event: the first that was recorded at its time. */
static bool find_state(const gradyn_trajectory *run, double t, size_t *step, double *y)
{
  size_t steps = gradyn_trajectory_steps(run);
  while (*step < steps && gradyn_trajectory_step(run, *step, y) < t)
    ++*step;
  return *step < steps;
}

/* Puts the state before event k of the log into s->y, and its mode in force; k = 0 begins anew. */
static gradyn_status go_to(salting *s, const gradyn_trajectory *run, int k, size_t *step)
{
  gradyn_model *model = s->model;
  /* steps are gone through in their order, together with the events */
  *step = k > 0 ? *step : 0;
  model->mode = k > 0 ? gradyn_event_mode(model, model->log.record[k - 1].event, s->mode) : 0;
  s->mode = model->mode;
  gradyn_captures_restore(model, k);
  if (find_state(run, model->log.record[k].t, step, s->y))
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NOT_CONVERGED,
                     "the state before the event at t = %g s was not recorded",
                     model->log.record[k].t);
}

/* Independent coordinates where the mechanism has the most of them: before one of the events, or at
 * the start. */
static gradyn_status choose(salting *s, const gradyn_trajectory *run, gradyn_saltations *out)
{
  gradyn_model *model = s->model;
  int best = -1, most = -1;
  size_t step = 0;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < model->log.count && status == GRADYN_OK; k++) {
    status = go_to(s, run, k, &step);
    if (status == GRADYN_OK)
      status = choose_here(s, model->log.record[k].t);
    /* the first event that has the most */
    best = s->independent.count > most ? k : best;
    most = s->independent.count > most ? s->independent.count : most;
  }
  /* back to that event: modes follow from the start on */
  for (int k = 0; k <= best && status == GRADYN_OK; k++)
    status = go_to(s, run, k, &step);
  /* no event: at the start */
  if (best < 0) {
    model->mode = 0;
    (void)gradyn_trajectory_step(run, 0, s->y);
  }
  if (status == GRADYN_OK)
    status = choose_here(s, best < 0 ? 0 : model->log.record[best].t);
  out->coordinates = (size_t)s->independent.count;
  out->name = calloc(out->coordinates + 1, sizeof *out->name);
  if (status == GRADYN_OK && !out->name)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for names");
  for (size_t k = 0; k < out->coordinates && status == GRADYN_OK; k++)
    model->ops->state_name(model, s->independent.at[k], out->name[k], sizeof *out->name);
  return status;
}

static gradyn_status take_items(gradyn_model *model, gradyn_saltations *out)
{
  size_t size = 4 * out->coordinates * out->coordinates + 1;
  out->item = calloc((size_t)model->log.count + 1, sizeof *out->item);
  for (int k = 0; k < model->log.count && out->item; k++) {
    out->item[k] = (gradyn_saltation){model->log.record[k], calloc(size, sizeof(double))};
    if (!out->item[k].matrix)
      break;
    out->count++;
  }
  return out->item && out->count == (size_t)model->log.count
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                           model->log.count);
}

static gradyn_status find_all(gradyn_model *model, const gradyn_trajectory *run,
                              const char *const *wanted, size_t wanted_count,
                              gradyn_saltations *out)
{
  salting s;
  size_t step = 0;
  gradyn_status status = create(model, gradyn_trajectory_columns(run), &s);
  gradyn_model_enter_arc(model, (double)NAN); /* signals by time */
  if (status == GRADYN_OK)
    status = want(&s, wanted, wanted_count);
  if (status == GRADYN_OK)
    status = choose(&s, run, out);
  if (status == GRADYN_OK)
    status = take_items(model, out);
  for (int k = 0; k < model->log.count && status == GRADYN_OK; k++) {
    status = go_to(&s, run, k, &step);
    if (status == GRADYN_OK && out->item[k].matrix)
      status = fill(&s, &out->item[k].event, out->item[k].matrix);
  }
  clear(&s);
  return status;
}

gradyn_status gradyn_saltation_matrices(gradyn_evaluator *ev, const double rho[],
                                        const char *const wanted[], size_t wanted_count,
                                        gradyn_saltations *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_saltations){0};
  if (!ev || (wanted_count > 0 && !wanted))
    return GRADYN_INVALID;
  gradyn_trajectory *run = gradyn_trajectory_create();
  if (!run)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a trajectory");
  /* a run for its events and the states before them */
  gradyn_status status = gradyn_simulate(ev, rho, NULL, run);
  if (status == GRADYN_OK && !ev->model->mech)
    status = gradyn_fail(&ev->message, GRADYN_INVALID,
                         "general equations have no events and no independent coordinates");
  else if (status == GRADYN_OK) {
    status = find_all(ev->model, run, wanted, wanted_count, out);
    if (status != GRADYN_OK)
      ev->message = ev->model->message;
  }
  gradyn_trajectory_free(run);
  return status;
}

void gradyn_saltations_clear(gradyn_saltations *s)
{
  if (!s)
    return;
  for (size_t k = 0; k < s->count; k++)
    free(s->item[k].matrix);
  free(s->item);
  free(s->name);
  *s = (gradyn_saltations){0};
}
