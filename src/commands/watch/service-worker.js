// In the place of the site's own, which would keep the page: takes itself away, and one that an earlier server left.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(registration.unregister()));
