import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile, mkdir, lstat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { describeFileSystem } from "../fs/fileSystem.suite";
import { describeAgainstModel } from "../fs/fileSystemModel.suite";
import { filledTree } from "../fs/host/hostFiles.suite";
import { entriesOf, pathsOf } from "../fs/suiteCase.suite";
import { errorFromNode } from "./nodeError";
import { nodeFs } from "./nodeFs";

const directories: string[] = [];
async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rootscope-node-"));
  directories.push(directory);
  return directory;
}
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true }))));

describeFileSystem("nodeFs", async (files) => filledTree(nodeFs(await newDirectory()), files), {
  skips: { snapshot: "a directory is read file by file" },
});
describeAgainstModel("nodeFs", async (files) => {
  const tree = nodeFs(await newDirectory());
  await filledTree(tree, files);
  return tree;
});

describe("nodeFs", () => {
  let outside = "";
  let directory = "";
  beforeEach(async () => {
    outside = await newDirectory();
    await writeFile(join(outside, "secret"), "secret");
    directory = await newDirectory();
  });

  it("refuses links that lead out of the directory, however they are reached, and shows none", async () => {
    await symlink(join(outside, "secret"), join(directory, "file"));
    await symlink(outside, join(directory, "folder"));
    await symlink("../..", join(directory, "up"));
    await symlink("file", join(directory, "chain"));
    const tree = nodeFs(directory);
    const refused = { code: "permission", reason: "A link leads out of the directory." };
    for (const path of ["/file", "/folder/secret", "/chain", "/folder"]) {
      await expect(tree.read(path)).rejects.toMatchObject({ ...refused, path });
      await expect(tree.write(path, "x")).rejects.toMatchObject({ ...refused, path });
      await expect(tree.delete(path)).rejects.toMatchObject({ ...refused, path });
      expect(await tree.stat(path)).toEqual({ kind: "missing" });
    }
    await expect(tree.write("/folder/new/deep", "x")).rejects.toMatchObject(refused);
    await expect(tree.makeDirectory("/up/made")).rejects.toMatchObject(refused);
    await expect(tree.rename("/folder/secret", "/mine")).rejects.toMatchObject(refused);
    await expect(tree.removeDirectory("/folder")).rejects.toMatchObject(refused);
    await expect(pathsOf(tree.list("/folder"))).rejects.toMatchObject(refused);
    expect(await pathsOf(tree.list())).toEqual([]);
    expect(await entriesOf(tree.grep({ pattern: "secret" }))).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret"]);
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("ends `..` at its root", async () => {
    const tree = nodeFs(directory);
    await tree.write("/../../../escaped", "x");
    expect(await readdir(directory)).toEqual(["escaped"]);
  });

  it("follows links inside when they are named, and enters no linked directory on a walk", async () => {
    await mkdir(join(directory, "real"));
    await writeFile(join(directory, "real/f"), "needle");
    await symlink("real", join(directory, "linked"));
    await symlink("real/f", join(directory, "file"));
    await symlink("..", join(directory, "real/loop"));
    const tree = nodeFs(directory);
    expect(await pathsOf(tree.list())).toEqual(["/file", "/linked", "/real", "/real/f", "/real/loop"]);
    expect(await pathsOf(tree.list("/linked"))).toEqual(["/linked/f", "/linked/loop"]);
    expect(await tree.read("/linked/f")).toBe("needle");
    expect((await entriesOf(tree.grep({ pattern: "needle" }))).map(({ path }) => path)).toEqual(["/real/f"]);
    await tree.write("/file", "written");
    expect((await lstat(join(directory, "file"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(directory, "real/f"), "utf8")).toBe("written");
    await tree.delete("/file");
    await tree.removeDirectory("/linked");
    expect(await pathsOf(tree.list())).toEqual(["/real", "/real/f", "/real/loop"]);
  });

  it("puts a file in the place of a link that leads nowhere, and writes to nothing behind it", async () => {
    await symlink(join(outside, "made"), join(directory, "broken"));
    const tree = nodeFs(directory);
    expect(await tree.stat("/broken")).toEqual({ kind: "missing" });
    await tree.write("/broken", "mine");
    expect(await readdir(outside)).toEqual(["secret"]);
    expect(await tree.read("/broken")).toBe("mine");
    await symlink(join(outside, "made"), join(directory, "way"));
    await expect(tree.write("/way/deep", "x")).rejects.toMatchObject({ code: "not-a-directory", path: "/way/deep" });
  });

  it("replaces a file whole and keeps its mode; nobody sees a part or the file beside it", async () => {
    const tree = nodeFs(directory);
    await tree.write("/run.sh", "a".repeat(1_000_000));
    await chmod(join(directory, "run.sh"), 0o750);
    const over = new AbortController();
    const seen = new Set<string>();
    const watching = (async () => {
      while (!over.signal.aborted) {
        seen.add(String((await readFile(join(directory, "run.sh"), "utf8")).length));
        for (const path of await pathsOf(tree.list())) seen.add(path);
      }
    })();
    for (let round = 0; round < 20; round++) await tree.write("/run.sh", "b".repeat(round % 2 ? 1_000_000 : 10));
    over.abort();
    await watching;
    expect([...seen].filter((one) => !["10", "1000000", "/run.sh"].includes(one))).toEqual([]);
    expect((await stat(join(directory, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readdir(directory)).toEqual(["run.sh"]);
  });

  it("does not write over or delete what somebody else has changed", async () => {
    const [mine, theirs] = [nodeFs(directory), nodeFs(directory)];
    await mine.write("/f", "1");
    await theirs.write("/f", "2");
    await expect(mine.write("/f", "3")).rejects.toMatchObject({ code: "conflict", path: "/f" });
    await expect(mine.delete("/f")).rejects.toMatchObject({ code: "conflict", path: "/f" });
    expect(await mine.read("/f")).toBe("2");
    await mine.write("/f", "3");
    await rm(join(directory, "f"));
    await expect(mine.write("/f", "4")).rejects.toMatchObject({ code: "conflict", actualHash: undefined });
    await expect(mine.read("/f")).rejects.toMatchObject({ code: "not-found" });
    await mine.write("/f", "5");
    expect(await readFile(join(directory, "f"), "utf8")).toBe("5");
  });

  it("neither shows nor opens what is no file: reading a pipe would never end", async () => {
    execFileSync("mkfifo", [join(directory, "pipe")]);
    const tree = nodeFs(directory);
    expect(await pathsOf(tree.list())).toEqual([]);
    expect(await tree.stat("/pipe")).toEqual({ kind: "missing" });
    await expect(tree.read("/pipe")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(tree.write("/pipe", "x")).rejects.toMatchObject({ code: "not-a-file" });
  });

  it("passes over names that are not UTF-8", async () => {
    await writeFile(Buffer.concat([Buffer.from(`${directory}/`), Buffer.of(0xff, 0xfe)]), "x");
    await writeFile(join(directory, "a\\b\n'"), "odd");
    const tree = nodeFs(directory);
    expect(await pathsOf(tree.list())).toEqual(["/a\\b\n'"]);
    expect(await tree.read("/a\\b\n'")).toBe("odd");
  });

  it("says that the directory is not there, or is none", async () => {
    const gone = nodeFs(join(directory, "gone"));
    const reason = "The directory is not there.";
    await expect(pathsOf(gone.list())).rejects.toMatchObject({ code: "unavailable", path: "/", reason });
    await expect(gone.stat("/")).rejects.toMatchObject({ code: "unavailable", reason });
    await writeFile(join(directory, "f"), "");
    expect(await nodeFs(join(directory, "f")).stat("/a")).toEqual({ kind: "missing" });
  });

  it("finds passages of the texts below the paths asked for", async () => {
    const tree = nodeFs(directory);
    await tree.write("/docs/a.md", "how to configure the retry policy\n");
    await tree.write("/src/b.md", "retry policy elsewhere\n");
    await tree.write("/docs/big.md", `retry policy ${"x".repeat(600_000)}`);
    const found = await entriesOf(tree.search({ query: "retry policy", paths: ["/docs"] }));
    expect(found.map(({ path, startLine }) => [path, startLine])).toEqual([["/docs/a.md", 1]]);
    expect((await entriesOf(tree.search({ query: "retry policy" }))).length).toBe(2);
  });
});

describe("what the system says", () => {
  const said = (code: string, errno: number) =>
    Object.assign(new Error(`${code}: something, open '/home/me/f'`), { code, errno });
  it.each([
    ["ENOENT", "not-found", -2],
    ["ENOTDIR", "not-a-directory", -20],
    ["EISDIR", "not-a-file", -21],
    ["EACCES", "permission", -13],
    ["EROFS", "read-only-mount", -30],
    ["ENOSPC", "quota", -28],
    ["ENAMETOOLONG", "invalid-path", -36],
    ["EIO", "write-failed", -5],
  ])("%s is told as %s, without the computer's own paths", (code, expected, errno) => {
    const error = errorFromNode("/f", said(code, errno), true) as Error & { reason?: string };
    expect(error).toMatchObject({ code: expected, path: "/f" });
    expect(`${error.message} ${error.reason ?? ""}`).not.toContain("/home");
  });
});
