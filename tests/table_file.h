/* Files with tables for tests, intact and damaged. */
#ifndef GRADYN_TESTS_TABLE_FILE_H
#define GRADYN_TESTS_TABLE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/folder.h"
#include "tests/support.h"

/* Creates an empty file of its own for the test. */
static inline void table_file_create(char path[FOLDER_SIZE])
{
  (void)snprintf(path, FOLDER_SIZE, "%s/gradyn-table-XXXXXX", folder_parent());
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(close(descriptor), 0);
}

/* Replaces the contents by `size` bytes. */
static inline void table_file_write(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* Returns a number below count; seed: state of the generator. */
static inline unsigned table_file_draw(unsigned *seed, unsigned count)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % count;
}

#endif
