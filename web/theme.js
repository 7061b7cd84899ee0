// @ts-check
/** Light or dark by hand, before anything is painted: a classic script in the page's head. */

(() => {
  try {
    const theme = localStorage.getItem("campanile-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
  } catch {
    // Nothing is kept here: as the device has it.
  }
})();
