// SPDX-License-Identifier: GPL-3.0-or-later
#include "TransportBehaviour.h"
#include "core/probe/QnamTransport.h"

#include <QTest>

using namespace std::chrono_literals;

namespace weir::probe::test {

class TestQnamTransport : public TransportBehaviour {
    Q_OBJECT
protected:
    std::unique_ptr<ProbeTransport> makeTransport(Clock& clock) override { return std::make_unique<QnamTransport>(clock, 4); }
    bool noticesCutChunks() const override { return false; }
    bool mayRepeatUntilClose() const override { return true; }

private slots:
    void replacesWornManagers();
};

void TestQnamTransport::replacesWornManagers()
{
    QnamTransport transport(m_clock, 1);
    const std::string url = "http://127.0.0.1:" + std::to_string(ScriptedServer::unusedPort()) + "/health";
    int ended = 0;
    int refused = 0;
    constexpr int kProbes = 10'100;
    int started = 0;
    const std::function<void()> next = [&] {
        if (started < kProbes) {
            ++started;
            transport.start(url, 5s, [&](ProbeAnswer&& answer) {
                ++ended;
                refused += answer.failure == "refused" ? 1 : 0;
                next();
            });
        }
    };
    for (int i = 0; i < 20; ++i) {
        next();
    }
    QTRY_COMPARE_WITH_TIMEOUT(ended, kProbes, 60'000);
    QCOMPARE(refused, kProbes);
    QCOMPARE(transport.managersReplaced(), std::size_t(1));
}

} // namespace weir::probe::test

QTEST_GUILESS_MAIN(weir::probe::test::TestQnamTransport)
#include "TestQnamTransport.moc"
