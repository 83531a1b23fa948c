/* The linear-quadratic regulator along a run: weights by names, the backward sweep, gains.
 *
 * With deviations w of independent states from the run and u of the inputs, w' = A w + B u, the cost
 *     integral of (w^T Q w + u^T R u) dt + w(end)^T Qf w(end)
 * has its minimum w^T P w at u = -K w, K = R^-1 B^T P, where P solves the Riccati equation (riccati.c)
 * backward along the nominal run (nominal.h). Weights are given by names of states. With the lift L from w to
 * all states, Q = L^T G G^T L. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/analyses/inputs.h"
#include "adjoint/analyses/riccati.h"
#include "adjoint/analyses/semidefinite.h"
#include "adjoint/evaluator/verify_callbacks.h"

/* LAPACK; the last argument is the length of the character argument. */
void dpotrf_(const char *triangle, const int *n, double *A, const int *lda, int *info,
             size_t triangle_length);

typedef struct regulation {
  gradyn_evaluator *ev;
  gradyn_model *model;
  const gradyn_regulator_spec *spec;
  gradyn_nominal *nominal; /* borrowed */
  gradyn_riccati *riccati; /* borrowed */
  int inputs;
  int *signal;    /* [inputs] */
  double *dx;     /* [inputs][nx] unit changes of whole signals */
  double *R;      /* [inputs][inputs] Cholesky factor */
  double *G, *Gf; /* [nz][rank] Q = G G^T on all states, Qf = Gf Gf^T */
  int rank, final_rank;
  double *P, *K;      /* [size][size], [inputs][size] */
  int *at;            /* [nz] indices of states in the result; -1: never independent */
  gradyn_arena arena; /* owns all arrays */
} regulation;

static gradyn_status no_memory(const regulation *s)
{
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a regulator");
}

/* --- weights ------------------------------------------------------------------------------------ */

/* Returns the name of differential state l. */
static void name_state(const regulation *s, int l, char *name, size_t size)
{
  s->model->ops->state_name(s->model, s->nominal->rates->position[l], name, size);
}

/* Returns the differential state with a name; -1: none. */
static int find_state(const regulation *s, const char *wanted)
{
  for (int l = 0; l < s->nominal->nz; l++) {
    char name[64];
    name_state(s, l, name, sizeof name);
    if (strcmp(name, wanted) == 0)
      return l;
  }
  return -1;
}

/* Returns the signal with a name; -1: none. */
static int find_signal(const regulation *s, const char *wanted)
{
  for (int k = 0; k < s->model->signal_count; k++)
    if (strcmp(s->model->signal[k].name, wanted) == 0)
      return k;
  return -1;
}

/* Finds the indices, position [count], of named states or signals. */
static gradyn_status find_names(const regulation *s, const gradyn_weights *w, bool signals,
                                int *position)
{
  for (size_t k = 0; k < w->count; k++) {
    const char *name = w->name[k] ? w->name[k] : "";
    position[k] = signals ? find_signal(s, name) : find_state(s, name);
    if (position[k] < 0)
      return gradyn_fail(&s->model->message, GRADYN_INVALID,
                         "%s '%.60s': the problem has none of this name",
                         signals ? "signal" : "differential state", name);
    for (size_t i = 0; i < k; i++)
      /* two rows of one state would be added */
      if (position[i] == position[k])
        return gradyn_fail(&s->model->message, GRADYN_INVALID, "'%.60s' has a weight twice", name);
  }
  return GRADYN_OK;
}

/* Sets G [nz][*rank] so that G G^T contains the weights of the named states. root [count][count], position
 * [count]: workspace. */
