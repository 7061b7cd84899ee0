// @ts-check
/**
 * The question "who asks?": a button that says for whom the page searches, and
 * a form behind it. It offers what the site's documents tell apart and nothing
 * else. What is told stays on this device.
 */

/** @import { Profile } from "./messages.js" */
/** @import { Choices } from "./pkg/core/campanile_core.js" */

import { NUMBERS, isSilent, offersChoices, profileOf } from "./profile.js";
import { element } from "./text.js";
import { laterWords } from "./later-words.js";
import { words } from "./words.js";

/** The lists that are offered. */
const LISTS = /** @type {const} */ ([
  ["programme", "programmes"],
  ["department", "departments"],
  ["faculty", "faculties"],
  ["specialisation", "specialisations"],
]);

export class ProfileForm {
  /** @type {Profile} */ #profile = {};
  /** @type {(profile: Profile) => void} */ #onChange;

  #chip = element("button", {
    class: "profile-chip",
    part: "profile-chip",
    type: "button",
    "aria-expanded": "false",
    "aria-controls": "campanile-profile",
    "data-testid": "profile-chip",
    onclick: () => this.#toggle(this.#form.hidden === true),
  });
  #fields = element("div", { class: "profile-fields" });
  #form = element("form", {
    id: "campanile-profile",
    class: "profile-form",
    "aria-labelledby": "campanile-profile-heading",
    hidden: true,
    "data-testid": "profile-form",
    onsubmit: (/** @type {SubmitEvent} */ event) => this.#save(event),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") this.#toggle(false);
    },
  });

  /** @param {(profile: Profile) => void} onChange  the visitor has told, or taken back, who they are */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#form.append(
      element("h2", { id: "campanile-profile-heading", class: "section-label" }, laterWords.profile.heading),
      element("p", { class: "profile-note" }, laterWords.profile.note),
      this.#fields,
      element(
        "div",
        { class: "profile-actions" },
        element("button", { class: "button", type: "submit" }, laterWords.profile.save),
        element(
          "button",
          { class: "link-button", type: "button", onclick: () => this.#forget() },
          laterWords.profile.forget,
        ),
        element("button", { class: "link-button", type: "button", onclick: () => this.#toggle(false) }, words.cancel),
      ),
    );
    this.root = element("div", { class: "profile", "data-testid": "profile", hidden: true }, this.#chip, this.#form);
    this.#say();
  }

  /**
   * Offers the form, where there is anything to tell.
   * @param {Choices} choices
   * @param {Profile} profile  what was told before
   * @param {string | null} language  of the names
   */
  offer(choices, profile, language) {
    this.#profile = profile;
    this.root.hidden = !offersChoices(choices);
    this.#fields.replaceChildren(
      ...LISTS.flatMap(([field, list]) =>
        choices[list].length > 0 ? [listField(field, laterWords.profile[field], choices[list], language)] : [],
      ),
      ...(choices.batches.length > 0 ? [batchField(choices.batches)] : []),
      ...NUMBERS.flatMap((field) => (choices[`${field}s`] ? [numberField(field, laterWords.profile[field])] : [])),
      ...(choices.courses.length > 0 ? [coursesField(choices.courses)] : []),
    );
    this.#fill();
    this.#say();
  }

  #say() {
    const who = describe(this.#profile);
    this.#chip.replaceChildren(
      element("span", { class: "profile-for" }, laterWords.profile.for),
      who || laterWords.profile.everybody,
    );
    this.#chip.setAttribute("aria-label", who ? laterWords.profile.change(who) : laterWords.profile.tell);
  }

  /** Puts what was told into the form. */
  #fill() {
    this.#form.reset();
    const { courses = [], ...told } = this.#profile;
    for (const [field, value] of Object.entries(told)) {
      const control = this.#form.elements.namedItem(field);
      if (control instanceof HTMLSelectElement) select(control, String(value));
      else if (control instanceof HTMLInputElement) control.value = String(value);
    }
    for (const box of this.#fields.querySelectorAll("input[type=checkbox]")) {
      if (box instanceof HTMLInputElement) box.checked = courses.includes(box.value);
    }
  }

  /** @param {boolean} open */
  #toggle(open) {
    this.#form.hidden = !open;
    this.#chip.setAttribute("aria-expanded", String(open));
    if (open) {
      this.#fill();
      const first = this.#fields.querySelector("select, input");
      if (first instanceof HTMLElement) first.focus();
    } else {
      this.#chip.focus();
    }
  }

  /** @param {SubmitEvent} event */
  #save(event) {
    event.preventDefault();
    const data = new FormData(this.#form);
    const told = Object.fromEntries([...data.entries()].filter(([name]) => name !== "courses"));
    this.#tell(profileOf({ ...told, courses: data.getAll("courses") }));
  }

  #forget() {
    this.#tell({});
  }

  /** @param {Profile} profile */
  #tell(profile) {
    this.#profile = profile;
    this.#say();
    this.#toggle(false);
    this.#onChange(profile);
  }

  /** Whether the visitor has told anything. */
  get isSilent() {
    return isSilent(this.#profile);
  }
}

