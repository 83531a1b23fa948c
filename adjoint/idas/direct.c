/* Direct differentiation with IDAS: forward sensitivities s = dy/dx dx of all directions at once. F_y s +
 * F_y' s' + F_x dx = 0 is solved together with the motion and with the same Newton matrix. Sensitivities of
 * integrals are quadratures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/arc_boundaries.h"
#include "adjoint/idas/jumps.h"
#include "adjoint/idas/sensitivity.h"
#include "adjoint/tangents.h"
#include "core/base/clock.h"
#include "core/linear/norm.h"
#include "dae/idas/arc_time.h"

/* Factor of the tolerances of quadratures relative to those of states. Measured: the sensitivities of the
 * states still determine the accuracy of the gradient. */
enum { LOOSE = 10 };

/* With its simultaneous corrector, IDAS omits the sensitivities of states from its error test, even with
 * error control. It tests those of quadratures. The rates of the differential states are therefore
 * integrated, too: the sensitivities of these integrals are those of the states. */
struct gradyn_idas_direct {
  gradyn_idas *march;
  gradyn_arc_boundaries ends;
  gradyn_idas_jumps jumps;
  int count, capacity;       /* directions of this run; number for which memory suffices */
  N_Vector *s, *sp;          /* [room] of [ny + 1] */
  bool staggered;            /* s is corrected after y */
  N_Vector *atol;            /* [room] of [ny + 1] */
  N_Vector *quad;            /* [room] of [nq], or [nq + np] if rates are watched */
  double *dx;                /* [room][nx] the directions, dense */
  N_Vector *quad_atol;       /* as quad */
  const double *scale;       /* [count] of the present directions */
  double *y_bar, *x_bar;     /* [ny], [nx] gradient of one integrand */
  double *at_boundaries;     /* [room][nf] changes of functionals at events and given times */
  double *last_moves;        /* [room] of the time of the last event */
  double *integral;          /* [nf] changes of integrals at an event */
  gradyn_tangents *tangents; /* of the present directions; NULL: not requested */
  N_Vector *inside;          /* [2] y and y' inside a step */
};

/* An array of vectors, if there is one. */
static void destroy(N_Vector **array, int count)
{
  if (*array)
    N_VDestroyVectorArray(*array, count);
  *array = NULL;
}

/* Frees the arrays whose length is the number of directions. */
static void clear_directions(gradyn_idas_direct *d)
{
  destroy(&d->s, d->capacity);
  destroy(&d->sp, d->capacity);
  destroy(&d->atol, d->capacity);
  destroy(&d->quad, d->capacity);
  destroy(&d->quad_atol, d->capacity);
  free(d->dx);
  free(d->at_boundaries);
  free(d->last_moves);
  d->dx = d->at_boundaries = d->last_moves = NULL;
  d->capacity = 0;
}

/* Creates the sensitivities, which are further unknowns of the IDAS run. */
gradyn_status gradyn_idas_direct_create(gradyn_idas *march, gradyn_idas_direct **out)
{
  gradyn_idas_direct *d = *out = calloc(1, sizeof *d);
  if (!d)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory");
  d->march = march;
  d->y_bar = calloc((size_t)march->ny + 1, sizeof(double));
  d->x_bar = calloc((size_t)march->system->nx + 1, sizeof(double));
  d->integral = calloc((size_t)march->sums.count + 1, sizeof(double));
  d->inside = N_VCloneVectorArray(2, march->sun.y);
  if (!d->y_bar || !d->x_bar || !d->integral || !d->inside)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory");
  GRADYN_TRY(gradyn_idas_jumps_create(march, &d->jumps));
  return gradyn_arc_boundaries_create(march, &d->ends);
}

/* Also frees the vectors of the directions. */
void gradyn_idas_direct_free(gradyn_idas_direct *d)
{
  if (!d)
    return;
  clear_directions(d);
  destroy(&d->inside, 2);
  gradyn_arc_boundaries_clear(&d->ends);
  gradyn_idas_jumps_clear(&d->jumps);
  free(d->integral);
  free(d->y_bar);
  free(d->x_bar);
  free(d);
}

/* --- callbacks -------------------------------------------------------------------------------- */

