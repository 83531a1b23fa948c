/* Campaign: do accurate runs have no warnings? Random oscillators and double pendulums with kinks, linear
 * tables, jumps in time alone, steep laws, roots and resolved unstable motions (abrupt_systems.c). Blocks
 * that friction brings to rest, with steps of a hundredth of the time that crosses the transition velocity.
 * Slider-cranks and four-bar linkages away from dead points. By all methods and sensitivities. No gradient
 * may fail, and none may have a warning of jumps, lost derivatives, slip jumps, singular positions, long
 * steps, or ill-determined values. Warnings about the accuracy of gradients, which is lower at kinks, are
 * compared with derivatives by another method with tight tolerances, and counted. Exit status 1: an
 * accurate run has a warning. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/abrupt_systems.h"
#include "tests/runs.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 4, MOST_FUNCTIONALS = 4 };

typedef enum healthy_kind { ABRUPT, BLOCK, SLIDER_CRANK, FOUR_BAR, KINDS } healthy_kind;

static const struct way {
  const char *method, *sensitivity, *integrator;
  double share; /* step as a fraction of the run; 0: error control */
  bool general, friction;
} ways[] = {{"explicit", "adjoint", NULL, 0, true, false},
            {"explicit", "direct", NULL, 0, true, false},
            {"radau", "adjoint", NULL, 0, true, true},
            {"radau", "direct", NULL, 0, true, true},
            {"idas", "adjoint", NULL, 0, true, true},
            {"idas", "direct", NULL, 0, true, true},
            {"ali3p", "adjoint", NULL, 5e-4, false, true},
            {"ali3p", "direct", NULL, 5e-4, false, true},
            {"ali3p", "adjoint", "generalised-alpha", 5e-4, false, true},
            {"variational", "adjoint", NULL, 5e-4, false, false},
            {"variational", "direct", NULL, 5e-4, false, false}};

typedef struct tally {
  long systems, runs, wrong, inexact, needless;
} tally;

/* --- mechanisms ------------------------------------------------------------------------------- */

/* Random numbers that build() reads; their meaning depends on the kind of mechanism. */
static double drawn[8];

/* A block thrown up or along an incline. Numbers: static and kinetic coefficient, transition velocity,
 * angle, speed. */
