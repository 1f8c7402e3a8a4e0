// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/EventStream.h"

#include "core/api/JsonViews.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr auto kCommentEvery = std::chrono::seconds(15);
constexpr std::size_t kMostMarks = 4'096;
/// Messages kept for a reader whose events are still read from the store.
constexpr std::size_t kMostWaiting = 4'096;
/// Rows that are told to a reader that comes back; one that missed more reads them all again.
constexpr std::size_t kMostRowsAgain = 2'000;

/// What a viewer may see of a node: no addresses, no owner, no bodies (api.md "Who may call").
constexpr std::array kNodeForViewers{"nodeId", "role", "poolId", "static", "connected", "health", "inRotation", "cause", "quarantineRemainingSeconds", "draining",
    "consecutiveFailures", "consecutiveSuccesses", "capacity", "used", "inFlight", "reserved", "free", "version", "region", "state", "revision"};

json::object nodeJson(const plane::NodeFacts& node, bool full)
{
    json::object whole = toJson(node);
    if (full) {
        return whole;
    }
    json::object part;
    for (const char* key : kNodeForViewers) {
        if (const json::value* value = whole.if_contains(key)) {
            part[key] = *value;
        }
    }
    part["reason"] = node.inRotation ? std::string() : node.probeReason;
    return part;
}

json::object poolJson(const plane::PoolFacts& pool, bool full)
{
    json::object object = toJson(pool, {});
    object.erase("nodes"); // they have rows of their own
    if (!full) {
        object.erase("owner");
    }
    return object;
}

json::object eventJson(const journal::Event& event)
{
    boost::system::error_code error;
    json::value detail = event.detail.empty() ? json::value(nullptr) : json::parse(event.detail, error);
    return {{"seq", event.seq}, {"at", toRfc3339(event.at)}, {"kind", journal::toText(event.kind)}, {"severity", journal::toText(event.severity)}, {"nodeId", event.nodeId},
        {"poolId", event.poolId}, {"appId", event.appId}, {"role", event.role}, {"actor", event.actor}, {"sentence", event.sentence}, {"detail", error ? json::value(nullptr) : std::move(detail)}};
}

json::array idsOf(const std::vector<std::string>& ids)
{
    return json::array(ids.begin(), ids.end());
}

bool hasRows(const plane::ChangeBatch& batch)
{
    return !batch.nodes.empty() || !batch.pools.empty() || !batch.apps.empty() || !batch.removedNodes.empty() || !batch.removedPools.empty() || !batch.removedApps.empty();
}

template <typename Rows>
void keepNewer(Rows& rows, std::uint64_t revision)
{
    std::erase_if(rows, [revision](const auto& row) { return row.revision <= revision; });
}

} // namespace

EventStream::EventStream(plane::ControlPlane& plane)
    : m_plane(plane)
    , m_epoch(plane.journalEpoch())
    , m_lastSeq(plane.lastSeqAtStart())
    , m_lastComment(std::chrono::steady_clock::now())
    , m_subscription(plane.flow().subscribe([this](const plane::ChangeBatch& batch) { onBatch(batch); }, [this] { return hasReaders(); }))
{
}

EventStream::~EventStream()
{
    m_plane.flow().unsubscribe(m_subscription);
    for (const Reader& reader : m_readers) {
        reader.stream->end();
    }
}

std::optional<std::int64_t> EventStream::seqOf(std::string_view id) const
{
    if (!id.starts_with(m_epoch) || id.size() < m_epoch.size() + 2 || id[m_epoch.size()] != '-') {
        return std::nullopt;
    }
    id.remove_prefix(m_epoch.size() + 1);
    std::int64_t seq = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), seq);
    return error == std::errc() && end == id.data() + id.size() && seq >= 0 ? std::optional(seq) : std::nullopt;
}

EventStream::Bytes EventStream::message(std::int64_t seq, std::string_view kind, std::string_view text) const
{
    std::string out;
    out.reserve(text.size() + kind.size() + 64);
    out.append("id: ").append(m_epoch).append("-").append(std::to_string(seq)).append("\nevent: ").append(kind).append("\ndata: ").append(text).append("\n\n");
    return std::make_shared<const std::string>(std::move(out));
}

EventStream::Bytes EventStream::eventMessage(const journal::Event& event) const
{
    return message(event.seq, journal::toText(event.kind), json::serialize(eventJson(event)));
}

