# How tests are built and registered.

find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  message(FATAL_ERROR "The tests need CMocka, which pkg-config does not find: install it (Debian: "
    "libcmocka-dev), or build without tests, -DGRADYN_BUILD_TESTS=OFF")
endif()

# How many times slower than usual the machine is: time limits of tests, and what scripts wait for at most, are
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

# gradyn_limit(<out> <seconds>): what stands before a test's command, so that each of its processes ends after
# that much processor time. Unlike time it does not depend on what else a machine does. A lower limit from outside
# stays.
function(gradyn_limit out seconds)
  set(${out} sh -c [[ulimit -S -t "$0" 2>/dev/null || true && exec "$@"]] ${seconds} PARENT_SCOPE)
endfunction()

# A test that waits for ever uses no processor time: it is ended by a limit of time that no busy machine meets.
math(EXPR GRADYN_TEST_PATIENCE "20 * ${GRADYN_TEST_TIMEOUT}")

add_library(gradyn_test_support OBJECT tests/support.c tests/adjoint/compare.c)
target_link_libraries(gradyn_test_support
  PUBLIC gradyn_compile_options PkgConfig::CMOCKA)
target_include_directories(gradyn_test_support PUBLIC
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")

# gradyn_add_test(<name>): registers the program test_<name>.
function(gradyn_add_test name)
  gradyn_limit(limit ${GRADYN_TEST_TIMEOUT})
  add_test(NAME ${name} COMMAND ${limit} $<TARGET_FILE:test_${name}>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${GRADYN_TEST_PATIENCE})
endfunction()

# gradyn_test(<name> <source>...): a test program of its own. It takes all objects of the library,
# so that it can call internal functions, and exports symbols, so that it can load problems.
function(gradyn_test name)
  add_executable(test_${name} ${ARGN})
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" ENABLE_EXPORTS ON)
  target_link_libraries(test_${name} PRIVATE
    ${gradyn_tested} gradyn_test_support gradyn_compile_options PkgConfig::CMOCKA)
  target_compile_definitions(test_${name} PRIVATE
    GRADYN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GRADYN_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gradyn_add_test(${name})
endfunction()

# gradyn_campaign(<name> <source>...): a long test that is built with the others and run by hand,
# tests/campaign_<name> [SECONDS [SEED ...]].
function(gradyn_campaign name)
  add_executable(campaign_${name} ${ARGN})
  set_target_properties(campaign_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" ENABLE_EXPORTS ON)
  target_link_libraries(campaign_${name} PRIVATE
    ${gradyn_tested} gradyn_test_support gradyn_compile_options PkgConfig::CMOCKA)
endfunction()

# gradyn_plugin(<name> <source>): a problem in a shared object for tests, tests/<name>.so.
function(gradyn_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PRIVATE gradyn_compile_options)
endfunction()

# gradyn_script_test(<name> <script> <argument>...): a test that is a shell script. Its processes may take
# GRADYN_SCRIPT_TIMEOUT seconds each if that is set.
function(gradyn_script_test name script)
  if(NOT GRADYN_SCRIPT_TIMEOUT)
    set(GRADYN_SCRIPT_TIMEOUT ${GRADYN_TEST_TIMEOUT})
  endif()
  gradyn_limit(limit ${GRADYN_SCRIPT_TIMEOUT})
  add_test(NAME ${name} COMMAND ${limit} bash "${PROJECT_SOURCE_DIR}/${script}" ${ARGN}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${GRADYN_TEST_PATIENCE}
    ENVIRONMENT "CC=${CMAKE_C_COMPILER};GRADYN_TEST_PACE=${GRADYN_TEST_PACE}")
endfunction()
