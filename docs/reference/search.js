/* Search of the entries of the reference, above Sphinx's search of pages. The rules are those of cli/text/find.c;
 * site.py reads COMMON, ENDINGS and WEIGHTS from there. */
"use strict";

/* Removes the ending of a word. */
function stem(word) {
  for (const end of ENDINGS)
    if (word.length >= end.length + 4 - (end.length < 3 ? 1 : 0) && word.endsWith(end)) {
      word = word.slice(0, -end.length);
      break;
    }
  if (word.length > 3 && "eiy".includes(word.at(-1)))
    word = word.slice(0, -1);
  if (word.length > 3 && word.at(-1) === word.at(-2))
    word = word.slice(0, -1);
  return word;
}

const words = text => (text.match(/[A-Za-z0-9]+/g) || []).map(w => w.slice(0, 31).toLowerCase());

/* Groups of terms: each word of the query with its synonyms. */
function groups(query) {
  const lines = SYNONYMS.split("\n").map(line => line.split(":").map(side => words(side).map(stem)));
  return words(query).filter(w => !COMMON.includes(w)).map(stem).map(word =>
    [[word, 1]].concat(...lines.filter(([left, right]) => right && left.includes(word)).map(([, right]) =>
      right.map(term => [term, WEIGHTS.synonym]))));
}

/* Adds the weight of each occurrence of the terms in a text; returns the number of words. */
function count(terms, text, weight, often) {
  const all = words(text).map(stem);
  for (const word of all)
    terms.forEach((term, k) => {
      if (word === term || (term.length >= 5 && word.startsWith(term)))
        often[k] += weight * (word === term ? 1 : 0.5);
    });
  return all.length;
}

const summary = about => about.split(/\.\s|\n\n/)[0].replace(/\s+/g, " ");

function relevance(name) {
  return name.endsWith("_spec") ? 0 : /(_id|_free|_clear)$/.test(name) ? 0.5 : 1;
}

/* The entries [name, about, declaration, arguments, link] that fit best, best first. */
function findEntries(query, most) {
  const grouped = groups(query), terms = grouped.flat().map(t => t[0]);
  const specs = new Map(ENTRIES.map(e => [e[0], e]));
  const weighed = ENTRIES.map(entry => {
    const often = terms.map(() => 0), share = terms.map(() => 0);
    const name = entry[0].startsWith("gradyn") ? entry[0].slice(7) : entry[0], spec = specs.get(entry[3]);
    count(terms, name, 1 / words(name).length, share);
    count(terms, summary(entry[1]).slice(0, 399), 2, often);
    let length = count(terms, entry[1], 1, often) + count(terms, entry[2], 0.5, often);
    if (spec)
      length += count(terms, spec[1], 0.7, often) + count(terms, spec[2], 0.5, often);
    return { entry, often, share, length };
  });
  const n = weighed.length, mean = weighed.reduce((sum, w) => sum + w.length, 0) / n;
  const rarity = terms.map((_, k) => {
    const having = weighed.filter(w => w.often[k] > 0).length;
    return Math.log(1 + (n - having + 0.5) / (having + 0.5));
  });
  for (const w of weighed) {
    let k = 0, sum = 0, having = 0;
    for (const group of grouped) {
      const best = Math.max(...group.map(([, weight]) => {
        const value = weight * rarity[k] *
          (w.often[k] / (w.often[k] + 1 + WEIGHTS.length * w.length / mean) + WEIGHTS.name * w.share[k]);
        k++;
        return value;
      }));
      sum += best;
      having += best > 0 ? 1 : 0;
    }
    w.score = grouped.length ? relevance(w.entry[0]) * sum * (1 + having / grouped.length) : 0;
  }
  return weighed.filter(w => w.score > 0).sort((a, b) => b.score - a.score).slice(0, most).map(w => w.entry);
}

/* Debian's furo has no rule for the dark scheme of the browser. Shows the entries on the page of the search. */
document.addEventListener("DOMContentLoaded", () => {
  if (document.body.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
    document.body.dataset.theme = "dark";
  const place = document.getElementById("search-results"), query = new URLSearchParams(location.search).get("q");
  if (!place || !query)
    return;
  const list = document.createElement("ul");
  list.className = "entries";
  for (const [name, about, , , link] of findEntries(query, 10)) {
    const item = list.appendChild(document.createElement("li")), to = item.appendChild(document.createElement("a"));
    to.href = link;
    to.appendChild(document.createElement("code")).textContent = name;
    item.append(" " + summary(about));
  }
  const title = document.createElement("h2");
  title.textContent = "Entries";
  place.before(title, list);
});
