// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/OverviewFigures.h"

#include "ui/widgets/TimeText.h"

#include <QCoreApplication>
#include <QLocale>

namespace weir::ui {

namespace {

constexpr double kNearLimit = 0.8; // share of an upper limit from which on it is at risk

struct Words {
    Q_DECLARE_TR_FUNCTIONS(OverviewFigures)
};

/// One decimal, and never rounded up to a round 100 that is not true.
QString percent(double value)
{
    const double shown = value < 100.0 ? qMin(value, 99.9) : value;
    return Words::tr("%1\u00A0%").arg(QLocale::c().toString(shown, 'f', 1));
}

/// As it was set: "1 %", "99.5 %".
QString targetPercent(double value)
{
    return Words::tr("%1\u00A0%").arg(QLocale::c().toString(value, 'g', 4));
}

TileFigures noData(const QString& target, const QString& why)
{
    TileFigures figures;
    figures.value = QStringLiteral("–");
    figures.target = target;
    figures.why = why;
    figures.chip = chips::target(TargetWord::NoData);
    return figures;
}

TargetWord underLimit(double value, double limit)
{
    if (value > limit) {
        return TargetWord::Missed;
    }
    return limit > 0 && value >= kNearLimit * limit ? TargetWord::AtRisk : TargetWord::Met;
}

TileFigures schedulableApps(const FleetSummary& s)
{
    if (s.apps == 0) {
        return noData({}, s.admitsUnknownApps ? Words::tr("None declared; unknown apps resolve to default.") : Words::tr("No app is declared yet."));
    }
    TileFigures figures;
    figures.value = timetext::number(s.apps - s.appsStarved);
    figures.of = Words::tr("of %1").arg(timetext::number(s.apps));
    figures.target = Words::tr("target %1").arg(timetext::number(s.apps));
    figures.chip = chips::target(s.appsStarved > 0 ? TargetWord::Missed : TargetWord::Met);
    return figures;
}

TileFigures workersHealthy(const FleetSummary& s)
{
    if (s.workersTotal == 0) {
        return noData({}, Words::tr("No worker is registered yet."));
    }
    TileFigures figures;
    figures.value = timetext::number(s.workersHealthy);
    figures.of = Words::tr("of %1").arg(timetext::number(s.workersTotal));
    if (s.minHealthy <= 0) {
        figures.target = Words::tr("no minimum set");
        return figures;
    }
    figures.target = Words::tr("target ≥ %1").arg(timetext::number(s.minHealthy));
    const bool none = s.workersHealthy == s.minHealthy && s.workersHealthy < s.workersTotal;
    figures.chip = chips::target(s.workersHealthy < s.minHealthy ? TargetWord::Missed : (none ? TargetWord::AtRisk : TargetWord::Met));
    return figures;
}

TileFigures requestSuccess(const TrafficTotals& traffic, const OverviewTargets& targets)
{
    const QString target = Words::tr("target %1").arg(targetPercent(targets.requestSuccessPercent));
    if (traffic.all() == 0) {
        return noData(target, traffic.measured ? Words::tr("No request in the last 5 minutes.") : Words::tr("No request has been seen yet."));
    }
    const double value = 100.0 * static_cast<double>(traffic.ok) / static_cast<double>(traffic.all());
    TileFigures figures;
    figures.value = percent(value);
    figures.of = Words::tr("of %1").arg(timetext::number(traffic.all()));
    figures.target = target;
    figures.chip = chips::target(value < targets.requestSuccessPercent ? TargetWord::Missed : TargetWord::Met);
    return figures;
}

TileFigures poolExhausted(const FleetSummary& s, const OverviewTargets& targets)
{
    const QString target = Words::tr("target %1").arg(targets.exhaustedPerHour);
    if (s.decisions1h == 0 && s.exhausted1h == 0) {
        return noData(target, Words::tr("No node was asked for in the last hour."));
    }
    TileFigures figures;
    figures.value = timetext::number(s.exhausted1h);
    figures.target = target;
    figures.chip = chips::target(underLimit(s.exhausted1h, targets.exhaustedPerHour));
    return figures;
}

TileFigures fallbackShare(const FleetSummary& s, const OverviewTargets& targets)
{
    const QString target = Words::tr("target ≤ %1").arg(targetPercent(targets.fallbackPercent));
    if (s.decisions1h == 0) {
        return noData(target, Words::tr("No node was asked for in the last hour."));
    }
    const double value = 100.0 * s.fallbacks1h / s.decisions1h;
    TileFigures figures;
    figures.value = percent(value);
    figures.of = Words::tr("of %1").arg(timetext::number(s.decisions1h));
    figures.target = target;
    figures.chip = chips::target(underLimit(value, targets.fallbackPercent));
    return figures;
}

TileFigures ejections(const FleetSummary& s, const OverviewTargets& targets)
{
    const QString target = Words::tr("target ≤ %1").arg(targets.ejectionsPerHour);
    if (s.workersTotal == 0) {
        return noData(target, Words::tr("No worker is registered yet."));
    }
    TileFigures figures;
    figures.value = timetext::number(s.ejections1h);
    figures.of = Words::tr("%n flap(s)", nullptr, s.flaps1h);
    figures.target = target;
    figures.chip = chips::target(underLimit(s.ejections1h, targets.ejectionsPerHour));
    return figures;
}

} // namespace

void TrafficTotals::add(const NodeRow& node)
{
    if (node.traffic == Traffic::NotMeasured || node.traffic == Traffic::NoEffect) {
        return;
    }
    measured = true;
    ok += node.trafficOk;
    failed += qint64(node.trafficTransport) + node.trafficStatus + qMax(0, node.trafficSemantic);
}

std::optional<double> tileValue(TileKind kind, const FleetSummary& s, const TrafficTotals& traffic)
{
    switch (kind) {
    case TileKind::SchedulableApps:
        return s.apps > 0 ? std::optional<double>(s.apps - s.appsStarved) : std::nullopt;
    case TileKind::WorkersHealthy:
        return s.workersTotal > 0 ? std::optional<double>(s.workersHealthy) : std::nullopt;
    case TileKind::RequestSuccess:
        return traffic.all() > 0 ? std::optional(100.0 * static_cast<double>(traffic.ok) / static_cast<double>(traffic.all())) : std::nullopt;
    case TileKind::PoolExhausted:
        return s.decisions1h > 0 || s.exhausted1h > 0 ? std::optional<double>(s.exhausted1h) : std::nullopt;
    case TileKind::FallbackShare:
        return s.decisions1h > 0 ? std::optional(100.0 * s.fallbacks1h / s.decisions1h) : std::nullopt;
    case TileKind::Ejections:
        return s.workersTotal > 0 ? std::optional<double>(s.ejections1h) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> tileTarget(TileKind kind, const FleetSummary& s, const OverviewTargets& targets)
{
    switch (kind) {
    case TileKind::SchedulableApps:
        return s.apps;
    case TileKind::WorkersHealthy:
        return s.minHealthy > 0 ? std::optional<double>(s.minHealthy) : std::nullopt;
    case TileKind::RequestSuccess:
        return targets.requestSuccessPercent;
    case TileKind::PoolExhausted:
        return std::nullopt; // a line at nothing says nothing
    case TileKind::FallbackShare:
        return targets.fallbackPercent;
    case TileKind::Ejections:
        return targets.ejectionsPerHour;
    }
    return std::nullopt;
}

TileFigures tileFigures(TileKind kind, const FleetSummary& s, const TrafficTotals& traffic, const OverviewTargets& targets)
{
    switch (kind) {
    case TileKind::SchedulableApps:
        return schedulableApps(s);
    case TileKind::WorkersHealthy:
        return workersHealthy(s);
    case TileKind::RequestSuccess:
        return requestSuccess(traffic, targets);
    case TileKind::PoolExhausted:
        return poolExhausted(s, targets);
    case TileKind::FallbackShare:
        return fallbackShare(s, targets);
    case TileKind::Ejections:
        break;
    }
    return ejections(s, targets);
}

TileFigures unknownFigures()
{
    return noData({}, Words::tr("The state of the fleet has not come yet."));
}

} // namespace weir::ui
