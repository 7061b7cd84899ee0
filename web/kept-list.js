// @ts-check
/** A list that stays on this device, newest first: earlier questions, or what was said of answers. */

import { keep, kept } from "./kept.js";

/** @template Item */
export class KeptList {
  #name;
  #site;
  #most;

  /**
   * @param {string} name
   * @param {URL} site
   * @param {number} most  items; older ones go
   */
  constructor(name, site, most) {
    this.#name = name;
    this.#site = site;
    this.#most = most;
  }

  /** The items, newest first; none where this device keeps nothing, or something of another make. @returns {Item[]} */
  get items() {
    const items = kept(this.#name, this.#site);
    return Array.isArray(items) ? items : [];
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
    keep(this.#name, this.#site, items.length > 0 ? items : null);
  }
}