/* F_y s + F_y' s' + F_x dx for all directions, at fixed t. A callback of IDAS. */
static int sensitivity_residual(int count, sunrealtype since, N_Vector y, N_Vector yp, N_Vector r,
                                N_Vector *s, N_Vector *sp, N_Vector *out, void *user, N_Vector t1,
                                N_Vector t2, N_Vector t3)
{
  (void)r, (void)t1, (void)t2, (void)t3;
  gradyn_idas_direct *d = ((gradyn_idas *)user)->rider.run;
  gradyn_index1 *system = d->march->system;
  /* F_x dx + F_t dt in lanes of directions, then F_y s + F_y' s' */
  gradyn_status status = system->ops->linearise(system, gradyn_idas_time(d->march, since),
                                                N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
  for (int j = 0; j < count && status == GRADYN_OK; j += GRADYN_LANES) {
    double *rows[GRADYN_LANES];
    int some = count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
    for (int k = 0; k < some; k++)
      rows[k] = N_VGetArrayPointer(out[j + k]);
    status = system->ops->data(system, some, d->dx + j * system->nx, rows);
  }
  for (int j = 0; j < count && status == GRADYN_OK; j++) {
    int m = system->ny; /* the step-size governor depends on no data */
    system->ops->tangent(system, N_VGetArrayPointer(s[j]), N_VGetArrayPointer(sp[j]),
                         N_VGetArrayPointer(out[j]));
    /* m_x' + beat m_x = 0 */
    NV_Ith_S(out[j], m) = NV_Ith_S(sp[j], m) + d->march->beat * NV_Ith_S(s[j], m);
  }
  return gradyn_idas_callback(d->march, status);
}

/* Rates of dpsi/dx . dx, the derivatives of the integrals, and of the integrals that control s. */
static int quadrature_rate(int count, sunrealtype since, N_Vector y, N_Vector yp, N_Vector *s,
                           N_Vector *sp, N_Vector rate, N_Vector *out, void *user, N_Vector t1,
                           N_Vector t2, N_Vector t3)
{
  (void)yp, (void)rate, (void)t1, (void)t2, (void)t3;
  gradyn_idas *march = user;
  gradyn_idas_direct *d = march->rider.run;
  const gradyn_sample at = {gradyn_idas_time(march, since), N_VGetArrayPointer(y)};
  const gradyn_gradient_out gradient = {d->y_bar, 1, d->x_bar, NULL};
  int nx = march->system->nx;
  for (int k = 0; k < march->sums.nq; k++) {
    const gradyn_functional_entry *f = &march->model->functional[march->sums.integral[k]];
    for (int j = 0; j < count; j++)
      NV_Ith_S(out[j], k) = 0;
    if (f->skipped)
      continue;
    memset(d->y_bar, 0, (size_t)march->ny * sizeof(double));
    memset(d->x_bar, 0, (size_t)nx * sizeof(double));
    /* one gradient, then g_y s + g_x dx of all directions */
    gradyn_status status = f->integrand->gradient(march->model, f, &at, 1, &gradient);
    if (status != GRADYN_OK)
      return gradyn_idas_callback(march, status);
    for (int j = 0; j < count; j++)
      NV_Ith_S(out[j], k) = gradyn_dot(d->y_bar, N_VGetArrayPointer(s[j]), march->ny) +
                            gradyn_dot(d->x_bar, d->dx + j * nx, nx);
  }
  /* integrals of s', by which IDAS controls the error of s */
  for (int j = 0; j < count && march->watch_rates; j++)
    for (int i = 0; i < march->system->np; i++)
      NV_Ith_S(out[j], march->sums.nq + i) = NV_Ith_S(sp[j], march->system->differential[i]);
  return 0;
}

/* --- one run ---------------------------------------------------------------------------------- */

/* Allocates vectors for this number of directions. */
static gradyn_status reserve(gradyn_idas_direct *d, int count)
{
  gradyn_idas *march = d->march;
  d->count = count;
  /* grows only */
  if (count <= d->capacity)
    return GRADYN_OK;
  clear_directions(d);
  d->capacity = count;
  d->s = N_VCloneVectorArray(count, march->sun.y);
  d->sp = N_VCloneVectorArray(count, march->sun.y);
  d->atol = N_VCloneVectorArray(count, march->sun.y);
  /* clones have the present length of this vector */
  NV_LENGTH_S(march->sun.quad) = march->sums.nq + (march->watch_rates ? march->system->np : 0);
  d->quad = N_VCloneVectorArray(count, march->sun.quad);
  d->dx = calloc((size_t)count * (size_t)march->system->nx, sizeof(double));
  /* tolerances of integrals differ by direction, too */
  d->quad_atol = N_VCloneVectorArray(count, march->sun.quad);
  d->at_boundaries = calloc((size_t)count * (size_t)march->sums.count + 1, sizeof(double));
  d->last_moves = calloc((size_t)count + 1, sizeof(double));
  if (d->s && d->sp && d->atol && d->quad && d->quad_atol && d->dx && d->at_boundaries &&
      d->last_moves)
    return GRADYN_OK;
  clear_directions(d); /* after a failure, all of it is allocated again */
  gradyn_fail(&march->model->message, GRADYN_NO_MEMORY,
              "out of memory for %d sensitivities: use the adjoint", count);
  return GRADYN_NO_MEMORY;
}

/* Expands the columns of dx/drho. The step-size governor has no derivatives. */
static void spread(gradyn_idas_direct *d, const gradyn_directions *directions)
{
  const gradyn_idas *march = d->march;
  int nx = march->system->nx;
  memset(d->dx, 0, (size_t)d->count * (size_t)nx * sizeof(double));
  for (int j = 0; j < d->count; j++) {
    for (int k = directions->start[j]; k < directions->start[j + 1]; k++)
      d->dx[j * nx + directions->index[k]] = directions->value[k];
    NV_Ith_S(d->s[j], march->ny) = NV_Ith_S(d->sp[j], march->ny) = 0;
  }
}

/* Sets tolerances of sensitivities. Those of algebraic states are huge: these sensitivities follow from the
 * others by a linear solve and must not affect the step. */
static void set_tolerances(gradyn_idas_direct *d)
{
  const gradyn_idas *march = d->march;
  for (int j = 0; j < d->count; j++) {
    /* atol_i/|rho_j| */
    for (int i = 0; i < march->ny; i++)
      NV_Ith_S(d->atol[j], i) = NV_Ith_S(march->sun.atol, i) / d->scale[j] *
                                (march->system->id[i] != 0 ? 1 : 1e9);
    /* of the step-size governor, which is zero */
    NV_Ith_S(d->atol[j], march->ny) = 1;
  }
}

/* Passes tolerances of sensitivities to IDAS, from those of states and integrals. */
static int hand_tolerances(void *run)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  const gradyn_options *o = &march->options;
  double rtol = o->rtol_sens > 0 ? o->rtol_sens : o->rtol;
  set_tolerances(d);
  int flag = IDASensSVtolerances(march->ida, rtol, d->atol);
  if (flag < 0 || NV_LENGTH_S(march->sun.quad) == 0)
    return flag;
  /* tolerances of psi, per parameter */
  for (int j = 0; j < d->count; j++)
    N_VScale(LOOSE / d->scale[j], march->sun.quad_atol, d->quad_atol[j]);
  return IDAQuadSensSVtolerances(march->ida, LOOSE * rtol, d->quad_atol);
}

