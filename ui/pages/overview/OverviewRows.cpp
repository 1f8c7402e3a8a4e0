// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/OverviewRows.h"

#include "ui/widgets/TimeText.h"

#include <QCollator>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr qsizetype kMostRows = 50;

ShortCell textCell(const QString& text, int level = 1)
{
    ShortCell cell;
    cell.text = text;
    cell.level = level;
    return cell;
}

ShortCell linkCell(const QString& text)
{
    ShortCell cell;
    cell.text = text;
    cell.link = !text.isEmpty();
    return cell;
}

ShortCell chipCell(const ChipSpec& chip)
{
    ShortCell cell;
    cell.chip = chip;
    return cell;
}

ShortCell sinceCell(qint64 ms, const QTimeZone& zone)
{
    ShortCell cell = textCell(timetext::clock(ms, zone));
    cell.right = true;
    cell.toolTip = ms > 0 ? timetext::full(ms, zone) : QString();
    return cell;
}

QString ratio(const NodeRow& node)
{
    const qint64 failed = qint64(node.trafficTransport) + node.trafficStatus + qMax(0, node.trafficSemantic);
    return QStringLiteral("%1/%2").arg(timetext::number(failed), timetext::number(failed + node.trafficOk));
}

struct Trouble {
    int rank = 0;
    ChipSpec chip;
};

/// How bad it is, 0 worst; nothing for a node that needs nobody.
std::optional<Trouble> troubleOf(const NodeRow& node, qint64 nowMonoMs)
{
    if (node.pool == QLatin1String("unassigned")) {
        return std::nullopt;
    }
    const ProbeState state = node.probeState(nowMonoMs);
    if (isGreenButFailing(node, nowMonoMs)) {
        return Trouble{0, chips::traffic(node)};
    }
    switch (state) {
    case ProbeState::Offline: return Trouble{1, chips::probe(node, nowMonoMs)};
    case ProbeState::Quarantined: return Trouble{2, chips::probe(node, nowMonoMs)};
    case ProbeState::Failing: return Trouble{3, chips::probe(node, nowMonoMs)};
    case ProbeState::NoData: return Trouble{5, chips::probe(node, nowMonoMs)};
    case ProbeState::Online:
    case ProbeState::Draining: break;
    }
    if (node.traffic == Traffic::Degraded || node.traffic == Traffic::Failing) {
        return Trouble{4, chips::traffic(node)};
    }
    return std::nullopt;
}

QHash<QString, qint64> outSince(const QList<EventRow>& events)
{
    QHash<QString, qint64> since;
    for (const EventRow& event : events) {
        if (event.kind == QLatin1String("node_offline") || event.kind == QLatin1String("node_disconnected")
            || event.kind == QLatin1String("quarantine_started")) {
            since.insert(event.nodeId, event.atMs);
        }
    }
    return since;
}

qint64 troubleSince(const NodeRow& node, qint64 nowMonoMs, const QHash<QString, qint64>& events)
{
    switch (node.probeState(nowMonoMs)) {
    case ProbeState::Quarantined:
        return node.quarantinedUntilMs > 0 ? node.quarantinedUntilMs - node.quarantineLengthMs : node.lastEjectionMs;
    case ProbeState::Offline:
        return events.value(node.id, node.lastEjectionMs);
    default:
        return 0;
    }
}

IconName glyphOf(const QString& kind)
{
    if (kind == QLatin1String("node_moved")) {
        return IconName::Move;
    }
    if (kind == QLatin1String("node_draining") || kind == QLatin1String("node_undrained")) {
        return IconName::Drain;
    }
    if (kind.startsWith(QLatin1String("config_")) || kind == QLatin1String("settings_changed")) {
        return IconName::Config;
    }
    if (kind.startsWith(QLatin1String("app_"))) {
        return IconName::LinkOut;
    }
    if (kind == QLatin1String("node_created") || kind == QLatin1String("pool_created")) {
        return IconName::Plus;
    }
    if (kind == QLatin1String("node_removed") || kind == QLatin1String("pool_removed")) {
        return IconName::Close;
    }
    return IconName::None;
}

} // namespace

QList<ShortRow> overviewrows::starved(const FleetSummary& summary, const QTimeZone& zone)
{
    QList<ShortRow> rows;
    for (const StarvedApp& app : summary.starved) {
        ShortCell why = textCell(app.why);
        why.icon = IconName::MarkOffline;
        why.iconTone = Tone::Offline;
        why.sentence = true;
        rows.append({app.app, {linkCell(app.app), linkCell(app.pool), why, sinceCell(app.sinceMs, zone)}});
    }
    return rows;
}

QList<ShortRow> overviewrows::greenButFailing(const QHash<QString, NodeRow>& nodes, qint64 nowMonoMs)
{
    QList<const NodeRow*> found;
    for (const NodeRow& node : nodes) {
        if (node.pool != QLatin1String("unassigned") && isGreenButFailing(node, nowMonoMs)) {
            found.append(&node);
        }
    }
    std::sort(found.begin(), found.end(), [](const NodeRow* a, const NodeRow* b) {
        const int pa = chips::failedPercent(*a);
        const int pb = chips::failedPercent(*b);
        return pa != pb ? pa > pb : a->id < b->id;
    });
    QList<ShortRow> rows;
    for (const NodeRow* node : found.mid(0, kMostRows)) {
        ShortCell counts = textCell(ratio(*node), 2);
        counts.right = true;
        rows.append({node->id, {linkCell(node->id), chipCell(chips::probe(*node, nowMonoMs)), chipCell(chips::traffic(*node)), counts}});
    }
    return rows;
}

QList<ShortRow> overviewrows::attention(const OverviewState& state, qint64 nowMonoMs, const QTimeZone& zone)
{
    QList<std::pair<Trouble, const NodeRow*>> found;
    for (const NodeRow& node : state.nodes()) {
        if (const std::optional<Trouble> trouble = troubleOf(node, nowMonoMs)) {
            found.append({*trouble, &node});
        }
    }
    QCollator collator;
    collator.setNumericMode(true);
    std::sort(found.begin(), found.end(), [&collator](const auto& a, const auto& b) {
        if (a.first.rank != b.first.rank) {
            return a.first.rank < b.first.rank;
        }
        const int order = collator.compare(a.second->id, b.second->id);
        return order != 0 ? order < 0 : a.second->id < b.second->id;
    });
    const QHash<QString, qint64> events = outSince(state.events());
    QList<ShortRow> rows;
    for (const auto& [trouble, node] : found.mid(0, kMostRows)) {
        rows.append({node->id,
                     {linkCell(node->id), chipCell(trouble.chip), sinceCell(troubleSince(*node, nowMonoMs, events), zone)}});
    }
    return rows;
}

QList<ShortRow> overviewrows::changes(const QList<EventRow>& events, const QTimeZone& zone)
{
    QList<ShortRow> rows;
    for (auto event = events.crbegin(); event != events.crend() && rows.size() < kMostRows; ++event) {
        // A start with a file makes one event a node; "configuration loaded" says the same in one line.
        const bool fromFile = event->kind == QLatin1String("node_created") && event->actor == QLatin1String("config");
        const IconName glyph = glyphOf(event->kind);
        if (glyph == IconName::None || fromFile) {
            continue;
        }
        ShortCell time = textCell(timetext::clock(event->atMs, zone), 2);
        time.icon = glyph;
        time.toolTip = timetext::full(event->atMs, zone);
        ShortCell sentence = textCell(event->sentence);
        sentence.sentence = true;
        rows.append({QString::number(event->seq), {time, sentence}});
    }
    return rows;
}

} // namespace weir::ui
