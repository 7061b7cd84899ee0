// @ts-check
/** Which sites of a campus were asked, with a way to each, and which could not be. */

/** @import { AskedSite } from "./pkg/core/campanile_core.js" */

import { laterWords } from "./later-words.js";
import { SITE } from "./store.js";
import { element } from "./text.js";

/**
 * @param {AskedSite[]} sites
 * @param {string} question
 * @param {URL} [campus]  the campus's own folder
 */
export function campusNote(sites, question, campus = SITE) {
  const asked = sites.filter(({ problem }) => !problem);
  const missed = sites.filter(({ problem }) => problem);
  const way = (/** @type {AskedSite} */ { name, address }) =>
    element("a", { href: `${new URL(address, campus)}#${new URLSearchParams({ q: question })}` }, name);
  const listed = asked.flatMap((site, place) => (place > 0 ? [", ", way(site)] : [way(site)]));
  return [
    element("p", {}, laterWords.campus.asked, ...listed),
    ...missed.map(({ name, problem }) =>
      element(
        "details",
        { class: "campus-missed" },
        element("summary", {}, laterWords.campus.missed(name)),
        element("p", {}, problem ?? ""),
      ),
    ),
  ];
}
