// SPDX-License-Identifier: GPL-3.0-or-later
// weir-worker: tells a prober whether the worker beside it is fit to serve.
#include "app/worker/DiskReader.h"
#include "app/worker/HealthCheck.h"
#include "app/worker/HealthServer.h"
#include "core/runtime/StderrLog.h"
#include "core/runtime/UnixSignals.h"
#include "weir_version.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QProcessEnvironment>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace weir::worker;

constexpr int kUsage = 2;
constexpr int kAddressInUse = 4;
constexpr qint64 kMostFileBytes = qint64{1} << 20;

int fail(int code, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines) {
        std::fprintf(stderr, "weir-worker: %s\n", line.c_str());
    }
    return code;
}

Environment healthEnvironment()
{
    Environment found;
    const QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString& name : all.keys()) {
        if (name.startsWith(QLatin1String("HEALTH_"))) {
            found.emplace(name.toStdString(), all.value(name).toStdString());
        }
    }
    return found;
}

tl::expected<Settings, std::vector<std::string>> settingsOf(const QString& fileName)
{
    if (fileName.isEmpty()) {
        return readSettings({}, {}, healthEnvironment());
    }
    QFile file(fileName);
    if (!file.open(QIODevice::ReadOnly)) {
        return tl::unexpected(std::vector<std::string>{fileName.toStdString() + ": cannot be read: " + file.errorString().toStdString()});
    }
    const QByteArray text = file.read(kMostFileBytes + 1);
    if (text.size() > kMostFileBytes) {
        return tl::unexpected(std::vector<std::string>{fileName.toStdString() + ": must not be larger than 1 MiB"});
    }
    return readSettings({text.constData(), static_cast<std::size_t>(text.size())}, fileName.toStdString(), healthEnvironment());
}

std::string depsText(const Settings& settings)
{
    if (!settings.checkDeps) {
        return "off";
    }
    std::string text;
    for (const Dependency& dependency : settings.deps) {
        text += (text.empty() ? "" : ",") + dependency.name + '=' + weir::config::toText({dependency.host, dependency.port});
    }
    return text;
}

void tellStart(weir::Log& log, const Settings& settings, const std::string& url)
{
    for (const std::string& warning : settings.warnings) {
        log.write(weir::LogLevel::Warning, "settings", warning);
    }
    if (settings.minFreeGb > 0 && !freeGbOf(settings.diskPath)) {
        log.write(weir::LogLevel::Warning, "disk_unreadable", "The free space of disk_path cannot be read; /health is degraded until it can.", {{"disk_path", settings.diskPath}});
    }
    log.write(weir::LogLevel::Info, "worker_started", "Deep health is answered.",
        {{"listen", url}, {"min_free_gb", settings.minFreeGb > 0 ? watermarkText(settings.minFreeGb) : "off"}, {"disk_path", settings.diskPath}, {"deps", depsText(settings)},
            {"deps_cache_ms", std::to_string(settings.depsCache.count())}, {"dep_timeout_ms", std::to_string(settings.depTimeout.count())}, {"ready_url", settings.readyUrl}});
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("weir-worker"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WEIR_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Deep health beside a worker: disk, dependencies and readiness as one answer at /health. Variables HEALTH_<KEY> and "
                                                    "HEALTH_DEP_<NAME> win over the file."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {QStringLiteral("config"), QStringLiteral("File with a section \"health\" (default: none)."), QStringLiteral("FILE")},
        {QStringLiteral("log-format"), QStringLiteral("text (default) or json."), QStringLiteral("FORMAT"), QStringLiteral("text")},
    });
    if (!parser.parse(QCoreApplication::arguments())) {
        return fail(kUsage, {parser.errorText().toStdString(), "see weir-worker --help"});
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::printf("%s", qPrintable(parser.helpText()));
        return 0;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("weir-worker %s\n", WEIR_VERSION);
        return 0;
    }
    const QString format = parser.value(QStringLiteral("log-format"));
    if (!parser.positionalArguments().isEmpty() || (format != QLatin1String("text") && format != QLatin1String("json"))) {
        return fail(kUsage, {parser.positionalArguments().isEmpty() ? "--log-format must be text or json" : "weir-worker takes options only", "see weir-worker --help"});
    }
    const auto settings = settingsOf(parser.value(QStringLiteral("config")));
    if (!settings) {
        return fail(kUsage, settings.error());
    }

    weir::SystemClock clock;
    weir::runtime::StderrLog log(clock);
    log.setJson(format == QLatin1String("json"));
    HealthCheck check(*settings, clock, log);
    HealthServer server(check, {});
    if (!server.listen(settings->listen)) {
        return fail(kAddressInUse, {"listen: " + weir::config::toText(settings->listen) + ": " + server.error()});
    }
    weir::runtime::UnixSignals unixSignals([&server] { server.close([] { QCoreApplication::quit(); }); },
        [&log] { log.write(weir::LogLevel::Info, "reload_ignored", "Settings are read at the start only; restart to change them."); });
    tellStart(log, *settings, server.url());
    std::printf("{\"event\":\"ready\",\"listen\":\"%s\",\"version\":\"%s\"}\n", server.url().c_str(), WEIR_VERSION);
    std::fflush(stdout);
    return QCoreApplication::exec();
}
