// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of docs/api.md work, in their order.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QtTest>

using namespace weir::test;

class TestApiExamples : public QObject {
    Q_OBJECT

private slots:
    void everyExampleWorks();
};

void TestApiExamples::everyExampleWorks()
{
    if (QStandardPaths::findExecutable(QStringLiteral("curl")).isEmpty()) {
        QSKIP("curl is not installed");
    }
    QFile page(QStringLiteral(WEIR_SOURCE_DIR "/docs/api.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QList<QByteArray> examples;
    for (const QByteArray& line : page.readAll().split('\n')) {
        if (line.startsWith("curl ")) {
            examples << line;
        }
    }
    QVERIFY(examples.size() > 20);
    FakeWorker worker;
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("WEIR"), server.adminUrl());
    environment.insert(QStringLiteral("AUTH"), QStringLiteral("Authorization: Bearer ") + QString::fromLatin1(server.token()));
    for (QByteArray example : examples) {
        if (example.contains("/v1/schedule") || example.contains("/v1/publish")) {
            // A reader would wait for the first good probe as well.
            QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/origin-1").flag("inRotation"), 8'000);
        }
        if (example.contains("/admin/incidents/1\"")) {
            QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/incidents/1").status == 200, 8'000); // a moment after its first event
        }
        if (example.contains("gateway-health")) {
            const auto healthy = [&] { return server.client().send("POST", "/admin/mmx-nodes/origin-1:probe").status == 200 && server.client().get("/gateway-health").status == 200; };
            QTRY_VERIFY_WITH_TIMEOUT(healthy(), 8'000);
        }
        const QByteArray shown = example;
        example.replace("http://127.0.0.1:9000", worker.url().toUtf8());
        example.replace("curl ", "curl --silent --noproxy '*' --max-time 10 --write-out '\\n%{http_code}' ");
        QProcess shell;
        shell.setProcessEnvironment(environment);
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromUtf8(example)});
        QVERIFY(shell.waitForFinished(15'000));
        const QByteArray answer = shell.readAllStandardOutput();
        const int status = answer.mid(answer.lastIndexOf('\n') + 1).toInt();
        QVERIFY2(status >= 200 && status < 300, (shown + "\n" + answer).constData());
    }
}

QTEST_GUILESS_MAIN(TestApiExamples)
#include "TestApiExamples.moc"
