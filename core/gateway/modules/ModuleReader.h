// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpNetwork.h"
#include "core/config/SectionReader.h"
#include "core/routing/condition/Condition.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::gateway {

// Values that sections of modules have in common. Each reports what is wrong and then gives nothing.

/// A condition under `key`; without the key one that always holds.
[[nodiscard]] std::optional<routing::Condition> readCondition(config::SectionReader& section, std::string_view key = "when");
[[nodiscard]] std::vector<std::string> readTexts(config::SectionReader& section, std::string_view key);
[[nodiscard]] std::vector<IpNetwork> readNetworks(config::SectionReader& section, std::string_view key);
/// The members of an object as header lines: names are tokens, values hold no control characters.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> readHeaders(config::SectionReader& section, std::string_view key);
/// Names of header lines.
[[nodiscard]] std::vector<std::string> readHeaderNames(config::SectionReader& section, std::string_view key);
/// Calls `read` with a section for each object of the list under `key`, at most 1,000.
void readRules(config::SectionReader& section, std::string_view key, std::span<const config::KeySpec> keys,
    const std::function<void(config::SectionReader&)>& read);

[[nodiscard]] bool isHeaderName(std::string_view name);
[[nodiscard]] bool isHeaderValue(std::string_view value);

} // namespace weir::gateway
