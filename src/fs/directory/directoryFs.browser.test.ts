import { afterAll, describe, expect, it, vi } from "vitest";
import { describeFileSystem } from "../fileSystem.suite";
import { describeAgainstModel } from "../fileSystemModel.suite";
import { filledTree } from "../host/hostFiles.suite";
import { pathsOf } from "../suiteCase.suite";
import { unionFs } from "../unionFs";
import { DirectoryPermissionError } from "./directoryErrors";
import { directoryFs } from "./directoryFs";

// Every step is a message to another process, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let folders = 0;
/** A folder of the origin's private file system. */
async function newFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(`directory-${folders++}`, { create: true });
}
afterAll(async () => {
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
});

describeFileSystem("directoryFs", async (files) => filledTree(directoryFs(await newFolder()), files), {
  skips: { snapshot: "a folder is read file by file", search: "a folder has no index" },
});
describeAgainstModel("directoryFs", async (files) => {
  const tree = directoryFs(await newFolder());
  await filledTree(tree, files);
  return tree;
});

describe("directoryFs", () => {
  it("lets a directory go that was only on the way to one that moved", async () => {
    const tree = directoryFs(await newFolder());
    await tree.makeDirectory("/a/b");
    await tree.rename("/a/b", "/c/d");
    expect(await pathsOf(tree.list())).toEqual(["/c", "/c/d"]);
  });

  it("shows a folder as it is, with directories that hold nothing, sizes and times", async () => {
    const folder = await newFolder();
    const empty = await folder.getDirectoryHandle("empty", { create: true });
    await empty.getDirectoryHandle("deep", { create: true });
    const tree = directoryFs(folder);
    await tree.write("/empty/f", "12");
    await tree.delete("/empty/f");
    await tree.write("/made/f", "12");
    expect(await pathsOf(tree.list())).toEqual(["/empty", "/empty/deep", "/made", "/made/f"]);
    const info = await tree.stat("/made/f");
    expect([info.kind, info.sizeBytes, Math.abs((info.modifiedAt ?? 0) - Date.now()) < 60_000]).toEqual([
      "file",
      2,
      true,
    ]);
  });

  it("does not write over or delete what somebody else has changed", async () => {
    const folder = await newFolder();
    const [mine, theirs] = [directoryFs(folder), directoryFs(folder)];
    await mine.write("/f", "1");
    await theirs.write("/f", "22");
    await expect(mine.write("/f", "3")).rejects.toMatchObject({ code: "conflict", path: "/f" });
    await expect(mine.delete("/f")).rejects.toMatchObject({ code: "conflict", path: "/f" });
    expect(await mine.read("/f")).toBe("22");
    await mine.write("/f", "3");
    await mine.delete("/f");
    await expect(theirs.write("/f", "4")).rejects.toMatchObject({ code: "conflict", actualHash: undefined });
  });

  it("says that the person must allow it, through a union too, and asks again", async () => {
    const folder = await newFolder();
    await directoryFs(folder).write("/f", "x");
    let isAllowed = false;
    // The private file system needs no permission: this one does, until it was asked for.
    const guarded = new Proxy(folder, {
      get: (target, key) => {
        if (key === "queryPermission") return async () => (isAllowed ? "granted" : "prompt");
        if (key === "requestPermission") return async () => ((isAllowed = true), "granted");
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...values: unknown[]) => {
          if (!isAllowed) throw new DOMException("not allowed", "NotAllowedError");
          return Reflect.apply(value, target, values) as unknown;
        };
      },
    });
    const folderTree = directoryFs(guarded);
    const tree = unionFs({ "/folder": folderTree });
    expect(await folderTree.permission()).toBe("prompt");
    const error = await tree.read("/folder/f").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DirectoryPermissionError);
    expect(error).toMatchObject({ code: "permission", path: "/folder/f", message: "permission needed: /folder/f" });
    await expect(pathsOf(tree.list())).rejects.toMatchObject({ code: "permission", path: "/folder" });
    expect(await (error as DirectoryPermissionError).askAgain()).toBe(true);
    expect([await tree.read("/folder/f"), await folderTree.permission()]).toEqual(["x", "granted"]);
  });

  it("says that the folder is gone", async () => {
    const folder = await newFolder();
    const tree = directoryFs(folder);
    await (await navigator.storage.getDirectory()).removeEntry(folder.name, { recursive: true });
    await expect(pathsOf(tree.list())).rejects.toMatchObject({
      code: "unavailable",
      path: "/",
      reason: "The folder is no longer there.",
    });
  });
});
