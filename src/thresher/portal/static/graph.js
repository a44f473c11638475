// The crawl graph: drawn by sigma at the positions computed by the server; nothing moves by itself.
const stage = document.querySelector("#graph");
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(name).trim();

function load(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", done);
    script.addEventListener("error", failed);
    document.head.append(script);
  });
}

function noPicture() { $("#no-picture").hidden = false; }

const shown = { branches: null, sure: 0, marked: false, hovered: null, near: null, alone: null, way: [], selected: null };

function isShown(node) {
  if (shown.branches && !shown.branches.has(node.branch ?? "")) return false;
  if (node.sure !== null && node.sure < shown.sure) return false;
  if (shown.marked && !node.marked) return false;
  return !shown.alone || shown.alone.has(node.key);
}

function box(context, data, settings) {
  // Sigma's own box is white in every theme.
  if (!data.label) return;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const width = context.measureText(data.label).width + 10;
  context.fillStyle = colour("--surface");
  context.strokeStyle = colour("--edge");
  context.beginPath();
  context.roundRect(data.x + data.size + 2, data.y - 11, width, 22, 4);
  context.fill();
  context.stroke();
  context.fillStyle = colour("--ink");
  context.fillText(data.label, data.x + data.size + 7, data.y + 4);
}

function makeGraph(data) {
  const graph = new window.graphology.DirectedGraph();
  for (const node of data.nodes) {
    graph.addNode(node.id, { ...node, key: node.id, label: node.title, color: colour(`--t${node.colour}`), type: "circle" });
  }
  for (const [from, to] of data.edges) {
    const [source, target] = [data.nodes[from].id, data.nodes[to].id];
    if (!graph.hasEdge(source, target)) graph.addEdge(source, target, { size: 0.6 });
  }
  return graph;
}

function reducers(graph) {
  // Every refresh reads tens of thousands of edges, so colours and ends are looked up once.
  const [faint, ink, edgeColour] = ["--line", "--ink", "--edge"].map(colour);
  const ends = new Map(graph.mapEdges((edge, attributes, source, target) => [edge, [source, target]]));
  const drawn = (key) => isShown(graph.getNodeAttributes(key));
  return {
    nodeReducer: (key, attributes) => {
      const found = { ...attributes, label: null };
      if (!isShown(attributes)) return { ...found, hidden: true };
      const place = shown.way.indexOf(key);
      if (place >= 0) return { ...found, highlighted: key === shown.selected, label: `${place + 1} · ${attributes.label}`, forceLabel: true, zIndex: 2 };
      if (shown.near && !shown.near.has(key)) return { ...found, color: faint, zIndex: 0 };
      if (key === shown.hovered) return { ...found, label: attributes.label, highlighted: true, zIndex: 3 };
      if (shown.named?.has(key)) return { ...found, label: attributes.label, forceLabel: true, zIndex: 1 };
      return { ...found, label: attributes.label, zIndex: 1 };
    },
    edgeReducer: (edge, attributes) => {
      const [source, target] = ends.get(edge);
      const step = shown.way.indexOf(source);
      if (step >= 0 && shown.way[step + 1] === target) return { ...attributes, color: ink, size: 3, zIndex: 2 };
      if (shown.hovered && source !== shown.hovered && target !== shown.hovered) return { hidden: true };
      if (!drawn(source) || !drawn(target)) return { hidden: true };
      return { ...attributes, color: shown.hovered ? edgeColour : faint };
    },
  };
}

