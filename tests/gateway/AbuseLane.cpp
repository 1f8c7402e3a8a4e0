// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gateway/AbuseLane.h"

#include "tests/http/RawClient.h"

#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using namespace std::chrono_literals;

namespace {

constexpr std::array kPatiences{"normal", "slow", "stall"};
constexpr std::size_t kHuge = 1U << 20U;
constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

class AbuseRouter final : public Router {
public:
    Routed route(const RequestView& request, const ClientFacts&) override
    {
        const std::string_view rest = request.path.substr(1);
        const std::string patience(rest.substr(0, rest.find('/')));
        std::string app(request.host);
        std::shared_ptr<const ClusterSettings>& cluster = m_clusters[app + "." + patience];
        if (!cluster) {
            ClusterSettings settings;
            settings.name = app + "." + patience;
            settings.connectTimeout = 20s; // connections are made or refused; a busy machine makes them late
            settings.responseHeaderTimeout = patience == "slow" ? Duration(50ms) : Duration(60s);
            settings.idleTimeout = patience == "stall" ? Duration(50ms) : Duration(60s);
            cluster = std::make_shared<const ClusterSettings>(std::move(settings));
        }
        return {cluster, std::move(app), {}, {}};
    }

private:
    std::map<std::string, std::shared_ptr<const ClusterSettings>> m_clusters;
};

// Like GatewayWorld::eventually, for what is over in microseconds.
bool soon(const std::function<bool()>& holds)
{
    for (int i = 0; i < 50; ++i) {
        if (holds()) {
            return true;
        }
        std::this_thread::sleep_for(50us);
    }
    return GatewayWorld::eventually(holds);
}

// "/slow/silent/17": what the node does, and the number of the request.
std::string doingOf(const std::string& head)
{
    const std::size_t begin = head.find('/', head.find('/') + 1) + 1;
    return head.substr(begin, head.find('/', begin) - begin);
}

int numberOf(const std::string& head)
{
    const std::size_t end = head.find(" HTTP/");
    return std::stoi(head.substr(head.rfind('/', end) + 1));
}

} // namespace

/// A way to break a request, and what must come of it.
struct AbuseLane::Fault {
    enum class Way : unsigned char {
        Answer,    ///< `status` and `code` come
        Cut,       ///< 200, and the connection ends before the answer does
        Leave,     ///< the client goes at the stage that `doing` names
        Raw,       ///< `doing` is what the client sends in place of a request
        LeaveLine, ///< the client goes while it waits for the node
        DripHead   ///< the client sends its head a byte at a time
    };
    Way way = Way::Answer;
    std::string patience = "normal";
    std::string doing; ///< of the node
    int status = 0;
    std::string code;    ///< of the gateway's own answer
    std::string outcome; ///< what the node is taken out for; empty: it is not
    std::string suffix;  ///< of the app
    int every = 1;       ///< played in one round of so many
};

const std::vector<AbuseLane::Fault>& AbuseLane::faults()
{
    using Way = Fault::Way;
    static const std::vector<Fault> all{
        {Way::Answer, "normal", "ok", 200, "", "", ""},
        {Way::Answer, "normal", "dies", 502, "bad_response", "incomplete", ""},
        {Way::Answer, "normal", "resets", 502, "bad_response", "reset", ""},
        {Way::Answer, "normal", "dies-in-head", 502, "bad_response", "incomplete", ""},
        {Way::Answer, "normal", "garbage", 502, "bad_response", "incomplete", ""},
        {Way::Answer, "normal", "huge-head", 502, "bad_response", "incomplete", ""},
        {Way::Answer, "normal", "two-lengths", 502, "bad_response", "incomplete", ""},
        {Way::Answer, "normal", "bad-chunk", 502, "bad_response", "incomplete", ""},
        {Way::Cut, "normal", "dies-in-body", 0, "", "incomplete", ""},
        {Way::Cut, "normal", "resets-in-body", 0, "", "reset", ""},
        {Way::Cut, "normal", "cut-chunks", 0, "", "incomplete", ""},
        {Way::Answer, "normal", "says-too-little", 200, "", "", ""},
        {Way::Answer, "normal", "fails", 500, "", "status:500", ""},
        {Way::Answer, "normal", "ok", 502, "connect_failed", "refused", "-dead"},
        {Way::Answer, "normal", "ok", 502, "connect_failed", "tls", "-tls"},
        {Way::Leave, "normal", "connected", 0, "", "", ""},
        {Way::Leave, "normal", "in-head", 0, "", "", ""},
        {Way::Leave, "normal", "silent", 0, "", "", ""},
        {Way::Leave, "normal", "silent-reset", 0, "", "", ""},
        {Way::Leave, "normal", "in-upload", 0, "", "", ""},
        {Way::Leave, "normal", "endless", 0, "", "", ""},
        {Way::LeaveLine, "normal", "hold", 200, "", "", ""},
        {Way::Raw, "normal", "GARBAGE\r\n\r\n", 400, "malformed_request", "", ""},
        {Way::Raw, "normal", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "coding_not_supported", "", ""},
        {Way::Raw, "normal", "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(kHuge, 'x'), 431, "headers_too_large", "", "", 4},
        {Way::Answer, "slow", "silent", 504, "node_timeout", "timeout", "", 5},
        {Way::Answer, "slow", "drips", 504, "node_timeout", "timeout", "", 5},
        {Way::Cut, "stall", "stalls", 0, "", "timeout", "", 5},
        {Way::DripHead, "normal", "", 408, "request_timeout", "", "", 25},
    };
    return all;
}

std::unique_ptr<Router> makeAbuseRouter()
{
    return std::make_unique<AbuseRouter>();
}

GatewayOptions abuseOptions()
{
    GatewayOptions options;
    options.headTimeout = 500ms;
    return options;
}

AbuseLane::AbuseLane(GatewayWorld& world, int number)
    : m_world(world)
    , m_app("lane" + std::to_string(number))
    , m_node([this](NodeSocket& socket) { serve(socket); })
    , m_tlsNode([this](NodeSocket& socket) { serveTls(socket); })
    , m_handle(addNode(m_app, m_node.url()))
    , m_dead(addNode(m_app + "-dead", "http://127.0.0.1:" + std::to_string(unusedPort())))
    , m_tls(addNode(m_app + "-tls", "https://127.0.0.1:" + std::to_string(m_tlsNode.port())))
{
}

NodeHandle AbuseLane::addNode(const std::string& app, const std::string& url)
{
    const NodeHandle node = m_world.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        const PoolHandle pool = *fleet.addPool({*PoolId::parse(app, "pool"), {}, false, 0, 10});
        fleet.bind(*fleet.addApp(*AppId::parse(app, "app"), {}), {pool, false});
        fleet::NodeSpec spec;
        spec.id = *NodeId::parse(app, "node");
        spec.pool = pool;
        spec.url = url;
        spec.capacity = 1;
        return *fleet.addNode(std::move(spec), now);
    });
    m_world.probe(node, true);
    return node;
}

