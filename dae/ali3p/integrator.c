/* ALI3-P: the integrators of the family, their parameters and coefficients. All have the form v* = vq
 * dq + ... and a* = aq dq + .... Trapezoidal rule, Newmark, HHT and generalised alpha differ only in
 * numbers; docs/theory/ali3p.md, section 2.1. */
#include <string.h>

#include "dae/ali3p/ali3p.h"

/* Newmark: q' = q + h v + h^2 ((1/2 - beta) A + beta A*), v* = v + h ((1 - gamma) A + gamma A*), solved for
 * v* and A* with dq = q' - q. Generalised alpha (Chung and Hulbert; Arnold and Brüls): (1 - alpha_m) A* +
 * alpha_m A = (1 - alpha_f) a* + alpha_f a. */
void gradyn_ali3p_coefficients_of(const gradyn_ali3p *s, double h, gradyn_ali3p_coefficients *k)
{
  double b = s->rule.beta, g = s->rule.gamma, am = s->rule.alpha_m, af = s->rule.alpha_f;
  if (k->h == h)
    return;
  k->h = h;
  k->vq = g / (b * h); /* v*_dq = gamma/(beta h) */
  k->vv = 1 - g / b;
  k->vA = h * (1 - g / (2 * b));
  k->Aq = 1 / (b * h * h); /* A*_dq = 1/(beta h^2) */
  k->Av = -1 / (b * h);
  k->AA = 1 - 1 / (2 * b);
  double share = (1 - am) / (1 - af);
  k->share = share;
  k->kept = am / (1 - af);
  k->aq = share * k->Aq;
  k->av = share * k->Av;
  k->aA = share * k->AA + k->kept;
  k->aa = -af / (1 - af); /* a*_a */
}

/* Returns the default parameter of a dissipative integrator, which damps the fastest motion and hardly
 * affects slow ones. */
double gradyn_ali3p_usual_parameter(const char *integrator)
{
  if (strcmp(integrator, "trapezoidal") == 0)
    return 0;
  if (strcmp(integrator, "hht") == 0)
    return -0.1;
  return strcmp(integrator, "newmark") == 0 ? 0.5 : 0.8;
}

gradyn_status gradyn_ali3p_choose_integrator(gradyn_ali3p *s, const gradyn_options *o,
                                             gradyn_message *message)
{
  const char *name = o->integrator ? o->integrator : "trapezoidal";
  double r = o->integrator_parameter;
  s->rule.beta = 0.25;
  s->rule.gamma = 0.5;
  s->rule.alpha_m = s->rule.alpha_f = 0;
  if (strcmp(name, "trapezoidal") == 0)
    return GRADYN_OK;
  if (strcmp(name, "newmark") == 0) { /* r: gamma in [1/2, 1] */
    s->rule.gamma = r;
    /* beta = (gamma + 1/2)^2/4: the strongest damping for this gamma */
    s->rule.beta = (r + 0.5) * (r + 0.5) / 4;
    return r >= 0.5 && r <= 1 ? GRADYN_OK
                              : gradyn_fail(message, GRADYN_INVALID,
                                            "newmark: gamma is %g: it must lie in [0.5, 1]", r);
  }
  s->rule.own_A = true;
  if (strcmp(name, "hht") == 0) { /* r: alpha in [-1/3, 0] */
    /* alpha_f = -alpha, gamma = 1/2 - alpha, beta = (1 - alpha)^2/4 */
    s->rule.alpha_f = -r;
    s->rule.gamma = 0.5 - r;
    s->rule.beta = (1 - r) * (1 - r) / 4;
    return r >= -1.0 / 3 && r <= 0 ? GRADYN_OK
                                   : gradyn_fail(message, GRADYN_INVALID,
                                                 "hht: alpha is %g: it must lie in [-1/3, 0]", r);
  }
  if (strcmp(name, "generalised-alpha") == 0) { /* r: spectral radius at infinity in [0, 1] */
    /* Chung and Hulbert's choice for a spectral radius r at infinity */
    s->rule.alpha_m = (2 * r - 1) / (r + 1);
    s->rule.alpha_f = r / (r + 1);
    s->rule.gamma = 0.5 - s->rule.alpha_m + s->rule.alpha_f;
    s->rule.beta = (1 - s->rule.alpha_m + s->rule.alpha_f) *
                   (1 - s->rule.alpha_m + s->rule.alpha_f) / 4;
    return r >= 0 && r <= 1 ? GRADYN_OK
                            : gradyn_fail(message, GRADYN_INVALID,
                                          "generalised-alpha: the spectral radius is %g: it must "
                                          "lie in [0, 1]",
                                          r);
  }
  /* an unknown name is an error; no default replaces it */
  return gradyn_fail(message, GRADYN_INVALID,
                     "there is no integrator called '%s'; choose trapezoidal, newmark, hht, "
                     "generalised-alpha",
                     name);
}
