import { expectAccessible } from "./axe";
import { expect, test } from "./playground";

test("find in files lists lines of every mount as they are found and opens one in the editor", async ({
  playground,
  page,
}) => {
  await playground.openSample();
  await page.keyboard.press("ControlOrMeta+Shift+F");
  const dialog = page.getByRole("dialog", { name: "Find in files" });
  const pattern = dialog.getByRole("combobox", { name: /Pattern/ });
  await expect(pattern).toBeFocused();
  await pattern.fill("todo");
  const options = dialog.getByRole("option");
  await expect(options.first()).toContainText("/repo/");
  await expect(dialog.getByText(/^\d+ lines? in \d+ files?$/)).toBeVisible();
  await expectAccessible(page, "find in files");

  await dialog.getByRole("textbox", { name: "Files" }).fill("*.nothing");
  await expect(dialog.getByText("No line matches.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Files" }).fill("");
  await expect(options.first()).toBeVisible();
  await pattern.fill("(");
  await expect(dialog.getByRole("alert")).toBeVisible();

  await pattern.fill("todo");
  await expect(options.first()).toBeVisible();
  await pattern.press("ArrowDown");
  const chosen = dialog.getByRole("option", { selected: true });
  const place = (await chosen.locator(".find-place").textContent()) ?? "";
  const [path = "", line = ""] = place.split(":");
  await pattern.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("list", { name: "Open documents" }).locator('[aria-current="page"]')).toContainText(
    path.slice(path.lastIndexOf("/") + 1),
  );
  await expect(page.locator(".monaco-editor .line-numbers.active-line-number")).toHaveText(line);
});
