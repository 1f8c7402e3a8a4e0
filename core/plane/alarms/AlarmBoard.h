// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/alarms/AlarmEngine.h"
#include "core/plane/Command.h"
#include "core/plane/Facts.h"
#include "core/plane/JournalObserver.h"
#include "core/plane/StoreThread.h"
#include "core/plane/alarms/AlarmSources.h"
#include "core/plane/incidents/Incidents.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weir::plane {

/// What a silence covers; empty members cover everything. At least one is set.
struct SilenceRequest {
    std::string kind;
    std::string role;
    std::string pool;
    std::string app;
    std::string node;
    WallTime until{};
    std::string reason;
};

/// An alarm as lists show it.
struct AlarmView {
    journal::Alarm alarm;
    std::string silencedBy; ///< id of a silence; empty: none covers it now
};

/// Where notices go; called on the journal thread.
class AlarmDelivery {
public:
    AlarmDelivery() = default;
    AlarmDelivery(const AlarmDelivery&) = delete;
    AlarmDelivery& operator=(const AlarmDelivery&) = delete;
    virtual ~AlarmDelivery() = default;

    /// Once, before the first turn: what the store held.
    virtual void restore(const store::Snapshot& snapshot, WallTime wall) = 0;
    /// What the turn before returned has been handed to the store.
    virtual void turnBegins(const journal::Moment& at) = 0;
    /// In this order; the rows that must be written together with "it was told" come back.
    [[nodiscard]] virtual std::vector<RowWrite> deliver(const std::vector<journal::AlarmNotice>& notices, const journal::Moment& at) = 0;
    /// Once a minute: alarms that were told and still fire, without those that are silenced.
    virtual void remind(const std::vector<journal::Alarm>& firing) = 0;
};

/// The alarms and silences of a control plane: follows the journal, keeps what it finds in the store, and answers lists and commands.
/// Public calls come from any thread.
class AlarmBoard final : public JournalObserver {
public:
    AlarmBoard(live::LiveFleet& fleet, const Clock& clock, StoreThread& store);

    JournalEntries restore(const store::Snapshot& snapshot, store::StoreReader& reader, WallTime wall) override;
    JournalEntries observe(const JournalTurn& turn) override;

    /// Before restore(); must outlive this object. Without one nothing leaves, and alarms count as told.
    void setDelivery(AlarmDelivery& delivery) { m_delivery = &delivery; }

    /// Before restore(): where alarms are found to belong to incidents; asked on the thread of restore() and observe(), once each.
    void setPlaces(std::function<AlarmPlaces()> take) { m_takePlaces = std::move(take); }

    [[nodiscard]] AlarmSources& sources() { return m_sources; }

    /// Calls `visit` with every alarm, open and lately resolved, the newest first, until it says false.
    void forEach(const std::function<bool(const AlarmView&)>& visit) const;
    [[nodiscard]] std::optional<AlarmView> find(std::uint64_t id) const;
    /// As of the last turn.
    [[nodiscard]] AlarmCounts counts() const;
    /// Silences that have not run out, by id.
    [[nodiscard]] std::vector<store::SilenceRecord> silences() const;

    /// Errors: `unknown_alarm`; `alarm_resolved`. Acknowledging what is acknowledged changes nothing.
    void acknowledge(std::uint64_t id, std::string reason, Actor actor, Done<AlarmView> done);
    /// Errors: `missing_field` (nothing is covered), `invalid_value` (kind, role, until), `too_many_silences`.
    void silence(SilenceRequest request, Actor actor, Done<store::SilenceRecord> done);
    /// Error: `unknown_silence`.
    void unsilence(std::string id, Actor actor, Done<void> done);

private:
    static constexpr std::size_t kMostSilences = 1'000;
    static constexpr auto kRepeatsEvery = std::chrono::seconds(10);
    static constexpr auto kRemindEvery = std::chrono::minutes(1);

    [[nodiscard]] std::string silencedBy(const journal::Alarm& alarm, WallTime now) const;
    void takePlaces();
    void keep(const journal::AlarmBook::Changed& changed, bool last, Instant now, std::vector<RowWrite>& rows);
    [[nodiscard]] AlarmCounts countOpen(WallTime now) const;
    [[nodiscard]] std::vector<journal::Alarm> toldAndFiring(WallTime now) const;
    void dropOldSilences(WallTime now, std::vector<RowWrite>& rows);
    Result<Plan> planAcknowledgement(std::uint64_t id, const std::string& reason, const Actor& actor, const CommandTime& time);

    live::LiveFleet& m_fleet;
    const Clock& m_clock;
    StoreThread& m_store;
    AlarmSources m_sources;
    AlarmDelivery* m_delivery = nullptr;
    std::function<AlarmPlaces()> m_takePlaces; ///< may be empty

    mutable std::mutex m_mutex; // never held while the fleet is asked
    journal::AlarmEngine m_engine;
    std::map<std::string, store::SilenceRecord> m_silences;
    AlarmCounts m_counts;

    // Journal thread:
    std::set<std::uint64_t> m_repeated; ///< their count is not written yet
    Instant m_repeatsDue = Instant::min();
    Instant m_remindDue = Instant::min();
};

} // namespace weir::plane
