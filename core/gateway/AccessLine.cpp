// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding: what the access log says of a request that is over.
#include "core/gateway/ClientSession.h"
#include "core/gateway/Engine.h"
#include "core/gateway/Forwarding.h"
#include "core/gateway/modules/AccessEntry.h"

#include <chrono>
#include <vector>

namespace weir::gateway {
namespace {

// From one instant to the next one that was reached; negative when either was not.
Duration between(Instant from, Instant to)
{
    const bool isKnown = from != Instant::max() && to != Instant::max() && from != Instant{} && to >= from;
    return isKnown ? to - from : Duration(-1);
}

} // namespace

void Forwarding::writeAccessLine() const
{
    const std::shared_ptr<AccessLog>& log = engine().options().accessLog;
    if (!log) {
        return;
    }
    const RequestView& request = m_session.request();
    AccessEntry entry;
    entry.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const Turn* turn = m_modules.turn();
    entry.requestId = turn != nullptr ? turn->context.value("request_id").value_or(std::string_view{}) : std::string_view{};
    entry.client = clientAddress(request, m_session.client(), m_session.trusted());
    entry.app = m_route.app;
    entry.host = request.host;
    entry.method = request.method;
    entry.path = request.path;
    entry.rule = m_route.rule;
    entry.cluster = m_route.cluster ? std::string_view(m_route.cluster->name) : std::string_view{};
    static thread_local std::vector<AccessTry> tries; // both kept for their memory
    static thread_local std::string line;
    tries.clear();
    line.clear();
    for (const TryRecord& record : m_record.tries) {
        tries.push_back({record.nodeId, record.result, record.end - record.start});
    }
    entry.tries = tries;
    entry.node = tries.empty() ? std::string_view{} : tries.back().node;
    entry.pool = m_pick.poolId;
    entry.status = m_record.status;
    entry.code = m_record.code;
    const bool isLeft = !tries.empty() && tries.back().result == "left";
    if (!m_outcome.empty()) {
        entry.outcome = m_outcome;
    } else if (isLeft || m_record.status == 0) {
        entry.outcome = "left";
    } else {
        entry.outcome = m_record.code.empty() ? std::string_view("ok") : m_record.code;
    }
    entry.bytesIn = m_record.bytesIn;
    entry.bytesOut = m_record.bytesOut;
    entry.stages = {between(m_record.headStart, m_record.headEnd), between(m_record.headEnd, m_record.routed),
        m_record.waited > Duration::zero() ? m_record.waited : Duration(-1), between(m_record.picked, m_record.connected),
        between(m_record.connected, m_record.headerRead), between(m_record.headerRead, m_record.finished)};
    appendAccessLine(line, entry);
    (void)log->write(line); // what is dropped is counted there
}

} // namespace weir::gateway
