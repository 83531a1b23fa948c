/* Settings that Ipopt receives: its options and bounds, and that it prints nothing. */
#include "tests/folder.h"
#include "tests/optim/journalled.h"
#include "tests/optim/synthetic.h"

#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "optim/study/identity.h"

static synthetic make_hs071(void)
{
  synthetic problem = synthetic_make(4, 1, 5, 3, hs071);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
  return problem;
}

static gradyn_search_result solve_hs071(void)
{
  const double x0[4] = {1, 5, 5, 1};
  synthetic problem = make_hs071();
  const gradyn_search search = synthetic_search("ipopt");
  gradyn_search_result result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  return result;
}

/* Enters a new folder that contains a file of options; returns the previous folder, to go back to it. */
static int enter_folder_of_options(char folder[FOLDER_SIZE])
{
  const int before = open(".", O_RDONLY | O_DIRECTORY);
  assert_true(before >= 0);
  assert_non_null(folder_create("ipopt", folder));
  assert_int_equal(chdir(folder), 0);
  FILE *file = fopen("ipopt.opt", "w");
  assert_non_null(file);
  assert_true(fputs("max_iter 1\nmu_init 1e-5\nprint_level 5\n", file) >= 0);
  assert_int_equal(fclose(file), 0);
  return before;
}

/* Runs a search while standard output goes to a file; returns the result and the length of the file. */
static gradyn_search_result solve_watched(off_t *printed)
{
  assert_int_equal(fflush(stdout), 0);
  const int out = dup(1), file = open("printed", O_RDWR | O_CREAT, 0600);
  assert_true(out >= 0 && file >= 0 && dup2(file, 1) == 1);
  const gradyn_search_result result = solve_hs071();
  struct stat about;
  assert_true(fflush(stdout) == 0 && fstat(file, &about) == 0 && dup2(out, 1) == 1);
  assert_true(close(out) == 0 && close(file) == 0 && unlink("printed") == 0);
  *printed = about.st_size;
  return result;
}

/* The journal must name the version before any search with Ipopt, which may be loaded on demand. */
TEST(a_journal_names_the_version_of_ipopt)
{
  const double x0[2] = {-1.2, 1};
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  static const char *const names[] = {"ipopt", "lbfgs"};
  for (int i = 0; i < 2; i++) {
    const gradyn_search search = synthetic_search(names[i]);
    json_t *identity = gradyn_identity(&objective, NULL, &search, x0);
    const json_t *build = json_object_get(identity, "build");
    const char *version = json_string_value(json_object_get(build, "ipopt"));
    const char *library = json_string_value(json_object_get(build, "ipopt_library"));
    const char *mumps = json_string_value(json_object_get(build, "mumps_library"));
    assert_int_equal(version != NULL, i == 0);
    if (i == 0)
      assert_true(version[0] == '3' && strstr(library, "libipopt") && strstr(mumps, "mumps"));
    json_decref(identity);
  }
}

/* The file ipopt.opt in the current folder would change settings of Ipopt, and Ipopt would print a banner.
 * Neither may happen. */
TEST(options_of_the_folder_change_nothing_and_nothing_is_printed)
{
  char folder[FOLDER_SIZE];
  const int before = enter_folder_of_options(folder);
  off_t printed = -1;
  /* this is the first search, since a banner would appear only once */
  LOCAL(gradyn_search_result) beside = solve_watched(&printed);
  assert_int_equal(printed, 0);
  assert_int_equal(unlink("ipopt.opt"), 0);
  assert_int_equal(fchdir(before), 0);
  assert_int_equal(close(before), 0);
  assert_int_equal(rmdir(folder), 0);
  LOCAL(gradyn_search_result) alone = solve_hs071();
  assert_memory_equal(beside.rho, alone.rho, 4 * sizeof *alone.rho);
  assert_int_equal(beside.evaluations, alone.evaluations);
}

/* With Ipopt's default relaxation of bounds by 1e-8, a constraint would be violated by a hundred of these
 * tolerances. */
TEST(limits_are_not_relaxed)
{
  const double x0[4] = {1, 5, 5, 1};
  synthetic problem = make_hs071();
  problem.functionals[1].tolerance = 1e-10;
  const gradyn_search search = synthetic_search("ipopt");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_true(result.psi[1] >= 25 - 1e-10);
}

/* Can be evaluated only very near to the bound at which the search starts; Ipopt moves its start inside the
 * bounds. */
static gradyn_status narrow(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  const double r = x[2] - x[1] * x[1];
  (void)problem;
  if (x[0] > 4e-3)
    return GRADYN_NOT_CONVERGED;
  psi[0] = x[0] + 100 * r * r + (1 - x[1]) * (1 - x[1]);
  gradient[0] = 1;
  gradient[1] = -400 * r * x[1] - 2 * (1 - x[1]);
  gradient[2] = 200 * r;
  return GRADYN_OK;
}

TEST(start_beside_points_that_fail)
{
  const double x0[3] = {0, 0.5, 3};
  synthetic problem = synthetic_make(3, 0, 5, 1, narrow);
  const gradyn_search search = synthetic_search("ipopt");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_true(result.rejected >= 1);
  assert_close(result.rho[1], 1, 0, 1e-4);
}

/* A long slope with a wall directly after its minimum. */
static gradyn_status walled(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  (void)problem;
  if (x[0] > 1.2)
    return GRADYN_NOT_CONVERGED;
  psi[0] = exp(10 * (x[0] - 1)) - x[0];
  gradient[0] = 10 * exp(10 * (x[0] - 1)) - 1;
  return GRADYN_OK;
}

