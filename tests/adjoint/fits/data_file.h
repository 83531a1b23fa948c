/* Files with data, and a model whose fit reads one. */
#ifndef GRADYN_TESTS_DATA_FILE_H
#define GRADYN_TESTS_DATA_FILE_H

#include "tests/folder.h"
#include "tests/runs.h"

/* Creates an empty file of its own for the test. */
void data_file_name(char path[FOLDER_SIZE]);

void data_file_write(const char *path, const char *bytes, size_t size);

/* Returns a number below count; seed: state of the generator. */
unsigned data_file_draw(unsigned *seed, unsigned count);

/* A model of one state, the parameter. Its fit "y" reads the columns y and sd of the file that the user
 * pointer names. */
gradyn_status data_file_build(gradyn_model *model, const gradyn_scalar rho[]);

#endif
