/* The choice between the explicit and the stiff method (see choice.h), and between direct and adjoint sweeps.
 *
 * The explicit method is `explicit`, the stiff one `radau`. The explicit one is tried at the initial data. It
 * may find that the problem is stiff, lack a feature, or need more steps than a given number. Then the stiff
 * method is used for the lifetime of the evaluator, and also for single later runs with such a result. A
 * result therefore depends only on rho, not on earlier evaluations. */
#include "adjoint/evaluator/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/options.h"
#include "core/base/clock.h"
#include "core/linear/lanes.h"

/* Steps above which the explicit method is abandoned for the stiff one, unless the stiff one exceeds its
 * own step limit. Of 170 gradients of random systems and mechanisms, stiff and not, 168 get the method that
 * a comparison of both had chosen. They take 1.03 to 1.1 times the time of that method in the median. */
enum { MOST_STEPS = 10000 };

/* --- creation ---------------------------------------------------------------------------------- */

/* Methods that may serve as the stiff one, in the order of gradyn_method::among. */
enum { RADAU = GRADYN_PATIENT, IDAS };

bool gradyn_choice_needs_idas(const gradyn_evaluator *ev)
{
  const gradyn_options *o = &ev->options;
  return o->baumgarte_alpha > 0 || o->baumgarte_beta > 0 || o->staggered;
}

/* Returns whether multiplier-dependent forces make each of a dozen evaluations in an explicit step an
 * iteration with its own matrix. Of 50 random mechanisms with friction in joints, at tolerances from 1e-4 to
 * 1e-12, the explicit method was faster than `idas` on none. With gradients of the same error, governor,
 * inverted-pendulum and slider-crank-codesign took 4 to 9 times as long. Models with a small system for the
 * loads of these forces, as in joint coordinates, are excluded. There, gradients of slider-crank-codesign
 * took 0.14 of the processor time of `radau`, and arms with friction in two and in seven joints 0.15 to
 * 0.5. */
static bool iterates(const gradyn_evaluator *ev)
{
  const gradyn_mech *mech = ev->model->mech;
  return mech && mech->reader && mech->factors.readings.loads == 0;
}

gradyn_status gradyn_choice_create(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  const gradyn_method *const *among = ev->method->among;
  if (!among)
    return ev->method->create(ev->model, &ev->options, &ev->run);
  /* no trial run if only one method is possible */
  const int which = gradyn_choice_needs_idas(ev) ? IDAS : iterates(ev) ? RADAU : GRADYN_QUICK;
  ev->method = among[which];
  gradyn_status status = ev->method->create(ev->model, &ev->options, &ev->run);
  if (status != GRADYN_OK || which != GRADYN_QUICK)
    return status;
  size_t nx = (size_t)ev->model->nx;
  c->x = calloc(nx + 1, sizeof *c->x);
  if (!c->x)
    return gradyn_fail(&ev->model->message, GRADYN_NO_MEMORY, "out of memory for %zu data", nx);
  /* the trial run uses the initial data, whatever is evaluated first */
  memcpy(c->x, ev->model->x, nx * sizeof *c->x);
  memcpy(c->method, among, sizeof c->method);
  c->run[GRADYN_QUICK] = ev->run;
  c->most = MOST_STEPS;
  return GRADYN_OK;
}

/* Frees all methods of the choice, or the one method that users have named. */
void gradyn_choice_clear(gradyn_evaluator *ev)
{
  gradyn_choice *c = &ev->choice;
  if (!c->x) {
    if (ev->run)
      ev->method->free(ev->run);
    return;
  }
  /* both methods may exist */
  for (int k = 0; k < GRADYN_CONTENDERS; k++)
    if (c->run[k])
      c->method[k]->free(c->run[k]);
  free(c->x);
}

/* --- choice ------------------------------------------------------------------------------------ */

