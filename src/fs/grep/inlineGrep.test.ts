import { afterEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../base";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { memoryFile } from "../memoryFile";
import { SnapshotTree } from "../snapshotTree";
import { entriesOf } from "../suiteCase.suite";
import { tempFs } from "../tempFs";
import { unionFs } from "../unionFs";
import type { FileEntry } from "../treeEntry";
import { inlineGrep } from "./inlineGrep";

async function collected(tree: SnapshotTree, query: GrepQuery): Promise<GrepResult[]> {
  const results: GrepResult[] = [];
  for await (const result of inlineGrep(tree, query)) results.push(result);
  return results;
}

function treeFrom(files: Record<string, string>): SnapshotTree {
  return SnapshotTree.empty.withFiles(Object.entries(files).map(([path, text]) => [path, memoryFile(text, 0)]));
}

afterEach(() => vi.restoreAllMocks());

/** A clock by which every step of a search takes `stepMs`. */
function slowSteps(stepMs: number): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += stepMs));
}

describe("inlineGrep", () => {
  it("gives hits in the order of whole paths, then lines", async () => {
    const tree = treeFrom({ "/a/x": "hit\n", "/a-b": "hit\nno\nhit\n", "/a.ts": "hit" });
    expect(await collected(tree, { pattern: "hit" })).toEqual([
      { path: "/a-b", lineNumber: 1, line: "hit" },
      { path: "/a-b", lineNumber: 3, line: "hit" },
      { path: "/a.ts", lineNumber: 1, line: "hit" },
      { path: "/a/x", lineNumber: 1, line: "hit" },
    ]);
  });

  it("gives the lines around a hit when they are asked for, fewer at the ends", async () => {
    const tree = treeFrom({ "/a": "one\r\ntwo\r\nthree\r\nfour" });
    expect(await collected(tree, { pattern: "two", contextBefore: 3, contextAfter: 1 })).toEqual([
      { path: "/a", lineNumber: 2, line: "two", contextBefore: ["one"], contextAfter: ["three"] },
    ]);
    expect(await collected(tree, { pattern: "four", contextAfter: 2 })).toEqual([
      { path: "/a", lineNumber: 4, line: "four", contextAfter: [] },
    ]);
  });

  it("stops at `maxResults` and reads no file after it", async () => {
    const read: string[] = [];
    const watched = (path: string): readonly [string, FileEntry] => {
      const file = memoryFile("hit\nhit\n", 0);
      const bytes = () => {
        read.push(path);
        return file.bytes();
      };
      return [path, { kind: "file", hash: file.hash, sizeBytes: 8, modifiedAt: 0, bytes }];
    };
    const tree = SnapshotTree.empty.withFiles(["/a", "/b", "/c"].map(watched));
    expect((await collected(tree, { pattern: "hit", maxResults: 3 })).length).toBe(3);
    expect(read).toEqual(["/a", "/b"]);
    for await (const _result of inlineGrep(tree, { pattern: "hit" })) break;
    expect(read).toEqual(["/a", "/b", "/a"]);
  });

  it("takes the whole part of `maxResults`, and refuses what is no number, through a union too", async () => {
    const tree = treeFrom({ "/a": "hit\nhit\nhit\n" });
    expect((await collected(tree, { pattern: "hit", maxResults: 1.5 })).length).toBe(1);
    expect(await collected(tree, { pattern: "hit", maxResults: -1 })).toEqual([]);
    await expect(collected(tree, { pattern: "hit", maxResults: Number.NaN })).rejects.toThrow(RangeError);
    const union = unionFs({ "/": tempFs({ "/a": "hit\nhit\n" }), "/m": tempFs({ "/b": "hit\n" }) });
    expect((await entriesOf(union.grep({ pattern: "hit", maxResults: 1.5 }))).length).toBe(1);
    const refused = entriesOf(union.grep({ pattern: "hit", maxResults: Number.NaN }));
    await expect(refused).rejects.toThrow("maxResults is not a number");
  });

  it("finds nothing below a path that is missing", async () => {
    expect(await collected(treeFrom({ "/a": "hit" }), { pattern: "hit", path: "/missing" })).toEqual([]);
  });

  it("gives a pattern up that was too long on a file without a hit", async () => {
    slowSteps(limits.grepFileBudgetMs + 1);
    await expect(collected(treeFrom({ "/a": "none" }), { pattern: "h.t" })).rejects.toMatchObject({
      code: "invalid-grep-pattern",
      message: "grep pattern takes too long: h.t",
      path: "/",
    });
  });

  it("has one budget for small files together, and one for each that is large", async () => {
    slowSteps(limits.grepFileBudgetMs / 3);
    const small = treeFrom({ "/a": "none", "/b": "none", "/c": "none", "/d": "none" });
    await expect(collected(small, { pattern: "h.t" })).rejects.toThrow("grep pattern takes too long: h.t");
    const text = "none\n".repeat(limits.grepBudgetCharacters / 5);
    const large = treeFrom({ "/a": text, "/b": text, "/c": text, "/d": text });
    expect(await collected(large, { pattern: "h.t" })).toEqual([]);
  });

  it("lets timers run while it works", async () => {
    const files = Array.from(
      { length: 3_000 },
      (_, index) => [`/f${index}`, "some words of text\n".repeat(400)] as const,
    );
    const tree = treeFrom(Object.fromEntries(files));
    const timers = { ticks: 0 };
    const timer = setInterval(() => timers.ticks++, 1);
    for (let searches = 0; timers.ticks < 3 && searches < 100; searches++) {
      await collected(tree, { pattern: "[a-z]+ of [x-z]" });
    }
    clearInterval(timer);
    expect(timers.ticks).toBeGreaterThanOrEqual(3);
  });
});
