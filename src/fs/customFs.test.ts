import { describe, expect, it } from "vitest";
import { undeletableFs } from "./customFs.suite";
import type { FileSystem } from "./fileSystem";
import { observedFs } from "./observedFs";
import { DeleteNotSupportedError } from "./pathError";
import { expectError } from "./suiteCase.suite";
import { tempFs } from "./tempFs";
import { unionFs } from "./unionFs";

const rows: [where: string, over: (tree: FileSystem) => FileSystem, path: string][] = [
  ["itself", (tree) => tree, "/a.txt"],
  ["a union", (tree) => unionFs({ "/": tempFs(), "/repo": tree }), "/repo/a.txt"],
  ["a union of unions", (tree) => unionFs({ "/x": unionFs({ "/repo": tree }) }), "/x/repo/a.txt"],
  ["a tree that is observed", (tree) => unionFs({ "/repo": observedFs(tree, "/repo", () => {}) }), "/repo/a.txt"],
];

describe("an authored tree without delete", () => {
  it.each(rows)("says so whole through %s, and is written all the same", async (_, over, path) => {
    const tree = over(undeletableFs({ "/a.txt": "one" }));
    await expect(tree.delete(path)).rejects.toBeInstanceOf(DeleteNotSupportedError);
    await expectError(tree.delete(path), "delete-not-supported", `delete not supported: ${path}`, path);
    await tree.write(path, "two");
    expect(await tree.read(path)).toBe("two");
  });
});
