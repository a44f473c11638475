// Enhancements with a script: keys, filters that apply at once, menus that close.
const root = document.documentElement;
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

// ---- keys -------------------------------------------------------------------------------------------------------
// The base path of the portal: "/", or a path below it if there are several portals.
const base = root.dataset.base ?? "/";
const places = { h: "", t: "topics", n: "new", a: "about", r: "report", v: "review", c: "crawl", g: "graph" };
let waitingForPlace = 0;
// Keys that a reader has chosen, each mapped to the default key it replaces.
const own = root.dataset.keys && root.dataset.keys !== "off" ? JSON.parse(root.dataset.keys) : null;
const usual = (key) => (own ? (Object.hasOwn(own, key) ? own[key] : "") : key);

const hits = () => $$(".hit, .list > li").filter((entry) => $("a", entry));
const marked = () => $(".hit.at, .list > li.at");

function mark(step) {
  const all = hits();
  if (!all.length) return;
  const at = all.indexOf(marked());
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)];
  all.forEach((entry) => entry.classList.toggle("at", entry === next));
  const link = $("h3 a, .t", next) ?? $("a", next);
  link.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function follow(name) {
  const link = $(`[data-key="${name}"]`, marked() ?? undefined) ?? (marked() ? null : $(`main [data-key="${name}"]`));
  if (link) link.click();
  return Boolean(link);
}

const actions = {
  "/": () => { const field = $("#q"); field?.focus(); field?.select(); return Boolean(field); },
  "?": () => { location.href = `${base}keys`; return true; },
  g: () => { waitingForPlace = Date.now(); return true; },
  j: () => { mark(1); return true; },
  k: () => { mark(-1); return true; },
  o: () => { const link = marked() && $("h3 a, .t", marked()); link?.click(); return Boolean(link); },
  c: () => follow("c"),
  s: () => follow("s"),
  w: () => follow("w"),
  n: () => { const link = $('.pages a[rel="next"]'); link?.click(); return Boolean(link); },
  p: () => { const link = $('.pages a[rel="prev"]'); link?.click(); return Boolean(link); },
};

function pressed(event) {
  const inField = event.target.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select");
  if (event.key === "Escape") {
    $$("details.menu[open], details.drop[open]").forEach((menu) => { menu.open = false; $("summary", menu).focus(); });
    if (inField) event.target.blur();
    return;
  }
  if (root.dataset.keys === "off" || inField || event.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (waitingForPlace && Date.now() - waitingForPlace < 1500 && event.key in places) {
    event.preventDefault();
    location.href = base + places[event.key];
    return;
  }
  waitingForPlace = 0;
  const button = !event.defaultPrevented && $(`[data-press="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); return; }
  if (actions[usual(event.key)]?.()) event.preventDefault();
}
document.addEventListener("keydown", pressed);

// ---- menus close on a click elsewhere -----------------------------------------------------------------------------
document.addEventListener("click", (event) => {
  $$("details.menu[open], details.drop[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
});

// ---- filters apply at once; the button is for browsers without scripts ---------------------------------------------
for (const form of $$("form[data-live]")) {
  $$("button.apply", form).forEach((button) => { button.hidden = true; });
  form.addEventListener("change", () => form.requestSubmit());
}

// ---- slow parts; their space is reserved so nothing moves ----------------------------------------------------------
for (const place of $$("[data-load]")) {
  fetch(place.dataset.load).then(async (answer) => { if (answer.ok) place.innerHTML = await answer.text(); }, () => {});
}

// ---- sliders show their value, and the value moves the slider -----------------------------------------------------
for (const row of $$(".slide")) {
  const [slider, number] = [$("input[type=range]", row), $("input[type=number]", row)];
  if (!slider || !number) continue;
  slider.hidden = false;
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}

// ---- which results are opened, and when the reader comes back; only if the portal records that -------------------
const results = $("[data-clicks]");
if (results) {
  const kept = "thresher-click";
  const tell = (click, more = {}) => {
    const { clicks: token, query: q } = results.dataset;
    const form = new FormData();
    for (const [name, value] of Object.entries({ token, q, page: click.page, place: click.place, ...more })) form.set(name, value);
    navigator.sendBeacon(`${base}click`, form);
  };
  $$(".hit h3 a", results).forEach((link, number) => link.addEventListener("click", () => {
    const click = { page: link.pathname.split("/").at(-1), place: Number(results.dataset.first) + number + 1, at: Date.now() };
    sessionStorage.setItem(kept, JSON.stringify(click));
    tell(click);
  }));
  addEventListener("pageshow", () => {
    const click = JSON.parse(sessionStorage.getItem(kept) ?? "null");
    sessionStorage.removeItem(kept);
    if (click) tell(click, { seconds: (Date.now() - click.at) / 1000 });
  });
}
