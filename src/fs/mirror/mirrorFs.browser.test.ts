import { afterAll, describe, expect, inject, it, vi } from "vitest";
import { directorySource } from "../directory/directoryFs";
import { describeFileSystem } from "../fileSystem.suite";
import { describeAgainstModel } from "../fileSystemModel.suite";
import { diffTrees } from "../diffTrees";
import { filledTree } from "../host/hostFiles.suite";
import { hostSource } from "../host/hostSource";
import { webdavFiles } from "../host/webdavFiles";
import { deleteProjectDatabase, openProjectDatabase } from "../idb/projectDatabase";
import { storedMirror } from "../idb/storedMirror";
import { entriesOf, expectError, pathsOf } from "../suiteCase.suite";
import { mirrorFs, type MirrorFileSystem } from "./mirrorFs";

// Every step is a message to another process, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let folders = 0;
/** A folder of the origin's private file system. */
async function newFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(`mirror-${folders++}`, { create: true });
}
afterAll(async () => {
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys())
    if (name.startsWith("mirror-")) await root.removeEntry(name, { recursive: true });
});

async function mirrorOf(folder: FileSystemDirectoryHandle): Promise<MirrorFileSystem> {
  const mirror = await mirrorFs({ scope: folder.name });
  mirror.connect(directorySource(folder));
  await mirror.refresh();
  return mirror;
}

describeFileSystem("mirrorFs of a folder", async (files) => filledTree(await mirrorOf(await newFolder()), files));
describeAgainstModel(
  "mirrorFs of a folder",
  async (files) => {
    const tree = await mirrorOf(await newFolder());
    await filledTree(tree, files);
    return tree;
  },
  // The mirror itself is tried more often where it costs less; here it is the folder's own ways.
  { runs: 60 },
);

async function written(folder: FileSystemDirectoryHandle, name: string, text: string): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(text);
  await writable.close();
}

describe("a mirror of a folder somebody else writes too", () => {
  it("sees what they do when it looks, and never writes over it", async () => {
    const folder = await newFolder();
    await written(folder, "a.txt", "1");
    const mirror = await mirrorOf(folder);
    const before = await mirror.snapshot();
    await written(folder, "a.txt", "theirs");
    await written(folder, "b.txt", "new");
    await expectError(mirror.write("/a.txt", "mine"), "conflict", "conflict: /a.txt", "/a.txt");
    await mirror.refresh();
    const now = await mirror.snapshot();
    expect(diffTrees(before, now).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "modified /a.txt",
      "added /b.txt",
    ]);
    expect(await mirror.read("/a.txt")).toBe("theirs");
    await mirror.write("/a.txt", "mine");
    expect(await (await (await folder.getFileHandle("a.txt")).getFile()).text()).toBe("mine");
  });

  it("keeps a file the same when it moves, and directories that hold nothing", async () => {
    const folder = await newFolder();
    await (await folder.getDirectoryHandle("d", { create: true })).getDirectoryHandle("empty", { create: true });
    await written(await folder.getDirectoryHandle("d"), "f", "1");
    const mirror = await mirrorOf(folder);
    const id = (await mirror.snapshot()).file("/d/f")?.hash;
    await mirror.rename("/d", "/e");
    const moved = await mirror.snapshot();
    expect([await pathsOf(mirror.list()), moved.file("/e/f")?.hash]).toEqual([["/e", "/e/empty", "/e/f"], id]);
    await mirror.refresh();
    expect(diffTrees(moved, await mirror.snapshot())).toEqual([]);
    await mirror.delete("/e/f");
    await mirror.removeDirectory("/e/empty");
    expect(await pathsOf(mirror.list())).toEqual(["/e"]);
  });

  it("hears of changes by itself where the browser tells", async (context) => {
    if (!("FileSystemObserver" in globalThis)) context.skip("this browser has no FileSystemObserver");
    const folder = await newFolder();
    const source = directorySource(folder);
    const mirror = await mirrorFs({ scope: folder.name });
    mirror.connect(source);
    await mirror.refresh();
    const stop = source.watch?.((paths) => {
      (paths ? mirror.refreshPaths(paths) : mirror.refresh()).catch(() => undefined);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await written(folder, "a.txt", "1");
    await expect.poll(() => pathsOf(mirror.list()), { timeout: 20_000 }).toEqual(["/a.txt"]);
    await written(await folder.getDirectoryHandle("d", { create: true }), "b", "1");
    await expect.poll(() => pathsOf(mirror.list()), { timeout: 20_000 }).toEqual(["/a.txt", "/d", "/d/b"]);
    await folder.removeEntry("a.txt");
    await expect.poll(() => pathsOf(mirror.list()), { timeout: 20_000 }).toEqual(["/d", "/d/b"]);
    stop?.();
  });
});

describe.skipIf(inject("webdavUrl") === "")("mirrors of a WebDAV server of another address", () => {
  it("lose nothing between two pages that race, and keep what they have seen", async () => {
    const place = `/open/mirror-${crypto.randomUUID()}`;
    const database = await openProjectDatabase("mirror-races");
    const opened = async (scope: string) => {
      const mirror = await mirrorFs({ scope, memory: storedMirror(database, scope) });
      mirror.connect(hostSource(webdavFiles({ url: inject("webdavUrl") }), place));
      await mirror.refresh();
      return mirror;
    };
    const one = await opened("one");
    await one.write("/d/count", "0");
    const two = await opened("two");
    const mirrors = [one, two];
    await Promise.all(
      mirrors.map(async (mirror) => {
        for (let left = 10; left > 0;) {
          const next = String(Number(await mirror.read("/d/count")) + 1);
          const error: unknown = await mirror.write("/d/count", next).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error === undefined) left--;
          else expect(error).toMatchObject({ code: "conflict", path: "/d/count" });
        }
      }),
    );
    expect(await two.read("/d/count")).toBe("20");
    await one.refresh();
    expect((await entriesOf(one.grep({ pattern: "2" }))).map(({ line }) => line)).toEqual(["20"]);
    const seen = await one.snapshot();
    await one.close();
    expect(diffTrees(seen, await (await opened("one")).snapshot())).toEqual([]);
    database.close();
    await deleteProjectDatabase("mirror-races");
  });
});
