// @ts-check
/** A list that stays on this device, newest first: earlier questions, or what was said of answers. */

import { nameOf } from "./origin.js";

/** @template Item */
export class KeptList {
  #key;
  #most;

  /**
   * @param {string} name
   * @param {URL} site  several sites can share one origin
   * @param {number} most  items; older ones go
   */
  constructor(name, site, most) {
    this.#key = `campanile-${name}:${nameOf(site)}`;
    this.#most = most;
  }

  /** The items, newest first; none where this device keeps nothing, or something of another make. @returns {Item[]} */
  get items() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /** Adds an item in the place of those that are the same thing. @param {Item} item @param {(other: Item) => boolean} isSame */
  add(item, isSame) {
    this.#keep([item, ...this.items.filter((other) => !isSame(other))].slice(0, this.#most));
  }

  clear() {
    this.#keep([]);
  }

  /** @param {Item[]} items */
  #keep(items) {
    try {
      if (items.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(items));
    } catch {
      // A private window keeps nothing.
    }
  }
}
