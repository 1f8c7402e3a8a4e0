// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"
#include "ui/live/TimeDisplay.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace weir::ui {

class ExplainedNodeModel;
class FactGrid;
class TableView;
class TextLabel;
class Theme;

/// "Why (not) chosen?": asks the scheduler in its quiet form and shows the whole record, ending in the sentence.
class WhyDialog : public QDialog {
    Q_OBJECT

public:
    WhyDialog(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent);

    /// Fills the form from what was selected and asks at once where an app is known.
    void setContext(const WhyContext& context);
    [[nodiscard]] const ExplanationView& explanation() const { return m_view; }
    [[nodiscard]] QString markdown() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void build(const Theme& theme);
    void fillApps(const WhyContext& context);
    void ask();
    void showAnswer(const ExplanationView& view);
    void showError(const QString& text);
    void retranslate();
    void updateReady();
    [[nodiscard]] QString appFor(const WhyContext& context) const;

    FleetStore& m_store;
    const TimeDisplay& m_times;
    ExplanationView m_view;
    bool m_hasAnswer = false;
    QString m_focusNode;    ///< the node that the question came from
    QLabel* m_appLabel;
    QLabel* m_roleLabel;
    QLabel* m_needLabel;
    QComboBox* m_app;
    QComboBox* m_role;
    QSpinBox* m_need;
    QPushButton* m_ask;
    QPushButton* m_copy;
    QPushButton* m_close;
    TextLabel* m_note;
    TextLabel* m_headline;
    FactGrid* m_facts;
    TextLabel* m_excludedTitle;
    TableView* m_table;
    ExplainedNodeModel* m_model;
};

} // namespace weir::ui
