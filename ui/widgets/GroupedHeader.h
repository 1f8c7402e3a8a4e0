// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace weir::ui {

class Theme;

/// Header of every table. Without groups one line (28 px); with groups two (44 px): a label and a rule over the columns it
/// names, as "Available" over origins, edges and workers.
class GroupedHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit GroupedHeader(const Theme& theme, QWidget* parent = nullptr);

    /// Puts `label` over the logical sections first…last, which stay next to each other.
    void addGroup(const QString& label, int first, int last);
    void clearGroups();
    /// As TableDelegate::setEdgePadding.
    void setEdgePadding(int pixels) { m_edgePadding = pixels; }

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Group {
        QString label;
        int first = 0;
        int last = 0;
    };

    void paintGroup(QPainter& painter, const QRect& section, const Group& group) const;
    [[nodiscard]] const Group* groupOf(int logicalIndex) const;

    const Theme& m_theme;
    QList<Group> m_groups;
    int m_edgePadding = 0;
};

} // namespace weir::ui
