/* Covariances as tables, JSON and CSV. */
#include "cli/text/covariance.h"

#include <stdlib.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/text/matrix.h"
#include "cli/base/memory.h"
#include "cli/base/table.h"

/* Computes the covariances. The file or list of --covariance names the data with their deviations. */
int cli_covariance_find(const cli_session *session, size_t samples, double *psi,
                        gradyn_trajectory *trajectory, gradyn_covariance *out)
{
  cli_matrix matrix;
  *out = (gradyn_covariance){0};
  int result = cli_matrix_take(session, "covariance", session->options->covariance, true, &matrix);
  if (result == CLI_DONE) {
    /* samples: number of rows of the trajectory */
    const gradyn_covariance_spec spec = {.name = matrix.names.name,
                                         .count = matrix.names.count,
                                         .matrix = matrix.entry,
                                         .samples = samples};
    gradyn_status status = gradyn_covariance_compute(session->evaluator, session->rho, &spec, psi,
                                                     trajectory, out);
    result = status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
  }
  cli_matrix_free(&matrix);
  return result;
}

/* Prints a table of standard deviations after that of the values. */
void cli_covariance_show(const cli_session *session, const gradyn_covariance *covariance,
                         FILE *file)
{
  cli_table table = {.align = "lrl"};
  cli_table_add(&table, "functional|standard deviation|unit");
  for (size_t f = 0; f < session->functionals; f++) {
    cli_table_add(&table, "%s|%.12g|%s", session->functional[f].name, covariance->deviation[f],
                  session->functional[f].unit);
  }
  (void)fputc('\n', file); /* empty line after the table of values */
  cli_table_print(&table, "", file);
}

/* Returns the object of --json: the matrix of the state at the end, and the deviations of functionals. */
json_t *cli_covariance_json(const cli_session *session, const gradyn_covariance *c)
{
  json_t *root = json_object(), *states = json_array(), *matrix = json_array(),
         *functionals = json_object();
  /* the object has only the matrix at the end; covariance.csv has those of all times */
  size_t last = c->rows - 1;
  double *row = cli_take(c->states, sizeof *row);
  for (size_t i = 0; i < c->states; i++) {
    for (size_t j = 0; j < c->states; j++)
      row[j] = gradyn_covariance_entry(c, last, i, j);
    cli_json_append(states, cli_json_text(c->name[i]));
    cli_json_append(matrix, cli_json_numbers(row, c->states));
  }
  for (size_t f = 0; f < session->functionals; f++)
    cli_json_put(functionals, session->functional[f].name, gradyn_json_number(c->deviation[f]));
  free(row);
  cli_json_put(root, "t", gradyn_json_number(c->t[last]));
  cli_json_put(root, "states", states);
  cli_json_put(root, "matrix", matrix);
  cli_json_put(root, "functional_deviations", functionals);
  return root;
}

/* Writes headings such as "cov[2.x][2.vx] [m m/s]". */
static void write_headings(FILE *file, const gradyn_covariance *c)
{
  gradyn_csv_heading(file, "t", "s");
  /* the matrix is symmetric, so that its upper triangle suffices */
  for (size_t i = 0; i < c->states; i++)
    for (size_t j = i; j < c->states; j++) {
      char *name = cli_text("cov[%s][%s]", c->name[i], c->name[j]);
      char *unit = cli_text("%s %s", c->unit[i], c->unit[j]);
      (void)fputc(',', file);
      gradyn_csv_heading(file, name, unit);
      free(name);
      free(unit);
    }
  (void)fputc('\n', file);
}

/* Writes covariance.csv with a row for each output time: the upper triangle of the symmetric matrix. */
gradyn_status cli_covariance_keep(gradyn_folder *study, const gradyn_covariance *c)
{
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(study, &file, "covariance.csv"));
  write_headings(file.stream, c);
  for (size_t row = 0; row < c->rows; row++) {
    gradyn_csv_number(file.stream, c->t[row]);
    for (size_t i = 0; i < c->states; i++)
      for (size_t j = i; j < c->states; j++) { /* in the order of the headings */
        (void)fputc(',', file.stream);
        gradyn_csv_number(file.stream, gradyn_covariance_entry(c, row, i, j));
      }
    (void)fputc('\n', file.stream);
  }
  return gradyn_folder_end(study, &file, GRADYN_OK);
}
