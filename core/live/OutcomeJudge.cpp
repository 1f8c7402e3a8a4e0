// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/OutcomeJudge.h"

#include <algorithm>
#include <utility>

namespace weir::live {

using outcome::Classification;

std::string_view toText(OutcomeVerdict::Word word) noexcept
{
    switch (word) {
    case OutcomeVerdict::Word::Counted:
        return "counted";
    case OutcomeVerdict::Word::Ejected:
        return "ejected";
    case OutcomeVerdict::Word::Ignored:
        return "ignored";
    case OutcomeVerdict::Word::Ok:
        break;
    }
    return "ok";
}

OutcomeJudge::OutcomeJudge(LiveFleet& fleet)
    : m_fleet(fleet)
    , m_book(std::make_shared<const outcome::OutcomeBook>())
{
}

void OutcomeJudge::setBook(std::shared_ptr<const outcome::OutcomeBook> book)
{
    const std::scoped_lock lock(m_mutex);
    m_book = std::move(book);
    ++m_bookSerial;
}

std::shared_ptr<const outcome::OutcomeBook> OutcomeJudge::book() const
{
    const std::scoped_lock lock(m_mutex);
    return m_book;
}

OutcomeVerdict OutcomeJudge::judge(
    NodeHandle node, std::uint64_t birth, const routing::Exchange& exchange, std::string_view error, const outcome::OutcomeRules* statuses)
{
    const std::shared_ptr<const outcome::OutcomeBook> rules = book();
    const outcome::Judged judged = rules->judge(exchange, error, statuses);
    OutcomeVerdict verdict;
    verdict.bucket = judged.bucket;
    if (judged.classification == Classification::PassiveFailure) {
        verdict.rule = "built_in";
        verdict.text = !error.empty()      ? std::string(error)
            : exchange.response != nullptr ? "status:" + std::to_string(exchange.response->status)
                                           : std::string("incomplete");
    }
    m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
        if (!fleet.isAlive(node) || fleet.node(node).birth != birth) {
            verdict.word = OutcomeVerdict::Word::Ignored;
            return;
        }
        outcome::NodeOutcomes::Step step;
        {
            const std::scoped_lock lock(m_mutex);
            // Rules that were swapped meanwhile: the bits of `judged` are of the old list.
            const bool isStale = rules != m_book && judged.matched != 0;
            step = isStale ? outcome::NodeOutcomes::Step{} : add(node, birth, judged, now);
        }
        if (step.rule) {
            verdict.rule = rules->rule(*step.rule).name;
            verdict.text = "rule:" + verdict.rule;
        }
        apply(fleet, node, judged, step, now, verdict);
    });
    return verdict;
}

outcome::NodeOutcomes::Step OutcomeJudge::add(NodeHandle node, std::uint64_t birth, const outcome::Judged& judged, Instant now)
{
    if (node.value() >= m_entries.size()) {
        m_entries.resize(node.value() + 1);
    }
    std::unique_ptr<Entry>& entry = m_entries[node.value()];
    if (!entry || entry->birth != birth) {
        entry = std::make_unique<Entry>();
        entry->birth = birth;
        entry->bookSerial = m_bookSerial;
    }
    if (entry->bookSerial != m_bookSerial) {
        entry->outcomes.forgetRuns();
        entry->bookSerial = m_bookSerial;
    }
    if (!std::exchange(entry->isChanged, true)) {
        m_changed.push_back(node);
    }
    m_now = std::max(m_now, now);
    return entry->outcomes.add(judged, *m_book, now);
}

void OutcomeJudge::apply(fleet::Fleet& fleet, NodeHandle node, const outcome::Judged& judged, const outcome::NodeOutcomes::Step& step,
    Instant now, OutcomeVerdict& verdict) const
{
    using Word = OutcomeVerdict::Word;
    verdict.isFailure = step.isPassiveFailure;
    if (step.isPassiveFailure) {
        switch (fleet.passiveFailure(node, verdict.text, now)) {
        case fleet::OutcomeEffect::Ejected:
            verdict.word = Word::Ejected;
            break;
        case fleet::OutcomeEffect::AlreadyOut:
            verdict.word = Word::Ignored;
            break;
        case fleet::OutcomeEffect::Capped:
            verdict.word = Word::Counted;
            break;
        }
    } else if (judged.bucket != outcome::Bucket::None) {
        verdict.word = Word::Counted;
    } else if (judged.classification == Classification::Clean) {
        verdict.isClean = true;
        fleet.cleanOutcome(node);
    }
    const health::HealthState& health = fleet.node(node).health;
    verdict.inRotation = health.inRotation();
    verdict.quarantineRemaining = health.quarantineRemaining(now);
}

outcome::TrafficCounts OutcomeJudge::counts(NodeHandle node) const
{
    const std::scoped_lock lock(m_mutex);
    if (node.value() >= m_entries.size() || !m_entries[node.value()]) {
        return {};
    }
    return m_entries[node.value()]->outcomes.counts(m_now);
}

void OutcomeJudge::forget(NodeHandle node)
{
    const std::scoped_lock lock(m_mutex);
    if (node.value() < m_entries.size()) {
        m_entries[node.value()].reset();
    }
}

void OutcomeJudge::takeChanged(std::vector<NodeHandle>& into)
{
    const Instant now = m_fleet.read([](const fleet::Fleet&, Instant at) { return at; });
    const std::scoped_lock lock(m_mutex);
    const outcome::TrafficCounts none;
    m_now = std::max(m_now, now);
    if (now - m_looked >= kLookEvery) {
        for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
            const bool hadAny = m_entries[i] && m_entries[i]->outcomes.counts(m_looked) != none;
            if (hadAny && !std::exchange(m_entries[i]->isChanged, true)) {
                m_changed.emplace_back(i);
            }
        }
        m_looked = now;
    }
    for (const NodeHandle node : m_changed) {
        if (m_entries[node.value()]) { // not forgotten meanwhile
            m_entries[node.value()]->isChanged = false;
        }
    }
    into.insert(into.end(), m_changed.begin(), m_changed.end());
    m_changed.clear();
}

} // namespace weir::live
