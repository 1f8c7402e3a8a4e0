// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/Settings.h"

#include <QFile>
#include <QtTest>

using namespace weir::worker;

namespace {

const QByteArray kFile = "worker_config.json";

tl::expected<Settings, std::vector<std::string>> read(const QByteArray& health, const Environment& environment = {})
{
    return readSettings("{\"health\": {" + health.toStdString() + "}}", kFile.toStdString(), environment);
}

QByteArray joined(const std::vector<std::string>& lines)
{
    QByteArray text;
    for (const std::string& line : lines) {
        text += QByteArray::fromStdString(line) + '\n';
    }
    return text;
}

} // namespace

class TestWorkerSettings : public QObject {
    Q_OBJECT

private slots:
    void nothingGivenMeansTheDefaults();
    void everyKeyIsRead();
    void dependenciesKeepTheirOrder();
    void theEnvironmentWins();
    void otherSectionsBelongToTheWorker();
    void theShippedExampleIsRight();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void mistakesOfTheEnvironmentAreNamed_data();
    void mistakesOfTheEnvironmentAreNamed();
    void everyMistakeIsTold();
    void aVariableThatIsNoSettingIsToldAndIgnored();
};

void TestWorkerSettings::nothingGivenMeansTheDefaults()
{
    const auto settings = readSettings({}, {}, {});
    QVERIFY(settings);
    QCOMPARE(settings->minFreeGb, 5.0);
    QCOMPARE(settings->diskPath, std::string("/"));
    QVERIFY(settings->checkDeps);
    QVERIFY(settings->deps.empty());
    QVERIFY(settings->depsCache == std::chrono::seconds(5));
    QVERIFY(settings->depTimeout == std::chrono::milliseconds(500));
    QVERIFY(settings->readyUrl.empty());
    QCOMPARE(weir::config::toText(settings->listen), std::string("127.0.0.1:8790"));
    QVERIFY(settings->warnings.empty());
}

void TestWorkerSettings::everyKeyIsRead()
{
    const auto settings = read("\"min_free_gb\": 2.5, \"disk_path\": \"/data\", \"check_deps\": false, \"deps\": {\"a\": \"localhost:80\"}, \"dep_b-2\": \"[::1]:81\", "
                               "\"deps_cache_seconds\": 0, \"dep_timeout_ms\": 250, \"ready_url\": \"http://127.0.0.1:8000/ready?deep=1\", \"listen\": \"0.0.0.0:9\" /* all */");
    QVERIFY2(settings, settings ? "" : joined(settings.error()).constData());
    QCOMPARE(settings->minFreeGb, 2.5);
    QCOMPARE(settings->diskPath, std::string("/data"));
    QVERIFY(!settings->checkDeps);
    const std::vector<Dependency> expected{{"a", "localhost", 80}, {"b-2", "::1", 81}};
    QVERIFY(settings->deps == expected);
    QVERIFY(settings->depsCache == std::chrono::seconds(0));
    QVERIFY(settings->depTimeout == std::chrono::milliseconds(250));
    QCOMPARE(settings->readyUrl, std::string("http://127.0.0.1:8000/ready?deep=1"));
    QCOMPARE(weir::config::toText(settings->listen), std::string("0.0.0.0:9"));
    QCOMPARE(read("\"ready_url\": \"http://127.0.0.1:8000\"")->readyUrl, std::string("http://127.0.0.1:8000/"));
}

void TestWorkerSettings::dependenciesKeepTheirOrder()
{
    const auto settings = read("\"dep_z\": \"z.example:1\", \"deps\": {\"m\": \"m:2\", \"a\": \"10.0.0.1:3\"}, \"dep_b\": \"b:4\"", {{"HEALTH_DEP_D", "d:5"}, {"HEALTH_DEP_C", "c:6"}});
    QVERIFY(settings);
    const std::vector<Dependency> expected{{"z", "z.example", 1}, {"m", "m", 2}, {"a", "10.0.0.1", 3}, {"b", "b", 4}, {"c", "c", 6}, {"d", "d", 5}};
    QVERIFY(settings->deps == expected);
}

