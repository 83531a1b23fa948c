/* Periodic orbits by single shooting. With the state w at the start, the period T and the flow phi,
 *     phi(w, T) - w = 0,   f(w).(w - w of the step before) = 0 for a free period,
 * Newton's method has the matrix [M - 1, f(end); f(start)^T, 0]. The derivative of the orbit by data has the
 * same matrix. With a section, phi(w, tau(w)) - w = 0 determines the start on the orbit. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/analyses/disturbance.h"
#include "adjoint/evaluator/verify_callbacks.h"
#include "core/linear/norm.h"

/* LAPACK; the last arguments of dgeev are the lengths of its character arguments. */
void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);
void dgeev_(const char *left, const char *right, const int *n, double *A, const int *lda,
            double *re, double *im, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t left_length, size_t right_length);

enum { DEFAULT_ITERATIONS = 30 };

/* Tolerance of the last Newton step and of the gap, relative to the largest state. */
static const double near_enough = 1e-9;

/* --- transition matrices ------------------------------------------------------------------------ */

void gradyn_transition_clear(gradyn_transition *t)
{
  if (!t)
    return;
  free(t->name);
  free(t->start);
  free(t->matrix);
  *t = (gradyn_transition){0};
}

/* Sets the names of the disturbed states. */
static void name_states(const gradyn_disturbance *s, gradyn_transition *out)
{
  for (int i = 0; i < s->size; i++)
    s->model->ops->state_name(s->model, s->shown[s->position[i]], out->name[i], sizeof *out->name);
}

/* Sets start, end, monodromy matrix M and names. */
static gradyn_status hand_over(const gradyn_disturbance *s, gradyn_transition *out)
{
  size_t size = (size_t)s->size;
  out->name = calloc(size + 1, sizeof *out->name);
  out->start = calloc(2 * size + 1, sizeof(double));
  out->matrix = calloc(size * size + 1, sizeof(double));
  if (!out->name || !out->start || !out->matrix)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a matrix");
  out->size = size;
  out->end = out->start + size;
  memcpy(out->start, s->w, 2 * size * sizeof(double));
  memcpy(out->matrix, s->M, size * size * sizeof(double));
  name_states(s, out);
  return GRADYN_OK;
}

/* Clears a disturbance and reports a failure by the evaluator. */
static gradyn_status finish(gradyn_disturbance *s, gradyn_status status)
{
  if (status != GRADYN_OK)
    s->ev->message = s->model->message;
  status = gradyn_verify_callbacks_analysis(s->ev, status);
  gradyn_disturbance_clear(s);
  return gradyn_evaluator_report(s->ev, status);
}

/* Refuses missing arguments. */
static gradyn_status enter(gradyn_evaluator *ev, const double *rho, const void *wanted,
                           size_t count)
{
  return gradyn_evaluator_enter(ev, rho, count > 0 ? wanted : ev, "wanted");
}

gradyn_status gradyn_transition_compute(gradyn_evaluator *ev, const double rho[],
                                        const char *const wanted[], size_t wanted_count,
                                        gradyn_transition *out)
{
  gradyn_disturbance s;
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_transition){0};
  GRADYN_TRY(enter(ev, rho, wanted, wanted_count));
  const gradyn_disturbance_wish wish = {.wanted = wanted, .count = wanted_count};
  gradyn_status status = gradyn_disturbance_create(ev, rho, &wish, &s);
  if (status == GRADYN_OK)
    status = gradyn_disturbance_run(&s);
  if (status == GRADYN_OK)
    status = hand_over(&s, out);
  return finish(&s, status);
}

/* --- shooting ----------------------------------------------------------------------------------- */

typedef struct shooting {
  gradyn_disturbance *s;
  bool section;   /* the run ends at an event */
  int size, rows; /* size of w; plus 1 for a free period */
  double *A, *b;  /* [rows][rows] by columns, [columns][rows] */
  int *pivot;
  double *work;          /* [8 rows + rows^2] */
  char sequence[2][160]; /* events of the run before, and of the last run */
  gradyn_arena arena;    /* owns all arrays */
} shooting;

/* Allocates memory for Newton's method, with one more row if the period is free, and with `columns` right
 * sides. */
