/* Damaged journals: bytes changed, cut, doubled or exchanged, lines rewritten with valid checksums. A
 * search resumed from one has the result of the undisturbed search, or is refused with a reason. Journals
 * with valid checksums are only read, since they do not occur by accident. */
#include "tests/campaigns/campaign.h"
#include "tests/optim/journalled.h"
#include "tests/random.h"

#include <inttypes.h>
#include <unistd.h>

static const double x0[2] = {-1.2, 1};
enum { ROOM = 1 << 16, KINDS = 6 };

static size_t below(uint64_t *random, size_t n)
{
  return (size_t)random_choice(random, (int)n);
}

/* Rosenbrock's function, which fails at some points, so that journals have lines of both kinds. */
static gradyn_status rough(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  return x[0] > 1.05 ? GRADYN_NOT_CONVERGED : rosenbrock(problem, x, psi, gradient);
}

/* Damages bytes [*size] in place; the array has room for ROOM bytes. */
static void spoil(uint64_t *r, char *bytes, size_t *size)
{
  const size_t at = below(r, *size), length = 1 + below(r, *size - at);
  switch (below(r, KINDS)) {
  case 0: /* one bit */
    bytes[at] = (char)(bytes[at] ^ 1 << below(r, 8));
    break;
  case 1: /* some bytes */
    for (size_t i = 0; i < 8; i++)
      bytes[below(r, *size)] = (char)below(r, 256);
    break;
  case 2: /* cut off */
    *size = at + 1;
    break;
  case 3: /* a piece taken out */
    memmove(bytes + at, bytes + at + length, *size - at - length);
    *size -= length < *size ? length : *size - 1;
    break;
  case 4: /* a piece doubled */
    if (*size + length <= ROOM) {
      memmove(bytes + at + length, bytes + at, *size - at);
      *size += length;
    }
    break;
  default: /* two digits exchanged, the most probable error of a person */
    for (size_t i = at; i + 1 < *size; i++)
      if (bytes[i] >= '0' && bytes[i] <= '9') {
        bytes[i] = (char)('0' + below(r, 10));
        break;
      }
    break;
  }
}

/* Writes all checksums anew. */
static void make_right(char *bytes, size_t size)
{
  static const char member[] = ",\"sum\":\"";
  uint64_t sum = 0;
  for (char *line = bytes, *end = bytes + size; line < end;) {
    char *newline = memchr(line, '\n', (size_t)(end - line));
    if (newline == NULL)
      return;
    const size_t length = (size_t)(newline - line);
    if (length > 26 && memcmp(newline - 26, member, 8) == 0) {
      char digits[17];
      sum = gradyn_journal_sum(sum, line, length - 26);
      (void)snprintf(digits, sizeof digits, "%016" PRIx64, sum);
      memcpy(newline - 18, digits, 16);
    }
    line = newline + 1;
  }
}

static bool same_result(const gradyn_search_result *a, const gradyn_search_result *b)
{
  return a->evaluations == b->evaluations && memcmp(a->rho, b->rho, sizeof x0) == 0 &&
         memcmp(a->psi, b->psi, sizeof *a->psi) == 0 && strcmp(a->reason, b->reason) == 0;
}

bool campaign_spoilt_journals(campaign *c)
{
  char *file = journal_name(), *bytes = calloc(1, ROOM);
  synthetic problem = synthetic_make(2, -40, 40, 1, rough);
  gradyn_search search = synthetic_search("lbfgs");
  gradyn_search_result whole, again;
  search.journal = file;
  search.durability = GRADYN_DURABLE_NEVER;
  search.max_evaluations = 12;
  (void)journalled_run(&problem, &search, x0, (gradyn_recollection){.fresh = true}, &whole);
  const content journal = journal_read(file);
  long refused = 0, wrong = 0, forged = 0;
  for (uint64_t seed; bytes != NULL && campaign_next(c, &seed);) {
    uint64_t r = seed;
    size_t size = journal.size;
    memcpy(bytes, journal.bytes, size);
    spoil(&r, bytes, &size);
    const bool right = below(&r, 2) == 0;
    if (right)
      make_right(bytes, size);
    journal_write(file, bytes, size);
    if (right) { /* with valid checksums, the content may be anything: it is only read */
      gradyn_journal *read = NULL;
      forged += gradyn_journal_read(file, 2, 1, &read) == GRADYN_OK;
      gradyn_journal_close(read);
      continue;
    }
    (void)journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &again);
    const bool is_refused = again.rho == NULL;
    refused += is_refused;
    wrong += !is_refused && !same_result(&whole, &again);
    if (is_refused && again.reason[0] == '\0')
      wrong++;
    gradyn_search_result_clear(&again);
  }
  printf("%" PRIu64 " journals: %ld refused, %ld with forged checksums read, %ld wrong results\n",
         c->begun, refused, forged, wrong);
  gradyn_search_result_clear(&whole);
  free(journal.bytes);
  free(bytes);
  (void)unlink(file);
  free(file);
  return wrong > 0;
}
