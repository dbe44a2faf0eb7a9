# SPDX-License-Identifier: Apache-2.0
# Contents of `cmake --install` and packages: the program, its completions and manual page, the documentation, and files
# that users copy: schemas, suites, data sets, examples. Suites and data sets of the program are embedded in it as well.

# The program says all of this itself, so it is never stale.
set(shell ${CMAKE_BINARY_DIR}/shell)
add_custom_command(
  OUTPUT ${shell}/alsbench.1 ${shell}/alsbench ${shell}/_alsbench ${shell}/alsbench.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${shell}
  COMMAND alsbench manual > ${shell}/alsbench.1
  COMMAND alsbench completion bash > ${shell}/alsbench
  COMMAND alsbench completion zsh > ${shell}/_alsbench
  COMMAND alsbench completion fish > ${shell}/alsbench.fish
  DEPENDS alsbench
  COMMENT "manual page and completions" VERBATIM)
add_custom_target(alsbench_shell ALL DEPENDS ${shell}/alsbench.1)

install(TARGETS alsbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(ALSBENCH_WITH_MPI)
  install(TARGETS alsbench_mpi LIBRARY DESTINATION ${ALSBENCH_MPI_DIR} COMPONENT mpi)
endif()
if(ALSBENCH_KERNEL_PACK)  # for every architecture that a CUDA 13 compiler and the default kernels know
  add_custom_command(
    OUTPUT ${ALSBENCH_PACK}
    COMMAND alsbench compile --quiet --pack ${ALSBENCH_PACK} --arch sm_80,sm_86,sm_89,sm_90,sm_100,sm_120
    DEPENDS alsbench
    COMMENT "default kernels" VERBATIM)
  add_custom_target(kernel_pack ALL DEPENDS ${ALSBENCH_PACK})
  install(FILES ${ALSBENCH_PACK} DESTINATION ${CMAKE_INSTALL_DATADIR}/alsbench)
endif()
install(FILES ${shell}/alsbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${shell}/alsbench DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${shell}/_alsbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${shell}/alsbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY configs/suites configs/datasets DESTINATION ${CMAKE_INSTALL_DATADIR}/alsbench)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/alsbench/examples USE_SOURCE_PERMISSIONS)
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(alsbench): the sources of the kernels, for programs that embed them by a header of `alsbench best --header`.
include(CMakePackageConfigHelpers)
set(PROGRAM ${CMAKE_INSTALL_BINDIR}/alsbench)
set(KERNEL_DIR ${CMAKE_INSTALL_DATADIR}/alsbench/include)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/alsbench)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/alsbenchConfig.cmake.in ${CMAKE_BINARY_DIR}/package/alsbenchConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS PROGRAM KERNEL_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/alsbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(DIRECTORY kernels/cuda kernels/shared DESTINATION ${KERNEL_DIR}/kernels)
install(FILES ${CMAKE_BINARY_DIR}/package/alsbenchConfig.cmake ${CMAKE_BINARY_DIR}/package/alsbenchConfigVersion.cmake
        DESTINATION ${package_dir})

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake
  COMMENT "removes what the last cmake --install put in place" VERBATIM)

set(CPACK_PACKAGE_VENDOR "alsbench")
set(CPACK_PACKAGE_CONTACT "The alsbench maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # CUDA's libraries are not linked, so they are no dependency
set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0)  # opened, not linked
# The part for MPI is a package of its own: who trains on one machine needs no MPI.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME alsbench)
if(ALSBENCH_WITH_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "alsbench (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Training in several processes that MPI starts")
endif()
include(CPack)
