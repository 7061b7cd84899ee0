// Opens the page anew after each build, and says why one failed. Only `campanile watch` serves it; no site has it.
const shown = new URL(import.meta.url).searchParams.get("build");
const events = new EventSource("/campanile-watch/events");
events.addEventListener("built", ({ data }) => {
  if (data === shown) say("");
  else location.reload();
});
events.addEventListener("failed", ({ data }) => say(JSON.parse(data)));

const note = document.createElement("p");
note.setAttribute("role", "status");
note.dataset.testid = "watch-note";
Object.assign(note.style, {
  position: "fixed",
  insetInline: "0",
  bottom: "0",
  margin: "0",
  padding: "0.75rem 1rem",
  maxHeight: "40vh",
  overflow: "auto",
  whiteSpace: "pre-wrap",
  background: "#7a1f1f",
  color: "#fff",
});

/** @param {string} words  nothing takes the note away */
function say(words) {
  note.textContent = words;
  if (words === "") note.remove();
  else document.body.append(note);
}
