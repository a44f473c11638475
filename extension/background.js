// Records a session while the person wants it: pages, links that were followed, and the pages marked as useful.
// It is kept in memory by the browser and forgotten when the browser closes. Nothing is sent before Submit.

const api = globalThis.browser ?? globalThis.chrome;
const MOST_PAGES = 500;
const LONGEST_TITLE = 300;
const LONGEST_ADDRESS = 2000;

const EMPTY = { recording: false, pages: [], links: [], tabs: {}, last: null };

// Events may come faster than the storage answers: one is handled after the other.
let queue = Promise.resolve();

function change(work) {
  const done = queue.then(async () => {
    const { session = structuredClone(EMPTY) } = await api.storage.session.get("session");
    const answer = await work(session);
    await api.storage.session.set({ session });
    await api.action.setBadgeText({ text: session.recording ? String(session.pages.length) : "" });
    return answer;
  });
  queue = done.catch(() => {});
  return done;
}

async function portal() {
  const { address = "", key = "" } = await api.storage.local.get(["address", "key"]);
  return { address, key };
}

function plain(url) {
  return url.split("#")[0];
}

async function isPage(url) {
  const { address } = await portal();
  if (!/^https?:/.test(url ?? "") || plain(url).length > LONGEST_ADDRESS) return false;
  return !(address && new URL(url).origin === new URL(address).origin);
}

function add(session, url, title = "") {
  let page = session.pages.find((known) => known.url === url);
  if (!page && session.pages.length < MOST_PAGES) {
    page = { url, title: "", at: Date.now() / 1000, useful: false };
    session.pages.push(page);
  }
  if (title) entitle(session, url, title);
}

function entitle(session, url, title) {
  const page = session.pages.find((known) => known.url === plain(url));
  if (page && title) page.title = title.slice(0, LONGEST_TITLE);
}

function link(session, source, target) {
  const known = session.links.some(([from, to]) => from === source && to === target);
  if (source && source !== target && !known) session.links.push([source, target]);
}

// A link was followed from the page that the tab showed, or from the one whose link opened the tab.
async function arrived({ tabId, frameId, url, transitionType, transitionQualifiers = [] }) {
  if (frameId !== 0) return;
  const target = plain(url);
  await change(async (session) => {
    if (!(await isPage(url))) {
      // Whatever is followed from here did not come from the page before.
      delete session.tabs[tabId];
      return;
    }
    const before = session.tabs[tabId];
    session.tabs[tabId] = target;
    if (!session.recording) return;
    session.last = target;
    const back = transitionQualifiers.includes("forward_back") || transitionType === "reload";
    if (!back && transitionType === "link" && before) add(session, before);
    add(session, target);
    if (back) return;
    if (transitionQualifiers.includes("client_redirect")) {
      for (const [source, to] of [...session.links]) if (to === before) link(session, source, target);
    } else if (transitionType === "link" && before) {
      link(session, before, target);
    }
  });
}

api.webNavigation.onCommitted.addListener(arrived);
api.webNavigation.onHistoryStateUpdated.addListener(arrived);

api.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) =>
  change((session) => {
    session.tabs[tabId] = session.tabs[sourceTabId];
  }),
);

// A title may come with the page or be changed later. It waits in the queue behind the arrival of its page.
api.webNavigation.onCompleted.addListener(({ tabId, frameId, url }) => {
  if (frameId !== 0) return;
  change(async (session) => {
    const tab = await api.tabs.get(tabId).catch(() => null);
    if (tab?.url === url) entitle(session, url, tab.title);
  });
});

api.tabs.onUpdated.addListener((_tabId, changed, tab) => {
  if (changed.title && tab.url) change((session) => entitle(session, tab.url, changed.title));
});

api.tabs.onActivated.addListener(async ({ tabId }) => {
  const tab = await api.tabs.get(tabId);
  if (await isPage(tab.url)) {
    await change((session) => {
      session.tabs[tabId] = plain(tab.url);
      if (session.pages.some((page) => page.url === plain(tab.url))) session.last = plain(tab.url);
    });
  }
});

api.tabs.onRemoved.addListener((tabId) => change((session) => delete session.tabs[tabId]));

// The tabs that are open when recording starts may be where links are followed from.
async function start() {
  const tabs = await api.tabs.query({});
  const active = tabs.filter((tab) => tab.active).map((tab) => tab.id);
  for (const tab of tabs) {
    if (!(await isPage(tab.url))) continue;
    await change((session) => {
      session.recording = true;
      session.tabs[tab.id] = plain(tab.url);
      if (!active.includes(tab.id)) return;
      add(session, plain(tab.url), tab.title);
      session.last = plain(tab.url);
    });
  }
  await change((session) => {
    session.recording = true;
  });
}

function mark() {
  return change((session) => {
    const page = session.pages.find((known) => known.url === session.last);
    if (page) page.useful = !page.useful;
  });
}

function drop(url) {
  return change((session) => {
    session.pages = session.pages.filter((page) => page.url !== url);
    session.links = session.links.filter((ends) => !ends.includes(url));
    for (const [tab, shown] of Object.entries(session.tabs)) if (shown === url) delete session.tabs[tab];
    if (session.last === url) session.last = null;
  });
}

function discard() {
  return change((session) => {
    Object.assign(session, structuredClone(EMPTY), { tabs: session.tabs });
  });
}

async function ask(path, options = {}) {
  const { address, key } = await portal();
  if (!address || !key) return { error: "Give the address of your portal and a key in the options." };
  try {
    const answer = await fetch(address + path, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...(options.body ? { "content-type": "application/json" } : {}) },
      credentials: "omit",
    });
    if (answer.status === 413) return { error: "The session is too large. Remove some of its pages." };
    const told = await answer.json().catch(() => null);
    if (!answer.ok) return { error: told?.error ?? `The portal answered ${answer.status}.` };
    return told ?? { error: "Something else than the portal answers. Check the address in the options." };
  } catch {
    return { error: "The portal does not answer. Is it running?" };
  }
}

async function submit() {
  const { pages, links } = await change((session) => session);
  const place = new Map(pages.map((page, number) => [page.url, number]));
  const ends = links.filter(([from, to]) => place.has(from) && place.has(to));
  const body = JSON.stringify({ pages, links: ends.map(([from, to]) => [place.get(from), place.get(to)]) });
  const answer = await ask("/browsing/sessions.json", { method: "POST", body });
  if (!answer.error) await discard();
  return answer;
}

const ACTIONS = { start, mark, drop, discard, submit, hello: () => ask("/browsing/hello.json") };

api.runtime.onMessage.addListener((message, sender, reply) => {
  if (sender.id !== api.runtime.id || !(message.action in ACTIONS)) return false;
  Promise.resolve(ACTIONS[message.action](message.url)).then((answer) => reply(answer ?? {}));
  return true;
});
