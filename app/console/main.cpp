// SPDX-License-Identifier: GPL-3.0-or-later
// weir: the console, with the whole control plane inside.
#include "app/console/Options.h"
#include "app/console/ScenarioSwitch.h"
#include "app/console/Screenshot.h"

#include "core/demo/DemoFleet.h"
#include "core/runtime/OpenFiles.h"
#include "core/runtime/Runtime.h"
#include "core/runtime/StderrLog.h"
#include "core/runtime/UnixSignals.h"
#include "ui/client/EmbeddedClient.h"
#include "ui/client/EmbeddedDemoControl.h"
#include "ui/shell/MainWindow.h"
#include "ui/widgets/Theme.h"
#include "weir_version.h"

#include <QApplication>
#include <cstdio>
#include <memory>

namespace {

using weir::console::Options;
using weir::runtime::ExitCode;

int fail(ExitCode code, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines) {
        std::fprintf(stderr, "weir: %s\n", line.c_str());
    }
    return static_cast<int>(code);
}

// A picture needs no display.
void chooseOffscreen(int argc, char** argv)
{
    const bool hasDisplay = !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    for (int i = 1; i < argc && !hasDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"); ++i) {
        if (qstrncmp(argv[i], "--screenshot", 12) == 0) {
            qputenv("QT_QPA_PLATFORM", "offscreen");
        }
    }
}

weir::runtime::RuntimeOptions runtimeOptions(const Options& options)
{
    weir::runtime::RuntimeOptions result;
    result.dataDir = options.dataDir.isEmpty() ? weir::runtime::defaultDataDir(false) : std::filesystem::path(options.dataDir.toStdString());
    if (!options.configFile.isEmpty()) {
        result.configFile = options.configFile.toStdString();
    }
    result.listenByDefault = false;
    return result;
}

int show(QApplication& application, const Options& options, weir::runtime::Runtime& runtime, weir::demo::DemoFleet* demo)
{
    weir::ui::Theme theme;
    theme.apply(application);
    if (!options.theme.isEmpty()) {
        theme.setMode(options.theme == QLatin1String("dark") ? weir::ui::Theme::Mode::Dark : weir::ui::Theme::Mode::Light);
    }
    weir::ui::EmbeddedClient client(runtime.plane(), options.role);
    weir::ui::MainWindowOptions windowOptions;
    windowOptions.demo = demo != nullptr;
    windowOptions.page = options.page;
    windowOptions.language = options.language;
    std::unique_ptr<weir::ui::EmbeddedDemoControl> demoControl;
    if (demo != nullptr) {
        demoControl = std::make_unique<weir::ui::EmbeddedDemoControl>(*demo);
        windowOptions.demoControl = demoControl.get();
        auto* scenarios = new weir::console::ScenarioSwitch(*demoControl, options, QApplication::applicationFilePath(), demoControl.get());
        QObject::connect(scenarios, &weir::console::ScenarioSwitch::started, &application, &QApplication::quit);
        windowOptions.settingsFile = QString::fromStdString(demo->dataPath()) + QStringLiteral("/console.ini");
    }
    weir::ui::MainWindow window(client, theme, windowOptions);
    std::unique_ptr<weir::console::Screenshot> screenshot;
    if (!options.screenshot.isEmpty()) {
        window.resize(options.size);
        screenshot = std::make_unique<weir::console::Screenshot>(window, client, options.screenshot, options.afterSeconds);
    }
    window.show();
    client.start();
    const int code = QApplication::exec();
    runtime.stop(); // before the client goes: its answers come from the plane's threads
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    chooseOffscreen(argc, argv);
    QApplication application(argc, argv);
    weir::runtime::raiseOpenFileLimit();
    QApplication::setApplicationName(QStringLiteral("weir"));
    QApplication::setApplicationDisplayName(QStringLiteral("Weir"));
    QApplication::setApplicationVersion(QStringLiteral(WEIR_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.weir.Weir"));
    const Options options = weir::console::readOptions(QApplication::arguments());
    if (!options.error.isEmpty()) {
        return fail(ExitCode::Usage, {options.error.toStdString(), "see weir --help"});
    }
    if (!options.help.isEmpty()) {
        std::printf("%s", qPrintable(options.help));
        return 0;
    }

    weir::SystemClock clock;
    weir::runtime::StderrLog log(clock);
    std::unique_ptr<weir::demo::DemoFleet> demo;
    weir::runtime::RuntimeOptions runtimeOptions = ::runtimeOptions(options);
    if (options.demo) {
        auto made = weir::demo::DemoFleet::create(log, {options.scenario.toStdString(), 1});
        if (!made) {
            return fail(ExitCode::Usage, {made.error().message});
        }
        demo = std::move(*made);
        runtimeOptions = demo->runtimeOptions();
    }
    runtimeOptions.adminListen = options.adminListen;
    if (options.gatewayListen) {
        runtimeOptions.gatewayListen = options.gatewayListen;
    }
    auto runtime = weir::runtime::Runtime::start(clock, log, std::move(runtimeOptions), [&log](const weir::config::LogSettings& settings) {
        log.setLevel(settings.level);
        log.setJson(settings.format == weir::config::LogFormat::Json);
    });
    if (!runtime) {
        return fail(runtime.error().code, runtime.error().lines);
    }
    weir::runtime::UnixSignals unixSignals([] { QApplication::quit(); }, [&runtime] { (*runtime)->reload(); });
    if (demo) {
        demo->start((*runtime)->plane(), (*runtime)->gatewayUrl());
    }
    const int code = show(application, options, **runtime, demo.get());
    if (demo) {
        demo->stop();
    }
    return code;
}
