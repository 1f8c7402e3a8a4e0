// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/Runtime.h"

#include "core/api/Api.h"
#include "core/config/ConfigReader.h"
#include "core/config/IssueCollector.h"
#include "core/gateway/Gateway.h"
#include "core/http/Server.h"
#include "core/runtime/GatewayMetrics.h"
#include "core/probe/HealthUrl.h"
#include "core/store/Store.h"
#include "core/store/StoreReader.h"

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <future>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <thread>
#include <unistd.h>

namespace weir::runtime {
namespace {

constexpr std::uint16_t kAdminPort = 8700;
constexpr std::uint16_t kGatewayPort = 8780;
constexpr double kMostGrace = 3600;

// Of a configuration that has been checked; null without modules.
std::shared_ptr<gateway::ModuleChain> modulesOf(const config::GatewaySettings& settings)
{
    config::IssueCollector none({});
    return settings.modules ? gateway::ModuleChain::read(none, *settings.modules, "gateway.modules") : nullptr;
}

// How requests are forwarded where no table says so.
gateway::ClusterSettings clusterOf(const config::GatewaySettings& settings)
{
    gateway::ClusterSettings cluster;
    cluster.queueMax = static_cast<std::size_t>(settings.queueMax);
    cluster.queueTimeout = fromSeconds(settings.queueTimeoutSeconds);
    return cluster;
}

ExitCode exitCodeOf(const Error& error)
{
    if (error.code == "address_in_use" || error.code == "listen_failed") {
        return ExitCode::AddressInUse;
    }
    return error.code == "invalid_value" || error.code == "invalid_certificate" ? ExitCode::Usage : ExitCode::DataDirectory;
}

StartFailure failure(const Error& error)
{
    return {exitCodeOf(error), {error.message}};
}

bool isLoopback(const std::string& host)
{
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    return host == "localhost" || (!error && address.is_loopback());
}

config::KnownEntities knownIn(const store::Snapshot& snapshot)
{
    config::KnownEntities known;
    for (const auto& user : snapshot.users) {
        known.users.insert(user.id);
    }
    for (const auto& pool : snapshot.pools) {
        known.pools.insert(pool.id);
    }
    for (const auto& app : snapshot.apps) {
        known.apps.insert(app.id);
    }
    for (const auto& node : snapshot.nodes) {
        known.nodes.insert(node.id);
    }
    return known;
}

// What was rolled back stays so over a restart for as long as the file is the one that was rolled back from: the version to load in its
// place. The notes of versions from a rollback begin in this way (plane::ConfigCommands); those of others are file names.
std::optional<store::ConfigVersion> rolledBackTo(const store::DataDirectory& directory, const std::string& fileText)
{
    constexpr std::string_view kRollback = "version ";
    store::StoreReader reader(directory.databaseFile());
    const auto versions = reader.configVersions();
    if (!versions || versions->empty() || !versions->back().note.starts_with(kRollback)) {
        return std::nullopt;
    }
    const auto fromFile = std::find_if(versions->rbegin(), versions->rend(), [&](const store::ConfigVersion& version) { return !version.note.starts_with(kRollback); });
    if (fromFile == versions->rend()) {
        return std::nullopt;
    }
    const auto left = reader.configVersion(fromFile->version);
    if (!left || !*left || (*left)->text != fileText) {
        return std::nullopt;
    }
    return reader.configVersion(versions->back().version).value_or(std::nullopt);
}

} // namespace

// The net thread: one io_context with both listeners and all their sockets.
struct Runtime::Net {
    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work = boost::asio::make_work_guard(context);
    api::Api api;
    std::unique_ptr<http::Server> admin;
    std::unique_ptr<gateway::Gateway> gateway;
    std::shared_ptr<gateway::AccessLog> accessLog;
    std::thread thread;

    explicit Net(plane::ControlPlane& plane) : api(plane) {}

