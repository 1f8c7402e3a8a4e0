// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace weir::store {

/// A step of the schema. Versions grow by one from 1; a step that was released is never changed.
struct Migration {
    int version = 0;
    std::vector<QString> statements; ///< one statement each
};

/// All steps, the oldest first; the version of the last one is the version of the database.
[[nodiscard]] std::vector<Migration> migrations();

} // namespace weir::store
