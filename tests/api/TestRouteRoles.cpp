// SPDX-License-Identifier: GPL-3.0-or-later
// Every route of the control listener is asked with a token of every role: who may call is a table, and it holds for routes that
// come later too.
#include "core/api/Api.h"
#include "core/plane/ControlPlane.h"
#include "core/store/DataDirectory.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>

using namespace weir;

namespace {

constexpr std::array<const char*, 5> kTokenRoles{"superadmin", "operator", "viewer", "gateway", "app"};

enum class May { No, Yes, Either };

bool begins(const std::string& text, std::initializer_list<const char*> heads)
{
    return std::any_of(heads.begin(), heads.end(), [&](const char* head) { return text.starts_with(head); });
}

bool isOpen(const std::string& path)
{
    return begins(path, {"/gateway-health", "/livez", "/readyz", "/metrics", "/v1/nodes/"});
}

// The table of who may call. Where it leaves something open, either is right.
May mayCall(const std::string& role, const std::string& method, const std::string& path)
{
    if (role == "superadmin") {
        return May::Yes;
    }
    const bool isRead = method == "GET";
    const bool isSeen = begins(path, {"/admin/events", "/admin/alarms", "/admin/incidents", "/admin/reachability", "/admin/series", "/admin/stream", "/v1/fleet"}) || path == "/v1/streams";
    const bool isWork = begins(path, {"/admin/alarms", "/admin/incidents", "/admin/silences"}) || path.ends_with(":probe");
    if (role == "viewer" || role == "operator") {
        if (isRead && isSeen) {
            return May::Yes;
        }
        if (isRead && begins(path, {"/v1/streams", "/admin/silences"})) {
            return May::Either;
        }
        return role == "operator" && isWork ? May::Yes : May::No;
    }
    if (path == "/v1/schedule") {
        return May::Yes;
    }
    if (path.ends_with(":release") || begins(path, {"/v1/publish", "/v1/play", "/v1/streams"})) {
        return role == "app" ? May::Yes : May::Either;
    }
    return role == "gateway" && path == "/v1/outcomes" ? May::Yes : May::No;
}

std::string concrete(std::string pattern)
{
    for (std::size_t open = pattern.find('{'); open != std::string::npos; open = pattern.find('{')) {
        pattern.replace(open, pattern.find('}') - open + 1, "1");
    }
    return pattern;
}

http::Request requestFor(const std::string& method, const std::string& path, const std::string& token)
{
    http::Request request;
    request.method = method;
    request.target = path;
    request.path = path;
    request.peer = "127.0.0.1";
    request.requestId = "test";
    if (!token.empty()) {
        request.headers.emplace_back("Authorization", "Bearer " + token);
    }
    if (method != "GET" && method != "DELETE") {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = "{}";
    }
    return request;
}

} // namespace

class TestRouteRoles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void everyRouteKeepsToTheTable_data();
    void everyRouteKeepsToTheTable();
    void withoutTokenNothingIsAnswered();

private:
    // Empty when nothing came within the deadline: a stream that stays open has let the caller in.
    std::optional<http::Response> ask(const std::string& method, const std::string& path, const std::string& token);

    QTemporaryDir m_dir;
    SystemClock m_clock;
    NullLog m_log;
    std::unique_ptr<plane::ControlPlane> m_plane;
    std::unique_ptr<api::Api> m_api;
    std::map<std::string, std::string> m_tokens;
};

void TestRouteRoles::initTestCase()
{
    auto directory = store::DataDirectory::open(m_dir.filePath(QStringLiteral("data")).toStdString());
    QVERIFY(directory.has_value());
    auto plane = plane::ControlPlane::open(m_clock, m_log, std::move(*directory), {});
    QVERIFY(plane.has_value());
    m_plane = std::move(*plane);
    m_api = std::make_unique<api::Api>(*m_plane);
    for (const char* role : kTokenRoles) {
        std::promise<Result<plane::MadeToken>> made;
        plane::NewToken wanted{std::string("the-") + role, role, {}, {}};
        if (wanted.role == "app") {
            wanted.apps = {"a", "1"}; // 1: what concrete() puts into paths
        }
        m_plane->tokens().create(wanted, {"local:test", {}, {}, "test"}, [&made](Result<plane::MadeToken> result) { made.set_value(std::move(result)); });
        const auto result = made.get_future().get();
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        m_tokens[role] = result->secret;
    }
}

void TestRouteRoles::cleanupTestCase()
{
    m_plane->stop(); // commands under way are answered before the interface goes
    m_api.reset();
}

std::optional<http::Response> TestRouteRoles::ask(const std::string& method, const std::string& path, const std::string& token)
{
    struct Waiting {
        std::mutex mutex;
        std::condition_variable wake;
        std::optional<http::Response> response;
    };
    const auto waiting = std::make_shared<Waiting>();
    m_api->handleControl(requestFor(method, path, token), [waiting](http::Response response) {
        const std::scoped_lock lock(waiting->mutex);
        waiting->response = std::move(response);
        waiting->wake.notify_all();
    });
    std::unique_lock lock(waiting->mutex);
    waiting->wake.wait_for(lock, std::chrono::seconds(path == "/admin/stream" ? 1 : 10), [&] { return waiting->response.has_value(); });
    return waiting->response;
}

void TestRouteRoles::everyRouteKeepsToTheTable_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("pattern");
    for (const auto& [method, pattern] : m_api->routes()) {
        QTest::newRow((method + " " + pattern).c_str()) << QString::fromStdString(method) << QString::fromStdString(pattern);
    }
}

void TestRouteRoles::everyRouteKeepsToTheTable()
{
    QFETCH(QString, method);
    QFETCH(QString, pattern);
    const std::string path = concrete(pattern.toStdString());
    for (const char* role : kTokenRoles) {
        if (isOpen(pattern.toStdString())) {
            continue;
        }
        const May may = mayCall(role, method.toStdString(), pattern.toStdString());
        const auto response = ask(method.toStdString(), path, m_tokens.at(role));
        const unsigned status = response ? response->status : 200;
        const bool isIn = status != 401 && status != 403;
        if (may != May::Either) {
            QVERIFY2(isIn == (may == May::Yes), (std::string(role) + " got " + std::to_string(status)).c_str());
        }
        QVERIFY(status != 401);
    }
}

void TestRouteRoles::withoutTokenNothingIsAnswered()
{
    int closed = 0;
    for (const auto& [method, pattern] : m_api->routes()) {
        const auto response = isOpen(pattern) ? std::nullopt : ask(method, concrete(pattern), {});
        if (!isOpen(pattern)) {
            QVERIFY2(response && response->status == 401, (method + " " + pattern).c_str());
            ++closed;
        }
    }
    QVERIFY(closed > 30);
}

QTEST_GUILESS_MAIN(TestRouteRoles)
#include "TestRouteRoles.moc"
