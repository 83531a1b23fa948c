/* Campaign: random mechanisms in random numbers of segments, by `explicit` or `radau` at rtol 1e-11. With
 * all defects zero, values and gradients must equal those of the undivided run. The tolerance is 1e-9 times
 * its growth: the factor from a change of an unknown at a boundary to another unknown or a functional. Of
 * six models, two have events, one is a tree in natural or joint coordinates, and one consists of general
 * equations with events. Boundaries are at equal distances, at random times, at knots or between events.
 * Their states are those of a simulation, or of a file that it has written. One of four models is then
 * divided at other times, near the motion in segments. Path constraints are enforced at random times, at
 * boundaries and on both sides of events; functionals have given times and maxima. Refused models are
 * counted (with TELL in the environment: printed), and those with defects printed. Exit status 1: a value
 * or derivative differs by more. */
#include "tests/campaigns/campaign.h"
#include "tests/declare.h"
#include "tests/drawn/equations_draw.h"
#include "tests/drawn/hybrid_draw.h"
#include "tests/drawn/mechanisms.h"
#include "tests/mbs/tree/drawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adjoint/gradient/gradient.h"
#include "adjoint/gradient/limited.h"
#include "optim/segments/segments.h"
#include "tests/runs.h"
#include "tests/random.h"

enum { MOST_FUNCTIONALS = 40, PASSES = 60, ROWS = 5, MOST_ROWS = ROWS + 4 };

static const double rtol = 1e-11, allowed = 1e-9;

/* LAPACK: A x = b. */
void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

typedef enum outcome { SAME, REFUSED, FAILED, OPEN, APART, OUTCOMES } outcome;

/* The model, the boundaries of its segments, and the search settings. */
typedef struct draught {
  gradyn_problem problem;
  gradyn_setting_choice setting;
  int settings;
  double at[MECHANISM_PARAMETERS];
  gradyn_search how;
  const char *method;
  /* number of segments of a second division, which starts from the first; 0: none */
  long again;
  gradyn_limit_at row[MOST_ROWS]; /* limits, if there are any */
  size_t rows;
  char times[160], file[64]; /* of how */
} draught;

typedef struct comparison {
  gradyn_segments segments;
  size_t rows; /* number of sampled path constraints, which follow the functionals */
  double *psi, *gradient, *chained; /* [rows], [rows][columns], [f][p] */
  double growth[MOST_FUNCTIONALS];
  double error; /* largest ratio of difference and tolerance */
  char text[300];
} comparison;

/* Number of compared values: functionals, then sampled path constraints. In an evaluation they follow the
 * defects. */
static size_t compared(const comparison *c)
{
  return c->segments.f + c->rows;
}

static size_t place_of(const comparison *c, size_t f)
{
  const gradyn_segments *s = &c->segments;
  return f < s->f ? f : s->objective.functional_count + f - s->f;
}

/* Reduces the defects to zero: each boundary state is set to the final state of the segment before. Returns
 * false if this does not converge. */
static bool close_gaps(comparison *c)
{
  gradyn_segments *s = &c->segments;
  const size_t n = (s->count - 1) * s->states;
  double before = HUGE_VAL;
  for (int pass = 0; pass < PASSES; pass++) {
    double open = 0;
    if (s->objective.evaluate(s, true, s->start, c->psi, NULL) != GRADYN_OK)
      return false;
    for (size_t l = 0; l < n; l++) {
      const double size = s->objective.parameters[s->p + l].scale;
      open = fmax(open, fabs(c->psi[s->f + l]) / fmax(size, 1e-300));
      s->start[s->p + l] += c->psi[s->f + l];
    }
    if (open < 1e-13 || (open < 1e-10 && open >= before))
      return true;
    before = open;
  }
  return false;
}

/* Gradients of the undivided run, psi_rho - psi_w (gap_w)^-1 gap_rho, and the growth |psi_w (gap_w)^-1| in
 * units of the scales. */
