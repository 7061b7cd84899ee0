//! The report of an experiment, as a reader's program sees it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../examples/report/made_up.rs"]
mod made_up;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use campanile_eval::Experiment;
use campanile_eval::judged_prose::{ProseShares, ProseTally};
use campanile_eval::report::{Evidence, ExperimentReport, Interval, ReportSettings};
use campanile_eval::significance::Bootstrap;
use campanile_questions::Category;
use scraper::{ElementRef, Html, Selector};
use sha2::{Digest as _, Sha256};

/// Closes a script and a style, ends an attribute, begins a comment.
const HOSTILE: &str = "</script></style><script>alert('x')</script>\"'><img src=x onerror=alert(1)>| **`<!-- {{ 7*7 }}";

/// With so few resamples, and intervals without any, that a test does not take long.
fn evidence(experiment: &Experiment) -> Evidence {
    let bootstrap = Bootstrap { resamples: 1_000, ..Bootstrap::default() };
    let metrics = made_up::METRICS.map(str::to_owned);
    let evidence = campanile_eval::evidence(experiment, &metrics, &bootstrap).unwrap();
    Evidence { interval: Interval::of_mean, ..evidence }
}

fn page_of(experiment: &Experiment, evidence: &Evidence) -> String {
    let settings = ReportSettings::default();
    ExperimentReport::new(experiment, evidence, &settings).page(&settings).unwrap()
}

static PAGE: LazyLock<String> = LazyLock::new(|| {
    let experiment = made_up::experiment(150);
    page_of(&experiment, &evidence(&experiment))
});

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn words(element: ElementRef) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_people_found_of_prose_is_told_where_there_is_any() {
    let without = made_up::experiment(20);
    assert!(!page_of(&without, &evidence(&without)).contains("judged by people"));

    let shown = ProseShares { sentences: 82, is_true: 79, answers: 59, both: 57 };
    let tally = ProseTally { shown, ..ProseTally::default() };
    let experiment = Experiment { prose: [(HOSTILE.to_owned(), tally)].into(), ..without };
    let settings = ReportSettings::default();
    let report = ExperimentReport::new(&experiment, &evidence(&experiment), &settings);
    let page = report.page(&settings).unwrap();
    assert!(!page.contains(HOSTILE), "names are escaped");
    let page = Html::parse_document(&page);
    let cells: Vec<String> = select(&page, "#prose td").into_iter().map(words).collect();
    let expected =
        ["shown", "82", "96 %", "72 %", "70 % (59 to 78 %)", "left out", "0", "–", "–", "–"];
    assert_eq!(cells, expected);
    let markdown = report.markdown().unwrap();
    assert!(markdown.contains("| shown | 82 | 96 % | 72 % | 70 % (59 to 78 %) |"), "{markdown}");
}

#[test]
fn every_plot_has_a_title_a_description_and_its_numbers() {
    let page = Html::parse_document(&PAGE);
    let figures = select(&page, "figure");
    // Recall by depth and by stage, kinds, losses, risk and coverage, times, and a diagram of
    // reliability for each configuration.
    assert_eq!(figures.len(), 2 * 9);
    for figure in figures {
        let within = |selector: &str| figure.select(&Selector::parse(selector).unwrap()).next();
        let title = words(within("svg > title").unwrap());
        assert!(!title.is_empty() && words(within("svg > desc").unwrap()).len() > 20, "{title}");
        let plot = within("svg").unwrap().value();
        assert_eq!(plot.attr("role"), Some("img"));
        for id in plot.attr("aria-labelledby").unwrap().split_whitespace() {
            assert_eq!(select(&page, &format!("#{id}")).len(), 1, "{id}");
        }
        let rows = figure.select(&Selector::parse("details table tbody tr").unwrap()).count();
        assert!(rows > 0, "{title} has no numbers");
    }
}

#[test]
fn nothing_is_requested() {
    let page = Html::parse_document(&PAGE);
    for element in select(&page, "[src], [href], [action], [data], [poster], [srcset]") {
        let value = element.value();
        assert_eq!(value.attr("src"), None);
        let address = value.attr("href").unwrap();
        assert!(address.starts_with('#') || address == "data:,", "{address}");
    }
    assert!(select(&page, "iframe, object, embed, img, base").is_empty());
    let text = PAGE.to_lowercase();
    for request in ["http:", "https:", "@import", "fetch(", "xmlhttprequest", "//cdn"] {
        assert!(!text.contains(request), "{request}");
    }
    for url in text.match_indices("url(").map(|(at, _)| &text[at..at + 12]) {
        assert!(url.starts_with("url(#hatch-"), "{url}");
    }
}

