# Build and registration of tests.

find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  message(FATAL_ERROR "The tests need CMocka, which pkg-config does not find: install it (Debian: "
    "libcmocka-dev), or build without tests, -DGRADYN_BUILD_TESTS=OFF")
endif()

# Factor by which the machine is slower than usual. Time limits of tests, and the longest waits of scripts, are
# multiplied by it.
set(GRADYN_TEST_PACE "" CACHE STRING "Factor of the tests' time limits; empty: measured")
if(NOT GRADYN_TEST_PACE)
  try_run(GRADYN_PACE_RAN GRADYN_PACE_COMPILED "${PROJECT_BINARY_DIR}/pace"
    "${PROJECT_SOURCE_DIR}/cmake/pace.c" LINK_LIBRARIES m RUN_OUTPUT_VARIABLE GRADYN_PACE)
  if(NOT GRADYN_PACE_COMPILED OR NOT GRADYN_PACE_RAN EQUAL 0 OR NOT GRADYN_PACE MATCHES "^[0-9]+$")
    set(GRADYN_PACE 1)
  endif()
  set(GRADYN_TEST_PACE ${GRADYN_PACE} CACHE STRING "" FORCE)
endif()

# Sanitizers slow a test down.
if(GRADYN_SANITIZE)
  math(EXPR GRADYN_USUAL_TIMEOUT "600 * ${GRADYN_TEST_PACE}")
else()
  math(EXPR GRADYN_USUAL_TIMEOUT "120 * ${GRADYN_TEST_PACE}")
endif()
set(GRADYN_TEST_TIMEOUT ${GRADYN_USUAL_TIMEOUT} CACHE STRING
  "Limit of the processor time of each process of a test, s")

# gradyn_limit(<out> <seconds>): the beginning of the command of a test, which limits the processor time of each of
# its processes. Unlike elapsed time, this does not depend on other work of the machine. A lower limit from outside
# remains.
function(gradyn_limit out seconds)
  set(${out} sh -c [[ulimit -S -t "$0" 2>/dev/null || true && exec "$@"]] ${seconds} PARENT_SCOPE)
endfunction()

# A test that waits forever uses no processor time. It is ended by a limit of elapsed time that even a busy machine
# does not reach.
math(EXPR GRADYN_TEST_PATIENCE "20 * ${GRADYN_TEST_TIMEOUT}")

# Seconds of the longest tests, so that ctest begins with them: tests/costs.txt.
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/costs.txt" gradyn_costs REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/costs.txt")
foreach(line ${gradyn_costs})
  string(REPLACE " " ";" words "${line}")
  list(GET words 0 name)
  list(GET words 1 seconds)
  set_property(GLOBAL PROPERTY gradyn_cost_${name} ${seconds})
endforeach()

# gradyn_properties(<test>): sets the properties of all tests.
function(gradyn_properties name)
  get_property(cost GLOBAL PROPERTY gradyn_cost_${name})
  if(cost)
    set_tests_properties(${name} PROPERTIES COST ${cost})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${GRADYN_TEST_PATIENCE})
endfunction()

# Shared support of tests, models and helpers of all folders, compiled once. A program links the parts that it calls.
add_library(gradyn_test_support STATIC tests/declare.c tests/main.c tests/random.c tests/runs.c tests/support.c)
target_link_libraries(gradyn_test_support
  PUBLIC gradyn_compile_options gradyn_dependencies PkgConfig::CMOCKA)
# The library does nearly all of the work, so that fast compilation matters more than fast tests: without optimisation
# the compiler takes two thirds of the time that it takes with -O1.
target_compile_options(gradyn_test_support
  PRIVATE $<$<CONFIG:Release>:-O1> INTERFACE $<$<CONFIG:Release>:-O0>)
if(GRADYN_SANITIZE)
  target_compile_options(gradyn_test_support PUBLIC -O0)
