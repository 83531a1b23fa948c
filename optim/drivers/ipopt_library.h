/* Ipopt's functions. A shared Ipopt is loaded once somebody asks for it: with all that it brings, it takes
 * two thirds of the instructions by which a command begins, and few commands search with it. */
#ifndef GRADYN_OPTIM_DRIVERS_IPOPT_LIBRARY_H
#define GRADYN_OPTIM_DRIVERS_IPOPT_LIBRARY_H

#include <IpStdCInterface.h>
#include <stdbool.h>

#define GRADYN_IPOPT_FUNCTIONS(EACH)                                                               \
  EACH(CreateIpoptProblem)                                                                         \
  EACH(FreeIpoptProblem)                                                                           \
  EACH(AddIpoptStrOption)                                                                          \
  EACH(AddIpoptNumOption)                                                                          \
  EACH(AddIpoptIntOption)                                                                          \
  EACH(SetIntermediateCallback)                                                                    \
  EACH(IpoptSolve)

#define GRADYN_IPOPT_MEMBER(NAME) __typeof__(NAME) *NAME;
typedef struct gradyn_ipopt {
  GRADYN_IPOPT_FUNCTIONS(GRADYN_IPOPT_MEMBER)
} gradyn_ipopt;

/* Loads the library for the rest of the process, unless it is there; false: it cannot be loaded. */
bool gradyn_ipopt_load(gradyn_ipopt *ipopt);

#endif
