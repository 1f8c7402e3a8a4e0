// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/Command.h"

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace weir::plane {

/// The audit row of one change to one thing.
[[nodiscard]] store::AuditRow auditRow(const Actor& actor, const CommandTime& time, std::string_view action, std::string target,
    const boost::json::value& before, const boost::json::value& after, std::string reason = {});

/// An event by an administrator.
[[nodiscard]] journal::Event eventBy(const Actor& actor, const CommandTime& time, journal::EventKind kind, std::string sentence);

/// SHA-256 of `text`, hexadecimal in lower case.
[[nodiscard]] std::string sha256Hex(std::string_view text);

/// 256 random bits from the operating system, as 43 characters of base64url, behind a short prefix that tells what it is.
[[nodiscard]] std::string randomSecret(std::string_view prefix);

/// A secret that names what it is for, so that it is found without a search: `<kind>_<id>.<256 random bits>`. Empty when the operating
/// system has no randomness.
[[nodiscard]] std::string newNodeSecret(std::string_view nodeId);
[[nodiscard]] std::string newLicenceCode(std::string_view licenceId);
/// The id in such a secret; empty for any other text.
[[nodiscard]] std::string_view nodeIdIn(std::string_view secret);
[[nodiscard]] std::string_view licenceIdIn(std::string_view code);

/// True when both are equal; takes the same time wherever they differ.
[[nodiscard]] bool equalInConstantTime(std::string_view a, std::string_view b);

} // namespace weir::plane
