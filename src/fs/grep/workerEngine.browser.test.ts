import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { memoryFile } from "../memoryFile";
import { SnapshotTree } from "../snapshotTree";
import { treeFs } from "../treeFs";
import { unionFs } from "../unionFs";
import type { FileEntry } from "../treeEntry";
import { GrepBudgetError } from "./grepBudgetError";
import { inlineGrep } from "./inlineGrep";
import { createWorkerEngine } from "./workerEngine";

let created: Worker[] = [];
let engine: ReturnType<typeof createWorkerEngine>;

/** Milliseconds on one file: the product's budget would make these tests long. */
const BUDGET_MS = 1_000;

beforeEach(() => {
  created = [];
  engine = createWorkerEngine({
    createWorker: () => {
      const worker = new Worker(new URL("./engineWorker.ts", import.meta.url), { type: "module" });
      created.push(worker);
      return worker;
    },
    fileBudgetMs: BUDGET_MS,
  });
});
afterEach(() => engine.dispose());

function treeFrom(files: Record<string, string>): SnapshotTree {
  return SnapshotTree.empty.withFiles(Object.entries(files).map(([path, text]) => [path, memoryFile(text, 0)]));
}

/** More than `limits.grepWorkerBytes`, in many files, with neighbours that sort around directories. */
function largeTree(): SnapshotTree {
  const files: Record<string, string> = {};
  for (let index = 0; index < 400; index++) {
    const folder = ["/a", "/a-b", "/a/x", "/z"][index % 4] ?? "/";
    files[`${folder}/file${index}.ts`] = `// ${index}\n${"const filler = 1;\n".repeat(60)}needle ${index % 7}\nlast`;
  }
  return treeFrom(files);
}

/** Counts how often this thread turns to others; the call ends it and gives how often. */
function countedTurns(): () => number {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  return () => {
    clearInterval(timer);
    return turns;
  };
}

async function collected(source: AsyncIterable<GrepResult>): Promise<GrepResult[]> {
  const results: GrepResult[] = [];
  for await (const result of source) results.push(result);
  return results;
}

async function expectSame(tree: SnapshotTree, query: GrepQuery): Promise<number> {
  const expected = await collected({ [Symbol.asyncIterator]: () => inlineGrep(tree, query) });
  expect(await collected(engine.grep(tree, query))).toEqual(expected);
  return expected.length;
}

