/* A random mechanism while it is being built. */
#ifndef GRADYN_TESTS_CAMPAIGNS_MECHANISM_DRAFT_H
#define GRADYN_TESTS_CAMPAIGNS_MECHANISM_DRAFT_H

#include "tests/drawn/mechanisms.h"

enum { MOST_LINKS = 4 };

/* What is known so far; units in which lengths and so on are numbers around 1. */
typedef struct mechanism_draft {
  gradyn_model *m;
  const gradyn_scalar *rho;
  uint64_t random;
  bool space, beams;
  double L, M, T;        /* m, kg, s */
  int ground[2];         /* points */
  int point[MOST_LINKS]; /* [links] */
  double place[MOST_LINKS][3];
  double start[2][3];          /* places of the ground points */
  int links, constraint, beam; /* -1: none */
  int signal;                  /* 0: none */
  bool lost;                   /* FAULT_BUILD has been planted */
} mechanism_draft;

/* Random numbers of the draft. */
double draft_range(mechanism_draft *d, double a, double b);
bool draft_one_in(mechanism_draft *d, int n);

/* The base, or that times a smooth function of the parameters. */
gradyn_scalar draft_vary(mechanism_draft *d, double base);

/* A point at p, in units of the draft's length; returns its number. */
int draft_point(mechanism_draft *d, const char *name, const double p[3], bool moving);
double draft_distance(const double a[3], const double b[3]);

/* The parts, in the order of declaration. */
void draft_link(mechanism_draft *d, int i);
void draft_extras(mechanism_draft *d);
void draft_forces(mechanism_draft *d);
void draft_functionals(mechanism_draft *d);

#endif
