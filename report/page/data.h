/* Data of a report page, read from the files of studies. */
#ifndef GRADYN_REPORT_DATA_H
#define GRADYN_REPORT_DATA_H

#include <jansson.h>
#include <stddef.h>

#include <gradyn/study.h>

/* A report of one or several study folders. Opaque. Two threads must not use it at the same time. */
typedef struct gradyn_report gradyn_report;

/* Reads the contents of folder [count], study folders of the library or the command, into a new report;
 * folder and running are not kept. The text `running` states the progress of unfinished work, and the page
 * then reloads every few seconds. NULL: the work has ended. The page marks damaged contents. On failure *out
 * is still an object that has the message; it is NULL only if memory is exhausted. Release it with
 * gradyn_report_free() in any case. Errors: GRADYN_NOT_FOUND: a folder is missing or has no study. GRADYN_IO:
 * a file cannot be read; the report can still be written, with a note instead of it. GRADYN_INVALID: an
 * argument but running is NULL, or count is 0. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_create(const char *const folder[], size_t count,
                                              const char *running, gradyn_report **out);

/* Releases a report; NULL is ignored. */
GRADYN_API void gradyn_report_free(gradyn_report *report);

/* Returns the message of the last failure of a report. "": none; for NULL, that memory is exhausted. Never
 * NULL. The text lives until the next call with the report. */
GRADYN_API const char *gradyn_report_message(const gradyn_report *report);

/* Writes a report to a stream, which stays open, as one HTML page without external files; can be called
 * again. Errors: GRADYN_INVALID: an argument is NULL, or the report has no contents. GRADYN_IO: the stream
 * has failed; the message then stays. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_print(gradyn_report *report, FILE *file);

/* Writes a report to a file, as one HTML page without external files; it appears completely or not at all.
 * Errors: GRADYN_INVALID: an argument is NULL, or the report has no contents. GRADYN_IO: the file cannot be
 * written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_write(gradyn_report *report, const char *path);

/* Columns of tables are long and therefore stored separately. A table has {"values": K}, the index of a
 * text in `columns`. These texts need no escapes in JSON or HTML. */
struct gradyn_report {
  json_t *studies; /* an object; owned */
  json_t *columns; /* an array of texts; owned */
  /* status of the reading. GRADYN_IO: a file cannot be read, but there are other contents */
  gradyn_status status;
  char message[512]; /* reason of a failure */
};

/* Reads the files of folder [count], folders of studies, into an empty report ({0}). running: text for the
 * page of a running search; NULL: none. folder and running are not kept. Missing, damaged or unreadable files
 * are left out; the notes of their study name damaged and unreadable ones. Errors, also in report->status: as
 * for gradyn_report_create(). */
gradyn_status gradyn_report_gather(gradyn_report *report, const char *const folder[], size_t count,
                                   const char *running);

#endif
