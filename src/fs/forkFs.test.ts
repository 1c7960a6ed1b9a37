import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { customFs } from "./customFs.suite";
import { describeFileSystem } from "./fileSystem.suite";
import { entriesOf, expectError, pathsOf } from "./suiteCase.suite";
import {
  describeAgainstModel,
  expectAgreement,
  expectSameTree,
  FileSystemModel,
  operations,
} from "./fileSystemModel.suite";
import type { FileSystem } from "./fileSystem";
import { forkFs } from "./forkFs";
import { memoryFile } from "./memoryFile";
import { readOnlyFs } from "./readOnlyFs";
import { tempFs } from "./tempFs";
import { emptyFs } from "./treeFs";
import { unionFs } from "./unionFs";

describeFileSystem("forkFs over tempFs", (files) => forkFs(tempFs(files)));
describeFileSystem("forkFs over a custom tree", (files) => forkFs(customFs(files)), {
  skips: {
    snapshot: "a fork of a tree without snapshots has none for free",
    search: "a fork of a tree without an index has one of what was written only",
  },
});
describeAgainstModel("forkFs over tempFs", (files) => forkFs(tempFs(files)));
describeAgainstModel("forkFs over a custom tree", (files) => forkFs(customFs(files)));
describeAgainstModel("forkFs over a fork of a custom tree", (files) => forkFs(forkFs(customFs(files))));

const hashOf = (text: string) => memoryFile(text, 0).hash;

/** What holds over a tree with snapshots holds over one without. */
describe.each([
  ["a versioned tree", (files: Record<string, string>) => tempFs(files) as FileSystem],
  ["a custom tree", (files: Record<string, string>) => customFs(files)],
  ["a union of both", (files: Record<string, string>) => unionFs({ "/": customFs(files), "/mount": tempFs() })],
])("forkFs over %s", (_name, baseOf) => {
  const files = { "/keep": "same", "/edit": "old", "/d/gone": "bye", "/d/e/also": "bye too", "/move": "moved" };

  const edited = async (base: FileSystem) => {
    const fork = forkFs(base);
    await fork.write("/edit", "new");
    await fork.write("/keep", "same");
    await fork.write("/added/deep", "fresh");
    await fork.removeDirectory("/d");
    await fork.rename("/move", "/d");
    await fork.write("/passing", "x");
    await fork.delete("/passing");
    return fork;
  };

  it("keeps its changes to itself and tells them by hash", async () => {
    const base = baseOf(files);
    const fork = await edited(base);
    expect(await base.read("/edit")).toBe("old");
    expect(await fork.changes()).toEqual([
      { path: "/added/deep", kind: "added", after: hashOf("fresh") },
      { path: "/d", kind: "added", after: hashOf("moved") },
      { path: "/d/e/also", kind: "deleted", before: hashOf("bye too") },
      { path: "/d/gone", kind: "deleted", before: hashOf("bye") },
      { path: "/edit", kind: "modified", before: hashOf("old"), after: hashOf("new") },
      { path: "/move", kind: "deleted", before: hashOf("moved") },
    ]);
  });

  it("applies them, and has none afterwards", async () => {
    const base = baseOf(files);
    const fork = await edited(base);
    await fork.apply();
    expect(await pathsOf(base.list())).toEqual(await pathsOf(fork.list()));
    expect(await base.read("/d")).toBe("moved");
    expect(await fork.changes()).toEqual([]);
    await fork.write("/edit", "newer");
    await fork.apply();
    expect(await base.read("/edit")).toBe("newer");
  });

  it.each([
    ["changed", "/edit", (base: FileSystem) => base.write("/edit", "theirs")],
    ["deleted", "/edit", (base: FileSystem) => base.delete("/edit")],
    ["made", "/added/deep", (base: FileSystem) => base.write("/added/deep", "theirs")],
    ["changed what is deleted here at", "/d/gone", (base: FileSystem) => base.write("/d/gone", "theirs")],
    ["made a directory of", "/added/deep", (base: FileSystem) => base.write("/added/deep/er", "theirs")],
  ])("writes nothing and says where when somebody %s %s", async (_what, path, meddle) => {
    const base = baseOf(files);
    const fork = await edited(base);
    await meddle(base);
    const before = await contentsOf(base);
    await expectError(fork.apply(), "conflict", `conflict: ${path}`, path);
    expect(await contentsOf(base)).toEqual(before);
    expect((await fork.changes()).length).toBe(6);
  });

  it("takes no part in what others do elsewhere", async () => {
    const base = baseOf(files);
    const fork = await edited(base);
    await base.write("/theirs", "x");
    await base.write("/keep", "changed by them");
    await fork.apply();
    expect([await base.read("/theirs"), await base.read("/keep")]).toEqual(["x", "changed by them"]);
  });
});

