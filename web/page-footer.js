// @ts-check
/** The foot of the default page: light or dark by hand, what is kept on the device, installing. */

/** @import { CampanileAsk } from "./campanile-ask.js" */

import { Judgements } from "./judgements.js";
import { keep } from "./kept.js";
import { SITE, keptBytes, removeKept } from "./store.js";
import { formatBytes } from "./sizes.js";
import { element } from "./text.js";
import { explain } from "./trouble.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

const THEMES = /** @type {const} */ (["light", "dark", "system"]);

/** @param {string} selector @returns {HTMLElement | null} */
const place = (selector) => document.querySelector(selector);

/** Fills the foot of the page. @param {CampanileAsk} ask */
export function fillFooter(ask) {
  offerThemes();
  const kept = place("#kept");
  kept?.addEventListener("toggle", () => showKept(ask));
  ask.addEventListener("campanile-kept", () => showKept(ask));
  place("#kept-remove")?.addEventListener("click", async () => {
    await removeKept(ask.campusSites);
    // What was measured of this device is measured anew on the next visit.
    keep("reading", SITE, null);
    write("#kept-amount", words.around.removed);
  });
  offerInstalling();
}

/** @param {string} selector @param {string} told */
function write(selector, told) {
  const node = place(selector);
  if (node) node.textContent = told;
}

/** The theme that was chosen by hand, else the device's. */
const theme = () => document.documentElement.dataset["theme"] ?? "system";

function offerThemes() {
  const choices = place(".look-choices");
  choices?.replaceChildren(
    ...THEMES.flatMap((name) => [
      element(
        "button",
        {
          class: "button button-quiet",
          type: "button",
          "aria-pressed": String(theme() === name),
          onclick: () => {
            choose(name);
            for (const [number, button] of [...choices.querySelectorAll("button")].entries())
              button.setAttribute("aria-pressed", String(THEMES[number] === name));
          },
        },
        words.around[name],
      ),
      " ",
    ]),
  );
}

/** @param {(typeof THEMES)[number]} name */
function choose(name) {
  if (name === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = name;
  try {
    if (name === "system") localStorage.removeItem("campanile-theme");
    else localStorage.setItem("campanile-theme", name);
  } catch {
    // A private window keeps nothing: it holds until the page is closed.
  }
}

/** @param {CampanileAsk} ask */
async function showKept(ask) {
  if (!(/** @type {HTMLDetailsElement | null} */ (place("#kept"))?.open)) return;
  showOffline(ask);
  showJudgements();
  write("#kept-amount", words.around.keptAmount(formatBytes(await keptBytes(ask.campusSites))));
}

/** Says that the index is kept, or offers to keep it. @param {CampanileAsk} ask */
function showOffline(ask) {
  const line = place("#kept-offline");
  if (!line) return;
  // All sites of a campus are more than one device keeps.
  line.hidden = ask.campusSites.length > 0;
  if (ask.dataset["offline"] === "ready") {
    line.replaceChildren(words.around.keptAll);
    return;
  }
  const bytes = ask.indexBytes;
  const label = bytes > 0 ? `${words.around.keepAll}, ${formatBytes(bytes)}` : words.around.keepAll;
  const button = element(
    "button",
    {
      class: "button button-quiet",
      type: "button",
      onclick: async () => {
        button.disabled = true;
        try {
          await ask.keep();
          showKept(ask);
        } catch (error) {
          line.append(" ", explain(error));
        } finally {
          button.disabled = false;
        }
      },
    },
    label,
  );
  line.replaceChildren(button);
}

/** What was said of answers, with the ways to take it along or forget it. */
function showJudgements() {
  const line = place("#kept-judgements");
  const judgements = new Judgements(SITE);
  const count = judgements.all.length;
  if (!line) return;
  line.hidden = count === 0;
  if (count === 0) return;
  const file = URL.createObjectURL(new Blob([judgements.file], { type: "application/jsonl" }));
  line.replaceChildren(
    laterWords.judge.kept(count),
    " ",
    element("a", { href: file, download: "campanile-answers.jsonl" }, laterWords.judge.save),
    " · ",
    element(
      "button",
      {
        class: "link-button",
        type: "button",
        onclick: () => {
          judgements.clear();
          showJudgements();
        },
      },
      laterWords.judge.forget,
    ),
  );
}

/** Where the browser offers it: a button instead of a hidden menu. */
function offerInstalling() {
  const button = place("#install");
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    if (!button) return;
    button.hidden = false;
    button.onclick = async () => {
      button.hidden = true;
      await /** @type {{ prompt?: () => Promise<unknown> }} */ (/** @type {unknown} */ (event)).prompt?.();
    };
  });
}
