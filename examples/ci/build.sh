#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the checkout FOLDER into FOLDER/build, the program alone: build.sh FOLDER
# Unity builds are asked for by name: commits differ in their default, and what is compared is compiled alike.
set -euo pipefail
cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release -DALSBENCH_TESTS=OFF -DCMAKE_UNITY_BUILD=ON
cmake --build "$1/build" --target alsbench -j "$(nproc)"
