import { describe, expect, it } from "vitest";
import { customFs } from "./customFs.suite";
import { describeFileSystem } from "./fileSystem.suite";
import { describeSearchOver } from "./searchCases.suite";
import { entriesOf, expectError, pathsOf } from "./suiteCase.suite";
import { describeAgainstModel } from "./fileSystemModel.suite";
import type { FileSystem, GrepQuery, SearchResult } from "./fileSystem";
import { forkFs } from "./forkFs";
import { isUnder } from "./path";
import { InvalidPathError } from "./pathError";
import { readOnlyFs } from "./readOnlyFs";
import { tempFs } from "./tempFs";
import { unionFs } from "./unionFs";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The files spread over mounts, those at no prefix on `/`. */
function spread(files: Files, prefixes: readonly string[], leaf: (files: Files) => FileSystem) {
  const parts = new Map<string, Record<string, string | Uint8Array>>(["/", ...prefixes].map((prefix) => [prefix, {}]));
  for (const [path, contents] of Object.entries(files)) {
    const prefix = prefixes.findLast((mount) => isUnder(path, mount)) ?? "/";
    const part = parts.get(prefix) ?? {};
    part[prefix === "/" ? path : path.slice(prefix.length)] = contents;
  }
  return unionFs(Object.fromEntries([...parts].map(([prefix, part]) => [prefix, leaf(part)])));
}

/** Mounts at directories the files have anyway, so that the union shows nothing that they do not. */
const spreadByFiles = (files: Files, leaf: (files: Files) => FileSystem) =>
  spread(
    files,
    ["/a/y", "/src", "/src/n"].filter((prefix) => Object.keys(files).some((path) => path.startsWith(`${prefix}/`))),
    leaf,
  );

const fixed = ["/a", "/a/b", "/🙂"];
const notAtomic = "a union writes to each mount in turn";
describeFileSystem("unionFs of tempFs", (files) => spreadByFiles(files, tempFs));
describeFileSystem("unionFs of custom trees", (files) => spreadByFiles(files, customFs), {
  skips: {
    edit: "a custom tree makes no directories",
    snapshot: "a custom tree is not versioned",
    search: "a custom tree has no index",
  },
});
describeSearchOver("unionFs", (tree) => unionFs({ "/": tree }));
describeAgainstModel("unionFs of several tempFs", (files) => spread(files, fixed, tempFs), { fixed, notAtomic });
describeAgainstModel(
  "unionFs of forks of custom trees",
  (files) => spread(files, fixed, (part) => forkFs(customFs(part))),
  { fixed, notAtomic },
);

