/* What the page of a report shows, gathered from the files of studies. */
#ifndef GRADYN_CLI_PAGE_DATA_H
#define GRADYN_CLI_PAGE_DATA_H

#include <jansson.h>
#include <stddef.h>

#include <gradyn/status.h>

/* Gathers the files of studies [count] into one object; *out is NULL on failure. GRADYN_NOT_FOUND: a
 * folder does not exist or holds no study, the reason is in message [size]. Files that are missing or
 * damaged are left out and named in the notes of their study. running: as in cli_page. */
gradyn_status cli_page_data(const char *const folder[], size_t count, const char *running,
                            json_t **out, char *message, size_t size);

#endif
