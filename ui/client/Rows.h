// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>

/// What pages show: plain values, one struct a row. Times are UTC milliseconds unless a name says otherwise; `…MonoMs` are
/// milliseconds on the plane's monotonic clock (ControlPlaneClient::monotonicNowMs), so that countdowns never jump.
namespace weir::ui {

enum class Role { Origin, Edge, Worker, Recorder, Forward, Standalone };
inline constexpr int kRoleCount = 6;
inline constexpr int kScheduledRoleCount = 3;
constexpr bool isScheduled(Role role) { return static_cast<int>(role) < kScheduledRoleCount; }

/// The word of the Probe column (console.md 2.3), derived from facts that stay apart below.
enum class ProbeState { Online, Failing, Quarantined, Offline, Draining, NoData };

/// The word of the Schedulable column.
enum class Schedulable { ForApps, ForUnknownApps, NoAppResolves, OutOfScheduling, NoEffect, Blocked };

/// The word of the Traffic column; NotMeasured until requests have been seen.
enum class Traffic { NotMeasured, Idle, Ok, Degraded, Failing, NoEffect };

struct LastProbe {
    qint64 atMs = 0;    ///< when it ended; 0: none yet
    int durationMs = 0;
    int status = 0;     ///< HTTP status, 0 where there was none
    bool success = false;
    QString reason;     ///< "", "timeout", "refused", "reset", "dns", "tls", "malformed", "status:503"
};

/// One line of a node's probe log.
struct ProbeEntry {
    qint64 atMs = 0;
    int durationMs = 0;
    int status = 0;
    bool success = false;
    bool held = false;       ///< a success that a quarantine kept from bringing the node back
    QString reason;
    QString bodyStatus;      ///< "ok", "degraded", …
    QString bodyReason;      ///< "disk_free_below_5.0g", …
    std::optional<double> diskFreeGb;
    QList<std::pair<QString, bool>> deps;
    QString text;            ///< body that is not JSON, shortened
};

struct NodeRow {
    QString id;
    Role role = Role::Worker;
    QString pool;
    QString owner;
    QString region;
    QString version;
    QString url;
    QString healthUrl;
    bool isStatic = true;
    bool connected = true;
    bool checked = false;         ///< a probe has ended
    bool inRotation = false;
    QString cause;                ///< "probe", "passive" or ""
    QString causeDetail;          ///< the outcome behind a passive ejection ("status:500"), the last reason of failed probes
    QString healthReason;         ///< "degraded: dep_down:comfyui"
    qint64 quarantinedUntilMonoMs = 0; ///< 0: none
    qint64 quarantinedUntilMs = 0;     ///< the same as UTC, for people
    qint64 quarantineLengthMs = 0;     ///< whole length, for the progress bar
    bool draining = false;
    QString drainReason;
    QString drainedBy;
    int consecutiveFailures = 0;
    int consecutiveSuccesses = 0;
    int unhealthyThreshold = 2;
    int healthyThreshold = 1;
    qint64 capacity = 0;
    qint64 used = 0;
    qint64 reserved = 0;
    qint64 inFlight = 0;
    qint64 free = 0;
    LastProbe lastProbe;
    qint64 nextProbeMonoMs = 0;   ///< 0: unknown
    int flaps1h = 0;
    int ejections1h = 0;
    qint64 lastEjectionMs = 0;
    Traffic traffic = Traffic::NotMeasured;
    int trafficOk = 0;
    int trafficTransport = 0;
    int trafficStatus = 0;
    int trafficSemantic = -1;     ///< -1: no rule measures it
    Schedulable schedulable = Schedulable::Blocked;
    int appCount = 0;             ///< apps that resolve to its pool
    QString blockedBy;            ///< first failing filter, by its code ("quarantined", "unhealthy", "no_capacity", …)
    qint64 inPoolSinceMs = 0;
    QString movedBy;
    quint64 revision = 0;

