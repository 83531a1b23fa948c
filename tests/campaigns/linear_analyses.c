/* Campaign: are analyses of chains at rest, near rest or in motion accurate, and are their warnings right?
 * x'' = -K (x - e) - D x' for one to three masses, where K is that of a chain of springs, as a mechanism or
 * as general equations. With z = (x - e, x') and A = [0, 1; -K, -D], derivatives with respect to the
 * initial state are exp(A t). Exit status 1: an analysis within the requested tolerance has a warning, or
 * one ten times less accurate has none. */
#include "tests/campaigns/campaign.h"
#include "tests/random.h"
#include "tests/runs.h"

#include <float.h>
#include <inttypes.h>

#include <gradyn/tgmath.h>

enum { MOST_MASSES = 3, MOST = 2 * MOST_MASSES, TIMES = 2 };

typedef struct tally {
  long systems, analyses;
  long alarms; /* analyses with a warning or a failure */
  long wrong;  /* of these: derivatives are as accurate as requested */
  long silent; /* analyses with errors above ten tolerances, but without a warning */
} tally;

static struct {
  int masses;
  bool mechanism;
  double stiffness[MOST_MASSES + 1], damping[MOST_MASSES], place[MOST_MASSES];
  double away, end, rtol;
} drawn;

static void draw(uint64_t seed)
{
  static const double away[] = {0, 1e-12, 1e-8, 1e-4, 0.3};
  uint64_t s = seed * 1000033;
  drawn.masses = 1 + (int)(seed % MOST_MASSES);
  drawn.mechanism = seed / MOST_MASSES % 2;
  for (int i = 0; i <= drawn.masses; i++)
    drawn.stiffness[i] = pow(10, random_range(&s, 0, 2.5));
  for (int i = 0; i < drawn.masses; i++) {
    drawn.damping[i] = random_range(&s, 0, 2);
    drawn.place[i] = random_range(&s, 0.5, 2);
  }
  drawn.away = away[random_choice(&s, (int)GRADYN_COUNT(away))];
  drawn.end = random_range(&s, 0.5, 6);
  drawn.rtol = random_decades(&s, 1e-10, 1e-5);
}

/* Entry of K: mass i between springs i and i + 1. */
static double entry(int i, int j)
{
  if (i == j)
    return drawn.stiffness[i] + drawn.stiffness[i + 1];
  return abs(i - j) == 1 ? -drawn.stiffness[i > j ? i : j] : 0;
}

/* Acceleration of mass i; entry k of x and v is at index stride k. */
static gradyn_scalar pull(int i, const gradyn_scalar *x, const gradyn_scalar *v, int stride)
{
  gradyn_scalar sum = -drawn.damping[i] * v[i * stride];
  for (int j = 0; j < drawn.masses; j++)
    sum -= entry(i, j) * (x[j * stride] - drawn.place[j]);
  return sum;
}

static gradyn_status pulls(const gradyn_at *at, gradyn_scalar force[])
{
  for (int i = 0; i < drawn.masses; i++) {
    force[2 * i] = pull(i, at->pos, at->vel, 2);
    force[2 * i + 1] = 0;
  }
  return GRADYN_OK;
}

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < drawn.masses; i++) {
    F[i] = at->yp[i] - at->y[drawn.masses + i];
    F[drawn.masses + i] = at->yp[drawn.masses + i] - pull(i, at->y, at->y + drawn.masses, 1);
  }
  return GRADYN_OK;
}

FORMULA(first, at->y[0])

static gradyn_status build_points(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const name[] = {"a", "b", "c"};
  int point[MOST_MASSES];
  for (int i = 0; i < drawn.masses; i++) {
    point[i] = gradyn_point(m, name[i], rho[i], 0);
    gradyn_initial_velocity(m, point[i], rho[drawn.masses + i], 0);
    gradyn_point_mass(m, name[i], point[i], 1);
  }
  gradyn_custom_force(
      m, &(gradyn_custom_force_spec){
             .name = "pulls", .points = point, .point_count = drawn.masses, .fn = pulls});
  gradyn_functional(m, &(gradyn_functional_spec){"end",
                                                 gradyn_measure_point(m, "", point[0], 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static gradyn_status build_states(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const name[] = {"x0", "x1", "x2", "v0", "v1", "v2"};
  for (int i = 0; i < 2 * drawn.masses; i++)
    gradyn_state(m, name[i < drawn.masses ? i : i - drawn.masses + MOST_MASSES], "", rho[i]);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = rates});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = "end", .terminal = first});
  return gradyn_build_status(m);
}

/* out = M N, all [n][n]. */
static void multiply(int n, const double *M, const double *N, double *out)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += M[i * n + k] * N[k * n + j];
      out[i * n + j] = sum;
    }
}