static bool chain(comparison *c)
{
  const gradyn_segments *s = &c->segments;
  const size_t columns = s->objective.parameter_count, n = (s->count - 1) * s->states, p = s->p,
               wide = p + n;
  double *A = calloc(n * (n + wide) + 1, sizeof *A), *b = A + n * n;
  int *pivot = calloc(n + 1, sizeof *pivot), info = -1;
  const int size = (int)n, lead = size > 0 ? size : 1, right = (int)wide;
  if (A != NULL && pivot != NULL) {
    for (size_t i = 0; i < n; i++) { /* by columns */
      const double *row = c->gradient + (s->f + i) * columns;
      for (size_t l = 0; l < n; l++)
        A[l * n + i] = row[p + l];
      for (size_t j = 0; j < p; j++)
        b[j * n + i] = row[j];
      b[(p + i) * n + i] = 1;
    }
    dgesv_(&size, &right, A, &lead, pivot, b, &lead, &info);
  }
  for (size_t f = 0; f < compared(c) && info == 0; f++) {
    const double *row = c->gradient + place_of(c, f) * columns;
    c->growth[f] = 1;
    for (size_t j = 0; j < wide; j++) {
      double sum = 0;
      for (size_t l = 0; l < n; l++)
        sum += row[p + l] * b[j * n + l];
      if (j < p)
        c->chained[f * p + j] = row[j] - sum;
      else /* growth from a defect to a functional, relative to the functional's value */
        c->growth[f] = fmax(c->growth[f], fabs(sum) * s->objective.parameters[j].scale /
                                              fmax(fabs(c->psi[place_of(c, f)]), 1e-300));
    }
  }
  /* between cuts */
  double most = 1;
  for (size_t j = 0; j < n && info == 0; j++)
    for (size_t l = 0; l < n; l++)
      most = fmax(most, fabs(b[(p + j) * n + l]) * s->objective.parameters[p + j].scale /
                            fmax(s->objective.parameters[p + l].scale, 1e-300));
  for (size_t f = 0; f < compared(c); f++)
    c->growth[f] = fmax(c->growth[f], most);
  free(A);
  free(pivot);
  return info == 0;
}

/* Returns the largest ratio of difference and tolerance, and writes its name. */
static double judge(comparison *c, const gradyn_evaluator *ev, const double whole[],
                    const double slope[])
{
  const gradyn_segments *s = &c->segments;
  double worst = 0;
  for (size_t f = 0; f < compared(c); f++) {
    double most = fmax(fabs(whole[f]), 1e-6);
    if (f < s->f && s->functionals[f].use == GRADYN_PATH_CONSTRAINT) /* its rows stand for it */
      continue;
    for (size_t j = 0; j < s->p; j++)
      most = fmax(most, fabs(slope[f * s->p + j]));
    for (size_t j = 0; j <= s->p; j++) {
      const double a = j == 0 ? c->psi[place_of(c, f)] : c->chained[f * s->p + j - 1],
                   b = j == 0 ? whole[f] : slope[f * s->p + j - 1];
      const double error = fabs(a - b) / (allowed * most * c->growth[f]);
      if (error <= worst)
        continue;
      worst = isnan(error) ? HUGE_VAL : error;
      (void)snprintf(c->text, sizeof c->text, "%s %s: %.14g and %.14g, growth %.2g",
                     gradyn_functional_at(ev, f).name,
                     j == 0 ? "itself" : gradyn_parameter_at(ev, j - 1).name, a, b, c->growth[f]);
    }
  }
  return worst;
}

/* Evaluates the undivided run, with sampled path constraints. */
static gradyn_status run_whole(comparison *c, gradyn_evaluator *ev, const draught *d,
                               double whole[], double slope[])
{
  gradyn_limited *limited = NULL;
  gradyn_status status = GRADYN_OK;
  if (c->rows > 0)
    status = gradyn_limited_create(ev, d->row, d->rows, &limited);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(c->rows > 0 ? gradyn_limited_evaluator(limited) : ev, d->at,
                                       whole, slope);
  if (status != GRADYN_OK)
    (void)snprintf(c->text, sizeof c->text, "%.200s", gradyn_evaluator_message(ev));
  gradyn_limited_free(limited);
  return status;
}

/* Enforces path constraints on one side or the other of some events. */
static void hold_at_events(const gradyn_evaluator *ev, draught *d)
{
  const gradyn_model *model = ev->model;
  d->rows = ROWS;
  for (int i = 0; i < model->log.count && d->rows < MOST_ROWS; i += 1 + model->log.count / 3) {
    const gradyn_event_record *at = &model->log.record[i];
    d->row[d->rows] = (gradyn_limit_at){.side = d->rows % 2,
                                        .share = at->t / model->x[model->t_end],
                                        .event = at->event,
                                        .which = at->occurrence,
                                        .behind = d->rows % 4 > 1};
    d->rows++;
  }
}