describe("forkFs", () => {
  it("starts from the tree as it was at the call", async () => {
    const base = tempFs({ "/a": "1" });
    const fork = forkFs(base);
    await base.write("/a", "2");
    expect(await fork.read("/a")).toBe("1");
  });

  it("makes and removes directories in the base, and leaves one that others have filled", async () => {
    const base = tempFs({ "/f": "x" });
    for (const path of ["/old/empty", "/filled"]) await base.makeDirectory(path);
    const fork = forkFs(base);
    await fork.removeDirectory("/old");
    await fork.removeDirectory("/filled");
    await fork.makeDirectory("/new/empty");
    await base.write("/filled/theirs", "x");
    await fork.apply();
    expect(await pathsOf(base.list())).toEqual(["/f", "/filled", "/filled/theirs", "/new", "/new/empty"]);
  });

  it("is free over a read-only tree, which refuses what is applied", async () => {
    const fork = forkFs(readOnlyFs(tempFs({ "/a": "1" })));
    await fork.write("/a", "2");
    expect(await fork.read("/a")).toBe("2");
    await expectError(fork.apply(), "read-only-mount", "read-only mount: /a", "/a");
    const scratch = forkFs(emptyFs());
    await scratch.write("/n", "x");
    expect(await pathsOf(scratch.list())).toEqual(["/n"]);
  });

  it("hides from grep what it has deleted or written over, before the cap counts", async () => {
    const fork = forkFs(customFs({ "/a": "needle", "/b": "needle", "/c": "needle\nneedle" }));
    expect((await entriesOf(fork.grep({ pattern: "needle", maxResults: 2 }))).map(({ path }) => path)).toEqual([
      "/a",
      "/b",
    ]);
    await fork.delete("/a");
    await fork.write("/b", "nothing");
    await fork.write("/d", "needle");
    const found = (await entriesOf(fork.grep({ pattern: "needle", maxResults: 3 }))).map(
      ({ path, lineNumber }) => `${path}:${lineNumber}`,
    );
    expect(found).toEqual(["/c:1", "/c:2", "/d:1"]);
    expect(await pathsOf(fork.glob("*"))).toEqual(["/b", "/c", "/d"]);
  });

  it("lists lazily over a base that never ends", async () => {
    const base: FileSystem = {
      ...customFs(),
      stat: async () => ({ kind: "missing" }),
      async *list() {
        for (let index = 0; ; index++) yield { path: `/${String(index).padStart(6, "0")}`, kind: "file" };
      },
    };
    const fork = forkFs(base);
    await fork.write("/0000005", "between");
    const seen: string[] = [];
    for await (const { path } of fork.list()) if (seen.push(path) === 3) break;
    expect(seen).toEqual(["/000000", "/0000005", "/000001"]);
  });

  it.each([
    ["tempFs", (files: Record<string, string>) => tempFs(files) as FileSystem],
    ["a custom tree", (files: Record<string, string>) => customFs(files)],
  ])("brings %s to what the fork became, whatever was done", async (_name, baseOf) => {
    const start = { "/a/a.txt": "start", "/a/b/b c": "deep", "/b": "file" };
    await fc.assert(
      fc.asyncProperty(fc.array(operations, { maxLength: 25 }), async (steps) => {
        const [base, model] = [baseOf(start), new FileSystemModel(start)];
        const fork = forkFs(base);
        await expectAgreement(fork, model, steps);
        await fork.apply();
        if (_name === "tempFs") await expectSameTree(base, model);
        expect(await contentsOf(base)).toEqual(new Map([...model.files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
        expect(await fork.changes()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

async function contentsOf(tree: FileSystem): Promise<Map<string, string | Uint8Array>> {
  const contents = new Map<string, string | Uint8Array>();
  for (const { path, kind } of await entriesOf(tree.list()))
    if (kind === "file") contents.set(path, await tree.read(path));
  return contents;
}