/* Selects one of the two methods, and creates its object when it is first needed. */
static gradyn_status put_in_force(gradyn_evaluator *ev, int which)
{
  gradyn_choice *c = &ev->choice;
  /* objects are large: one that is never needed is not created */
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

/* Returns whether the other method may succeed after this status: stiffness, the number of steps, a missing
 * feature, or a force that jumps. */
static bool wants_other(gradyn_status status)
{
  return status == GRADYN_STIFF || status == GRADYN_STEP_LIMIT || status == GRADYN_UNSUPPORTED ||
         status == GRADYN_NOT_CONVERGED;
}

/* Returns whether the deadline of the call has passed, which says nothing about a method. */
static bool late(const gradyn_evaluator *ev)
{
  return ev->model->deadline.deadline > 0 && gradyn_seconds() > ev->model->deadline.deadline;
}

/* Selects the explicit method with at most this number of steps; 0: the limit of a run. */
static void go_quickly(gradyn_evaluator *ev, long most)
{
  (void)put_in_force(ev, GRADYN_QUICK); /* its object was created with the choice */
  ev->method->limit(ev->run, most);
}

/* Stores the choice, unless the run allows no conclusion. */
static void decide(gradyn_evaluator *ev, int which, gradyn_status status)
{
  gradyn_choice *c = &ev->choice;
  if (c->made || late(ev) || gradyn_status_describe(status).kind == GRADYN_CLASS_FATAL)
    return;
  c->first = which;
  c->made = true;
}

static void clear_messages(gradyn_evaluator *ev)
{
  gradyn_message_clear(&ev->model->message);
  gradyn_message_clear(&ev->message);
}

/* Selects the next method after an evaluation with this status. */
static gradyn_turn find_next(gradyn_evaluator *ev, gradyn_turn turn, gradyn_status status)
{
  gradyn_choice *c = &ev->choice;
  const bool quick = turn == GRADYN_QUICKS;
  c->cut = turn == GRADYN_PATIENTS ? c->cut : quick && status == GRADYN_STEP_LIMIT && c->most > 0;
  if (late(ev) || !(quick ? wants_other(status) : c->cut && status == GRADYN_STEP_LIMIT))
    return GRADYN_NOBODYS;
  /* kept in case no other message follows */
  const gradyn_message said = ev->model->message;
  clear_messages(ev);
  if (quick && put_in_force(ev, GRADYN_PATIENT) == GRADYN_OK)
    return GRADYN_PATIENTS;
  if (!c->cut) { /* no other method is available */
    ev->model->message = said;
    return GRADYN_NOBODYS;
  }
  /* the stiff method needs more steps: run the explicit one again without its limit */
  if (!c->made)
    c->most = 0;
  clear_messages(ev);
  go_quickly(ev, 0);
  return GRADYN_AGAIN;
}

bool gradyn_turn_passes(gradyn_evaluator *ev, gradyn_turn *turn, gradyn_status status)
{
  gradyn_choice *c = &ev->choice;
  const int which = *turn == GRADYN_PATIENTS ? GRADYN_PATIENT : GRADYN_QUICK;
  if (*turn == GRADYN_NOBODYS)
    return false;
  c->method[GRADYN_QUICK]->limit(c->run[GRADYN_QUICK], 0);
  *turn = find_next(ev, *turn, status);
  c->busy = *turn != GRADYN_NOBODYS;
  if (!c->busy)
    decide(ev, which, status);
  return c->busy;
}

/* Chooses by a run at the initial data; the stiff method runs only if the explicit one was stopped because of
 * its steps. */
static gradyn_status try_at_first(gradyn_evaluator *ev)
{
  gradyn_turn turn = GRADYN_QUICKS;
  gradyn_status status = gradyn_model_load(ev->model, ev->choice.x);
  if (status != GRADYN_OK) {
    decide(ev, GRADYN_QUICK, status);
  } else {
    go_quickly(ev, ev->choice.most);
    do
      status = turn == GRADYN_PATIENTS && !ev->choice.cut
                   ? GRADYN_OK
                   : ev->method->simulate(ev->run, NULL, NULL);
    while (gradyn_turn_passes(ev, &turn, status));
  }
  if (!ev->choice.made)
    return status;
  gradyn_message_clear(&ev->model->message); /* the next run reports the same failure */
  return GRADYN_OK;
}

/* Chooses once, at the initial data, and restores the requested data. */
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
  for (size_t k = 0; k < gradyn_case_count(other); k++)
    gradyn_choice_follow(gradyn_case_at(ev, k).evaluator, gradyn_case_at(other, k).evaluator);
  /* a failed choice is reported by the evaluator that runs */
  if (!ev->choice.x || gradyn_choose(other) != GRADYN_OK || !other->choice.made)
    return;
  ev->choice.first = other->choice.first;
  ev->choice.most = other->choice.most;
  ev->choice.made = true;
}

/* The first evaluation at the initial data serves as the trial run. */
gradyn_status gradyn_turn_begin(gradyn_evaluator *ev, gradyn_turn *turn)
{
  gradyn_choice *c = &ev->choice;
  *turn = GRADYN_NOBODYS;
  if (!c->x || c->busy)
    return GRADYN_OK;
  if (c->made || memcmp(c->x, ev->model->x, (size_t)ev->model->nx * sizeof(double)) != 0)
    GRADYN_TRY(gradyn_choose(ev));
  c->cut = false;
  *turn = c->made && c->first == GRADYN_PATIENT ? GRADYN_PATIENTS : GRADYN_QUICKS;
  if (*turn == GRADYN_QUICKS)
    go_quickly(ev, c->most);
  c->busy = true;
  return GRADYN_OK;
}

