/* Terms of the systems of the campaign `rtol`. */
#include "tests/drawn/rtol_systems.h"
#include "tests/random.h"

#include <math.h>

static void add(rtol_system *s, double number)
{
  s->number[s->count++] = number;
}

/* Draws rates, coupling of modes, forcing and, last, its frequency. */
static void draw_linear(rtol_system *s, uint64_t *r)
{
  const int n = s->states - s->algebraic;
  double slowest = 1e9;
  for (int i = 0; i < n; i++) {
    const double rate = random_decades(r, 0.1,
                                       s->kind == RTOL_STIFF && random_unit(r) < 0.6 ? 1e6 : 10);
    slowest = fmin(slowest, rate);
    s->mirror[i] = random_range(r, -1, 1);
    add(s, rate);
  }
  for (int i = 0; i < n; i++)
    add(s, random_unit(r) < 0.5 ? 0 : random_range(r, 0.5, 5));
  const bool forced = random_unit(r) < 0.7;
  for (int i = 0; i < n; i++)
    add(s, forced ? random_range(r, -2, 2) : 0);
  add(s, forced ? random_range(r, 0, 5) : 0);
  s->t_end = fmin(10, random_range(r, 1, 4) / slowest);
}

/* Draws for each oscillator damping, self-excitation, stiffness and its cubic part. Then coupling, forcing
 * and its frequency, the factor of the signal, and the rate of a lag that follows the first oscillator. */
static void draw_oscillators(rtol_system *s, uint64_t *r)
{
  const bool excited = s->kind == RTOL_VAN_DER_POL;
  for (int i = 0; i < (s->states - s->algebraic) / 2; i++) {
    add(s, excited ? 0 : random_range(r, 0, 0.5));
    add(s, excited ? random_decades(r, 0.1, 30) : 0);
    add(s, random_range(r, 0.5, 6));
    add(s, excited ? 0 : random_range(r, 0, 1));
  }
  add(s, random_range(r, 0, 0.5));
  add(s, random_unit(r) < 0.5 ? 0 : random_range(r, 0, 1.5));
  add(s, random_range(r, 0.5, 4));
  add(s, excited ? 0 : random_range(r, 0.5, 2));
  add(s, random_range(r, 0.5, 5));
  s->t_end = random_range(r, 2, 12);
}

/* Draws growth, self-limitation, and the coefficients of predation. */
static void draw_prey(rtol_system *s, uint64_t *r)
{
  const int n = s->states - s->algebraic;
  for (int i = 0; i < n; i++)
    add(s, random_range(r, 0.2, 2) * (i % 2 ? -0.3 : 1));
  for (int i = 0; i < n; i++)
    add(s, random_range(r, 0.1, 0.6));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      add(s, random_range(r, -0.3, 1));
  s->t_end = random_range(r, 2, 10);
}

static void draw_chemistry(rtol_system *s, uint64_t *r)
{
  const int n = s->states;
  s->reactions = 2 + random_choice(r, RTOL_REACTIONS - 1);
  for (int k = 0; k < s->reactions; k++) {
    const bool two = random_unit(r) < 0.6;
    int *which = s->reaction[k];
    which[0] = k < n ? k : random_choice(r, n);
    which[1] = two ? random_choice(r, n) : -1;
    which[2] = (which[0] + 1 + random_choice(r, n - 1)) % n;
    which[3] = two ? random_choice(r, n) : -1;
    add(s, two ? random_decades(r, 1e-1, 1e7) : random_decades(r, 1e-2, 1e2));
  }
  s->t_end = random_decades(r, 1, 40);
}

/* Rates, weights, thresholds, forcing and its frequency, the signal's factor. */
static void draw_network(rtol_system *s, uint64_t *r)
{
  const int n = s->states - s->algebraic;
  for (int i = 0; i < n; i++)
    add(s, s->kind == RTOL_STIFF_NETWORK ? random_decades(r, 0.3, 1e5) : random_range(r, 0.3, 3));
  for (int i = 0; i < n * n; i++)
    add(s, s->kind == RTOL_STIFF_NETWORK ? random_range(r, -1, 1) * s->number[s->states + i / n] / n
                                         : random_range(r, -2, 2));
  for (int i = 0; i < n; i++)
    add(s, random_range(r, -1, 1));
  add(s, random_range(r, 0, 2));
  add(s, random_range(r, 0.5, 5));
  add(s, random_range(r, 0.5, 2));
  s->t_end = random_range(r, 1, 8);
}

