import { describe, expect, it } from "vitest";
import { limits } from "../../base";
import { describeFileSystem } from "../fileSystem.suite";
import { describeAgainstModel } from "../fileSystemModel.suite";
import { diffTrees } from "../diffTrees";
import { forkFs } from "../forkFs";
import { filledTree } from "../host/hostFiles.suite";
import type { HostFilesApi } from "../host/hostFilesApi";
import { hostSource } from "../host/hostSource";
import { idbFiles } from "../host/idbFiles";
import { openProjectDatabase, type ProjectDatabase } from "../idb/projectDatabase";
import { storedMirror } from "../idb/storedMirror";
import { loadSnapshot, saveSnapshot } from "../idb/storedTrees";
import { contentsFromBytes } from "../contents";
import type { SearchQuery } from "../fileSystem";
import { UnavailableError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import { entriesOf, expectError, pathsOf } from "../suiteCase.suite";
import { mirrorFs, type MirrorFileSystem } from "./mirrorFs";
import { isVersionId } from "./versionId";

const database = (): Promise<ProjectDatabase> => openProjectDatabase("mirror", { storage: "memory" });

async function emptyMirror(): Promise<MirrorFileSystem> {
  const mirror = await mirrorFs({ scope: "suite" });
  mirror.connect(
    hostSource(
      idbFiles(await database(), "shared", () => 5_000),
      "/scope",
    ),
  );
  await mirror.refresh();
  return mirror;
}

describeFileSystem("mirrorFs", async (files) => filledTree(await emptyMirror(), files));
describeAgainstModel("mirrorFs", async (files) => {
  const tree = await emptyMirror();
  await filledTree(tree, files);
  return tree;
});

interface Counted extends HostFilesApi {
  readonly reads: string[];
}

/** A store somebody else writes too, a mirror of it, and what the mirror reads. */
async function sharedFixture(files: Record<string, string> = {}) {
  const project = await database();
  const store = idbFiles(await database(), "shared", () => 5_000);
  const other = async (path: string, text: string) => void (await store.write(path, new TextEncoder().encode(text)));
  for (const [path, text] of Object.entries(files)) await other(path, text);
  const reads: string[] = [];
  const counted: Counted = {
    ...store,
    reads,
    read: (path) => {
      reads.push(path);
      return store.read(path);
    },
  };
  const opened = async () => {
    const mirror = await mirrorFs({ scope: "shared", memory: storedMirror(project, "shared") });
    mirror.connect(hostSource(counted));
    await mirror.refresh();
    return mirror;
  };
  return { project, store, other, reads, opened, mirror: await opened() };
}

const textAt = async (tree: SnapshotTree, path: string) =>
  contentsFromBytes((await tree.file(path)?.bytes()) ?? new Uint8Array());

describe("a mirror of a store others write too", () => {
  it("lists, and gives snapshots, without reading a file; reads what is asked for", async () => {
    const { mirror, reads } = await sharedFixture({ "/a": "1", "/d/b": "22" });
    const snapshot = await mirror.snapshot();
    expect([await pathsOf(mirror.list()), snapshot.sizeBytes, reads]).toEqual([["/a", "/d", "/d/b"], 3, []]);
    expect(isVersionId(snapshot.file("/a")?.hash ?? "")).toBe(true);
    expect([await mirror.read("/d/b"), reads]).toEqual(["22", ["/d/b"]]);
    expect((await mirror.snapshot()).root).toBe(snapshot.root);
    expect((await entriesOf(mirror.grep({ pattern: "." }))).map(({ path, line }) => [path, line])).toEqual([
      ["/a", "1"],
      ["/d/b", "22"],
    ]);
    expect(reads).toEqual(["/d/b", "/a"]);
  });

  it("finds what others added, changed and took away, and nothing when nothing did", async () => {
    const { mirror, store, other } = await sharedFixture({ "/a": "1", "/b": "1", "/d/c": "1" });
    const before = await mirror.snapshot();
    let told = 0;
    mirror.subscribe(() => told++);
    await mirror.refresh();
    expect([(await mirror.snapshot()) === before, told]).toEqual([true, 0]);
    await other("/b", "2");
    await other("/new", "3");
    await store.delete("/d/c");
    await mirror.refresh();
    const changes = diffTrees(before, await mirror.snapshot()).map(({ kind, path }) => `${kind} ${path}`);
    expect([changes, told, await pathsOf(mirror.list())]).toEqual([
      ["modified /b", "deleted /d/c", "added /new"],
      1,
      ["/a", "/b", "/new"],
    ]);
  });

  it("reads what a search is about once, finds what others wrote since, and takes none of it for seen by a reader", async () => {
    const { mirror, other, reads } = await sharedFixture({
      "/a.md": "one needle",
      "/d/b.md": "needle",
      "/d/c.md": "hay",
    });
    const found = async (query: SearchQuery) =>
      (await entriesOf(mirror.search(query))).map(({ path }) => path).toSorted();
    expect([await found({ query: "needle", paths: ["/d"] }), reads.toSorted()]).toEqual([
      ["/d/b.md"],
      ["/d/b.md", "/d/c.md"],
    ]);
    expect([await found({ query: "needle" }), reads.length]).toEqual([["/a.md", "/d/b.md"], 3]);
    await other("/d/c.md", "a needle too");
    // Not looked for yet: the search itself does not list.
    expect(await found({ query: "needle" })).toEqual(["/a.md", "/d/b.md"]);
    await mirror.refresh();
    expect([await found({ query: "needle" }), reads.length]).toEqual([["/a.md", "/d/b.md", "/d/c.md"], 4]);
    await mirror.write("/d/c.md", "mine");
    expect(await found({ query: "needle" })).toEqual(["/a.md", "/d/b.md"]);
  });

  it("searches past its caps, and without its source, what was read before", async () => {
    const many = Array.from({ length: limits.mirrorSearchFiles + 1 }, (_, index) => [`/n/${index}.md`, "needle"]);
    const { mirror, reads } = await sharedFixture({ ...Object.fromEntries(many), "/one/a.md": "needle" });
    const found = async (query: SearchQuery) => (await entriesOf(mirror.search(query))).map(({ path }) => path);
    expect([await found({ query: "needle" }), reads]).toEqual([[], []]);
    await mirror.read("/n/7.md");
    expect([await found({ query: "needle" }), reads]).toEqual([["/n/7.md"], ["/n/7.md"]]);
    expect(await found({ query: "needle", paths: ["/one"] })).toEqual(["/one/a.md"]);
    mirror.disconnect(new UnavailableError("/", "offline"));
    expect((await found({ query: "needle" })).toSorted()).toEqual(["/n/7.md", "/one/a.md"]);
  });

  it("refuses the later of two writers, shows what is there, and lets who has read it write", async () => {
    const { mirror, other } = await sharedFixture({ "/a": "1" });
    const before = await mirror.snapshot();
    await other("/a", "theirs");
    const error = await mirror.write("/a", "mine").catch((reason: unknown) => reason);
    const now = await mirror.snapshot();
    expect(error).toMatchObject({
      code: "conflict",
      path: "/a",
      expectedHash: before.file("/a")?.hash,
      actualHash: now.file("/a")?.hash,
    });
    await expectError(
      mirror.write("/new", "1").then(() => mirror.delete("/a")),
      "conflict",
      "conflict: /a",
      "/a",
    );
    expect(await textAt(now, "/a")).toBe("theirs");
    await mirror.write("/a", "mine");
    expect(await mirror.read("/a")).toBe("mine");
  });

  it("says once that a file it would change is gone, and makes it anew then", async () => {
    const { mirror, store } = await sharedFixture({ "/a": "1" });
    await mirror.read("/a");
    await store.delete("/a");
    const error = await mirror.write("/a", "mine").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "conflict", path: "/a", actualHash: undefined });
    await mirror.write("/a", "mine");
    expect(await mirror.read("/a")).toBe("mine");
  });

  it("goes by what was read, not by what was listed since: a change nobody has read is not written over", async () => {
    const { mirror, other } = await sharedFixture({ "/a": "1" });
    expect(await mirror.read("/a")).toBe("1");
    await other("/a", "2");
    await mirror.refresh();
    await expectError(mirror.write("/a", "mine"), "conflict", "conflict: /a", "/a");
    expect(await mirror.read("/a")).toBe("2");
    await mirror.write("/a", "mine");
  });

  it("does not take a file somebody else made for none, nor remove what was put into a directory", async () => {
    const { mirror, other } = await sharedFixture({ "/d/a": "1" });
    await other("/new", "theirs");
    await expectError(mirror.write("/new", "mine"), "conflict", "conflict: /new", "/new");
    await other("/d/b", "theirs");
    await expectError(mirror.removeDirectory("/d"), "conflict", "conflict: /d/b", "/d/b");
    expect(await mirror.read("/d/b")).toBe("theirs");
    await mirror.removeDirectory("/d");
    expect(await pathsOf(mirror.list())).toEqual(["/new"]);
  });

  it("keeps a listing that was under way from undoing what was written meanwhile", async () => {
    const { mirror, other } = await sharedFixture({ "/a": "1", "/d/b": "1" });
    await other("/c", "new");
    const looking = mirror.refresh();
    await mirror.write("/a", "2");
    await mirror.delete("/d/b");
    await mirror.write("/e/f", "3");
    await looking;
    expect(await pathsOf(mirror.list())).toEqual(["/a", "/c", "/e", "/e/f"]);
    expect(await mirror.read("/a")).toBe("2");
  });

  it("stops a listing and keeps what it had", async () => {
    const { mirror, other } = await sharedFixture({ "/a": "1" });
    await other("/b", "1");
    const stop = new AbortController();
    const looking = mirror.refresh({ signal: stop.signal });
    stop.abort();
    await expect(looking).rejects.toMatchObject({ name: "AbortError" });
    expect(await pathsOf(mirror.list())).toEqual(["/a"]);
    await mirror.refresh();
    expect(await pathsOf(mirror.list())).toEqual(["/a", "/b"]);
  });
});

