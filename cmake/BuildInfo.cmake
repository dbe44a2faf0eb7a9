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
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once

namespace alsbench::build_info {
inline constexpr const char* kGitCommit = "@commit@";
inline constexpr bool kGitDirty = @dirty@;
inline constexpr const char* kBuildType = "@BUILD_TYPE@";
inline constexpr const char* kCompiler = "@COMPILER@";
inline constexpr const char* kFlags = "@FLAGS@";
inline constexpr const char* kCudaToolkit = "@CUDA_TOOLKIT@";
}  // namespace alsbench::build_info
]])
