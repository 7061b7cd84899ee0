// @ts-check
/**
 * Helps where the page itself did not arrive: a script of it is missing, cut, or a page of somebody else's.
 *
 * A classic script that needs no other. The line that it completes stands in the page as it was written, hidden by
 * the style sheet as soon as the question box is there.
 */

(() => {
  const line = document.querySelector("#rescue");
  const words = line?.querySelector("p");
  if (!line || !words) return;

  if (location.protocol === "file:") {
    words.textContent =
      "This page cannot work from a folder: browsers let no page opened from a file load its programs. Serve the folder, for example with `campanile serve`, and open the address that it prints.";
    return;
  }

  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = "Load the page afresh";
  button.addEventListener("click", async () => {
    button.disabled = true;
    await Promise.allSettled([forgetShell(), ...parts().map((address) => fetch(address, { cache: "reload" }))]);
    location.reload();
  });
  line.append(button);

  /** What the page names, and may have arrived damaged. */
  function parts() {
    const named = document.querySelectorAll("script[src], link[rel=modulepreload], link[rel=stylesheet]");
    const addresses = [...named].map((part) => part.getAttribute("src") ?? part.getAttribute("href") ?? "");
    return [location.href.split("#")[0] ?? "", ...addresses];
  }

  /** What an earlier visit has kept of the page itself. */
  async function forgetShell() {
    const folder = new URL(".", location.href).pathname;
    for (const name of await caches.keys()) {
      if (name.startsWith(`campanile-shell:${folder}:`)) await caches.delete(name);
    }
  }
})();
