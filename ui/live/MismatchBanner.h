// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"
#include "ui/widgets/Tokens.h"

namespace weir::ui {

class LinkLabel;
class TextLabel;
class Theme;

/// "3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none.": a strip that stands
/// while healthy nodes and apps miss each other, and is not there otherwise. It says nothing about data that is not live.
class MismatchBanner : public QWidget {
    Q_OBJECT

public:
    MismatchBanner(FleetStore& store, const Theme& theme, QWidget* parent = nullptr);

    /// Empty while nothing is wrong.
    [[nodiscard]] const QString& sentence() const { return m_sentence; }
    /// Whether the page below is one that shows the banner, and the room that it needs between.
    void setWanted(bool wanted, int gapBelow = 0);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// The apps that are not served, in the table with their resolution.
    void resolutionRequested();
    void whyRequested(const weir::ui::WhyContext& context);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QString starvedSentence() const;
    /// The first app that fails closed although healthy nodes of the role stand in other pools; an empty app where there is none.
    [[nodiscard]] WhyContext starvedElsewhere() const;
    [[nodiscard]] WhyContext whyContext() const;

    FleetStore& m_store;
    const Theme& m_theme;
    QString m_sentence;
    Tone m_tone = Tone::Failing;
    bool m_wanted = true;
    int m_gap = 0;
    TextLabel* m_text;
    LinkLabel* m_show;
    LinkLabel* m_why;
};

} // namespace weir::ui
