/* Runs of a one-step method: arcs, steps, and integrals of functionals. A step is z' = z + h sum b_i k_i,
 * projected onto the constraints. Knots, given times and events are boundaries of arcs, at which steps end.
 * adjoint/onestep/ contains the sweeps through stored steps. */
#include "dae/onestep/events.h"
#include "dae/onestep/pieces.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

enum {
  DEFAULT_STEPS = 100000,
  FEW_STEPS = 300, /* after this number of steps, the number for the whole run is predicted */
  FIRST_ROOM = 8   /* steps */
};

/* --- life ------------------------------------------------------------------------------------- */

static gradyn_status no_memory(const gradyn_onestep *s, const char *what)
{
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %s", what);
}

/* Allocates all memory except that of steps. */
static gradyn_status take_memory(gradyn_onestep *s)
{
  size_t nf = (size_t)s->nf + 1, nz = (size_t)s->rates->nz + 1;
  /* the stages of a step, and the stage at its end */
  s->kept.slots = s->tableau->stages + 1;
  s->kept.slot = (size_t)s->rates->record;
  s->integral = calloc(nf, sizeof(int));
  s->y = calloc(nz, sizeof(double));
  s->trial = calloc(nz, sizeof(double));
  s->tolerances.size = calloc((size_t)s->rates->ny + 1, sizeof(double));
  s->tolerances.atol = calloc((size_t)s->rates->ny + 1, sizeof(double));
  s->inner = calloc(nf, sizeof(double));
  s->sum = calloc(nf, sizeof *s->sum);
  s->spare = calloc(gradyn_onestep_block(s) + nz + (size_t)s->rates->ny, sizeof(double));
  s->dense = calloc(gradyn_onestep_dense_size(s), sizeof(double));
  if (!s->integral || !s->y || !s->trial || !s->tolerances.size || !s->tolerances.atol ||
      !s->inner || !s->sum || !s->spare || !s->dense)
    return no_memory(s, "a run");
  for (int f = 0; f < s->nf; f++)
    if (s->model->functional[f].integrand)
      s->integral[s->nq++] = f;
  return gradyn_tape_create(s->model, &s->tape);
}

void gradyn_onestep_tighten(gradyn_onestep *s, double part)
{
  gradyn_onestep_tolerances *t = &s->tolerances;
  t->part = part;
  t->rtol = part * t->asked[0];
  t->share = t->rtol > 0 ? s->scheme->tolerance(t->rtol) / t->rtol : 1;
  s->options.rtol = t->share * t->rtol;
  s->options.atol = t->share * part * t->asked[1];
}

gradyn_status gradyn_onestep_create(gradyn_model *model, const gradyn_options *options,
                                    const gradyn_onestep_scheme *scheme, gradyn_onestep **out)
{
  gradyn_onestep *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  s->model = model;
  s->options = *options;
  s->scheme = scheme;
  s->tolerances.asked[0] = options->rtol;
  s->tolerances.asked[1] = options->atol;
  gradyn_onestep_tighten(s, 1);
  s->nf = model->functional_count;
  s->tableau = scheme->tableau(options->order > 0 ? options->order : 0);
  if (!s->tableau)
    return gradyn_fail(&model->message, GRADYN_INVALID, "the order of %s is %d: it is %s",
                       scheme->name, options->order, scheme->orders);
  GRADYN_TRY(model->mech ? gradyn_rates_from_mech(model, &s->rates)
                         : gradyn_rates_from_equations(model, &s->rates));
  s->rates->unjudged = options->step > 0;
  /* arcs with the present data; later data may move their boundaries, but their number is the same */
  GRADYN_TRY(gradyn_onestep_find_arcs(model, true, &s->first));
  GRADYN_TRY(take_memory(s));
  if (scheme->create)
    GRADYN_TRY(scheme->create(s));
  const gradyn_observed_run run = {.model = model,
                                   .integrator = s,
                                   .report = &s->report,
                                   .ny = s->rates->ny,
                                   .equal = options->step > 0};
  GRADYN_TRY(gradyn_monitors_create(&run, gradyn_onestep_monitors, &s->monitors));
  return model->event_count > 0 ? gradyn_onestep_events_create(s) : GRADYN_OK;
}

