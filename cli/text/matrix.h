/* Square matrices under names, as an option gives them: the diagonal as NAME=VALUE,..., or all of it in a
 * file of comma-separated values. */
#ifndef GRADYN_CLI_MATRIX_H
#define GRADYN_CLI_MATRIX_H

#include "cli/options/names.h"
#include "cli/options/session.h"

typedef struct cli_matrix {
  cli_names names; /* of rows and columns */
  double *entry;   /* [names.count][names.count], owned */
} cli_matrix;

/* Takes the text of an option "--NAME": entries of the diagonal, or their square roots if they are
 * deviations, or the path of a file whose first line has the names and each further one a row. Prints
 * the reason of a failure and returns the exit status. Free in any case. */
int cli_matrix_take(const cli_session *session, const char *option, const char *text,
                    bool deviations, cli_matrix *out);
void cli_matrix_free(cli_matrix *matrix);

#endif
