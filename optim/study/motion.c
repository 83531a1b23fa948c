/* What a motion leaves in a study. */
#include "optim/study/motion.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/files/csv.h"
#include "core/files/text.h"

/* A trajectory as it is being written. */
typedef struct writing {
  FILE *file;
  const gradyn_trajectory *trajectory;
  const gradyn_covariance *covariance; /* NULL: none */
  size_t columns, row;
  double *state; /* [columns], each in its unit */
} writing;

/* Time, columns of the trajectory, standard deviations. */
static gradyn_status write_headings(const writing *w)
{
  gradyn_csv_heading(w->file, "t", "s");
  for (size_t j = 0; j < w->columns; j++) {
    (void)fputc(',', w->file);
    gradyn_csv_heading(w->file, gradyn_trajectory_name(w->trajectory, j),
                       gradyn_trajectory_unit(w->trajectory, j));
  }
  /* deviations behind everything else, so that columns stay where they are without */
  for (size_t i = 0; w->covariance && i < w->covariance->states; i++) {
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

/* The state in w->state at t, and its deviations. */
static void write_row(writing *w, double t)
{
  const gradyn_covariance *c = w->covariance;
  gradyn_csv_number(w->file, t);
  gradyn_csv_numbers(w->file, w->state, w->columns);
  for (size_t i = 0; c && i < c->states; i++) {
    (void)fputc(',', w->file);
    gradyn_csv_number(w->file, sqrt(gradyn_covariance_entry(c, w->row, i, i)));
  }
  (void)fputc('\n', w->file);
  w->row++;
}

/* A trajectory with deviations, if there are any: steps as marched, or samples at equal
 * distances. */
gradyn_status gradyn_motion_write(FILE *file, const gradyn_trajectory *trajectory,
                                  const gradyn_covariance *covariance, size_t samples,
                                  bool (*cancel)(void *user), void *user)
{
  writing w = {.file = file, .trajectory = trajectory, .covariance = covariance};
  const size_t steps = gradyn_trajectory_steps(trajectory);
  w.columns = gradyn_trajectory_columns(trajectory);
  w.state = malloc((w.columns + 1) * sizeof *w.state);
  gradyn_status status = w.state != NULL ? write_headings(&w) : GRADYN_NO_MEMORY;
  const size_t rows = samples > 0 && steps > 0 ? samples : steps;
  const double first = steps > 0 ? gradyn_trajectory_step(trajectory, 0, NULL) : 0;
  const double last = steps > 0 ? gradyn_trajectory_step(trajectory, steps - 1, NULL) : 0;
  for (size_t i = 0; i < rows && status == GRADYN_OK; i++) {
    double t = last; /* hit exactly, not up to round-off */
    if (samples == 0)
      t = gradyn_trajectory_step(trajectory, i, w.state); /* every step as it was marched */
    else if (i + 1 < samples)
      t = first + (last - first) * (double)i / (double)(samples - 1);
    if (samples > 0) /* or interpolated at equal distances */
      gradyn_trajectory_sample(trajectory, t, w.state);
    write_row(&w, t);
    if (cancel != NULL && cancel(user))
      status = GRADYN_INTERRUPTED;
  }
  free(w.state);
  return status;
}
