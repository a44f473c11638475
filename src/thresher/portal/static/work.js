// The live view: one stream for all tabs of a browser, parts that are replaced in place, and the chart.
const live = document.querySelector("#live");
const $ = (selector, from = document) => from.querySelector(selector);

// ---- parts ------------------------------------------------------------------------------------------------------
let held = false;
let kept = null;

const ids = (from) => [...from.querySelectorAll("[data-id]")].map((row) => row.dataset.id);

function replace(old, fresh) {
  if (old.innerHTML === fresh.innerHTML) return;
  // Leave a part alone while the reader is using it.
  if (old.contains(document.activeElement) && document.activeElement !== document.body) return;
  const open = [...old.querySelectorAll("details")].map((found) => found.open);
  old.replaceChildren(...fresh.childNodes);
  old.querySelectorAll("details").forEach((found, number) => { found.open = open[number] ?? false; });
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = $(`[data-part="${part.dataset.part}"]`, live);
    // A change of phase changes the available actions, so reload the whole page.
    if (!old || old.dataset.phase !== part.dataset.phase) { location.reload(); return; }
    if (part.dataset.part === "read" && (held || old.matches(":hover"))) {
      kept = part;
      const known = new Set(ids(old));
      tellMore(ids(part).filter((id) => !known.has(id)).length);
    } else {
      replace(old, part);
      if (part.dataset.part === "read") { kept = null; tellMore(0); }
    }
  }
}

function tellMore(number) {
  const box = $("#more");
  if (!box) return;
  const button = $("button", box);
  button.textContent = button.dataset.more.replace("#", number);
  box.hidden = number === 0;
}

function showKept() {
  if (kept) replace($('[data-part="read"]', live), kept);
  kept = null;
  tellMore(0);
}

function hold(wanted) {
  held = wanted;
  const button = $("#hold");
  if (!button) return;
  button.textContent = held ? button.dataset.held : button.dataset.hold;
  button.setAttribute("aria-pressed", String(held));
  if (!held) showKept();
}

// ---- the chart --------------------------------------------------------------------------------------------------
let plot = null;
let chartReady = false;
let newest = null;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function label(plotted, series, text, ink) {
  const values = plotted.data[series];
  let last = values.length - 1;
  while (last >= 0 && values[last] == null) last -= 1;
  if (last < 0) return;
  const { ctx, over } = plotted;
  const x = Math.min(plotted.valToPos(plotted.data[0][last], "x", true), plotted.bbox.left + plotted.bbox.width);
  const y = plotted.valToPos(values[last], "y", true);
  ctx.save();
  ctx.fillStyle = ink;
  ctx.textAlign = "left";
  ctx.font = `${series === 1 ? 600 : 400} ${12 * devicePixelRatio}px ${getComputedStyle(over).fontFamily}`;
  ctx.fillText(`${Math.round(values[last] * 100)} % ${text}`, x + 6 * devicePixelRatio, y + 4 * devicePixelRatio);
  ctx.restore();
}

function draw(share) {
  newest = share;
  const place = $("#chart");
  if (!chartReady || !place || share.at.length < 3) return;
  const data = [share.at, share.now, share.before];
  if (plot) { plot.setData(data); return; }
  const percent = (plotted, values) => values.map((value) => `${Math.round(value * 100)} %`);
  const hour = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  // Labels within the same minute are shown once.
  const clock = (plotted, values) => values.map((value) => hour.format(value * 1000)).map((label, place, all) => (label === all[place - 1] ? "" : label));
  place.hidden = false;
  live.classList.add("charted");
  plot = new window.uPlot({
    width: place.clientWidth, height: Math.round(place.clientWidth * 0.42), padding: [12, 110, 0, 0],
    cursor: { y: false }, legend: { show: false },
    scales: { x: { time: true }, y: { range: (plotted, low, high) => [0, Math.max(0.2, Math.ceil(high * 5) / 5)] } },
    axes: [
      { stroke: colour("--muted"), grid: { show: false }, ticks: { show: false }, values: clock },
      { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, values: percent },
    ],
    series: [
      {},
      { stroke: colour("--accent"), width: 2, fill: `${colour("--accent")}1a`, points: { show: false } },
      { stroke: colour("--muted"), width: 1.5, dash: [3, 3], points: { show: false } },
    ],
    hooks: { draw: [(plotted) => {
      label(plotted, 2, live.dataset.before, colour("--muted"));
      label(plotted, 1, live.dataset.kept, colour("--ink"));
    }] },
  }, data, place);
}

function redraw() {
  plot?.destroy();
  plot = null;
  if (newest) draw(newest);
}

function loadChart() {
  if (!live.dataset.chart) return;
  const script = document.createElement("script");
  script.src = live.dataset.chart;
  script.addEventListener("load", () => { chartReady = true; if (newest) draw(newest); });
  document.head.append(script);
  addEventListener("resize", () => {
    const place = $("#chart");
    plot?.setSize({ width: place.clientWidth, height: Math.round(place.clientWidth * 0.42) });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

// ---- the stream -------------------------------------------------------------------------------------------------
function take(message) {
  const box = $("#lost");
  if (message.lost) {
    $("div", box).textContent = box.dataset.lost.replace("#", new Date(message.lost).toLocaleTimeString());
    box.hidden = false;
    return;
  }
  box.hidden = true;
  show(message.html);
  draw(message.share);
}

function listen(tell) {
  const source = new EventSource(live.dataset.events);
  let since = 0;
  source.addEventListener("crawl", (event) => { since = 0; tell(JSON.parse(event.data)); });
  source.addEventListener("open", () => { since = 0; });
  source.addEventListener("error", () => {
    since ||= Date.now();
    // Browsers reconnect at once; report the connection as lost only if that fails.
    setTimeout(() => { if (since) tell({ lost: since }); }, 3000);
  });
}

function follow() {
  if (!("BroadcastChannel" in window) || !navigator.locks) { listen(take); return; }
  const channel = new BroadcastChannel(`thresher ${live.dataset.events}`);
  channel.addEventListener("message", (event) => take(event.data));
  // The tab that holds the lock listens for all tabs; when it closes, another one gets the lock.
  navigator.locks.request(`thresher ${live.dataset.events}`, () => new Promise(() => {
    listen((message) => { take(message); channel.postMessage(message); });
  }));
}

if (live) {
  loadChart();
  follow();
  document.addEventListener("click", (event) => {
    if (event.target.closest("#hold")) hold(!held);
    if (event.target.closest("#more button")) showKept();
  });
  const button = $("#hold");
  if (button) button.hidden = false;
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest?.("input, textarea, select, button, a, summary, pre");
    if (event.key !== " " || busy || document.documentElement.dataset.keys === "off") return;
    event.preventDefault();
    hold(!held);
  });
}
