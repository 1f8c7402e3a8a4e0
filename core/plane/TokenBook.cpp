// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/TokenBook.h"

#include "core/base/Ids.h"
#include "core/plane/Traces.h"

#include <algorithm>

namespace weir::plane {

bool isInForce(const store::TokenRecord& token, WallTime now)
{
    return !token.revoked && (!token.expires || *token.expires > now);
}

void TokenBook::put(store::TokenRecord record)
{
    auto apps = std::make_shared<const std::vector<std::string>>(record.apps);
    const auto entry = std::make_shared<const Entry>(Entry{std::move(record), std::move(apps)});
    const std::scoped_lock lock(m_mutex);
    if (const auto known = m_byName.find(entry->record.name); known != m_byName.end()) {
        m_byHash.erase(known->second->record.sha256);
    }
    m_byName[entry->record.name] = entry;
    m_byHash[entry->record.sha256] = entry;
}

void TokenBook::remove(const std::string& name)
{
    const std::scoped_lock lock(m_mutex);
    const auto known = m_byName.find(name);
    if (known != m_byName.end()) {
        m_byHash.erase(known->second->record.sha256);
        m_byName.erase(known);
    }
}

std::optional<Caller> TokenBook::callerOf(std::string_view token, WallTime now) const
{
    return callerOfHash(sha256Hex(token), now);
}

std::optional<Caller> TokenBook::callerOfHash(const std::string& hash, WallTime now) const
{
    // The way to a bucket of the map depends on the hash of what was sent, which tells nothing about the tokens there are; what
    // decides is the comparison, whose time does not depend on where the two differ.
    std::shared_ptr<const Entry> found;
    {
        const std::scoped_lock lock(m_mutex);
        const std::size_t buckets = m_byHash.bucket_count();
        if (buckets > 0) {
            const std::size_t bucket = m_byHash.bucket(hash);
            for (auto at = m_byHash.begin(bucket); at != m_byHash.end(bucket); ++at) {
                found = equalInConstantTime(at->first, hash) ? at->second : found;
            }
        }
    }
    if (!found || !isInForce(found->record, now)) {
        return std::nullopt;
    }
    return Caller{found->record.name, found->record.role, found->apps};
}

std::vector<store::TokenRecord> TokenBook::list() const
{
    std::vector<store::TokenRecord> tokens;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [name, entry] : m_byName) {
        tokens.push_back(entry->record);
    }
    return tokens;
}

std::optional<store::TokenRecord> TokenBook::findIgnoringCase(std::string_view name) const
{
    const std::string folded = foldCase(name);
    const std::scoped_lock lock(m_mutex);
    const auto found = std::find_if(m_byName.begin(), m_byName.end(), [&](const auto& entry) { return foldCase(entry.first) == folded; });
    return found == m_byName.end() ? std::nullopt : std::optional(found->second->record);
}

std::optional<store::TokenRecord> TokenBook::find(const std::string& name) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? std::nullopt : std::optional(found->second->record);
}

std::size_t TokenBook::size() const
{
    const std::scoped_lock lock(m_mutex);
    return m_byName.size();
}

} // namespace weir::plane
