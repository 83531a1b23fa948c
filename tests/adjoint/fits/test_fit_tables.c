/* Tables with known damage: each gives the same fit, or is refused with the damaged line. */
#include "tests/adjoint/fits/data_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 6 };

/* Changes that one variant of a table makes to its text. */
typedef enum damage {
  /* the same data */
  NONE,
  EMPTY_LINES,
  COMMENTS,
  BLANKS,
  CARRIAGE_RETURNS,
  BYTE_ORDER_MARK,
  NO_LAST_LINE_END,
  MORE_COLUMNS,
  SWAPPED_COLUMNS,
  MISSING_DATUM,
  OTHER_CASE,
  HARMLESS,
  /* refused at a known line */
  SAME_HEADING = HARMLESS,
  NO_HEADING,
  QUOTED_HEADING,
  MORE_CELLS,
  CUT_LINE,
  UNSORTED,
  NEGATIVE_TIME,
  LATE_TIME,
  NO_TIME,
  NAN_DATUM,
  HUGE_DATUM,
  HUGE_TIME,
  QUOTED_DATUM,
  COMMA_AS_POINT,
  ZERO_DEVIATION,
  ZERO_BYTE,
  DAMAGES
} damage;

/* A text under construction, with its number of lines. */
typedef struct draft {
  char text[4096];
  size_t used, lines;
} draft;

__attribute__((format(printf, 2, 3))) static void put(draft *d, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(d->text + d->used, sizeof d->text - d->used, format, args);
  va_end(args);
  assert_in_range(length, 0, sizeof d->text - d->used - 1);
  for (const char *c = d->text + d->used; *c != '\0'; c++)
    d->lines += *c == '\n';
  d->used += (size_t)length;
}

/* A table with several kinds of damage: `same` [HARMLESS] must not change the fit, and one more at a given
 * row may. */
typedef struct variant {
  bool same[HARMLESS];
  damage bad; /* DAMAGES: none */
  int row;
} variant;

/* Writes the headings or a row of cells. */
static void put_cells(draft *d, const variant *v, const char *time, const char *value,
                      const char *deviation, const char *load_case)
{
  const bool swapped = v->same[SWAPPED_COLUMNS];
  const char *blank = v->same[BLANKS] ? " \t" : "";
  put(d, "%s%s%s,%s,%s%s%s,%s", blank, swapped ? value : time, blank, deviation, blank,
      swapped ? time : value, blank, load_case);
  if (v->same[MORE_COLUMNS])
    put(d, ",more,");
}

static void end_line(draft *d, const variant *v)
{
  put(d, v->same[CARRIAGE_RETURNS] ? "\r\n" : "\n");
}

static void put_headings(draft *d, const variant *v)
{
  if (v->same[BYTE_ORDER_MARK])
    put(d, "\xef\xbb\xbf");
  if (v->same[COMMENTS]) {
    put(d, "# the headings: t,y");
    end_line(d, v);
  }
  put_cells(d, v, v->bad == QUOTED_HEADING ? "\"t\"" : "t [s]", v->bad == NO_HEADING ? "Y" : "y",
            v->bad == SAME_HEADING ? "y" : "sd", "case");
}

static void put_row(draft *d, const variant *v, int row, double t, double y)
{
  static const struct {
    damage is;
    const char *time, *value, *deviation; /* NULL: intact */
  } cells[] = {{UNSORTED, "0.001", NULL, NULL},     {NEGATIVE_TIME, "-0.1", NULL, NULL},
               {LATE_TIME, "1.0001", NULL, NULL},   {NO_TIME, "", NULL, NULL},
               {NAN_DATUM, NULL, "nan", NULL},      {HUGE_DATUM, NULL, "1e999", NULL},
               {HUGE_TIME, "1e308", NULL, NULL},    {QUOTED_DATUM, NULL, "\"1.5\"", NULL},
               {COMMA_AS_POINT, NULL, "1,5", NULL}, {ZERO_DEVIATION, NULL, NULL, "0"},
               {MORE_CELLS, NULL, NULL, "1,1"}};
  char time[40], value[40];
  const char *cell[3] = {time, value, "0.5"};
  (void)snprintf(time, sizeof time, "%.17g", t);
  (void)snprintf(value, sizeof value, "%.17g", y);
  for (size_t k = 0; k < GRADYN_COUNT(cells) && row == v->row; k++)
    if (cells[k].is == v->bad) {
      cell[0] = cells[k].time ? cells[k].time : time;
      cell[1] = cells[k].value ? cells[k].value : value;
      cell[2] = cells[k].deviation ? cells[k].deviation : "0.5";
    }
  if (v->bad == CUT_LINE && row == v->row)
    put(d, "%s,0.5", cell[0]);
  else
    put_cells(d, v, cell[0], cell[1], cell[2], "a");
}

