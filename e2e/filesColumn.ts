import { expect, type Locator, type Page } from "@playwright/test";

/** A file as a test hands it to the page. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export function givenFile(name: string, contents: string | Uint8Array): GivenFile {
  return { name, mimeType: "", buffer: Buffer.from(contents) };
}

/** The left column: mounts over one tree, with files going in and out. */
export class FilesColumn {
  readonly #page: Page;
  readonly tree: Locator;
  readonly mounts: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.tree = page.getByRole("tree", { name: "Files" });
    this.mounts = page.getByRole("list", { name: "Mounts" }).getByRole("listitem");
  }

  /** The row of exactly this path, as it was written: Unicode forms are told apart. */
  row(path: string): Locator {
    return this.tree.locator(`[role="treeitem"][data-path=${JSON.stringify(path)}]`);
  }

  mount(prefix: string): Locator {
    return this.mounts.filter({ has: this.#page.getByRole("button", { name: prefix, exact: true }) });
  }

  async addMount(prefix: string, kind: "IndexedDB" | "Memory"): Promise<void> {
    const dialog = await this.beginMount(kind);
    await dialog.getByRole("textbox", { name: "Path" }).fill(prefix);
    await dialog.getByRole("button", { name: "Add" }).click();
  }

  /** The window of a new mount, with a kind chosen. */
  async beginMount(kind: string): Promise<Locator> {
    await this.#page.getByRole("button", { name: "+ Add" }).click();
    const dialog = this.#page.getByRole("dialog", { name: "Add a mount" });
    await dialog.getByRole("radio", { name: kind }).check();
    return dialog;
  }

  async chooseFromMount(prefix: string, item: string): Promise<void> {
    await this.#page.getByRole("button", { name: `More for ${prefix}`, exact: true }).click();
    await this.#page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  async chooseFromFiles(item: string): Promise<void> {
    await this.#page.getByRole("button", { name: "New, upload, download" }).click();
    await this.#page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  async chooseFromRow(path: string, item: string | RegExp): Promise<void> {
    await this.row(path).click({ button: "right" });
    await this.#page.getByRole("menuitem", { name: item }).click();
  }

  /** Gives files to the dialog that "Upload files or a zip…" opens. */
  async upload(...files: readonly (GivenFile | string)[]): Promise<void> {
    const chooser = this.#page.waitForEvent("filechooser");
    await this.chooseFromFiles("Upload files or a zip…");
    const given = files.filter((file) => typeof file !== "string");
    const paths = files.filter((file) => typeof file === "string");
    await (await chooser).setFiles(paths.length > 0 ? paths : given);
  }

  async uploadFolder(path: string): Promise<void> {
    const chooser = this.#page.waitForEvent("filechooser");
    await this.chooseFromFiles("Upload a folder…");
    await (await chooser).setFiles(path);
  }

  /** Drops files and folders of this computer, as the system's file manager does. */
  async dropFromComputer(target: Locator, paths: readonly string[]): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error("What should be dropped on is not in view.");
    const devtools = await this.#page.context().newCDPSession(this.#page);
    const data = { items: [], files: [...paths], dragOperationsMask: 1 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await devtools.send("Input.dispatchDragEvent", { type, x, y, data });
    await devtools.detach();
  }

  /** Opens directories from the top down. */
  async expand(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const row = this.row(path);
      await expect(row).toBeVisible();
      if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
      await expect(row).toHaveAttribute("aria-expanded", "true");
    }
  }

  /** Names what a row of the tree asks to be named. */
  async nameEntry(name: string): Promise<Locator> {
    const field = this.tree.getByRole("textbox");
    await field.fill(name);
    await field.press("Enter");
    return field;
  }
}
