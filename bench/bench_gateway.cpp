// SPDX-License-Identifier: GPL-3.0-or-later
// The gateway beside its peers: HAProxy, nginx, aiohttp and FastAPI with httpx, in turn, before the same three nodes, under the same load.
// usage: bench_gateway [SECONDS a run, 3] [ROUNDS, 5]
//
// What is compared is the proxy's own processor time for each request (user and system, all its processes), which other programs on the
// machine disturb less than the rate; the rate stands beside it. Every round runs all of them; medians are printed, and ratios to HAProxy.
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kConnections = 64;
constexpr int kIdle = 4000;
constexpr int kIdleRounds = 7;
constexpr int kNodes = 3;

struct Figures {
    double rate = 0;
    double cpuMicroseconds = 0; ///< a request
    double p50 = 0;             ///< ms
    double p99 = 0;
    double bad = 0;
};

quint16 freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

// The process and everything it started.
std::vector<qint64> treeOf(qint64 root)
{
    std::map<qint64, qint64> parents;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(name));
        bool isPid = false;
        const qint64 pid = name.toLongLong(&isPid);
        if (isPid && file.open(QIODevice::ReadOnly)) {
            const QByteArray text = file.readAll();
            parents[pid] = text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
        }
    }
    std::vector<qint64> tree{root};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        for (const auto& [pid, parent] : parents) {
            if (parent == tree[i]) {
                tree.push_back(pid);
            }
        }
    }
    return tree;
}

double cpuSecondsOf(qint64 root)
{
    double ticks = 0;
    for (const qint64 pid : treeOf(root)) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
        if (file.open(QIODevice::ReadOnly)) {
            const QByteArray text = file.readAll();
            const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
            ticks += fields.value(11).toDouble() + fields.value(12).toDouble();
        }
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double megabytesOf(qint64 root)
{
    double kilobytes = 0;
    for (const qint64 pid : treeOf(root)) {
        QFile file(QStringLiteral("/proc/%1/statm").arg(pid));
        if (file.open(QIODevice::ReadOnly)) {
            kilobytes += file.readAll().split(' ').value(1).toDouble() * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024;
        }
    }
    return kilobytes / 1024;
}

// A program that runs until the end of the benchmark, on one processor of its own kind where there are two.
class Program {
public:
    Program(const QStringList& command, const QString& processor)
    {
        QStringList arguments = command;
        if (QThread::idealThreadCount() > 1) {
            arguments = QStringList{QStringLiteral("taskset"), QStringLiteral("-c"), processor} + command;
        }
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.setStandardOutputFile(QProcess::nullDevice());
        m_process.start(arguments.takeFirst(), arguments);
        m_process.waitForStarted();
    }
    ~Program()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(5000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }

private:
    QProcess m_process;
};

int statusOf(quint16 port, const char* path)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    if (!socket.waitForConnected(1000)) {
        return 0;
    }
    socket.write("GET " + QByteArray(path) + " HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n");
    return socket.waitForReadyRead(2000) ? socket.readLine().split(' ').value(1).toInt() : 0;
}

bool becomesReady(quint16 port, const char* path)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 30'000) {
        if (statusOf(port, path) == 200) {
            return true;
        }
        QThread::msleep(100);
    }
    return false;
}

struct Peer {
    QString name;
    quint16 port = 0;
    std::unique_ptr<Program> program;
    std::map<QString, std::vector<Figures>> runs;
    double idleMegabytes = 0;
};

