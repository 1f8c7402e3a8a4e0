// SPDX-License-Identifier: GPL-3.0-or-later
// weir-server: the control plane without a screen.
#include "core/config/ListenAddress.h"
#include "core/demo/DemoFleet.h"
#include "core/runtime/Runtime.h"
#include "core/runtime/StderrLog.h"
#include "core/runtime/UnixSignals.h"
#include "weir_version.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <boost/json.hpp>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using weir::runtime::ExitCode;

int fail(ExitCode code, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines) {
        std::fprintf(stderr, "weir-server: %s\n", line.c_str());
    }
    return static_cast<int>(code);
}

int checkConfig(const QStringList& arguments)
{
    if (arguments.size() != 2) {
        return fail(ExitCode::Usage, {"check-config takes one file: weir-server check-config FILE"});
    }
    std::vector<std::string> warnings;
    const std::vector<std::string> errors = weir::runtime::checkConfig(arguments[1].toStdString(), warnings);
    for (const std::string& line : warnings) {
        std::printf("%s\n", line.c_str());
    }
    for (const std::string& line : errors) {
        std::printf("%s\n", line.c_str());
    }
    if (errors.empty()) {
        std::printf("ok\n");
    }
    return static_cast<int>(errors.empty() ? ExitCode::Fine : ExitCode::Usage);
}

void describeOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Weir's control plane: node pools, probing with quarantine, scheduling, over HTTP."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {QStringLiteral("demo"), QStringLiteral("Run a simulated fleet of real workers on loopback, with data that is thrown away.")},
        {QStringLiteral("scenario"), QStringLiteral("Scenario of the demo: %1.").arg(QString::fromStdString(weir::demo::scenarioNames())), QStringLiteral("NAME")},
        {QStringLiteral("data-dir"), QStringLiteral("Directory of the database, the lock and the token."), QStringLiteral("DIR")},
        {QStringLiteral("config"), QStringLiteral("Configuration file (default: weir.json in the data directory)."), QStringLiteral("FILE")},
        {QStringLiteral("admin-listen"), QStringLiteral("Control listener (default 127.0.0.1:8700; port 0: a free one)."), QStringLiteral("HOST:PORT")},
        {QStringLiteral("gateway-listen"), QStringLiteral("Traffic listener (default 127.0.0.1:8780)."), QStringLiteral("HOST:PORT")},
        {QStringLiteral("insecure-admin"), QStringLiteral("Let the control listener bind a non-loopback address without TLS.")},
        {QStringLiteral("config-wins"), QStringLiteral("Take the file's value where an administrator changed it since.")},
    });
    parser.addPositionalArgument(QStringLiteral("command"), QStringLiteral("check-config FILE: print what is wrong with a configuration file, or ok."), QStringLiteral("[check-config FILE]"));
}

// Reads an address option; false when it cannot be used (told already).
bool readAddress(const QCommandLineParser& parser, const QString& name, std::optional<weir::config::ListenAddress>& address)
{
    if (!parser.isSet(name)) {
        return true;
    }
    const auto parsed = weir::config::parseListenAddress(parser.value(name).toStdString(), "--" + name.toStdString());
    if (!parsed) {
        fail(ExitCode::Usage, {"--" + name.toStdString() + " '" + parser.value(name).toStdString() + "' " + parsed.error().message});
        return false;
    }
    address = *parsed;
    return true;
}

// Empty where the demo's options can be used.
std::string demoMistake(const QCommandLineParser& parser)
{
    const bool isDemo = parser.isSet(QStringLiteral("demo"));
    if (isDemo && (parser.isSet(QStringLiteral("data-dir")) || parser.isSet(QStringLiteral("config")))) {
        return "--demo has a fleet and temporary data of its own; it takes neither --data-dir nor --config.";
    }
    if (!parser.isSet(QStringLiteral("scenario"))) {
        return {};
    }
    const std::string scenario = parser.value(QStringLiteral("scenario")).toStdString();
    if (!weir::demo::isScenario(scenario)) {
        return "--scenario is '" + scenario + "'; it must be one of: " + weir::demo::scenarioNames() + ".";
    }
    return isDemo ? std::string() : "--scenario needs --demo.";
}

