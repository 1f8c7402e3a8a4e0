// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the pages with invented rows to PNG files, to lay them beside the design: render_pages [directory [translations]].
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/live/LiveTable.h"
#include "ui/pages/apps/BindingDialog.h"
#include "ui/pages/apps/OwnerDialog.h"
#include "ui/shell/MainWindow.h"
#include "ui/shell/WhyDialog.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

using namespace weir;

namespace {

ui::ExplanationView sampleExplanation(qint64 atMs)
{
    ui::ExplanationView view;
    view.app = QStringLiteral("app-2");
    view.role = QStringLiteral("origin");
    view.pool = QStringLiteral("pool-3");
    view.because = QStringLiteral("owner");
    view.owner = QStringLiteral("3");
    view.fallbackWhy = QStringLiteral("the owner has nodes");
    view.stages = {{QStringLiteral("pool-3"), 12, 1, {{QStringLiteral("wrong_role"), 10}, {QStringLiteral("draining"), 1}}}};
    view.nodes = {{QStringLiteral("origin-12"), QStringLiteral("pool-3"), QStringLiteral("draining"), {}, QStringLiteral("by token ops: disk swap"), 80, 0, 120}};
    view.ranking = {{QStringLiteral("origin-11"), QStringLiteral("pool-3"), {}, {}, {}, 80, 0, 120}};
    view.chosen = QStringLiteral("origin-11");
    view.code = QStringLiteral("ok");
    view.elsewhere = {{QStringLiteral("default"), 4}, {QStringLiteral("pool-1"), 3}};
    view.sentence = QStringLiteral("pool-3: 1 of 2 origins usable: 1 draining by token ops (disk swap). origin-11 is chosen, free 80.");
    view.atMs = atMs;
    return view;
}

QList<ui::EventRow> sampleEvents(qint64 nowMs)
{
    QList<ui::EventRow> events;
    const auto add = [&](int secondsAgo, const char* kind) {
        ui::EventRow event;
        event.seq = events.size() + 1;
        event.atMs = nowMs - secondsAgo * 1000LL;
        event.kind = QLatin1String(kind);
        event.nodeId = QStringLiteral("gpu-01");
        events.append(event);
    };
    for (const int start : {1950, 1500, 1300, 1100, 900}) {
        add(start, "node_offline");
        add(start, "quarantine_started");
        add(start - 60, "quarantine_over");
        add(start - 60, "node_online");
    }
    add(18, "node_offline");
    add(18, "quarantine_started");
    return events;
}

QString sampleReport()
{
    return QStringLiteral("# Incident 42: pool-9 has had no origin for 12 min\n\n## Facts\n\n| | |\n| --- | --- |\n| Severity | SEV1 |\n| Started | 2026-11-29 21:18:08 UTC |\n"
                          "| Refused | 1 214 |\n\n## Timeline\n\n| UTC | Event | What | How it belongs here |\n| --- | --- | --- | --- |\n"
                          "| 21:18:08 | #1181 | origin-21 was taken out of rotation after 2 failed checks | trigger |\n"
                          "| 21:18:11 | #1184–2398 | No origin for app-14 in `pool-9`, 1 214 times | trigger |\n\n## What went well\n\n## What to change\n");
}

void settle()
{
    for (int i = 0; i < 20; ++i) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QString directory = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("pictures");
    QDir().mkpath(directory);
    ui::Theme theme;
    theme.apply(app);
    QTemporaryDir settings;
    for (const bool dark : {false, true}) {
        for (const char* language : {"en", "zh_CN"}) {
            test::RecordingClient client;
            client.events = sampleEvents(client.wallMs);
            client.probeLogs.insert(QStringLiteral("gpu-01"), test::sampleProbeLog(client.wallMs));
            client.explanation = sampleExplanation(client.wallMs);
            theme.setMode(dark ? ui::Theme::Mode::Dark : ui::Theme::Mode::Light);
            ui::MainWindowOptions options;
            options.demo = true;
            options.language = QLatin1String(language);
            options.settingsFile = settings.filePath(QStringLiteral("render-%1-%2.ini").arg(dark).arg(options.language));
            if (argc > 2) {
                options.translations = QString::fromLocal8Bit(argv[2]);
            }
            ui::MainWindow window(client, theme, options);
            window.show();
            client.send(test::sampleFleet(client.wallMs, client.monoMs));
            window.showPool(QStringLiteral("pool-3"));
            settle();
            const QString suffix = QStringLiteral("-%1-%2.png").arg(dark ? QStringLiteral("dark") : QStringLiteral("light"), options.language);
            const auto save = [&](const char* name, QWidget& widget) {
                settle();
                widget.grab().save(QStringLiteral("%1/%2%3").arg(directory, QLatin1String(name), suffix));
            };
            save("nodepools", window);
            window.showNode(QStringLiteral("gpu-01"));
            save("nodes", window);
            window.showPage(QStringLiteral("overview"));
            save("overview", window);
            window.showWhy({{}, QStringLiteral("pool-3"), QStringLiteral("origin-12"), ui::Role::Origin});
            settle();
            save("why", *window.findChild<QWidget*>(QStringLiteral("why.dialog")));
            client.send(test::appsFleet());
            window.store().flushNow();
            window.showApp(QStringLiteral("app-12"));
            save("apps", window);
            client.bindingPreview = test::samplePreview();
            ui::BindingDialog binding(window.store(), theme, ui::BindingDialog::Mode::Bind, QStringLiteral("app-12"), &window);
            binding.show();
            save("binding", binding);
            ui::OwnerDialog owner(window.store(), theme, {QStringLiteral("app-2"), QStringLiteral("news")}, &window);
            owner.show();
            save("owner", owner);
            binding.close();
            owner.close();
            ui::ChangeBatch alarms;
            alarms.alarms = test::sampleAlarms(client.wallMs);
            client.incidents = test::sampleIncidents(client.wallMs);
            client.reports.insert(42, sampleReport());
            alarms.summary = test::appsFleet().summary;
            client.send(alarms);
            window.store().flushNow();
            window.showAlarm(QStringLiteral("2"));
            save("alarms", window);
            QTimer::singleShot(100, &window, [&] {
                if (QWidget* dialog = QApplication::activeModalWidget()) {
                    save("silence", *dialog);
                    dialog->close();
                }
            });
            window.findChild<QAction*>(QStringLiteral("action.silenceUntil"))->trigger();
            window.showReport(42);
            save("report", *window.findChild<QWidget*>(QStringLiteral("report.dialog")));
            client.advance(5000);
            client.setState(ui::ControlPlaneClient::State::Stale);
            window.showPage(QStringLiteral("nodes"));
            save("stale", window);
        }
    }
    return 0;
}
