/* Names, sentences and classes of the statuses, generated from the list in the public header. No other file
 * contains them, so they cannot contradict each other. */
#include <gradyn/base.h>

typedef struct status_entry {
  const char *name;
  const char *sentence;
  gradyn_status_class kind;
} status_entry;

/* Indexed by status. */
static const status_entry entries[] = {
#define STATUS_ENTRY(id, name, kind, sentence) [GRADYN_##id] = {name, sentence, kind},
    GRADYN_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const status_entry unknown = {"unknown", "a status that this version does not know",
                                     GRADYN_CLASS_FATAL};

/* Entry of a status in the list. */
static const status_entry *find(int status)
{
  /* any integer may occur: from a journal, or from another library */
  const int count = (int)(sizeof entries / sizeof entries[0]);
  return status >= 0 && status < count ? &entries[status] : &unknown;
}

/* Accepts any integer, because users' functions may return other codes. */
const char *gradyn_status_name(int status)
{
  return find(status)->name;
}

const char *gradyn_status_sentence(int status)
{
  return find(status)->sentence;
}

gradyn_status_class gradyn_status_classify(int status)
{
  return find(status)->kind;
}

const char *gradyn_version(void)
{
  return GRADYN_VERSION;
}
