// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Roles.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace weir::api {

/// The full records of refusals, each made at most once a second per key: making one looks at every node of the pools under the
/// fleet's lock, which a caller that asks in a loop must not cost everybody else (fleet.md "Explaining"). Bounded; one thread.
class RefusalRecords {
public:
    struct Key {
        Role role = Role::Worker;
        std::string pool; ///< the one the app resolves to
        std::string app;
        /// A record says for what it was asked, so that another endpoint or need has another record.
        Endpoint endpoint = Endpoint::Any;
        std::uint32_t need = 1;

        friend bool operator<(const Key& a, const Key& b)
        {
            return std::tie(a.role, a.pool, a.app, a.endpoint, a.need) < std::tie(b.role, b.pool, b.app, b.endpoint, b.need);
        }
    };
    using Make = std::function<boost::json::object()>;

    static constexpr Duration kAge = std::chrono::seconds(1);

    explicit RefusalRecords(std::size_t most = 256) : m_most(most) {}

    /// The record of `key`, made anew when it is a second old at `now`. Valid until the next call.
    [[nodiscard]] const boost::json::object& get(const Key& key, Instant now, const Make& make);
    [[nodiscard]] std::size_t size() const { return m_records.size(); }

private:
    struct Record {
        Instant made;
        boost::json::object object;
    };
    void makeRoom(Instant now);

    std::size_t m_most;
    std::map<Key, Record> m_records;
};

} // namespace weir::api
