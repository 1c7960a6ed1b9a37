import { expect, test } from "./playground";

test("Back and Forward go through the modes and the replayed session, and its link opens it", async ({
  page,
  playground,
}) => {
  await playground.openSample();
  await expect(page).toHaveURL(/#\/run$/);
  await playground.switchTo("Compare");
  await playground.switchTo("Replay");
  await expect(page).toHaveURL(/#\/replay$/);
  await page.locator(".session-list-open").first().click();
  await expect(page).toHaveURL(/#\/replay\/session_\w+$/);
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
  const link = page.url();

  await page.goBack();
  await expect(page.getByText("Choose a session to go through it event by event")).toBeVisible();
  await page.goBack();
  await expect(playground.mode("Compare")).toBeChecked();
  await page.goBack();
  await expect(playground.mode("Run")).toBeChecked();
  await page.goForward();
  await expect(playground.mode("Compare")).toBeChecked();
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
  expect(page.url()).toBe(link);

  await page.reload();
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.getByRole("slider", { name: "Place in the session" })).toBeVisible();
  await expect(other.locator(".replay-title")).toContainText("Find the TODOs");
  await other.close();
});

test("Back leads to the project that was shown before", async ({ page, playground }) => {
  await playground.openSample();
  await playground.newProject("Second");
  await expect(page).toHaveTitle("Second · Rootscope");
  await page.goBack();
  await expect(page).toHaveTitle("Release notes helper · Rootscope");
  await page.goForward();
  await expect(page).toHaveTitle("Second · Rootscope");
});

test("in Replay the palette offers nothing that acts on the live files; a deleted session is said to be, until Undo", async ({
  page,
  playground,
}) => {
  await playground.openSample();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option", { name: /^Revert every file/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await playground.switchTo("Replay");
  await page.locator(".session-list-open").first().click();
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option", { name: /^Play/ })).toBeVisible();
  for (const name of [/^Revert/, /^Run/, /^Stop/, /^New session/, /^Go to file/])
    await expect(page.getByRole("option", { name })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.locator(".replay-title").click();
  await page
    .getByRole("button", { name: /^More for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("The session that was open here was deleted.")).toBeVisible();
  await playground.notice("Session deleted").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("slider", { name: "Place in the session" })).toBeVisible();
});
