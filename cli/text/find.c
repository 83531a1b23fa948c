/* Search in the reference.
 *
 * The score of an entry adds up over the words of a query. A word counts by its rarity, and by how often
 * and where an entry contains it (the BM25 formula of Robertson and Zaragoza, 2009). Words are compared
 * without their endings. docs/reference/synonyms.txt adds the terms of the reference to other words for
 * them. */
#include "cli/text/find.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/base/memory.h"

enum { TERMS = 96, WORD = 32 };

/* Weights in the score, chosen by the tasks in tests/docs/tasks.txt. With 24 combinations of weights, 25 to
 * 28 of 30 tasks, and 11 or 12 of 14 others, have their entry among the first three. With these weights, 28
 * and 12 do. */
static const double synonym_weight = 0.6, length_weight = 0.6, name_weight = 2;

/* Common words, which are ignored in a query. */
static const char *const common[] = {
    "a",    "an",   "and",  "any",   "are",  "as",    "at",    "be",    "by",   "can",     "do",
    "does", "for",  "from", "get",   "give", "how",   "i",     "if",    "in",   "into",    "is",
    "it",   "its",  "make", "my",    "of",   "on",    "or",    "our",   "own",  "set",     "so",
    "some", "that", "the",  "their", "them", "then",  "there", "they",  "this", "through", "to",
    "use",  "want", "was",  "what",  "when", "where", "which", "while", "with", "you",     "your"};

/* A word of the query, or a synonym of it in the same group. */
typedef struct term {
  char stem[WORD];
  double weight, rarity;
  int group;
} term;

typedef struct query {
  term term[TERMS];
  size_t count;
  int groups;
} query;

/* Removes the ending of a word, so that "linearises" and "linearising" are equal. */
static void strip(char *word)
{
  static const char *const endings[] = {"ings", "ing", "ions", "ion", "ers", "ors",
                                        "er",   "or",  "ed",   "es",  "s"};
  size_t n = strlen(word);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t m = strlen(endings[i]);
    if (n >= m + 4 - (m < 3) && strcmp(word + n - m, endings[i]) == 0) {
      n -= m;
      break;
    }
  }
  if (n > 3 && strchr("eiy", word[n - 1]))
    n--;
  if (n > 3 && word[n - 1] == word[n - 2])
    n--;
  word[n] = '\0';
}

/* Takes the next word of a text, without its ending. Returns false at the end of the text or of the line. */
static bool next_word(const char **text, const char *stop, char word[WORD])
{
  size_t n = 0;
  while (**text && !isalnum((unsigned char)**text) && !strchr(stop, **text))
    ++*text;
  for (; isalnum((unsigned char)**text); ++*text)
    if (n + 1 < WORD)
      word[n++] = (char)tolower((unsigned char)**text);
  word[n] = '\0';
  strip(word);
  return n > 0;
}

static void add_term(query *q, const char *stem, double weight, int group)
{
  if (q->count == TERMS)
    return;
  term *t = &q->term[q->count++];
  *t = (term){.weight = weight, .group = group};
  memcpy(t->stem, stem, WORD);
}

/* Adds the terms of each line "word ...: term ..." that has the stem before the colon. */
static void add_synonyms(query *q, const char *stem, int group)
{
  char word[WORD] = "";
  for (size_t i = 0; i < cli_file_count; i++) {
    const char *line = cli_files[i].kind == CLI_FILE_SYNONYMS ? (const char *)cli_files[i].bytes
                                                              : "";
    for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
      bool found = false;
      while (next_word(&line, ":\n", word))
        found = found || strcmp(word, stem) == 0;
      while (found && *line == ':' && line++ && next_word(&line, ":\n", word))
        for (add_term(q, word, synonym_weight, group); next_word(&line, ":\n", word);)
          add_term(q, word, synonym_weight, group);
    }
  }
}

static bool is_common(const char *word, size_t length)
{
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    if (strlen(common[i]) == length && strncasecmp(common[i], word, length) == 0)
      return true;
  return false;
}

static query read_query(const char *words)
{
  query q = {.count = 0};
  char word[WORD] = "";
  const char *start = words;
  while (next_word(&words, "", word)) {
    const char *begin = words; /* `words` is at the end of the word */
    while (begin > start && isalnum((unsigned char)begin[-1]))
      begin--;
    if (is_common(begin, (size_t)(words - begin)))
      continue;
    add_term(&q, word, 1, q.groups);
    add_synonyms(&q, word, q.groups++);
  }
  return q;
}

