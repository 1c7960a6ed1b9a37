import { givenFile } from "./filesColumn";
import { expect, test } from "./playground";

test("notices are three at once, never over a window, and go in their time whatever comes after", async ({
  playground,
  page,
}) => {
  await page.clock.install();
  await playground.openEmptyProject();
  const { files } = playground;
  const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.txt`);
  await files.upload(...names.map((name) => givenFile(name, name)));
  await expect(playground.notice("Imported 5 files")).toBeVisible();
  for (const name of names) {
    await files.row(`/work/${name}`).click();
    await page.keyboard.press("Delete");
    await expect(playground.notice(`Deleted /work/${name}`)).toBeVisible();
  }
  await expect(page.locator(".notice")).toHaveCount(3);
  await page.getByRole("button", { name: /earlier message/ }).click();
  await expect(playground.notice("Deleted /work/a.txt")).toBeVisible();
  await page.getByRole("button", { name: "Only the newest" }).click();
  await page.keyboard.press("Alt+0");
  await expect(playground.notice("Deleted /work/e.txt")).toBeHidden();
  await expect(page.locator(".notice")).toHaveCount(3);

  await page.getByRole("button", { name: "+ Add" }).click();
  const order = (selector: string) =>
    page.locator(selector).evaluate((element) => Number(getComputedStyle(element).zIndex));
  expect(await order(".notices")).toBeLessThan(await order(".dialog-overlay"));
  await page.keyboard.press("Escape");
  await page.mouse.move(5, 5);
  await page.clock.runFor(13_000);
  await expect(page.locator(".notice")).toHaveCount(0);
});