double median(std::vector<double> values)
{
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Figures medians(const std::vector<Figures>& runs)
{
    Figures all;
    const auto of = [&](double Figures::* member) {
        std::vector<double> values;
        std::transform(runs.begin(), runs.end(), std::back_inserter(values), [&](const Figures& run) { return run.*member; });
        return median(values);
    };
    for (double Figures::* member : {&Figures::rate, &Figures::cpuMicroseconds, &Figures::p50, &Figures::p99, &Figures::bad}) {
        all.*member = of(member);
    }
    return all;
}

double milliseconds(const QString& text)
{
    static const QRegularExpression kForm(QStringLiteral("^([0-9.]+)(us|ms|s)$"));
    const auto match = kForm.match(text);
    const double value = match.captured(1).toDouble();
    return match.captured(2) == QLatin1String("us") ? value / 1000 : match.captured(2) == QLatin1String("s") ? value * 1000 : value;
}

Figures load(const Peer& peer, const QString& path, int seconds)
{
    QProcess wrk;
    QStringList arguments{QStringLiteral("-t1"), QStringLiteral("-c%1").arg(kConnections), QStringLiteral("-d%1s").arg(seconds), QStringLiteral("--latency"),
        QStringLiteral("http://127.0.0.1:%1%2").arg(peer.port).arg(path)};
    arguments.prepend(QStringLiteral("wrk"));
    if (QThread::idealThreadCount() > 1) {
        arguments = QStringList{QStringLiteral("taskset"), QStringLiteral("-c"), QStringLiteral("1")} + arguments;
    }
    const double before = cpuSecondsOf(peer.program->pid());
    wrk.start(arguments.takeFirst(), arguments);
    wrk.waitForFinished((seconds + 30) * 1000);
    const double used = cpuSecondsOf(peer.program->pid()) - before;
    const QString out = QString::fromUtf8(wrk.readAllStandardOutput());
    const auto number = [&](const char* pattern) { return QRegularExpression(QLatin1String(pattern)).match(out).captured(1); };
    Figures figures;
    figures.rate = number("Requests/sec:\\s+([0-9.]+)").toDouble();
    const double requests = number("([0-9]+) requests in").toDouble();
    figures.cpuMicroseconds = requests > 0 ? used * 1e6 / requests : 0;
    figures.p50 = milliseconds(number("50%\\s+(\\S+)"));
    figures.p99 = milliseconds(number("99%\\s+(\\S+)"));
    figures.bad = number("Non-2xx or 3xx responses: ([0-9]+)").toDouble();
    return figures;
}

QByteArray nginxCommon(const QString& folder)
{
    return "worker_processes 1;\nworker_rlimit_nofile 20000;\ndaemon off;\npid " + folder.toUtf8() + "/nginx.pid;\nerror_log " + folder.toUtf8()
        + "/error.log;\nevents { worker_connections 12000; }\n";
}

QByteArray nginxTemp(const QString& folder)
{
    QByteArray text;
    for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
        text += "  " + QByteArray(kind) + "_temp_path " + folder.toUtf8() + "/" + kind + ";\n";
    }
    return text;
}

// What an outcome rule over the body has to read.
QByteArray jsonOf200Bytes()
{
    const QByteArray head = "{\"code\":\"0\",\"message\":\"ok\",\"result\":{\"frames\":25,\"text\":\"";
    const QByteArray tail = "\"}}";
    return head + QByteArray(200 - head.size() - tail.size(), 'y') + tail;
}

std::unique_ptr<Program> startNodes(const QString& folder, std::vector<quint16>& ports)
{
    QDir().mkpath(folder);
    write(folder + QStringLiteral("/64k"), QByteArray(65536, 'x'));
    QByteArray text = nginxCommon(folder) + "http {\n  access_log off;\n  keepalive_requests 1000000000;\n  sendfile on;\n  tcp_nodelay on;\n" + nginxTemp(folder);
    for (int i = 0; i < kNodes; ++i) {
        ports.push_back(freePort());
        text += "  server { listen 127.0.0.1:" + QByteArray::number(ports.back()) + " backlog=4096; root " + folder.toUtf8() + "; location = /200b { default_type application/json; return 200 '"
            + jsonOf200Bytes() + "'; } location = /health { return 200 \"ok\"; } }\n";
    }
    write(folder + QStringLiteral("/nginx.conf"), text + "}\n");
    return std::make_unique<Program>(QStringList{QStringLiteral("nginx"), QStringLiteral("-c"), folder + QStringLiteral("/nginx.conf")}, QStringLiteral("1"));
}

QStringList haproxyCommand(const QString& folder, quint16 port, const std::vector<quint16>& nodes)
{
    QByteArray text = "global\n  nbthread 1\n  maxconn 9000\n  tune.pool-high-fd-ratio 95\n  tune.pool-low-fd-ratio 90\n"
                      "defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n  timeout http-keep-alive 60s\n  option forwardfor\n"
                      "  http-reuse always\n  maxconn 9000\nfrontend f\n  bind 127.0.0.1:"
        + QByteArray::number(port) + "\n  default_backend b\nbackend b\n  balance leastconn\n";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        text += "  server s" + QByteArray::number(i) + " 127.0.0.1:" + QByteArray::number(nodes[i]) + " pool-max-conn 256\n";
    }
    write(folder + QStringLiteral("/haproxy.cfg"), text);
    return {QStringLiteral("haproxy"), QStringLiteral("-db"), QStringLiteral("-f"), folder + QStringLiteral("/haproxy.cfg")};
}

