/* Events: declarations common to all kinds, functionals evaluated at events, and the log.
 *
 * Events of a model are numbered in the order of declaration. The log of a run lists occurrences with time
 * and effect. From the log follow the mode of each arc, the latched data, and the functionals evaluated at
 * events. The reverse sweep therefore needs the log only. */
#include "core/model/event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/event_log.h"
#include "core/model/limit.h"
#include "core/model/model.h"
#include <gradyn/functionals.h>
#include "core/model/same_time.h"
#include <gradyn/compat.h>
#include <gradyn/events.h>

/* --- Modes ------------------------------------------------------------------------------------ */

int gradyn_mode(gradyn_model *model, const char *name)
{
  if (!gradyn_model_named(model, name, "a mode"))
    return 0;
  if (model->modes.cursor == GRADYN_MAX_MODES) { /* a later mode has no bit in a scope */
    gradyn_build_error(model, "mode %s: at most %d modes are possible", name, GRADYN_MAX_MODES);
    return 0;
  }
  /* users' modes count from 1, because 0 means all modes; discrete states count from 0 */
  int number = model->modes.cursor++;
  if (model->finalised)
    return number + 1;
  /* names are compared in the first build() only */
  for (int i = 0; i < model->modes.count && !model->exhausted; i++)
    if (strcmp(model->modes.name[i], name) == 0)
      gradyn_build_error(model, "two modes are called %s: names must differ", name);
  char *own = gradyn_model_copy_name(model, name);
  if (gradyn_model_append(model, &model->modes.name, &model->modes.count, sizeof own, &own))
    return number + 1;
  free(own);
  return 0;
}

bool gradyn_mode_check(gradyn_model *model, const char *what, int mode)
{
  if (mode >= 1 && mode <= model->modes.cursor)
    return true;
  gradyn_build_error(model, "%s: mode %d has not been declared (there are %d)", what, mode,
                     model->modes.cursor);
  return false;
}

bool gradyn_modes_check(gradyn_model *model, const char *name, unsigned modes)
{
  const int count = model->modes.cursor;
  const unsigned known = (1u << count) - 1;
  if (modes >> GRADYN_MAX_MODES) /* gradyn_modes_of() of such a number */
    gradyn_build_error(model,
                       "%s: its modes contain a number that is no mode; there are %d. Use the "
                       "numbers that gradyn_mode() returns",
                       name, count);
  else if (modes & ~known)
    gradyn_build_error(model, "%s: modes 0x%x; there are %d. Declare modes before they are used",
                       name, modes, count);
  return !(modes & ~known);
}

bool gradyn_modes_choose(gradyn_model *model, const char *name, unsigned modes, unsigned *stored)
{
  model->modes.choices++;
  if (!gradyn_modes_check(model, name, modes))
    return false;
  if (!model->finalised && *stored)
    gradyn_build_error(model, "%s: modes 0x%x; it has the modes 0x%x already. Set its modes once",
                       name, modes, *stored);
  else if (model->finalised && !model->failed && *stored != modes)
    gradyn_build_error(model,
                       "build() sets the modes of %s to 0x%x, but to 0x%x before: the structure of "
                       "a model must not depend on design variables",
                       name, modes, *stored);
  if (model->failed)
    return false;
  *stored = modes;
  return true;
}

/* Selects the modes of later declarations. Bit i of the scope stands for mode i; no bit stands for all
 * modes. */
static void select_modes(gradyn_model *model, const int *modes, int count)
{
  if (!model)
    return;
  model->modes.scope = 0;
  if (count < 0 || (count > 0 && !modes))
    gradyn_build_error(model, "gradyn_in_modes() is given %d modes, but none are named", count);
  for (int i = 0; modes && i < count; i++)
    if (gradyn_mode_check(model, "gradyn_in_modes()", modes[i]))
      model->modes.scope |= 1u << (modes[i] - 1);
}

void gradyn_in_mode(gradyn_model *model, int mode)
{
  select_modes(model, &mode, mode == GRADYN_EVERY_MODE ? 0 : 1);
}

void gradyn_in_modes(gradyn_model *model, const int *modes, int count)
{
  select_modes(model, modes, count);
}

/* --- Events ----------------------------------------------------------------------------------- */