#[test]
fn the_policy_lets_run_the_one_script_that_is_there() {
    let page = Html::parse_document(&PAGE);
    let scripts = select(&page, "script");
    assert_eq!(scripts.len(), 1);
    let script: String = scripts[0].text().collect();
    let hash = base64(&Sha256::digest(script.as_bytes()));
    let policy = select(&page, "meta[http-equiv=Content-Security-Policy]")[0];
    let policy = policy.value().attr("content").unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(
        policy.contains(&format!("script-src 'sha256-{hash}'")),
        "the script's hash is sha256-{hash}"
    );
    let handlers = ["onclick", "onload", "onerror", "oninput", "style"];
    for handler in handlers {
        assert!(select(&page, &format!("[{handler}]")).is_empty(), "{handler}");
    }
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    let page = Html::parse_document(&PAGE);
    let ids: Vec<&str> =
        select(&page, "[id]").into_iter().filter_map(|element| element.value().id()).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len());
    for link in select(&page, "a[href^='#']") {
        let id = &link.value().attr("href").unwrap()[1..];
        assert!(unique.contains(id), "{id}");
    }
    for label in select(&page, "label") {
        assert!(unique.contains(label.value().attr("for").unwrap()));
    }
    for field in select(&page, "input[data-filters]") {
        assert!(unique.contains(field.value().attr("data-filters").unwrap()));
    }
}

#[test]
fn the_main_table_says_what_was_measured() {
    let page = Html::parse_document(&PAGE);
    let experiment = made_up::experiment(150);
    let means = experiment.runs[2].measures();
    let table = select(&page, "#set-0 table")[0];
    let cells = |selector: &str| -> Vec<String> {
        table.select(&Selector::parse(selector).unwrap()).map(words).collect()
    };
    let head = cells("thead th");
    assert_eq!(head[..6], ["Configuration", "recall@5", "ndcg@5", "mrr", "correct", "token_f1"]);
    let row = cells("tbody tr:nth-child(3) .value");
    for (metric, value) in head[1..6].iter().zip(row) {
        assert_eq!(value, format!("{:.3}", means[metric]), "{metric}");
    }
    assert_eq!(cells("tbody tr:nth-child(3) .best").len(), 5, "the reranker is best by all");
    assert!(cells("tbody tr:nth-child(1) .best").is_empty());
    assert_eq!(
        cells("tbody tr:nth-child(1) abbr").len(),
        0,
        "the baseline is not compared with itself"
    );
    assert_eq!(cells("tbody tr:nth-child(3) abbr.up").len(), 5);
}

#[test]
fn what_documents_and_people_wrote_is_text() {
    let mut experiment = made_up::experiment(15);
    experiment.title = HOSTILE.to_owned();
    experiment.machine = HOSTILE.to_owned();
    experiment.command = HOSTILE.to_owned();
    for set in &mut experiment.sets {
        set.name += HOSTILE;
    }
    for run in &mut experiment.runs {
        run.set += HOSTILE;
        run.configuration.name += HOSTILE;
        run.configuration.hash = HOSTILE.to_owned();
        run.configuration.settings.insert(HOSTILE.to_owned(), HOSTILE.to_owned());
        for record in &mut run.records {
            let score = record.scores.get("correct").copied().unwrap_or_default();
            record.id += HOSTILE;
            record.question = HOSTILE.to_owned();
            record.kind = Some(HOSTILE.to_owned());
            record.gold_answers = vec![HOSTILE.to_owned()];
            record.prompt = Some(HOSTILE.to_owned());
            record.scores.insert(format!("metric{HOSTILE}"), score);
            record.milliseconds.insert(HOSTILE.to_owned(), 1.0);
            if let Some(answer) = &mut record.answer {
                answer.text = HOSTILE.to_owned();
            }
            for stage in &mut record.stages {
                stage.stage += HOSTILE;
                for passage in &mut stage.passages {
                    passage.document += HOSTILE;
                    passage.text = Some(HOSTILE.to_owned());
                }
            }
        }
    }
    let evidence = evidence(&experiment);
    let text = page_of(&experiment, &evidence);
    let page = Html::parse_document(&text);
    assert_eq!((select(&page, "script").len(), select(&page, "style").len()), (1, 1));
    assert!(select(&page, "img, [onerror]").is_empty());
    assert!(!text.contains("<!--") && text.contains("{{ 7*7 }}"), "a comment or a template");
    assert_eq!(words(select(&page, "h1")[0]), HOSTILE);
    let questions = select(&page, ".question");
    assert!(!questions.is_empty());
    for question in questions {
        assert_eq!(words(question), HOSTILE);
    }

    let settings = ReportSettings::default();
    let report = ExperimentReport::new(&experiment, &evidence, &settings);
    let markdown = report.markdown().unwrap();
    // A metric's name stands as code, where Markdown shows all signs as they are.
    let plain: String = markdown.split('`').step_by(2).collect();
    assert!(!plain.contains("<script") && !plain.contains("<img"), "Markdown holds HTML");
}