QStringList nginxCommand(const QString& folder, quint16 port, const std::vector<quint16>& nodes)
{
    QDir().mkpath(folder);
    QByteArray text = nginxCommon(folder) + "http {\n  access_log off;\n  keepalive_requests 1000000000;\n  tcp_nodelay on;\n" + nginxTemp(folder) + "  upstream u {\n";
    for (const quint16 node : nodes) {
        text += "    server 127.0.0.1:" + QByteArray::number(node) + ";\n";
    }
    text += "    keepalive 256;\n    keepalive_requests 1000000000;\n  }\n  server { listen 127.0.0.1:" + QByteArray::number(port)
        + " backlog=4096; location / { proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection \"\"; proxy_buffers 16 16k; "
          "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } }\n}\n";
    write(folder + QStringLiteral("/nginx.conf"), text);
    return {QStringLiteral("nginx"), QStringLiteral("-c"), folder + QStringLiteral("/nginx.conf")};
}

QStringList weirCommand(const QString& folder, quint16 port, const std::vector<quint16>& nodes)
{
    QDir().mkpath(folder);
    QByteArray text = "{\"nodes\": [";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        text += (i > 0 ? ", " : "") + QByteArray("{\"node\": \"n") + QByteArray::number(i) + "\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:" + QByteArray::number(nodes[i])
            + "\", \"capacity\": 100000}";
    }
    // With what such a fleet would have on: the log, and a rule over the answer's body.
    text += "], \"outcome_rules\": [{\"name\": \"disk-full\", \"when\": \"res_json_in(\\\"code\\\", \\\"50007\\\")\", \"after\": 3}], "
            "\"gateway\": {\"access_log\": \"access.log\"}}";
    write(folder + QStringLiteral("/weir.json"), text);
    return {QCoreApplication::applicationDirPath() + QStringLiteral("/weir-server"), QStringLiteral("--data-dir"), folder + QStringLiteral("/data"), QStringLiteral("--config"),
        folder + QStringLiteral("/weir.json"), QStringLiteral("--admin-listen"), QStringLiteral("127.0.0.1:0"), QStringLiteral("--gateway-listen"),
        QStringLiteral("127.0.0.1:%1").arg(port)};
}

bool startPeer(Peer& peer, const QString& folder, const std::vector<quint16>& nodes)
{
    peer.port = freePort();
    QStringList command;
    if (peer.name == QLatin1String("weir")) {
        command = weirCommand(folder + QStringLiteral("/weir"), peer.port, nodes);
    } else if (peer.name == QLatin1String("haproxy")) {
        command = haproxyCommand(folder, peer.port, nodes);
    } else if (peer.name == QLatin1String("nginx")) {
        command = nginxCommand(folder + QStringLiteral("/peer"), peer.port, nodes);
    } else {
        command = {QStringLiteral("/usr/bin/python3"), QStringLiteral(WEIR_BENCH_DIR "/peers/") + peer.name + QStringLiteral("_gateway.py"), QString::number(peer.port)};
        for (const quint16 node : nodes) {
            command.append(QStringLiteral("http://127.0.0.1:%1").arg(node));
        }
    }
    if (QStandardPaths::findExecutable(command.first()).isEmpty()) {
        std::printf("%s: missing (%s is not installed)\n", qPrintable(peer.name), qPrintable(command.first()));
        return false;
    }
    peer.program = std::make_unique<Program>(command, QStringLiteral("0"));
    if (!becomesReady(peer.port, "/200b")) {
        std::printf("%s: missing (it does not start)\n", qPrintable(peer.name));
        return false;
    }
    return true;
}

// Connects clients that make one request and then keep their connections. False: not all of them got there.
bool holdIdle(quint16 port, std::vector<std::unique_ptr<QTcpSocket>>& sockets)
{
    for (int i = 0; i < kIdle; ++i) {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        if (!socket->waitForConnected(5000)) {
            return false;
        }
        socket->write("GET /200b HTTP/1.1\r\nHost: bench\r\n\r\n");
        if (!socket->waitForReadyRead(5000)) {
            return false;
        }
        socket->readAll();
        sockets.push_back(std::move(socket));
    }
    return true;
}

