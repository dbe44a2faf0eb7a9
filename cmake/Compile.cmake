# SPDX-License-Identifier: Apache-2.0
# alsbench_library(NAME DIRS... [LINK targets...]): one static library per box of the layout, of all .cpp files in DIRS,
# with the flags that every box shares. A box with UNTIMED has no loop over ratings, factors or samples and nothing that is
# timed: optimising its strings and JSON was half of what compiling it cost. Its files in HOT are optimised all the same.
# The property ALSBENCH_SOURCES names all files.
function(alsbench_library name)
  cmake_parse_arguments(ARG "UNTIMED" "" "DIRS;TREES;LINK;HOT" ${ARGN})
  set(sources "")
  foreach(tree ${ARG_TREES})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${tree}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  foreach(dir ${ARG_DIRS})
    file(GLOB found CONFIGURE_DEPENDS ${dir}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARG_LINK})
    return()
  endif()
  set(all ${sources})
  set(parts ${name})
  if(ARG_HOT)
    list(REMOVE_ITEM sources ${ARG_HOT})
    list(APPEND sources $<TARGET_OBJECTS:${name}_hot>)
    list(APPEND parts ${name}_hot)
    add_library(${name}_hot OBJECT ${ARG_HOT})
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES ALSBENCH_SOURCES "${all}")
  foreach(part ${parts})
    # The Python module links what the program links. Hidden names are called and inlined as in a program.
    set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    target_include_directories(${part} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${part} PUBLIC ${ARG_LINK})
    alsbench_flags(${part})
  endforeach()
  if(ARG_UNTIMED)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

function(alsbench_flags target)
  # -Wno- silences false alarms of g++ 12 on std::string and literals; the sanitizers find such faults.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow
                         "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>")
  # g++ collects its garbage from 128 MiB on, which takes up to 8% of its time; most batches end below this.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
  target_compile_definitions(${target} PRIVATE ALSBENCH_WITH_CUDA=$<BOOL:${ALSBENCH_WITH_CUDA}>
                             ALSBENCH_VERSION="${PROJECT_VERSION}")
  if(ALSBENCH_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# Compiles `target`, and its files in HOT, with the precompiled headers of `owner`, whose flags must be the same.
function(alsbench_reuse_headers target owner)
  foreach(part ${target} ${target}_hot)
    if(TARGET ${part})
      get_target_property(type ${part} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_precompile_headers(${part} REUSE_FROM ${owner})
      endif()
    endif()
  endforeach()
endfunction()
