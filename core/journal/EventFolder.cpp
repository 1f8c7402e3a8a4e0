// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/EventFolder.h"

#include <algorithm>
#include <utility>

namespace weir::journal {
namespace {

bool isFolded(EventKind kind) noexcept
{
    return kind == EventKind::PoolExhausted || kind == EventKind::PoolFallback || kind == EventKind::ReservationExpired || kind == EventKind::RegistrationRefused
        || kind == EventKind::PoolClaimIgnored;
}

/// Puts the figures of a fold in front of the members that the event's own detail has.
std::string withCount(const std::string& detail, std::uint64_t count, WallTime first, WallTime last)
{
    std::string text = "{\"count\":" + std::to_string(count) + ",\"first\":\"" + toRfc3339(first) + "\",\"last\":\"" + toRfc3339(last) + '"';
    const bool isObject = detail.size() >= 2 && detail.front() == '{' && detail.back() == '}';
    const bool hasMembers = isObject && detail.find_first_not_of(" \t\r\n", 1) != detail.size() - 1;
    if (hasMembers) {
        text += ',';
        text.append(detail, 1, std::string::npos);
    } else {
        text += '}';
    }
    return text;
}

} // namespace

EventFolder::EventFolder(std::function<bool(std::string_view)> isDeclared)
    : EventFolder(std::move(isDeclared), Limits{})
{
}

EventFolder::EventFolder(std::function<bool(std::string_view)> isDeclared, Limits limits)
    : m_isDeclared(std::move(isDeclared))
    , m_limits(limits)
{
}

std::optional<Event> EventFolder::add(Event event, Instant now)
{
    if (!isFolded(event.kind)) {
        return event;
    }
    bool undeclared = false;
    const Key key = keyOf(event, undeclared);
    const auto [position, isNew] = m_folds.try_emplace(key);
    Fold& fold = position->second;
    if (isNew) {
        fold.undeclared = undeclared;
        if (undeclared) {
            ++m_undeclared[key.appId];
        }
        if (key.appId == kOtherApps) {
            ++m_sharedKeys;
        }
    } else if (now < fold.due) {
        hold(fold, std::move(event), now);
        return std::nullopt;
    }
    // The window is over (or has not begun): this one goes through, with what was held back before it.
    fold.due = now + kWindow;
    m_timers.add(fold.due, key);
    if (fold.count == 0) {
        event.appId = key.appId;
        return event;
    }
    hold(fold, std::move(event), now);
    return release(fold, key, now);
}

std::vector<Event> EventFolder::flush(Instant now)
{
    std::vector<Event> due;
    while (const std::optional<Key> key = m_timers.takeDue(now)) {
        const auto position = m_folds.find(*key);
        if (position == m_folds.end() || position->second.due > now) {
            continue; // the window was begun anew by add()
        }
        Fold& fold = position->second;
        if (fold.count == 0) {
            forget(position);
            continue;
        }
        due.push_back(release(fold, *key, now));
        fold.due = now + kWindow;
        m_timers.add(fold.due, *key);
    }
    return due;
}

std::vector<Event> EventFolder::drain(Instant now)
{
    std::vector<Event> held;
    for (auto& [key, fold] : m_folds) {
        if (fold.count > 0) {
            held.push_back(release(fold, key, now));
        }
    }
    m_folds.clear();
    m_undeclared.clear();
    m_sharedKeys = 0;
    m_timers = {};
    return held;
}

EventFolder::Key EventFolder::keyOf(const Event& event, bool& undeclared) const
{
    Key key{event.kind, event.role, event.poolId, event.appId, {}, {}};
    if (event.kind == EventKind::ReservationExpired || event.kind == EventKind::PoolClaimIgnored) {
        key.nodeId = event.nodeId;
    } else if (event.kind == EventKind::RegistrationRefused) {
        key.nodeId = event.nodeId;
        key.actor = event.actor;
    }
    if (m_folds.contains(key)) {
        return key;
    }
    undeclared = !event.appId.empty() && !m_isDeclared(event.appId);
    const bool tooManyApps = undeclared && m_undeclared.size() >= m_limits.undeclaredApps && !m_undeclared.contains(event.appId);
    if (tooManyApps || m_folds.size() - m_sharedKeys >= m_limits.maxKeys) {
        key.appId = kOtherApps;
        key.nodeId.clear();
        key.actor.clear();
        undeclared = false;
    }
    return key;
}

void EventFolder::hold(Fold& fold, Event event, Instant now)
{
    if (fold.count == 0) {
        fold.first = event.at;
        fold.worst = event.severity;
    }
    ++fold.count;
    fold.worst = std::max(fold.worst, event.severity);
    fold.lastAt = now;
    fold.last = std::move(event);
}

Event EventFolder::release(Fold& fold, const Key& key, Instant now)
{
    Event event = std::exchange(fold.last, Event{});
    event.severity = fold.worst;
    event.appId = key.appId;
    event.detail = withCount(event.detail, fold.count, fold.first, event.at);
    // A fold happens when it is written, so that times in the journal run with its numbers.
    event.at += std::chrono::duration_cast<std::chrono::milliseconds>(now - fold.lastAt);
    fold.count = 0;
    return event;
}

void EventFolder::forget(std::map<Key, Fold>::iterator position)
{
    if (position->second.undeclared) {
        const auto app = m_undeclared.find(position->first.appId);
        if (app != m_undeclared.end() && --app->second == 0) {
            m_undeclared.erase(app);
        }
    }
    if (position->first.appId == kOtherApps) {
        --m_sharedKeys;
    }
    m_folds.erase(position);
}

} // namespace weir::journal
