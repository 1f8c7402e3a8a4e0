// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/widgets/Chip.h"

#include <QCoreApplication>

namespace weir::ui {

/// The Verdict column of Apps & bindings; larger is worse.
enum class AppStandingKind { Ok, FallsBack, FailsClosed, EmptyPool };

/// How an app stands in the pool that it resolves to: what the plane says about the app, and what the pool has.
struct AppStanding {
    AppStandingKind kind = AppStandingKind::Ok;
    std::array<int, kScheduledRoleCount> available{-1, -1, -1}; ///< -1: the pool has no node of the role
    int fallbackCandidates = 0;                                 ///< of `default`, where the app falls back
    std::optional<Role> starvedRole;                            ///< the role that the verdict is about

    [[nodiscard]] bool failsClosed() const { return kind == AppStandingKind::FailsClosed || kind == AppStandingKind::EmptyPool; }
    friend bool operator==(const AppStanding&, const AppStanding&) = default;
};

[[nodiscard]] AppStanding standingOf(const AppRow& app, const FleetStore& store);

/// One rule of the resolution: what it says about this app, and whether it is the one that decides.
struct ResolutionStep {
    QString rule;   ///< "Explicit binding"
    QString says;   ///< "to pool-7", "none"
    bool wins = false;
};

/// Words about apps, for table, tooltip and drawer alike.
class AppWords {
    Q_DECLARE_TR_FUNCTIONS(AppWords)

public:
    [[nodiscard]] static QString resolution(Resolution resolution);
    [[nodiscard]] static QString fallback(const AppRow& app);
    /// Why fallback is as it is: "fail-closed: user 3 owns nodes, so the isolation holds".
    [[nodiscard]] static QString fallbackSentence(const AppRow& app);
    [[nodiscard]] static ChipSpec verdict(const AppStanding& standing);
    /// All three rules in their order.
    [[nodiscard]] static QList<ResolutionStep> chain(const AppRow& app);
    /// The chain as lines of text, the deciding one marked.
    [[nodiscard]] static QString chainText(const AppRow& app);
    /// A row as it is read out.
    [[nodiscard]] static QString sentence(const AppRow& app, const AppStanding& standing);
};

} // namespace weir::ui
