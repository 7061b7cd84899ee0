// @ts-check
/** What is otherwise where a page shows a site of another origin than its own, or has all of it in its own file. */

import { allParts, isSingleFile, scriptOf } from "./single-file.js";

/**
 * What tells a site from others in what a browser keeps for one origin: several sites can share an origin (as on GitHub
 * Pages), and a page can show a site of another.
 * @param {URL} site
 */
export const nameOf = (site) => (site.origin === globalThis.origin ? site.pathname : site.href);

/** The scripts of this origin that stand in for those of another. @type {Map<string, string>} */
const standIns = new Map();

/**
 * Starts a module as a worker, also where the page is of another origin than the module: a browser takes a worker's own
 * script from the page's origin alone, and that script may import from anywhere that allows it (CORS).
 * @param {URL} script
 * @param {() => Worker} start  starts it where it is of the page's origin: spelt out where it is called, so that bundlers
 *   see that it is a worker
 * @param {URL} [site]  the site's folder, where it is not the one that the script is served from
 */
export function startWorker(script, start, site) {
  if (isSingleFile()) return startPart(script);
  // A bundler may have put a small script into its address.
  const isOther = script.protocol.startsWith("http") && script.origin !== globalThis.origin;
  const worker = isOther ? new Worker(standIn(script.href), { type: "module", name: script.pathname }) : start();
  if (site) worker.postMessage({ kind: "site", site: site.href });
  return worker;
}

/** Starts a worker's script that lies in the page, with all parts of it. @param {URL} script */
function startPart(script) {
  const site = new URL("../", script);
  const worker = new Worker(scriptOf(script.href.slice(site.href.length)) ?? script);
  worker.postMessage({ kind: "site", site: site.href, parts: allParts() });
  return worker;
}

/** One for all workers of a script: it is kept, since a worker may be started again. @param {string} script */
function standIn(script) {
  const made =
    standIns.get(script) ??
    URL.createObjectURL(new Blob([`import ${JSON.stringify(script)};`], { type: "text/javascript" }));
  standIns.set(script, made);
  return made;
}
