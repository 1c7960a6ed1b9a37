import { spawnSync } from "node:child_process";
import { findChromium } from "./findChromium.mjs";
import { runNpm } from "./runNpm.mjs";

const IS_ROOT = process.getuid?.() === 0;
/** @param {string} command */
const asRoot = (command) => (IS_ROOT ? command : `sudo -n ${command}`);

/** Ways to install a Chromium by the system's own package manager, tried in order where the manager exists. */
const PACKAGE_MANAGERS = [
  { manager: "apt-get", commands: [asRoot("apt-get update"), asRoot("apt-get install -y chromium")] },
  { manager: "dnf", commands: [asRoot("dnf install -y chromium")] },
  { manager: "pacman", commands: [asRoot("pacman -Sy --noconfirm chromium")] },
  { manager: "apk", commands: [asRoot("apk add chromium")] },
  { manager: "brew", commands: ["brew install --cask chromium"] },
  { manager: "winget", commands: ["winget install --silent --accept-source-agreements Google.Chrome"] },
];

const WAY_OUT = `No Chromium was found and none could be installed. Install Chromium or Chrome by hand, or set CHROMIUM_PATH
to the program of one you have, then run this command again.`;

/**
 * Finds a Chromium or installs one: Playwright's own build first, then the system's package manager.
 * @returns {string} the absolute path of its program
 * @throws an Error that says what to do when there is none to be had
 */
export function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  console.log("No Chromium found; fetching Playwright's own.");
  runNpm(["exec", "--", "playwright", "install", "chromium"]);
  for (const { manager, commands } of PACKAGE_MANAGERS) {
    if (findChromium() !== undefined) break;
    if (spawnSync(`${manager} --version`, { shell: true }).status !== 0) continue;
    console.log(`Installing Chromium with ${manager}.`);
    commands.every((command) => spawnSync(command, { shell: true, stdio: "inherit" }).status === 0);
  }
  const installed = findChromium();
  if (installed === undefined) throw new Error(WAY_OUT);
  return installed;
}
