"use strict";
const filter = document.getElementById("filter");
const count = document.getElementById("count");
const entries = [...document.querySelectorAll(".entry")];
const words = new Map(entries.map(entry => [entry, entry.textContent.toLowerCase()]));

function show() {
  const wanted = filter.value.toLowerCase().split(/\s+/).filter(word => word);
  let shown = 0;
  for (const entry of entries) {
    const fits = wanted.every(word => words.get(entry).includes(word));
    entry.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector(".entry:not([hidden])");
  }
  count.textContent = wanted.length ? `${shown} of ${entries.length}` : `${entries.length} entries`;
}

function open() {
  const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named && named.tagName === "DETAILS") {
    if (named.hidden) {
      filter.value = "";
      show();
    }
    named.open = true;
    named.scrollIntoView();
  }
}

filter.addEventListener("input", show);
addEventListener("hashchange", open);
addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== filter) {
    event.preventDefault();
    filter.focus();
  } else if (event.key === "Escape" && document.activeElement === filter) {
    filter.value = "";
    show();
  }
});
show();
open();
