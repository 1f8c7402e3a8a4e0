// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/Options.h"

#include "core/demo/Scenario.h"
#include "weir_version.h"

#include <QCommandLineParser>

namespace weir::console {
namespace {

constexpr int kLeastWidth = 1024;
constexpr int kLeastHeight = 640;
constexpr int kMostPixels = 8192;
constexpr double kMostAfter = 3600;

void describe(QCommandLineParser& parser)
{
    const auto u = [](const char* text) { return QString::fromLatin1(text); };
    parser.setApplicationDescription(u("Weir: node pools, health and scheduling of a fleet of workers, live."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {u("demo"), u("Show a simulated fleet of real workers on loopback; nothing is saved.")},
        {u("scenario"), u("Scenario of the demo: %1.").arg(QString::fromStdString(demo::scenarioNames())), u("NAME")},
        {u("data-dir"), u("Directory of the database, the lock and the token."), u("DIR")},
        {u("config"), u("Configuration file (default: weir.json in the data directory)."), u("FILE")},
        {u("admin-listen"), u("Open the control listener on this address."), u("HOST:PORT")},
        {u("gateway-listen"), u("Open the traffic listener on this address."), u("HOST:PORT")},
        {u("as-role"), u("Show the console as a viewer, operator or superadmin would see it."), u("ROLE")},
        {u("screenshot"), u("Save a picture of one page and end."), u("FILE")},
        {u("page"), u("Page to begin with: overview, nodepools, nodes, apps or alarms."), u("NAME")},
        {u("after"), u("Take the picture after this many seconds (default 2)."), u("SECONDS")},
        {u("size"), u("Size of the window for the picture (default 1280x800)."), u("WxH")},
        {u("theme"), u("light or dark."), u("THEME")},
        {u("language"), u("en or zh_CN."), u("LANG")},
    });
}

bool readAddress(const QCommandLineParser& parser, const char* name, std::optional<config::ListenAddress>& address, QString& error)
{
    const QString option = QString::fromLatin1(name);
    if (!parser.isSet(option)) {
        return true;
    }
    const auto parsed = config::parseListenAddress(parser.value(option).toStdString(), std::string("--") + name);
    if (!parsed) {
        error = QString::fromStdString(parsed.error().message);
        return false;
    }
    address = *parsed;
    return true;
}

bool oneOf(const QCommandLineParser& parser, const char* name, const QStringList& words, QString& error)
{
    const QString option = QString::fromLatin1(name);
    if (!parser.isSet(option) || words.contains(parser.value(option))) {
        return true;
    }
    error = QStringLiteral("--%1 is '%2'; it must be one of: %3.").arg(option, parser.value(option), words.join(QStringLiteral(", ")));
    return false;
}

bool readSize(const QString& text, QSize& size)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    bool okWidth = false;
    bool okHeight = false;
    const int width = parts.value(0).toInt(&okWidth);
    const int height = parts.value(1).toInt(&okHeight);
    size = QSize(width, height);
    return parts.size() == 2 && okWidth && okHeight && width >= kLeastWidth && height >= kLeastHeight && width <= kMostPixels && height <= kMostPixels;
}

} // namespace

Options readOptions(const QStringList& arguments)
{
    Options options;
    QCommandLineParser parser;
    describe(parser);
    const auto u = [](const char* text) { return QString::fromLatin1(text); };
    if (!parser.parse(arguments)) {
        options.error = parser.errorText();
        return options;
    }
    if (parser.isSet(u("help"))) {
        options.help = parser.helpText();
        return options;
    }
    if (parser.isSet(u("version"))) {
        options.help = u("weir " WEIR_VERSION "\n");
        return options;
    }
    if (!parser.positionalArguments().isEmpty()) {
        options.error = QStringLiteral("'%1' is not an option.").arg(parser.positionalArguments().constFirst());
        return options;
    }
    options.demo = parser.isSet(u("demo"));
    options.dataDir = parser.value(u("data-dir"));
    options.configFile = parser.value(u("config"));
    options.screenshot = parser.value(u("screenshot"));
    options.page = parser.value(u("page"));
    options.theme = parser.value(u("theme"));
    options.language = parser.value(u("language"));
    if (options.demo && (!options.dataDir.isEmpty() || !options.configFile.isEmpty())) {
        options.error = u("--demo has a fleet and temporary data of its own; it takes neither --data-dir nor --config.");
        return options;
    }
    if (parser.isSet(u("scenario"))) {
        options.scenario = parser.value(u("scenario"));
        if (!demo::isScenario(options.scenario.toStdString())) {
            options.error = QStringLiteral("--scenario is '%1'; it must be one of: %2.").arg(options.scenario, QString::fromStdString(demo::scenarioNames()));
            return options;
        }
        if (!options.demo) {
            options.error = u("--scenario needs --demo.");
            return options;
        }
    }
    const bool words = oneOf(parser, "page", {u("overview"), u("nodepools"), u("nodes"), u("apps"), u("alarms")}, options.error) && oneOf(parser, "theme", {u("light"), u("dark")}, options.error)
        && oneOf(parser, "language", {u("en"), u("zh_CN")}, options.error) && oneOf(parser, "as-role", {u("viewer"), u("operator"), u("superadmin")}, options.error);
    if (!words || !readAddress(parser, "admin-listen", options.adminListen, options.error) || !readAddress(parser, "gateway-listen", options.gatewayListen, options.error)) {
        return options;
    }
    if (parser.isSet(u("as-role"))) {
        const QString role = parser.value(u("as-role"));
        options.role = role == u("viewer") ? ui::AccessRole::Viewer : role == u("operator") ? ui::AccessRole::Operator : ui::AccessRole::Superadmin;
    }
    if (parser.isSet(u("after"))) {
        bool ok = false;
        options.afterSeconds = parser.value(u("after")).toDouble(&ok);
        if (!ok || options.afterSeconds < 0 || options.afterSeconds > kMostAfter) {
            options.error = QStringLiteral("--after is '%1'; it must be a number of seconds from 0 to 3600.").arg(parser.value(u("after")));
            return options;
        }
    }
    if (parser.isSet(u("size")) && !readSize(parser.value(u("size")), options.size)) {
        options.error = QStringLiteral("--size is '%1'; it must be like 1280x800, at least 1024x640.").arg(parser.value(u("size")));
    }
    return options;
}

} // namespace weir::console
