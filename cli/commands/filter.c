/* gradyn filter: estimates the states along a run from data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/inference.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/text/matrix.h"
#include "cli/text/reporter.h"
#include "cli/base/memory.h"
#include "cli/base/table.h"
#include "cli/options/session.h"

/* --- CSV ---------------------------------------------------------------------------------------- */

/* Writes headings: states such as "2.x [m]", then their standard deviations such as "sd[2.x] [m]". */
static void write_headings(FILE *file, const gradyn_filter *f)
{
  gradyn_csv_heading(file, "t", "s");
  for (size_t i = 0; i < f->states; i++) {
    (void)fputc(',', file);
    gradyn_csv_heading(file, f->name[i], f->unit[i]);
  }
  for (size_t i = 0; i < f->states; i++) {
    char *name = cli_text("sd[%s]", f->name[i]);
    (void)fputc(',', file);
    gradyn_csv_heading(file, name, f->unit[i]);
    free(name);
  }
  (void)fputc('\n', file);
}

/* Writes the states and their standard deviations, a row for each time. */
static void write_states(FILE *file, const gradyn_filter *f, const double *state,
                         const double *covariance)
{
  const size_t n = f->states;
  write_headings(file, f);
  for (size_t row = 0; row < f->rows; row++, state += n, covariance += n * n) {
    gradyn_csv_number(file, f->t[row]);
    gradyn_csv_numbers(file, state, n);
    for (size_t i = 0; i < n; i++) {
      (void)fputc(',', file);
      /* a variance of zero may be negative by round-off */
      gradyn_csv_number(file, sqrt(fmax(covariance[i * n + i], 0)));
    }
    (void)fputc('\n', file);
  }
}

/* Writes estimates that include the data of each time. */
static void write_estimates(FILE *file, void *found)
{
  const gradyn_filter *f = found;
  write_states(file, f, f->estimate, f->covariance);
}

/* Writes predictions without the data of each time. */
static void write_predicted(FILE *file, void *found)
{
  const gradyn_filter *f = found;
  write_states(file, f, f->predicted, f->predicted_covariance);
}

typedef struct found_data {
  const cli_session *session;
  const gradyn_filter *filter;
} found_data;

/* Writes a row for each datum; data have different units. */
static void write_innovations(FILE *file, void *found)
{
  const found_data *of = found;
  gradyn_csv_heading(file, "t", "s");
  (void)fputs(",datum,value,predicted,innovation,deviation,normalised\n", file);
  for (size_t i = 0; i < of->filter->data; i++) {
    const gradyn_filter_datum *d = &of->filter->datum[i];
    gradyn_csv_number(file, d->t);
    (void)fputc(',', file);
    gradyn_csv_text(file, of->session->functional[d->functional].name);
    gradyn_csv_numbers(
        file, (double[]){d->value, d->predicted, d->innovation, d->deviation, d->normalised}, 5);
    (void)fputc('\n', file);
  }
}

/* --- JSON --------------------------------------------------------------------------------------- */

static json_t *datum_json(const cli_session *session, const gradyn_filter_datum *d)
{
  json_t *root = json_object();
  cli_json_put(root, "name", cli_json_text(session->functional[d->functional].name));
  cli_json_put(root, "t", gradyn_json_number(d->t));
  cli_json_put(root, "value", gradyn_json_number(d->value));
  cli_json_put(root, "predicted", gradyn_json_number(d->predicted));
  cli_json_put(root, "innovation", gradyn_json_number(d->innovation));
  cli_json_put(root, "deviation", gradyn_json_number(d->deviation));
  cli_json_put(root, "normalised", gradyn_json_number(d->normalised));
  return root;
}

