// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ListenAddress.h"

#include <QTest>

using weir::config::ListenAddress;
using weir::config::parseListenAddress;

class TestListenAddress : public QObject {
    Q_OBJECT

private slots:
    void accepts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QString>("written");
        QTest::newRow("IPv4") << "127.0.0.1:8700" << "127.0.0.1" << 8700 << "127.0.0.1:8700";
        QTest::newRow("any port") << "127.0.0.1:0" << "127.0.0.1" << 0 << "127.0.0.1:0";
        QTest::newRow("every address") << "0.0.0.0:65535" << "0.0.0.0" << 65535 << "0.0.0.0:65535";
        QTest::newRow("IPv6") << "[::1]:0" << "::1" << 0 << "[::1]:0";
        QTest::newRow("localhost") << "localhost:80" << "127.0.0.1" << 80 << "127.0.0.1:80";
    }

    void accepts()
    {
        QFETCH(QString, text);
        QFETCH(QString, host);
        QFETCH(int, port);
        QFETCH(QString, written);
        const auto address = parseListenAddress(text.toStdString());
        QVERIFY(address.has_value());
        QCOMPARE(QString::fromStdString(address->host), host);
        QCOMPARE(int(address->port), port);
        QCOMPARE(QString::fromStdString(toText(*address)), written);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) { QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(says); };
        row("", "no port");
        row("127.0.0.1", "no port");
        row("[::1]", "no port");
        row(":8700", "not an IP address");
        row("8700", "no port");
        row("127.0.0.1:", "port is not a number");
        row("127.0.0.1:65536", "port is not a number");
        row("127.0.0.1:99999999999999999999", "port is not a number");
        row("127.0.0.1:-1", "port is not a number");
        row("127.0.0.1:+1", "port is not a number");
        row("127.0.0.1: 1", "port is not a number");
        row("127.0.0.1:http", "port is not a number");
        row("127.0.0.300:80", "not an IP address");
        row("127.1:80", "not an IP address");
        row("weir.example.test:80", "not an IP address");
        row("::1:80", "stands in brackets");
        row("[127.0.0.1]:80", "not an IPv6 address");
        row("[]:80", "not an IPv6 address");
        row(" 127.0.0.1:80", "not an IP address");
        QTest::newRow("NUL") << QByteArray("127.0.0.1\0x:80", 14) << QStringLiteral("not an IP address");
    }

    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto address = parseListenAddress(text.toStdString(), "--admin-listen");
        QVERIFY(!address.has_value());
        QCOMPARE(address.error().code, std::string("invalid_address"));
        QCOMPARE(address.error().field, std::string("--admin-listen"));
        QVERIFY2(QString::fromStdString(address.error().message).contains(says), address.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestListenAddress)
#include "TestListenAddress.moc"
