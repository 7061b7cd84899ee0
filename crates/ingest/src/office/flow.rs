//! From what a reader of an office document finds to headings and blocks.

use campanile_corpus::BlockKind;

use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::report::Report;
use crate::table::TableDraft;

/// The role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Body,
    /// The title of the whole document.
    Title,
    /// From 1.
    Heading(u8),
    Item,
    Quote,
    /// The words above or below a table or a figure.
    Caption,
}

/// Takes paragraphs and tables in the order of the text.
///
/// A caption belongs to the table right behind it, or else to the one right in front of it; so the
/// last table and the last caption wait until it is known what follows.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) assembler: Assembler,
    waiting_table: Option<TableDraft>,
    waiting_caption: Option<InlineText>,
    /// The text of the first paragraph in the style of a title.
    pub(super) title: Option<String>,
}

impl Flow {
    pub(super) fn report(&mut self) -> &mut Report {
        &mut self.assembler.report
    }

    /// Adds a paragraph; one without text is none.
    pub(super) fn paragraph(&mut self, role: Role, text: InlineText) {
        if text.text.is_empty() {
            return;
        }
        if role == Role::Caption {
            self.caption(text);
            return;
        }
        self.settle();
        let kind = match role {
            Role::Title => {
                self.title.get_or_insert_with(|| text.text.clone());
                self.assembler.heading(1, text, None);
                return;
            }
            Role::Heading(level) => {
                self.assembler.heading(level.clamp(1, 6), text, None);
                return;
            }
            Role::Item => BlockKind::ListItem,
            Role::Quote => BlockKind::Quote,
            Role::Body | Role::Caption => BlockKind::Paragraph,
        };
        self.assembler.block(kind, text);
    }

    pub(super) fn table(&mut self, mut table: TableDraft) {
        match self.waiting_caption.take() {
            Some(caption) if table.caption.text.is_empty() => {
                self.settle_table();
                table.caption = caption;
            }
            caption => {
                self.waiting_caption = caption;
                self.settle();
            }
        }
        self.waiting_table = Some(table);
    }

    /// A picture parts what stands above it from what stands below.
    pub(super) fn picture(&mut self) {
        self.settle();
    }

    /// Begins a page.
    pub(super) fn page(&mut self, number: u32, label: Option<String>) {
        self.settle();
        self.assembler.page(number, label);
    }

    fn caption(&mut self, text: InlineText) {
        if self.waiting_caption.is_some() {
            self.settle();
        }
        self.waiting_caption = Some(text);
    }

    /// Nothing more can belong to what waits.
    pub(super) fn settle(&mut self) {
        let caption = self.waiting_caption.take();
        match (self.waiting_table.as_mut(), caption) {
            (Some(table), Some(caption)) if table.caption.text.is_empty() => {
                table.caption = caption;
                self.settle_table();
            }
            (_, caption) => {
                self.settle_table();
                if let Some(caption) = caption {
                    self.assembler.block(BlockKind::Paragraph, caption);
                }
            }
        }
    }

    fn settle_table(&mut self) {
        if let Some(table) = self.waiting_table.take() {
            self.assembler.table(table);
        }
    }
}
