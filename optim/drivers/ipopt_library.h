/* Functions of Ipopt. If Ipopt is a shared library, it is loaded when it is first needed: few commands use
 * it, and loading it with its dependencies takes two thirds of the instructions at the start of a
 * command. */
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
/* The addresses of these functions. */
typedef struct gradyn_ipopt {
  GRADYN_IPOPT_FUNCTIONS(GRADYN_IPOPT_MEMBER)
} gradyn_ipopt;

/* Fills the addresses in *ipopt, valid for the rest of the process. Loads the library for the rest of the
 * process, unless it is loaded already. Returns false if it cannot be loaded, or lacks a function; *ipopt is
 * then not usable. */
bool gradyn_ipopt_load(gradyn_ipopt *ipopt);

#endif
