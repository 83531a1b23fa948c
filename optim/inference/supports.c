/* Finds the optimal weights of all candidates, then weights and times of the supports, which are the
 * candidates with a weight.
 *
 * Times are found in rounds. A round evaluates derivatives of measures at five times around each support, h
 * apart, in one run. The polynomial through these values gives derivatives by time with an error of about
 * h^4. The distance h falls until times stay. */
#include "optim/inference/supports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances of nodes over the distance of candidates: in the first round, and the smallest. The error of
 * slopes is 1e-8 if a measure changes by a factor e between candidates. */
static const double first_distance = 0.25, least_distance = 1.0 / 64;
/* Least distance of nodes over the range of times. At smaller distances, differences between nodes are
 * errors of the runs. */
static const double closest_nodes = 1e-6;
/* At the smallest distance of nodes, the moves end if no time changes by more than this part of it. */
static const double no_move = 0.01;
/* A candidate joins the support again if its gain exceeds the mean gain by more than this part. */
static const double excess = 1e-7;
enum { MOST_ROUNDS = 30, MOST_PASSES = 6 };

gradyn_status gradyn_designing_fail(gradyn_designing *s, gradyn_status status)
{
  return status == GRADYN_NO_MEMORY
             ? gradyn_fail(&s->ev->message, status, "out of memory for an experiment")
         : status == GRADYN_NOT_CONVERGED
             ? gradyn_fail(&s->ev->message, status, "experiment: its eigenvalues were not found")
             : status;
}

/* Creates the design of all candidates, with memory for supports. */
static gradyn_status make_design(gradyn_designing *s)
{
  gradyn_information *information = &s->information;
  GRADYN_TRY(gradyn_designing_fail(
      s, gradyn_information_find(s->from, s->N, &s->arena, information, s->out)));
  if (information->m == 0)
    return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                       "experiment: no candidate determines a parameter that is free");
  double *prior = gradyn_arena_numbers(&s->arena, information->m * information->m);
  for (size_t i = 0; prior && i < information->m * information->m; i++)
    prior[i] = information->prior[i] / s->N;
  const size_t count = s->from->count;
  s->all.prior = s->design.prior = prior;
  s->all.C = s->design.C = s->spec->criterion == GRADYN_EXPERIMENT_A ? information->C : NULL;
  s->all.point = gradyn_arena_take(&s->arena, 2 * count, sizeof *s->all.point);
  s->design.point = gradyn_arena_take(&s->arena, 2 * count, sizeof *s->design.point);
  s->support = gradyn_arena_take(&s->arena, 2 * count, sizeof *s->support);
  gradyn_design_create(&s->all, information->m, &s->arena);
  gradyn_design_create(&s->design, information->m, &s->arena);
  s->all.count = count;
  for (size_t k = 0; k < count && gradyn_arena_status(&s->arena) == GRADYN_OK; k++)
    s->all.point[k] = (gradyn_design_point){
        .a = gradyn_information_turn(information, s->from->at[k].a, &s->arena),
        .b = gradyn_information_turn(information, s->from->at[k].b, &s->arena)};
  return gradyn_designing_fail(s, gradyn_arena_status(&s->arena));
}

/* --- supports --------------------------------------------------------------------------------- */

/* Candidate k as a support, which may move between the first and the last time of its fit. */
static gradyn_support support_at(const gradyn_designing *s, size_t k)
{
  const gradyn_candidate *at = s->from->at;
  const size_t count = s->from->count, fit = at[k].fit;
  size_t first = k, last = k, of = 0;
  while (first > 0 && at[first - 1].fit == fit)
    first--;
  while (last + 1 < count && at[last + 1].fit == fit)
    last++;
  while (s->data.fit[of].index != fit)
    of++;
  const double left = k > first ? at[k].time - at[k - 1].time : 0,
               right = k < last ? at[k + 1].time - at[k].time : 0;
  return (gradyn_support){.fit = of,
                          .t = at[k].time,
                          .lower = at[first].time,
                          .upper = at[last].time,
                          .distance = s->spec->fixed_times ? 0 : fmax(left, right)};
}

/* Makes supports of the candidates and earlier supports that have a weight. */
static void take_supports(gradyn_designing *s)
{
  const size_t candidates = s->from->count, before = s->count;
  gradyn_support *earlier = s->support + candidates; /* copy of the supports so far */
  memmove(earlier, s->support, before * sizeof *earlier);
  s->count = 0;
  for (size_t k = 0; k < s->all.count; k++) {
    if (!(s->all.point[k].w > 0))
      continue;
    s->support[s->count] = k < candidates ? support_at(s, k) : earlier[k - candidates];
    s->support[s->count++].w = s->all.point[k].w;
  }
}

static int compare_supports(const void *a, const void *b)
{
  const gradyn_support *x = a, *y = b;
  return x->fit != y->fit ? (x->fit > y->fit) - (x->fit < y->fit) : (x->t > y->t) - (x->t < y->t);
}

/* Sorts supports by fit and time. Unites two that have met: their distance is less than a part of the
 * distance of nodes. */
