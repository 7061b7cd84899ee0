use campanile_corpus::Synonyms;
use campanile_index::sort_short;
use campanile_text::{Analyzer, Span};
use serde::Serialize;

/// Words that were added to a question because they mean what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expansion {
    /// The place in the question, in bytes.
    pub span: Span,
    /// The form that the question has: `LMS`.
    pub found: String,
    /// The form that the documents have as well: `learning management system`.
    pub added: String,
    /// Its index terms.
    pub terms: Vec<String>,
}

/// The site's [`Synonyms`], analysed once for all questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherForms {
    groups: Vec<Vec<Form>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    phrase: String,
    terms: Vec<String>,
}

impl OtherForms {
    /// Analyses each phrase as the site's texts were.
    pub fn new(synonyms: &Synonyms, analyzer: &Analyzer) -> Self {
        let form = |phrase: &String| Form {
            phrase: phrase.clone(),
            terms: analyzer.analyze(phrase).into_iter().map(|token| token.term).collect(),
        };
        let groups = synonyms.groups.iter().map(|group| group.iter().map(form).collect()).collect();
        Self { groups }
    }

    /// The other forms of what a question says, in the order in which it says it.
    ///
    /// A phrase is found where its terms stand one after another in the question; an abbreviation of
    /// two or three letters only where it is written so, since `it` is not IT, `map` not MAP and
    /// `us` not US.
    ///
    /// ```
    /// use campanile_corpus::Synonyms;
    /// use campanile_retrieve::OtherForms;
    /// use campanile_text::{Analyzer, Language};
    ///
    /// let synonyms = Synonyms { groups: vec![vec!["LMS".into(), "learning management system".into()]] };
    /// let analyzer = Analyzer::new(Language::English);
    /// let found = OtherForms::new(&synonyms, &analyzer).of("Where is the LMS?", &analyzer);
    /// assert_eq!(found[0].added, "learning management system");
    /// ```
    pub fn of(&self, question: &str, analyzer: &Analyzer) -> Vec<Expansion> {
        let tokens = analyzer.analyze(question);
        let mut found: Vec<Expansion> = Vec::new();
        for group in &self.groups {
            for form in group {
                let Some(span) = place_of(&form.terms, &tokens) else { continue };
                let said = span.slice(question).unwrap_or_default();
                if !says(said, &form.phrase) {
                    continue;
                }
                for other in group.iter().filter(|other| other.phrase != form.phrase) {
                    let is_new =
                        !other.terms.is_empty() && place_of(&other.terms, &tokens).is_none();
                    if is_new && !found.iter().any(|known| known.added == other.phrase) {
                        found.push(Expansion {
                            span,
                            found: said.to_owned(),
                            added: other.phrase.clone(),
                            terms: other.terms.clone(),
                        });
                    }
                }
            }
        }
        sort_short(&mut found, |left, right| left.span.cmp(&right.span));
        found
    }
}

/// Finds the first place where the terms stand one after another.
fn place_of(terms: &[String], tokens: &[campanile_text::Token]) -> Option<Span> {
    if terms.is_empty() {
        return None;
    }
    let stretch = tokens
        .windows(terms.len())
        .find(|stretch| stretch.iter().zip(terms).all(|(token, term)| token.term == *term))?;
    let (first, last) = (stretch.first()?, stretch.last()?);
    Some(first.span.joined(last.span))
}

/// Returns `true` if a question's words are a phrase and do not only share its stems: `mapping` is not MAP.
/// A plural is the same, and two or three letters have to be written as they are.
fn says(said: &str, phrase: &str) -> bool {
    if phrase.contains(char::is_whitespace) {
        return true;
    }
    let said = said.strip_suffix('s').filter(|_| !phrase.ends_with('s')).unwrap_or(said);
    let is_short = phrase.chars().count() <= 3 && phrase.chars().any(char::is_uppercase);
    said == phrase || (!is_short && said.to_lowercase() == phrase.to_lowercase())
}

#[cfg(test)]
mod tests {
    use campanile_corpus::Synonyms;
    use campanile_text::{Analyzer, Language};

    use super::OtherForms;

    #[test]
    fn what_a_question_says_is_found_in_other_words() {
        let groups = [
            &["DPO", "Data Protection Officer"][..],
            &["IT", "information technology"],
            &["ECTS", "European Credit Transfer System"],
            &["lab", "practical", "laboratory session"],
        ];
        let groups = groups.map(|group| group.iter().map(ToString::to_string).collect()).to_vec();
        let analyzer = Analyzer::new(Language::English);
        let forms = OtherForms::new(&Synonyms { groups }, &analyzer);
        let cases: &[(&str, &[&str])] = &[
            ("Who is the DPO?", &["Data Protection Officer"]),
            ("who is the dpo", &[]),
            ("Labour law", &[]),
            ("Who is the data protection officer?", &["DPO"]),
            ("The officer for data protection", &[]),
            ("The DPO, that is the data protection officer", &[]),
            ("Does it work?", &[]),
            ("Where is IT support?", &["information technology"]),
            ("When are the labs?", &["practical", "laboratory session"]),
            ("", &[]),
        ];
        for (question, expected) in cases {
            let found = forms.of(question, &analyzer);
            let added: Vec<&str> = found.iter().map(|expansion| expansion.added.as_str()).collect();
            assert_eq!(added, *expected, "{question}");
        }
    }
}