/* exp(A t) [2 masses][2 masses], by its series over a fraction of t and repeated squaring. */
static void exponential(double t, double *out)
{
  enum { SQUARES = 12, TERMS = 16 };
  const int n = 2 * drawn.masses, size = n * n;
  double A[MOST * MOST] = {0}, power[MOST * MOST], other[MOST * MOST];
  for (int i = 0; i < drawn.masses; i++) {
    A[i * n + drawn.masses + i] = ldexp(t, -SQUARES);
    A[(drawn.masses + i) * n + drawn.masses + i] = -ldexp(t * drawn.damping[i], -SQUARES);
    for (int j = 0; j < drawn.masses; j++)
      A[(drawn.masses + i) * n + j] = -ldexp(t * entry(i, j), -SQUARES);
  }
  for (int i = 0; i < size; i++)
    power[i] = out[i] = i % (n + 1) == 0;
  for (int k = 1; k <= TERMS; k++) {
    multiply(n, power, A, other);
    for (int i = 0; i < size; i++)
      out[i] += power[i] = other[i] / k;
  }
  for (int k = 0; k < SQUARES; k++) {
    multiply(n, out, out, other);
    memcpy(out, other, (size_t)size * sizeof *out);
  }
}

/* --- analyses: the largest error of their derivatives, measured as it is reported ---------------------- */

/* Error of found [time][2 masses][2 masses], derivatives of the states for each direction, relative to the
 * largest entry of the direction. */
static double error_of(const double t[], int times, const double *found)
{
  const int n = 2 * drawn.masses;
  double M[TIMES][MOST * MOST], error = 0;
  for (int k = 0; k < times; k++)
    exponential(t[k], M[k]);
  for (int j = 0; j < n; j++) {
    double size = 0, worst = 0;
    for (int k = 0; k < times; k++)
      for (int i = j; i < n * n; i += n) {
        size = fmax(size, fabs(M[k][i]));
        worst = fmax(worst, fabs(found[k * n * n + i] - M[k][i]));
      }
    error = fmax(error, worst / size);
  }
  return error;
}

/* Selects the rows and columns of points; only every second coordinate of a mechanism moves. */
static gradyn_status transition(gradyn_evaluator *ev, const double *rho, double *error)
{
  gradyn_transition moved;
  const gradyn_status status = gradyn_transition_compute(ev, rho, NULL, 0, &moved);
  const int n = 2 * drawn.masses, step = drawn.mechanism ? 2 : 1;
  double found[MOST * MOST];
  for (int i = 0; i < n * n && status == GRADYN_OK; i++)
    found[i] = moved.matrix[step * (i / n * (int)moved.size + i % n)];
  if (status == GRADYN_OK)
    *error = error_of(&drawn.end, 1, found);
  gradyn_transition_clear(&moved);
  return status;
}

static gradyn_status sensitivities(gradyn_evaluator *ev, const double *rho, double *error)
{
  const int n = 2 * drawn.masses, step = drawn.mechanism ? 2 : 1;
  const size_t size = (size_t)gradyn_evaluator_model_info(ev).states * (size_t)n;
  const double t[TIMES] = {drawn.end / 2, drawn.end};
  double found[TIMES * MOST * MOST];
  FREED double *dy = support_zeros(TIMES * size, sizeof *dy);
  const gradyn_status status = gradyn_sensitivities_compute(ev, rho, t, TIMES, NULL, dy);
  for (int k = 0; k < TIMES; k++)
    for (int i = 0; i < n * n; i++)
      found[k * n * n + i] = dy[(size_t)k * size + (size_t)(i / n * step * n + i % n)];
  *error = error_of(t, TIMES, found);
  return status;
}

/* Error of the covariance factor for C = 1. Its columns are derivatives with respect to the sources, in an
 * order that its first row shows. The row of the functional is that of the first position. */
static double error_of_factor(const gradyn_covariance *spread)
{
  const int n = 2 * drawn.masses;
  const size_t step = drawn.mechanism ? 2 : 1;
  double found[MOST * MOST], M[MOST * MOST], size = 0, worst = 0;
  exponential(drawn.end, M);
  for (int i = 0; i < n * n; i++)
    for (size_t r = 0; r < spread->rank; r++) {
      const double *start = spread->factor, *last = start + spread->states * spread->rank;
      const size_t row = (size_t)(i / n), source = (size_t)(i % n);
      if (fabs(start[source * step * spread->rank + r]) < 0.5)
        continue;
      found[i] = last[row * step * spread->rank + r];
      if (row > 0)
        continue;
      size = fmax(size, fabs(M[i]));
      worst = fmax(worst, fabs(spread->functional[r] - M[i]));
    }
  return fmax(error_of(&drawn.end, 1, found), worst / size);
}

