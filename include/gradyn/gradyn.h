/* gradyn: gradient-based optimal design and control of constrained dynamic systems. Includes all public
 * headers except <gradyn/compat.h>, which has names of version 0.2. A problem file needs only this one.
 *
 * Conventions of all headers, unless the comment of a declaration states an exception:
 *
 * NULL: no pointer argument may be NULL. Functions that return a gradyn_status refuse NULL with
 *   GRADYN_INVALID, declarations in build() report it by gradyn_build_status(). Other functions have no
 *   effect, or return 0, NAN, NULL or empty texts. Only gradyn_body_turn(), gradyn_body_motion() and
 *   gradyn_body_load(), which callbacks use, do not test their pointers.
 * Copies: texts, arrays and structs that are given are copied, or used during the call only. Problems,
 *   functions and pointers `user` are kept, and must live as long as what uses them.
 * Results: a pointer that is returned, or is a member of a result, belongs to the object from which it comes.
 *   It is valid until this object is released, or until the next call that computes with it. A result struct
 *   that has a function ..._clear() owns its arrays; release it also after an error.
 * Errors: after a status other than GRADYN_OK, results are undefined. The object remains usable, and its
 *   message has the reason.
 * Arrays: x [rows][columns] is stored row by row, entry (i, j) at x[i * columns + j]. In derivatives the
 *   first index is that of the differentiated quantity. [parameters] has the order of rho, [functionals]
 *   that of psi. Words in brackets name the length.
 * Numbers: indices count from 0, ids (types gradyn_..._id) from 1 with 0 for none.
 * Units: SI; angles in rad, positive counter-clockwise in the plane and by the right-hand rule in space. A
 *   parameter, functional, state or signal has the unit with which it is declared. A derivative of a by b has
 *   the unit of a over that of b.
 * Threads: two threads must not use one object at the same time; different objects are independent. */
#ifndef GRADYN_GRADYN_H
#define GRADYN_GRADYN_H

#include <gradyn/analysis.h>
#include <gradyn/base.h>
#include <gradyn/evaluate.h>
#include <gradyn/events.h>
#include <gradyn/forces.h>
#include <gradyn/functionals.h>
#include <gradyn/inference.h>
#include <gradyn/inspect.h>
#include <gradyn/joints.h>
#include <gradyn/mechanism.h>
#include <gradyn/model.h>
#include <gradyn/optimise.h>
#include <gradyn/problem.h>
#include <gradyn/study.h>
#include <gradyn/tgmath.h>

#endif
