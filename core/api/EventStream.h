// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/ResponseStream.h"
#include "core/plane/ControlPlane.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::api {

/// Who reads `GET /admin/stream` (api.md), and what goes to them. Each batch of changes is made into text once, whatever the
/// number of readers. Messages:
///   hello            the first one: epoch, seq, revision, resumed, missed (events that follow), rowsMissed
///   <kind>           an event that is committed, with its own id
///   rows             rows that changed: revision, nodes, pools, apps, removed; its id is that of the last event before it
///   resync_required  the events since the given id cannot be told; read everything again
class EventStream {
public:
    /// The plane must outlive this.
    explicit EventStream(plane::ControlPlane& plane);
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;
    ~EventStream();

    static constexpr std::size_t kMostReaders = 500;
    static constexpr std::size_t kMostBuffered = 8U << 20U; ///< bytes that a reader may be behind
    static constexpr std::size_t kMostReplayed = 5'000;     ///< events that are told again

    /// A reader that begins now; `lastEventId` empty: with what comes from here on. `full`: rows with addresses, owners and
    /// bodies. `mayRead` is asked before each batch: false ends the stream (a token that was revoked or has expired). Any thread.
    /// Error: `too_many_readers`.
    [[nodiscard]] Result<std::shared_ptr<http::ResponseStream>> open(std::string_view lastEventId, bool full, std::function<bool()> mayRead);

private:
    using Bytes = http::ResponseStream::Bytes;
    struct Piece {
        std::int64_t seq = 0; ///< 0: rows
        Bytes bytes;
    };
    struct Reader {
        std::shared_ptr<http::ResponseStream> stream;
        bool full = false;
        bool isReplaying = false; ///< what comes meanwhile waits
        std::vector<Piece> waiting;
        std::int64_t told = 0; ///< events up to here were replayed
        std::function<bool()> mayRead;
    };
    /// How far the fleet was when the events up to `seq` had been sent.
    struct Mark {
        std::int64_t seq = 0;
        std::uint64_t revision = 0;
    };
    struct Missed {
        std::vector<journal::Event> events;
        std::string whyNot; ///< not empty: resync_required
    };

    void onBatch(const plane::ChangeBatch& batch);
    void forgetReadersThatAreGone();
    [[nodiscard]] bool hasReaders();
    void endReadersThatMayNot();
    void replay(const std::shared_ptr<http::ResponseStream>& stream, std::int64_t since, store::StoreReader& store);
    [[nodiscard]] static Missed missedSince(std::int64_t since, store::StoreReader& store);
    [[nodiscard]] std::optional<plane::ChangeBatch> rowsSince(std::int64_t since);
    void give(Reader& reader, std::int64_t seq, const Bytes& bytes);
    [[nodiscard]] std::optional<std::int64_t> seqOf(std::string_view id) const;
    [[nodiscard]] Bytes message(std::int64_t seq, std::string_view kind, std::string_view json) const;
    [[nodiscard]] Bytes eventMessage(const journal::Event& event) const;
    [[nodiscard]] Bytes rowsMessage(const plane::ChangeBatch& batch, std::int64_t seq, bool full) const;
    [[nodiscard]] Bytes hello(std::int64_t seq, std::uint64_t revision, bool resumed, std::size_t missed, bool rowsMissed) const;

    plane::ControlPlane& m_plane;
    const std::string m_epoch;
    const Bytes m_comment = std::make_shared<const std::string>(": still here\n\n");

    std::mutex m_mutex;
    std::vector<Reader> m_readers;
    std::deque<Mark> m_marks;
    std::int64_t m_lastSeq = 0;
    std::uint64_t m_revision = 0;
    std::chrono::steady_clock::time_point m_lastComment;
    int m_subscription = 0;
};

} // namespace weir::api
