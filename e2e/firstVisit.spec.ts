import { expect, test } from "./playground";

test("the first visit shows the sample run itself once, on three mounts, one of them read-only", async ({
  playground,
  page,
}) => {
  await playground.openSample();

  const mounts = playground.mounts.getByRole("listitem");
  await expect(mounts).toHaveCount(3);
  await expect(mounts.filter({ hasText: "read-only" })).toHaveCount(1);

  await expect(playground.calls(/StrReplace \/repo\/src\/createStore\.ts mount \/repo/)).toBeVisible();
  await expect(playground.row(/^createStore\.ts.*modified/)).toBeVisible();
  await expect(playground.message).not.toHaveValue("");

  await page.reload();
  await expect(playground.calls(/StrReplace \/repo\/src\/createStore\.ts/)).toBeVisible();
  await expect(page.getByRole("article", { name: "You said" })).toHaveCount(1);
});
