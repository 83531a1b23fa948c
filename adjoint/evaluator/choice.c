/* The choice between a quick and a patient method: see choice.h.
 *
 * The quick one is `explicit`, the patient one `idas`. Which of them is quicker on a problem
 * nobody knows before it has run: so they run in turn at the initial data, for as long as is
 * fair to both, and the first that comes to the end is kept for the whole life of the evaluator.
 * A result then depends on rho alone, not on what was evaluated before. */
#include "adjoint/evaluator/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/base/clock.h"

/* Steps of the patient method that take as long as one of the quick one: 2.2 to 5 for mechanisms of 6 to 384
 * coordinates, as bench/stiffness.c and tests/campaigns/choice.c find. */
enum { PRICE = 3 };

enum {
  FEW_STEPS = 300,     /* of the quick method, with which it need not be compared */
  MOST_STEPS = 100000, /* with which it has lost */
  LATER = 4            /* times the steps of the run that made the choice: given up */
};

/* Part of its tolerances with which the patient one has gradients as exact as the quick one: its errors are
 * 22 times the tolerance in the median of 36 runs, and a sixth of that with a tenth. */
static const double equal = 0.01, least_rtol = 1e-12;

/* --- life --------------------------------------------------------------------------------------- */

/* Whether there is nothing to choose: options, or events, that only the patient method knows; or forces
 * that read multipliers, with which each of a dozen evaluations in a step of the quick one is an iteration
 * with a matrix of its own: of 50 random mechanisms with friction in joints, at tolerances from 1e-4 to
 * 1e-12, it was the quicker one on none; with gradients of the same error runs of governor,
 * inverted-pendulum and slider-crank-codesign still take it 4 to 9 times as long. */
static bool needs_patience(const gradyn_evaluator *ev)
{
  const gradyn_options *o = &ev->options;
  if (ev->model->event_count > 0 && !ev->model->mech)
    return true;
  if (ev->model->mech && ev->model->mech->reader)
    return true;
  return o->baumgarte_alpha > 0 || o->baumgarte_beta > 0 || o->staggered;
}

gradyn_status gradyn_choice_create(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  const gradyn_method *const *among = ev->method->among;
  if (!among)
    return ev->method->create(ev->model, &ev->options, &ev->run);
  ev->options.step = 0; /* the problem's own is that of another method */
  /* without a contest where only one of the two will do */
  ev->method = among[needs_patience(ev) ? GRADYN_PATIENT : GRADYN_QUICK];
  gradyn_status status = ev->method->create(ev->model, &ev->options, &ev->run);
  if (status != GRADYN_OK || ev->method != among[GRADYN_QUICK])
    return status;
  size_t nx = (size_t)ev->model->nx;
  c->x = calloc(nx + 1, sizeof *c->x);
  if (!c->x)
    return gradyn_fail(&ev->model->message, GRADYN_NO_MEMORY, "out of memory for %zu data", nx);
  /* the contest is held at the initial data, whatever is asked first */
  memcpy(c->x, ev->model->x, nx * sizeof *c->x);
  memcpy(c->method, among, sizeof c->method);
  c->run[GRADYN_QUICK] = ev->run;
  return GRADYN_OK;
}

/* All contenders, or the one method that users have named. */
void gradyn_choice_clear(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  if (!c->x) {
    if (ev->run)
      ev->method->free(ev->run);
    return;
  }
  /* two methods exist at once: the choice may turn */
  for (int k = 0; k < GRADYN_CONTENDERS; k++)
    if (c->run[k])
      c->method[k]->free(c->run[k]);
  free(c->x);
}

/* --- contest ------------------------------------------------------------------------------------ */

/* Puts one of the two in force, whose object is made when it is first needed. */
static gradyn_status put_in_force(gradyn_evaluator *ev, int which)
{
  gradyn_choice *c = &ev->choice;
  /* objects are not small: one that is never needed is not made */
  if (!c->run[which]) {
    gradyn_status status = c->method[which]->create(ev->model, &ev->options, &c->run[which]);
    if (status != GRADYN_OK) {
      if (c->run[which])
        c->method[which]->free(c->run[which]);
      c->run[which] = NULL;
      return status;
    }
  }
  ev->method = c->method[which];
  ev->run = c->run[which];
  return GRADYN_OK;
}

