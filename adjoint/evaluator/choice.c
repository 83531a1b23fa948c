/* The choice between a quick and a patient method: see choice.h.
 *
 * The quick one is `explicit`, the patient one `idas`. The quick one is tried at the initial data: where it
 * finds that the problem is stiff, has not got what it needs, or would take more steps than a stated number,
 * the patient one is taken for the whole life of the evaluator, and also for single runs in which it does so
 * later. A result then depends on rho alone, not on what was evaluated before. */
#include "adjoint/evaluator/choice.h"

#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/base/clock.h"

/* Steps that the quick method would take and with which it has lost, unless the patient one takes more than
 * a run may have. Of 170 gradients of random systems and mechanisms, stiff and not, 168 are left to the
 * method that a contest of both had chosen, at 1.03 to 1.1 times its time in the median. */
enum { MOST_STEPS = 10000 };

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
  /* without a trial where only one of the two will do */
  ev->method = among[needs_patience(ev) ? GRADYN_PATIENT : GRADYN_QUICK];
  gradyn_status status = ev->method->create(ev->model, &ev->options, &ev->run);
  if (status != GRADYN_OK || ev->method != among[GRADYN_QUICK])
    return status;
  size_t nx = (size_t)ev->model->nx;
  c->x = calloc(nx + 1, sizeof *c->x);
  if (!c->x)
    return gradyn_fail(&ev->model->message, GRADYN_NO_MEMORY, "out of memory for %zu data", nx);
  /* the trial is made at the initial data, whatever is asked first */
  memcpy(c->x, ev->model->x, nx * sizeof *c->x);
  memcpy(c->method, among, sizeof c->method);
  c->run[GRADYN_QUICK] = ev->run;
  c->most = MOST_STEPS;
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

/* --- choice ------------------------------------------------------------------------------------- */

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
  return ev->model->limits.deadline > 0 && gradyn_seconds() > ev->model->limits.deadline;
}

/* Work by the quick method in so many steps at most, 0: as many as a run may have. */
static gradyn_status work_quickly(gradyn_evaluator *ev, gradyn_work *work, void *what, long most)
{
  GRADYN_TRY(put_in_force(ev, GRADYN_QUICK));
  ev->method->limit(ev->run, most);
  const gradyn_status status = work(ev, what);
  ev->choice.method[GRADYN_QUICK]->limit(ev->choice.run[GRADYN_QUICK], 0);
  return status;
}

/* Notes what is taken from now on, unless the run says nothing of that. */
static gradyn_status decide(gradyn_evaluator *ev, int which, gradyn_status status)
{
  gradyn_choice *c = &ev->choice;
  if (c->made || late(ev) || gradyn_status_classify(status) == GRADYN_CLASS_FATAL)
    return status;
  c->first = which;
  c->made = true;
  return status;
}

/* What the quick method has been cut off from, without an end to its steps: the other one takes more. */
static gradyn_status go_on(gradyn_evaluator *ev, gradyn_work *work, void *what)
{
  if (!ev->choice.made)
    ev->choice.most = 0;
  gradyn_message_clear(&ev->model->message);
  gradyn_message_clear(&ev->message);
  return decide(ev, GRADYN_QUICK, work_quickly(ev, work, what, 0));
}

/* Work by the quick method and, where it gives up, by the patient one: unless the work is a trial and it is
 * clear without it who has won. */
static gradyn_status work_in_turn(gradyn_evaluator *ev, gradyn_work *work, void *what, bool trial)
{
  const long most = ev->choice.most;
  gradyn_status status = work_quickly(ev, work, what, most);
  const bool cut = status == GRADYN_STEP_LIMIT && most > 0;
  if (!wants_other(status) || late(ev))
    return decide(ev, GRADYN_QUICK, status);
  /* what the quick one has said is kept in case nobody else says anything */
  const gradyn_message said = ev->model->message;
  gradyn_message_clear(&ev->model->message);
  gradyn_message_clear(&ev->message);
  if (put_in_force(ev, GRADYN_PATIENT) != GRADYN_OK) { /* there is no other */
    ev->model->message = said;
    return cut ? go_on(ev, work, what) : decide(ev, GRADYN_QUICK, status);
  }
  if (!trial || cut)
    status = work(ev, what);
  else
    status = GRADYN_OK;
  return status == GRADYN_STEP_LIMIT && cut && !late(ev) ? go_on(ev, work, what)
                                                         : decide(ev, GRADYN_PATIENT, status);
}

/* A run without derivatives. */
static gradyn_status simulate(gradyn_evaluator *ev, void *what)
{
  (void)what;
  return ev->method->simulate(ev->run, NULL, NULL);
}

/* Chooses by a run at the initial data. */
static gradyn_status try_at_first(gradyn_evaluator *ev)
{
  gradyn_status status = gradyn_model_load(ev->model, ev->choice.x);
  if (status == GRADYN_OK)
    status = work_in_turn(ev, simulate, NULL, true);
  else
    (void)decide(ev, GRADYN_QUICK, status);
  if (!ev->choice.made)
    return status;
  gradyn_message_clear(&ev->model->message); /* whatever it was, the next run will say it */
  return GRADYN_OK;
}

/* Which of the methods is taken for this problem, found once at the initial data; those asked for come back
 * behind it. */
gradyn_status gradyn_choose(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  if (!c->x || c->busy)
    return GRADYN_OK;
  if (!c->made) {
    memcpy(ev->x, ev->model->x, (size_t)ev->model->nx * sizeof(double));
    const gradyn_status status = try_at_first(ev), back = gradyn_model_load(ev->model, ev->x);
    GRADYN_TRY(status);
    GRADYN_TRY(back);
  }
  return put_in_force(ev, c->first);
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

/* Work with the method in force; at first the choice is part of it, so that no run is wasted. */
gradyn_status gradyn_work_by_choice(gradyn_evaluator *ev, gradyn_work *work, void *what)
{
  gradyn_choice *c = &ev->choice;
  if (!c->x || c->busy)
    return work(ev, what);
  if (c->made || memcmp(c->x, ev->model->x, (size_t)ev->model->nx * sizeof(double)) != 0)
    GRADYN_TRY(gradyn_choose(ev));
  c->busy = true;
  const gradyn_status status = c->made && c->first == GRADYN_PATIENT
                                   ? work(ev, what)
                                   : work_in_turn(ev, work, what, false);
  c->busy = false;
  return status;
}
