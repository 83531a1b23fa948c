# Compiler options of all gradyn code: the interface target gradyn_compile_options.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(gradyn_compile_options INTERFACE)
target_compile_definitions(gradyn_compile_options INTERFACE _POSIX_C_SOURCE=200809L)
if(APPLE) # flock(), dladdr() and others are hidden otherwise
  target_compile_definitions(gradyn_compile_options INTERFACE _DARWIN_C_SOURCE)
endif()
target_compile_options(gradyn_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes
  -fno-math-errno -fno-trapping-math
  $<$<BOOL:${GRADYN_WERROR}>:-Werror>)

# clang reports an enum that is passed as an int as a change of sign; gcc reports real changes.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  target_compile_options(gradyn_compile_options INTERFACE -Wno-sign-conversion)
endif()

# Complex products need no recovery of infinities from NAN: non-finite numbers are failures here.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fcx-limited-range GRADYN_HAS_CX_LIMITED_RANGE)
if(GRADYN_HAS_CX_LIMITED_RANGE)
  target_compile_options(gradyn_compile_options INTERFACE -fcx-limited-range)
endif()

# Protection of the library and the command, if the compiler supports it. A program ends if its stack is overwritten,
# known lengths are checked, and address tables become read-only at the start. Sanitizers have their own checks.
add_library(gradyn_guards INTERFACE)
if(NOT GRADYN_SANITIZE)
  include(CheckLinkerFlag)
  check_c_compiler_flag(-fstack-protector-strong GRADYN_HAS_STACK_PROTECTOR)
  check_linker_flag(C "LINKER:-z,relro,-z,now" GRADYN_HAS_RELRO)
  target_compile_options(gradyn_guards INTERFACE
    $<$<BOOL:${GRADYN_HAS_STACK_PROTECTOR}>:-fstack-protector-strong>
    # needs optimisation; the compiler may have set it already
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  if(GRADYN_HAS_RELRO)
    target_link_options(gradyn_guards INTERFACE "LINKER:-z,relro,-z,now")
  endif()
endif()

if(GRADYN_SANITIZE)
  target_compile_definitions(gradyn_compile_options INTERFACE GRADYN_SANITIZED)
  set(sanitize_flags
    -fsanitize=${GRADYN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # the address sanitizer detects accesses by bad pointers; a check of each pointer before would take a tenth of the
  # time of a test
  if(GRADYN_SANITIZE MATCHES "address" AND GRADYN_SANITIZE MATCHES "undefined")
    list(APPEND sanitize_flags -fno-sanitize=null,alignment,object-size,pointer-overflow)
  endif()
  target_compile_options(gradyn_compile_options INTERFACE ${sanitize_flags})
  target_link_options(gradyn_compile_options INTERFACE ${sanitize_flags})
endif()