/* Also frees an object whose creation has failed. */
void gradyn_onestep_free(gradyn_onestep *s)
{
  if (!s)
    return;
  if (s->scheme && s->scheme->free)
    s->scheme->free(s);
  if (s->rates)
    s->rates->ops->free(s->rates);
  gradyn_arcs_clear(&s->arcs);
  gradyn_arcs_clear(&s->first);
  gradyn_onestep_events_free(s->events);
  double *array[] = {s->z,     s->kept.stages,     s->y,
                     s->trial, s->tolerances.size, s->tolerances.atol,
                     s->inner, s->spare,           s->dense};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  gradyn_monitors_clear(&s->monitors);
  free(s->limits.from);
  free(s->sum);
  free(s->integral);
  gradyn_tape_clear(&s->tape);
  free(s->step);
  free(s);
}

/* --- memory of steps ---------------------------------------------------------------------------- */

/* Provides memory for the stages of step k. If the memory limit is reached, all further steps share one
 * block. */
static gradyn_status reserve_stages(gradyn_onestep *s, int k)
{
  gradyn_onestep_kept *kept = &s->kept;
  const size_t most = (size_t)kept->steps + 1, one = gradyn_onestep_block(s) * sizeof(double);
  if ((size_t)k < kept->capacity || kept->capacity >= most)
    return GRADYN_OK;
  /* twice as much as needed, so that each step is copied only a few times */
  size_t capacity = 2 * ((size_t)k + FIRST_ROOM / 2);
  capacity = capacity < most ? capacity : most;
  double *grown = realloc(kept->stages, capacity * one);
  if (!grown)
    return no_memory(s, "the stages of a run");
  kept->stages = grown;
  kept->capacity = capacity;
  return GRADYN_OK;
}

/* Returns the number of steps whose stages are stored. There is memory for one more step. */
static int stored_steps(const gradyn_onestep *s)
{
  const double budget = s->options.memory > 0 ? s->options.memory : 1e9;
  const double places = budget / ((double)gradyn_onestep_block(s) * sizeof(double));
  return (int)fmin(fmax(places - 1, 0), INT_MAX - 1);
}

/* Returns the memory for the stages of step k, which further steps share. */
static double *slot(const gradyn_onestep *s, int k)
{
  const int place = k < s->kept.steps ? k : s->kept.steps;
  return s->kept.stages + (size_t)place * gradyn_onestep_block(s);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Returns the length of the next step if `left` remains of an arc. If less than two steps remain, it is
 * half of `left`, so that the last step is not short. */
static double fit(double h, double left)
{
  return h >= left ? left : h > left / 2 ? left / 2 : h;
}

/* Returns the number of equal steps of an arc. 0: lengths follow from the error or, with events, are
 * constant. */
static double equal_steps(const gradyn_onestep *s, int arc)
{
  return s->options.step > 0 && !s->events
             ? gradyn_arcs_steps(&s->arcs, &s->first, arc, s->options.step)
             : 0;
}

/* Refuses a further step if the allowed number of steps is reached, or will be exceeded as predicted. */
static gradyn_status limit_steps(const gradyn_onestep *s, double t)
{
  /* each arc needs a step, and fits have an arc for each of their data */
  const long inner = s->first.count - 1, tried = s->limits.most + inner;
  /* the number of fixed or given steps has been checked before the run */
  long most = s->options.max_steps > 0 ? s->options.max_steps : DEFAULT_STEPS + inner;
  if ((s->options.step > 0 && s->options.max_steps == 0) || s->limits.given > 0)
    most = 1000000000;
  /* in a trial run with limits.most, the number is predicted from the time reached, unless steps may differ
   * by decades */
  const bool trial = s->limits.given == 0 && s->limits.most > 0;
  const bool foreseen = trial && s->tableau->edge > 0 && s->count >= FEW_STEPS &&
                        s->count * gradyn_onestep_duration(s) >
                            (double)tried * gradyn_onestep_elapsed(s, t);
  if (trial && tried < most && s->tableau->edge == 0)
    most = tried;
  if (s->count < most && !foreseen)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_STEP_LIMIT,
                     "t = %g s was reached after the allowed number of steps, %ld. The motion is "
                     "faster than the end time suggests, or the tolerance too tight",
                     t, most);
}

