import { expect, test } from "vitest";
import { seedFiles } from "./seedFiles";

test("Files are put at their absolute paths", () => {
  const bytes = new Uint8Array([0, 1]);
  expect(
    seedFiles({ "docs/a.md": "a", "/b/../c.md": "c", "x.bin": bytes, "memory.md": "m", "/memoryx/y": "y" }),
  ).toEqual([
    ["/docs/a.md", "a"],
    ["/c.md", "c"],
    ["/x.bin", bytes],
    ["/memory.md", "m"],
    ["/memoryx/y", "y"],
  ]);
});

test.each([
  "memory/x",
  "./memory/x",
  "foo/../memory/x",
  "/memory/x",
  "//memory//x",
  "memory",
  "../memory/a/b",
  "/memory/",
])("%s is refused: memory/ is reserved", (path) => {
  expect(() => seedFiles({ "ok.md": "", [path]: "x" })).toThrow(
    `workspaceFiles[${JSON.stringify(path)}]: memory/ is reserved for what the agent remembers. Put the file elsewhere.`,
  );
});

test("Every path that is none is told at once", () => {
  expect(() => seedFiles({ "": "", "/": "", "a\0b": "", "memory/x": "" })).toThrow(
    [
      'workspaceFiles[""]: It is no path of a file. Give a path such as docs/a.md.',
      'workspaceFiles["/"]: It is no path of a file. Give a path such as docs/a.md.',
      'workspaceFiles["a\\u0000b"]: It is no path of a file. Give a path such as docs/a.md.',
      'workspaceFiles["memory/x"]: memory/ is reserved for what the agent remembers. Put the file elsewhere.',
    ].join("\n"),
  );
});