void TestWorkerSettings::theEnvironmentWins()
{
    const Environment environment{{"HEALTH_MIN_FREE_GB", "999"}, {"HEALTH_DISK_PATH", "/srv"}, {"HEALTH_CHECK_DEPS", "0"}, {"HEALTH_DEPS_CACHE_SECONDS", "0.5"},
        {"HEALTH_DEP_TIMEOUT_MS", "100"}, {"HEALTH_READY_URL", ""}, {"HEALTH_LISTEN", "[::1]:1"}, {"HEALTH_DEP_CHANGE_HAIR", "10.1.1.1:5"},
        {"HEALTH_DEPS", "comfyui=gpu.example:6,face=127.0.0.1:7"}};
    const auto settings = read("\"min_free_gb\": 1, \"ready_url\": \"http://127.0.0.1:8000/\", \"dep_change_hair\": \"127.0.0.1:8801\", \"dep_comfyui\": \"127.0.0.1:8188\"", environment);
    QVERIFY2(settings, settings ? "" : joined(settings.error()).constData());
    QCOMPARE(settings->minFreeGb, 999.0);
    QCOMPARE(settings->diskPath, std::string("/srv"));
    QVERIFY(!settings->checkDeps);
    QVERIFY(settings->depsCache == std::chrono::milliseconds(500));
    QVERIFY(settings->depTimeout == std::chrono::milliseconds(100));
    QVERIFY(settings->readyUrl.empty());
    QCOMPARE(weir::config::toText(settings->listen), std::string("[::1]:1"));
    const std::vector<Dependency> expected{{"change_hair", "10.1.1.1", 5}, {"comfyui", "gpu.example", 6}, {"face", "127.0.0.1", 7}};
    QVERIFY(settings->deps == expected);
}

void TestWorkerSettings::otherSectionsBelongToTheWorker()
{
    const auto settings = readSettings("{\"model\": {\"min_free_gb\": \"x\"}, \"health\": {\"min_free_gb\": 0}, \"port\": 9001}", "f.json", {});
    QVERIFY(settings);
    QCOMPARE(settings->minFreeGb, 0.0);
    QVERIFY(settings->warnings.empty());
    const auto without = readSettings("{\"port\": 9001}", "f.json", {});
    QVERIFY(without);
    QCOMPARE(without->warnings.size(), std::size_t{1});
    QVERIFY(without->warnings.front().find("f.json has no section health") != std::string::npos);
}

void TestWorkerSettings::theShippedExampleIsRight()
{
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/resources/worker_config.example.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto settings = readSettings(file.readAll().toStdString(), "worker_config.example.json", {});
    QVERIFY2(settings, settings ? "" : joined(settings.error()).constData());
    const std::vector<Dependency> expected{{"comfyui", "127.0.0.1", 8188}, {"change_hair", "127.0.0.1", 8801}};
    QVERIFY(settings->deps == expected);
    // It shows every default, so that changing one is changing a figure.
    const auto defaults = readSettings({}, {}, {});
    QCOMPARE(settings->minFreeGb, defaults->minFreeGb);
    QCOMPARE(settings->diskPath, defaults->diskPath);
    QVERIFY(settings->depsCache == defaults->depsCache && settings->depTimeout == defaults->depTimeout);
    QVERIFY(settings->listen == defaults->listen);
    QVERIFY(settings->readyUrl.empty());
}

void TestWorkerSettings::mistakesAreNamed_data()
{
    QTest::addColumn<QByteArray>("health");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* health, const char* line) { QTest::newRow(name) << QByteArray(health) << QByteArray(line); };
    row("unknown key", "\"min_free\": 5", "health.min_free: 5: unknown key; did you mean \"min_free_gb\"?");
    row("twice", "\"min_free_gb\": 5, \"min_free_gb\": 6", "health.min_free_gb: 6: key given twice");
    row("a string", "\"min_free_gb\": \"5\"", "health.min_free_gb: \"5\": must be a number, is a string");
    row("negative", "\"min_free_gb\": -1", "health.min_free_gb: -1: must be 0 (off) or between 0.01 and 1000000");
    row("relative path", "\"disk_path\": \"data\"", "health.disk_path: \"data\": must be an absolute path");
    row("flag", "\"check_deps\": 1", "health.check_deps: 1: must be true or false, is a number");
    row("cache", "\"deps_cache_seconds\": -0.5", "health.deps_cache_seconds: -0.5: must be between 0 and 3600");
    row("no timeout", "\"dep_timeout_ms\": 0", "health.dep_timeout_ms: 0: must be a whole number from 10 to 60000");
    row("part of a millisecond", "\"dep_timeout_ms\": 10.5", "health.dep_timeout_ms: 10.5: must be a whole number from 10 to 60000");
    row("deps is a list", "\"deps\": []", "health.deps: []: must be an object, is a list");
    row("dep is a number", "\"deps\": {\"a\": 80}", "health.deps.a: 80: must be a string such as \"127.0.0.1:8188\", is a number");
    row("dep without port", "\"deps\": {\"comfyui\": \"127.0.0.1\"}", "health.deps.comfyui: \"127.0.0.1\": must be a host and a port from 1 to 65535");
    row("port 0", "\"dep_a\": \"127.0.0.1:0\"", "health.dep_a: \"127.0.0.1:0\": must be a host and a port");
    row("port too high", "\"dep_a\": \"127.0.0.1:65536\"", "health.dep_a: \"127.0.0.1:65536\": must be a host and a port");
    row("half an address", "\"dep_a\": \"127.0.0:80\"", "health.dep_a: \"127.0.0:80\": must be a host and a port");
    row("a URL", "\"dep_a\": \"http://a:80\"", "health.dep_a: \"http://a:80\": must be a host and a port");
    row("name", "\"deps\": {\"Comfy UI\": \"a:80\"}", "health.deps[\"Comfy UI\"]: \"a:80\": the name of a dependency must be 1 to 64 of a-z, 0-9, _ and -");
    row("two ways", "\"deps\": {\"a\": \"a:1\"}, \"dep_a\": \"a:2\"", "health.dep_a: \"a:2\": dependency a is given twice");
    row("repeated", "\"deps\": {\"a\": \"a:1\", \"a\": \"a:2\"}", "health.deps.a: \"a:2\": dependency a is given twice");
    row("ready scheme", "\"ready_url\": \"ftp://a/\"", "health.ready_url: \"ftp://a/\": must begin with one of http://, https://");
    row("ready rewritten", "\"ready_url\": \"http://a/x/../y\"", "health.ready_url: \"http://a/x/../y\"");
    row("listen name", "\"listen\": \"example.test:8790\"", "health.listen: \"example.test:8790\": not an IP address");
    row("no object", "", "");
}