/* --- direct or adjoint sweeps ------------------------------------------------------------------ */

/* Names of the options. */
static const char *const route_name[] = {[GRADYN_BY_ADJOINT] = "adjoint",
                                         [GRADYN_BY_DIRECT] = "direct",
                                         [GRADYN_BY_CONTINUOUS_ADJOINT] = "continuous-adjoint",
                                         [GRADYN_BY_DIFFERENCES] = "differences"};

/* Returns the method whose sweeps and costs count. Both methods of a choice have the same sweeps; costs are
 * those of the method that is tried first. */
static const gradyn_method *method_of(const gradyn_evaluator *ev)
{
  const gradyn_method *method = gradyn_method_find(ev->options.method);
  return method->among ? *method->among : method;
}

gradyn_status gradyn_evaluator_settle_route(gradyn_evaluator *ev)
{
  return gradyn_route_settle(ev, method_of(ev));
}

gradyn_status gradyn_route_settle(gradyn_evaluator *ev, const gradyn_method *method)
{
  int route = 0;
  ev->choice.either_route = false;
  if (strcmp(ev->options.sensitivity, "auto") == 0) {
    ev->choice.either_route = method->adjoint && method->direct;
    ev->route = method->adjoint  ? GRADYN_BY_ADJOINT
                : method->direct ? GRADYN_BY_DIRECT
                                 : GRADYN_BY_DIFFERENCES;
    return GRADYN_OK;
  }
  /* names in the order of the routes */
  while (route < GRADYN_ROUTES && strcmp(route_name[route], ev->options.sensitivity) != 0)
    route++;
  if (route == GRADYN_ROUTES)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "sensitivity '%s': unknown. Choose auto, adjoint, direct, "
                       "continuous-adjoint or differences",
                       ev->options.sensitivity);
  ev->route = (gradyn_route)route;
  const bool offered[] = {[GRADYN_BY_ADJOINT] = method->adjoint != NULL,
                          [GRADYN_BY_DIRECT] = method->direct != NULL,
                          [GRADYN_BY_CONTINUOUS_ADJOINT] = method->continuous_adjoint != NULL,
                          [GRADYN_BY_DIFFERENCES] = true};
  if (!offered[route])
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED, "the method %s has no %s sensitivities",
                       ev->options.method, ev->options.sensitivity);
  return GRADYN_OK;
}

/* Adjoint sweeps give more information, and costs depend on the model: a direct sweep must cost clearly
 * less. */
static const double clearly = 0.7;

/* Factor of the cost of groups of lanes for fits of general equations: data divide the run into short arcs,
 * and equations of fits take less time than sweeps. Measured for alpha-pinene and boehm-stat5: 7 with
 * `explicit`, 4 with `radau`. */
static const double fit_sweeps = 5;

/* Returns the number of groups of lanes for `count` columns. */
static double packs(size_t count)
{
  return ceil((double)count / GRADYN_LANES);
}

/* Returns whether the model has fits, each with residuals at the times of its data. */
static bool has_fits(const gradyn_model *model)
{
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].reduced.fit)
      return true;
  return false;
}

static gradyn_route cheaper_route(const gradyn_evaluator *ev, size_t columns, size_t functionals)
{
  const gradyn_method *method = method_of(ev);
  const gradyn_price *price = ev->model->mech ? &method->price_mechanical : &method->price_general;
  const double factor = !ev->model->mech && has_fits(ev->model) ? fit_sweeps : 1;
  /* costs of the forward run and a direct or an adjoint sweep */
  const double direct = 1 + price->along + factor * price->pack_along * packs(columns);
  const double adjoint = 1 + price->back + factor * price->pack_back * packs(functionals);
  return direct < clearly * adjoint ? GRADYN_BY_DIRECT : GRADYN_BY_ADJOINT;
}

void gradyn_evaluator_take_route(gradyn_evaluator *ev, size_t columns)
{
  size_t functionals = 0;
  if (!ev->choice.either_route)
    return;
  for (int f = 0; f < ev->model->functional_count; f++)
    functionals += !ev->model->functional[f].skipped;
  ev->route = cheaper_route(ev, columns, functionals);
}

const char *gradyn_evaluator_sensitivity(const gradyn_evaluator *ev, size_t functionals)
{
  if (!ev || !ev->sample)
    return "";
  if (ev->load.all) /* the evaluator of each case chooses for its share of the functionals */
    return gradyn_evaluator_sensitivity(
        ev->load.all->part[0].ev, (functionals + ev->load.all->count - 1) / ev->load.all->count);
  return route_name[ev->choice.either_route ? cheaper_route(ev, ev->parameters.count, functionals)
                                            : ev->route];
}