endif()
target_include_directories(gradyn_test_support PUBLIC
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_compile_definitions(gradyn_test_support PUBLIC
  GRADYN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GRADYN_BINARY_DIR="${PROJECT_BINARY_DIR}")

# Headers that nearly all tests include, parsed once for all rooms: a quarter of the time of their files. The first one
# changes what the second declares.
if(GRADYN_PRECOMPILE)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/headers.c" CONTENT "typedef int gradyn_headers;\n")
  add_library(gradyn_test_headers OBJECT "${PROJECT_BINARY_DIR}/headers.c")
  target_link_libraries(gradyn_test_headers PRIVATE gradyn_test_support)
  target_precompile_headers(gradyn_test_headers PRIVATE
    <complex.h> <gradyn/gradyn.h> "${PROJECT_SOURCE_DIR}/tests/declare.h" "${PROJECT_SOURCE_DIR}/tests/runs.h"
    "${PROJECT_SOURCE_DIR}/tests/support.h")
endif()

# gradyn_support(<source>...): adds files of this folder to the shared support.
function(gradyn_support)
  target_sources(gradyn_test_support PRIVATE ${ARGN})
endfunction()

# gradyn_room(<out>): the name of this folder, core_linear for tests/core/linear.
function(gradyn_room out)
  file(RELATIVE_PATH room "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REPLACE "/" "_" room "${room}")
  set(${out} ${room} PARENT_SCOPE)
endfunction()

# gradyn_add_test(<subject> <program> <argument>...): registers a program of this folder as the test
# <layer>_<subject>.
function(gradyn_add_test subject program)
  gradyn_room(room)
  string(REGEX REPLACE "_.*" "" floor ${room})
  set(name ${floor}_${subject})
  gradyn_limit(limit ${GRADYN_TEST_TIMEOUT})
  add_test(NAME ${name} COMMAND ${limit} $<TARGET_FILE:${program}> ${ARGN}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  gradyn_properties(${name})
endfunction()

# gradyn_program(<name> <source>...): a program of the tests. It can call internal functions of the library, and links
# those that it calls. It exports symbols, so that it can load problems.
function(gradyn_program name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" ENABLE_EXPORTS ON)
  target_link_libraries(${name} PRIVATE gradyn_test_support gradyn_tested)
endfunction()

# gradyn_tests(<subject>...): the tests of a folder. Each is a file test_<subject>.c and a test of ctest named
# <layer>_<subject>, in a separate process. All are one program, tests/test_<folder>.
function(gradyn_tests)
  gradyn_room(room)
  list(TRANSFORM ARGN PREPEND test_ OUTPUT_VARIABLE sources)
  list(TRANSFORM sources APPEND .c)
  gradyn_program(test_${room} ${sources})
  if(GRADYN_PRECOMPILE)
    target_precompile_headers(test_${room} REUSE_FROM gradyn_test_headers)
  endif()
  foreach(subject ${ARGN})
    gradyn_add_test(${subject} test_${room} ${subject})
  endforeach()
endfunction()

# gradyn_test(<subject> <source>...): a test file that must be a separate program, tests/test_<layer>_<subject>.
function(gradyn_test subject)
  gradyn_room(room)
  string(REGEX REPLACE "_.*" "" floor ${room})
  gradyn_program(test_${floor}_${subject} test_${subject}.c ${ARGN})
  gradyn_add_test(${subject} test_${floor}_${subject})
endfunction()

# gradyn_allocation_tests(<subject>...): tests with failing memory requests. Those of a layer are one program,
# tests/test_<layer>_failing. There are none with sanitizers, which have their own malloc(). There are none if
# SUNDIALS is inside the library either, because it does not survive a failing request.
function(gradyn_allocation_tests)
  if(GRADYN_SANITIZE OR NOT GRADYN_SUNDIALS STREQUAL "system")
    return()
  endif()
  gradyn_room(room)
  string(REGEX REPLACE "_.*" "" floor ${room})
  set(program test_${floor}_failing)
  if(NOT TARGET ${program})
    gradyn_program(${program} $<TARGET_OBJECTS:gradyn_failing_malloc>)
    target_compile_definitions(${program} PRIVATE _DEFAULT_SOURCE) # memory that processes share
  endif()
  foreach(subject ${ARGN})
    target_sources(${program} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/test_${subject}.c")
    gradyn_add_test(${subject} ${program} ${subject})
  endforeach()
endfunction()

# gradyn_plugin(<name> <source>): a problem in a shared object for tests, tests/<name>.so.
function(gradyn_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PRIVATE gradyn_compile_options)
endfunction()

# gradyn_script_test(<name> <script> <argument>...): a test that is a shell script. Each of its processes may take
# GRADYN_SCRIPT_TIMEOUT seconds if that is set.
function(gradyn_script_test name script)
  if(NOT GRADYN_SCRIPT_TIMEOUT)
    set(GRADYN_SCRIPT_TIMEOUT ${GRADYN_TEST_TIMEOUT})
  endif()
  gradyn_limit(limit ${GRADYN_SCRIPT_TIMEOUT})
  add_test(NAME ${name} COMMAND ${limit} bash "${PROJECT_SOURCE_DIR}/${script}" ${ARGN}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMAND_EXPAND_LISTS)
  gradyn_properties(${name})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "CC=${CMAKE_C_COMPILER};GRADYN_TEST_PACE=${GRADYN_TEST_PACE};XDG_STATE_HOME=${PROJECT_BINARY_DIR}/tests/state")
endfunction()
