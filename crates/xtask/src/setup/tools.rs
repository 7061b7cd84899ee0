//! Tools that are pinned: packages for Node.js and Python, and the wasm-bindgen command, whose version has to
//! be exactly that of the library in Cargo.lock.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use super::provide;
use crate::files;
use crate::process::{answers, output};
use crate::workspace::Workspace;

/// The program that comes with Node.js.
pub const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
const OLDEST_NODE: u32 = 20;
const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];
/// Holds the lock file of what was installed whole: an interrupted `npm` leaves a folder as well.
const COMPLETE: &str = "complete";

/// The path of a program that one of the packages brings.
pub fn node_tool(workspace: &Workspace, name: &str) -> PathBuf {
    workspace.node_tools().join("node_modules/.bin").join(name)
}

/// Some pinned packages: a `package.json` with its lock file.
pub struct NodePackages<'a> {
    /// The folder that holds the two, in the checkout.
    pub source: &'a Path,
    /// The folder that the packages go into, in the cache folder.
    pub folder: &'a Path,
    pub what: &'a str,
    pub effort: &'a str,
    /// The words after `npm`.
    pub words: &'a [&'a str],
}

/// Installs the packages of the browser tests into the cache folder.
pub fn install_node_tools(workspace: &Workspace) -> Result<()> {
    install_node_packages(
        workspace,
        &NodePackages {
            source: Path::new("tests/browser"),
            folder: &workspace.node_tools(),
            what: "Node.js packages (wasm-opt, terser, tsc, biome, playwright-core, axe-core)",
            effort: "installing (about 150 MB on disk)",
            words: &["ci"],
        },
    )
}

/// Installs pinned packages unless the very same are there.
pub fn install_node_packages(workspace: &Workspace, packages: &NodePackages<'_>) -> Result<()> {
    require_node(workspace)?;
    let source = workspace.root.join(packages.source);
    // Packages whose own packages are not pinned have no lock file: the list itself tells whether they are there.
    let manifests = || MANIFESTS.iter().filter(|name| source.join(name).is_file());
    let last = manifests().next_back().context("there is no list of packages")?;
    let lock = files::read(&source.join(last))?;
    let complete = packages.folder.join(COMPLETE);
    provide(packages.what, files::holds(&complete, &lock), packages.effort, || {
        fs::create_dir_all(packages.folder)?;
        for name in manifests() {
            fs::copy(source.join(name), packages.folder.join(name))?;
        }
        let mut install = workspace.program(NPM);
        // Nothing that a package brings is run: what is needed comes with the packages themselves.
        install.args(packages.words).args(["--ignore-scripts", "--no-audit", "--no-fund"]);
        install.current_dir(packages.folder);
        workspace.log("setup-node")?.run(&mut install)?;
        files::write(&complete, &lock)
    })
}

fn require_node(workspace: &Workspace) -> Result<()> {
    let version = output(workspace.program("node").arg("--version"))?;
    let major: Option<u32> = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!(
            "Node.js {OLDEST_NODE} or newer is needed, and `node --version` says {}",
            version.trim()
        ),
    }
}

/// Some pinned Python packages.
pub struct PythonPackages<'a> {
    /// The list of them, in the checkout.
    pub requirements: &'a Path,
    /// The folder of their virtual environment, in the cache folder.
    pub folder: &'a Path,
    pub what: &'a str,
    pub effort: &'a str,
}

