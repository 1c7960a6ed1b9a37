import { givenFile } from "./filesColumn";
import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import { expect, test, type Playground } from "./playground";

const lines = (words: string) => words.replaceAll(" ", "\u00a0");
const shownText = ({ page }: Playground) => page.locator(".monaco-editor .view-lines").last();
const tabs = ({ page }: Playground) => page.getByRole("list", { name: "Open documents" });

async function openFile(playground: Playground, path: string): Promise<void> {
  await playground.files.row(path).click();
  await expect(playground.page.getByRole("textbox", { name: path })).toBeAttached();
}

/** Writes at the beginning of the open document. */
async function write(playground: Playground, id: string, words: string): Promise<void> {
  await playground.page.getByRole("textbox", { name: id }).focus();
  await playground.page.keyboard.press("ControlOrMeta+Home");
  await playground.page.keyboard.insertText(words);
}

async function replaceAll(playground: Playground, id: string, words: string): Promise<void> {
  // Keys that come before the editor has taken the document go nowhere.
  await expect(async () => {
    await playground.page.getByRole("textbox", { name: id }).focus();
    await playground.page.keyboard.press("ControlOrMeta+a");
    await playground.page.keyboard.press("Delete");
    await playground.page.keyboard.type(words);
    await expect(shownText(playground)).toContainText(lines(words), { timeout: 500 });
  }).toPass();
}

test("the editor is fetched when a document is first opened; a session runs without it", async ({
  playground,
  page,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const editorParts = () => fetched.filter((path) => /editor\.(api|worker)|TextEditor/.test(path));
  await playground.openEmptyProject();
  // The sample that is shown for a moment has a document open: from here on nothing has.
  await page.reload();
  await expect(playground.files.row("/work")).toBeVisible();
  fetched.length = 0;
  await page.reload();
  await expect(playground.files.row("/work")).toBeVisible();
  await playground.files.upload(givenFile("a.txt", "a"));
  await expect(playground.files.row("/work/a.txt")).toBeVisible();
  await playground.send("Read /work/a.txt");
  await playground.waitForRunToEnd();
  expect(editorParts()).toEqual([]);

  await openFile(playground, "/work/a.txt");
  await expect(shownText(playground)).toHaveText("a");
  expect(editorParts()).not.toEqual([]);
});

test("while the editor is on its way the session column works and the text is readable", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("a.txt", "readable at once"));
  await playground.files.row("/work/a.txt").click();
  await expect(shownText(playground)).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("Saved");
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/editor\.api/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(page.locator("pre").filter({ hasText: "readable at once" })).toBeVisible();
  await playground.send("Read /work/a.txt");
  await playground.waitForRunToEnd();
  await expect(page.locator(".monaco-editor")).toHaveCount(0);
  letGo();
  await expect(shownText(playground)).toHaveText(lines("readable at once"));
});

test("what is typed is saved by itself and by mod+S, with a mark until it is", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("a.txt", "end"), givenFile("b.txt", "second"));
  await openFile(playground, "/work/a.txt");
  await write(playground, "/work/a.txt", "typed ");
  await expect(
    tabs(playground)
      .getByRole("button", { name: /^a\.txt/ })
      .first(),
  ).toContainText("being saved");
  await expect(
    tabs(playground)
      .getByRole("button", { name: /^a\.txt/ })
      .first(),
  ).not.toContainText("being saved");
  await openFile(playground, "/work/b.txt");
  await write(playground, "/work/b.txt", "more ");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(playground.notice("Saved.")).toBeVisible();

  await page.reload();
  await expect(shownText(playground)).toHaveText(lines("more second"));
  await tabs(playground).getByRole("button", { name: "a.txt", exact: true }).click();
  await expect(shownText(playground)).toHaveText(lines("typed end"));
  await page.getByRole("button", { name: "Close /work/a.txt" }).click();
  await expect(tabs(playground).getByRole("button", { name: "a.txt", exact: true })).toHaveCount(0);
  await expect(shownText(playground)).toHaveText(lines("more second"));
});