/* --- arcs ------------------------------------------------------------------------------------- */

/* Completes an accepted step: adds its integrals, stores the state, calls the monitors, and records the
 * trajectory. */
static gradyn_status settle(gradyn_onestep *s, int k, double *stages, gradyn_trajectory *trajectory)
{
  double t = s->step[k].t, h = s->step[k].h;
  const double *arrival = gradyn_onestep_stage(s, stages, s->kept.slots - 1);
  /* integrals over the accepted step */
  for (int i = 0; i < s->nq; i++) {
    gradyn_onestep_sum *sum = &s->sum[i];
    s->inner[s->integral[i]] += sum->added;
    sum->mass += sum->rise;
    sum->spread += sum->spread_rise;
    sum->worst = fmax(sum->worst, sum->error);
  }
  memcpy(s->z + (size_t)(k + 1) * (size_t)s->rates->nz, s->y,
         (size_t)s->rates->nz * sizeof(double));
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_NODE,
                                  &(gradyn_observed){.t = t + h, .to = arrival}));
  GRADYN_TRY(
      gradyn_monitors_call(&s->monitors, GRADYN_ON_STEP,
                           &(gradyn_observed){.t = t, .h = h, .from = stages, .to = arrival}));
  if (trajectory)
    GRADYN_TRY(gradyn_onestep_record_inside(s, k, stages, trajectory));
  return trajectory ? gradyn_onestep_record(s, t + h, arrival, trajectory) : GRADYN_OK;
}

/* Returns the stage after the event at the start of an arc; NULL: the arc does not start at an event. */
static const double *stage_behind(const gradyn_onestep *s, int arc)
{
  const gradyn_passed_event *jump = gradyn_onestep_event_at(s, arc);
  return jump ? jump->y[1] : NULL;
}

/* Sets the first stage of step k. It is a copy of `before`, the stage at the end of the last step or after
 * an event; if `before` is NULL, it is evaluated. */
static gradyn_status first_stage(gradyn_onestep *s, int k, double t, const double *before,
                                 double *stages)
{
  if (before) {
    memmove(stages, before, (size_t)s->rates->record * sizeof *stages);
    return GRADYN_OK;
  }
  s->rates->evaluations++;
  return s->rates->ops->stage(s->rates, t, s->z + (size_t)k * (size_t)s->rates->nz, NULL, stages);
}

/* Returns the length of a step with the requested length h, in runs with events: the rest of the arc if a
 * further step would have almost no length. */
static double space(double h, double left)
{
  return left <= h * (1 + 4e-6) ? left : h;
}

/* Arcs below this fraction of the run are short. A step that fills a short arc is not divided for output if
 * its error would permit GRADYN_ONESTEP_PARTS times its length. The reason is that a run with thousands of
 * data has as many short arcs. Longer arcs, at most 1/0.01 in number, add at most 800 rows. */
static const double short_arc = 0.01;

/* Returns the number of parts for output of the last step, of length h. whole: it fills its arc. The error
 * decreases with a power of the length. */
static int parts_of(const gradyn_onestep *s, double h, bool whole)
{
  const bool brief = whole && h < short_arc * gradyn_onestep_duration(s);
  return brief && s->control.error <= pow(GRADYN_ONESTEP_PARTS, -s->tableau->falls)
             ? 1
             : GRADYN_ONESTEP_PARTS;
}

/* Takes the next step of an arc, from the fraction *reached of it. Its first stage must be set. `first`:
 * index of the first step of the arc. The length is that of a given step, of `equal` equal steps, or of the
 * options; otherwise it follows from the error. An event makes the step shorter. */