static gradyn_status build_block(gradyn_model *m, const gradyn_scalar rho[])
{
  const int body = declare_body(m, "block", 2, 0.03, 0, 0.12);
  const int guide = declare_joint(m, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL,
                                  VECTOR(1, 0));
  const int slide = gradyn_joint_coordinate(m, guide, GRADYN_SLIDE);
  gradyn_gravity(m, -9.81 * sin(drawn[3]), -9.81 * cos(drawn[3]));
  gradyn_fix_initial_joint(m, "start", slide, 0, drawn[4] * rho[3]);
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = "rub",
                                                         .joint = guide,
                                                         .still = drawn[0] * rho[0],
                                                         .kinetic = drawn[1] * rho[1],
                                                         .transition = drawn[2] * rho[2],
                                                         .smoothing = 1e-3});
  gradyn_functional(m, &(gradyn_functional_spec){"end", gradyn_measure_joint(m, "s", slide, 0),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static void add_rod(gradyn_model *m, const char *name, int from, int to, gradyn_scalar length)
{
  gradyn_rod(m,
             &(gradyn_rod_spec){.name = name, .from = from, .to = to, .length = length, .mass = 1});
}

/* Numbers: length of the crank, ratio of rod and crank, angle, speed, gravity. */
static gradyn_status build_slider_crank(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar r = drawn[0] * rho[0], l = drawn[0] * drawn[1] * rho[1];
  const gradyn_scalar x = r * cos(drawn[2]), y = r * sin(drawn[2]);
  const int ground = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", x, y),
            q = gradyn_point(m, "q", x + sqrt(l * l - y * y), 0);
  gradyn_gravity(m, 0, -drawn[4]);
  add_rod(m, "crank", ground, p, r);
  add_rod(m, "rod", p, q, l);
  gradyn_coordinate(m, "slide", q, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_initial_velocity(m, p, -drawn[3] * y * rho[2], drawn[3] * x * rho[2]);
  gradyn_functional(m, &(gradyn_functional_spec){"v2",
                                                 gradyn_measure_point(m, "", p, 1, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"q", gradyn_measure_point(m, "", q, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* A four-bar linkage on 2 m of ground whose shortest rod can rotate fully. Numbers: crank, coupler, rocker,
 * angle, speed, gravity. */
static gradyn_status build_four_bar(gradyn_model *m, const gradyn_scalar rho[])
{
  const double ground = 2;
  const gradyn_scalar a = drawn[0] * rho[0], b = drawn[1] * rho[1], c = drawn[2] * rho[2];
  const gradyn_scalar x = a * cos(drawn[3]), y = a * sin(drawn[3]);
  /* vector from p to the other ground point, and position of the joint of coupler and rocker along and
   * across it */
  const gradyn_scalar dx = ground - x, dy = -y, d = sqrt(dx * dx + dy * dy);
  const gradyn_scalar along = (b * b - c * c + d * d) / (2 * d), up = sqrt(b * b - along * along);
  const int A = gradyn_ground_point(m, "A", 0, 0), D = gradyn_ground_point(m, "D", ground, 0),
            p = gradyn_point(m, "p", x, y),
            q = gradyn_point(m, "q", x + (along * dx - up * dy) / d,
                             y + (along * dy + up * dx) / d);
  gradyn_gravity(m, 0, -drawn[5]);
  add_rod(m, "crank", A, p, a);
  add_rod(m, "coupler", p, q, b);
  add_rod(m, "rocker", D, q, c);
  gradyn_initial_velocity(m, p, -drawn[4] * y * rho[3], drawn[4] * x * rho[3]);
  gradyn_functional(m, &(gradyn_functional_spec){"v2",
                                                 gradyn_measure_point(m, "", q, 1, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"q", gradyn_measure_point(m, "", q, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* Draws the numbers of a mechanism; returns its problem. */
static gradyn_problem draw(healthy_kind kind, unsigned long seed)
{
  static const gradyn_param params[MOST_PARAMETERS] = {{"a", "", .init = 1, GRADYN_UNBOUNDED},
                                                       {"b", "", .init = 1, GRADYN_UNBOUNDED},
                                                       {"c", "", .init = 1, GRADYN_UNBOUNDED},
                                                       {"d", "", .init = 1, GRADYN_UNBOUNDED}};
  uint64_t s = seed * 1000003ULL + (unsigned long long)kind;
  gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "healthy", .params = params,
                            .param_count = 4};
  if (kind == BLOCK) {
    drawn[0] = random_range(&s, 0.2, 0.6);
    drawn[1] = drawn[0] * random_range(&s, 0.7, 1);
    drawn[2] = random_range(&s, 5e-3, 2e-2);
    drawn[3] = random_range(&s, 0, 0.4);
    drawn[4] = random_range(&s, 0.2, 1);
    problem.build = build_block;
    problem.t_end = 0.3;
  } else if (kind == SLIDER_CRANK) {
    drawn[0] = random_range(&s, 0.3, 2);
    drawn[1] = random_range(&s, 1.3, 4);
    drawn[2] = random_range(&s, 0, 6);
    drawn[3] = random_range(&s, 1, 8);
    drawn[4] = random_range(&s, 0, 1) < 0.5 ? 0 : 9.81;
    problem.build = build_slider_crank;
    problem.t_end = random_range(&s, 0.5, 2);
  } else {
    drawn[0] = random_range(&s, 0.3, 0.9);
    drawn[1] = random_range(&s, 1.7, 2.2);
    drawn[2] = random_range(&s, 1.7, 2.2);
    drawn[3] = random_range(&s, 0, 6);
    drawn[4] = random_range(&s, 1, 8);
    drawn[5] = random_range(&s, 0, 1) < 0.5 ? 0 : 9.81;
    problem.build = build_four_bar;
    problem.t_end = random_range(&s, 0.5, 2);
  }
  return problem;
}

/* --- runs --------------------------------------------------------------------------------------- */

/* Returns whether a line of the warnings concerns anything but accuracy. */
static bool alarms(const char *text)
{
  while (*text) {
    const size_t length = strcspn(text, "\n");
    char line[400];
    (void)snprintf(line, sizeof line, "%.*s", (int)length, text);
    if (!strstr(line, "is exact to about") && !strstr(line, "made as exact as asked for"))
      return true;
    text += length + (text[length] == '\n');
  }
  return false;
}

/* The largest error of a functional's derivatives relative to the largest derivative. The reference is
 * another method with tight tolerances; infinite: it fails. */
static double error_of(const gradyn_problem *problem, const char *method, const double *rho,
                       const double *gradient)
{
  const char *other = strcmp(method, "radau") == 0 ? "idas" : "radau";
  double exact[MOST_FUNCTIONALS * MOST_PARAMETERS], worst = 0;
  gradyn_evaluator *ev;
  gradyn_status status = run_try(&ev, problem, .method = other, .rtol = 1e-11, .step = -1,
                                 .evaluation_seconds = 20);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(ev, rho, NULL, exact);
  const size_t p = problem->param_count;
  const size_t nf = status == GRADYN_OK ? gradyn_functional_count(ev) : 0;
  for (size_t f = 0; f < nf; f++) {
    double size = 0, off = 0;
    for (size_t i = f * p; i < (f + 1) * p; i++) {
      size = fmax(size, fabs(exact[i]));
      off = fmax(off, fabs(gradient[i] - exact[i]));
    }
    worst = size > 0 ? fmax(worst, off / size) : worst;
  }
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK ? worst : HUGE_VAL;
}

/* Returns whether a warning of inaccurate derivatives is unfounded: the error is within the tolerance that
 * the text names. */
static bool is_needless(const char *text, double error)
{
  const char *asked = strstr(text, "where ");
  return asked && error <= strtod(asked + strlen("where "), NULL);
}

static void examine(const gradyn_problem *problem, unsigned long seed, const char *name,
                    bool general, bool friction, tally *t)
{
  t->systems++;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    const double rho[MOST_PARAMETERS] = {1, 1, 1, 1};
    double psi[MOST_FUNCTIONALS], gradient[MOST_FUNCTIONALS * MOST_PARAMETERS];
    gradyn_evaluator *ev;
    if ((general && !ways[w].general) || (friction && !ways[w].friction))
      continue;
    /* with friction, a hundredth of the time in which 10 m/s^2 cross the transition velocity */
    const double fixed = friction ? drawn[2] / 1000 : ways[w].share * problem->t_end;
    gradyn_status status = run_try(&ev, problem, .method = ways[w].method,
                                   .sensitivity = ways[w].sensitivity,
                                   .integrator = ways[w].integrator, .evaluation_seconds = 20,
                                   .step = ways[w].share > 0 ? fixed : -1);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    const char *text = status == GRADYN_OK ? gradyn_evaluator_warnings(ev)
                                           : gradyn_evaluator_message(ev);
    const bool wrong = status != GRADYN_OK || alarms(text);
    t->runs++;
    t->wrong += wrong;
    t->inexact += !wrong && *text != '\0';
    const bool needless = !wrong && *text != '\0' &&
                          is_needless(text, error_of(problem, ways[w].method, rho, gradient));
    t->needless += needless;
    if (wrong || needless)
      (void)printf("seed %lu, %s, %s %s%s%s%s: %s: %s\n", seed, name, ways[w].method,
                   ways[w].sensitivity, needless ? ", NEEDLESS" : "", ways[w].integrator ? " " : "",
                   ways[w].integrator ? ways[w].integrator : "",
                   gradyn_status_describe((int)status).name, text);
    gradyn_evaluator_free(ev);
  }
}

bool campaign_no_false_alarms(campaign *c)
{
  static const char *const names[KINDS] = {"", "block", "slider-crank", "four-bar"};
  tally t = {0};
  for (uint64_t seed; campaign_next(c, &seed);) {
    /* six kinds of ten have something abrupt */
    static const healthy_kind kinds[] = {ABRUPT, BLOCK,    ABRUPT, SLIDER_CRANK, ABRUPT,
                                         ABRUPT, FOUR_BAR, ABRUPT, BLOCK,        ABRUPT};
    const healthy_kind kind = kinds[seed % 10];
    if (kind == ABRUPT) {
      const int laws = ABRUPT_LAWS - ABRUPT_LAST_JUMP - 1;
      const abrupt_law law = (abrupt_law)(ABRUPT_LAST_JUMP + 1 + (int)(seed / 2) % laws);
      const abrupt_system system = abrupt_draw(seed, law);
      const gradyn_problem problem = abrupt_problem(&system);
      examine(&problem, seed, abrupt_name(law), !system.mechanism, false, &t);
    } else {
      const gradyn_problem problem = draw(kind, seed);
      examine(&problem, seed, names[kind], false, kind == BLOCK, &t);
    }
  }
  (void)printf("%ld healthy systems, %ld gradients, %ld with a warning of accuracy, %ld of them as "
               "exact as asked "
               "for, %ld wrongly warned of or failed\n",
               t.systems, t.runs, t.inexact, t.needless, t.wrong);
  return t.wrong > 0;
}
