/* Direct differentiation with IDAS: forward sensitivities s = dy/dx dx of all directions at once. The
 * equations F_y s + F_y' s' + F_x dx = 0 are solved together with the motion and with the same Newton matrix.
 * Sensitivities of integrals are quadratures of IDAS. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/idas/sensitivity.h"
#include "adjoint/idas/sweep.h"
#include "adjoint/tangents.h"
#include "core/base/clock.h"
#include "core/linear/norm.h"
#include "dae/idas/arc_time.h"

/* Factor of the tolerances of quadratures relative to those of states. Measured: with this factor, the
 * accuracy of gradients is still that of the sensitivities of states. */
enum { LOOSE = 10 };

/* With its simultaneous corrector, IDAS omits the sensitivities of states from its error test, even with
 * error control, but tests those of quadratures. The rates of the differential states are therefore
 * integrated as quadratures. The sensitivities of these integrals are those of the states. */
struct gradyn_idas_direct {
  gradyn_idas *march;
  gradyn_idas_sweep sweep;
  int count, capacity;   /* numbers of directions: of this run, and with memory */
  N_Vector *s, *sp;      /* [capacity] vectors [ny + 1] */
  bool staggered;        /* s is corrected after y, not together with y */
  N_Vector *atol;        /* [capacity] vectors [ny + 1] */
  N_Vector *quad;        /* [capacity] vectors [nq], or [nq + np] if rates are integrated */
  double *dx;            /* [capacity][nx] the directions, dense */
  N_Vector *quad_atol;   /* as quad */
  double *y_bar, *x_bar; /* [ny], [nx] gradient of one integrand */
  double *changes;       /* [capacity][nf] changes of functionals by samples and impulses */
  double *moves;         /* [capacity] changes of the time of the present boundary */
  double *p;             /* [np] differential states, or a gradient with respect to them */
  const gradyn_directions *directions; /* directions of this run; borrowed */
  N_Vector *inside;                    /* [2] y and y' inside a step */
};

/* Frees an array of vectors; NULL: nothing. */
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
  free(d->changes);
  free(d->moves);
  d->dx = d->changes = d->moves = NULL;
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
  d->p = calloc((size_t)march->system->np + 1, sizeof(double));
  d->inside = N_VCloneVectorArray(2, march->sun.y);
  if (!d->y_bar || !d->x_bar || !d->p || !d->inside)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory");
  return gradyn_idas_sweep_create(march, &d->sweep);
}

/* Also frees the vectors of the directions. */
void gradyn_idas_direct_free(gradyn_idas_direct *d)
{
  if (!d)
    return;
  clear_directions(d);
  destroy(&d->inside, 2);
  gradyn_idas_sweep_clear(&d->sweep);
  free(d->p);
  free(d->y_bar);
  free(d->x_bar);
  free(d);
}

/* --- callbacks -------------------------------------------------------------------------------- */

/* Computes F_y s + F_y' s' + F_x dx for all directions, at fixed t. A callback of IDAS. */
static int sensitivity_residual(int count, sunrealtype since, N_Vector y, N_Vector yp, N_Vector r,
                                N_Vector *s, N_Vector *sp, N_Vector *out, void *user, N_Vector t1,
                                N_Vector t2, N_Vector t3)
{
  (void)r, (void)t1, (void)t2, (void)t3;
  gradyn_idas_direct *d = ((gradyn_idas *)user)->observer.run;
  gradyn_index1 *system = d->march->system;
  /* first F_x dx + F_t dt for groups of directions, then F_y s + F_y' s' is added */
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
    int m = system->ny; /* entry m is the step-size governor, which does not depend on data */
    system->ops->tangent(system, N_VGetArrayPointer(s[j]), N_VGetArrayPointer(sp[j]),
                         N_VGetArrayPointer(out[j]));
    /* sensitivity of the governor's equation m' + beat m = 0 */
    NV_Ith_S(out[j], m) = NV_Ith_S(sp[j], m) + d->march->beat * NV_Ith_S(s[j], m);
  }
  return gradyn_idas_callback(d->march, status);
}

/* Computes the rates of quadratures along all directions: changes of integrands, and the rates s' whose
 * integrals control the error of s. A callback of IDAS. */