static gradyn_status spread_weights(const regulation *s, const gradyn_weights *w, double *root,
                                    int *position, double *G, int *rank)
{
  size_t count = w->count;
  const gradyn_semidefinite given = {"weight", w->name, (int)count, w->matrix};
  GRADYN_TRY(find_names(s, w, false, position));
  GRADYN_TRY(gradyn_semidefinite_root(&given, &s->model->message, root, rank));
  /* rows of other states remain zero */
  for (size_t k = 0; k < count; k++)
    for (int r = 0; r < *rank; r++)
      G[position[k] * *rank + r] = root[k * count + (size_t)r];
  return GRADYN_OK;
}

/* Takes the weights of states along the run and at its end. */
static gradyn_status take_state_weights(regulation *s)
{
  const gradyn_weights *Q = &s->spec->state, *Qf = &s->spec->final;
  size_t most = Q->count > Qf->count ? Q->count : Qf->count, nz = (size_t)s->nominal->nz;
  double *root = gradyn_arena_take(&s->arena, most * most + 1, sizeof *root);
  int *position = gradyn_arena_take(&s->arena, most + 1, sizeof *position);
  s->G = gradyn_arena_numbers(&s->arena, nz * Q->count + 1);
  s->Gf = gradyn_arena_numbers(&s->arena, nz * Qf->count + 1);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  GRADYN_TRY(spread_weights(s, Q, root, position, s->G, &s->rank));
  return spread_weights(s, Qf, root, position, s->Gf, &s->final_rank);
}

/* Factorises R = U^T U. */
static gradyn_status factorise_inputs(regulation *s)
{
  const gradyn_weights *w = &s->spec->input;
  const gradyn_semidefinite given = {"weight", w->name, s->inputs, w->matrix};
  int n = s->inputs, rank, info = 0;
  GRADYN_TRY(gradyn_semidefinite_root(&given, &s->model->message, s->R, &rank));
  memcpy(s->R, w->matrix, (size_t)n * (size_t)n * sizeof(double));
  dpotrf_("U", &n, s->R, &n, &info, 1);
  if (info != 0 || rank < n)
    return gradyn_fail(
        &s->model->message, GRADYN_INVALID,
        "the weights of the inputs must be positive definite: an input without cost has no bound");
  return GRADYN_OK;
}

/* Takes the signals with a weight: R = U^T U, and their directions dx. */
static gradyn_status take_inputs(regulation *s)
{
  size_t m = s->spec->input.count, nx = (size_t)s->model->nx;
  s->inputs = (int)m;
  s->signal = gradyn_arena_take(&s->arena, m + 1, sizeof *s->signal);
  s->dx = gradyn_arena_numbers(&s->arena, m * nx + 1);
  s->R = gradyn_arena_numbers(&s->arena, m * m + 1);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  if (m == 0)
    return gradyn_fail(&s->model->message, GRADYN_INVALID,
                       "no input has a weight; a regulator needs at least one");
  GRADYN_TRY(find_names(s, &s->spec->input, true, s->signal));
  for (size_t k = 0; k < m; k++) {
    /* B is the derivative by a uniform change of the signal */
    gradyn_signal_raise(&s->model->signal[s->signal[k]], s->dx + k * nx);
    const gradyn_input input = {"signal", s->model->signal[s->signal[k]].name, s->dx + k * nx};
    GRADYN_TRY(gradyn_input_check(s->nominal, &input));
  }
  return factorise_inputs(s);
}

/* --- result ------------------------------------------------------------------------------------- */

/* Lists the states that are independent in a chart. Returns their number. */
static size_t find_places(regulation *s)
{
  gradyn_nominal *c = s->nominal;
  size_t states = 0;
  for (int l = 0; l < c->nz; l++)
    s->at[l] = -1;
  for (int k = 0; k < (c->charts > 0 ? c->charts : 1); k++)
    for (int i = 0; i < gradyn_nominal_size(c, k); i++)
      s->at[gradyn_nominal_index(c, k, i)] = 0;
  for (int l = 0; l < c->nz; l++)
    if (s->at[l] == 0)
      s->at[l] = (int)states++;
  return states;
}

