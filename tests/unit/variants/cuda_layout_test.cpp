// SPDX-License-Identifier: Apache-2.0
// Compile-time partitions of the CUDA kernels, checked without a GPU.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "kernels/cuda/hermitian/tiled_layout.cuh"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/cuda/solve/cg_layout.cuh"
#include "kernels/cuda/solve/packed_layout.cuh"
#include "tests/unit/texts.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// The matrix indices of set `set`, as kernels/cuda/device/tile.cuh places them.
std::set<int> indices_of(const TiledLayout& layout, int set) {
  std::set<int> indices;
  for (int e = 0; e < layout.tile; ++e)
    indices.insert(e / layout.vector() * layout.segment_rows() + set * layout.vector() +
                   e % layout.vector());
  return indices;
}

TEST(TiledLayout, TilesCoverEveryEntryOnceAtEveryRank) {
  for (const int tile : {4, 5, 8, 10})
    for (int rank = 1; rank <= 256; ++rank) {
      const TiledLayout layout{rank, tile, 32, 64};
      std::map<int, int> set_of;
      for (int set = 0; set < layout.side(); ++set)
        for (const int index : indices_of(layout, set))
          EXPECT_TRUE(set_of.emplace(index, set).second) << rank << " " << tile << " " << index;
      for (int index = 0; index < rank; ++index)
        ASSERT_TRUE(set_of.contains(index)) << rank << " " << tile << " " << index;
      EXPECT_LT(set_of.rbegin()->first, layout.pitch());
    }
}

TEST(TiledLayout, IsThePapersAtRank100) {
  const TiledLayout layout{100, 10, 32, 64};
  EXPECT_EQ(layout.tiles(), 55);
  EXPECT_EQ(layout.passes(), 1);
  EXPECT_EQ(layout.blocks_per_multiprocessor(), 6);
}

TEST(TiledLayout, PassesAndGroupsUseTheThreadsTheyHave) {
  for (const int threads : {64, 128, 256})
    for (int rank = 1; rank <= 256; ++rank) {
      const TiledLayout layout{rank, 10, 32, threads};
      EXPECT_GE(layout.passes() * layout.tiles_per_pass(), layout.tiles());
      EXPECT_LE(layout.groups() * layout.tiles_per_pass(), threads);
      EXPECT_GE(layout.groups(), 1);
      EXPECT_EQ(layout.pitch() / 4 % 2, 1) << "rows in step with the banks at rank " << rank;
    }
}

TEST(CgLayout, ThreadsCoverTheMatrixAtEveryRank) {
  for (const int bytes : {2, 4})
    for (int rank = 1; rank <= 300; ++rank) {
      const CgLayout layout{rank, 64, bytes};
      EXPECT_EQ(layout.vectors() * layout.vector(), rank);
      EXPECT_GE(layout.lanes() * layout.columns(), layout.vectors());
      EXPECT_GE(layout.groups() * layout.rows(), rank);
      EXPECT_LE(layout.groups() * layout.lanes(), 64);
    }
}

TEST(MmaLayout, TilesCoverTheLowerTriangleOnceAtEveryRank) {
  for (int rank = 1; rank <= 102; ++rank) {
    const MmaLayout layout{rank};
    EXPECT_GE(layout.columns(), rank + 2);
    std::set<int> tiles;
    for (int pair = 0; pair < layout.pairs(); ++pair)
      for (int column = 0; column < 2 * (pair + 1); ++column)
        EXPECT_TRUE(tiles.insert(layout.tile(pair, column)).second);
    for (int pair = 0; layout.has_rest() && pair <= layout.pairs(); ++pair)
      EXPECT_TRUE(tiles.insert(layout.rest_tile(pair)).second);
    EXPECT_EQ(static_cast<int>(tiles.size()), layout.tiles());
    EXPECT_EQ(*tiles.rbegin(), layout.tiles() - 1);
    EXPECT_LE(layout.tiles(), MmaLayout::kMaxTiles) << rank;
    EXPECT_EQ(layout.row_bytes() / 16 % 2, 1) << "rows in step with the banks at rank " << rank;
    EXPECT_GE(layout.row_bytes(), 2 * layout.columns());
    EXPECT_GE(8 * layout.vectors(), rank);
    EXPECT_LE(8 * layout.vectors(), layout.columns()) << rank;
  }
  EXPECT_EQ(MmaLayout{100}.tiles(), 49);
  EXPECT_GT(MmaLayout{103}.tiles(), MmaLayout::kMaxTiles);
}

