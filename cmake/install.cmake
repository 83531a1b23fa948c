# Files that `cmake --install` installs: library, headers, command, package files, man page.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gradyn")

install(TARGETS gradyn EXPORT gradyn_targets
  PUBLIC_HEADER DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gradyn")
install(EXPORT gradyn_targets NAMESPACE gradyn:: DESTINATION "${package_dir}")

if(TARGET gradyn_cli)
  # the command finds the library if both are moved together, and in the build folder. The entries are the same in
  # both trees, because CMake would pad the shorter one by an empty entry, which is the current folder
  file(RELATIVE_PATH library_from_command
    "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(origin "$ORIGIN")
  if(APPLE)
    set(origin "@loader_path")
  endif()
  set_target_properties(gradyn_cli PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${origin};${origin}/${library_from_command}")
  install(TARGETS gradyn_cli)
endif()

# Before version 1.0 a new minor version may be incompatible with the previous one.
configure_package_config_file(cmake/gradyn-config.cmake.in gradyn-config.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(gradyn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/gradyn-config.cmake"
  "${PROJECT_BINARY_DIR}/gradyn-config-version.cmake"
  DESTINATION "${package_dir}")
if(NOT BUILD_SHARED_LIBS)
  install(FILES cmake/dependencies.cmake DESTINATION "${package_dir}")
endif()

# pkg-config: a shared library loads its own libraries, a static one names them.
set(pc_libs -lm)
if(NOT BUILD_SHARED_LIBS)
  list(APPEND pc_libs ${gradyn_link_flags})
endif()
list(JOIN pc_libs " " pc_libs)
file(RELATIVE_PATH pc_prefix
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/gradyn.pc.in gradyn.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gradyn.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(EXISTS "${PROJECT_SOURCE_DIR}/docs/man/gradyn.1")
  install(FILES docs/man/gradyn.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/scripts/gradyn.bash")
  install(FILES scripts/gradyn.bash RENAME gradyn
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
endif()
# headers of 0.2, for one release: each includes the header that has its contents now
if(EXISTS "${PROJECT_SOURCE_DIR}/scripts/names.tsv")
  file(STRINGS scripts/names.tsv renamed REGEX "^header\t")
  foreach(row ${renamed})
    string(REGEX MATCHALL "[a-z]+[.]h" pair "${row}")
    list(GET pair 0 old)
    list(GET pair 1 new)
    file(WRITE "${PROJECT_BINARY_DIR}/old_headers/gradyn/${old}" "#include <gradyn/${new}>\n")
  endforeach()
  install(DIRECTORY "${PROJECT_BINARY_DIR}/old_headers/gradyn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/scripts/migrate.py") # `gradyn migrate`, with its table beside it
  install(PROGRAMS scripts/migrate.py DESTINATION "${CMAKE_INSTALL_DATADIR}/gradyn")
  install(FILES scripts/names.tsv DESTINATION "${CMAKE_INSTALL_DATADIR}/gradyn")
endif()
if(NOT GRADYN_SUNDIALS STREQUAL "system")
  install(FILES "${gradyn_sundials_folder}/LICENSE" "${gradyn_sundials_folder}/NOTICE"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/sundials")
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# `cpack` packs the same files into an archive, which works in any folder.
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_FILE_NAME "gradyn-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
include(CPack)
