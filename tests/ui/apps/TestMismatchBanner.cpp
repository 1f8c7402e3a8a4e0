// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/live/MismatchBanner.h"
#include "ui/widgets/LinkLabel.h"
#include "ui/widgets/Theme.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestMismatchBanner : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void quietWhenNothingIsWrong();
    void saysThePlanesSentence();
    void saysWhoFailsClosed();
    void notWithoutHelpElsewhere();
    void neverOnOldData();
    void linksLeadOn();

private:
    void send(const ChangeBatch& batch);

    Theme m_theme;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<MismatchBanner> m_banner;
};

void TestMismatchBanner::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_banner = std::make_unique<MismatchBanner>(*m_store, m_theme);
}

void TestMismatchBanner::cleanup()
{
    m_banner.reset();
    m_store.reset();
    m_client.reset();
}

void TestMismatchBanner::send(const ChangeBatch& batch)
{
    m_client->send(batch);
    m_store->flushNow();
}

void TestMismatchBanner::quietWhenNothingIsWrong()
{
    QVERIFY(m_banner->isHidden());
    ChangeBatch batch = test::appsFleet();
    for (AppRow& app : batch.apps) {
        app.verdict = AppVerdict::Ok;
    }
    batch.summary.appsStarved = 0;
    send(batch);
    QVERIFY(m_banner->isHidden());
}

void TestMismatchBanner::saysThePlanesSentence()
{
    const QString sentence = QStringLiteral("3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none.");
    ChangeBatch batch = test::appsFleet();
    batch.summary.strandedNodes = 3;
    batch.summary.strandedSentence = sentence;
    send(batch);
    QVERIFY(!m_banner->isHidden());
    QCOMPARE(m_banner->sentence(), sentence);
    QCOMPARE(m_banner->accessibleName(), sentence);
    m_banner->setWanted(false); // a page that does not show it
    QVERIFY(m_banner->isHidden());
    m_banner->setWanted(true);
    QVERIFY(!m_banner->isHidden());
}

void TestMismatchBanner::saysWhoFailsClosed()
{
    send(test::appsFleet());
    QVERIFY(!m_banner->isHidden());
    QCOMPARE(m_banner->sentence(), QStringLiteral("3 app(s) fail(s) closed: app-2, app-10, ghost. Healthy origins are elsewhere: 4 in default, 2 in pool-2."));
}

void TestMismatchBanner::notWithoutHelpElsewhere()
{
    ChangeBatch batch = test::appsFleet();
    for (PoolRow& pool : batch.pools) {
        pool.roles[0].healthy = 0;
    }
    send(batch);
    QVERIFY(m_banner->isHidden());
}

void TestMismatchBanner::neverOnOldData()
{
    send(test::appsFleet());
    QVERIFY(!m_banner->isHidden());
    m_client->setState(ControlPlaneClient::State::Stale);
    QVERIFY(m_banner->isHidden());
    m_client->setState(ControlPlaneClient::State::Live);
    QVERIFY(!m_banner->isHidden());
    m_client->setState(ControlPlaneClient::State::Connecting);
    QVERIFY(m_banner->isHidden());
}

void TestMismatchBanner::linksLeadOn()
{
    send(test::appsFleet());
    QSignalSpy resolution(m_banner.get(), &MismatchBanner::resolutionRequested);
    WhyContext asked;
    connect(m_banner.get(), &MismatchBanner::whyRequested, this, [&asked](const WhyContext& context) { asked = context; });
    m_banner->findChild<LinkLabel*>(QStringLiteral("mismatch.show"))->click();
    QCOMPARE(resolution.size(), 1);
    m_banner->findChild<LinkLabel*>(QStringLiteral("mismatch.why"))->click();
    QCOMPARE(asked.app, QStringLiteral("app-2"));
    QCOMPARE(asked.role, Role::Origin);
}

QTEST_MAIN(TestMismatchBanner)
#include "TestMismatchBanner.moc"
