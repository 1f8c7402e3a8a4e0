// SPDX-License-Identifier: GPL-3.0-or-later
#include "TransportBehaviour.h"
#include "core/probe/AsioTransport.h"

#include <QTest>

namespace weir::probe::test {

class TestAsioTransport : public TransportBehaviour {
    Q_OBJECT
protected:
    std::unique_ptr<ProbeTransport> makeTransport(Clock& clock) override { return std::make_unique<AsioTransport>(clock); }

private slots:
    void callsAnEndlessHeadMalformed();
    void reusesItself();
};

void TestAsioTransport::callsAnEndlessHeadMalformed()
{
    ScriptedServer server({{"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nX: " + QByteArray(40000, 'x'))}});
    const ProbeAnswer answer = ask(server.url("/health"));
    QCOMPARE(answer.failure, std::string("malformed"));
    QCOMPARE(answer.status, 0);
}

// Thousands of exchanges through few objects: ends, drops and deadlines of one never reach the next.
void TestAsioTransport::reusesItself()
{
    constexpr int kRounds = 40;
    constexpr int kAtOnce = 50;
    int good = 0;
    int bad = 0;
    int expected = 0;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<std::uint64_t> silent;
        for (int i = 0; i < kAtOnce; ++i) {
            m_transport->start(m_server->url("/health"), std::chrono::seconds(5), [&](ProbeAnswer&& answer) { ++(answer.status == 200 && answer.body == "OK" ? good : bad); });
            silent.push_back(m_transport->start(m_server->url("/silent"), std::chrono::milliseconds(40), [&](ProbeAnswer&& answer) { bad += answer.failure == "timeout" ? 0 : 1; }));
        }
        expected += kAtOnce;
        QTRY_COMPARE(good + bad, expected);
        for (const std::uint64_t id : silent) {
            m_transport->cancel(id);
        }
    }
    QCOMPARE(bad, 0);
    QCOMPARE(good, kRounds * kAtOnce);
    QTRY_COMPARE(m_server->open(), 0);
}

} // namespace weir::probe::test

QTEST_GUILESS_MAIN(weir::probe::test::TestAsioTransport)
#include "TestAsioTransport.moc"