/* Writes lines of other cases. */
static void put_others(draft *d, const variant *v, double t)
{
  if (v->same[EMPTY_LINES]) {
    put(d, " ");
    end_line(d, v);
  }
  if (v->same[MISSING_DATUM]) {
    put_cells(d, v, "0.3", "", "", "a");
    end_line(d, v);
  }
  if (v->same[OTHER_CASE]) {
    char time[40];
    (void)snprintf(time, sizeof time, "%g", 5 - t);
    put_cells(d, v, time, "7", "1", "b");
    end_line(d, v);
  }
}

/* Writes a table. Returns the number of the damaged line; 0: there is none. */
static size_t put_table(draft *d, const variant *v, const double times[], const double values[])
{
  size_t damaged = 0;
  put_headings(d, v);
  if (v->bad == SAME_HEADING || v->bad == NO_HEADING || v->bad == QUOTED_HEADING)
    damaged = d->lines + 1;
  end_line(d, v);
  for (int k = 0; k < ROWS; k++) {
    put_others(d, v, times[k]);
    put_row(d, v, k, times[k], values[k]);
    if (v->bad > QUOTED_HEADING && v->bad < DAMAGES && k == v->row) {
      damaged = d->lines + 1;
      d->text[d->used - 1] = v->bad == ZERO_BYTE ? '\0' : d->text[d->used - 1];
    }
    if (k < ROWS - 1 || !v->same[NO_LAST_LINE_END])
      end_line(d, v);
  }
  return damaged;
}

/* Draws a variant; the first ones have one kind of damage each. */
static variant draw(unsigned *seed, unsigned number)
{
  variant v = {.bad = DAMAGES, .row = 1 + (int)table_file_draw(seed, ROWS - 1)};
  for (unsigned k = 0; k < HARMLESS; k++)
    v.same[k] = number < DAMAGES ? number == k : table_file_draw(seed, 3) == 0;
  if (number < DAMAGES ? number >= HARMLESS : table_file_draw(seed, 2) == 0)
    v.bad = number < DAMAGES ? (damage)number
                             : HARMLESS + table_file_draw(seed, DAMAGES - HARMLESS);
  if (v.bad == UNSORTED && v.row == 1)
    v.row = 2; /* after a later time */
  if (v.bad == LATE_TIME || v.bad == HUGE_TIME)
    v.row = ROWS -
            1; /* at another row, the next line would be refused, since its time is smaller */
  return v;
}

/* Simulates the model with data of case a in a table. */
static gradyn_status simulate(const char *path, gradyn_evaluator **ev, double psi[1 + ROWS])
{
  static const gradyn_param params[] = {{"y0", "", .init = 1, GRADYN_UNBOUNDED}};
  static const char *const names[] = {"a"}, *const columns[] = {"y0"};
  static const double start[] = {1.25};
  const gradyn_cases cases = {
      .names = names, .columns = columns, .values = start, .count = 1, .column_count = 1};
  const gradyn_problem problem = PROBLEM("of_file", data_file_build, params, .t_end = 1,
                                         .cases = &cases, .user = (void *)(size_t)path);
  const double rho[] = {1};
  gradyn_status status = run_try(ev, .problem = &problem, .method = "explicit");
  if (status == GRADYN_OK)
    status = gradyn_functional_count(*ev) == 1 + ROWS
                 ? gradyn_evaluator_simulate(*ev, rho, psi, NULL)
                 : GRADYN_STALLED;
  return status;
}

/* Each table gives the same fit, or is refused with the number of the damaged line. */
TEST(tables_with_known_damage_give_the_same_fit_or_name_the_line)
{
  static const double times[ROWS] = {0, 0.125, 0.25, 0.25, 0.7, 1},
                      values[ROWS] = {1, 0.9, 1.1, 1e-300, -3e7, 0.25};
  const unsigned tables = support_thorough() ? 10000 : 1000;
  unsigned seed = 11;
  char path[FOLDER_SIZE];
  double intact_psi[1 + ROWS] = {0};
  table_file_create(path);
  for (unsigned i = 0; i < tables; i++) {
    const variant v = draw(&seed, i);
    draft d = {.used = 0};
    const size_t line = put_table(&d, &v, times, values);
    table_file_write(path, d.text, d.used);
    gradyn_evaluator *ev;
    double psi[1 + ROWS];
    const gradyn_status status = simulate(path, &ev, psi);
    const char *message = gradyn_evaluator_message(ev);
    char where[FOLDER_SIZE + 32];
    (void)snprintf(where, sizeof where, "%s:%zu: ", path, line);
    if (i == 0)
      memcpy(intact_psi, psi, sizeof psi);
    if (line == 0 ? status != GRADYN_OK || memcmp(psi, intact_psi, sizeof psi) != 0
                  : status != GRADYN_INVALID || !strstr(message, where))
      fail_msg("table %u, damage %d, line %zu: status %d, '%s'\n%s", i, (int)v.bad, line,
               (int)status, message, d.text);
    gradyn_evaluator_free(ev);
  }
  assert_int_equal(unlink(path), 0);
}