test("the changes since the run began are shown beside the text", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("a.txt", "one\nold line\nthree\n"));
  await openFile(playground, "/work/a.txt");
  const changes = page
    .getByRole("radiogroup", { name: "View of the document" })
    .getByRole("radio", { name: "Changes" });
  await changes.check();
  await expect(page.getByText("No run has begun yet: there is nothing to compare with.")).toBeVisible();
  await playground.send("Replace old with new in /work/a.txt");
  await playground.waitForRunToEnd();
  const diff = page.locator(".monaco-diff-editor");
  await expect(diff.locator(".line-insert").first()).toBeVisible();
  await expect(diff).toContainText(lines("new line"));
  await expect(diff).toContainText(lines("old line"));
});

test("the instructions are a document, and the next run follows them", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("a.txt", "a"));
  await tabs(playground).getByRole("button", { name: "instructions.md" }).click();
  await replaceAll(playground, "instructions.md", "Never write. Answer in one word.");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(playground.notice("Saved.")).toBeVisible();
  await page.reload();
  await expect(shownText(playground)).toHaveText(lines("Never write. Answer in one word."));
  await playground.send("Read /work/a.txt");
  await playground.waitForRunToEnd();
  await playground.answers().last().hover();
  await page.getByRole("button", { name: "what the model saw ›" }).last().click();
  await expect(page.getByRole("dialog", { name: "What the model saw" })).toContainText(
    "Never write. Answer in one word.",
  );
});

test("a fault in agent.json is said above it, and a name that is no tool widens nothing", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  await tabs(playground).getByRole("button", { name: "agent.json" }).click();
  await page.getByRole("radio", { name: "JSON" }).check();
  await replaceAll(playground, "agent.json", '{ "name": "Agent", "tools": ["reed", "grep"] }');
  const fault = page.getByRole("alert").filter({ hasText: "Not saved." });
  await expect(fault).toContainText("reed");
  await expect(tabs(playground).getByRole("button", { name: /^agent\.json/ })).toContainText("not saved");
  await expect(page.getByRole("button", { name: /^Tools/ })).toHaveText(/Tools 1\D/);
  await replaceAll(playground, "agent.json", "{ no json");
  await expect(fault).toBeVisible();
  await replaceAll(playground, "agent.json", '{ "name": "Agent", "tools": ["read", "grep"] }');
  await expect(fault).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Tools/ })).toHaveText(/Tools 2/);
});

test("an edit made while the agent writes the same file is kept, and the person chooses", async ({
  playground,
  page,
}) => {
  let answer = () => undefined as void;
  await using server = await ModelServer.start({
    answers: [
      async (stream) => {
        await new Promise<void>((resolve) => (answer = resolve));
        stream.call("Write", { path: "/work/a.txt", contents: "by the agent\n" });
        stream.end();
      },
      (stream) => {
        stream.say("Done.");
        stream.end();
      },
    ],
  });
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("a.txt", "begun\n"));
  await openFile(playground, "/work/a.txt");
  const model = new ModelMenu(page);
  await model.chooseServer(server.baseUrl);
  await model.close();
  await playground.begin("Write it");
  await expect.poll(() => server.requests.length).toBe(1);
  await write(playground, "/work/a.txt", "by hand ");
  answer();
  await playground.waitForRunToEnd();

  const conflict = page.getByRole("alert").filter({ hasText: "This file was changed while you were editing it." });
  await expect(conflict).toBeVisible();
  await expect(shownText(playground)).toContainText(lines("by hand begun"));
  await conflict.getByRole("button", { name: "Show the difference" }).click();
  await expect(page.locator(".monaco-diff-editor")).toContainText(lines("by the agent"));
  await conflict.getByRole("button", { name: "Back to mine" }).click();
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await expect(conflict).toHaveCount(0);
  await expect(shownText(playground)).toContainText(lines("by the agent"));
});
