// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of the PROXY protocol, good and bad; each also a byte at a time.
#include "core/gateway/ProxyHeader.h"

#include <QTest>

#include <string>

using weir::gateway::ProxyHeader;
using weir::gateway::readProxyHeader;

namespace {

QByteArray v2(int command, int family, const QByteArray& rest, int length = -1)
{
    const int size = length < 0 ? static_cast<int>(rest.size()) : length;
    QByteArray bytes("\r\n\r\n\0\r\nQUIT\n", 12);
    for (const int part : {command, family, size >> 8, size & 0xFF}) {
        bytes.append(static_cast<char>(part));
    }
    return bytes + rest;
}

QByteArray hex(const char* digits)
{
    return QByteArray::fromHex(digits);
}

const QByteArray kV4 = QByteArray::fromHex("cb007107c0000201"
                                           "126701bb");
const QByteArray kV6 = QByteArray::fromHex("20010db8000000000000000000000007"
                                           "20010db8000000000000000000000001"
                                           "126701bb");

} // namespace

class TestProxyHeader : public QObject {
    Q_OBJECT

private slots:
    void good_data();
    void good();
    void bad_data();
    void bad();
    void beginnings_data();
    void beginnings();
};

void TestProxyHeader::good_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("destination");
    const auto row = [](const char* name, const QByteArray& bytes, const char* source = "", const char* destination = "") {
        QTest::newRow(name) << bytes << QString::fromLatin1(source) << QString::fromLatin1(destination);
    };
    row("1, IPv4", "PROXY TCP4 203.0.113.7 192.0.2.1 4711 443\r\n", "203.0.113.7", "192.0.2.1");
    row("1, IPv6", "PROXY TCP6 2001:DB8::7 2001:db8:0::1 4711 443\r\n", "2001:db8::7", "2001:db8::1");
    row("1, IPv4 as IPv6", "PROXY TCP6 ::ffff:203.0.113.7 ::1 0 65535\r\n", "203.0.113.7", "::1");
    row("1, unknown", "PROXY UNKNOWN\r\n");
    row("1, unknown with what is ignored", "PROXY UNKNOWN whatever it is\r\n");
    row("1, the longest", "PROXY UNKNOWN " + QByteArray(91, 'f') + "\r\n");
    row("2, IPv4", v2(0x21, 0x11, kV4), "203.0.113.7", "192.0.2.1");
    row("2, IPv6", v2(0x21, 0x21, kV6), "2001:db8::7", "2001:db8::1");
    row("2, local", v2(0x20, 0x00, {}));
    row("2, local with addresses", v2(0x20, 0x11, kV4));
    row("2, local with anything", v2(0x20, 0x77, hex("010203")));
    row("2, unspecified", v2(0x21, 0x00, {}));
    row("2, unspecified with something", v2(0x21, 0x00, hex("010203")));
    row("2, a path", v2(0x21, 0x31, QByteArray(216, 'p')));
    row("2, additions", v2(0x21, 0x11, kV4 + hex("020004") + "test" + hex("040000")), "203.0.113.7", "192.0.2.1");
    row("2, checksum", v2(0x21, 0x11, kV4 + hex("030004e64b5e87")), "203.0.113.7", "192.0.2.1");
    row("2, the longest", v2(0x21, 0x11, kV4 + hex("e00fe1") + QByteArray(4065, 'x')), "203.0.113.7", "192.0.2.1");
}

void TestProxyHeader::good()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, source);
    QFETCH(QString, destination);
    const std::string text = bytes.toStdString();
    for (std::size_t seen = 0; seen < text.size(); ++seen) {
        const ProxyHeader part = readProxyHeader(std::string_view(text).substr(0, seen));
        QVERIFY2(part.step == ProxyHeader::Step::NeedMore, std::to_string(seen).c_str());
    }
    for (const char* behind : {"", "GET / HTTP/1.1\r\n", "\r\n", "PROXY UNKNOWN\r\n"}) {
        const ProxyHeader header = readProxyHeader(text + behind);
        QVERIFY2(header.step == ProxyHeader::Step::Done, std::string(header.fault).c_str());
        QCOMPARE(header.length, text.size());
        QCOMPARE(header.source ? header.source->text() : std::string(), source.toStdString());
        QCOMPARE(header.destination ? header.destination->text() : std::string(), destination.toStdString());
    }
}

