import { spawnSync } from "node:child_process";

/**
 * Runs npm with these arguments in this folder, its output shown, whatever the operating system calls it.
 * @param {string[]} args
 * @returns {boolean} whether it succeeded
 */
export function runNpm(args) {
  const script = process.env.npm_execpath;
  const viaNode = script !== undefined && /npm-cli\.c?js$/.test(script);
  const done = viaNode
    ? spawnSync(process.execPath, [script, ...args], { stdio: "inherit" })
    : spawnSync(["npm", ...args].join(" "), { stdio: "inherit", shell: true });
  return done.status === 0;
}