static int quadrature_rate(int count, sunrealtype since, N_Vector y, N_Vector yp, N_Vector *s,
                           N_Vector *sp, N_Vector rate, N_Vector *out, void *user, N_Vector t1,
                           N_Vector t2, N_Vector t3)
{
  (void)yp, (void)rate, (void)t1, (void)t2, (void)t3;
  gradyn_idas *march = user;
  gradyn_idas_direct *d = march->observer.run;
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
    /* the gradient of an integrand serves all directions: g_y s + g_x dx */
    gradyn_status status = f->integrand->gradient(march->model, f, &at, 1, &gradient);
    if (status != GRADYN_OK)
      return gradyn_idas_callback(march, status);
    for (int j = 0; j < count; j++)
      NV_Ith_S(out[j], k) = gradyn_dot(d->y_bar, N_VGetArrayPointer(s[j]), march->ny) +
                            gradyn_dot(d->x_bar, d->dx + j * nx, nx);
  }
  /* IDAS controls the error of s by the integrals of s' */
  for (int j = 0; j < count && march->watch_rates; j++)
    for (int i = 0; i < march->system->np; i++)
      NV_Ith_S(out[j], march->sums.nq + i) = NV_Ith_S(sp[j], march->system->differential[i]);
  return 0;
}

/* --- one run ---------------------------------------------------------------------------------- */

/* Allocates vectors for this number of directions, if it is larger than before. */
static gradyn_status reserve(gradyn_idas_direct *d, int count)
{
  gradyn_idas *march = d->march;
  d->count = count;
  /* memory never shrinks */
  if (count <= d->capacity)
    return GRADYN_OK;
  clear_directions(d);
  d->capacity = count;
  d->s = N_VCloneVectorArray(count, march->sun.y);
  d->sp = N_VCloneVectorArray(count, march->sun.y);
  d->atol = N_VCloneVectorArray(count, march->sun.y);
  /* clones have the length that this vector has at present */
  NV_LENGTH_S(march->sun.quad) = march->sums.nq + (march->watch_rates ? march->system->np : 0);
  d->quad = N_VCloneVectorArray(count, march->sun.quad);
  d->dx = calloc((size_t)count * (size_t)march->system->nx, sizeof(double));
  /* each direction has its own tolerances of integrals */
  d->quad_atol = N_VCloneVectorArray(count, march->sun.quad);
  d->changes = calloc((size_t)count * (size_t)march->sums.count + 1, sizeof(double));
  d->moves = calloc((size_t)count + 1, sizeof(double));
  if (d->s && d->sp && d->atol && d->quad && d->quad_atol && d->dx && d->changes && d->moves)
    return GRADYN_OK;
  clear_directions(d); /* all or nothing: a later call allocates all vectors again */
  gradyn_fail(&march->model->message, GRADYN_NO_MEMORY,
              "out of memory for %d sensitivities: use the adjoint", count);
  return GRADYN_NO_MEMORY;
}

/* Expands the columns of dx/drho to full vectors. The sensitivities of the step-size governor are zero. */
static void spread(gradyn_idas_direct *d)
{
  const gradyn_idas *march = d->march;
  const gradyn_directions *directions = d->directions;
  int nx = march->system->nx;
  memset(d->dx, 0, (size_t)d->count * (size_t)nx * sizeof(double));
  for (int j = 0; j < d->count; j++) {
    for (int k = directions->start[j]; k < directions->start[j + 1]; k++)
      d->dx[j * nx + directions->index[k]] = directions->value[k];
    NV_Ith_S(d->s[j], march->ny) = NV_Ith_S(d->sp[j], march->ny) = 0;
  }
}

/* Sets the tolerances of sensitivities. Those of algebraic states are huge, because these sensitivities
 * follow from the others by a linear solve and must not affect the step. */
static void set_tolerances(gradyn_idas_direct *d)
{
  const gradyn_idas *march = d->march;
  for (int j = 0; j < d->count; j++) {
    /* atol_i/|rho_j| */
    for (int i = 0; i < march->ny; i++)
      NV_Ith_S(d->atol[j], i) = NV_Ith_S(march->sun.atol, i) / d->directions->scale[j] *
                                (march->system->id[i] != 0 ? 1 : 1e9);
    /* sensitivity of the step-size governor, which is zero */
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
  /* tolerances of psi, divided by the typical change of each direction */
  for (int j = 0; j < d->count; j++)
    N_VScale(LOOSE / d->directions->scale[j], march->sun.quad_atol, d->quad_atol[j]);
  return IDAQuadSensSVtolerances(march->ida, LOOSE * rtol, d->quad_atol);
}

/* Adds sensitivities with the initial values s to a new IDAS object. */
static gradyn_status open_arc(void *run)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  void *ida = march->ida;
  march->care.together = !d->staggered;
  /* staggered: s is corrected after y, with a separate error test */
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

/* Gets s at the end of an arc, which is inside the last step if an event ends the arc. */
static gradyn_status take_sensitivities(gradyn_idas_direct *d)
{
  gradyn_idas *march = d->march;
  double t = march->t, since = gradyn_idas_since(march, t), reached;
  bool event = march->events != NULL;
  int flag;
  if (NV_LENGTH_S(march->sun.quad) > 0) {
    /* values at an event: by the polynomials of the last step */
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
  if (!d->directions->tangents ||
      !gradyn_tangents_wants(d->directions->tangents, t, gradyn_arcs_closest(d->march->model)))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_tangents_node(d->directions->tangents, t, N_VGetArrayPointer(y),
                                  N_VGetArrayPointer(yp)));
  for (int j = 0; j < d->count; j++)
    GRADYN_TRY(gradyn_tangents_add(d->directions->tangents, j, N_VGetArrayPointer(d->s[j]),
                                   N_VGetArrayPointer(d->sp[j])));
  return GRADYN_OK;
}

static gradyn_status record_now(gradyn_idas_direct *d)
{
  return record(d, d->march->t, d->march->sun.y, d->march->sun.yp);
}

/* Computes y, s and their rates at time t inside the last step, by the polynomials of the step. */
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

/* Records the requested times inside a step that has been taken, and its end. */
static gradyn_status record_step(void *run)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  const double near = gradyn_arcs_closest(march->model);
  for (double t; !isnan(t = gradyn_tangents_before(d->directions->tangents, march->t, near));) {
    GRADYN_TRY(find_inside(d, t));
    GRADYN_TRY(record(d, t, d->inside[0], d->inside[1]));
  }
  if (!gradyn_tangents_wants(d->directions->tangents, march->t, near))
    return GRADYN_OK;
  GRADYN_TRY(find_inside(d, march->t));
  return record_now(d);
}

