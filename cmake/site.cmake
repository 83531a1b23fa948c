# The site: the target `site` makes build/site/html, which needs neither a server nor a network. `cmake --install build
# --component site` installs it. Needs Sphinx, furo and myst_parser: bash scripts/packages.sh docs.

set(GRADYN_DOCS_PYTHON "" CACHE FILEPATH "Python that makes the site; empty: the first that has Sphinx")
find_program(GRADYN_PYTHON_FIRST python3)
foreach(candidate "${GRADYN_DOCS_PYTHON}" "${GRADYN_PYTHON_FIRST}" /usr/bin/python3)
  if(candidate AND NOT docs_python)
    execute_process(COMMAND "${candidate}" -c "import sphinx, furo, myst_parser, pycparser"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(docs_python "${candidate}")
    endif()
  endif()
endforeach()

set(site_folder "${PROJECT_BINARY_DIR}/site")
if(docs_python)
  add_custom_target(site COMMAND "${docs_python}" "${PROJECT_SOURCE_DIR}/docs/reference/site.py"
    $<TARGET_FILE:gradyn_cli> "${site_folder}" USES_TERMINAL VERBATIM)
else()
  add_custom_target(site COMMAND "${CMAKE_COMMAND}" -E echo
      "The site needs Sphinx, furo and myst_parser. As root: bash scripts/packages.sh docs"
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
endif()
add_dependencies(site gradyn_cli)
install(DIRECTORY "${site_folder}/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT site EXCLUDE_FROM_ALL OPTIONAL)
