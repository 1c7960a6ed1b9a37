import type { Browser } from "@playwright/test";
import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import { expect, Playground, test } from "./playground";
import { eventsFromLog } from "./sessionLog";

const FIRST = 'Create /work/plan.md with "alpha beta" and create /work/old.md with "gone soon"';
const SECOND = 'Replace "beta" with "gamma" in /work/plan.md, then delete /work/old.md and read /work/none.md';

test("a session saved as .ndjson and as .zip is the same session in another browser", async ({
  playground,
  page,
  browser,
}) => {
  await playground.openEmptyProject("Saving");
  await playground.run(FIRST);
  await page.getByRole("button", { name: "New session" }).click();
  await playground.run(SECOND);
  const said = await conversationOf(playground);
  expect(said.join("\n")).toContain("ok StrReplace /work/plan.md");

  for (const format of ["ndjson", "zip"] as const) {
    await test.step(format, async () => {
      const saved = await playground.saveSession(SECOND.slice(0, 20), format);
      const log = await eventsFromLog((await playground.saveSession(SECOND.slice(0, 20), "ndjson")).path);
      await using elsewhere = await newcomer(browser);
      const other = elsewhere.playground;
      await importSession(other, saved.path);
      await expect(other.notice(new RegExp(`Imported .*: ${log.length} events`))).toBeVisible();
      await expect(other.mode("Replay")).toBeChecked();
      await expect(other.page.getByRole("slider", { name: "Place in the session" })).toHaveAttribute(
        "max",
        String(log.length),
      );
      await other.switchTo("Run");
      const list = await other.openSessions();
      await expect(list.locator(".session-list-row")).toHaveCount(1);
      await expect(list.locator(".session-list-row")).toContainText("imported");
      await list.getByRole("button", { name: new RegExp(`^Replace .*${log.length} events`) }).click();
      await expect(other.said(SECOND)).toBeVisible();
      expect(await conversationOf(other)).toEqual(said);
      const again = await eventsFromLog((await other.saveSession(SECOND.slice(0, 20), "ndjson")).path);
      expect(again).toEqual(log);
      expect(other.complaints).toEqual([]);
    });
  }
});

