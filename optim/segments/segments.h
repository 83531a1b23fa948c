/* A motion in segments, as one objective of a search. In addition to the parameters, the states at
 * segment boundaries are unknown. In addition to the functionals of the problem, the continuity defects
 * between segments must become zero. */
#ifndef GRADYN_OPTIM_SEGMENTS_H
#define GRADYN_OPTIM_SEGMENTS_H

#include "optim/program/objective.h"
#include "optim/segments/iterates.h"
#include "optim/segments/guess.h"
#include "optim/segments/segment.h"
#include <gradyn/optimise.h>

/* Functionals of all segments, including their states and sampled path constraints, and gradients. A row of a
 * gradient has the parameters of its segment. All arrays belong to an arena. */
typedef struct gradyn_answers {
  size_t height;          /* largest number of functionals of a segment */
  size_t *first;          /* [count of segments], index in gradient of the rows of a segment */
  double *psi, *gradient; /* [count of segments][height]; [height][parameters] of each in turn */
  gradyn_entries entries; /* of the gradients of the objective */
  bool *requested;        /* [count of segments][height], functionals with gradients */
} gradyn_answers;

/* Sampled path constraints: other evaluators of the same segments, which gradyn_segments_hold() makes. */
typedef struct gradyn_segments_held {
  gradyn_limit_at *at;     /* [count], the samples in the order of gradyn_segments_hold() */
  size_t *part, *position; /* [count], from 0: segment of a sample, its index among samples there */
  gradyn_limit_at *row;    /* [count], the samples ordered by segments */
  size_t count;            /* 0: there are no samples */
  gradyn_answers before;   /* answers for segments without samples */
  gradyn_segment *segment; /* [count of segments], with samples */
  gradyn_arena arena;      /* memory of all arrays but those of `before` */
} gradyn_segments_held;

typedef struct gradyn_segments {
  gradyn_objective objective; /* parameters: also unknowns, references; functionals: also defects */
  gradyn_parameter_info *parameters; /* of the objective, as the next member */
  gradyn_functional_info *functionals;
  gradyn_evaluator *whole;    /* of the problem, borrowed */
  size_t count, p, f, states; /* segments; parameters, functionals of it; unknowns at a boundary */
  size_t nz;                  /* states at a boundary, also dependent ones */
  size_t references;          /* nz: unknowns are relative to them; 0: none */
  gradyn_segment *segment;    /* [count] */
  gradyn_cut *cut; /* [count], boundary k is the start of segment k; entry 0 is not used */
  gradyn_segments_sparsity sparsity;
  gradyn_answers answers;
  gradyn_status *answered;     /* [count], status of the last run of each segment */
  gradyn_block *block;         /* [count], blocks of second derivatives */
  gradyn_arena *curved;        /* [count], memory of blocks */
  gradyn_iterates_kept course; /* iterates of the search */
  const char *method; /* name of the method of the segments, borrowed from `whole` or static */
  size_t jobs;        /* threads; 0, 1: the present one only */
  const bool *used;   /* [f], required gradients; borrowed */
  gradyn_segments_held held;
  double *start; /* [gradyn_segments_columns()], start of a search */
  gradyn_begun begun;
  double *scratch;               /* [nz + columns], for references */
  long steps;                    /* time steps of the last evaluation, of all segments */
  gradyn_warnings warnings;      /* of the last evaluation */
  gradyn_message message, moved; /* moved: boundaries that were moved, and reasons */
  gradyn_arena arena;            /* memory of all arrays */
} gradyn_segments;
/* Divides the motion of an evaluator into the segments that a search requests. The states at the boundaries
 * come from search->guess, from the warm start, or from a simulation at rho0 [p]. For general equations, the
 * segments are simulated in turn. If this fails or diverges, the remaining states follow the guesses that
 * build() declares, or remain constant. used [f]: functionals with gradients that a search needs; only it and
 * `whole` must outlive the segments. Do not move *out; clear it in any case. Errors, with out->message:
 * GRADYN_INVALID, *search or a file is wrong; GRADYN_UNSUPPORTED; GRADYN_NO_MEMORY; those of a run. */
gradyn_status gradyn_segments_create(gradyn_evaluator *whole, const gradyn_search *search,
                                     const bool used[], const double rho0[], gradyn_segments *out);
/* Frees the members of *s, which must not be used or cleared afterwards; not `whole` and `used`. */
void gradyn_segments_clear(gradyn_segments *s);
/* Returns the motion in segments at rho [gradyn_segments_columns()], without samples; release it by
 * gradyn_trajectory_free(). NULL: any failure. */
gradyn_trajectory *gradyn_segments_motion(gradyn_segments *s, const double rho[]);
/* --- In unknowns.c ---------------------------------------------------------------------------- */
/* Returns the number of parameters of the objective: of the problem, unknowns, references, in this order. */
size_t gradyn_segments_columns(const gradyn_segments *s);
/* Returns the index of the first unknown of boundary k, 0 < k < count, relative to s->p. The first defect of
 * boundary k has the same index relative to s->f. Both are followed by the other s->states - 1. */
