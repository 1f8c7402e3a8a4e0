// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ConfigKeys.h"
#include "core/config/ConfigReader.h"
#include "core/config/JsonReader.h"

#include <QTest>

#include <fstream>
#include <iterator>
#include <random>
#include <set>

using namespace weir::config;

namespace {

const std::string kPath = WEIR_SOURCE_DIR "/resources/weir.example.json";

std::string exampleText()
{
    std::ifstream file(kPath, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void collectPaths(const JsonNode& node, const std::string& path, std::set<std::string>& into)
{
    for (const JsonMember& member : node.members) {
        const std::string own = path.empty() ? member.name : path + "." + member.name;
        into.insert(own);
        collectPaths(member.value, own, into);
    }
    for (const JsonNode& item : node.items) {
        collectPaths(item, path + "[]", into);
    }
}

} // namespace

/// The example file that is installed, and what happens when it is damaged.
class TestConfigExample : public QObject {
    Q_OBJECT

private slots:
    void hasNoIssue()
    {
        const auto config = readConfigFile(kPath);
        QVERIFY2(config.has_value(), config ? "" : toText(config.error().front(), kPath).c_str());
        QVERIFY(config->warnings.empty());
        QCOMPARE(config->nodes.size(), std::size_t{2});
        QCOMPARE(config->nodes.at(0).owner->text(), std::string("7"));
        QCOMPARE(config->bindings.at(0).pool.text(), std::string("canary"));
        QCOMPARE(toText(*config->adminListen), std::string("127.0.0.1:8700"));
        QCOMPARE(toText(*config->gatewayListen), std::string("127.0.0.1:8780"));
    }

    void statesTheDefaults()
    {
        const auto config = readConfigFile(kPath);
        QVERIFY(config.has_value());
        const Config defaults;
        weir::health::HealthSettings health = config->healthCheck;
        QCOMPARE(health.maxEjectionPercent.value(), 100.0);
        health.maxEjectionPercent.reset(); // has no default that a file could state
        QVERIFY(health == defaults.healthCheck);
        QVERIFY(config->probe == defaults.probe);
        QVERIFY(config->scheduler == defaults.scheduler);
        QVERIFY(config->passiveStatuses == defaults.passiveStatuses);
        QVERIFY(config->gateway == defaults.gateway);
        QVERIFY(config->log == defaults.log);
        QCOMPARE(config->shutdownGraceSeconds, defaults.shutdownGraceSeconds);
    }

    void holdsEveryServedKeyAndNoOther()
    {
        const std::string text = exampleText();
        const auto tree = JsonReader(text).read();
        QVERIFY(tree.has_value());
        std::set<std::string> present;
        collectPaths(*tree, {}, present);
        std::set<std::string> served;
        for (const KnownKey& key : knownKeys()) {
            if (key.served) {
                served.insert(key.path);
            }
        }
        QVERIFY(served.size() > 50);
        for (const std::string& path : served) {
            QVERIFY2(present.contains(path), ("missing: " + path).c_str());
        }
        for (const std::string& path : present) {
            QVERIFY2(served.contains(path), ("not served: " + path).c_str());
        }
    }

    void everyTruncationIsAnError()
    {
        const std::string text = exampleText();
        const std::size_t end = text.rfind('}');
        QVERIFY(end != std::string::npos);
        for (std::size_t length = 0; length <= end; ++length) {
            const auto config = readConfig(std::string_view(text).substr(0, length));
            QVERIFY2(!config.has_value(), std::to_string(length).c_str());
            QCOMPARE(config.error().size(), std::size_t{1});
            const ConfigIssue& issue = config.error().front();
            QVERIFY(issue.line >= 1 && issue.column >= 1 && !issue.message.empty());
            QVERIFY2(issue.code == "syntax_error" || issue.code == "invalid_utf8", issue.code.c_str());
        }
        QVERIFY(readConfig(std::string_view(text).substr(0, end + 1)).has_value());
    }

    void flippedBitsNeverCrash()
    {
        const std::string text = exampleText();
        std::mt19937 random(20240607);
        std::size_t refused = 0;
        constexpr std::size_t kRounds = 4000;
        for (std::size_t round = 0; round < kRounds; ++round) {
            std::string damaged = text;
            const std::size_t flips = 1 + random() % 4;
            for (std::size_t i = 0; i < flips; ++i) {
                char& byte = damaged[random() % damaged.size()];
                byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (random() % 8)));
            }
            const auto config = readConfig(damaged);
            if (!config) {
                ++refused;
                QVERIFY(!config.error().empty());
                for (const ConfigIssue& issue : config.error()) {
                    QVERIFY(issue.line >= 1 && issue.column >= 1 && !issue.code.empty() && !issue.message.empty());
                }
            }
        }
        // Flips in comments pass, most others do not: neither outcome may be the only one.
        QVERIFY(refused > kRounds / 4 && refused < kRounds);
    }

    void lineEndsAndByteOrderMarkChangeNothing()
    {
        const std::string text = exampleText();
        std::string windows = "\xEF\xBB\xBF";
        for (const char c : text) {
            windows += c == '\n' ? "\r\n" : std::string(1, c);
        }
        const auto plain = readConfig(text);
        const auto converted = readConfig(windows);
        QVERIFY(plain.has_value() && converted.has_value());
        QCOMPARE(converted->nodes.at(1).at, plain->nodes.at(1).at);
        QCOMPARE(converted->nodes.at(1).url, plain->nodes.at(1).url);
        QVERIFY(converted->healthCheck == plain->healthCheck);
    }
};

QTEST_GUILESS_MAIN(TestConfigExample)
#include "TestConfigExample.moc"
