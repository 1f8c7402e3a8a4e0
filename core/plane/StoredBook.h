// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/Records.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace weir::plane {

/// The rows as they are stored, for what the live fleet does not carry: secrets' hashes, what the file declared, what an
/// administrator changed since. Belongs to the store thread: planners read it, applies change it.
struct StoredBook {
    std::map<std::string, store::NodeRecord> nodes;
    std::map<std::string, store::AppRecord> apps;
    std::map<std::string, store::BindingRecord> bindings;
    std::set<std::string> tombstones;
    std::map<std::string, store::SettingRecord> settings;
    std::map<std::string, store::LicenceRecord> licences;
    /// (licence, disk serial) → node. An entry whose node is gone or bound otherwise by now says nothing.
    std::map<std::pair<std::string, std::string>, std::string> machines;
};

} // namespace weir::plane