    [[nodiscard]] ProbeState probeState(qint64 nowMonoMs) const;
    /// Whether the quarantine has run out and only a good probe is missing.
    [[nodiscard]] bool awaitsProbe(qint64 nowMonoMs) const;
};

struct RoleCounts {
    int nodes = 0;
    int healthy = 0;     ///< in rotation and connected
    int available = 0;   ///< candidates
    int quarantined = 0;
    int draining = 0;
    int unhealthy = 0;   ///< out by probes
    int unchecked = 0;
    int disconnected = 0;
    int full = 0;
    qint64 capacity = 0;
    qint64 free = 0;
};

enum class PoolVerdict { Ok, AtRisk, Exhausted, Unused, OutOfScheduling };

struct PoolRow {
    QString id;
    QString name;
    QString owner;               ///< of a user pool
    bool canary = false;
    std::array<RoleCounts, kRoleCount> roles{};
    int nodes = 0;
    int apps = 0;                ///< apps resolving here
    int appsAllowFallback = 0;
    int appsFailClosed = 0;
    QStringList appNames;        ///< first 20
    int exhausted1h = 0;
    int minAvailable = 0;
    PoolVerdict verdict = PoolVerdict::Ok;
    int atRiskAvailable = 1;     ///< the figure of "At risk (1 available)"
    QString verdictRole;         ///< which role is at risk or exhausted
    qint64 lastChangeMs = 0;
    QString lastChange;          ///< "token ops moved edge-08 in"
    quint64 revision = 0;

    [[nodiscard]] bool isDefault() const { return id == QLatin1String("default"); }
    [[nodiscard]] bool isUnassigned() const { return id == QLatin1String("unassigned"); }
};

enum class Resolution { Binding, Owner, Default };
enum class AppVerdict { Ok, FallsBack, FailsClosed };

struct AppRow {
    QString id;
    QString owner;
    Resolution resolution = Resolution::Default;
    QString pool;
    bool fallbackAllowed = false;
    AppVerdict verdict = AppVerdict::Ok;
    QString why;                 ///< "0 of 1 origins: offline"
    qint64 starvedSinceMs = 0;
    quint64 revision = 0;
};

enum class Severity { Info, Warning, Critical };

struct EventRow {
    qint64 seq = 0;
    qint64 atMs = 0;
    QString kind;                ///< "node_online", "node_moved", … as in journal.md
    Severity severity = Severity::Info;
    QString nodeId;
    QString poolId;
    QString appId;
    QString role;
    QString actor;
    QString sentence;
    int count = 1;               ///< folded repeats
};

/// How an alarm stands, the most urgent first. Counted: another alarm stands for it; it is not told by itself.
enum class AlarmStanding { Firing, Counted, Silenced, Acknowledged, Cleared };

/// One episode of a condition that needs a person (journal.md "Alarms").
struct AlarmRow {
    QString id;
    QString kind;                ///< "pool_exhausted", … as in journal.md
    Severity severity = Severity::Warning;
    AlarmStanding standing = AlarmStanding::Firing;
    QString role;
    QString pool;
    QString app;                 ///< "*": more than one
    QString node;
    QString address;             ///< of a refused registration without a credential
    qint64 firstMs = 0;
    qint64 lastMs = 0;
    qint64 firingSinceMs = 0;    ///< when this episode began, or was reopened
    qint64 resolvedMs = 0;       ///< 0: open
    qint64 count = 0;
    QString countedIn;           ///< id of the alarm that stands for it
    qint64 stoodFor = 0;         ///< alarms that it stands for
    qint64 incident = 0;         ///< number of the one that it belongs to; 0: not known
    QString acknowledgedBy;
    qint64 acknowledgedMs = 0;
    QString silence;             ///< id of the silence that covers it now
    qint64 silencedUntilMs = 0;
    QString silencedBy;
    QString silenceReason;
    QString firstSentence;
    qint64 latestMs = 0;
    QString latestSentence;
    friend bool operator==(const AlarmRow&, const AlarmRow&) = default;

