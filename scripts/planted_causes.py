# SPDX-License-Identifier: Apache-2.0
"""The regressions that scripts/show_causes plants: five of each kind, and a change that does no harm."""

from dataclasses import dataclass


@dataclass
class Plant:
    case: str  # pattern of the measurement's name
    file: str  # under kernels/cuda
    changes: list[tuple[str, str]]  # text of the source, and what stands in its place


# Work that nobody asked for: a chain of multiply-adds whose result is never used, which no compiler knows.
def chain(length: int, start: str) -> str:
    return (
        f"{{ float extra = {start}; for (int n = 0; n < {length}; ++n) extra = fmaf(extra, 0.5f, 1.0f); "
        "if (extra == 1e30f) __trap(); }"
    )


# Brings 4 KiB of an array that is larger than L2 into it, from a random place and past L1 (sm_90).
def far_lines(array: str, length: str, seed: str) -> str:
    place = f"__umulhi(static_cast<uint32_t>({seed}) * 2654435761u, static_cast<uint32_t>(({length}) / 1024)) * 1024"
    return f'asm volatile("cp.async.bulk.prefetch.L2.global [%0], 4096;" ::"l"({array} + {place}));'


def bounds(threads: str, blocks: int, kernel: str, old: str) -> tuple[str, str]:
    """The launch bounds before a kernel's name, with more blocks than its registers allow."""
    return f"{old}{kernel}(", f"__launch_bounds__({threads}, {blocks}) {kernel}("


NAIVE, TILED, BIAS, RMSE = "^hermitian/naive", "^hermitian/tiled", "^bias/rows", "^rmse/rows"
LOSS, EQUATIONS, ROTATE, BLEND = "^implicit_loss/rows", "^implicit_equations/tiled", "^rotate/tiled", "^blend/elements"
CCD = "^ccd_update/fused"
CG, CG_SHARED, CG_REGISTERS = "^solve/cg.*cache=none", "^solve/cg.*cache=shared", "^solve/cg.*cache=registers"

TILED_BOUNDS = (
    "__launch_bounds__(\n    kThreads, (TiledLayout{kRank, kTile, kBin, kThreads}.blocks_per_multiprocessor()))\n    "
)
CG_BOUNDS = "__launch_bounds__(\n    kThreads, (CgLayout{kRank, kThreads, sizeof(Element)}.blocks_per_multiprocessor(kCache)))\n    "

# The expected name of the first cause, by kind.
CAUSES = {
    "uncoalesced": "coalescing",
    "thrash": "l2_hits",
    "spills": "spills",
    "flops": "arithmetic",
    "hint": "l1_hits",
}

# Dot products of rows whose loads pass L1 by.
PAST_L1 = [
    ("dot_rows<", "dot_rows_past_l1<"),
    (
        "namespace alsbench {\n",
        """namespace alsbench {
template <int kRank>
__device__ __forceinline__ float dot_rows_past_l1(const float* x, const float* theta) {
  float sum = 0;
#pragma unroll 4
  for (int e = 0; e < kRank; e += 4) {
    float a[4], b[4];
    load_vector<false>(a, x + e);
    load_vector<false>(b, theta + e);
    for (int i = 0; i < 4; ++i) sum += a[i] * b[i];
  }
  return sum;
}
""",
    ),
]

