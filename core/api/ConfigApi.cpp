// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/config.
#include "core/api/Api.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"
#include "core/plane/ConfigCommands.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::size_t kMostErrors = 1'000;

json::value parsedOrText(const std::string& text)
{
    boost::system::error_code error;
    json::value value = text.empty() ? json::value(nullptr) : json::parse(text, error);
    return error ? json::value(text) : value;
}

json::array toJson(const std::vector<config::ConfigIssue>& issues)
{
    json::array errors;
    for (const config::ConfigIssue& issue : issues) {
        if (errors.size() == kMostErrors) {
            break;
        }
        errors.emplace_back(json::object{{"path", issue.path}, {"line", issue.line}, {"column", issue.column}, {"value", issue.value}, {"message", issue.message}, {"code", issue.code}});
    }
    return errors;
}

http::Response refused(const plane::ConfigRefusal& refusal)
{
    if (refusal.issues.empty()) {
        return http::problem(refusal.error);
    }
    const std::string detail = "The configuration was refused and nothing was changed: " + config::toText(refusal.issues.front(), refusal.file);
    return http::problem(422, Error{"invalid_config", detail, refusal.issues.front().path}, {{"errors", toJson(refusal.issues)}});
}

json::object toJson(const plane::ConfigStatus& status)
{
    json::array versions;
    for (const store::ConfigVersion& version : status.versions) {
        versions.emplace_back(json::object{{"version", version.version}, {"at", toRfc3339(version.at)}, {"by", version.by}, {"source", version.note}});
    }
    json::array differences;
    for (const plane::ConfigDifference& difference : status.differences) {
        differences.emplace_back(json::object{{"path", difference.path}, {"file", parsedOrText(difference.file)}, {"store", parsedOrText(difference.store)}});
    }
    json::value refusal = nullptr;
    if (status.lastRefusal) {
        const plane::ConfigRefusal& last = *status.lastRefusal;
        refusal = json::object{{"at", toRfc3339(last.at)}, {"by", last.by}, {"source", last.file}, {"errors", toJson(last.issues)}, {"detail", last.issues.empty() ? last.error.message : config::toText(last.issues.front(), last.file)}};
    }
    const store::ConfigVersion* current = status.versions.empty() ? nullptr : &status.versions.front();
    return {{"version", status.version}, {"at", current != nullptr ? json::value(toRfc3339(current->at)) : json::value(nullptr)}, {"by", current != nullptr ? json::value(current->by) : json::value(nullptr)},
        {"file", status.file ? json::value(*status.file) : json::value(nullptr)}, {"lastRefusal", std::move(refusal)}, {"differences", std::move(differences)}, {"versions", std::move(versions)}};
}

json::object toJson(const plane::ConfigPreview& preview)
{
    json::array changes;
    for (const store::AuditRow& row : preview.changes) {
        changes.emplace_back(json::object{{"action", row.action}, {"target", row.target}, {"before", parsedOrText(row.before)}, {"after", parsedOrText(row.after)}});
    }
    return {{"sameText", preview.sameText}, {"changes", std::move(changes)}};
}

plane::ConfigCommands::Answer<std::uint64_t> answerVersion(const http::Reply& reply)
{
    return [reply](const tl::expected<std::uint64_t, plane::ConfigRefusal>& version) { reply(version ? http::json(200, json::object{{"version", *version}}) : refused(version.error())); };
}

} // namespace

void Api::addConfig()
{
    add("GET", "/admin/config", {}, [this](const Call&, const http::Reply& reply) {
        m_plane.config().status([reply](const Result<plane::ConfigStatus>& status) { reply(status ? http::json(200, toJson(*status)) : http::problem(status.error())); });
    });

    add("POST", "/admin/config:reload", {}, [this](const Call& call, const http::Reply& reply) { m_plane.config().reload(call.actor(), answerVersion(reply)); });

    add("POST", "/admin/config:check", {}, [this](const Call&, const http::Reply& reply) {
        m_plane.config().check([reply](const tl::expected<plane::ConfigPreview, plane::ConfigRefusal>& preview) { reply(preview ? http::json(200, toJson(*preview)) : refused(preview.error())); });
    });

    add("POST", "/admin/config:rollback", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const std::int64_t version = body->requireInteger("version", 1);
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        m_plane.config().rollback(version, call.actor(), answerVersion(reply));
    });
}

} // namespace weir::api
