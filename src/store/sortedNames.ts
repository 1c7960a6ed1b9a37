const collator = new Intl.Collator("en", { numeric: true });

function compare(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Names in the order people sort them: numbers as numbers, case and accents last. */
export type SortedNames = readonly string[];

export function sortedNames(names: readonly string[]): SortedNames {
  return names.toSorted(compare);
}

/** Where a name stands; -1 when it is not there. */
export function placeOfName(names: SortedNames, name: string): number {
  const place = placeFor(names, name);
  return names[place] === name ? place : -1;
}

/** With some names gone and others come: those that stay are not compared with each other again. */
export function changedNames(before: SortedNames, gone: readonly string[], come: readonly string[]): SortedNames {
  if (gone.length === 0 && come.length === 0) return before;
  const steps = [
    ...gone.map((name) => ({ name, place: placeOfName(before, name), comes: false })),
    ...come.map((name) => ({ name, place: placeFor(before, name), comes: true })),
  ]
    .filter(({ name, place, comes }) => (comes ? before[place] !== name : place >= 0))
    .toSorted((a, b) => a.place - b.place || compare(a.name, b.name));
  const names: string[] = [];
  let from = 0;
  for (const { name, place, comes } of steps) {
    while (from < place) names.push(before[from++] ?? "");
    if (comes) names.push(name);
    else from = place + 1;
  }
  while (from < before.length) names.push(before[from++] ?? "");
  return names;
}

/** The place of the first name that is not before `name`. */
function placeFor(names: SortedNames, name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(names[middle] ?? "", name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
