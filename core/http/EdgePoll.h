// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sys/epoll.h>
#include <vector>

namespace weir::http {

/// Tells sockets what has become of them. Each is registered with the kernel once (edge-triggered epoll), where a wait of Asio's costs a
/// system call of its own: two for each request that a gateway forwards. Asio waits for the epoll descriptor as a whole, so that timers and
/// posted work go on beside. Io thread only; made by std::make_shared.
class EdgePoll : public std::enable_shared_from_this<EdgePoll> {
public:
    /// A registered socket. It may take itself off, and go, in any of its calls that this class makes.
    class Member {
    public:
        Member() = default;
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

        /// `events` as epoll_wait() gives them.
        virtual void edgeCame(std::uint32_t events) = 0;
        /// What defer() asked for.
        virtual void deferredCame() = 0;

    protected:
        ~Member() = default;
    };

    explicit EdgePoll(boost::asio::io_context& context);
    ~EdgePoll();
    EdgePoll(const EdgePoll&) = delete;
    EdgePoll& operator=(const EdgePoll&) = delete;

    /// False: the system gave no descriptor for it, and nothing can be added.
    [[nodiscard]] bool isOpen() const { return m_epoll.is_open(); }
    /// From now on edges come, the first for what is so already. False: the system has no room for one more.
    [[nodiscard]] bool add(int descriptor, Member& member);
    /// Before the descriptor is closed. No call comes any more, a deferred one neither.
    void remove(int descriptor, Member& member);
    /// Calls `member` back soon, not from inside this call.
    void defer(Member& member);

private:
    // Edges read at once, and times they are read before Asio has its turn.
    static constexpr std::size_t kBatch = 64;
    static constexpr int kRounds = 4;

    void arm();
    void dispatch();
    void dispatchBatch(std::size_t count);
    void runDeferred();
    void postDeferred();

    boost::asio::io_context& m_context;
    boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> m_epoll;
    std::array<epoll_event, kBatch> m_edges{}; ///< of the batch under way
    std::size_t m_next = 0;                    ///< of them, the first that was not told
    std::size_t m_end = 0;
    std::vector<Member*> m_deferred; ///< null: taken off meanwhile
    std::vector<Member*> m_running;  ///< of runDeferred()
    std::size_t m_members = 0;
    bool m_isArmed = false; ///< Asio waits
    bool m_isDispatching = false;
    bool m_isPosted = false; ///< runDeferred() has been
};

} // namespace weir::http
