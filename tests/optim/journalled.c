/* Searches with a journal for tests. */
#include "tests/optim/journalled.h"

#include <dirent.h>
#include <unistd.h>

#include "tests/folder.h"

char *journal_name(void)
{
  char *name = calloc(1, 512);
  assert_non_null(name);
  (void)snprintf(name, 512, "%s/gradyn-journal-%ld.jsonl", folder_parent(), (long)getpid());
  (void)unlink(name);
  return name;
}

char *journal_folder(void)
{
  char *folder = malloc(FOLDER_SIZE);
  assert_non_null(folder);
  assert_non_null(folder_create("journals", folder));
  return folder;
}

void journal_sweep_up(char *folder)
{
  char command[FOLDER_SIZE + 16];
  (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
  free(folder);
}

size_t journal_open_files(void)
{
  size_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder != NULL && readdir(folder) != NULL)
    count++;
  if (folder != NULL)
    (void)closedir(folder);
  return count;
}

content journal_read(const char *file)
{
  FILE *stream = fopen(file, "rb");
  assert_non_null(stream);
  content all = {calloc(1, 1 << 22), 0};
  assert_non_null(all.bytes);
  all.size = fread(all.bytes, 1, (1 << 22) - 1, stream);
  assert_int_equal(fclose(stream), 0);
  return all;
}

void journal_write(const char *file, const char *bytes, size_t size)
{
  FILE *stream = fopen(file, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(bytes, 1, size, stream), size);
  assert_int_equal(fclose(stream), 0);
}

size_t journal_line(content file, size_t number)
{
  size_t at = 0;
  for (size_t i = 0; i < number; i++)
    at = (size_t)((char *)memchr(file.bytes + at, '\n', file.size - at) - file.bytes) + 1;
  return at;
}

size_t journal_lines(content file)
{
  size_t lines = 0;
  for (size_t i = 0; i < file.size; i++)
    lines += file.bytes[i] == '\n';
  return lines;
}

gradyn_status journalled_run(synthetic *problem, const gradyn_search *search, const double x0[],
                             gradyn_recollection how, gradyn_search_result *result)
{
  const gradyn_objective objective = synthetic_objective(problem);
  return gradyn_search_recall(&objective, NULL, search, x0, how, result);
}

void assert_same_result(const synthetic *problem, const gradyn_search_result *a,
                        const gradyn_search_result *b)
{
  const size_t n = problem->n, m = problem->m;
  assert_string_equal(a->reason, b->reason);
  assert_int_equal(a->ending, b->ending);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->rejected, b->rejected);
  assert_memory_equal(a->rho, b->rho, n * sizeof *a->rho);
  assert_memory_equal(a->psi, b->psi, m * sizeof *a->psi);
  assert_memory_equal(a->gradient, b->gradient, m * n * sizeof *a->gradient);
  assert_memory_equal(&a->objective, &b->objective, sizeof a->objective);
  assert_memory_equal(&a->projected_gradient, &b->projected_gradient, sizeof a->violation);
}