#[test]
fn the_markdown_is_as_it_was() {
    let experiment = made_up::experiment(30);
    let evidence = evidence(&experiment);
    let markdown = ExperimentReport::new(&experiment, &evidence, &ReportSettings::default())
        .markdown()
        .unwrap();
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/report.md");
    let now = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.md");
    std::fs::write(&now, &markdown).unwrap();
    let told = std::fs::read_to_string(&expected).unwrap_or_default();
    let first = told.lines().zip(markdown.lines()).find(|(was, is)| was != is);
    assert!(
        told == markdown,
        "the Markdown is another, first {first:?}; where that is right: cp {} {}",
        now.display(),
        expected.display()
    );
}

#[test]
fn the_json_has_all_numbers() {
    let experiment = made_up::experiment(40);
    let evidence = evidence(&experiment);
    let settings = ReportSettings { cases: 4, questions: 5, ..ReportSettings::default() };
    let report = ExperimentReport::new(&experiment, &evidence, &settings);
    let json: serde_json::Value = serde_json::from_str(&report.json().unwrap()).unwrap();
    let set = &json["sets"][1];
    assert_eq!(set["by_question"].as_array().unwrap().len(), 40);
    assert_eq!(set["cases"].as_array().unwrap().len(), 2);
    assert!(set["summary"][0].as_str().unwrap().contains("is best by correct"));
    for row in set["by_question"].as_array().unwrap() {
        for told in row["runs"].as_array().unwrap() {
            let run = experiment
                .runs_of("catalogue")
                .find(|run| run.configuration.name == told["configuration"].as_str().unwrap())
                .unwrap();
            let record = run.records.iter().find(|record| record.id == row["id"].as_str().unwrap());
            let scores = &record.unwrap().scores;
            assert_eq!(told["scores"].as_object().unwrap().len(), scores.len());
            for (name, score) in scores {
                assert!((told["scores"][name].as_f64().unwrap() - score).abs() < 1e-12, "{name}");
            }
        }
    }
    let page = report.page(&settings).unwrap();
    let page = Html::parse_document(&page);
    assert_eq!(select(&page, ".case").len(), 4);
    assert_eq!(select(&page, "#rows-0 tr").len(), 5);
}

#[test]
fn ten_thousand_records_make_a_page_that_opens() {
    let experiment = made_up::experiment(1_667);
    assert!(experiment.runs.iter().map(|run| run.records.len()).sum::<usize>() >= 10_000);
    let page = page_of(&experiment, &evidence(&experiment));
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("class=\"case\"").count(), 200);
}

#[test]
fn the_same_experiment_gives_the_same_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-twice");
    let write = |name: &str| {
        let experiment = made_up::experiment(20);
        let settings = ReportSettings::default();
        let report = ExperimentReport::new(&experiment, &evidence(&experiment), &settings);
        report.write(&folder.join(name), &settings).unwrap();
        ["report.html", "report.md", "report.json"]
            .map(|file| std::fs::read(folder.join(name).join(file)).unwrap())
    };
    assert!(write("first") == write("second"));
}

#[test]
fn poor_experiments_are_told_too() {
    let full = made_up::experiment(15);
    let mut cases: Vec<(&str, Experiment)> = vec![("nothing", Experiment::default())];
    let mut without_runs = full.clone();
    without_runs.runs.clear();
    cases.push(("sets without runs", without_runs));
    let mut without_records = full.clone();
    without_records.runs.iter_mut().for_each(|run| run.records.clear());
    cases.push(("runs without records", without_records));
    let mut alone = full.clone();
    alone.runs.retain(|run| run.configuration.baseline);
    cases.push(("the baseline alone", alone));
    let mut equals = full.clone();
    equals.runs.iter_mut().for_each(|run| run.configuration.baseline = false);
    cases.push(("no baseline", equals));
    let mut searched = full.clone();
    for record in searched.runs.iter_mut().flat_map(|run| &mut run.records) {
        record.answer = None;
        record.scores.retain(|name, _| name.starts_with("recall"));
        record.milliseconds.clear();
        record.lost = None;
    }
    cases.push(("passages only", searched));
    let mut answerable = full.clone();
    for run in &mut answerable.runs {
        run.records.retain(|record| record.category == Category::Answerable);
    }
    cases.push(("answerable only", answerable));
    for (name, experiment) in cases {
        for evidence in [Evidence::default(), evidence(&experiment)] {
            let page = page_of(&experiment, &evidence);
            assert!(page.contains("</html>"), "{name}");
            for none in ["NaN", ">inf<", ">−inf<", "inf ms"] {
                let place = page.find(none).map(|at| page[..at].chars().rev().take(300).collect());
                let before: Option<String> = place;
                let before = before.map(|text| text.chars().rev().collect::<String>());
                assert_eq!(before, None, "{name} has numbers that are none");
            }
        }
    }
}

/// As in RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}