TEST(MmaTeam, SharesEveryTileOnceAtEveryRank) {
  for (int rank = 1; rank <= 256; ++rank) {
    const MmaLayout layout{rank};
    const MmaTeam team = mma_team(layout);
    ASSERT_GE(team.warps, 1) << rank;
    EXPECT_EQ(team.warps == 1, layout.tiles() <= MmaLayout::kMaxTiles) << rank;
    EXPECT_LE(team.tiles, MmaTeam::kMaxTiles) << rank;
    std::set<int> rows, places;
    for (int round = 0; round < team.rounds; ++round) {
      for (int warp = 0; warp < team.warps; ++warp) {
        const int row = team.row(round, warp);
        EXPECT_LT(row, team.length(round)) << rank << ": the round is as long as its longest row";
        if (row >= 0) {
          EXPECT_TRUE(rows.insert(row).second) << rank;
        }
      }
      for (int tile = team.first_tile(round); tile < team.rest_tile(round); ++tile)
        EXPECT_TRUE(places.insert(tile).second) << rank;
      if (layout.has_rest()) {
        EXPECT_TRUE(places.insert(team.rest_tile(round)).second) << rank;
      }
    }
    if (layout.has_rest()) {
      EXPECT_TRUE(places.insert(team.corner()).second) << rank;
    }
    EXPECT_EQ(static_cast<int>(rows.size()), layout.pairs()) << rank;
    EXPECT_EQ(static_cast<int>(places.size()), team.tiles) << rank;
    EXPECT_EQ(*places.rbegin(), team.tiles - 1) << rank;
  }
  EXPECT_EQ(mma_team(MmaLayout{128}).warps, 2);
  EXPECT_EQ(mma_team(MmaLayout{256}).warps, 8);
}

TEST(MmaLayout, RowsOfBytesHaveTheFeaturesAloneAtEveryRank) {
  for (int rank = 1; rank <= 256; ++rank) {
    MmaLayout layout{rank};
    layout.element = 1;
    const ByteFactors row{rank};
    for (int feature = 0; feature < rank; ++feature)
      EXPECT_LT(row.place(feature), row.row_bytes()) << rank;
    // Operands lie within the row: all pairs, and the rest if it has features.
    EXPECT_LE(16 * layout.pairs(), row.row_bytes()) << rank;
    if (layout.rest_has_features()) {
      EXPECT_LE(16 * layout.pairs() + 16, row.row_bytes()) << rank;
    } else {
      EXPECT_LE(rank, 16 * layout.pairs()) << rank;
    }
  }
  EXPECT_EQ(ByteFactors{128}.row_bytes(), 128);
  EXPECT_EQ(ByteFactors{64}.row_bytes(), 64);
  EXPECT_EQ(ByteFactors{32}.row_bytes(), 32);
}

