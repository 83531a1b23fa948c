/* Defect history of a search in segments, for the page of its report. */
#include "optim/study/account.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/files/json.h"
#include "core/files/upgrade.h"

/* Patterns with more rows or columns than this are drawn by squares of several rows and columns. */
enum { MOST_CELLS = 400 };

/* Returns a number with six digits, which suffice for a picture. */
static json_t *rounded(double value)
{
  char text[32];
  (void)snprintf(text, sizeof text, "%.6g", value);
  return gradyn_json_number(strtod(text, NULL));
}

static json_t *counts(const long *value, size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    gradyn_json_append(&array, json_integer(value[i]));
  return array;
}

/* Returns the selected states with their names, units and values; values are by points, segments and
 * samples. */
static json_t *states_of(const gradyn_defect_history *c, const gradyn_trajectory *motion)
{
  json_t *states = json_array();
  for (size_t j = 0; j < c->states; j++) {
    json_t *state = json_object(), *values = json_array();
    for (size_t i = 0; i < c->points * c->segments * c->samples; i++)
      gradyn_json_append(&values, rounded(c->y[i * c->states + j]));
    gradyn_json_put(&state, "name",
                    gradyn_json_text(gradyn_trajectory_column(motion, c->state[j]).name));
    gradyn_json_put(&state, "unit",
                    gradyn_json_text(gradyn_trajectory_column(motion, c->state[j]).unit));
    gradyn_json_put(&state, "values", values);
    gradyn_json_append(&states, state);
  }
  return states;
}

/* Returns the nonzero squares in `row` of a pattern. Consecutive squares are given by the first and the
 * last column. */
static json_t *stretches(const gradyn_sparsity *p, size_t row, size_t square, bool *marked)
{
  const size_t columns = (p->columns + square - 1) / square;
  json_t *array = json_array();
  for (size_t j = 0; j < columns; j++)
    marked[j] = false;
  for (size_t i = row * square; i < p->rows && i < (row + 1) * square; i++)
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
      marked[p->column[k] / square] = true;
  for (size_t j = 0, first = 0; j < columns; j++) {
    first = marked[j] && (j == 0 || !marked[j - 1]) ? j : first;
    if (!marked[j] || (j + 1 < columns && marked[j + 1]))
      continue;
    gradyn_json_append(&array, json_integer((json_int_t)first));
    gradyn_json_append(&array, json_integer((json_int_t)j));
  }
  return array;
}

static json_t *pattern_of(const gradyn_sparsity *p)
{
  const size_t largest = p->rows > p->columns ? p->rows : p->columns;
  const size_t square = (largest + MOST_CELLS - 1) / MOST_CELLS;
  bool *marked = calloc(p->columns + 1, sizeof *marked);
  if (marked == NULL)
    return NULL;
  json_t *pattern = json_object(), *rows = json_array();
  for (size_t i = 0; i * square < p->rows; i++)
    gradyn_json_append(&rows, stretches(p, i, square, marked));
  free(marked);
  gradyn_json_put(&pattern, "rows", json_integer((json_int_t)p->rows));
  gradyn_json_put(&pattern, "columns", json_integer((json_int_t)p->columns));
  gradyn_json_put(&pattern, "entries", json_integer((json_int_t)p->start[p->rows]));
  gradyn_json_put(&pattern, "square", json_integer((json_int_t)square));
  gradyn_json_put(&pattern, "stretches", rows);
  return pattern;
}

json_t *gradyn_account_defects(const gradyn_defect_history *c, const gradyn_trajectory *motion)
{
  json_t *root = json_object();
  gradyn_json_put(&root, "format", json_integer(GRADYN_FILE_FORMAT));
  gradyn_json_put(&root, "segments", json_integer((json_int_t)c->segments));
  gradyn_json_put(&root, "samples", json_integer((json_int_t)c->samples));
  gradyn_json_put(&root, "iterations", counts(c->iteration, c->points));
  gradyn_json_put(&root, "defects", gradyn_json_numbers(c->defect, c->points));
  gradyn_json_put(&root, "t_end", gradyn_json_numbers(c->t_end, c->points));
  gradyn_json_put(&root, "shares", gradyn_json_numbers(c->share, c->segments + 1));
  gradyn_json_put(&root, "states", states_of(c, motion));
  gradyn_json_put(&root, "parameters", json_integer((json_int_t)c->parameters));
  gradyn_json_put(&root, "constraints", json_integer((json_int_t)c->constraints));
  if (c->jacobian.rows > 0)
    gradyn_json_put(&root, "jacobian", pattern_of(&c->jacobian));
  if (c->curvature.rows > 0)
    gradyn_json_put(&root, "curvature", pattern_of(&c->curvature));
  return root;
}
