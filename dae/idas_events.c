/* Events in a march with IDAS. */
#include "dae/idas_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/norm.h"
#include "dae/locate.h"

enum { MOST_EVENTS = 100000 };

/* Distances over the length of the run: events closer than `together` are one, of a guard closer than
 * `apart` to its last one accumulate. A guard that passes zero at less than `grazing` of its largest rate
 * touches it. Gaps at the start below `closed` of the size of the mechanism are zero. */
static const double together = 1e-12, apart = 1e-9, grazing = 1e-5, closed = 1e-10;

/* --- life ------------------------------------------------------------------------------------- */

gradyn_status gradyn_idas_events_create(gradyn_idas *s)
{
  gradyn_model *model = s->model;
  gradyn_idas_events *e = s->events = calloc(1, sizeof *e);
  if (!e)
    return GRADYN_NO_MEMORY;
  e->watch = calloc((size_t)model->event_count, sizeof *e->watch);
  e->value = calloc((size_t)s->nf + 1, sizeof(double));
  gradyn_status status = e->watch && e->value ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_guards_create(model, &e->guards);
  if (status == GRADYN_OK)
    status = gradyn_impact_create(model, &e->impact);
  return status;
}

void gradyn_idas_events_free(gradyn_idas_events *e)
{
  if (!e)
    return;
  for (int i = 0; i < e->room; i++)
    free(e->item[i].y[0]); /* one block */
  free(e->item);
  free(e->watch);
  free(e->value);
  gradyn_guards_clear(&e->guards);
  gradyn_impact_clear(&e->impact);
  free(e);
}

/* One more transition. */
static gradyn_status reserve(gradyn_idas *s)
{
  gradyn_idas_events *e = s->events;
  size_t ny = (size_t)s->ny, nf = (size_t)s->nf;
  if (e->count < e->room)
    return GRADYN_OK;
  gradyn_transition *grown = realloc(e->item, ((size_t)e->room + 1) * sizeof *grown);
  if (grown)
    e->item = grown;
  double *block = grown ? calloc(4 * ny + 2 * nf + 1, sizeof(double)) : NULL;
  if (!block)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                       e->room + 1);
  gradyn_transition *item = &e->item[e->room++];
  for (int side = 0; side < 2; side++) {
    item->y[side] = block + (size_t)side * ny;
    item->yp[side] = block + (2 + (size_t)side) * ny;
    item->g[side] = block + 4 * ny + (size_t)side * nf;
  }
  return GRADYN_OK;
}

/* --- guards along an arc ---------------------------------------------------------------------- */

static gradyn_status fail(gradyn_idas *s, int event, const char *what)
{
  return gradyn_fail(&s->model->message, GRADYN_EVENT, "%s at t = %g s: %s",
                     s->model->event[event].name, s->t, what);
}

/* A guard and its rate at the present state. */
static gradyn_status measure(gradyn_idas *s, int event, double r[2])
{
  const double *y = N_VGetArrayPointer(s->y);
  gradyn_status status = gradyn_guard_value(&s->events->guards, event, 0, s->t, y, &r[0]);
  return status == GRADYN_OK ? gradyn_guard_value(&s->events->guards, event, 1, s->t, y, &r[1])
                             : status;
}

