"use strict";
// Hides what does not hold all words of a field. Without this script all is shown.
for (const field of document.querySelectorAll("input[data-filters]")) {
  const list = document.getElementById(field.dataset.filters);
  const told = field.parentElement.querySelector("output");
  let texts;
  field.addEventListener("input", () => {
    texts ??= Array.from(list.children, (item) => [item, item.textContent.toLowerCase()]);
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [item, text] of texts) {
      item.hidden = !words.every((word) => text.includes(word));
      shown += item.hidden ? 0 : 1;
    }
    told.textContent = words.length ? `${shown} of ${texts.length}` : "";
  });
  field.parentElement.hidden = false;
}
