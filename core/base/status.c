/* Names, sentences and classes of the statuses, all from the one list in the header. No other file
 * spells them, so that the list cannot contradict itself. */
#include <gradyn/status.h>
#include <gradyn/version.h>

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

/* Its line in the list. */
static const status_entry *find(int status)
{
  /* any integer may come in: from a journal, from another library */
  const int count = (int)(sizeof entries / sizeof entries[0]);
  return status >= 0 && status < count ? &entries[status] : &unknown;
}

/* For any integer: codes of users may be none of ours. */
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
