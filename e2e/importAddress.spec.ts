import { expect, test } from "./playground";

test("a session is imported from an address, and what went wrong is said", async ({ playground, page }) => {
  await playground.openSample();
  await playground.switchTo("Replay");
  await page.route("https://logs.example/**", (route) =>
    route.fulfill({
      status: route.request().url().endsWith("/none.ndjson") ? 404 : 200,
      body: "no log",
      headers: { "Access-Control-Allow-Origin": "*" },
    }),
  );
  playground.expectedComplaints.push(/404/);
  await page.getByRole("button", { name: "From an address…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import from an address" });
  await dialog.getByRole("textbox", { name: "Address" }).fill("https://logs.example/none.ndjson");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("logs.example has nothing at this address");
  await dialog.getByRole("textbox", { name: "Address" }).fill("https://logs.example/some.ndjson");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(playground.notice("some.ndjson")).toBeVisible();
});