EventStream::Bytes EventStream::rowsMessage(const plane::ChangeBatch& batch, std::int64_t seq, bool full) const
{
    json::array nodes;
    for (const plane::NodeFacts& node : batch.nodes) {
        nodes.emplace_back(nodeJson(node, full));
    }
    json::array pools;
    for (const plane::PoolFacts& pool : batch.pools) {
        pools.emplace_back(poolJson(pool, full));
    }
    json::object removed{{"nodes", idsOf(batch.removedNodes)}, {"pools", idsOf(batch.removedPools)}};
    json::object rows{{"revision", batch.revision}, {"nodes", std::move(nodes)}, {"pools", std::move(pools)}};
    if (full) {
        json::array apps;
        for (const plane::AppFacts& app : batch.apps) {
            apps.emplace_back(toJson(app));
        }
        rows["apps"] = std::move(apps);
        removed["apps"] = idsOf(batch.removedApps);
    }
    rows["removed"] = std::move(removed);
    return message(seq, "rows", json::serialize(rows));
}

EventStream::Bytes EventStream::hello(std::int64_t seq, std::uint64_t revision, bool resumed, std::size_t missed, bool rowsMissed) const
{
    return message(seq, "hello",
        json::serialize(json::object{{"epoch", m_epoch}, {"seq", seq}, {"revision", revision}, {"resumed", resumed}, {"missed", missed}, {"rowsMissed", rowsMissed}}));
}

Result<std::shared_ptr<http::ResponseStream>> EventStream::open(std::string_view lastEventId, bool full, std::function<bool()> mayRead)
{
    const std::optional<std::int64_t> since = seqOf(lastEventId);
    const auto stream = std::make_shared<http::ResponseStream>(kMostBuffered);
    {
        const std::scoped_lock lock(m_mutex);
        forgetReadersThatAreGone();
        if (m_readers.size() >= kMostReaders) {
            return fail("too_many_readers", "The event stream has as many readers as it takes (" + std::to_string(kMostReaders) + ").");
        }
        m_readers.push_back({stream, full, since.has_value(), {}, 0, std::move(mayRead)});
        if (!since) {
            if (!lastEventId.empty()) {
                stream->write(message(m_lastSeq, "resync_required", json::serialize(json::object{{"reason", "other_epoch"}, {"epoch", m_epoch}, {"seq", m_lastSeq}})));
            } else {
                stream->write(hello(m_lastSeq, m_revision, false, 0, true));
            }
            return stream;
        }
    }
    m_plane.read([this, stream, from = *since](store::StoreReader& store) { replay(stream, from, store); });
    return stream;
}

EventStream::Missed EventStream::missedSince(std::int64_t since, store::StoreReader& store)
{
    store::EventFilter filter;
    filter.limit = 1;
    const auto latest = store.events(filter);
    filter.newestFirst = false;
    const auto oldest = store.events(filter);
    filter.limit = kMostReplayed + 1;
    filter.afterSeq = since;
    auto events = store.events(filter);
    if (!latest || !oldest || !events) {
        return {{}, "store_failed"};
    }
    if (since > (latest->empty() ? 0 : latest->front().seq)) {
        return {{}, "unknown_id"};
    }
    if (!oldest->empty() && oldest->front().seq > since + 1) {
        return {{}, "too_old"};
    }
    if (events->size() > kMostReplayed) {
        return {{}, "too_many"};
    }
    return {std::move(*events), {}};
}

// What changed since the batch before the one that brought event `since`; nothing when that is not known any more, or too much.
std::optional<plane::ChangeBatch> EventStream::rowsSince(std::int64_t since)
{
    std::uint64_t revision = 0;
    {
        const std::scoped_lock lock(m_mutex);
        const auto after = std::lower_bound(m_marks.begin(), m_marks.end(), since, [](const Mark& mark, std::int64_t seq) { return mark.seq < seq; });
        if (after == m_marks.begin()) {
            return std::nullopt;
        }
        revision = std::prev(after)->revision;
    }
    plane::ChangeBatch rows = m_plane.flow().snapshot();
    keepNewer(rows.nodes, revision);
    keepNewer(rows.pools, revision);
    keepNewer(rows.apps, revision);
    return rows.nodes.size() + rows.pools.size() + rows.apps.size() > kMostRowsAgain ? std::nullopt : std::optional(std::move(rows));
}

