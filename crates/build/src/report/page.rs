//! The report as a page: one file, without scripts, readable in light and dark.

use anyhow::Context as _;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, context};

use super::Report;

const TEMPLATE: &str = include_str!("report.html");
/// The look that all reports share: colours, tables, cards. Goes into a `style` element.
pub const STYLE: &str = include_str!("report.css");

/// The page. All that comes from documents is escaped.
pub fn render(report: &Report) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("round1", |value: f64| format!("{value:.1}"));
    environment.add_filter("percent", |value: f64| format!("{:.0} %", value * 100.0));
    environment.add_template("report", TEMPLATE).context("the report's template is broken")?;
    let template = environment.get_template("report")?;
    let style = Value::from_safe_string(STYLE.to_owned());
    template.render(context! { report, style }).context("the report cannot be written")
}