static void unite(gradyn_designing *s)
{
  size_t count = 0;
  qsort(s->support, s->count, sizeof *s->support, compare_supports);
  for (size_t k = 0; k < s->count; k++) {
    const gradyn_support *next = &s->support[k];
    gradyn_support *last = count > 0 ? &s->support[count - 1] : NULL;
    if (last && last->fit == next->fit && next->t - last->t <= no_move * last->h) {
      last->t = (last->w * last->t + next->w * next->t) / (last->w + next->w);
      last->w += next->w;
    } else if (next->w > 0) {
      s->support[count++] = *next;
    }
  }
  s->count = count;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* A node of a support: its time. */
typedef struct node {
  size_t fit, support, index; /* index: from 0 among the nodes of the gradyn_support */
  double t;
} node;

static int compare_nodes(const void *a, const void *b)
{
  const node *x = a, *y = b;
  return x->fit != y->fit ? (x->fit > y->fit) - (x->fit < y->fit) : (x->t > y->t) - (x->t < y->t);
}

/* Time of the middle node; all nodes are within the bounds. */
static double middle(const gradyn_support *p)
{
  return fmin(fmax(p->t, p->lower + 2 * p->h), p->upper - 2 * p->h);
}

static size_t nodes_of(const gradyn_support *p)
{
  return p->distance > 0 ? GRADYN_DESIGN_NODES : 1;
}

/* All nodes, sorted as the candidates of a run. */
static size_t fill_nodes(gradyn_designing *s, node all[], gradyn_fit_times of[])
{
  size_t count = 0;
  for (size_t k = 0; k < s->count; k++)
    for (size_t i = 0; i < nodes_of(&s->support[k]); i++) {
      const gradyn_support *p = &s->support[k];
      const double t = p->distance > 0 ? middle(p) + ((double)i - 2) * p->h : p->t;
      all[count++] = (node){p->fit, k, i, t};
    }
  qsort(all, count, sizeof *all, compare_nodes);
  double *t = gradyn_arena_numbers(&s->round, count);
  for (size_t i = 0; i < count && t; i++)
    t[i] = all[i].t;
  for (size_t k = 0, first = 0; k < s->data.fits; k++) {
    const gradyn_candidate_fit *fit = &s->data.fit[k];
    of[k] = (gradyn_fit_times){fit->name, fit->row, t ? t + first : NULL, 0};
    while (first < count && all[first].fit == k) {
      first++;
      of[k].count++;
    }
  }
  return count;
}

/* Evaluates all nodes in one run, and makes the design of the supports from them. */
static gradyn_status evaluate_nodes(gradyn_designing *s)
{
  const size_t most = GRADYN_DESIGN_NODES * s->count, m = s->information.m;
  gradyn_arena_clear(&s->round);
  gradyn_candidate_set_clear(&s->nodes);
  node *all = gradyn_arena_take(&s->round, most, sizeof *all);
  gradyn_fit_times *of = gradyn_arena_take(&s->round, s->data.fits, sizeof *of);
  double *rows = gradyn_arena_numbers(&s->round, (most + s->count + 2) * m),
         *unused = rows ? rows + (most + s->count) * m : NULL;
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->round)));
  const size_t count = fill_nodes(s, all, of);
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->round)));
  const gradyn_candidate_times times = {of, s->data.fits};
  GRADYN_TRY(gradyn_candidates_compute(s->ev, s->search, s->rho, &times, &s->nodes));
  for (size_t k = 0; k < s->count; k++) {
    const gradyn_support *p = &s->support[k];
    double *a = rows + k * m, *own = rows + (s->count + GRADYN_DESIGN_NODES * k) * m;
    s->design.point[k] = (gradyn_design_point){
        .w = p->w, .a = a, .lower = -2, .upper = 2, .node = p->distance > 0 ? own : NULL};
    s->design.point[k].s = p->distance > 0 ? (p->t - middle(p)) / p->h : 0;
  }
  for (size_t i = 0; i < count; i++) {
    gradyn_design_point *p = &s->design.point[all[i].support];
    const double *a = gradyn_information_turn(&s->information, s->nodes.at[i].a, &s->round);
    p->b = gradyn_information_turn(&s->information, s->nodes.at[i].b, &s->round);
    GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->round)));
    double *row = rows + (s->count + GRADYN_DESIGN_NODES * all[i].support + all[i].index) * m;
    memcpy(p->node ? row : p->a, a, m * sizeof *a);
  }
  s->design.count = s->count;
  for (size_t k = 0; k < s->count; k++)
    if (s->design.point[k].node)
      gradyn_design_interpolate(&s->design.point[k], m, s->design.point[k].a, unused, unused + m);
  return GRADYN_OK;
}

/* Moves supports by the polynomials. Returns the largest change of a time in distances of nodes; 1: a support
 * has lost its weight. */
static double apply(gradyn_designing *s, const double before[])
{
  double largest = 0;
  for (size_t k = 0; k < s->count; k++) {
    const gradyn_design_point *p = &s->design.point[k];
    const double change = p->node ? p->s - before[k] : 0;
    s->support[k].t += change * s->support[k].h;
    s->support[k].w = p->w;
    largest = fmax(largest, p->w > 0 ? fabs(change) : 1);
  }
  return largest;
}

