// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Log.h"
#include "core/config/Config.h"
#include "core/live/OutcomeJudge.h"
#include "core/plane/Command.h"
#include "core/plane/ConfigMerge.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"

#include <boost/json/object.hpp>
#include <memory>
#include <vector>

namespace weir::plane {

/// `{"passiveStatuses": ["401", "5xx"], "rules": [{"name", "when", "after"}]}`.
[[nodiscard]] boost::json::object toJson(const outcome::OutcomeSettings& settings);

/// Takes each member of `patch` over into a copy of `settings` (a list as a whole) and compiles it. Errors: `unknown_field`,
/// `wrong_type`, `missing_field`, `invalid_value` and the codes of conditions; `field` is `rules[0].when`, and for a condition the message says line and column.
[[nodiscard]] Result<std::shared_ptr<const outcome::OutcomeBook>> patched(const outcome::OutcomeSettings& settings, const boost::json::object& patch);

/// The outcome rules and passive statuses in force: the file's, with what administrators changed on top.
class OutcomeCommands {
public:
    OutcomeCommands(StoreThread& store, StoredBook& book, live::OutcomeJudge& judge, Log& log)
        : m_store(store)
        , m_book(book)
        , m_judge(judge)
        , m_log(log)
    {
    }

    [[nodiscard]] outcome::OutcomeSettings settings() const { return m_judge.book()->settings(); }

    /// Durable, audited, in force for the next outcome. From any thread; errors as patched().
    void put(boost::json::object patch, Actor actor, Done<outcome::OutcomeSettings> done);

    /// What a configuration makes of the rules, stored changes included; to be put in force with use(). On the store thread, or before
    /// it runs.
    [[nodiscard]] std::shared_ptr<const outcome::OutcomeBook> bookFor(const config::Config& config, bool configWins, std::vector<ConfigDifference>& differences) const;

    /// Puts what bookFor() gave in force, and remembers what the file says. On the store thread, or before it runs.
    void use(std::shared_ptr<const outcome::OutcomeBook> book, const config::Config& config);

private:
    Plan planOf(const std::shared_ptr<const outcome::OutcomeBook>& before, const std::shared_ptr<const outcome::OutcomeBook>& after, const Actor& actor, const CommandTime& time);

    StoreThread& m_store;
    StoredBook& m_book;
    live::OutcomeJudge& m_judge;
    Log& m_log;
    outcome::OutcomeSettings m_file; ///< what holds without administrators
};

} // namespace weir::plane
