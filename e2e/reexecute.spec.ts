import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, test, type Playground } from "./playground";

/** What runs recorded calls again, and their report. */
class RunAgain {
  readonly page: Page;
  readonly panel;
  readonly title;
  readonly rows;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole("region", { name: "Run again" });
    this.title = this.panel.getByRole("heading", { level: 3 });
    this.rows = this.panel.getByRole("listbox", { name: "Calls" }).getByRole("option");
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "Run again…" }).click();
    await expect(this.panel.getByRole("group", { name: "Starting tree" })).toBeVisible();
  }

  async run(start: RegExp): Promise<void> {
    await this.panel.getByRole("radio", { name: start }).check();
    await this.panel.getByRole("button", { name: /^Run \d+ calls? again$/ }).click();
    await expect(this.title).toBeVisible({ timeout: 60_000 });
  }

  report(label: "Compare with a report…" | "Open a report…", path: string): Promise<void> {
    return this.panel.locator(`input[aria-label="${label}"]`).setInputFiles(path);
  }

  async save(): Promise<string> {
    const download = this.page.waitForEvent("download");
    await this.panel.getByRole("button", { name: "Save report" }).click();
    return await (await download).path();
  }
}

async function showLatest(playground: Playground): Promise<void> {
  await playground.switchTo("Replay");
  const list = playground.page.locator(".replay-start .session-list-row");
  await list.getByRole("button").first().click();
  await expect(playground.page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
}

test("a session recorded here comes to the same on its own files, and its fork goes on on a copy of them", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject("Again");
  await playground.run('Create /work/plan.md with "alpha beta" and read /work/plan.md');
  await playground.run('Replace "beta" with "gamma" in /work/plan.md, then read /work/none.md');
  await showLatest(playground);
  const again = new RunAgain(page);
  await again.open();
  await expectAccessible(page, "the choices of a re-execution");
  await again.run(/^The files it was recorded on/);
  await expect(again.title).toHaveText(/^\d+ calls: no divergence, all came to the same$/);
  const before = await again.save();
  expect(JSON.parse(await readFile(before, "utf8"))).toMatchObject({ format: "rootscope.divergence", roots: [] });

  await test.step("today's mounts hold something else: the first divergence is named, and reports are compared", async () => {
    await again.panel.getByRole("button", { name: "Other choices" }).click();
    await again.run(/^Today’s mounts/);
    await expect(again.title).toContainText("of its own");
    await expect(again.panel.getByText(/^First divergence/)).toContainText("#1 Glob plan.md at /files/0");
    await again.report("Compare with a report…", before);
    await expect(again.panel.getByRole("region", { name: /^Against / })).toContainText("equal → ");
    await again.panel
      .getByRole("radio", { name: /^differs|^status differs/ })
      .first()
      .check();
    await again.rows.first().click();
    await expect(again.panel.getByText("Recorded", { exact: true }).first()).toBeVisible();
    await expectAccessible(page, "a report with divergences");
  });

  await test.step("a saved report is opened, and a row goes to its event", async () => {
    await again.report("Open a report…", before);
    await expect(again.title).toContainText("no divergence");
    await again.rows.first().click();
    await again.panel.getByRole("button", { name: /^Go to event/ }).click();
    await expect(again.panel).toBeHidden();
  });

  await test.step("an edited result goes on as a new session", async () => {
    await page.getByRole("button", { name: "Fork from here…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Fork from event/ });
    await expectAccessible(page, "the form of a fork");
    await dialog.getByRole("textbox", { name: "What it was instead" }).fill('{"path":"/work/plan.md","edited":true}');
    await dialog.getByRole("radio", { name: /^The recording, then the model/ }).check();
    await dialog.getByRole("button", { name: "Fork and go on" }).click();
    await expect(playground.mode("Run")).toBeChecked();
    await expect(page.getByText(/^Forked from/)).toContainText("with another tool result");
    await expect(playground.notice(/^The recording answered 0 steps/)).toBeVisible();
    await playground.waitForRunToEnd();
    await playground.run('Create /work/fork.md with "only here"');
    await expect(playground.calls(/^ok Write \/work\/fork\.md/)).toBeVisible();
    await expect(playground.files.row("/work/fork.md")).toBeHidden();
    await expectAccessible(page, "a forked session");
    await page
      .getByText(/^Forked from/)
      .getByRole("button")
      .click();
    await expect(playground.mode("Replay")).toBeChecked();
  });
});

const REPO = "/home/dev/shop";

/** A log as Claude Code writes it: a file is read, edited, and read again as something else than the edit made of it. */
function claudeCodeLog(): string {
  const source = "export const price = 3;\nexport const tax = 0.2;\n";
  const numbered = (text: string) =>
    text
      .split("\n")
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join("\n");
  const lines: object[] = [];
  let last: string | null = null;
  const add = (type: "user" | "assistant", message: object, more: object = {}) => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, lines.length)).toISOString();
    const about = { sessionId: "5f0c0000-0000-4000-8000-000000000000", cwd: REPO, version: "2.0.1", gitBranch: "main" };
    lines.push({
      type,
      uuid,
      parentUuid: last,
      timestamp,
      isSidechain: false,
      userType: "external",
      ...about,
      message,
      ...more,
    });
    last = uuid;
  };
  const call = (id: string, name: string, input: object) =>
    add("assistant", {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [{ type: "tool_use", id, name, input }],
      stop_reason: "tool_use",
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  const result = (id: string, content: string) =>
    add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
  add("user", { role: "user", content: "Raise the price" });
  call("toolu_1", "Read", { file_path: `${REPO}/price.ts` });
  result("toolu_1", numbered(source));
  call("toolu_2", "Bash", { command: "cat price.ts", description: "Show the file" });
  result("toolu_2", source.trimEnd());
  call("toolu_3", "Edit", { file_path: `${REPO}/price.ts`, old_string: "price = 3", new_string: "price = 4" });
  result("toolu_3", `The file ${REPO}/price.ts has been updated.`);
  call("toolu_4", "Read", { file_path: `${REPO}/price.ts` });
  result("toolu_4", numbered(source.replace("price = 3", "price = 5")));
  call("toolu_5", "Bash", { command: "npm test", description: "Run the tests" });
  result("toolu_5", "1 passed");
  add("assistant", {
    id: "msg_end",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "The price is raised." }],
    stop_reason: "end_turn",
    usage: { input_tokens: 12, output_tokens: 6 },
  });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

