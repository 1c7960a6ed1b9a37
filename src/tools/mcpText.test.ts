import { expect, it } from "vitest";
import { textFromMcp } from "./mcpText";
import { textFromResult } from "./textFromResult";

it("reads a logged result of a server's tool as when it was made, whether or not the tool is there still", () => {
  const output = {
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
    structuredContent: { n: 1 },
  };
  expect(textFromResult("mcp__notes__echo", output, {})).toBe("one\ntwo");
  expect(textFromResult("my_tool", output, {})).toBe(JSON.stringify(output));
  expect(textFromResult("mcp__notes__echo", { other: 1 }, {})).toBe('{"other":1}');
});

it("says what it cannot show", () => {
  const content = [
    { type: "image", data: "AAAA", mimeType: "image/tiff" },
    { type: "audio", data: "AAAAAAAA", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///x.bin", blob: "AAAA", mimeType: "application/zip" } },
    { type: "unheard-of", value: 1 },
  ];
  expect(textFromMcp({ content })).toBe(
    "[image, image/tiff, 3 bytes]\n[audio, audio/wav, 6 bytes]\n[file:///x.bin, application/zip, 3 bytes]\n" +
      '{"type":"unheard-of","value":1}',
  );
  expect([textFromMcp({ content: [] }), textFromMcp({ content: [], structuredContent: { a: 1 } })]).toEqual([
    "(no output)",
    '{"a":1}',
  ]);
  expect([textFromMcp("text"), textFromMcp({ content: "text" }), textFromMcp(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("says how far a call has come", () => {
  expect([textFromMcp({ progress: 3, total: 9, message: "step 3" }), textFromMcp({ progress: 3 })]).toEqual([
    "step 3 (3 of 9)",
    "3",
  ]);
});

it("cuts a long text on a character and says what is missing", () => {
  const text = "é".repeat(40_000);
  const lines = (textFromMcp({ content: [{ type: "text", text }] }) as string).split("\n");
  expect([lines[0]?.length, lines[1]]).toEqual([25_600, "[28800 more bytes not shown: ask the tool for less]"]);
});
