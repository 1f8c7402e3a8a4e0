// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/RefusalRules.h"

#include "core/base/Sentence.h"

#include <algorithm>

namespace weir::journal {
namespace {

constexpr std::size_t kCriticalFrom = 10;
constexpr std::size_t kWarningBelow = 5;
constexpr auto kWindow = std::chrono::seconds(60);
constexpr auto kNobodyAsked = std::chrono::minutes(5);

} // namespace

void RefusalRules::judge(const AlarmInput& input, AlarmBook& book)
{
    for (const Refusals& refusals : input.refusals) {
        refuse(refusals, input, book);
    }
    for (const Placement& placement : input.placements) {
        place(placement, input.at, book);
    }
    for (const AlarmKey& key : book.openOf(AlarmKind::PoolExhausted)) {
        if (book.quietFor(key, input.at.now).value_or(Duration::zero()) >= kNobodyAsked) {
            book.resolve(key, input.at, "Nobody asked for five minutes.");
            m_recent.erase(key);
            continue;
        }
        const Recent& recent = m_recent[key];
        const auto inWindow = static_cast<std::size_t>(
            std::count_if(recent.begin(), recent.end(), [&](Instant at) { return input.at.now - at < kWindow; }));
        if (inWindow >= kCriticalFrom) {
            book.setSeverity(key, Severity::Critical, input.at);
        } else if (inWindow < kWarningBelow) {
            book.setSeverity(key, Severity::Warning, input.at);
        }
    }
}

void RefusalRules::refuse(const Refusals& refusals, const AlarmInput& input, AlarmBook& book)
{
    Occurrence occurrence;
    occurrence.key = {AlarmKind::PoolExhausted, refusals.role, refusals.pool, refusals.app, {}, {}};
    occurrence.sentence = refusals.sentence;
    occurrence.detail = refusals.detail;
    occurrence.times = refusals.times;
    occurrence.appDeclared = refusals.appDeclared;
    const AlarmKey key = book.keyFor(occurrence.key, occurrence.appDeclared);
    if (!book.isOpen(key)) {
        m_recent.erase(key);
    }
    book.raise(occurrence, input.at);
    Recent& recent = m_recent[key];
    for (const Instant at : refusals.at) {
        recent.push_back(at);
        if (recent.size() > kCriticalFrom) {
            recent.pop_front();
        }
    }
}

// An undeclared app may stand under the key that it shares with others; those all resolve to the same pool, so that what one of them
// got, the others would get too.
void RefusalRules::place(const Placement& placement, const Moment& at, AlarmBook& book)
{
    for (const AlarmKey& key : book.openOf(AlarmKind::PoolExhausted)) {
        const bool own = key.appId == placement.app;
        const bool shared = key.appId == kManyNames && !placement.appDeclared;
        if (key.role != placement.role || (!own && !shared)) {
            continue;
        }
        if (placement.inPrimary) {
            book.resolve(key, at, sentence("%1 got a node again.", {placement.app}));
            m_recent.erase(key);
        } else {
            book.keepAlive(key, at);
        }
    }
}

} // namespace weir::journal
