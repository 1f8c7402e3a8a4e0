// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/GalleryPanel.h"
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/pages/overview/OverviewPage.h"

#include <QApplication>
#include <QDir>

using namespace weir::ui;

namespace {

enum class Moment { Troubled, Quiet, Connecting, Stale };

void renderParts(QApplication& app, Theme& theme, const QString& file)
{
    GalleryPanel panel(theme);
    panel.resize(640, 800);
    panel.show();
    app.processEvents();
    panel.grab().save(file);
}

ChangeBatch quietFleet(const RecordingClient& client)
{
    ChangeBatch batch;
    batch.reset = true;
    batch.atMs = client.wallMs;
    for (int i = 1; i <= 12; ++i) {
        NodeRow node = healthyNode(QStringLiteral("node-%1").arg(i), QStringLiteral("default"));
        node.traffic = Traffic::NotMeasured;
        node.trafficOk = 0;
        batch.nodes.append(node);
    }
    batch.summary.apps = 5;
    batch.summary.workersTotal = batch.summary.workersHealthy = 12;
    return batch;
}

void renderOverview(QApplication& app, Theme& theme, Moment moment, QSize size, const QString& file)
{
    RecordingClient client;
    OverviewPage page(client, theme);
    page.setTimeZone(QTimeZone(8 * 3600));
    page.setAutoFillBackground(true);
    page.resize(size);
    page.show();
    if (moment != Moment::Connecting) {
        client.start();
        client.send(moment == Moment::Quiet ? quietFleet(client) : sampleFleet(client));
    }
    if (moment == Moment::Stale) {
        client.wallMs += 90'000;
        client.setState(ControlPlaneClient::State::Stale);
        client.wallMs += 240'000;
    }
    page.setTimeZone(QTimeZone(8 * 3600)); // draws what has arrived
    app.processEvents();
    page.findChild<LiveChart*>()->flush();
    page.grab().save(file);
}

} // namespace

/// gallery [directory]: every part and the Overview in both themes.
int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    Theme theme;
    theme.apply(app);
    const QDir out(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("."));
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QString suffix = dark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png");
        renderParts(app, theme, out.filePath(QStringLiteral("parts") + suffix));
        renderOverview(app, theme, Moment::Troubled, {1104, 752}, out.filePath(QStringLiteral("overview") + suffix));
        renderOverview(app, theme, Moment::Quiet, {1104, 720}, out.filePath(QStringLiteral("overview-quiet") + suffix));
        renderOverview(app, theme, Moment::Stale, {976, 560}, out.filePath(QStringLiteral("overview-stale") + suffix));
        renderOverview(app, theme, Moment::Connecting, {1104, 720}, out.filePath(QStringLiteral("overview-connecting") + suffix));
    }
    theme.setLanguage(QStringLiteral("zh_CN"));
    renderParts(app, theme, out.filePath(QStringLiteral("parts-zh.png")));
    renderOverview(app, theme, Moment::Troubled, {1104, 720}, out.filePath(QStringLiteral("overview-zh.png")));
    return 0;
}