void EventStream::replay(const std::shared_ptr<http::ResponseStream>& stream, std::int64_t since, store::StoreReader& store)
{
    const Missed missed = missedSince(since, store);
    const std::optional<plane::ChangeBatch> rows = missed.whyNot.empty() ? rowsSince(since) : std::nullopt;
    const std::scoped_lock lock(m_mutex);
    const auto at = std::find_if(m_readers.begin(), m_readers.end(), [&](const Reader& reader) { return reader.stream == stream; });
    if (at == m_readers.end()) {
        return;
    }
    std::int64_t told = since;
    if (missed.whyNot.empty()) {
        stream->write(hello(since, m_revision, true, missed.events.size(), !rows));
        for (const journal::Event& event : missed.events) {
            stream->write(eventMessage(event));
            told = event.seq;
        }
        if (rows && hasRows(*rows)) {
            stream->write(rowsMessage(*rows, told, at->full));
        }
    } else {
        told = 0; // whatever waits is new
        stream->write(message(m_lastSeq, "resync_required", json::serialize(json::object{{"reason", missed.whyNot}, {"epoch", m_epoch}, {"seq", m_lastSeq}})));
    }
    for (const Piece& piece : std::exchange(at->waiting, {})) {
        if (piece.seq == 0 || piece.seq > told) {
            stream->write(piece.bytes);
        }
    }
    at->told = told;
    at->isReplaying = false;
}

// The connection and we hold a stream; where we are alone with it nobody reads.
void EventStream::forgetReadersThatAreGone()
{
    std::erase_if(m_readers, [](const Reader& reader) { return reader.stream.use_count() == 1; });
}

void EventStream::give(Reader& reader, std::int64_t seq, const Bytes& bytes)
{
    if (seq != 0 && seq <= reader.told) {
        return; // it was in the store before it was published
    }
    if (reader.isReplaying && reader.waiting.size() >= kMostWaiting) {
        reader.stream->end(); // the store does not answer: better to come again
    } else if (reader.isReplaying) {
        reader.waiting.push_back({seq, bytes});
    } else {
        reader.stream->write(bytes);
    }
}

// Who opens a stream while a batch without rows is on its way misses none: it reads them after that, by `hello` or in its replay.
bool EventStream::hasReaders()
{
    const std::scoped_lock lock(m_mutex);
    forgetReadersThatAreGone();
    return !m_readers.empty();
}

// A token that was revoked is refused at once, also to who began to read with it.
void EventStream::endReadersThatMayNot()
{
    std::erase_if(m_readers, [](const Reader& reader) {
        const bool mayRead = reader.mayRead();
        if (!mayRead) {
            reader.stream->end();
        }
        return !mayRead;
    });
}

void EventStream::onBatch(const plane::ChangeBatch& batch)
{
    const std::scoped_lock lock(m_mutex);
    forgetReadersThatAreGone();
    endReadersThatMayNot();
    const auto now = std::chrono::steady_clock::now();
    const bool comments = now - m_lastComment >= kCommentEvery;
    m_lastComment = comments ? now : m_lastComment;
    for (const journal::Event& event : batch.events) {
        m_lastSeq = event.seq;
        if (!m_readers.empty()) {
            const Bytes bytes = eventMessage(event);
            for (Reader& reader : m_readers) {
                give(reader, event.seq, bytes);
            }
        }
    }
    m_revision = batch.revision;
    if (m_marks.empty() || m_marks.back().seq < m_lastSeq) {
        m_marks.push_back({m_lastSeq, batch.revision});
        if (m_marks.size() > kMostMarks) {
            m_marks.pop_front();
        }
    } else {
        m_marks.back().revision = batch.revision;
    }
    std::array<Bytes, 2> rows; // limited, full: made when the first reader wants it
    const bool changed = hasRows(batch);
    for (Reader& reader : m_readers) {
        if (changed) {
            Bytes& bytes = rows[reader.full ? 1 : 0];
            if (!bytes) {
                bytes = rowsMessage(batch, m_lastSeq, reader.full);
            }
            give(reader, 0, bytes);
        } else if (comments && !reader.isReplaying) {
            reader.stream->write(m_comment);
        }
    }
}

} // namespace weir::api
