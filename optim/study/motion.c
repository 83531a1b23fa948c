/* Files of a motion in a study. */
#include "optim/study/motion.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/csv.h"
#include "core/files/text.h"
#include "optim/study/events.h"
#include "dae/trajectory.h"
#include <gradyn/inspect.h>

/* Removes internal columns from a row of a trajectory. Returns how many columns remain. */
static size_t leave_internal(const gradyn_trajectory *trajectory, double *row)
{
  size_t count = 0;
  for (size_t j = 0; j < gradyn_trajectory_read(trajectory).columns; j++)
    if (!gradyn_trajectory_column(trajectory, j).internal)
      row[count++] = row[j];
  return count;
}

/* State while a trajectory is written. */
typedef struct writing {
  FILE *file;
  const gradyn_trajectory *trajectory;
  const gradyn_evaluator *evaluator;   /* evaluator that has the signals; NULL: none are written */
  const gradyn_covariance *covariance; /* NULL: no deviations are written */
  size_t columns, signals, row;
  double *state; /* [columns], each in its unit */
} writing;

/* Whether signal i is a column of the trajectory already. Signals that are measures are. */
static bool is_column(const writing *w, size_t i)
{
  const char *name = gradyn_signal_at(w->evaluator, i).name;
  for (size_t j = 0; j < w->columns; j++)
    if (strcmp(gradyn_trajectory_column(w->trajectory, j).name, name) == 0)
      return true;
  return false;
}

/* Whether the deviation of state i of the covariance is written. Deviations of internal columns are not. */
static bool has_deviation(const writing *w, size_t i)
{
  for (size_t j = 0; j < w->columns; j++)
    if (strcmp(gradyn_trajectory_column(w->trajectory, j).name, w->covariance->name[i]) == 0)
      return !gradyn_trajectory_column(w->trajectory, j).internal;
  return true;
}

/* Writes the headings: time, columns of the trajectory, signals, standard deviations. */
static gradyn_status write_headings(const writing *w)
{
  gradyn_csv_heading(w->file, "t", "s");
  for (size_t j = 0; j < w->columns; j++) {
    if (gradyn_trajectory_column(w->trajectory, j).internal)
      continue;
    (void)fputc(',', w->file);
    gradyn_csv_heading(w->file, gradyn_trajectory_column(w->trajectory, j).name,
                       gradyn_trajectory_column(w->trajectory, j).unit);
  }
  for (size_t i = 0; i < w->signals; i++) {
    const gradyn_signal_info signal = gradyn_signal_at(w->evaluator, i);
    if (is_column(w, i))
      continue;
    (void)fputc(',', w->file);
    gradyn_csv_heading(w->file, signal.name, signal.unit);
  }
  /* deviations come last, so that the positions of other columns do not depend on them */
  for (size_t i = 0; w->covariance && i < w->covariance->states; i++) {
    if (!has_deviation(w, i))
      continue;
    char *name = gradyn_format("sd[%s]", w->covariance->name[i]);
    if (name == NULL)
      return GRADYN_NO_MEMORY;
    (void)fputc(',', w->file);
    gradyn_csv_heading(w->file, name, w->covariance->unit[i]);
    free(name);
  }
  (void)fputc('\n', w->file);
  return GRADYN_OK;
}

/* Writes a row: time t, the state in w->state, and its deviations. */
static void write_row(writing *w, double t)
{
  const gradyn_covariance *c = w->covariance;
  gradyn_csv_number(w->file, t);
  gradyn_csv_numbers(w->file, w->state, leave_internal(w->trajectory, w->state));
  for (size_t i = 0; i < w->signals; i++) {
    const double value = gradyn_signal_sample(w->evaluator, i, t);
    if (!is_column(w, i))
      gradyn_csv_numbers(w->file, &value, 1);
  }
  for (size_t i = 0; c && i < c->states; i++) {
    if (!has_deviation(w, i))
      continue;
    (void)fputc(',', w->file);
    gradyn_csv_number(w->file, sqrt(gradyn_covariance_entry(c, w->row, i, i)));
  }
  (void)fputc('\n', w->file);
  w->row++;
}

gradyn_status gradyn_motion_write(FILE *file, const gradyn_trajectory *trajectory,
                                  const gradyn_evaluator *evaluator,
                                  const gradyn_covariance *covariance, size_t samples,
                                  bool (*cancel)(void *user), void *user)
{
  writing w = {
      .file = file, .trajectory = trajectory, .evaluator = evaluator, .covariance = covariance};
  const size_t steps = gradyn_trajectory_read(trajectory).steps;
  w.columns = gradyn_trajectory_read(trajectory).columns;
  w.signals = gradyn_evaluator_model_info(evaluator).signals;
  FREED double *state = w.state = malloc((w.columns + 1) * sizeof *w.state);
  if (state == NULL)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(write_headings(&w));
  const size_t rows = samples > 0 && steps > 0 ? samples : steps;
  const double first = steps > 0 ? gradyn_trajectory_step(trajectory, 0, NULL) : 0;
  const double last = steps > 0 ? gradyn_trajectory_step(trajectory, steps - 1, NULL) : 0;
  for (size_t i = 0; i < rows; i++) {
    double t = last; /* the last row is exactly at the end, without round-off */
    if (samples == 0)
      t = gradyn_trajectory_step(trajectory, i,
                                 w.state); /* a row for every step of the integration */
    else if (i + 1 < samples)
      t = first + (last - first) * (double)i / (double)(samples - 1);
    if (samples > 0) /* or rows at equal distances, interpolated */
      gradyn_trajectory_sample(trajectory, t, w.state);
    write_row(&w, t);
    if (cancel != NULL && cancel(user))
      return GRADYN_INTERRUPTED;
  }
  return GRADYN_OK;
}

