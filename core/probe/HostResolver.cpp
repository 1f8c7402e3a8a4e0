// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/HostResolver.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>

#include <netdb.h>
#include <netinet/in.h>

namespace weir::probe {
namespace {

using std::chrono::steady_clock;

constexpr auto kKeepGood = std::chrono::seconds(60);
constexpr auto kKeepBad = std::chrono::seconds(2);
constexpr std::size_t kThreads = 4;
constexpr std::size_t kMostAddresses = 4;
/// Names kept; beyond them those whose time is over go.
constexpr std::size_t kMostNames = 16 * 1024;

HostResolver::Addresses lookUp(const std::string& host)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    HostResolver::Addresses addresses;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) {
        return addresses;
    }
    for (const addrinfo* one = found; one != nullptr && addresses.size() < kMostAddresses; one = one->ai_next) {
        if (one->ai_family == AF_INET) {
            sockaddr_in address{};
            std::copy_n(reinterpret_cast<const unsigned char*>(one->ai_addr), sizeof address, reinterpret_cast<unsigned char*>(&address));
            addresses.emplace_back(boost::asio::ip::address_v4(ntohl(address.sin_addr.s_addr)));
        } else if (one->ai_family == AF_INET6) {
            sockaddr_in6 address{};
            std::copy_n(reinterpret_cast<const unsigned char*>(one->ai_addr), sizeof address, reinterpret_cast<unsigned char*>(&address));
            boost::asio::ip::address_v6::bytes_type bytes{};
            std::copy(std::begin(address.sin6_addr.s6_addr), std::end(address.sin6_addr.s6_addr), bytes.begin());
            addresses.emplace_back(boost::asio::ip::address_v6(bytes, address.sin6_scope_id));
        }
    }
    ::freeaddrinfo(found);
    return addresses;
}

} // namespace

// What the lookup threads hold; it outlives the resolver when one of them hangs.
struct HostResolver::Shared : std::enable_shared_from_this<HostResolver::Shared> {
    std::mutex mutex;
    std::deque<std::string> queue;
    std::size_t threads = 0;
    boost::asio::io_context* context = nullptr; ///< none once the resolver is gone
    HostResolver* owner = nullptr;

    void add(const std::string& host)
    {
        const std::scoped_lock lock(mutex);
        queue.push_back(host);
        if (threads < kThreads) {
            ++threads;
            std::thread([self = shared_from_this()] { self->run(); }).detach();
        }
    }

    void run()
    {
        while (true) {
            std::string host;
            {
                const std::scoped_lock lock(mutex);
                if (queue.empty() || context == nullptr) {
                    --threads;
                    return;
                }
                host = std::move(queue.front());
                queue.pop_front();
            }
            Addresses addresses = lookUp(host);
            const std::scoped_lock lock(mutex);
            if (context != nullptr) {
                boost::asio::post(*context, [self = shared_from_this(), host, addresses = std::move(addresses)]() mutable {
                    if (self->owner != nullptr) { // owner changes on the io thread, where this runs, or when that thread is over
                        self->owner->finish(host, std::move(addresses));
                    }
                });
            }
        }
    }
};

HostResolver::HostResolver(boost::asio::io_context& context)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->context = &context;
    m_shared->owner = this;
}

HostResolver::~HostResolver()
{
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->context = nullptr;
    m_shared->owner = nullptr;
    m_shared->queue.clear();
}

const HostResolver::Addresses* HostResolver::known(const std::string& host)
{
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (!error) {
        m_numeric.assign(1, address);
        return &m_numeric;
    }
    const auto at = m_entries.find(host);
    return at != m_entries.end() && !at->second.isUnderWay && steady_clock::now() < at->second.validUntil ? &at->second.addresses : nullptr;
}

void HostResolver::resolve(const std::string& host, Done done)
{
    prune();
    Entry& entry = m_entries[host];
    entry.waiting.push_back(std::move(done));
    if (!std::exchange(entry.isUnderWay, true)) {
        m_shared->add(host);
    }
}

void HostResolver::finish(const std::string& host, Addresses addresses)
{
    Entry& entry = m_entries[host];
    entry.isUnderWay = false;
    entry.validUntil = steady_clock::now() + (addresses.empty() ? kKeepBad : kKeepGood);
    entry.addresses = std::move(addresses);
    const Addresses found = entry.addresses; // callers may ask for more names
    for (const Done& done : std::exchange(entry.waiting, {})) {
        done(found);
    }
}

void HostResolver::prune()
{
    if (m_entries.size() < kMostNames) {
        return;
    }
    const auto now = steady_clock::now();
    std::erase_if(m_entries, [now](const auto& item) { return !item.second.isUnderWay && item.second.validUntil <= now; });
}

} // namespace weir::probe