/* Reduces the distances of nodes. Returns whether all were the smallest ones already. */
static bool approach(gradyn_designing *s)
{
  bool all = true;
  for (size_t k = 0; k < s->count; k++) {
    gradyn_support *p = &s->support[k];
    const double least = fmax(least_distance * p->distance, closest_nodes * (p->upper - p->lower));
    if (!(p->distance > 0))
      continue;
    all = all && p->h <= least;
    p->h = fmin(p->h, fmax(p->h / 4, least));
  }
  return all;
}

/* Checks whether the last moves have made the design worse, because polynomials are not exact there. If so,
 * takes the moves back and reduces the distances of nodes. If these are the smallest ones already, for
 * example at an event, the times stay. */
static gradyn_status check_moves(gradyn_designing *s, const gradyn_support kept[], size_t count,
                                 double f)
{
  if (!gradyn_design_evaluate(&s->design))
    return gradyn_designing_fail(s, GRADYN_NOT_CONVERGED);
  if (s->design.f <= f + excess * gradyn_design_mean(&s->design))
    return GRADYN_OK;
  memcpy(s->support, kept, count * sizeof *kept);
  s->count = count;
  const bool last = approach(s);
  for (size_t k = 0; k < count && last; k++)
    s->support[k].distance = 0;
  return evaluate_nodes(s);
}

/* Moves the times of the supports in rounds with nodes of decreasing distance, until they hardly move. */
static gradyn_status move_supports(gradyn_designing *s)
{
  double f = HUGE_VAL, *before = gradyn_arena_numbers(&s->arena, s->count);
  gradyn_support *kept = gradyn_arena_take(&s->arena, s->count, sizeof *kept);
  size_t count = s->count;
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->arena)));
  for (size_t k = 0; k < s->count; k++) {
    gradyn_support *p = &s->support[k];
    p->h = fmin(first_distance * p->distance, (p->upper - p->lower) / 4);
  }
  for (int round = 0; round < MOST_ROUNDS; round++) {
    unite(s);
    GRADYN_TRY(evaluate_nodes(s));
    GRADYN_TRY(check_moves(s, kept, count, f));
    count = s->count;
    memcpy(kept, s->support, count * sizeof *kept);
    for (size_t k = 0; k < count; k++)
      before[k] = s->design.point[k].s;
    GRADYN_TRY(gradyn_designing_fail(s, gradyn_design_evaluate(&s->design) ? GRADYN_OK
                                                                           : GRADYN_NOT_CONVERGED));
    f = s->design.f;
    GRADYN_TRY(gradyn_designing_fail(s, gradyn_design_move(&s->design)));
    const double largest = apply(s, before);
    if (largest < 1 && approach(s) && largest <= no_move)
      return GRADYN_OK;
  }
  return GRADYN_OK;
}

/* --- passes ----------------------------------------------------------------------------------- */

/* Largest excess of the gain of a candidate, a support or a node over the mean gain. */
static double gap_of(const gradyn_designing *s)
{
  const double mean = gradyn_design_mean(&s->design);
  double most = 0;
  for (size_t k = 0; k < s->from->count; k++)
    most = fmax(most, gradyn_design_gain(&s->design, &s->all.point[k]));
  for (size_t k = 0; k < s->count; k++) {
    gradyn_design_point p = s->design.point[k];
    most = fmax(most, gradyn_design_gain(&s->design, &p));
    for (size_t i = 0; p.node && i < GRADYN_DESIGN_NODES; i++) {
      p.a = (double *)p.node + i * s->information.m;
      most = fmax(most, gradyn_design_gain(&s->design, &p));
    }
  }
  return fmax(most / mean - 1, 0);
}

/* Weighs candidates and supports together. *better: the supports alone are not the best. */
static gradyn_status join(gradyn_designing *s, bool *better)
{
  const size_t m = s->information.m, candidates = s->from->count;
  for (size_t k = 0; k < s->count; k++) {
    const gradyn_design_point *p = &s->design.point[k];
    double *a = gradyn_arena_numbers(&s->arena, 2 * m);
    GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->arena)));
    memcpy(a, p->a, m * sizeof *a);
    if (p->b)
      memcpy(a + m, p->b, m * sizeof *a);
    s->all.point[candidates + k] = (gradyn_design_point){.a = a, .b = p->b ? a + m : NULL};
  }
  s->all.count = candidates + s->count;
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_design_weigh(&s->all)));
  *better = s->all.f < s->design.f;
  return GRADYN_OK;
}

/* Finds the supports: first of all candidates, then of the moved supports and the candidates that gain
 * beside them. */
gradyn_status gradyn_supports_find(gradyn_designing *s)
{
  GRADYN_TRY(make_design(s));
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_design_weigh(&s->all)));
  take_supports(s);
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    bool better = false;
    GRADYN_TRY(move_supports(s));
    s->out->gap = gap_of(s);
    if (s->out->gap > excess && s->count <= s->from->count)
      GRADYN_TRY(join(s, &better));
    if (!better)
      return GRADYN_OK;
    take_supports(s);
  }
  return GRADYN_OK;
}
