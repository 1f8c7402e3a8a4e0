// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// A stream as a heartbeat names it.
struct StreamName {
    std::string_view app;
    std::string_view stream;
};

/// Which node carries which stream: bound by decisions, confirmed and rebuilt by heartbeats, ended when the node no longer reports it
/// in two of them (api.md "Scheduling"). In memory only. Times are arguments; ids are checked by the caller.
class Streams {
public:
    /// Beyond this no stream is bound; what nodes report beyond it is only counted.
    static constexpr std::size_t kMost = 100'000;
    static constexpr std::uint8_t kMissedReports = 2;

    struct Stream {
        NodeHandle node;
        Instant since{};       ///< bound to this node
        bool reported = false; ///< the node itself has named it
        std::uint8_t missed = 0;
        std::uint32_t round = 0;   ///< of its node's last report that named it
        std::string_view app;      ///< into the key
        std::string_view stream;
        Stream* previous = nullptr; ///< of the same node
        Stream* next = nullptr;
    };

    Streams() = default;
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    [[nodiscard]] const Stream* find(std::string_view app, std::string_view stream) const;
    [[nodiscard]] bool hasRoomFor(std::string_view app, std::string_view stream) const;
    /// The caller made sure that there is room.
    void bind(std::string_view app, std::string_view stream, NodeHandle node, Instant now);
    /// False when there was none.
    bool end(std::string_view app, std::string_view stream);
    void endAllOf(NodeHandle node);

    /// All that `node` carries now. A stream that another node carries stays there unless `isGone(that node)`.
    void report(NodeHandle node, const std::vector<StreamName>& streams, Instant now, const std::function<bool(NodeHandle)>& isGone);
    /// Whether the node has reported its streams since it was made or since endAllOf().
    [[nodiscard]] bool reports(NodeHandle node) const;

    [[nodiscard]] std::size_t countOn(NodeHandle node) const;
    [[nodiscard]] std::size_t size() const { return m_streams.size(); }
    /// Reported streams that found no room.
    [[nodiscard]] std::uint64_t unlisted() const { return m_unlisted; }

    /// Calls `use(stream)` for those whose key is greater than `after` (`app/stream`), in order, while it returns true.
    template <typename Use>
    void forEachAfter(std::string_view after, Use&& use) const
    {
        for (auto at = m_streams.upper_bound(after); at != m_streams.end() && use(at->second); ++at) {
        }
    }

private:
    using Table = std::map<std::string, Stream, std::less<>>;
    struct OfNode {
        Stream* first = nullptr;
        std::uint32_t count = 0;
        std::uint32_t round = 0;
        bool reports = false;
    };

    OfNode& ofNode(NodeHandle node);
    Stream& insert(std::string_view app, std::string_view stream);
    void link(Stream& stream, NodeHandle node, Instant now);
    void unlink(Stream& stream);
    void endMissing(NodeHandle node);

    Table m_streams; ///< by `app/stream`: neither id holds a slash
    std::vector<OfNode> m_nodes; ///< by handle
    std::uint64_t m_unlisted = 0;
};

} // namespace weir::fleet