gradyn_status gradyn_idas_events_begin(gradyn_idas *s)
{
  gradyn_idas_events *e = s->events;
  gradyn_log_begin(s->model);
  e->count = 0;
  e->next = -1;
  double size = gradyn_largest(N_VGetArrayPointer(s->y), s->model->mech->n);
  for (int i = 0; i < s->model->event_count; i++) {
    double r[2];
    gradyn_status status = measure(s, i, r);
    if (status != GRADYN_OK)
      return status;
    e->watch[i] = (gradyn_guard_watch){.last = (double)NAN};
    if (r[0] < -closed * size)
      return gradyn_fail(&s->model->message, GRADYN_EVENT,
                         "%s: the gap is %g at the start of the run: it must not be negative",
                         s->model->event[i].name, r[0]);
    if (r[0] <= closed * size && r[1] <= 0)
      return fail(s, i,
                  "the gap is closed at the start of the run and does not open; a motion that "
                  "starts on a wall must leave it");
    e->watch[i].leaving = r[0] <= closed * size;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_events_open(gradyn_idas *s)
{
  gradyn_idas_events *e = s->events;
  e->next = -1;
  e->t = s->t;
  for (int i = 0; i < s->model->event_count; i++) {
    gradyn_guard_watch *w = &e->watch[i];
    double r[2];
    gradyn_status status = measure(s, i, r);
    if (status != GRADYN_OK)
      return status;
    bool own = w->last == s->t; /* this guard's event has started the arc */
    *w = (gradyn_guard_watch){r[0], r[1], fabs(r[1]), own || (s->t == 0 && w->leaving), w->last};
  }
  return GRADYN_OK;
}

/* A guard on IDAS's interpolant of the last step. */
typedef struct search {
  gradyn_idas *march;
  int event;
  double start; /* s */
  bool *moved;  /* the march's state is at another time now */
} search;

static gradyn_status interpolate(gradyn_idas *s, double t)
{
  gradyn_status status = gradyn_idas_failed(s, IDAGetDky(s->ida, t, 0, s->y), "interpolation", t);
  return status == GRADYN_OK
             ? gradyn_idas_failed(s, IDAGetDky(s->ida, t, 1, s->yp), "interpolation", t)
             : status;
}

static gradyn_status guard_within(void *user, double place, double *r)
{
  const search *at = user;
  gradyn_idas *s = at->march;
  double t = at->start + place;
  *at->moved = true;
  gradyn_status status = gradyn_idas_failed(s, IDAGetDky(s->ida, t, 0, s->y), "interpolation", t);
  return status == GRADYN_OK
             ? gradyn_guard_value(&s->events->guards, at->event, 0, t, N_VGetArrayPointer(s->y), r)
             : status;
}

/* Looks for a root of one guard in the last step, which ended at `end` with r. */
static gradyn_status search_guard(gradyn_idas *s, int event, double end, const double r[2],
                                  double *root, bool *moved)
{
  gradyn_idas_events *e = s->events;
  gradyn_guard_watch *w = &e->watch[event];
  const gradyn_guard_step step = {end - e->t, {w->r, r[0]}, {w->rate, r[1]}, w->leaving};
  search at = {s, event, e->t, moved};
  gradyn_found found;
  double place = 0;
  gradyn_status status = gradyn_locate(&step, guard_within, &at, &found, &place);
  *root = HUGE_VAL;
  if (status == GRADYN_OK && found == GRADYN_STAYS) {
    s->t = e->t;
    return fail(s, event,
                "the gap does not open again after it has closed: a contact that lasts, "
                "which a bounce is not");
  }
  if (status == GRADYN_OK && found == GRADYN_ROOT)
    *root = e->t + place;
  return status;
}

/* Whether the event found at s->t, with its state in s->y, has a definite course. */
static gradyn_status judge(gradyn_idas *s, int event)
{
  gradyn_idas_events *e = s->events;
  gradyn_guard_watch *w = &e->watch[event];
  double r[2], t_end = s->model->x[s->model->t_end];
  gradyn_status status = measure(s, event, r);
  if (status != GRADYN_OK)
    return status;
  if (!(-r[1] > grazing * fmax(w->fastest, fabs(r[1]))))
    return fail(s, event,
                "the gap closes without a rate: the motion grazes the wall, and "
                "derivatives do not exist");
  if (s->t - w->last < apart * t_end)
    return fail(s, event,
                "its events accumulate (Zeno): the last two are closer than a billionth "
                "of the run. End the run before, or let the wall give more back");
  if (e->count >= MOST_EVENTS)
    return gradyn_fail(&s->model->message, GRADYN_STEP_LIMIT,
                       "%d events until t = %g s: more than a run may have", MOST_EVENTS, s->t);
  for (int i = 0; i < s->model->event_count; i++) {
    if (i == event)
      continue;
    status = measure(s, i, r);
    if (status != GRADYN_OK)
      return status;
    if (fabs(r[0]) <= together * t_end * fabs(r[1]) && r[1] < 0)
      return gradyn_fail(&s->model->message, GRADYN_EVENT,
                         "%s and %s close at the same time, t = %g s: what happens then depends on "
                         "which is the first",
                         s->model->event[event].name, s->model->event[i].name, s->t);
  }
  return status;
}

/* Ends arc k at the event. */
static gradyn_status end_arc(gradyn_idas *s, int k, int event)
{
  gradyn_idas_events *e = s->events;
  gradyn_status status = reserve(s);
  if (status != GRADYN_OK)
    return status;
  const gradyn_boundary b = {s->t, 0, -1, -1, e->count + 1};
  e->item[e->count].record = (gradyn_event_record){.event = event, .t = s->t};
  e->next = event;
  return gradyn_arcs_insert(s->model, &s->arcs, k + 1, &b);
}

gradyn_status gradyn_idas_events_look(gradyn_idas *s, int k)
{
  gradyn_idas_events *e = s->events;
  double end = s->t, first = HUGE_VAL;
  int event = -1;
  bool moved = false;
  for (int i = 0; i < s->model->event_count; i++) {
    double r[2], root = HUGE_VAL;
    gradyn_status status = moved ? interpolate(s, end) : GRADYN_OK;
    s->t = end;
    if (status == GRADYN_OK)
      status = measure(s, i, r);
    if (status == GRADYN_OK)
      status = search_guard(s, i, end, r, &root, &moved);
    if (status != GRADYN_OK)
      return status;
    e->watch[i].fastest = fmax(e->watch[i].fastest, fabs(r[1]));
    if (root < first) {
      first = root;
      event = i;
    }
    if (root > end) { /* none: on to the next step */
      e->watch[i].r = r[0];
      e->watch[i].rate = r[1];
      e->watch[i].leaving = false;
    }
  }
  /* the last instant of the run belongs to the motion before */
  double t_end = s->model->x[s->model->t_end];
  bool happens = event >= 0 && first < t_end * (1 - together);
  s->t = happens ? first : end;
  gradyn_status status = moved ? interpolate(s, s->t) : GRADYN_OK;
  if (happens && status == GRADYN_OK)
    status = judge(s, event);
  if (happens && status == GRADYN_OK)
    status = end_arc(s, k, event);
  e->t = s->t;
  return status;
}

void gradyn_idas_events_undo(gradyn_idas *s, int k)
{
  if (s->events->next < 0)
    return;
  gradyn_arcs_remove(&s->arcs, k + 1);
  s->events->next = -1;
}

/* --- crossing --------------------------------------------------------------------------------- */

static gradyn_status integrands(const gradyn_idas *s, const double *y, double *g)
{
  const gradyn_sample at = {s->t, y};
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < s->nf && status == GRADYN_OK; f++) {
    const gradyn_functional *functional = &s->model->functional[f];
    g[f] = 0;
    if (functional->integrand)
      status = functional->integrand->value(s->model, functional, &at, &g[f]);
  }
  return status;
}

/* Makes the state on one side consistent and keeps it. */
static gradyn_status keep_side(gradyn_idas *s, gradyn_transition *now, int side)
{
  size_t size = (size_t)s->ny * sizeof(double);
  double *y = N_VGetArrayPointer(s->y), *yp = N_VGetArrayPointer(s->yp);
  gradyn_status status = s->system->ops->restart(s->system, s->t, y, yp);
  if (status == GRADYN_OK)
    status = integrands(s, y, now->g[side]);
  memcpy(now->y[side], y, size);
  memcpy(now->yp[side], yp, size);
  return status;
}

/* Values of the functionals that are taken at this event. */
static gradyn_status take_values(gradyn_idas *s, const gradyn_transition *now)
{
  gradyn_idas_events *e = s->events;
  gradyn_status status = GRADYN_OK;
  for (int f = 0; f < s->nf && status == GRADYN_OK; f++) {
    const gradyn_functional *functional = &s->model->functional[f];
    if (!gradyn_functional_meets(functional, &now->record, e->count))
      continue;
    const gradyn_sample at = {s->t, now->y[functional->side == GRADYN_AFTER]};
    if (functional->side == GRADYN_IMPULSE)
      e->value[f] = now->record.impulse;
    else
      status = functional->terminal->value(s->model, functional, &at, &e->value[f]);
  }
  return status;
}

gradyn_status gradyn_idas_events_cross(gradyn_idas *s, int k)
{
  gradyn_idas_events *e = s->events;
  gradyn_transition *now = gradyn_transition_at(s, k + 1);
  gradyn_event_record *record = &now->record;
  double *y = N_VGetArrayPointer(s->y);
  int n = s->model->mech->n;
  gradyn_status status = keep_side(s, now, 0);
  if (status == GRADYN_OK)
    status = gradyn_impact_apply(&e->impact, record->event, s->t, now->y[0], record);
  if (status != GRADYN_OK)
    return status;
  memcpy(y + n, e->impact.vp, (size_t)n * sizeof(double));
  gradyn_arcs_enter(s->model, &s->arcs, k + 1);
  status = keep_side(s, now, 1);
  if (status == GRADYN_OK)
    status = gradyn_log_add(s->model, record);
  if (status != GRADYN_OK)
    return status;
  *record = s->model->log[s->model->log_count - 1];
  e->count++;
  e->watch[record->event].last = s->t;
  return take_values(s, now);
}
