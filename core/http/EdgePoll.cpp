// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/EdgePoll.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace weir::http {

EdgePoll::EdgePoll(boost::asio::io_context& context)
    : m_context(context)
    , m_epoll(context.get_executor())
{
    const int descriptor = ::epoll_create1(EPOLL_CLOEXEC);
    if (descriptor >= 0) {
        m_epoll.assign(descriptor);
    }
}

EdgePoll::~EdgePoll() = default;

bool EdgePoll::add(int descriptor, Member& member)
{
    if (!m_epoll.is_open()) {
        return false;
    }
    epoll_event interest{};
    interest.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    interest.data.ptr = &member;
    if (::epoll_ctl(m_epoll.native_handle(), EPOLL_CTL_ADD, descriptor, &interest) != 0) {
        return false;
    }
    ++m_members;
    if (!m_isDispatching) {
        arm();
    }
    return true;
}

void EdgePoll::remove(int descriptor, Member& member)
{
    // A close would take it off as well, but not while a child process, forked by another thread, still holds a copy.
    ::epoll_ctl(m_epoll.native_handle(), EPOLL_CTL_DEL, descriptor, nullptr);
    for (std::size_t i = m_next; i < m_end; ++i) {
        if (m_edges[i].data.ptr == &member) {
            m_edges[i].data.ptr = nullptr;
        }
    }
    std::replace(m_deferred.begin(), m_deferred.end(), &member, static_cast<Member*>(nullptr));
    std::replace(m_running.begin(), m_running.end(), &member, static_cast<Member*>(nullptr));
    if (--m_members == 0 && m_isArmed) {
        m_epoll.cancel(); // nothing more can come, and an io_context without work may end
    }
}

void EdgePoll::defer(Member& member)
{
    m_deferred.push_back(&member);
    if (!m_isDispatching) {
        postDeferred();
    }
}

void EdgePoll::arm()
{
    if (m_members == 0 || std::exchange(m_isArmed, true)) {
        return;
    }
    m_epoll.async_wait(decltype(m_epoll)::wait_read, [self = shared_from_this()](const boost::system::error_code&) {
        self->m_isArmed = false; // a wait that was given up is made anew where a member has come since
        self->dispatch();
    });
}

void EdgePoll::dispatch()
{
    m_isDispatching = true;
    for (int round = 0; round < kRounds && m_members > 0; ++round) {
        const int count = ::epoll_wait(m_epoll.native_handle(), m_edges.data(), static_cast<int>(m_edges.size()), 0);
        if (count > 0) {
            dispatchBatch(static_cast<std::size_t>(count));
        }
        runDeferred();
        if (count < 2) {
            break; // so little is going on that Asio may as well wait for the next
        }
    }
    m_isDispatching = false;
    if (!m_deferred.empty()) {
        postDeferred();
    }
    arm();
}

void EdgePoll::dispatchBatch(std::size_t count)
{
    m_end = count;
    for (m_next = 0; m_next < m_end;) {
        const epoll_event& edge = m_edges[m_next++];
        if (edge.data.ptr != nullptr) {
            static_cast<Member*>(edge.data.ptr)->edgeCame(edge.events);
        }
    }
    m_next = 0;
    m_end = 0;
}

void EdgePoll::runDeferred()
{
    m_running.swap(m_deferred);
    for (std::size_t i = 0; i < m_running.size(); ++i) {
        if (Member* member = std::exchange(m_running[i], nullptr)) {
            member->deferredCame();
        }
    }
    m_running.clear();
}

void EdgePoll::postDeferred()
{
    if (std::exchange(m_isPosted, true)) {
        return;
    }
    boost::asio::post(m_context, [self = shared_from_this()] {
        self->m_isPosted = false;
        self->m_isDispatching = true;
        self->runDeferred();
        self->m_isDispatching = false;
        if (!self->m_deferred.empty()) {
            self->postDeferred();
        }
        self->arm();
    });
}

} // namespace weir::http
