/* Initial values of the unknown states of a search. */
#include "optim/segments/guess.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/equations/equations.h"
#include "core/files/csv_read.h"
#include "core/model/model.h"
#include "optim/segments/natural.h"
#include "dae/trajectory.h"

/* DIGITS: all digits of a double */
enum { DIGITS = 17, MOST_BYTES = 1 << 28 };

/* --- Simulation ------------------------------------------------------------------------------------ */

size_t gradyn_states_follow(const gradyn_model *model, const gradyn_trajectory *motion,
                            const double at[], size_t count, double *y)
{
  const size_t columns = gradyn_trajectory_read(motion).columns;
  const double end = gradyn_trajectory_step(motion, gradyn_trajectory_read(motion).steps - 1, NULL);
  const double t_end = model->x[model->t_end];
  size_t rows = 0;
  while (rows < count && at[rows] * t_end <= end) {
    gradyn_trajectory_sample(motion, at[rows] * t_end, y + rows * columns);
    rows++;
  }
  /* if a segment did not end, its start is not used either */
  rows -= rows > 1 && rows < count;
  for (size_t k = rows; k < count; k++)
    memcpy(y + k * columns, y + (rows - 1) * columns, columns * sizeof *y);
  return rows;
}

/* --- Declared guesses ----------------------------------------------------------------------------- */

/* Returns a declared guess at a fraction `share` of the time. It is `start` at the beginning. *slope:
 * derivative by share. */
static double declared_at(const gradyn_guessed *g, double start, double share, double *slope)
{
  double s0 = 0, y0 = start;
  for (int i = 0; i < g->count; i++) {
    const double s1 = (double)(i + 1) / g->count;
    *slope = (g->value[i] - y0) / (s1 - s0);
    if (share <= s1)
      return y0 + *slope * (share - s0);
    s0 = s1;
    y0 = g->value[i];
  }
  return y0;
}

/* Number of natural coordinates if declared guesses refer to them but the model has joint coordinates; 0
 * otherwise. */
static int natural_guessed(const gradyn_model *model)
{
  return model->declared.guesses > 0 ? gradyn_natural_count(model) : 0;
}

/* Overwrites the states in y [states] that have a guess, at a fraction of the time. start [states]: states
 * at the start. Velocities without a guess are the slopes of guessed positions. */
static void lead(const gradyn_model *model, const double *start, double share, double *y)
{
  const int N = natural_guessed(model);
  const int states = N > 0 ? 2 * N : model->ops->state_count(model);
  const int n = N > 0 ? N : model->mech != NULL ? model->mech->n : 0;
  for (int i = 0; i < states; i++) {
    const gradyn_guessed *g = gradyn_guess_of(model, i);
    double slope = 0;
    if (g == NULL)
      continue;
    y[i] = declared_at(g, start[i], share, &slope);
    if (i < n && gradyn_guess_of(model, n + i) == NULL)
      y[n + i] = slope / model->x[model->t_end];
  }
}

/* A guess of the natural states. Declared guesses are used unchanged; states without a guess come from a
 * motion in joint coordinates. */
typedef struct led {
  const gradyn_model *model;
  const gradyn_trajectory *motion;
  double until; /* fraction of the time after which the states without a guess are constant */
  const double *start; /* [2 N] natural states at the start */
  double *joints;      /* [2 n], scratch memory */
} led;

static void led_at(const void *self, double share, double *y)
{
  const led *l = self;
  gradyn_trajectory_sample(l->motion, fmin(share, l->until) * l->model->x[l->model->t_end],
                           l->joints);
  gradyn_natural_from(l->model, l->joints, y);
  lead(l->model, l->start, share, y);
}

/* Fills all rows of y except the first, in joint coordinates. */
static gradyn_status lead_joints(gradyn_model *model, const gradyn_trajectory *motion, double until,
                                 const double at[], size_t count, double *y)
{
  const size_t N = (size_t)natural_guessed(model), columns = gradyn_trajectory_read(motion).columns;
  FREED double *work = calloc(2 * N + columns, sizeof *work);
  FREED bool *known = calloc(2 * N, sizeof *known);
  if (work == NULL || known == NULL)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a guess");
  const led l = {model, motion, until, work, work + 2 * N};
  const gradyn_natural natural = {led_at, &l, known};
  for (size_t i = 0; i < 2 * N; i++)
    known[i] = gradyn_guess_of(model, (int)i) != NULL;
  gradyn_natural_from(model, y, work);
  return gradyn_natural_convert(&natural, model, at, 1, count, columns, y);
}

gradyn_status gradyn_states_guess(gradyn_model *model, const gradyn_trajectory *motion, size_t rows,
                                  const double at[], size_t count, double *y)
{
  const size_t columns = gradyn_trajectory_read(motion).columns;
  if (natural_guessed(model) > 0)
    return lead_joints(model, motion, at[rows - 1], at, count, y);
  for (size_t k = 1; k < count; k++)
    lead(model, y, at[k], y + k * columns);
  return GRADYN_OK;
}

