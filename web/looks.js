// @ts-check
/** The style sheets of the element, which its shadow root puts on as their scripts come. */

/** One for all elements of a page. @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** Puts a sheet on, once. @param {ShadowRoot} root @param {string} text */
export function wear(root, text) {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