describe("snapshots of a mirror", () => {
  it("still read what was read or changed from here, and say of the rest that it was not kept", async () => {
    const { mirror, other } = await sharedFixture({ "/read": "1", "/changed": "1", "/unread": "1" });
    const before = await mirror.snapshot();
    await mirror.read("/read");
    await mirror.write("/changed", "2");
    for (const path of ["/read", "/unread"]) await other(path, "later");
    await mirror.refresh();
    expect([await textAt(before, "/read"), await textAt(before, "/changed")]).toEqual(["1", "1"]);
    const error = await textAt(before, "/unread").catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "unavailable",
      path: "/unread",
      reason: "Its contents were not kept: it was changed elsewhere, and nobody here had read this version of it.",
    });
    expect(await textAt(await mirror.snapshot(), "/unread")).toBe("later");
  });

  it("are stored without reading a file, and loaded with what was read or changed", async () => {
    const { mirror, project, other, reads } = await sharedFixture({ "/read": "1", "/changed": "1", "/unread": "1" });
    const stored = await saveSnapshot(project, await mirror.snapshot());
    expect(reads).toEqual([]);
    await mirror.read("/read");
    await mirror.write("/changed", "2");
    const later = await saveSnapshot(project, await mirror.snapshot());
    await mirror.close();
    for (const path of ["/read", "/changed", "/unread"]) await other(path, "gone");
    const [first, second] = [await loadSnapshot(project, stored), await loadSnapshot(project, later)];
    expect([await textAt(first, "/read"), await textAt(first, "/changed"), await textAt(second, "/changed")]).toEqual([
      "1",
      "1",
      "2",
    ]);
    await expect(textAt(second, "/unread")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("call the same contents the same file when they come back, after a reload too", async () => {
    const { mirror, opened } = await sharedFixture({ "/a": "1" });
    const before = await mirror.snapshot();
    await mirror.write("/a", "2");
    const changed = await mirror.snapshot();
    await mirror.close();
    const again = await opened();
    expect(diffTrees(changed, await again.snapshot())).toEqual([]);
    expect(diffTrees(before, await again.snapshot()).map(({ path }) => path)).toEqual(["/a"]);
    await again.write("/a", "1");
    expect(diffTrees(before, await again.snapshot())).toEqual([]);
  });

  it("are known before the store answers, and read what was kept", async () => {
    const { mirror, project } = await sharedFixture({ "/a": "1", "/b": "1" });
    const before = await mirror.snapshot();
    await mirror.read("/a");
    await mirror.close();
    const later = await mirrorFs({ scope: "shared", memory: storedMirror(project, "shared") });
    later.disconnect(new UnavailableError("/", "offline"));
    expect(diffTrees(before, await later.snapshot())).toEqual([]);
    expect(await later.read("/a")).toBe("1");
    await expectError(later.read("/b"), "unavailable", "unavailable: /b", "/b");
    await expectError(later.write("/a", "2"), "unavailable", "unavailable: /a", "/a");
  });

  it("are forked for nothing; a fork reads through the mirror and refuses what was changed since", async () => {
    const { mirror, reads, other } = await sharedFixture({ "/a": "1", "/b": "1" });
    const fork = forkFs(mirror);
    await fork.write("/new", "x");
    expect([await pathsOf(fork.list()), reads]).toEqual([["/a", "/b", "/new"], []]);
    await other("/b", "2");
    expect([await fork.read("/a"), reads]).toEqual(["1", ["/a"]]);
    await expectError(fork.read("/b"), "unavailable", "unavailable: /b", "/b");
    expect(await mirror.read("/b")).toBe("2");
  });
});