/* Opens IDAS for arc k with sensitivities that begin with the present s. */
static gradyn_status open_arc(gradyn_idas_direct *d, int k)
{
  gradyn_idas *march = d->march;
  GRADYN_TRY(gradyn_idas_open_arc(march, k));
  void *ida = march->ida;
  march->rider.run = d;
  march->rider.renew = hand_tolerances;
  march->care.together = !d->staggered;
  /* staggered: s is corrected after y, and has an error test of its own */
  int flag = IDASensInit(ida, d->count, d->staggered ? IDA_STAGGERED : IDA_SIMULTANEOUS,
                         sensitivity_residual, d->s, d->sp);
  if (flag >= 0)
    flag = IDASetSensErrCon(ida, SUNTRUE);
  bool integrals = NV_LENGTH_S(march->sun.quad) > 0;
  if (flag >= 0 && integrals)
    flag = IDAQuadSensInit(ida, quadrature_rate, d->quad);
  if (flag >= 0)
    flag = hand_tolerances(d);
  if (flag >= 0 && integrals)
    flag = IDASetQuadSensErrCon(ida, SUNTRUE);
  return gradyn_idas_failed(march, flag, "setting up sensitivities", march->t);
}

/* Gets s at the end of an arc. An event lies within the last step. */
static gradyn_status take_sensitivities(gradyn_idas_direct *d)
{
  gradyn_idas *march = d->march;
  double t = march->t, since = gradyn_idas_since(march, t), reached;
  bool event = march->events != NULL;
  int flag;
  if (NV_LENGTH_S(march->sun.quad) > 0) {
    /* at an event by the polynomials of the step, otherwise at the end of the step */
    GRADYN_TRY(gradyn_idas_quadratures(march));
    flag = event ? IDAGetQuadSensDky(march->ida, since, 0, d->quad)
                 : IDAGetQuadSens(march->ida, &reached, d->quad);
    GRADYN_TRY(gradyn_idas_failed(march, flag, "quadratures", t));
  }
  flag = event ? IDAGetSensDky(march->ida, since, 0, d->s) : IDAGetSens(march->ida, &reached, d->s);
  return gradyn_idas_failed(march, flag, "sensitivities", t);
}

