// SPDX-License-Identifier: GPL-3.0-or-later
// What the plane does once a second on the store thread.
#include "core/plane/ControlPlane.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"

#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
namespace {

store::AuditRow rowOf(const RefusedFold& fold)
{
    store::AuditRow row;
    row.at = fold.last;
    row.actor = fold.first.token.empty() ? "unknown" : "token:" + fold.first.token;
    row.from = fold.first.from;
    row.action = "call.refused";
    row.target = fold.first.call;
    row.after = http::jsonText(json::object{{"code", fold.first.code}, {"count", fold.count}, {"first", toRfc3339(fold.first.at)}, {"last", toRfc3339(fold.last)}});
    row.outcome = "refused";
    row.requestId = fold.first.requestId;
    row.source = "api";
    return row;
}

journal::Event eventOf(const RefusedFold& fold)
{
    journal::Event event;
    event.at = fold.last;
    event.kind = journal::EventKind::AuthDenied;
    event.severity = journal::Severity::Warning;
    event.actor = fold.first.token.empty() ? std::string() : "token:" + fold.first.token;
    event.sentence = fold.count == 1 ? sentence("A call from %1 was refused (%2): %3.", {fold.first.from, fold.first.code, fold.first.call})
                                     : sentence("%1 more calls from %2 were refused (%3), the first of them %4.",
                                           {std::to_string(fold.count), fold.first.from, fold.first.code, fold.first.call});
    event.detail = http::jsonText(json::object{{"from", fold.first.from}, {"code", fold.first.code}, {"count", fold.count}, {"first", toRfc3339(fold.first.at)}, {"last", toRfc3339(fold.last)}});
    return event;
}

} // namespace

void ControlPlane::noteRefusedCall(const RefusedCall& call)
{
    std::optional<RefusedFold> first;
    {
        const std::scoped_lock lock(m_refusedMutex);
        first = m_refused.note(call, m_clock.now());
    }
    if (first) {
        writeRefused({*first});
    }
}

void ControlPlane::writeRefused(const std::vector<RefusedFold>& folds)
{
    std::vector<store::AuditRow> rows;
    std::vector<journal::Event> events;
    for (const RefusedFold& fold : folds) {
        rows.push_back(rowOf(fold));
        events.push_back(eventOf(fold));
    }
    if (!rows.empty()) {
        m_store.appendAudit(std::move(rows));
        m_store.append(std::move(events), {});
    }
}

void ControlPlane::everySecond(bool last)
{
    std::vector<RefusedFold> due;
    {
        const std::scoped_lock lock(m_refusedMutex);
        due = m_refused.takeDue(m_clock.now(), last);
    }
    writeRefused(due);
    if (!last) {
        m_tokens.adoptPending();
    }
}

} // namespace weir::plane