TEST(MmaTeam, WarpgroupsShareEveryTileOnce) {
  for (int rank = 1; rank <= 254; ++rank) {
    const MmaLayout layout = team_layout(rank, true);
    const MmaTeam team = mma_team(layout);
    ASSERT_TRUE(team.warps == 4 || team.warps == 8) << rank;
    EXPECT_GE(team.at_once(), 1) << rank;
    EXPECT_FALSE(layout.has_rest()) << rank;
    EXPECT_LE(16 * layout.vectors(), ByteFactors{rank}.row_bytes()) << rank;
    EXPECT_LE(16 * layout.pairs(), layout.row_bytes()) << rank;
    std::set<int> rows;
    for (int round = 0; round < team.rounds; ++round)
      for (int warp = 0; warp < team.warps; ++warp)
        if (team.row(round, warp) >= 0) {
          EXPECT_LT(team.row(round, warp), team.length(round)) << rank;
          EXPECT_TRUE(rows.insert(team.row(round, warp)).second) << rank;
        }
    EXPECT_EQ(static_cast<int>(rows.size()), layout.pairs()) << rank;
  }
  EXPECT_EQ(mma_team(team_layout(128, true)).warps, 4);
  EXPECT_EQ(mma_team(team_layout(200, true)).warps, 8);
  EXPECT_EQ(mma_team(team_layout(256, true)).warps, 0) << "no registers hold that";
}

TEST(MmaTeam, SharesEveryRowOfTilesOnceOfSplitFactors) {
  for (int rank = 1; rank <= 256; ++rank) {
    const MmaLayout layout = team_layout(rank, false, true);
    const MmaTeam team = mma_team(layout);
    ASSERT_GE(team.warps, 2) << rank;
    EXPECT_GE(team.at_once(), 1) << rank;
    EXPECT_EQ(16 * layout.vectors(), 4 * layout.columns()) << rank << ": two halves a column";
    EXPECT_EQ(layout.row_bytes() / 16 % 2, 1) << "rows in step with the banks at rank " << rank;
    std::set<int> rows;
    for (int round = 0; round < team.rounds; ++round)
      for (int warp = 0; warp < team.warps; ++warp)
        if (team.row(round, warp) >= 0) {
          EXPECT_TRUE(rows.insert(team.row(round, warp)).second) << rank;
        }
    EXPECT_EQ(static_cast<int>(rows.size()), layout.pairs()) << rank;
  }
}

TEST(MmaTeam, AMultiprocessorHoldsTwoWarpsAScheduler) {
  for (int rank = 1; rank <= 256; ++rank) {
    const MmaTeam team = mma_team(MmaLayout{rank});
    EXPECT_GE(team.at_once() * team.warps, 8) << rank;
  }
}

TEST(MmaLayout, TheSlotsHoldEveryGroupUnderWay) {
  for (const int stages : {2, 3, 4, 6}) {
    const MmaLayout layout{100, stages};
    EXPECT_GE(layout.slots(), 2 * layout.ahead() + 1) << stages;
    EXPECT_EQ(layout.slots() & (layout.slots() - 1), 0) << stages;
  }
}

TEST(PackedLayout, PanelsFollowEachOther) {
  for (const int rank : {1, 8, 9, 100, 128, 255, 256}) {
    const PackedLayout layout{rank};
    int begin = 0;
    for (int panel = 0; panel < layout.panels(); ++panel) {
      EXPECT_EQ(layout.begin_of(panel), begin) << rank << ", panel " << panel;
      EXPECT_EQ(layout.rows_of(panel), rank + 1 - 8 * panel);
      begin += 2 * layout.rows_of(panel);  // two halves of 16 bytes a row
    }
    EXPECT_EQ(layout.system_bytes(), 16 * begin);
    EXPECT_LE(layout.shared_bytes(), 227 << 10);
  }
}

TEST(PieceWorkspace, HoldsThePiecesOfTheWorstCut) {
  for (const int chunk : {1024, 2048})
    for (const int64_t rows : {int64_t{1}, int64_t{7}, int64_t{1000}}) {
      const int64_t length = chunk + 1;  // two pieces, as short as a row that is cut may be
      const PieceWorkspace workspace{rows * length, chunk};
      EXPECT_GE(workspace.max_pieces(), 2 * rows);
      EXPECT_GE(workspace.max_split_rows(), rows);
    }
  EXPECT_EQ((PieceWorkspace{1000, 1024}.max_pieces()), 0);
}

TEST(PieceWorkspace, HoldsTheRowsThatAreListedWhole) {
  for (const int64_t rows : {1, 3, 7}) {
    const PieceWorkspace workspace{rows * 257, 1024};  // as short as a listed row may be
    EXPECT_GT(257, workspace.layout(false).listed_above);
    EXPECT_GE(workspace.max_items(), rows);
  }
}

