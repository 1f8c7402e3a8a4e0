// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/HealthUrl.h"

#include <QTest>

using weir::probe::joinHealthUrl;

class TestHealthUrl : public QObject {
    Q_OBJECT
private slots:
    void joins_data();
    void joins();
    void refuses_data();
    void refuses();
};

void TestHealthUrl::joins_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("plain") << QByteArray("http://h:9000") << QByteArray("/health") << QByteArray("http://h:9000/health");
    QTest::newRow("slash") << QByteArray("http://h/") << QByteArray("/health") << QByteArray("http://h/health");
    QTest::newRow("base path") << QByteArray("http://h/a/") << QByteArray("/health") << QByteArray("http://h/a/health");
    QTest::newRow("base path without slash") << QByteArray("http://h/a") << QByteArray("/health") << QByteArray("http://h/a/health");
    QTest::newRow("query, escaped slash") << QByteArray("http://h") << QByteArray("/health?deep=1&x=a%2Fb")
                                          << QByteArray("http://h/health?deep=1&x=a%2Fb");
    QTest::newRow("IPv6") << QByteArray("http://[::1]:9000") << QByteArray("/health") << QByteArray("http://[::1]:9000/health");
    QTest::newRow("IPv6 without port") << QByteArray("https://[2001:db8::7]") << QByteArray("/h") << QByteArray("https://[2001:db8::7]/h");
    QTest::newRow("https and port") << QByteArray("https://edge-1.example.com:8443") << QByteArray("/") << QByteArray("https://edge-1.example.com:8443/");
    QTest::newRow("case of host") << QByteArray("HTTP://Edge.Example.com") << QByteArray("/Health") << QByteArray("HTTP://Edge.Example.com/Health");
    QTest::newRow("double slash inside") << QByteArray("http://h") << QByteArray("/a//b") << QByteArray("http://h/a//b");
    QTest::newRow("sub-delimiters") << QByteArray("http://h") << QByteArray("/a;b=c,d/@:!$'()*+?q=/?:@") << QByteArray("http://h/a;b=c,d/@:!$'()*+?q=/?:@");
    QTest::newRow("empty query") << QByteArray("http://h") << QByteArray("/a?") << QByteArray("http://h/a?");
}

void TestHealthUrl::joins()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, url);
    const auto joined = joinHealthUrl(base.toStdString(), path.toStdString());
    QVERIFY2(joined.has_value(), joined ? "" : joined.error().message.c_str());
    QCOMPARE(QByteArray::fromStdString(*joined), url);
}

void TestHealthUrl::refuses_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("inMessage");
    const QByteArray invalid = "invalid_url";
    const QByteArray rewritten = "url_not_canonical";
    QTest::newRow("escaped letter") << QByteArray("http://h") << QByteArray("/he%41lth") << rewritten << QByteArray("http://h/heAlth");
    QTest::newRow("dots") << QByteArray("http://h") << QByteArray("/a/../b") << rewritten << QByteArray("http://h/b");
    QTest::newRow("one dot") << QByteArray("http://h") << QByteArray("/a/./b") << rewritten << QByteArray("http://h/a/b");
    QTest::newRow("escaped dots") << QByteArray("http://h") << QByteArray("/a/%2e%2e/b") << rewritten << QByteArray("http://h/b");
    QTest::newRow("dots in the base") << QByteArray("http://h/x/..") << QByteArray("/b") << rewritten << QByteArray("http://h/b");
    QTest::newRow("space") << QByteArray("http://h") << QByteArray("/a b") << rewritten << QByteArray("/a%20b");
    QTest::newRow("stray percent") << QByteArray("http://h") << QByteArray("/a%zz") << rewritten << QByteArray("/a%25zz");
    QTest::newRow("not ASCII") << QByteArray("http://h") << QByteArray("/\xC3\xA4") << rewritten << QByteArray("/%C3%A4");
    QTest::newRow("short IPv4") << QByteArray("http://127.1") << QByteArray("/h") << rewritten << QByteArray("http://127.0.0.1/h");
    QTest::newRow("IPv4 as a number") << QByteArray("http://0xA9FEA9FE") << QByteArray("/h") << rewritten << QByteArray("169.254.169.254");
    QTest::newRow("empty port") << QByteArray("http://h:") << QByteArray("/h") << rewritten << QByteArray("http://h/h");
    QTest::newRow("file") << QByteArray("file:///etc/passwd") << QByteArray("/health") << invalid << QByteArray("http://");
    QTest::newRow("gopher") << QByteArray("gopher://x") << QByteArray("/health") << invalid << QByteArray("http://");
    QTest::newRow("no scheme") << QByteArray("h:9000") << QByteArray("/health") << invalid << QByteArray("http://");
    QTest::newRow("empty") << QByteArray() << QByteArray("/health") << invalid << QByteArray("http://");
    QTest::newRow("user information") << QByteArray("http://user:pw@h:9000") << QByteArray("/h") << invalid << QByteArray("user information");
    QTest::newRow("no host") << QByteArray("http://") << QByteArray("/h") << invalid << QByteArray("no host");
    QTest::newRow("port without host") << QByteArray("http://:80") << QByteArray("/h") << invalid << QByteArray("no host");
    QTest::newRow("port 0") << QByteArray("http://h:0") << QByteArray("/h") << invalid << QByteArray("port");
    QTest::newRow("port too big") << QByteArray("http://h:65536") << QByteArray("/h") << invalid << QByteArray("valid");
    QTest::newRow("broken IPv6") << QByteArray("http://[::1") << QByteArray("/h") << invalid << QByteArray("valid");
    QTest::newRow("query in the base") << QByteArray("http://h/a?x=1") << QByteArray("/h") << invalid << QByteArray("query");
    QTest::newRow("fragment") << QByteArray("http://h") << QByteArray("/h#x") << invalid << QByteArray("fragment");
    QTest::newRow("path without slash") << QByteArray("http://h") << QByteArray("health") << invalid << QByteArray("begin with /");
    QTest::newRow("no path") << QByteArray("http://h") << QByteArray() << invalid << QByteArray("begin with /");
    QTest::newRow("line end in the path") << QByteArray("http://h") << QByteArray("/h\r\nX: y") << invalid << QByteArray("control");
    QTest::newRow("line end in the base") << QByteArray("http://h\r\n") << QByteArray("/h") << invalid << QByteArray("control");
    QTest::newRow("endless") << QByteArray("http://h") << QByteArray("/" + QByteArray(4000, 'x')) << invalid << QByteArray("2048");
}

void TestHealthUrl::refuses()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, inMessage);
    const auto joined = joinHealthUrl(base.toStdString(), path.toStdString());
    QVERIFY2(!joined.has_value(), joined ? joined->c_str() : "");
    QCOMPARE(QByteArray::fromStdString(joined.error().code), code);
    QVERIFY2(joined.error().message.find(inMessage.toStdString()) != std::string::npos, joined.error().message.c_str());
    QVERIFY(joined.error().message.find("pw") == std::string::npos); // no secret in a message
    QVERIFY(joined.error().field == "base" || joined.error().field == "path");
}

QTEST_GUILESS_MAIN(TestHealthUrl)
#include "TestHealthUrl.moc"
