import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Locator, TestInfo } from "@playwright/test";
import { longTasksBetween, watchLongTasks } from "./longTasks";
import { expect, test, type Playground } from "./playground";
import { eventsFromLog, type LoggedEvent } from "./sessionLog";
import { storedText } from "./storedText";

/** The source of a real package as the registry publishes it: 332 files. */
const PACKAGE = fileURLToPath(new URL("../node_modules/zod/src", import.meta.url));
const FILES = 332;
const TODO = "  // TODO: Implement type narrowing for superRefine\n";
const TODO_FILE = "v4/classic/tests/refine.test.ts";
const PROMPT =
  "Find the TODOs in /zod/src/v4/classic, fix the one about type narrowing, and note it in the changelog. " +
  "Then rename flattenError to flattenIssues in /zod/src/v4";

// Recording a trace would make long tasks of its own.
test.use({ trace: "off" });

test("the source of a real package is searched, read and changed while a person types, kept, replayed and compared", async ({
  playground,
  page,
}, testInfo) => {
  test.slow();
  await watchLongTasks(page);
  await playground.openEmptyProject("Real input");

  await test.step("the package goes into a mount of its own", async () => {
    await playground.files.addMount("/zod", "IndexedDB");
    await playground.files.row("/zod").click();
    await playground.files.uploadFolder(PACKAGE);
    await expect(playground.notice(`Imported ${FILES} files`)).toBeVisible({ timeout: 30_000 });
    await expect(playground.files.mount("/zod")).toContainText(`${FILES} files`);
  });

  const log = await test.step("a run finds, reads and edits while a person types", async () => {
    await openScratch(playground);
    await playground.begin(PROMPT);
    const follow = "Typed while the agent runs: nothing of it may be lost.";
    await playground.message.focus();
    await page.keyboard.type(follow, { delay: 8 });
    await expect(playground.message).toHaveValue(follow);
    await page.getByRole("textbox", { name: "/notes/scratch.md" }).focus();
    await page.keyboard.type("written beside the run", { delay: 8 });
    await expect(page.getByText("The agent is running.")).toBeAttached();
    await playground.waitForRunToEnd();
    await expect(page.locator(".monaco-editor .view-lines").last()).toHaveText("written beside the run");
    await expect(playground.message).toHaveValue(follow);
    await expect(playground.calls(/^ok StrReplace \/zod\/src\/v4\/classic\/tests\/refine\.test\.ts/)).toBeVisible();
    const events = await eventsFromLog((await playground.saveSession("Find the TODOs", "ndjson")).path);
    await reportLongTasks(playground, testInfo, events);
    return events;
  });

  const changed = changedPaths(log);
  expect(changed).toContain(`/zod/src/${TODO_FILE}`);
  expect(changed.length).toBeGreaterThanOrEqual(5);

  await test.step("after a reload the new texts are in IndexedDB and the session is there with every event", async () => {
    await page.reload();
    await expect(playground.files.mount("/zod")).toContainText(/33[2-4] files/);
    const stored = await storedText(page);
    const before = await readFile(`${PACKAGE}/${TODO_FILE}`, "utf8");
    expect(before).toContain(TODO);
    expect(stored).toContain(before.replace(TODO, ""));
    const errors = await readFile(`${PACKAGE}/v4/core/errors.ts`, "utf8");
    expect(stored).toContain(errors.replaceAll(/\bflattenError\b/g, "flattenIssues"));

    await playground.files.expand("/zod", "/zod/src", "/zod/src/v4", "/zod/src/v4/core");
    await playground.files.row("/zod/src/v4/core/errors.ts").click();
    await page.getByRole("textbox", { name: "/zod/src/v4/core/errors.ts" }).focus();
    await page.keyboard.press("ControlOrMeta+f");
    await page.keyboard.type("function flattenIssues");
    await expect(page.locator(".find-widget.visible .matchesCount")).toHaveText(/^1 of [1-9]/);
    await page.keyboard.press("Escape");

    const list = await playground.openSessions();
    await expect(list.locator(".session-list-row")).toHaveText([new RegExp(`${log.length} events`)]);
    await page.keyboard.press("Escape");
    const again = await eventsFromLog((await playground.saveSession("Find the TODOs", "ndjson")).path);
    expect(again).toEqual(log);
  });

  await test.step("Replay shows the tree as it was before and after an edit", () => replayEdit(playground, log));
  await test.step("Compare runs two instructions on forks of it", () => compareTwo(playground));
});

/** Opens a file of its own in the editor, and waits until it takes keys. */
async function openScratch(playground: Playground): Promise<void> {
  await playground.files.row("/notes").click();
  await playground.files.chooseFromFiles("New file…");
  await playground.files.nameEntry("scratch.md");
  const { page } = playground;
  await expect(async () => {
    await page.getByRole("textbox", { name: "/notes/scratch.md" }).focus();
    await page.keyboard.type("x");
    await expect(page.locator(".monaco-editor .view-lines").last()).toHaveText("x", { timeout: 500 });
  }).toPass();
  await page.keyboard.press("Backspace");
}