    /// Firing, and neither acknowledged nor silenced nor counted in another one: somebody has to come.
    [[nodiscard]] bool needsSomebody() const { return standing == AlarmStanding::Firing; }
};

/// What a silence covers: empty members cover everything, at least one is set.
struct SilenceItem {
    QString kind;
    QString role;
    QString pool;
    QString app;
    QString node;
    qint64 untilMs = 0;
    QString reason;
    friend bool operator==(const SilenceItem&, const SilenceItem&) = default;
};

enum class IncidentState { Open, Acknowledged, Resolved };

/// An outage's story in short form.
struct IncidentRow {
    qint64 number = 0;
    IncidentState state = IncidentState::Open;
    int severity = 3;            ///< 1 to 3: SEV1 is the worst
    QString headline;
    qint64 startedMs = 0;
    qint64 lastMs = 0;           ///< of the latest event that belongs to it
    qint64 endedMs = 0;          ///< 0: not over
    qint64 events = 0;
    qint64 refusals = 0;
    int apps = 0;
    int nodes = 0;
    QStringList alarmKinds;      ///< kinds that fired in it
    QStringList memberNodes;     ///< its scope, by name
    QStringList memberPools;
    QStringList memberApps;
    friend bool operator==(const IncidentRow&, const IncidentRow&) = default;

