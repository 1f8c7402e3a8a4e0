// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sim/FleetSimulation.h"

#include <algorithm>

namespace weir::fleet {
namespace {

constexpr double kInterval = 30;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

health::HealthSettings settingsOf(std::uint64_t seed)
{
    health::HealthSettings settings;
    settings.intervalSeconds = kInterval;
    settings.healthyThreshold = seed % 3 == 2 ? 3 : 1;
    settings.cooldownMultiplier = seed % 2 == 0 ? 2 : 1;
    return settings;
}

} // namespace

FleetSimulation::FleetSimulation(std::uint64_t seed, Size size)
    : m_random(seed)
    , m_size(size)
    , m_health(settingsOf(seed))
    , m_fleet(*this, m_health, m_settings)
{
    m_settings.heartbeatTimeoutSeconds = 2 * kInterval + 1;
    m_fleet.setSettings(m_settings);
    build();
}

void FleetSimulation::build()
{
    m_pools = {m_fleet.defaultPool(), m_fleet.unassignedPool()};
    for (std::size_t i = 2; i < m_size.pools; ++i) {
        m_pools.push_back(m_fleet.addPool(PoolSpec{PoolId::trusted("team-" + std::to_string(i)), "", i == 2, 0, 10}).value());
    }
    for (std::size_t i = 3; i < m_size.pools; ++i) { // nobody resolves to the canary pool
        const AppBook app{"app-" + std::to_string(i), m_pools[i], i % 3 == 0};
        m_fleet.bind(m_fleet.addApp(AppId::trusted(app.id), UserHandle()).value(), Binding{app.pool, app.fallback});
        m_apps.push_back(app);
    }
    m_apps.push_back({"stranger", m_fleet.defaultPool(), false});
    for (std::size_t i = 0; i < m_size.nodes; ++i) {
        addNode();
    }
}

void FleetSimulation::addNode()
{
    Book book;
    book.id = "n" + std::to_string(roll(900) + 100) + "-" + std::to_string(m_nextId++);
    book.pool = m_pools[roll(m_pools.size())];
    const std::uint64_t kind = roll(8);
    book.role = kind < 2 ? Role::Edge : kind == 2 ? Role::Origin : Role::Worker;
    book.registered = roll(2) == 0;
    book.lastBeat = m_now - std::chrono::hours(1);
    NodeSpec spec;
    spec.id = NodeId::trusted(book.id);
    spec.role = book.role;
    spec.pool = book.pool;
    spec.isStatic = !book.registered;
    spec.url = "http://127.0.0.1:9000";
    spec.webrtcBaseUrl = book.role == Role::Origin ? "https://127.0.0.1" : "";
    spec.capacity = static_cast<std::int64_t>(1 + roll(4));
    book.handle = m_fleet.addNode(std::move(spec), m_now).value();
    m_bookOf.resize(std::max<std::size_t>(m_bookOf.size(), book.handle.value() + 1), kNone);
    m_bookOf[book.handle.value()] = m_books.size();
    m_books.push_back(std::move(book));
}

void FleetSimulation::removeNode(std::size_t at)
{
    m_fleet.removeNode(m_books[at].handle, m_now);
    m_bookOf[m_books[at].handle.value()] = kNone;
    if (at + 1 != m_books.size()) {
        m_books[at] = std::move(m_books.back());
        m_bookOf[m_books[at].handle.value()] = at;
    }
    m_books.pop_back();
}

std::optional<std::string> FleetSimulation::run()
{
    const auto end = Instant(std::chrono::hours(m_size.hours));
    while (m_now < end && !m_violation) {
        const Instant round = m_now;
        breakMachines();
        administer();
        const std::size_t count = m_books.size();
        const std::size_t slice = std::max<std::size_t>(1, count / 10);
        for (std::size_t i = 0; i < count && !m_violation; ++i) {
            m_now = round + std::chrono::duration_cast<Duration>(fromSeconds(kInterval) * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(count));
            probe(m_books[i]);
            beat(m_books[i]);
            if (i % slice == 0) {
                decide();
                stream();
            }
        }
        m_now = round + fromSeconds(kInterval);
        m_fleet.advance(m_now);
        checkPools();
        checkStreams();
        checkQuietReads();
    }
    return m_violation;
}

void FleetSimulation::breakMachines()
{
    const bool outage = roll(100) == 0; // a rack, a switch: all of one pool for half an hour
    const PoolHandle hit = m_pools[roll(m_pools.size())];
    for (Book& book : m_books) {
        if (book.machine != Machine::Fine && m_now >= book.machineUntil) {
            book.machine = Machine::Fine;
            ++book.boot;
            book.carried.clear();
        } else if (outage && book.pool == hit) {
            book.brokenSince = book.machine == Machine::Crashed || book.machine == Machine::Slow ? book.brokenSince : m_now;
            book.machine = Machine::Crashed;
            book.machineUntil = m_now + std::chrono::minutes(30);
        } else if (book.machine == Machine::Fine && roll(2'000) == 0) {
            book.machine = static_cast<Machine>(1 + roll(4));
            book.brokenSince = m_now;
            book.machineUntil = m_now + std::chrono::seconds(60 + roll(3'600));
        }
    }
}

// A few gestures each round, as a busy team would make them.
void FleetSimulation::administer()
{
    for (int i = 0; i < 3; ++i) {
        Book& book = m_books[roll(m_books.size())];
        switch (roll(6)) {
        case 0:
        case 1:
            move(book, m_pools[roll(m_pools.size())]);
            break;
        case 2:
            book.draining = !book.draining;
            m_fleet.setDraining(book.handle, book.draining, "disk swap", "ops", m_now);
            break;
        case 3:
            m_fleet.revive(book.handle, m_now);
            book.quarantinedUntil.reset();
            break;
        case 4:
            removeNode(static_cast<std::size_t>(&book - m_books.data()));
            addNode();
            break;
        default: {
            AppBook& app = m_apps[roll(m_apps.size() - 1)]; // the last one is nobody's
            app.pool = m_pools[roll(2) == 0 ? 0 : 3 + roll(m_pools.size() - 3)];
            app.fallback = roll(2) == 0;
            m_fleet.bind(m_fleet.findApp(app.id).value(), Binding{app.pool, app.fallback});
            break;
        }
        }
    }
    Fleet::Dirty dirty;
    m_fleet.takeDirty(dirty, m_books.size());
}

// What the preview says is what happens, and the next decision sees it.
void FleetSimulation::move(Book& book, PoolHandle to)
{
    m_fleet.advance(m_now);
    const std::vector<Move> moves{{book.handle, to, {}}};
    const Impact impact = m_fleet.previewMoves(moves, m_now);
    m_story.moves += book.pool != to ? 1 : 0;
    book.pool = to;
    m_fleet.moveNode(book.handle, to, WallTime{}, "ops", m_now);
    for (const AppImpact& row : impact.apps) {
        if (m_fleet.standing(m_fleet.app(m_fleet.findApp(row.app).value()), row.role) != row.after) {
            violated("the preview of moving " + book.id + " promised " + row.app + " something else");
        }
    }
    for (const AppBook& app : m_apps) {
        const Request request{book.role, app.id};
        const PoolHandle other = app.fallback ? m_fleet.defaultPool() : app.pool;
        const Decision next = m_fleet.preview(request, m_now);
        if (next.node == book.handle && to != app.pool && to != other) {
            violated(book.id + ": still given to " + app.id + " after it was moved away");
        }
        if (to == app.pool && isCandidate(book, request) && next.code != Code::Ok) {
            violated(book.id + ": not given to " + app.id + " after it was moved there");
        }
    }
}

void FleetSimulation::probe(Book& book)
{
    bool success = true;
    Instant started = m_now;
    switch (book.machine) {
    case Machine::Crashed:
        success = false;
        break;
    case Machine::Slow:
        success = false;
        started = m_now - fromSeconds(m_health.timeoutSeconds);
        break;
    case Machine::Flaps:
        success = book.flips++ % 4 < 2;
        break;
    case Machine::Fine:
    case Machine::FailsWork:
        break;
    }
    const ProbeVerdict verdict{book.handle, m_fleet.node(book.handle).generation, started, success, success ? "" : "timeout", {}};
    m_fleet.probeEnded(verdict, m_now);
    checkDetection(book);
}

void FleetSimulation::beat(Book& book)
{
    if (!book.registered || book.machine == Machine::Crashed) {
        return;
    }
    const std::string boot = "boot-" + std::to_string(book.boot);
    if (!book.carried.empty() && roll(5) == 0) {
        book.carried.erase(book.carried.begin()); // its publisher went home
    }
    std::vector<StreamName> names;
    for (const std::string& key : book.carried) {
        const std::string_view text = key;
        names.push_back({text.substr(0, text.find('/')), text.substr(text.find('/') + 1)});
    }
    const bool reports = book.role == Role::Origin;
    std::vector<std::string> overdue; // bound here, not carried, and missed once already
    const auto collect = [&](const Streams::Stream& entry) {
        if (entry.node == book.handle && entry.missed == 1) {
            overdue.push_back(std::string(entry.app) + "/" + std::string(entry.stream));
        }
        return true;
    };
    if (reports) {
        m_fleet.streams().forEachAfter({}, collect);
        std::erase_if(overdue, [&](const std::string& key) { return book.carried.contains(key); });
    }
    if (m_fleet.heartbeat(book.handle, Heartbeat{boot, ++book.seq, 4, static_cast<std::int64_t>(roll(3)), {}, reports ? &names : nullptr}, m_now)) {
        book.lastBeat = m_now;
        checkReported(book, overdue);
    } else {
        violated(book.id + ": a fresh heartbeat was refused");
    }
}

bool FleetSimulation::isConnected(const Book& book) const
{
    return !book.registered || m_now - book.lastBeat < fromSeconds(m_settings.heartbeatTimeoutSeconds);
}

bool FleetSimulation::isCandidate(const Book& book, const Request& request) const
{
    const health::HealthState& health = m_fleet.node(book.handle).health;
    return book.role == request.role && !book.draining && isConnected(book) && health.inRotation() && m_fleet.core(book.handle).free >= request.need;
}

NodeHandle FleetSimulation::scanForBest(PoolHandle pool, const Request& request) const
{
    const Book* best = nullptr;
    for (const Book& book : m_books) {
        if (book.pool != pool || !isCandidate(book, request)) {
            continue;
        }
        const std::int64_t free = m_fleet.core(book.handle).free;
        const std::int64_t most = best == nullptr ? -1 : m_fleet.core(best->handle).free;
        best = free > most || (free == most && book.id < best->id) ? &book : best;
    }
    return best == nullptr ? NodeHandle() : best->handle;
}

void FleetSimulation::decide()
{
    for (int i = 0; i < 2; ++i) {
        const AppBook& app = m_apps[roll(m_apps.size())];
        const Request request{roll(4) == 0 ? Role::Edge : Role::Worker, app.id, static_cast<std::uint32_t>(1 + roll(2)), Endpoint::Any};
        m_fleet.advance(m_now);
        const Decision foreseen = m_fleet.preview(request, m_now);
        const std::int64_t freeBefore = foreseen.node.isValid() ? m_fleet.core(foreseen.node).free : 0;
        const Decision decision = m_fleet.decide(request, m_now);
        ++m_story.decisions;
        m_story.refusals += decision.code == Code::Ok ? 0 : 1;
        m_story.fallbacks += decision.fallback ? 1 : 0;
        if (decision.code == Code::Ok) {
            m_underWay.push_back(decision.placement);
        }
        checkDecision(decision, foreseen, app, request, freeBefore);
        useNode(decision);
    }
    while (m_underWay.size() > 50) {
        m_fleet.release(m_underWay.front(), m_now);
        m_underWay.erase(m_underWay.begin());
    }
}

// A publisher comes, somebody asks where a stream is, or a stream is ended.
void FleetSimulation::stream()
{
    const AppBook& app = m_apps[roll(m_apps.size())];
    const std::string name = "s" + std::to_string(roll(10));
    const std::uint64_t what = roll(8);
    if (what == 0) {
        m_fleet.endStream(app.id, name);
        return;
    }
    const Streams::Stream* before = m_fleet.streams().find(app.id, name);
    const NodeHandle carrier = before == nullptr ? NodeHandle() : before->node;
    const Decision decision = what < 4 ? m_fleet.selectOriginForPublish(app.id, name, 1, m_now) : m_fleet.selectOriginForStream(app.id, name, m_now);
    if (decision.code != Code::Ok) {
        if (scanForBest(app.pool, Request{Role::Origin, app.id}).isValid()) {
            violated(app.id + ": no origin for " + name + " although a plain scan finds one");
        }
        return;
    }
    if (what >= 4) {
        (decision.placement == 0 ? m_story.streamsKept : m_story.streamsMoved) += 1;
        const bool kept = carrier.isValid() && decision.node == carrier;
        if (decision.placement == 0 && !kept) {
            violated(app.id + ": " + name + " was found where it was not");
        }
    }
    checkOrigin(decision, app, name);
    Book& book = m_books[m_bookOf[decision.node.value()]];
    if (decision.placement != 0 && book.machine == Machine::Fine) {
        book.carried.insert(app.id + "/" + name);
    }
}

void FleetSimulation::checkOrigin(const Decision& decision, const AppBook& app, const std::string& name)
{
    const Book& book = m_books[m_bookOf[decision.node.value()]];
    const Streams::Stream* entry = m_fleet.streams().find(app.id, name);
    if (entry == nullptr || entry->node != decision.node) {
        violated(app.id + ": " + name + " is not remembered on " + book.id);
    }
    const bool mayUse = book.pool == app.pool || (app.fallback && book.pool == m_fleet.defaultPool());
    if (!mayUse || !isConnected(book) || book.role != Role::Origin) {
        violated(app.id + ": " + name + " is on " + book.id + ", which it may not use");
    }
    if (decision.placement != 0 && (book.draining || !m_fleet.node(book.handle).health.inRotation())) {
        violated(app.id + ": " + name + " was newly placed on " + book.id + ", which is no candidate");
    }
}

// After a report: what the node carries is bound to it or, by a newer decision, to another one that is there; what it failed to name
// for the second time is gone.
void FleetSimulation::checkReported(const Book& book, const std::vector<std::string>& overdue)
{
    for (const std::string& key : overdue) {
        const Streams::Stream* entry = m_fleet.streams().find(key.substr(0, key.find('/')), key.substr(key.find('/') + 1));
        ++m_story.streamsEnded;
        if (entry != nullptr && entry->node == book.handle) {
            violated(book.id + ": " + key + " outlived two reports without it");
        }
    }
    for (const std::string& key : book.carried) {
        const Streams::Stream* entry = m_fleet.streams().find(key.substr(0, key.find('/')), key.substr(key.find('/') + 1));
        const bool elsewhere = entry != nullptr && entry->node != book.handle && m_fleet.isAlive(entry->node) && m_fleet.core(entry->node).connected;
        if (entry == nullptr || (entry->node != book.handle && !elsewhere)) {
            violated(book.id + ": " + key + " was reported and is not known");
        }
    }
}

void FleetSimulation::checkStreams()
{
    std::size_t counted = 0;
    for (const Book& book : m_books) {
        counted += m_fleet.streams().countOn(book.handle);
    }
    std::size_t listed = 0;
    m_fleet.streams().forEachAfter({}, [&](const Streams::Stream& entry) {
        ++listed;
        if (!m_fleet.isAlive(entry.node) || m_fleet.core(entry.node).role != Role::Origin) {
            violated("a stream is on a node that is gone or is no origin");
        }
        return true;
    });
    if (counted != listed || listed != m_fleet.streams().size()) {
        violated("the nodes count " + std::to_string(counted) + " streams, the list " + std::to_string(listed));
    }
}

// The request goes to the node, and the node may fail it.
void FleetSimulation::useNode(const Decision& decision)
{
    if (decision.code != Code::Ok) {
        return;
    }
    const Book& book = m_books[m_bookOf[decision.node.value()]];
    if (book.machine == Machine::Fine || book.machine == Machine::Flaps) {
        m_fleet.cleanOutcome(decision.node);
    } else if (m_fleet.passiveFailure(decision.node, "status:500", m_now) != OutcomeEffect::Ejected) {
        violated(book.id + ": was chosen, failed its request, and was not ejected");
    }
}

void FleetSimulation::checkDecision(const Decision& decision, const Decision& foreseen, const AppBook& app, const Request& request, std::int64_t freeBefore)
{
    if (decision.code != foreseen.code || decision.node != foreseen.node || decision.fallback != foreseen.fallback) {
        violated(app.id + ": preview and decision differ on the same state");
        return;
    }
    if (decision.code != Code::Ok) {
        const bool own = scanForBest(app.pool, request).isValid();
        const bool shared = app.fallback && scanForBest(m_fleet.defaultPool(), request).isValid();
        if (own || shared) {
            violated(app.id + ": refused although a plain scan finds a candidate");
        }
        return;
    }
    const Book& book = m_books[m_bookOf[decision.node.value()]];
    const bool inOwn = book.pool == app.pool;
    if (!inOwn && !(app.fallback && book.pool == m_fleet.defaultPool())) {
        violated(app.id + ": got " + book.id + " of " + m_fleet.pool(book.pool).spec.id.text() + ", a pool it may not use");
    }
    const health::HealthState& health = m_fleet.node(book.handle).health;
    if (book.draining || !isConnected(book) || !health.inRotation() || health.inQuarantine(m_now) || book.role != request.role
        || (book.quarantinedUntil && m_now < *book.quarantinedUntil)) {
        violated(app.id + ": got " + book.id + ", which is no candidate");
    }
    if (freeBefore < request.need || m_fleet.core(book.handle).free != freeBefore - request.need) {
        violated(app.id + ": got " + book.id + " with " + std::to_string(freeBefore) + " free for " + std::to_string(request.need));
    }
    // The choice itself, seen from before the reservation: nobody in the pool may have had more.
    const NodeHandle next = scanForBest(book.pool, request);
    const bool better = next.isValid() && next != book.handle
        && (m_fleet.core(next).free > freeBefore || (m_fleet.core(next).free == freeBefore && m_fleet.node(next).spec.id < m_fleet.node(book.handle).spec.id));
    if (better) {
        violated(app.id + ": got " + book.id + " although " + m_fleet.node(next).spec.id.text() + " ranks before it");
    }
}

void FleetSimulation::checkPools()
{
    struct Sums {
        std::uint32_t nodes = 0;
        std::uint32_t candidates = 0;
        std::uint32_t healthy = 0;
        std::int64_t candidateFree = 0;
    };
    std::map<std::pair<PoolHandle, Role>, Sums> sums;
    for (const Book& book : m_books) {
        Sums& sum = sums[{book.pool, book.role}];
        const bool candidate = isCandidate(book, Request{book.role, {}, 1, Endpoint::Any});
        ++sum.nodes;
        sum.candidates += candidate ? 1 : 0;
        sum.candidateFree += candidate ? m_fleet.core(book.handle).free : 0;
        sum.healthy += m_fleet.node(book.handle).health.inRotation() && isConnected(book) ? 1 : 0;
    }
    std::size_t all = 0;
    for (const PoolHandle pool : m_pools) {
        all += m_fleet.pool(pool).nodes.size();
        for (const Role role : {Role::Worker, Role::Edge, Role::Origin}) {
            const Group& group = m_fleet.pool(pool).groups[weir::indexOf(role)];
            const Sums& sum = sums[{pool, role}];
            std::uint32_t byReason = 0;
            for (std::size_t reason = 0; reason < kReasonCount; ++reason) {
                byReason += group.reasons[0][reason];
            }
            if (group.nodes != sum.nodes || byReason != sum.nodes || group.candidates() != sum.candidates || group.healthy != sum.healthy
                || group.candidateFree != sum.candidateFree || group.heaps[0].size() != sum.candidates) {
                violated("the counts of " + m_fleet.pool(pool).spec.id.text() + " differ from a recount");
            }
        }
    }
    if (all != m_books.size()) {
        violated("the pools hold " + std::to_string(all) + " nodes of " + std::to_string(m_books.size()));
    }
}

void FleetSimulation::checkQuietReads()
{
    const std::uint64_t revision = m_fleet.revision();
    const std::size_t facts = m_facts;
    const std::uint64_t placement = m_fleet.lastPlacement();
    const AppBook& app = m_apps[roll(m_apps.size())];
    const Explanation record = m_fleet.explain(Request{Role::Worker, app.id}, m_now, WallTime{});
    for (const ExplainedStage& stage : record.stages) {
        std::size_t sum = stage.candidates;
        for (const auto& [reason, count] : stage.excluded) {
            sum += count;
        }
        if (sum != stage.considered || stage.considered != m_fleet.pool(m_fleet.findPool(stage.pool).value()).nodes.size()) {
            violated("an explanation of " + app.id + " does not add up in " + stage.pool);
        }
    }
    const std::vector<Move> moves{{m_books[roll(m_books.size())].handle, m_pools[roll(m_pools.size())], {}}};
    const bool read = m_fleet.previewMoves(moves, m_now).movedNodes <= 1 && m_fleet.reachability().apps == m_apps.size() - 1;
    if (!read || m_fleet.revision() != revision || m_facts != facts || m_fleet.lastPlacement() != placement) {
        violated("a quiet read changed something");
    }
}

// A node whose probes all fail is out after interval × unhealthy_threshold + timeout at most.
void FleetSimulation::checkDetection(const Book& book)
{
    const bool dead = book.machine == Machine::Crashed || book.machine == Machine::Slow;
    const Duration most = fromSeconds(m_health.worstDetectionSeconds());
    if (dead && m_now - book.brokenSince >= most && m_fleet.node(book.handle).health.inRotation()) {
        violated(book.id + ": dead and still in rotation");
    }
}

void FleetSimulation::changed(const FleetChange& change) noexcept
{
    ++m_facts;
    const std::size_t at = change.node.isValid() && change.node.value() < m_bookOf.size() ? m_bookOf[change.node.value()] : kNone;
    if (at == kNone) {
        return;
    }
    Book& book = m_books[at];
    switch (change.kind) {
    case ChangeKind::QuarantineStarted:
        ++m_story.ejections;
        book.quarantinedUntil = change.at + fromSeconds(change.figure);
        break;
    case ChangeKind::NodeOnline:
        if (book.quarantinedUntil) {
            ++m_story.revivals;
            if (change.at < *book.quarantinedUntil) {
                violated(book.id + ": back in rotation before its quarantine was over");
            }
        }
        book.quarantinedUntil.reset();
        break;
    case ChangeKind::NodeDisconnected:
        ++m_story.lapses;
        if (isConnected(book)) {
            violated(book.id + ": disconnected although its heartbeat is fresh");
        }
        break;
    default:
        break;
    }
}

void FleetSimulation::violated(const std::string& what)
{
    if (!m_violation) {
        m_violation = "at " + std::to_string(toSeconds(m_now.time_since_epoch())) + " s: " + what;
    }
}

} // namespace weir::fleet
