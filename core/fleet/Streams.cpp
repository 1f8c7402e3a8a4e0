// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fleet/Streams.h"

#include <algorithm>
#include <array>

namespace weir::fleet {
namespace {

/// The key of a look-up, without memory of its own.
class Key {
public:
    Key(std::string_view app, std::string_view stream)
    {
        const std::size_t appSize = std::min(app.size(), kMostApp);
        const std::size_t streamSize = std::min(stream.size(), kMostStream);
        char* out = std::copy_n(app.data(), appSize, m_text.data());
        *out++ = '/';
        out = std::copy_n(stream.data(), streamSize, out);
        m_size = static_cast<std::size_t>(out - m_text.data());
    }
    [[nodiscard]] std::string_view view() const { return {m_text.data(), m_size}; }

private:
    static constexpr std::size_t kMostApp = 63;
    static constexpr std::size_t kMostStream = 200;
    std::array<char, kMostApp + 1 + kMostStream> m_text;
    std::size_t m_size = 0;
};

} // namespace

const Streams::Stream* Streams::find(std::string_view app, std::string_view stream) const
{
    const auto found = m_streams.find(Key(app, stream).view());
    return found == m_streams.end() ? nullptr : &found->second;
}

bool Streams::hasRoomFor(std::string_view app, std::string_view stream) const
{
    return m_streams.size() < kMost || find(app, stream) != nullptr;
}

Streams::OfNode& Streams::ofNode(NodeHandle node)
{
    if (m_nodes.size() <= node.value()) {
        m_nodes.resize(std::size_t{node.value()} + 1);
    }
    return m_nodes[node.value()];
}

Streams::Stream& Streams::insert(std::string_view app, std::string_view stream)
{
    const auto [at, isNew] = m_streams.try_emplace(std::string(Key(app, stream).view()));
    if (isNew) {
        const std::string_view key = at->first;
        at->second.app = key.substr(0, key.find('/'));
        at->second.stream = key.substr(key.find('/') + 1);
    }
    return at->second;
}

void Streams::link(Stream& stream, NodeHandle node, Instant now)
{
    OfNode& of = ofNode(node);
    stream.node = node;
    stream.since = now;
    stream.reported = false;
    stream.missed = 0;
    stream.round = of.round;
    stream.previous = nullptr;
    stream.next = of.first;
    if (of.first != nullptr) {
        of.first->previous = &stream;
    }
    of.first = &stream;
    ++of.count;
}

void Streams::unlink(Stream& stream)
{
    if (!stream.node.isValid()) {
        return;
    }
    OfNode& of = m_nodes[stream.node.value()];
    (stream.previous != nullptr ? stream.previous->next : of.first) = stream.next;
    if (stream.next != nullptr) {
        stream.next->previous = stream.previous;
    }
    --of.count;
    stream.node = NodeHandle();
}

void Streams::bind(std::string_view app, std::string_view stream, NodeHandle node, Instant now)
{
    Stream& entry = insert(app, stream);
    if (entry.node == node) {
        entry.missed = 0; // asked for anew: it has two reports again
        return;
    }
    unlink(entry);
    link(entry, node, now);
}

bool Streams::end(std::string_view app, std::string_view stream)
{
    const auto found = m_streams.find(Key(app, stream).view());
    if (found == m_streams.end()) {
        return false;
    }
    unlink(found->second);
    m_streams.erase(found);
    return true;
}

void Streams::endAllOf(NodeHandle node)
{
    if (node.value() >= m_nodes.size()) {
        return;
    }
    OfNode& of = m_nodes[node.value()];
    while (of.first != nullptr) {
        end(of.first->app, of.first->stream);
    }
    of.reports = false;
}

void Streams::report(NodeHandle node, const std::vector<StreamName>& streams, Instant now, const std::function<bool(NodeHandle)>& isGone)
{
    OfNode& of = ofNode(node);
    of.reports = true;
    ++of.round;
    for (const StreamName& name : streams) {
        const auto found = m_streams.find(Key(name.app, name.stream).view());
        if (found == m_streams.end() && m_streams.size() >= kMost) {
            ++m_unlisted;
            continue;
        }
        Stream& entry = found == m_streams.end() ? insert(name.app, name.stream) : found->second;
        if (entry.node != node) {
            if (entry.node.isValid() && !isGone(entry.node)) {
                continue; // a newer decision put it there
            }
            unlink(entry);
            link(entry, node, now);
        }
        entry.reported = true;
        entry.missed = 0;
        entry.round = of.round;
    }
    endMissing(node);
}

void Streams::endMissing(NodeHandle node)
{
    const OfNode& of = m_nodes[node.value()];
    Stream* at = of.first;
    while (at != nullptr) {
        Stream* const next = at->next;
        if (at->round != of.round && ++at->missed >= kMissedReports) {
            end(at->app, at->stream);
        }
        at = next;
    }
}

bool Streams::reports(NodeHandle node) const
{
    return node.value() < m_nodes.size() && m_nodes[node.value()].reports;
}

std::size_t Streams::countOn(NodeHandle node) const
{
    return node.value() < m_nodes.size() ? m_nodes[node.value()].count : 0;
}

} // namespace weir::fleet