/* Whether the other method may do what ended with this status: it was stiffness, the number of steps,
 * something that the method has not got, or a force that jumps. */
static bool wants_other(gradyn_status status)
{
  return status == GRADYN_STIFF || status == GRADYN_STEP_LIMIT || status == GRADYN_UNSUPPORTED ||
         status == GRADYN_NOT_CONVERGED;
}

/* Whether the time allowed for the call is over, which says nothing of a method. */
static bool late(const gradyn_evaluator *ev)
{
  return ev->model->patience.deadline > 0 && gradyn_seconds() > ev->model->patience.deadline;
}

/* A run by one of the two, of `most` steps at most. */
static gradyn_status attempt(gradyn_evaluator *ev, int which, long most)
{
  /* what the other contender said no longer counts */
  gradyn_message_clear(&ev->model->message);
  gradyn_status status = put_in_force(ev, which);
  if (status != GRADYN_OK)
    return status;
  /* no more than so many steps: a contender that is slow here loses */
  ev->method->limit(ev->run, most);
  if (ev->method->tighten)
    ev->method->tighten(ev->run, fmin(1, fmax(equal, least_rtol / ev->options.rtol)));
  status = ev->method->simulate(ev->run, NULL, NULL);
  ev->method->limit(ev->run, 0);
  if (ev->method->tighten)
    ev->method->tighten(ev->run, 1);
  return status;
}

/* Notes who has won, and how many steps a later run may take before it is given up. */
static gradyn_status decide(gradyn_evaluator *ev, int which, long steps)
{
  gradyn_choice *c = &ev->choice;
  c->first = which;
  c->most = LATER * steps;
  c->made = true;
  gradyn_message_clear(&ev->model->message); /* whatever it was, the next run will say it */
  return GRADYN_OK;
}

/* Steps that the run that has just been given up would have taken, judged by how far it came. */
static double steps_foreseen(const gradyn_evaluator *ev)
{
  const double done = ev->method->progress(ev->run);
  return done > 0 ? (double)ev->method->statistics(ev->run).steps / done : HUGE_VAL;
}

/* Lets the methods run in turn, with more and more steps, until one comes to the end: the quick one has
 * tried `quick` steps and ended with `status`. If the patient one comes to the end, the quick one
 * may go on for as long as that took. */
static gradyn_status contest(gradyn_evaluator *ev, gradyn_status status, long quick)
{
  while (status == GRADYN_STEP_LIMIT && quick < MOST_STEPS) {
    /* what the quick one would take, by how far it came; never less than twice what it has had */
    const double foreseen = fmin(steps_foreseen(ev), MOST_STEPS);
    const long fair = (long)fmax(foreseen, 2 * (double)quick);
    const gradyn_status patient = attempt(ev, GRADYN_PATIENT, PRICE * fair);
    const long allowed = patient == GRADYN_OK ? ev->method->statistics(ev->run).steps / PRICE
                                              : 2 * fair;
    if (late(ev) || gradyn_status_classify(patient) == GRADYN_CLASS_FATAL)
      return patient;
    /* the patient one is through in less than the quick one has had, or than half of what it would
     * need */
    if (patient == GRADYN_OK && (allowed <= quick || foreseen > 2 * (double)allowed))
      return decide(ev, GRADYN_PATIENT, 0);
    status = attempt(ev, GRADYN_QUICK, allowed);
    quick = allowed;
    if (patient == GRADYN_OK && status == GRADYN_STEP_LIMIT && !late(ev))
      return decide(ev, GRADYN_PATIENT, 0);
    if (patient != GRADYN_OK && patient != GRADYN_STEP_LIMIT)
      return decide(ev, GRADYN_QUICK, MOST_STEPS); /* there is no other */
  }
  if (late(ev) || gradyn_status_classify(status) == GRADYN_CLASS_FATAL)
    return status;
  if (wants_other(status) && put_in_force(ev, GRADYN_PATIENT) == GRADYN_OK)
    return decide(ev, GRADYN_PATIENT, 0);
  return decide(ev, GRADYN_QUICK, quick);
}