static gradyn_status create_shooting(gradyn_disturbance *s, bool free_period, int columns,
                                     shooting *h)
{
  size_t rows = (size_t)s->size + free_period;
  h->s = s;
  h->size = s->size;
  h->rows = (int)rows;
  h->A = gradyn_arena_numbers(&h->arena, rows * rows + 1);
  h->b = gradyn_arena_numbers(&h->arena, rows * ((size_t)columns + 1));
  h->pivot = gradyn_arena_take(&h->arena, rows + 1, sizeof(int));
  h->work = gradyn_arena_numbers(&h->arena, 8 * rows + rows * rows + 1);
  if (gradyn_arena_status(&h->arena) == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for an orbit");
}

/* Solves [M - 1, dw(end)/dT; f(start)^T, 0] x = b for columns of b [columns][rows], in place. */
static gradyn_status solve(shooting *h, int columns)
{
  const gradyn_disturbance *s = h->s;
  int size = h->size, rows = h->rows, info = 0;
  /* LAPACK's matrices are column-major */
  memset(h->A, 0, (size_t)rows * (size_t)rows * sizeof(double));
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      h->A[j * rows + i] = s->M[i * size + j] - (i == j); /* M - 1 */
  for (int i = 0; i < size && rows > size; i++) {
    h->A[size * rows + i] = s->by_time[i];
    h->A[i * rows + size] = s->f[i];
  }
  dgesv_(&rows, &columns, h->A, &rows, h->pivot, h->b, &rows, &info);
  if (info == 0)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_SINGULAR,
                     "the orbit is not isolated: a disturbance returns unchanged%s",
                     rows > size ? "" : ", as in an autonomous motion");
}

/* Returns the gap of the last run relative to the largest state. */
static double gap_of(const gradyn_disturbance *s)
{
  double most = 0;
  for (int i = 0; i < s->size; i++)
    most = fmax(most, fabs(s->w[s->size + i] - s->w[i]));
  return most / gradyn_largest(s->w, s->size);
}

/* Stores the names of the events of the last run. */
static void note_sequence(shooting *h)
{
  const gradyn_model *model = h->s->model;
  size_t used = 0, capacity = sizeof h->sequence[1];
  memcpy(h->sequence[0], h->sequence[1], capacity);
  *h->sequence[1] = '\0';
  for (int k = 0; k < model->log.count && used + 8 < capacity; k++)
    used += (size_t)snprintf(h->sequence[1] + used, capacity - used, "%s%s", k ? ", " : "",
                             used + 80 < capacity ? model->log.record[k].name : "...");
  if (model->log.count == 0)
    snprintf(h->sequence[1], capacity, "none");
}

/* Runs one period and stores its sequence of events. */
static gradyn_status run(shooting *h)
{
  GRADYN_TRY(gradyn_disturbance_run(h->s));
  note_sequence(h);
  return GRADYN_OK;
}

/* Takes a Newton step, halved while the run fails or the gap grows. *length: length of the full step relative
 * to the largest state or the period. */
static gradyn_status step(shooting *h, double *length)
{
  enum { HALVINGS = 8 };
  gradyn_disturbance *s = h->s;
  int size = h->size, t_end = s->model->t_end;
  double period = s->x[t_end], gap = gap_of(s), largest = gradyn_largest(s->w, size);
  for (int i = 0; i < h->rows; i++)
    h->b[i] = i < size ? s->w[i] - s->w[size + i] : 0;
  GRADYN_TRY(solve(h, 1));
  double change = h->rows > size ? h->b[size] / period : 0;
  *length = fmax(gradyn_largest(h->b, size) / largest, fabs(change));
  if (!isfinite(*length))
    return gradyn_fail(&s->model->message, GRADYN_NOT_CONVERGED,
                       "the search for an orbit diverged: a number is not finite");
  gradyn_disturbance_aim(s, h->b);
  /* a step changes the period by at most half */
  double share = fabs(change) > 0.5 ? 0.5 / fabs(change) : 1;
  gradyn_status status = GRADYN_OK;
  for (int half = 0; half < HALVINGS; half++, share /= 2) {
    gradyn_disturbance_move(s, share);
    s->x[t_end] = period * (1 + share * change);
    status = run(h);
    if (status == GRADYN_INTERRUPTED || status == GRADYN_NO_MEMORY)
      return status;
    if (status == GRADYN_OK && (gap_of(s) < fmax(2 * gap, near_enough)))
      return GRADYN_OK;
  }
  return status;
}

