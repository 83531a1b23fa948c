/* Checks gradients of runs: compares direct with adjoint sensitivities, and both with differences of
 * simulations. Runs have a tight tolerance. Their remaining errors increase the tolerances of comparisons:
 * gradients report an estimate, and high-order differences of neighbouring simulations give the noise of
 * functionals that the choice of steps causes.
 *
 * The bound on |direct - adjoint| of a functional is tolerance |dpsi/drho drho| plus the errors of both
 * runs: twice their own estimates, and the tolerance of the runs times the size of the functional (`limit`).
 * Differences change few parameters one by one; many parameters are covered by random directions.
 *
 * Steps of differences are short enough for runs with equal events (adjoint/gradient/neighbours.h). */
#include <math.h>
#include <string.h>

#include "adjoint/check/check.h"
#include "adjoint/gradient/neighbours.h"
#include "core/linear/arena.h"
#include "core/base/clock.h"

enum { ADJOINT, DIRECT, ROUTES };
enum { MOST_DIRECTIONS = 8 };

/* First steps of differences, relative to typical changes of the parameters, from 0.04 downwards. With stiff
 * vibrations a functional may oscillate within a thousandth of its parameter. Fixed time steps leave little
 * noise but round-off; adaptive steps have noise of their tolerance at any distance. */
enum { FIXED_LEVELS = 16, VARIABLE_LEVELS = 10 };

static const char *const route_name[] = {"adjoint", "direct"};
static const double TIGHT = 1e-11, FIRST_STEP = 0.04;

/* The last steps, relative to the first ones. They confirm a deviation that the first steps have found. */
static const double SHORTEST = 1e-2;

/* Differences are ten times less accurate than the two sensitivities. */
enum { LESS_EXACT = 10 };

/* Reasons for missing comparisons. */
static const char *const no_run = "nearby runs fail", *const other_events =
                                                          "nearby runs have other events";

typedef struct whole {
  gradyn_checking *c;
  int nf, p, levels;
  gradyn_evaluator *run[ROUTES];
  double rtol, atol;        /* of the runs */
  double *gradient[ROUTES]; /* [nf][p]; NULL: the method does not have it */
  double error[ROUTES];     /* reported by the gradient, relative to its largest component */
  double *scale;            /* [nf] sizes of gradients */
  double *size;             /* [p] typical changes */
  double *psi, *limit;      /* [nf]; uncertainty of gradients by the runs' tolerance */
  double *y, *y_bar;        /* [ny] */
  bool judged;              /* the error of fixed steps has been estimated */
  bool *singular;           /* [p] parameters without derivatives */
  gradyn_suspect *suspect;  /* [routes][nf] */
  double share;             /* present step relative to the first ones */
  gradyn_neighbours beside; /* runs with changed parameters, along a line */
  gradyn_differences d;     /* [nf], with the noise of the functionals */
  gradyn_arena arena;       /* owns all arrays */
} whole;

/* --- runs ------------------------------------------------------------------------------------- */

/* Cancels runs when the time of this part is used. */
static bool cancel(void *user)
{
  const gradyn_checking *c = user;
  return gradyn_check_late(c) || gradyn_model_cancelled(c->model, c->t) != GRADYN_OK;
}

/* Returns whether the time limit interrupted a run, and not the caller. */
static bool ran_out(const whole *w, gradyn_status status)
{
  return status == GRADYN_INTERRUPTED &&
         gradyn_model_cancelled(w->c->model, w->c->t) == GRADYN_OK && gradyn_check_late(w->c);
}

/* Computes a gradient by one route with a separate evaluator at a tighter tolerance. */
static gradyn_status compute(whole *w, int route)
{
  gradyn_evaluator *ev = w->c->evaluator;
  gradyn_options options = ev->options;
  options.method = ev->method->name; /* the method chosen by "auto" */
  options.sensitivity = route_name[route];
  options.rtol = w->rtol;
  options.atol = w->atol;
  options.rtol_sens = 0;
  options.staggered = true; /* tests the errors of sensitivities separately */
  options.t_end = ev->model->span.given;
  options.cancel = cancel;
  options.cancel_user = w->c;
  gradyn_evaluator **run = &w->run[route];
  gradyn_evaluator_free(*run);
  *run = NULL;
  gradyn_status status = gradyn_evaluator_clone(ev, &options, run);
  /* the check itself reports functions that are not complex-differentiable */
  if (status == GRADYN_OK) {
    (*run)->exactness.steps_judged = w->judged;
    w->judged = true;
  }
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(*run, w->c->rho, w->psi, w->gradient[route]);
  if (status == GRADYN_OK)
    w->error[route] = gradyn_evaluator_statistics(*run).gradient_error;
  if (status == GRADYN_OK && ev->method->rtol == 0)
    gradyn_warnings_append(&ev->warnings, &(*run)->found);
  if (status != GRADYN_OK && *run)
    ev->message = (*run)->message;
  return status;
}

