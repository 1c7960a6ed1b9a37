import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { FilesColumn } from "./filesColumn";

/** The playground as a person uses it: what is on the page by its role and name. */
export class Playground {
  readonly page: Page;
  readonly tree: Locator;
  readonly mounts: Locator;
  readonly conversation: Locator;
  readonly message: Locator;
  readonly notices: Locator;
  readonly files: FilesColumn;
  /** What the console said that it should not have. */
  readonly complaints: string[] = [];
  /** Complaints a test provokes: the browser reports a refused request whatever the page makes of it. */
  readonly expectedComplaints: RegExp[] = [];

  constructor(page: Page) {
    this.page = page;
    this.tree = page.getByRole("tree", { name: "Files" });
    this.mounts = page.getByRole("list", { name: "Mounts" });
    this.conversation = page.getByRole("list", { name: "Conversation" });
    this.message = page.getByRole("textbox", { name: "Message the agent" });
    this.notices = page.getByRole("status").or(page.getByRole("alert"));
    this.files = new FilesColumn(page);
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !this.expectedComplaints.some((expected) => expected.test(text)))
        this.complaints.push(text);
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /** Opens the page and waits until a project is shown. */
  async open(path = ""): Promise<void> {
    await this.page.goto(`./${path}`);
    await expect(this.page.getByRole("radiogroup", { name: "Mode" })).toBeVisible();
  }

  /** Opens the page for the first time and waits until the sample has run itself. */
  async openSample(): Promise<void> {
    await this.open();
    await this.waitForRunToEnd();
  }

  /** Opens an empty project (`/work` in IndexedDB, `/notes` in memory) as one who has been here before. */
  async openEmptyProject(name = "Empty project"): Promise<void> {
    await this.page.addInitScript(() => localStorage.setItem("rootscope-visited", "yes"));
    await this.open();
    await this.newProject(name);
    await expect(this.files.row("/work")).toBeVisible();
  }

  /** What the page says about itself, e.g. that an import has ended. */
  notice(text: string | RegExp): Locator {
    return this.page.locator(".notice").filter({ hasText: text });
  }

  /** Makes a project of its own and shows it. */
  async newProject(name: string): Promise<void> {
    await this.page
      .getByRole("banner")
      .getByRole("button", { name: /^(?!Project to import).*▾?$/ })
      .first()
      .click();
    await this.page.getByRole("menuitem", { name: "New project" }).click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: /create|make/i }).click();
    await expect(this.page).toHaveTitle(`${name} · Rootscope`);
  }

  mode(name: "Run" | "Compare" | "Replay"): Locator {
    return this.page.getByRole("radiogroup", { name: "Mode" }).getByRole("radio", { name, exact: true });
  }

  async switchTo(name: "Run" | "Compare" | "Replay"): Promise<void> {
    await this.page.keyboard.press(`Alt+${["Run", "Compare", "Replay"].indexOf(name) + 1}`);
    await expect(this.mode(name)).toBeChecked();
  }

  /** The row of a file or directory by its name as shown. */
  row(name: string | RegExp): Locator {
    return this.tree.getByRole("treeitem", { name });
  }

  /** Rows of tool calls, newest last. */
  calls(name?: RegExp): Locator {
    return this.conversation.getByRole("button", {
      name: name ?? /^(ok|failed|denied|not run|not done|running|about to run)/,
    });
  }

  /** Writes a message and runs it. */
  async send(message: string): Promise<void> {
    await this.message.fill(message);
    await this.message.press("ControlOrMeta+Enter");
  }

  /** Writes a message, runs it and waits until its turn has begun. No two messages of a session may be alike. */
  async begin(message: string): Promise<void> {
    await this.send(message);
    await expect(this.said(message)).toBeVisible();
  }

  /** Writes a message, runs it and waits until its turn is over. */
  async run(message: string, timeoutMs?: number): Promise<void> {
    await this.begin(message);
    await this.waitForRunToEnd(timeoutMs);
  }

  /** What the person said, as it stands in the conversation. */
  said(message: string | RegExp): Locator {
    return this.page.getByRole("article", { name: "You said" }).filter({ hasText: message });
  }

  /** What the agent said. */
  answers(words?: string | RegExp): Locator {
    const all = this.page.getByRole("article", { name: "The agent said" });
    return words === undefined ? all : all.filter({ hasText: words });
  }

  async view(name: "Chat" | "Trace" | "Raw"): Promise<void> {
    const view = this.page.getByRole("radiogroup", { name: "View of the session" }).getByRole("radio", { name });
    await view.click();
    await expect(view).toBeChecked();
  }

  /** Opens the list of sessions, if it is not open. */
  async openSessions(): Promise<Locator> {
    const list = this.page.getByRole("dialog", { name: "Sessions of this project" });
    if (!(await list.isVisible())) await this.page.locator(".session-header .session-title").click();
    await expect(list.getByRole("searchbox", { name: "Search sessions" })).toBeVisible();
    return list;
  }

  /** Saves a session to a file and answers what is in it. */
  async saveSession(name: string, format: "ndjson" | "zip"): Promise<{ name: string; path: string }> {
    const list = await this.openSessions();
    await list.getByRole("button", { name: `More for ${name}` }).click();
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("menuitem", { name: `Save as .${format}` }).click();
    const file = await download;
    const path = await file.path();
    await this.page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    return { name: file.suggestedFilename(), path };
  }

  async waitForRunToEnd(timeoutMs = 60_000): Promise<void> {
    await expect(this.page.getByText(/^The agent is done\.$|^The run ended:/)).toBeAttached({ timeout: timeoutMs });
  }
}

export const test = base.extend<{ playground: Playground }>({
  playground: async ({ page }, provide) => {
    const playground = new Playground(page);
    await provide(playground);
    expect(playground.complaints, "the console stays empty").toEqual([]);
  },
});

/** What a case of `inTurn` is given. */
type Case = (on: { readonly playground: Playground; readonly page: Page }) => Promise<void>;

/**
 * Several cases on one opened page, by what they show, in this order, as one test: to open a page takes longer than most
 * cases do. For cases that touch different things; each is a step of the report.
 */
export const inTurn =
  (cases: Readonly<Record<string, Case>>) =>
  async ({ playground, page }: { playground: Playground; page: Page }): Promise<void> => {
    for (const [name, run] of Object.entries(cases)) await test.step(name, () => run({ playground, page }));
  };

export { expect };