function draw(data) {
  const graph = makeGraph(data);
  const renderer = new window.Sigma(graph, $("#canvas"), {
    ...reducers(graph), hideEdgesOnMove: true, zIndex: true, labelFont: getComputedStyle(document.body).fontFamily, labelSize: 13, labelWeight: "500",
    labelColor: { color: colour("--ink") }, labelDensity: 0.05, labelRenderedSizeThreshold: 1000, defaultDrawNodeHover: box,
    minCameraRatio: 0.02, maxCameraRatio: 3, stagePadding: 40,
  });

  // Cluster names are centred on their pages.
  const names = $$("#names span").map((span) => {
    const inside = data.nodes.filter((node) => node.branch === span.dataset.branch);
    const middle = (key) => inside.reduce((sum, node) => sum + node[key], 0) / Math.max(1, inside.length);
    const y = middle("y");
    const spread = Math.sqrt(inside.reduce((sum, node) => sum + (node.y - y) ** 2, 0) / Math.max(1, inside.length));
    return { span, x: middle("x"), y: y + 1.8 * spread };
  });
  const placeNames = () => {
    for (const { span, x, y } of names) {
      const at = renderer.graphToViewport({ x, y });
      const off = shown.branches && !shown.branches.has(span.dataset.branch);
      span.hidden = Boolean(off);
      span.style.transform = `translate(calc(${Math.round(at.x)}px - 50%), calc(${Math.round(at.y)}px - 150%))`;
    }
  };
  renderer.on("afterRender", placeNames);
  placeNames();

  const hover = (key) => {
    shown.hovered = key;
    shown.near = key ? new Set([key, ...graph.neighbors(key)]) : null;
    shown.named = key ? new Set(graph.neighbors(key).sort((a, b) => graph.getNodeAttribute(b, "size") - graph.getNodeAttribute(a, "size")).slice(0, 12)) : null;
    renderer.refresh({ skipIndexation: true });
  };
  // Do not redraw while the pointer passes by or drags the picture.
  let resting = 0;
  let pressed = false;
  const soon = (key) => {
    clearTimeout(resting);
    resting = setTimeout(() => { if (!pressed && shown.hovered !== key) hover(key); }, 60);
  };
  $("#canvas").addEventListener("pointerdown", () => { pressed = true; }, true);
  window.addEventListener("pointerup", () => { pressed = false; }, true);
  renderer.on("enterNode", ({ node }) => soon(node));
  renderer.on("leaveNode", () => soon(null));

  const select = async (key) => {
    const answer = await fetch(stage.dataset.page + key).catch(() => null);
    if (!answer?.ok) return;
    const panel = $("#selected");
    panel.innerHTML = await answer.text();
    shown.selected = key;
    shown.way = $$("[data-step]", panel).map((step) => step.dataset.step).filter((step) => graph.hasNode(step));
    renderer.refresh({ skipIndexation: true });
    $("#alone", panel)?.addEventListener("click", () => {
      shown.alone = shown.alone ? null : new Set([key, ...graph.neighbors(key), ...shown.way]);
      renderer.refresh();
    });
  };
  renderer.on("clickNode", ({ node }) => select(node));
  renderer.on("clickStage", () => { shown.way = []; shown.alone = null; shown.selected = null; renderer.refresh(); });

  const camera = renderer.getCamera();
  $$("[data-zoom]").forEach((button) => button.addEventListener("click", () => {
    ({ in: () => camera.animatedZoom(), out: () => camera.animatedUnzoom(), fit: () => camera.animatedReset() })[button.dataset.zoom]();
  }));

  const filters = $("#filters");
  filters.addEventListener("change", () => {
    const form = new FormData(filters);
    const all = $$("[name=branch]", filters);
    const chosen = form.getAll("branch");
    shown.branches = chosen.length === all.length ? null : new Set(chosen);
    shown.sure = Number(form.get("sure"));
    shown.marked = form.has("marked");
    const query = new URLSearchParams();
    if (shown.branches) (chosen.length ? chosen : ["-"]).forEach((branch) => query.append("branch", branch));
    query.set("sure", shown.sure);
    if (shown.marked) query.set("marked", "true");
    $("#gexf").href = `${stage.dataset.file}&${query}`;
    renderer.refresh();
  });

  const seek = $("#seek");
  seek.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = $("input", seek).value.trim().toLowerCase();
    const found = wanted && data.nodes.find((node) => isShown({ ...node, key: node.id }) && `${node.title} ${node.host}`.toLowerCase().includes(wanted));
    $("#seek-none").hidden = Boolean(found) || !wanted;
    if (!found) return;
    const at = renderer.getNodeDisplayData(found.id);
    camera.animate({ x: at.x, y: at.y, ratio: 0.2 }, { duration: 400 });
    select(found.id);
  });

  $("#png").addEventListener("click", () => {
    // Redraw the layers and copy them before the browser clears them.
    renderer.refresh({ schedule: false });
    const layers = Object.values(renderer.getCanvases());
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [layers[0].width, layers[0].height];
    const context = picture.getContext("2d");
    context.fillStyle = colour("--surface");
    context.fillRect(0, 0, picture.width, picture.height);
    layers.forEach((layer) => context.drawImage(layer, 0, 0));
    picture.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = "graph.png";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  });

  stage.dataset.ready = graph.order;
  window.addEventListener("keydown", (event) => { if (event.key === "Escape") { shown.alone = null; shown.way = []; renderer.refresh(); } });
  return renderer;
}

async function begin() {
  if (!document.createElement("canvas").getContext("webgl2")) { noPicture(); return; }
  try {
    const [answer] = await Promise.all([fetch(stage.dataset.nodes), load(stage.dataset.graphology), load(stage.dataset.sigma)]);
    stage.renderer = draw(await answer.json());
  } catch (error) {
    console.warn(error);
    noPicture();
  }
}

if (stage) begin();
