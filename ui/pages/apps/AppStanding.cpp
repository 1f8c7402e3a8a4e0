// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppStanding.h"

#include "ui/live/Words.h"

namespace weir::ui {

AppStanding standingOf(const AppRow& app, const FleetStore& store)
{
    AppStanding standing;
    const PoolRow* pool = store.pool(app.pool);
    int nodes = 0;
    for (std::size_t role = 0; pool != nullptr && role < kScheduledRoleCount; ++role) {
        const RoleCounts& counts = pool->roles[role];
        nodes += counts.nodes;
        standing.available[role] = counts.nodes == 0 ? -1 : counts.available;
    }
    if (app.verdict != AppVerdict::Ok) {
        standing.starvedRole = Words::roleIn(app.why);
    }
    if (app.verdict == AppVerdict::FallsBack) {
        standing.kind = AppStandingKind::FallsBack;
        const PoolRow* shared = store.pool(QStringLiteral("default"));
        if (shared != nullptr && standing.starvedRole) {
            standing.fallbackCandidates = shared->roles[static_cast<std::size_t>(*standing.starvedRole)].available;
        }
    } else if (pool != nullptr && nodes == 0) {
        standing.kind = AppStandingKind::EmptyPool;
    } else if (app.verdict == AppVerdict::FailsClosed) {
        standing.kind = AppStandingKind::FailsClosed;
    }
    return standing;
}

QString AppWords::resolution(Resolution resolution)
{
    switch (resolution) {
    case Resolution::Binding: return tr("Explicit binding");
    case Resolution::Owner: return tr("Owner's pool");
    case Resolution::Default: return tr("Default");
    }
    return {};
}

QString AppWords::fallback(const AppRow& app)
{
    return app.fallbackAllowed ? tr("allowed") : tr("fail-closed");
}

QString AppWords::fallbackSentence(const AppRow& app)
{
    if (app.pool == QLatin1String("default")) {
        return tr("none: default is the last pool");
    }
    if (app.resolution == Resolution::Owner) {
        return app.fallbackAllowed ? tr("allowed while user %1 owns no node").arg(app.owner) : tr("fail-closed: user %1 owns nodes").arg(app.owner);
    }
    return app.fallbackAllowed ? tr("allowed by the binding (recorded, breaks isolation)") : tr("fail-closed by the binding");
}

ChipSpec AppWords::verdict(const AppStanding& standing)
{
    switch (standing.kind) {
    case AppStandingKind::Ok: return {IconName::MarkOnline, tr("OK"), Tone::Online, false};
    case AppStandingKind::FallsBack:
        return {IconName::MarkFailing, tr("Would fall back to default (%1)").arg(standing.fallbackCandidates), Tone::Failing, true};
    case AppStandingKind::FailsClosed: return {IconName::MarkOffline, tr("Fails closed"), Tone::Offline, true};
    case AppStandingKind::EmptyPool: return {IconName::MarkOffline, tr("Resolves to empty pool"), Tone::Offline, true};
    }
    return {};
}

QList<ResolutionStep> AppWords::chain(const AppRow& app)
{
    const bool bound = app.resolution == Resolution::Binding;
    const bool owned = app.resolution == Resolution::Owner;
    QString owner = tr("no owner is known");
    if (!app.owner.isEmpty()) {
        owner = bound ? tr("user %1, pool-%1; not reached").arg(app.owner) : tr("user %1, so pool-%1").arg(app.owner);
    }
    return {
        {tr("Explicit binding"), bound ? tr("to %1").arg(app.pool) : tr("none"), bound},
        {tr("Owner's pool"), owner, owned},
        {tr("Default"), bound || owned ? tr("default; not reached") : tr("default"), !bound && !owned},
    };
}

QString AppWords::chainText(const AppRow& app)
{
    QStringList lines;
    const QList<ResolutionStep> steps = chain(app);
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const ResolutionStep& step = steps.at(i);
        const QString line = step.wins ? tr("%1. %2: %3 — this one decides", "number, rule, what it says") : tr("%1. %2: %3", "number, rule, what it says");
        lines.append(line.arg(i + 1).arg(step.rule, step.says));
    }
    return lines.join(QLatin1Char('\n'));
}

QString AppWords::sentence(const AppRow& app, const AppStanding& standing)
{
    const auto count = [&standing](Role role) { return qMax(0, standing.available[static_cast<std::size_t>(role)]); };
    return tr("%1, resolves to %2 by %3, fallback %4, available: %5 origins, %6 edges, %7 workers, %8")
        .arg(app.id, app.pool, resolution(app.resolution), fallback(app))
        .arg(count(Role::Origin))
        .arg(count(Role::Edge))
        .arg(count(Role::Worker))
        .arg(verdict(standing).text);
}

} // namespace weir::ui
