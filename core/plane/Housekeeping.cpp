// SPDX-License-Identifier: GPL-3.0-or-later
// What the plane does once a second on the store thread.
#include "core/plane/ControlPlane.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"
#include "core/store/Writer.h"

#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr auto kAuditNoteEvery = std::chrono::hours(1);
constexpr auto kAuditPruneEvery = std::chrono::minutes(1);
constexpr auto kAuditKept = std::chrono::hours(24 * 30); // what was exported; the rest stays for good
constexpr std::int64_t kAuditRowsAtOnce = 500;

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

void ControlPlane::everySecond(store::Store& store, bool last)
{
    if (!m_isLoaded) {
        return; // what is looked at here is still being filled
    }
    std::vector<RefusedFold> due;
    {
        const std::scoped_lock lock(m_refusedMutex);
        due = m_refused.takeDue(m_clock.now(), last);
    }
    writeRefused(due);
    if (last) {
        m_store.afterWrites([this, &store] { noteAuditHead(store); }); // behind the rows that this turn still writes
        return;
    }
    m_tokens.adoptPending();
    const auto now = std::chrono::steady_clock::now();
    if (now >= m_nextAuditNote) {
        m_nextAuditNote = now + kAuditNoteEvery;
        noteAuditHead(store);
    }
    if (now >= m_nextAuditPrune) {
        m_nextAuditPrune = now + kAuditPruneEvery;
        pruneAudit();
    }
}

// Kept outside of the store, so that a tail that is cut off there can be seen: `audit verify --expect COUNT:HASH`.
void ControlPlane::noteAuditHead(const store::Store& store)
{
    const journal::AuditChain::Head& head = store.auditHead();
    m_log.write(LogLevel::Info, "audit_head", "The audit has " + counted(static_cast<std::size_t>(head.id), "row") + "; its head is " + std::to_string(head.id) + ":" + head.hash + ".",
        {{"count", std::to_string(head.id)}, {"hash", head.hash}});
}

void ControlPlane::markAuditExported(std::int64_t upTo)
{
    Command command;
    command.plan = [upTo](const fleet::Fleet&, const CommandTime&) -> Result<Plan> {
        Plan plan;
        plan.writes.push_back([upTo](store::Writer& writer) { return writer.markAuditExported(upTo); });
        return plan;
    };
    command.done = [](const Result<void>&) {}; // the rows then stay until the next export
    m_store.submit(std::move(command));
}

void ControlPlane::pruneAudit()
{
    Command command;
    command.plan = [](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        Plan plan;
        plan.writes.push_back([before = time.wall - kAuditKept](store::Writer& writer) -> Result<void> { return writer.pruneAudit(before, kAuditRowsAtOnce).map([](std::int64_t) {}); });
        return plan;
    };
    command.done = [](const Result<void>&) {}; // tried again
    m_store.submit(std::move(command));
}

} // namespace weir::plane