Shape netflix_users(int32_t rank) {
  Shape shape;
  shape.rows = 480189;
  shape.cols = 17770;
  shape.nnz = 99072112;
  shape.rank = rank;
  shape.row_length_quantiles = {1, 41, 96, 223, 475, 1750, 17770};
  return shape;
}

std::string objection(const char* stage_variant, const char* config, int rank, int architecture) {
  const std::string id(stage_variant);
  for (const auto& variant : catalog())
    if (variant.id() == id)
      return objection_of(variant, variant.space.parse(config), netflix_users(rank),
                          traits_of_architecture(architecture))
          .value_or("");
  return "no variant " + id;
}

TEST(CudaObjections, NameWhatIsMissing) {
  EXPECT_EQ(objection("hermitian/tiled/cuda", "", 256, 75), "");
  EXPECT_TRUE(
      contains(objection("hermitian/tiled/cuda", "bin=64", 256, 75), "67072 bytes of shared"));
  EXPECT_TRUE(contains(objection("hermitian/tiled/cuda", "buffers=2", 100, 75), "sm_80"));
  EXPECT_TRUE(
      contains(objection("hermitian/tiled/cuda", "buffers=2,factors=fp16", 100, 90), "FP32"));
  EXPECT_EQ(objection("hermitian/tiled/cuda", "buffers=2", 100, 90), "");
  EXPECT_TRUE(contains(objection("normal_equations/mma/cuda", "", 100, 75), "sm_80"));
  EXPECT_EQ(objection("normal_equations/mma/cuda", "", 256, 90), "");
  EXPECT_TRUE(
      contains(objection("normal_equations/mma/cuda", "warps=2", 103, 90), "2 warps that share"));
  EXPECT_TRUE(contains(objection("normal_equations/mma/cuda", "", 400, 90), "do not hold"));
  EXPECT_EQ(objection("normal_equations/mma/cuda", "", 102, 90), "");
  EXPECT_EQ(objection("update/fused/cuda", "", 256, 90), "");
  EXPECT_EQ(objection("update/fused/cuda", "", 102, 90), "");
  EXPECT_EQ(objection("update/fused/cuda", "matrix=fp16", 102, 90), "");
  EXPECT_EQ(objection("update/fused/cuda", "matrix=fp16", 103, 90), "");
  EXPECT_EQ(objection("solve/packed_cholesky/cuda", "", 256, 90), "");
  EXPECT_TRUE(contains(objection("solve/packed_cholesky/cuda", "", 256, 75), "bytes of shared"));
  EXPECT_EQ(objection("solve/register_cholesky/cuda", "", 80, 90), "");
  EXPECT_TRUE(contains(objection("solve/register_cholesky/cuda", "", 81, 90), "instruction cache"));
  EXPECT_TRUE(contains(objection("solve/cg/cuda", "cache=registers", 256, 90), "more threads"));
}

TEST(CudaObjections, ShortRowsAreForRanksAtWhichATeamSharesARow) {
  const char* const config = "factors=int8,matrix=fp16,short=128";
  EXPECT_TRUE(contains(objection("update/fused/cuda", config, 100, 90), "a warp holds a row"));
  EXPECT_EQ(objection("update/fused/cuda", config, 104, 90), "");
}

TEST(CudaObjections, BytesInE4m3NeedTheInstructionAndNothingBesides) {
  for (const int native : {89, 120, 121})
    for (const char* variant : {"normal_equations/mma/cuda", "update/fused/cuda"})
      EXPECT_EQ(objection(variant, "factors=fp8,warps=2,chunk=65536", 100, native), "") << native;
  for (const int other : {80, 86, 90, 100, 103})
    EXPECT_TRUE(
        contains(objection("update/fused/cuda", "factors=fp8", 100, other), "use factors=int8"))
        << other;
  EXPECT_TRUE(
      contains(objection("update/fused/cuda", "factors=fp8,short=256", 128, 89), "signed bytes"));
  EXPECT_TRUE(
      contains(objection("update/fused/cuda", "factors=fp8,products=wgmma", 128, 120), "sm_90"));
}

