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

function enter(room) {
  room.open = true;
  room.scrollIntoView({ block: "center" });
  const first = room.querySelector("textarea, input:not([type=hidden])");
  if (first) first.focus({ preventScroll: true });
}

// Of the fields that share a key, the first that holds nothing yet.
function byKey(key) {
  const found = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
  const empty = (one) => one.type !== "radio" || !one.form.querySelector(`[name="${one.name}"]:checked`);
  return found.find(empty);
}

function press(key) {
  const into = document.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  const found = into || byKey(key);
  if (into) into.focus();
  else if (key === "j") toEvidence(1);
  else if (found && found.tagName === "DETAILS") enter(found);
  else if (found) found.click();
  return Boolean(found) || key === "j";
}

function done(field) {
  const room = field.closest("details");
  const button = (room && room.querySelector("button[data-done]")) || document.querySelector("button[data-done][form]");
  if (button) button.click();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=radio]), textarea");
  if (event.key === "Escape" && typing) event.target.blur();
  if (event.key === "Enter" && event.ctrlKey && event.target.matches("input, textarea, body")) done(event.target);
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector(".card, .narrow") && press(event.key.toLowerCase())) event.preventDefault();
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
