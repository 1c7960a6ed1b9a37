import { expectAccessible } from "./axe";
import { expect, test, type Playground } from "./playground";

const view = ({ page }: Playground, name: string) =>
  page.getByRole("radiogroup", { name: "View of the agent" }).getByRole("radio", { name, exact: true });

async function openAgent(playground: Playground): Promise<void> {
  await playground.openEmptyProject();
  await playground.page.keyboard.press("Alt+Shift+1");
  await expect(view(playground, "Form")).toBeChecked();
}

test("form and JSON are one value, with one undo; what is no JSON is kept and said", async ({ playground, page }) => {
  await openAgent(playground);
  const name = page.getByRole("textbox", { name: "Name" });
  const steps = page.getByRole("textbox", { name: "Steps of a turn" });
  await name.fill("Reviewer");
  await steps.fill("none");
  await expect(page.getByText('"none" is no number of steps. Give a whole number of 1 or more.').first()).toBeVisible();
  await steps.fill("7");
  await page.getByRole("checkbox", { name: "delete" }).uncheck();
  await expect(page.getByRole("radio", { name: /^only those ticked/ })).toBeChecked();
  await expectAccessible(page, "the form of the agent");

  await page.keyboard.press("Alt+Shift+2");
  const text = page.getByRole("textbox", { name: "agent.json" });
  const shown = page.locator(".monaco-editor .view-lines").last();
  await expect(shown).toContainText("Reviewer");
  await expect(shown).not.toContainText("delete");
  await expect(text).toBeAttached();
  await text.focus();
  // The tools, as one step, then the text by which they are left out.
  await page.keyboard.press("ControlOrMeta+z");
  await expect(shown).not.toContainText("tools");
  await expect(shown).toContainText("maxSteps");

  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.insertText("{");
  await view(playground, "Form").check();
  await expect(page.getByText(/^agent\.json is no JSON: line 1, column 2: .* The text is kept/)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(name).toHaveValue("Reviewer");
  await expect(page.getByRole("checkbox", { name: "delete" })).toBeChecked();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue("Reviewer");
  await expect(steps).toHaveValue("7");
});

test("agent.json completes what may stand there", async ({ playground, page }) => {
  await openAgent(playground);
  await page.keyboard.press("Alt+Shift+2");
  const text = page.getByRole("textbox", { name: "agent.json" });
  await expect(text).toBeAttached();
  await expect(async () => {
    await text.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('{ "name": "A", "tools": [] }');
    await expect(page.locator(".view-lines").last()).toContainText("tools", { timeout: 500 });
  }).toPass();
  await page.keyboard.press("ControlOrMeta+End");
  for (let back = 0; back < 3; back++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type('"gr');
  await expect(page.getByRole("option", { name: /grep/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Tools/ })).toHaveText(/Tools 1/);
});

test("a new skill is made by a key, told to the model, and stands in the prompt", async ({ playground, page }) => {
  await openAgent(playground);
  await page.keyboard.press("Alt+Shift+5");
  await expect(page.getByText("No skills yet.")).toBeVisible();
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Folder of the new skill" }).fill("audit");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "/work/skills/audit/SKILL.md" })).toBeAttached();
  await page.keyboard.press("Alt+Shift+5");
  await expect(page.getByRole("list", { name: "Skills" })).toContainText("What it is about, and when to use it.");
  await expectAccessible(page, "the skills");
  await page.keyboard.press("Alt+Shift+4");
  await page.getByRole("button", { name: /^skills/ }).click();
  await expect(page.getByText("- audit: What it is about")).toBeVisible();
  await expectAccessible(page, "the prompt");
  await playground.send("List /work");
  await playground.waitForRunToEnd();
  await page.getByRole("button", { name: "what the model saw ›" }).first().click();
  await expect(page.getByRole("dialog", { name: "What the model saw" })).toContainText("## Skills");
});