// One line a finished act, so that a demo without a screen tells how far it is.
void tellActs(weir::demo::DemoFleet& demo)
{
    demo.setListener([told = std::vector<bool>()](const weir::demo::DemoStatus& status) mutable {
        told.resize(status.state.acts.size());
        for (std::size_t act = 0; act < told.size(); ++act) {
            const weir::demo::ActState& state = status.state.acts[act];
            if (state.done && !told[act]) {
                const boost::json::object line{{"event", "act_done"}, {"scenario", status.scenario}, {"act", act + 1}, {"title", state.title}, {"lesson", state.lesson},
                    {"refused", status.state.refused}, {"asked", status.state.asked}};
                std::printf("%s\n", boost::json::serialize(line).c_str());
                std::fflush(stdout);
            }
            told[act] = state.done;
        }
    });
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("weir-server"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WEIR_VERSION));
    QCommandLineParser parser;
    describeOptions(parser);
    if (!parser.parse(QCoreApplication::arguments())) {
        return fail(ExitCode::Usage, {parser.errorText().toStdString(), "see weir-server --help"});
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::printf("%s", qPrintable(parser.helpText()));
        return 0;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("weir-server %s\n", WEIR_VERSION);
        return 0;
    }
    const QStringList arguments = parser.positionalArguments();
    if (!arguments.isEmpty() && arguments.first() == QStringLiteral("check-config")) {
        return checkConfig(arguments);
    }
    if (!arguments.isEmpty()) {
        return fail(ExitCode::Usage, {"'" + arguments.first().toStdString() + "' is not a command; see weir-server --help"});
    }

    weir::SystemClock clock;
    weir::runtime::StderrLog log(clock);
    weir::runtime::RuntimeOptions options;
    std::unique_ptr<weir::demo::DemoFleet> demo;
    if (const std::string mistake = demoMistake(parser); !mistake.empty()) {
        return fail(ExitCode::Usage, {mistake, "see weir-server --help"});
    }
    if (parser.isSet(QStringLiteral("demo"))) {
        weir::demo::DemoOptions demoOptions;
        if (parser.isSet(QStringLiteral("scenario"))) {
            demoOptions.scenario = parser.value(QStringLiteral("scenario")).toStdString();
        }
        auto made = weir::demo::DemoFleet::create(log, demoOptions);
        if (!made) {
            return fail(ExitCode::Usage, {made.error().message});
        }
        demo = std::move(*made);
        options = demo->runtimeOptions();
        options.adminListen = weir::config::ListenAddress{"127.0.0.1", 0};
        options.gatewayListen = weir::config::ListenAddress{"127.0.0.1", 0};
    } else {
        options.dataDir = parser.isSet(QStringLiteral("data-dir")) ? parser.value(QStringLiteral("data-dir")).toStdString() : weir::runtime::defaultDataDir(true).string();
    }
    if (parser.isSet(QStringLiteral("config"))) {
        options.configFile = parser.value(QStringLiteral("config")).toStdString();
    }
    options.insecureAdmin = parser.isSet(QStringLiteral("insecure-admin"));
    options.configWins = parser.isSet(QStringLiteral("config-wins"));
    if (!readAddress(parser, QStringLiteral("admin-listen"), options.adminListen) || !readAddress(parser, QStringLiteral("gateway-listen"), options.gatewayListen)) {
        return static_cast<int>(ExitCode::Usage);
    }

    auto runtime = weir::runtime::Runtime::start(clock, log, std::move(options), [&log](const weir::config::LogSettings& settings) {
        log.setLevel(settings.level);
        log.setJson(settings.format == weir::config::LogFormat::Json);
    });
    if (!runtime) {
        return fail(runtime.error().code, runtime.error().lines);
    }
    weir::runtime::UnixSignals unixSignals([] { QCoreApplication::quit(); }, [&runtime] { (*runtime)->reload(); });
    const boost::json::object ready{{"event", "ready"}, {"admin", (*runtime)->adminUrl()}, {"gateway", (*runtime)->gatewayUrl()}, {"version", WEIR_VERSION}};
    std::printf("%s\n", boost::json::serialize(ready).c_str());
    std::fflush(stdout);
    if (demo) {
        tellActs(*demo);
        demo->start((*runtime)->plane(), (*runtime)->gatewayUrl());
    }
    const int code = QCoreApplication::exec();
    if (demo) {
        demo->stop();
    }
    (*runtime)->stop();
    return code;
}
