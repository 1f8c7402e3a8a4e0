// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/layering/LayerRules.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using weir::layering::Sources;
using weir::layering::violations;

namespace {

// Every C++ file below the given folders of the tree.
Sources readTree(const QStringList& folders)
{
    const QDir root(QStringLiteral(WEIR_SOURCE_DIR));
    Sources sources;
    for (const QString& folder : folders) {
        QDirIterator files(
            root.filePath(folder), {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly)) {
                sources.insert(root.relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll()));
            }
        }
    }
    return sources;
}

} // namespace

class TestLayering : public QObject {
    Q_OBJECT

private slots:
    void theTreeKeepsItsLayers();
    void everySourceNamesTheLicence();
    void theRules_data();
    void theRules();
    void theFaultNamesFileLineAndInclude();
    void beastIsCounted();
};

void TestLayering::theTreeKeepsItsLayers()
{
    const Sources sources = readTree({QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app")});
    QVERIFY2(sources.contains(QStringLiteral("core/base/Result.h")), "the sources were not found");
    const QStringList faults = violations(sources);
    QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
}

void TestLayering::everySourceNamesTheLicence()
{
    const Sources sources =
        readTree({QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("tests"), QStringLiteral("bench")});
    QVERIFY(sources.contains(QStringLiteral("tests/layering/TestLayering.cpp")));
    QStringList without;
    for (auto it = sources.begin(); it != sources.end(); ++it) {
        if (!it.value().startsWith(QLatin1String("// SPDX-License-Identifier: GPL-3.0-or-later\n"))) {
            without.append(it.key());
        }
    }
    QVERIFY2(without.isEmpty(), qPrintable(without.join(QLatin1Char('\n'))));
}

void TestLayering::theRules_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("allowed");

    const auto row = [](const char* name, const char* path, const char* text, bool allowed) {
        QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(text) << allowed;
    };
    row("own folder", "core/fleet/Fleet.cpp", "#include \"core/fleet/Fleet.h\"", true);
    row("downwards", "core/fleet/Fleet.h", "#include \"core/health/HealthState.h\"\n#include \"core/base/Ids.h\"", true);
    row("far downwards", "app/server/main.cpp", "#include \"core/base/Ids.h\"\n#include \"core/runtime/Runtime.h\"", true);
    row("generated", "app/server/main.cpp", "#include \"weir_version.h\"\n#include \"main.moc\"", true);
    row("upwards", "core/base/Ids.h", "#include \"core/health/HealthState.h\"", false);
    row("upwards by one", "core/plane/ControlPlane.cpp", "#include \"core/api/Api.h\"", false);
    row("upwards in angle brackets", "core/base/Ids.h", "#include <core/fleet/Fleet.h>", false);
    row("upwards with blanks", "core/base/Ids.h", "  #  include   \"core/fleet/Fleet.h\"", false);
    row("in a comment", "core/base/Ids.h", "// #include \"core/fleet/Fleet.h\"", true);
    row("neighbour fleet to routing", "core/fleet/Fleet.h", "#include \"core/routing/Hosts.h\"", false);
    row("neighbour outcome to journal", "core/outcome/Rules.h", "#include \"core/journal/Journal.h\"", false);
    row("neighbour probe to live", "core/probe/Prober.h", "#include \"core/live/LiveFleet.h\"", false);
    row("neighbour store to http", "core/store/Store.cpp", "#include \"core/http/Listener.h\"", false);
    row("core to ui", "core/demo/Demo.cpp", "#include \"ui/client/Rows.h\"", false);
    row("ui to app", "ui/shell/MainWindow.cpp", "#include \"app/console/Options.h\"", false);
    row("runtime from demo", "core/demo/Demo.cpp", "#include \"core/runtime/Runtime.h\"", true);
    row("demo from runtime", "core/runtime/Runtime.cpp", "#include \"core/demo/Demo.h\"", false);
    row("core to tests", "core/base/Ids.cpp", "#include \"tests/support/Fake.h\"", false);
    row("not rooted", "core/base/Ids.cpp", "#include \"Ids.h\"", false);
    row("unknown folder", "core/misc/Thing.cpp", "", false);
    row("into an unknown folder", "core/api/Api.cpp", "#include \"core/misc/Thing.h\"", false);

    row("client to plane", "ui/client/EmbeddedClient.cpp", "#include \"core/plane/ControlPlane.h\"", true);
    row("client to pages", "ui/client/EmbeddedClient.cpp", "#include \"ui/pages/nodes/NodesPage.h\"", false);
    row("page to client", "ui/pages/nodes/NodesPage.cpp", "#include \"ui/client/Rows.h\"\n#include \"ui/widgets/StateChip.h\"", true);
    row("page to base", "ui/pages/nodes/NodesPage.cpp", "#include \"core/base/Sentence.h\"", true);
    row("page to plane", "ui/pages/nodes/NodesPage.cpp", "#include \"core/plane/ControlPlane.h\"", false);
    row("widget to fleet", "ui/widgets/StateChip.cpp", "#include \"core/fleet/Fleet.h\"", false);

    row("Qt in base", "core/base/Ids.h", "#include <QString>", false);
    row("Qt module in the journal", "core/journal/Journal.cpp", "#include <QtCore/QByteArray>", false);
    row("Qt in live", "core/live/LiveFleet.cpp", "#include <QObject>", false);
    row("std in live", "core/live/LiveFleet.cpp", "#include <queue>\n#include <mutex>", true);
    row("Qt in the store", "core/store/Store.cpp", "#include <QSqlDatabase>", true);
    row("a widget in api", "core/api/Api.cpp", "#include <QWidget>", false);
    row("Widgets in runtime", "core/runtime/Runtime.cpp", "#include <QtWidgets>", false);
    row("an icon in plane", "core/plane/ControlPlane.cpp", "#include <QIcon>", false);
    row("an item view in plane", "core/plane/ControlPlane.cpp", "#include <QTreeView>", false);
    row("a string view in plane", "core/plane/ControlPlane.cpp", "#include <QStringView>", true);
    row("widgets in ui", "ui/shell/MainWindow.h", "#include <QMainWindow>", true);

    row("charts at home", "ui/widgets/charts/TimeChart.h", "#include <QtCharts/QLineSeries>\n#include <QChartView>", true);
    row("chart view elsewhere", "ui/pages/overview/OverviewPage.h", "#include <QChartView>", false);
    row("series elsewhere", "ui/widgets/TimeAxis.h", "#include <QtCharts/QLineSeries>", false);
    row("axis elsewhere", "ui/widgets/TimeAxis.h", "#include <QDateTimeAxis>", false);

    row("reply in probe", "core/probe/QnamTransport.cpp", "#include <QNetworkReply>", true);
    row("reply in ui", "ui/client/EmbeddedClient.cpp", "#include <QNetworkReply>", false);
    row("reply declared forward", "core/plane/Webhooks.h", "class QNetworkReply;", false);
    row("reply in a comment", "core/plane/Webhooks.h", "// no QNetworkReply here\n/* nor\nQNetworkReply here */", true);
    row("tests are exempt", "tests/ui/TestPages.cpp", "#include \"core/plane/ControlPlane.h\"\n#include <QNetworkReply>", true);
}

void TestLayering::theRules()
{
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(bool, allowed);
    const QStringList faults = violations({{path, text}});
    QVERIFY2(faults.isEmpty() == allowed, qPrintable(QLatin1String("faults: ") + faults.join(QLatin1Char('\n'))));
}

void TestLayering::theFaultNamesFileLineAndInclude()
{
    const QStringList faults =
        violations({{QStringLiteral("core/base/Ids.h"), QStringLiteral("#pragma once\n\n#include \"core/api/Api.h\"\n")}});
    QCOMPARE(faults, QStringList(QStringLiteral("core/base/Ids.h:3: core/api/Api.h lies above core/base")));
}

void TestLayering::beastIsCounted()
{
    Sources sources;
    for (int i = 0; i < 6; ++i) {
        sources.insert(QStringLiteral("core/http/File%1.cpp").arg(i),
            QStringLiteral("#include <boost/beast/http.hpp>\n#include <boost/beast/core.hpp>"));
    }
    QVERIFY(violations(sources).isEmpty());
    sources.insert(QStringLiteral("core/gateway/Proxy.cpp"), QStringLiteral("#include <boost/beast.hpp>"));
    QCOMPARE(violations(sources).size(), 1);
    QVERIFY(violations(sources).first().startsWith(QLatin1String("7 files include Boost.Beast, 6 may")));
}

QTEST_GUILESS_MAIN(TestLayering)
#include "TestLayering.moc"
