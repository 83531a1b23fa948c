/* The file of a journal: it is opened and locked, read line by line, and extended by one write per line.
 *
 * A journal is a header and one line of JSON per evaluation, with a checksum that continues from line to
 * line. It grows at its end only. A program that is killed therefore leaves complete lines and at most one
 * incomplete line, which is removed when the journal is opened again. A lock prevents other writers. */
#include "optim/study/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/files/json_read.h"
#include "core/files/upgrade.h"
#include <gradyn/study.h>

/* End of a line: this text, the checksum as sixteen hexadecimal digits, a quote, a brace and a
 * newline. */
static const char sum_member[] = ",\"sum\":\"";
enum { SUM_MEMBER = sizeof sum_member - 1, SUM_DIGITS = 16, TAIL = SUM_MEMBER + SUM_DIGITS + 3 };

/* Reports a failure with the file and the reason of the system. */
static gradyn_status fail_io(gradyn_journal *journal, const char *what)
{
  const gradyn_status status = errno == ENOMEM ? GRADYN_NO_MEMORY : GRADYN_IO;
  return gradyn_fail(&journal->message, status, "%s the journal '%s': %s", what, journal->file,
                     strerror(errno));
}

/* Reports a lack of memory, which is no fault of the file. */
static gradyn_status fail_memory(gradyn_journal *journal)
{
  return gradyn_fail(&journal->message, GRADYN_NO_MEMORY, "out of memory for the journal '%s'",
                     journal->file);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Parses a line [length], which includes its newline, and compares its checksum, *sum. GRADYN_INVALID: the
 * line is damaged. */
static gradyn_status parse(const gradyn_journal *journal, const char *line, size_t length,
                           uint64_t *sum, json_t **object)
{
  *object = NULL;
  /* a line has at least a checksum, a closing brace and a newline */
  if (length < TAIL || line[length - 1] != '\n' || line[length - 2] != '}')
    return GRADYN_INVALID;
  const size_t body = length - TAIL;
  char digits[SUM_DIGITS + 1], why[128];
  /* the checksum starts from that of the previous line: a missing or exchanged line is detected */
  *sum = gradyn_journal_sum(journal->sum, line, body);
  (void)snprintf(digits, sizeof digits, "%016" PRIx64, *sum);
  if (memcmp(line + body, sum_member, SUM_MEMBER) != 0 ||
      memcmp(line + body + SUM_MEMBER, digits, SUM_DIGITS) != 0)
    return GRADYN_INVALID;
  GRADYN_TRY(gradyn_json_read(line, length, object, why, sizeof why));
  return json_is_object(*object) ? GRADYN_OK : GRADYN_INVALID;
}

/* Adds the record of a line. GRADYN_INVALID: this line is damaged, and all lines after it are unusable. */
static gradyn_status add_record(gradyn_journal *journal, const json_t *line)
{
  if (journal->count == journal->capacity) {
    const size_t capacity = 2 * journal->capacity + 64;
    gradyn_record *grown = realloc(journal->records, capacity * sizeof *grown);
    if (grown == NULL)
      return GRADYN_NO_MEMORY;
    journal->records = grown;
    journal->capacity = capacity;
  }
  /* consecutive numbers show that no line is missing */
  if (json_integer_value(json_object_get(line, "evaluation")) != journal->lines + 1)
    return GRADYN_INVALID;
  gradyn_record *record = &journal->records[journal->count];
  const gradyn_status status = gradyn_journal_decode(journal, line, record);
  if (status == GRADYN_OK) {
    journal->count++;
    journal->lines++;
  } else {
    gradyn_record_clear(record);
  }
  return status;
}

/* Adds a line to the header or the records. GRADYN_INVALID: the line is damaged. */
static gradyn_status take_line(gradyn_journal *journal, const char *line, size_t length)
{
  uint64_t sum = 0; /* checksum of this line, from which that of the next line starts */
  json_auto_t *object = NULL;
  GRADYN_TRY(parse(journal, line, length, &sum, &object));
  if (journal->header == NULL) { /* the first line is the header */
    journal->header = json_incref(object);
    journal->format = json_integer_value(json_object_get(object, "journal"));
    GRADYN_TRY(journal->format == 1 ? gradyn_upgrade(object) : GRADYN_OK);
  } else {
    GRADYN_TRY(add_record(journal, object));
  }
  /* set after all tests: a damaged line does not change the journal */
  journal->sum = sum;
  journal->length += (long long)length;
  return GRADYN_OK;
}

/* Checks the entries of the header without which lines cannot be read. */
static gradyn_status check_header(gradyn_journal *journal)
{
  const json_t *header = journal->header;
  const json_int_t p = json_integer_value(json_object_get(header, "parameter_count"));
  const json_int_t f = json_integer_value(json_object_get(header, "functional_count"));
  if (journal->format < 1 || journal->format > GRADYN_FILE_FORMAT)
    return gradyn_fail(
        &journal->message, GRADYN_INVALID,
        "journal '%s': its format is %lld; this version of gradyn reads formats 1 to %d",
        journal->file, journal->format, GRADYN_FILE_FORMAT);
  if (journal->any_size && p >= 0 && f >= 0) {
    journal->p = (size_t)p;
    journal->f = (size_t)f;
  }
  if (p != (json_int_t)journal->p || f != (json_int_t)journal->f)
    return gradyn_fail(&journal->message, GRADYN_INVALID,
                       "the journal '%s' has %lld parameters and %lld functionals, the problem has "
                       "%zu and %zu",
                       journal->file, (long long)p, (long long)f, journal->p, journal->f);
  return GRADYN_OK;
}

/* Reads the next line and its length; *length 0: there is no further line. */
static gradyn_status next_line(gradyn_journal *journal, FILE *file, char **line, size_t *capacity,
                               size_t *length)
{
  const ssize_t got = getline(line, capacity, file);
  *length = got > 0 ? (size_t)got : 0;
  /* the end of the file is no failure; without memory, the stream has no flag of an error */
  return got > 0 || (feof(file) && !ferror(file)) ? GRADYN_OK : fail_io(journal, "cannot read");
}

/* Whether a file begins like a journal. If not, it is another file, which must not be changed. */
static bool begins_a_journal(const char *line, size_t length)
{
  static const char begin[] = "{\"";
  const size_t most = sizeof begin - 1;
  return memcmp(line, begin, length < most ? length : most) == 0;
}

/* Reads all lines. A damaged line is an error, unless it is the last line: then *torn is set, because a
 * process was killed while it wrote this line. */
static gradyn_status read_lines(gradyn_journal *journal, FILE *file, bool *torn)
{
  FREED char *line = NULL;
  size_t capacity = 0, length = 0;
  long number = 0;
  GRADYN_TRY(next_line(journal, file, &line, &capacity, &length));
  while (length > 0 && !*torn) {
    const bool first = journal->header == NULL, whole = line[length - 1] == '\n';
    if (first && !begins_a_journal(line, length))
      return gradyn_fail(&journal->message, GRADYN_INVALID,
                         "the file '%s' is not a journal, or its first line is damaged",
                         journal->file);
    number++;
    const gradyn_status taken = take_line(journal, line, length);
    if (taken == GRADYN_NO_MEMORY)
      return fail_memory(journal);
    if (taken == GRADYN_OK && first)
      GRADYN_TRY(check_header(journal));
    /* reading ends at a line without newline, even if another process has continued it since */
    if (whole)
      GRADYN_TRY(next_line(journal, file, &line, &capacity, &length));
    *torn = taken == GRADYN_INVALID && (!whole || length == 0);
    if (taken == GRADYN_INVALID && !*torn)
      return gradyn_fail(&journal->message, GRADYN_INVALID,
                         "line %ld of the journal '%s' is damaged; the %zu evaluations before it "
                         "are intact",
                         number, journal->file, journal->count);
  }
  return GRADYN_OK;
}

/* Refuses to continue a search of an earlier version that enforced path constraints at other points. */
static gradyn_status check_rounds(gradyn_journal *journal)
{
  if (journal->read_only || journal->format > 1)
    return GRADYN_OK;
  for (size_t i = 0; i < journal->count; i++)
    if (journal->records[i].row_count > 0)
      return gradyn_fail(
          &journal->message, GRADYN_INVALID,
          "journal '%s': an earlier version of gradyn enforced its path constraints at "
          "other points. Begin a new search with --from",
          journal->file);
  return GRADYN_OK;
}

/* Reads header and records, and removes an incomplete last line. */
static gradyn_status read_all(gradyn_journal *journal)
{
  /* the file descriptor is copied, because closing the stream would close that of the journal */
  const int copy = dup(journal->fd);
  FILE *file = copy >= 0 ? fdopen(copy, "r") : NULL;
  bool torn = false;
  if (file == NULL) {
    const gradyn_status status = fail_io(journal, "cannot read");
    if (copy >= 0)
      (void)close(copy);
    return status;
  }
  gradyn_status status = read_lines(journal, file, &torn);
  if (status == GRADYN_OK)
    status = check_rounds(journal);
  (void)fclose(file); /* read errors were detected before */
  /* an incomplete line must not remain between valid ones */
  if (status == GRADYN_OK && torn && !journal->read_only &&
      ftruncate(journal->fd, (off_t)journal->length) != 0)
    status = fail_io(journal, "cannot repair");
  return status;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* Opens the file. Anything but a file is refused; O_NONBLOCK avoids that a pipe waits for its other end. */
static gradyn_status open_file(gradyn_journal *journal, int flags)
{
  struct stat about;
  /* O_NOFOLLOW: links are refused; O_CLOEXEC: child processes do not inherit it */
  journal->fd = open(journal->file, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (journal->fd < 0)
    return fail_io(journal, "cannot open");
  if (fstat(journal->fd, &about) != 0)
    return fail_io(journal, "cannot read");
  return S_ISREG(about.st_mode) ? GRADYN_OK
                                : gradyn_fail(&journal->message, GRADYN_INVALID,
                                              "the journal '%s' is not a file", journal->file);
}

/* Opens the file for writing, with a lock. */
static gradyn_status open_locked(gradyn_journal *journal, int create)
{
  /* O_APPEND: each write goes to the end of the file */
  const gradyn_status status = open_file(journal, O_RDWR | create | O_APPEND);
  if (journal->fd < 0 && errno == ENOENT && create == 0)
    return gradyn_fail(&journal->message, GRADYN_NOT_FOUND, "there is no journal '%s'",
                       journal->file);
  GRADYN_TRY(status);
  /* the lock permits one writer; it ends with the process */
  if (flock(journal->fd, LOCK_EX | LOCK_NB) == 0)
    return GRADYN_OK;
  if (errno == EWOULDBLOCK)
    return gradyn_fail(&journal->message, GRADYN_INVALID,
                       "another process uses the journal '%s'; wait for it or stop it",
                       journal->file);
  return fail_io(journal, "cannot lock");
}

/* Creates a journal that is not open yet. */
static gradyn_status prepare(const char *file, size_t p, size_t f, gradyn_durability durability,
                             gradyn_journal **out)
{
  gradyn_journal *journal = *out = calloc(1, sizeof *journal);
  if (journal == NULL)
    return GRADYN_NO_MEMORY;
  journal->fd = -1; /* no file is open yet */
  journal->p = p;
  journal->f = f;
  journal->durability = durability;
  /* the time until the next sync is counted from now */
  journal->synced = gradyn_seconds();
  journal->file = strdup(file);
  if (journal->file == NULL)
    return gradyn_fail(&journal->message, GRADYN_NO_MEMORY, "out of memory for a journal");
  return GRADYN_OK;
}

gradyn_status gradyn_journal_open(const char *file, size_t p, size_t f,
                                  gradyn_durability durability, gradyn_journal **out)
{
  GRADYN_TRY(prepare(file, p, f, durability, out));
  GRADYN_TRY(open_locked(*out, O_CREAT));
  return read_all(*out);
}

gradyn_status gradyn_journal_open_existing(const char *file, size_t p, size_t f,
                                           gradyn_journal **out)
{
  GRADYN_TRY(prepare(file, p, f, GRADYN_DURABLE_NEVER, out));
  GRADYN_TRY(open_locked(*out, 0));
  return read_all(*out);
}

gradyn_status gradyn_journal_read(const char *file, size_t p, size_t f, gradyn_journal **out)
{
  /* without a lock: another process may write at the same time, and an incomplete last line is ignored */
  GRADYN_TRY(prepare(file, p, f, GRADYN_DURABLE_NEVER, out));
  (*out)->read_only = true;
  GRADYN_TRY(open_file(*out, O_RDONLY));
  return read_all(*out);
}

gradyn_status gradyn_journal_check(const char *file, char message[], size_t size)
{
  gradyn_journal *journal = NULL;
  gradyn_status status = prepare(file, 0, 0, GRADYN_DURABLE_NEVER, &journal);
  if (status == GRADYN_OK) {
    journal->read_only = journal->any_size = true;
    status = open_file(journal, O_RDONLY);
  }
  if (status == GRADYN_OK)
    status = read_all(journal);
  if (status != GRADYN_OK)
    (void)snprintf(message, size, "%s", journal ? journal->message.text : "out of memory");
  gradyn_journal_close(journal);
  return status;
}

void gradyn_journal_close(gradyn_journal *journal)
{
  if (journal == NULL)
    return;
  if (journal->fd >= 0)
    (void)close(journal->fd);
  for (size_t i = 0; i < journal->count; i++)
    gradyn_record_clear(&journal->records[i]);
  free(journal->records);
  json_decref(journal->header);
  free(journal->file);
  free(journal);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Writes a complete line at the end of the file. After a failure, the incomplete line is removed. */
static gradyn_status write_line(gradyn_journal *journal, const char *line, size_t length)
{
  struct stat about;
  if (fstat(journal->fd, &about) != 0)
    return fail_io(journal, "cannot write");
  /* if the file was removed by others, lines would be lost */
  if (about.st_nlink == 0)
    return gradyn_fail(&journal->message, GRADYN_IO, "the journal '%s' no longer exists",
                       journal->file);
  /* write() may write less than requested */
  for (size_t done = 0; done < length;) {
    const ssize_t more = write(journal->fd, line + done, length - done);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0) {
      const gradyn_status status = fail_io(journal, "cannot write");
      /* removes the incomplete line; the disk may be full */
      return ftruncate(journal->fd, (off_t)journal->length) == 0 ? status : GRADYN_IO;
    }
    done += (size_t)more;
  }
  return GRADYN_OK;
}

/* Systems without synchronised input and output have no fdatasync(). */
#if defined _POSIX_SYNCHRONIZED_IO && _POSIX_SYNCHRONIZED_IO > 0
#define SYNCHRONISE fdatasync
#else
#define SYNCHRONISE fsync
#endif

/* Forces the remaining data to disk. */
static gradyn_status force(gradyn_journal *journal)
{
  journal->synced = gradyn_seconds();
  journal->pending = false;
  return SYNCHRONISE(journal->fd) == 0 ? GRADYN_OK : fail_io(journal, "cannot force to disk");
}

/* Forces data to disk as often as the user requests. */
static gradyn_status force_if_due(gradyn_journal *journal)
{
  journal->pending = journal->durability != GRADYN_DURABLE_NEVER;
  /* other journals are forced to disk once per second */
  const bool due = journal->durability == GRADYN_DURABLE_EACH ||
                   gradyn_seconds() - journal->synced >= 1.0;
  return journal->pending && due ? force(journal) : GRADYN_OK;
}

gradyn_status gradyn_journal_finish(gradyn_journal *journal)
{
  return journal->pending ? force(journal) : GRADYN_OK;
}

/* Adds a line that contains an object, given as text; frees the text. */
static gradyn_status add_line(gradyn_journal *journal, char *text)
{
  const size_t length = text != NULL ? strlen(text) : 0;
  char *line = text != NULL ? realloc(text, length + TAIL + 1) : NULL;
  if (line == NULL) {
    free(text);
    return fail_memory(journal);
  }
  /* the checksum is inserted before the closing brace */
  const size_t body = length - 1; /* without the closing brace */
  const uint64_t sum = gradyn_journal_sum(journal->sum, line, body);
  (void)snprintf(line + body, TAIL + 1, "%s%016" PRIx64 "\"}\n", sum_member, sum);
  gradyn_status status = write_line(journal, line, body + TAIL);
  /* sum and length change only with complete lines */
  if (status == GRADYN_OK) {
    journal->sum = sum;
    journal->length += (long long)(body + TAIL);
    status = force_if_due(journal);
  }
  free(line);
  return status;
}

gradyn_status gradyn_journal_begin(gradyn_journal *journal, json_t *header)
{
  /* these members are needed for reading; 17 digits reproduce every double */
  bool bad = json_object_set_new(header, "journal", json_integer(GRADYN_FILE_FORMAT)) != 0;
  bad |= json_object_set_new(header, "parameter_count", json_integer((json_int_t)journal->p)) != 0;
  bad |= json_object_set_new(header, "functional_count", json_integer((json_int_t)journal->f)) != 0;
  char *text = bad ? NULL : json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(17));
  journal->header = header;
  return add_line(journal, text);
}

gradyn_status gradyn_journal_append(gradyn_journal *journal, const gradyn_record *record)
{
  const long long before = journal->length;
  const gradyn_status status = add_line(journal, gradyn_journal_encode(journal, record));
  /* a line that was written counts, even if it could not be forced to disk */
  journal->lines += journal->length > before;
  return status;
}

/* --- Without opening a journal ------------------------------------------------------------------- */

bool gradyn_journal_busy(const char *file)
{
  /* without O_CREAT no file is created; with O_NONBLOCK a pipe does not wait */
  const int fd = file != NULL ? open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  if (fd < 0)
    return false;
  /* a shared lock: several processes can test at the same time */
  const int reason = flock(fd, LOCK_SH | LOCK_NB) != 0 ? errno : 0;
  (void)close(fd);
  errno = reason;
  return reason == EWOULDBLOCK;
}

char *gradyn_journal_of_round(const char *first, int round)
{
  const char *ending = strrchr(first, '.'), *folder = strrchr(first, '/');
  if (ending == NULL || (folder != NULL && ending < folder))
    ending = first + strlen(first);
  const size_t size = strlen(first) + 32;
  char *name = malloc(size);
  if (name != NULL)
    (void)snprintf(name, size, "%.*s-knots-%d%s", (int)(ending - first), first, round, ending);
  return name;
}

/* Removes one file. *found: whether it existed. */
static gradyn_status remove_one(const char *file, bool *found, char message[], size_t size)
{
  gradyn_message why = {""};
  gradyn_status status = GRADYN_OK;
  *found = false;
  /* removes a link itself, not its target */
  const int fd = file != NULL ? open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  if (file == NULL)
    status = gradyn_fail(&why, GRADYN_INVALID, "the name of the journal is NULL");
  else if (fd < 0 && (errno == ENOENT || (errno == ELOOP && unlink(file) == 0)))
    return GRADYN_OK;
  else if (fd < 0)
    status = gradyn_fail(&why, GRADYN_IO, "cannot open the journal '%s': %s", file,
                         strerror(errno));
  /* a journal that another process uses is not removed */
  else if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    status = gradyn_fail(&why, GRADYN_INVALID, "another process uses the journal '%s'", file);
  else if (unlink(file) != 0)
    status = gradyn_fail(&why, GRADYN_IO, "cannot remove the journal '%s': %s", file,
                         strerror(errno));
  if (fd >= 0)
    (void)close(fd);
  if (status != GRADYN_OK && message != NULL && size > 0)
    (void)snprintf(message, size, "%.*s", (int)size - 1, why.text);
  *found = fd >= 0;
  return status;
}

gradyn_status gradyn_journal_remove(const char *file, char message[], size_t size)
{
  bool found;
  GRADYN_TRY(remove_one(file, &found, message, size));
  found = true;
  for (int round = 1; found; round++) {
    FREED char *name = gradyn_journal_of_round(file, round);
    GRADYN_TRY(name != NULL ? remove_one(name, &found, message, size) : GRADYN_NO_MEMORY);
  }
  return GRADYN_OK;
}