void gradyn_event_set_mode(gradyn_model *model, const char *name, int mode,
                           gradyn_event_entry *event)
{
  if (mode != GRADYN_SAME_MODE && gradyn_mode_check(model, name, mode) && event)
    event->mode = mode - 1;
}

/* Declares an event. Later builds refresh numbers only, so *out is then NULL. */
int gradyn_model_event(gradyn_model *model, const char *name, gradyn_event_entry **out)
{
  *out = NULL;
  int number = model->cursor.event++;
  if (model->finalised)
    return number;
  for (int i = 0; i < model->event_count && !model->exhausted; i++)
    if (strcmp(model->event[i].name, name) == 0)
      gradyn_build_error(model, "two events are called %s: names must differ", name);
  /* defaults: the guard is a rising formula, no impact, in the modes of the scope */
  const gradyn_event_entry e = {.name = gradyn_model_copy_name(model, name),
                                .modes = model->modes.scope,
                                .contact = -1,
                                .sign = 1,
                                .restitution = -1,
                                .mode = -1};
  *out = gradyn_model_append(model, &model->event, &model->event_count, sizeof e, &e);
  if (!*out)
    free(e.name);
  return number;
}

void gradyn_event_set_modes(gradyn_model *model, int event, unsigned modes)
{
  if (!model)
    return;
  const int k = gradyn_index(model, "gradyn_event_set_modes()", "event", event,
                             model->cursor.event);
  if (k >= 0 && k < model->event_count)
    gradyn_modes_choose(model, model->event[k].name, modes, &model->event[k].modes);
}

/* Lets the run end when the event happens for the `which`-th time. The end time is then the upper bound of
 * the duration. */
void gradyn_terminate_at_event(gradyn_model *model, int id, int which)
{
  if (!model || model->failed)
    return;
  const int event = gradyn_index(model, "gradyn_terminate_at_event()", "event", id,
                                 model->cursor.event);
  if (event < 0)
    return;
  if (which < 1)
    gradyn_build_error(model, "the run ends with occurrence %d of %s: occurrences count from 1",
                       which, model->event[event].name);
  else if (model->finalised && model->event[event].ends != which)
    gradyn_build_error(model,
                       "build() ended the run with occurrence %d of %s, and now ends it with "
                       "occurrence %d: this must not change",
                       model->event[event].ends, model->event[event].name, which);
  else
    model->event[event].ends = which;
}

void gradyn_events_free(gradyn_event_entry *event, int count)
{
  for (int i = 0; i < count; i++) {
    free(event[i].name);
    free(event[i].kept);
    free(event[i].map);
    free(event[i].set);
    gradyn_formula_free(event[i].guard);
    gradyn_formula_free(event[i].armed);
    gradyn_formula_free(event[i].reset);
  }
  free(event);
}

/* --- Functionals ------------------------------------------------------------------------------ */

/* Lets a functional be evaluated at an occurrence of an event. */
int gradyn_functional_tie(gradyn_model *model, int functional, int event, int which,
                          gradyn_side side)
{
  const int id = gradyn_id(model, functional);
  if (!model || model->failed || functional < 0 || functional >= model->functional_count)
    return id;
  gradyn_functional_entry *f = &model->functional[functional];
  /* faults of the arguments are build errors */
  if (event != GRADYN_ANY_EVENT)
    event = gradyn_index(model, f->name, "event", event, model->cursor.event);
  if (which < 1)
    gradyn_build_error(model,
                       "functional %s is evaluated at occurrence %d of an event: occurrences count "
                       "from 1",
                       f->name, which);
  f->event = event;
  f->which = which;
  f->side = side;
  f->data_only = false; /* the time of the event depends on states */
  return id;
}

int gradyn_event_time(gradyn_model *model, const char *name, int event, int which)
{
  return gradyn_functional_tie(model,
                               gradyn_end_time_functional(model, name) - gradyn_first_id(model),
                               event, which, GRADYN_BEFORE);
}

int gradyn_event_impulse(gradyn_model *model, const char *name, int event, int which)
{
  gradyn_functional_entry *f;
  if (!gradyn_model_named(model, name, "an impulse"))
    return 0;
  int number = gradyn_model_functional(model, name, "N s", &f);
  return gradyn_functional_tie(model, number, event, which, GRADYN_IMPULSE);
}

