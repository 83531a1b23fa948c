/* What the page of a report shows, gathered from the files of studies. */
#ifndef GRADYN_REPORT_DATA_H
#define GRADYN_REPORT_DATA_H

#include <jansson.h>
#include <stddef.h>

#include <gradyn/report.h>

/* Columns are those of tables, so long that they are kept apart: in the tables stands {"values": K}, the
 * number of a text among them, which holds nothing that would have to be escaped. */
struct gradyn_report {
  json_t *studies;      /* an object; owned */
  json_t *columns;      /* an array of texts; owned */
  gradyn_status status; /* GRADYN_IO: a file is there and cannot be read; GRADYN_NO_MEMORY */
  char message[512];    /* the reason of a failure */
};

/* Gathers the files of studies [count] into an empty report. Files that are missing or damaged, or cannot be
 * read, are left out and named in the notes of their study; others as of gradyn_report_create(). */
gradyn_status gradyn_report_gather(gradyn_report *report, const char *const folder[], size_t count,
                                   const char *running);

#endif