/* Allocates the arrays of the result, which the caller owns. */
static gradyn_status take_result(regulation *s, gradyn_regulator *out)
{
  const gradyn_nominal *c = s->nominal;
  /* x [n] and u [m], K [m][n] and P [n][n] of each row */
  size_t n = find_places(s), m = (size_t)s->inputs;
  for (int k = 0; k < c->count; k++)
    out->rows += c->node[k].reported;
  out->states = n;
  out->inputs = m;
  out->state = calloc(n + 1, sizeof *out->state);
  out->state_unit = calloc(n + 1, sizeof *out->state_unit);
  out->input = calloc(m + 1, sizeof *out->input);
  out->input_unit = calloc(m + 1, sizeof *out->input_unit);
  out->t = calloc(out->rows + 1, sizeof(double));
  out->x = calloc(out->rows * n + 1, sizeof(double));
  out->u = calloc(out->rows * m + 1, sizeof(double));
  out->gain = calloc(out->rows * n * m + 1, sizeof(double));
  out->cost = calloc(out->rows * n * n + 1, sizeof(double));
  return out->state && out->state_unit && out->input && out->input_unit && out->t && out->x &&
                 out->u && out->gain && out->cost
             ? GRADYN_OK
             : no_memory(s);
}

/* Sets names and units of states and inputs, as in trajectories. */
static void name_result(const regulation *s, gradyn_regulator *out)
{
  const gradyn_model *model = s->model;
  for (int l = 0; l < s->nominal->nz; l++)
    if (s->at[l] >= 0) {
      name_state(s, l, out->state[s->at[l]], sizeof *out->state);
      (void)snprintf(out->state_unit[s->at[l]], sizeof *out->state_unit, "%s",
                     model->ops->state_unit(model, s->nominal->rates->position[l]));
    }
  for (int k = 0; k < s->inputs; k++) {
    const gradyn_signal_info info = gradyn_signal_at(s->ev, (size_t)s->signal[k]);
    (void)snprintf(out->input[k], sizeof *out->input, "%s", info.name);
    (void)snprintf(out->input_unit[k], sizeof *out->input_unit, "%s", info.unit);
  }
}

/* Sets a row of the result at node k. */
static gradyn_status report(regulation *s, int k, size_t row, gradyn_regulator *out)
{
  gradyn_nominal *c = s->nominal;
  const gradyn_nominal_node *node = &c->node[k];
  const size_t n = out->states, m = out->inputs;
  const int size = gradyn_nominal_size(c, node->chart);
  GRADYN_TRY(gradyn_riccati_gain(s->riccati, k, s->P, s->K));
  out->t[row] = node->t;
  for (int l = 0; l < c->nz; l++)
    if (s->at[l] >= 0)
      out->x[row * n + (size_t)s->at[l]] = c->z[(size_t)k * (size_t)c->nz + (size_t)l];
  for (size_t j = 0; j < m; j++)
    /* nominal input; u is the deviation from it */
    out->u[row * m + j] = gradyn_signal_value(&s->model->signal[s->signal[j]], s->model->x, node->t,
                                              0);
  /* entries of states outside this node's chart remain zero */
  for (int i = 0; i < size; i++) {
    size_t a = (size_t)s->at[gradyn_nominal_index(c, node->chart, i)];
    for (size_t j = 0; j < m; j++)
      out->gain[(row * m + j) * n + a] = s->K[j * (size_t)size + (size_t)i];
    for (int j = 0; j < size; j++) {
      size_t b = (size_t)s->at[gradyn_nominal_index(c, node->chart, j)];
      out->cost[(row * n + a) * n + b] = s->P[i * size + j];
    }
  }
  return GRADYN_OK;
}

/* --- the sweep ---------------------------------------------------------------------------------- */

