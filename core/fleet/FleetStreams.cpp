// SPDX-License-Identifier: GPL-3.0-or-later
// The selectors for streams (fleet.md "One decision"). Every one of them chooses through choose(), and so by the same filter.
#include "core/fleet/Fleet.h"

namespace weir::fleet {

Decision Fleet::decideForStream(const Request& request, std::string_view stream, Instant now)
{
    if (!m_streams.hasRoomFor(request.app, stream)) {
        Decision decision;
        decision.code = Code::TooManyStreams;
        decision.role = request.role;
        decision.endpoint = request.endpoint;
        decision.need = request.need;
        decision.appText.assign(request.app);
        decision.at = now;
        return decision;
    }
    Decision decision = decide(request, now);
    if (decision.code == Code::Ok) {
        m_streams.bind(request.app, stream, decision.node, now);
    }
    return decision;
}

Decision Fleet::selectOriginForPublish(std::string_view app, std::string_view stream, std::uint32_t need, Instant now)
{
    return decideForStream({Role::Origin, app, need, Endpoint::Whip}, stream, now);
}

Decision Fleet::selectOriginForSrtPublish(std::string_view app, std::string_view stream, std::uint32_t need, Instant now)
{
    return decideForStream({Role::Origin, app, need, Endpoint::Srt}, stream, now);
}

// The node that carries the stream, as long as it is connected and in a pool that the app may use now.
std::optional<Decision> Fleet::carrierOf(std::string_view app, std::string_view stream, Instant now) const
{
    const Streams::Stream* carried = m_streams.find(app, stream);
    if (carried == nullptr || !isAlive(carried->node)) {
        return std::nullopt;
    }
    const NodeCore& core = m_cores[carried->node.value()];
    const Resolved resolved = resolveText(app);
    const bool mayUse = core.pool == resolved.pool || (resolved.allowFallback && core.pool == defaultPool());
    if (!resolved.known || !core.connected || core.role != Role::Origin || !mayUse) {
        return std::nullopt;
    }
    Decision decision;
    decision.code = Code::Ok;
    decision.role = Role::Origin;
    decision.node = carried->node;
    decision.pool = core.pool;
    decision.primary = resolved.pool;
    decision.fallback = core.pool != resolved.pool;
    decision.app = resolved.app;
    decision.appText.assign(app);
    decision.at = now;
    return decision;
}

Decision Fleet::selectOriginForStream(std::string_view app, std::string_view stream, Instant now)
{
    advance(now);
    if (auto carrier = carrierOf(app, stream, now)) {
        return *carrier;
    }
    return decideForStream({Role::Origin, app, 1, Endpoint::Any}, stream, now);
}

std::vector<NodeHandle> Fleet::findEdgesForStream(std::string_view app, [[maybe_unused]] std::string_view stream, std::size_t limit, Instant now) const
{
    return ranking({Role::Edge, app, 1, Endpoint::Any}, limit, now);
}

Decision Fleet::selectEdgeForStream(std::string_view app, [[maybe_unused]] std::string_view stream, Instant now)
{
    return decide({Role::Edge, app, 1, Endpoint::Any}, now);
}

bool Fleet::endStream(std::string_view app, std::string_view stream)
{
    return m_streams.end(app, stream);
}

// Origins alone carry streams; what edges and others report are copies.
void Fleet::takeStreams(NodeHandle handle, const std::vector<StreamName>& streams, Instant now)
{
    if (m_cores[handle.value()].role != Role::Origin) {
        return;
    }
    m_streams.report(handle, streams, now, [this](NodeHandle other) {
        return !isAlive(other) || !m_cores[other.value()].connected || m_cores[other.value()].role != Role::Origin;
    });
}

} // namespace weir::fleet