void printTable(const std::vector<Peer>& peers, const QString& path, const char* title)
{
    std::printf("\n%s, %d connections\n%-10s %10s %12s %9s %9s %8s %14s %14s\n", title, kConnections, "", "rate/s", "CPU us/req", "p50 ms", "p99 ms", "not 2xx",
        "rate : haproxy", "CPU : haproxy");
    Figures base;
    for (const Peer& peer : peers) {
        if (peer.name == QLatin1String("haproxy") && peer.runs.contains(path)) {
            base = medians(peer.runs.at(path));
        }
    }
    for (const Peer& peer : peers) {
        if (!peer.runs.contains(path)) {
            continue;
        }
        const Figures one = medians(peer.runs.at(path));
        std::printf("%-10s %10.0f %12.1f %9.2f %9.2f %8.0f", qPrintable(peer.name), one.rate, one.cpuMicroseconds, one.p50, one.p99, one.bad);
        if (base.rate > 0 && base.cpuMicroseconds > 0) {
            std::printf(" %14.3f %14.3f", one.rate / base.rate, one.cpuMicroseconds / base.cpuMicroseconds);
        }
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int seconds = std::max(1, arguments.value(1, QStringLiteral("3")).toInt());
    const int rounds = std::max(1, arguments.value(2, QStringLiteral("5")).toInt());
    if (QStandardPaths::findExecutable(QStringLiteral("wrk")).isEmpty() || QStandardPaths::findExecutable(QStringLiteral("nginx")).isEmpty()) {
        std::printf("bench_gateway: wrk or nginx is missing; there is no load or no node without them\n");
        return 1;
    }
    QTemporaryDir folder;
    // nginx, started by root, reads its files as nobody.
    QFile::setPermissions(folder.path(), QFile::permissions(folder.path()) | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther);
    std::vector<quint16> nodePorts;
    const auto nodes = startNodes(folder.filePath(QStringLiteral("nodes")), nodePorts);
    if (!becomesReady(nodePorts.front(), "/health")) {
        std::printf("bench_gateway: the nodes do not start\n");
        return 1;
    }
    std::vector<Peer> peers;
    for (const char* name : {"haproxy", "nginx", "weir", "aiohttp", "fastapi"}) {
        Peer peer;
        peer.name = QLatin1String(name);
        if (startPeer(peer, folder.path(), nodePorts)) {
            peers.push_back(std::move(peer));
        }
    }
    for (int round = 0; round < rounds; ++round) {
        for (const char* path : {"/200b", "/64k"}) {
            for (Peer& peer : peers) {
                peer.runs[QLatin1String(path)].push_back(load(peer, QLatin1String(path), seconds));
            }
        }
    }
    for (Peer& peer : peers) {
        if (peer.name == QLatin1String("aiohttp") || peer.name == QLatin1String("fastapi")) {
            continue;
        }
        // Without and with them in turn, so that both meet the machine in the same mood.
        for (int round = 0; round < std::min(rounds, kIdleRounds); ++round) {
            peer.runs[QStringLiteral("before")].push_back(load(peer, QStringLiteral("/200b"), seconds));
            std::vector<std::unique_ptr<QTcpSocket>> idle;
            if (!holdIdle(peer.port, idle)) {
                std::printf("%s: could not hold %d idle clients\n", qPrintable(peer.name), kIdle);
                break;
            }
            peer.idleMegabytes = std::max(peer.idleMegabytes, megabytesOf(peer.program->pid()));
            peer.runs[QStringLiteral("idle")].push_back(load(peer, QStringLiteral("/200b"), seconds));
        }
    }
    printTable(peers, QStringLiteral("/200b"), "200-byte answers");
    printTable(peers, QStringLiteral("/64k"), "64 KiB answers");
    printTable(peers, QStringLiteral("idle"), "200-byte answers beside 4,000 idle clients");
    for (const Peer& peer : peers) {
        if (peer.idleMegabytes > 0) {
            std::vector<double> dearer;
            for (std::size_t round = 0; round < peer.runs.at(QStringLiteral("idle")).size(); ++round) {
                dearer.push_back(peer.runs.at(QStringLiteral("idle"))[round].cpuMicroseconds / peer.runs.at(QStringLiteral("before"))[round].cpuMicroseconds);
            }
            std::printf("%s: %.0f MB with 4,000 idle clients, CPU a request x %.2f\n", qPrintable(peer.name), peer.idleMegabytes, median(dearer));
        }
    }
    return 0;
}
