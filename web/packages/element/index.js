// @ts-check
/** Registers `<campanile-ask>`: whoever imports this has the element. */

export { CampanileAsk } from "../../campanile-ask.js";
