/* Names, sentences and classes of the statuses, generated from the list in the public header. No other file
 * contains them, so they cannot contradict each other. */
#include <gradyn/base.h>

/* Names, sentences and classes, indexed by status. */
static const gradyn_status_info entries[] = {
#define STATUS_ENTRY(id, name, kind, sentence) [GRADYN_##id] = {name, sentence, kind},
    GRADYN_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const gradyn_status_info unknown = {"unknown", "a status that this version does not know",
                                           GRADYN_CLASS_FATAL};

/* Accepts any integer: from a journal, from another library, or from a user's function. */
gradyn_status_info gradyn_status_describe(int status)
{
  const int count = (int)(sizeof entries / sizeof entries[0]);
  return status >= 0 && status < count ? entries[status] : unknown;
}

const char *gradyn_version(void)
{
  return GRADYN_VERSION;
}