TEST(CudaPlans, TheQueueOfMmaIsClearedOnceAndBeforeAll) {
  const Variant& variant = variant_named(&stages::normal_equations, "mma", Backend::cuda);
  const KernelPlan plan =
      variant.plan(variant.space.default_config(), netflix_users(100), traits_of_architecture(90));
  ASSERT_EQ(plan.launches.size(), 4u);
  EXPECT_EQ(plan.launches[0].clear_workspace_bytes, static_cast<int>(sizeof(RowCounters)));
  for (const int later : {1, 2, 3}) EXPECT_EQ(plan.launches[later].clear_workspace_bytes, 0);
  EXPECT_EQ(plan.launches[1].grid, 2 * 132);
  EXPECT_EQ(plan.workspace_bytes, (PieceWorkspace{99072112, 4096, mma_slot_bytes(100)}.bytes()));
}

TEST(CudaPlans, TheFusedUpdateOrdersWhereAskedTo) {
  const Variant& variant = variant_named(&stages::update, "fused", Backend::cuda);
  const auto plan = [&](const char* point, int rank) {
    return variant.plan(variant.space.parse(point), netflix_users(rank),
                        traits_of_architecture(90));
  };
  const KernelPlan base = plan("", 100);
  ASSERT_EQ(base.launches.size(), 4u);
  const KernelPlan ordered = plan("order=columns", 100);
  ASSERT_EQ(ordered.launches.size(), 5u);
  EXPECT_EQ(ordered.launches[0].clear_workspace_bytes, PieceWorkspace::kItemsAt);
  EXPECT_TRUE(contains(ordered.launches[1].instance, "order_pieces"));
}

TEST(CudaPlans, OneKernelWhereNoRowIsCut) {
  for (const auto& [stage, name] :
       {std::pair(&stages::normal_equations, "mma"), std::pair(&stages::update, "fused")}) {
    const Variant& variant = variant_named(stage, name, Backend::cuda);
    const Config config = variant.space.parse("chunk=32768");
    ASSERT_LE(netflix_users(100).longest_row(), 32768);
    const KernelPlan plan = variant.plan(config, netflix_users(100), traits_of_architecture(90));
    ASSERT_EQ(plan.launches.size(), 1u);
    EXPECT_EQ(plan.launches[0].clear_workspace_bytes, static_cast<int>(sizeof(RowCounters)));
  }
}

TEST(CudaPlans, SplitHasBlocksForEveryPiece) {
  const Variant& variant = variant_named(&stages::hermitian, "split", Backend::cuda);
  const KernelPlan plan = variant.plan(variant.space.parse("chunk=4096"), netflix_users(100),
                                       traits_of_architecture(90));
  ASSERT_EQ(plan.launches.size(), 3u);
  // Of pieces, and of rows that are listed whole.
  EXPECT_EQ(plan.launches[1].grid,
            480189 + 2 * (99072112 / 4096) + kListedParts * int64_t{99072112} / 4096);
  EXPECT_EQ(plan.launches[2].grid, 99072112 / 4096);
}

TEST(CudaPlans, OneBlockARowAndPassAndEntry) {
  const DeviceTraits traits = traits_of_architecture(90);
  const auto grid = [&](const char* name, const char* config, int rank) {
    const Variant& variant = variant_named(&stages::hermitian, name, Backend::cuda);
    return variant.plan(variant.space.parse(config), netflix_users(rank), traits)
        .launches.front()
        .grid;
  };
  EXPECT_EQ(grid("tiled", "", 100), 480189);
  EXPECT_EQ(grid("tiled", "", 256), int64_t{480189} * 6);
  EXPECT_EQ(grid("naive", "threads=256", 256), int64_t{480189} * 256);
}

}  // namespace
}  // namespace alsbench
