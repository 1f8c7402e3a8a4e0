// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/incidents/IncidentBook.h"
#include "core/journal/incidents/IncidentText.h"

#include <chrono>
#include <string>
#include <vector>

namespace weir::journal {

/// Makes sequences of events with running numbers and times.
class IncidentWorld {
public:
    std::vector<IncidentInput> inputs;

    void wait(std::chrono::milliseconds time) { m_at += time; }
    [[nodiscard]] WallTime at() const { return m_at; }

    IncidentInput& add(EventKind kind, const std::string& node, const std::string& pool, const std::string& app = {}, const std::string& role = "origin")
    {
        IncidentInput input;
        input.event.seq = ++m_seq;
        input.event.at = m_at;
        input.event.kind = kind;
        input.event.nodeId = node;
        input.event.poolId = pool;
        input.event.appId = app;
        input.event.role = role;
        input.event.severity = kind == EventKind::NodeOffline ? Severity::Warning : Severity::Info;
        input.event.sentence = std::string(toText(kind)) + " " + node + app;
        input.nodePool = node.empty() ? std::string() : pool;
        input.appPool = app.empty() ? std::string() : pool;
        inputs.push_back(std::move(input));
        return inputs.back();
    }
    void offline(const std::string& node, const std::string& pool, const std::string& cause = "probe")
    {
        IncidentInput& input = add(EventKind::NodeOffline, node, pool);
        input.cause = cause;
        input.outcome = cause == "probe" ? "status:503" : "status:500";
        if (cause == "passive") {
            add(EventKind::QuarantineStarted, node, pool);
        }
    }
    void online(const std::string& node, const std::string& pool, bool quarantined = false)
    {
        if (quarantined) {
            add(EventKind::QuarantineOver, node, pool);
        }
        add(EventKind::NodeOnline, node, pool);
    }
    void refused(const std::string& app, const std::string& pool, std::uint64_t facts = 1, const RefusalEvidence& evidence = {})
    {
        IncidentInput& input = add(EventKind::PoolExhausted, {}, pool, app);
        input.facts = facts;
        input.evidence = evidence;
        input.evidence->role = "origin";
        input.evidence->poolId = pool;
    }
    void moved(const std::string& node, const std::string& from, const std::string& to, const std::string& actor)
    {
        IncidentInput& input = add(EventKind::NodeMoved, node, to);
        input.fromPool = from;
        input.nodePool = to;
        input.event.actor = actor;
        input.event.sentence = node + " was moved from " + from + " to " + to + " by " + actor + ".";
    }

    /// A book that took all inputs.
    [[nodiscard]] IncidentBook book(const IncidentLimits& limits = {}) const
    {
        IncidentBook book(limits);
        for (const IncidentInput& input : inputs) {
            book.take(input);
        }
        return book;
    }

private:
    WallTime m_at{std::chrono::seconds(1764451808)}; // 2025-11-29T21:30:08Z
    std::int64_t m_seq = 0;
};

} // namespace weir::journal
