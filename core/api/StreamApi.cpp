// SPDX-License-Identifier: GPL-3.0-or-later
// GET /admin/stream: committed events and row changes as server-sent events.
#include "core/api/Api.h"
#include "core/api/EventStream.h"

#include "core/http/Problem.h"

namespace weir::api {

void Api::addStream()
{
    add("GET", "/admin/stream", {Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        if (!call.request.query.empty()) {
            const std::string& key = call.request.query.front().first;
            reply(http::problem(Error{"unknown_field", "'" + key + "' is not a parameter of the event stream.", key}));
            return;
        }
        auto mayRead = [this, token = std::string(bearerOf(call.request).value_or(""))] {
            return m_plane.tokenBook().callerOf(token, m_plane.clock().wall()).has_value();
        };
        auto stream = m_events->open(call.request.header("Last-Event-ID"), call.access == Access::Superadmin, std::move(mayRead));
        if (!stream) {
            reply(http::problem(503, stream.error()));
            return;
        }
        http::Response response;
        response.contentType = "text/event-stream";
        response.headers.emplace_back("Cache-Control", "no-store");
        response.headers.emplace_back("X-Accel-Buffering", "no"); // a proxy in between must not collect it
        response.stream = std::move(*stream);
        reply(std::move(response));
    });
}

} // namespace weir::api
