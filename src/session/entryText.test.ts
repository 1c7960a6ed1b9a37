import { expect, test } from "vitest";
import { entryText } from "./entryText";

test("an entry is told by its kind and the name it has, on one line, whatever it holds", () => {
  expect([
    entryText({ kind: "span", raw: { name: "ChatOpenAI", spanId: "1" } }),
    entryText({ kind: "summary", raw: { summary: "\nFirst line\nsecond", subtype: "x" } }),
    entryText({ kind: "init", raw: { subtype: "init" } }),
    entryText({ kind: "value", raw: [1] }),
    entryText({ kind: "value", raw: null }),
    entryText({ kind: "value", raw: { name: { $blob: "1" } } }),
  ]).toEqual([
    "Recorded: span · ChatOpenAI",
    "Recorded: summary · First line",
    "Recorded: init",
    "Recorded: value",
    "Recorded: value",
    "Recorded: value",
  ]);
});
