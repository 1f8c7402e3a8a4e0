// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/AuditChain.h"

#include <utility>

namespace weir::journal {

AuditChain::AuditChain(HashHex hash, Head head)
    : m_hash(std::move(hash))
    , m_head(std::move(head))
{
}

std::string AuditChain::hashOf(std::int64_t id, std::span<const std::string> fields) const
{
    std::string text = m_head.hash + "\n" + std::to_string(id) + "\n";
    for (const std::string& field : fields) {
        text += std::to_string(field.size()) + ":" + field + "\n";
    }
    return m_hash(text);
}

const AuditChain::Head& AuditChain::extend(std::span<const std::string> fields)
{
    std::string hash = hashOf(m_head.id + 1, fields);
    m_head = {m_head.id + 1, std::move(hash)};
    return m_head;
}

Result<void> AuditChain::check(std::int64_t id, std::span<const std::string> fields, std::string_view previousHash, std::string_view hash)
{
    const std::string row = "Row " + std::to_string(id);
    const std::string expected = std::to_string(m_head.id + 1);
    if (id != m_head.id + 1) {
        return fail("audit_broken", id > m_head.id ? "Row " + expected + " is missing: row " + std::to_string(id) + " comes in its place." : row + " comes where row " + expected + " should.");
    }
    if (previousHash != m_head.hash) {
        return fail("audit_broken", row + " does not carry the hash of the row before it: one of the two was changed.");
    }
    if (hash != hashOf(id, fields)) {
        return fail("audit_broken", row + " does not have the hash that it carries: it was changed.");
    }
    m_head = {id, std::string(hash)};
    return {};
}

} // namespace weir::journal
