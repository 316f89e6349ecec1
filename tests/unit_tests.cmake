# Tests of single parts. All of them take the same precompiled headers and know the same paths.

# Logs of Darshan of every format, with what its own tools would print of them. Without Python the tests of them are skipped.
set(made_logs ${CMAKE_CURRENT_BINARY_DIR}/made_logs)
add_custom_target(made_logs)
if(Python3_Interpreter_FOUND)
  set(make_logs ${CMAKE_CURRENT_SOURCE_DIR}/parsers/made_logs)
  file(GLOB made_logs_sources CONFIGURE_DEPENDS ${make_logs}/*.py)
  add_custom_command(OUTPUT ${made_logs}/done
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made_logs}
    COMMAND ${Python3_EXECUTABLE} -B ${make_logs}/make_logs.py ${made_logs}
    COMMAND ${CMAKE_COMMAND} -E touch ${made_logs}/done
    DEPENDS ${made_logs_sources} VERBATIM COMMENT "Making logs of Darshan")
  add_custom_target(make_made_logs DEPENDS ${made_logs}/done)
  add_dependencies(made_logs make_made_logs)
endif()

add_library(unit_test INTERFACE)
target_link_libraries(unit_test INTERFACE fathom_checked catch_main nlohmann_json::nlohmann_json fmt::fmt ZLIB::ZLIB)
target_compile_definitions(unit_test INTERFACE FATHOM_PROGRAM="$<TARGET_FILE:fathom>" FATHOM_SOURCES="${PROJECT_SOURCE_DIR}"
  FATHOM_REFERENCE="${FATHOM_REFERENCE}" FATHOM_DARSHAN_LOGS="${FATHOM_DARSHAN_LOGS}"
  FATHOM_MADE_LOGS="${made_logs}" PYTHON="${Python3_EXECUTABLE}")

if(FATHOM_ROOMS)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp "")
  add_library(test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp)
  without_alignment_checks(test_headers)
  target_link_libraries(test_headers PRIVATE unit_test)
  target_precompile_headers(test_headers PRIVATE <catch2/catch.hpp> <fmt/format.h> <fstream> <map>
    "${PROJECT_SOURCE_DIR}/analyzer/document/document.h" "${PROJECT_SOURCE_DIR}/logformat/log/log.h")
endif()

# add_unit_tests(NAME LIBRARY...): NAME_tests of all *_test.cpp here and below but in folders with tests of their own; test
# cases are called "NAME: …". Those that cannot run here are skipped (skip.h).
function(add_unit_tests name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *_test.cpp)
  file(GLOB_RECURSE others */CMakeLists.txt)
  foreach(other IN LISTS others)
    cmake_path(GET other PARENT_PATH folder)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()
  add_executable(${name}_tests ${sources})
  target_link_libraries(${name}_tests PRIVATE unit_test ${ARGN})
  without_alignment_checks(${name}_tests)
  add_dependencies(${name}_tests made_logs)
  if(FATHOM_ROOMS)
    target_precompile_headers(${name}_tests REUSE_FROM test_headers)
  endif()
  catch_discover_tests(${name}_tests TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
                       PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
