import type { Page } from "@playwright/test";
import { BareServer } from "./bareServer";
import { expect, test, type Playground } from "./playground";
import { WebcontainerFrame } from "./webcontainerFrame";

const region = (page: Page) => page.getByRole("region", { name: "Terminal" });
const failure = (page: Page) => region(page).getByRole("alert").first();

/** A project of its own at an address; frames that show an error have no storage to note a visit in. */
async function openProject(playground: Playground, address: string, name: string): Promise<void> {
  await playground.page.addInitScript(() => {
    if (window.top === window) localStorage.setItem("rootscope-visited", "yes");
  });
  await playground.page.goto(address);
  await playground.newProject(name);
}

/** Makes the project's agent run in WebContainer, and opens the terminal. */
async function chooseWebcontainer({ page }: Playground): Promise<void> {
  await page.keyboard.press("Alt+Shift+1");
  await page.getByRole("radio", { name: /^the in-page host/ }).check();
  await page.getByRole("radio", { name: /^WebContainer/ }).check();
  await page.keyboard.press("Alt+t");
}

async function run(page: Page, command: string): Promise<void> {
  const input = region(page).getByRole("textbox", { name: /^Command in/ });
  await input.fill(command);
  await input.press("Enter");
  await expect(region(page).getByRole("article").last()).toHaveAttribute("aria-label", `Command ${command}`);
}

const output = (page: Page) => region(page).getByRole("article").last();

test("a server without the headers: the page says so, and isolates itself when it is asked to", async ({
  playground,
  page,
  baseURL,
}) => {
  await using server = await BareServer.start(baseURL ?? "");
  await openProject(playground, server.address, "Bare");
  await chooseWebcontainer(playground);
  await run(page, "echo never");
  await expect(failure(page)).toContainText(
    "WebContainer needs a cross-origin isolated page, and the server of this one does not send the headers for it",
  );
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await failure(page).getByRole("button", { name: "Use the embedded host" }).click();
  await run(page, "echo by the embedded host");
  await expect(output(page)).toContainText("exit code 0");
  await page.getByRole("radio", { name: /^WebContainer/ }).check();
  await run(page, "echo never");
  let loads = 0;
  page.on("load", () => (loads += 1));
  await failure(page).getByRole("button", { name: "Isolate the page" }).click();
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
  await expect(page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  await expect(page).toHaveTitle(/Bare/);
  expect(loads).toBe(1);
});

test("a vendor that cannot be reached ends the start in words; tried again, it runs on the files of the project", async ({
  playground,
  page,
}) => {
  playground.expectedComplaints.push(/ERR_INTERNET_DISCONNECTED/);
  const frame = new WebcontainerFrame(page);
  await frame.cutOff();
  await openProject(playground, "./", "Container");
  await chooseWebcontainer(playground);
  // By the embedded host first: one disk for both.
  await page.getByRole("radio", { name: /^simulated bash/ }).check();
  await run(page, "echo 'by the embedded host ü' > kept.txt");
  await expect(output(page)).toContainText("exit code 0");

  await page.getByRole("radio", { name: /^WebContainer/ }).check();
  const began = Date.now();
  await run(page, "echo never");
  await expect(playground.notice(/needs a licence from StackBlitz/)).toBeVisible();
  await expect(failure(page)).toContainText(
    "WebContainer cannot be reached: stackblitz.com said nothing for 10 seconds",
    {
      timeout: 30_000,
    },
  );
  expect(Date.now() - began).toBeLessThan(30_000);
  expect(frame.requests).toBe(1);

  await frame.connect();
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await run(page, "cat kept.txt; echo 'by the other' > other.txt");
  await expect(output(page)).toContainText("by the embedded host ü", { timeout: 30_000 });
  await run(page, "protocol split");
  await expect(output(page)).toContainText("🌱é");
  expect(frame.requests).toBe(2);

  await frame.serves(3000, "<h1>Served by the project</h1>");
  await run(page, "protocol serve 3000");
  await region(page).getByRole("radio", { name: "Preview" }).click();
  const preview = page.frameLocator('iframe[title="Port 3000 of the host"]');
  await expect(preview.getByRole("heading")).toHaveText("Served by the project");
  await region(page).getByRole("radio", { name: "Commands" }).click();
  await run(page, "protocol unserve 3000");
  await expect(region(page).getByRole("radio", { name: "Preview" })).toHaveCount(0);

  await page.getByRole("radio", { name: /^simulated bash/ }).check();
  await run(page, "cat other.txt");
  await expect(output(page)).toContainText("by the other");
});
