import { expect, test } from "vitest";
import { diffLines, lineDiff } from "./lineDiff";

test("Equal texts have no difference", () => {
  expect(lineDiff("a\nb\n", "a\nb\n")).toEqual({ diffString: "", linesAdded: 0, linesRemoved: 0 });
});

test("Every line comes in order, with what became of it", () => {
  expect(diffLines("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([
    { kind: "same", text: "a" },
    { kind: "removed", text: "b" },
    { kind: "added", text: "B" },
    { kind: "same", text: "c" },
    { kind: "added", text: "d" },
  ]);
});

test("Hunks have three lines of context, and those that touch are one", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join("");
  const after = before.replace("\n5\n", "\nfive\n").replace("\n8\n", "\n").replace("\n20\n", "\n20\n21\n");
  expect(lineDiff(before, after)).toEqual({
    diffString: [
      "@@ -2,10 +2,9 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      "-8",
      " 9",
      " 10",
      " 11",
      "@@ -18,3 +17,4 @@",
      " 18",
      " 19",
      " 20",
      "+21",
    ].join("\n"),
    linesAdded: 2,
    linesRemoved: 2,
  });
});

test("A file made or emptied names the line before the side that has none", () => {
  expect(lineDiff("", "a\n").diffString).toBe("@@ -0,0 +1,1 @@\n+a");
  expect(lineDiff("a\n", "").diffString).toBe("@@ -1,1 +0,0 @@\n-a");
});

test("A lost last line end is a difference", () => {
  expect(lineDiff("a\n", "a").diffString).toBe("@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file");
  expect(diffLines("a\n", "a")).toEqual([
    { kind: "removed", text: "a" },
    { kind: "added", text: "a", endsWithoutNewline: true },
  ]);
});

test("Texts too far apart are all removed, then all added", () => {
  const text = (name: string) => Array.from({ length: 5000 }, (_, index) => `${name}${index}\n`).join("");
  expect(lineDiff(text("a"), text("b"))).toMatchObject({ linesAdded: 5000, linesRemoved: 5000 });
});
