// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/audit, /admin/audit/export.
#include "core/api/Api.h"
#include "core/api/QueryValues.h"
#include "core/http/Problem.h"
#include "core/store/StoreReader.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::int64_t kMostExported = 10'000;

json::value parsedOrText(const std::string& text)
{
    if (text.empty()) {
        return nullptr;
    }
    boost::system::error_code error;
    json::value value = json::parse(text, error);
    return error ? json::value(text) : value;
}

// The texts of `before` and `after` as they were hashed, so that the chain can be checked with the export alone.
json::object toLine(const store::AuditRow& row)
{
    return {{"id", row.id}, {"at", toRfc3339(row.at)}, {"actor", row.actor}, {"from", row.from}, {"action", row.action}, {"target", row.target}, {"before", row.before}, {"after", row.after},
        {"reason", row.reason}, {"outcome", row.outcome}, {"requestId", row.requestId}, {"source", row.source}, {"previousHash", row.previousHash}, {"hash", row.hash}};
}

json::object toItem(const store::AuditRow& row)
{
    json::object item = toLine(row);
    item["before"] = parsedOrText(row.before);
    item["after"] = parsedOrText(row.after);
    return item;
}

Result<store::AuditFilter> filterOf(const http::Request& request)
{
    const auto page = pageOf(request, {"actor", "action", "target", "outcome", "since", "until", "order"});
    if (!page) {
        return tl::unexpected(page.error());
    }
    store::AuditFilter filter;
    filter.limit = page->limit + 1; // one more says whether there is a next page
    filter.actor = std::string(request.queryValue("actor").value_or(""));
    filter.action = std::string(request.queryValue("action").value_or(""));
    filter.target = std::string(request.queryValue("target").value_or(""));
    filter.outcome = std::string(request.queryValue("outcome").value_or(""));
    const auto since = timeOf(request, "since");
    const auto until = timeOf(request, "until");
    const auto after = numberOf(page->after);
    for (const Error* error : {errorOf(since), errorOf(until), errorOf(after)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    const std::string_view order = request.queryValue("order").value_or("oldest");
    if (order != "oldest" && order != "newest") {
        return fail("invalid_value", "order is '" + std::string(order) + "'; it must be oldest or newest.", "order");
    }
    filter.since = *since;
    filter.until = *until;
    filter.newestFirst = order == "newest";
    (filter.newestFirst ? filter.beforeId : filter.afterId) = *after;
    return filter;
}

http::Response listed(std::vector<store::AuditRow> rows, std::size_t limit)
{
    json::value next = nullptr;
    if (rows.size() > limit) {
        rows.resize(limit);
        next = std::to_string(rows.back().id);
    }
    json::array items;
    for (const store::AuditRow& row : rows) {
        items.emplace_back(toItem(row));
    }
    return http::json(200, json::object{{"items", std::move(items)}, {"next", std::move(next)}});
}

http::Response exported(const std::vector<store::AuditRow>& rows, bool more)
{
    http::Response response;
    response.contentType = "application/x-ndjson";
    response.headers.emplace_back("Cache-Control", "no-store");
    for (const store::AuditRow& row : rows) {
        response.body += json::serialize(toLine(row)) + "\n";
    }
    if (more) {
        const std::string last = std::to_string(rows.back().id);
        response.headers.emplace_back("Link", "</admin/audit/export?after=" + last + ">; rel=\"next\"");
        response.headers.emplace_back("X-Weir-Next", last);
    }
    return response;
}

} // namespace

void Api::addAudit()
{
    add("GET", "/admin/audit", {}, [this](const Call& call, const http::Reply& reply) {
        const auto filter = filterOf(call.request);
        if (!filter) {
            reply(http::problem(filter.error()));
            return;
        }
        m_plane.read([reply, filter = *filter](store::StoreReader& reader) {
            auto rows = reader.audit(filter);
            reply(rows ? listed(std::move(*rows), filter.limit - 1) : http::problem(rows.error()));
        });
    });

    add("GET", "/admin/audit/export", {}, [this](const Call& call, const http::Reply& reply) {
        for (const auto& [key, value] : call.request.query) {
            if (key != "after" && key != "limit") {
                reply(http::problem(Error{"unknown_field", "'" + key + "' is not a parameter of this call.", key}));
                return;
            }
        }
        const auto limit = integerOf(call.request, "limit", kMostExported - 1, 1, kMostExported - 1);
        const auto after = numberOf(call.request.queryValue("after").value_or(""));
        for (const Error* error : {errorOf(limit), errorOf(after)}) {
            if (error != nullptr) {
                reply(http::problem(*error));
                return;
            }
        }
        store::AuditFilter filter;
        filter.newestFirst = false;
        filter.afterId = *after;
        filter.limit = static_cast<std::size_t>(*limit) + 1;
        m_plane.read([this, reply, filter](store::StoreReader& reader) {
            auto rows = reader.audit(filter);
            const auto mark = rows ? reader.auditExportedUpTo() : tl::unexpected(rows.error());
            if (!mark) {
                reply(http::problem(mark.error()));
                return;
            }
            const bool more = rows->size() == filter.limit;
            if (more) {
                rows->pop_back();
            }
            // Only what hangs together with what was exported before counts as exported: a hole would be pruned unseen.
            if (!rows->empty() && filter.afterId.value_or(0) <= *mark && rows->back().id > *mark) {
                m_plane.markAuditExported(rows->back().id);
            }
            reply(exported(*rows, more));
        });
    });
}

} // namespace weir::api
