# SPDX-License-Identifier: Apache-2.0
# Run after a test program was built: cmake -DNAME= -DPROGRAM= -DOUT= -DENVIRONMENT= -DLONG= -P add_suites.cmake
# Writes OUT, with a CTest entry for each suite of GoogleTest that has a test. Those that LONG matches have the label `slow`;
# CTest begins with them, after the slow tests in Python.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ";|\r" "" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(line MATCHES "^([A-Za-z0-9_]+/)?([A-Za-z0-9_]+)\\.")  # the instance of a parameterised suite, and the suite
    set(suite ${CMAKE_MATCH_2})
  elseif(line MATCHES "^  " AND NOT line MATCHES "^  DISABLED_")
    list(APPEND suites ${suite})
  endif()
endforeach()
list(REMOVE_DUPLICATES suites)
set(script "")
foreach(suite IN LISTS suites)
  string(APPEND script "add_test(${NAME}.${suite} \"${PROGRAM}\" \"--gtest_filter=${suite}.*:*/${suite}.*\")\n"
    "set_tests_properties(${NAME}.${suite} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT \"${ENVIRONMENT}\")\n")
  if(suite MATCHES "^(${LONG})$")
    string(APPEND script "set_tests_properties(${NAME}.${suite} PROPERTIES COST 900 LABELS slow)\n")
  else()
    string(APPEND script "set_tests_properties(${NAME}.${suite} PROPERTIES LABELS quick)\n")
  endif()
endforeach()
file(WRITE "${OUT}" "${script}")