// --- the nodes -------------------------------------------------------------------------------------------------------

// The client may have given up; then this ends by itself.
void AbuseLane::waitFor(int number) const
{
    (void)soon([&] { return m_go >= number; });
}

void AbuseLane::serve(NodeSocket& socket)
{
    for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
        const std::string doing = doingOf(head);
        const int number = numberOf(head);
        m_seen = number;
        if (doing == "ok") {
            socket.send(kOk);
            continue;
        }
        if (doing == "hold") {
            waitFor(number);
            socket.send(kOk);
            continue;
        }
        if (doing == "resets") {
            socket.abort();
        } else if (doing == "dies-in-head") {
            socket.send("HTTP/1.1 200 OK\r\nContent-Le");
        } else if (doing == "garbage") {
            socket.send("garbage\r\n\r\n");
        } else if (doing == "huge-head") {
            socket.send("HTTP/1.1 200 OK\r\nX: " + std::string(kHuge, 'x'));
        } else if (doing == "two-lengths") {
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok");
        } else if (doing == "bad-chunk") {
            socket.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
        } else if (doing == "dies-in-body" || doing == "resets-in-body") {
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
            waitFor(number); // until the client has seen it: a reset overtakes what was sent
            if (doing == "resets-in-body") {
                socket.abort();
            }
        } else if (doing == "cut-chunks") {
            socket.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\nab");
        } else if (doing == "says-too-little") {
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        } else if (doing == "fails") {
            socket.send("HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n");
        } else if (doing == "silent" || doing == "silent-reset" || doing == "in-upload") {
            socket.isEnded();
        } else if (doing == "drips") {
            while (socket.send("X")) {
                std::this_thread::sleep_for(5ms);
            }
        } else if (doing == "stalls") {
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
            socket.isEnded();
        } else if (doing == "endless") {
            const std::string piece(64U << 10U, 'x');
            for (bool sent = socket.send("HTTP/1.1 200 OK\r\n\r\n"); sent; sent = socket.send(piece)) {
            }
        }
        return;
    }
}

// Lets the other side say hello, and then either goes or answers in plain HTTP.
void AbuseLane::serveTls(NodeSocket& socket)
{
    socket.read(32);
    if (++m_tlsTurns % 2 == 0) {
        socket.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        socket.isEnded();
    }
}

// --- the client ------------------------------------------------------------------------------------------------------

std::uint64_t AbuseLane::counted()
{
    std::uint64_t failures = 0;
    const auto clusters = m_world.gateway().clusterCounters();
    for (const char* suffix : {"", "-dead", "-tls"}) {
        for (const char* patience : kPatiences) {
            const auto found = clusters.find(m_app + suffix + "." + patience);
            failures += found == clusters.end() ? 0 : found->second->nodeFailures.load();
        }
    }
    return failures;
}

std::string AbuseLane::request(const Fault& fault, int number, std::string_view more) const
{
    return "GET /" + fault.patience + "/" + fault.doing + "/" + std::to_string(number) + " HTTP/1.1\r\nHost: " + m_app + fault.suffix
        + "\r\n" + std::string(more) + "\r\n";
}

