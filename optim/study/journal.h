/* The journal of a search: a file that gets one line for each evaluation, before the optimiser sees its
 * numbers.
 *
 * A line is a JSON object. Its last member is a checksum of the line and of all lines before. The first
 * line, the header, describes the problem and the search. */
#ifndef GRADYN_OPTIM_JOURNAL_H
#define GRADYN_OPTIM_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "core/base/message.h"
#include "core/model/limit.h"
#include "optim/program/entries.h"
#include <gradyn/optimise.h>

/* One evaluation. The functionals are those of the journal, then one for each sampled path constraint. p and
 * f are those of the journal. gradyn_journal_decode() allocates all members; gradyn_journal_append() borrows
 * them. */
typedef struct gradyn_record {
  gradyn_status status;
  char *message;          /* reason of a failure; NULL: none */
  json_t *warnings;       /* array of warnings; NULL: none */
  double *rho;            /* [p], parameters in their units */
  double *psi;            /* [f + row_count]; not defined after a failure, as the gradient */
  double *gradient;       /* stored entries of [f + row_count][p]; NULL: only values requested */
  gradyn_entries entries; /* stored entries; start NULL: all */
  double seconds;         /* duration of the evaluation, s */
  double elapsed;         /* time since the start of the search at its end, s */
  long steps;             /* time steps of the simulation */
  bool all;               /* the gradient also has the functionals that the search does not use */
  bool used;              /* the record has answered a request of the present search */
  gradyn_limit_at *rows; /* [row_count], sampled path constraints, which are the last functionals */
  size_t row_count;
} gradyn_record;

/* Returns whether a process uses a journal. False also if this cannot be determined, with the reason in
 * errno, which is 0 if the journal is not in use. NULL: false, and errno stays as it is. It was public in
 * version 0.2. */
GRADYN_API bool gradyn_journal_busy(const char *file);

/* An open journal, or one that could not be opened. */
typedef struct gradyn_journal {
  int fd;      /* -1: not open */
  char *file;  /* path of the journal, owned */
  size_t p, f; /* numbers of parameters, fixed ones included, and of functionals without samples */
  bool any_size;    /* the header determines p and f */
  json_t *header;   /* owned, with present names; NULL: the file is empty */
  long long format; /* 1 (lines of version 0.2) to GRADYN_FILE_FORMAT; 0: the file was empty */
  gradyn_record *records; /* [count], evaluations in the file when it was opened */
  size_t count, capacity;
  long lines;       /* number of evaluations in the file now */
  uint64_t sum;     /* checksum of the last valid line; 0: none */
  long long length; /* size of the valid lines, bytes */
  gradyn_durability durability;
  bool read_only;
  double synced; /* time of the last write to disk, s of gradyn_seconds() */
  bool pending;  /* there are data that must still be forced to disk */
  gradyn_message message;
} gradyn_journal;

/* Opens a journal for p parameters and f functionals, creates it if it is missing, and reads it. The folder
 * of `file`, which is copied, must exist. Until the journal is closed, other processes can only read it. An
 * incomplete or damaged last line is removed. Close *out in any case; NULL: out of memory.
 *
 * Errors: GRADYN_INVALID, the journal is damaged, in use, of other sizes or of an unknown format, or no
 * regular file. Also GRADYN_INVALID: version 0.2 has written it, with sampled path constraints. GRADYN_IO
 * (also for a link), GRADYN_NO_MEMORY: it may be valid. *out then has the reason in its message, and the
 * evaluations before a damaged line; an existing file is not changed. */
gradyn_status gradyn_journal_open(const char *file, size_t p, size_t f,
                                  gradyn_durability durability, gradyn_journal **out);

/* Opens an existing journal for p parameters and f functionals, as gradyn_journal_open(): a missing file is
 * not created, and no data are forced to disk. Errors: GRADYN_NOT_FOUND, there is no such file; those of
 * gradyn_journal_open(). Close *out in any case. */