/* Computes both gradients at the tightest tolerance at which the runs succeed. */
static gradyn_status compute_routes(whole *w)
{
  const gradyn_evaluator *ev = w->c->evaluator;
  const gradyn_method *method = ev->method;
  bool offered[] = {method->adjoint != NULL, method->direct != NULL}, fixed = method->rtol == 0;
  double most = fmax(ev->options.rtol, TIGHT);
  w->rtol = fixed ? ev->options.rtol : fmin(ev->options.rtol, TIGHT);
  gradyn_status status = GRADYN_INTERNAL;
  for (;; w->rtol *= 10) {
    w->atol = fixed ? ev->options.atol : fmin(ev->options.atol, w->rtol / 100); /* 0: by sizes */
    status = GRADYN_OK;
    for (int k = 0; k < ROUTES && status == GRADYN_OK; k++)
      if (offered[k])
        status = compute(w, k);
    /* repeat with ten times the tolerance until runs succeed or the user's tolerance is reached */
    bool too_tight = status == GRADYN_NOT_CONVERGED || status == GRADYN_STEP_LIMIT;
    if (fixed || !too_tight || w->rtol * 10 > most * 1.001)
      break;
  }
  return status;
}

/* Creates the evaluator that simulates for differences. */
static gradyn_evaluator *runner(const whole *w)
{
  return w->run[ADJOINT] ? w->run[ADJOINT] : w->run[DIRECT];
}

/* Prepares runs near rho, with the events of the run at rho. */
static gradyn_status know_events(whole *w)
{
  w->beside.run = runner(w);
  w->beside.centre = w->c->rho;
  if (w->c->model->event_count > 0)
    GRADYN_TRY(gradyn_evaluator_simulate(runner(w), w->c->rho, NULL, NULL));
  w->beside.events = gradyn_events_of(runner(w));
  return GRADYN_OK;
}

/* Sets the first step of differences along the present direction. */
static gradyn_status find_first(whole *w, double *first)
{
  *first = w->share * FIRST_STEP;
  return gradyn_neighbours_reach(&w->beside, 0, w->psi, first);
}

/* --- noise ------------------------------------------------------------------------------------ */

/* Sets a random direction of the length of a typical change of one parameter. */
static void choose_line(whole *w)
{
  for (int j = 0; j < w->p; j++)
    w->beside.line[j] = gradyn_check_random(w->c) * w->size[j] / sqrt(w->p);
}

/* Measures the noise at neighbours as close as the shortest step, where a smooth functional is linear. */
static gradyn_status measure_noise(whole *w)
{
  double first;
  choose_line(w);
  gradyn_status status = find_first(w, &first);
  if (status == GRADYN_OK && first > 0)
    status = gradyn_measure_noise(&w->d, w->nf, gradyn_neighbour, &w->beside,
                                  ldexp(first, 1 - w->levels), w->d.noise);
  /* the differences detect failures near rho, and lack of time */
  const bool fatal = gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE;
  return status != GRADYN_OK && fatal && !ran_out(w, status) ? status : GRADYN_OK;
}

/* --- comparisons ------------------------------------------------------------------------------ */

/* Returns the uncertainty of the derivatives of functional f by a route, for typical parameter changes. */
static double spread(const whole *w, int route, int f)
{
  return 2 * w->error[route] * w->scale[f];
}

/* Compares direct with adjoint entry by entry, for typical changes of parameters. */
static gradyn_status compare_routes(whole *w)
{
  for (int f = 0; f < w->nf; f++) {
    /* uncertainty of both routes together */
    double uncertain = spread(w, ADJOINT, f) + spread(w, DIRECT, f) + w->limit[f];
    gradyn_worst worst = {.tolerance = w->c->tolerance};
    for (int j = 0; j < w->p; j++)
      gradyn_worst_compare(&worst, w->gradient[DIRECT][f * w->p + j] * w->size[j],
                           w->gradient[ADJOINT][f * w->p + j] * w->size[j], w->scale[f], uncertain,
                           w->c->evaluator->parameters.info[j].name);
    GRADYN_TRY(gradyn_check_add(w->c, &worst, "adjoint", "dpsi/drho of %s: direct",
                                w->c->model->functional[f].name));
  }
  return GRADYN_OK;
}

