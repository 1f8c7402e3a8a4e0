// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ScriptedServer.h"
#include "core/probe/ProbeTransport.h"

#include <QObject>

#include <memory>
#include <optional>

namespace weir::probe::test {

/// What every ProbeTransport must do. A test class for one transport derives from this and adds what is its own.
class TransportBehaviour : public QObject {
    Q_OBJECT
protected:
    virtual std::unique_ptr<ProbeTransport> makeTransport(Clock& clock) = 0;
    /// Whether a chunked body that breaks off is always seen as such.
    virtual bool noticesCutChunks() const { return true; }
    /// Whether a body that ends with the connection may make the transport send the request again when all is over.
    virtual bool mayRepeatUntilClose() const { return false; }
    ProbeAnswer ask(const std::string& url, std::chrono::milliseconds timeout = std::chrono::seconds(5));

    SystemClock m_clock;
    std::unique_ptr<ScriptedServer> m_server;
    std::unique_ptr<ProbeTransport> m_transport;

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void answers_data();
    void answers();
    void failures_data();
    void failures();
    void countsTheFirstFailure();
    void sendsTheTargetByteForByte_data();
    void sendsTheTargetByteForByte();
    void sendsNothingButThePlainRequest();
    void keepsNoCookies();
    void opensAFreshConnectionEachTime();
    void failsAtTheDeadline_data();
    void failsAtTheDeadline();
    void cutsAHugeBodyOff_data();
    void cutsAHugeBodyOff();
    void survivesAnEndlessHead();
    void reachesIpv6();
    void cancelsWithoutACallback();
    void asksManyOfOneAddressAtOnce();
    void diesWithProbesUnderWay();
    void holdsDescriptorsAndMemoryOverRefusals();
    void callsNoTlsATlsFailure_data();
    void callsNoTlsATlsFailure();
    void checksWhoAnswersHttps_data();
    void checksWhoAnswersHttps();
    void callsNoRouteALocalError();
    void resolvesNames();
};

} // namespace weir::probe::test
