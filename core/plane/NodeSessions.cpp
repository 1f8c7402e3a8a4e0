// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/NodeSessions.h"

#include "core/plane/Traces.h"

#include <algorithm>
#include <utility>

namespace weir::plane {

std::string NodeSessions::newToken()
{
    return randomSecret("wss_");
}

std::string NodeSessions::hashOf(std::string_view token)
{
    return sha256Hex(token);
}

void NodeSessions::begin(const Key& key, std::string_view token, std::string address)
{
    const std::scoped_lock lock(m_mutex);
    if (m_sessions.size() <= key.node.value()) {
        m_sessions.resize(std::size_t{key.node.value()} + 1);
    }
    Session& session = m_sessions[key.node.value()];
    if (session.birth != key.birth) {
        session = Session();
        session.birth = key.birth;
    }
    if (!session.current.empty()) {
        session.replaced[session.replacements++ % session.replaced.size()] = std::move(session.current);
    }
    session.current = hashOf(token);
    session.address = std::move(address);
}

void NodeSessions::end(const Key& key)
{
    const std::scoped_lock lock(m_mutex);
    if (key.node.value() < m_sessions.size() && m_sessions[key.node.value()].birth == key.birth) {
        m_sessions[key.node.value()].current.clear();
    }
}

NodeSessions::Standing NodeSessions::standing(const Key& key, std::string_view tokenHash) const
{
    const std::scoped_lock lock(m_mutex);
    if (key.node.value() >= m_sessions.size() || m_sessions[key.node.value()].birth != key.birth) {
        return Standing::Unknown;
    }
    const Session& session = m_sessions[key.node.value()];
    if (equalInConstantTime(session.current, tokenHash)) {
        return Standing::Current;
    }
    const bool replaced = std::any_of(session.replaced.begin(), session.replaced.end(), [&](const std::string& hash) { return equalInConstantTime(hash, tokenHash); });
    return replaced ? Standing::Replaced : Standing::Unknown;
}

std::string NodeSessions::addressOf(const Key& key) const
{
    const std::scoped_lock lock(m_mutex);
    const bool known = key.node.value() < m_sessions.size() && m_sessions[key.node.value()].birth == key.birth;
    return known && !m_sessions[key.node.value()].current.empty() ? m_sessions[key.node.value()].address : std::string();
}

} // namespace weir::plane
