// Checks the built entry against its budget: what a first visit loads before anything is asked for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** KiB after gzip, of the entry script and everything it imports at once (docs/performance.md). */
const ENTRY_BUDGET_KIB = 220;

const manifest = JSON.parse(readFileSync("dist/.vite/manifest.json", "utf8"));
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
if (entry === undefined) throw new Error("dist/.vite/manifest.json names no entry; run `npm run build` first");

const files = new Set();
/** @param {string} key */
function collect(key) {
  const chunk = manifest[key];
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported);
}
collect(entry);

let total = 0;
for (const file of files) {
  const kib = gzipSync(readFileSync(join("dist", file)), { level: 9 }).length / 1024;
  total += kib;
  console.log(`${kib.toFixed(1).padStart(8)} KiB  ${file}`);
}
console.log(`${total.toFixed(1).padStart(8)} KiB  entry in all, of ${ENTRY_BUDGET_KIB} KiB`);
if (total > ENTRY_BUDGET_KIB) {
  console.error(`The entry is ${(total - ENTRY_BUDGET_KIB).toFixed(1)} KiB over its budget.`);
  process.exit(1);
}