/* --- Files ------------------------------------------------------------------------------------------- */

/* Fills y with the states at a fraction of the time, linear between rows. */
static void state_at(const void *self, double share, double *y)
{
  const gradyn_states *s = self;
  size_t k = 0;
  while (k + 2 < s->rows && s->share[k + 1] < share)
    k++;
  const double length = s->share[k + 1] - s->share[k];
  const double theta = length > 0 ? fmin(fmax((share - s->share[k]) / length, 0), 1) : 1;
  const double *before = s->y + k * s->count, *behind = before + s->count;
  for (size_t i = 0; i < s->count; i++)
    y[i] = (1 - theta) * before[i] + theta * behind[i];
}

gradyn_status gradyn_states_sample(const gradyn_states *s, gradyn_model *model, const double at[],
                                   size_t count, size_t columns, double *y)
{
  const gradyn_natural natural = {state_at, s, s->known};
  if (s->known != NULL)
    return gradyn_natural_convert(&natural, model, at, 1, count, columns, y);
  for (size_t k = 1; k < count; k++)
    state_at(s, at[k], y + k * columns);
  return GRADYN_OK;
}

typedef struct reading {
  const char *path;
  const json_t *columns;
  size_t rows;
  gradyn_message *message;
} reading;

/* Finds the values of column "name [unit]" or "name" as text. GRADYN_NOT_FOUND: there is no such
 * column. */
static gradyn_status find_column(const reading *r, const char *name, const char *unit,
                                 const char **text)
{
  const size_t length = strlen(name);
  *text = NULL;
  for (size_t j = 0; j < json_array_size(r->columns); j++) {
    const json_t *column = json_array_get(r->columns, j);
    const char *heading = json_string_value(json_object_get(column, "name"));
    if (heading == NULL || strncmp(heading, name, length) != 0 ||
        (heading[length] != '\0' && strncmp(heading + length, " [", 2) != 0))
      continue;
    const char *given = heading[length] == '\0' ? "" : heading + length + 2;
    if (*given != '\0' &&
        (strncmp(given, unit, strlen(unit)) != 0 || strcmp(given + strlen(unit), "]") != 0))
      return gradyn_fail(r->message, GRADYN_INVALID,
                         "the guess '%s' has the column '%s': %s is in %s", r->path, heading, name,
                         *unit != '\0' ? unit : "no unit");
    if (*text != NULL)
      return gradyn_fail(r->message, GRADYN_INVALID, "the guess '%s' has two columns of %s",
                         r->path, name);
    *text = json_string_value(json_object_get(column, "values"));
  }
  return *text != NULL ? GRADYN_OK : GRADYN_NOT_FOUND;
}

/* Converts the numbers of a column to every stride-th entry of `to`. */
static gradyn_status take_column(const reading *r, const char *name, const char *text, double *to,
                                 size_t stride)
{
  for (size_t k = 0; text != NULL && k < r->rows; k++) {
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || (*end != ' ' && *end != '\0') || !isfinite(value))
      return gradyn_fail(r->message, GRADYN_INVALID,
                         "the guess '%s' has \"%.*s\" for %s in line %zu, which is not a finite "
                         "number",
                         r->path, (int)strcspn(text, " "), text, name, k + 2);
    to[k * stride] = value;
    text = *end == ' ' ? end + 1 : end;
  }
  return GRADYN_OK;
}

/* Reads the times, as fractions of the time from the first to the last. */
static gradyn_status take_times(const reading *r, double *share)
{
  const char *text;
  const gradyn_status status = find_column(r, "t", "s", &text);
  if (status == GRADYN_NOT_FOUND)
    return gradyn_fail(r->message, GRADYN_INVALID, "the guess '%s' has no column t, the time",
                       r->path);
  GRADYN_TRY(status);
  GRADYN_TRY(take_column(r, "t", text, share, 1));
  const double first = share[0], length = share[r->rows - 1] - first;
  for (size_t k = 1; k < r->rows; k++) {
    /* before and after a jump or a boundary, two rows have the same time, which may differ in the last
     * digit */
    if (share[k - 1] - share[k] > 4 * DBL_EPSILON * fabs(share[k]))
      return gradyn_fail(r->message, GRADYN_INVALID,
                         "guess '%s', line %zu: time %g s after %g s; times must not decrease",
                         r->path, k + 2, share[k], share[k - 1]);
    share[k] = fmax(share[k], share[k - 1]);
  }
  if (!(length > 0))
    return gradyn_fail(r->message, GRADYN_INVALID,
                       "guess '%s': all times are %g s; at least two different times are needed",
                       r->path, first);
  for (size_t k = 0; k < r->rows; k++)
    share[k] = (share[k] - first) / length;
  return GRADYN_OK;
}

/* Reads the column of state i; natural: of natural state i. Fills its name [64]. GRADYN_NOT_FOUND: there is
 * no such column. */
