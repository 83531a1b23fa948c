/* Candidates for measurements in place of the data of a fit. */
#include <stdlib.h>
#include <string.h>

#include "core/problems/fit.h"

/* Candidate times of a fit of this model; NULL: the times of its data apply. */
static const gradyn_fit_times *find(const gradyn_model *model, const char *name)
{
  const gradyn_candidate_times *candidates = model->declared.candidates;
  for (size_t k = 0; candidates && k < candidates->count; k++)
    if (candidates->of[k].row == model->settings.row && strcmp(candidates->of[k].fit, name) == 0)
      return &candidates->of[k];
  return NULL;
}

/* Deviation, divided by sigma, of a measurement at time t; constant before the first datum and after the
 * last. */
static double deviation_at(const gradyn_fit_data *data, double t)
{
  size_t k = 0;
  while (k < data->count && data->times[k] < t)
    k++;
  if (data->count == 0)
    return 1;
  if (k == 0 || k == data->count)
    return data->deviations[k == 0 ? 0 : k - 1];
  const double share = (t - data->times[k - 1]) / (data->times[k] - data->times[k - 1]);
  return (1 - share) * data->deviations[k - 1] + share * data->deviations[k];
}

gradyn_status gradyn_fit_take_candidates(const gradyn_model *model, const char *name,
                                         gradyn_fit_data *data)
{
  const gradyn_fit_times *times = find(model, name);
  if (!times)
    return GRADYN_OK;
  gradyn_fit_data own = {.times = calloc(times->count + 1, sizeof *own.times),
                         .values = calloc(times->count + 1, sizeof *own.values),
                         .deviations = calloc(times->count + 1, sizeof *own.deviations),
                         .count = times->count};
  if (!own.times || !own.values || !own.deviations) {
    gradyn_fit_data_clear(&own);
    return GRADYN_NO_MEMORY;
  }
  for (size_t k = 0; k < own.count; k++) {
    own.times[k] = times->t[k];
    own.deviations[k] = deviation_at(data, times->t[k]);
  }
  gradyn_fit_data_clear(data);
  *data = own;
  return GRADYN_OK;
}