size_t gradyn_segments_unknown(const gradyn_segments *s, size_t k);
/* Returns the index of the first reference of boundary k > 0 among all parameters of the objective. */
size_t gradyn_segments_reference(const gradyn_segments *s, size_t k);
/* Returns whether the start of a segment is assembled from its unknowns, which is true for mechanisms. */
bool gradyn_segments_assembled(const gradyn_segments *s);
/* If states are nearly zero at the boundaries, computes begun.reach by a run. If the run fails, reach stays
 * NULL. Errors: those of the class GRADYN_CLASS_FATAL only. */
gradyn_status gradyn_segments_find_reach(gradyn_segments *s);
/* Sets names, sizes, tolerances of unknowns, references, defects from s->start. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_describe(gradyn_segments *s);
/* --- In parts.c ------------------------------------------------------------------------------- */
/* Runs all segments at rho [columns], in s->jobs threads, and fills s->answers, undefined after an error.
 * gradient false: values only. all: gradients of all functionals, not only of those that a search needs.
 * Errors, with s->message: that of the first segment that fails; GRADYN_EVENT, modes at a boundary or counts
 * of events do not fit; GRADYN_INTERNAL, data depend on more parameters than at the start. */
gradyn_status gradyn_segments_run(gradyn_segments *s, const double rho[], bool all, bool gradient);
/* Runs segment k, from 0, at rho [columns], and fills its answer, undefined after an error; no check of
 * modes, counts or parameters. gradient false: values only. all: gradients of all functionals, not only of
 * those that a search needs. Errors, with s->message: those of the run. */
gradyn_status gradyn_segments_run_part(gradyn_segments *s, size_t k, const double rho[], bool all,
                                       bool gradient);
/* Fills psi and the stored entries of gradient of the objective, samples included. They are sums over
 * s->answers, from gradyn_segments_run(), and the defects at rho [columns]. gradient NULL: values only. */
void gradyn_segments_add_up(const gradyn_segments *s, const double rho[], double psi[],
                            double gradient[]);
/* --- In limits.c ------------------------------------------------------------------------------ */
/* The function hold of gradyn_objective; `segments` is a gradyn_segments. at [count] is copied; count 0
 * removes all samples. info [count] receives their descriptions. After an error, only hold again or clear.
 * Errors: GRADYN_NO_MEMORY, those of the evaluators. */
gradyn_status gradyn_segments_hold(void *segments, const gradyn_limit_at at[], size_t count,
                                   gradyn_functional_info info[]);
/* The function look of gradyn_objective; `segments` is a gradyn_segments. Finds violations above `part` of
 * their tolerances at rho [gradyn_segments_columns()] by runs without samples. Clear *out in any case.
 * Errors: those of runs. */
gradyn_status gradyn_segments_look(void *segments, const double rho[], double part,
                                   gradyn_path_check *out);
/* Returns segment k, from 0, as it is evaluated now: the one with samples, if there are some. */
gradyn_segment *gradyn_segments_part_in_use(const gradyn_segments *s, size_t k);
/* Returns the index of the first sample of segment k among its functionals. */
size_t gradyn_segments_rows_of_part(const gradyn_segments *s, size_t k);
/* --- In curvature.c --------------------------------------------------------------------------- */
/* Returns whether second derivatives are available: no events, no (smooth) maxima but path constraints. */
bool gradyn_segments_curves(const gradyn_segments *s);
/* The function curve of gradyn_objective: one block for each segment, at rho [columns]; weight also has the
 * samples. *block is valid until the next call or the clearing. Errors: those of set_references() and of
 * the segments. */
gradyn_status gradyn_segments_curve(void *segments, const double weight[], const double rho[],
                                    const gradyn_block **block);
/* --- In references.c -------------------------------------------------------------------------- */
/* Sets the references of the boundaries from rho [columns]; without references GRADYN_OK. Errors, with
 * s->message: GRADYN_NOT_ASSEMBLED, the states of rho are too far from the new references; GRADYN_SINGULAR,
 * the number of unknowns would change; failures of the constraints. */
gradyn_status gradyn_segments_set_references(gradyn_segments *s, const double rho[]);
/* The function strained of gradyn_objective; `segments` is a gradyn_segments. Returns whether states at
 * boundaries are too far from their references at rho [columns], or these cannot be set. */
bool gradyn_segments_strained(void *segments, const double rho[]);
/* The function refer of gradyn_objective; also sets s->start to the new rho. Errors that leave rho as it is:
 * those of gradyn_segments_set_references() and of the assembly. Error with a new rho: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_refer(void *segments, double rho[]);
/* Returns whether a segment of a mechanism begins in another branch of assembly than the previous one ends
 * in, at rho [columns], with zero defects. Then text [size] gets the description. Runs the segments; false
 * also if one fails, and for general equations. */
bool gradyn_segments_differ(gradyn_segments *s, const double rho[], char text[], size_t size);
/* Converts the result of a search over segments to one of the problem. Gradient and psi become those of the
 * undivided motion. If this motion fails, the gradient is NAN and psi stay; psi also stay if they deviate
 * by more than a tolerance. A finding states the deviation. Returns `status`, that of the search;
 * GRADYN_INFEASIBLE for segments in different branches; or GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_finish(gradyn_segments *s, gradyn_status status,
                                     gradyn_search_result *result);

#endif
