/* Journals of earlier versions, which store warnings as texts. */
#include "tests/optim/journalled.h"

#include <inttypes.h>
#include <unistd.h>

/* Adds a text to each evaluation of a journal, as earlier versions stored warnings. Lines must be short. */
static void add_texts(const char *file, const char *text)
{
  const content journal = journal_read(file);
  const size_t header = journal_line(journal, 1);
  content out = {.bytes = calloc(journal.size + 200 * journal_lines(journal), 1)};
  memcpy(out.bytes, journal.bytes, header);
  out.size = header;
  uint64_t sum = strtoull(journal.bytes + header - 19, NULL, 16);
  for (size_t k = 1; k < journal_lines(journal); k++) {
    const char *line = journal.bytes + journal_line(journal, k);
    const size_t length = journal_line(journal, k + 1) - journal_line(journal, k);
    char *to = out.bytes + out.size;
    int used = sprintf(to, "%.*s,\"message\":\"%s\"", (int)length - 27, line, text);
    sum = gradyn_journal_sum(sum, to, (size_t)used);
    used += sprintf(to + used, ",\"sum\":\"%016" PRIx64 "\"}\n", sum);
    out.size += (size_t)used;
  }
  journal_write(file, out.bytes, out.size);
  free(out.bytes);
  free(journal.bytes);
}

TEST(texts_of_an_earlier_version_are_warnings)
{
  FREED char *file = journal_name();
  const double start[4] = {1, 5, 5, 1};
  gradyn_search search = synthetic_search("slsqp");
  search.journal = file;
  for (int texts = 0; texts < 2; texts++) {
    LOCAL(gradyn_search_result) whole;
    LOCAL(gradyn_search_result) again;
    synthetic problem = synthetic_make(4, 1, 5, 3, hs071);
    synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
    synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
    assert_ok(
        journalled_run(&problem, &search, start, (gradyn_recollection){.fresh = true}, &whole),
        whole.reason);
    assert_int_equal(whole.warning_count, 0);
    if (texts == 1)
      add_texts(file, "steps were divided");
    gradyn_resumed resumed;
    assert_ok(journalled_run(&problem, &search, start, (gradyn_recollection){.resumed = &resumed},
                             &again),
              again.reason);
    assert_int_equal(again.warning_count, texts);
    if (texts == 1) {
      assert_int_equal(again.warnings[0].code, GRADYN_WARNING_EARLIER_VERSION);
      assert_string_equal(again.warnings[0].subject, "steps were divided");
    }
    assert_int_equal(unlink(file), 0);
  }
}
