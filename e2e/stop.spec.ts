import type { Page } from "@playwright/test";
import { givenFile } from "./filesColumn";
import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import { expect, test, type Playground } from "./playground";

test("Esc stops in mid-stream, and what was said so far stays", async ({ playground, page }) => {
  await using server = await ModelServer.start({
    answers: [
      async (stream) => {
        stream.say("The first half of a long answer");
        await stream.gone;
      },
    ],
  });
  await playground.openEmptyProject("Stopping");
  await findInEditor(playground);
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();

  await playground.begin("Tell me a long story");
  await expect(playground.answers("The first half of a long answer")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("The run ended: turn interrupted.")).toBeAttached();
  await expect(playground.answers("The first half of a long answer")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0);

  await page.reload();
  await expect(playground.answers("The first half of a long answer")).toBeVisible();
});

test("a follow-up interrupts the run and is answered with all that went before", async ({ playground, page }) => {
  await using server = await ModelServer.start({
    answers: [
      (stream) => {
        stream.call("Write", { path: "/notes/a.md", contents: "one\n" });
        stream.end();
      },
      async (stream) => {
        stream.say("Half of a");
        await stream.gone;
      },
      (stream) => {
        stream.say("The second answer");
        stream.end();
      },
    ],
  });
  await playground.openEmptyProject("Follow-up");
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();

  await playground.begin("First of all");
  await expect(playground.answers("Half of a")).toBeVisible();
  await playground.run("Something else instead");
  await expect(playground.answers("The second answer")).toBeVisible();
  await expect(playground.calls(/^ok Write \/notes\/a\.md/)).toHaveCount(1);

  expect(server.requests).toHaveLength(3);
  const messages = server.requests[2]?.body.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(
    expect.arrayContaining(["system", "user", "assistant", "tool", "assistant", "user"]),
  );
  expect(JSON.stringify(messages)).toContain("First of all");
  expect(JSON.stringify(messages.at(-1))).toContain("Something else instead");
});

test.describe("when every write asks", () => {
  test("a write is approved, one is changed and approved, one is denied with words", async ({ playground, page }) => {
    await playground.openEmptyProject("Three writes");
    await askBeforeWrites(page);
    await playground.begin(
      'Create /notes/a.md with "one", create /notes/b.md with "two" and create /notes/c.md with "three"',
    );

    const first = page.getByRole("region", { name: "Write /notes/a.md waits for you" });
    await expect(first).toContainText("one");
    // Nothing is being typed: the question takes the focus, and after an answer the next one does.
    await expect(first).toBeFocused();
    await page.keyboard.press("a");
    await expect(playground.calls(/^ok Write \/notes\/a\.md/)).toBeVisible();

    const second = page.getByRole("region", { name: "Write /notes/b.md waits for you" });
    await expect(second).toBeFocused();
    await page.keyboard.press("e");
    await second.getByLabel("fileText").fill("changed by hand");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(playground.calls(/^ok Write \/notes\/b\.md/)).toBeVisible();

    const third = page.getByRole("region", { name: "Write /notes/c.md waits for you" });
    await expect(third).toBeFocused();
    await third.getByLabel("Why not, told to the model").fill("not now, please");
    await page.keyboard.press("Enter");
    await playground.waitForRunToEnd();
    await expect(playground.calls(/^denied Write \/notes\/c\.md/)).toBeVisible();
    await expect(playground.answers("not now, please")).toBeVisible();

    await playground.run("Read /notes/a.md and /notes/b.md");
    await expect(playground.answers("changed by hand")).toBeVisible();
    await expect(playground.row("c.md")).toHaveCount(0);
  });

  test("Esc ends the turn that waits, and a follow-up does too: nobody denied anything", async ({
    playground,
    page,
  }) => {
    await playground.openEmptyProject("Waiting");
    await askBeforeWrites(page);
    await playground.begin('Create /notes/a.md with "one"');
    const card = page.getByRole("region", { name: "Write /notes/a.md waits for you" });
    await expect(card).toBeFocused();
    await expect(page.getByRole("banner")).toContainText("Waiting for you");
    await expect(page.getByRole("contentinfo")).toContainText("The session waits for you");
    await page.keyboard.press("Escape");
    await expect(page.getByText("The run ended: turn interrupted.")).toBeAttached();
    await expect(playground.calls(/^not run Write \/notes\/a\.md/)).toContainText("interrupted");
    await expect(page.getByRole("contentinfo")).toContainText("No run");

    await playground.begin('Create /notes/b.md with "two"');
    await expect(page.getByRole("region", { name: "Write /notes/b.md waits for you" })).toBeVisible();
    await playground.run("List /notes");
    await expect(playground.calls(/^not run Write \/notes\/b\.md/)).toContainText("interrupted");

    await playground.begin('Create /notes/c.md with "three"');
    await page.getByRole("region", { name: "Write /notes/c.md waits for you" }).press("d");
    await expect(playground.calls(/^denied Write \/notes\/c\.md/)).toBeVisible();
  });

  test("a question keeps what was being changed over a reload, and is found from far above", async ({
    playground,
    page,
  }) => {
    await playground.openEmptyProject("Out of sight");
    // So low that a few turns do not fit.
    await page.setViewportSize({ width: 1440, height: 600 });
    for (const name of ["a", "b", "c", "d", "e", "f"]) await playground.run(`Create /notes/${name}.md with "${name}"`);
    await askBeforeWrites(page);
    // A message goes to the end, wherever the conversation was read.
    await playground.conversation.hover();
    await page.mouse.wheel(0, -5_000);
    await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
    await playground.send('Create /work/later.md with "as the agent wants"');
    const card = page.getByRole("region", { name: "Write /work/later.md waits for you" });
    await expect(card).toBeInViewport();
    await expect(card).toBeFocused();

    await card.getByRole("button", { name: "Edit" }).click();
    await card.getByLabel("fileText").fill("as the person wants");
    await playground.conversation.hover();
    await page.mouse.wheel(0, -5_000);
    await page.getByRole("button", { name: "1 call waits for you" }).click();
    await expect(card).toBeInViewport();

    await page.reload();
    await expect(card.getByLabel("fileText")).toHaveValue("as the person wants");
    // The key that runs a message belongs to the form while it is filled in: the draft stays where it is.
    await playground.message.fill("for afterwards");
    await card.getByLabel("fileText").press("ControlOrMeta+Enter");
    await playground.waitForRunToEnd();
    await expect(playground.calls(/^ok Write \/work\/later\.md/)).toBeVisible();
    await expect(playground.message).toHaveValue("for afterwards");
  });

  test("a question survives a reload and is answered after it", async ({ playground, page }) => {
    await playground.openEmptyProject("Approvals later");
    await askBeforeWrites(page);
    await playground.begin('Create /work/later.md with "after the reload"');
    const card = page.getByRole("region", { name: "Write /work/later.md waits for you" });
    await expect(card).toBeVisible();
    await expect(page.getByText("The agent waits for your answer.")).toBeAttached();

    await page.reload();
    await expect(card).toContainText("after the reload");
    await card.getByRole("button", { name: "Approve" }).click();
    await playground.waitForRunToEnd();
    await expect(playground.calls(/^ok Write \/work\/later\.md/)).toBeVisible();
    await expect(page.getByText("every write asks")).toBeVisible();
  });
});

