import { readFile } from "node:fs/promises";
import { expectAccessible } from "./axe";
import { expect, test } from "./playground";
import { claudeCodeSession } from "./recordings";

test("a recording of another agent is searched, filtered, entered by its link, and exported", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject("Recordings");
  await playground.switchTo("Replay");
  await expect(page.getByRole("list", { name: "Known formats" })).toContainText("Claude Code");
  await expectAccessible(page, "the start of Replay");
  await page
    .locator('.import-box input[type="file"]')
    .first()
    .setInputFiles({
      name: "session.jsonl",
      mimeType: "application/x-ndjson",
      buffer: Buffer.from(claudeCodeSession()),
    });
  const outline = page.getByRole("tree", { name: "Steps" });
  await expect(outline.getByRole("treeitem", { name: /Turn 1/ })).toBeVisible();
  await expect(page.locator(".replay-chosen")).toContainText("Claude Code");

  await test.step("the outline shows subagents, a compaction, an interruption and other branches", async () => {
    await page.getByRole("button", { name: "Expand all" }).click();
    for (const line of [/Compacted/, /Interrupted/, /Subagent/, /failed Bash/])
      await expect(outline.getByRole("treeitem", { name: line }).first()).toBeAttached();
    await expect(page.getByRole("button", { name: /1 other branch/ })).toBeVisible();
    await page.getByRole("button", { name: "Collapse all" }).click();
    await expect(outline.getByRole("treeitem", { name: /Step 1/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Expand all" }).click();
  });

  await test.step("words are found everywhere, one after the other", async () => {
    await page.keyboard.press("/");
    const field = page.getByRole("searchbox", { name: "Search the session" });
    await expect(field).toBeFocused();
    await field.fill("needle");
    const hits = page.getByRole("listbox", { name: "Hits" });
    await expect(hits.getByRole("option")).toHaveCount(4);
    for (const where of ["message", "arguments of Bash", "output of Bash", "answer"])
      await expect(hits.getByRole("option", { name: new RegExp(where) }).first()).toBeVisible();
    await field.press("Enter");
    await expect(page.locator(".replay-found")).toContainText("1 of 4");
    await field.press("Enter");
    await expect(page.locator(".replay-found")).toContainText("2 of 4");
    await expect(page.locator(".event-view")).toContainText("needle");
    await expectAccessible(page, "hits of a search");
    await field.press("Escape");
    await expect(outline).toBeVisible();
  });

  await test.step("a filter counts what it shows", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("checkbox", { name: "only what failed" }).check();
    await expect(page.getByRole("dialog", { name: "Filter" })).toContainText("1 shown");
    await expectAccessible(page, "the filter");
    await page.keyboard.press("Escape");
    await expect(outline.getByRole("treeitem")).toHaveCount(3);
    await page.getByRole("button", { name: "clear" }).click();
  });

  await test.step("a link leads to its event and Back comes back", async () => {
    const place = page.getByLabel("event", { exact: true });
    await place.fill("7");
    await place.press("Enter");
    await expect(page).toHaveURL(/#\/replay\/session_\w+\/7$/);
    await place.fill("12");
    await place.press("Enter");
    await expect(page).toHaveURL(/\/12$/);
    await page.goBack();
    await expect(place).toHaveValue("7");
    await page.reload();
    await expect(place).toHaveValue("7");
    await expect(page.getByRole("slider", { name: "Place in the session" })).toHaveValue("7");
  });

  await test.step("a link names the file that was chosen, too; commands find their place from the palette", async () => {
    const place = page.getByLabel("event", { exact: true });
    await place.fill("34");
    await place.press("Enter");
    await page
      .getByRole("tree", { name: "Files at this point" })
      .getByRole("treeitem", { name: /found\.md/ })
      .click();
    await expect(page).toHaveURL(/\/end\/%2Frepo%2Ffound\.md$/);
    await page.reload();
    await expect(page.locator(".replay-middle")).toContainText("added since the start");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Commands" }).fill("Search the session");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("searchbox", { name: "Search the session" })).toBeFocused();
    await place.fill("7");
    await place.press("Enter");
  });

  await test.step("subagents are lanes of the waterfall, images are small until they are clicked", async () => {
    await page.getByRole("radiogroup", { name: "View of the session" }).getByRole("radio", { name: "Trace" }).click();
    const lanes = page.getByRole("listbox", { name: "The session over time" });
    await expect(lanes.getByRole("option", { name: /Subagent/ })).toBeVisible();
    await expect(lanes.getByRole("option", { name: /Grep straw/ })).toBeVisible();
    await expectAccessible(page, "the waterfall");
    await page.getByRole("radiogroup", { name: "View of the session" }).getByRole("radio", { name: "Chat" }).click();
    await page
      .getByRole("button", { name: /image\/png.*enlarge/ })
      .first()
      .click();
    await expect(page.getByRole("dialog", { name: "Image" })).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("it says what the file tells, and shows its bytes", async () => {
    const shown = page.getByRole("radiogroup", { name: "What is shown" });
    await shown.getByRole("radio", { name: "Original" }).click();
    await expect(page.locator(".event-view")).toContainText('"type":"assistant"');
    await expect(page.locator(".original-place")).toContainText("line 4");
    await shown.getByRole("radio", { name: "About" }).click();
    await expect(page.locator(".provenance")).toContainText("Claude Code");
    await expect(page.locator(".import-warnings")).toContainText(/line \d+ · byte \d+/);
    await expectAccessible(page, "where an import comes from");
  });

  await test.step("it is exported in formats of others", async () => {
    for (const [format, words] of [
      ["ATIF (.json)", '"schema_version"'],
      ["Markdown (.md)", "needle"],
      ["Page (.html)", "<!doctype html>"],
    ] as const) {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: format }).click();
      expect(await readFile(await (await download).path(), "utf8")).toContain(words);
    }
  });
});