static gradyn_status take_step(gradyn_onestep *s, int arc, int first, double equal, double *reached,
                               double *stages)
{
  double t0 = gradyn_onestep_boundary(s, arc), length = gradyn_onestep_boundary(s, arc + 1) - t0;
  double t = t0 + *reached * length, left = (1 - *reached) * length;
  const double *z = s->z + (size_t)s->count * (size_t)s->rates->nz;
  gradyn_onestep_step *step = &s->step[s->count];
  bool given = s->limits.given > 0;
  /* at the first step of a run, choose the first length */
  if (equal == 0 && !given && s->control.h == 0)
    GRADYN_TRY(gradyn_onestep_first_length(s, t, length, z, stages, &s->control.h));
  /* length: given, equal, by the options, or by the error */
  double fitted = given       ? step->share * length
                  : equal > 0 ? length / equal
                  : s->options.step > 0
                      ? space(s->options.step, left)
                      : fit(fmin(s->control.h, gradyn_onestep_longest(s, t)), left);
  double h = fitted;
  GRADYN_TRY(gradyn_onestep_advance(s, t, &h, z, stages));
  bool all = h == fitted &&
             /* exact comparison, since fitted is a copy of `left` for the last step */
             fitted == left;
  if (s->events)
    GRADYN_TRY(gradyn_onestep_events_search(s, t, &h, left, z, stages));
  bool event = s->events && s->events->base.next >= 0;
  if (event)
    GRADYN_TRY(gradyn_onestep_events_end_arc(s, arc, first, t + h));
  int taken = s->count + 1 - first; /* number of steps of this arc, including this one */
  bool last = event || (given       ? gradyn_onestep_ends_given(s, s->count)
                        : equal > 0 ? taken >= equal
                                    : all);
  double end = last ? 1 : given ? step[1].start : equal > 0 ? taken / equal : *reached + h / length;
  /* computed from the length, because the difference of both ends has lost digits */
  double share = given ? step->share : last ? 1 - *reached : h / length;
  const bool whole = equal == 0 && s->options.step == 0 && last && *reached == 0;
  *step = (gradyn_onestep_step){arc,   gradyn_onestep_law(s, event, last),         t, h, *reached,
                                share, given ? step->parts : parts_of(s, h, whole)};
  *reached = end;
  return gradyn_tape_append(&s->tape, GRADYN_TAPE_STEP, s->count++);
}

/* Ends an arc: evaluates terminal parts, or takes the jump of an event. */
static gradyn_status end_arc(gradyn_onestep *s)
{
  int k = s->count - 1, boundary = s->step[k].arc + 1;
  const double *arrival = gradyn_onestep_stage(s, slot(s, k), s->kept.slots - 1);
  return gradyn_onestep_has_event(s, boundary)
             ? gradyn_onestep_events_apply(s, boundary, arrival)
             : gradyn_onestep_add_terminals(s, boundary, false, arrival);
}

/* Evaluates all values that depend on the first stage of a run only. */
static gradyn_status begin(gradyn_onestep *s, const double *stage)
{
  GRADYN_TRY(gradyn_onestep_set_tolerances(s, stage));
  /* smooth maxima are shifted by their value at the start */
  GRADYN_TRY(gradyn_functionals_begin(s->model, &(gradyn_sample){0, stage}));
  GRADYN_TRY(gradyn_onestep_add_terminals(s, 0, true, stage));
  return s->events ? gradyn_onestep_events_begin(s, stage) : GRADYN_OK;
}

