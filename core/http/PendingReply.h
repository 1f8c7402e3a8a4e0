// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <mutex>

namespace weir::http {

class Connection;

/// Leads answers from other threads to the io thread, for as long as there is one.
class ReplyGate {
public:
    explicit ReplyGate(boost::asio::io_context::executor_type executor)
        : m_executor(executor)
    {
    }

    /// On the io thread at once (unless `later`), from elsewhere by a post; after shut() not at all.
    void deliver(const std::weak_ptr<Connection>& connection, Response&& response, bool later);

    /// Any thread: lets the connection look at its stream.
    void wake(const std::weak_ptr<Connection>& connection);

    /// No answer passes from now on; the io_context may go.
    void shut();

private:
    std::mutex m_mutex;
    bool m_isOpen = true;
    boost::asio::io_context::executor_type m_executor;
};

/// What the copies of one Reply share: the answer is given once, and a request nobody answers gets 500.
class PendingReply final : public ReplyTarget {
public:
    PendingReply(std::shared_ptr<ReplyGate> gate, std::weak_ptr<Connection> connection)
        : m_gate(std::move(gate))
        , m_connection(std::move(connection))
    {
    }
    ~PendingReply() override;

    void answer(Response&& response) override;

private:
    std::shared_ptr<ReplyGate> m_gate;
    std::weak_ptr<Connection> m_connection;
    std::atomic<bool> m_isAnswered = false;
};

} // namespace weir::http
