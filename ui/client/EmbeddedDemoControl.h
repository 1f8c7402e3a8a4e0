// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/demo/DemoFleet.h"
#include "ui/client/DemoControl.h"

namespace weir::ui {

/// The demo in the same process.
class EmbeddedDemoControl final : public DemoControl {
    Q_OBJECT

public:
    /// `demo` must outlive this.
    explicit EmbeddedDemoControl(demo::DemoFleet& demo, QObject* parent = nullptr);
    ~EmbeddedDemoControl() override;

    [[nodiscard]] DemoView view() const override;
    void setPaused(bool paused) override;
    void restart() override;
    void setSpeed(int speed) override;
    void skipAct() override;
    void setSwitch(const QString& key, bool on) override;
    void whyAsked() override;
    void reportTaken() override;

private:
    demo::DemoFleet& m_demo;
};

} // namespace weir::ui