/* Adds a step of length zero between two events at the same time, because sweeps need a step in each arc. */
static gradyn_status pause(gradyn_onestep *s, int arc, gradyn_trajectory *trajectory)
{
  const int k = s->count;
  const size_t nz = (size_t)s->rates->nz;
  const double t = gradyn_onestep_boundary(s, arc);
  GRADYN_TRY(gradyn_onestep_reserve_step(s, k));
  GRADYN_TRY(reserve_stages(s, k));
  /* after reserve_stages() and reserve_step(), which may have moved the memory */
  double *stages = slot(s, k), *z = s->z + (size_t)k * nz;
  GRADYN_TRY(first_stage(s, k, t, stage_behind(s, arc), stages));
  if (trajectory)
    GRADYN_TRY(gradyn_onestep_record(s, t, stages, trajectory));
  if (s->scheme->enter)
    GRADYN_TRY(s->scheme->enter(s));
  GRADYN_TRY(gradyn_onestep_take(s, t, 0, z, stages, true));
  memcpy(s->z + (size_t)(k + 1) * nz, z, nz * sizeof *z);
  s->step[k] = (gradyn_onestep_step){arc, GRADYN_LENGTH_EVENT, t, 0, 0, 1, 1};
  GRADYN_TRY(gradyn_tape_append(&s->tape, GRADYN_TAPE_STEP, s->count++));
  return end_arc(s);
}

/* Takes all steps of an arc. The first stage of each step is the stage at the end of the step before. */
static gradyn_status march_arc(gradyn_onestep *s, int arc, gradyn_trajectory *trajectory)
{
  /* s */
  double t0 = gradyn_onestep_boundary(s, arc), length = gradyn_onestep_boundary(s, arc + 1) - t0,
         reached = 0;
  double equal = equal_steps(s, arc);
  int first = s->count;
  if (gradyn_arcs_pause(&s->arcs, arc))
    return pause(s, arc, trajectory);
  gradyn_arcs_enter(s->model, &s->arcs, arc);
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_ARC, &(gradyn_observed){.arc = arc}));
  if (s->scheme->enter)
    GRADYN_TRY(s->scheme->enter(s));
  while (reached < 1) {
    int k = s->count;
    double t = t0 + reached * length;
    GRADYN_TRY(limit_steps(s, t));
    GRADYN_TRY(gradyn_onestep_reserve_step(s, k));
    GRADYN_TRY(reserve_stages(s, k));
    double *stages = slot(s, k);
    const double *before = k > first ? gradyn_onestep_stage(s, slot(s, k - 1), s->kept.slots - 1)
                                     : stage_behind(s, arc);
    GRADYN_TRY(first_stage(s, k, t, before, stages));
    if (k == 0)
      GRADYN_TRY(begin(s, stages));
    if (k == first && s->events && gradyn_arcs_change(&s->arcs, arc))
      GRADYN_TRY(gradyn_detector_open(&s->events->base.watch, t, stages));
    if (k == first)
      GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_NODE,
                                      &(gradyn_observed){.t = t, .to = stages, .opens = true}));
    if (k == first && trajectory)
      GRADYN_TRY(gradyn_onestep_record(s, t, stages, trajectory));
    GRADYN_TRY(take_step(s, arc, first, equal, &reached, stages));
    GRADYN_TRY(settle(s, k, stages, trajectory));
  }
  return end_arc(s);
}

/* Returns whether a step has exceeded the tolerance of an integral, whose size is known only now. Three
 * times the tolerance of a step is accepted, because that is still small compared with the tolerance of the
 * run. */
static bool needs_another_pass(gradyn_onestep *s)
{
  bool needed = false;
  /* fixed and repeated steps remain as they are */
  for (int k = 0; k < s->nq && s->options.step == 0 && s->limits.given == 0 && !s->sized; k++) {
    gradyn_onestep_sum *sum = &s->sum[k];
    sum->whole_mass = sum->mass;
    sum->whole_spread = sum->spread;
    needed = needed || sum->worst > 3 * gradyn_onestep_allowed(s, sum->mass, sum->spread);
  }
  return needed;
}