describe("unionFs", () => {
  const mounts = () => ({
    "/": tempFs({ "/top": "needle", "/repo/hidden": "needle", "/repository/near": "needle", "/plans": "a file" }),
    "/repo": tempFs({ "/src/a.ts": "needle 1\nneedle 2", "/lib/gone": "needle" }),
    "/repo/lib": customFs({ "/b.ts": "needle 3" }),
    "/plans/empty": tempFs(),
  });

  it("gives what lies below a mount point to the longest prefix alone, by segments", async () => {
    const tree = unionFs(mounts());
    expect(await pathsOf(tree.list())).toEqual([
      "/plans",
      "/plans/empty",
      "/repo",
      "/repo/lib",
      "/repo/lib/b.ts",
      "/repo/src",
      "/repo/src/a.ts",
      "/repository",
      "/repository/near",
      "/top",
    ]);
    expect(await pathsOf(tree.list("/repo/lib"))).toEqual(["/repo/lib/b.ts"]);
    expect(await tree.stat("/repo/hidden")).toEqual({ kind: "missing" });
    await expectError(tree.read("/repo/lib/gone"), "not-found", "not found: /repo/lib/gone", "/repo/lib/gone");
    expect(await pathsOf(tree.glob("**/*e*"))).toEqual(["/repository/near"]);
    const hits = await entriesOf(tree.grep({ pattern: "needle" }));
    expect(hits.map(({ path, lineNumber }) => `${path}:${lineNumber}`)).toEqual([
      "/repo/lib/b.ts:1",
      "/repo/src/a.ts:1",
      "/repo/src/a.ts:2",
      "/repository/near:1",
      "/top:1",
    ]);
  });

  it("has mount points and what leads to them for directories, whatever a mount says", async () => {
    const tree = unionFs(mounts());
    expect(await tree.stat("/plans")).toEqual({ kind: "directory" });
    expect(await tree.stat("/plans/empty")).toEqual({ kind: "directory" });
    await expectError(tree.read("/plans"), "not-a-file", "not a file: /plans", "/plans");
    await expectError(tree.write("/repo", ""), "not-a-file", "not a file: /repo", "/repo");
    expect(await pathsOf(unionFs({ "/x/y/z": tempFs() }).list())).toEqual(["/x", "/x/y", "/x/y/z"]);
  });

  it("without a mount for a path is empty, missing, or says so", async () => {
    const tree = unionFs({ "/repo": tempFs({ "/a": "x" }) });
    expect(await pathsOf(tree.list("/else"))).toEqual([]);
    expect(await pathsOf(tree.glob("*", "/else"))).toEqual([]);
    expect(await tree.stat("/else")).toEqual({ kind: "missing" });
    expect(await entriesOf(tree.grep({ pattern: "x", path: "/else" }))).toEqual([]);
    for (const verb of [() => tree.read("/else"), () => tree.write("/else", ""), () => tree.delete("/else")]) {
      await expectError(verb(), "no-mount", "no mount for path: /else", "/else");
    }
  });

  it("puts the prefix back into the errors of a mount", async () => {
    const tree = unionFs({ "/repo": readOnlyFs(tempFs({ "/d/f": "x" })) });
    await expectError(tree.read("/repo/x"), "not-found", "not found: /repo/x", "/repo/x");
    await expectError(tree.write("/repo/d/f", ""), "read-only-mount", "read-only mount: /repo/d/f", "/repo/d/f");
    await expectError(tree.delete("/repo/d/f"), "read-only-mount", "read-only mount: /repo/d/f", "/repo/d/f");
    await expectError(tree.delete("/repo/d/g"), "not-found", "not found: /repo/d/g", "/repo/d/g");
    await expectError(entriesOf(tree.grep({ pattern: "(" })), "invalid-grep-pattern", "invalid grep pattern: (", "/");
  });

  it("rewrites the path in the message of an untyped error, where it stands by itself", async () => {
    const failing = (message: string) =>
      unionFs({ "/repo": { ...tempFs(), read: () => Promise.reject(new TypeError(message)) } }).read("/repo/a.$1");
    await expect(failing("open '/a.$1' failed")).rejects.toThrow("open '/repo/a.$1' failed");
    await expect(failing("open /home/a.$1")).rejects.toThrow("open /home/a.$1");
    await expect(failing("no such thing")).rejects.toThrow(TypeError);
  });

  it("globs across mounts as if all were one tree", async () => {
    const tree = unionFs(mounts());
    const whole = tempFs({ "/repo/src/a.ts": "", "/repo/lib/b.ts": "", "/repository/near": "", "/top": "" });
    for (const [pattern, dir] of [
      ["**/*.ts"],
      ["repo/*/*.ts"],
      ["repo/lib/*.ts"],
      ["./repo/lib/b.ts"],
      ["*/b.ts", "/repo"],
      ["lib/*", "/repo"],
      ["{lib,src}/*", "/repo"],
      ["re*/**"],
      ["*"],
    ] as const) {
      expect([pattern, dir, await pathsOf(tree.glob(pattern, dir))]).toEqual([
        pattern,
        dir,
        await pathsOf(whole.glob(pattern, dir)),
      ]);
    }
  });

  it("greps with globs about whole paths, and caps what is left after the merge", async () => {
    const tree = unionFs({ "/": tempFs({ "/z": "needle" }), "/m": tempFs({ "/src/a": "needle", "/b": "needle" }) });
    const found = async (query: Omit<GrepQuery, "pattern">) =>
      (await entriesOf(tree.grep({ pattern: "needle", ...query }))).map(({ path }) => path);
    expect(await found({ glob: "m/src/*" })).toEqual(["/m/src/a"]);
    expect(await found({ glob: "!m" })).toEqual(["/z"]);
    expect(await found({ glob: "src/*", path: "/m" })).toEqual(["/m/src/a"]);
    expect(await found({ glob: "b" })).toEqual(["/m/b"]);
    expect(await found({ maxResults: 2 })).toEqual(["/m/b", "/m/src/a"]);
    expect(await found({ maxResults: 0 })).toEqual([]);
  });

  it("pushes the cap down to the mounts whose hits all count", async () => {
    const caps: unknown[] = [];
    const watched = (name: string): FileSystem => ({
      ...tempFs({ "/f": "needle" }),
      grep: ({ maxResults, path }) => {
        caps.push([name, path, maxResults]);
        return tempFs({ "/f": "needle" }).grep({ pattern: "needle" });
      },
    });
    const tree = unionFs({ "/a": watched("a"), "/b": watched("b"), "/b/c": watched("c") });
    await entriesOf(tree.grep({ pattern: "needle", maxResults: 5 }));
    expect(caps).toEqual([
      ["a", "/", 5],
      ["b", "/", undefined],
      ["c", "/", 5],
    ]);
  });

  it("ranks what the mounts find by score, then path, each asked for its own paths", async () => {
    const searchable = (...results: [path: string, score: number][]): FileSystem => ({
      ...tempFs(),
      async *search({ paths = ["all"] }) {
        for (const [path, score] of results) {
          yield { path, score, startLine: 1, endLine: 1, text: paths.join() } satisfies SearchResult;
        }
      },
    });
    const tree = unionFs({ "/a": searchable(["/x", 3], ["/y", 1]), "/b": searchable(["/x", 3], ["/z", 2]) });
    const found = async (query: Parameters<FileSystem["search"]>[0]) =>
      (await entriesOf(tree.search(query))).map(({ path, text }) => `${path} ${text}`);
    expect(await found({ query: "q" })).toEqual(["/a/x all", "/b/x all", "/b/z all", "/a/y all"]);
    expect(await found({ query: "q", maxResults: 3 })).toEqual(["/a/x all", "/b/x all", "/b/z all"]);
    expect(await found({ query: "q", paths: ["/b/in"] })).toEqual(["/b/x /in", "/b/z /in"]);
    expect(await found({ query: "q", paths: ["/else"] })).toEqual([]);
  });

  it("is lazy: no mount is asked before the walk comes to it, and those left are closed", async () => {
    const log: string[] = [];
    const endless = (name: string): FileSystem => ({
      ...tempFs(),
      async *list() {
        log.push(`${name} opened`);
        try {
          for (let index = 0; ; index++) yield { path: `/${String(index).padStart(9, "0")}`, kind: "file" };
        } finally {
          log.push(`${name} closed`);
        }
      },
    });
    const tree = unionFs({ "/": endless("root"), "/000000009": endless("first"), "/z": endless("last") });
    const seen: string[] = [];
    for await (const { path } of tree.list()) {
      seen.push(path);
      if (seen.length === 5) break;
    }
    expect(seen[0]).toBe("/000000000");
    expect(log).toEqual(["root opened", "root closed"]);
  });

  it("moves across mounts by copying, then deleting, and takes the copy back when it cannot", async () => {
    const [a, b] = [tempFs({ "/d/f": "x", "/d/g": Uint8Array.of(0) }), tempFs()];
    const tree = unionFs({ "/a": a, "/b": b, "/ro": readOnlyFs(tempFs({ "/f": "kept" })) });
    await a.makeDirectory("/d/empty");
    await tree.rename("/a/d", "/b/e");
    expect(await pathsOf(tree.list())).toEqual(["/a", "/b", "/b/e", "/b/e/empty", "/b/e/f", "/b/e/g", "/ro", "/ro/f"]);
    expect(await b.read("/e/g")).toEqual(Uint8Array.of(0));
    await expectError(tree.rename("/ro/f", "/b/f"), "read-only-mount", "read-only mount: /ro/f", "/ro/f");
    await expectError(tree.rename("/b/e", "/ro/e"), "read-only-mount", "read-only mount: /ro/e/empty", "/ro/e/empty");
    expect(await pathsOf(tree.list())).toEqual(["/a", "/b", "/b/e", "/b/e/empty", "/b/e/f", "/b/e/g", "/ro", "/ro/f"]);
  });

  it("is a value grafted from the mounts' own, the same one while nothing changes", async () => {
    const [root, repo] = [tempFs({ "/x/y": "a file in the way", "/z": "1" }), tempFs({ "/s/f": "2" })];
    const tree = unionFs({ "/": root, "/x/y/z": repo, "/void": tempFs() });
    const snapshot = await tree.snapshot();
    expect([...snapshot.walk()].map(([path]) => path)).toEqual(await pathsOf(tree.list()));
    expect(await tree.snapshot()).toBe(snapshot);
    await repo.write("/n", "3");
    const later = await tree.snapshot();
    expect(later.file("/x/y/z/n")).toBeDefined();
    expect(later.entry("/x/y/z/s")).toBe(snapshot.entry("/x/y/z/s"));
  });

  it("gives the briefs of its mounts, each with its prefix, and where all are if one has none", async () => {
    const briefed: FileSystem = { ...tempFs(), brief: () => Promise.resolve("no shell here") };
    const context = { sessionId: "s" };
    expect(await unionFs({ "/a": briefed }).brief?.(context)).toBe("/a: no shell here");
    const mixed = unionFs({ "/a": briefed, "/b": tempFs() });
    expect(await mixed.brief?.(context)).toBe("Mounts: /a, /b\n/a: no shell here");
    expect(await mixed.brief?.({ ...context, mountsTold: true })).toBe("/a: no shell here");
    const plain = unionFs({ "/plans": tempFs(), "/": tempFs() });
    expect(await plain.brief?.(context)).toBe("Mounts: /, /plans");
    expect(await plain.brief?.({ ...context, mountsTold: true })).toBeUndefined();
    expect(await unionFs({ "/": tempFs() }).brief?.(context)).toBeUndefined();
  });

  it("refuses a prefix no path can have, and takes the first of two mounts on one", async () => {
    expect(() => unionFs({ "/a\0": tempFs() })).toThrow(new InvalidPathError("/a\0"));
    expect(await unionFs({ "/a": tempFs({ "/f": "1" }), "/a/": tempFs({ "/f": "2" }) }).read("/a/f")).toBe("1");
  });
});
