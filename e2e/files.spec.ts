import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { unzipSync, zipSync } from "fflate";
import { givenFile } from "./filesColumn";
import { expect, test } from "./playground";

const text = (words: string) => new TextEncoder().encode(words);

async function downloaded(page: Page, ask: () => Promise<void>): Promise<{ name: string; contents: Buffer }> {
  const download = page.waitForEvent("download");
  await ask();
  const file = await download;
  return { name: file.suggestedFilename(), contents: await readFile(await file.path()) };
}

function unzipped(zip: Buffer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  );
}

test("mounts are added, refused, edited, reordered and removed, each removal with a way back", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  const { files } = playground;
  const prefixes = () => files.mounts.locator(".mount-prefix").allInnerTexts();

  await files.addMount("/work/deep", "Memory");
  await expect(files.mount("/work/deep")).toContainText("memory");
  await files.addMount("/repo", "IndexedDB");
  await expect(files.mount("/repo")).toContainText("IndexedDB");
  await files.addMount("/repo", "Memory");
  const refusal = page.getByRole("dialog").getByRole("alert");
  await expect(refusal).toHaveText("There is a mount at /repo already.");
  await page.keyboard.press("Escape");
  expect(await prefixes()).toEqual(["/work", "/notes", "/work/deep", "/repo"]);

  await files.chooseFromMount("/repo", "Move up");
  await expect.poll(prefixes).toEqual(["/work", "/notes", "/repo", "/work/deep"]);
  await files.chooseFromMount("/repo", "Edit…");
  await page.getByRole("dialog").getByRole("textbox", { name: "Path" }).fill("/source");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.poll(prefixes).toEqual(["/work", "/notes", "/source", "/work/deep"]);

  await files.row("/source").click();
  await files.upload(givenFile("a.txt", "a"));
  await expect(files.row("/source/a.txt")).toBeVisible();
  await files.chooseFromMount("/source", "Make read-only");
  await expect(files.mount("/source")).toContainText("read-only");
  await files.chooseFromMount("/source", "Remove…");
  const question = page.getByRole("dialog", { name: "Remove /source" });
  await expect(question).toContainText("1 file of 1 B goes with it.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(files.row("/source/a.txt")).toBeVisible();
  await files.chooseFromMount("/source", "Remove…");
  const saved = page.waitForEvent("download");
  await question.getByRole("button", { name: "Download first" }).click();
  expect((await saved).suggestedFilename()).toBe("source.zip");
  await question.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(files.row("/source/a.txt")).toHaveCount(0);
  await playground.notice("Removed the mount /source").getByRole("button", { name: "Undo" }).click();
  await expect(files.row("/source/a.txt")).toBeVisible();
  await expect.poll(prefixes).toEqual(["/work", "/notes", "/source", "/work/deep"]);

  await expect(page.getByRole("contentinfo")).toContainText("Saved");
  await page.reload();
  await expect(files.row("/source")).toBeVisible();
  expect(await prefixes()).toEqual(["/work", "/notes", "/source", "/work/deep"]);
  await expect(files.mount("/source")).toContainText("read-only");
});

test("entries carry their mount's colour, and what a mount hides is said", async ({ playground, page }) => {
  await playground.openEmptyProject();
  const { files } = playground;
  await files.upload(givenFile("a.zip", zipSync({ "deep/under.txt": text("hidden soon"), "top.txt": text("top") })));
  await expect(files.row("/work/top.txt")).toBeVisible();
  await files.addMount("/work/deep", "Memory");
  await expect(playground.notice("What /work holds under /work/deep is hidden by the new mount.")).toBeVisible();
  await expect(files.mount("/work/deep")).toContainText("hides 1 file of /work");
  await expect(files.row("/work/deep/under.txt")).toHaveCount(0);

  await files.upload(givenFile("inner.txt", "inner"));
  await expect(files.row("/work/deep/inner.txt")).toBeVisible();
  const colour = (path: string) =>
    files
      .row(path)
      .locator(".tree-mount-line")
      .evaluate((line) => getComputedStyle(line).backgroundColor);
  expect(await colour("/work/top.txt")).toBe(await colour("/work"));
  expect(await colour("/work/deep/inner.txt")).toBe(await colour("/work/deep"));
  expect(await colour("/work/deep/inner.txt")).not.toBe(await colour("/work/top.txt"));
  await expect(files.row("/work/deep/inner.txt")).toContainText("mount /work/deep");

  await page.reload();
  await files.expand("/work/deep");
  await expect(files.row("/work/top.txt")).toBeVisible();
  // A memory mount begins anew, as its tag says.
  await expect(files.row("/work/deep/inner.txt")).toHaveCount(0);
  await expect(files.mount("/work/deep").getByText("memory")).toHaveAttribute(
    "title",
    "In memory: it begins anew each time the page loads.",
  );
});

