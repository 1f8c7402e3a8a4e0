// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <functional>
#include <string>

namespace weir::store {
class Writer;
}

namespace weir::plane {

/// A row that belongs to no command. While the store is behind only the latest write of each key waits, so that what waits is
/// bounded by the number of keys; it must therefore write the whole row, and be the only one to write it.
struct RowWrite {
    std::string key; ///< `alarm:17`, `incident:4`, …
    std::function<Result<void>(store::Writer&)> write;
};

} // namespace weir::plane
