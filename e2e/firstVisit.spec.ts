import { expect, test } from "./playground";

test("the first visit shows the sample run itself once, on three mounts, one of them read-only", async ({
  playground,
  page,
}) => {
  await playground.openSample();

  const mounts = playground.mounts.getByRole("listitem");
  await expect(mounts).toHaveCount(3);
  await expect(mounts.filter({ hasText: "read-only" })).toHaveCount(1);

  // The paths of mounts are whole beside their tags.
  const isCut = (prefix: string) =>
    page
      .getByRole("list", { name: "Mounts" })
      .getByRole("button", { name: prefix, exact: true })
      .evaluate((element) => element.scrollWidth > element.clientWidth);
  await expect(playground.files.mount("/agent/skills")).toContainText("read-only");
  for (const prefix of ["/repo", "/plans", "/agent/skills"]) expect(await isCut(prefix)).toBe(false);
  const changed = page.getByRole("button", { name: /changed this run$/ });
  expect(await changed.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);

  await expect(playground.calls(/StrReplace \/repo\/src\/createStore\.ts mount \/repo/)).toBeVisible();
  await expect(playground.row(/^createStore\.ts.*modified/)).toBeVisible();
  await expect(playground.message).not.toHaveValue("");

  await page.reload();
  await expect(playground.calls(/StrReplace \/repo\/src\/createStore\.ts/)).toBeVisible();
  await expect(page.getByRole("article", { name: "You said" })).toHaveCount(1);
});
