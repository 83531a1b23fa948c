/* A model whose fit reads a file. */
#ifndef GRADYN_TESTS_DATA_FILE_H
#define GRADYN_TESTS_DATA_FILE_H

#include "tests/runs.h"
#include "tests/table_file.h"

/* A model of one state, the parameter. Its fit "y" reads the columns y and sd of the file that the user
 * pointer names. */
gradyn_status data_file_build(gradyn_model *model, const gradyn_scalar rho[]);

#endif