/* Records the node at t in the tangents of the directions, if it is requested. */
static gradyn_status record(gradyn_idas_direct *d, double t, N_Vector y, N_Vector yp)
{
  if (!d->tangents || !gradyn_tangents_wants(d->tangents, t, gradyn_arcs_closest(d->march->model)))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_tangents_node(d->tangents, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp)));
  for (int j = 0; j < d->count; j++)
    GRADYN_TRY(gradyn_tangents_add(d->tangents, j, N_VGetArrayPointer(d->s[j]),
                                   N_VGetArrayPointer(d->sp[j])));
  return GRADYN_OK;
}

static gradyn_status record_now(gradyn_idas_direct *d)
{
  return record(d, d->march->t, d->march->sun.y, d->march->sun.yp);
}

/* y and s, and their rates, within the last step by its polynomials. */
static gradyn_status find_inside(gradyn_idas_direct *d, double t)
{
  N_Vector *const s[2] = {d->s, d->sp};
  const double since = gradyn_idas_since(d->march, t);
  int flag = IDA_SUCCESS;
  for (int k = 0; k < 2 && flag >= 0; k++)
    flag = IDAGetSensDky(d->march->ida, since, k, s[k]);
  for (int k = 0; k < 2 && flag >= 0; k++)
    flag = IDAGetDky(d->march->ida, since, k, d->inside[k]);
  return gradyn_idas_failed(d->march, flag, "sensitivities", t);
}

/* After a step: records the requested times inside it, and its end. */
static gradyn_status record_step(gradyn_idas_direct *d)
{
  gradyn_idas *march = d->march;
  const double near = gradyn_arcs_closest(march->model);
  for (double t; !isnan(t = gradyn_tangents_before(d->tangents, march->t, near));) {
    GRADYN_TRY(find_inside(d, t));
    GRADYN_TRY(record(d, t, d->inside[0], d->inside[1]));
  }
  if (!gradyn_tangents_wants(d->tangents, march->t, near))
    return GRADYN_OK;
  GRADYN_TRY(find_inside(d, march->t));
  return record_now(d);
}

/* Integrates y and s to the end of arc k, in single steps if events or a record need every step. */
static gradyn_status reach_end(gradyn_idas_direct *d, int k)
{
  gradyn_idas *march = d->march;
  GRADYN_TRY(open_arc(d, k));
  if (march->events)
    GRADYN_TRY(gradyn_idas_events_open(march));
  while (march->t < march->arcs.boundary[k + 1].t) {
    /* guards are evaluated after each step */
    int task = march->events || d->tangents ? IDA_ONE_STEP : IDA_NORMAL;
    int flag = gradyn_idas_advance(march, task);
    GRADYN_TRY(gradyn_idas_failed(march, flag, "forward sensitivities", march->t));
    if (march->events)
      GRADYN_TRY(gradyn_idas_events_look(march, k));
    if (d->tangents)
      GRADYN_TRY(record_step(d));
  }
  return take_sensitivities(d);
}

