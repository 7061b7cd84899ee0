//! The words that the rules go by. A word that could be two things is in no list.

use campanile_text::Language;

use crate::facts::bare;

/// The closed lists of one language.
pub(super) struct Lists {
    /// Verbs that are finite wherever they stand behind a subject.
    pub(super) finite: &'static [&'static str],
    /// Words that begin a subject and point at nothing said before.
    pub(super) subject: &'static [&'static str],
    /// Words that tie a clause to another, or leave it open which: no such sentence is taken apart.
    pub(super) binding: &'static [&'static str],
    /// Words that a main clause does not begin with when its subject comes first.
    pub(super) leading: &'static [&'static str],
    /// The word that joins two clauses, with the spaces around it.
    pub(super) conjunction: &'static str,
    /// Words that point at something said before.
    pub(super) pointing: &'static [&'static str],
    /// Words for "or".
    pub(super) or: &'static [&'static str],
    /// Words for "and".
    pub(super) and: &'static [&'static str],
    /// Words that leave a choice between the items of a list.
    pub(super) choice: &'static [&'static str],
}

impl Lists {
    /// The lists of a language; `None` where there are none.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        match language {
            Language::English => Some(&ENGLISH),
            Language::German => Some(&GERMAN),
            Language::None => None,
        }
    }

    /// Counts the words of a text that stand for a thing that is named elsewhere, if anywhere.
    pub(super) fn stand_ins(&self, text: &str) -> usize {
        let words = text.split_whitespace().map(|word| bare(word).to_lowercase());
        let is_stand_in = |word: &str| self.pointing.contains(&word) && !ALOOF.contains(&word);
        words.filter(|word| is_stand_in(word)).count()
    }
}

/// Pointing words that stand for no thing, or most often do other work: "the rule that".
const ALOOF: &[&str] = &[
    "daher", "damit", "dann", "davon", "dazu", "dort", "other", "others", "same", "selbst", "such",
    "that", "then", "there", "too",
];

static ENGLISH: Lists = Lists {
    #[rustfmt::skip]
    finite: &[
        "am", "applies", "are", "becomes", "begins", "can", "cannot", "comprises", "consists",
        "contains", "could", "did", "do", "does", "had", "has", "have", "includes", "is", "may",
        "might", "must", "provides", "receives", "remains", "requires", "shall", "should", "takes",
        "was", "were", "will", "would",
    ],
    #[rustfmt::skip]
    subject: &[
        "a", "all", "an", "any", "applicants", "candidates", "each", "employees", "every",
        "instructors", "lecturers", "members", "no", "our", "participants", "students", "teachers",
        "the", "we", "you", "your",
    ],
    #[rustfmt::skip]
    binding: &[
        "although", "as", "because", "both", "but", "either", "except", "if", "neither", "nor",
        "once", "only", "or", "otherwise", "provided", "respectively", "since", "so", "than",
        "that", "though", "unless", "until", "when", "whenever", "where", "whereas", "whether",
        "which", "while", "who", "whom", "whose", "yet",
    ],
    #[rustfmt::skip]
    leading: &[
        "after", "also", "although", "and", "as", "at", "because", "before", "between", "but", "by",
        "during", "for", "from", "he", "here", "how", "however", "if", "in", "it", "its", "not",
        "of", "on", "once", "or", "she", "since", "so", "that", "their", "then", "there",
        "therefore", "these", "they", "this", "those", "to", "under", "unless", "until", "upon",
        "what", "when", "where", "which", "while", "who", "why", "with", "within", "without",
    ],
    conjunction: ", and ",
    #[rustfmt::skip]
    pointing: &[
        "former", "he", "her", "hers", "him", "his", "it", "its", "itself", "latter", "other",
        "others", "same", "she", "such", "that", "their", "theirs", "them", "themselves", "then",
        "there", "these", "they", "this", "those", "too",
    ],
    or: &["or", "and/or"],
    and: &["and"],
    choice: &["any", "both", "either", "one", "or"],
};

static GERMAN: Lists = Lists {
    finite: &[
        "beginnt", "beträgt", "besteht", "bestehen", "darf", "dürfen", "endet", "erfolgt",
        "findet", "finden", "gilt", "gelten", "hat", "haben", "ist", "kann", "können", "muss",
        "müssen", "sind", "soll", "sollen", "umfasst", "umfassen", "war", "waren", "wird", "wurde",
        "wurden",
    ],
    #[rustfmt::skip]
    subject: &[
        "alle", "das", "der", "die", "ein", "eine", "jede", "jeder", "jedes", "kein", "keine",
        "studierende", "wir",
    ],
    binding: &[
        "aber", "als", "ausser", "außer", "bevor", "bis", "da", "dass", "denn", "entweder",
        "falls", "indem", "insoweit", "jedoch", "nachdem", "nur", "ob", "obwohl", "oder", "sobald",
        "sofern", "solange", "sondern", "sonst", "soweit", "sowohl", "um", "weder", "weil",
        "welche", "welcher", "welches", "wenn", "wer", "wie", "wobei", "während",
    ],
    leading: &[
        "ab", "am", "auch", "auf", "aus", "bei", "beim", "dabei", "daher", "dann", "darüber",
        "davon", "dazu", "dies", "diese", "dieser", "dieses", "durch", "er", "es", "für", "hier",
        "hierzu", "ihr", "ihre", "im", "in", "mit", "nach", "neben", "ohne", "sein", "seine",
        "sie", "so", "um", "und", "unter", "von", "vor", "zu", "zum", "zur", "über",
    ],
    conjunction: ", und ",
    pointing: &[
        "daher", "damit", "dann", "davon", "dazu", "denen", "deren", "dessen", "dies", "diese",
        "diesem", "diesen", "dieser", "dieses", "dort", "er", "es", "ihm", "ihn", "ihnen", "ihr",
        "ihre", "ihren", "ihrer", "ihres", "jene", "jener", "letztere", "sein", "seine", "seinen",
        "seiner", "selbst", "sie", "solche",
    ],
    or: &["oder", "bzw", "und/oder"],
    and: &["und", "sowie"],
    choice: &[
        "beide", "beiden", "ein", "eine", "einen", "einer", "eines", "entweder", "oder",
        "wahlweise",
    ],
};
