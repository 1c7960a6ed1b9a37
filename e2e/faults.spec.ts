import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { FaultPageServer } from "./faults/faultPageServer";
import { givenFile } from "./filesColumn";
import { limitStorage } from "./limitStorage";
import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import { expect, test } from "./playground";
import { StoredRecords } from "./storedRecords";

const MIB = 1024 * 1024;
const NEWER = "A newer version of Rootscope wrote this project: it can be read here, not changed.";
const CLEARED = "The browser's storage for this project was cleared.";

test("two tabs that add to one number by compare-and-swap, 500 times each, lose none", async ({ context }) => {
  await using server = await FaultPageServer.start();
  const pages = [await context.newPage(), await context.newPage()];
  for (const page of pages) {
    await page.goto(server.address);
    // One after the other, so that they do not make a project each.
    await page.evaluate(() => globalThis.faults.begin());
  }
  const results = await Promise.all(pages.map((page) => page.evaluate(() => globalThis.faults.increments(500))));
  expect(results.some(({ conflicts }) => conflicts > 0)).toBe(true);
  expect(await pages[0]?.evaluate(() => globalThis.faults.counts([]))).toMatchObject({ value: 1_000 });
});

test("a disk that is full to the last keeps what it took, and files, sessions and projects can be deleted", async ({
  page,
}) => {
  await using server = await FaultPageServer.start();
  await limitStorage(page, server.address, 10 * MIB);
  await page.goto(server.address);
  const full = await page.evaluate(() => globalThis.faults.fullDisk());
  expect(full.written).toBeGreaterThan(10);
  expect(full.refusal).toMatch(/^storage full: (\/\d+) at \1$/);
  expect(full.whole).toBe(full.written);
  expect(full.refusedDeletions).toEqual([]);
});

test("storage that is cleared under an open page is said by itself, and what the page holds can be exported", async ({
  playground,
  page,
  baseURL,
}) => {
  await playground.openEmptyProject();
  const { files } = playground;
  await files.upload(givenFile("mine.txt", "the last of it"));
  await files.row("/work/mine.txt").click();
  await expect(page.locator(".view-lines")).toHaveText("the last of it");
  await playground.run("List /work");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", {
    origin: new URL(baseURL ?? "").origin,
    storageTypes: "indexeddb",
  });

  const notice = playground.notice(CLEARED);
  await expect(notice).toContainText("What this page still holds is shown and can be exported");
  await expect(page.getByRole("contentinfo")).toContainText("Storage was cleared: export before you reload");
  await expect(files.row("/work/mine.txt")).toBeVisible();
  await files.upload(givenFile("late.txt", "late"));
  await expect(playground.notice("The import of late.txt ended early")).toContainText(CLEARED);
  await expect(files.row("/work/mine.txt")).toBeVisible();

  const download = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Export the project" }).click();
  const entries = unzipSync(await readFile(await (await download).path()));
  const texts = Object.entries(entries).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)] as const);
  expect(texts.filter(([path, text]) => path.startsWith("blobs/") && text === "the last of it")).toHaveLength(1);
  expect(texts.find(([path]) => path === "sessions/0/session.ndjson")?.[1]).toContain("List /work");

  await page.reload();
  await expect(playground.notice("The browser's storage for this page was cleared")).toBeVisible();
});

test("a newer version that takes the database over is not blocked; this one goes on reading and says so", async ({
  playground,
  page,
  context,
}) => {
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("mine.txt", "mine"));
  await expect(playground.files.row("/work/mine.txt")).toBeVisible();
  const name = await new StoredRecords(page).databaseName();
  const newer = await context.newPage();
  await newer.goto("./manifest.webmanifest");
  const isUpgraded = await newer.evaluate(
    (database) =>
      new Promise((resolve) => {
        const request = indexedDB.open(database, 2);
        request.addEventListener("success", () => resolve(true));
        request.addEventListener("blocked", () => resolve(false));
      }),
    name,
  );
  expect(isUpgraded).toBe(true);

  const notice = playground.notice(NEWER);
  await expect(notice.getByRole("button", { name: "Reload" })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("Read only: a newer version wrote this project");
  await playground.files.row("/work/mine.txt").click();
  await expect(page.locator(".view-lines")).toHaveText("mine");
  await playground.files.upload(givenFile("late.txt", "late"));
  await expect(playground.notice("The import of late.txt ended early")).toContainText(
    "read-only mount: /work/late.txt",
  );

  await page.reload();
  await expect(notice).toBeVisible();
  await expect(playground.files.row("/work/mine.txt")).toBeVisible();
});

