import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const IS_ROOT = process.getuid?.() === 0;
/** @param {string} command */
const asRoot = (command) => (IS_ROOT ? command : `sudo -n ${command}`);

/** Ways to install lighttpd with its WebDAV module, tried in order where the manager exists. */
const PACKAGE_MANAGERS = [
  {
    manager: "apt-get",
    commands: [asRoot("apt-get update"), asRoot("apt-get install -y lighttpd lighttpd-mod-webdav")],
  },
  { manager: "dnf", commands: [asRoot("dnf install -y lighttpd")] },
  { manager: "apk", commands: [asRoot("apk add lighttpd lighttpd-mod_webdav")] },
];

/** Where package managers put the server, beside what the path names: it is often in a directory of root's. */
const DIRECTORIES = [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
  "/opt/homebrew/sbin",
];

/**
 * Finds a server's program.
 * @param {string} name
 * @returns {string | undefined} its absolute path
 */
export function findServer(name) {
  return DIRECTORIES.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/**
 * Finds a lighttpd that speaks WebDAV, or installs one.
 * @returns {string | undefined} the absolute path of its program; `undefined`, with the reason printed, when there is none to be had
 */
export function ensureLighttpd() {
  const found = findLighttpd();
  if (found !== undefined) return found;
  for (const { manager, commands } of PACKAGE_MANAGERS) {
    if (spawnSync(`${manager} --version`, { shell: true }).status !== 0) continue;
    console.log(`Installing lighttpd with ${manager}.`);
    commands.every((command) => spawnSync(command, { shell: true, stdio: "inherit" }).status === 0);
    break;
  }
  const installed = findLighttpd();
  if (installed === undefined) {
    console.log("No lighttpd with mod_webdav was found and none could be installed: the tests against it are skipped.");
  }
  return installed;
}

/** @returns {string | undefined} */
export function findLighttpd() {
  const program = findServer("lighttpd");
  if (program === undefined) return undefined;
  const modules = ["/usr/lib/lighttpd", "/usr/lib64/lighttpd", "/usr/local/lib/lighttpd", "/opt/homebrew/lib/lighttpd"];
  return modules.some((directory) => existsSync(join(directory, "mod_webdav.so"))) ? program : undefined;
}
