// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::probe {

/// Host names to addresses through the system's resolver, on up to four threads of its own that end when they have nothing to
/// do. Answers are kept: names that resolve for 60 s, names that do not for 2 s. Used on the thread of the io_context, which must
/// outlive this; a lookup that hangs delays neither other names (until four hang) nor the end of this object.
class HostResolver {
public:
    using Addresses = std::vector<boost::asio::ip::address>;
    /// At most four addresses, in the resolver's order; empty: the name does not resolve.
    using Done = std::function<void(const Addresses&)>;

    explicit HostResolver(boost::asio::io_context& context);
    HostResolver(const HostResolver&) = delete;
    HostResolver& operator=(const HostResolver&) = delete;
    ~HostResolver();

    /// What is known now: a numeric address always is; nullptr where a lookup has to be made.
    [[nodiscard]] const Addresses* known(const std::string& host);
    /// `done` is called later on the io thread; never after this object is gone.
    void resolve(const std::string& host, Done done);

private:
    struct Shared;
    struct Entry {
        Addresses addresses;
        std::chrono::steady_clock::time_point validUntil;
        std::vector<Done> waiting;
        bool isUnderWay = false;
    };

    void finish(const std::string& host, Addresses addresses);
    void prune();

    std::shared_ptr<Shared> m_shared;
    std::unordered_map<std::string, Entry> m_entries;
    Addresses m_numeric;
};

} // namespace weir::probe