bool gradyn_functional_is_at_event(const gradyn_functional_entry *f,
                                   const gradyn_event_record *record, int total)
{
  /* the k-th of all events, or the k-th occurrence of one event */
  if (f->which == 0)
    return false;
  return f->event == GRADYN_ANY_EVENT ? f->which == total
                                      : f->event == record->event && f->which == record->occurrence;
}

bool gradyn_functional_is_impulse(const gradyn_functional_entry *f,
                                  const gradyn_event_record *record, int total)
{
  return f->side == GRADYN_IMPULSE && gradyn_functional_is_at_event(f, record, total);
}

bool gradyn_event_acts(const gradyn_model *model, int event)
{
  const gradyn_event_entry *e = &model->event[event];
  const bool leads = e->mode >= 0 && e->modes != 1u << e->mode;
  bool acts = e->contact >= 0 || e->invariant || leads || e->ends > 0 || e->map_count > 0 ||
              e->set_count > 0;
  for (int f = 0; f < model->functional_count && !acts; f++) {
    const gradyn_functional_entry *functional = &model->functional[f];
    acts = functional->which > 0 &&
           (functional->event == event || functional->event == GRADYN_ANY_EVENT);
  }
  return acts;
}

/* --- Log -------------------------------------------------------------------------------------- */

void gradyn_log_begin(gradyn_model *model)
{
  model->log.count = 0;
  memset(model->log.imbalance, 0, sizeof model->log.imbalance);
  for (int i = 0; i < model->event_count; i++)
    model->event[i].happened = 0;
}

void gradyn_log_imbalance(gradyn_model *model, gradyn_imbalance_kind kind,
                          const gradyn_imbalance *found)
{
  gradyn_imbalance *first = &model->log.imbalance[kind];
  /* a step may be searched for events more than once */
  if (first->count > 0 && first->event == found->event && first->t == found->t)
    return;
  if (first->count++ == 0)
    *first = (gradyn_imbalance){found->event, 1, found->t, found->amount, found->other};
}

gradyn_status gradyn_log_smooth(gradyn_model *model)
{
  const gradyn_imbalance *found = &model->log.imbalance[GRADYN_ORDER_DECIDES];
  if (found->count == 0)
    return GRADYN_OK;
  return gradyn_fail(
      &model->message, GRADYN_EVENT,
      "%s and %s occur at the same time, t = %.9g s: the state after both does not depend on their "
      "order, but its derivatives do. Move one of them, or start elsewhere",
      model->event[found->event].name, model->event[found->other].name, found->t);
}

/* `alike`: intervals count as shrinking by one ratio if the relative difference of successive ratios is
 * below this. Bounces at low speed have this property, whatever other forces act. `evenly`: above this
 * ratio intervals count as equal, as for periodic events. */
static const double alike = 0.01, evenly = 0.999;

/* Times of an event that are examined. The last hops before an accumulation are as small as round-off, so
 * earlier ones must be included. */
enum { LOOKED_BACK = 64 };

bool gradyn_log_accumulates(const gradyn_model *model, int event, double t, double *q,
                            double *limit)
{
  double at[LOOKED_BACK] = {t}, best = alike;
  int count = isnan(t) ? 0 : 1;
  for (int i = model->log.count - 1; i >= 0 && count < LOOKED_BACK; i--)
    if (model->log.record[i].event == event)
      at[count++] = model->log.record[i].t;
  /* selects, among all groups of four successive times, the one whose intervals d shrink most evenly; the
   * limit d q + d q^2 + ... must be the present time */
  for (int k = 0; k + 3 < count; k++) {
    const double d = at[k] - at[k + 1], before = (at[k + 1] - at[k + 2]) / (at[k + 2] - at[k + 3]),
                 ratio = d / (at[k + 1] - at[k + 2]), end = at[k] + d * ratio / (1 - ratio);
    if (!(fabs(ratio - before) <= best * ratio && ratio < evenly && fabs(end - at[0]) <= d))
      continue;
    best = fabs(ratio - before) / ratio;
    *q = ratio;
    *limit = end;
  }
  return best < alike;
}

/* Number of impulses of an event in the log. */
static size_t impulses_of(const gradyn_model *model)
{
  return model->mech ? (size_t)model->mech->m : 0;
}

