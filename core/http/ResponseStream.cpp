// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/ResponseStream.h"

#include "core/http/PendingReply.h"

#include <array>
#include <charconv>

namespace weir::http {
namespace {

void appendChunk(std::string& into, const std::string& bytes)
{
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16).ptr;
    into.append(digits.data(), end).append("\r\n").append(bytes).append("\r\n");
}

} // namespace

bool ResponseStream::write(Bytes bytes)
{
    std::unique_lock lock(m_mutex);
    if (m_hasEnded || m_isDropped) {
        return false;
    }
    if (bytes->empty()) { // an empty chunk would end the body
        return true;
    }
    m_buffered += bytes->size();
    if (m_buffered > m_mostBuffered) {
        m_isDropped = true;
        m_waiting.clear();
    } else {
        m_waiting.push_back(std::move(bytes));
    }
    const bool isFine = !m_isDropped;
    wake(std::move(lock));
    return isFine;
}

void ResponseStream::end()
{
    std::unique_lock lock(m_mutex);
    m_hasEnded = true;
    wake(std::move(lock));
}

void ResponseStream::wake(std::unique_lock<std::mutex> lock)
{
    if (!m_gate || m_isWoken) {
        return;
    }
    m_isWoken = true;
    const std::shared_ptr<ReplyGate> gate = m_gate;
    const std::weak_ptr<Connection> connection = m_connection;
    lock.unlock();
    gate->wake(connection);
}

void ResponseStream::attach(std::shared_ptr<ReplyGate> gate, std::weak_ptr<Connection> connection)
{
    const std::scoped_lock lock(m_mutex);
    m_gate = std::move(gate);
    m_connection = std::move(connection);
}

ResponseStream::State ResponseStream::take(std::string& into, std::size_t most, bool chunked)
{
    const std::scoped_lock lock(m_mutex);
    m_isWoken = false;
    if (m_isDropped) {
        return State::Dropped;
    }
    const std::size_t before = into.size();
    while (!m_waiting.empty() && into.size() - before < most) {
        const Bytes bytes = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_buffered -= bytes->size();
        if (chunked) {
            appendChunk(into, *bytes);
        } else {
            into.append(*bytes);
        }
    }
    if (!m_hasEnded || !m_waiting.empty()) {
        return State::Open;
    }
    if (chunked) {
        into.append("0\r\n\r\n");
    }
    return State::Ended;
}

} // namespace weir::http
