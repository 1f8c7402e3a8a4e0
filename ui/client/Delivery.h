// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "ui/client/ControlPlaneClient.h"

#include <QMetaObject>
#include <QPointer>

/// How answers of the embedded plane get to the UI thread.
namespace weir::ui {

[[nodiscard]] inline ClientError toClient(const Error& error)
{
    return {QString::fromStdString(error.code), QString::fromStdString(error.message), {}, {}, {}};
}

/// Any thread. Hands an answer to the UI thread; dropped when the context is gone by then.
template <typename T>
void deliver(ControlPlaneClient* client, const QPointer<QObject>& context, const ControlPlaneClient::Callback<T>& done,
    tl::expected<T, ClientError> answer)
{
    QMetaObject::invokeMethod(
        client,
        [context, done, answer = std::move(answer)] {
            if (context) {
                done(answer);
            }
        },
        Qt::QueuedConnection);
}

} // namespace weir::ui
