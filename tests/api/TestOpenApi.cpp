// SPDX-License-Identifier: GPL-3.0-or-later
// docs/openapi.yaml names the routes of the control listener, all of them and no other.
#include "core/api/Api.h"
#include "core/plane/ControlPlane.h"
#include "core/store/DataDirectory.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <map>
#include <set>

namespace {

struct Operation {
    std::string method; ///< upper case
    std::string path;
    std::set<std::string> keys; ///< what is said about it
};

// The operations below `paths:`, by indentation: two for a path, four for a method, six for what is said about it.
std::vector<Operation> operationsOf(const QByteArray& yaml)
{
    std::vector<Operation> operations;
    bool inPaths = false;
    std::string path;
    for (const QByteArray& line : yaml.split('\n')) {
        const QByteArray text = line.trimmed();
        if (text.isEmpty() || text.startsWith('#')) {
            continue;
        }
        const qsizetype indent = line.indexOf(text.at(0));
        const std::string key = text.left(text.indexOf(text.startsWith('"') ? "\":" : ":", 1)).replace("\"", "").toStdString();
        if (indent == 0) {
            inPaths = key == "paths";
        } else if (inPaths && indent == 2) {
            // A path may hold a colon of its own: the key ends with the line.
            path = QByteArray(text).chopped(1).replace("\"", "").toStdString();
        } else if (inPaths && indent == 4 && key != "parameters") {
            operations.push_back({QByteArray::fromStdString(key).toUpper().toStdString(), path, {}});
        } else if (inPaths && indent == 6 && !operations.empty()) {
            operations.back().keys.insert(key);
        }
    }
    return operations;
}

} // namespace

class TestOpenApi : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyRouteIsDescribed();
    void everyDescriptionIsARoute();
    void everyOperationSaysWhatItIs();

private:
    std::vector<Operation> m_operations;
    std::set<std::pair<std::string, std::string>> m_described;
    std::set<std::pair<std::string, std::string>> m_routes;
};

void TestOpenApi::initTestCase()
{
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/docs/openapi.yaml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_operations = operationsOf(file.readAll());
    for (const Operation& operation : m_operations) {
        m_described.emplace(operation.method, operation.path);
    }
    QCOMPARE(m_described.size(), m_operations.size()); // nothing twice
    QTemporaryDir dir;
    weir::SystemClock clock;
    weir::NullLog log;
    auto directory = weir::store::DataDirectory::open(dir.filePath(QStringLiteral("data")).toStdString());
    QVERIFY(directory.has_value());
    auto plane = weir::plane::ControlPlane::open(clock, log, std::move(*directory), {});
    QVERIFY(plane.has_value());
    {
        const weir::api::Api api(**plane);
        for (const auto& route : api.routes()) {
            m_routes.insert(route);
        }
    }
    (*plane)->stop();
    QVERIFY(m_routes.size() > 20);
}

void TestOpenApi::everyRouteIsDescribed()
{
    for (const auto& [method, path] : m_routes) {
        QVERIFY2(m_described.contains({method, path}), (method + " " + path).c_str());
    }
}

void TestOpenApi::everyDescriptionIsARoute()
{
    for (const auto& [method, path] : m_described) {
        QVERIFY2(m_routes.contains({method, path}), (method + " " + path).c_str());
    }
}

void TestOpenApi::everyOperationSaysWhatItIs()
{
    for (const Operation& operation : m_operations) {
        for (const char* key : {"summary", "tags", "responses"}) {
            QVERIFY2(operation.keys.contains(key), (operation.method + " " + operation.path + " has no " + key).c_str());
        }
    }
}

QTEST_GUILESS_MAIN(TestOpenApi)
#include "TestOpenApi.moc"
