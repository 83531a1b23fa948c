/* gradyn lqr: gains of the linear-quadratic regulator along a run. */
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/analysis.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/text/matrix.h"
#include "cli/base/memory.h"
#include "cli/options/session.h"

/* --- CSV ---------------------------------------------------------------------------------------- */

/* Writes a heading such as "K[u][2.x]". */
static void write_heading(FILE *file, const char *what, const char *row, const char *column)
{
  char *name = cli_text("%s[%s][%s]", what, row, column);
  (void)fputc(',', file);
  gradyn_csv_heading(file, name, "");
  free(name);
}

/* Writes a row for each time: t, inputs and states of the run, gains. */
static void write_gains(FILE *file, void *found)
{
  const gradyn_regulator *r = found;
  /* these are the data that a controller needs */
  gradyn_csv_heading(file, "t", "s");
  /* columns have the same names as in trajectories */
  for (size_t j = 0; j < r->inputs; j++) {
    (void)fputc(',', file);
    gradyn_csv_heading(file, r->input[j], r->input_unit[j]);
  }
  for (size_t i = 0; i < r->states; i++) {
    (void)fputc(',', file);
    gradyn_csv_heading(file, r->state[i], r->state_unit[i]);
  }
  for (size_t j = 0; j < r->inputs; j++)
    for (size_t i = 0; i < r->states; i++)
      write_heading(file, "K", r->input[j], r->state[i]);
  (void)fputc('\n', file);
  /* the controller computes u = u0 - K (x - x0) */
  for (size_t row = 0; row < r->rows; row++) {
    gradyn_csv_number(file, r->t[row]);
    gradyn_csv_numbers(file, r->u + row * r->inputs, r->inputs);
    gradyn_csv_numbers(file, r->x + row * r->states, r->states);
    gradyn_csv_numbers(file, r->gain + row * r->inputs * r->states, r->inputs * r->states);
    (void)fputc('\n', file);
  }
}

/* Writes the upper triangle of the cost matrix P for each time. */
static void write_costs(FILE *file, void *found)
{
  const gradyn_regulator *r = found;
  gradyn_csv_heading(file, "t", "s");
  for (size_t i = 0; i < r->states; i++) /* P is symmetric: its upper triangle */
    for (size_t j = i; j < r->states; j++)
      write_heading(file, "P", r->state[i], r->state[j]);
  (void)fputc('\n', file);
  for (size_t row = 0; row < r->rows; row++) {
    gradyn_csv_number(file, r->t[row]);
    /* in the order of the headings */
    for (size_t i = 0; i < r->states; i++)
      gradyn_csv_numbers(file, r->cost + (row * r->states + i) * r->states + i, r->states - i);
    (void)fputc('\n', file);
  }
}

/* --- JSON: matrices at the start ----------------------------------------------------------------- */

/* The object of --json. */
static void print_json(const cli_session *session, const gradyn_regulator *r)
{
  json_t *root = cli_json_session(session, GRADYN_OK), *states = json_array(),
         *inputs = json_array();
  for (size_t i = 0; i < r->states; i++)
    cli_json_append(states, cli_json_text(r->state[i]));
  for (size_t j = 0; j < r->inputs; j++)
    cli_json_append(inputs, cli_json_text(r->input[j]));
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "states", states);
  cli_json_put(root, "inputs", inputs);
  /* the first row of the arrays belongs to the start */
  cli_json_put(root, "K", cli_json_matrix(r->gain, r->inputs, r->states));
  cli_json_put(root, "P", cli_json_matrix(r->cost, r->states, r->states));
  cli_json_statistics(session, root);
  if (session->options->out)
    cli_json_put(root, "folder", cli_json_text(session->options->out));
  cli_json_print(root);
}

/* --- Command ------------------------------------------------------------------------------------ */

typedef struct weights {
  cli_matrix Q, Qf, R;
  cli_names wanted;
} weights;

/* Converts weights for the library. Weights that are not given have no names. */
static gradyn_weights of(const cli_matrix *m)
{
  return (gradyn_weights){m->names.name, m->names.count, m->entry};
}

/* Weights that are not given are zero. Without weights of the inputs the library reports an error. */
static int take_weights(const cli_session *session, weights *w)
{
  const cli_options *o = session->options;
  /* an option has either the diagonal, or the name of a file with the whole matrix */
  int result = o->weights.Q ? cli_matrix_take(session, "Q", o->weights.Q, false, &w->Q) : CLI_DONE;
  if (result == CLI_DONE && o->weights.Qf)
    result = cli_matrix_take(session, "Qf", o->weights.Qf, false, &w->Qf);
  if (result == CLI_DONE && o->weights.R)
    result = cli_matrix_take(session, "R", o->weights.R, false, &w->R);
  w->wanted = cli_names_split(o->preferred);
  return result;
}

/* Computes the regulator with the weights of the options. */
static int find(const cli_session *session, gradyn_regulator *found)
{
  weights w = {0}; /* no names until the options are read */
  int result = take_weights(session, &w);
  if (result == CLI_DONE) {
    const gradyn_regulator_spec spec = {
        .state = of(&w.Q),
        /* names of states and signals identify the entries of Q, Qf and R */
        .final = of(&w.Qf),
        .input = of(&w.R),
        .preferred_coordinates = w.wanted.name,
        .preferred_count = w.wanted.count,
        .samples = (size_t)session->options->samples};
    gradyn_status status = gradyn_regulator_compute(session->evaluator, session->rho, &spec, found);
    result = status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
  }
  cli_matrix_free(&w.Q);
  cli_matrix_free(&w.Qf);
  cli_matrix_free(&w.R);
  cli_names_free(&w.wanted);
  return result;
}

/* gradyn lqr: gains over time that stabilise a motion. */
int cli_lqr(const cli_session *session)
{
  const cli_options *options = session->options;
  gradyn_regulator found = {0};
  int result = find(session, &found);
  /* writes the files first, because the object names their folder */
  if (result == CLI_DONE && options->out)
    result = cli_session_keep(session, "K.csv", write_gains, &found);
  if (result == CLI_DONE && options->out)
    result = cli_session_keep(session, "P.csv", write_costs, &found);
  if (result == CLI_DONE && options->print.json)
    print_json(session, &found);
  else if (result == CLI_DONE && !options->out)
    write_gains(stdout, &found);
  if (result == CLI_DONE)
    cli_session_warn(session->evaluator);
  gradyn_regulator_clear(&found);
  return result;
}
