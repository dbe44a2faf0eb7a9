# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a header saying which sources and flags a build comes from; run at every build, and left untouched where
# nothing changed. SOURCE_DIR, BUILD_TYPE, COMPILER, FLAGS and CUDA_TOOLKIT are given by the caller.
find_program(git_program git)
set(commit unknown)
set(dirty false)
if(git_program)
  execute_process(COMMAND ${git_program} rev-parse HEAD WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${git_program} status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE_DIR}
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()
# Sources of the CPU and vendor-library variants. Compilers and their flags are not of it: a choice that was shipped
# would be out of date in every build but the one that measured it.
file(GLOB_RECURSE host_sources ${SOURCE_DIR}/kernels/cpu/* ${SOURCE_DIR}/kernels/vendor/* ${SOURCE_DIR}/kernels/shared/*)
list(FILTER host_sources EXCLUDE REGEX "/kernels/cpu/reference/")
set(host_code "")
foreach(source ${host_sources})
  file(SHA256 ${source} digest)
  string(APPEND host_code " ${digest}")
endforeach()
string(SHA256 host_code_hash "${host_code}")
string(SUBSTRING ${host_code_hash} 0 32 host_code_hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once

namespace alsbench::build_info {
inline constexpr const char* kGitCommit = "@commit@";
inline constexpr bool kGitDirty = @dirty@;
inline constexpr const char* kBuildType = "@BUILD_TYPE@";
inline constexpr const char* kCompiler = "@COMPILER@";
inline constexpr const char* kFlags = "@FLAGS@";
inline constexpr const char* kCudaToolkit = "@CUDA_TOOLKIT@";
inline constexpr const char* kHostCodeHash = "@host_code_hash@";
}  // namespace alsbench::build_info
]])