test("files and folders are made, renamed, moved and deleted, and a deletion can be taken back", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  const { files } = playground;
  await files.chooseFromRow("/work", "New folder…");
  await files.nameEntry("drafts");
  await expect(files.row("/work/drafts")).toBeVisible();
  await files.chooseFromRow("/work/drafts", "New file…");
  await files.nameEntry("one.md");
  await expect(files.row("/work/drafts/one.md")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "/work/drafts/one.md" })).toBeAttached();

  await files.row("/work/drafts/one.md").click();
  await files.tree.press("F2");
  await files.nameEntry("two.md");
  await expect(files.row("/work/drafts/two.md")).toBeVisible();
  await files.chooseFromRow("/work/drafts/two.md", "Move…");
  await files.nameEntry("/notes/kept/two.md");
  await files.expand("/notes/kept");
  await expect(files.row("/notes/kept/two.md")).toBeVisible();
  await expect(files.row("/work/drafts/two.md")).toHaveCount(0);
  await files.row("/notes/kept/two.md").dragTo(files.row("/work/drafts"));
  await expect(files.row("/work/drafts/two.md")).toBeVisible();

  await files.chooseFromRow("/work/drafts", "Delete");
  await expect(files.row("/work/drafts")).toHaveCount(0);
  await playground.notice("Deleted /work/drafts").getByRole("button", { name: "Undo" }).click();
  await files.expand("/work/drafts");
  await expect(files.row("/work/drafts/two.md")).toBeVisible();

  await page.reload();
  await files.expand("/work/drafts");
  await expect(files.row("/work/drafts/two.md")).toBeVisible();
});

test("files, folders and zips come in by button and by drop, and go out as they are", async ({ playground, page }) => {
  const folder = await mkdtemp(join(tmpdir(), "rootscope-"));
  try {
    await mkdir(join(folder, "given", "inner"), { recursive: true });
    await writeFile(join(folder, "given", "inner", "deep.txt"), "deep");
    await writeFile(join(folder, "given", "top.txt"), "top");
    await writeFile(join(folder, "alone.txt"), "alone");
    await writeFile(join(folder, "packed.zip"), zipSync({ "packed/a.txt": text("a"), "packed/b/c.txt": text("c") }));
    await playground.openEmptyProject();
    const { files } = playground;

    await files.uploadFolder(join(folder, "given"));
    await files.expand("/work/given", "/work/given/inner");
    await expect(files.row("/work/given/inner/deep.txt")).toBeVisible();
    await files.row("/work").click();
    await files.expand("/work");
    await files.upload(join(folder, "packed.zip"));
    await files.expand("/work/packed");
    await expect(files.row("/work/packed/a.txt")).toBeVisible();

    await files.dropFromComputer(
      files.row("/notes"),
      ["given", "alone.txt", "packed.zip"].map((name) => join(folder, name)),
    );
    await files.expand("/notes", "/notes/given", "/notes/packed");
    await expect(files.row("/notes/given/top.txt")).toBeVisible();
    await expect(files.row("/notes/packed/a.txt")).toBeVisible();

    const one = await downloaded(page, () => files.chooseFromRow("/notes/alone.txt", "Download"));
    expect([one.name, one.contents.toString()]).toEqual(["alone.txt", "alone"]);
    const some = await downloaded(page, () => files.chooseFromRow("/work/given", "Download as zip"));
    expect([some.name, unzipped(some.contents)]).toEqual(["given.zip", { "inner/deep.txt": "deep", "top.txt": "top" }]);
    const all = await downloaded(page, () => files.chooseFromFiles("Download all as zip"));
    const tree = { "given/inner/deep.txt": "deep", "given/top.txt": "top", "packed/a.txt": "a", "packed/b/c.txt": "c" };
    expect([all.name, unzipped(all.contents)]).toEqual([
      "files.zip",
      {
        ...Object.fromEntries(Object.entries(tree).map(([path, words]) => [`work/${path}`, words])),
        ...Object.fromEntries(Object.entries(tree).map(([path, words]) => [`notes/${path}`, words])),
        "notes/alone.txt": "alone",
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what changed since the run began is marked, and one or all of it can be put back", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  const { files } = playground;
  await files.upload(givenFile("old.txt", "old words"), givenFile("gone.txt", "gone"), givenFile("same.txt", "same"));
  await expect(files.row("/work/same.txt")).toBeVisible();
  await playground.send(
    "Replace old with new in /work/old.txt, delete /work/gone.txt and create /work/fresh.txt with hello",
  );
  await playground.waitForRunToEnd();

  await expect(files.row("/work/old.txt")).toContainText("modified");
  await expect(files.row("/work/gone.txt")).toContainText("deleted");
  await expect(files.row("/work/fresh.txt")).toContainText("added");
  await expect(files.row("/work/same.txt")).not.toContainText(/added|modified|deleted/);
  await page.reload();
  await expect(files.row("/work/gone.txt")).toContainText("deleted");

  await files.chooseFromRow("/work/gone.txt", "Revert to before the run");
  await expect(files.row("/work/gone.txt")).not.toContainText("deleted");
  await page.getByRole("button", { name: "2 changed this run" }).click();
  await page.getByRole("menuitem", { name: "Revert all to before the run" }).click();
  await expect(files.row("/work/fresh.txt")).toHaveCount(0);
  await expect(files.row("/work/old.txt")).not.toContainText("modified");
  await playground.notice("Reverted 2 entries").getByRole("button", { name: "Undo" }).click();
  await expect(files.row("/work/fresh.txt")).toContainText("added");
  await expect(files.row("/work/old.txt")).toContainText("modified");
});
