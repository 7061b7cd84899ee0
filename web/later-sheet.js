// @ts-check
/** The looks of what stands on the page once an answer does, and of what a visitor opens. */

export { SHEET as LATER_SHEET } from "./pkg/sheets/later.js";