    Result<void> listenAdmin(const config::ListenAddress& address, const config::TlsFiles& tls, Log& log)
    {
        http::ServerOptions options;
        options.host = address.host;
        options.port = address.port;
        options.log = &log;
        if (tls.isSet()) {
            auto loaded = http::TlsContext::load(tls.certificate, tls.key);
            if (!loaded) {
                return tl::unexpected(loaded.error());
            }
            options.tls = std::move(*loaded);
        }
        admin = std::make_unique<http::Server>(context, options, [this](http::Request&& request, http::Reply reply) { api.handleControl(std::move(request), std::move(reply)); });
        return admin->listen();
    }

    Result<void> listenGateway(const config::ListenAddress& address, const config::GatewaySettings& settings, live::LiveFleet& fleet, live::OutcomeJudge& judge, Log& log)
    {
        gateway::GatewayOptions options;
        options.host = address.host;
        options.port = address.port;
        options.log = &log;
        options.trustedProxies = settings.trustedProxies;
        options.maxIdlePerNode = static_cast<std::size_t>(settings.maxIdlePerNode);
        options.cluster = clusterOf(settings);
        options.judge = &judge;
        options.modules = modulesOf(settings);
        options.proxyProtocol = settings.proxyProtocol;
        if (settings.tls.isSet()) {
            auto loaded = http::TlsContext::load(settings.tls.certificate, settings.tls.key);
            if (!loaded) {
                return tl::unexpected(loaded.error());
            }
            options.tls = std::move(*loaded);
        }
        if (!settings.accessLog.empty()) {
            gateway::AccessLog::Options logOptions;
            logOptions.path = settings.accessLog;
            auto opened = gateway::AccessLog::open(std::move(logOptions));
            if (!opened) {
                return tl::unexpected(opened.error());
            }
            accessLog = std::move(*opened);
            options.accessLog = accessLog;
        }
        options.own = [this](http::Request&& request, http::Reply reply) { api.handleTraffic(std::move(request), std::move(reply)); };
        gateway = std::make_unique<gateway::Gateway>(context, fleet, std::move(options));
        api.addMetricSource([served = gateway.get(), lines = accessLog](api::MetricSheet& sheet) { writeGateway(sheet, *served, lines.get()); });
        return gateway->listen();
    }

    // What a reload changes of the gateway; its address, its access log and the number of kept connections stay until the next start.
    void takeGateway(const config::GatewaySettings& settings, Log& log)
    {
        gateway->setModules(modulesOf(settings));
        gateway->setRouter(std::make_unique<gateway::BuiltInRouter>(clusterOf(settings)));
        if (const auto taken = gateway->setTrustedProxies(settings.trustedProxies); !taken) {
            log.write(LogLevel::Error, "trusted_proxies_unchanged", taken.error().message);
        }
    }

    // A listener stays with or without TLS as it began; a certificate may be renewed while it serves.
    template <typename Server>
    static void takeCertificate(std::string_view name, Server* server, bool hasTls, const config::TlsFiles& files, Log& log)
    {
        if (server == nullptr || (!hasTls && !files.isSet())) {
            return;
        }
        if (!hasTls || !files.isSet()) {
            log.write(LogLevel::Warning, "tls_unchanged", std::string(name) + ".tls takes effect at the next start.");
            return;
        }
        auto loaded = http::TlsContext::load(files.certificate, files.key);
        if (!loaded) {
            log.write(LogLevel::Error, "tls_unchanged", loaded.error().message);
            return;
        }
        server->setTls(std::move(*loaded));
    }

    void run()
    {
        thread = std::thread([this] { context.run(); });
    }

