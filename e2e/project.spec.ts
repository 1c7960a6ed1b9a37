import { unzipSync } from "fflate";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { givenFile } from "./filesColumn";
import { expect, Playground, test } from "./playground";

async function chooseFromProject(page: Page, item: string): Promise<void> {
  await page.getByRole("banner").locator(".project-trigger").click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function switchToProject(page: Page, name: string): Promise<void> {
  await page.getByRole("banner").locator(".project-trigger").click();
  await page.getByRole("menuitemradio", { name, exact: true }).click();
  await expect(page).toHaveTitle(`${name} · Rootscope`);
}

test("projects are made, named, duplicated, switched between and deleted with a way back", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject("First");
  await playground.files.upload(givenFile("first.txt", "first"));
  await expect(playground.files.row("/work/first.txt")).toBeVisible();
  await chooseFromProject(page, "Rename…");
  await page.getByRole("dialog").getByRole("textbox").fill("Renamed");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page).toHaveTitle("Renamed · Rootscope");

  await chooseFromProject(page, "Duplicate");
  await expect(page).toHaveTitle("Renamed copy · Rootscope");
  await playground.files.upload(givenFile("copy only.txt", "copy"));
  await expect(playground.files.row("/work/copy only.txt")).toBeVisible();
  await expect(playground.files.row("/work/first.txt")).toBeVisible();
  await switchToProject(page, "Renamed");
  await expect(playground.files.row("/work/first.txt")).toBeVisible();
  await expect(playground.files.row("/work/copy only.txt")).toHaveCount(0);

  await chooseFromProject(page, "Delete this project…");
  const deletion = page.getByRole("dialog", { name: "Delete the project “Renamed”" });
  const exported = page.waitForEvent("download");
  await deletion.getByRole("button", { name: "Export first" }).click();
  expect((await exported).suggestedFilename()).toBe("Renamed.zip");
  await deletion.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).not.toHaveTitle("Renamed · Rootscope");
  await playground.notice("Deleted the project “Renamed”").getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveTitle("Renamed · Rootscope");
  await page.reload();
  await expect(page).toHaveTitle("Renamed · Rootscope");
  await expect(playground.files.row("/work/first.txt")).toBeVisible();
});

test("an exported project is whole in another browser, and nothing of it runs by itself", async ({
  playground,
  page,
  browser,
  baseURL,
}) => {
  await playground.openSample();
  await expect(page.getByRole("contentinfo")).toContainText("Saved");
  const download = page.waitForEvent("download");
  await chooseFromProject(page, "Export as zip");
  const file = await download;
  expect(file.suggestedFilename()).toBe("Release notes helper.zip");
  const path = await file.path();
  expect(Object.keys(unzipSync(await readFile(path))).length).toBeGreaterThan(3);

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = new Playground(await context.newPage());
  await other.openEmptyProject("Where it is imported");
  await other.page.getByLabel("Project to import").setInputFiles({
    name: "shared.zip",
    mimeType: "application/zip",
    buffer: await readFile(path),
  });
  await expect(other.page).toHaveTitle("Release notes helper (imported) · Rootscope");
  await expect(other.notice("comes from the file shared.zip. Nothing of it has run.")).toBeVisible();
  await expect(other.page.getByRole("contentinfo")).toContainText("No run");

  await expect(other.files.mounts).toHaveCount(3);
  await expect(other.files.row("/repo/src/createStore.ts")).toBeVisible();
  await expect(other.files.row("/plans/release.md")).toBeVisible();
  await expect(other.calls(/StrReplace \/repo\/src\/createStore\.ts/)).toBeVisible();
  await expect(other.said("Find the TODOs in /repo/src")).toHaveCount(1);
  await other.page
    .getByRole("list", { name: "Open documents" })
    .getByRole("button", { name: "instructions.md" })
    .click();
  await expect(other.page.locator(".view-lines").last()).toContainText("You\u00a0maintain\u00a0release\u00a0notes.");
  await other.switchTo("Compare");
  await expect(other.page.getByRole("textbox", { name: "Name of B" })).toHaveValue("Grep first");
  await expect(other.page.getByRole("contentinfo")).toContainText("Saved");
  await other.page.reload();
  await expect(other.mode("Compare")).toBeChecked();
  await other.switchTo("Run");
  await other.files.expand("/repo/src");
  await expect(other.files.row("/repo/src/createStore.ts")).toBeVisible();
  await expect(other.said("Find the TODOs in /repo/src")).toHaveCount(1);
  expect(other.complaints).toEqual([]);
  await context.close();
});

test("a file that is no project is refused with a reason, and the open one stays", async ({ playground, page }) => {
  await playground.openEmptyProject("Stays");
  await page.getByLabel("Project to import").setInputFiles({
    name: "not a project.zip",
    mimeType: "application/zip",
    buffer: Buffer.from("no zip"),
  });
  await expect(playground.notice("not a project.zip was not imported")).toBeVisible();
  await expect(page).toHaveTitle("Stays · Rootscope");
});
