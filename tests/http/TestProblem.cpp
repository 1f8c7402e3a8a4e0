// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Problem.h"

#include <QtTest>
#include <boost/json/parse.hpp>

using namespace weir::http;
using weir::Error;

class TestProblem : public QObject {
    Q_OBJECT

private slots:
    void saysEverything();
    void leavesOutAnEmptyField();
    void extraAddsButNeverReplaces();
    void codesHaveTheirStatus_data();
    void codesHaveTheirStatus();
    void writesJson();
};

void TestProblem::saysEverything()
{
    const Response response = problem(422, Error{"unknown_pool", "There is no pool 'x\"y'.", "poolId"});
    QCOMPARE(response.status, 422U);
    QCOMPARE(response.contentType, std::string("application/problem+json"));
    const boost::json::object expected{{"type", "about:blank"}, {"title", "Unprocessable Content"}, {"status", 422},
        {"code", "unknown_pool"}, {"detail", "There is no pool 'x\"y'."}, {"field", "poolId"}};
    QVERIFY(boost::json::parse(response.body) == boost::json::value(expected));
}

void TestProblem::leavesOutAnEmptyField()
{
    const auto body = boost::json::parse(problem(Error{"unknown_node", "No."}).body).as_object();
    QVERIFY(!body.contains("field"));
    QCOMPARE(body.at("status").as_int64(), std::int64_t(404));
}

void TestProblem::extraAddsButNeverReplaces()
{
    const boost::json::object extra{{"suggestions", boost::json::array{"pool-1"}}, {"code", "other"}};
    const auto body = boost::json::parse(problem(422, Error{"unknown_pool", "No."}, extra).body).as_object();
    QVERIFY(body.at("code") == "unknown_pool");
    QVERIFY(body.at("suggestions") == boost::json::value(boost::json::array{"pool-1"}));
}

void TestProblem::codesHaveTheirStatus_data()
{
    QTest::addColumn<unsigned>("status");
    const std::vector<std::pair<const char*, unsigned>> table{{"malformed_json", 400}, {"malformed_request", 400}, {"bad_credential", 401},
        {"unknown_session", 401}, {"disabled", 403}, {"licence_exhausted", 403}, {"licence_expired", 403}, {"unknown_node", 404},
        {"not_found", 404}, {"no_route", 404}, {"method_not_allowed", 405}, {"request_timeout", 408}, {"moved_meanwhile", 409},
        {"impact_changed", 409}, {"duplicate_id", 409}, {"in_use", 409}, {"builtin_pool", 409}, {"disk_serial_mismatch", 409},
        {"session_replaced", 409}, {"body_too_large", 413}, {"unsupported_media_type", 415}, {"expectation_failed", 417},
        {"unknown_pool", 422}, {"invalid_id", 422}, {"unknown_field", 422}, {"sentinel_pool", 422}, {"role_mismatch", 422},
        {"url_not_allowed", 422}, {"too_many_attempts", 429}, {"headers_too_large", 431}, {"internal", 500}, {"connect_failed", 502},
        {"bad_response", 502}, {"no_candidate", 503}, {"no_healthy_origin", 503}, {"no_healthy_edge", 503}, {"queue_full", 503},
        {"store_unavailable", 503}, {"node_timeout", 504}, {"never_heard_of", 500}, {"", 500}};
    for (const auto& [code, status] : table) {
        QTest::newRow(code) << status;
    }
}

void TestProblem::codesHaveTheirStatus()
{
    QFETCH(unsigned, status);
    QCOMPARE(statusOf(QTest::currentDataTag()), status);
    QVERIFY(!reasonPhrase(status).empty());
}

void TestProblem::writesJson()
{
    const Response response = json(201, boost::json::object{{"nodeId", "n1"}});
    QCOMPARE(response.status, 201U);
    QCOMPARE(response.contentType, std::string("application/json"));
    QCOMPARE(response.body, std::string("{\"nodeId\":\"n1\"}"));
}

QTEST_GUILESS_MAIN(TestProblem)
#include "TestProblem.moc"
