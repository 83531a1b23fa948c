/* Square matrices with named rows and columns, from an option: the diagonal as NAME=VALUE,..., or the whole
 * matrix in a CSV file. */
#ifndef GRADYN_CLI_MATRIX_H
#define GRADYN_CLI_MATRIX_H

#include "cli/options/names.h"
#include "cli/options/session.h"

typedef struct cli_matrix {
  cli_names names; /* names of rows and columns */
  double *entry;   /* [names.count][names.count], owned */
} cli_matrix;

/* Reads the matrix of option --`option`, whose value is text. NAME=VALUE,... are entries >= 0 of the
 * diagonal, or with `deviations` their square roots. Any other text is the path of a CSV file: the first line
 * has the names, each further line a row; at most 1000 names. Names are not checked. Prints the reason of a
 * failure, and returns the exit status. Free *out in any case. */
int cli_matrix_take(const cli_session *session, const char *option, const char *text,
                    bool deviations, cli_matrix *out);
/* Frees the members, and makes *matrix {0}; may be repeated. */
void cli_matrix_free(cli_matrix *matrix);

#endif