PLANTS = {
    "uncoalesced": [
        Plant(NAIVE, "hermitian/naive.cuh", [("kThreads + threadIdx.x;", "kThreads + threadIdx.x * 9 % kThreads;")]),
        Plant(
            CCD,
            "ccd/row.cuh",
            [
                (
                    "template <int kAhead, bool kChanges, bool kSums>\n",
                    """__device__ __forceinline__ int apart(int at, int count) {
  return at / 256 * 256 + 256 > count ? at : at / 256 * 256 + at % 32 * 8 + at % 256 / 32;
}
template <int kAhead, bool kChanges, bool kSums>
""",
                ),
                ("load_index(indices + at)", "load_index(indices + apart(at, bin.count))"),
                ("load_residual(residuals + at)", "load_residual(residuals + apart(at, bin.count))"),
                ("residuals[first + i * threads] =", "residuals[apart(first + i * threads, bin.count)] ="),
            ],
        ),
        Plant(
            ROTATE,
            "basis/rotate.cuh",
            [
                (
                    "k = base + i / kTile, column = first_column + i % kTile;",
                    "k = base + i % kDepth, column = first_column + i / kDepth;",
                ),
                ("right_elements[i] =", "right_elements[i % kDepth * kTile + i / kDepth] ="),
            ],
        ),
        Plant(
            CG_SHARED,
            "solve/cg.cuh",
            [
                (
                    "load_raw<kL1, kVector>(w, matrix + i * kVector);",
                    "const int j = i % 32 * (kRank * kVectors / 32) + i / 32;\nload_raw<kL1, kVector>(w, matrix + j * kVector);",
                ),
                ("store_raw<kVector>(target + i * kVector, w);", "store_raw<kVector>(target + j * kVector, w);"),
            ],
        ),
        Plant(
            BLEND,
            "start/blend.cuh",
            [
                ("for (int64_t i = ", "for (int64_t n = "),
                ("i < vectors;", "n < vectors;"),
                (
                    "i += int64_t{gridDim.x} * kThreads) {",
                    "n += int64_t{gridDim.x} * kThreads) {\n    const int64_t i = n < vectors / 1024 * 1024 ? n / 1024 * 1024 + n % 32 * 32 + n % 1024 / 32 : n;",
                ),
            ],
        ),
    ],
    "thrash": [
        Plant(
            RMSE,
            "metric/rmse_rows.cuh",
            [
                (
                    "      float predicted = p.mean;",
                    "      if (cell % 8 == 0) "
                    + far_lines("p.ratings.values", "p.ratings.nnz", "cell")
                    + "\n      float predicted = p.mean;",
                )
            ],
        ),
        Plant(
            TILED,
            "hermitian/tiled.cuh",
            [
                (
                    "  float tile[kTile][kTile];\n#pragma unroll\n  for (int e = 0; e < kTile * kTile; ++e)\n    tile",
                    "  for (int k = threadIdx.x; k < length / 4; k += kThreads) "
                    + far_lines("static_cast<const float*>(p.matrices)", "p.row_count * kRank * kRank", "begin + k")
                    + "\n  float tile[kTile][kTile];\n#pragma unroll\n  for (int e = 0; e < kTile * kTile; ++e)\n    tile",
                )
            ],
        ),
        Plant(
            BIAS,
            "bias/rows.cuh",
            [
                (
                    "    const float rating = p.ratings.values[cell];",
                    "    if (lane == 0 && cell % 8 == 0) "
                    + far_lines("p.ratings.values", "p.ratings.nnz", "cell")
                    + "\n    const float rating = p.ratings.values[cell];",
                )
            ],
        ),
        Plant(
            LOSS,
            "implicit/loss_rows.cuh",
            [
                (
                    "      const float rating = p.ratings.values[cell];",
                    "      if (cell % 8 == 0) "
                    + far_lines("p.ratings.values", "p.ratings.nnz", "cell")
                    + "\n      const float rating = p.ratings.values[cell];",
                )
            ],
        ),
        Plant(
            EQUATIONS,
            "implicit/tiled.cuh",
            [
                (
                    "  float tile[kTile][kTile] = {}, bias",
                    "  for (int k = threadIdx.x; k < length / 4; k += kThreads) "
                    + far_lines(
                        "static_cast<const float*>(update.matrices)",
                        "update.row_count * kRank * kRank",
                        "begin + k",
                    )
                    + "\n  float tile[kTile][kTile] = {}, bias",
                )
            ],
        ),
    ],
    "spills": [
        Plant(TILED, "hermitian/tiled.cuh", [bounds("kThreads", 16, "tiled_hermitian", TILED_BOUNDS)]),
        Plant(EQUATIONS, "implicit/tiled.cuh", [bounds("kThreads", 16, "implicit_tiled", TILED_BOUNDS)]),
        Plant(CG_REGISTERS, "solve/cg.cuh", [bounds("kThreads", 16, "cg_solve", CG_BOUNDS)]),
        Plant(
            ROTATE,
            "basis/rotate.cuh",
            [bounds("BasisLayout::kThreads", 24, "rotate_tiles", "__launch_bounds__(BasisLayout::kThreads) ")],
        ),
        Plant(BIAS, "bias/rows.cuh", [("__launch_bounds__(kThreads) bias_rows(", "__maxnreg__(24) bias_rows(")]),
    ],
    "flops": [
        Plant(
            NAIVE, "hermitian/naive.cuh", [("    sum += a[0] * b[0];", "    sum += a[0] * b[0];\n" + chain(16, "sum"))]
        ),
        Plant(
            TILED,
            "hermitian/tiled.cuh",
            [
                (
                    "    buffer = (buffer + 1) % kBuffers;",
                    chain(512, "tile[0][0]") + "\n    buffer = (buffer + 1) % kBuffers;",
                )
            ],
        ),
        Plant(
            BIAS,
            "bias/rows.cuh",
            [
                (
                    "      load_vector<kL1>(v, theta + vector * 4);",
                    "      load_vector<kL1>(v, theta + vector * 4);\n" + chain(64, "v[0]"),
                )
            ],
        ),
        Plant(
            RMSE,
            "metric/rmse_rows.cuh",
            [("      squares += error * error;", chain(512, "predicted") + "\n      squares += error * error;")],
        ),
        Plant(
            CG,
            "solve/cg.cuh",
            [
                (
                    "          for (int e = 0; e < kVector; ++e) sum[e] += row_part[e] * v[row];",
                    "          for (int e = 0; e < kVector; ++e) sum[e] += row_part[e] * v[row];\n"
                    + chain(32, "sum[0]"),
                )
            ],
        ),
    ],
    "hint": [
        Plant(
            NAIVE,
            "hermitian/naive.cuh",
            [("load_vector<kL1>(a", "load_vector<false>(a"), ("load_vector<kL1>(b", "load_vector<false>(b")],
        ),
        Plant(
            TILED,
            "hermitian/gather.cuh",
            [("load_raw<kL1, kVector>(v[i], source + at);", "load_raw<false, kVector>(v[i], source + at);")],
        ),
        Plant(RMSE, "metric/rmse_rows.cuh", PAST_L1),
        Plant(LOSS, "implicit/loss_rows.cuh", PAST_L1),
        Plant(
            CG,
            "solve/cg.cuh",
            [
                (
                    "    if constexpr (kCache == MatrixCache::none)\n      load_raw<kL1,",
                    "    if constexpr (kCache == MatrixCache::none)\n      load_raw<false,",
                )
            ],
        ),
    ],
    # Other code that does the same.
    "harmless": [
        Plant(
            TILED,
            "hermitian/tiled.cuh",
            [
                (
                    "    buffer = (buffer + 1) % kBuffers;",
                    chain(1, "tile[0][0]") + "\n    buffer = (buffer + 1) % kBuffers;",
                )
            ],
        )
    ],
}
