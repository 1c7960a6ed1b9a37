import { expect, test } from "./playground";

test("what a new mount hides says so and is not called deleted", async ({ playground, page }) => {
  await playground.openSample();
  const marks = page.locator(".tree-row .tree-gone");
  await expect(marks).toHaveCount(0);
  await playground.files.addMount("/repo/src", "Memory");
  await playground.files.expand("/repo");
  await playground.files.expand("/repo/src");
  await expect(page.getByText("hidden by /repo/src").first()).toBeVisible();
  await expect(marks).toHaveCount(0);
  await page.locator('.tree-row:has-text("hidden by /repo/src")').last().click();
  await expect(page.getByText(/is hidden by \/repo\/src\. It is unchanged there\./)).toBeVisible();
});

test("a notice covers no control on a narrow screen", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.addMount("/work/inner", "Memory");
  await playground.files.chooseFromMount("/work/inner", "Remove");
  await page.setViewportSize({ width: 700, height: 900 });
  await page.getByRole("radiogroup", { name: "Column" }).getByRole("radio", { name: "Session" }).check();
  const notice = playground.notice("Removed the mount /work/inner");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "dry run" }).click();
  await expect(page.getByRole("button", { name: "dry run" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("textbox", { name: "steps ≤" }).click();
  await expect(notice).toBeVisible();
});