/* Counts each term in a text, times a weight, and adds this to often [count]. Returns the number of words
 * in the text. */
static double count_terms(const query *q, const char *text, double weight, double *often)
{
  char word[WORD] = "";
  double words = 0;
  for (; next_word(&text, "", word); words++)
    for (size_t k = 0; k < q->count; k++) {
      const size_t n = strlen(q->term[k].stem);
      if (strncmp(word, q->term[k].stem, n) == 0 && (word[n] == '\0' || (n >= 5)))
        often[k] += weight * (word[n] == '\0' ? 1 : 0.5);
    }
  return words;
}

/* Counts the terms in an entry and in the struct of its arguments. Returns the number of words of the
 * entry. */
static double weigh(const cli_entries *entries, const cli_entry *entry, const query *q,
                    double *often)
{
  char summary[400];
  const cli_entry *spec = cli_entry_spec(entries, entry);
  cli_entry_summary(entry, summary, sizeof summary);
  const char *name = entry->name + (strncmp(entry->name, "gradyn", 6) == 0 ? 7 : 0);
  /* a term in the name counts by its share of the name */
  (void)count_terms(q, name, 1 / count_terms(q, name, 0, often), often + TERMS);
  (void)count_terms(q, summary, 2, often);
  double length = count_terms(q, entry->about, 1, often) + count_terms(q, entry->code, 0.5, often);
  if (spec)
    length += count_terms(q, spec->about, 0.7, often) + count_terms(q, spec->code, 0.5, often);
  return length;
}

/* Returns the score: the sum over groups of the term with the largest contribution. An entry with all
 * groups counts more than an entry with few. */
static double score(const query *q, const double *often, double length)
{
  double sum = 0, best = 0, having = 0;
  for (size_t k = 0; k < q->count; k++) {
    const term *t = &q->term[k];
    const double value = t->weight * t->rarity *
                         (often[k] / (often[k] + 1 + length_weight * length) +
                          name_weight * often[TERMS + k]);
    best = k > 0 && t->group == t[-1].group ? fmax(best, value) : value;
    if (k + 1 == q->count || t[1].group != t->group)
      sum += best, having += best > 0;
  }
  return q->groups ? sum * (1 + having / q->groups) : 0;
}

/* Computes the rarity of each term, from the share of entries that have it. */
static void rate(query *q, const double *often, size_t count)
{
  for (size_t k = 0; k < q->count; k++) {
    double having = 0;
    for (size_t i = 0; i < count; i++)
      having += often[2 * i * TERMS + k] > 0;
    q->term[k].rarity = log(1 + ((double)count - having + 0.5) / (having + 0.5));
  }
}

/* Returns a factor for the score of an entry. Structs of arguments count as parts of other entries. Types
 * of ids and functions that release memory are rarely meant. */
static double relevance(const cli_entry *entry)
{
  const size_t n = strlen(entry->name);
  if (cli_entry_is_spec(entry))
    return 0;
  return n > 6 && (strcmp(entry->name + n - 3, "_id") == 0 ||
                   strcmp(entry->name + n - 5, "_free") == 0 ||
                   strcmp(entry->name + n - 6, "_clear") == 0)
             ? 0.5
             : 1;
}

size_t cli_find(const cli_entries *entries, const char *words, const cli_entry **best, size_t most)
{
  query q = read_query(words);
  const size_t n = entries->count;
  double *often = cli_take(2 * n * TERMS + 2 * n + 1, sizeof *often),
         *length = often + 2 * n * TERMS;
  double *value = length + n, mean = 0;
  size_t found = 0;
  for (size_t i = 0; i < n; i++)
    mean += (length[i] = weigh(entries, &entries->entry[i], &q, often + 2 * i * TERMS)) / (double)n;
  rate(&q, often, n);
  for (size_t i = 0; i < n; i++)
    value[i] = relevance(&entries->entry[i]) * score(&q, often + 2 * i * TERMS, length[i] / mean);
  for (; found < most; found++) {
    size_t top = 0;
    for (size_t i = 1; i < n; i++)
      top = value[i] > value[top] ? i : top;
    if (n == 0 || value[top] <= 0)
      break;
    best[found] = &entries->entry[top];
    value[top] = 0;
  }
  free(often);
  return found;
}
