// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/Words.h"

#include "ui/widgets/Chip.h"

namespace weir::ui {

namespace {

constexpr qint64 kSecond = 1000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

QString twoDigits(qint64 value)
{
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
}

} // namespace

QString Words::role(Role role)
{
    switch (role) {
    case Role::Origin: return QStringLiteral("origin");
    case Role::Edge: return QStringLiteral("edge");
    case Role::Worker: return QStringLiteral("worker");
    case Role::Recorder: return QStringLiteral("recorder");
    case Role::Forward: return QStringLiteral("forward");
    case Role::Standalone: return QStringLiteral("standalone");
    }
    return {};
}

std::optional<Role> Words::roleIn(const QString& why)
{
    for (const Role each : {Role::Origin, Role::Edge, Role::Worker}) {
        if (why.contains(role(each))) {
            return each;
        }
    }
    return std::nullopt;
}

ProbeState Words::checkState(const NodeRow& row)
{
    if (!row.checked) {
        return ProbeState::NoData;
    }
    if (!row.connected) {
        return ProbeState::Offline;
    }
    if (!row.inRotation && !(row.cause == QLatin1String("passive") && row.consecutiveFailures == 0)) {
        return ProbeState::Offline;
    }
    if (row.draining) {
        return ProbeState::Draining;
    }
    return row.consecutiveFailures > 0 ? ProbeState::Failing : ProbeState::Online;
}

QString Words::check(const NodeRow& row)
{
    return chips::probe(checkState(row), row.consecutiveFailures, row.unhealthyThreshold).text;
}

QString Words::probe(const NodeRow& row, qint64 nowMonoMs)
{
    return chips::probe(row, nowMonoMs).text;
}

QString Words::quarantineLeft(const NodeRow& row, qint64 nowMonoMs)
{
    if (row.quarantinedUntilMonoMs == 0) {
        return {};
    }
    const qint64 left = row.quarantinedUntilMonoMs - nowMonoMs;
    if (left > 0) {
        return duration((left + kSecond - 1) / kSecond * kSecond);
    }
    return row.awaitsProbe(nowMonoMs) ? tr("waits for probe") : QString();
}

QString Words::traffic(const NodeRow& row)
{
    return chips::traffic(row).text;
}

QString Words::trafficSentence(const NodeRow& row)
{
    if (row.traffic == Traffic::NoEffect) {
        return tr("No requests are routed to the role %1.").arg(role(row.role));
    }
    if (row.traffic == Traffic::NotMeasured) {
        return tr("No request has been seen through this control plane.");
    }
    const QString semantic = row.trafficSemantic < 0 ? tr("semantic: not measured") : tr("semantic %1").arg(row.trafficSemantic);
    return tr("transport %1 · status %2 · %3").arg(row.trafficTransport).arg(row.trafficStatus).arg(semantic);
}

QString Words::schedulable(const NodeRow& row)
{
    switch (row.schedulable) {
    case Schedulable::ForApps: return tr("%n app(s)", nullptr, row.appCount);
    case Schedulable::ForUnknownApps: return tr("undeclared apps");
    case Schedulable::NoAppResolves: return tr("no app resolves here");
    case Schedulable::OutOfScheduling: return tr("out of scheduling");
    case Schedulable::NoEffect: return tr("no effect");
    case Schedulable::Blocked: return tr("Blocked: %1").arg(chips::filterWord(row.blockedBy));
    }
    return {};
}

QString Words::schedulableSentence(const NodeRow& row)
{
    switch (row.schedulable) {
    case Schedulable::ForApps: return tr("The scheduler may choose it for %n app(s).", nullptr, row.appCount);
    case Schedulable::ForUnknownApps: return tr("No declared app resolves to %1; the scheduler may choose it for apps that nobody declared.").arg(row.pool);
    case Schedulable::NoAppResolves: return tr("No app resolves to %1, so it is never chosen.").arg(row.pool);
    case Schedulable::OutOfScheduling: return tr("Out of scheduling: the process keeps running, no app is sent here.");
    case Schedulable::NoEffect: return tr("Pool scheduling never reads the role %1; its pool has no effect.").arg(role(row.role));
    case Schedulable::Blocked: return tr("Not chosen now; the first filter that stops it: %1 (%2).").arg(chips::filterWord(row.blockedBy), row.blockedBy);
    }
    return {};
}

QString Words::probeReason(const QString& reason, int status)
{
    if (reason == QLatin1String("timeout")) { return tr("timeout"); }
    if (reason == QLatin1String("refused")) { return tr("refused"); }
    if (reason == QLatin1String("reset")) { return tr("reset"); }
    if (reason == QLatin1String("malformed")) { return tr("malformed"); }
    if (reason == QLatin1String("dns") || reason == QLatin1String("tls")) { return reason; }
    return status > 0 ? QString::number(status) : reason;
}

QString Words::lastProbe(const NodeRow& row, qint64 nowWallMs)
{
    const LastProbe& probe = row.lastProbe;
    if (probe.atMs == 0) {
        return tr("– · starting");
    }
    const QString age = duration(qMax<qint64>(0, nowWallMs - probe.atMs));
    const QString result = probeReason(probe.reason, probe.status);
    return probe.status > 0 ? tr("%1 · %2 · %3 ms").arg(age, result).arg(probe.durationMs) : tr("%1 · %2").arg(age, result);
}

QString Words::poolVerdict(const PoolRow& row)
{
    return chips::pool(row).text;
}

QString Words::availability(const PoolRow& row, Role role)
{
    const RoleCounts& counts = row.roles[static_cast<std::size_t>(role)];
    QString text;
    switch (role) {
    case Role::Origin: text = tr("%n origin(s)", nullptr, counts.nodes); break;
    case Role::Edge: text = tr("%n edge(s)", nullptr, counts.nodes); break;
    case Role::Worker: text = tr("%n worker(s)", nullptr, counts.nodes); break;
    default: text = QString::number(counts.nodes); break;
    }
    const std::pair<int, QString> parts[] = {{counts.draining, tr("draining")}, {counts.disconnected, tr("disconnected")},
        {counts.unchecked, tr("not yet checked")}, {counts.quarantined, tr("quarantined")}, {counts.unhealthy, tr("unhealthy")},
        {counts.full, tr("full")}};
    bool subtracted = false;
    for (const auto& [count, word] : parts) {
        if (count > 0) {
            text += tr(" − %1 %2", "one term of a subtraction: count, what they are").arg(count).arg(word);
            subtracted = true;
        }
    }
    return subtracted ? tr("%1 = %2", "subtraction = result").arg(text).arg(counts.available) : text;
}

QString Words::freeCapacity(const NodeRow& row)
{
    return isScheduled(row.role) ? QStringLiteral("%1/%2").arg(number(row.free), number(row.capacity)) : QStringLiteral("–");
}

QString Words::duration(qint64 ms)
{
    if (ms < kMinute) {
        return tr("%1 s").arg(ms / kSecond);
    }
    if (ms < kHour) {
        return tr("%1 min %2 s").arg(ms / kMinute).arg(twoDigits(ms % kMinute / kSecond));
    }
    if (ms < kDay) {
        return tr("%1 h %2 min").arg(ms / kHour).arg(twoDigits(ms % kHour / kMinute));
    }
    return tr("%1 d %2 h").arg(ms / kDay).arg(ms % kDay / kHour);
}

QString Words::number(qint64 value)
{
    QString text = QString::number(qAbs(value));
    for (qsizetype at = text.size() - 3; at > 0; at -= 3) {
        text.insert(at, QChar(0x202F));
    }
    return value < 0 ? QStringLiteral("-") + text : text;
}

QString Words::nodeSentence(const NodeRow& row, qint64 nowMonoMs)
{
    const QString left = quarantineLeft(row, nowMonoMs);
    const bool held = row.probeState(nowMonoMs) == ProbeState::Quarantined;
    const QString schedulableText = row.schedulable == Schedulable::ForApps ? tr("schedulable for %n app(s)", nullptr, row.appCount)
        : row.schedulable == Schedulable::ForUnknownApps                                 ? tr("schedulable for undeclared apps")
                                                                                         : schedulable(row);
    if (held && !left.isEmpty()) {
        return tr("%1, %2, probe %3, traffic %4, quarantined: %5, %6")
            .arg(row.id, row.pool, check(row).toLower(), traffic(row).toLower(), left, schedulableText);
    }
    return tr("%1, %2, probe %3, traffic %4, %5").arg(row.id, row.pool, check(row).toLower(), traffic(row).toLower(), schedulableText);
}

QString Words::poolSentence(const PoolRow& row)
{
    const auto available = [&row](Role role) { return row.roles[static_cast<std::size_t>(role)].available; };
    return tr("%1, available: %2 origins, %3 edges, %4 workers, %5 nodes, %6 apps, %7")
        .arg(row.id)
        .arg(available(Role::Origin))
        .arg(available(Role::Edge))
        .arg(available(Role::Worker))
        .arg(row.nodes)
        .arg(row.apps)
        .arg(poolVerdict(row));
}

int Words::severity(const NodeRow& row, qint64 nowMonoMs)
{
    if (row.probeState(nowMonoMs) == ProbeState::Quarantined) {
        return 60;
    }
    const ProbeState check = checkState(row);
    if (check == ProbeState::Offline) {
        return 70;
    }
    if (row.traffic == Traffic::Failing) {
        return 50;
    }
    if (check == ProbeState::Failing) {
        return 40;
    }
    if (row.traffic == Traffic::Degraded) {
        return 35;
    }
    return check == ProbeState::Draining ? 30 : check == ProbeState::NoData ? 20 : 0;
}

bool Words::disagrees(const NodeRow& row)
{
    return row.traffic == Traffic::Failing && checkState(row) == ProbeState::Online;
}

} // namespace weir::ui