/// Installs pinned packages into a virtual environment unless the very same are there; gives its Python.
pub fn install_python_packages(
    workspace: &Workspace,
    packages: &PythonPackages<'_>,
) -> Result<PathBuf> {
    let folder = packages.folder;
    let program = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = workspace.root.join(packages.requirements);
    let wanted = files::read(&requirements)?;
    let complete = folder.join(COMPLETE);
    provide(packages.what, files::holds(&complete, &wanted), packages.effort, || {
        if !answers(workspace.program("python3").args(["-c", "import venv, ensurepip"])) {
            bail!(
                "`python3` with its `venv` module is needed: on Debian, `apt-get install python3-venv`"
            );
        }
        // A log of its own: others may be installed beside it.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let log = workspace.log(&format!("setup-{name}"))?;
        log.run(workspace.program("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
        let mut pip = workspace.program(&program);
        pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--requirement"]);
        log.run(pip.arg(&requirements))?;
        files::write(&complete, &wanted)
    })?;
    Ok(program)
}

/// The version of nextest where it is compiled; `tests/nextest/requirements.txt` has that of the package, which is the same.
const NEXTEST: &str = "0.9.148";

/// `cargo nextest` in the checkout, which runs the native tests. A package of Python's registry holds the program for Linux
/// and Windows; elsewhere it is compiled.
pub fn nextest(workspace: &Workspace) -> Result<Command> {
    let folder = workspace.tools().join(format!("nextest-{NEXTEST}"));
    let compiled = folder.join("bin").join(format!("cargo-nextest{EXE_SUFFIX}"));
    let program = if cfg!(any(windows, all(target_os = "linux", target_arch = "x86_64"))) {
        let python = install_python_packages(
            workspace,
            &PythonPackages {
                requirements: Path::new("tests/nextest/requirements.txt"),
                folder: &folder,
                what: "cargo-nextest",
                effort: "installing (about 50 MB on disk)",
            },
        )?;
        python.with_file_name(format!("cargo-nextest{EXE_SUFFIX}"))
    } else {
        let effort = "compiling the command (5 to 8 minutes on two cores)";
        provide("cargo-nextest", compiled.exists(), effort, || {
            let words = ["cargo-nextest", "--version", NEXTEST];
            compile_tool(workspace, &words, &format!("nextest-{NEXTEST}"))
        })?;
        compiled
    };
    // By its path: cargo would take another version that it finds beside itself.
    let mut nextest = workspace.program(program);
    for (name, value) in workspace.cargo().get_envs() {
        match value {
            Some(value) => nextest.env(name, value),
            None => nextest.env_remove(name),
        };
    }
    nextest.arg("nextest");
    Ok(nextest)
}

/// The folder of the generators of websites that the element is tried in; mdBook has its own.
pub fn hosts_folder(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("hosts")
}

/// Installs the generators of websites that the element is tried in. Side by side, since each waits for a registry most of the
/// time.
pub fn install_hosts(workspace: &Workspace) -> Result<()> {
    install_mdbook(workspace)?;
    let python = |name: &str, what, effort| {
        let requirements = format!("tests/hosts/{name}/requirements.txt");
        let folder = hosts_folder(workspace).join(name);
        let requirements = Path::new(&requirements);
        let packages = PythonPackages { requirements, folder: &folder, what, effort };
        install_python_packages(workspace, &packages)
    };
    let docusaurus = || {
        install_node_packages(
            workspace,
            &NodePackages {
                source: Path::new("tests/hosts/docusaurus"),
                folder: &hosts_folder(workspace).join("docusaurus"),
                what: "Docusaurus",
                effort: "installing (about 280 MB on disk, one to three minutes)",
                words: &["ci"],
            },
        )
    };
    thread::scope(|scope| {
        let beside = [
            scope.spawn(|| {
                python("mkdocs", "MkDocs with Material", "installing (about 170 MB on disk)")
            }),
            scope.spawn(|| python("sphinx", "Sphinx", "installing (about 100 MB on disk)")),
        ];
        let installed = docusaurus();
        for thread in beside {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        installed
    })
}

/// The path of the program that runs Rust tests in a browser.
pub fn wasm_test_runner(workspace: &Workspace) -> Result<PathBuf> {
    let version = locked_version(workspace)?;
    let folder = workspace.tools().join(format!("wasm-bindgen-{version}"));
    Ok(folder.join("bin").join(format!("wasm-bindgen-test-runner{EXE_SUFFIX}")))
}

/// Compiles that program, of the locked version: only its source is in a registry.
pub fn install_wasm_test_runner(workspace: &Workspace) -> Result<()> {
    let version = locked_version(workspace)?;
    let folder = format!("wasm-bindgen-{version}");
    provide(
        &format!("wasm-bindgen-test-runner {version}"),
        wasm_test_runner(workspace)?.exists(),
        "compiling the command (a minute on two cores)",
        || compile_tool(workspace, &["wasm-bindgen-cli", "--version", &version], &folder),
    )
}

/// The version of mdBook that the documentation's site is made with.
const MDBOOK: &str = "0.5.4";

/// The path of `mdbook`.
pub fn mdbook_program(workspace: &Workspace) -> PathBuf {
    workspace.tools().join(format!("mdbook-{MDBOOK}/bin/mdbook{EXE_SUFFIX}"))
}

/// Compiles mdBook, without its search and its server.
pub fn install_mdbook(workspace: &Workspace) -> Result<()> {
    provide(
        &format!("mdbook {MDBOOK}"),
        mdbook_program(workspace).exists(),
        "compiling the command (2 to 4 minutes on two cores)",
        || {
            let words = ["mdbook", "--version", MDBOOK, "--no-default-features"];
            compile_tool(workspace, &words, &format!("mdbook-{MDBOOK}"))
        },
    )
}

/// The version of the server that ours is measured beside.
const STATIC_SERVER: &str = "2.44.1";

/// The path of `static-web-server`.
pub fn static_server_program(workspace: &Workspace) -> PathBuf {
    let path = format!("static-web-server-{STATIC_SERVER}/bin/static-web-server{EXE_SUFFIX}");
    workspace.tools().join(path)
}

/// Compiles a server of files that many use.
pub fn install_static_server(workspace: &Workspace) -> Result<()> {
    provide(
        &format!("static-web-server {STATIC_SERVER}"),
        static_server_program(workspace).exists(),
        "compiling the command (3 to 5 minutes on two cores)",
        || {
            let words = ["static-web-server", "--version", STATIC_SERVER];
            compile_tool(workspace, &words, &format!("static-web-server-{STATIC_SERVER}"))
        },
    )
}

/// The version of Firefox's driver.
const GECKODRIVER: &str = "0.37.1";

/// The path of `geckodriver`.
pub fn geckodriver_program(workspace: &Workspace) -> PathBuf {
    workspace.tools().join(format!("geckodriver-{GECKODRIVER}/bin/geckodriver{EXE_SUFFIX}"))
}

/// Compiles the driver of Firefox: only its source is in a registry.
pub fn install_geckodriver(workspace: &Workspace) -> Result<()> {
    provide(
        &format!("geckodriver {GECKODRIVER}"),
        geckodriver_program(workspace).exists(),
        "compiling the command (1 to 2 minutes on two cores)",
        || {
            let words = ["geckodriver", "--version", GECKODRIVER];
            compile_tool(workspace, &words, &format!("geckodriver-{GECKODRIVER}"))
        },
    )
}

/// Runs `cargo install` with these words, into a folder of the tools.
fn compile_tool(workspace: &Workspace, words: &[&str], folder: &str) -> Result<()> {
    let log = workspace.log(&format!("setup-{}", words[0]))?;
    let compiled = workspace.target.join("tools");
    let install = |locked: bool| {
        let mut cargo = workspace.cargo();
        // A target folder of the tools: these are not the project's own dependencies, but have many in common.
        cargo.env("CARGO_TARGET_DIR", &compiled);
        // They run for seconds. Not optimised at all, geckodriver is there in 29 seconds, a little optimised in 48 (two cores).
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        cargo.arg("install").args(words).arg("--root").arg(workspace.tools().join(folder));
        if locked {
            cargo.arg("--locked");
        }
        cargo
    };
    // The lock file of a fresh release may name versions that a mirror does not have yet.
    if log.status(&mut install(true))?.success() {
        return Ok(());
    }
    println!("        its own locked dependencies are not all to be had: taking compatible ones");
    log.run(&mut install(false))
}

fn locked_version(workspace: &Workspace) -> Result<String> {
    let path = workspace.root.join("Cargo.lock");
    version_of("wasm-bindgen", &files::read_text(&path)?)
        .context("Cargo.lock holds no package `wasm-bindgen`")
}

/// The version of a package in the text of a Cargo.lock.
fn version_of(package: &str, lock: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn finds_the_locked_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(version_of("wasm-bindgen", lock).as_deref(), Some("0.2.130"));
        assert_eq!(version_of("burn", lock), None);
    }
}