static gradyn_status covariance(gradyn_evaluator *ev, const double *rho, double *error)
{
  static const char *const name[] = {"p0", "p1", "p2", "p3", "p4", "p5"};
  const int n = 2 * drawn.masses;
  double C[MOST * MOST] = {0};
  for (int i = 0; i < n; i++)
    C[i * n + i] = 1;
  const gradyn_covariance_spec spec = {name, (size_t)n, C, 2};
  gradyn_covariance spread;
  const gradyn_status status = gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &spread);
  if (status == GRADYN_OK)
    *error = error_of_factor(&spread);
  gradyn_covariance_clear(&spread);
  return status;
}

/* Index of the position of mass i, or of its rate, in (y, w, z). */
static int place_of(const gradyn_linearisation *linear, int i, bool rate)
{
  if (!drawn.mechanism)
    return i + rate * drawn.masses;
  for (int k = 0; k < linear->dof; k++)
    if (linear->coordinate[k] == 2 * i)
      return k + rate * linear->dof;
  return 0;
}

/* A itself. */
static gradyn_status linearisation(gradyn_evaluator *ev, const double *rho, double *error)
{
  gradyn_linearisation linear;
  const gradyn_status status = gradyn_evaluator_linearise(ev, rho, false, &linear);
  double worst = 0, size = 1;
  const int width = status == GRADYN_OK ? linear.dof + linear.rates + linear.states : 0;
  for (int i = 0; i < drawn.masses && status == GRADYN_OK; i++)
    for (int j = 0; j < drawn.masses; j++) {
      const double found =
          linear.A[place_of(&linear, i, true) * width + place_of(&linear, j, false)];
      size = fmax(size, fabs(entry(i, j)));
      worst = fmax(worst, fabs(found + entry(i, j)));
    }
  *error = worst / size;
  gradyn_linearisation_clear(&linear);
  return status;
}

typedef gradyn_status (*analysis_fn)(gradyn_evaluator *ev, const double *rho, double *error);
static const struct {
  const char *name;
  analysis_fn find;
  bool at_rest; /* of equilibria alone */
} analyses[] = {{"transition", transition, false},
                {"sensitivities", sensitivities, false},
                {"covariance", covariance, false},
                {"linearisation", linearisation, true}};

static void judge(uint64_t seed, const char *method, const char *name, gradyn_status status,
                  const char *text, double error, tally *t)
{
  const bool alarm = status != GRADYN_OK || *text != '\0';
  /* these motions have no jumps, slips or lost derivatives, so the only valid warning is about accuracy */
  const bool said = strstr(text, "are exact to about") != NULL;
  const bool wrong = alarm && (status != GRADYN_OK || !said || error <= drawn.rtol);
  const bool silent = !alarm && !(error <= 10 * drawn.rtol);
  t->analyses++;
  t->alarms += alarm;
  t->wrong += wrong;
  t->silent += silent;
  if (alarm || silent)
    (void)printf("seed %" PRIu64
                 ", %d masses%s, away %g, rtol %.1e, %s by %s: error %.1e%s: %s: %s\n",
                 seed, drawn.masses, drawn.mechanism ? " of a mechanism" : "", drawn.away,
                 drawn.rtol, name, method, error,
                 wrong    ? ", WRONG"
                 : silent ? ", SILENT"
                          : "",
                 gradyn_status_describe((int)status).name, text);
}

static void examine(uint64_t seed, tally *t)
{
  static const gradyn_param params[MOST] = {{.name = "p0"}, {.name = "p1"}, {.name = "p2"},
                                            {.name = "p3"}, {.name = "p4"}, {.name = "p5"}};
  double rho[MOST] = {0};
  draw(seed);
  for (int i = 0; i < drawn.masses; i++)
    rho[i] = drawn.place[i] + drawn.away * (i % 2 ? -1 : 1);
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,
                                  .name = "chain",
                                  .build = drawn.mechanism ? build_points : build_states,
                                  .params = params,
                                  .param_count = (size_t)(2 * drawn.masses),
                                  .t_end = drawn.end};
  t->systems++;
  for (int m = 0; m < RUN_ADAPTIVE; m++)
    for (size_t a = 0; a < GRADYN_COUNT(analyses); a++) {
      double error = 0;
      if (analyses[a].at_rest && drawn.away > 0)
        continue;
      run_local *ev = run_with(&problem, .method = run_adaptive[m], .rtol = drawn.rtol);
      const gradyn_status status = analyses[a].find(ev, rho, &error);
      judge(seed, run_adaptive[m], analyses[a].name, status,
            status == GRADYN_OK ? gradyn_evaluator_warnings(ev) : gradyn_evaluator_message(ev),
            error, t);
    }
}

bool campaign_linear_analyses(campaign *c)
{
  tally t = {0};
  for (uint64_t seed; campaign_next(c, &seed);)
    examine(seed, &t);
  (void)printf(
      "%ld chains, %ld analyses, %ld with a warning or failed, %ld of them wrongly, %ld inexact "
      "without a warning\n",
      t.systems, t.analyses, t.alarms, t.wrong, t.silent);
  return t.wrong + t.silent > 0;
}
