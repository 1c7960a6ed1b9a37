import type { Page } from "@playwright/test";
import { givenFile } from "./filesColumn";
import { expect, test, type Playground } from "./playground";

/** The stops of the Tab key from the top of the page to its end, each with whether the eye can see it. */
async function tabStops(page: Page, limit: number): Promise<{ readonly name: string; readonly isSeen: boolean }[]> {
  // The first control of the page; the Tab key goes on from wherever the focus was last.
  await page.getByRole("banner").getByRole("button").first().focus();
  const stops = [];
  let isTold = false;
  for (let count = 0; count < limit; count++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      // A control that is hidden behind its label shows its focus there.
      const showing = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
      const isMarked = showing.some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
        return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
      });
      const isEditor = element.closest(".monaco-editor") !== null;
      const words = element.getAttribute("aria-label") ?? (element.textContent || element.tagName);
      const name = `${element.tagName.toLowerCase()} ${words.slice(0, 40)}`;
      return { name, isSeen: isMarked || isEditor, isEditor };
    });
    if (stop === undefined) break;
    stops.push(stop);
    // In the editor Tab writes a tab until it is told to lead on.
    if (stop.isEditor && !isTold) {
      await page.keyboard.press("Control+m");
      isTold = true;
    }
  }
  return stops;
}

const focusIsSomewhere = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);

async function tabTo(playground: Playground, name: string): Promise<void> {
  const { page } = playground;
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (label === name) return;
  }
  throw new Error(`The Tab key never came to “${name}”.`);
}

test("the main job needs no mouse: open, edit, run, look at what was done", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("todo.txt", "old words\n"), givenFile("other.txt", "other\n"));
  await expect(playground.files.row("/work/todo.txt")).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

  await tabTo(playground, "Files");
  await page.keyboard.press("Home");
  await page.keyboard.press("t");
  await page.keyboard.press("o");
  await expect(playground.files.row("/work/todo.txt")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await expect(playground.files.row("/work/other.txt")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.locator(".view-lines")).toContainText("old\u00a0words");
  await tabTo(playground, "/work/todo.txt");
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("by hand: ");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(playground.notice("Saved.")).toBeVisible();

  // Out of the editor again: Tab writes a tab there until it is told to lead on.
  await page.keyboard.press("Control+m");
  await tabTo(playground, "Message the agent");
  await page.keyboard.type("Replace old with new in /work/todo.txt");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.waitForRunToEnd();
  await expect(page.locator(".view-lines")).toContainText("by\u00a0hand:\u00a0new\u00a0words");

  const isOnRow = () => page.evaluate(() => document.activeElement?.hasAttribute("data-row") === true);
  for (let count = 0; count < 12 && !(await isOnRow()); count++) await page.keyboard.press("Shift+Tab");
  expect(await isOnRow()).toBe(true);
  await page.keyboard.press("Home");
  await expect(page.getByRole("article", { name: "You said" })).toBeFocused();
  const edit = playground.calls(/StrReplace|Write/).first();
  const isOnEdit = () => edit.evaluate((row) => row === document.activeElement);
  for (let count = 0; count < 20 && !(await isOnEdit()); count++) await page.keyboard.press("j");
  await expect(edit).toBeFocused();
  await page.keyboard.press("k");
  await expect(edit).not.toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(edit).toHaveAttribute("aria-expanded", "true");
  await expect(edit).toBeFocused();
});

test("rows of the tree are named and deleted by keys, and the focus stays in the tree", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  const { files } = playground;
  await files.upload(givenFile("a.txt", "a"), givenFile("b.txt", "b"), givenFile("c.txt", "c"));
  await expect(files.row("/work/c.txt")).toBeVisible();
  await files.tree.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("b");
  await page.keyboard.press("F2");
  await page.keyboard.type("renamed");
  await page.keyboard.press("Enter");
  await expect(files.row("/work/renamed.txt")).toHaveAttribute("aria-selected", "true");
  await expect(files.tree).toBeFocused();
  await page.keyboard.press("F2");
  await page.keyboard.press("Escape");
  await expect(files.tree).toBeFocused();

  await page.keyboard.press("Delete");
  await expect(files.row("/work/renamed.txt")).toHaveCount(0);
  await expect(files.tree).toBeFocused();
  await expect(files.tree.locator('[aria-selected="true"]')).toHaveCount(1);
  await page.keyboard.press("ArrowLeft");
  await expect(files.row("/work")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowLeft");
  await expect(files.row("/work")).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowRight");
  await expect(files.row("/work")).toHaveAttribute("aria-expanded", "true");
});

test("modes, palette, go to file and the keys open by keys; the focus comes back when they close", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("deep.zip", "no zip"), givenFile("found me.txt", "here"));
  await expect(playground.files.row("/work/found me.txt")).toBeVisible();
  for (const mode of ["Compare", "Replay", "Run"] as const) await playground.switchTo(mode);

  await playground.files.tree.focus();
  for (const [keys, name] of [
    ["ControlOrMeta+k", "Commands"],
    ["ControlOrMeta+p", "Go to file"],
    ["?", "Keys"],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await focusIsSomewhere(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(playground.files.tree).toBeFocused();
  }

  await page.keyboard.press("ControlOrMeta+p");
  await page.keyboard.type("found");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "/work/found me.txt" })).toBeFocused();

  for (const [command, dialog] of [
    ["Add a mount…", "Add a mount"],
    ["Add an MCP server…", "Add an MCP server"],
  ] as const) {
    await playground.files.tree.focus();
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog", { name: "Commands" }).getByRole("combobox").fill(command);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(playground.files.tree).toBeFocused();
  }
  const fileChooser = page.waitForEvent("filechooser");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog", { name: "Commands" }).getByRole("combobox").fill("Import a project");
  await page.keyboard.press("Enter");
  await fileChooser;
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog", { name: "Commands" }).getByRole("combobox").fill("New skill");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Folder of the new skill" })).toBeVisible();

  // Every window that a button opens gives the focus back to that button.
  for (const [button, role] of [
    [page.getByRole("button", { name: "+ Add" }), "dialog"],
    [page.getByRole("button", { name: "Keys" }), "dialog"],
    [page.getByRole("button", { name: "More for /work", exact: true }), "menu"],
    [page.getByRole("button", { name: /^Tools/ }), "menu"],
    [page.getByRole("banner").locator(".project-trigger"), "menu"],
    [page.getByRole("banner").locator(".model-trigger"), "dialog"],
    [page.locator(".session-header .session-title"), "dialog"],
  ] as const) {
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole(role)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole(role)).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await page.getByRole("banner").locator(".project-trigger").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Rename…" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Rename the project" }).getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await focusIsSomewhere(page);
});

test("the Tab key goes round the page in every mode, and every stop of it is seen", async ({ playground, page }) => {
  await playground.openSample();
  await expect(page.getByRole("textbox", { name: "/repo/src/createStore.ts" })).toBeAttached();
  for (const mode of ["Run", "Compare", "Replay"] as const)
    await test.step(mode, async () => {
      await playground.switchTo(mode);
      if (mode === "Compare") await expect(page.getByRole("textbox", { name: "Instructions of B" })).toBeVisible();
      if (mode === "Replay") {
        await page.getByRole("button", { name: /^Find the TODOs/ }).click();
        await expect(page.getByRole("button", { name: "Next step" })).toBeVisible();
      }
      const stops = await tabStops(page, 150);
      expect(stops.length).toBeGreaterThan(10);
      expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
      expect(stops.length, "the Tab key leads back out").toBeLessThan(150);
    });
});
