// Keys, the way to the evidence, and figures that follow what others do. All else works without this file.
"use strict";

const marks = [...document.querySelectorAll(".document mark")];
let shown = -1;

function toEvidence(step) {
  if (!marks.length) return;
  shown = (shown + step + marks.length) % marks.length;
  const pane = marks[shown].closest(".document");
  if (pane.scrollHeight > pane.clientHeight) {
    const at = marks[shown].getBoundingClientRect().top - pane.getBoundingClientRect().top;
    pane.scrollTop += at - pane.clientHeight / 3;
  }
}

function edit() {
  const room = document.getElementById("edit");
  room.open = true;
  room.scrollIntoView({ block: "center" });
  room.querySelector("textarea").focus({ preventScroll: true });
}

const KEYS = {
  k: () => press("keep"), r: () => press("reject"), c: () => press("cannot_say"), s: () => press("skip"),
  u: () => press("undo"), e: edit, j: () => toEvidence(1),
  m: () => document.getElementById("reason").focus(),
};

function press(name) {
  const button = document.querySelector(`button[data-does="${name}"]`);
  if (button) button.click();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea");
  if (event.key === "Escape" && typing) event.target.blur();
  if (event.key === "Enter" && event.ctrlKey && event.target.matches("textarea")) press("edit");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const act = document.querySelector(".card") && KEYS[event.key.toLowerCase()];
  if (act) { event.preventDefault(); act(); }
});

for (const form of document.querySelectorAll("form")) {
  // One decision a card: a second press while the first is on its way does nothing.
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });

async function follow() {
  const answer = document.hidden ? null : await fetch("/live").catch(() => null);
  if (!answer || !answer.ok) return;
  const figures = await answer.json();
  for (const [name, text] of Object.entries(figures.texts)) {
    const place = document.querySelector(`[data-live="${name}"]`);
    if (place) place.textContent = text;
  }
  const bar = document.querySelector("progress");
  if (bar) { bar.value = figures.decided; bar.max = figures.total; }
}
if (document.querySelector("[data-live]")) setInterval(follow, 5000);
toEvidence(1);