/* Reports possible reasons if no orbit was found. */
static gradyn_status give_up(const shooting *h, const gradyn_orbit *out, double length)
{
  gradyn_message *message = &h->s->model->message;
  gradyn_fail(message, GRADYN_NOT_CONVERGED,
              "orbit: not found in %d iterations; the gap is %.2g of the state, the last step "
              "%.2g. Start closer to the orbit",
              out->iterations, out->gap, length);
  if (h->s->model->event_count > 0 && strcmp(h->sequence[0], h->sequence[1]) != 0)
    gradyn_message_add(message, "in the last iteration the event sequence changed from %s to %s",
                       h->sequence[0], h->sequence[1]);
  if (h->s->model->event_count > 0 && !h->section)
    gradyn_message_add(message, "if the orbit begins immediately after an event, name this event "
                                "as the section");
  return GRADYN_NOT_CONVERGED;
}

/* Applies Newton's method until both the step and the gap are small. */
static gradyn_status iterate(shooting *h, int most, gradyn_orbit *out)
{
  double length = 1;
  GRADYN_TRY(run(h));
  for (;;) {
    GRADYN_TRY(step(h, &length));
    out->iterations++;
    out->gap = gap_of(h->s);
    if (length < near_enough && out->gap < near_enough)
      return GRADYN_OK;
    if (out->iterations >= most)
      return give_up(h, out, length);
  }
}

/* --- properties of an orbit ----------------------------------------------------------------------- */

/* Computes the Floquet multipliers, the eigenvalues of M. */
static gradyn_status find_multipliers(shooting *h, gradyn_orbit *out)
{
  int n = h->size, one = 1, lwork = 6 * h->rows, info = 0;
  double *re = h->work, *im = re + h->rows, *work = im + h->rows, *A = work + lwork;
  memcpy(A, h->s->M, (size_t)n * (size_t)n * sizeof(double)); /* M^T has the same eigenvalues */
  dgeev_("N", "N", &n, A, &n, re, im, NULL, &one, NULL, &one, work, &lwork, &info, 1, 1);
  if (info != 0)
    return gradyn_fail(&h->s->model->message, GRADYN_NOT_CONVERGED,
                       "no eigenvalues of the monodromy matrix were found");
  for (int k = 0; k < n; k++) { /* largest first */
    int at = k;
    double size = hypot(re[k], im[k]), a = re[k], b = im[k];
    while (at > 0 && hypot(out->multiplier[2 * at - 2], out->multiplier[2 * at - 1]) < size) {
      memcpy(out->multiplier + 2 * at, out->multiplier + 2 * at - 2, 2 * sizeof(double));
      at--;
    }
    out->multiplier[2 * at] = a;
    out->multiplier[2 * at + 1] = b;
  }
  return GRADYN_OK;
}

/* Solves (M - 1) dw + f dT = -dw(end), with dw(end) at a fixed start, for all parameters. */
static gradyn_status differentiate(shooting *h, int p, gradyn_orbit *out)
{
  gradyn_disturbance *s = h->s;
  gradyn_evaluator *ev = s->ev;
  size_t nx = (size_t)s->model->nx;
  /* full columns of dx/drho; a free period is an unknown, not a datum */
  double *dx = gradyn_arena_numbers(&h->arena, (size_t)p * nx);
  int each = 1 + h->size; /* return time, then w */
  double *b = gradyn_arena_numbers(&h->arena, (size_t)p * (size_t)each);
  GRADYN_TRY(gradyn_arena_status(&h->arena));
  GRADYN_TRY(gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho));
  for (int j = 0; j < p; j++) {
    const gradyn_directions *D = &ev->by_rho;
    for (int k = D->start[j]; k < D->start[j + 1]; k++)
      dx[(size_t)j * nx + (size_t)D->index[k]] = D->value[k];
    if (h->rows > h->size || h->section)
      dx[(size_t)j * nx + (size_t)s->model->t_end] = 0;
  }
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_disturbance_by_data(s, p, dx, b));
  for (int j = 0; j < p; j++)
    for (int i = 0; i < h->rows; i++)
      h->b[j * h->rows + i] = i < h->size ? -b[j * each + 1 + i] : 0;
  if (p > 0)
    GRADYN_TRY(solve(h, p));
  for (int j = 0; j < p; j++) {
    for (int i = 0; i < h->size; i++)
      out->start_slope[i * p + j] = h->b[j * h->rows + i];
    /* a fixed period changes only if it depends on parameters */
    double slope = h->rows > h->size ? h->b[j * h->rows + h->size]
                                     : dx[(size_t)j * nx + (size_t)s->model->t_end];
    if (h->section) /* derivative of the event's time by data and start */
      slope = b[j * each] + gradyn_dot(s->return_slope, h->b + j * h->rows, h->size);
    out->period_slope[j] = slope;
  }
  return GRADYN_OK;
}