/* Passes through the run once, from the initial state. Events insert arcs. */
static gradyn_status pass(gradyn_onestep *s, bool keep, gradyn_trajectory *trajectory)
{
  s->kept.steps = keep || s->kept.asked ? stored_steps(s) : 0;
  s->count = 0;
  s->control = (gradyn_onestep_control){0};
  s->limits.at = 0;
  s->monitors.run.repeats = s->limits.given > 0;
  s->monitors.run.derivatives = keep && s->limits.given == 0;
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_BEGIN, NULL));
  memset(s->inner, 0, (size_t)s->nf * sizeof(double));
  /* resets the sums, but keeps the sizes that the first pass has found */
  for (int k = 0; k < s->nq; k++)
    s->sum[k] = (gradyn_onestep_sum){.whole_mass = s->sum[k].whole_mass,
                                     .whole_spread = s->sum[k].whole_spread};
  GRADYN_TRY(gradyn_onestep_fit_arcs(s));
  gradyn_tape_begin(&s->tape, &s->arcs);
  if (trajectory)
    GRADYN_TRY(gradyn_trajectory_begin(trajectory, s->model));
  gradyn_discrete_state_rewind(s->model);
  gradyn_arcs_enter(s->model, &s->arcs, 0);
  GRADYN_TRY(s->rates->ops->start(s->rates, s->z));
  /* the number of arcs grows with events */
  for (int arc = 0; arc < s->arcs.count; arc = s->step[s->count - 1].arc + 1)
    GRADYN_TRY(march_arc(s, arc, trajectory));
  s->kept.shared = s->count - 1;
  /* if an event ends the run, also record the state after it */
  return trajectory && s->events && gradyn_log_ends(s->model)
             ? gradyn_onestep_record(s, gradyn_onestep_boundary(s, s->arcs.count),
                                     stage_behind(s, s->arcs.count), trajectory)
             : GRADYN_OK;
}

/* Runs once, and a second time if the first pass has exceeded the tolerances of integrals. */
static gradyn_status run(gradyn_onestep *s, bool keep, double *psi, gradyn_trajectory *trajectory)
{
  GRADYN_TRY(gradyn_onestep_reserve_step(s, 0));
  GRADYN_TRY(pass(s, keep, trajectory));
  /* the first pass could only predict the sizes of integrals */
  if (needs_another_pass(s)) {
    s->sized = true;
    GRADYN_TRY(pass(s, keep, trajectory));
  }
  return gradyn_tape_values(&s->tape, &s->arcs, s->inner, psi);
}

gradyn_status gradyn_onestep_run(gradyn_onestep *s, bool keep, double *psi,
                                 gradyn_trajectory *trajectory)
{
  double clock = gradyn_seconds();
  /* the report counts this run only */
  s->report = (gradyn_run_report){0};
  s->rates->factorisations = s->rates->evaluations = 0;
  s->sized = false;
  const gradyn_status status = run(s, keep, psi, trajectory);
  s->report.cost.steps = s->count;
  s->report.cost.arcs = s->arcs.count;
  s->report.cost.residual_calls = s->rates->evaluations;
  s->report.cost.factorisations = s->rates->factorisations + s->control.factorisations;
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}

/* --- stored steps ------------------------------------------------------------------------------- */

/* Returns the stages of step k, stored or computed again. Computed stages have the same bits if a step
 * depends on its first state only. If its initial guess depends on earlier steps, they differ within the
 * tolerance of the stage equations. */
gradyn_status gradyn_onestep_stages(gradyn_onestep *s, int k, double **stages)
{
  *stages = slot(s, k);
  GRADYN_TRY(gradyn_model_cancelled(s->model, s->step[k].t));
  gradyn_onestep_enter(s, s->step[k].arc);
  if (k < s->kept.steps || k == s->kept.shared)
    return GRADYN_OK;
  /* repeat the step from its stored state */
  const double *z = s->z + (size_t)k * (size_t)s->rates->nz;
  double t = s->step[k].t, h = s->step[k].h;
  s->kept.shared = -1; /* the shared memory has no valid stages until they are complete */
  GRADYN_TRY(first_stage(s, k, t, NULL, *stages));
  if (s->scheme->enter)
    GRADYN_TRY(s->scheme->enter(s));
  GRADYN_TRY(gradyn_onestep_take(s, t, h, z, *stages, true));
  s->kept.shared = k;
  return GRADYN_OK;
}
