import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "@playwright/test";
import { chromiumArgs, findChromium } from "../scripts/findChromium.mjs";

/** Milliseconds a browser gets to answer: a busy machine is slow, and a kill that was not made proves nothing. */
const CONNECT_MS = 45_000;
/** Beginnings of one browser before it counts as broken. */
const ATTEMPTS = 4;
const IS_WINDOWS = process.platform === "win32";

/** A browser with a profile on disk that can be killed with all its processes, and begun again on the same profile. */
export class KillableBrowser implements AsyncDisposable {
  readonly #profile: string;
  #process: ReturnType<typeof spawn> | undefined;
  #browser: Browser | undefined;

  private constructor(profile: string) {
    this.#profile = profile;
  }

  static async create(): Promise<KillableBrowser> {
    return new KillableBrowser(await mkdtemp(join(tmpdir(), "rootscope-profile-")));
  }

  /** Begins the browser and answers a page of it. One that begins and does not answer is begun again. */
  async begin(): Promise<Page> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#browser = await chromium.connectOverCDP(await this.#spawned(), { timeout: CONNECT_MS });
        return await this.newPage();
      } catch (error) {
        await this.kill();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Begins the browser's process. @returns where it listens */
  async #spawned(): Promise<string> {
    const program = findChromium();
    if (program === undefined) throw new Error("There is no Chromium: see the README.");
    const browser = spawn(
      program,
      [
        ...chromiumArgs,
        "--headless=new",
        "--remote-debugging-port=0",
        "--no-first-run",
        "--window-size=1440,900",
        `--user-data-dir=${this.#profile}`,
      ],
      // A group of its own, so that one signal ends the browser and every process it has begun.
      { stdio: ["ignore", "ignore", "pipe"], detached: !IS_WINDOWS },
    );
    this.#process = browser;
    return new Promise<string>((resolve, reject) => {
      let said = "";
      browser.stderr.on("data", (bytes: Buffer) => {
        said += bytes.toString();
        const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      browser.once("exit", () => reject(new Error(`The browser did not begin: ${said}`)));
    });
  }

  /** One more page of the browser that was begun. */
  async newPage(): Promise<Page> {
    const context = this.#browser?.contexts()[0];
    if (!context) throw new Error("The browser has no context.");
    const page = await context.newPage();
    page.setDefaultTimeout(2 * CONNECT_MS);
    await page.setViewportSize({ width: 1440, height: 900 });
    return page;
  }

  /** Ends every process of it at once, nothing asked and nothing written any more. */
  async kill(): Promise<void> {
    const browser = this.#process;
    this.#process = undefined;
    if (browser?.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
    const gone = new Promise((resolve) => browser.once("exit", resolve));
    if (IS_WINDOWS) spawnSync("taskkill", ["/pid", String(browser.pid), "/f", "/t"]);
    else process.kill(-browser.pid, "SIGKILL");
    await gone;
    await this.#browser?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
