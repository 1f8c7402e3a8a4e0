// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/JsonText.h"
#include "core/http/Problem.h"

#include <QtTest>
#include <boost/json.hpp>

#include <cmath>
#include <limits>
#include <random>

using weir::http::jsonText;

class TestJsonText : public QObject {
    Q_OBJECT

private slots:
    void numbersArePlain_data();
    void numbersArePlain();
    void numbersReadBackTheSame();
    void textReadsBackTheSame();
    void nestedValues();
    void answersUseIt();
};

void TestJsonText::numbersArePlain_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QByteArray>("text");
    const std::vector<std::pair<double, const char*>> table{{4, "4"}, {0, "0"}, {-0.0, "0"}, {-3, "-3"}, {0.003, "0.003"}, {59.875, "59.875"}, {0.1, "0.1"}, {1e6, "1000000"},
        {1.5e9, "1500000000"}, {-2.25, "-2.25"}, {9007199254740992, "9007199254740992"}, {0.0000001, "0.0000001"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1e-8, "1e-08"},
        {std::numeric_limits<double>::infinity(), "null"}, {std::numeric_limits<double>::quiet_NaN(), "null"}};
    for (const auto& [number, text] : table) {
        QTest::newRow(text) << number << QByteArray(text);
    }
}

void TestJsonText::numbersArePlain()
{
    QFETCH(double, number);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(jsonText(boost::json::value(number))), text);
}

void TestJsonText::numbersReadBackTheSame()
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-300, 300);
    for (int i = 0; i < 20'000; ++i) {
        const double number = std::pow(10, exponent(random)) * (random() % 2 ? 1 : -1);
        const std::string text = jsonText(boost::json::value(number));
        // strtod rounds correctly; the JSON reader of the tests need not.
        QVERIFY2(std::strtod(text.c_str(), nullptr) == number, text.c_str());
        QVERIFY2(boost::json::parse(text).is_number(), text.c_str());
    }
    for (const std::int64_t number : {std::int64_t(0), std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        QCOMPARE(jsonText(boost::json::value(number)), std::to_string(number));
    }
    QCOMPARE(jsonText(boost::json::value(std::numeric_limits<std::uint64_t>::max())), std::string("18446744073709551615"));
}

void TestJsonText::textReadsBackTheSame()
{
    std::string all;
    for (int c = 0; c < 128; ++c) {
        all += static_cast<char>(c);
    }
    all += "\xc3\xa4\xe2\x80\x8b\xf0\x9f\x98\x80";
    const boost::json::object object{{all, all}};
    QVERIFY(boost::json::parse(jsonText(object)) == boost::json::value(object));
    const std::string escaped = "\"a\\\"b\\\\c\\n\\u0001\"";
    QCOMPARE(jsonText(boost::json::value("a\"b\\c\n\x01")), escaped);
}

void TestJsonText::nestedValues()
{
    const boost::json::value value{{"a", boost::json::array{1, 2.5, nullptr, true, false}}, {"b", boost::json::object()}, {"c", boost::json::array()}};
    const std::string expected = R"({"a":[1,2.5,null,true,false],"b":{},"c":[]})";
    QCOMPARE(jsonText(value), expected);
}

void TestJsonText::answersUseIt()
{
    const std::string sixty = R"({"seconds":60})";
    QCOMPARE(weir::http::json(200, boost::json::object{{"seconds", 60.0}}).body, sixty);
    const std::string body = weir::http::problem(503, weir::Error{"no_candidate", "No."}, {{"left", 0.003}, {"cooldown", 4.0}}).body;
    QVERIFY2(body.ends_with(R"("left":0.003,"cooldown":4})"), body.c_str());
}

QTEST_GUILESS_MAIN(TestJsonText)
#include "TestJsonText.moc"
