# SPDX-License-Identifier: Apache-2.0
# Every dependency, found once, here. README names each with its reason.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(OpenBLAS REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(benchmark REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)

set(ALSBENCH_WITH_CUDA OFF)
if(NOT ALSBENCH_CUDA STREQUAL "OFF")
  # 12.8 is the first whose runtime API has cudaLibraryLoadData.
  find_package(CUDAToolkit 12.8 QUIET)
  if(CUDAToolkit_FOUND AND TARGET CUDA::nvrtc AND TARGET CUDA::cublas AND TARGET CUDA::cusolver AND TARGET CUDA::cusparse)
    set(ALSBENCH_WITH_CUDA ON)
    message(STATUS "CUDA backend: toolkit ${CUDAToolkit_VERSION}")
  elseif(ALSBENCH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ALSBENCH_CUDA=ON, but no CUDA toolkit >= 12.8 with NVRTC, cuBLAS, cuSOLVER and cuSPARSE was found; "
                        "install one or point CUDAToolkit_ROOT at it")
  else()
    message(STATUS "CUDA backend: no toolkit >= 12.8 found, building for the CPU only")
  endif()
else()
  message(STATUS "CUDA backend: off (ALSBENCH_CUDA=OFF)")
endif()
