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
  if (first) intoSight(first);
}

// Into the field, and the field above the bar of buttons.
function intoSight(field) {
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
}

// The key by its letter; on a keyboard with other letters (Cyrillic, Greek, Arabic) by its place.
function keyOf(event) {
  const key = event.key.toLowerCase();
  if (/^[a-z0-9]$/.test(key)) return key;
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(event.code || "");
  return event.key.length === 1 && place ? place[1].toLowerCase() : key;
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
  if (into) intoSight(into);
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
  if (document.querySelector(".card, .narrow") && press(keyOf(event))) event.preventDefault();
});

for (const form of document.querySelectorAll("form")) {
  // One decision a card: a second press while the first is on its way does nothing.
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
// What is typed is kept as it is typed; it is sent once more when one goes.
const drafts = new Map();
function keep(form) {
  clearTimeout(drafts.get(form));
  drafts.delete(form);
  if (!form.dataset.sent) fetch("/draft", { method: "POST", body: new URLSearchParams(new FormData(form)), keepalive: true }).catch(() => null);
}
for (const form of document.querySelectorAll("form#decide, form#whole")) {
  form.addEventListener("input", () => {
    clearTimeout(drafts.get(form));
    drafts.set(form, setTimeout(keep, 600, form));
  });
}
addEventListener("pagehide", () => { for (const form of drafts.keys()) keep(form); });

// The card stays with whoever has its page open before them.
const token = document.querySelector("form#decide [name=csrf]");
function stay() {
  if (!document.hidden) fetch("/stay", { method: "POST", body: new URLSearchParams({ csrf: token.value }) }).catch(() => null);
}
if (token) setInterval(stay, 60000);

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
  if (bar) { bar.value = figures.mine; bar.max = figures.mine_total; }
}
if (document.querySelector("[data-live]")) setInterval(follow, 5000);
toEvidence(1);
