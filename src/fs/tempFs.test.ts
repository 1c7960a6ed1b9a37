import { describe, expect, it } from "vitest";
import { describeFileSystem } from "./fileSystem.suite";
import { pathsOf } from "./suiteCase.suite";
import { describeAgainstModel } from "./fileSystemModel.suite";
import { InvalidPathError, NotADirectoryError } from "./pathError";
import { tempFs } from "./tempFs";
import { treeFs } from "./treeFs";

describeFileSystem("tempFs", (files) => tempFs(files));
describeAgainstModel("tempFs", (files) => tempFs(files));

describeFileSystem("treeFs", async (files) => treeFs(await tempFs(files).snapshot()), {
  skips: { write: "a snapshot is not written", edit: "a snapshot is not edited", snapshot: "a snapshot never changes" },
});

describe("tempFs", () => {
  it("refuses a record that cannot be a tree", () => {
    expect(() => tempFs({ "/a\0": "" })).toThrow(new InvalidPathError("/a\0"));
    expect(() => tempFs({ "/a": "", "/a/b": "" })).toThrow(new NotADirectoryError("/a/b"));
  });

  it("tells the times it was given", async () => {
    let now = 1_000;
    const tree = tempFs({ "/a": "1" }, { now: () => now });
    now = 2_000;
    await tree.write("/b", "22");
    expect([await tree.stat("/a"), await tree.stat("/b")]).toEqual([
      { kind: "file", sizeBytes: 1, modifiedAt: 1_000 },
      { kind: "file", sizeBytes: 2, modifiedAt: 2_000 },
    ]);
  });

  it("commits several edits whole or not at all", async () => {
    const tree = tempFs({ "/a": "1" });
    const edits = [
      { kind: "makeDirectory" as const, path: "/made" },
      { kind: "delete" as const, path: "/a", expectedHash: "not this" },
    ];
    await expect(tree.commit(edits)).rejects.toMatchObject({ code: "conflict", path: "/a" });
    expect(await pathsOf(tree.list())).toEqual(["/a"]);
  });
});
