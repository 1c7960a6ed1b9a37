import { describe, expect, it } from "vitest";
import { describeFileSystem } from "../fileSystem.suite";
import { openProjectDatabase, type ProjectDatabase } from "../idb/projectDatabase";
import { FileNotFoundError } from "../pathError";
import { entriesOf, expectError, pathsOf } from "../suiteCase.suite";
import { describeHostFiles, filledTree } from "./hostFiles.suite";
import type { HostFilesApi } from "./hostFilesApi";
import { hostFs } from "./hostFs";
import { idbFiles } from "./idbFiles";

const database = (): Promise<ProjectDatabase> => openProjectDatabase("host", { storage: "memory" });
const store = async (): Promise<HostFilesApi> => idbFiles(await database(), "shared", () => 5_000);

const skips = {
  edit: "a store of blobs has no directories",
  snapshot: "a store is read file by file",
  search: "a store of blobs has no index",
};
describeFileSystem("hostFs", async (files) => filledTree(hostFs(await store()), files), { skips });
describeFileSystem(
  "hostFs of a directory of a store",
  async (files) => {
    const blobs = await store();
    await blobs.write("/scope-not/x", new Uint8Array());
    return filledTree(hostFs(blobs, "/scope/d", { asksFirst: true }), files);
  },
  { skips },
);
describeHostFiles("a project's database in memory", async () => {
  const shared = await database();
  return [idbFiles(shared, "shared"), idbFiles(shared, "shared")];
});

describe("hostFs", () => {
  it("writes unconditionally what it has not seen, and only over what it has seen from then on", async () => {
    const files = await store();
    const [one, two] = [hostFs(files), hostFs(files)];
    await one.write("/f", "1");
    await two.write("/f", "2");
    const [seen, there] = ["1", "2"].map((text) => entryEtag(text));
    const error = await one.write("/f", "3").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "conflict", path: "/f", expectedHash: await seen, actualHash: await there });
    await expectError(one.write("/f", "3"), "conflict", "conflict: /f", "/f");
    expect(await one.read("/f")).toBe("2");
    await one.write("/f", "3");
    expect(await two.read("/f")).toBe("3");
  });

  it("deletes only the version it has seen", async () => {
    const files = await store();
    const [one, two] = [hostFs(files), hostFs(files)];
    await one.write("/f", "1");
    await two.read("/f");
    await one.write("/f", "2");
    await expectError(two.delete("/f"), "conflict", "conflict: /f", "/f");
    await two.read("/f");
    await two.delete("/f");
    await expectError(one.delete("/f"), "not-found", "not found: /f", "/f");
    await one.write("/f", "new");
    expect(await two.read("/f")).toBe("new");
  });

  it("tells a writer that the file it has seen is gone", async () => {
    const files = await store();
    const [one, two] = [hostFs(files), hostFs(files)];
    await one.write("/f", "1");
    await two.delete("/f");
    const error = await one.write("/f", "2").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "conflict", expectedHash: await entryEtag("1"), actualHash: undefined });
    await expect(one.read("/f")).rejects.toEqual(new FileNotFoundError("/f"));
    await one.write("/f", "2");
  });

  it("asks before the first write on a shared store, so that even that one is conditional", async () => {
    const files = await store();
    const conditions: unknown[] = [];
    const watched: HostFilesApi = {
      ...files,
      write: (path, bytes, condition) => {
        conditions.push(condition);
        return files.write(path, bytes, condition);
      },
    };
    await hostFs(files).write("/there", "1");
    const tree = hostFs(watched, "/", { asksFirst: true });
    await tree.write("/there", "2");
    await tree.write("/new", "1");
    expect(conditions).toEqual([{ ifMatch: await entryEtag("1") }, { ifNoneMatch: "*" }]);
  });

  it("does not lose a race against itself", async () => {
    const tree = hostFs(await store());
    await Promise.all(Array.from({ length: 20 }, (_, index) => tree.write("/f", String(index))));
    expect(await tree.read("/f")).toBe("19");
  });

  it("finds nothing by search and tells sizes and times", async () => {
    const tree = hostFs(await store(), "/a/b");
    await tree.write("/c/d", "12");
    expect(await entriesOf(tree.search({ query: "12" }))).toEqual([]);
    expect(await tree.stat("/c/d")).toEqual({ kind: "file", sizeBytes: 2, modifiedAt: 5_000 });
  });

  it("reads a file that grep has fetched once for as long as it is the same version", async () => {
    const files = await store();
    const read: string[] = [];
    const watched = { ...files, read: (path: string) => (read.push(path), files.read(path)) };
    const tree = hostFs(watched);
    for (const name of ["a", "b"]) await tree.write(`/${name}`, `text ${name}`);
    const hits = async () => (await entriesOf(tree.grep({ pattern: "text" }))).map(({ line }) => line);
    expect([await hits(), await hits()]).toEqual([
      ["text a", "text b"],
      ["text a", "text b"],
    ]);
    await tree.write("/b", "text c");
    expect(await hits()).toEqual(["text a", "text c"]);
    expect(read).toEqual(["/a", "/b", "/b"]);
  });

  it("lists a wide and deep store in order, and stops when it is left", async () => {
    const files = await store();
    const tree = hostFs(files);
    const paths = Array.from({ length: 600 }, (_, index) => `/d${index % 30}/e${index % 7}/f${index}`);
    for (const path of paths) await tree.write(path, "");
    const directories = new Set(
      paths.flatMap((path) => [path.replace(/\/[^/]*\/[^/]*$/, ""), path.replace(/\/[^/]*$/, "")]),
    );
    expect(await pathsOf(tree.list())).toEqual([...directories, ...paths].toSorted());
    let asked = 0;
    const counted = hostFs({ ...files, list: (path, signal) => (asked++, files.list(path, signal)) });
    for await (const { path } of counted.list()) {
      expect(path).toBe("/d0");
      break;
    }
    const atOnce = asked;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([asked, atOnce < 30]).toEqual([atOnce, true]);
  });
});

async function entryEtag(text: string): Promise<string | undefined> {
  const files = await store();
  await files.write("/x", new TextEncoder().encode(text));
  return (await files.stat("/x"))?.etag;
}
