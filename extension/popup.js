// Shows what was recorded, which is what Submit sends, and the buttons.

const api = globalThis.browser ?? globalThis.chrome;
const part = (id) => document.getElementById(id);

function row(page) {
  const item = document.createElement("li");
  item.className = page.useful ? "useful" : "";
  const text = document.createElement("span");
  text.textContent = page.title || page.url;
  text.title = page.url;
  const button = document.createElement("button");
  button.textContent = "×";
  button.setAttribute("aria-label", `Leave out ${page.title || page.url}`);
  button.addEventListener("click", () => act("drop", page.url));
  item.append(text, button);
  return item;
}

async function show() {
  const { session } = await api.storage.session.get("session");
  const recording = Boolean(session?.recording);
  part("idle").hidden = recording;
  part("recording").hidden = !recording;
  if (!recording) return;
  const last = session.pages.find((page) => page.url === session.last);
  part("last").textContent = last ? last.title || last.url : "No page is open.";
  part("useful").disabled = !last;
  part("useful").setAttribute("aria-pressed", String(Boolean(last?.useful)));
  part("submit").disabled = session.pages.length === 0;
  part("pages").replaceChildren(...session.pages.map(row));
}

async function act(action, url) {
  const answer = await api.runtime.sendMessage({ action, url });
  await show();
  if (answer.error) part("said").textContent = answer.error;
  else if (action === "submit") part("said").textContent = `Sent ${answer.pages} pages, ${answer.useful} of them useful.`;
  else part("said").textContent = "";
}

for (const [id, action] of [["start", "start"], ["useful", "mark"], ["submit", "submit"], ["discard", "discard"]]) {
  part(id).addEventListener("click", () => act(action));
}
show();