gradyn_status gradyn_journal_open_existing(const char *file, size_t p, size_t f,
                                           gradyn_journal **out);

/* Reads a journal for p parameters and f functionals, as gradyn_journal_open(), without a lock and without
 * changes to the file. Another process may be writing the file: an incomplete last line is ignored. Do not
 * begin, append to or finish *out; close it. A missing file is the error GRADYN_IO. */
gradyn_status gradyn_journal_read(const char *file, size_t p, size_t f, gradyn_journal **out);

/* Checks that all lines of a journal of any p and f are valid. An incomplete or damaged last line and an
 * empty file are permitted. On failure message [size] gets the reason; otherwise it stays. Errors are those
 * of gradyn_journal_read(). */
gradyn_status gradyn_journal_check(const char *file, char message[], size_t size);

/* Forces the remaining data to disk if the durability requires this; a full disk may show only now. Call the
 * function before gradyn_journal_close(), which is required after errors, too. Errors, with the journal's
 * message: GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status gradyn_journal_finish(gradyn_journal *journal);
/* Closes and frees a journal with its records and header, and ends its lock; NULL is ignored. Forces no data
 * to disk. */
void gradyn_journal_close(gradyn_journal *journal);

/* Returns the name of the journal of refinement round 1, 2, ... of a search whose first journal is `first`:
 * with "-knots-<round>" before the extension. Release the name by free(). NULL: out of memory. */
char *gradyn_journal_of_round(const char *first, int round);

/* Adds format, p and f to the header, and writes the header to an empty journal, whose `header` is NULL. The
 * journal owns the header afterwards, also after a failure. Errors, with the journal's message: GRADYN_IO,
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_journal_begin(gradyn_journal *journal, json_t *header);

/* Writes an evaluation as a line, and forces it to disk as the durability requires. The record is not kept in
 * journal->records. A partly written line is removed. Errors, with the journal's message: GRADYN_IO, also if
 * the file was removed; GRADYN_NO_MEMORY. After an error, add no further evaluations. */
gradyn_status gradyn_journal_append(gradyn_journal *journal, const gradyn_record *record);

/* --- Lines, in journal_lines.c ---------------------------------------------------------------- */

/* Returns a number as a new JSON value; numbers that are not finite become "nan", "inf", "-inf". NULL: out
 * of memory. */
json_t *gradyn_journal_number(double value);

/* Returns the text of a record as the next line, number journal->lines + 1, without checksum and newline,
 * to be released by free(). NULL: out of memory. */
char *gradyn_journal_encode(const gradyn_journal *journal, const gradyn_record *record);

/* Fills *record from a parsed line, which may be released then, and allocates its members. Call
 * gradyn_record_clear() in any case. Errors, without a message: GRADYN_INVALID, the line has another form;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_journal_decode(const gradyn_journal *journal, const json_t *line,
                                    gradyn_record *record);
/* Frees the members of a record, not *record, and makes it empty; may be repeated. */
void gradyn_record_clear(gradyn_record *record);

/* Returns the stored entries of the gradient of a record; NULL: all entries are stored. */
static inline const gradyn_entries *gradyn_record_entries(const gradyn_record *record)
{
  return record->entries.start != NULL ? &record->entries : NULL;
}

/* Copies the gradient of a record, which must have one, to gradient [rows][width], whose stored entries are
 * `to` (NULL: all). width is p, rows at most f + row_count. Entries that the record does not store become 0.
 * Returns false if a nonzero entry of the record is not stored in `to`; such an entry is left out. */
bool gradyn_record_copy(const gradyn_record *record, const gradyn_entries *to, size_t width,
                        size_t rows, double gradient[]);

/* Returns the checksum of text [length] that follows lines with the checksum `before`; 0: it is the first
 * line. */
uint64_t gradyn_journal_sum(uint64_t before, const char *text, size_t length);

#endif