/* Grows an array to `count` numbers. Returns whether there was memory. */
static bool grow(double **array, size_t count)
{
  double *grown = realloc(*array, (count + 1) * sizeof *grown);
  *array = grown ? grown : *array;
  return grown != NULL;
}

/* Makes room for one more event. Doubling copies each record a few times only; events are rare. */
static gradyn_status reserve(gradyn_model *model)
{
  gradyn_model_log *log = &model->log;
  if (log->count < log->capacity)
    return GRADYN_OK;
  const size_t capacity = log->capacity > 0 ? 2 * (size_t)log->capacity : 16;
  gradyn_event_record *grown = realloc(log->record, capacity * sizeof *grown);
  log->record = grown ? grown : log->record;
  if (!grown || !grow(&log->captures.value, capacity * (size_t)log->captures.count) ||
      !grow(&log->impulse, capacity * impulses_of(model)))
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu events", capacity);
  log->capacity = (int)capacity;
  return GRADYN_OK;
}

/* Appends a record, and the data latched after the event, from which a repeated run restores its discrete
 * states. */
gradyn_status gradyn_log_add(gradyn_model *model, const gradyn_event_record *record,
                             const double *impulse)
{
  GRADYN_TRY(reserve(model));
  const size_t impulses = impulses_of(model);
  for (size_t i = 0; i < impulses; i++)
    model->log.impulse[(size_t)model->log.count * impulses + i] = impulse ? impulse[i] : 0;
  const gradyn_model_captures *c = &model->log.captures; /* [events][captures] */
  for (int k = 0; k < c->count; k++)
    c->value[model->log.count * c->count + k] = model->x[c->item[k].datum];
  gradyn_event_record *added = &model->log.record[model->log.count++];
  *added = *record;
  added->name = model->event[record->event].name;
  /* occurrence number, as --events prints it */
  added->occurrence = ++model->event[record->event].happened;
  added->mode = model->discrete.mode + 1;
  return GRADYN_OK;
}

bool gradyn_log_ends(const gradyn_model *model)
{
  if (model->log.count == 0)
    return false;
  const gradyn_event_record *last = &model->log.record[model->log.count - 1];
  return model->event[last->event].ends == last->occurrence;
}

/* Returns GRADYN_EVENT if the run should end with an event that has not happened. */
static gradyn_status check_end(gradyn_model *model, bool ended)
{
  for (int i = 0; i < model->event_count && !ended; i++)
    if (model->event[i].ends > 0)
      return gradyn_fail(&model->message, GRADYN_EVENT,
                         "the run must end with occurrence %d of %s, but this event has occurred "
                         "%d times until the end time, t = %g s",
                         model->event[i].ends, model->event[i].name, model->event[i].happened,
                         model->x[model->t_end]);
  return GRADYN_OK;
}

/* Checks the log at the end of a run. Without these checks a functional would have no value, and its
 * gradient would be zero without a warning. */
gradyn_status gradyn_log_complete(gradyn_model *model)
{
  const bool ended = gradyn_log_ends(model);
  const gradyn_event_record *last = ended ? &model->log.record[model->log.count - 1] : NULL;
  const double end = ended ? last->t : gradyn_model_end(model);
  if (ended)
    gradyn_limits_end(model, end);
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_functional_entry *f = &model->functional[k];
    bool met = f->which == 0;
    for (int i = 0; i < model->log.count && !met; i++)
      met = gradyn_functional_is_at_event(f, &model->log.record[i], i + 1);
    if (!met)
      return gradyn_fail(&model->message, GRADYN_EVENT,
                         "functional %s is evaluated at occurrence %d of %s, but the run had %d "
                         "events in all until its end at t = %g s",
                         f->name, f->which,
                         f->event == GRADYN_ANY_EVENT ? "any event" : model->event[f->event].name,
                         model->log.count, end);
    if (ended && f->instant > 0 &&
        !gradyn_model_later(model, end, f->instant)) /* a time after the end was not reached */
      return gradyn_fail(&model->message, GRADYN_EVENT,
                         "functional %s is evaluated at t = %g s, but %s has ended the run at t = "
                         "%g s",
                         f->name, f->instant, last->name, end);
  }
  return check_end(model, ended);
}
