import { expect, test } from "vitest";
import { tempFs } from "../fs";
import { runTool } from "../testing/runTool";

function files(directory: string, count: number, extension: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${directory}/f${String(index).padStart(4, "0")}${extension}`, ""]),
  );
}

test("Shows the tree below a directory, by name, two spaces a level", async () => {
  const tree = tempFs({ "/repo/b/x.ts": "", "/repo/b/c/y.ts": "", "/repo/a.md": "", "/repo/z": "", "/other": "" });
  const { output, text } = await runTool(tree, "LS", { path: "/repo/" });
  expect(text).toBe("/repo\n  - a.md\n  - b/\n    - c/\n      - y.ts\n    - x.ts\n  - z");
  expect(output).toEqual({
    directoryTreeRoot: {
      absPath: "/repo",
      childrenDirs: [
        {
          absPath: "/repo/b",
          childrenDirs: [
            {
              absPath: "/repo/b/c",
              childrenDirs: [],
              childrenFiles: [{ name: "y.ts" }],
              childrenWereProcessed: true,
              fullSubtreeExtensionCounts: {},
              numFiles: 1,
            },
          ],
          childrenFiles: [{ name: "x.ts" }],
          childrenWereProcessed: true,
          fullSubtreeExtensionCounts: {},
          numFiles: 2,
        },
      ],
      childrenFiles: [{ name: "a.md" }, { name: "z" }],
      childrenWereProcessed: true,
      fullSubtreeExtensionCounts: {},
      numFiles: 4,
    },
  });
});

test("The root, and an empty directory", async () => {
  expect((await runTool(tempFs({ "/a": "" }), "LS", { path: "/" })).text).toBe("/\n  - a");
  expect((await runTool(tempFs(), "LS", { path: "" })).text).toBe("/\n  (empty directory)");
});

test("A missing path is not found, and a file is no directory", async () => {
  const tree = tempFs({ "/a": "" });
  await expect(runTool(tree, "LS", { path: "/no" })).rejects.toMatchObject({
    code: "not-found",
    message: "not found: /no",
  });
  await expect(runTool(tree, "LS", { path: "/a" })).rejects.toThrow("not a directory: /a");
});

test("Leaves out what ignore names, at any depth where it has no slash", async () => {
  const tree = tempFs({
    "/a.ts": "",
    "/a.log": "",
    "/node_modules/p/i.js": "",
    "/src/b.log": "",
    "/src/b.ts": "",
    "/src/gen/c.ts": "",
    "/gen/d.ts": "",
  });
  const ignore = ["node_modules/", "*.log", "src/gen/**"];
  expect((await runTool(tree, "LS", { path: "/", ignore })).text).toBe(
    "/\n  - a.ts\n  - gen/\n    - d.ts\n  - src/\n    - b.ts",
  );
});

test("Past 500 entries directories are cut to counts by extension, upper levels first", async () => {
  const tree = tempFs({
    "/a.md": "",
    "/big/Makefile": "",
    ...files("/big", 300, ".ts"),
    ...files("/big/deep", 200, ".json"),
    ...files("/huge", 498, ".ts"),
    "/small/x.ts": "",
  });
  const { output, text } = await runTool(tree, "LS", { path: "/" });
  const lines = (text as string).split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "/",
    "  - a.md",
    "  - big/",
    "    - Makefile",
    "    - deep/ [200 files: 200 .json]",
  ]);
  expect(lines.slice(-4)).toEqual([
    "  - huge/ [498 files: 498 .ts]",
    "  - small/",
    "    - x.ts",
    "[698 more entries: LS a cut directory, or Glob for the files you want]",
  ]);
  expect(output).toMatchObject({ hiddenEntries: 698 });
});

test("A cut directory names eight extensions at most, and files without one", async () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`/d/e/f.x${index}`, ""]));
  const tree = tempFs({ ...files("", 495, ".ts"), ...many, "/d/e/LICENSE": "", "/d/e/README": "" });
  const { text } = await runTool(tree, "LS", { path: "/" });
  expect((text as string).split("\n").slice(1, 3)).toEqual([
    "  - d/",
    "    - e/ [12 files: 2 without extension, 1 .x0, 1 .x1, 1 .x2, 1 .x3, 1 .x4, 1 .x5, 1 .x6, 3 others]",
  ]);
});

test("A directory of more than 500 entries shows its first 500 and counts the others", async () => {
  const tree = tempFs({ ...files("/d", 700, ".ts"), "/d/z/y.md": "" });
  const { text } = await runTool(tree, "LS", { path: "/d" });
  const lines = (text as string).split("\n");
  expect(lines).toHaveLength(502);
  expect(lines.slice(-2)).toEqual([
    "  - f0499.ts",
    "[202 more entries (200 .ts, 1 .md here): LS a cut directory, or Glob for the files you want]",
  ]);
});
