import { spawn, spawnSync } from "node:child_process";

/**
 * How npm is called, whatever the operating system calls it.
 * @param {string[]} args
 * @returns {{ program: string, args: string[], shell: boolean }}
 */
function npmCall(args) {
  const script = process.env.npm_execpath;
  const viaNode = script !== undefined && /npm-cli\.c?js$/.test(script);
  if (viaNode) return { program: process.execPath, args: [script, ...args], shell: false };
  return { program: ["npm", ...args].join(" "), args: [], shell: true };
}

/**
 * Runs npm with these arguments in this folder, its output shown.
 * @param {string[]} args
 * @returns {boolean} whether it succeeded
 */
export function runNpm(args) {
  const call = npmCall(args);
  return spawnSync(call.program, call.args, { stdio: "inherit", shell: call.shell }).status === 0;
}

/**
 * Runs npm with these arguments in this folder, its output kept, so that several may run at once.
 * @param {string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>} never rejects: what cannot start has failed, with the reason as its output
 */
export function npmOutput(args) {
  const call = npmCall(args);
  return new Promise((resolve) => {
    const child = spawn(call.program, call.args, { stdio: ["ignore", "pipe", "pipe"], shell: call.shell });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output += text;
      });
    child.once("error", (error) => resolve({ ok: false, output: `${output}${error.message}\n` }));
    child.once("close", (code) => resolve({ ok: code === 0, output }));
  });
}
