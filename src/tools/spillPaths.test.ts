import { describe, expect, test } from "vitest";
import { hostSpillPath, inputOnScratch, outputOnScratch, scratchPath, withScratchPaths } from "./spillPaths";

const uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
const host = `/work/agent-tools/${uuid}.txt`;

test("There are two places, and the uuid is the same in both", () => {
  expect(scratchPath(uuid)).toBe(`/tmp/${uuid}.txt`);
  expect(hostSpillPath("/work", uuid)).toBe(host);
  expect(hostSpillPath("/", uuid)).toBe(`/agent-tools/${uuid}.txt`);
});

describe("The input of Read and Grep", () => {
  test.each([
    ["a host's path in Read", "Read", { path: host, offset: 3 }, { path: `/tmp/${uuid}.txt`, offset: 3 }],
    ["a host's path in Grep", "Grep", { pattern: "x", path: host }, { pattern: "x", path: `/tmp/${uuid}.txt` }],
    ["an unresolved path", "Read", { path: `/work/../work//agent-tools/./${uuid}.txt` }, { path: `/tmp/${uuid}.txt` }],
    ["a pattern that is a path", "Grep", { pattern: host, path: "/" }, { pattern: host, path: "/" }],
    ["another tool", "Write", { path: host, fileText: "" }, { path: host, fileText: "" }],
    [
      "another directory",
      "Read",
      { path: `/other/agent-tools/${uuid}.txt` },
      { path: `/other/agent-tools/${uuid}.txt` },
    ],
    ["a directory below", "Read", { path: `/x${host}` }, { path: `/x${host}` }],
    [
      "a file that is no spilled result",
      "Read",
      { path: "/work/agent-tools/notes.txt" },
      { path: "/work/agent-tools/notes.txt" },
    ],
    ["an author's /agent-tools", "Read", { path: `/agent-tools/${uuid}.txt` }, { path: `/agent-tools/${uuid}.txt` }],
    ["a path in the scratch", "Read", { path: `/tmp/${uuid}.txt` }, { path: `/tmp/${uuid}.txt` }],
    ["no path", "Grep", { pattern: "x" }, { pattern: "x" }],
  ])("%s", (_title, tool, input, meant) => {
    expect(inputOnScratch(tool, input, "/work")).toEqual(meant);
  });
});

describe("The result of a web tool", () => {
  test.each([
    ["a text", `Saved to ${host}. Read it.`, `Saved to /tmp/${uuid}.txt. Read it.`],
    ["a field", { output_location: host, bytes: 9 }, { output_location: `/tmp/${uuid}.txt`, bytes: 9 }],
    [
      "a list inside",
      { chunks: [{ text: `see "${host}"` }, 1, null] },
      { chunks: [{ text: `see "/tmp/${uuid}.txt"` }, 1, null] },
    ],
    ["a small result", { text: "inline" }, { text: "inline" }],
    ["nothing", null, null],
  ])("%s", (_title, value, rewritten) => {
    expect(outputOnScratch(value, "/work")).toEqual(rewritten);
  });

  test("names every spilled file, each by its own uuid", () => {
    const other = uuid.replace("0", "f");
    expect(withScratchPaths(`${host} ${host.replace(uuid, other)}`, "/work")).toBe(
      `/tmp/${uuid}.txt /tmp/${other}.txt`,
    );
  });

  test("takes a directory's name as it is written, not as a pattern", () => {
    expect(withScratchPaths(`/a+b/agent-tools/${uuid}.txt`, "/a+b")).toBe(`/tmp/${uuid}.txt`);
    expect(withScratchPaths(`/aab/agent-tools/${uuid}.txt`, "/a+b")).toBe(`/aab/agent-tools/${uuid}.txt`);
  });
});