/* Returns dpsi/drho.d of functional f by a route. */
static double along_line(const whole *w, int route, int f)
{
  double sum = 0;
  for (int j = 0; j < w->p; j++)
    sum += w->gradient[route][f * w->p + j] * w->beside.line[j];
  return sum;
}

/* Returns whether the line changes a parameter without derivatives. */
static bool is_singular(const whole *w)
{
  bool singular = false;
  for (int j = 0; j < w->p; j++)
    singular = singular || (w->singular[j] && w->beside.line[j] != 0);
  return singular;
}

/* Compares the derivatives by both routes with the differences along the present direction. After the first
 * steps, compares only those that longer steps have put in doubt. Returns whether shorter steps are needed.
 */
static bool compare_line(whole *w, gradyn_worst *worst, double part, const char *where)
{
  const bool singular = is_singular(w), again = w->share < 1;
  bool left = false;
  for (int k = 0; k < ROUTES; k++)
    for (int f = 0; f < w->nf && w->run[k]; f++) {
      gradyn_suspect *s = &w->suspect[k * w->nf + f];
      if (again && !s->is)
        continue;
      if (singular) { /* a derivative that does not exist is a kink, whatever the differences are */
        w->d.kink[f] = true;
        w->d.gap[f] = HUGE_VAL;
      }
      /* simulations jump slightly where an iteration takes one more step; the estimated error of the
       * differences assumes uniform noise, so it needs a margin */
      const gradyn_compared c = {along_line(w, k, f), w->scale[f] * part,
                                 10 * w->d.error[f] + spread(w, k, f) + w->limit[f], where};
      left |= gradyn_worst_confirm(&worst[k * w->nf + f], &w->d, f, &c, w->share > SHORTEST, s);
    }
  return left;
}

/* Accepts the differences of the longer steps where runs with shorter ones allow no conclusion. */
static void believe(whole *w, gradyn_worst *worst, const char *where)
{
  for (int k = 0; k < ROUTES; k++)
    for (int f = 0; f < w->nf && w->run[k]; f++)
      if (w->suspect[k * w->nf + f].is)
        gradyn_worst_accept(&worst[k * w->nf + f], along_line(w, k, f), where,
                            &w->suspect[k * w->nf + f]);
}

/* Returns whether the time suffices for differences by each parameter. */
static bool by_each(const whole *w)
{
  const gradyn_checking *c = w->c;
  /* each step length of a difference needs two runs */
  double one = gradyn_evaluator_statistics(runner(w)).time_simulate * 2 * w->levels;
  double left = c->limits.max_seconds - (gradyn_seconds() - c->started);
  return w->p <= MOST_DIRECTIONS && (c->limits.max_seconds <= 0 || one * w->p < left);
}

/* Computes differences along the present direction. *missing: reason if there are none. */
static gradyn_status differentiate_line(whole *w, double part, const char **missing)
{
  double first;
  gradyn_status status = find_first(w, &first);
  for (int f = 0; f < w->nf; f++)
    w->d.enough[f] = LESS_EXACT * w->c->tolerance * part * w->scale[f] / GRADYN_CHECK_CONTENT;
  w->beside.parted = first == 0;
  if (status == GRADYN_OK)
    status = w->beside.parted ? GRADYN_NON_FINITE
                              : gradyn_differentiate(&w->d, w->nf, gradyn_neighbour, &w->beside,
                                                     first, w->levels, w->d.noise);
  /* without time, or if simulations near rho fail, no comparison is possible */
  if (ran_out(w, status))
    *missing = "no time";
  else if (status == GRADYN_NON_FINITE)
    *missing = w->beside.parted ? other_events : no_run;
  /* a change of a parameter may block the passage through a singular position, where the run then ends. The
   * derivative by this parameter does not exist; this is reported */
  if (*missing == no_run && is_singular(w)) {
    memset(w->d.slope, 0, (size_t)w->nf * sizeof(double));
    memset(w->d.error, 0, (size_t)w->nf * sizeof(double));
    *missing = NULL;
    return GRADYN_OK;
  }
  return *missing ? GRADYN_OK : status;
}