/* --- records ---------------------------------------------------------------------------------- */

/* Copies the differential states of direction j from s to p, or back. */
static void copy_states(gradyn_idas_direct *d, int j, bool back)
{
  for (int i = 0; i < d->march->system->np; i++) {
    double *s = &NV_Ith_S(d->s[j], d->march->system->differential[i]);
    *(back ? s : &d->p[i]) = back ? d->p[i] : *s;
  }
}

/* Moves the states of direction j, y' dt, for a change dt of the time of a node. With `integrals`, also
 * adds g dt to the changes of integrals. */
static void move(gradyn_idas_direct *d, int j, const gradyn_idas_node *node, double dt,
                 bool integrals)
{
  const gradyn_index1 *system = d->march->system;
  for (int i = 0; i < system->np; i++)
    NV_Ith_S(d->s[j], system->differential[i]) += node->yp[system->differential[i]] * dt;
  for (int q = 0; q < d->march->sums.nq && integrals; q++)
    NV_Ith_S(d->quad[j], q) += node->g[q] * dt;
}

/* Computes the derivatives of the consistent initial state. Changes of integrals begin with zero. */
static gradyn_status start(gradyn_idas_direct *d)
{
  gradyn_idas *march = d->march;
  gradyn_index1 *system = march->system;
  d->staggered = march->options.staggered || march->care.on;
  spread(d);
  memset(d->changes, 0, (size_t)(d->count * march->sums.count) * sizeof(double));
  GRADYN_TRY(system->ops->linearise(system, 0, N_VGetArrayPointer(march->sun.y),
                                    N_VGetArrayPointer(march->sun.yp)));
  for (int j = 0; j < d->count; j++) {
    N_VConst(0, d->quad[j]);
    d->moves[j] = gradyn_boundary_tangent(&march->arcs.boundary[0], d->dx + j * system->nx);
    GRADYN_TRY(system->ops->start_tangent(
        system, d->dx + j * system->nx, N_VGetArrayPointer(d->s[j]), N_VGetArrayPointer(d->sp[j])));
  }
  return d->directions->tangents ? gradyn_tangents_begin(d->directions->tangents) : GRADYN_OK;
}

/* At the start of an arc, or after an event that has ended the run: s = dy - y' dt, where dt is the change
 * of the time of this boundary. */
static gradyn_status enter(void *run, int boundary)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  gradyn_index1 *system = march->system;
  const gradyn_idas_node node = gradyn_idas_node_at(march, boundary, GRADYN_AFTER);
  if (boundary == 0)
    GRADYN_TRY(start(d));
  else
    GRADYN_TRY(system->ops->linearise(system, node.t, node.y, node.yp));
  for (int j = 0; j < d->count && boundary > 0; j++) {
    move(d, j, &node, -d->moves[j], boundary < march->arcs.count);
    GRADYN_TRY(system->ops->restart_tangent(system, d->dx + j * system->nx, 0,
                                            N_VGetArrayPointer(d->s[j]),
                                            N_VGetArrayPointer(d->sp[j])));
  }
  /* rates jump at a boundary, and states at an event, so both sides are recorded */
  return record_now(d);
}

/* At the end of arc k: dy = s + y' dt, if the time of this boundary depends on data or is that of an event.
 */