std::string AbuseLane::play(int count)
{
    for (const int end = m_played + count; m_played < end; ++m_next) {
        if (m_next == faults().size()) {
            m_next = 0;
            ++m_round;
        }
        const Fault& fault = faults()[m_next];
        if (m_round % fault.every != 0) {
            continue;
        }
        ++m_played;
        ++m_number;
        m_failures += fault.outcome.empty() ? 0 : 1;
        const NodeHandle node = fault.suffix == "-dead" ? m_dead : fault.suffix == "-tls" ? m_tls : m_handle;
        std::string trouble = playOne(fault);
        if (trouble.empty()) {
            trouble = settle(fault, node);
        }
        if (!trouble.empty()) {
            return m_app + ", request " + std::to_string(m_number) + ", " + fault.doing.substr(0, 40) + ": " + trouble;
        }
    }
    return {};
}

std::string AbuseLane::playOne(const Fault& fault)
{
    if (fault.way == Fault::Way::Leave) {
        return leave(fault);
    }
    if (fault.way == Fault::Way::LeaveLine) {
        return leaveTheLine(fault);
    }
    RawClient client(m_world.port());
    if (fault.way == Fault::Way::DripHead) {
        bool sent = client.send("GET / HTTP/1.1\r\nX: ");
        for (int i = 0; i < 400 && sent && !client.hasInput(10ms); ++i) {
            sent = client.send("x");
        }
    } else if (!client.send(fault.way == Fault::Way::Raw ? fault.doing : request(fault, m_number))) {
        return "it could not be sent";
    }
    if (fault.way == Fault::Way::Cut) {
        const std::string seen = client.readTo("abc");
        m_go = m_number;
        const std::string all = seen + client.readAll();
        const bool isCut = all.starts_with("HTTP/1.1 200") && seen.ends_with("abc") && all.size() < 500 && !all.ends_with("0\r\n\r\n");
        return isCut ? std::string() : "it should have been cut short, and was: " + all.substr(0, 200);
    }
    const Answer answer = client.read();
    const bool isRight = answer.status == fault.status && answer.header("x-weir-error") == fault.code;
    return isRight ? std::string() : "answered " + std::to_string(answer.status) + " " + answer.header("x-weir-error");
}

std::string AbuseLane::leave(const Fault& fault)
{
    RawClient client(m_world.port());
    if (fault.doing == "connected") {
        return {};
    }
    if (fault.doing == "in-head") {
        return client.send("GET /normal/ok/1 HTTP/1.1\r\nHo") ? std::string() : "it could not be sent";
    }
    const bool isUpload = fault.doing == "in-upload";
    if (!client.send(request(fault, m_number, isUpload ? "Content-Length: 100000\r\n" : ""))) {
        return "it could not be sent";
    }
    if (!soon([this] { return m_seen == m_number; })) {
        return "it did not reach the node";
    }
    if (isUpload) {
        (void)client.send(std::string(5000, 'x'));
    } else if (fault.doing == "endless") {
        if (client.readTo("xxxxxxxx").empty()) {
            return "no answer began";
        }
        client.abort();
    } else if (fault.doing == "silent-reset") {
        client.abort();
    }
    return {};
}

std::string AbuseLane::leaveTheLine(const Fault& fault)
{
    RawClient first(m_world.port());
    if (!first.send(request(fault, m_number)) || !soon([this] { return m_seen == m_number; })) {
        return "the first did not reach the node";
    }
    const auto isWaiting = [this](std::uint64_t count) {
        return soon([this, count] { return m_world.gateway().clusterCounters()[m_app + ".normal"]->waiting == count; });
    };
    {
        RawClient second(m_world.port());
        if (!second.send(request(fault, m_number)) || !isWaiting(1)) {
            return "the second does not wait";
        }
        ++m_played;
    }
    if (!isWaiting(0)) {
        return "the second waits on";
    }
    m_go = m_number;
    return first.read().status == fault.status ? std::string() : "the first was not answered";
}

// The node has nothing under way, and has counted its failure once, or none. Out of rotation, it is taken back.
std::string AbuseLane::settle(const Fault& fault, NodeHandle node)
{
    const auto expected = static_cast<std::uint64_t>(m_failures);
    const bool isOver = soon([&] { return m_world.inFlight(node) == 0 && counted() >= expected; });
    if (!isOver) {
        return "it does not end: " + std::to_string(m_world.inFlight(node)) + " in flight";
    }
    if (counted() != expected) {
        return std::to_string(counted()) + " failures counted in place of " + std::to_string(expected);
    }
    if (m_world.inRotation(node) != fault.outcome.empty()) {
        return m_world.inRotation(node) ? "the node is still in rotation" : "the node was taken out for " + m_world.lastOutcome(node);
    }
    if (fault.outcome.empty()) {
        return {};
    }
    if (m_world.lastOutcome(node) != fault.outcome) {
        return "the node was taken out for " + m_world.lastOutcome(node);
    }
    m_world.fleet().with([&](fleet::Fleet& fleet, Instant now) { fleet.revive(node, now); });
    m_world.probe(node, true);
    return m_world.inRotation(node) ? std::string() : "the node does not come back";
}

} // namespace weir::gateway::test
