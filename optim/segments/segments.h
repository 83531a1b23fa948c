/* A motion cut into parts, which a search sees as one objective: beside the parameters, the states at the
 * cuts are unknown, and beside the problem's functionals it has to bring the gaps between parts to zero. */
#ifndef GRADYN_OPTIM_SEGMENTS_H
#define GRADYN_OPTIM_SEGMENTS_H

#include "optim/program/objective.h"
#include "optim/segments/iterates.h"
#include "optim/segments/guess.h"
#include "optim/segments/segment.h"
#include <gradyn/optimise.h>

/* Functionals of all parts, those of their states and rows among them, with gradients whose rows are as long
 * as a part has parameters. */
typedef struct gradyn_answers {
  size_t height;          /* functionals of a part, at most */
  double *psi, *gradient; /* [count of parts][height]; [count of parts][height][width] */
  bool *wanted;           /* [count of parts][height] whose gradients a part gives */
} gradyn_answers;

/* Limits along the way where they are held: other evaluators of the same parts. */
typedef struct gradyn_segments_held {
  gradyn_limit_at *at;     /* [count], likewise the next two */
  size_t *part, *place;    /* where a row belongs, and which one it is there */
  gradyn_limit_at *row;    /* [count] by parts, as these declare them */
  size_t count;            /* 0: none are held */
  gradyn_answers before;   /* room of parts without rows, while there are some */
  gradyn_segment *segment; /* [count of parts] */
  gradyn_arena arena;
} gradyn_segments_held;

typedef struct gradyn_segments {
  gradyn_objective
      objective; /* of parameters, unknowns at the cuts, references there; of functionals, gaps */
  gradyn_parameter_info *parameters; /* of the objective, likewise the next */
  gradyn_functional_info *functionals;
  gradyn_evaluator *whole;    /* borrowed */
  size_t count, p, f, states; /* parts; the problem's parameters, functionals; unknowns at a cut */
  size_t nz;                  /* states at a cut, those that follow from the unknowns among them */
  size_t references;          /* nz: unknowns are near references; 0: they are all states */
  gradyn_segment *segment;    /* [count] */
  gradyn_cut *cut;            /* [count]; the first is none */
  size_t width;               /* parameters of a part, at most */
  double *rho;                /* [count][width] of each part */
  gradyn_answers answers;
  gradyn_status *answered;     /* [count] */
  gradyn_block *block;         /* [count] of second derivatives, and its memory */
  gradyn_arena *curved;        /* [count] */
  gradyn_iterates_kept course; /* of the search */
  size_t jobs;                 /* threads that parts are evaluated by; 0, 1: this one */
  const bool *used;            /* [f] whose gradients a search needs; borrowed */
  gradyn_segments_held held;
  double *start; /* [parameters of the objective] where a search begins */
  gradyn_begun begun;
  double *scratch; /* [nz + parameters of the objective] of references */
  long steps;
  gradyn_message message, warnings;
  gradyn_message moved; /* which cuts are elsewhere than asked for, and why */
  gradyn_arena arena;   /* of all arrays */
} gradyn_segments;

/* Cuts the motion of an evaluator where a search says and finds the states at the cuts in its file or by a
 * simulation at rho0 [p]; of general equations part by part: where that fails or runs away, the rest is
 * led by what build() declares of it, or begins as the last part has. used [f]: functionals whose gradients a
 * search needs; must outlive the segments, which do not move. To be cleared in any case; its message tells
 * why it failed. */
gradyn_status gradyn_segments_create(gradyn_evaluator *whole, const gradyn_search *search,
                                     const bool used[], const double rho0[], gradyn_segments *out);
void gradyn_segments_clear(gradyn_segments *s);

/* The motion in parts at rho [parameters of the objective], to be freed; NULL: one of them fails, or there
 * is no memory. */
gradyn_trajectory *gradyn_segments_motion(gradyn_segments *s, const double rho[]);

/* --- In unknowns.c ---------------------------------------------------------------------------- */

