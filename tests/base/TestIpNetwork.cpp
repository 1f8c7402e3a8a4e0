// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpNetwork.h"

#include <QtTest>

using weir::IpAddress;
using weir::IpNetwork;

class TestIpNetwork : public QObject {
    Q_OBJECT

private slots:
    void contains_data();
    void contains();
    void whatIsNoNetwork_data();
    void whatIsNoNetwork();
};

void TestIpNetwork::contains_data()
{
    QTest::addColumn<QByteArray>("network");
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<bool>("inside");
    const auto row = [](const char* network, const char* address, bool inside) { QTest::addRow("%s %s", network, address) << QByteArray(network) << QByteArray(address) << inside; };
    row("10.0.0.0/8", "10.255.0.1", true);
    row("10.0.0.0/8", "11.0.0.0", false);
    row("10.0.0.0/8", "::ffff:10.1.2.3", true);
    row("10.0.0.0/8", "::10.1.2.3", false);
    row("192.168.4.0/22", "192.168.7.255", true);
    row("192.168.4.0/22", "192.168.8.0", false);
    row("0.0.0.0/0", "8.8.8.8", true);
    row("0.0.0.0/0", "2001:db8::1", false);
    row("::/0", "2001:db8::1", true);
    row("fd00::/8", "fdff::1", true);
    row("fd00::/8", "fe00::1", false);
    row("fe80::/10", "febf::1", true);
    row("127.0.0.1", "127.0.0.1", true);
    row("127.0.0.1", "127.0.0.2", false);
    row("::1/128", "::1", true);
}

void TestIpNetwork::contains()
{
    QFETCH(QByteArray, network);
    QFETCH(QByteArray, address);
    QFETCH(bool, inside);
    const auto parsed = IpNetwork::parse(network.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(parsed->contains(IpAddress::parse(address.toStdString()).value()), inside);
}

void TestIpNetwork::whatIsNoNetwork_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8 ", "10.0.0.0/+8", "10.0.0.1/8", "10.0.0/8", "fd00::/129", "fd00::1/8", "[fd00::]/8", "host/8", "10.0.0.0/8/8"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TestIpNetwork::whatIsNoNetwork()
{
    QFETCH(QByteArray, text);
    QVERIFY(!IpNetwork::parse(text.toStdString()).has_value());
}

QTEST_GUILESS_MAIN(TestIpNetwork)
#include "TestIpNetwork.moc"
