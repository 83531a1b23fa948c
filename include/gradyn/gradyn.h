/* gradyn: gradient-based optimal design and control of constrained dynamic systems. Includes all public
 * headers except <gradyn/compat.h>, which has names of version 0.2. A problem file needs only this one. */
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
