# IDAS from an unpacked source tree of SUNDIALS 6 or 7, -DGRADYN_SUNDIALS=FOLDER. It is built with serial vectors and
# its Newton iteration, without its linear solvers (dae/idas/ has its own) and without MPI. Its objects become part of
# the library, which hides their symbols. Sets gradyn_sundials_sources and gradyn_sundials_folder.

get_filename_component(gradyn_sundials_folder "${GRADYN_SUNDIALS}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
set(root "${gradyn_sundials_folder}")
if(EXISTS "${root}/CMakeLists.txt")
  file(STRINGS "${root}/CMakeLists.txt" lines REGEX "^set\\(PACKAGE_VERSION_(MAJOR|MINOR|PATCH)")
  string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
endif()
list(LENGTH numbers length)
if(NOT length EQUAL 3 OR NOT EXISTS "${root}/src/idas/idas.c")
  message(FATAL_ERROR "GRADYN_SUNDIALS: ${root} is no source tree of SUNDIALS. Name an unpacked one of version 6 "
    "or 7 (Debian: apt-get source sundials), or system.")
endif()
list(GET numbers 0 PACKAGE_VERSION_MAJOR)
list(GET numbers 1 PACKAGE_VERSION_MINOR)
list(GET numbers 2 PACKAGE_VERSION_PATCH)
set(PACKAGE_VERSION "${PACKAGE_VERSION_MAJOR}.${PACKAGE_VERSION_MINOR}.${PACKAGE_VERSION_PATCH}")
if(NOT PACKAGE_VERSION MATCHES "^[67][.]")
  message(FATAL_ERROR "GRADYN_SUNDIALS: ${root} has version ${PACKAGE_VERSION}; version 6 or 7 is needed.")
endif()

# The contents that its own build would write to its headers.
set(SUNDIALS_DEPRECATED_MSG_MACRO "")
set(PRECISION_LEVEL "#define SUNDIALS_DOUBLE_PRECISION 1")
set(INDEX_TYPE "#define SUNDIALS_INT64_T 1")
set(SUNDIALS_CINDEX_TYPE int64_t)
set(SUNDIALS_LOGGING_LEVEL 0)
set(SUNDIALS_TPL_LIST_SIZE 0)
set(SUNDIALS_MPI_ENABLED OFF)
foreach(name C_COMPILER_HAS_MATH_PRECISIONS C_COMPILER_HAS_ISINF_ISNAN C_COMPILER_HAS_INLINE USE_GENERIC_MATH
    C_COMPILER_HAS_SNPRINTF_AND_VA_COPY HAVE_POSIX_TIMERS)
  set(SUNDIALS_${name} ON)
endforeach()
set(headers "${PROJECT_BINARY_DIR}/sundials")
configure_file("${root}/include/sundials/sundials_config.in" "${headers}/sundials/sundials_config.h")
file(GENERATE OUTPUT "${headers}/sundials/sundials_export.h" CONTENT
  "#define SUNDIALS_EXPORT\n#define SUNDIALS_NO_EXPORT\n#define SUNDIALS_DEPRECATED_EXPORT\n")

set(gradyn_sundials_sources)
foreach(name
    idas/idas idas/idaa idas/idaa_io idas/idas_ic idas/idas_io idas/idas_ls idas/idas_nls idas/idas_nls_sim
    idas/idas_nls_stg nvector/serial/nvector_serial sunnonlinsol/newton/sunnonlinsol_newton
    sundials/sundials_context sundials/sundials_errors sundials/sundials_hashmap sundials/sundials_linearsolver
    sundials/sundials_logger sundials/sundials_math sundials/sundials_matrix sundials/sundials_nonlinearsolver
    sundials/sundials_nvector sundials/sundials_nvector_senswrapper sundials/sundials_profiler
    sundials/sundials_version sunmatrix/band/sunmatrix_band sunmatrix/dense/sunmatrix_dense)
  if(EXISTS "${root}/src/${name}.c") # version 6 lacks some
    list(APPEND gradyn_sundials_sources "${root}/src/${name}.c")
  endif()
endforeach()
set(gradyn_sundials_include "${headers}" "${root}/include")
set_source_files_properties(${gradyn_sundials_sources} PROPERTIES
  COMPILE_OPTIONS "-w" INCLUDE_DIRECTORIES "${root}/src/sundials;${root}/src/idas")
