import { describe, expect, it } from "vitest";
import {
  ancestorPaths,
  assertEntryName,
  baseName,
  isUnder,
  joinFsPath,
  normalizeFsPath,
  parentPath,
  pathFromMount,
  pathInMount,
  validFsPath,
} from "./path";
import { InvalidPathError } from "./pathError";

describe("paths", () => {
  it.each([
    ["", "/"],
    ["/", "/"],
    ["//", "/"],
    [".", "/"],
    ["a/b", "/a/b"],
    ["/a/b/", "/a/b"],
    ["/a//b/./c", "/a/b/c"],
    ["/a/../..//b", "/b"],
    ["/..", "/"],
    ["/a/..", "/"],
    ["/.a/..b/...", "/.a/..b/..."],
    ["/a\\b", "/a\\b"],
  ])("normalizes %j to %j", (path, normal) => {
    expect(normalizeFsPath(path)).toBe(normal);
    expect(normalizeFsPath(normal)).toBe(normal);
  });

  it("covers by segments", () => {
    expect(isUnder("/agent/skills", "/agent")).toBe(true);
    expect(isUnder("/agent", "/agent")).toBe(true);
    expect(isUnder("/agent-tools", "/agent")).toBe(false);
    expect(isUnder("/anything", "/")).toBe(true);
    expect(isUnder("/", "/agent")).toBe(false);
  });

  it("joins, takes apart and mounts", () => {
    expect(joinFsPath("/a/b", "../c")).toBe("/a/c");
    expect(joinFsPath("/a", "/b")).toBe("/b");
    expect([parentPath("/a/b"), parentPath("/a"), parentPath("/")]).toEqual(["/a", "/", "/"]);
    expect([baseName("/a/b.txt"), baseName("/")]).toEqual(["b.txt", ""]);
    expect(ancestorPaths("/a/b/c")).toEqual(["/a", "/a/b"]);
    expect([pathFromMount("/m", "/a"), pathFromMount("/m", "/"), pathFromMount("/", "/a")]).toEqual([
      "/m/a",
      "/m",
      "/a",
    ]);
    expect([pathInMount("/m", "/m/a"), pathInMount("/m", "/m"), pathInMount("/", "/a")]).toEqual(["/a", "/", "/a"]);
  });

  it("refuses what no entry can be named", () => {
    for (const path of ["/a\0", "/\udc00", `/${"é".repeat(128)}`, `/d/${"🙂".repeat(64)}/f`]) {
      expect(() => validFsPath(path)).toThrow(new InvalidPathError(path));
    }
    expect(validFsPath(`x/../${"é".repeat(127)}e`)).toBe(`/${"é".repeat(127)}e`);
  });

  it("refuses entries of archives and uploads that would land elsewhere", () => {
    for (const name of ["../a", "a/../b", "/abs", "C:\\x", "c:x", "a\\b", "", ".", "a\0b"]) {
      expect(() => assertEntryName(name)).toThrow(new InvalidPathError(name));
    }
    expect(assertEntryName("dir//a b/./c..d")).toBe("/dir/a b/c..d");
  });
});