static void draw_start(rtol_system *s, uint64_t *r)
{
  for (int i = 0; i < s->states; i++)
    if (s->kind == RTOL_CHEMISTRY)
      add(s, i == 0 || random_unit(r) < 0.3 ? random_range(r, 0.2, 1) : 0);
    else if (s->kind == RTOL_PREY)
      add(s, random_range(r, 0.3, 2));
    else
      add(s, random_unit(r) < 0.2 ? 0 : random_range(r, -1.5, 1.5));
}

static void draw_signal(rtol_system *s, uint64_t *r)
{
  static const gradyn_signal_kind kinds[] = {GRADYN_PIECEWISE_CONSTANT, GRADYN_PIECEWISE_LINEAR,
                                             GRADYN_CUBIC_SPLINE};
  const bool driven = s->kind == RTOL_DUFFING || s->kind == RTOL_NETWORK ||
                      s->kind == RTOL_STIFF_NETWORK;
  s->signal = kinds[random_choice(r, 3)];
  s->knots = driven && random_unit(r) < 0.7 ? 3 + random_choice(r, RTOL_KNOTS - 2) : 0;
  s->first_knot = s->count;
  for (int i = 0; i < s->knots; i++)
    add(s, random_range(r, -2, 2));
}

/* Parameters replace or multiply random nonzero numbers. */
static void draw_parameters(rtol_system *s, uint64_t *r)
{
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
  const bool factors = random_unit(r) < 0.5;
  const int most = 1 + random_choice(r, COLLOCATION_PARAMETERS);
  for (int tries = 0; tries < 40 && s->parameters < most; tries++) {
    const int k = random_choice(r, s->count);
    bool taken = s->number[k] == 0 || (s->algebraic && k == s->states - 1);
    for (int j = 0; j < s->parameters; j++)
      taken = taken || s->moved[j] == k;
    if (taken)
      continue;
    const int j = s->parameters++;
    s->moved[j] = k;
    s->weight[j] = factors ? s->number[k] : 1;
    s->param[j] = (gradyn_param){.name = names[j], .init = factors ? 1 : s->number[k]};
  }
}

static void draw_functionals(rtol_system *s, uint64_t *r)
{
  s->functionals = 1 + random_choice(r, COLLOCATION_FUNCTIONALS);
  for (int f = 0; f < s->functionals; f++) {
    const int what = f == 0 ? random_choice(r, 3) : random_choice(r, 5);
    s->functional[f] = (rtol_functional){.end = what == 0 || what >= 3,
                                         .integral = what == 1 || what == 2 || what == 4,
                                         .square = what >= 2,
                                         .state = random_choice(r, s->states),
                                         .from = random_unit(r) < 0.5 ? 0 : random_range(r, -1, 1)};
  }
}

void rtol_draw(unsigned long seed, rtol_system *s)
{
  uint64_t r = seed * 1000003ULL;
  *s = (rtol_system){.kind = (rtol_kind)(seed % RTOL_KINDS)};
  s->states = 2 + random_choice(&r, COLLOCATION_STATES - 1);
  s->algebraic = s->states > 2 && random_unit(&r) < 0.2;
  draw_start(s, &r);
  if (s->kind == RTOL_LINEAR || s->kind == RTOL_STIFF)
    draw_linear(s, &r);
  else if (s->kind == RTOL_VAN_DER_POL || s->kind == RTOL_DUFFING)
    draw_oscillators(s, &r);
  else if (s->kind == RTOL_PREY)
    draw_prey(s, &r);
  else if (s->kind == RTOL_CHEMISTRY)
    draw_chemistry(s, &r);
  else
    draw_network(s, &r);
  draw_signal(s, &r);
  draw_parameters(s, &r);
  draw_functionals(s, &r);
}

const char *rtol_name(rtol_kind kind)
{
  static const char *const names[RTOL_KINDS] = {"linear",  "stiff linear", "van der pol",
                                                "prey",    "chemistry",    "duffing",
                                                "network", "stiff network"};
  return names[kind];
}