TEST(failing_points_shorten_steps)
{
  const double x0[1] = {-4};
  synthetic problem = synthetic_make(1, -50, 50, 1, walled);
  problem.parameters[0].scale = 1;
  const gradyn_search search = synthetic_search("ipopt");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_true(result.rejected >= 1);
  assert_close(result.rho[0], 1 - log(10) / 10, 0, 1e-5);
}

/* On a circle; the derivative with respect to x1 is zero at the start of the search only. */
SYNTHETIC(circle)
{
  psi[0] = x[0] - x[1];
  gradient[0] = 1;
  gradient[1] = -1;
  psi[1] = x[0] * x[0] + x[1] * x[1];
  gradient[2] = 2 * x[0];
  gradient[3] = 2 * x[1];
}

TEST(slopes_that_are_zero_at_first_are_not_forgotten)
{
  const double x0[2] = {3, 0};
  synthetic problem = synthetic_make(2, -50, 50, 2, circle);
  problem.parameters[0].scale = problem.parameters[1].scale = 1;
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 2);
  const gradyn_search search = synthetic_search("ipopt");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], -1, 0, 1e-5);
  assert_close(result.rho[1], 1, 0, 1e-5);
  assert_true(result.evaluations < 60);
}

/* Results name the libraries that computed them, for comparisons between machines. */
/* sum of (x_i - 1)^2 + (x_0^2 x_1^2 - 1)^2: x_0 and x_1 interact only away from the axes. */
SYNTHETIC(late)
{
  const double p = x[0] * x[1], q = p * p - 1;
  psi[0] = (x[0] - 1) * (x[0] - 1) + (x[1] - 1) * (x[1] - 1) + q * q;
  gradient[0] = 2 * (x[0] - 1) + 4 * q * p * x[1];
  gradient[1] = 2 * (x[1] - 1) + 4 * q * p * x[0];
}

/* Returns one block if they interact, and otherwise two blocks of one entry. */
static gradyn_status late_curvature(void *self, const double weight[], const double x[],
                                    const gradyn_block **block)
{
  static size_t parameter[2] = {0, 1};
  static double H[2][4];
  static gradyn_block blocks[2];
  (void)self;
  const double p = x[0] * x[1], w = weight[0];
  const double xx = w * (2 + x[1] * x[1] * (12 * p * p - 4)), xy = w * (16 * p * p - 8) * p,
               yy = w * (2 + x[0] * x[0] * (12 * p * p - 4));
  const bool both = p != 0;
  blocks[0] = (gradyn_block){.count = both ? 2 : 1, .parameter = parameter, .H = H[0]};
  blocks[1] = (gradyn_block){.count = both ? 0 : 1, .parameter = parameter + 1, .H = H[1]};
  memcpy(H[0], (const double[4]){xx, xy, xy, yy}, sizeof H[0]);
  H[1][0] = yy;
  *block = blocks;
  return GRADYN_OK;
}

/* Entries of the Hessian that are not known at the start but appear during the search are used from then
 * on. */
TEST(second_derivatives_appear_during_a_search)
{
  const double x0[2] = {0, 2};
  synthetic problem = synthetic_make(2, -9, 9, 1, late);
  gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("ipopt");
  LOCAL(gradyn_search_result) result;
  objective.blocks.count = 2;
  objective.curve = late_curvature;
  search.hessian = true;
  assert_ok(gradyn_search_run(&objective, &search, x0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], 1, 1e-6, 0);
  assert_close(result.rho[1], 1, 1e-6, 0);
  assert_true(result.evaluations < 40);
}

/* Reads the text of a member of the header's "build", in quotes. */
static void build_text(const char *file, const char *key, char *text, size_t size)
{
  content journal = journal_read(file);
  journal.bytes[journal_line(journal, 1) - 1] = '\0';
  json_t *header = json_loads(journal.bytes, 0, NULL);
  const json_t *value = json_object_get(json_object_get(header, "build"), key);
  assert_true(json_is_string(value));
  (void)snprintf(text, size, "\"%s\":\"%s\"", key, json_string_value(value));
  json_decref(header);
  free(journal.bytes);
}

/* The sequence of points of Ipopt depends on its libraries. A journal with the same evaluations but other
 * libraries must be refused. */
TEST(a_search_with_other_libraries_is_not_resumed)
{
  static const char *const key[] = {"blas", "mumps_library", "ipopt_library", "lapack"};
  const double x0[2] = {-1.2, 1};
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("ipopt");
  gradyn_search_result first, again;
  FREED char *file = journal_name();
  search.journal = file;
  assert_ok(journalled_run(&problem, &search, x0, (gradyn_recollection){.fresh = true}, &first),
            first.reason);
  for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
    char real[512], forged[64];
    gradyn_resumed resumed = {0};
    const gradyn_recollection how = {.resumed = &resumed};
    build_text(file, key[i], real, sizeof real);
    assert_null(strstr(real, "\"?\""));
    (void)snprintf(forged, sizeof forged, "\"%s\":\"/elsewhere/lib.so.1\"", key[i]);
    journal_forge(file, real, forged);
    assert_int_equal(journalled_run(&problem, &search, x0, how, &again), GRADYN_INVALID);
    if (strstr(again.reason, key[i]) == NULL ||
        strstr(again.reason, "/elsewhere/lib.so.1, here /") == NULL)
      fail_msg("'%s'", again.reason);
    gradyn_search_result_clear(&again);
    /* with the original header, the search is resumed */
    journal_forge(file, forged, real);
    assert_ok(journalled_run(&problem, &search, x0, how, &again), again.reason);
    assert_same_result(&problem, &first, &again);
    gradyn_search_result_clear(&again);
  }
  gradyn_search_result_clear(&first);
  assert_int_equal(unlink(file), 0);
}
