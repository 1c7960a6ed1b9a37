import { describe, expect, it } from "vitest";
import { inputFromJson, inputFromTexts, missingTexts, textsFromInput, tryFields } from "./tryToolFields";

const SCHEMA = {
  type: "object",
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 9, description: "How many." },
    path: { type: "string" },
    fileText: { type: "string" },
    ratio: { type: ["number", "null"] },
    mode: { enum: ["a", 1] },
    deep: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    todos: { type: "array", items: { type: "object" } },
    either: { anyOf: [{ type: "string" }, { type: "number" }] },
  },
  required: ["path", "fileText"],
};
const fields = tryFields(SCHEMA) ?? [];

describe("tryFields", () => {
  it("makes a field for each argument, the required ones first", () => {
    expect(fields.map(({ name, kind, isRequired, words }) => [name, kind, isRequired, words])).toEqual([
      ["path", "line", true, "text"],
      ["fileText", "text", true, "text"],
      ["limit", "integer", false, "whole number from 1 to 9"],
      ["ratio", "number", false, "number"],
      ["mode", "choice", false, "one of these"],
      ["deep", "boolean", false, "true or false"],
      ["names", "lines", false, "texts, one a line"],
      ["todos", "json", false, "a list, as JSON"],
      ["either", "json", false, "JSON"],
    ]);
  });

  it("has none for a schema that names no arguments, and an empty list where it takes none", () => {
    expect([tryFields({ type: "object" }), tryFields({ properties: {} })]).toEqual([undefined, []]);
  });
});

describe("inputFromTexts", () => {
  it("leaves out what is optional and empty, and sends a required text even when it is", () => {
    expect(inputFromTexts(fields, { path: "/a", deep: "" })).toEqual({ input: { path: "/a", fileText: "" } });
  });

  it("reads every kind of field", () => {
    const texts = {
      path: "/a",
      fileText: "one\ntwo",
      limit: "3",
      ratio: "-0.5",
      mode: "1",
      deep: "false",
      names: "x\n\ny",
      todos: '[{"content":"c"}]',
      either: '"text"',
    };
    expect(inputFromTexts(fields, texts)).toEqual({
      input: {
        path: "/a",
        fileText: "one\ntwo",
        limit: 3,
        ratio: -0.5,
        mode: 1,
        deep: false,
        names: ["x", "y"],
        todos: [{ content: "c" }],
        either: "text",
      },
    });
  });

  it("says of each field it cannot read what belongs there", () => {
    expect(inputFromTexts(fields, { limit: "1.5", ratio: "many", todos: "[" })).toEqual({
      problems: {
        limit: "Write a whole number.",
        ratio: "Write a number.",
        todos: 'Write JSON, such as ["a"] or { "b": 1 }.',
      },
    });
  });
});

describe("missingTexts", () => {
  it("names what is required and empty, but for a text of several lines", () => {
    expect(missingTexts(fields, { fileText: "" })).toEqual({ path: "path is required." });
    expect(missingTexts(fields, { path: "/a" })).toEqual({});
    const choice = tryFields({ properties: { mode: { enum: ["a"] } }, required: ["mode"] }) ?? [];
    expect(missingTexts(choice, {})).toEqual({ mode: "mode is required." });
  });
});

describe("arguments as one JSON text", () => {
  it("are an object, or a problem", () => {
    const problem = { problems: { "": 'Write the arguments as one JSON object, such as { "path": "/a" }.' } };
    expect(["", '{"a":1}', "[]", "{"].map(inputFromJson)).toEqual([
      { input: {} },
      { input: { a: 1 } },
      problem,
      problem,
    ]);
  });

  it("go back to the form when its fields can hold them, and stay when they cannot", () => {
    const input = { path: "/a", fileText: "t", names: ["x", "y"], deep: true };
    expect(textsFromInput(fields, input)).toEqual({ path: "/a", fileText: "t", names: "x\ny", deep: "true" });
    expect(
      [{ other: 1 }, { path: "/a", fileText: "", names: ["a\nb"] }, { path: 1, fileText: "" }].map((one) =>
        textsFromInput(fields, one),
      ),
    ).toEqual([undefined, undefined, undefined]);
  });
});