/* Parameters of the objective: those of the problem, unknowns of cuts 1, 2, ..., references of the same. */
size_t gradyn_segments_columns(const gradyn_segments *s);
/* Where unknowns of cut k > 0 begin behind those of the problem, and gaps there behind its functionals. */
size_t gradyn_segments_unknown(const gradyn_segments *s, size_t k);
/* Where the reference of cut k begins among the parameters. */
size_t gradyn_segments_reference(const gradyn_segments *s, size_t k);
/* Whether the start of a part is what the assembly makes of its unknowns. */
bool gradyn_segments_assembled(const gradyn_segments *s);
/* Parameters of part k, from all. */
double *gradyn_segments_load(const gradyn_segments *s, size_t k, const double all[]);
/* Where states are next to nothing at the cuts, finds out how far parameters move them. */
gradyn_status gradyn_segments_find_reach(gradyn_segments *s);
/* Names, sizes and tolerances of unknowns and gaps, from the start. */
gradyn_status gradyn_segments_describe(gradyn_segments *s);

/* --- In parts.c ------------------------------------------------------------------------------- */

/* Runs the parts at rho [parameters of the objective], by several threads if there are to be some: each has
 * an evaluator of its own, so that bits do not depend on who runs it. Gradients of all functionals, of those
 * that a search needs, or none. What counts is the first part that fails, with its message. */
gradyn_status gradyn_segments_run(gradyn_segments *s, const double rho[], bool all, bool gradient);
/* The same for one part. */
gradyn_status gradyn_segments_run_part(gradyn_segments *s, size_t k, const double rho[], bool all,
                                       bool gradient);
/* What parts have answered into psi and gradient of the objective, which may be NULL. */
void gradyn_segments_add_up(const gradyn_segments *s, const double rho[], double psi[],
                            double gradient[]);

/* --- In limits.c ------------------------------------------------------------------------------ */

/* Those of gradyn_objective. */
gradyn_status gradyn_segments_hold(void *segments, const gradyn_limit_at at[], size_t count,
                                   gradyn_functional_info info[]);
gradyn_status gradyn_segments_look(void *segments, const double rho[], double part,
                                   gradyn_path_check *out);
/* Room for the numbers of parts with so many rows, at most. */
gradyn_status gradyn_segments_reserve(gradyn_segments *s, size_t rows, gradyn_arena *arena);
/* The part as it is evaluated now. */
gradyn_segment *gradyn_segments_part_in_use(const gradyn_segments *s, size_t k);
/* Where the rows of part k begin among its functionals. */
size_t gradyn_segments_rows_of_part(const gradyn_segments *s, size_t k);

/* --- In curvature.c --------------------------------------------------------------------------- */

/* Whether second derivatives are to be had: without events, limits and maxima. */
bool gradyn_segments_curves(const gradyn_segments *s);
/* That of gradyn_objective. */
gradyn_status gradyn_segments_curve(void *segments, const double weight[], const double rho[],
                                    const gradyn_block **block);

/* --- In references.c -------------------------------------------------------------------------- */

/* Has cuts refer to what rho [columns] says; GRADYN_NOT_ASSEMBLED: its unknowns lead too far from there. */
gradyn_status gradyn_segments_come_near(gradyn_segments *s, const double rho[]);
/* Those of gradyn_objective. */
bool gradyn_segments_strained(void *segments, const double rho[]);
gradyn_status gradyn_segments_refer(void *segments, double rho[]);

/* Whether at rho [parameters of the objective] a part of a mechanism begins in another branch than the one
 * before ends in, although their gaps are closed; text [size] tells. */
bool gradyn_segments_part(gradyn_segments *s, const double rho[], char text[], size_t size);

/* What a search over the segments has come to, in terms of the problem: arrays by its own parameters and
 * functionals, numbers those of the undivided motion, and how far that is from the parts in the reason.
 * Returns the status of the search, unless memory runs out. */
gradyn_status gradyn_segments_finish(gradyn_segments *s, gradyn_status status,
                                     gradyn_search_result *result);

#endif
