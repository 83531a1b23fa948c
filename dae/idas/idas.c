/* Forward runs with IDAS.
 *
 * F(t, y, y') = 0 is integrated by BDF of variable order and step. Each arc has its own IDAS object, since
 * signals and their derivatives jump at boundaries, and a multistep method must not use states before a
 * jump. Integrals of functionals are quadratures under error control. The system (dae/systems/index1.h) has
 * its own matrices. IDAS calls its residual, its factorisation for a coefficient cj, and its solves. */
#include "dae/idas/idas.h"
#include "dae/idas/arc_time.h"
#include "dae/idas/events.h"
#include "dae/idas/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_STEPS = 200000 };

/* --- callbacks -------------------------------------------------------------------------------- */

int gradyn_idas_callback(gradyn_idas *s, gradyn_status status)
{
  if (status == GRADYN_OK)
    return 0;
  s->failure.status =
      /* stored until a step succeeds, because IDAS repeats a step several times before it fails */
      status;
  return gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE ? 1 : -1;
}

/* Computes the residual F for IDAS, and that of the step-size governor as a further entry. */
static int residual(sunrealtype since, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
  gradyn_idas *s = user;
  const double t = gradyn_idas_time(s, since);
  s->report.cost.residual_calls++;
  if (s->care.on)
    s->beat = gradyn_idas_metronome_rate(s, since);
  /* the step-size governor m' = -beat m */
  NV_Ith_S(r, s->ny) = NV_Ith_S(yp, s->ny) + s->beat * NV_Ith_S(y, s->ny);
  gradyn_status status = gradyn_model_cancelled(s->model, t);
  if (status == GRADYN_OK)
    status = s->system->ops->residual(s->system, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                                      N_VGetArrayPointer(r));
  if (status != GRADYN_OK)
    s->failure.at = t;
  return gradyn_idas_callback(s, status);
}

