// SPDX-License-Identifier: GPL-3.0-or-later
// The table of answers, to the byte.
#include "app/worker/Report.h"

#include <QtTest>

#include <limits>

using namespace weir::worker;

class TestWorkerReport : public QObject {
    Q_OBJECT

private slots:
    void theTable_data();
    void theTable();
    void watermarks_data();
    void watermarks();
};

void TestWorkerReport::theTable_data()
{
    QTest::addColumn<double>("minFreeGb");
    QTest::addColumn<bool>("checkDeps");
    QTest::addColumn<bool>("ready");
    QTest::addColumn<double>("freeGb"); // negative: unreadable
    QTest::addColumn<bool>("comfyui");
    QTest::addColumn<bool>("changeHair");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, double minFreeGb, bool checkDeps, bool ready, double freeGb, bool comfyui, bool changeHair, int status, const char* body) {
        QTest::newRow(name) << minFreeGb << checkDeps << ready << freeGb << comfyui << changeHair << status << QByteArray(body);
    };
    row("fine", 5, true, true, 24.6, true, true, 200, "{\"status\":\"ok\",\"disk_free_gb\":24.6,\"deps\":{\"comfyui\":true,\"change_hair\":true}}");
    row("starting", 5, true, false, 24.6, true, true, 503, "{\"status\":\"starting\"}");
    row("starting before all else", 5, true, false, 0.1, false, false, 503, "{\"status\":\"starting\"}");
    row("disk", 5, true, true, 3.1, true, true, 503, "{\"status\":\"degraded\",\"reason\":\"disk_free_below_5.0g\",\"disk_free_gb\":3.1}");
    row("both dependencies", 5, true, true, 24.6, false, false, 503,
        "{\"status\":\"degraded\",\"reason\":\"dep_down:comfyui,change_hair\",\"deps\":{\"comfyui\":false,\"change_hair\":false}}");
    row("one dependency", 5, true, true, 24.6, true, false, 503, "{\"status\":\"degraded\",\"reason\":\"dep_down:change_hair\",\"deps\":{\"comfyui\":true,\"change_hair\":false}}");
    row("both faults", 5, true, true, 3.1, false, true, 503,
        "{\"status\":\"degraded\",\"reason\":\"disk_free_below_5.0g;dep_down:comfyui\",\"disk_free_gb\":3.1,\"deps\":{\"comfyui\":false,\"change_hair\":true}}");
    row("at the watermark", 5, false, true, 5.0, true, true, 200, "{\"status\":\"ok\",\"disk_free_gb\":5.0}");
    row("a hair below it", 5, false, true, 4.9999, true, true, 503, "{\"status\":\"degraded\",\"reason\":\"disk_free_below_5.0g\",\"disk_free_gb\":4.9}");
    row("nothing left", 5, false, true, 0, true, true, 503, "{\"status\":\"degraded\",\"reason\":\"disk_free_below_5.0g\",\"disk_free_gb\":0.0}");
    row("unreadable", 5, true, true, -1, true, true, 503, "{\"status\":\"degraded\",\"reason\":\"disk_unreadable\"}");
    row("disk off", 0, true, true, -1, true, true, 200, "{\"status\":\"ok\",\"deps\":{\"comfyui\":true,\"change_hair\":true}}");
    row("dependencies off", 5, false, true, 100000.25, false, false, 200, "{\"status\":\"ok\",\"disk_free_gb\":100000.2}");
    row("all off", 0, false, true, -1, false, false, 200, "{\"status\":\"ok\"}");
}

void TestWorkerReport::theTable()
{
    QFETCH(double, minFreeGb);
    QFETCH(bool, checkDeps);
    QFETCH(bool, ready);
    QFETCH(double, freeGb);
    QFETCH(bool, comfyui);
    QFETCH(bool, changeHair);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    Settings settings;
    settings.minFreeGb = minFreeGb;
    settings.checkDeps = checkDeps;
    settings.deps = {{"comfyui", "127.0.0.1", 8188}, {"change_hair", "127.0.0.1", 8801}};
    Findings findings;
    findings.ready = ready;
    findings.freeGb = freeGb < 0 ? std::nullopt : std::optional(freeGb);
    findings.depsUp = {comfyui, changeHair};
    const Report answer = report(settings, findings);
    QCOMPARE(QByteArray::fromStdString(answer.body), body);
    QCOMPARE(static_cast<int>(answer.status), status);
}

void TestWorkerReport::watermarks_data()
{
    QTest::addColumn<double>("gb");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("5") << 5.0 << QByteArray("5.0");
    QTest::newRow("0.25") << 0.25 << QByteArray("0.25");
    QTest::newRow("999") << 999.0 << QByteArray("999.0");
    QTest::newRow("a million") << 1e6 << QByteArray("1000000.0");
}

void TestWorkerReport::watermarks()
{
    QFETCH(double, gb);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(watermarkText(gb)), text);
}

QTEST_GUILESS_MAIN(TestWorkerReport)
#include "TestWorkerReport.moc"
