// The package for others to import: `npm run build:library` makes dist-lib, plain modules with their types.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(project, "dist-lib");
const types = join(outDir, "types");

await bundle(project, outDir, { index: join(project, "src/index.ts"), node: join(project, "src/cli/index.ts") });
const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
const made = spawnSync(process.execPath, [join(dirname(compiler), "bin/tsc"), "-p", "tsconfig.library.json"], {
  cwd: project,
  stdio: "inherit",
});
if (made.status !== 0) process.exit(1);
keepReached(["index.d.ts", "cli/index.d.ts"].map((name) => join(types, name)));

/**
 * Writes out the endings of what types import, which Node's own rules want, and removes the types nobody reaches.
 * @param {string[]} entries
 */
function keepReached(entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    const text = readFileSync(file, "utf8");
    const complete = text.replace(/((?:from|import)\s*\(?\s*["'])(\.[^"']*)(["'])/g, (_, before, specifier, after) => {
      const target = [`${specifier}.d.ts`, `${specifier}/index.d.ts`].find((name) =>
        existsSync(join(dirname(file), name)),
      );
      if (target === undefined) throw new Error(`${file} imports ${specifier}, which has no types.`);
      reached.add(join(dirname(file), target));
      return `${before}${target.replace(/\.d\.ts$/, ".js")}${after}`;
    });
    writeFileSync(file, complete);
  }
  for (const name of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    const file = join(types, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}
