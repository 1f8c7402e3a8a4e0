// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpAddress.h"

#include <QTest>

using weir::IpAddress;

class TestIpAddress : public QObject {
    Q_OBJECT

private slots:
    void spellings_data();
    void spellings();
    void theFamiliesCompareAsOne();
};

void TestIpAddress::spellings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("canonical"); // empty: refused

    const auto row = [](const char* text, const char* canonical) { QTest::newRow(text) << QByteArray(text) << QByteArray(canonical); };
    row("1.2.3.4", "1.2.3.4");
    row("255.255.255.255", "255.255.255.255");
    row("::ffff:1.2.3.4", "1.2.3.4");
    row("::FFFF:0102:0304", "1.2.3.4");
    row("::", "::");
    row("::1", "::1");
    row("1::", "1::");
    row("2001:DB8:2de::e13", "2001:db8:2de::e13");
    row("2001:0db8:02de:0::e13", "2001:db8:2de::e13");
    row("1:0:0:2:0:0:0:3", "1:0:0:2::3");
    row("1:0:0:2:3:0:0:4", "1::2:3:0:0:4");
    row("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8");
    row("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0");
    row("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8");
    row("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304");

    for (const char* bad : {"", "1.1.1", "1.1.1.1.1", "1.1.1.256", "01.1.1.1", "1.1.1.1 ", " 1.1.1.1", "1.1.1.1/32", "1..1.1", "1.1.1.",
             "1.1.1.1111", "a.b.c.d", ":", ":::", ":1", "1:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "::g",
             "1::2::3", "2001::DB8:2de::e13", "[::1]", "fe80::1%eth0", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::"}) {
        QTest::newRow(*bad == '\0' ? "(empty)" : bad) << QByteArray(bad) << QByteArray();
    }
}

void TestIpAddress::spellings()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, canonical);
    const auto address = IpAddress::parse(text.toStdString());
    QCOMPARE(address.has_value(), !canonical.isEmpty());
    if (address) {
        QCOMPARE(QByteArray::fromStdString(address->text()), canonical);
        QVERIFY(IpAddress::parse(address->text()) == address);
    }
}

void TestIpAddress::theFamiliesCompareAsOne()
{
    const IpAddress v4 = IpAddress::v4(10, 0, 0, 1);
    QVERIFY(v4.isV4());
    QVERIFY(v4 == IpAddress::parse("::ffff:10.0.0.1"));
    QVERIFY(v4 > IpAddress::parse("::1"));
    QVERIFY(v4 < IpAddress::parse("10.0.0.2"));
    QVERIFY(!IpAddress::parse("::1")->isV4());
}

QTEST_GUILESS_MAIN(TestIpAddress)
#include "TestIpAddress.moc"