/* Writes the name of a file of the motion to buffer [64], and returns it. */
static const char *name_of(const gradyn_motion *motion, const char *stem, const char *ending,
                           char buffer[64])
{
  (void)snprintf(buffer, 64, "%s%s.%s", stem, motion->suffix, ending);
  return buffer;
}

/* Writes the log of events, if the motion has events. */
static gradyn_status keep_events(gradyn_folder *folder, const gradyn_motion *motion)
{
  gradyn_file file;
  char name[64];
  if (gradyn_evaluator_statistics(motion->evaluator).events == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_folder_begin(folder, &file, name_of(motion, "events", "csv", name)));
  gradyn_events_write(file.stream, motion->evaluator, NULL);
  return gradyn_folder_end(folder, &file, GRADYN_OK);
}

gradyn_status gradyn_motion_keep(gradyn_folder *folder, const gradyn_motion *motion)
{
  gradyn_file file;
  char name[64];
  GRADYN_TRY(gradyn_folder_begin(folder, &file, name_of(motion, "trajectory", "csv", name)));
  const gradyn_status status = gradyn_motion_write(file.stream, motion->trajectory,
                                                   motion->evaluator, motion->covariance,
                                                   motion->samples, motion->cancel, motion->user);
  if (status == GRADYN_INTERRUPTED || status == GRADYN_NO_MEMORY)
    (void)snprintf(folder->message, sizeof folder->message, "%s",
                   status == GRADYN_NO_MEMORY ? "out of memory" : "stopped on request");
  GRADYN_TRY(gradyn_folder_end(folder, &file, status));
  return keep_events(folder, motion);
}

/* Writes energies and the drift of constraints at every step of a motion. */
static void write_conditions(FILE *file, const gradyn_trajectory *trajectory,
                             const gradyn_invariants *condition)
{
  (void)fputs("t [s],kinetic energy [J],potential energy [J],energy [J],position drift,"
              "velocity drift\n",
              file);
  for (size_t i = 0; i < gradyn_trajectory_read(trajectory).steps; i++) { /* a row for each step */
    const gradyn_invariants *c = &condition[i];
    const double row[] = {c->kinetic, c->potential, c->kinetic + c->potential, c->drift_position,
                          c->drift_velocity};
    gradyn_csv_number(file, gradyn_trajectory_step(trajectory, i, NULL));
    gradyn_csv_numbers(file, row, sizeof row / sizeof row[0]);
    (void)fputc('\n', file);
  }
}

/* Writes invariants.csv for a mechanism; general equations have no invariants. */
static gradyn_status keep_conditions(gradyn_folder *folder, const gradyn_motion *motion)
{
  FREED gradyn_invariants *condition = calloc(gradyn_trajectory_read(motion->trajectory).steps + 1,
                                              sizeof *condition);
  const gradyn_status status = condition != NULL
                                   ? gradyn_invariants_compute(motion->evaluator,
                                                               motion->trajectory, condition)
                                   : GRADYN_NO_MEMORY;
  if (status != GRADYN_OK) {
    (void)snprintf(folder->message, sizeof folder->message, "%s",
                   condition != NULL ? gradyn_evaluator_message(motion->evaluator)
                                     : "out of memory");
    return status;
  }
  gradyn_file file;
  char name[64];
  GRADYN_TRY(gradyn_folder_begin(folder, &file, name_of(motion, "invariants", "csv", name)));
  write_conditions(file.stream, motion->trajectory, condition);
  return gradyn_folder_end(folder, &file, GRADYN_OK);
}

gradyn_status gradyn_motion_describe(gradyn_folder *folder, const gradyn_motion *motion,
                                     const gradyn_model_effects *effects)
{
  char name[64];
  gradyn_status status = GRADYN_OK;
  json_t *model = gradyn_model_json(motion->evaluator, motion->rho);
  if (motion->trajectory != NULL && gradyn_evaluator_model_info(motion->evaluator).axes > 0)
    status = keep_conditions(folder, motion);
  if (effects != NULL)
    gradyn_model_add_effects(motion->evaluator, motion->rho, effects, &model);
  const gradyn_status written = gradyn_folder_json(folder, name_of(motion, "model", "json", name),
                                                   model);
  return status == GRADYN_OK ? written : status;
}