test("sessions are searched, renamed, deleted and brought back", async ({ playground, page }) => {
  await playground.openEmptyProject("Many sessions");
  await playground.run("List /work");
  await page.getByRole("button", { name: "New session" }).click();
  await playground.run("List /notes");

  const list = await playground.openSessions();
  const rows = list.locator(".session-list-row");
  const search = list.getByRole("searchbox", { name: "Search sessions" });
  await expect(rows).toHaveCount(2);
  await search.fill("NOTES list");
  await expect(rows).toHaveText([/List \/notes/]);
  await search.fill("nothing of the kind");
  await expect(list.getByText("No session has “nothing of the kind” in it.")).toBeVisible();
  await search.fill("");

  await list.getByRole("button", { name: "More for List /work" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await list.getByRole("textbox", { name: "Name of the session" }).fill("What there is");
  await page.keyboard.press("Enter");
  await expect(rows.filter({ hasText: "What there is" })).toHaveCount(1);

  await list.getByRole("button", { name: "More for What there is" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(rows).toHaveText([/List \/notes/]);
  await playground.notice("Session deleted").getByRole("button", { name: "Undo" }).click();
  await playground.openSessions();
  await expect(rows).toHaveCount(2);

  await page.reload();
  await playground.openSessions();
  await expect(rows.filter({ hasText: "What there is" })).toHaveCount(1);
  await rows.filter({ hasText: "What there is" }).locator(".session-list-open").click();
  await expect(playground.said("List /work")).toBeVisible();
});

test("what the model saw is told part by part, with its owners", async ({ playground, page }) => {
  await playground.openEmptyProject("What it saw");
  await playground.run('Create /work/a.md with "one", then read /work/a.md');
  await playground.answers().last().getByRole("button", { name: "what the model saw" }).click();
  const dialog = page.getByRole("dialog", { name: "What the model saw" });
  await expect(dialog).toContainText("demo-planner");
  const parts = dialog.locator(".saw-part-head");
  for (const owner of ["instructions", "identity", "brief", "history", "tools"])
    await expect(parts.filter({ hasText: new RegExp(`^\\s*${owner}`) }).first()).toBeVisible();
  await parts.filter({ hasText: /^\s*instructions/ }).click();
  await expect(dialog.locator(".saw-text")).toContainText("You work on the files you are given.");
  await dialog.getByRole("radio", { name: "New since the step before" }).check();
  await expect(dialog).toContainText(/\d+ new, \d+ changed, 0 no longer sent, \d+ as in turn 1, step \d+\./);
  await dialog.getByRole("radio", { name: "Exact request" }).check();
  await expect(dialog).toContainText('"prompt"');
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("chat, trace and the raw log are read by keyboard alone", async ({ playground, page }) => {
  await playground.openEmptyProject("By keyboard");
  await playground.run('Create /work/a.md with "one", then read /work/a.md');

  const view = page.getByRole("radiogroup", { name: "View of the session" });
  await view.getByRole("radio", { name: "Chat" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(view.getByRole("radio", { name: "Trace" })).toBeChecked();
  const trace = page.getByRole("list", { name: "Steps and calls over time" });
  await expect(trace.getByRole("button", { name: /Write/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(trace.getByRole("button").first()).toBeFocused();
  await pressUntil(playground, "j", trace.getByRole("button", { name: /Write/ }));
  await page.keyboard.press("Enter");
  await expect(trace.getByRole("button", { name: /Write/ })).toHaveAttribute("aria-expanded", "true");
  await expect(trace).toContainText("Arguments");
  await page.keyboard.press("Enter");
  await page.keyboard.press("k");
  await expect(trace.getByRole("button", { name: /Write/ })).not.toBeFocused();
  await expect(trace.getByRole("button").and(page.locator(":focus"))).toHaveCount(1);

  await view.getByRole("radio", { name: "Trace" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(view.getByRole("radio", { name: "Raw" })).toBeChecked();
  const raw = page.getByRole("list", { name: "Events" });
  await expect(raw.getByRole("button").last()).toContainText("session.waiting");
  await raw.getByRole("button").last().focus();
  await page.keyboard.press("Home");
  const first = raw.getByRole("button", { name: /^1.*session\.started/ });
  await expect(first).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(raw).toContainText('"type": "session.started"');
  await page.keyboard.press("Enter");
  await page.getByLabel("Type").selectOption({ label: "action.result, 3" });
  await expect(raw.getByRole("button")).toHaveCount(3);
});

/** Every row of the chat as it reads, folded rows opened, times left out. */
async function conversationOf(playground: Playground): Promise<string[]> {
  const rows = playground.conversation.getByRole("listitem");
  const texts = await rows.allInnerTexts();
  return texts.map((text) =>
    text
      .replaceAll(/[\d.,]+ m?s\b/g, "")
      .replaceAll(/send again ›|[·`]/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

async function pressUntil(
  playground: Playground,
  key: string,
  focused: ReturnType<Playground["calls"]>,
): Promise<void> {
  await expect(async () => {
    if (await focused.evaluate((element) => element === document.activeElement)) return;
    await playground.page.keyboard.press(key);
    await expect(focused).toBeFocused({ timeout: 250 });
  }).toPass();
}

/** Someone who has been here before, in a browser that holds nothing else. */
async function newcomer(browser: Browser): Promise<AsyncDisposable & { readonly playground: Playground }> {
  const context = await browser.newContext();
  const playground = new Playground(await context.newPage());
  await playground.openEmptyProject("Elsewhere");
  return { playground, [Symbol.asyncDispose]: () => context.close() };
}

async function importSession(playground: Playground, path: string): Promise<void> {
  const list = await playground.openSessions();
  const chooser = playground.page.waitForEvent("filechooser");
  await list.getByRole("button", { name: "Import a session…" }).click();
  await (await chooser).setFiles(path);
}

test("what is closed gives the focus back to what opened it", async ({ playground, page }) => {
  await playground.openSample();
  const door = page.getByRole("button", { name: "what the model saw ›" }).last();
  await door.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(door).toBeFocused();

  const said = page.getByRole("article", { name: "You said" }).first();
  await said.hover();
  await said.getByRole("button", { name: "send again ›" }).click();
  await said.getByRole("button", { name: "Cancel" }).click();
  await expect(said).toBeFocused();
});

test("no message is sent while no model is named, and the menu that names one is a press away", async ({
  playground,
  page,
}) => {
  await using server = await ModelServer.start({ answers: [] });
  await playground.openEmptyProject("No model");
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl, "");
  await menu.close();
  await playground.send("List /work");
  await expect(playground.notice("no model is named")).toBeVisible();
  await expect(playground.message).toHaveValue("List /work");
  await expect(playground.said("List /work")).toHaveCount(0);
  await playground.notice("no model is named").getByRole("button", { name: "Choose a model" }).click();
  await expect(page.getByRole("radiogroup", { name: "Model that answers" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("radiogroup", { name: "Model that answers" })).toBeHidden();
});
