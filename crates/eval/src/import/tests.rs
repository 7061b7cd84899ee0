#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;

use campanile_questions::{Category, Gold, Question, QuestionKind, read_questions};
use campanile_test_data::shared;

use super::*;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn files(folder: &tempfile::TempDir) -> SetFiles {
    SetFiles::open(folder.path()).unwrap()
}

/// Every gold names a document of the set, and a passage of its text.
#[track_caller]
fn gold_stands_in_the_documents(set: &ImportedSet) {
    let text_of: BTreeMap<&str, String> = set
        .documents
        .iter()
        .map(|document| match &document.content {
            DocumentContent::Page { title, paragraphs } => (
                document.path.as_str(),
                documents::on_one_line(&format!("{title} {}", paragraphs.join(" "))),
            ),
            DocumentContent::File(bytes) => {
                (document.path.as_str(), String::from_utf8_lossy(bytes).into_owned())
            }
        })
        .collect();
    assert_eq!(text_of.len(), set.documents.len(), "paths differ");
    for gold in set.questions.iter().flat_map(|question| &question.gold) {
        let text = text_of.get(gold.document.as_deref().unwrap()).expect("a document of the set");
        let passage = gold.passage.as_deref().unwrap_or_default();
        assert!(text.contains(passage), "{passage:?} stands in {text:?}");
    }
}

const SQUAD: &str = r#"{"version": "v2.0", "data": [{"title": "Oil_crisis", "paragraphs": [
    {"context": "It began in 1973. It ended in 1974.", "qas": [
        {"id": "a", "question": "When did it end?", "is_impossible": false,
         "answers": [{"text": "1974", "answer_start": 30}, {"text": "in 1974", "answer_start": 27}, {"text": "1974", "answer_start": 30}]},
        {"id": "b", "question": "Who ended it?", "is_impossible": true, "answers": [],
         "plausible_answers": [{"text": "1974", "answer_start": 30}]}]}]}]}"#;