/* Compares both routes with differences along the present direction, with shorter steps where they differ. */
static gradyn_status look_along(whole *w, gradyn_worst *worst, double part, const char *where,
                                const char **missing)
{
  bool left = true;
  memset(w->suspect, 0, (size_t)(ROUTES * w->nf) * sizeof *w->suspect);
  gradyn_status status = GRADYN_OK;
  for (w->share = 1; left && status == GRADYN_OK; w->share /= 10) {
    const char *none = NULL;
    status = differentiate_line(w, part, &none);
    if (none || status != GRADYN_OK) {
      believe(w, worst, where);
      *missing = w->share == 1 ? none : NULL;
      break;
    }
    left = compare_line(w, worst, part, where);
  }
  w->share = 1;
  return status;
}

/* Compares both routes with differences along each parameter or along random directions. */
static gradyn_status compare_lines(whole *w, gradyn_worst *worst)
{
  bool single = by_each(w);
  int lines = single ? w->p : MOST_DIRECTIONS;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < lines && status == GRADYN_OK; k++) {
    const char *missing = NULL;
    bool proceed = gradyn_check_proceed(w->c, k, lines, &status);
    for (int j = 0; j < w->p && single; j++)
      w->beside.line[j] = j == k ? w->size[j] : 0;
    if (!single)
      choose_line(w);
    /* along a random direction a gradient has 1/sqrt(p) of its norm */
    double part = single ? 1 : 1 / sqrt(w->p);
    if (proceed)
      status = look_along(w, worst, part,
                          single ? w->c->evaluator->parameters.info[k].name : "a random direction",
                          &missing);
    for (int i = 0; i < ROUTES * w->nf && (missing || !proceed); i++)
      if (w->run[i / w->nf])
        gradyn_worst_leave_out(&worst[i], missing ? missing : "no time");
  }
  return status;
}

/* Adds an item for each functional and route. */
static gradyn_status compare_differences(whole *w)
{
  gradyn_worst *worst = gradyn_arena_take(&w->arena, (size_t)(ROUTES * w->nf), sizeof *worst);
  GRADYN_TRY(gradyn_arena_status(&w->arena));
  for (int i = 0; i < ROUTES * w->nf; i++)
    worst[i].tolerance = LESS_EXACT * w->c->tolerance;
  GRADYN_TRY(compare_lines(w, worst));
  for (int i = 0; i < ROUTES * w->nf; i++)
    GRADYN_TRY(gradyn_check_add(w->c, &worst[i], "differences", "dpsi/drho of %s: %s",
                                w->c->model->functional[i % w->nf].name, route_name[i / w->nf]));
  return GRADYN_OK;
}

/* Sets the state at which sizes are computed. It is the given state or, with `moving`, the given positions
 * of a mechanism with rates and multipliers of typical sizes, because quadratic terms have no derivative at
 * rest. Other positions would strain stiff beams. */
static void choose_state(whole *w, const double *calm, bool moving)
{
  const gradyn_checking *c = w->c;
  const int n = moving && c->model->mech ? c->model->mech->n : c->ny;
  memcpy(w->y, calm, (size_t)c->ny * sizeof *calm);
  for (int i = n; i < c->ny; i++)
    w->y[i] += copysign(c->size[i], calm[i]);
}

/* Computes the size of a functional: its value, or the change of its parts for changes of the states by
 * their sizes. */
static gradyn_status measure_functional(whole *w, int f, double *size)
{
  gradyn_checking *c = w->c;
  const gradyn_functional_entry *functional = &c->model->functional[f];
  const gradyn_functional_ops *const part[] = {functional->integrand, functional->terminal};
  const double t_end = c->x[c->model->t_end], t[] = {c->t, t_end}, weight[] = {t_end, 1};
  gradyn_status status = GRADYN_OK;
  *size = fabs(w->psi[f]);
  /* integrand and terminal part (k % 2), first both with typical rates, then both at the undisturbed state */
  for (int k = 0; k < 4 && !functional->data_only; k++) {
    double t_bar = 0, sum = 0;
    const gradyn_sample at = {t[k % 2], w->y};
    const gradyn_gradient_out out = {w->y_bar, 1, c->x_bar, &t_bar};
    memset(w->y_bar, 0, (size_t)c->ny * sizeof(double));
    choose_state(w, c->calm[k % 2], k < 2);
    if (part[k % 2])
      status = part[k % 2]->gradient(c->model, functional, &at, weight[k % 2], &out);
    if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE)
      continue; /* the functional does not exist there */
    GRADYN_TRY(status);
    for (int i = 0; i < c->ny; i++)
      sum += fabs(w->y_bar[i]) * c->size[i]; /* |g_y|.|y| */
    *size = fmax(*size, isfinite(sum) ? sum : 0);
  }
  return GRADYN_OK;
}