/** Counted, not judged: how long a task takes is the machine's business. */
async function reportLongTasks(
  { page }: Playground,
  testInfo: TestInfo,
  events: readonly LoggedEvent[],
): Promise<void> {
  const at = (event: LoggedEvent | undefined) => Date.parse(event?.meta.at ?? "");
  const [from, until] = [at(events.find(({ type }) => type === "turn.started")), at(events.at(-1))];
  const tasks = await longTasksBetween(page, from, until);
  const words =
    `${tasks.length} tasks over 50 ms while ${events.length} events came in ${until - from} ms` +
    (tasks.length === 0 ? "" : `, ms: ${tasks.map(({ durationMs }) => Math.round(durationMs)).join(", ")}`);
  console.log(words);
  testInfo.annotations.push({ type: "long tasks", description: words });
  const body = JSON.stringify({ fromMs: from, untilMs: until, events: events.length, tasks }, undefined, 2);
  await testInfo.attach("long-tasks.json", { body, contentType: "application/json" });
}

async function replayEdit(playground: Playground, log: readonly LoggedEvent[]): Promise<void> {
  const { page } = playground;
  const edit = log.findIndex((event) => changedPaths([event]).includes(`/zod/src/${TODO_FILE}`));
  await playground.switchTo("Replay");
  await page.getByRole("button", { name: /^Find the TODOs.*events/ }).click();
  const place = page.getByRole("slider", { name: "Place in the session" });
  await expect(place).toHaveAttribute("max", String(log.length));

  const tree = page.getByRole("tree", { name: "Files at this point" });
  const row = (path: string) => tree.locator(`[role="treeitem"][data-path=${JSON.stringify(path)}]`);
  const parents = ["/zod", "/zod/src", "/zod/src/v4", "/zod/src/v4/classic", "/zod/src/v4/classic/tests"];
  await place.fill(String(edit));
  for (const path of parents) {
    await scrollTo(tree, row(path));
    if ((await row(path).getAttribute("aria-expanded")) === "false") await row(path).click();
    await expect(row(path)).toHaveAttribute("aria-expanded", "true");
  }
  const file = row(`/zod/src/${TODO_FILE}`);
  await scrollTo(tree, file);
  await file.click();
  await expect(place).toHaveValue(String(edit));
  await expect(page.locator(".file-tools")).toContainText("as at the start");
  await expect(file).not.toContainText("modified");

  await place.focus();
  await page.keyboard.press("ArrowRight");
  await expect(place).toHaveValue(String(edit + 1));
  await expect(file).toContainText("modified");
  await expect(page.locator(".file-changes")).toContainText("TODO: Implement type narrowing for superRefine");
  await page.keyboard.press("[");
  await expect(file).not.toContainText("modified");
  await page.keyboard.press("]");
  await expect(file).toContainText("modified");
  await place.fill("0");
  await expect(page.getByText("Nothing has been said yet at this point.")).toBeVisible();
  await place.fill(String(log.length));
  await expect(playground.calls(/StrReplace \/zod\/src\/v4\/classic\/tests\/refine\.test\.ts/)).toBeVisible();
}

/** Only rows in view are on the page: goes through the list from its top until the row is. */
async function scrollTo(list: Locator, row: Locator): Promise<void> {
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(async () => {
    if (await row.isVisible()) return;
    await list.evaluate((element) => element.scrollBy({ top: element.clientHeight / 2 }));
    await expect(row).toBeVisible({ timeout: 250 });
  }).toPass();
}

async function compareTwo(playground: Playground): Promise<void> {
  const { page } = playground;
  await playground.switchTo("Compare");
  await page.getByRole("button", { name: "Prompts and repeats…" }).click();
  await page.getByRole("textbox", { name: "Prompt 1" }).fill("Rename treeifyError to errorTree in /zod/src/v4/core");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("textbox", { name: "Instructions of A" }).fill("Search with Grep before you read.\n");
  await page.getByRole("textbox", { name: "Instructions of B" }).fill("Never write. Answer in one short paragraph.\n");
  const start = page.getByRole("region", { name: "Next run" }).getByText(/^tree [0-9a-f]{6}/);
  const treeBefore = await start.textContent();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("2 of 2 done")).toBeVisible({ timeout: 60_000 });

  await expect(page.getByRole("region", { name: "Arm A" })).toContainText(/done · \d+ calls/);
  await expect(page.getByRole("region", { name: "Arm B" })).toContainText(/done · \d+ calls?/);
  const lines = page.getByRole("list", { name: "Calls of both arms" });
  await expect(lines.getByRole("button", { name: /^ok StrReplace .*only in A/ }).first()).toBeVisible();
  const figures = page.getByRole("region", { name: "Figures" });
  await expect(figures.getByRole("row", { name: /calls/i }).first()).toBeVisible();
  const files = page.getByRole("region", { name: "Files" });
  const errors = files.getByRole("button", { name: /\/zod\/src\/v4\/core\/errors\.ts differs/ });
  await expect(errors).toContainText("A: modified");
  await expect(errors).toContainText("B: unchanged");
  await errors.click();
  await expect(files.locator(".file-difference")).toContainText("errorTree");

  // The arms had forks: the files themselves are as they were.
  await expect(start).toHaveText(treeBefore ?? "");
  expect((await storedText(page)).includes("export function errorTree")).toBe(true);
  await playground.switchTo("Run");
  const list = await playground.openSessions();
  const runs = list.locator(".session-list-row").filter({ hasText: "from a comparison" });
  await expect(runs).toHaveCount(0);
  await list.getByRole("button", { name: /^Comparison on .*2 runs$/ }).click();
  await expect(runs).toHaveCount(2);
}

function changedPaths(events: readonly LoggedEvent[]): string[] {
  const results = events.filter(({ type }) => type === "action.result");
  return results.flatMap(({ data }) =>
    ((data["changes"] as { path: string }[] | undefined) ?? []).map(({ path }) => path),
  );
}
