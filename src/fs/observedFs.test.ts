import { describe, expect, it } from "vitest";
import { customFs } from "./customFs.suite";
import { describeFileSystem } from "./fileSystem.suite";
import { describeSearchOver } from "./searchCases.suite";
import { entriesOf, pathsOf } from "./suiteCase.suite";
import { observedFs, type ServedVerb } from "./observedFs";
import { tempFs } from "./tempFs";
import { unionFs } from "./unionFs";
import { isVersionedTree } from "./versionedTree";

describeFileSystem("observedFs over tempFs", (files) => observedFs(tempFs(files), "/", () => undefined));
describeSearchOver("observedFs", (tree) => observedFs(tree, "/", () => undefined));

describe("observedFs", () => {
  it("reports who served what by whole paths, iterables when they are first asked", async () => {
    const served: ServedVerb[] = [];
    const tree = unionFs({
      "/": observedFs(tempFs({ "/a": "x" }), "/", (verb) => served.push(verb)),
      "/repo": observedFs(customFs({ "/b": "x" }), "/repo", (verb) => served.push(verb)),
    });
    await tree.read("/repo/b");
    await tree.write("/c", "x");
    await tree.read("/repo/missing").catch(() => undefined);
    tree.list("/repo");
    await pathsOf(tree.list("/repo"));
    await entriesOf(tree.grep({ pattern: "x" }));
    expect(served.map(({ mount, path, verb }) => `${mount} ${path} ${verb}`)).toEqual([
      "/repo /repo/b read",
      "/ /c write",
      "/repo /repo/missing read",
      "/repo /repo list",
      "/ / grep",
      "/repo /repo grep",
    ]);
  });

  it("lets through what else the tree can do", async () => {
    expect(isVersionedTree(observedFs(tempFs(), "/", () => undefined))).toBe(true);
    expect(isVersionedTree(observedFs(customFs(), "/", () => undefined))).toBe(false);
    const base = tempFs({ "/a": "x" });
    await observedFs(base, "/", () => undefined).rename("/a", "/b");
    expect(await pathsOf(base.list())).toEqual(["/b"]);
  });
});
