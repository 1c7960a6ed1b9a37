import { describe, expect, it } from "vitest";
import { tempFs, QuotaError, type EditableFileSystem } from "../fs";
import { importFiles, itemsFromZip, type ImportItem } from "./importFiles";

function file(path: string, text = path, sizeBytes = text.length): ImportItem {
  return { kind: "file", path, sizeBytes, bytes: () => Promise.resolve(new TextEncoder().encode(text)) };
}

async function paths(tree: EditableFileSystem): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of tree.list("/")) found.push(entry.kind === "directory" ? `${entry.path}/` : entry.path);
  return found;
}

function options(
  tree: EditableFileSystem,
  items: Iterable<ImportItem> | AsyncIterable<ImportItem>,
  signal = new AbortController().signal,
) {
  return { tree, target: "/repo", source: { label: "things", items }, signal, progress: () => undefined };
}

describe("importFiles", () => {
  it("takes names with spaces, of any script, in either normal form, and of 255 bytes", async () => {
    const tree = tempFs();
    const names = [
      "a b.txt",
      "smörgås.txt".normalize("NFC"),
      "smörgås.txt".normalize("NFD"),
      "🦔/🌲.md",
      "n".repeat(255),
    ];
    expect(
      await importFiles(
        options(
          tree,
          names.map((name) => file(name, "x")),
        ),
      ),
    ).toEqual({ files: 5, bytes: 5, refused: [], stopped: false });
    expect((await paths(tree)).filter((path) => !path.endsWith("/"))).toEqual(
      names.map((name) => `/repo/${name}`).toSorted(),
    );
  });

  it("leaves out what it must not take, each by name and with its reason, and goes on", async () => {
    const tree = tempFs();
    const items: ImportItem[] = [
      file("../up.txt"),
      file("/absolute.txt"),
      file("a/../../b.txt"),
      file("n".repeat(256)),
      file("huge.bin", "x", 200 * 1024 * 1024),
      { kind: "refused", path: "locked", reason: "The folder “locked” cannot be read (denied); the rest goes on" },
      { kind: "file", path: "torn.txt", sizeBytes: 1, bytes: () => Promise.reject(new Error("it is gone")) },
      file("good.txt"),
    ];
    expect(await importFiles(options(tree, items))).toEqual({
      files: 1,
      bytes: 8,
      stopped: false,
      refused: [
        "“../up.txt” was left out: its path holds “..”",
        "“/absolute.txt” was left out: its path is absolute",
        "“a/../../b.txt” was left out: its path holds “..”",
        `“${"n".repeat(256)}” was left out: a name in its path is longer than 255 bytes`,
        "“huge.bin” was left out: it has 200 MB, and a file may have 100 MB",
        "The folder “locked” cannot be read (denied); the rest goes on",
        "“torn.txt” was left out: it cannot be read (it is gone)",
      ],
    });
    expect(await paths(tree)).toEqual(["/repo/", "/repo/good.txt"]);
  });

  it("stops when asked and keeps what was imported so far", async () => {
    const tree = tempFs();
    const controller = new AbortController();
    function* items(): Generator<ImportItem> {
      yield file("one");
      controller.abort();
      yield file("two");
    }
    expect(await importFiles(options(tree, items(), controller.signal))).toEqual({
      files: 1,
      bytes: 3,
      refused: [],
      stopped: true,
    });
    expect(await paths(tree)).toEqual(["/repo/", "/repo/one"]);
  });

  it("tells when the storage is full", async () => {
    const tree = { ...tempFs(), writeMany: () => Promise.reject(new QuotaError("/repo/one")) };
    expect(await importFiles(options(tree as EditableFileSystem, [file("one")]))).toEqual({
      files: 0,
      bytes: 0,
      refused: [],
      stopped: false,
      failure:
        "storage full: /repo/one. Delete files, sessions or projects to make room. Export first what should be kept.",
    });
  });

  it("makes empty folders", async () => {
    const tree = tempFs();
    await importFiles(options(tree, [{ kind: "directory", path: "empty" }]));
    expect(await paths(tree)).toEqual(["/repo/", "/repo/empty/"]);
  });

  it("says that a broken archive is broken", async () => {
    const tree = tempFs();
    const report = await importFiles(options(tree, itemsFromZip(new Blob(["this is no zip"]))));
    expect(report).toMatchObject({ files: 0, refused: [] });
    expect(report.failure).toMatch(/zip|archive/i);
  });
});
