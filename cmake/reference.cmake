# The entries of the reference, embedded in the command: public headers, and other words for their terms.
set(reference_files "CLI_FILE_SYNONYMS=synonyms.txt=${PROJECT_SOURCE_DIR}/docs/reference/synonyms.txt")
set(reference_inputs "${PROJECT_SOURCE_DIR}/docs/reference/synonyms.txt")
get_target_property(public_headers gradyn PUBLIC_HEADER)
foreach(header ${public_headers})
  get_filename_component(name "${header}" NAME)
  if(name STREQUAL "compat.h") # old names
    continue()
  endif()
  list(APPEND reference_files "CLI_FILE_HEADER=${name}=${header}")
  list(APPEND reference_inputs "${header}")
endforeach()

set(reference_source "${PROJECT_BINARY_DIR}/reference_entries.c")
add_custom_command(OUTPUT "${reference_source}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${reference_source}" "-DASSETS=${reference_files}"
    -DHEADER=cli/text/entries.h -DTYPE=cli_file -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  DEPENDS ${reference_inputs} "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  COMMENT "Embedding the entries of the reference" VERBATIM)