    void close(double graceSeconds)
    {
        // Both stop listening at once; then each is waited for.
        std::array<std::promise<void>, 2> closed;
        std::vector<std::future<void>> closing;
        const auto begin = [&](auto* server) {
            if (server != nullptr && thread.joinable()) {
                std::promise<void>& done = closed[closing.size()];
                closing.push_back(done.get_future());
                server->close(fromSeconds(graceSeconds), [&done] { done.set_value(); });
            }
        };
        begin(admin.get());
        begin(gateway.get());
        for (const std::future<void>& one : closing) {
            one.wait();
        }
        work.reset();
        context.stop();
        if (thread.joinable()) {
            thread.join();
        }
        // The servers stay: a reload under way on the store thread may still hand them a certificate.
    }
};

Runtime::Runtime(Clock& clock, Log& log, RuntimeOptions options)
    : m_clock(clock)
    , m_log(log)
    , m_options(std::move(options))
{
}

Runtime::~Runtime()
{
    stop();
}

tl::expected<std::unique_ptr<Runtime>, StartFailure> Runtime::start(Clock& clock, Log& log, RuntimeOptions options,
    const std::function<void(const config::LogSettings&)>& configured)
{
    std::unique_ptr<Runtime> runtime(new Runtime(clock, log, std::move(options)));
    if (auto failed = runtime->open(configured)) {
        return tl::unexpected(std::move(*failed));
    }
#ifdef __GLIBC__
    ::malloc_trim(0); // reading and merging a large file takes several times what is kept of it
#endif
    return runtime;
}

std::optional<std::string> Runtime::configPath() const
{
    if (m_options.configFile) {
        return m_options.configFile;
    }
    const std::filesystem::path file = m_options.dataDir / "weir.json";
    std::error_code error;
    return std::filesystem::exists(file, error) ? std::optional(file.string()) : std::nullopt;
}

std::optional<StartFailure> Runtime::open(const std::function<void(const config::LogSettings&)>& configured)
{
    auto directory = store::DataDirectory::open(m_options.dataDir);
    if (!directory) {
        return failure(directory.error());
    }
    plane::PlaneOptions options;
    options.configWins = m_options.configWins;
    if (const auto file = configPath()) {
        // What the file may refer to besides itself stands in the store.
        auto store = store::Store::open(*directory);
        if (!store) {
            return failure(store.error());
        }
        const auto snapshot = (*store)->load();
        if (!snapshot) {
            return failure(snapshot.error());
        }
        auto text = config::readText(*file);
        if (const auto kept = text ? rolledBackTo(*directory, *text) : std::nullopt) {
            m_log.write(LogLevel::Warning, "config_rolled_back",
                "Version " + std::to_string(kept->version) + " (" + kept->note + ") is loaded, because " + *file + " is still what was rolled back from; change it or reload to take it.");
            *text = kept->text;
        }
        auto read = text ? config::readConfig(*text, plane::readOptions(knownIn(*snapshot))) : tl::unexpected(text.error());
        if (!read) {
            StartFailure failed;
            for (const config::ConfigIssue& issue : read.error()) {
                failed.lines.push_back(config::toText(issue, *file));
            }
            return failed;
        }
        options.config = std::move(*read);
        options.configText = std::move(*text);
        options.configFile = *file;
        options.hasConfigFile = true;
        for (const config::ConfigIssue& warning : options.config.warnings) {
            m_log.write(LogLevel::Warning, "config_warning", config::toText(warning, *file));
        }
    }
    m_configured = configured;
    if (m_configured) {
        m_configured(options.config.log);
    }
    m_graceSeconds = options.config.shutdownGraceSeconds;
    const config::Config config = options.config;
    auto plane = plane::ControlPlane::open(m_clock, m_log, std::move(*directory), std::move(options));
    if (!plane) {
        return failure(plane.error());
    }
    m_plane = std::move(*plane);
    m_plane->config().setHooks({[this] { return configPath(); }, [this](const config::Config& loaded) { takeOver(loaded); }});
    if (auto failed = listen(config)) {
        return failed;
    }
    m_plane->start();
    m_net->run();
    return std::nullopt;
}

std::optional<StartFailure> Runtime::listen(const config::Config& config)
{
    m_net = std::make_unique<Net>(*m_plane);
    m_adminTls = config.adminTls.isSet();
    m_gatewayTls = config.gateway.tls.isSet();
    m_proxyProtocol = config.gateway.proxyProtocol;
    const auto chosen = [&](const std::optional<config::ListenAddress>& option, const std::optional<config::ListenAddress>& file, std::uint16_t port) {
        if (option) {
            return option;
        }
        return file || !m_options.listenByDefault ? file : std::optional(config::ListenAddress{"127.0.0.1", port});
    };
    const auto admin = chosen(m_options.adminListen, config.adminListen, kAdminPort);
    const auto gateway = chosen(m_options.gatewayListen, config.gatewayListen, kGatewayPort);
    if (admin && !isLoopback(admin->host) && !config.adminTls.isSet() && !m_options.insecureAdmin) {
        return StartFailure{ExitCode::Usage,
            {"admin.listen is " + admin->host + ", which is not loopback; tokens would cross the network in the clear. Use a loopback address, admin.tls, or --insecure-admin."}};
    }
    if (admin) {
        auto listening = m_net->listenAdmin(*admin, config.adminTls, m_log);
        if (!listening) {
            return failure(listening.error());
        }
    }
    if (gateway) {
        config::GatewaySettings settings = config.gateway;
        if (!settings.accessLog.empty()) {
            settings.accessLog = (m_options.dataDir / settings.accessLog).string(); // an absolute one stays as it is
        }
        auto listening = m_net->listenGateway(*gateway, settings, m_plane->fleet(), m_plane->outcomeJudge(), m_log);
        if (!listening) {
            return failure(listening.error());
        }
    }
    return std::nullopt;
}

void Runtime::stop()
{
    if (std::exchange(m_stopped, true)) {
        return;
    }
    if (m_net) {
        m_net->close(m_graceSeconds);
    }
    if (m_plane) {
        m_plane->stop();
    }
    m_net.reset();
}

void Runtime::reload()
{
    if (m_net && m_net->accessLog) {
        m_net->accessLog->reopen(); // whatever the file says: somebody may have moved the log away
    }
    m_plane->config().reload(plane::Actor{"local:signal", {}, {}, "signal"}, [&log = m_log](const tl::expected<std::uint64_t, plane::ConfigRefusal>& version) {
        if (version) {
            log.write(LogLevel::Info, "config_loaded", "The configuration was read again; version " + std::to_string(*version) + " is in force.");
            return;
        }
        const plane::ConfigRefusal& refusal = version.error();
        for (const config::ConfigIssue& issue : refusal.issues) {
            log.write(LogLevel::Error, "config_rejected", config::toText(issue, refusal.file));
        }
        if (refusal.issues.empty()) {
            log.write(LogLevel::Error, "config_rejected", "The configuration was not taken over: " + refusal.error.message);
        }
    });
}

// What of a configuration only the program can take over; on the store thread.
void Runtime::takeOver(const config::Config& config)
{
    m_graceSeconds = std::min(config.shutdownGraceSeconds, kMostGrace);
    if (m_configured) {
        m_configured(config.log);
    }
    if (m_net) {
        m_net->takeCertificate("admin", m_net->admin.get(), m_adminTls, config.adminTls, m_log);
        m_net->takeCertificate("gateway", m_net->gateway.get(), m_gatewayTls, config.gateway.tls, m_log);
        if (m_proxyProtocol != config.gateway.proxyProtocol) {
            m_log.write(LogLevel::Warning, "proxy_protocol_unchanged", "gateway.proxy_protocol takes effect at the next start.");
        }
        if (m_net->gateway) {
            m_net->takeGateway(config.gateway, m_log);
        }
    }
}

std::string Runtime::adminUrl() const
{
    return m_net && m_net->admin ? m_net->admin->url() : std::string();
}

std::string Runtime::gatewayUrl() const
{
    return m_net && m_net->gateway ? m_net->gateway->url() : std::string();
}

std::vector<std::string> checkConfig(const std::string& file, std::vector<std::string>& warnings)
{
    std::vector<std::string> lines;
    const auto read = config::readConfigFile(file, plane::readOptions({}));
    for (const config::ConfigIssue& issue : read ? read->warnings : read.error()) {
        (read ? warnings : lines).push_back(config::toText(issue, file));
    }
    return lines;
}

std::filesystem::path defaultDataDir(bool system)
{
    if (system && ::geteuid() == 0) {
        return "/var/lib/weir";
    }
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && data[0] == '/') {
        return std::filesystem::path(data) / "weir";
    }
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home != nullptr ? home : "/tmp") / ".local/share/weir";
}

} // namespace weir::runtime
