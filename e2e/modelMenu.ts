import { expect, type Locator, type Page } from "@playwright/test";
import { MODEL_ID } from "./modelServer";

/** The menu at the top in which a person chooses the model. */
export class ModelMenu {
  readonly steps: Locator;
  readonly key: Locator;
  readonly #page: Page;
  readonly #panel: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#panel = page.getByRole("dialog", { name: "Model" });
    this.steps = this.#panel.getByRole("listitem");
    this.key = this.#panel.getByLabel("Key, if the server wants one");
  }

  async open(): Promise<void> {
    if (await this.#panel.isVisible()) return;
    await this.#page.getByRole("banner").locator(".model-trigger").click();
    await expect(this.#panel.getByRole("radiogroup", { name: "Model that answers" })).toBeVisible();
  }

  /** Chooses a server of one's own; the menu stays open. */
  async chooseServer(baseUrl: string, modelId = MODEL_ID): Promise<void> {
    await this.open();
    await this.#panel.getByRole("radio", { name: /Local or own server/ }).check();
    await this.#panel.getByRole("textbox", { name: "Address", exact: true }).fill(baseUrl);
    await this.#panel.getByRole("combobox", { name: /^Model/ }).fill(modelId);
  }

  async enterKey(key: string): Promise<void> {
    await this.key.fill(key);
    await this.key.blur();
    await expect(this.key).toHaveValue("");
  }

  async test(): Promise<void> {
    await this.#panel.getByRole("button", { name: "Test connection" }).click();
    await expect(this.#panel.getByRole("button", { name: "Test connection" })).toBeEnabled();
  }

  /** Each step of the last test as one text: `Reach failed No connection … / what to do`. */
  async stepTexts(): Promise<string[]> {
    return (await this.steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  }

  async close(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    await expect(this.#panel).toBeHidden();
  }
}