/* Which of the methods is quicker for this problem, found once at the initial data. */
gradyn_status gradyn_choose(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  gradyn_status status = GRADYN_OK;
  if (!c->x || c->busy)
    return status;
  if (!c->made) {
    const size_t size = (size_t)ev->model->nx * sizeof(double);
    /* the contest is at the initial data; those asked for come back behind it */
    memcpy(ev->x, ev->model->x, size);
    if (gradyn_model_load(ev->model, c->x) == GRADYN_OK)
      status = contest(ev, attempt(ev, GRADYN_QUICK, FEW_STEPS), FEW_STEPS);
    else
      status = decide(ev, GRADYN_QUICK, FEW_STEPS);
    const gradyn_status back = gradyn_model_load(ev->model, ev->x);
    status = status == GRADYN_OK ? back : status;
  }
  /* the winner of the contest, from now on */
  return status == GRADYN_OK ? put_in_force(ev, c->first) : status;
}

void gradyn_choice_follow(gradyn_evaluator *ev, gradyn_evaluator *other)
{
  /* a choice that fails is left to the one who has to run */
  if (!ev->choice.x || gradyn_choose(other) != GRADYN_OK || !other->choice.made)
    return;
  ev->choice.first = other->choice.first;
  ev->choice.most = other->choice.most;
  ev->choice.made = true;
}

/* --- work --------------------------------------------------------------------------------------- */

/* By the method that is first, and where it has to give up by the patient one. */
static gradyn_status work_in_turn(gradyn_evaluator *ev, gradyn_work *work, void *what, long most)
{
  const gradyn_choice *c = &ev->choice;
  gradyn_status status = put_in_force(ev, c->first);
  if (status != GRADYN_OK)
    return status;
  /* the choice is final that way round: no limit, no second attempt */
  if (c->first == GRADYN_PATIENT)
    return work(ev, what);
  ev->method->limit(ev->run, most);
  status = work(ev, what);
  ev->method->limit(c->run[GRADYN_QUICK], 0);
  if (!c->made || !wants_other(status) || late(ev))
    return status;
  /* what the quick one has said is kept in case nobody else says anything */
  const gradyn_message said = ev->model->message;
  gradyn_message_clear(&ev->model->message);
  gradyn_message_clear(&ev->message);
  if (put_in_force(ev, GRADYN_PATIENT) == GRADYN_OK)
    return work(ev, what);
  ev->model->message = said; /* there is no other */
  return status;
}

/* Work at the initial data is the first trial itself. */
static gradyn_status work_at_first(gradyn_evaluator *ev, gradyn_work *work, void *what)
{
  gradyn_status status = work_in_turn(ev, work, what, FEW_STEPS);
  /* the quick one is through, or fails for a reason that the other one would meet as well */
  if (!wants_other(status) && gradyn_status_classify(status) != GRADYN_CLASS_FATAL) {
    const gradyn_message said = ev->model->message;
    (void)decide(ev, GRADYN_QUICK, FEW_STEPS);
    ev->model->message = said;
    return status;
  }
  if (late(ev) || !wants_other(status))
    return status;
  status = contest(ev, status, FEW_STEPS);
  return status == GRADYN_OK ? work_in_turn(ev, work, what, ev->choice.most) : status;
}

/* Work with the method in force; at first the contest is part of it, so that no run is wasted. */
gradyn_status gradyn_work_by_choice(gradyn_evaluator *ev, gradyn_work *work, void *what)
{
  gradyn_choice *c = &ev->choice;
  if (!c->x || c->busy)
    return work(ev, what);
  const size_t size = (size_t)ev->model->nx * sizeof(double);
  /* the very data of the contest: its run need not be made twice */
  const bool at_first = !c->made && memcmp(c->x, ev->model->x, size) == 0;
  gradyn_status status = at_first ? GRADYN_OK : gradyn_choose(ev);
  c->busy = true;
  if (status == GRADYN_OK)
    status = at_first ? work_at_first(ev, work, what) : work_in_turn(ev, work, what, c->most);
  c->busy = false;
  return status;
}
