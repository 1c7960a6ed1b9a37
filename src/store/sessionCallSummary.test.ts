import { describe, expect, it } from "vitest";
import type { CallItem } from "../session";
import { callName } from "./callName";
import { pathOfCall, sessionCallSummary } from "./sessionCallSummary";

const call = (patch: Partial<CallItem>): CallItem => ({
  kind: "call",
  id: "call_1",
  turnId: "turn_0",
  stepId: "turn_0/0",
  toolName: "Read",
  input: { path: "/a.md" },
  inputText: "",
  state: "completed",
  requestedAt: "2026-01-01T00:00:00.000Z",
  served: [],
  changes: [],
  firstEvent: 0,
  lastEvent: 1,
  ...patch,
});

describe("sessionCallSummary", () => {
  it("names the mounts with hits first", () => {
    const served = ["/a", "/b", "/b/in", "/c"].map((mount) => ({ mount, path: mount, verb: "grep" }));
    const mountsOf = (output: CallItem["output"]) =>
      sessionCallSummary(call({ toolName: "Grep", served, ...(output && { output }) })).mounts;
    expect(mountsOf({ matches: [{ file: "/c/x" }, { path: "/b/in/y" }] })).toEqual(["/b/in", "/c", "/a", "/b"]);
    expect(mountsOf({ files: ["/b/x", "/bc"] })).toEqual(["/b", "/a", "/b/in", "/c"]);
    expect(mountsOf(undefined)).toEqual(["/a", "/b", "/b/in", "/c"]);
  });

  it("says what each native call is about and how much came of it", () => {
    const summaries = [
      call({ output: { path: "/a.md", content: "x", totalLines: 900, shownLines: 38, fileSize: 20 } }),
      call({ output: { path: "/a.bin", binary: true, fileSize: 2_500_000 }, input: { path: "/a.bin" } }),
      call({
        toolName: "Grep",
        input: { pattern: "TODO", path: "/src" },
        output: { type: "content", matches: [], totalMatches: 1 },
      }),
      call({ toolName: "Grep", input: { pattern: "x" }, output: { type: "files", files: ["/a"], count: 1204 } }),
      call({
        toolName: "Glob",
        input: { globPattern: "*.ts", targetDirectory: "/" },
        output: { files: [], totalFiles: 0 },
      }),
      call({ toolName: "LS", input: {}, output: { directoryTreeRoot: { numFiles: 12 } } }),
      call({ toolName: "Write", output: { path: "/a.md", linesCreated: 6, fileSize: 40 } }),
      call({ toolName: "StrReplace", output: { path: "/a.md", linesAdded: 3, linesRemoved: 1 } }),
      call({ toolName: "Delete", output: { path: "/a.md", fileSize: 512 } }),
      call({
        toolName: "SemanticSearch",
        input: { query: "stores", targetDirectories: ["/a", "/b"] },
        output: { results: [{}] },
      }),
      call({ toolName: "weather", input: { city: "Bern" }, output: "sunny" }),
    ].map(sessionCallSummary);
    expect(summaries).toEqual([
      { about: "/a.md", figure: "38 lines", mounts: [] },
      { about: "/a.bin", figure: "2.5 MB", mounts: [] },
      { about: "TODO", where: "in /src", figure: "1 hit", mounts: [] },
      { about: "x", figure: "1,204 files", mounts: [] },
      { about: "*.ts", figure: "0 files", mounts: [] },
      { about: "/", figure: "12 files", mounts: [] },
      { about: "/a.md", figure: "6 lines", mounts: [] },
      { about: "/a.md", linesAdded: 3, linesRemoved: 1, mounts: [] },
      { about: "/a.md", figure: "512 bytes", mounts: [] },
      { about: "stores", where: "in /a, /b", figure: "1 passage", mounts: [] },
      { about: "Bern", mounts: [] },
    ]);
  });

  it("says how much came of the web, and when it is recorded", () => {
    const search = (output: object) =>
      sessionCallSummary(call({ toolName: "webSearch", input: { searchTerm: "tabs" }, output: { ...output } })).figure;
    expect([search({ results: [{}, {}] }), search({ results: [{}], fixture: true })]).toEqual([
      "2 results",
      "1 recorded result",
    ]);
    const output = { url: "https://a.example/", fileSize: 9_000, output_location: "/tmp/x.txt", textSize: 64_000 };
    const fetched = call({ toolName: "webFetch", input: { url: "https://a.example/" }, output });
    expect(sessionCallSummary(fetched)).toMatchObject({ about: "https://a.example/", figure: "64.0 KB" });
  });

  it("names a server's tool as the connection's, never as a native", () => {
    const mcp = { connection: "notes", tool: "Read" };
    expect([callName(call({ toolName: "mcp__notes__Read", mcp })), callName(call({}))]).toEqual([
      "mcp notes · Read",
      "Read",
    ]);
  });

  it("names each mount that served once, in order of use", () => {
    const served = [
      { mount: "/b", path: "/b/x", verb: "read" },
      { mount: "/a", path: "/a/x", verb: "read" },
      { mount: "/b", path: "/b/y", verb: "write" },
    ];
    expect(sessionCallSummary(call({ served })).mounts).toEqual(["/b", "/a"]);
  });

  it("says why a call failed and that a dry run did nothing", () => {
    const failed = (code: string) =>
      sessionCallSummary(call({ state: "failed", error: { code, message: "m" } })).failure;
    expect([failed("read-only-mount"), failed("not-found"), failed("host-lost")]).toEqual([
      "read-only mount",
      "not found",
      "cut off",
    ]);
    expect(sessionCallSummary(call({ state: "rejected" })).failure).toBe("denied");
    expect(sessionCallSummary(call({ toolName: "Write", stub: true, output: "Operation acknowledged." })).figure).toBe(
      "not done (dry run)",
    );
  });

  it("reads the path out of arguments that are still being written", () => {
    const { input: _input, ...unwritten } = call({ state: "writing", inputText: '{"path":"/repo/CHANGE' });
    expect([sessionCallSummary(unwritten).about, pathOfCall(unwritten)]).toEqual(["/repo/CHANGE", undefined]);
  });
});
