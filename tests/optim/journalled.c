/* Searches with a journal for tests. */
#include "tests/optim/journalled.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>

#include "optim/study/journal.h"
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

/* A line ends with ,"sum":"0123456789abcdef"} and a newline. */
enum { TAIL = 27 };

/* Writes the line [length] with its checksum, which depends on that of the line before. */
static void add_line(FILE *to, const char *line, size_t length, uint64_t *sum)
{
  *sum = gradyn_journal_sum(*sum, line, length - TAIL);
  (void)fwrite(line, 1, length - TAIL, to);
  (void)fprintf(to, ",\"sum\":\"%016" PRIx64 "\"}\n", *sum);
}

void journal_forge(const char *file, const char *from, const char *to)
{
  content old = journal_read(file);
  const size_t header = journal_line(old, 1);
  char *line = calloc(1, header + strlen(to) + 1);
  const char *place = strstr(old.bytes, from);
  assert_true(line != NULL && place != NULL && place < old.bytes + header);
  const size_t before = (size_t)(place - old.bytes), behind = before + strlen(from);
  memcpy(line, old.bytes, before);
  strcpy(line + before, to);
  memcpy(line + before + strlen(to), old.bytes + behind, header - behind);
  FILE *stream = fopen(file, "wb");
  uint64_t sum = 0;
  assert_non_null(stream);
  add_line(stream, line, header + strlen(to) - strlen(from), &sum);
  for (size_t i = 1; i < journal_lines(old); i++)
    add_line(stream, old.bytes + journal_line(old, i),
             journal_line(old, i + 1) - journal_line(old, i), &sum);
  assert_int_equal(fclose(stream), 0);
  free(line);
  free(old.bytes);
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
  return gradyn_search_with_journal(&objective, NULL, search, x0, how, result);
}

void assert_same_result(const synthetic *problem, const gradyn_search_result *a,
                        const gradyn_search_result *b)
{
  const size_t n = problem->n, m = problem->m;
  assert_string_equal(a->reason, b->reason);
  assert_int_equal(a->termination, b->termination);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->rejected, b->rejected);
  assert_memory_equal(a->rho, b->rho, n * sizeof *a->rho);
  assert_memory_equal(a->psi, b->psi, m * sizeof *a->psi);
  assert_memory_equal(a->gradient, b->gradient, m * n * sizeof *a->gradient);
  assert_memory_equal(&a->objective, &b->objective, sizeof a->objective);
  assert_memory_equal(&a->projected_gradient, &b->projected_gradient, sizeof a->violation);
}