static gradyn_status march_arc(gradyn_idas_direct *d, int k)
{
  gradyn_idas *march = d->march;
  const gradyn_status status = reach_end(d, k);
  /* the cost of a failed run counts as well */
  if (march->ida)
    gradyn_idas_count(march, march->ida, false);
  gradyn_idas_close_arc(march);
  return status;
}

/* Sensitivities of differential states and of integrals just after an event. */
static gradyn_status jump(gradyn_idas_direct *d, int k)
{
  gradyn_idas *march = d->march;
  gradyn_passed_event *at = gradyn_idas_passage_at(march, k + 1);
  GRADYN_TRY(gradyn_idas_jump_begin(&d->jumps, at));
  for (int j = 0; j < d->count; j++) {
    GRADYN_TRY(gradyn_idas_jump_along(&d->jumps, at, d->dx + j * march->system->nx,
                                      N_VGetArrayPointer(d->s[j]),
                                      d->at_boundaries + j * march->sums.count, d->integral));
    d->last_moves[j] = d->jumps.moves;
    /* integrals change by [g] dt_e, because the time of the event changes */
    for (int q = 0; q < march->sums.nq; q++)
      NV_Ith_S(d->quad[j], q) += d->integral[march->sums.integral[q]];
  }
  return GRADYN_OK;
}

/* Sensitivities just after boundary k + 1. A boundary that moves by dt adds the jump of the rates times
 * dt. */
static gradyn_status cross(gradyn_idas_direct *d, int k)
{
  gradyn_idas *march = d->march;
  gradyn_index1 *system = march->system;
  GRADYN_TRY(gradyn_arc_boundaries_cross(&d->ends, march, k));
  const gradyn_boundary *b = &march->arcs.boundary[k + 1];
  for (int j = 0; j < d->count; j++) /* instants, before anything moves */
    for (int f = 0; f < march->sums.count; f++)
      d->at_boundaries[j * march->sums.count + f] += gradyn_arc_boundaries_tangent(
          &d->ends, march, k, f, N_VGetArrayPointer(d->s[j]));
  if (b->transition > 0)
    GRADYN_TRY(jump(d, k));
  GRADYN_TRY(system->ops->linearise(system, b->t, N_VGetArrayPointer(march->sun.y),
                                    N_VGetArrayPointer(march->sun.yp)));
  const double *jump_y = d->ends.jump_y + k * d->ends.np, *jump_g = d->ends.jump_g + k * d->ends.nf;
  for (int j = 0; j < d->count; j++) {
    const double *dx = d->dx + j * system->nx;
    double dt = gradyn_boundary_tangent(b, dx), *s = N_VGetArrayPointer(d->s[j]);
    /* ds = [y'] dt, d(integral) = [g] dt */
    for (int i = 0; i < system->np; i++)
      s[system->differential[i]] += jump_y[i] * dt;
    for (int q = 0; q < march->sums.nq; q++)
      NV_Ith_S(d->quad[j], q) += jump_g[march->sums.integral[q]] * dt;
    GRADYN_TRY(system->ops->restart_tangent(system, dx, 0, s, N_VGetArrayPointer(d->sp[j])));
  }
  return GRADYN_OK;
}

/* gradient [nf][count] from the sensitivities at the end time. */
static gradyn_status collect(gradyn_idas_direct *d, double *gradient)
{
  gradyn_idas *march = d->march;
  const gradyn_arc_boundaries *e = &d->ends;
  const gradyn_boundary *last = &march->arcs.boundary[march->arcs.count];
  GRADYN_TRY(gradyn_arc_boundaries_terminal(&d->ends, march));
  for (int j = 0; j < d->count; j++) {
    const double *dx = d->dx + j * e->nx, *s = N_VGetArrayPointer(d->s[j]);
    /* the end of a run that an event ends moves with the event */
    double dt = last->transition > 0 ? d->last_moves[j] : gradyn_boundary_tangent(last, dx);
    for (int f = 0; f < e->nf; f++) {
      /* w_t dt + w_x dx + w_y s, with algebraic states from the equations */
      double sum = e->rate[f] * dt + gradyn_dot(e->x_bar + f * e->nx, dx, e->nx);
      sum += d->at_boundaries[j * e->nf + f];
      sum += gradyn_arc_boundaries_tangent(e, march, march->arcs.count - 1, f, s);
      gradient[f * d->count + j] = sum;
    }
    for (int q = 0; q < march->sums.nq; q++) {
      int f = march->sums.integral[q];
      /* outer' times the integral's */
      if (!march->model->functional[f].skipped)
        gradient[f * d->count + j] += e->slope[f] * NV_Ith_S(d->quad[j], q);
    }
  }
  return GRADYN_OK;
}

