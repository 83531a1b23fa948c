/* Data of fits from CSV files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/files/table_read.h"
#include "core/problems/fit.h"

/* Columns of the file; the number of all columns: none. */
typedef struct columns {
  size_t time, value, deviation, load_case;
} columns;

void gradyn_fit_data_clear(gradyn_fit_data *data)
{
  free(data->times);
  free(data->values);
  free(data->deviations);
  free(data->lines);
  *data = (gradyn_fit_data){0};
}

/* Finds a heading. GRADYN_INVALID: it occurs twice, or is needed and missing. */
static gradyn_status find(const gradyn_table_reader *r, const char *name, bool needed, size_t *at)
{
  *at = r->columns;
  for (size_t i = 0; i < r->columns; i++) {
    if (strcmp(r->cell[i], name) != 0)
      continue;
    if (*at < r->columns)
      return gradyn_table_fail(r, GRADYN_INVALID, "heading \"%.100s\" occurs twice", name);
    *at = i;
  }
  return needed && *at == r->columns
             ? gradyn_table_fail(r, GRADYN_INVALID, "there is no heading \"%.100s\"", name)
             : GRADYN_OK;
}

/* Provides memory for another datum. */
static gradyn_status extend(const gradyn_table_reader *r, gradyn_fit_data *data)
{
  if (data->count < data->capacity)
    return GRADYN_OK;
  const size_t capacity = 2 * data->capacity + 64;
  double **array[] = {&data->times, &data->values, &data->deviations};
  for (size_t k = 0; k < 3; k++) {
    double *grown = realloc(*array[k], capacity * sizeof *grown);
    if (!grown)
      return gradyn_table_fail(r, GRADYN_NO_MEMORY, "out of memory");
    *array[k] = grown;
  }
  size_t *lines = realloc(data->lines, capacity * sizeof *lines);
  if (!lines)
    return gradyn_table_fail(r, GRADYN_NO_MEMORY, "out of memory");
  data->lines = lines;
  data->capacity = capacity;
  return GRADYN_OK;
}

/* Takes the datum of a line; a missing one only with `all`. */
static gradyn_status take(const gradyn_table_reader *r, const columns *at, bool all,
                          gradyn_fit_data *data)
{
  double time, value, deviation = 1;
  GRADYN_TRY(gradyn_table_number(r, at->time, "the time", &time));
  GRADYN_TRY(gradyn_table_number(r, at->value, "the datum", &value));
  if (at->deviation < r->columns)
    GRADYN_TRY(gradyn_table_number(r, at->deviation, "the deviation", &deviation));
  if (isnan(time))
    return gradyn_table_fail(r, GRADYN_INVALID, "the time is missing");
  if (isnan(value) && !all)
    return GRADYN_OK;
  if (data->count == GRADYN_FIT_DATA)
    return gradyn_table_fail(r, GRADYN_INVALID, "there are more than %d data; use fewer",
                             GRADYN_FIT_DATA);
  GRADYN_TRY(extend(r, data));
  data->times[data->count] = time;
  data->values[data->count] = value;
  data->deviations[data->count] = deviation;
  data->lines[data->count++] = r->number;
  return GRADYN_OK;
}

/* Reads all lines or, if there is a column of load cases, those of the load case. */
static gradyn_status read_lines(gradyn_table_reader *r, const columns *at, const char *load_case,
                                bool all, gradyn_fit_data *out)
{
  for (;;) {
    bool end;
    GRADYN_TRY(gradyn_table_next(r, &end));
    if (end)
      return GRADYN_OK;
    if (at->load_case == r->columns || strcmp(r->cell[at->load_case], load_case) == 0)
      GRADYN_TRY(take(r, at, all, out));
  }
}

static gradyn_status read_file(gradyn_table_reader *r, const gradyn_fit_spec *spec,
                               const char *name, const char *load_case, bool all,
                               gradyn_fit_data *out)
{
  columns at = {0};
  GRADYN_TRY(gradyn_table_open(r));
  GRADYN_TRY(find(r, spec->time_column ? spec->time_column : "t", true, &at.time));
  GRADYN_TRY(find(r, spec->column ? spec->column : name, true, &at.value));
  GRADYN_TRY(find(r, "case", false, &at.load_case));
  at.deviation = r->columns;
  if (spec->deviation_column)
    GRADYN_TRY(find(r, spec->deviation_column, true, &at.deviation));
  if (at.load_case < r->columns && !load_case)
    return gradyn_table_fail(r, GRADYN_INVALID,
                             "there is a column \"case\", but the problem has no load cases");
  return read_lines(r, &at, load_case, all, out);
}

gradyn_status gradyn_fit_read(const gradyn_fit_spec *spec, const char *name, const char *load_case,
                              bool all, gradyn_fit_data *out, char message[], size_t size)
{
  gradyn_table_reader *r = calloc(1, sizeof *r);
  if (!r)
    return GRADYN_NO_MEMORY;
  r->file = spec->file;
  r->message = message;
  r->size = size;
  const gradyn_status status = read_file(r, spec, name, load_case, all, out);
  gradyn_table_close(r);
  free(r);
  return status;
}
