// Review with keys: the next page is preloaded, and decisions are sent in the background.
const root = document.documentElement;
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

const place = $(".place");
const template = $("template.ahead");
let ahead = template ? template.content.cloneNode(true) : null;
let sending = Promise.resolve();
let waiting = 0;

const card = () => $(".judge", place);
const nameOf = (fragment) => fragment?.querySelector("[data-name]")?.dataset.name ?? "";

function show(fragment) {
  place.replaceChildren(fragment);
  prepare();
  $("h2", place)?.focus({ preventScroll: false });
}

function put(html) {
  const parts = document.createElement("template");
  parts.innerHTML = html;
  for (const name of ["head", "status", "aside"]) {
    const fresh = $(`[data-part="${name}"]`, parts.content);
    $(`[data-part="${name}"]`)?.replaceChildren(...(fresh ? [...fresh.childNodes] : []));
  }
  const next = $('[data-part="next"]', parts.content);
  const found = document.createDocumentFragment();
  found.append(...(next ? [...next.childNodes] : []));
  look();
  return found;
}

// ---- decisions ---------------------------------------------------------------------------------------------------
async function send(data) {
  const answer = await fetch(`${document.documentElement.dataset.base ?? "/"}review/decide`, { method: "POST", body: new URLSearchParams(data) });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  return answer.text();
}

function decide(form, button) {
  const data = new FormData(form, button);
  if (data.get("kind") === "moved" && !data.get("to")) {
    if (!data.get("other")) return;
    data.set("to", data.get("other"));
  }
  const shown = ahead;
  ahead = null;
  data.set("part", "true");
  data.set("ahead", nameOf(shown));
  waiting += 1;
  if (shown) show(shown);
  else place.inert = true;
  sending = sending.then(() => send(data)).then((html) => {
    const next = put(html);
    waiting -= 1;
    if (waiting) return;
    place.inert = false;
    if (shown) ahead = next;
    else show(next);
  }, () => {
    waiting -= 1;
    $(".unsaved").hidden = false;
    location.reload();
  });
}

place?.addEventListener("submit", (event) => {
  event.preventDefault();
  decide(event.target, event.submitter);
});

// ---- moving ------------------------------------------------------------------------------------------------------
function openMoves() {
  const moves = $(".moves", place);
  if (!moves) return;
  moves.classList.add("shown");
  $(".filter", moves)?.focus();
}

function prepare() {
  const moves = $(".moves", place);
  if (!moves) return;
  const filter = $(".filter", moves);
  filter.hidden = false;
  const list = $(".likely", moves);
  const usual = [...list.children];
  const all = $$("option", moves).filter((option) => option.value);
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    if (!wanted) return list.replaceChildren(...usual);
    const found = all.filter((option) => option.value.toLowerCase().includes(wanted)).slice(0, 9);
    list.replaceChildren(...found.map((option, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const key = document.createElement("kbd");
      button.className = "btn s";
      button.name = "to";
      button.value = option.value;
      key.textContent = String(index + 1);
      button.append(key, ` ${option.value}`);
      item.append(button);
      return item;
    }));
  });
  $(".move", place)?.addEventListener("click", (event) => { event.preventDefault(); openMoves(); });
}
prepare();

// ---- keys --------------------------------------------------------------------------------------------------------
const decisions = { r: "right", x: "irrelevant", l: "later" };

function pressed(event) {
  if (root.dataset.keys === "off" || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  const moves = $(".moves.shown", place);
  const inFilter = event.target.closest?.(".filter");
  if (moves && /^[1-9]$/.test(event.key)) {
    const button = $$(".likely button", moves)[Number(event.key) - 1];
    if (button) { event.preventDefault(); decide(moves, button); }
    return;
  }
  if (moves && event.key === "Escape") { moves.classList.remove("shown"); $("h2", place)?.focus(); return; }
  if (inFilter && event.key === "Enter") {
    event.preventDefault();
    const button = $(".likely button", moves);
    if (button) decide(moves, button);
    return;
  }
  if (event.target.closest?.("input, textarea, select")) return;
  if (decisions[event.key]) {
    const button = $(`.decide [value="${decisions[event.key]}"]`, place);
    if (button) { event.preventDefault(); decide(button.form, button); }
    return;
  }
  if (event.key === "m") { event.preventDefault(); openMoves(); return; }
  const button = () => $(`[data-press="${event.key}"]`);
  if (button()) {
    event.preventDefault();
    // Wait for the pending decision, which replaces the buttons.
    sending.then(() => button()?.form.requestSubmit(button()));
    return;
  }
  const link = ["o", "c", "f"].includes(event.key) && card() && $(`[data-key="${event.key}"]`, card());
  if (link) { event.preventDefault(); event.stopImmediatePropagation(); link.click(); }
}
document.addEventListener("keydown", pressed, true);

// ---- poll a lesson while it is being computed ---------------------------------------------------------------------
let timer = 0;
function look() {
  clearTimeout(timer);
  if (!$("[data-waiting]")) return;
  timer = setTimeout(async () => {
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const aside = $('[data-part="aside"]', fresh);
      if (aside) $('[data-part="aside"]').replaceChildren(...aside.childNodes);
    }
    look();
  }, 2000);
}
look();
