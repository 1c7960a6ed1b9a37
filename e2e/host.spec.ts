import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { limitStorage } from "./limitStorage";
import { ModelMenu } from "./modelMenu";
import { ModelServer, type ChatAnswer } from "./modelServer";
import { expect, Playground, test } from "./playground";

/** Calls a tool, or several, and ends the step. */
const calls =
  (...made: readonly (readonly [tool: string, input: unknown])[]): ChatAnswer =>
  (stream) => {
    for (const [tool, input] of made) stream.call(tool, input);
    stream.end();
  };
const says =
  (text: string): ChatAnswer =>
  (stream) => {
    stream.say(text);
    stream.end();
  };
const shell = (command: string, more: object = {}) => ["Shell", { command, ...more }] as const;

/** The person's commands. */
class Terminal {
  readonly panel;
  readonly input;
  readonly blocks;

  constructor(page: Page) {
    this.panel = page.getByRole("region", { name: "Terminal" });
    this.input = this.panel.getByRole("textbox", { name: /^Command in/ });
    this.blocks = this.panel.getByRole("article");
  }

  /** Opens it by its key; pressed anew where the page, just shown, did not listen yet. */
  async open(): Promise<void> {
    await expect(async () => {
      if (!(await this.panel.isVisible())) await this.panel.page().keyboard.press("Alt+t");
      await expect(this.panel).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }

  async run(command: string, timeoutMs = 10_000): Promise<void> {
    await this.input.fill(command);
    await this.input.press("Enter");
    await expect(this.blocks.last()).toHaveAttribute("aria-label", `Command ${command}`);
    await expect(this.blocks.last()).toContainText(/exit code|not run/, { timeout: timeoutMs });
  }
}

test("an agent on the host runs commands on the disk of its file tools, within its limits", async ({
  playground,
  page,
}) => {
  await using server = await ModelServer.start({
    answers: [
      calls(
        shell("printf 'Grüße 🌳\\n' > greeting.txt; echo AP8B | base64 -d > bytes.bin; ls"),
        ["Read", { path: "greeting.txt" }],
        ["Write", { path: "/home/project/notes/own.md", fileText: "by Write\n" }],
        shell("cat notes/own.md; wc -c < bytes.bin; echo gone > /dev/null; cat missing.txt"),
        shell("while true; do :; done", { timeout: 700 }),
        shell("seq 1 40000"),
      ),
      says("Done with the disk."),
      calls(shell("echo asked > asked.txt")),
      says("Asked and done."),
      calls(shell("rm greeting.txt")),
      says("Nothing was done."),
    ],
  });
  await playground.openEmptyProject("On the host");
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();
  await page.keyboard.press("Alt+Shift+1");
  await page.getByRole("radio", { name: /^the in-page host/ }).check();
  await expect(playground.mounts.getByText("host disk")).toBeVisible();
  await expect(playground.mounts.getByText("not seen on the host")).toHaveCount(2);
  await expect(page.getByRole("button", { name: /^Tools/ })).toHaveText(/Tools 13/);
  await expectAccessible(page, "the form of an agent on the host");

  let ticks = 0;
  await page.exposeFunction("tick", () => void ticks++);
  await page.evaluate(() => setInterval(() => (globalThis as unknown as { tick(): void }).tick(), 50));
  await playground.run("Use the shell");
  expect(ticks, "the page went on while a command looped").toBeGreaterThan(10);
  await expect(playground.calls(/^ok Shell printf .*exit code 0/)).toBeVisible();
  await expect(playground.calls(/^ok Read greeting\.txt/)).toBeVisible();
  await expect(playground.calls(/^ran, command failed Shell cat notes.*exit code 1/)).toBeVisible();
  await expect(playground.calls(/^ran, command failed Shell while true.*exit code 124/)).toBeVisible();
  const results = server.requests[1]?.body.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const [listed, read, , mixed, , long] = results?.map(String) ?? [];
  expect([listed, read]).toEqual(["bytes.bin\ngreeting.txt", "     1|Grüße 🌳"]);
  expect(mixed).toBe("by Write\n3\ncat: missing.txt: No such file or directory\nexit code 1");
  const [, spilled = ""] = /all of it is in (\/home\/project\/\.agent\/out\/[^:]+): use Read/.exec(long ?? "") ?? [];
  expect((long ?? "").length).toBeLessThan(36_000);
  await playground.calls(/^ok Shell printf/).click();
  await expect(page.getByText("added /home/project/greeting.txt").first()).toBeVisible();

  await page.getByRole("button", { name: "writes run at once" }).click();
  await page.getByRole("menuitemradio", { name: /Every write asks/ }).click();
  await playground.begin("Ask me first");
  await page.getByRole("button", { name: /^Approve/ }).click();
  await playground.waitForRunToEnd();
  await expect(playground.answers("Asked and done.")).toBeVisible();
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByRole("button", { name: "dry run" }).click();
  await playground.run("Take the greeting away");
  await expect(playground.calls(/^not done \(dry run\) Shell rm/)).toBeVisible();

  await page.reload();
  await expect(playground.mounts.getByText("host disk")).toBeVisible();
  const terminal = new Terminal(page);
  await terminal.open();
  await terminal.run(`cat greeting.txt asked.txt; wc -l < ${spilled}`);
  await expect(terminal.blocks.last()).toContainText("Grüße 🌳\nasked\n40000");

  await playground.files.chooseFromMount("/home/project", "Clear command logs");
  const notice = playground.notice("Deleted /home/project/.agent/out");
  await expect(notice).toBeVisible();
  const [over, under] = [await notice.boundingBox(), await terminal.panel.boundingBox()];
  expect(
    (under?.y ?? 0) - (over?.y ?? 0) - (over?.height ?? 0),
    "from the notice to the terminal below it",
  ).toBeCloseTo(8);
  await terminal.run(`ls ${spilled}`);
  await expect(terminal.blocks.last()).toContainText("No such file or directory");
});

test("git, node and python3 come from the page's own origin, under its policy, and work without a network then", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject("Added commands");
  const terminal = new Terminal(page);
  await terminal.open();
  await terminal.panel.getByRole("button", { name: "Add a host disk" }).click();
  await terminal.run("echo > a.txt; git init -q; git status -s; node -p 6*7; python3 -c 'print(2**70)'", 60_000);
  await expect(terminal.blocks.last()).toContainText("?? a.txt\n42\n1180591620717411303424");

  await page.context().setOffline(true);
  await terminal.run("git add . && git status -s; node -p 6*7; python3 -c 'print(2**70)'");
  await expect(terminal.blocks.last()).toContainText("A  a.txt\n42\n1180591620717411303424");
  await page.context().setOffline(false);
});

test("a person's commands run by keyboard on the same disk; one tab at a time; what fails says so", async ({
  playground,
  page,
  baseURL,
}) => {
  await limitStorage(page, baseURL ?? "", 24 * 1024 * 1024);
  await playground.openEmptyProject("Terminal");
  const terminal = new Terminal(page);
  await terminal.open();
  await terminal.panel.getByRole("button", { name: "Add a host disk" }).click();
  await expect(terminal.input).toBeFocused();
  await terminal.run("mkdir -p src && cd src && echo 'export {};' > a.ts");
  await expect(terminal.blocks.last().getByRole("button", { name: "~/src/a.ts" })).toBeVisible();
  await terminal.run("pwd; cat nothing");
  await expect(terminal.blocks.last()).toContainText("/home/project/src");
  await expect(terminal.blocks.last()).toContainText("nothing: No such file or directory");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(terminal.input).toHaveValue(/^mkdir/);
  await page.keyboard.press("Control+c");
  await expect(terminal.input).toHaveValue("");
  await expectAccessible(page, "the terminal");

  await page.keyboard.type("while true; do :; done");
  await page.keyboard.press("Enter");
  await expect(terminal.blocks.last()).toContainText("running…");
  await page.keyboard.press("Control+c");
  await expect(terminal.blocks.last()).toContainText("stopped");
  await terminal.run("cat src/a.ts a.ts");
  await expect(terminal.blocks.last()).toContainText("export {};");

  await terminal.run("seq 1 300000 > a; for i in 1 2 3 4 5; do cat a a > b; mv b a; done", 40_000);
  await expect(terminal.blocks.last()).toContainText(/storage full|no space|quota/i);

  const second = new Playground(await page.context().newPage());
  await second.open();
  await expect(second.page).toHaveTitle(await page.title());
  const there = new Terminal(second.page);
  await there.run("ls");
  await expect(there.blocks.last()).toContainText("Another tab runs commands on this project's disk");
  await second.page.close();

  await terminal.blocks.first().getByRole("button", { name: "~/src/a.ts" }).click();
  await expect(page.getByRole("textbox", { name: "/home/project/src/a.ts" })).toBeAttached();
});
