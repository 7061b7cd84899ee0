// @ts-check
/// <reference lib="webworker" />
/**
 * Keeps the page itself on the device, so that it opens without a network.
 *
 * The shell (page, styles, modules, the search program) is fetched as a whole
 * when a version is installed. The program for the language model is large and
 * wanted by few: it is kept when it is first used. The index and the models
 * are kept by the workers (see `store.js`), with one exception: the manifest
 * is answered from their cache here when the network is gone, so that a page
 * opened offline does not fill the console with failed requests.
 *
 * Nothing is kept that is not the site's own: each file is held against the beginning of its SHA-256, so that a
 * log-in page sent with status 200, or half a file, never takes the place of the program.
 *
 * Where the site says so, the page is answered with the two headers that make
 * it cross-origin isolated, for hosts that send none of their own: only then
 * may workers share memory.
 *
 * A classic script, since not every browser takes modules here.
 */

(() => {
  const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

  const VERSION = "__CAMPANILE_VERSION__";
  const FILES = __CAMPANILE_FILES__;
  const ISOLATED = __CAMPANILE_ISOLATED__;

  const SCOPE = new URL(worker.registration.scope);
  const INDEX = new URL("index.html", SCOPE).href;
  const MANIFEST = new URL("campanile.json", SCOPE).href;
  /** Documents as they were, where they are published: never kept, and opened by the browser as if there were no worker. */
  const ORIGINALS = new URL("campanile/originals/", SCOPE).href;
  const MANIFEST_MILLISECONDS = 4_000;

  /**
   * The page loads nothing of another origin (its Content-Security-Policy sees to that), so the
   * strict value costs nothing; `credentialless` is not known to every browser.
   */
  const ISOLATING = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

  /** Several sites may share an origin: the path keeps their caches apart. */
  const PREFIX = `campanile-shell:${SCOPE.pathname}:`;
  const SHELL = `${PREFIX}${VERSION}`;
  const DATA = `campanile-data:${SCOPE.pathname}`;

  /** What each file's SHA-256 begins with, by its address. @type {Map<string, string>} */
  const digests = new Map(Object.entries(FILES).map(([file, digest]) => [new URL(file, SCOPE).href, digest]));
  const onDemand = new URL("campanile/pkg/gpu/", SCOPE).href;

  worker.addEventListener("install", (event) => event.waitUntil(install()));
  worker.addEventListener("activate", (event) => event.waitUntil(activate()));
  worker.addEventListener("message", (event) => {
    if (event.data === "take-over") worker.skipWaiting();
  });
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || request.headers.has("range")) return;
    const url = new URL(request.url);
    url.hash = "";
    if (url.href.startsWith(ORIGINALS)) return;
    if (url.href === MANIFEST) event.respondWith(manifest(request));
    else if (request.mode === "navigate" && url.href.startsWith(SCOPE.href)) event.respondWith(page(request, url));
    else if (digests.has(url.href)) event.respondWith(program(request, url));
  });

  async function install() {
    const cache = await caches.open(SHELL);
    const wanted = [...digests.keys(), INDEX].filter((address) => !address.startsWith(onDemand));
    await Promise.all(
      wanted.map(async (address) => {
        const found = (await whole(address, "no-cache")) ?? (await whole(address, "reload"));
        if (!found) throw new Error(`${address} did not arrive as it was published`);
        await cache.put(address, found);
      }),
    );
  }

  /**
   * A file that arrived as it was published, or null.
   * @param {string} address
   * @param {RequestCache} cache
   */
  async function whole(address, cache) {
    const response = await fetch(address, { cache });
    return (await isWhole(address, response.clone())) ? plain(response) : null;
  }

  /**
   * Whether a response is what was published. Hosts add words of their own to a page: of that it is enough that it asks.
   * @param {string} address
   * @param {Response} response  read to its end
   */
  async function isWhole(address, response) {
    if (response.status !== 200) return false;
    if (address === INDEX) return (await response.text()).includes("<campanile-ask");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
    const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.startsWith(digests.get(address) ?? "none");
  }

  async function activate() {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== SHELL) await caches.delete(name);
    }
    await worker.clients.claim();
    if (!ISOLATED) return;
    for (const client of await worker.clients.matchAll({ type: "window" })) client.postMessage("isolates");
  }

  /**
   * A part of the page; a worker needs the page's own embedder policy.
   * @param {Request} request
   * @param {URL} url
   */
  async function program(request, url) {
    const response = await fromShell(request, url.href);
    return request.destination === "worker" ? isolated(response) : response;
  }

  /**
   * @param {Request} request
   * @param {string} address
   */
  async function fromShell(request, address) {
    const cache = await caches.open(SHELL);
    const kept = request.cache === "reload" ? undefined : await cache.match(address);
    if (kept) return kept;
    const response = await fetch(request);
    await keep(cache, address, response.clone());
    return response;
  }

  /**
   * Keeps a file of the page if it arrived as it was published.
   * @param {Cache} cache
   * @param {string} address
   * @param {Response} response
   */
  async function keep(cache, address, response) {
    if (await isWhole(address, response.clone())) await cache.put(address, plain(response));
  }

  /**
   * Any page of the site: the kept one first, so that all its parts are of one version.
   * @param {Request} request
   * @param {URL} url
   */
  async function page(request, url) {
    const cache = await caches.open(SHELL);
    const isIndex = url.origin + url.pathname === SCOPE.href || url.origin + url.pathname === INDEX;
    const kept = await cache.match(isIndex ? INDEX : url.href);
    if (kept && request.cache !== "reload") return isIndex ? isolated(kept) : kept;
    try {
      const response = await fetch(request);
      if (isIndex) await keep(cache, INDEX, response.clone());
      // Documents beside the page may load what they like from elsewhere: they stay as they are.
      return isIndex ? isolated(response) : response;
    } catch (error) {
      const index = kept ?? (await cache.match(INDEX));
      if (index) return isolated(index);
      throw error;
    }
  }

  /**
   * The network first, the kept copy when it is slow or gone.
   * @param {Request} request
   */
  async function manifest(request) {
    const cache = await caches.open(DATA);
    const kept = request.cache === "reload" ? undefined : await cache.match(MANIFEST);
    if (!kept) return fetch(request);
    if (!navigator.onLine) return kept;
    const late = AbortSignal.timeout(MANIFEST_MILLISECONDS);
    try {
      const response = await fetch(request, { signal: late });
      return response.status === 200 ? response : kept;
    } catch {
      return kept;
    }
  }

  /** The same response with the headers that isolate the page, where the site wants that. @param {Response} response */
  function isolated(response) {
    if (!ISOLATED || response.type === "opaqueredirect") return response;
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(ISOLATING)) headers.set(name, value);
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  }

  /** A response that was redirected may not answer a navigation: the same one without that mark. @param {Response} response */
  function plain(response) {
    if (!response.redirected) return response;
    return new Response(response.body, { status: 200, headers: response.headers });
  }
})();