void TestProxyHeader::bad_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char* name, const QByteArray& bytes, const char* fault) {
        QTest::newRow(name) << bytes << QString::fromLatin1(fault);
    };
    row("HTTP", "GET / HTTP/1.1\r\n", "none came");
    row("TLS", hex("160301020001"), "none came");
    row("lower case", "proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "none came");
    row("1, no space", "PROXYTCP4 1.2.3.4 1.2.3.4 1 2\r\n", "none came");
    row("1, two spaces", "PROXY  TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "the family");
    row("1, no family", "PROXY \r\n", "the family");
    row("1, family", "PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n", "the family");
    row("1, family in lower case", "PROXY tcp4 1.2.3.4 1.2.3.4 1 2\r\n", "the family");
    row("1, unknown and more", "PROXY UNKNOWNS\r\n", "the family");
    row("1, nothing behind the family", "PROXY TCP4\r\n", "two addresses");
    row("1, a port is missing", "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n", "two addresses");
    row("1, one word too many", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n", "two addresses");
    row("1, a space at the end", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 \r\n", "two addresses");
    row("1, two spaces between", "PROXY TCP4 1.2.3.4  1.2.3.4 1\r\n", "an address");
    row("1, leading zero", "PROXY TCP4 01.2.3.4 1.2.3.4 1 2\r\n", "an address");
    row("1, not an address", "PROXY TCP4 1.2.3 1.2.3.4 1 2\r\n", "an address");
    row("1, a host", "PROXY TCP4 localhost 1.2.3.4 1 2\r\n", "an address");
    row("1, IPv6 as TCP4", "PROXY TCP4 ::1 1.2.3.4 1 2\r\n", "an address");
    row("1, IPv4 as TCP6", "PROXY TCP6 ::1 1.2.3.4 1 2\r\n", "an address");
    row("1, brackets", "PROXY TCP6 [::1] ::1 1 2\r\n", "an address");
    row("1, a zone", "PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n", "an address");
    row("1, port too high", "PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n", "a port");
    row("1, port with a zero", "PROXY TCP4 1.2.3.4 1.2.3.4 1 02\r\n", "a port");
    row("1, negative port", "PROXY TCP4 1.2.3.4 1.2.3.4 -1 2\r\n", "a port");
    row("1, no number", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2x\r\n", "a port");
    row("1, huge port", "PROXY TCP4 1.2.3.4 1.2.3.4 99999999999999999999 2\r\n", "a port");
    row("1, LF alone", "PROXY UNKNOWN\nGET", "CR LF");
    row("1, CR alone", "PROXY UNKNOWN\rGET", "CR LF");
    row("1, NUL", QByteArray("PROXY UNKNOWN \0\r\n", 17), "CR LF");
    row("1, not ASCII", "PROXY UNKNOWN \xC3\xA4\r\n", "CR LF");
    row("1, a tab", "PROXY\tTCP4 1.2.3.4 1.2.3.4 1 2\r\n", "none came");
    row("1, one byte too long", "PROXY UNKNOWN " + QByteArray(92, 'f') + "\r\n", "107 bytes");
    row("1, endless", "PROXY UNKNOWN " + QByteArray(5000, 'f'), "107 bytes");
    row("2, other signature", "\r\n\r\n\r\n", "none came");
    row("2, version 1", v2(0x11, 0x11, kV4), "version or command");
    row("2, version 3", v2(0x31, 0x11, kV4), "version or command");
    row("2, command", v2(0x22, 0x11, kV4), "version or command");
    row("2, datagrams", v2(0x21, 0x12, kV4), "the family");
    row("2, family", v2(0x21, 0x41, kV4), "the family");
    row("2, transport", v2(0x21, 0x13, kV4), "the family");
    row("2, too short for IPv4", v2(0x21, 0x11, kV4.left(11)), "too short");
    row("2, too short for IPv6", v2(0x21, 0x21, kV6.left(35)), "too short");
    row("2, too short for a path", v2(0x21, 0x31, QByteArray(215, 'p')), "too short");
    row("2, too long", v2(0x21, 0x11, kV4, 4081), "4096 bytes");
    row("2, as long as can be said", v2(0x20, 0x00, {}, 65535), "4096 bytes");
    row("2, half an addition", v2(0x21, 0x11, kV4 + hex("0200")), "an addition");
    row("2, an addition beyond the end", v2(0x21, 0x11, kV4 + hex("020005") + "test"), "an addition");
    row("2, wrong checksum", hex("0d0a0d0a000d0a515549540a21110013cb007107c0000201126701bb030004e64b5e88"), "the checksum");
    row("2, other bytes under a checksum", hex("0d0a0d0a000d0a515549540a21110013cb007108c0000201126701bb030004e64b5e87"), "the checksum");
    row("2, short checksum", v2(0x21, 0x11, kV4 + hex("030003e64b5e")), "the checksum");
}

void TestProxyHeader::bad()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, fault);
    const std::string text = bytes.toStdString();
    const ProxyHeader header = readProxyHeader(text);
    QVERIFY(header.step == ProxyHeader::Step::Failed);
    QCOMPARE(header.length, std::size_t{0});
    QVERIFY2(header.fault.find(fault.toStdString()) != std::string_view::npos, std::string(header.fault).c_str());
    // A byte at a time it fails too, and is never taken for a header before.
    bool hasFailed = false;
    for (std::size_t seen = 0; seen <= text.size(); ++seen) {
        const ProxyHeader part = readProxyHeader(std::string_view(text).substr(0, seen));
        QVERIFY2(part.step != ProxyHeader::Step::Done, std::to_string(seen).c_str());
        QVERIFY2(!hasFailed || part.step == ProxyHeader::Step::Failed, std::to_string(seen).c_str());
        hasFailed = part.step == ProxyHeader::Step::Failed;
    }
    QVERIFY(hasFailed);
}

void TestProxyHeader::beginnings_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("fails");
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("P") << QByteArray("P") << false;
    QTest::newRow("POST") << QByteArray("PO") << true;
    QTest::newRow("CR") << QByteArray("\r") << false;
    QTest::newRow("an empty line") << QByteArray("\r\n") << false;
    QTest::newRow("an empty line and a request") << QByteArray("\r\nG") << true;
    QTest::newRow("signature") << v2(0x21, 0x11, kV4).left(12) << false;
    QTest::newRow("up to the addresses") << v2(0x21, 0x11, kV4).left(16) << false;
}

void TestProxyHeader::beginnings()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, fails);
    QCOMPARE(readProxyHeader(bytes.toStdString()).step == ProxyHeader::Step::Failed, fails);
    QVERIFY(readProxyHeader(bytes.toStdString()).step != ProxyHeader::Step::Done);
}

QTEST_APPLESS_MAIN(TestProxyHeader)
#include "TestProxyHeader.moc"
