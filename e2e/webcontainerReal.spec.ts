import type { Page } from "@playwright/test";
import { expect, test } from "./playground";

/** Milliseconds the vendor gets to answer before the test says that there is no way to it. */
const LOOK_MS = 10_000;
/** Milliseconds for what comes over the network: the runtime itself, then a package. */
const NETWORK_MS = 120_000;

/** Why the real WebContainer cannot be tried here; `undefined` where it can. */
async function reasonToSkip(): Promise<string | undefined> {
  if (process.env.HOST_E2E !== "webcontainer")
    return "set HOST_E2E=webcontainer to try the real one; it needs the internet";
  try {
    await fetch("https://stackblitz.com/headless", { signal: AbortSignal.timeout(LOOK_MS) });
    return undefined;
  } catch (error) {
    return `https://stackblitz.com cannot be reached from here (${String(error)})`;
  }
}

const region = (page: Page) => page.getByRole("region", { name: "Terminal" });
const output = (page: Page) => region(page).getByRole("article").last();

async function run(page: Page, command: string): Promise<void> {
  const input = region(page).getByRole("textbox", { name: /^Command in/ });
  await input.fill(command);
  await input.press("Enter");
  await expect(output(page)).toHaveAttribute("aria-label", `Command ${command}`);
}

test("the real WebContainer: Node, a package, a kill, and the files after a restart", async ({ playground, page }) => {
  const reason = await reasonToSkip();
  if (reason !== undefined) console.log(`The real WebContainer is not tried: ${reason}.`);
  test.skip(reason !== undefined, reason);
  test.setTimeout(NETWORK_MS * 4);
  await playground.openEmptyProject("Real Node");
  await page.keyboard.press("Alt+Shift+1");
  await page.getByRole("radio", { name: /^the in-page host/ }).check();
  await page.getByRole("radio", { name: /^WebContainer/ }).check();
  await page.keyboard.press("Alt+t");

  await run(page, "node -v && pwd && echo $CI");
  await expect(output(page)).toContainText(/v\d+\.\d+\.\d+\s*\/home\/project\s*1/, { timeout: NETWORK_MS });
  await run(page, "npm init -y && npm i is-odd@3.0.1 && node -p 'require(\"is-odd\")(3)'");
  await expect(output(page)).toContainText("true", { timeout: NETWORK_MS });
  await expect(output(page).getByRole("button", { name: "~/package.json" })).toBeVisible();

  // It watches, and is stopped by the person.
  await run(page, "node --watch -e 'setInterval(() => console.log(\"tick\"), 100)'");
  await expect(output(page)).toContainText("tick", { timeout: NETWORK_MS });
  await region(page).getByRole("button", { name: "Stop the command" }).click();
  await expect(output(page)).toContainText("stopped");

  // A loop that may not hear of its end.
  await run(page, "node -e 'while (true);'");
  await region(page).getByRole("button", { name: "Stop the command" }).click();
  await expect(output(page)).toContainText("stopped");
  const restart = region(page).getByRole("button", { name: "Restart the host" });
  if (await restart.isVisible()) await restart.click();

  // Export, teardown, boot and mount: by the other kind of host and back.
  await page.getByRole("radio", { name: /^simulated bash/ }).check();
  await run(page, "grep -c is-odd package.json");
  await expect(output(page)).toContainText("exit code 0");
  await page.getByRole("radio", { name: /^WebContainer/ }).check();
  await run(page, 'node -p \'require("./package.json").dependencies["is-odd"]\'');
  await expect(output(page)).toContainText("3.0.1", { timeout: NETWORK_MS });
});
