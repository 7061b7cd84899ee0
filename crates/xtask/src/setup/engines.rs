//! Firefox and WebKit for the tests, beside Chromium.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::browser::{find, install_packages};
use super::tools::{geckodriver_program, install_geckodriver};
use crate::workspace::Workspace;

/// A list such as `chromium,firefox`: the engines to test on a system that cannot have all of them.
const CHOICE: &str = "CAMPANILE_ENGINES";
const NAMES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// A program of an engine that the tests start.
struct Program {
    /// The variable by which the tests know it, and a developer may name another one.
    variable: &'static str,
    names: &'static [&'static str],
    /// The package of Debian that has it.
    package: &'static str,
}

const FIREFOX: [Program; 1] = [Program {
    variable: "CAMPANILE_FIREFOX",
    names: &["firefox-esr", "firefox"],
    package: "firefox-esr",
}];

/// WebKitGTK has no mode without a screen, hence the server that draws in memory. The driver brings its browser.
const WEBKIT: [Program; 2] = [
    Program {
        variable: "CAMPANILE_WEBKIT_DRIVER",
        names: &["WebKitWebDriver"],
        package: "webkit2gtk-driver",
    },
    Program { variable: "CAMPANILE_XVFB", names: &["Xvfb"], package: "xvfb" },
];

/// Finds or installs the engines that were chosen, all where none was, and gives the variables by which the tests find
/// them. The tests of an engine that was not chosen are skipped, and named in the table.
pub fn provide(workspace: &Workspace) -> Result<Vec<(&'static str, PathBuf)>> {
    let chosen = env::var(CHOICE).ok();
    let chosen: Vec<&str> =
        chosen.as_deref().map_or(NAMES.into(), |list| list.split(',').collect());
    if let Some(unknown) = chosen.iter().find(|name| !NAMES.contains(name)) {
        bail!("{CHOICE} names `{unknown}`; the engines are: {}", NAMES.join(", "));
    }
    let mut variables = Vec::new();
    if chosen.contains(&"firefox") {
        variables.extend(provide_programs(workspace, "Firefox", &FIREFOX)?);
        variables.push(("GECKODRIVER", provide_geckodriver(workspace)?));
    }
    if chosen.contains(&"webkit") {
        variables.extend(provide_programs(workspace, "WebKitGTK with its driver", &WEBKIT)?);
    }
    Ok(variables)
}

fn provide_programs(
    workspace: &Workspace,
    what: &str,
    programs: &[Program],
) -> Result<Vec<(&'static str, PathBuf)>> {
    let lacking = || {
        let is_lacking = |program: &&Program| find(program.variable, program.names).is_none();
        programs.iter().filter(is_lacking).map(|program| program.package).collect::<Vec<_>>()
    };
    let packages = lacking();
    let variables: Vec<_> = programs.iter().map(|program| program.variable).collect();
    super::provide(
        what,
        packages.is_empty(),
        &format!("installing the packages {}", packages.join(" and ")),
        || {
            let way_out = format!(
                "install {what} with this system's package manager, set {} to its programs, or set {CHOICE} to the \
                 engines that this system has",
                variables.join(" and ")
            );
            install_packages(workspace, "setup-engines", &packages, &way_out)
        },
    )?;
    let path = |program: &Program| {
        let found = find(program.variable, program.names);
        let found =
            found.with_context(|| format!("{} is still not on the PATH", program.names[0]))?;
        Ok((program.variable, found))
    };
    programs.iter().map(path).collect()
}

/// Firefox's driver, which Debian has no package of.
fn provide_geckodriver(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(found) = find("GECKODRIVER", &["geckodriver"]) {
        return Ok(found);
    }
    install_geckodriver(workspace)?;
    Ok(geckodriver_program(workspace))
}
