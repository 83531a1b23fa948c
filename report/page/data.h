/* Data of a report page, read from the files of studies. */
#ifndef GRADYN_REPORT_DATA_H
#define GRADYN_REPORT_DATA_H

#include <jansson.h>
#include <stddef.h>

#include <gradyn/study.h>

/* Columns of tables are long and therefore stored separately. A table has {"values": K}, the index of a
 * text in `columns`. These texts need no escapes in JSON or HTML. */
struct gradyn_report {
  json_t *studies;      /* an object; owned */
  json_t *columns;      /* an array of texts; owned */
  gradyn_status status; /* GRADYN_IO: a file exists and cannot be read; GRADYN_NO_MEMORY */
  char message[512];    /* reason of a failure */
};

/* Reads the files of studies folder [count] into an empty report. running: text for a page of a running
 * search; NULL: none. Missing, damaged or unreadable files are left out; damaged and unreadable ones are
 * named in the notes of their study. Errors: as for gradyn_report_create(). */
gradyn_status gradyn_report_gather(gradyn_report *report, const char *const folder[], size_t count,
                                   const char *running);

#endif