/* Subtracts from M the effect of the time of the event. With a section, M is the derivative at the event,
 * whose time changes with w. The derivative at a fixed time, as for other orbits, is M - f (dt/dw)^T. */
static void leave_section(shooting *h)
{
  const gradyn_disturbance *s = h->s;
  for (int i = 0; i < h->size; i++)
    for (int j = 0; j < h->size; j++)
      s->M[i * h->size + j] -= s->f[i] * s->return_slope[j];
}

/* Lists the events of one period, with names of the evaluator's model. */
static gradyn_status list_events(const shooting *h, gradyn_orbit *out)
{
  const gradyn_model *model = h->s->model;
  out->event = calloc((size_t)model->log.count + 1, sizeof *out->event);
  if (!out->event)
    return GRADYN_NO_MEMORY;
  for (int k = 0; k < model->log.count && model->log.record[k].t <= out->period; k++) {
    gradyn_event_record *e = &out->event[out->event_count++];
    *e = gradyn_event_record_public(model->log.record[k]);
    e->name = h->s->ev->model->event[model->log.record[k].event].name;
  }
  return GRADYN_OK;
}

/* Sets the properties of an orbit. */
static gradyn_status describe(shooting *h, int p, gradyn_orbit *out)
{
  size_t size = (size_t)h->size, columns = (size_t)p;
  out->period = h->section ? h->s->return_time : h->s->x[h->s->model->t_end];
  out->multiplier = calloc(2 * size + 1, sizeof(double));
  out->start_slope = calloc(size * columns + 1, sizeof(double));
  out->period_slope = calloc(columns + 1, sizeof(double));
  if (!out->multiplier || !out->start_slope || !out->period_slope)
    return gradyn_fail(&h->s->model->message, GRADYN_NO_MEMORY, "out of memory for an orbit");
  GRADYN_TRY(list_events(h, out));
  GRADYN_TRY(differentiate(h, p, out));
  if (h->section)
    leave_section(h);
  GRADYN_TRY(hand_over(h->s, &out->transition));
  return find_multipliers(h, out);
}

/* Finds the orbit and its properties. */
static gradyn_status shoot(shooting *h, gradyn_disturbance *s, const gradyn_orbit_spec *spec, int p,
                           gradyn_orbit *out)
{
  GRADYN_TRY(create_shooting(s, !spec->fixed_period && !h->section, p, h));
  GRADYN_TRY(iterate(h, spec->max_iterations > 0 ? spec->max_iterations : DEFAULT_ITERATIONS, out));
  return describe(h, p, out);
}

gradyn_status gradyn_orbit_compute(gradyn_evaluator *ev, const double rho[],
                                   const gradyn_orbit_spec *spec, gradyn_orbit *out)
{
  const gradyn_orbit_spec plain = {0};
  gradyn_disturbance s;
  shooting h = {0};
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_orbit){0};
  spec = spec ? spec : &plain;
  GRADYN_TRY(enter(ev, rho, spec->preferred_coordinates, spec->preferred_count));
  int p = (int)gradyn_parameter_count(ev);
  const gradyn_disturbance_wish wish = {spec->preferred_coordinates, spec->preferred_count,
                                        spec->section, spec->returns};
  /* with a section, the run ends at an event instead of after the period */
  h.section = spec->section != NULL;
  gradyn_status status = gradyn_disturbance_create(ev, rho, &wish, &s);
  if (status == GRADYN_OK)
    status = shoot(&h, &s, spec, p, out);
  gradyn_arena_clear(&h.arena);
  return finish(&s, status);
}

void gradyn_orbit_clear(gradyn_orbit *orbit)
{
  if (!orbit)
    return;
  gradyn_transition_clear(&orbit->transition);
  free(orbit->event);
  free(orbit->multiplier);
  free(orbit->start_slope);
  free(orbit->period_slope);
  *orbit = (gradyn_orbit){0};
}
