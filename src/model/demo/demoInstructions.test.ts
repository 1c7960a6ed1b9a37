import { describe, expect, it } from "vitest";
import { demoConversation, type DemoConversationOptions } from "../../testing/demoConversation";
import { demoPlanner } from "./demoPlanner";
import { directivesFromInstructions, type Directives } from "./directives";

const files = {
  "/repo/src/createStore.ts": "let connection: X | undefined; // TODO reopen\n",
  "/repo/src/index.ts": "// TODO export\nexport const a = 1;\n",
  "/repo/docs/guide.md": "# Guide\n\nHello.\n",
  "/repo/README.md": "# Repo\n\nHello.\n",
};

const talk = (instructions: string, options: Partial<DemoConversationOptions> = {}) =>
  demoConversation({ model: demoPlanner(), files, instructions, ...options });

describe("directivesFromInstructions", () => {
  const none = directivesFromInstructions("You are a helpful agent. Do not make things up. You may write files.");

  it("finds none in ordinary words", () => {
    expect(none).toEqual({
      searchFirst: false,
      lookFirst: false,
      readWidely: false,
      citePaths: false,
      shortParagraph: false,
      neverWrite: false,
      neverDelete: false,
      confirmFirst: false,
      explainFirst: false,
      maxCalls: undefined,
      forbiddenPaths: [],
      allowedPaths: [],
    });
  });

  it.each<[string, Partial<Directives>]>([
    ["Search with Grep before you read; read only what it finds.", { searchFirst: true }],
    ["Always grep first.", { searchFirst: true }],
    ["Read the files you need and make the change.", { readWidely: true }],
    ["Look before you edit.", { lookFirst: true }],
    ["Before you change anything, list the folder.", { lookFirst: true }],
    ["Answer in one short paragraph.", { shortParagraph: true }],
    ["Cite the paths you used.", { citePaths: true }],
    ["Never write.", { neverWrite: true }],
    ["You must not change any files.", { neverWrite: true }],
    ["Do not edit files unless asked.", {}],
    ["Never delete anything.", { neverDelete: true }],
    ["Ask before you write.", { confirmFirst: true }],
    ["Don’t edit without asking me.", { confirmFirst: true }],
    ["Confirm with me first.", { confirmFirst: true }],
    ["Use at most 3 calls.", { maxCalls: 3 }],
    ["No more than two tool calls, please.", { maxCalls: 2 }],
    ["Never write outside /docs.", { allowedPaths: ["/docs"] }],
    ["Do not change anything in /vendor.", { forbiddenPaths: ["/vendor"] }],
    ["Explain your plan.", { explainFirst: true }],
  ])("%s", (instructions, directives) => {
    expect(directivesFromInstructions(instructions)).toEqual({ ...none, ...directives });
  });
});

describe("the instructions", () => {
  const request = "fix the reopening TODO in /repo";

  it("make two runs of one request differ: the baseline reads, grep first searches", async () => {
    const baseline = await talk("Read the files you need and make the change. Answer in one short paragraph.").send(
      request,
    );
    const grepFirst = await talk(
      "Search with Grep before you read; read only what it finds. Answer in one short paragraph.",
    ).send(request);
    expect(baseline.tools).toMatch(/^LS Read(\+Read){2,3} StrReplace$/);
    expect(grepFirst.tools).toBe("Grep Read StrReplace");
    expect(grepFirst.reply).toBe(baseline.reply);
    expect(grepFirst.reply).not.toContain("\n");
  });

  it("put a search before every read", async () => {
    const { tools } = await talk("Search with Grep before you read.").send("summarise /repo/README.md");
    expect(tools).toBe("Grep Read");
  });

  it("put a look before every change", async () => {
    const plain = await talk("").send('replace "Hello" with "Bye" in /repo/README.md');
    const careful = await talk("Look before you edit.").send('replace "Hello" with "Bye" in /repo/README.md');
    expect([plain.tools, careful.tools]).toEqual(["StrReplace", "LS Read StrReplace"]);
  });

  it("shape the answer", async () => {
    expect((await talk("Cite paths.").send("summarise /repo/README.md")).reply).toMatch(
      /\n\nPaths: \/repo\/README\.md$/,
    );
    const inline = (await talk("One short paragraph. Cite paths.").send("find the TODOs in /repo")).reply;
    expect(inline).toBe(
      "I found 2 hits for `TODO` in /repo, in 2 files: /repo/src/createStore.ts:1 `let connection: X | undefined; // TODO reopen`; /repo/src/index.ts:1 `// TODO export`. Paths: /repo/src/createStore.ts:1, /repo/src/index.ts:1.",
    );
  });

  it("forbid changes, everywhere or in places", async () => {
    const never = await talk("Never write.").send(request);
    expect(never.tools).toBe("Grep Read");
    expect(never.reply).toContain("the instructions say never to write");
    const outside = await talk("Never write outside /repo/docs. Never delete.").send(
      "replace Hello with Bye in /repo/README.md, replace Hello with Bye in /repo/docs/guide.md and delete /repo/docs/guide.md",
    );
    expect(outside.steps).toEqual(['StrReplace {"path":"/repo/docs/guide.md","oldText":"Hello","newText":"Bye"}']);
    expect(outside.reply).toContain("I left /repo/README.md alone");
  });

  it("have it ask first, wait, and go on from where it asked", async () => {
    const { tree, send } = talk("Ask before you change anything.");
    const asked = await send(request);
    expect(asked.tools).toBe("Grep Read");
    expect(asked.reply).toMatch(/I would change \/repo\/src\/createStore\.ts: .* Shall I go ahead\? \(yes or no\)$/);
    expect((await send("no")).reply).toBe("All right, I changed nothing.");
    await send(request);
    expect((await send("Yes, please.")).tools).toBe("StrReplace");
    expect(await tree.read("/repo/src/createStore.ts")).not.toContain("TODO");
  });

  it("limit its calls, also in the middle of a step, and it says what is left", async () => {
    const two = await talk("Use at most 2 calls.").send(
      "Find the TODOs in /repo, fix the one about reopening and note it in the changelog",
    );
    expect(two.tools).toBe("Grep Read");
    expect(two.reply).toContain(
      "I stopped after 2 calls: the instructions allow no more.\n\nNot finished: fix the TODO about reopening; note it in the changelog.",
    );
    const three = await talk("At most 3 calls.").send(
      "read /repo/README.md, /repo/docs/guide.md, /repo/src/index.ts, /repo/src/createStore.ts",
    );
    expect(three.tools).toBe("Read+Read+Read");
  });

  it("end where the framework's own text begins", async () => {
    const { tools } = await talk("Be kind.\n\n## About you\n\nNever write.").send("delete /repo/README.md");
    expect(tools).toBe("Delete");
  });
});
