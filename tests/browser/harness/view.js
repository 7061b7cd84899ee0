// What a page shows when a test about it fails: "not there after three minutes" says nothing of why.

/** As much of a page's text as is told of it, in UTF-16 units. */
const TEXT_UNITS = 3_000;
/** A page that hangs does not tell what it shows either. */
const LOOK_MILLISECONDS = 10_000;

/** In the page: its address, the state of each element of ours, and what can be read. Takes no part of a module. */
export function viewInPage(units) {
  const elements = [...document.querySelectorAll('campanile-ask')];
  // Of the language model the panel tells its state, and not the element.
  const parts = elements.flatMap((element) => [
    element,
    ...(element.shadowRoot?.querySelectorAll('[data-state]') ?? []),
  ]);
  const states = parts.map((part) => `${part.localName} ${JSON.stringify({ ...part.dataset })}`);
  // The measurements of the devices, which are in a folded part of the page.
  const traces = elements.flatMap((element) => [
    ...(element.shadowRoot?.querySelectorAll('[data-testid$="trace"]') ?? []),
  ]);
  const texts = [document.body, ...elements.map((element) => element.shadowRoot?.querySelector('.root'))];
  const read = (element) => element?.innerText?.replaceAll(/\s*\n\s*/g, '\n').trim() ?? '';
  return [
    `${location.href}, ${document.readyState}, ${document.visibilityState}`,
    `service worker: ${navigator.serviceWorker?.controller?.state ?? 'none in charge'}`,
    ...states,
    ...traces.map(
      ({ dataset, textContent }) => `${dataset.testid}: ${textContent?.replaceAll(/\s*\n\s*/g, ' ').trim()}`,
    ),
    ...texts.map(read).filter((text) => text !== ''),
  ]
    .join('\n')
    .slice(0, units);
}

/**
 * Does something, and where that fails adds to the error what can be told of the place.
 * @template Gives
 * @param {() => Promise<Gives>} act
 * @param {() => Promise<string[]>} tell
 * @returns {Promise<Gives>}
 */
export async function explained(act, tell) {
  try {
    return await act();
  } catch (error) {
    const late = new Promise((resolve) => {
      setTimeout(() => resolve(['it does not say what it shows']), LOOK_MILLISECONDS).unref();
    });
    const told = await Promise.race([tell(), late]).catch((reason) => [`nothing is known of it: ${reason}`]);
    throw new Error(`${error.message}\n\nWhat was shown then:\n${told.join('\n')}`, { cause: error });
  }
}

/** What a page of Playwright's shows. @param {import('playwright-core').Page} page */
export const viewOf = (page) => page.evaluate(viewInPage, TEXT_UNITS).catch(String);

/** What the page of a WebDriver session shows. @param {import('./webdriver.js').Session} session */
export const viewOfSession = (session) => session.run(viewInPage, TEXT_UNITS).catch(String);

/**
 * Does something with the pages of a browser, and where that fails adds to the error what each of them shows.
 * @template Gives
 * @param {import('playwright-core').Browser} browser
 * @param {() => Promise<Gives>} act
 * @returns {Promise<Gives>}
 */
export const explainedBy = (browser, act) => explained(act, () => viewsOf(browser.contexts()));

/** What is shown and computed in some windows. @param {import('playwright-core').BrowserContext[]} contexts */
export async function viewsOf(contexts) {
  const pages = contexts.flatMap((context) => context.pages());
  const views = pages.map(async (page) => {
    const workers = page.workers().map((worker) => new URL(worker.url()).pathname);
    return `${await viewOf(page)}\nworkers: ${workers.join(' ') || 'none'}`;
  });
  return Promise.all(views);
}
