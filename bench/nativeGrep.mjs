import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The native ripgrep on the same files, or `undefined` where there is none. */
export function nativeGrep(/** @type {{ path: string, bytes: Buffer }[]} */ files) {
  const version = spawnSync("rg", ["--version"], { encoding: "utf8" });
  if (version.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "rootscope-bench-"));
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, "files", path)), { recursive: true });
    writeFileSync(join(folder, "files", path), bytes);
  }
  return {
    version: version.stdout.split("\n")[0] ?? "",
    run: (/** @type {{ pattern: string, caseInsensitive?: boolean }} */ searched) => runOnce(folder, searched),
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

/** @param {string} folder @param {{ pattern: string, caseInsensitive?: boolean }} searched */
function runOnce(folder, { pattern, caseInsensitive }) {
  const output = openSync(join(folder, "output"), "w");
  const flags = ["-j2", "--no-config", "--no-ignore", "--hidden", "-n", "--no-heading", "--color=never"];
  const all = [...flags, ...(caseInsensitive ? ["-i"] : []), "-e", pattern, "./"];
  const begin = performance.now();
  spawnSync("rg", all, { cwd: join(folder, "files"), stdio: ["ignore", output, "ignore"] });
  const ms = performance.now() - begin;
  closeSync(output);
  return ms;
}
