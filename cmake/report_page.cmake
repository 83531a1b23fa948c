# The page of the report with its scripts, embedded in the library. A generated C file has the bytes of the files in
# report/assets/ and, if they are installed, of chart.js (curves) and three.js (spatial models). Without these the
# page draws curves as static SVG, and states this.

set(page_assets "")
set(page_inputs "")

# page_asset(<kind> <name> <file>): adds a file to the page
macro(page_asset kind name file)
  list(APPEND page_assets "${kind}=${name}=${file}")
  list(APPEND page_inputs "${file}")
endmacro()

# page_library(<kind> <name> <licence> <file>...): adds a library of scripts if all its files exist, including its
# licence.
macro(page_library kind library licence)
  set(missing "")
  foreach(file ${licence} ${ARGN})
    if(NOT EXISTS "${file}")
      list(APPEND missing "${file}")
    endif()
  endforeach()
  if(missing)
    message(STATUS "Reports will do without ${library}: no ${missing}")
  else()
    foreach(file ${ARGN})
      get_filename_component(name "${file}" NAME)
      page_asset(${kind} ${name} "${file}")
    endforeach()
    page_asset(GRADYN_ASSET_LICENCE ${library} "${licence}")
  endif()
endmacro()

set(GRADYN_JAVASCRIPT_DIR "/usr/share/javascript" CACHE PATH "Where libraries of scripts are")
set(GRADYN_LICENCE_DIR "/usr/share/doc" CACHE PATH "Where their licences are")
page_library(GRADYN_ASSET_CURVES chart.js "${GRADYN_LICENCE_DIR}/libjs-chart.js/copyright"
  "${GRADYN_JAVASCRIPT_DIR}/chart.js/chart.min.js")
page_library(GRADYN_ASSET_SPACE three.js "${GRADYN_LICENCE_DIR}/libjs-three/copyright"
  "${GRADYN_JAVASCRIPT_DIR}/three/three.min.js"
  "${GRADYN_JAVASCRIPT_DIR}/three/examples/js/controls/OrbitControls.js")
page_asset(GRADYN_ASSET_PAGE page.html "${PROJECT_SOURCE_DIR}/report/assets/page.html")
page_asset(GRADYN_ASSET_STYLE style.css "${PROJECT_SOURCE_DIR}/report/assets/style.css")
foreach(script base run clock curves field plot shapes plane space mechanism tables sections summary events limits fit uncertainty filter experiment segments studies main)
  page_asset(GRADYN_ASSET_SCRIPT ${script}.js "${PROJECT_SOURCE_DIR}/report/assets/${script}.js")
endforeach()

set(page_source "${PROJECT_BINARY_DIR}/report_page.c")
add_custom_command(OUTPUT "${page_source}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${page_source}" "-DASSETS=${page_assets}"
    -DHEADER=report/page/assets.h -DTYPE=gradyn_asset
    -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  DEPENDS ${page_inputs} "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  COMMENT "Embedding the page of the report" VERBATIM)
add_custom_target(report_page DEPENDS "${page_source}") # once for all targets
