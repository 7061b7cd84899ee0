//! How much a finding matters to whoever keeps the documents.

use serde::{Deserialize, Serialize};

use crate::{Finding, Noticed};

/// What a finding means for the answers, the gravest first.
///
/// [`crate::Severity`] says how loudly to speak about one finding; this says which of many is read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// A document is not there at all.
    Missing,
    /// Words that a reader of the document sees, or may see, are not found.
    Lost,
    /// All words are there, and some of them may be wrong.
    Doubtful,
    /// What was left out is no part of the text, or stands in it already.
    Tidied,
}

impl Finding {
    /// What it means for the answers.
    pub fn concern(&self) -> Concern {
        use Noticed::*;
        match &self.noticed {
            Failed(_) | FolderSkipped(_) | UnsupportedKind { .. } | Empty | Unpublished(_) => {
                Concern::Missing
            }
            HiddenText { .. }
            | StruckOut { .. }
            | TemplateTags(_)
            | EventsLeftOut { .. }
            | CutShort
            | PicturePages { .. }
            | UnclearWords { .. }
            | PagesLeftOut { .. }
            | UnknownLetters(_)
            | FilesWithin { .. }
            | BadLines { .. }
            | SheetParts(_)
            | MailParts(_) => Concern::Lost,
            FrontMatter { .. }
            | HiddenCharacters(_)
            | ChatTokens { .. }
            | TrackedChanges(_)
            | LinkDropped(_)
            | WrongExtension(_)
            | ReadFromPictures(_)
            | RaggedRows { .. }
            | OldEncoding
            | FieldMissing { .. }
            | RepeatedIds { .. }
            | NoRule => Concern::Doubtful,
            Slanted { .. }
            | Prompts { .. }
            | LineNumbers(_)
            | Comments(_)
            | PageNumbers(_)
            | RunningLines { .. }
            | PageMarks { .. }
            | ContentsLeftOut(_)
            | TakenIn(_)
            | StepsLeftOut(_)
            | LaidBeside { .. }
            | Machinery { .. } => Concern::Tidied,
        }
    }

    /// Returns `true` if the other says the same of another document, so that one line can stand for both.
    ///
    /// Reasons why a document is missing are each read by themselves.
    pub fn is_like(&self, other: &Finding) -> bool {
        use Noticed::*;
        let alike = std::mem::discriminant(&self.noticed) == std::mem::discriminant(&other.noticed);
        let stands_alone = matches!(
            self.noticed,
            Failed(_) | FolderSkipped(_) | UnsupportedKind { .. } | SheetParts(_)
        );
        alike && !stands_alone
    }
}