/* Returns the object of --json and of result.json: all data, and the states at the last of them. */
static json_t *describe(const cli_session *session, const gradyn_filter *f)
{
  json_t *root = cli_json_session(session, GRADYN_OK), *states = json_array(), *data = json_array();
  const size_t last = f->rows - 1, n = f->states;
  for (size_t i = 0; i < n; i++)
    cli_json_append(states, cli_json_text(f->name[i]));
  for (size_t i = 0; i < f->data; i++)
    cli_json_append(data, datum_json(session, &f->datum[i]));
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "minus_log_likelihood", gradyn_json_number(f->minus_log_likelihood));
  cli_json_put(root, "data", data);
  cli_json_put(root, "states", states);
  cli_json_put(root, "t", gradyn_json_number(f->t[last]));
  cli_json_put(root, "estimate", cli_json_numbers(f->estimate + last * n, n));
  cli_json_put(root, "covariance", cli_json_matrix(f->covariance + last * n * n, n, n));
  cli_json_statistics(session, root);
  if (session->options->out)
    cli_json_put(root, "folder", cli_json_text(session->options->out));
  return root;
}

/* --- Command ------------------------------------------------------------------------------------ */

typedef struct covariances {
  cli_matrix initial, noise, added;
} covariances;

static gradyn_weights of(const cli_matrix *m)
{
  return (gradyn_weights){m->names.name, m->names.count, m->entry};
}

/* Reads the covariances of the options. Those that are not given are zero. */
static int take_covariances(const cli_session *session, covariances *c)
{
  const cli_weights *o = &session->options->weights;
  int result = CLI_DONE;
  if (o->initial)
    result = cli_matrix_take(session, "initial", o->initial, true, &c->initial);
  if (result == CLI_DONE && o->noise)
    result = cli_matrix_take(session, "noise", o->noise, false, &c->noise);
  if (result == CLI_DONE && o->added)
    result = cli_matrix_take(session, "added", o->added, true, &c->added);
  return result;
}

static int find(const cli_session *session, gradyn_filter *found)
{
  covariances c = {0};
  int result = take_covariances(session, &c);
  if (result == CLI_DONE) {
    const gradyn_filter_spec spec = {
        .initial = of(&c.initial), .noise = of(&c.noise), .added = of(&c.added)};
    const gradyn_status status = gradyn_filter_compute(session->evaluator, session->rho, &spec,
                                                       found);
    result = status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
  }
  cli_matrix_free(&c.initial);
  cli_matrix_free(&c.noise);
  cli_matrix_free(&c.added);
  return result;
}

/* Writes the files of --out. */
static int keep(const cli_session *session, gradyn_filter *found)
{
  found_data data = {session, found};
  int result = cli_session_keep(session, "estimates.csv", write_estimates, found);
  if (result == CLI_DONE)
    result = cli_session_keep(session, "predicted.csv", write_predicted, found);
  return result == CLI_DONE ? cli_session_keep(session, "innovations.csv", write_innovations, &data)
                            : result;
}

/* Prints how well the model fits the data. */
static void show(const gradyn_filter *f, FILE *file)
{
  double sum = 0;
  for (size_t i = 0; i < f->data; i++)
    sum += f->datum[i].normalised * f->datum[i].normalised;
  (void)fprintf(
      file, "%zu data at %zu times; -ln L = %.10g; mean square of normalised innovations %.4g\n",
      f->data, f->rows, f->minus_log_likelihood, sum / (double)f->data);
}

static int estimate(cli_session *session, gradyn_folder *study)
{
  const cli_options *options = session->options;
  gradyn_filter found = {0};
  int result = find(session, &found);
  if (result == CLI_DONE && options->out)
    result = keep(session, &found);
  if (result == CLI_DONE && !options->print.json && !options->out)
    write_estimates(stdout, &found);
  if (result == CLI_DONE && !options->print.json && !options->print.quiet)
    show(&found, options->out ? stdout : stderr);
  if (result == CLI_DONE)
    result = cli_reporter_conclude(session, study, describe(session, &found), NULL, false);
  if (result == CLI_DONE)
    cli_session_warn(session->evaluator);
  gradyn_filter_clear(&found);
  return result;
}

/* gradyn filter: estimates of the state, over time. */
int cli_filter(const cli_options *options)
{
  return cli_study_with(options, estimate);
}