test("a session of Claude Code runs again on a tree inferred from it, and is forked with another file", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject("Foreign");
  await playground.switchTo("Replay");
  await page
    .locator('.import-box input[type="file"]')
    .first()
    .setInputFiles({ name: "claude.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(claudeCodeLog()) });
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible({ timeout: 30_000 });
  const again = new RunAgain(page);
  await again.open();
  await expect(again.panel.getByRole("radio", { name: /^The files it was recorded on/ })).toBeDisabled();
  await again.panel.getByRole("radio", { name: /^Inferred from the recording/ }).check();
  await expect(again.panel.getByText("1 file, each marked inferred")).toBeVisible();
  await again.run(/^Inferred from the recording/);
  await expect(again.rows).toHaveText([
    /#1equal after normalisationRead/,
    /#2equal(?: after normalisation)?Bash/,
    /#3equal(?: after normalisation)?Edit/,
    /#4differsRead/,
    /#5not runBash/,
  ]);
  await expect(again.panel.getByText(/^First divergence/)).toContainText(`${REPO}/price.ts`);
  await again.rows.nth(3).click();
  await expect(again.panel.getByRole("group", { name: "Difference" })).toContainText("price = 5");

  await again.panel.getByRole("button", { name: "Back to the steps" }).click();
  await page.getByRole("button", { name: "Fork from here…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Fork from event/ });
  await expect(dialog.getByRole("radio", { name: /^The recording, then the model/ })).toBeDisabled();
  await dialog.getByRole("radio", { name: "File", exact: true }).check();
  await dialog
    .getByRole("textbox", { name: "Path" })
    .or(dialog.getByRole("combobox", { name: "Path" }))
    .fill(`${REPO}/price.ts`);
  await expect(dialog.getByRole("textbox", { name: "What it holds instead" })).toHaveValue(/price = 4/);
  await dialog.getByRole("textbox", { name: "What it holds instead" }).fill("export const price = 9;\n");
  await dialog.getByRole("button", { name: "Fork and go on" }).click();
  await expect(page.getByText(/^Forked from/)).toContainText("with another file");
  await playground.run(`Read ${REPO}/price.ts`);
  await expect(playground.calls(/^ok Read/).last()).toBeVisible();
});
