// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/FlatObject.h"
#include "core/http/JsonBody.h"

#include <QtTest>

using weir::http::FlatObject;
using weir::http::JsonBody;
using weir::http::Request;

namespace {

Request requestOf(const QByteArray& body, const char* type = "application/json")
{
    Request request;
    request.body = body.toStdString();
    request.headers.emplace_back("Content-Type", type);
    return request;
}

} // namespace

class TestFlatObject : public QObject {
    Q_OBJECT

private slots:
    void readsWhatIsPlain();
    void leavesTheRest_data();
    void leavesTheRest();
    void neverTakesWhatJsonBodyRefuses();
};

void TestFlatObject::readsWhatIsPlain()
{
    const Request request = requestOf(" {\"appId\":\"demo\" , \"need\": 12,\n\"stream\":\"\", \"zero\":0 } \r\n");
    const auto object = FlatObject::read(request);
    QVERIFY(object.has_value());
    QCOMPARE(object->size(), std::size_t{4});
    QVERIFY(object->text("appId") == std::string_view("demo"));
    QVERIFY(object->text("stream") == std::string_view(""));
    QCOMPARE(object->number("need").value_or(-1), std::int64_t{12});
    QCOMPARE(object->number("zero").value_or(-1), std::int64_t{0});
    QVERIFY(!object->number("appId") && !object->text("need") && !object->text("other"));
    Request untyped;
    untyped.body = "{\"a\":1}";
    QVERIFY(FlatObject::read(untyped).has_value());
}

void TestFlatObject::leavesTheRest_data()
{
    QTest::addColumn<QByteArray>("body");
    for (const char* body : {"", "{", "{}", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":1}{", "{a:1}", "{\"a\":-1}", "{\"a\":1.5}", "{\"a\":1e3}", "{\"a\":01}",
             "{\"a\":true}", "{\"a\":null}", "{\"a\":{}}", "{\"a\":[]}", "{\"a\":\"b}", "{\"a\":\"\\u0041\"}", "{\"a\":\"\\\"\"}", "{\"a\":\"\x01\"}", "{\"a\":\"\xc3\xa4\"}",
             "{\"a\":1,\"a\":1}", "{\"a\":1234567890123456}", "{\"a\":1 2}", "{\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1}"}) {
        QTest::newRow(body) << QByteArray(body);
    }
}

void TestFlatObject::leavesTheRest()
{
    QFETCH(QByteArray, body);
    QVERIFY(!FlatObject::read(requestOf(body)).has_value());
    QVERIFY(!FlatObject::read(requestOf("{\"a\":1}", "text/plain")).has_value());
    QVERIFY(!FlatObject::read(requestOf("{\"a\":1}", "application/json; charset=utf-8")).has_value()); // JsonBody takes it
}

// Over every short string of the bytes that matter: what is read here is JSON, and has the same members there.
void TestFlatObject::neverTakesWhatJsonBodyRefuses()
{
    const QByteArray alphabet("{}\":,1a\\ ");
    int taken = 0;
    for (int length = 5; length <= 7; ++length) {
        const int inner = length - 2;
        qint64 count = 1;
        for (int i = 0; i < inner; ++i) {
            count *= alphabet.size();
        }
        for (qint64 code = 0; code < count; ++code) {
            QByteArray body("{");
            for (qint64 rest = code, i = 0; i < inner; ++i, rest /= alphabet.size()) {
                body += alphabet.at(rest % alphabet.size());
            }
            body += '}';
            const Request request = requestOf(body);
            if (const auto object = FlatObject::read(request)) {
                ++taken;
                const auto strict = JsonBody::parse(request);
                QVERIFY2(strict.has_value() && strict->object().size() == object->size(), body.constData());
            }
        }
    }
    QVERIFY(taken > 10);
}

QTEST_GUILESS_MAIN(TestFlatObject)
#include "TestFlatObject.moc"
