/* The journal of a search: a file that gets one line for each evaluation, before the optimiser sees
 * its numbers. A line is a JSON object whose last member is a checksum of the line and of all lines
 * before it; the first line, the header, says what was evaluated and how. */
#ifndef GRADYN_OPTIM_JOURNAL_H
#define GRADYN_OPTIM_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "core/base/message.h"
#include "core/model/limit.h"
#include <gradyn/optimise.h>

/* One evaluation. */
typedef struct gradyn_record {
  gradyn_status status;
  char *message;         /* why it failed, or what is doubtful about it; NULL: nothing */
  double *rho;           /* [p] */
  double *psi;           /* [f]; undefined if it failed, likewise gradient */
  double *gradient;      /* [f][p]; NULL: only values were asked for */
  double seconds;        /* of the evaluation */
  double elapsed;        /* of the search until its end, s */
  long steps;            /* of the simulation */
  bool all;              /* the gradient has also rows of functionals that a search does not use */
  bool used;             /* has served as an answer */
  gradyn_limit_at *rows; /* [row_count] where limits were held: psi and gradient go on with these */
  size_t row_count;
} gradyn_record;

typedef struct gradyn_journal {
  int fd; /* -1: not open */
  char *file;
  size_t p, f;            /* parameters, functionals */
  bool any_size;          /* whose numbers its header tells */
  json_t *header;         /* NULL: the file is empty */
  gradyn_record *records; /* [count], what was in the file when it was opened */
  size_t count, capacity;
  long lines;       /* evaluations in the file by now */
  uint64_t sum;     /* checksum of the last line */
  long long length; /* bytes of good lines */
  gradyn_durability durability;
  bool read_only;
  double synced; /* when it was forced to disk last, s */
  bool pending;  /* something has been written since, that is to be forced to disk */
  gradyn_message message;
} gradyn_journal;

/* Opens a journal for p parameters and f functionals, made if missing, and reads what it holds.
 * Other processes are kept out until it is closed. A last line that is torn is dropped. On failure
 * (GRADYN_IO, GRADYN_NO_MEMORY: nothing is wrong with it; GRADYN_INVALID: damaged, in use, of other
 * sizes, no file) *out still has the reason in its message and, of a damaged one, the evaluations
 * before the damage. Close in any case; NULL: out of memory. */
gradyn_status gradyn_journal_open(const char *file, size_t p, size_t f,
                                  gradyn_durability durability, gradyn_journal **out);
/* Reads a journal that another process may be writing; nothing can be added to it. */
gradyn_status gradyn_journal_read(const char *file, size_t p, size_t f, gradyn_journal **out);

/* Whether all lines of a journal of any size are whole, but for a torn last one, which is dropped when it is
 * opened. GRADYN_INVALID: it is damaged, or no file; the reason of a failure goes to message [size]. */
gradyn_status gradyn_journal_check(const char *file, char message[], size_t size);

/* Forces to disk what is not there yet: until then a full disk may keep quiet. Before closing what has
 * been written to. */
gradyn_status gradyn_journal_finish(gradyn_journal *journal);
void gradyn_journal_close(gradyn_journal *journal);

/* The name of the journal of round 1, 2, ... behind a first one, whose parameters are more: with the number
 * before its ending; to be freed. NULL: out of memory. */
char *gradyn_journal_of_round(const char *first, int round);

/* Writes the header (taken over) of an empty journal. */
gradyn_status gradyn_journal_begin(gradyn_journal *journal, json_t *header);

/* Adds an evaluation, forced to disk as the durability says. */
gradyn_status gradyn_journal_append(gradyn_journal *journal, const gradyn_record *record);

/* --- Lines, in journal_lines.c ---------------------------------------------------------------- */

/* A number; JSON has none that are not finite: they are texts. */
json_t *gradyn_journal_number(double value);

/* Text of a line without its checksum, as released by free(); NULL: out of memory. */
char *gradyn_journal_encode(const gradyn_journal *journal, const gradyn_record *record);

/* Reads a line without its checksum into *record, which takes memory; GRADYN_INVALID: it is no such
 * line. Release with gradyn_record_clear() in any case. */
gradyn_status gradyn_journal_decode(const gradyn_journal *journal, const json_t *line,
                                    gradyn_record *record);
void gradyn_record_clear(gradyn_record *record);

/* Checksum of text [length] that follows on lines with checksum `before`. */
uint64_t gradyn_journal_sum(uint64_t before, const char *text, size_t length);

#endif
