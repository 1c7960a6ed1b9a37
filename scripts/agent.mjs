// The command line: `npm run --silent agent -- --help`. Bundles `src/cli` when the source has changed, then runs it here.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(project, "node_modules/.cache/rootscope");
/** Bundles unused for this long are removed; one that another process has just begun to run is younger. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** What tells one state of the source from another: the names, times and sizes of its files. */
function fingerprint() {
  const sources = readdirSync(join(project, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|suite)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash("sha256");
  for (const file of [...sources.toSorted(), join(project, "package-lock.json"), join(project, "scripts/bundle.mjs")]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * The bundle of the source as it is now. It has a folder of its own, so that it never changes under a process that runs
 * it, and of two that make it at the same time one is used.
 */
async function bundled() {
  const made = join(cache, fingerprint());
  if (existsSync(made)) {
    const now = new Date();
    utimesSync(made, now, now);
    return made;
  }
  mkdirSync(cache, { recursive: true });
  removeUnused();
  const making = mkdtempSync(join(cache, "making-"));
  try {
    const { bundle } = await import("./bundle.mjs");
    await bundle(project, making, {
      index: join(project, "src/index.ts"),
      node: join(project, "src/cli/index.ts"),
      commandLine: join(project, "src/cli/commandLine.ts"),
      agentHooks: join(project, "src/cli/agentHooks.ts"),
    });
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another process may have been first.
    if (!existsSync(made)) throw error;
  }
  return made;
}

function removeUnused() {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > KEPT_MS) rmSync(folder, { recursive: true, force: true });
  }
}

if (!existsSync(join(project, "node_modules/vite"))) {
  console.error(`What the project needs is not installed: run npm ci in ${project}.`);
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const made = await bundled().catch((/** @type {unknown} */ error) => {
  const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  console.error(`The command line could not be bundled. ${reason}`);
  process.exit(1);
});
/** @param {string} name */
const address = (name) => pathToFileURL(join(made, `${name}.js`)).href;
const { runInNode } = await import(address("commandLine"));
const modules = { library: address("index"), node: address("node"), hooks: address("agentHooks") };
await runInNode({ version, modules });
