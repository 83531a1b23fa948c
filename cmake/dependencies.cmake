# Libraries that gradyn needs, collected in the interface target gradyn_dependencies. This file is also part of the
# installed package, where a static library needs it.
#
# SUNDIALS and SuiteSparse are searched for file by file. The package file of SUNDIALS requires OpenMP and MPI of its
# users, and Debian's SuiteSparse has no package file.

include_guard(GLOBAL)

# gradyn_need(PACKAGE VARIABLE...): records a package of Debian if one of the variables has no value.
macro(gradyn_need package)
  foreach(variable ${ARGN})
    if(NOT ${variable} AND NOT "${package}" IN_LIST gradyn_missing)
      list(APPEND gradyn_missing "${package}")
    endif()
  endforeach()
endmacro()

find_package(LAPACK QUIET)
gradyn_need(liblapack-dev LAPACK_FOUND)
find_package(Threads REQUIRED)
find_package(NLopt 2.7 QUIET)
gradyn_need(libnlopt-dev NLopt_FOUND)

# SUNDIALS of the system, or none: then IDAS is part of the library (cmake/sundials.cmake).
if(GRADYN_SUNDIALS STREQUAL "system")
  find_path(GRADYN_SUNDIALS_INCLUDE_DIR idas/idas.h)
  find_library(GRADYN_SUNDIALS_IDAS_LIBRARY sundials_idas)
  # The base library has another name from version 7 onwards.
  find_library(GRADYN_SUNDIALS_BASE_LIBRARY NAMES sundials_core sundials_generic)
  gradyn_need(libsundials-dev
    GRADYN_SUNDIALS_INCLUDE_DIR GRADYN_SUNDIALS_IDAS_LIBRARY GRADYN_SUNDIALS_BASE_LIBRARY)
  set(gradyn_sundials_include "${GRADYN_SUNDIALS_INCLUDE_DIR}")
  set(gradyn_sundials_libraries "${GRADYN_SUNDIALS_IDAS_LIBRARY}" "${GRADYN_SUNDIALS_BASE_LIBRARY}")
  # If version 7 was built with MPI, its headers include mpi.h, and the null communicator is a symbol of MPI.
  if(GRADYN_SUNDIALS_INCLUDE_DIR)
    file(STRINGS "${GRADYN_SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" gradyn_sundials_config
      REGEX "^#define SUNDIALS_(MPI_ENABLED 1|VERSION_MAJOR [7-9])")
  endif()
  list(LENGTH gradyn_sundials_config gradyn_sundials_mpi) # 2: both
  if(gradyn_sundials_mpi EQUAL 2)
    find_package(MPI REQUIRED COMPONENTS C)
    list(APPEND gradyn_sundials_include ${MPI_C_INCLUDE_DIRS})
    list(APPEND gradyn_sundials_libraries ${MPI_C_LIBRARIES})
  endif()
endif()
find_path(GRADYN_KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
gradyn_need(libsuitesparse-dev GRADYN_KLU_INCLUDE_DIR)
foreach(library klu btf amd colamd ldl suitesparseconfig)
  find_library(GRADYN_${library}_LIBRARY ${library})
  gradyn_need(libsuitesparse-dev GRADYN_${library}_LIBRARY)
  list(APPEND gradyn_suitesparse "${GRADYN_${library}_LIBRARY}")
endforeach()
find_path(GRADYN_JANSSON_INCLUDE_DIR jansson.h)
find_library(GRADYN_JANSSON_LIBRARY jansson)
gradyn_need(libjansson-dev GRADYN_JANSSON_INCLUDE_DIR GRADYN_JANSSON_LIBRARY)
if(PROJECT_NAME STREQUAL "gradyn") # the command asks it for jansson
  find_program(PKG_CONFIG_EXECUTABLE NAMES pkg-config pkgconf)
  gradyn_need(pkgconf PKG_CONFIG_EXECUTABLE)
endif()
if(gradyn_missing)
  list(JOIN gradyn_missing " " gradyn_missing)
  message(FATAL_ERROR "Libraries are missing. On Debian or Ubuntu, as root:\n"
    "  apt-get install --no-install-recommends ${gradyn_missing}\n"
    "docs/install.md has the lines of other systems, and what stands in for libsundials-dev.")
endif()

# Ipopt may be missing. Its old package file names libraries that are not linked, for example the stubs of MUMPS.
set(gradyn_with_ipopt OFF)
if("${GRADYN_IPOPT}" STREQUAL "AUTO" OR GRADYN_IPOPT)
  find_path(GRADYN_IPOPT_INCLUDE_DIR IpStdCInterface.h PATH_SUFFIXES coin coin-or)
  find_library(GRADYN_IPOPT_LIBRARY ipopt)
  mark_as_advanced(GRADYN_IPOPT_INCLUDE_DIR GRADYN_IPOPT_LIBRARY)
  if(GRADYN_IPOPT_INCLUDE_DIR AND GRADYN_IPOPT_LIBRARY)
    set(gradyn_with_ipopt ON)
  elseif(NOT "${GRADYN_IPOPT}" STREQUAL "AUTO")
    message(FATAL_ERROR "Ipopt is asked for and not found: install it (Debian: "
      "coinor-libipopt-dev), or build without it, -DGRADYN_IPOPT=OFF")
  endif()
endif()

add_library(gradyn_dependencies INTERFACE)
target_include_directories(gradyn_dependencies SYSTEM INTERFACE
  ${gradyn_sundials_include} "${GRADYN_KLU_INCLUDE_DIR}" "${GRADYN_JANSSON_INCLUDE_DIR}")
target_link_libraries(gradyn_dependencies INTERFACE
  ${gradyn_sundials_libraries} ${gradyn_suitesparse}
  NLopt::nlopt "${GRADYN_JANSSON_LIBRARY}" ${LAPACK_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS} m)

# The same for the pkg-config file.
set(gradyn_link_flags
  ${gradyn_sundials_libraries} ${gradyn_suitesparse}
  -lnlopt "${GRADYN_JANSSON_LIBRARY}" ${LAPACK_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} -ldl)

if(gradyn_with_ipopt)
  target_include_directories(gradyn_dependencies SYSTEM INTERFACE "${GRADYN_IPOPT_INCLUDE_DIR}")
  # A library that is loaded on demand is identified by its name for the loader, and is not linked.
  if(GRADYN_IPOPT_ON_DEMAND AND CMAKE_READELF)
    execute_process(COMMAND "${CMAKE_READELF}" -d "${GRADYN_IPOPT_LIBRARY}"
      OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
      set(gradyn_ipopt_soname "${CMAKE_MATCH_1}")
    endif()
  endif()
  if(NOT gradyn_ipopt_soname)
    target_link_libraries(gradyn_dependencies INTERFACE "${GRADYN_IPOPT_LIBRARY}")
    list(APPEND gradyn_link_flags "${GRADYN_IPOPT_LIBRARY}")
  endif()
endif()