test("a dry run reads, and answers writes with a stand-in", async ({ playground, page }) => {
  await playground.openEmptyProject("Dry run");
  await page.getByRole("button", { name: "dry run", exact: true }).click();
  await playground.run('Create /notes/never.md with "not there"');
  const call = playground.calls(/^not done \(dry run\) Write \/notes\/never\.md/);
  await expect(call).not.toContainText("unknown");
  const tag = page.getByRole("button", { name: "dry run", exact: true });
  await expect(tag).toBeDisabled();
  // The keyboard leads there: a focus that is only given shows no tooltip.
  await page.keyboard.press("Shift");
  await tag.focus();
  await expect(page.getByRole("tooltip")).toContainText("start a new session to change it");
  await expect(playground.row(/never\.md/)).toHaveCount(0);
  await call.click();
  await expect(page.getByText("Output, a dry run's stand-in")).toBeVisible();
});

test("a turn ends at its limit of steps and says so", async ({ playground, page }) => {
  await playground.openEmptyProject("Step limit");
  const limit = page.getByLabel("steps ≤");
  for (const refused of ["-3", "1e9", "3.5", "0", "1001"]) {
    await limit.fill(refused);
    await expect(page.getByRole("alert").filter({ hasText: "not set: write 1 to 1,000, or nothing" })).toBeVisible();
    await expect(limit).toHaveValue(refused);
  }
  await limit.fill("2");
  await expect(page.getByText("not set:")).toHaveCount(0);
  await page.getByLabel("steps ≤").press("Enter");
  await playground.begin('Create /notes/a.md with "one". Then read /notes/a.md. Then append "two" to /notes/a.md');
  await expect(page.getByText("The run ended: The turn reached its limit of 2 steps.")).toBeAttached();
  await expect(page.getByRole("note").filter({ hasText: "The turn reached its limit of 2 steps." })).toBeVisible();

  await playground.run("List /notes");
  await expect(playground.answers("a.md")).toBeVisible();
});

/** Uses the editor's own search, which stays on the page hidden. */
async function findInEditor(playground: Playground): Promise<void> {
  const { page, files } = playground;
  await files.upload(givenFile("a.txt", "something to find"));
  await files.row("/work/a.txt").click();
  await page.getByRole("textbox", { name: "/work/a.txt" }).focus();
  await page.keyboard.press("ControlOrMeta+f");
  await expect(page.locator(".find-widget.visible")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".find-widget.visible")).toBeHidden();
}

async function askBeforeWrites(page: Page): Promise<void> {
  await page.getByRole("button", { name: "writes run at once" }).click();
  await page.getByRole("menuitemradio", { name: /Every write asks/ }).click();
  await expect(page.getByRole("button", { name: "every write asks" })).toBeVisible();
}