/* Moves the stored entries of gradients to their positions in the complete gradient. Returns false without
 * memory. */
static bool spread(comparison *c)
{
  const gradyn_objective *objective = &c->segments.objective;
  const size_t rows = objective->functional_count + c->rows, columns = objective->parameter_count;
  const gradyn_entries *entries = objective->entries;
  FREED double *stored = calloc(entries->start[rows] + 1, sizeof *stored);
  if (stored == NULL)
    return false;
  memcpy(stored, c->gradient, entries->start[rows] * sizeof *stored);
  memset(c->gradient, 0, rows * columns * sizeof *stored);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = entries->start[i]; k < entries->start[i + 1]; k++)
      c->gradient[i * columns + entries->column[k]] = stored[k];
  return true;
}

/* Compares the given number of segments, at present boundaries, with the undivided run. */
static outcome compare_there(comparison *c, gradyn_evaluator *ev, draught *d)
{
  double whole[MOST_FUNCTIONALS], slope[MOST_FUNCTIONALS * MECHANISM_PARAMETERS];
  gradyn_segments *s = &c->segments;
  gradyn_functional_info info[MOST_ROWS];
  hold_at_events(ev, d);
  c->rows = s->objective.hold != NULL ? d->rows : 0;
  const size_t rows = s->objective.functional_count + c->rows,
               columns = s->objective.parameter_count;
  if (compared(c) > MOST_FUNCTIONALS)
    return REFUSED;
  c->psi = calloc(rows * (columns + 1) + compared(c) * s->p, sizeof *c->psi);
  if (c->psi == NULL)
    return FAILED;
  c->gradient = c->psi + rows;
  c->chained = c->gradient + rows * columns;
  if (c->rows > 0 && s->objective.hold(s, d->row, c->rows, info) != GRADYN_OK) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", s->message.text);
    return FAILED;
  }
  if (!close_gaps(c)) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", s->message.text);
    return OPEN;
  }
  const gradyn_status status = s->objective.evaluate(s, true, s->start, c->psi, c->gradient);
  if (status != GRADYN_OK || !spread(c) || !chain(c)) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", s->message.text);
    return FAILED;
  }
  if (run_whole(c, ev, d, whole, slope) != GRADYN_OK)
    return FAILED;
  c->error = judge(c, ev, whole, slope);
  return c->error <= 1 ? SAME : APART;
}

/* Writes the motion as a table for the states at the boundaries, and frees it. */
static bool write_motion(gradyn_trajectory *motion, const draught *d)
{
  bool good = motion != NULL;
  FILE *file = good ? fopen(d->file, "w") : NULL;
  good = file != NULL;
  const size_t columns = good ? gradyn_trajectory_read(motion).columns : 0;
  if (good)
    (void)fprintf(file, "t");
  for (size_t j = 0; j < columns; j++)
    (void)fprintf(file, ",%s", gradyn_trajectory_column(motion, j).name);
  for (size_t k = 0; good && k < gradyn_trajectory_read(motion).steps; k++) {
    const double *row = gradyn_trajectory_read(motion).rows + k * columns;
    (void)fprintf(file, "\n%.17g", gradyn_trajectory_read(motion).times[k]);
    for (size_t j = 0; j < columns; j++)
      (void)fprintf(file, ",%.17g", row[j]);
  }
  if (file != NULL)
    (void)fputc('\n', file);
  good = file != NULL && fclose(file) == 0;
  gradyn_trajectory_free(motion);
  return good;
}

static bool write_guess(gradyn_evaluator *ev, const draught *d)
{
  gradyn_trajectory *motion = gradyn_trajectory_create();
  const bool good = motion != NULL &&
                    gradyn_evaluator_simulate(ev, d->at, NULL, motion) == GRADYN_OK;
  const bool written = good && write_motion(motion, d);
  if (!good)
    gradyn_trajectory_free(motion);
  return written;
}

/* Compares again with another number of segments, whose initial states come from the motion in the present
 * segments. */
