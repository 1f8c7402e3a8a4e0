// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/incidents/IncidentBook.h"
#include "core/live/LiveFleet.h"
#include "core/plane/Command.h"
#include "core/plane/JournalObserver.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weir::plane {

class StoreThread;

/// Which alarms were found to belong to which incident, and which incidents became part of another one afterwards.
struct AlarmPlaces {
    std::vector<std::pair<std::uint64_t, std::int64_t>> alarms; ///< alarm, incident
    std::vector<std::pair<std::int64_t, std::int64_t>> merged;  ///< from, into
};

/// Incidents of the running plane: they follow the journal, are kept in the store, and take what people do to them as commands.
/// Reading goes through StoreReader. Any thread, but for what JournalObserver says.
class Incidents final : public JournalObserver {
public:
    struct Settings {
        std::chrono::milliseconds gap = std::chrono::minutes(10);
        std::chrono::milliseconds lookBack = std::chrono::minutes(15);
    };

    Incidents(live::LiveFleet& fleet, StoreThread& store, Settings settings);

    [[nodiscard]] JournalEntries restore(const store::Snapshot& snapshot, store::StoreReader& reader, WallTime wall) override;
    [[nodiscard]] JournalEntries observe(const JournalTurn& turn) override;

    /// What was found since the last call. For the observer of alarms, which is asked after this one.
    [[nodiscard]] AlarmPlaces takeAlarmPlaces();

    /// After a reload of the configuration.
    void setSettings(Settings settings);

    /// What a person asks for, durable and audited when it is answered, with the incident as it is then. Errors: as
    /// IncidentBook::check(); `missing_field` for an empty reason or note. A resolution while somebody in the scope is not well is
    /// done all the same; the answer's `bad` tells.
    void acknowledge(std::int64_t number, Actor actor, Done<journal::Incident> done);
    void resolve(std::int64_t number, std::string reason, Actor actor, Done<journal::Incident> done);
    void merge(std::int64_t number, std::int64_t into, Actor actor, Done<journal::Incident> done);
    /// `at` is what the note speaks of; nothing: now.
    void note(std::int64_t number, std::string text, std::optional<WallTime> at, Actor actor, Done<journal::Incident> done);

private:
    void run(journal::IncidentAction action, Actor actor, Done<journal::Incident> done);
    [[nodiscard]] Result<Plan> plan(journal::IncidentAction& action, const Actor& actor, const CommandTime& time);
    void notePlaces(const journal::IncidentBook::Changed& changed);
    [[nodiscard]] JournalEntries entriesOf(journal::IncidentBook::Changed changed, std::int64_t seen);
    [[nodiscard]] Result<void> writeHeader(store::Writer& writer, std::int64_t number);
    [[nodiscard]] Result<void> writeRow(store::Writer& writer, std::int64_t number, std::int64_t row);
    [[nodiscard]] journal::IncidentLimits limitsNow();
    [[nodiscard]] Result<void> load(store::StoreReader& reader, WallTime wall, std::int64_t seen);

    live::LiveFleet& m_fleet;
    StoreThread& m_store;
    std::int64_t m_seen = 0; ///< the last event that was taken; only where restore() and observe() run

    // Never held while the fleet's lock is taken: commands are planned under that.
    std::mutex m_mutex;
    Settings m_settings;
    journal::IncidentBook m_book;
    AlarmPlaces m_places;
};

} // namespace weir::plane
