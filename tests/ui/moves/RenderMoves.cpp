// SPDX-License-Identifier: GPL-3.0-or-later
// Renders what moving nodes shows, to lay it beside the design: render_moves [directory [translations]].
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/moves/DragBadge.h"
#include "ui/moves/MoveDialog.h"
#include "ui/moves/NodeDrag.h"
#include "ui/shell/MainWindow.h"
#include "ui/widgets/TableView.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QDragMoveEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QTemporaryDir>

using namespace weir;

namespace {

void settle()
{
    for (int i = 0; i < 20; ++i) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    }
}

/// The window with `over` painted where it would be.
QPixmap with(QWidget& window, QWidget& over, const QPoint& at)
{
    settle();
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    painter.drawPixmap(at, over.grab());
    return picture;
}

void renderDrag(ui::MainWindow& window, const QString& file)
{
    auto* drag = window.findChild<ui::NodeDrag*>();
    auto* pools = window.findChild<ui::TableView*>(QStringLiteral("pools.table"));
    const std::unique_ptr<QMimeData> data(drag->mimeFor({QStringLiteral("edge-02"), QStringLiteral("edge-05"), QStringLiteral("origin-11")}));
    const QPoint at = pools->visualRect(pools->model()->index(7, 3)).center();
    QDragEnterEvent enter(at, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(pools->viewport(), &enter);
    QDragMoveEvent move(at, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(pools->viewport(), &move);
    settle();
    with(window, drag->badge(), pools->viewport()->mapTo(&window, at) + QPoint(18, 20)).save(file);
    QDragLeaveEvent leave;
    QApplication::sendEvent(pools->viewport(), &leave);
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
        test::RecordingClient client;
        theme.setMode(dark ? ui::Theme::Mode::Dark : ui::Theme::Mode::Light);
        ui::MainWindowOptions options;
        options.settingsFile = settings.filePath(dark ? QStringLiteral("dark.ini") : QStringLiteral("light.ini"));
        options.language = QStringLiteral("en");
        if (argc > 2) {
            options.translations = QString::fromLocal8Bit(argv[2]);
        }
        ui::MainWindow window(client, theme, options);
        window.show();
        client.send(test::sampleFleet(client.wallMs, client.monoMs));
        window.showPool(QStringLiteral("pool-3"));
        settle();
        auto* nodes = window.findChild<ui::TableView*>(QStringLiteral("pools.nodes"));
        for (const int row : {0, 3, 8}) {
            nodes->selectionModel()->select(nodes->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
        const auto file = [&](const char* name) { return QStringLiteral("%1/%2-%3.png").arg(directory, QLatin1String(name), dark ? QStringLiteral("dark") : QStringLiteral("light")); };
        client.impact = test::outageImpact();
        renderDrag(window, file("drag"));

        const auto dialog = [&](const char* name, const ui::MoveImpact& impact, const auto& change) {
            client.impact = impact;
            window.findChild<QAction*>(QStringLiteral("action.moveTo"))->trigger();
            settle();
            auto* pick = window.findChild<QDialog*>(QStringLiteral("movepick.dialog"));
            pick->findChild<QLineEdit*>()->setText(QStringLiteral("pool-"));
            settle();
            const auto centre = [&](QWidget& child) { return QPoint((window.width() - child.width()) / 2, (window.height() - child.height()) / 2); };
            if (impact.tier == 3) {
                with(window, *pick, centre(*pick)).save(file("pick"));
            }
            pick->findChild<QLineEdit*>()->setText(QStringLiteral("pool-7"));
            settle();
            pick->accept();
            settle();
            auto* ask = window.findChild<ui::MoveDialog*>();
            change(*ask);
            settle();
            with(window, *ask, centre(*ask)).save(file(name));
            ask->reject();
            settle();
        };
        dialog("tier3", test::outageImpact(), [&](ui::MoveDialog& ask) {
            ask.findChild<QCheckBox*>()->setChecked(true);
            ask.findChild<QLineEdit*>()->setText(QStringLiteral("move capacity to user 7 for tonight"));
            client.impact.apps[4].before.candidates = 2;
            window.store().flushNow();
            ui::ChangeBatch batch;
            batch.nodes = {*window.store().node(QStringLiteral("edge-02"))};
            client.send(batch);
            window.store().flushNow();
        });
        dialog("tier2", test::riskyImpact(), [](ui::MoveDialog&) {});
        client.impact = test::safeImpact(3);
        window.findChild<QAction*>(QStringLiteral("action.cut"))->trigger();
        window.showPool(QStringLiteral("pool-7"));
        window.findChild<QAction*>(QStringLiteral("action.paste"))->trigger();
        settle();
        window.grab().save(file("moved"));
    }
    return 0;
}
