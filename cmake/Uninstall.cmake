# SPDX-License-Identifier: Apache-2.0
# Run by the target `uninstall`: removes each file that MANIFEST names, and the folders that are empty then.
# `cmake --install` writes the manifest into the build folder, and names the files of its last call alone.
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "${MANIFEST} is missing: nothing was installed from this build folder; cmake --install writes it")
endif()
file(STRINGS ${MANIFEST} files)
foreach(file IN LISTS files)
  file(REMOVE $ENV{DESTDIR}${file})
  cmake_path(GET file PARENT_PATH folder)
  while(IS_DIRECTORY $ENV{DESTDIR}${folder})
    file(GLOB rest LIST_DIRECTORIES true $ENV{DESTDIR}${folder}/* $ENV{DESTDIR}${folder}/.*)
    if(rest)
      break()
    endif()
    file(REMOVE_RECURSE $ENV{DESTDIR}${folder})
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()