/* s at the start of the run: the derivatives of the consistent initial state. */
static gradyn_status start(gradyn_idas_direct *d)
{
  gradyn_idas *march = d->march;
  gradyn_index1 *system = march->system;
  GRADYN_TRY(gradyn_idas_begin(march));
  GRADYN_TRY(gradyn_arc_boundaries_reserve(&d->ends, march));
  GRADYN_TRY(system->ops->linearise(system, 0, N_VGetArrayPointer(march->sun.y),
                                    N_VGetArrayPointer(march->sun.yp)));
  memset(d->at_boundaries, 0, (size_t)(d->count * march->sums.count) * sizeof(double));
  for (int j = 0; j < d->count; j++) {
    /* integrals begin with zero, states with the changes of the initial state */
    N_VConst(0, d->quad[j]);
    GRADYN_TRY(system->ops->start_tangent(
        system, d->dx + j * system->nx, N_VGetArrayPointer(d->s[j]), N_VGetArrayPointer(d->sp[j])));
  }
  GRADYN_TRY(gradyn_arc_boundaries_start(&d->ends, march));
  for (int j = 0; j < d->count; j++) /* functionals evaluated at the start */
    for (int f = 0; f < march->sums.count; f++)
      d->at_boundaries[j * march->sums.count + f] += gradyn_arc_boundaries_tangent(
          &d->ends, march, GRADYN_BEFORE_ARCS, f, N_VGetArrayPointer(d->s[j]));
  return GRADYN_OK;
}

/* The whole run, with the corrector selected by d->staggered. */
static gradyn_status run_once(gradyn_idas_direct *d, double *psi, double *gradient)
{
  gradyn_idas *march = d->march;
  if (d->tangents)
    GRADYN_TRY(gradyn_tangents_begin(d->tangents));
  GRADYN_TRY(start(d));
  GRADYN_TRY(record_now(d));
  for (int k = 0; k < march->arcs.count; k++) {
    GRADYN_TRY(gradyn_arcs_pause(&march->arcs, k) ? GRADYN_OK : march_arc(d, k));
    if (gradyn_idas_crosses(march, k))
      GRADYN_TRY(cross(d, k));
    /* rates jump, and at events states: both sides are nodes, also of an event that ends the run */
    if (gradyn_idas_crosses(march, k))
      GRADYN_TRY(record_now(d));
  }
  GRADYN_TRY(gradyn_idas_finish(march, psi));
  return collect(d, gradient);
}

gradyn_status gradyn_idas_direct_run(gradyn_idas_direct *d, const gradyn_directions *directions,
                                     double *psi, double *gradient)
{
  gradyn_idas *march = d->march;
  double clock = gradyn_seconds();
  /* only the simultaneous corrector omits s from the error test */
  march->watch_rates = !march->options.staggered;
  march->monitors.run.derivatives = true;
  GRADYN_TRY(reserve(d, directions->count));
  d->scale = directions->scale;
  d->tangents = directions->tangents;
  d->staggered = march->options.staggered;
  spread(d, directions);
  gradyn_status status = run_once(d, psi, gradient);
  /* Newton's method for y and s together neglects that s depends on y. If corrections of y change s by
   * much, it seems to diverge even close to the solution. s is then corrected after y. */
  march->care.stalled = march->care.stalled || status == GRADYN_STEP_LIMIT;
  if (gradyn_idas_must_repeat(march)) {
    d->staggered = true;
    status = run_once(d, psi, gradient);
  }
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return status;
}
