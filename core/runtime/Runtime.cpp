// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/Runtime.h"

#include "core/api/Api.h"
#include "core/config/ConfigReader.h"
#include "core/config/IssueCollector.h"
#include "core/gateway/Gateway.h"
#include "core/http/Server.h"
#include "core/probe/HealthUrl.h"
#include "core/store/Store.h"

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <future>
#include <thread>
#include <unistd.h>

namespace weir::runtime {
namespace {

constexpr std::uint16_t kAdminPort = 8700;
constexpr std::uint16_t kGatewayPort = 8780;
constexpr double kMostGrace = 3600;

config::ReadOptions readOptions(config::KnownEntities known)
{
    config::ReadOptions options;
    options.known = std::move(known);
    options.healthUrlCheck = [](const std::string& base, const std::string& path) { return probe::joinHealthUrl(base, path); };
    options.modulesCheck = [](config::IssueCollector& issues, const config::JsonNode& list, const std::string& path) {
        (void)gateway::ModuleChain::read(issues, list, path);
    };
    return options;
}

// Of a configuration that has been checked; null without modules.
std::shared_ptr<gateway::ModuleChain> modulesOf(const config::GatewaySettings& settings)
{
    config::IssueCollector none({});
    return settings.modules ? gateway::ModuleChain::read(none, *settings.modules, "gateway.modules") : nullptr;
}

ExitCode exitCodeOf(const Error& error)
{
    if (error.code == "address_in_use" || error.code == "listen_failed") {
        return ExitCode::AddressInUse;
    }
    return error.code == "invalid_value" ? ExitCode::Usage : ExitCode::DataDirectory;
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

config::KnownEntities knownIn(const fleet::Fleet& fleet)
{
    config::KnownEntities known;
    for (const UserHandle user : fleet.usersInOrder()) {
        known.users.insert(fleet.user(user).id.text());
    }
    for (const PoolHandle pool : fleet.poolsInOrder()) {
        if (fleet.pool(pool).kind == fleet::PoolKind::Named) {
            known.pools.insert(fleet.pool(pool).spec.id.text());
        }
    }
    for (const AppHandle app : fleet.appsInOrder()) {
        known.apps.insert(fleet.app(app).id.text());
    }
    for (const NodeHandle node : fleet.nodesInOrder()) {
        known.nodes.insert(fleet.node(node).spec.id.text());
    }
    return known;
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

    Result<void> listenAdmin(const config::ListenAddress& address, Log& log)
    {
        http::ServerOptions options;
        options.host = address.host;
        options.port = address.port;
        options.log = &log;
        admin = std::make_unique<http::Server>(context, options, [this](http::Request request, http::Reply reply) { api.handleControl(std::move(request), std::move(reply)); });
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
        options.cluster.queueMax = static_cast<std::size_t>(settings.queueMax);
        options.cluster.queueTimeout = fromSeconds(settings.queueTimeoutSeconds);
        options.judge = &judge;
        options.modules = modulesOf(settings);
        if (!settings.accessLog.empty()) {
            gateway::AccessLog::Options log;
            log.path = settings.accessLog;
            auto opened = gateway::AccessLog::open(std::move(log));
            if (!opened) {
                return tl::unexpected(opened.error());
            }
            accessLog = std::move(*opened);
            options.accessLog = accessLog;
        }
        options.own = [this](http::Request request, http::Reply reply) { api.handleTraffic(std::move(request), std::move(reply)); };
        gateway = std::make_unique<gateway::Gateway>(context, fleet, std::move(options));
        return gateway->listen();
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
        admin.reset();
        gateway.reset();
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
        auto read = config::readConfigFile(*file, readOptions(knownIn(*snapshot)));
        if (!read) {
            StartFailure failed;
            for (const config::ConfigIssue& issue : read.error()) {
                failed.lines.push_back(config::toText(issue, *file));
            }
            return failed;
        }
        options.config = std::move(*read);
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
    const auto chosen = [&](const std::optional<config::ListenAddress>& option, const std::optional<config::ListenAddress>& file, std::uint16_t port) {
        if (option) {
            return option;
        }
        return file || !m_options.listenByDefault ? file : std::optional(config::ListenAddress{"127.0.0.1", port});
    };
    const auto admin = chosen(m_options.adminListen, config.adminListen, kAdminPort);
    const auto gateway = chosen(m_options.gatewayListen, config.gatewayListen, kGatewayPort);
    if (admin && !isLoopback(admin->host) && !m_options.insecureAdmin) {
        return StartFailure{ExitCode::Usage,
            {"admin.listen is " + admin->host + ", which is not loopback; tokens would cross the network in the clear. Use a loopback address, or --insecure-admin."}};
    }
    if (admin) {
        auto listening = m_net->listenAdmin(*admin, m_log);
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
    const auto file = configPath();
    if (!file) {
        m_log.write(LogLevel::Warning, "config_reload", "There is no configuration file to read again.");
        return;
    }
    const config::KnownEntities known = m_plane->fleet().read([](const fleet::Fleet& fleet, Instant) { return knownIn(fleet); });
    auto read = config::readConfigFile(*file, readOptions(known));
    if (!read) {
        for (const config::ConfigIssue& issue : read.error()) {
            m_log.write(LogLevel::Error, "config_rejected", config::toText(issue, *file));
        }
        m_plane->configRejected(config::toText(read.error().front(), *file));
        return;
    }
    m_graceSeconds = std::min(read->shutdownGraceSeconds, kMostGrace);
    Log& log = m_log;
    const config::LogSettings logSettings = read->log;
    auto modules = modulesOf(read->gateway);
    m_plane->reload(std::move(*read), plane::Actor{"local:signal", {}, {}, "signal"}, [&log, net = m_net.get(), file = *file, configured = m_configured, logSettings, modules = std::move(modules)](const Result<void>& done) {
        if (done) {
            if (net->gateway) {
                net->gateway->setModules(modules);
            }
            if (configured) {
                configured(logSettings);
            }
            log.write(LogLevel::Info, "config_loaded", "The configuration was read again from " + file + ".");
        } else {
            log.write(LogLevel::Error, "config_rejected", "The configuration was not taken over: " + done.error().message);
        }
    });
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
    const auto read = config::readConfigFile(file, readOptions({}));
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