describe("createWorkerEngine", () => {
  it("answers what the inline engine answers, in the order of the paths", async () => {
    const tree = largeTree();
    const queries: GrepQuery[] = [
      { pattern: "needle" },
      { pattern: "needle [0-3]", path: "/a" },
      { pattern: "NEEDLE\\s+\\d", caseInsensitive: true, contextBefore: 2, contextAfter: 3 },
      { pattern: "needle", contextAfter: 1 },
      { pattern: "const" },
      { pattern: "needle", glob: "*7.ts" },
      { pattern: "needle", maxResults: 5 },
      { pattern: "needle \\d\\nlast", multiline: true },
      { pattern: "absent" },
      { pattern: "" },
      { pattern: "needle", path: "/missing" },
      { pattern: "needle", path: "/z/file3.ts" },
    ];
    const counts = [];
    for (const query of queries) counts.push(await expectSame(tree, query));
    expect(counts).toEqual([400, 114, 400, 400, 24_000, 40, 5, 800, 0, 25_200, 0, 1]);
    expect(created.length).toBe(2);
  });

  it("gives the same hits whether the page holds a text, its bytes only, or no longer either", async () => {
    const contents: Record<string, string> = {
      "/held.txt": "\uFEFFneedle first\r\n日本 needle\nend",
      "/plain.txt": "one\nneedle two\n",
    };
    const filler = memoryFile("filler\n".repeat(50_000), 0);
    const treeOf = (fileOf: (text: string) => FileEntry) =>
      SnapshotTree.empty
        .withFiles(Object.entries(contents).map(([path, text]) => [path, fileOf(text)]))
        .withFile("/z.txt", filler);
    const asString = treeOf((text) => memoryFile(text, 0));
    const asBytes = treeOf((text) => memoryFile(new TextEncoder().encode(text), 0));
    // Of the same contents, but in a store: what was shipped from memory cannot be read there at once.
    const stored = treeOf((text) => {
      const file = memoryFile(text, 0);
      return { kind: "file", hash: file.hash, sizeBytes: file.sizeBytes, modifiedAt: 0, bytes: () => file.bytes() };
    });
    const queries: GrepQuery[] = [
      { pattern: "needle" },
      { pattern: "needle|end", contextBefore: 1, contextAfter: 1 },
      { pattern: "\\w needle$" },
    ];
    const counts = [];
    for (const tree of [asString, stored, asBytes, asString]) {
      for (const query of queries) counts.push(await expectSame(tree, query));
    }
    expect(counts).toEqual([3, 4, 1, 3, 4, 1, 3, 4, 1, 3, 4, 1]);
  });

  it("sees a change of one file, a removal and a move", async () => {
    const tree = largeTree();
    await expectSame(tree, { pattern: "needle" });
    const changed = tree.withFile("/a/x/file2.ts", memoryFile("needle changed\n", 1)).without("/a/file0.ts");
    expect(await expectSame(changed, { pattern: "needle" })).toBe(399);
    expect(await expectSame(changed.renamed("/a", "/moved"), { pattern: "needle" })).toBe(399);
    expect(await expectSame(tree, { pattern: "needle" })).toBe(400);
  });

  it("kills a pattern that runs away, says so, and goes on with the others", async () => {
    const hostile = `${"a".repeat(40)}!\n`;
    const tree = largeTree().withFile("/m/hostile.txt", memoryFile(hostile.repeat(3), 0));
    const runaway = collected(engine.grep(tree, { pattern: "^(a|a)+$", path: "/m" }));
    const innocent = collected(engine.grep(tree, { pattern: "needle" }));
    await expect(runaway).rejects.toEqual(new GrepBudgetError("/m", "^(a|a)+$"));
    expect((await innocent).length).toBe(400);
    expect(await expectSame(tree, { pattern: "needle 1" })).toBe(57);
    expect(created.length).toBe(3);
  });

  it.each<[pattern: string, text: string, answer: number | "stopped"]>([
    // Made simpler before it is searched: only whether a line matches counts.
    ["(a+)+$", `${"a".repeat(5_000)}!\n`, 0],
    ["^y(x+x+)+y", `y${"x".repeat(3_000)}\n`, "stopped"],
    ["^(\\w+\\s?)+$", `${"word ".repeat(2_000)}!\n`, "stopped"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", `${"a".repeat(2_000)}\n`, "stopped"],
    ["^(a|aa)+$", `${"a".repeat(200)}!\n`, "stopped"],
    ["(.*)*(.*)*(.*)*=(.*)*", `=${"x".repeat(100_000)}`, 1],
    [`y${"x?".repeat(40)}${"[wx]".repeat(40)}z`, `zy${"x".repeat(200)}\n`, "stopped"],
    // A line of several megabytes, with nothing wrong in it.
    ["needle$", `${"hay ".repeat(1_500_000)}needle\n`, 1],
    ["h[a-z]y+ n\\w+le", `${"hay ".repeat(1_500_000)}needle\n`, 1],
    ["^(?:hay )+straw$", `${"hay ".repeat(200_000)}needle\n`, 0],
  ])("answers %s or stops it, and leaves the page its turns", async (pattern, text, answer) => {
    const tree = treeFrom({ "/hostile.txt": text, "/z.txt": "plain\n" });
    const turns = countedTurns();
    const found = await collected(engine.grep(tree, { pattern })).catch((error: unknown) => error);
    const turnsTaken = turns();
    if (answer === "stopped") {
      expect(turnsTaken).toBeGreaterThan(10);
      expect(found).toEqual(new GrepBudgetError("/", pattern));
      expect(found).toMatchObject({
        code: "invalid-grep-pattern",
        message: `grep pattern takes too long: ${pattern}`,
      });
    } else expect(found).toHaveLength(answer);
    expect(await collected(engine.grep(tree, { pattern: "plain" }))).toHaveLength(1);
  });

  it("leaves the page its turns while a hostile glob passes over a large tree", async () => {
    const paths = Array.from({ length: 100_000 }, (_, index) => `/src/part${index % 900}/file${index}.ts`);
    const empty = memoryFile("", 0);
    const tree = treeFs(SnapshotTree.empty.withFiles(paths.map((path) => [path, empty])));
    const union = unionFs({ "/deep/mount": tree });
    const patterns = [`${"**/".repeat(9)}${"{a,b}".repeat(4)}x`, `**/${"*e".repeat(40)}z`, "**/*[a-z]*[a-z]*[0-9]x"];
    for (const pattern of patterns) {
      const turns = countedTurns();
      for (const searched of [tree, union]) {
        for await (const entry of searched.glob(pattern)) expect(entry).toBeUndefined();
      }
      expect(turns()).toBeGreaterThan(3);
    }
  });

  it("stops asking when the iterator is left", async () => {
    const tree = largeTree();
    const asked = () => created.length;
    const first = [];
    for await (const result of engine.grep(tree, { pattern: "const" })) {
      first.push(result.path);
      if (first.length === 3) break;
    }
    expect(first).toEqual(["/a-b/file1.ts", "/a-b/file1.ts", "/a-b/file1.ts"]);
    expect(await expectSame(tree, { pattern: "needle" })).toBe(400);
    expect(asked()).toBe(2);
  });

  it("refuses a pattern and a type it cannot read at the first step", async () => {
    const tree = largeTree();
    await expect(collected(engine.grep(tree, { pattern: "(", path: "/a" }))).rejects.toMatchObject({
      code: "invalid-grep-pattern",
      path: "/a",
      message: "invalid grep pattern: (",
    });
    await expect(collected(engine.grep(tree, { pattern: "a", type: "nope" }))).rejects.toThrow(
      /^unrecognized file type/,
    );
  });

  it("gives up a file that cannot be read with that file's error", async () => {
    const broken = { ...memoryFile("needle", 0), hash: "0".repeat(64), kind: "file" as const, sizeBytes: 300_000 };
    const tree = largeTree().withFile("/b/broken.ts", {
      ...broken,
      modifiedAt: 0,
      bytes: () => Promise.reject(new Error("the store is gone")),
      bytesNow: () => undefined,
    });
    await expect(collected(engine.grep(tree, { pattern: "needle" }))).rejects.toThrow("the store is gone");
  });

  it("says when its worker cannot start", async () => {
    const failing = createWorkerEngine({
      createWorker: () => new Worker(URL.createObjectURL(new Blob(["throw new Error('no start')"]))),
    });
    await expect(collected(failing.grep(largeTree(), { pattern: "a" }))).rejects.toMatchObject({ code: "unavailable" });
    failing.dispose();
  });
});

describe("createWorkerEngine's search", () => {
  it("ranks passages in a worker and follows the tree", async () => {
    const tree = treeFrom({
      "/src/config.ts": "import x from 'x';\n\n/** Reads the settings. */\nexport function readSettings() {}\n",
      "/src/other.ts": "export function unrelated() {}\n",
    });
    const found = async (searched: SnapshotTree) => {
      const results = [];
      for await (const { path, startLine, endLine, text } of engine.search(searched, { query: "reading settings" })) {
        results.push({ path, startLine, endLine, text });
      }
      return results;
    };
    const text = "/** Reads the settings. */\nexport function readSettings() {}";
    expect(await found(tree)).toEqual([{ path: "/src/config.ts", startLine: 3, endLine: 4, text }]);
    expect(await found(tree.without("/src/config.ts"))).toEqual([]);
    expect(created.length).toBe(1);
  });
});
