import { expect, test as base, type Locator, type Page } from "@playwright/test";

/** The playground as a person uses it: what is on the page by its role and name. */
export class Playground {
  readonly page: Page;
  readonly tree: Locator;
  readonly mounts: Locator;
  readonly conversation: Locator;
  readonly message: Locator;
  readonly notices: Locator;
  /** What the console said that it should not have. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.tree = page.getByRole("tree", { name: "Files" });
    this.mounts = page.getByRole("list", { name: "Mounts" });
    this.conversation = page.getByRole("list", { name: "Conversation" });
    this.message = page.getByRole("textbox", { name: "Message the agent" });
    this.notices = page.getByRole("status").or(page.getByRole("alert"));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
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

  /** Makes a project of its own and shows it. */
  async newProject(name: string): Promise<void> {
    await this.page.getByRole("banner").getByRole("button", { name: /^(?!Project to import).*▾?$/ }).first().click();
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
    return this.conversation.getByRole("button", { name: name ?? /^(ok|failed|denied|running|about to run)/ });
  }

  /** Writes a message and runs it. */
  async send(message: string): Promise<void> {
    await this.message.fill(message);
    await this.message.press("ControlOrMeta+Enter");
  }

  async waitForRunToEnd(timeoutMs = 60_000): Promise<void> {
    await expect(this.page.getByText(/^The agent is done\.$|^The run ended:/)).toBeAttached({ timeout: timeoutMs });
  }
}

export const test = base.extend<{ playground: Playground }>({
  playground: async ({ page }, use) => {
    const playground = new Playground(page);
    await use(playground);
    expect(playground.complaints, "the console stays empty").toEqual([]);
  },
});

export { expect };