/* Sets the sizes of the gradients: their norms for typical changes of the parameters. A gradient that is
 * negligible relative to its functional gets the size of the functional. */
static gradyn_status measure_scale(whole *w)
{
  const double *g = w->gradient[w->run[DIRECT] ? DIRECT : ADJOINT];
  GRADYN_TRY(gradyn_check_load(w->c, NULL, w->c->t));
  for (int f = 0; f < w->nf; f++) {
    double sum = 0, size;
    for (int j = 0; j < w->p; j++)
      sum += g[f * w->p + j] * w->size[j] * g[f * w->p + j] * w->size[j]; /* |dpsi/drho drho|^2 */
    GRADYN_TRY(measure_functional(w, f, &size));
    w->scale[f] = fmax(sqrt(sum), 1e-4 * size);
    /* a tolerance holds for each step; errors of many steps add up */
    w->limit[f] = 10 * w->atol + 100 * w->rtol * size;
  }
  return GRADYN_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Allocates arrays by functional and parameter, and a state. */
static gradyn_status take_memory(whole *w)
{
  size_t nf = (size_t)w->nf, p = (size_t)w->p;
  const struct {
    double **array;
    size_t size;
  } need[] = {
      {&w->gradient[0], nf * p}, {&w->gradient[1], nf * p},    {&w->scale, nf},      {&w->psi, nf},
      {&w->limit, nf},           {&w->beside.moved, p},        {&w->beside.line, p}, {&w->size, p},
      {&w->y, (size_t)w->c->ny}, {&w->y_bar, (size_t)w->c->ny}};
  for (size_t i = 0; i < GRADYN_COUNT(need); i++)
    *need[i].array = gradyn_arena_numbers(&w->arena, need[i].size);
  w->singular = gradyn_arena_take(&w->arena, p, sizeof *w->singular);
  w->suspect = gradyn_arena_take(&w->arena, ROUTES * nf, sizeof *w->suspect);
  w->share = 1;
  GRADYN_TRY(gradyn_arena_status(&w->arena));
  return gradyn_differences_create(w->nf, &w->d);
}

/* Creates evaluators and arrays; the evaluators are the largest part. */
static void clear(whole *w)
{
  for (int k = 0; k < ROUTES; k++)
    gradyn_evaluator_free(w->run[k]);
  gradyn_arena_clear(&w->arena);
  gradyn_differences_clear(&w->d);
}

/* Computes gradients and compares them. */
static gradyn_status check_whole(whole *w)
{
  const gradyn_parameter_info *info = w->c->evaluator->parameters.info;
  GRADYN_TRY(take_memory(w));
  /* a parameter without a scale has size 1 */
  for (int j = 0; j < w->p; j++)
    w->size[j] = info[j].scale > 0 ? info[j].scale : 1;
  GRADYN_TRY(compute_routes(w));
  GRADYN_TRY(measure_scale(w));
  GRADYN_TRY(gradyn_evaluator_singular_data(runner(w), w->c->rho, NULL, w->singular));
  GRADYN_TRY(know_events(w));
  GRADYN_TRY(measure_noise(w));
  if (w->run[ADJOINT] && w->run[DIRECT])
    GRADYN_TRY(compare_routes(w));
  return compare_differences(w);
}

gradyn_status gradyn_check_gradients(gradyn_checking *c)
{
  const gradyn_parameters *parameters = &c->evaluator->parameters;
  whole w = {.c = c, .nf = c->model->functional_count, .p = (int)parameters->count};
  /* no parameters, functionals or sensitivities */
  if (w.nf == 0 || w.p == 0 || (!c->evaluator->method->adjoint && !c->evaluator->method->direct))
    return GRADYN_OK;
  /* runs with fixed steps are smooth in rho, so more levels of differences increase the accuracy */
  w.levels = c->evaluator->method->rtol == 0 ? FIXED_LEVELS : VARIABLE_LEVELS;
  gradyn_status status = check_whole(&w);
  /* comparisons without time are counted as skipped */
  if (ran_out(&w, status))
    status = gradyn_check_add(c, &(gradyn_worst){.tolerance = c->tolerance, .skipped = w.nf},
                              "differences", "dpsi/drho of all functionals");
  clear(&w);
  return status;
}