/* F_y + cj F_y', factorised. */
static int jacobian(sunrealtype since, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r,
                    SUNMatrix J, void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
  (void)r, (void)J, (void)tmp1, (void)tmp2, (void)tmp3;
  gradyn_idas *s = user;
  /* this overwrites the matrices that the adjoint has evaluated at another point */
  s->linearised_at = NAN;
  s->pace.left = HUGE_VAL; /* the rate of convergence is unknown for the new matrix */
  s->cj = cj;
  gradyn_status status = s->system->ops->linearise(s->system, gradyn_idas_time(s, since),
                                                   N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
  if (status == GRADYN_OK)
    status = s->system->ops->factor(s->system, cj);
  return gradyn_idas_callback(s, status);
}

/* Evaluates the integrands of functionals and, with watch_rates, the rates of differential states. */
static int integrands(sunrealtype since, N_Vector y, N_Vector yp, N_Vector rate, void *user)
{
  gradyn_idas *s = user;
  const double t = gradyn_idas_time(s, since);
  double *g = N_VGetArrayPointer(rate);
  for (int i = 0; s->watch_rates && i < s->system->np; i++)
    g[s->sums.nq + i] = NV_Ith_S(yp, s->system->differential[i]);
  const gradyn_sample at = {t, N_VGetArrayPointer(y)};
  /* this function is called about once per step */
  const double passed = fmax(0, t - s->sums.reached);
  s->sums.reached = t;
  for (int k = 0; k < s->sums.nq; k++) {
    const gradyn_functional_entry *f = &s->model->functional[s->sums.integral[k]];
    gradyn_status status = f->integrand->value(s->model, f, &at, &g[k]);
    if (status == GRADYN_OK && !isfinite(g[k]))
      status = gradyn_fail(&s->model->message, GRADYN_NON_FINITE,
                           "functional %s is not finite at t = %g s", f->name, t);
    if (status != GRADYN_OK)
      return gradyn_idas_callback(s, status);
    s->sums.mass[k] += fabs(g[k]) * passed;
  }
  return 0;
}

gradyn_status gradyn_idas_observe(gradyn_idas *s, double t, const double *y)
{
  for (int i = 0; i < s->ny; i++)
    s->sizes.size[i] = fmax(s->sizes.size[i], fabs(y[i]));
  return gradyn_monitors_call(&s->monitors, GRADYN_ON_NODE, &(gradyn_observed){.t = t, .to = y});
}

/* Calls the monitor of singular positions at a node. */
static gradyn_status observe_path(gradyn_monitor *m, const gradyn_observed *node)
{
  gradyn_index1 *system = ((gradyn_idas *)m->run->integrator)->system;
  return system->ops->watch ? system->ops->watch(system, node->t, node->to) : GRADYN_OK;
}

static const gradyn_monitor_ops path = {.on[GRADYN_ON_NODE] = observe_path};
static const gradyn_monitor_ops *const monitors[] = {&path, NULL};

/* Returns the absolute tolerance of state i, whose present size is given. For general equations without a
 * declared size, the largest size so far is used. */
static double absolute(gradyn_idas *s, int i, double size)
{
  const double *declared = s->system->size;
  if (s->sizes.share == 0)
    return NV_Ith_S(s->sun.atol, i);
  if (s->model->equations && !(declared && declared[i] > 0))
    s->sizes.most[i] = fmax(s->sizes.most[i], size);
  return s->sizes.share * s->sizes.most[i];
}

/* Sets the error weights 1/(rtol |y| + atol), as IDAS does. IDAS calls this once per step, with the state
 * at its start. */
static int weights(N_Vector y, N_Vector weight, void *user)
{
  gradyn_idas *s = user;
  /* the step before has succeeded, so earlier failures no longer count */
  s->failure.status = GRADYN_OK;
  s->failure.at = NAN;
  s->accepted = N_VGetArrayPointer(y);
  bool outgrown = false;
  for (int i = 0; i < s->ny; i++) {
    double size = fabs(NV_Ith_S(y, i));
    double tolerance = absolute(s, i, size);
    NV_Ith_S(weight, i) = 1 / (s->options.rtol * size + tolerance);
    /* tolerances that depend on sizes of states are updated whenever a size has doubled */
    outgrown = outgrown || tolerance > 2 * NV_Ith_S(s->sun.atol, i);
  }
  NV_Ith_S(weight, s->ny) = gradyn_idas_metronome_weight(s, NV_Ith_S(y, s->ny));
  const double t = gradyn_idas_reached(s, s->ida);
  /* y has been accepted: it starts the next step */
  gradyn_status status = gradyn_idas_observe(s, t, s->accepted);
  if (status == GRADYN_OK && outgrown)
    status = gradyn_idas_renew_tolerances(s, t, s->accepted);
  if (status == GRADYN_OK)
    status = gradyn_idas_check_progress(s);
  return gradyn_idas_callback(s, status);
}

/* Solves in place with the factors that jacobian() has made last. */
static void solve(void *user, double *b)
{
  gradyn_idas *s = user;
  s->system->ops->solve(s->system, b);
  b[s->ny] /= s->cj + s->beat; /* equation of the step-size governor */
}

/* --- life ------------------------------------------------------------------------------------- */

/* Allocates vectors of SUNDIALS and arrays. Returns whether all were allocated at the end. */
static gradyn_status take_memory(gradyn_idas *s)
{
  if (gradyn_sundials_context(&s->sun.context) != GRADYN_SUNDIALS_SUCCESS)
    return GRADYN_NO_MEMORY;
  /* vectors of all states and the step-size governor */
  N_Vector *state[] = {&s->sun.y,    &s->sun.yp,    &s->sun.id,
                       &s->sun.atol, &s->sun.error, &s->sun.weight};
  bool taken = true;
  for (size_t k = 0; k < GRADYN_COUNT(state); k++)
    taken = (*state[k] = N_VNew_Serial(s->ny + 1, s->sun.context)) && taken;
  s->sun.quad = N_VNew_Serial(s->sums.nq + s->system->np + 1, s->sun.context);
  s->sun.quad_atol = N_VNew_Serial(s->sums.nq + s->system->np + 1, s->sun.context);
  s->sums.inner = calloc((size_t)s->sums.count + 1, sizeof(double));
  s->sums.size = calloc((size_t)s->sums.count + 1, sizeof(double));
  s->sums.mass = calloc((size_t)s->sums.nq + 1, sizeof(double));
  s->sizes.size = calloc((size_t)s->ny + 1, sizeof(double));
  s->sizes.most = calloc((size_t)s->ny + 1, sizeof(double));
  s->scratch = calloc((size_t)s->ny + 1, sizeof(double));
  s->sun.matrix = gradyn_idas_matrix(s->sun.context);
  s->sun.solver = gradyn_idas_solver(s->sun.context, solve, s);
  return taken && s->sun.quad && s->sun.quad_atol && s->sums.inner && s->sums.size &&
                 s->sums.mass && s->sizes.size && s->sizes.most && s->scratch && s->sun.matrix &&
                 s->sun.solver
             ? GRADYN_OK
             : GRADYN_NO_MEMORY;
}

gradyn_status gradyn_idas_create(gradyn_model *model, const gradyn_options *options,
                                 gradyn_idas **out)
{
  gradyn_idas *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  s->model = model;
  s->asked = *options;
  GRADYN_TRY(model->mech ? gradyn_index1_from_mech(model, options->baumgarte_alpha,
                                                   options->baumgarte_beta, &s->system)
                         : gradyn_index1_from_equations(model, &s->system));
  /* integrals are quadratures of IDAS */
  s->ny = s->system->ny;
  s->sums.count = model->functional_count;
  s->sums.integral = calloc((size_t)s->sums.count + 1, sizeof(int));
  for (int f = 0; f < s->sums.count && s->sums.integral; f++)
    if (model->functional[f].integrand)
      s->sums.integral[s->sums.nq++] = f;
  gradyn_status status = s->sums.integral ? take_memory(s) : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_monitors_create(
        &(gradyn_observed_run){
            .model = model, .integrator = s, .report = &s->report, .ny = s->ny, .nodes = true},
        monitors, &s->monitors);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for %d states", s->ny);
  GRADYN_TRY(gradyn_tape_create(model, &s->tape));
  gradyn_idas_norm_install(s);
  gradyn_idas_tighten(s, 1);
  if (model->event_count > 0 && (status = gradyn_idas_events_create(s)) != GRADYN_OK)
    return status;
  return GRADYN_OK;
}

/* Also frees an object whose creation has failed. */
void gradyn_idas_free(gradyn_idas *s)
{
  if (!s)
    return;
  gradyn_idas_close_arc(s);
  if (s->sun.newton)
    SUNNonlinSolFree(s->sun.newton);
  if (s->sun.solver)
    SUNLinSolFree(s->sun.solver);
  if (s->sun.matrix)
    SUNMatDestroy(s->sun.matrix);
  /* after the IDAS object, which uses these vectors */
  N_Vector vector[] = {s->sun.y,     s->sun.yp,     s->sun.id,   s->sun.atol,
                       s->sun.error, s->sun.weight, s->sun.quad, s->sun.quad_atol};
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    N_VDestroy(vector[k]); /* NULL is allowed */
  gradyn_index1_free(s->system);
  gradyn_arcs_clear(&s->arcs);
  gradyn_tape_clear(&s->tape);
  gradyn_idas_stored_release(s);
  free(s->stored.arc);
  free(s->stored.first);
  free(s->nodes.number);
  gradyn_monitors_clear(&s->monitors);
  gradyn_idas_events_free(s->events);
  free(s->sums.integral);
  free(s->sums.inner);
  free(s->sums.size);
  free(s->sums.mass);
  free(s->sizes.size);
  free(s->sizes.most);
  free(s->scratch);
  if (s->sun.context)
    SUNContext_Free(&s->sun.context);
  free(s);
}

/* --- arcs ------------------------------------------------------------------------------------- */

gradyn_status gradyn_idas_begin(gradyn_idas *s)
{
  s->report = (gradyn_run_report){0};
  s->failure.status = GRADYN_OK;
  gradyn_idas_care_run(s);
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_BEGIN, NULL));
  s->system->factorisations = 0;
  s->t = 0;
  /* rates are integrated only if requested */
  NV_LENGTH_S(s->sun.quad) = NV_LENGTH_S(s->sun.quad_atol) = s->sums.nq +
                                                             (s->watch_rates ? s->system->np : 0);
  N_VConst(0, s->sun.quad);
  memset(s->sizes.size, 0, (size_t)s->ny * sizeof(double));
  memset(s->sums.inner, 0, (size_t)s->sums.count * sizeof(double));
  memset(s->sums.size, 0, (size_t)s->sums.count * sizeof(double));
  memset(s->sums.mass, 0, (size_t)s->sums.nq * sizeof(double));
  s->sums.reached = 0;
  /* arcs end at kinks of signals, but not at knots of splines */
  GRADYN_TRY(gradyn_arcs_find(s->model, GRADYN_KINKS, &s->arcs));
  GRADYN_TRY(gradyn_arcs_add_instants(s->model, &s->arcs));
  gradyn_tape_begin(&s->tape, &s->arcs);
  s->report.cost.arcs = s->arcs.count;
  gradyn_discrete_state_rewind(s->model);
  gradyn_arcs_enter(s->model, &s->arcs, 0);
  double *y = N_VGetArrayPointer(s->sun.y);
  GRADYN_TRY(s->system->ops->start(s->system, y, N_VGetArrayPointer(s->sun.yp)));
  GRADYN_TRY(gradyn_idas_norm_begin(s));
  GRADYN_TRY(s->events ? gradyn_idas_events_begin(s) : GRADYN_OK);
  GRADYN_TRY(gradyn_functionals_begin(s->model, &(gradyn_sample){0, y}));
  return gradyn_idas_set_tolerances(s);
}

