import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

const NAMES_ON_PATH = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];

const MAC_PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

const WINDOWS_PLACES = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((variable) => {
  const folder = process.env[variable];
  if (!folder) return [];
  return [
    join(folder, "Google", "Chrome", "Application", "chrome.exe"),
    join(folder, "Chromium", "Application", "chrome.exe"),
    join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
  ];
});

/**
 * Finds a Chromium to test in: the one `CHROMIUM_PATH` names, Playwright's own, one on the path, one in its usual place.
 * @returns {string | undefined} the absolute path of its program
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : undefined;
  const suffix = process.platform === "win32" ? ".exe" : "";
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES_ON_PATH.map((name) => join(folder, name + suffix)));
  return [chromium.executablePath(), ...onPath, ...MAC_PLACES, ...WINDOWS_PLACES].find((path) => existsSync(path));
}

/** Flags every test browser runs with: containers have no user namespaces, and no test needs the outside network. */
export const chromiumArgs = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"];
