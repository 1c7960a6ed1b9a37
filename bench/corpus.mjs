import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const TEXT_NAME = /\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/;
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Real text files of the installed packages, in order, up to a number of bytes.
 * @param {string} folder
 * @param {number} maxBytes
 * @returns {{ path: string, bytes: Buffer }[]} paths relative to the folder
 */
export function realTexts(folder, maxBytes) {
  /** @type {{ path: string, bytes: Buffer }[]} */
  const files = [];
  let total = 0;
  const visit = (/** @type {string} */ relative) => {
    for (const entry of readdirSync(join(folder, relative), { withFileTypes: true }).toSorted(byName)) {
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (total >= maxBytes) return;
      if (entry.isDirectory() && !entry.name.startsWith(".")) visit(path);
      if (!entry.isFile() || !TEXT_NAME.test(path) || statSync(join(folder, path)).size > MAX_FILE_BYTES) continue;
      const bytes = readFileSync(join(folder, path));
      if (!isPlainText(bytes)) continue;
      files.push({ path, bytes });
      total += bytes.length;
    }
  };
  visit("");
  return files;
}

/** @param {{ name: string }} a @param {{ name: string }} b */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/** @param {Buffer} bytes */
function isPlainText(bytes) {
  if (bytes.includes(0) || bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