#[test]
fn squad_paragraphs_are_documents() {
    let set = squad("dev.json", SQUAD).unwrap();
    gold_stands_in_the_documents(&set);
    assert_eq!(set.documents[0].path, "Oil_crisis/p001.html");
    let [answerable, unanswerable] = set.questions.as_slice() else { panic!("two questions") };
    assert_eq!(answerable.answers, ["1974", "in 1974"]);
    assert_eq!(answerable.gold.len(), 1);
    assert_eq!(answerable.gold[0].passage.as_deref(), Some("It ended in 1974."));
    assert_eq!(unanswerable.category, Category::Unanswerable);
    assert!(unanswerable.answers.is_empty() && unanswerable.gold.is_empty());
    let error = squad("dev.json", r#"{"data": [{"title": "a"}]}"#).unwrap_err().to_string();
    assert!(error.contains("dev.json") && error.contains("data[0]"), "{error}");
}

const BEIR: [(&str, &str); 4] = [
    (
        "set/corpus.jsonl",
        "{\"_id\": \"d/1\", \"title\": \"Fees\", \"text\": \"A fee.\", \"metadata\": {}}\n\
         {\"_id\": \"d/2\", \"text\": \"A key.\"}\n",
    ),
    (
        "set/queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"What fee?\"}\n{\"_id\": \"q2\", \"text\": \"What else?\"}\n",
    ),
    ("set/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td/1\t2\nq1\td/2\t0\nq1\td/9\t1\n"),
    ("set/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq2\td/2\t1\n"),
];

#[test]
fn beir_is_read_from_a_folder_and_from_a_zip() {
    let folder = folder(&BEIR);
    let set = beir(&files(&folder), None).unwrap();
    gold_stands_in_the_documents(&set);
    assert_eq!(set.questions.len(), 1);
    assert_eq!(set.questions[0].gold, [Gold { grade: 2, ..Gold::document("d_1.html") }]);
    assert_eq!(
        set.remarks,
        [
            "1 questions have no judgment in this split and are left out",
            "1 documents are judged and not in the corpus",
            "1 other splits are there: see `--split`"
        ]
    );
    assert_eq!(beir(&files(&folder), Some("dev")).unwrap().questions[0].id, "q2");
    let error = beir(&files(&folder), Some("train")).unwrap_err().to_string();
    assert!(error.contains("`train`") && error.contains("dev, test"), "{error}");

    let zip_path = folder.path().join("set.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&zip_path).unwrap());
    for (name, content) in BEIR {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    assert_eq!(beir(&SetFiles::open(&zip_path).unwrap(), None).unwrap(), set);
}

#[test]
fn what_is_wrong_with_a_set_is_named_with_its_place() {
    let broken = |path: &str, content: &str| {
        let with: Vec<(&str, &str)> = BEIR
            .into_iter()
            .map(|(name, old)| (name, if name == path { content } else { old }))
            .collect();
        beir(&files(&folder(&with)), None).unwrap_err().to_string()
    };
    let error = broken("set/qrels/test.tsv", "a\tb\tscore\nq1 d1 1\n");
    assert!(error.contains("`set/qrels/test.tsv`, line 2"), "{error}");
    let error = broken("set/corpus.jsonl", "{\"_id\": \"a\", \"text\": \"b\"}\n{\"id\": \"b\"}\n");
    assert!(error.contains("line 2") && error.contains("`_id`"), "{error}");
    let error = beir(&files(&folder(&BEIR[..2])), None).unwrap_err().to_string();
    assert!(error.contains("qrels/NAME.tsv") && error.contains("set/corpus.jsonl"), "{error}");
    let scifact = folder(&[("corpus_train.csv", "doc_id,title,abstract\n")]);
    let error = beir(&files(&scifact), None).unwrap_err().to_string();
    assert!(error.contains("import scifact"), "{error}");
    let latin = folder(&[("questions.txt", ""), ("reference_answers.txt", "")]);
    fs::write(latin.path().join("questions.txt"), b"W\xe4nn?").unwrap();
    assert!(cmu(&files(&latin)).unwrap_err().to_string().contains("UTF-8"));
    let uneven = folder(&[("questions.txt", "a?\nb?\n"), ("reference_answers.txt", "a\n")]);
    assert!(cmu(&files(&uneven)).unwrap_err().to_string().contains("2 lines are expected"));
    assert!(matches!(SetFiles::open(Path::new("/no/such.zip")), Err(ImportError::Read { .. })));
}

#[test]
fn scifact_keeps_rationales_and_cited_abstracts() {
    let folder = folder(&[
        (
            "corpus_train.csv",
            "doc_id,title,abstract,structured\n7,Zinc,\"['Zinc is a metal.'\n \"\"It's grey.\"\"]\",False\n8,Tin,['Tin.'],False\n",
        ),
        (
            "claims_train.csv",
            "id,claim,evidence_doc_id,evidence_label,evidence_sentences,cited_doc_ids\n3,Zinc is grey.,7,SUPPORT,[1],[7 8]\n3,Zinc is grey.,7,SUPPORT,[0 1],[7 8]\n",
        ),
        (
            "claims_test.csv",
            "id,claim,evidence_doc_id,evidence_label,evidence_sentences,cited_doc_ids\n4,Tin.,,,[],[]\n",
        ),
    ]);
    let set = scifact(&files(&folder), None).unwrap();
    gold_stands_in_the_documents(&set);
    let [claim] = set.questions.as_slice() else { panic!("one claim") };
    let gold: Vec<_> = claim
        .gold
        .iter()
        .map(|gold| (gold.document.as_deref().unwrap(), gold.passage.as_deref()))
        .collect();
    assert_eq!(
        gold,
        [("8.html", None), ("7.html", Some("It's grey.")), ("7.html", Some("Zinc is a metal."))]
    );
    assert_eq!(set.remarks, ["1 claims have no published evidence and are left out"]);
}

#[test]
fn cranfield_counts_questions_by_their_place() {
    let folder = folder(&[
        (
            "cran.all.1400",
            ".I 1\n.T\nwings .\n.A\nsmith\n.B\n.W\nwings .\na wing lifts .\n.I 2\n.T\n.A\n.B\n.W\n",
        ),
        ("cran.qry", ".I 004\n.W\nwhat lifts\na wing .\n.I 008\n.W\nwhat else .\n"),
        ("cranqrel", "1 1 1 \n1 2 3\n2 1 -1\n"),
    ]);
    let set = cranfield(&files(&folder)).unwrap();
    gold_stands_in_the_documents(&set);
    assert_eq!(set.questions[0].question, "what lifts a wing .");
    assert_eq!(set.questions[0].gold, [Gold { grade: 4, ..Gold::document("0001.html") }]);
    assert!(set.questions[1].gold.is_empty());
    assert_eq!(set.remarks.len(), 2);
    let html = String::from_utf8(set.documents[0].bytes()).unwrap();
    assert!(html.contains("<p>a wing lifts .</p>"), "{html}");
}

#[test]
fn sheets_are_read_with_any_separator() {
    let comma = "Question,Answers,Document,Passage,Category,Type\n\
        How much?,5 euros; 5,fees.md,\"It costs 5 euros, once.\",,factual\n\
        Who?,,,,Unanswerable,\n";
    let set = csv("a.csv", comma).unwrap();
    assert_eq!(set.questions[0].answers, ["5 euros", "5"]);
    assert_eq!(set.questions[0].gold, [Gold::passage("fees.md", "It costs 5 euros, once.")]);
    assert_eq!(set.questions[0].kind, Some(QuestionKind::Factual));
    assert_eq!(set.questions[1], Question::new("row2", "Who?", Category::Unanswerable));
    let semicolon = "question;answer;document;passage;category;type\n\
        How much?;\"5 euros; 5\";fees.md;It costs 5 euros, once.;;factual\n\
        Who?;;;;unanswerable;\n";
    assert_eq!(csv("a.csv", semicolon).unwrap().questions, set.questions);
}

#[test]
fn rows_of_one_id_are_one_question() {
    let sheet = "id,question,answer,document,grade,batch,course,date\n\
        q1,Which?,A,a.md,2,2023,CS101; CS102,2026-03-31\n\
        q1,Which?,B,b.md,1,,,\n";
    let set = csv("a.csv", sheet).unwrap();
    let [question] = set.questions.as_slice() else { panic!("one question") };
    assert_eq!(question.answers, ["A", "B"]);
    assert_eq!(
        question.gold,
        [Gold { grade: 2, ..Gold::document("a.md") }, Gold::document("b.md")]
    );
    assert_eq!(question.asker().batch.as_deref(), Some("2023"));
    assert_eq!(question.asker().courses, ["CS101", "CS102"]);
    assert_eq!(question.date.unwrap().to_string(), "2026-03-31");
}

#[test]
fn mistakes_of_a_sheet_are_named_with_their_line() {
    let cases = [
        (
            "question,anwser\nWhy?,b\n",
            "`a.csv`, line 1: the field `anwser` is not known: did you mean `answer`?",
        ),
        ("question,answer\nWhy?,b\n,c\n", "`a.csv`, line 3: the field `question` is missing"),
        ("question,answer\nWhy?,\n", "`a.csv`, line 2: the field `category` is missing"),
        ("question,answer,category\nWhy?,b,hard\n", "`a.csv`, line 2: field `category`"),
        ("question,document,grade\nWhy?,b,good\n", "`a.csv`, line 2: field `gold[0].grade`"),
        ("question,answer\n", "a header row and a row for each question"),
    ];
    for (sheet, expected) in cases {
        let error = csv("a.csv", sheet).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_set_is_written_once_and_read_again() {
    let set = squad("dev.json", SQUAD).unwrap();
    let folder = folder(&[]);
    let target = folder.path().join("set");
    write_set(&set, &target).unwrap();
    let written = fs::read_to_string(target.join(QUESTIONS_FILE)).unwrap();
    assert_eq!(read_questions(&written).unwrap(), set.questions);
    assert!(target.join("documents/Oil_crisis/p001.html").is_file());
    assert!(target.join("documents/campanile.toml").is_file());
    assert!(matches!(write_set(&set, &target), Err(ImportError::NotEmpty { .. })));
}

#[test]
fn an_interrupted_import_does_not_block_the_next() {
    let set = squad("dev.json", SQUAD).unwrap();
    let folder = folder(&[]);
    let target = folder.path().join("set");
    // A file cannot be a folder too: the import ends half way.
    let document = |path: &str| ImportedDocument {
        path: path.to_owned(),
        content: DocumentContent::File(vec![1]),
    };
    let documents = vec![document("half"), document("half/way")];
    let broken = ImportedSet { documents, ..ImportedSet::default() };
    assert!(matches!(write_set(&broken, &target), Err(ImportError::Write { .. })));
    assert!(!target.exists(), "nothing under its name");

    write_set(&set, &target).unwrap();
    assert!(target.join(QUESTIONS_FILE).is_file() && !target.join("documents/half").exists());
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["set"], "the half import is gone");
}

fn count(set: &ImportedSet, category: Category) -> usize {
    set.questions.iter().filter(|question| question.category == category).count()
}

/// Ids are unique and every line is what reading takes.
#[track_caller]
fn is_read_again(set: &ImportedSet) {
    let written = campanile_questions::write_questions(&set.questions);
    assert_eq!(read_questions(&written).unwrap(), set.questions);
}

#[test]
fn real_squad_has_its_published_counts() {
    let Some(folder) = shared("squad_dev") else { return };
    for (file, documents, questions, unanswerable) in [
        ("dev-v1.1.rebuilt.json", 2_067, 10_570, 0),
        ("dev-v2.0.rebuilt.json", 1_204, 11_873, 5_945),
    ] {
        let set = squad(file, &fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        assert_eq!((set.documents.len(), set.questions.len()), (documents, questions), "{file}");
        assert_eq!(count(&set, Category::Unanswerable), unanswerable, "{file}");
        assert!(set.remarks.is_empty(), "{file}: {:?}", set.remarks);
        gold_stands_in_the_documents(&set);
        is_read_again(&set);
        // An answer stands in a gold passage, whole.
        for question in set.questions.iter().filter(|question| !question.answers.is_empty()) {
            let held = |answer: &String| {
                let answer = documents::on_one_line(answer);
                question.gold.iter().any(|gold| gold.passage.as_ref().unwrap().contains(&answer))
            };
            assert!(question.answers.iter().all(held), "{question:?}");
        }
    }
}

#[test]
fn real_scifact_has_its_published_counts() {
    let Some(zip) = shared("scifact_beir/scifact.zip") else { return };
    let files = SetFiles::open(&zip).unwrap();
    for (split, claims, documents_judged) in
        [(None, 1_109, 1_258), (Some("train"), 809, 919), (Some("validation"), 300, 339)]
    {
        let set = scifact(&files, split).unwrap();
        assert_eq!((set.documents.len(), set.questions.len()), (5_183, claims), "{split:?}");
        gold_stands_in_the_documents(&set);
        is_read_again(&set);
        let judged: usize = set
            .questions
            .iter()
            .map(|claim| {
                claim.gold.iter().map(|gold| &gold.document).collect::<BTreeSet<_>>().len()
            })
            .sum();
        assert_eq!(judged, documents_judged, "{split:?}");
    }
}

#[test]
fn real_cranfield_has_its_published_counts() {
    let Some(folder) = shared("cranfield") else { return };
    let set = cranfield(&SetFiles::open(&folder).unwrap()).unwrap();
    // Of 1,400, two have no text.
    assert_eq!((set.documents.len(), set.questions.len()), (1_398, 225));
    let judgments: usize = set.questions.iter().map(|question| question.gold.len()).sum();
    // 1,837 lines, of which 225 say -1, and one is of a document without text.
    assert_eq!(judgments, 1_611);
    assert!(set.questions.iter().all(|question| !question.gold.is_empty()));
    gold_stands_in_the_documents(&set);
    is_read_again(&set);
}

#[test]
fn real_university_facts_have_their_counts() {
    let Some(folder) = shared("cmu_facts") else { return };
    let set = cmu(&SetFiles::open(&folder).unwrap()).unwrap();
    assert_eq!(set.questions.len(), 176);
    assert_eq!(set.questions.iter().filter(|question| question.answers.len() > 1).count(), 7);
    assert_eq!(set.questions[2].answers, ["November 7"]);
    assert!(
        set.documents
            .iter()
            .any(|it| it.path == "Scraped_pdf_file/2324-academic-calendar-list-view.txt")
    );
    assert_eq!(set.documents.len(), 60);
    is_read_again(&set);
}

#[test]
fn what_visitors_said_becomes_questions_to_look_at() {
    let lines = r#"
{"question": "When does it open?", "right": true, "kind": "direct", "answer": "It opens at 9.", "document": "a.md", "at": "2026-11-01"}
{"question": "when does it open?", "right": true, "kind": "direct", "answer": "It opens at 9.", "document": "a.md", "at": "2026-11-02"}
{"question": "What does it cost?", "right": true, "kind": "direct", "answer": "It is free.", "document": "b.md", "at": "2026-11-02"}
{"question": "What does it cost?", "right": false, "kind": "direct", "answer": "It is free.", "document": "b.md", "at": "2026-11-03"}
{"question": "Who is the rector?", "right": true, "kind": "refusal", "answer": null, "document": null, "at": "2026-11-03"}
{"question": "Where do I park?", "kind": "refusal", "at": "2026-11-04"}
"#;
    let set = visitors("said.jsonl", lines).unwrap();
    let found: Vec<_> = (set.questions.iter())
        .map(|question| {
            let gold = question.gold.first().and_then(|gold| gold.passage.as_deref());
            let reason = question.reason.as_deref().unwrap_or_default();
            (question.id.as_str(), question.category, gold, reason, question.reviewed)
        })
        .collect();
    let said = [
        (
            "v001",
            Category::Answerable,
            Some("It opens at 9."),
            "visitors said: 2 times right",
            false,
        ),
        ("v002", Category::Answerable, None, "visitors said: 1 times right, 1 times wrong", false),
        ("v003", Category::Unanswerable, None, "visitors said: 1 times right", false),
        ("v004", Category::Answerable, None, "visitors said: 1 times not answered", false),
    ];
    assert_eq!(found, said);
    assert_eq!(set.remarks.len(), 1);
    for (text, named) in [("", "a line for each"), ("{}", "line 1"), ("\n[]", "line 2")] {
        let error = visitors("said.jsonl", text).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}