/* Sets P = L^T Qf L at the last node. */
static gradyn_status begin(regulation *s)
{
  gradyn_nominal *c = s->nominal;
  const int last = c->count - 1, r = s->final_rank;
  const int size = gradyn_nominal_size(c, c->node[last].chart);
  gradyn_nominal_enter(c, last);
  GRADYN_TRY(gradyn_nominal_lift(c, c->node[last].chart, c->node[last].t,
                                 c->z + (size_t)last * (size_t)c->nz));
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = 0;
      for (int k = 0; k < r; k++) {
        double a = 0, b = 0;
        for (int l = 0; l < c->nz; l++) {
          a += c->L[i * c->nz + l] * s->Gf[l * r + k];
          b += c->L[j * c->nz + l] * s->Gf[l * r + k];
        }
        sum += a * b;
      }
      s->P[i * size + j] = sum;
    }
  return GRADYN_OK;
}

/* Integrates from the last node to the first. */
static gradyn_status sweep(regulation *s, gradyn_regulator *out)
{
  gradyn_nominal *c = s->nominal;
  size_t row = out->rows; /* filled backward */
  GRADYN_TRY(begin(s));
  for (int k = c->count - 1; k >= 0; k--) {
    if (k + 1 < c->count)
      GRADYN_TRY(gradyn_riccati_back(s->riccati, k, s->P));
    if (c->node[k].reported)
      GRADYN_TRY(report(s, k, --row, out));
  }
  for (size_t i = 0; i < out->rows * out->states * out->states; i++)
    if (!isfinite(out->cost[i]))
      return gradyn_fail(&s->model->message, GRADYN_NON_FINITE, "the cost-to-go is not finite");
  return GRADYN_OK;
}

/* Runs, takes the weights, and integrates backward. */
static gradyn_status regulate(regulation *s, const double *rho, gradyn_regulator *out)
{
  const gradyn_regulator_spec *spec = s->spec;
  GRADYN_TRY(gradyn_nominal_create(s->ev, rho, spec->preferred_coordinates, spec->preferred_count,
                                   spec->samples, s->nominal));
  GRADYN_TRY(take_state_weights(s));
  GRADYN_TRY(take_inputs(s));
  const size_t size = (size_t)s->nominal->size;
  s->P = gradyn_arena_numbers(&s->arena, size * size + 1);
  s->K = gradyn_arena_numbers(&s->arena, size * (size_t)s->inputs + 1);
  s->at = gradyn_arena_take(&s->arena, (size_t)s->nominal->nz + 1, sizeof *s->at);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  GRADYN_TRY(gradyn_riccati_create(s->nominal, s->inputs, s->dx, s->rank, s->G, s->R, s->riccati));
  GRADYN_TRY(take_result(s, out));
  name_result(s, out);
  return sweep(s, out);
}

/* Returns whether weights are complete. */
static bool given(const gradyn_weights *w)
{
  return w->count == 0 || (w->count < 10000 && w->name && w->matrix);
}

gradyn_status gradyn_regulator_compute(gradyn_evaluator *ev, const double *rho,
                                       const gradyn_regulator_spec *spec, gradyn_regulator *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_regulator){0};
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, spec, "spec"));
  if (!given(&spec->state) || !given(&spec->final) || !given(&spec->input) ||
      (spec->preferred_count > 0 && !spec->preferred_coordinates))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "an array of spec is NULL");
  LOCAL(gradyn_nominal) nominal = {0};
  LOCAL(gradyn_riccati) riccati = {0};
  regulation s = {
      .ev = ev, .model = ev->model, .spec = spec, .nominal = &nominal, .riccati = &riccati};
  gradyn_status status = regulate(&s, rho, out);
  gradyn_arena_clear(&s.arena);
  return gradyn_evaluator_report(ev, gradyn_verify_callbacks_analysis(ev, status));
}

void gradyn_regulator_clear(gradyn_regulator *r)
{
  if (!r)
    return;
  double *array[] = {r->t, r->x, r->u, r->gain, r->cost};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(r->state);
  free(r->state_unit);
  free(r->input);
  free(r->input_unit);
  *r = (gradyn_regulator){0};
}
