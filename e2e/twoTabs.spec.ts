import type { Page } from "@playwright/test";
import { givenFile } from "./filesColumn";
import { ModelMenu } from "./modelMenu";
import { ModelServer, type ChatStream } from "./modelServer";
import { expect, Playground, test } from "./playground";

/** A second tab on the same project. */
async function secondTab(first: Playground): Promise<Playground> {
  const page = await first.page.context().newPage();
  const second = new Playground(page);
  await second.open();
  await expect(page).toHaveTitle(await first.page.title());
  return second;
}

const statusBar = (page: Page) => page.getByRole("contentinfo");
const openFile = async ({ files, page }: Playground, path: string) => {
  await files.row(path).click();
  await expect(page.getByRole("textbox", { name: path })).toBeAttached();
};

test.describe("two tabs on one project", () => {
  test("see each other's files, sessions and which of them runs", async ({ playground: first }) => {
    const streams: ChatStream[] = [];
    await using server = await ModelServer.start({
      answers: [
        (stream) => {
          streams.push(stream);
          stream.say("Working on it.");
        },
      ],
    });
    await first.openEmptyProject();
    const model = new ModelMenu(first.page);
    await model.chooseServer(server.baseUrl);
    await model.close();
    const second = await secondTab(first);

    await second.files.upload(givenFile("from the second.txt", "two"));
    await expect(first.files.row("/work/from the second.txt")).toBeVisible();
    await first.files.upload(givenFile("from the first.txt", "one"));
    await expect(second.files.row("/work/from the first.txt")).toBeVisible();

    await first.begin("Take your time");
    await expect(statusBar(first.page)).toContainText("This tab runs the session");
    const list = await second.openSessions();
    await list.getByRole("button", { name: /^Take your time/ }).click();
    await expect(second.answers("Working on it.")).toBeVisible();
    await expect(statusBar(second.page)).toContainText("Another tab runs the session");
    await expect(second.message).toHaveAttribute("placeholder", /^Another tab runs this session\./);
    await second.message.fill("Me too");
    await expect(second.page.locator("#run-message")).toBeDisabled();

    await expect.poll(() => streams.length).toBe(1);
    streams[0]?.say(" Done.");
    streams[0]?.end();
    await first.waitForRunToEnd();
    await expect(second.answers("Working on it. Done.")).toBeVisible();
    await expect(statusBar(second.page)).toContainText("No run");
    await expect(second.page.locator("#run-message")).toBeEnabled();
    expect(second.complaints).toEqual([]);
  });

  test("that edit one file at the same time lose nothing: the person sees both and chooses", async ({
    playground: first,
  }) => {
    await first.openEmptyProject();
    await first.files.upload(givenFile("shared.txt", "begun\n"));
    await expect(first.files.row("/work/shared.txt")).toBeVisible();
    const second = await secondTab(first);
    await openFile(first, "/work/shared.txt");
    await openFile(second, "/work/shared.txt");

    await first.page.getByRole("textbox", { name: "/work/shared.txt" }).focus();
    await second.page.getByRole("textbox", { name: "/work/shared.txt" }).focus();
    await Promise.all([
      first.page.keyboard.insertText("from the first "),
      second.page.keyboard.insertText("from the second "),
    ]);

    const conflicts = [first, second].map(({ page }) =>
      page.getByRole("alert").filter({ hasText: "This file was changed" }),
    );
    await expect.poll(async () => (await Promise.all(conflicts.map((bar) => bar.count()))).some(Boolean)).toBe(true);
    const [loser, winner] = (await conflicts[0]?.count()) === 1 ? [first, second] : [second, first];
    const [lost, kept] =
      loser === first ? ["from the first", "from the second"] : ["from the second", "from the first"];
    await expect(loser.page.locator(".view-lines")).toContainText(lost.replaceAll(" ", "\u00a0"));
    await loser.page.getByRole("button", { name: "Show the difference" }).click();
    await expect(loser.page.locator(".view-lines").last()).toContainText(kept.replaceAll(" ", "\u00a0"));
    await loser.page.getByRole("button", { name: "Keep mine" }).click();
    await expect(loser.page.getByRole("alert").filter({ hasText: "This file was changed" })).toHaveCount(0);

    await loser.page.reload();
    await expect(loser.page.locator(".view-lines")).toContainText(lost.replaceAll(" ", "\u00a0"));
    // Whoever saved first is asked as well: their text is only in their editor now.
    await expect(winner.page.getByRole("alert").filter({ hasText: "This file was changed" })).toBeVisible();
    await expect(winner.page.locator(".view-lines").first()).toContainText(kept.replaceAll(" ", "\u00a0"));
  });
});
