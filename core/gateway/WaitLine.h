// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weir::gateway {

/// The requests of one cluster that wait for a node with free capacity (gateway.md "Busy workers"): in order within an app, round
/// robin between the apps that wait, so that one app's burst does not starve another. No clock, no I/O: time is an argument.
class WaitLine {
    struct AppLine;

public:
    /// One that waits; leaves by itself when it goes.
    class Waiter {
    public:
        Waiter() = default;
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;
        [[nodiscard]] bool isWaiting() const { return m_line != nullptr; }
        [[nodiscard]] Instant since() const { return m_since; }

    protected:
        ~Waiter()
        {
            if (m_line != nullptr) {
                m_line->leave(*this);
            }
        }

    private:
        friend class WaitLine;
        WaitLine* m_line = nullptr;
        std::list<AppLine>::iterator m_app;
        std::list<Waiter*>::iterator m_place;
        std::multimap<Instant, Waiter*>::iterator m_placeInTime;
        Instant m_since{};
    };

    enum class Verdict : unsigned char {
        Served, ///< a node was reserved for it
        NotNow, ///< it waits on
        Refused ///< waiting makes no sense any more
    };

    WaitLine(std::size_t max, Duration timeout)
        : m_max(max)
        , m_timeout(timeout)
    {
    }
    WaitLine(const WaitLine&) = delete;
    WaitLine& operator=(const WaitLine&) = delete;
    ~WaitLine();

    /// For those that enter from now on: who waits already stays, for as long as it was to wait.
    void setLimits(std::size_t max, Duration timeout)
    {
        m_max = max;
        m_timeout = timeout;
    }

    /// At the end of its app's line; false: the line is full.
    [[nodiscard]] bool enter(Waiter& waiter, std::string_view app, Instant now);
    /// At the head of its app's line: a request whose node failed has been waiting longer than everybody here. Never refused.
    void enterFirst(Waiter& waiter, std::string_view app, Instant now);
    void leave(Waiter& waiter);

    [[nodiscard]] std::size_t size() const { return m_byTime.size(); }
    [[nodiscard]] bool isEmpty() const { return m_byTime.empty(); }
    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    /// Takes one out that has waited for its whole time, if any.
    [[nodiscard]] Waiter* takeExpired(Instant now);

    /// Offers what has become free to the heads of the apps' lines in turn, until nobody can be served. `probe` says what becomes of a
    /// head and may reserve; `go` is called when it has left the line, and may enter and serve again.
    void serve(const std::function<Verdict(Waiter&)>& probe, const std::function<void(Waiter&, Verdict)>& go);

private:
    struct AppLine {
        std::string app;
        std::list<Waiter*> waiters;
    };

    std::list<AppLine>::iterator lineOf(std::string_view app);
    void add(Waiter& waiter, Instant now);

    std::size_t m_max;
    Duration m_timeout;
    std::list<AppLine> m_apps; ///< only those that wait; the first has its turn
    std::unordered_map<std::string, std::list<AppLine>::iterator> m_index;
    std::multimap<Instant, Waiter*> m_byTime; ///< by the end of their time
    bool m_isServing = false;
    bool m_again = false;
};

} // namespace weir::gateway
