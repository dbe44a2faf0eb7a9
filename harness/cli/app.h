// SPDX-License-Identifier: Apache-2.0
// CLI11's types by name, for headers that pass them on.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI
