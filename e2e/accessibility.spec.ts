import { expectAccessible } from "./axe";
import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import type { Page } from "@playwright/test";
import { expect, test } from "./playground";

async function searchForNothing(page: Page, key: "k" | "p"): Promise<void> {
  await page.keyboard.press(`ControlOrMeta+${key}`);
  await page.getByRole("dialog").getByRole("combobox").fill("nothing is called this");
}

test("axe finds nothing serious while the sample is run and looked at", async ({ playground, page }) => {
  await playground.openSample();
  await expect(page.locator(".monaco-editor").first()).toBeVisible();
  await expectAccessible(page, "after the first run");

  await playground.calls(/StrReplace \/repo\/src\/createStore\.ts/).click();
  await expect(page.locator(".call-details")).toBeVisible();
  await expectAccessible(page, "an opened call");
  await page.getByRole("radiogroup", { name: "View of the document" }).getByRole("radio", { name: "Changes" }).check();
  await expect(page.locator(".monaco-diff-editor .line-insert").first()).toBeVisible();
  await expectAccessible(page, "the changes of a file");
  await playground.view("Trace");
  await expect(page.getByRole("list", { name: "Steps and calls over time" })).toBeVisible();
  await expectAccessible(page, "the trace");
  await playground.view("Raw");
  await expect(page.getByRole("list", { name: "Events" })).toContainText("turn.completed");
  await expectAccessible(page, "the raw log");

  await playground.view("Chat");
  await playground.answers().last().hover();
  await page.getByRole("button", { name: "what the model saw ›" }).last().click();
  await expect(
    page.getByRole("dialog", { name: "What the model saw" }).getByText("instructions").first(),
  ).toBeVisible();
  await expectAccessible(page, "what the model saw");
});

test("axe finds nothing serious in menus and dialogs", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await expectAccessible(page, "an empty project");
  const menus = [
    ["the project menu", () => page.getByRole("banner").locator(".project-trigger").click(), "menu"],
    ["the tools menu", () => page.getByRole("button", { name: /^Tools/ }).click(), "menu"],
    ["the theme menu", () => page.getByRole("button", { name: "Theme" }).click(), "menu"],
    ["the menu of files", () => page.getByRole("button", { name: "New, upload, download" }).click(), "menu"],
    ["the menu of a mount", () => page.getByRole("button", { name: "More for /work", exact: true }).click(), "menu"],
    ["the menu of a row", () => playground.files.row("/work").click({ button: "right" }), "menu"],
    ["the mount dialog", () => page.getByRole("button", { name: "+ Add" }).click(), "dialog"],
    ["the keys", () => page.getByRole("button", { name: "Keys" }).click(), "dialog"],
    ["the palette", () => page.keyboard.press("ControlOrMeta+k"), "dialog"],
    ["go to file", () => page.keyboard.press("ControlOrMeta+p"), "dialog"],
    ["a file that is not found", () => searchForNothing(page, "p"), "dialog"],
    ["a command that is not found", () => searchForNothing(page, "k"), "dialog"],
    ["the list of sessions", () => page.locator(".session-header .session-title").click(), "dialog"],
  ] as const;
  for (const [what, open, role] of menus) {
    await open();
    await expect(page.getByRole(role)).toBeVisible();
    await expectAccessible(page, what);
    await page.keyboard.press("Escape");
    await expect(page.getByRole(role)).toHaveCount(0);
  }

  await using server = await ModelServer.start({ answers: [] });
  const model = new ModelMenu(page);
  await model.chooseServer(server.baseUrl);
  await expectAccessible(page, "the model menu");
  await model.close();
  await playground.files.chooseFromRow("/work", "New file…");
  await playground.files.nameEntry("..");
  await expect(playground.files.tree.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "a refused name");
});

test("axe finds nothing serious where a write asks, and on a narrow screen", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await page.getByRole("button", { name: "writes run at once" }).click();
  await page.getByRole("menuitemradio", { name: /Every write asks/ }).click();
  await playground.send("Create /work/a.txt with hello");
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeVisible();
  await expectAccessible(page, "an approval");
  await page.setViewportSize({ width: 700, height: 900 });
  await expect(page.getByRole("radiogroup", { name: "Column" })).toBeVisible();
  await expectAccessible(page, "narrow: the session");
  await page.getByRole("radiogroup", { name: "Column" }).getByRole("radio", { name: "Files" }).check();
  await expectAccessible(page, "narrow: the files");
});

test("axe finds nothing serious in a replay and in a comparison", async ({ playground, page }) => {
  await playground.openSample();
  await playground.switchTo("Replay");
  await expect(page.getByRole("heading", { name: "Saved sessions" })).toBeVisible();
  await expectAccessible(page, "before a session is chosen");
  await page.getByRole("button", { name: /^Find the TODOs/ }).click();
  await expect(page.getByRole("button", { name: "Next step" })).toBeVisible();
  await expectAccessible(page, "at the end of a session");
  await page.keyboard.press("[");
  await expectAccessible(page, "a step before the end");

  await playground.switchTo("Compare");
  await expect(page.getByRole("textbox", { name: "Instructions of A" })).toBeVisible();
  await expectAccessible(page, "before it runs");
  await page.getByRole("button", { name: "Prompts and repeats…" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "its plan");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run both" }).click();
  await expect(page.getByText("The comparison runs.")).toBeAttached();
  await expect(page.getByText("The comparison is at rest.")).toBeAttached({ timeout: 40_000 });
  await expectAccessible(page, "after it ran");
});
