// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/PendingReply.h"

#include "core/http/Connection.h"
#include "core/http/Problem.h"

#include <boost/asio/post.hpp>

namespace weir::http {

void ReplyGate::deliver(const std::weak_ptr<Connection>& connection, Response&& response, bool later)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isOpen) {
            return;
        }
        if (later || !m_executor.running_in_this_thread()) {
            boost::asio::post(m_executor, [connection, response = std::move(response)]() mutable {
                if (const auto target = connection.lock()) {
                    target->answer(std::move(response));
                }
            });
            return;
        }
    }
    if (const auto target = connection.lock()) {
        target->answer(std::move(response));
    }
}

void ReplyGate::wake(const std::weak_ptr<Connection>& connection)
{
    const std::lock_guard lock(m_mutex);
    if (m_isOpen) {
        boost::asio::post(m_executor, [connection] {
            if (const auto target = connection.lock()) {
                target->onStream();
            }
        });
    }
}

void ReplyGate::shut()
{
    const std::lock_guard lock(m_mutex);
    m_isOpen = false;
}

PendingReply::~PendingReply()
{
    if (!m_isAnswered.exchange(true)) {
        // Posted: whoever dropped the last copy does not expect socket work to happen there.
        m_gate->deliver(m_connection, problem(500, Error{"internal", "The request was given up without an answer."}), true);
    }
}

void PendingReply::answer(Response&& response)
{
    if (!m_isAnswered.exchange(true)) {
        m_gate->deliver(m_connection, std::move(response), false);
    }
}

} // namespace weir::http