/** A name that the documents no longer know is still what was told. @param {HTMLSelectElement} control @param {string} value */
function select(control, value) {
  if (![...control.options].some((option) => option.value === value)) control.append(new Option(value, value));
  control.value = value;
}

/** @param {string} field @param {string} label @param {string[]} names @param {string | null} lang */
const listField = (field, label, names, lang) =>
  labelled(
    field,
    label,
    element(
      "select",
      { id: `campanile-profile-${field}`, name: field },
      element("option", { value: "" }, laterWords.profile.notTold),
      ...names.map((name) => element("option", { value: name, lang }, name)),
    ),
  );

/** @param {string[]} batches */
function batchField(batches) {
  return labelled(
    "batch",
    laterWords.profile.batch,
    element("input", {
      id: "campanile-profile-batch",
      name: "batch",
      type: "text",
      list: "campanile-profile-batches",
      autocomplete: "off",
      maxlength: 40,
    }),
    element(
      "datalist",
      { id: "campanile-profile-batches" },
      ...batches.map((batch) => element("option", { value: batch })),
    ),
  );
}

/** @param {string} field @param {string} label */
const numberField = (field, label) =>
  labelled(
    field,
    label,
    element("input", {
      id: `campanile-profile-${field}`,
      name: field,
      type: "number",
      min: 1,
      max: 99,
      inputmode: "numeric",
    }),
  );

/** @param {string} field @param {string} label @param {...Node} controls */
const labelled = (field, label, ...controls) =>
  element(
    "div",
    { class: "profile-field" },
    element("label", { for: `campanile-profile-${field}` }, label),
    ...controls,
  );

/** @param {string[]} codes */
const coursesField = (codes) =>
  element(
    "fieldset",
    { class: "profile-courses" },
    element("legend", {}, laterWords.profile.courses),
    ...codes.map((code) =>
      element("label", {}, element("input", { type: "checkbox", name: "courses", value: code }), ` ${code}`),
    ),
  );

/** Who asks, in words: "MSc Hydroinformatics, batch 2024". @param {Profile} profile */
export function describe({ programme, department, faculty, specialisation, batch, year, semester, courses = [] }) {
  // A programme says where it belongs.
  const unit = programme ?? department ?? (faculty && laterWords.profile.ofFaculty(faculty));
  const parts = [
    unit,
    specialisation,
    batch && laterWords.profile.ofBatch(batch),
    year && laterWords.profile.ofYear(year),
    semester && laterWords.profile.ofSemester(semester),
    courses.length > 3 ? laterWords.profile.ofCourses(courses.length) : courses.join(", "),
  ];
  return parts.filter(Boolean).join(", ");
}
