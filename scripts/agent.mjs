// The command line: `npm run --silent agent -- --help`. Bundles `src/cli` when the source has changed, then runs it here.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(project, "node_modules/.cache/rootscope");
/** Bundles unused for this long are removed; one that another process has just begun to run is younger. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** A bundle is made in a second or two: whoever is at it for so long has been killed. */
const GIVEN_UP_MS = 60_000;
const LOOK_MS = 50;

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
 * it; of several processes that miss it one makes it.
 */
async function bundled() {
  const made = join(cache, fingerprint());
  const making = `${made}.making`;
  mkdirSync(cache, { recursive: true });
  for (; !existsSync(made); await setTimeout(LOOK_MS)) {
    if (ageMs(making) > GIVEN_UP_MS) rmSync(making, { recursive: true, force: true });
    if (!isFirst(making)) continue;
    try {
      await makeBundle(making);
      renameSync(making, made);
      removeUnused();
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(made, now, now);
  return made;
}

/** @param {string} making */
function isFirst(making) {
  try {
    mkdirSync(making);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} folder how long ago something was made or removed in it; 0 where it is not there */
function ageMs(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

/** @param {string} folder */
async function makeBundle(folder) {
  const { bundle } = await import("./bundle.mjs");
  await bundle(project, folder, {
    index: join(project, "src/index.ts"),
    node: join(project, "src/cli/index.ts"),
    commandLine: join(project, "src/cli/commandLine.ts"),
    agentHooks: join(project, "src/cli/agentHooks.ts"),
  });
}

function removeUnused() {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (ageMs(folder) > KEPT_MS) rmSync(folder, { recursive: true, force: true });
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
