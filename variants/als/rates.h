// SPDX-License-Identifier: Apache-2.0
// Measured times of updates for a rating and a row: the rates by which the rules choose where
// nothing was tuned (rules.h). Made by `python -m plots.rates --write` of results/rates, which says
// where each number comes from; change those files. Rates by hand are within 25 % of all
// half-iterations above 1 ms.
#pragma once

#include <array>

#include "variants/als/rate.h"

namespace alsbench::rules {

// nvidia-h200
// Multiprocessors of the GPU.
inline constexpr int kMeasuredMultiprocessors = 132;
// Seconds of a launch for a class of short rows.
inline constexpr double kShortClassLaunch = 10e-6;
// Of the longest row of update/matrix_free, where a row has one block.
inline constexpr double kMatrixFreeSerial = 68000;
// Seconds of the launches of update/fused.
inline constexpr double kFusedLaunches = 20e-6;
// The same, factors int8.
inline constexpr double kQuantisedLaunches = 27e-6;
// Seconds of a product, a step and side.
inline constexpr double kFusedProduct = 0.5e-6;
// Of a piece of a row, factors fp16: the longest row takes most of the time.
inline constexpr PieceRate kPieceFp16 = {7600, 180};
// The same, factors int8.
inline constexpr PieceRate kPieceInt8 = {5500, 85};
// update/fused, A as halves, factors fp16.
inline constexpr std::array kHalvesFp16 = std::to_array<Rate>({
    {8, 12.4, 0, 0, 158},
    {16, 13.4, 0, 0, 189},
    {32, 16.2, 0, 0, 161},
    {50, 26, 0, 0, 308},
    {64, 25.2, 0, 388, 430},
    {100, 45.9, 0, 1040, 634},
    {128, 68, 0, 2800, 1710},
    {200, 302, 0, 14400, 7540},
    {256, 413, 0, 13000, 10800},
});
// The same, factors int8.
inline constexpr std::array kHalvesInt8 = std::to_array<Rate>({
    {8, 11.3, 0, 0, 106},
    {16, 11.6, 0, 0, 165},
    {32, 11.8, 0, 0, 151},
    {50, 17.9, 0, 0, 227},
    {64, 13.7, 0, 754, 438},
    {100, 23.1, 0, 1490, 682},
    {128, 43.4, 0, 3120, 1680},
    {200, 169, 0, 14900, 7550},
    {256, 246, 0, 14600, 8800},
});
// Past L1, a warp a block, factors fp16.
inline constexpr std::array kHalvesFp16PastL1 = std::to_array<Rate>({
    {8, 9.56, 0, 173, 158},
    {16, 10.8, 0, 90.8, 201},
    {32, 14.9, 0, 0, 134},
    {50, 29.3, 0, 562, 54.7},
    {64, 24.8, 0, 0, 313},
    {100, 53.6, 0, 514, 634},
});
// The same, factors int8.
inline constexpr std::array kHalvesInt8PastL1 = std::to_array<Rate>({
    {8, 9.38, 0, 0, 106},
    {16, 9.85, 0, 0, 167},
    {32, 10.2, 0, 0, 153},
    {50, 15, 0, 0, 277},
    {64, 15.5, 0, 125, 331},
    {100, 26, 0, 1180, 682},
});
// With L1, a warp a block and three stages of its ring, factors fp16.
inline constexpr std::array kHalvesFp16OneWarp = std::to_array<Rate>({
    {16, 13.2, 0, 0, 180},
    {32, 15.9, 0, 0, 155},
    {50, 24.3, 0, 0, 290},
    {64, 24.4, 0, 93.3, 325},
});
// The same, factors int8.
inline constexpr std::array kHalvesInt8OneWarp = std::to_array<Rate>({
    {16, 11.7, 0, 0, 146},
    {32, 12.3, 0, 0, 122},
    {50, 12.3, 0, 250, 350},
    {64, 13.1, 0, 566, 347},
});
// update/fused, A as floats, factors fp16.
inline constexpr std::array kFloatsFp16 = std::to_array<Rate>({
    {8, 12.3, 0, 0, 161},
    {16, 13.1, 0, 0, 205},
    {32, 16.2, 0, 0, 216},
    {50, 26.5, 0, 45.8, 460},
    {64, 24.7, 0, 369, 573},
    {100, 48.7, 0, 566, 1160},
    {128, 67.9, 0, 1390, 2410},
    {200, 322, 0, 10800, 10900},
    {256, 377, 0, 7250, 15100},
});
// The same, factors int8.
inline constexpr std::array kFloatsInt8 = std::to_array<Rate>({
    {8, 11.3, 0, 0, 103},
    {16, 11.3, 0, 0, 163},
    {32, 11.9, 0, 0, 205},
    {50, 17.6, 0, 0, 387},
    {64, 13.3, 0, 1090, 572},
    {100, 23.3, 0, 1850, 1050},
    {128, 41.6, 0, 3810, 2410},
    {200, 168, 0, 17300, 10700},
    {256, 204, 0, 22200, 14500},
});
// update/fused, A as halves, factors int8, products wgmma: eight stages, past L1.
inline constexpr std::array kWarpgroupsInt8 = std::to_array<Rate>({
    {128, 49, 0, 6930, 2030},
    {160, 75.4, 0, 17500, 4380},
    {200, 97.4, 0, 18100, 5300},
});
// Short rows of update/fused, factors int8, at three steps on Netflix's users; a quarter is taken
// for the gather.
inline constexpr std::array kShortRowsInt8 = std::to_array<Rate>({
    {104, 25.4, 19.1, 0, 408},
    {128, 29.6, 22.2, 0, 376},
    {150, 30.7, 23, 0, 623},
    {200, 42.3, 31.7, 0, 907},
    {256, 55.5, 41.6, 0, 1400},
});
// update/matrix_free, 8 lanes a rating. A block has a row, so the longest goes on by itself.
inline constexpr std::array kMatrixFreeCuda = std::to_array<Rate>({
    {100, 20, 50, 0, 0},
    {128, 10, 48, 0, 0},
    {200, 38, 80, 0, 0},
    {256, 46, 72, 0, 0},
});

// intel-xeon
// Threads of the CPU, which has AMX tiles.
inline constexpr int kMeasuredThreadsWithTiles = 16;
// Seconds of an update by tiles besides, to start threads and to make bytes.
inline constexpr double kTilesLaunches = 150e-6;
// update/matrix_free on a CPU with AMX tiles, factors fp16.
inline constexpr std::array kMatrixFreeBesideTiles = std::to_array<Rate>({
    {8, 955, 304, 25600, 0},
    {16, 636, 262, 25000, 0},
    {32, 947, 447, 0, 0},
    {64, 2350, 554, 0, 0},
    {100, 3480, 1130, 0, 0},
    {128, 4020, 1280, 0, 0},
    {200, 4690, 2400, 0, 0},
});
// update/tiles.
inline constexpr std::array kTiles = std::to_array<Rate>({
    {8, 479, 0, 22000, 5810},
    {16, 508, 0, 20700, 6860},
    {32, 759, 0, 35200, 8450},
    {64, 1340, 0, 93200, 12600},
    {100, 2910, 0, 283000, 33500},
    {128, 3590, 0, 291000, 68500},
    {200, 7630, 0, 771000, 131000},
});

// amd-epyc
// Threads of the CPU.
inline constexpr int kMeasuredThreads = 2;
// update/blocked on a CPU.
inline constexpr std::array kBlockedCpu = std::to_array<Rate>({
    {4, 3720, 0, 65400, 18400},
    {8, 4370, 0, 57500, 25800},
    {16, 5210, 0, 101000, 29000},
    {32, 8300, 0, 195000, 42100},
    {64, 18500, 0, 70900, 77900},
    {100, 37300, 0, 401000, 253000},
});
// update/matrix_free on a CPU.
inline constexpr std::array kMatrixFreeCpu = std::to_array<Rate>({
    {4, 1570, 914, 105000, 0},
    {8, 1560, 924, 103000, 0},
    {16, 693, 953, 129000, 0},
    {32, 1190, 947, 60400, 0},
    {64, 3590, 1220, 0, 0},
    {100, 5660, 2140, 0, 0},
});

}  // namespace alsbench::rules