static outcome compare_again(comparison *c, gradyn_evaluator *ev, draught *d, const bool used[])
{
  const gradyn_search how = {.segments = d->again, .guess = d->file};
  if (!write_motion(gradyn_segments_motion(&c->segments, c->segments.start), d)) {
    (void)snprintf(c->text, sizeof c->text, "the motion in segments: %.200s",
                   c->segments.message.text);
    return FAILED;
  }
  gradyn_segments_clear(&c->segments);
  free(c->psi);
  c->psi = NULL;
  if (gradyn_segments_create(ev, &how, used, d->at, &c->segments) == GRADYN_OK)
    return compare_there(c, ev, d);
  (void)snprintf(c->text, sizeof c->text, "again: %.200s", c->segments.message.text);
  return REFUSED;
}

static outcome compare(comparison *c, draught *d)
{
  FREED bool *all = calloc(MOST_FUNCTIONALS, sizeof *all);
  run_local *ev;
  outcome out = FAILED;
  *c = (comparison){0};
  const gradyn_status status = run_try(
      &ev, &d->problem, .method = d->method, .rtol = rtol, .rtol_sens = rtol, .step = -1,
      .max_steps = 20000, .settings = &d->setting, .setting_count = (size_t)d->settings);
  gradyn_search how = d->how;
  if (status == GRADYN_OK && how.guess != NULL && !write_guess(ev, d))
    how.guess = NULL;
  for (int i = 0; all != NULL && i < MOST_FUNCTIONALS; i++)
    all[i] = true;
  if (all == NULL)
    (void)snprintf(c->text, sizeof c->text, "out of memory");
  else if (status != GRADYN_OK) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", gradyn_evaluator_message(ev));
    out = REFUSED;
  } else if (gradyn_segments_create(ev, &how, all, d->at, &c->segments) == GRADYN_OK) {
    out = compare_there(c, ev, d);
    if (out == SAME && d->again > 0)
      out = compare_again(c, ev, d, all);
  } else {
    (void)snprintf(c->text, sizeof c->text, "%.200s", c->segments.message.text);
    out = REFUSED;
  }
  if (*d->file != '\0')
    (void)unlink(d->file);
  gradyn_segments_clear(&c->segments);
  free(c->psi);
  return out;
}

/* --- what is cut ---------------------------------------------------------------------------------- */

/* Index of the constrained point in the array of coordinates. */
static int limited_point;

static gradyn_status within(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *pos = at->pos + limited_point, *vel = at->vel + limited_point;
  *value = pos[0] + 0.5 * pos[1] + 0.1 * vel[1];
  return GRADYN_OK;
}

static const gradyn_custom_functional_spec inside = {
    .name = "inside", .unit = "m", .integrand = within};

/* A mechanism whose end time is a parameter, with a path constraint and functionals at given times. */

static gradyn_status build_limited(gradyn_model *model, const gradyn_scalar r[])
{
  const gradyn_problem drawn = mechanism_problem();
  const double metre = mechanism_drawn.metre;
  gradyn_end_time(model, drawn.t_end * (1 + 0.3 * (r[0] - 1)));
  limited_point = 4;
  declare_limit(model, &inside, -metre * r[1], metre, 1e-6 * metre);
  for (int i = 0; i < 2; i++)
    gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){.name = i == 0 ? "early" : "late",
                                                .unit = "",
                                                .terminal = within,
                                                .instant = (i == 0 ? 0.23 : 0.81) * drawn.t_end});
  return drawn.build(model, r);
}

/* A model with events and a functional of the maximum. */
static gradyn_status build_hybrid(gradyn_model *model, const gradyn_scalar r[])
{
  limited_point = 2;
  declare_limit(model, &inside, -0.3 * r[1], 0.5, 1e-6);
  gradyn_functional(model,
                    &(gradyn_functional_spec){
                        "largest",
                        gradyn_measure_custom(
                            model, &(gradyn_custom_measure_spec){"largest", "m", .formula = within,
                                                                 .hidden = true}),
                        .reduction = GRADYN_MAXIMUM});
  return problem.build(model, r);
}

