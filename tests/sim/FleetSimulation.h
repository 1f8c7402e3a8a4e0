// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Fleet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weir::fleet {

/// A fleet lives through simulated time while machines crash, slow down, fail their work or flap, and administrators move, drain,
/// remove and rebind. After every step the invariants of the heart are checked against the simulation's own books.
class FleetSimulation final : private ChangeSink {
public:
    struct Size {
        std::size_t nodes = 2'000;
        std::size_t pools = 20;
        int hours = 24;
    };

    FleetSimulation(std::uint64_t seed, Size size);

    /// Lives through all of it; the first invariant that broke, in words, or nothing.
    std::optional<std::string> run();

    /// What happened, for the test to see that something did.
    struct Story {
        std::size_t decisions = 0;
        std::size_t refusals = 0;
        std::size_t fallbacks = 0;
        std::size_t ejections = 0;
        std::size_t revivals = 0;
        std::size_t moves = 0;
        std::size_t lapses = 0;
        std::size_t streamsKept = 0;  ///< asked for and found where they were
        std::size_t streamsMoved = 0; ///< asked for and bound elsewhere
        std::size_t streamsEnded = 0; ///< by two reports without them
    };
    [[nodiscard]] const Story& story() const { return m_story; }

private:
    enum class Machine : std::uint8_t { Fine, Crashed, Slow, FailsWork, Flaps };

    /// The simulation's own record of a node.
    struct Book {
        NodeHandle handle;
        std::string id;
        PoolHandle pool;
        Role role = Role::Worker;
        bool registered = false;
        bool draining = false;
        Machine machine = Machine::Fine;
        Instant machineUntil{};
        Instant brokenSince{};
        Instant lastBeat{};
        std::uint64_t seq = 0;
        std::uint64_t boot = 0;
        std::int64_t used = 0;
        std::optional<Instant> quarantinedUntil; ///< as reported when it began
        std::uint32_t flips = 0;
        std::set<std::string> carried; ///< streams that the machine really has, as `app/stream`
    };
    struct AppBook {
        std::string id;
        PoolHandle pool;
        bool fallback = false;
    };

    void changed(const FleetChange& change) noexcept override;
    void build();
    void addNode();
    void removeNode(std::size_t at);
    void breakMachines();
    void administer();
    void move(Book& book, PoolHandle to);
    void probe(Book& book);
    void beat(Book& book);
    void decide();
    void stream();
    void checkOrigin(const Decision& decision, const AppBook& app, const std::string& name);
    void checkReported(const Book& book, const std::vector<std::string>& overdue);
    void checkStreams();
    void useNode(const Decision& decision);
    void checkDecision(const Decision& decision, const Decision& foreseen, const AppBook& app, const Request& request, std::int64_t freeBefore);
    void checkPools();
    void checkQuietReads();
    void checkDetection(const Book& book);
    void violated(const std::string& what);
    [[nodiscard]] bool isConnected(const Book& book) const;
    [[nodiscard]] bool isCandidate(const Book& book, const Request& request) const;
    [[nodiscard]] NodeHandle scanForBest(PoolHandle pool, const Request& request) const;
    std::uint64_t roll(std::uint64_t sides) { return m_random() % sides; }

    std::mt19937_64 m_random;
    Size m_size;
    health::HealthSettings m_health;
    FleetSettings m_settings;
    Fleet m_fleet;
    Instant m_now{};
    std::vector<PoolHandle> m_pools;
    std::vector<Book> m_books;
    std::vector<std::size_t> m_bookOf; ///< by handle value
    std::vector<AppBook> m_apps;
    std::vector<std::uint64_t> m_underWay;
    std::size_t m_facts = 0;
    std::size_t m_nextId = 0;
    Story m_story;
    std::optional<std::string> m_violation;
};

} // namespace weir::fleet