    [[nodiscard]] bool isOpen() const { return state != IncidentState::Resolved; }
};

/// A change point of workers_healthy; `known` false begins a gap.
struct SeriesPoint {
    qint64 atMs = 0;
    int healthy = 0;
    int total = 0;
    bool known = true;
};

struct StarvedApp {
    QString app;
    QString pool;
    QString why;
    qint64 sinceMs = 0;
};

/// Figures of the whole fleet that the shell and the Overview show; computed by the plane from one state.
struct FleetSummary {
    int apps = 0;
    int appsStarved = 0;
    int workersTotal = 0;        ///< probed nodes of any role outside `unassigned`
    int workersHealthy = 0;
    int strandedNodes = 0;
    QString strandedSentence;    ///< "3 healthy origins are in pool-1, which no app resolves to; …", or empty
    int ejections1h = 0;
    int flaps1h = 0;
    int exhausted1h = 0;
    int decisions1h = 0;
    int fallbacks1h = 0;
    QList<StarvedApp> starved;   ///< first 20
    quint64 configVersion = 0;
    bool storeBehind = false;
    bool admitsUnknownApps = false; ///< an app that nobody declared resolves to `default`
    int minHealthy = 0;          ///< target of the tile "Workers healthy"; 0: none set
};

/// The latest value of every row that changed since the batch before. `reset` marks the first one (a whole snapshot).
struct ChangeBatch {
    bool reset = false;
    quint64 revision = 0;
    qint64 atMs = 0;             ///< plane's wall time
    QList<NodeRow> nodes;
    QStringList removedNodes;
    QList<PoolRow> pools;
    QStringList removedPools;
    QList<AppRow> apps;
    QStringList removedApps;
    QList<AlarmRow> alarms;
    QStringList removedAlarms;
    QList<EventRow> events;
    FleetSummary summary;
};

// --- Why (not) chosen: the record of fleet.md "Explaining" --------------------------------------------------------

struct ExplainedNode {
    QString id;
    QString pool;
    QString reason;              ///< first failing filter, by code; empty for a candidate
    QStringList also;
    QString detail;              ///< "back in 42-50 s, status:500", "by token ops: disk swap", "needs 1, has 0"
    qint64 free = 0;
    qint64 pending = 0;
    qint64 capacity = 0;
};

struct ExplainedStage {
    QString pool;
    int considered = 0;
    int candidates = 0;
    QList<std::pair<QString, int>> excluded; ///< reason code → count, in filter order
};

struct ExplainedStep {
    QString text;                ///< "If app-9 resolved to pool-1: 3 candidates (n1 first, free 80)"
    int gained = 0;
};

struct ExplanationView {
    QString app;
    QString role;
    int need = 1;
    QString endpoint;
    QString pool;
    QString because;             ///< "binding", "owner", "none"
    QString owner;
    bool fallbackAllowed = false;
    QString fallbackWhy;
    QList<ExplainedStage> stages;
    QList<ExplainedNode> nodes;
    QList<ExplainedNode> ranking;
    QString chosen;
    QString code;                ///< "ok", "no_candidate"
    bool fallback = false;
    QList<std::pair<QString, int>> elsewhere; ///< pool → healthy nodes of the role
    QList<ExplainedStep> nextSteps;
    QString sentence;
    qint64 atMs = 0;
};

// --- Moves: impact and answer (fleet.md "Moves", console.md 2.5) ---------------------------------------------------

/// One node of a move; `expectedFrom` empty: from wherever it is.
struct MoveItem {
    QString node;
    QString pool;
    QString expectedFrom;
    friend bool operator==(const MoveItem&, const MoveItem&) = default;
};

/// How an app stands for one role.
struct StandingView {
    int candidates = 0;
    qint64 free = 0;
    AppVerdict verdict = AppVerdict::Ok;
    int fallbackCandidates = 0;
    friend bool operator==(const StandingView&, const StandingView&) = default;
};

struct AppImpactRow {
    QString app;
    Role role = Role::Worker;
    QString pool;
    StandingView before;
    StandingView after;
    bool hasTraffic = false;
    friend bool operator==(const AppImpactRow&, const AppImpactRow&) = default;
};

struct PoolImpactRow {
    QString pool;
    Role role = Role::Worker;
    int candidatesBefore = 0;
    int candidatesAfter = 0;
    qint64 freeBefore = 0;
    qint64 freeAfter = 0;
    friend bool operator==(const PoolImpactRow&, const PoolImpactRow&) = default;
};

/// What a move would do. `tier`: 0 none, 1 safe, 2 risky, 3 outage; `token` goes back with the move.
struct MoveImpact {
    quint64 token = 0;
    int tier = 0;
    QList<AppImpactRow> apps;   ///< worst first, at most 20
    int moreApps = 0;
    QList<PoolImpactRow> pools;
    QStringList failClosed;     ///< apps that would newly fail closed, at most 20
    int failClosedCount = 0;
    QStringList withoutEffect;  ///< nodes whose role no pool scheduling reads
    QStringList stranded;       ///< healthy nodes that no app would reach afterwards, at most 20
    int strandedCount = 0;
    int movedNodes = 0;         ///< that really change their pool
    int streams = 0;
    friend bool operator==(const MoveImpact&, const MoveImpact&) = default;
};

struct MovedNode {
    QString node;
    QString from;
    QString to;
    bool changed = false;
};

struct MoveResult {
    QList<MovedNode> moves;
    MoveImpact impact;
};

/// Where a node is that is not where the move expected it.
struct MovedMeanwhile {
    QString node;
    QString pool;
    QString by;
    qint64 atMs = 0;
};

/// How an app would stand with another binding, by role (origin, edge, worker).
struct BindingPreview {
    QList<AppImpactRow> rows;
};

/// Refusal of a request, worded by the plane.
struct ClientError {
    QString code;
    QString message;
    // Of a refused move:
    QList<MovedMeanwhile> movedMeanwhile{};    ///< code `moved_meanwhile`
    std::optional<MoveImpact> impact{};        ///< code `impact_changed`: as it is now
    QStringList suggestions{};                 ///< code `unknown_pool`
};

/// What a person may do, as the plane sees it.
enum class AccessRole { Viewer, Operator, Superadmin };

} // namespace weir::ui

Q_DECLARE_METATYPE(weir::ui::ChangeBatch)
