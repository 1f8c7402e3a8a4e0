// SPDX-License-Identifier: GPL-3.0-or-later
// routing.md "Tries", with the cases of tests/data/own-retry.json.
#include "core/gateway/RetryPlan.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace weir::gateway {

class TestRetryPlan : public QObject {
    Q_OBJECT

private slots:
    void cases_data();
    void cases();
    void whatMayBeRepeated_data();
    void whatMayBeRepeated();
};

namespace {

// A weighted cluster whose pools hand their nodes out in turn; a node that refused is out from its first failure where the case says so.
struct Cluster {
    QJsonObject data;
    std::set<QString> out;
    std::map<QString, qsizetype> turn;

    QString chosen() const
    {
        const QJsonObject weights = data[QLatin1String("weights")].toObject();
        for (auto pool = weights.begin(); pool != weights.end(); ++pool) {
            if (pool.value().toInt() > 0) {
                return pool.key();
            }
        }
        return {};
    }
    QStringList others() const
    {
        QStringList pools = data[QLatin1String("weights")].toObject().keys();
        pools.removeAll(chosen());
        pools.removeAll(QStringLiteral("GSLB_BLACKHOLE"));
        return pools;
    }
    QString pick(const QString& pool, const std::set<QString>& failed)
    {
        const QJsonArray nodes = data[QLatin1String("backends")].toObject()[pool].toArray();
        QString second;
        for (qsizetype i = 0; i < nodes.size(); ++i) {
            const QString node = nodes[(turn[pool] + i) % nodes.size()].toString();
            if (out.contains(node)) {
                continue;
            }
            if (!failed.contains(node)) {
                turn[pool] = (turn[pool] + i + 1) % nodes.size();
                return node;
            }
            second = second.isEmpty() ? node : second;
        }
        return second;
    }
};

QStringList run(Cluster& cluster, bool& ok)
{
    QStringList tries;
    const QJsonObject basic = cluster.data[QLatin1String("gslb_basic")].toObject();
    ClusterSettings settings;
    settings.retryMax = static_cast<unsigned>(basic[QLatin1String("RetryMax")].toInt(2));
    settings.crossRetry = static_cast<unsigned>(basic[QLatin1String("CrossRetry")].toInt(0));
    const QStringList others = cluster.others();
    RetryPlan plan(settings, false, !others.isEmpty());
    std::set<QString> failed;
    QString pool = cluster.chosen();
    ok = false;
    if (pool == QLatin1String("GSLB_BLACKHOLE")) {
        return tries;
    }
    while (true) {
        const QString node = cluster.pick(pool, failed);
        RetryPlan::Next next = RetryPlan::Next::Stop;
        if (node.isEmpty()) {
            next = plan.afterNoCandidate();
        } else {
            ok = !cluster.data[QLatin1String("refuse_connections")].toArray().contains(node);
            tries.append(pool + QLatin1Char('/') + node + (ok ? QStringLiteral(" ok") : QStringLiteral(" connect-fail")));
            if (ok) {
                return tries;
            }
            failed.insert(node);
            if (cluster.data[QLatin1String("fail_num")].toInt() == 1) {
                cluster.out.insert(node);
            }
            next = plan.after(FailedAt::Connect);
        }
        if (next == RetryPlan::Next::Stop) {
            return tries;
        }
        if (next == RetryPlan::Next::Across) {
            pool = others.first();
        }
    }
}

} // namespace

void TestRetryPlan::cases_data()
{
    QTest::addColumn<QJsonObject>("data");
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/tests/data/own-retry.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("cases")].toArray();
    QVERIFY(cases.size() >= 11);
    for (const auto& one : cases) {
        QTest::newRow(qPrintable(one.toObject()[QLatin1String("id")].toString())) << one.toObject();
    }
}

void TestRetryPlan::cases()
{
    QFETCH(QJsonObject, data);
    Cluster cluster{data, {}, {}};
    const bool differs = data[QLatin1String("weir")].toString().startsWith(QLatin1String("differs"));
    for (const auto& request : data[QLatin1String("requests")].toArray()) {
        bool ok = false;
        const QStringList tries = run(cluster, ok);
        QStringList wanted;
        for (const auto& one : request.toObject()[QLatin1String("tries")].toArray()) {
            wanted.append(one.toString());
        }
        QCOMPARE(ok, request.toObject()[QLatin1String("ok")].toBool());
        QCOMPARE(tries.size(), wanted.size());
        if (!differs) {
            QCOMPARE(tries, wanted);
        } else if (data[QLatin1String("backends")].toObject()[QLatin1String("A")].toArray().size() >= tries.size()) {
            QCOMPARE(std::set<QString>(tries.begin(), tries.end()).size(), static_cast<std::size_t>(tries.size())); // never the same one twice
        }
    }
}

void TestRetryPlan::whatMayBeRepeated_data()
{
    QTest::addColumn<int>("failed");
    QTest::addColumn<unsigned>("level");
    QTest::addColumn<bool>("canRepeat");
    QTest::addColumn<bool>("repeats");
    QTest::newRow("connect, any method") << int(FailedAt::Connect) << 0U << false << true;
    QTest::newRow("sent, level 0") << int(FailedAt::Request) << 0U << true << false;
    QTest::newRow("sent, level 1") << int(FailedAt::Request) << 1U << true << true;
    QTest::newRow("sent with a body, level 1") << int(FailedAt::Request) << 1U << false << false;
    QTest::newRow("status") << int(FailedAt::Status) << 0U << true << true;
    QTest::newRow("status, with a body") << int(FailedAt::Status) << 1U << false << false;
}

void TestRetryPlan::whatMayBeRepeated()
{
    QFETCH(int, failed);
    QFETCH(unsigned, level);
    QFETCH(bool, canRepeat);
    QFETCH(bool, repeats);
    ClusterSettings settings;
    settings.retryLevel = level;
    RetryPlan plan(settings, canRepeat, false);
    QCOMPARE(plan.after(static_cast<FailedAt>(failed)) == RetryPlan::Next::InPool, repeats);
}

} // namespace weir::gateway

QTEST_GUILESS_MAIN(weir::gateway::TestRetryPlan)
#include "TestRetryPlan.moc"