/* Chooses boundaries: equal distances, random times, knots, or between events. */
static gradyn_search cut_at_random(uint64_t *random, double t_end, char text[160])
{
  const long parts = 2 + random_choice(random, 8);
  const int way = random_choice(random, 6);
  size_t used = 0;
  if (way < 3)
    return (gradyn_search){.segments = parts};
  if (way > 3)
    return (gradyn_search){.segment_times = way == 4 ? "knots" : "events"};
  for (long i = 1; i < parts; i++)
    used += (size_t)snprintf(text + used, 160 - used, "%s%.6g", i > 1 ? "," : "",
                             t_end * random_decades(random, 0.01, 0.99));
  return (gradyn_search){.segment_times = text};
}

/* Enforces both bounds at an end, at two boundaries (if at equal distances), and at other times. */
static void hold_at_random(uint64_t *random, const gradyn_search *how, gradyn_limit_at row[ROWS])
{
  const double cut = how->segments > 2 ? 1 / (double)how->segments : 0.25;
  const double share[ROWS] = {(double)random_choice(random, 2), cut, 2 * cut, random_unit(random),
                              random_unit(random)};
  for (int i = 0; i < ROWS; i++)
    row[i] = (gradyn_limit_at){.side = (size_t)random_choice(random, 2), .share = share[i]};
}

/* Number `seed` of a kind. */
static gradyn_problem draw_problem(uint64_t seed, uint64_t *random, draught *d)
{
  gradyn_problem drawn;
  switch (seed % 6) {
  case 0:
  case 1:
    sums_alone = seed % 4 < 2;
    draw(seed);
    memcpy(d->at, rho, sizeof rho);
    drawn = problem;
    drawn.build = seed % 12 < 6 ? build_hybrid : problem.build;
    return drawn;
  case 2:
  case 3:
    mechanism_drawn = (mechanism){.seed = seed,
                                  .metre = random_decades(random, 0.1, 10),
                                  .kilogram = random_decades(random, 0.1, 10)};
    drawn = mechanism_problem();
    drawn.build = seed % 6 == 3 ? build_limited : drawn.build;
    return drawn;
  case 4:
    d->at[0] = 1.1;
    d->at[1] = 0;
    d->setting = (gradyn_setting_choice){"seed", (int)(seed % 1000000)};
    d->settings = 1;
    return drawn_problem(seed / 6 % 2 ? DRAWN_IN_PLANE : DRAWN_IN_SPACE,
                         seed / 12 % 2 ? "joint" : NULL);
  default:
    equations_draw(seed);
    return equations_problem();
  }
}

/* Draws a model, its boundaries, initial states and method. */
static void draw_one(uint64_t seed, draught *d)
{
  uint64_t random = seed;
  *d = (draught){.method = seed % 7 == 3 ? "radau" : "explicit"};
  for (int j = 0; j < MECHANISM_PARAMETERS; j++)
    d->at[j] = 1;
  d->problem = draw_problem(seed, &random, d);
  d->how = cut_at_random(&random, d->problem.t_end, d->times);
  hold_at_random(&random, &d->how, d->row);
  if (seed / 6 % 4 < 2)
    (void)snprintf(d->file, sizeof d->file, "campaign-segments-%ld.csv", (long)getpid());
  if (seed / 6 % 4 == 0)
    d->how.guess = d->file;
  if (seed / 6 % 4 == 1)
    d->again = 2 + random_choice(&random, 8);
}

bool campaign_segments(campaign *c)
{
  static const char *const name[] = {"alike", "refused", "failed", "not closed", "APART"};
  static comparison made;
  static draught d;
  long count[OUTCOMES] = {0};
  double worst = 0;
  for (uint64_t seed; campaign_next(c, &seed);) {
    draw_one(seed, &d);
    const outcome out = compare(&made, &d);
    count[out]++;
    worst = out == SAME ? fmax(worst, made.error) : worst;
    if (out > REFUSED || (out == REFUSED && getenv("TELL") != NULL))
      (void)printf("seed %llu, %s, %ld segments%s%s%s: %s: %s\n", (unsigned long long)seed,
                   d.method, d.how.segments, d.how.segment_times != NULL ? " at " : "",
                   d.how.segment_times != NULL ? d.how.segment_times : "",
                   d.how.guess != NULL ? " of a file" : "", name[out], made.text);
  }
  (void)printf("%ld alike, the worst with %.2g of what is allowed; %ld refused, %ld "
               "failed, %ld not closed, %ld apart\n",
               count[SAME], worst, count[REFUSED], count[FAILED], count[OPEN], count[APART]);
  return count[APART] > 0;
}
