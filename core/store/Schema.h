// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <QString>

#include <functional>
#include <vector>

namespace weir::store {

class Connection;

/// A step of the schema. Versions grow by one from 1; a step that was released is never changed.
struct Migration {
    int version = 0;
    std::vector<QString> statements; ///< one statement each
    std::function<Result<void>(Connection&)> rest{}; ///< what SQL cannot say, after the statements
};

/// All steps, the oldest first; the version of the last one is the version of the database.
[[nodiscard]] std::vector<Migration> migrations();

} // namespace weir::store