void TestWorkerSettings::mistakesAreNamed()
{
    QFETCH(QByteArray, health);
    QFETCH(QByteArray, line);
    const auto settings = health.isEmpty() ? readSettings("{\"health\": 5}", "worker_config.json", {}) : read(health);
    QVERIFY(!settings);
    const QByteArray told = joined(settings.error());
    QVERIFY2(told.startsWith("worker_config.json:1:"), told.constData());
    QVERIFY2(told.contains(line) && told.count('\n') == 1, told.constData());
}

void TestWorkerSettings::mistakesOfTheEnvironmentAreNamed_data()
{
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* variable, const char* value, const char* rule) {
        const QByteArray line = QByteArray(variable) + ": \"" + value + "\": " + rule;
        QTest::newRow(line.constData()) << QByteArray(variable) << QByteArray(value) << line;
    };
    row("HEALTH_MIN_FREE_GB", "much", "must be a number");
    row("HEALTH_MIN_FREE_GB", "", "must be a number");
    row("HEALTH_MIN_FREE_GB", "nan", "must be a number");
    row("HEALTH_MIN_FREE_GB", "5 GB", "must be a number");
    row("HEALTH_CHECK_DEPS", "no", "must be true, false, 1 or 0");
    row("HEALTH_DEP_TIMEOUT_MS", "1", "must be a whole number from 10 to 60000");
    row("HEALTH_DEP_COMFYUI", "", "must be a host and a port");
    row("HEALTH_DEP_COMFYUI", "8188", "must be a host and a port");
    row("HEALTH_DEPS", "comfyui", "must be a list such as comfyui=127.0.0.1:8188");
    row("HEALTH_DEPS", "a=a:1,a=a:2", "dependency a is given twice");
    row("HEALTH_DISK_PATH", "", "must be an absolute path");
    row("HEALTH_LISTEN", "8790", "has no port");
}

void TestWorkerSettings::mistakesOfTheEnvironmentAreNamed()
{
    QFETCH(QByteArray, variable);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, line);
    const auto settings = readSettings({}, {}, {{variable.toStdString(), value.toStdString()}});
    QVERIFY(!settings);
    const QByteArray told = joined(settings.error());
    QVERIFY2(told.startsWith(line) && told.count('\n') == 1, told.constData());
}

void TestWorkerSettings::everyMistakeIsTold()
{
    const auto settings = read("\"min_free_gb\": -1,\n \"disk_path\": 4,\n \"nothing\": 0", {{"HEALTH_LISTEN", "x"}, {"HEALTH_DEP_A", "b"}});
    QVERIFY(!settings);
    const QByteArray told = joined(settings.error());
    QCOMPARE(settings.error().size(), std::size_t{5});
    for (const char* part : {"worker_config.json:1:28: health.min_free_gb", ":2:15: health.disk_path", ":3:2: health.nothing", "HEALTH_LISTEN", "HEALTH_DEP_A"}) {
        QVERIFY2(told.contains(part), told.constData());
    }
    const auto broken = readSettings("{\"health\": {\"min_free_gb\": }}", "f.json", {});
    QVERIFY(!broken);
    QVERIFY2(joined(broken.error()).startsWith("f.json:1:28:"), joined(broken.error()).constData());
}

void TestWorkerSettings::aVariableThatIsNoSettingIsToldAndIgnored()
{
    const auto settings = readSettings({}, {}, {{"HEALTH_MIN_FREE_GIB", "999"}, {"HEALTH_PORT", "8000"}});
    QVERIFY(settings);
    QCOMPARE(settings->minFreeGb, 5.0);
    QCOMPARE(joined(settings->warnings), QByteArray("The variable HEALTH_MIN_FREE_GIB stands for no setting and is ignored; did you mean HEALTH_MIN_FREE_GB?\n"
                                                    "The variable HEALTH_PORT stands for no setting and is ignored.\n"));
}

QTEST_GUILESS_MAIN(TestWorkerSettings)
#include "TestWorkerSettings.moc"
