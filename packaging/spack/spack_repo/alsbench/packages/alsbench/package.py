# SPDX-License-Identifier: Apache-2.0
"""A recipe for Spack 1.0 and newer, which builds the checkout that it stands in: docs/tasks/install.md."""

import pathlib

from spack.package import conflicts, depends_on, license, variant, version, which
from spack_repo.builtin.build_systems.cmake import CMakePackage

CHECKOUT = pathlib.Path(__file__).resolve().parents[6]


class Alsbench(CMakePackage):
    """Benchmarks, tunes and guards GPU kernels of ALS matrix factorization."""

    homepage = CHECKOUT.as_uri()
    git = CHECKOUT.as_uri()

    license("Apache-2.0")

    version("main", branch="main")

    # No CudaPackage: kernels are compiled at run time for the GPU that is there, so no architecture is chosen here.
    variant("cuda", default=False, description="Build the CUDA backend")

    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("libzip")
    depends_on("nlohmann-json@3.11:")
    depends_on("openblas")
    depends_on("openssl")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("cuda@12.8:", type=("build", "link", "run"), when="+cuda")  # its libraries are opened at run time

    conflicts("%gcc@:11", msg="alsbench is written in C++20: it needs GCC 12 or newer")

    sanity_check_is_file = ("bin/alsbench", "share/man/man1/alsbench.1")

    def cmake_args(self):
        return [
            self.define_from_variant("ALSBENCH_CUDA", "cuda"),
            self.define("ALSBENCH_PYTHON", False),
            self.define("ALSBENCH_TESTS", False),
        ]

    def test_list(self):
        """the program knows its suites"""
        alsbench = which(self.prefix.bin.alsbench, required=True)
        assert "quick" in alsbench("list", "suites", output=str)

    def test_train(self):
        """the program trains a model on the CPU"""
        alsbench = which(self.prefix.bin.alsbench, required=True)
        alsbench(
            "train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "8", "--iterations", "1", "--device", "cpu"
        )