test("damaged records are named, cost themselves alone, and leave the rest at work", async ({ playground, page }) => {
  await playground.openEmptyProject("Hurt");
  await playground.files.upload(givenFile("mine.txt", "mine"));
  await playground.files.row("/work/mine.txt").click();
  await playground.run("List /work");
  await playground.page.locator(".session-header .session-title").waitFor();
  const records = new StoredRecords(page);

  expect(await records.replace(["doc"], "torn")).toBe(1);
  await page.reload();
  const notice = playground.notice("The record of this project's settings is damaged");
  await expect(notice).toContainText("Every disk of the project is mounted under its own name");
  await expect(notice.getByRole("button", { name: "Export the project" })).toBeVisible();
  await expect(playground.files.row("/work/mine.txt")).toBeVisible();
  await expect(playground.said("List /work")).toBeVisible();
  await playground.files.upload(givenFile("goes on.txt", "on"));
  await expect(playground.files.row("/work/goes on.txt")).toBeVisible();

  expect(await records.replace(["l"], { count: 3, lines: "torn" })).toBeGreaterThan(0);
  await page.reload();
  await expect(playground.conversation).toContainText(/events of this session cannot be read/);
  await expect(playground.files.row("/work/goes on.txt")).toBeVisible();

  expect(await records.replace(["d", "work", "h"], 7)).toBe(1);
  await page.reload();
  await expect(playground.files.mount("/work")).toContainText("This disk is damaged: its head cannot be read.");
  await playground.files.row("/work/mine.txt").click();
  await expect(page.locator(".view-lines")).toHaveText("mine");

  expect(await records.replace(["h"], { schema: "torn" })).toBe(1);
  await page.reload();
  await expect(playground.notice("The head of this project is damaged")).toContainText(
    "It can be read here and exported, not changed.",
  );
  await expect(page.getByRole("contentinfo")).toContainText("Read only: this project is damaged");
  await expect(playground.files.row("/work/mine.txt")).toBeVisible();
});

test("storage that runs full in the middle of a run ends the call, not the session, and its log is whole", async ({
  playground,
  page,
  baseURL,
}) => {
  await using server = await ModelServer.start({
    answers: [
      (stream) => {
        stream.say("A large file.");
        stream.call("Write", { path: "/work/large.txt", fileText: "large ".repeat(MIB / 2) });
        stream.end();
      },
      (stream) => {
        stream.say("There was no room.");
        stream.end();
      },
      (stream) => {
        stream.say("Now there is.");
        stream.end();
      },
    ],
  });
  await limitStorage(page, baseURL ?? "", 12 * MIB);
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("kept.txt", "kept"), givenFile("room.bin", randomBytes(7 * MIB)));
  await expect(playground.notice("Imported 2 files")).toBeVisible();
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();
  await playground.send("Write something large");
  const call = playground.calls(/^failed Write \/work\/large\.txt.*storage full/);
  await expect(call).toBeVisible();
  await expect(page.getByText("The run ended: storage full: /")).toBeAttached();

  await page.reload();
  await expect(playground.answers("A large file.")).toBeVisible();
  await expect(call).toBeVisible();
  await expect(playground.notice(/The page was closed/)).toHaveCount(0);
  await expect(playground.files.row("/work/kept.txt")).toBeVisible();
  await expect(playground.files.row("/work/large.txt")).toHaveCount(0);

  await playground.files.row("/work/room.bin").click();
  await playground.files.tree.press("Delete");
  await expect(playground.notice("Deleted /work/room.bin")).toBeVisible();
  await playground.files.upload(givenFile("small.txt", "small"));
  await expect(playground.files.row("/work/small.txt")).toBeVisible();
});

test("a database that closes under a run is opened again: the run goes on, and nothing of it is lost", async ({
  playground,
  page,
}) => {
  let goOn = () => undefined as void;
  const closed = new Promise<void>((resolve) => (goOn = resolve));
  await using server = await ModelServer.start({
    answers: [
      async (stream) => {
        stream.say("Before it closed.");
        await closed;
        stream.call("Write", { path: "/work/after.txt", fileText: "after" });
        stream.end();
      },
      (stream) => {
        stream.say("After it closed.");
        stream.end();
      },
    ],
  });
  // Browsers close a database when its file goes bad or the machine sleeps; none offers a way to ask for it, and to delete
  // the database from elsewhere is another fault (`versionchange`). So the page's own are closed and told so, as they do.
  await page.addInitScript(() => {
    const databases: IDBDatabase[] = [];
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...given) => {
      const request = open(...given);
      request.addEventListener("success", () => databases.push(request.result));
      return request;
    };
    addEventListener("closedatabases", () => {
      for (const database of databases) {
        database.close();
        database.dispatchEvent(new Event("close"));
      }
      document.documentElement.dataset["closed"] = String(databases.length);
    });
  });
  await playground.openEmptyProject();
  await playground.files.upload(givenFile("kept.txt", "kept"));
  await expect(playground.files.row("/work/kept.txt")).toBeVisible();
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();
  await playground.begin("Write while the database closes");
  await expect(playground.answers("Before it closed.")).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event("closedatabases")));
  await expect(page.locator("html")).toHaveAttribute("data-closed", /^[1-9]/);
  goOn();
  await playground.waitForRunToEnd();
  await expect(playground.answers("After it closed.")).toBeVisible();
  await expect(playground.notice(/storage|closed/i)).toHaveCount(0);

  await page.reload();
  await expect(playground.answers("Before it closed.")).toBeVisible();
  await expect(playground.calls(/^ok Write \/work\/after\.txt/)).toBeVisible();
  await expect(playground.answers("After it closed.")).toBeVisible();
  await expect(playground.files.row("/work/kept.txt")).toBeVisible();
  await expect(playground.files.row("/work/after.txt")).toBeVisible();
});
