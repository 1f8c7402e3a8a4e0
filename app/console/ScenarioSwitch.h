// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console/Options.h"
#include "ui/client/DemoControl.h"

#include <QObject>

namespace weir::console {

/// Another scenario has another fleet and other data: the program starts again with it, looking as it does now, and this one ends.
class ScenarioSwitch : public QObject {
    Q_OBJECT

public:
    /// `program`: path of the executable to start. `control` and `options` must outlive this.
    ScenarioSwitch(ui::DemoControl& control, const Options& options, QString program, QObject* parent = nullptr);

    [[nodiscard]] static QStringList argumentsFor(const QString& scenario, const Options& options);

signals:
    /// The other process runs; this one may end.
    void started();

private:
    void start(const QString& scenario);

    const Options& m_options;
    QString m_program;
};

} // namespace weir::console
