import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../base";
import { commandRead } from "./commandRead";
import { foreignOperation, type ForeignOperation } from "./foreignOperation";
import { patchedText, patchEdits } from "./patchEdits";
import { placedPath, placedText } from "./placement";
import { readOnlyCommand } from "./readOnlyCommand";
import { recordedReading } from "./recordedReading";

const READ = { kind: "read", path: "/a" } as const;

const OPERATIONS: readonly [tool: string, input: JsonObject, operation: ForeignOperation | undefined][] = [
  ["Read", { file_path: "/a", offset: 3, limit: 2 }, { ...READ, start: 3, count: 2 }],
  ["Write", { file_path: "/a", content: "x" }, { kind: "write", path: "/a", text: "x" }],
  [
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
    { kind: "edit", path: "/a", edits: [{ oldText: "x", newText: "y", all: true }] },
  ],
  ["Edit", { file_path: "/a", old_string: "", new_string: "y" }, { kind: "write", path: "/a", text: "y" }],
  [
    "MultiEdit",
    { file_path: "/a", edits: [{ old_string: "x", new_string: "y" }] },
    { kind: "edit", path: "/a", edits: [{ oldText: "x", newText: "y", all: false }] },
  ],
  ["Glob", { pattern: "*.ts", path: "/src" }, { kind: "glob", pattern: "*.ts", path: "/src" }],
  [
    "Grep",
    { pattern: "x", glob: "*.ts", "-i": true },
    { kind: "grep", input: { pattern: "x", glob: "*.ts", "-i": true } },
  ],
  ["LS", { path: "/src" }, { kind: "list", path: "/src" }],
  ["Bash", { command: "cat a" }, { kind: "shell", command: "cat a" }],
  ["read_file", { absolute_path: "/a", offset: 2, limit: 5 }, { ...READ, start: 3, count: 5 }],
  [
    "read_file",
    { target_file: "/a", start_line_one_indexed: 2, end_line_one_indexed_inclusive: 4 },
    { ...READ, start: 2, count: 3 },
  ],
  ["write_file", { file_path: "/a", content: "x" }, { kind: "write", path: "/a", text: "x" }],
  [
    "replace",
    { file_path: "/a", old_string: "x", new_string: "y", expected_replacements: 2 },
    { kind: "edit", path: "/a", edits: [{ oldText: "x", newText: "y", all: true }] },
  ],
  [
    "search_file_content",
    { pattern: "x", include: "*.md" },
    { kind: "grep", input: { pattern: "x", include: "*.md", glob: "*.md" } },
  ],
  ["list_directory", { path: "/src" }, { kind: "list", path: "/src" }],
  ["run_shell_command", { command: "ls", directory: "src" }, { kind: "shell", command: "ls", cwd: "src" }],
  ["shell", { command: ["bash", "-lc", "cat a"], workdir: "/w" }, { kind: "shell", command: "cat a", cwd: "/w" }],
  ["shell", { command: ["cat", "a b"] }, { kind: "shell", command: "cat 'a b'" }],
  [
    "shell",
    { command: ["bash", "-lc", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"] },
    { kind: "patch", text: "*** Begin Patch\n*** Delete File: a\n*** End Patch" },
  ],
  ["exec_command", { cmd: "ls" }, { kind: "shell", command: "ls" }],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** End Patch" },
    { kind: "patch", text: "*** Begin Patch\n*** End Patch" },
  ],
  ["read", { filePath: "/a", offset: 1 }, { ...READ, start: 2 }],
  ["str_replace_editor", { command: "view", path: "/a", view_range: [2, 3] }, { ...READ, start: 2, count: 2 }],
  ["str_replace_editor", { command: "create", path: "/a", file_text: "x" }, { kind: "write", path: "/a", text: "x" }],
  [
    "file_editor",
    { command: "insert", path: "/a", insert_line: 0, new_str: "x" },
    { kind: "insert", path: "/a", line: 0, text: "x" },
  ],
  ["str_replace_editor", { command: "undo_edit", path: "/a" }, undefined],
  ["execute_bash", { command: "ls" }, { kind: "shell", command: "ls" }],
  ["delete_file", { target_file: "/a" }, { kind: "delete", path: "/a" }],
  ["functions.Read", { file_path: "/a" }, READ],
  ["WebFetch", { url: "https://example.com" }, undefined],
  ["Write", { file_path: "/a" }, undefined],
  ["constructor", {}, undefined],
];

test.each(OPERATIONS)("%s %j", (tool, input, operation) => {
  expect(foreignOperation(tool, input)).toEqual(operation);
});

test("a patch may come as what the model wrote where arguments were due", () => {
  const text = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
  expect(foreignOperation("apply_patch", {}, text)).toEqual({ kind: "patch", text });
});

describe("what a recorded result says", () => {
  const lines = (output: JsonValue, operation: ForeignOperation = READ): unknown => {
    const { lines: found, ...rest } = recordedReading(operation, output);
    return { lines: found === undefined ? undefined : [...found], ...rest };
  };

  test("lines by gutters of any program, its own words taken off", () => {
    const both = [
      [1, "one"],
      [2, ""],
      [3, "  two"],
    ];
    const shown = { lines: both, isToEnd: true, isCut: false, normalisers: ["line number gutter"] };
    expect(lines("     1→one\n     2→\n     3→  two\n")).toEqual(shown);
    expect(lines("     1\tone\n     2\t\n     3\t  two")).toEqual(shown);
    expect(lines("     1|one\n     2|\n     3|  two")).toEqual(shown);
    const framed = { ...shown, normalisers: ["line number gutter", "words of the tool"] };
    expect(lines("     1→one\n     2→\n     3→  two\n\n<system-reminder>\nBe safe.\n</system-reminder>\n")).toEqual(
      framed,
    );
    expect(lines("<file>\n00001| one\n00002| \n00003|   two\n\n(End of file - total 3 lines)\n</file>")).toEqual(
      framed,
    );
    expect(lines("Here's the result of running `cat -n` on /a:\n     1\tone\n     2\t\n     3\t  two\n")).toEqual(
      framed,
    );
    expect(lines([{ type: "text", text: "     1→one\n     2→\n     3→  two" }])).toEqual(shown);
  });

  test("a line with a break of its own is left out", () => {
    expect(lines("     1→one\n     2→two\u000bgoes\non\n     3→three\n     4→four")).toMatchObject({
      lines: [
        [1, "one"],
        [3, "three"],
        [4, "four"],
      ],
    });
  });

  test("a text without gutters from the line asked for, and values that name it", () => {
    expect(lines("a\r\nb\n", { ...READ, start: 5, count: 2 })).toEqual({
      lines: [
        [5, "a"],
        [6, "b"],
      ],
      isToEnd: false,
      isCut: false,
      normalisers: [],
    });
    const file = { filePath: "/a", content: "x\ny\n", startLine: 3, numLines: 2, totalLines: 4 };
    const found = {
      lines: [
        [3, "x"],
        [4, "y"],
      ],
      isToEnd: true,
      isCut: false,
      normalisers: [],
    };
    expect(lines({ type: "text", file })).toEqual(found);
    expect(lines({ path: "/a", content: "x\ny\n", startLine: 3, shownLines: 2, totalLines: 4 })).toEqual(found);
  });

  test("exit code and output of a command, however they are wrapped", () => {
    const shell = { kind: "shell", command: "x" } as const;
    const says = (output: JsonValue): unknown => {
      const { text, exitCode } = recordedReading(shell, output);
      return [text, exitCode];
    };
    expect(says('{"output":"a\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}')).toEqual(["a\n", 0]);
    expect(says("Exit code: 1\nWall time: 0.1 seconds\nOutput:\na\n")).toEqual(["a\n", 1]);
    expect(says("<returncode>0</returncode>\n<output>\na\n</output>")).toEqual(["a\n", 0]);
    expect(says("a\n[The command completed with exit code 2.]\n[Current working directory: /w]")).toEqual(["a", 2]);
    expect(says({ stdout: "a", stderr: "", exitCode: 3 })).toEqual(["a", 3]);
    expect(says("a\n")).toEqual(["a\n", undefined]);
  });

  test("paths and matches, in no order", () => {
    const glob = { kind: "glob", pattern: "*" } as const;
    expect(recordedReading(glob, "/b\n/a")).toEqual({
      paths: ["/a", "/b"],
      isCut: false,
      normalisers: ["order of results"],
    });
    expect(recordedReading(glob, "No files found")).toEqual({
      paths: [],
      isCut: false,
      normalisers: ["words of the tool"],
    });
    expect(recordedReading(glob, 'Found 2 file(s) matching "*" within /w, sorted:\n/w/b.ts\n/w/a.ts')).toMatchObject({
      paths: ["/w/a.ts", "/w/b.ts"],
    });
    const list = { kind: "list", path: "/w" } as const;
    const listed = {
      paths: ["/w/a.md", "/w/src"],
      isCut: false,
      normalisers: ["words of the tool", "order of results"],
    };
    expect(
      recordedReading(list, "- /w/\n  - a.md\n  - src/\n    - deep.ts\n\nNOTE: do any of the files above seem bad?"),
    ).toEqual(listed);
    expect(recordedReading(list, "/w/\n  src/\n    deep.ts\n  a.md\n")).toEqual(listed);
    expect(recordedReading(list, "Directory listing for /w:\n[DIR] src\na.md\n\n(2 ignored)")).toEqual({
      ...listed,
      paths: ["a.md", "src"],
    });
    const grep = { kind: "grep", input: { pattern: "x" } } as const;
    const grouped = { matches: ["a.ts:12:x y", "a.ts:3:x"], isTrimmed: true };
    expect(
      recordedReading(grep, 'Found 2 matches for pattern "x" in path ".":\n---\nFile: a.ts\nL3: x\nL12: x y\n---'),
    ).toMatchObject(grouped);
    expect(recordedReading(grep, "Found 2 matches\na.ts:\n  Line 3:   x\n  Line 12: x y")).toMatchObject(grouped);
    expect(recordedReading(grep, "/b:2:x\n/a:1:x y")).toMatchObject({ matches: ["/a:1:x y", "/b:2:x"] });
    expect(recordedReading(grep, "Found 2 files\n/a.ts\n/b.ts")).toMatchObject({ paths: ["/a.ts", "/b.ts"] });
  });
});

describe("a command that surely only reads", () => {
  const looks = (command: string): unknown => readOnlyCommand(command);

  test.each([
    ["cat a.md", ["a.md"], false],
    ["sed -n '1,20p' src/a.ts", ["src/a.ts"], false],
    ["nl -ba a | sed -n '1,5p'", ["a"], false],
    ["cd /w && head -n 5 'a b'", ["a b"], false],
    ["tail -5 a; wc -l b", ["a", "b"], false],
    ['grep -n "x y" a 2>/dev/null', ["a"], false],
    ["ls -la src", ["src"], true],
    ["rg TODO", [], true],
    ["grep -rn x .", ["."], true],
    ["find . -name '*.ts'", [".", "*.ts"], true],
  ])("%s", (command, paths, looksAround) => {
    expect(looks(command)).toEqual({ paths, looksAround });
  });

  test.each([
    "rm a",
    "cat a > b",
    "cat $(pwd)/a",
    "cat `ls`",
    "sed -i s/a/b/ c",
    "sed -n '1w out' a",
    "find . -delete",
    "find . -exec rm {} +",
    "cat a & rm b",
    "X=1 cat a",
    "rg --pre evil x",
    "sort -o a a | cat",
    "cat a | sort -uo b",
    "cat a; uniq a b",
    "sed -n '1p' -i a",
    "sed -n 1p -e 'w out' a",
    "echo hi",
    "cat <<EOF\nx\nEOF",
    "tail -f a",
    "cat 'a",
    "npm test && cat a",
  ])("not %s", (command) => {
    expect(looks(command)).toBeUndefined();
  });

  test("one that shows a file is the read it is", () => {
    expect(commandRead("cat a.md", "/w")).toEqual({ kind: "read", path: "/w/a.md" });
    expect(commandRead("cd src && sed -n '2,4p' a", undefined)).toEqual({
      kind: "read",
      path: "src/a",
      start: 2,
      count: 3,
    });
    expect(commandRead("nl -ba a | sed -n '2,4p'", undefined)).toEqual({ kind: "read", path: "a", start: 2, count: 3 });
    expect(commandRead("head -n 3 'a'", undefined)).toEqual({ kind: "read", path: "a", start: 1, count: 3 });
    expect(commandRead("cat a b", undefined)).toBeUndefined();
    expect(commandRead("cat *.md", undefined)).toBeUndefined();
  });
});

describe("a patch", () => {
  test("adds, deletes, moves and updates; hunks are found by their lines", () => {
    const files = patchEdits(
      [
        "*** Begin Patch",
        "*** Add File: new",
        "+a",
        "+",
        "*** Delete File: old",
        "*** Update File: b",
        "*** Move to: c",
        "@@ two",
        " three",
        "-four",
        "+4",
        "*** End Patch",
      ].join("\n"),
    );
    expect(files).toEqual([
      { kind: "add", path: "new", text: "a\n\n" },
      { kind: "delete", path: "old" },
      {
        kind: "update",
        path: "b",
        movedTo: "c",
        hunks: [{ anchor: "two", oldLines: ["three", "four"], newLines: ["three", "4"] }],
      },
    ]);
    const [, , update] = files ?? [];
    const hunks = update?.kind === "update" ? update.hunks : [];
    expect(patchedText("one\ntwo\nthree\nfour\n", hunks)).toBe("one\ntwo\nthree\n4\n");
    expect(patchedText("three  \nfour", hunks)).toBe("three\n4");
    expect(patchedText("other\n", hunks)).toBeUndefined();
    expect(patchEdits("no patch")).toBeUndefined();
  });
});

test("recorded paths have their place on the tree", () => {
  expect(placedPath({ cwd: "/w" }, "a/../b")).toBe("/w/b");
  expect(placedPath({ cwd: "/w", root: { recorded: "/w", here: "/" } }, "a")).toBe("/a");
  expect(placedPath({ cwd: "/w", root: { recorded: "/w", here: "/p" } }, "/w")).toBe("/p");
  expect(placedPath({ cwd: "/w", root: { recorded: "/w", here: "/p" } }, "/other")).toBe("/other");
  expect(placedPath({ cwd: "/w", root: { recorded: "C:\\w", here: "/" } }, "C:\\w\\a.ts")).toBe("/a.ts");
  expect(placedPath({ cwd: "/w" }, "a\0b")).toBeUndefined();
});

test("a text names its paths at their place, and nothing else", () => {
  const root = { recorded: "/app/", here: "/" };
  expect(placedText(root, "cat /app/a.ts '/app/b' src/app/c.ts /apple/d /app-2/e; ls /app | head")).toBe(
    "cat /a.ts '/b' src/app/c.ts /apple/d /app-2/e; ls / | head",
  );
  expect(placedText({ recorded: "/app", here: "/repo" }, "/app\n/app/x:1:at /app.")).toBe("/repo\n/repo/x:1:at /app.");
  expect(placedText({ recorded: "/", here: "/repo" }, "/a")).toBe("/a");
});