static gradyn_status take_state(const reading *r, const gradyn_model *model, bool natural, int i,
                                char *name, gradyn_states *out)
{
  const char *text, *unit;
  if (natural) {
    const gradyn_mech_origin *origin = &model->mech->begin.origin;
    origin->name(model->mech, i, name, 64);
    unit = origin->unit(model->mech, i);
  } else {
    model->ops->state_name(model, i, name, 64);
    unit = model->ops->state_unit(model, i);
  }
  GRADYN_TRY(find_column(r, name, unit, &text));
  return take_column(r, name, text, out->y + i, out->count);
}

/* Whether a file must have a column for state i. */
static bool needed(const gradyn_model *model, bool natural, int i)
{
  return natural               ? !gradyn_natural_follows(model, i)
         : model->mech != NULL ? i < 2 * model->mech->n
                               : !model->equations->unknown[i].algebraic;
}

/* Reads all independent states. missing [512]: names of states without a column; *number: how many these
 * are. */
static gradyn_status take_states(const reading *r, const gradyn_model *model, bool natural,
                                 gradyn_states *out, char *missing, size_t *number)
{
  *number = 0;
  missing[0] = '\0';
  for (size_t i = 0; i < out->count; i++) {
    char name[64];
    const bool must = needed(model, natural, (int)i);
    if (!must && !natural)
      continue;
    const gradyn_status status = take_state(r, model, natural, (int)i, name, out);
    if (status != GRADYN_OK && status != GRADYN_NOT_FOUND)
      return status;
    if (natural)
      out->known[i] = status == GRADYN_OK;
    const size_t used = strlen(missing);
    if (must && status == GRADYN_NOT_FOUND && ++*number <= 6)
      (void)snprintf(missing + used, 512 - used, "%s%s", used > 0 ? ", " : "", name);
  }
  return GRADYN_OK;
}

/* Reads the states of the model. If columns are missing and coordinates are joint ones, reads natural
 * states. One message names the missing columns. */
static gradyn_status take_states_of_any(const reading *r, const gradyn_model *model,
                                        gradyn_arena *arena, gradyn_states *out)
{
  char missing[512], others[512];
  size_t number, more;
  const size_t N = (size_t)gradyn_natural_count(model);
  GRADYN_TRY(take_states(r, model, false, out, missing, &number));
  if (number == 0)
    return GRADYN_OK;
  if (N > 0) {
    out->count = 2 * N;
    out->y = gradyn_arena_numbers(arena, out->rows * out->count);
    out->known = gradyn_arena_take(arena, out->count, sizeof *out->known);
    if (gradyn_arena_status(arena) != GRADYN_OK)
      return gradyn_fail(r->message, GRADYN_NO_MEMORY, "out of memory for the guess '%s'", r->path);
    GRADYN_TRY(take_states(r, model, true, out, others, &more));
    if (more == 0)
      return GRADYN_OK;
  }
  return gradyn_fail(
      r->message, GRADYN_INVALID,
      "the guess '%s' has no column for %s%s: it needs t and all states, named as in "
      "trajectory.csv%s%s%s",
      r->path, missing, number > 6 ? ", ..." : "",
      N > 0 ? ". It also lacks natural coordinates: " : "", N > 0 ? others : "",
      N > 0 && more > 6 ? ", ..." : "");
}

gradyn_status gradyn_states_read(const char *path, const gradyn_model *model, gradyn_arena *arena,
                                 gradyn_states *out, gradyn_message *message)
{
  const gradyn_csv_request whole = {
      .most_cells = SIZE_MAX, .most_columns = SIZE_MAX, .digits = DIGITS};
  char why[256];
  json_auto_t *root = NULL;
  struct stat about;
  if (stat(path, &about) == 0 && about.st_size > MOST_BYTES)
    return gradyn_fail(message, GRADYN_INVALID, "the guess '%s' is larger than 256 MB", path);
  const gradyn_status status = gradyn_csv_read(path, &whole, &root, why, sizeof why);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "the guess '%s' cannot be read: %s", path, why);
  const size_t torn = (size_t)json_integer_value(json_object_get(root, "torn"));
  const reading r = {.path = path,
                     .columns = json_object_get(root, "columns"),
                     .rows = (size_t)json_integer_value(json_object_get(root, "rows_in_file")),
                     .message = message};
  *out = (gradyn_states){.rows = r.rows, .count = (size_t)model->ops->state_count(model)};
  out->share = gradyn_arena_numbers(arena, out->rows);
  out->y = gradyn_arena_numbers(arena, out->rows * out->count);
  if (torn > 0)
    return gradyn_fail(message, GRADYN_INVALID,
                       "guess '%s': %zu lines do not have all of its %zu columns", path, torn,
                       json_array_size(r.columns));
  if (out->rows < 2)
    return gradyn_fail(message, GRADYN_INVALID, "guess '%s': %zu times; at least 2 are needed",
                       path, out->rows);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for the guess '%s'", path);
  GRADYN_TRY(take_times(&r, out->share));
  return take_states_of_any(&r, model, arena, out);
}
