/* Files with data, and a model whose fit reads one. */
#include "tests/adjoint/fits/data_file.h"

#include <stdio.h>
#include <unistd.h>

void data_file_write(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

void data_file_name(char path[FOLDER_SIZE])
{
  (void)snprintf(path, FOLDER_SIZE, "%s/gradyn-data-XXXXXX", folder_parent());
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(close(descriptor), 0);
}

unsigned data_file_draw(unsigned *seed, unsigned count)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % count;
}

FORMULAS(still, at->yp[0])
FORMULA(state, at->y[0])

gradyn_status data_file_build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = still});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "m", .formula = state});
  gradyn_minimise(
      model,
      gradyn_fit(model, "y", y,
                 &(gradyn_fit_spec){.file = gradyn_user(model), .deviation_column = "sd"}),
      1);
  return gradyn_build_status(model);
}
