/* Comma-separated values: a line of headings with units, numbers that read back exactly. */
#ifndef GRADYN_CLI_CSV_H
#define GRADYN_CLI_CSV_H

#include <stdio.h>

#include <gradyn/covariance.h>

/* Writes "name [unit]" as a heading, quoted where it has to be; unit "" leaves the brackets out. */
void cli_csv_heading(FILE *file, const char *name, const char *unit);

/* Writes a text, quoted where it has to be. */
void cli_csv_text(FILE *file, const char *text);

/* Writes a number with 17 significant digits; "nan", "inf" or "-inf" if it is not finite. */
void cli_csv_number(FILE *file, double value);

/* The same of count numbers, each behind a comma; value NULL: none of them is known. */
void cli_csv_numbers(FILE *file, const double *value, size_t count);

/* Writes a trajectory: time and all columns, at every step, or with samples >= 2 at that many
 * equally spaced times, or with samples = 1 at the end. GRADYN_INTERRUPTED: a request to end is
 * older than grace, s, and the rest is missing. Failures to write show in ferror(file). */
gradyn_status cli_csv_trajectory(FILE *file, const gradyn_trajectory *trajectory, size_t samples,
                                 double grace);

/* The same with the standard deviations of the states, sd[2.x], behind them: the covariance has a row for
 * each of the trajectory, or of the samples. */
gradyn_status cli_csv_scatter(FILE *file, const gradyn_trajectory *trajectory,
                              const gradyn_covariance *covariance, size_t samples, double grace);

#endif
