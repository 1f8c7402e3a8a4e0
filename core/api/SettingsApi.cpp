// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/settings/health-check and /admin/settings/outcome-rules.
#include "core/api/Api.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"
#include "core/plane/HealthFields.h"

#include <boost/json.hpp>

namespace weir::api {

void Api::addSettings()
{
    add("GET", "/admin/settings/health-check", {}, [this](const Call&, const http::Reply& reply) {
        reply(http::json(200, plane::toJson(m_plane.healthSettings(), plane::KeyStyle::Camel)));
    });

    add("PUT", "/admin/settings/health-check", {}, [this](const Call& call, const http::Reply& reply) {
        const auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        m_plane.putHealthSettings(body->object(), call.actor(), [reply](const Result<health::HealthSettings>& settings) {
            reply(settings ? http::json(200, plane::toJson(*settings, plane::KeyStyle::Camel)) : http::problem(settings.error()));
        });
    });

    add("GET", "/admin/settings/outcome-rules", {}, [this](const Call&, const http::Reply& reply) {
        reply(http::json(200, plane::toJson(m_plane.outcomes().settings())));
    });

    add("PUT", "/admin/settings/outcome-rules", {}, [this](const Call& call, const http::Reply& reply) {
        const auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        m_plane.outcomes().put(body->object(), call.actor(), [reply](const Result<outcome::OutcomeSettings>& settings) {
            reply(settings ? http::json(200, plane::toJson(*settings)) : http::problem(settings.error()));
        });
    });
}

} // namespace weir::api
