import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { tempFs, unionFs, type FileSystem } from "../fs";
import { createFindStore } from "./findStore";

function findFixture(files: Record<string, string>) {
  const tree = unionFs({ "/repo": tempFs(files), "/plans": tempFs({ "/next.md": "Todo: write\n" }) });
  const store = createFindStore(() => tree);
  return {
    state: () => store.getState(),
    find: (pattern: string, glob = "", matchCase = false) => store.getState().find({ pattern, glob, matchCase }),
    lines: () => store.getState().lines.map(({ path, lineNumber, line }) => `${path}:${lineNumber}: ${line}`),
  };
}

describe("find in files", () => {
  it("finds lines in every mount, by letters of either case or not, in some files or all", async () => {
    const { state, find, lines } = findFixture({ "/a.ts": "one\n// TODO two\n", "/b.md": "a todo" });
    await find("todo");
    expect(lines()).toEqual(["/plans/next.md:1: Todo: write", "/repo/a.ts:2: // TODO two", "/repo/b.md:1: a todo"]);
    expect(state()).toMatchObject({ status: "done", fileCount: 3, problem: undefined });
    await find("TODO", "", true);
    expect(lines()).toEqual(["/repo/a.ts:2: // TODO two"]);
    await find("todo", "*.md");
    expect(lines()).toEqual(["/plans/next.md:1: Todo: write", "/repo/b.md:1: a todo"]);
    await find("");
    expect(state()).toMatchObject({ status: "idle", lines: [] });
  });

  it("says why a pattern cannot be searched", async () => {
    const { state, find } = findFixture({});
    await find("(");
    expect(state()).toMatchObject({ status: "done", lines: [] });
    expect(state().problem).toMatch(/pattern/i);
  });

  it("ends at its limit and says so, and cuts endless lines", async () => {
    const long = "x".repeat(limits.foundLineCharacters * 2);
    const { state, find } = findFixture({ "/many": "x\n".repeat(limits.foundLines + 5), "/a": long });
    await find("x");
    expect(state()).toMatchObject({ status: "cut", fileCount: 2 });
    expect(state().lines).toHaveLength(limits.foundLines);
    expect(state().lines[0]?.line).toHaveLength(limits.foundLineCharacters);
  });

  it("closes the search it leaves, and shows nothing of it any more", async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (let lineNumber = 1; ; lineNumber++) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield { path: "/endless", lineNumber, line: "x" };
        }
      } finally {
        isClosed = true;
      }
    }
    const tree: FileSystem = { ...tempFs(), grep: () => endless() };
    const store = createFindStore(() => tree);
    const finding = store.getState().find({ pattern: "x", glob: "", matchCase: false });
    expect(store.getState().status).toBe("searching");
    store.getState().stop();
    await finding;
    expect(isClosed).toBe(true);
    expect(store.getState()).toMatchObject({ status: "idle", lines: [] });
  });
});
