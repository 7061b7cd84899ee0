// @ts-check
/**
 * The default page around `<campanile-ask>`: the question in the address, the
 * site's name, keys, the service worker, and what is kept on the device.
 *
 * The question goes into the fragment (`#q=…`), which a browser never sends:
 * `?q=…` would hand it to the server whenever a link is opened. Links with
 * `?q=` are understood too and turned into the other form.
 */

/** @import { CampanileAsk } from "./campanile-ask.js" */
/** @import { AskResult, Manifest } from "./pkg/core/campanile_core.js" */

import "./campanile-ask.js";
import { later } from "./later.js";
import { isSingleFile } from "./single-file.js";
import { SITE } from "./store.js";
import { questionFragment } from "./text.js";
import { words } from "./words.js";

const ask = /** @type {CampanileAsk} */ (document.querySelector("campanile-ask"));
let siteTitle = document.title;
/** The question that the page shows now; empty at the start. */
let shown = "";

function questionInAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1)).get("q");
  return (fragment ?? new URLSearchParams(location.search).get("q") ?? "").trim();
}

/** @param {string} question */
const addressOf = (question) => `${location.pathname}${question ? questionFragment(question) : ""}`;

/** @param {string} question */
function nameView(question) {
  shown = question;
  document.documentElement.dataset.view = question ? "results" : "start";
  document.title = question ? `${question} · ${siteTitle}` : siteTitle;
}

/** Shows what the address says. */
function followAddress() {
  const question = questionInAddress();
  if (question === shown) return;
  nameView(question);
  if (question) ask.ask(question);
  else ask.reset();
}

function listen() {
  addEventListener("popstate", followAddress);
  ask.addEventListener("campanile-ask", (event) => {
    const question = /** @type {CustomEvent<string>} */ (event).detail.trim();
    if (question !== shown) history.pushState(null, "", addressOf(question));
    nameView(question);
  });
  ask.addEventListener("campanile-open", (event) => introduce(/** @type {CustomEvent<Manifest>} */ (event).detail));
  ask.addEventListener("campanile-answer", (event) => {
    const { stage, answer } = /** @type {CustomEvent<AskResult>} */ (event).detail;
    if (stage === "hybrid" && answer.kind !== "refusal") ring();
  });
  document.querySelector("#skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    ask.focus();
  });
  document.querySelector("#home")?.addEventListener("click", (event) => {
    event.preventDefault();
    if (shown) history.pushState(null, "", addressOf(""));
    followAddress();
    ask.focus();
  });
}

/** @param {string} selector @param {string} words */
function write(selector, words) {
  const place = document.querySelector(selector);
  if (place) place.textContent = words;
}

/** The page's own words in the language of its visitor; as it was written they stand there in English. */
function translate() {
  document.documentElement.lang = words.language;
  document.documentElement.dir = words.direction;
  if (words.language === "en") return;
  for (const place of document.querySelectorAll("[data-words]")) {
    const name = /** @type {HTMLElement} */ (place).dataset["words"] ?? "";
    place.textContent = String(/** @type {Record<string, unknown>} */ (words.around)[name]);
  }
}

/** @param {Manifest} manifest */
function introduce({ title, description, counts }) {
  siteTitle = title;
  write("#site-title", title);
  write("#site-description", description);
  write("#site-facts", words.around.facts(counts.documents, counts.chunks));
  nameView(shown);
}

/** The bell in the tower swings once when an answer stands. */
function ring() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  document.querySelector("#bell")?.animate(
    [0, 14, -11, 7, -4, 0].map((degrees) => ({ transform: `rotate(${degrees}deg)` })),
    { duration: 1100, easing: "ease-in-out" },
  );
}

async function registerServiceWorker() {
  if (!("serviceWorker" in navigator) || isSingleFile()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "isolates") isolateOnce();
  });
  try {
    const registration = await navigator.serviceWorker.register(new URL("service-worker.js", SITE), {
      scope: SITE.pathname,
      updateViaCache: "none",
    });
    offerUpdate(registration);
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => offerUpdate(registration));
    });
  } catch {
    // Without it the page works, only not offline; some browsers refuse it in private windows.
  }
}

/**
 * The service worker has just been installed and isolates the page from now on;
 * this one came before it. Opens the page once more while nothing has been
 * typed, else leaves it for the next visit. At most once in a tab: a browser
 * that does not isolate the page is not asked again.
 */
function isolateOnce() {
  const inUse = shown !== "" || ask.question !== "";
  if (crossOriginIsolated || inUse || window !== top) return;
  const key = `campanile-isolated:${SITE.pathname}`;
  try {
    if (sessionStorage.getItem(key)) return;
    sessionStorage.setItem(key, "1");
  } catch {
    // Without a memory of what was tried there is no trying.
    return;
  }
  location.reload();
}

/** @param {ServiceWorkerRegistration} registration */
function offerUpdate({ waiting }) {
  const bar = document.querySelector("#update");
  if (!waiting || !navigator.serviceWorker.controller || !(bar instanceof HTMLElement) || !bar.hidden) return;
  bar.hidden = false;
  bar.querySelector("button")?.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take-over");
  });
}

// A browser lets no page from a file change its address but behind the #.
if (location.search && !isSingleFile()) {
  const question = questionInAddress();
  if (question) history.replaceState(null, "", addressOf(question));
}
translate();
// As a kiosk's server wrote it, before anybody asks.
const { kiosk } = document.documentElement.dataset;
if (kiosk) later(() => import("./kiosk.js")).then(({ beKiosk }) => beKiosk(ask, JSON.parse(kiosk)));
listen();
followAddress();
// The files of the first answer come first; the copies for later can wait for them, and so can the foot of the page.
ask.addEventListener(
  "campanile-loaded",
  async () => {
    registerServiceWorker();
    const { fillFooter } = await later(() => import("./page-footer.js"));
    fillFooter(ask);
  },
  { once: true },
);
