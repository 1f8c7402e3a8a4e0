// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace weir::journal {

/// SHA-256 of some bytes as 64 hexadecimal digits in lower case.
using HashHex = std::function<std::string(std::string_view)>;

/// The last row and its hash. With the number of rows ever written (which is the row's number) it shows a cut-off tail.
struct AuditHead {
    std::int64_t id = 0;
    std::string hash = std::string(64, '0');
    friend bool operator==(const AuditHead&, const AuditHead&) = default;
};

/// Ties the rows of the audit together (journal.md "Audit"): each row carries the hash of the row before it and its own, which is taken
/// over that hash, the row's number and its fields:
///
///     <64 digits> LF <number> LF <length> ":" <bytes> LF <length> ":" <bytes> LF …
///
/// with numbers in decimal. Lengths make the text unambiguous. The row before the first one is all zeros.
class AuditChain {
public:
    using Head = AuditHead;

    explicit AuditChain(HashHex hash, Head head = {});

    /// The hash of the row that comes after the head; the row becomes the head. Its number is the head's plus one.
    [[nodiscard]] const Head& extend(std::span<const std::string> fields);

    /// Checks a row that was read against the head and takes it as the next one. Error: `audit_broken`, naming the row and what is wrong.
    [[nodiscard]] Result<void> check(std::int64_t id, std::span<const std::string> fields, std::string_view previousHash, std::string_view hash);

    [[nodiscard]] const Head& head() const { return m_head; }

private:
    [[nodiscard]] std::string hashOf(std::int64_t id, std::span<const std::string> fields) const;

    HashHex m_hash;
    Head m_head;
};

} // namespace weir::journal
