// @ts-check
/** A key that brings the visitor to the question box, from anywhere on the page. */

import { words } from "./words.js";

/** Whether this is a keyboard of Apple's, where what is Control elsewhere is Command. */
const isApple = () => /mac|iphone|ipad/iu.test(navigator.platform);

/** How a shortcut such as "/" or "Mod+K" is printed on this device's keyboard. @param {string} shortcut */
export const keyName = (shortcut) =>
  shortcut.startsWith("Mod+") ? (isApple() ? "⌘" : `${words.box.control} `) + shortcut.slice(4) : shortcut;

/**
 * Whether a key is the shortcut: "Mod+K" wherever the visitor is, a single character only where nothing is typed into.
 * @param {string} shortcut
 * @param {KeyboardEvent} event
 */
export function isShortcut(shortcut, event) {
  const key = shortcut.replace("Mod+", "");
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey || event.defaultPrevented) return false;
  const isModified = Boolean(event.ctrlKey || event.metaKey);
  return shortcut.startsWith("Mod+") ? isModified : !isModified && !isTyping(event.composedPath()[0]);
}

/** @param {EventTarget | undefined} target */
const isTyping = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
