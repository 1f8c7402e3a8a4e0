// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpNetwork.h"

#include <QTest>

namespace weir {

class TestIpNetwork : public QObject {
    Q_OBJECT

private slots:
    void contains_data();
    void contains();
    void refuses_data();
    void refuses();
};

void TestIpNetwork::contains_data()
{
    QTest::addColumn<QByteArray>("network");
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<bool>("isIn");
    const auto row = [](const char* network, const char* address, bool isIn) { QTest::addRow("%s in %s", address, network) << QByteArray(network) << QByteArray(address) << isIn; };
    row("10.0.0.0/8", "10.255.1.2", true);
    row("10.0.0.0/8", "11.0.0.0", false);
    row("10.1.2.3/8", "10.9.9.9", true);
    row("192.0.2.128/25", "192.0.2.128", true);
    row("192.0.2.128/25", "192.0.2.127", false);
    row("192.0.2.1", "192.0.2.1", true);
    row("192.0.2.1", "192.0.2.2", false);
    row("0.0.0.0/0", "203.0.113.9", true);
    row("0.0.0.0/0", "::1", false);
    row("::/0", "203.0.113.9", true);
    row("10.0.0.0/8", "::ffff:10.1.1.1", true);
    row("2001:db8::/32", "2001:db8:ffff::1", true);
    row("2001:db8::/32", "2001:db9::1", false);
    row("2001:db8::/33", "2001:db8:8000::1", false);
    row("::1", "::1", true);
}

void TestIpNetwork::contains()
{
    QFETCH(QByteArray, network);
    QFETCH(QByteArray, address);
    QFETCH(bool, isIn);
    const auto parsed = IpNetwork::parse(network.toStdString());
    const auto one = IpAddress::parse(address.toStdString());
    QVERIFY(parsed && one);
    QCOMPARE(parsed->contains(*one), isIn);
}

void TestIpNetwork::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.0/8/8", "10.0.0/8", "::1/129", "[::1]/128", "host", "10.0.0.0/+8", "10.0.0.0/0x8"}) {
        QTest::addRow("'%s'", text) << QByteArray(text);
    }
}

void TestIpNetwork::refuses()
{
    QFETCH(QByteArray, text);
    QVERIFY(!IpNetwork::parse(text.toStdString()));
}

} // namespace weir

QTEST_GUILESS_MAIN(weir::TestIpNetwork)
#include "TestIpNetwork.moc"
