// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/LiveFleet.h"
#include "core/outcome/NodeOutcomes.h"
#include "core/outcome/OutcomeBook.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weir::live {

/// What one outcome did, in the words of `POST /v1/outcomes`.
struct OutcomeVerdict {
    enum class Word : std::uint8_t {
        Ok,
        Counted, ///< it counts, but the node stays: a rule that has not matched often enough, or the cap on ejections
        Ejected,
        Ignored, ///< it would have ejected a node that is out already
    };

    Word word = Word::Ok;
    bool isClean = false; ///< the node did its work, and that has been noted
    bool isFailure = false; ///< a passive failure, whether it ejected or not
    outcome::Bucket bucket = outcome::Bucket::None;
    std::string rule; ///< that decided or matched; `built_in` for transport errors and passive statuses; empty: none
    std::string text; ///< of what counts, as reasons show it: "status:500", "refused", "rule:disk-full"
    bool inRotation = false;
    Duration quarantineRemaining{0};
};

[[nodiscard]] std::string_view toText(OutcomeVerdict::Word word) noexcept;

/// Judges how requests ended by the rules in force and does what follows to the fleet. Every call may come from any thread; the
/// conditions are evaluated before the fleet's lock is taken.
class OutcomeJudge {
public:
    explicit OutcomeJudge(LiveFleet& fleet);

    /// Other rules from now on; what matched in a row by the old ones is forgotten, the counts of traffic are not.
    void setBook(std::shared_ptr<const outcome::OutcomeBook> book);
    [[nodiscard]] std::shared_ptr<const outcome::OutcomeBook> book() const;

    /// `error`: of the transport (`refused`, `timeout`, …), or empty with a response in `exchange`, whose request may be null.
    /// `birth` is the node's when the try began: an outcome of a node that is gone changes nothing (Ignored).
    /// `statuses`: of the cluster, where it has its own.
    OutcomeVerdict judge(NodeHandle node, std::uint64_t birth, const routing::Exchange& exchange, std::string_view error,
        const outcome::OutcomeRules* statuses = nullptr);

    /// Of the last five minutes; nothing for a node without any.
    [[nodiscard]] outcome::TrafficCounts counts(NodeHandle node) const;

    /// The node was removed: another one may get its handle.
    void forget(NodeHandle node);

    /// Appends the nodes whose counts have changed since the last call, by outcomes or because those of five minutes ago no longer
    /// count, so that their rows can be made again.
    void takeChanged(std::vector<NodeHandle>& into);

private:
    struct Entry {
        std::uint64_t birth = 0;
        std::uint64_t bookSerial = 0;
        outcome::NodeOutcomes outcomes;
        bool isChanged = false; ///< stands in m_changed
    };

    static constexpr Duration kLookEvery = std::chrono::seconds(30);

    outcome::NodeOutcomes::Step add(NodeHandle node, std::uint64_t birth, const outcome::Judged& judged, Instant now);
    void apply(fleet::Fleet& fleet, NodeHandle node, const outcome::Judged& judged, const outcome::NodeOutcomes::Step& step, Instant now,
        OutcomeVerdict& verdict) const;

    LiveFleet& m_fleet;
    mutable std::mutex m_mutex; ///< taken inside the fleet's lock, never around it
    std::shared_ptr<const outcome::OutcomeBook> m_book;
    std::uint64_t m_bookSerial = 1;
    std::vector<std::unique_ptr<Entry>> m_entries; ///< by handle; null where nothing was reported
    std::vector<NodeHandle> m_changed;
    Instant m_now{};    ///< of the latest outcome or look
    Instant m_looked{}; ///< when old counts were last looked for
};

} // namespace weir::live