long gradyn_idas_steps_left(const gradyn_idas *s, long usual, long taken)
{
  long most = s->options.max_steps > 0 ? s->options.max_steps : usual > 0 ? usual : DEFAULT_STEPS;
  if (s->limit > 0 && s->limit < most) /* the caller has set a lower limit */
    most = s->limit;
  return most > taken ? most - taken : 1;
}

/* Creates the IDAS object of an arc. Returns a code of IDAS. */
static int set_up(gradyn_idas *s)
{
  void *ida = s->ida = IDACreate(s->sun.context);
  GRADYN_IDAS_TRY(ida ? gradyn_sundials_silence(ida) : IDA_MEM_FAIL);
  GRADYN_IDAS_TRY(gradyn_idas_care_begin(s, s->end - s->begin));
  NV_Ith_S(s->sun.y, s->ny) = 1;
  NV_Ith_S(s->sun.yp, s->ny) = -s->beat;
  GRADYN_IDAS_TRY(IDAInit(ida, residual, 0, s->sun.y, s->sun.yp));
  GRADYN_IDAS_TRY(IDASetStopTime(ida, s->end - s->begin));
  GRADYN_IDAS_TRY(IDAWFtolerances(ida, weights));
  GRADYN_IDAS_TRY(IDASetUserData(ida, s));
  GRADYN_IDAS_TRY(IDASetMaxNumSteps(ida, gradyn_idas_steps_left(s, 0, s->report.cost.steps)));
  GRADYN_IDAS_TRY(IDASetId(ida, s->sun.id));
  /* no error test of algebraic states: they follow from the others, and a test would only cost steps */
  GRADYN_IDAS_TRY(IDASetSuppressAlg(ida, SUNTRUE));
  GRADYN_IDAS_TRY(IDASetLinearSolver(ida, s->sun.solver, s->sun.matrix));
  GRADYN_IDAS_TRY(IDASetJacFn(ida, jacobian));
  GRADYN_IDAS_TRY(gradyn_idas_newton(s));
  if (NV_LENGTH_S(s->sun.quad) == 0)
    return IDA_SUCCESS;
  /* integrals of functionals as quadratures with error control */
  GRADYN_IDAS_TRY(IDAQuadInit(ida, integrands, s->sun.quad));
  GRADYN_IDAS_TRY(IDAQuadSVtolerances(ida, s->options.rtol, s->sun.quad_atol));
  return IDASetQuadErrCon(ida, SUNTRUE);
}

gradyn_status gradyn_idas_open_arc(gradyn_idas *s, int k)
{
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_ARC, &(gradyn_observed){.arc = k}));
  gradyn_idas_enter_time(s, k);
  return gradyn_idas_failed(s, set_up(s), "setting up the run", s->begin);
}

void gradyn_idas_count(gradyn_idas *s, void *ida, bool backward)
{
  long steps = 0, newton = 0;
  IDAGetNumSteps(ida, &steps);
  IDAGetNumNonlinSolvIters(ida, &newton);
  *(backward ? &s->report.cost.steps_backward : &s->report.cost.steps) += steps;
  s->report.cost.newton_iterations += newton;
  s->report.cost.factorisations = s->system->factorisations;
}

gradyn_status gradyn_idas_quadratures(gradyn_idas *s)
{
  double t;
  /* an event is inside the last step */
  int flag = s->events ? IDAGetQuadDky(s->ida, gradyn_idas_since(s, s->t), 0, s->sun.quad)
                       : IDAGetQuad(s->ida, &t, s->sun.quad);
  return gradyn_idas_failed(s, flag, "quadratures", s->t);
}