static gradyn_status end_arc(void *run, int k)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  const gradyn_boundary *b = &march->arcs.boundary[k + 1];
  const gradyn_idas_node node = gradyn_idas_node_at(march, k + 1, GRADYN_BEFORE);
  gradyn_root root = {0};
  if (march->ida)
    GRADYN_TRY(take_sensitivities(d));
  if (b->transition > 0)
    GRADYN_TRY(gradyn_idas_sweep_root(&d->sweep, k + 1, &root));
  for (int j = 0; j < d->count; j++) {
    const double *dx = d->dx + j * march->system->nx;
    copy_states(d, j, false);
    d->moves[j] = b->transition > 0 ? gradyn_root_along(&root, d->p, dx, 0)
                                    : gradyn_boundary_tangent(b, dx);
    move(d, j, &node, d->moves[j], true);
  }
  return GRADYN_OK;
}

/* Adds the changes of the functionals that are evaluated at record k. */
static gradyn_status sample(void *run, int k)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  const int np = march->system->np, nx = march->system->nx, nf = march->sums.count;
  if (!gradyn_tape_sample_counts(&march->tape, k))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_idas_sweep_sample(&d->sweep, k));
  const int *list, count = gradyn_tape_sampled(&march->tape, k, &list);
  for (const int *f = list; f < list + count; f++) {
    double t_bar = 0;
    if (march->model->functional[*f].skipped)
      continue;
    memset(d->p, 0, (size_t)np * sizeof *d->p);
    memset(d->x_bar, 0, (size_t)nx * sizeof *d->x_bar);
    GRADYN_TRY(gradyn_idas_sweep_terminal(&d->sweep, k, *f, 1, d->p, d->x_bar, &t_bar));
    for (int j = 0; j < d->count; j++) { /* w_y dy + w_x dx + w_t dt */
      double sum = gradyn_dot(d->x_bar, d->dx + j * nx, nx) + t_bar * d->moves[j];
      for (int i = 0; i < np; i++)
        sum += d->p[i] * NV_Ith_S(d->s[j], march->system->differential[i]);
      d->changes[j * nf + *f] += sum;
    }
  }
  return GRADYN_OK;
}

/* Propagates all directions across the event at a boundary. */
static gradyn_status jump(void *run, int boundary)
{
  gradyn_idas_direct *d = run;
  gradyn_idas *march = d->march;
  gradyn_jump jump;
  GRADYN_TRY(gradyn_idas_sweep_jump(&d->sweep, boundary, &jump));
  for (int j = 0; j < d->count; j++) {
    double impulse = 0;
    copy_states(d, j, false);
    GRADYN_TRY(
        gradyn_jump_along(&jump, d->dx + j * march->system->nx, d->moves[j], d->p, 1, &impulse));
    copy_states(d, j, true);
    for (int f = 0; f < march->sums.count; f++)
      if (gradyn_jump_gives(&jump, f))
        d->changes[j * march->sums.count + f] += impulse;
  }
  return GRADYN_OK;
}

static const gradyn_record_ops along = {end_arc, jump, sample};

/* Computes gradient [nf][count] from the changes of the inner values, and of the end time. */
static void collect(const gradyn_idas_direct *d, double *gradient)
{
  const gradyn_idas *march = d->march;
  const int nf = march->sums.count;
  const double end = march->arcs.boundary[march->arcs.count].t;
  for (int q = 0; q < march->sums.nq; q++)
    for (int j = 0; j < d->count; j++)
      d->changes[j * nf + march->sums.integral[q]] += NV_Ith_S(d->quad[j], q);
  for (int f = 0; f < nf; f++) {
    const gradyn_functional_entry *functional = &march->model->functional[f];
    double slope, t_bar;
    gradyn_functional_outer(functional, march->sums.inner[f], end, &slope, &t_bar);
    for (int j = 0; j < d->count; j++) {
      const double change = slope * d->changes[j * nf + f] + t_bar * d->moves[j];
      gradient[f * d->count + j] = functional->skipped ? 0 : change;
    }
  }
}

gradyn_status gradyn_idas_direct_run(gradyn_idas_direct *d, const gradyn_directions *directions,
                                     double *psi, double *gradient)
{
  gradyn_idas *march = d->march;
  double clock = gradyn_seconds();
  /* the staggered corrector tests the error of s itself */
  march->watch_rates = !march->options.staggered;
  march->monitors.run.derivatives = true;
  GRADYN_TRY(reserve(d, directions->count));
  d->directions = directions;
  march->observer = (gradyn_idas_observer){.what = "forward sensitivities",
                                           .run = d,
                                           .renew = hand_tolerances,
                                           .enter = enter,
                                           .open = open_arc,
                                           .step = directions->tangents ? record_step : NULL,
                                           .records = &along};
  const gradyn_status status = gradyn_idas_run(march, psi);
  if (status == GRADYN_OK)
    collect(d, gradient);
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return status;
}
