import { mcpServers } from "../src/mcp/mcpServers.suite";
import { expectAccessible } from "./axe";
import { expect, test } from "./playground";

test("tools are read, refused in words, and tried by hand, a server's too", async ({ playground, page }) => {
  await using servers = await startedServers();
  await playground.openEmptyProject("Panel");
  const menu = page.getByRole("button", { name: /^Tools/ });
  await menu.click();
  await expect(page.getByRole("menuitem", { name: /^4 refused: Shell/ })).toBeVisible();
  await page.getByRole("menuitem", { name: "Open the tools panel" }).click();
  const view = page.getByRole("region", { name: "Tools of the agent" });
  const row = (name: string | RegExp) => view.getByRole("list", { name: "Tools" }).getByRole("button", { name });

  await test.step("a write by hand, all by keys, shows what it changed and is taken back", async () => {
    await view.getByRole("searchbox", { name: "Filter the tools" }).fill("file writes");
    await view.getByRole("searchbox").press("Escape");
    await expect(row(/^refused Shell.*A root has no shell/)).toBeVisible();
    await view.getByRole("searchbox").press("ArrowDown");
    await expect(row(/^offered Read/)).toBeFocused();
    for (const key of ["j", "j", "j", "j", "t"]) await page.keyboard.press(key);
    const form = view.getByRole("form", { name: "Try Write" });
    await expect(form.getByRole("textbox", { name: /^path/ })).toBeFocused();
    await page.keyboard.type("/work/a.md");
    await page.keyboard.press("Tab");
    await page.keyboard.type("one line");
    await page.keyboard.press("ControlOrMeta+Enter");
    const result = form.getByRole("region", { name: "Result of Write" });
    await expect(result).toContainText("✓ ok");
    await expect(result).toContainText("added /work/a.md +1");
    await expect(result).toContainText("Wrote contents to /work/a.md");
    await expect(playground.files.row("/work/a.md")).toBeVisible();
    await expectAccessible(page, "a tool that was tried");
    await result.getByRole("button", { name: "Undo" }).click();
    await expect(playground.files.row("/work/a.md")).toBeHidden();
    await form.getByRole("textbox", { name: /^path/ }).fill("");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(form.getByRole("alert")).toHaveText("path is required.");
    await expect(form.getByRole("textbox", { name: /^path/ })).toBeFocused();
    await expect(result).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(row(/^offered Write/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
  });

  await test.step("a server's tools stand beside the others; one that takes its time is stopped", async () => {
    await view.getByRole("button", { name: "Add server" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an MCP server" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("my notes");
    await dialog.getByRole("textbox", { name: "Address" }).fill(`${servers.url}/open/mcp`);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText("A name has letters, digits, _ and -");
    await dialog.getByRole("textbox", { name: "Name" }).fill("notes");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(view.getByRole("list", { name: "MCP servers" })).toContainText(/notes.*9 tools/);
    await expect(menu).toHaveText(/Tools 21/);
    await row(/^offered mcp notes · slow/).click();
    const form = view.getByRole("form", { name: "Try mcp__notes__slow" });
    await form.getByRole("button", { name: "Call slow" }).click();
    await expect(form.getByText(/step \d/)).toBeVisible();
    await form.getByRole("button", { name: "Stop" }).click();
    await expect(form.getByRole("region", { name: /^Result/ })).toContainText("failed · interrupted");
    await row(/^offered mcp notes · slow/).click();
  });

  await test.step("a recorded search says that it is one", async () => {
    await row(/^offered webSearch/).click();
    const form = view.getByRole("form", { name: "Try webSearch" });
    await form.getByRole("textbox", { name: /^searchTerm/ }).fill("typescript");
    await form.getByRole("button", { name: "Call webSearch" }).click();
    await expect(form.getByRole("region")).toContainText("recorded results, nothing was searched");
  });
});

async function startedServers(): Promise<AsyncDisposable & { readonly url: string }> {
  const servers = await mcpServers();
  return { url: servers.url, [Symbol.asyncDispose]: () => servers.stop() };
}
