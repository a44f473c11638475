// Keeps the portal's address and the key, and asks the portal whether they fit.

const api = globalThis.browser ?? globalThis.chrome;
const part = (id) => document.getElementById(id);

api.storage.local.get(["address", "key"]).then(({ address = "", key = "" }) => {
  part("address").value = address;
  part("key").value = key;
});

part("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const address = part("address").value.trim().replace(/\/+$/, "");
  await api.storage.local.set({ address, key: part("key").value.trim() });
  const answer = await api.runtime.sendMessage({ action: "hello" });
  part("said").textContent = answer.error ?? `Connected to ${answer.portal} as ${answer.name}.`;
});
