// A bookmark file can be dropped anywhere on its field, and is read at once.
const zone = document.querySelector(".drop-zone");
const field = zone?.querySelector("input[type=file]");

if (zone && field) {
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  }
  for (const name of ["dragleave", "drop"]) {
    zone.addEventListener(name, () => zone.classList.remove("over"));
  }
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
  });
}
