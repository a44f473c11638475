// Management with a script: selection lists that navigate at once, and a tree editable by keys and mouse.
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

for (const list of $$("select[data-go]")) {
  list.addEventListener("change", () => list.form.requestSubmit());
  $$("button.apply", list.form).forEach((button) => { button.hidden = true; });
}

// ---- the tree ----------------------------------------------------------------------------------------------------
const tree = $(".edit-tree");
const preview = (edit, topic, to = "") => {
  location.href = `${document.documentElement.dataset.base ?? "/"}manage/topics/preview?${new URLSearchParams({ edit, topic, to })}`;
};
const rows = () => $$(".topic-row > summary", tree);
const topicOf = (element) => element.closest("li[data-topic]")?.dataset.topic ?? "";

function pressed(event) {
  const summary = event.target.closest("summary");
  if (!summary || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const at = rows().indexOf(summary);
  const field = (name) => { summary.parentElement.open = true; const input = $(`.${name} input[name=to]`, summary.parentElement); input?.focus(); input?.select(); };
  const actions = {
    ArrowDown: () => rows()[Math.min(at + 1, rows().length - 1)]?.focus(),
    ArrowUp: () => rows()[Math.max(at - 1, 0)]?.focus(),
    ArrowRight: () => { summary.parentElement.open = true; },
    ArrowLeft: () => { summary.parentElement.open = false; },
    F2: () => field("rename"),
    Insert: () => field("add"),
    Delete: () => preview("delete", topicOf(summary)),
  };
  if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
}

let dragged = "";
if (tree) {
  $(".only-script", tree).hidden = false;
  tree.addEventListener("keydown", pressed);
  tree.addEventListener("dragstart", (event) => { dragged = topicOf(event.target); event.dataTransfer.effectAllowed = "move"; event.stopPropagation(); });
  tree.addEventListener("dragover", (event) => {
    const over = event.target.closest("li[data-topic]");
    $$(".over", tree).forEach((item) => item.classList.remove("over"));
    if (over && dragged && over.dataset.topic !== dragged && !over.dataset.topic.startsWith(`${dragged}/`)) {
      event.preventDefault();
      over.classList.add("over");
    }
  });
  tree.addEventListener("drop", (event) => {
    const over = event.target.closest("li[data-topic]");
    if (over && dragged) { event.preventDefault(); preview("move", dragged, over.dataset.topic); }
  });
}
