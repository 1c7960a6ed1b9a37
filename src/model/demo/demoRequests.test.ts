import { describe, expect, it } from "vitest";
import { demoConversation, type DemoConversationOptions } from "../../testing/demoConversation";
import { demoPlanner } from "./demoPlanner";

const CREATE_STORE = [
  'import { promisifyRequest } from "./promisify";',
  "",
  "/** Opens the named store. */",
  "export function createStore(name: string) {",
  "  let connection: Promise<IDBDatabase> | undefined; // TODO reopen",
  "  return createStoreSync(name, connection, promisifyRequest);",
  "}",
  "",
].join("\n");

const REPO = {
  "/repo/src/createStore.ts": CREATE_STORE,
  "/repo/src/index.ts":
    'export { createStore } from "./createStore";\n// TODO: export the types\nexport const a = 1;\n',
  "/repo/package.json": '{"name":"store","version":"1.0.0"}\n',
  "/repo/README.md": "# Store\n\nA tiny store. It keeps things.\n\n## Use\n\nCall it.\n",
  "/notes/My plan.md": "one\ntwo\n",
};

function talk(options: Partial<DemoConversationOptions> = {}) {
  return demoConversation({ model: demoPlanner(), files: REPO, ...options });
}

describe("the demo planner", () => {
  it("finds, fixes and notes a TODO, each step made from the results before it", async () => {
    const { tree, send } = talk();
    const turn = await send("Find the TODOs in /repo/src, fix the one about reopening, and note it in the changelog.");
    expect(turn.steps).toEqual([
      'Grep {"pattern":"TODO","path":"/repo/src"}',
      'Read {"path":"/repo/src/createStore.ts"}',
      'StrReplace {"path":"/repo/src/createStore.ts","oldText":"  let connection: Promise<IDBDatabase> | undefined; // TODO reopen","newText":"  let connection: Promise<IDBDatabase> | undefined;\\n  const reopen = () => (connection = undefined);"}',
      'Glob {"globPattern":"**/CHANGELOG*","targetDirectory":"/repo"}',
      'Glob {"globPattern":"CHANGELOG*"}',
      'Write {"path":"/repo/CHANGELOG.md","fileText":"# Changelog\\n\\n## Unreleased\\n\\n- Resolved the TODO `reopen` in createStore.ts.\\n"}',
    ]);
    expect(turn.reply).toBe(
      [
        "I found 2 hits for `TODO` in /repo/src, in 2 files.",
        "",
        "- /repo/src/createStore.ts:5 `let connection: Promise<IDBDatabase> | undefined; // TODO reopen`",
        "- /repo/src/index.ts:2 `// TODO: export the types`",
        "",
        "I resolved the TODO `reopen` at /repo/src/createStore.ts:5: the comment is gone and `const reopen = () => (connection = undefined);` is there; nothing calls it yet.",
        "",
        "There was no changelog, so I began one at /repo/CHANGELOG.md.",
      ].join("\n"),
    );
    expect(await tree.read("/repo/src/createStore.ts")).toBe(
      CREATE_STORE.replace(" // TODO reopen", "\n  const reopen = () => (connection = undefined);"),
    );
  });

  it("writes what it understood whole, and nothing by guess", async () => {
    const { tree, send } = talk();
    const made = await send('create /plans/new note.md with "hello"');
    expect([made.tools, made.reply]).toEqual(["Glob Write", "I wrote /plans/new note.md (1 line)."]);
    expect(await tree.read("/plans/new note.md")).toBe("hello");
    const lost = await send('create /plans/how (to go).md with "hello"');
    expect([lost.tools, (await tree.stat("/plans/how")).kind]).toEqual(["", "missing"]);
    expect(lost.reply).toBe(
      'I wrote nothing: I understood /plans/how, but not “(to go).md with "hello"”. Texts, and paths with spaces, are safe in quotes.',
    );
    expect((await send('create "/plans/how (to go).md" with "hello"')).tools).toBe("Read Write");
    expect(await tree.read("/plans/how (to go).md")).toBe("hello");
  });

  it("never searches for nothing", async () => {
    const { send } = talk();
    const turn = await send("replace all tiny by small in /repo/README.md and tell me how many");
    expect([turn.tools, turn.reply]).toEqual([
      "StrReplace",
      "I replaced `tiny` with `small` in /repo/README.md.\n\nI counted nothing: I count what is named, as in “how many TODOs are in /src”.",
    ]);
    for (const text of ['how many "" are in /repo', 'find "" in /repo', "grep in /repo", 'rename "" to "x" in /repo']) {
      const { tools } = await send(text);
      // A look around, for examples that work here, is all.
      expect([text, tools === "LS" ? "" : tools]).toEqual([text, ""]);
    }
  });

  it("deletes all below a folder when everything in it is meant, and names a way for one that is a folder", async () => {
    const { tree, send } = talk();
    const all = await send("delete everything in /repo/src");
    expect(all.steps).toEqual([
      'Glob {"globPattern":"**","targetDirectory":"/repo/src"}',
      'Delete {"path":"/repo/src/createStore.ts"} | Delete {"path":"/repo/src/index.ts"}',
    ]);
    expect((await send("delete /")).reply).toContain('Say "delete /**" for all files in it.');
    expect((await tree.stat("/repo/README.md")).kind).toBe("file");
  });

  it("searches for the words of a question", async () => {
    const { send } = talk();
    const turn = await send("search for how reopening works");
    expect(turn.steps).toEqual(['Grep {"pattern":"reopen","caseInsensitive":true}']);
    expect(turn.reply).toMatch(/^I found 1 hit for `reopening`, in 1 file\./);
    expect((await send("search for how caching works")).reply).toBe("I found no hit for `caching`.");
  });

  it("adds to a changelog that is there, keeping its line ends", async () => {
    const { tree, send } = talk({
      files: {
        "/ünï/Ä file.md": "x = 1\r\ny = 2 // TODO naïve\r\n",
        "/CHANGELOG.md": "# Changelog\r\n\r\n## 1.0.0\r\n\r\n- First\r\n",
      },
    });
    await send('fix the TODO about naïve in "/ünï/Ä file.md" and add it to the changelog');
    expect(await tree.read("/ünï/Ä file.md")).toBe("x = 1\r\ny = 2\r\n");
    expect(await tree.read("/CHANGELOG.md")).toBe(
      "# Changelog\r\n\r\n## Unreleased\r\n\r\n- Resolved the TODO `naïve` in Ä file.md.\r\n\r\n## 1.0.0\r\n\r\n- First\r\n",
    );
  });

  it("takes out the right one of equal TODO lines, and leaves those it cannot take out safely", async () => {
    const { tree, send } = talk({
      files: {
        "/a.ts":
          "// TODO x\nfoo();\n// TODO x\nbar();\nconst s = 'http://x // TODO y';\n/* TODO: more\n  lines */\nlet a = 1; /* TODO drop */ let b;\n",
      },
    });
    const { reply } = await send("fix all the TODOs in /a.ts");
    expect(await tree.read("/a.ts")).toBe(
      "foo();\nbar();\nconst s = 'http://x // TODO y';\n/* TODO: more\n  lines */\nlet a = 1; let b;\n",
    );
    expect(reply).toContain("2 TODOs are left as they are.");
  });

  it("renames a name as a whole word only", async () => {
    const { tree, send } = talk();
    const turn = await send("rename createStore to openStore in /repo/src");
    expect(turn.tools).toBe("Grep Read+Read StrReplace StrReplace");
    expect(await tree.read("/repo/src/createStore.ts")).toBe(
      CREATE_STORE.replace("function createStore(", "function openStore("),
    );
    expect(await tree.read("/repo/src/index.ts")).toContain('export { openStore } from "./openStore";');
  });

  it("renames with few calls where a longer name holds the name, also at the ends of a file and side by side", async () => {
    const { tree, send } = talk({ files: { "/a.ts": "id idea(id) id id id;\nid = ids + id\n(id) id" } });
    const { steps } = await send("rename id to key in /a.ts");
    expect(steps.length).toBeLessThan(10);
    expect(await tree.read("/a.ts")).toBe("key idea(key) key key key;\nkey = ids + key\n(key) key");
  });

  it("replaces a text: at once, everywhere where it is ambiguous, and says when it is not there", async () => {
    const { tree, send } = talk({ files: { "/a.md": "one a\ntwo a\n" } });
    expect((await send('replace "one" with "1" in /a.md')).steps).toEqual([
      'StrReplace {"path":"/a.md","oldText":"one","newText":"1"}',
    ]);
    expect(await send('replace "a" with "b" in it')).toMatchObject({
      steps: [
        'StrReplace {"path":"/a.md","oldText":"a","newText":"b"}',
        'StrReplace {"path":"/a.md","oldText":"a","newText":"b","replaceAll":true}',
      ],
      reply: "I replaced `a` with `b` in /a.md in 2 places.",
    });
    expect(await tree.read("/a.md")).toBe("1 b\ntwo b\n");
    expect((await send('replace "TWO" with "2" in /a.md')).reply).toBe(
      "I left /a.md as it is: it does not hold `TWO`.\n\nThe nearest is `two b`, in other letters.",
    );
  });

  it.each<[string, string, string]>([
    [
      "list /repo/src",
      "LS",
      "/repo/src holds 2 files and 0 folders.\n\n- /repo/src/createStore.ts\n- /repo/src/index.ts",
    ],
    [
      "how many TODOs are in /repo and how many ts files are in /repo?",
      "Grep Glob",
      "There are 2 lines with `TODO` in /repo, in 2 files.\n\n- /repo/src/createStore.ts: 1\n- /repo/src/index.ts: 1\n\n/repo holds 2 .ts files.",
    ],
    ["how many lines are in /repo/README.md", "Grep", "There are 7 lines in /repo/README.md."],
    [
      "how many lines of TypeScript are there in /repo",
      "Grep",
      expect.stringMatching(/^There are 10 lines of TypeScript in \/repo, in 2 files\./),
    ],
    [
      "How many lines of code are in /repo/src in total?",
      "Grep",
      expect.stringMatching(/^There are 10 lines in \/repo\/src, in 2 files\.[^“]*$/),
    ],
    [
      "count the lines of Markdown and JSON in /repo",
      "Grep",
      expect.stringMatching(/^There are 8 lines of Markdown and JSON in \/repo, in 2 files\./),
    ],
    ["how many CSS lines are in /repo", "Grep LS", "There are 0 lines of CSS in /repo."],
    [
      "how many lines of Fortran are in /repo/README.md",
      "Grep",
      "There are 7 lines in /repo/README.md.\n\nI did not understand “Fortran”, so the count leaves it aside.",
    ],
    [
      "summarise /repo/README.md",
      "Read",
      "/repo/README.md is about “Store” (7 lines). It says: A tiny store. Its sections: Use.",
    ],
    [
      "summarise package.json",
      "Read Glob Read",
      "There is no /package.json; I took /repo/package.json.\n\n/repo/package.json (1 line) has the keys `name`, `version`. name `store`, version `1.0.0`.",
    ],
    [
      "what does createStore do?",
      "Grep Read",
      "`createStore` is defined at /repo/src/createStore.ts:4: `export function createStore(name: string) {`. The comment above it says: Opens the named store.",
    ],
    ["read /notes/My plan.md", "Read", "/notes/My plan.md (2 lines):\n\n```\none\ntwo\n```"],
    [
      "read /repo/README.md, /repo/package.json and /nope.txt",
      "Read+Read+Read",
      expect.stringContaining("I could not read /nope.txt: it is not there"),
    ],
    ["find all markdown files", "Glob", "2 files match markdown:\n\n- /notes/My plan.md\n- /repo/README.md"],
    ["find unicorns", "Grep", "I found no hit for `unicorns`."],
    ["delete /repo/nothing.md", "Delete Glob", "There is no /repo/nothing.md."],
    [
      "delete /repo",
      "Delete",
      'I left /repo as it is: it is a folder, and I delete single files. Say "delete /repo/**" for all files in it.',
    ],
    [
      "delete /repo/src/**",
      "Glob Delete+Delete",
      "I deleted 2 files:\n\n- /repo/src/createStore.ts\n- /repo/src/index.ts",
    ],
    [
      'append "three" to /notes/My plan.md then read it',
      "Read StrReplace Read",
      "I added 1 line to /notes/My plan.md.\n\n/notes/My plan.md (3 lines):\n\n```\none\ntwo\nthree\n```",
    ],
    ['create /a b/c.txt with "x"', "Glob Write", "I wrote /a b/c.txt (1 line)."],
    ["move /notes/My plan.md to /repo/", "Read Glob Write Delete", "I moved /notes/My plan.md to /repo/My plan.md."],
    ["list /repo/src and save it to /list.md", "LS Glob Write", expect.stringContaining("I wrote /list.md (3 lines).")],
    ["run ls", "", "I cannot run commands here: the Shell tool is not offered to me."],
    ["list /repo/src and sing a song", "LS", expect.stringContaining("/repo/src holds")],
  ])("%s", async (request, called, reply) => {
    const turn = await talk().send(request);
    expect({ tools: turn.tools, reply: turn.reply }).toEqual({ tools: called, reply });
  });

  it("says plainly what it cannot do and what it understands", async () => {
    const { steps, reply } = await talk().send("Why is the sky blue?");
    expect(steps).toEqual(['LS {"path":"/"}']);
    expect(reply).toMatch(/^I did not understand that\. I am the Demo planner \(rules, not AI\): .*\n\n- list /);
  });

  it("says what it understands where it can read and not list", async () => {
    const { steps, reply } = await talk({ tools: ["Read"] }).send("hi");
    expect(steps).toEqual([]);
    expect(reply).toContain("\n\n- read /README.md · summarise /README.md\n");
  });

  it("makes calls written out exactly as they are, broken ones and switched-off tools too", async () => {
    const turn = await talk({ instructions: "Never write. Use at most 1 call.", tools: ["Read"] }).send(
      'go [[tool:Read {"path":"/repo/README.md"}]] [[tool:Write {"path":"/x]]","fileText":"[[1]]"}]] then [[tool:Nope {bad]]',
    );
    expect(turn.steps).toEqual([
      'Read {"path":"/repo/README.md"} | Write {"path":"/x]]","fileText":"[[1]]"}',
      "Nope {bad",
    ]);
    expect(turn.reply).toContain("Nope failed");
  });
});

describe("a file that is there", () => {
  const again = "Ask again with “and overwrite it” if it may be replaced.";

  it.each([
    ["rename /repo/package.json to /repo/README.md", "I did not move /repo/package.json"],
    ["rename package.json to README.md in /repo", "I did not move /repo/package.json"],
    ["move /repo/package.json to /repo/README.md", "I did not move /repo/package.json"],
    ["copy /repo/package.json to /repo/README.md", "I did not copy /repo/package.json"],
    ['create /repo/README.md with "x"', "I did not write it"],
    ["create /repo/README.md", "I did not write it"],
    ['create /repo/README.md with "overwrite it"', "I did not write it"],
    ["list /repo/src and save it to /repo/README.md", "I did not write it"],
  ])("is not written over: %s", async (request, notDone) => {
    for (const tools of [undefined, ["Read", "LS", "Write", "Delete"] as const]) {
      const { tree, send } = talk(tools ? { tools: [...tools] } : {});
      expect((await send(request)).reply).toContain(`/repo/README.md is already there; ${notDone}. ${again}`);
      expect(await tree.read("/repo/README.md")).toBe(REPO["/repo/README.md"]);
      expect(await tree.read("/repo/package.json")).toBe(REPO["/repo/package.json"]);
    }
  });

  it("is not written over where no tool can tell whether it is there", async () => {
    const { tree, send } = talk({ tools: ["Write"] });
    expect(await send('create /repo/README.md with "x"')).toMatchObject({
      tools: "",
      reply: `I cannot see whether /repo/README.md is there, so I did not write it. ${again}`,
    });
    expect(await tree.read("/repo/README.md")).toBe(REPO["/repo/README.md"]);
  });

  it.each([
    ['create /repo/README.md with "x" and overwrite it', "x", "Write"],
    ['create /repo/README.md with "x". Replace it.', "x", "Write"],
    ["create /repo/README.md with x, overwriting what is there", "x\n", "Write"],
    ["move /repo/package.json to /repo/README.md and overwrite it", REPO["/repo/package.json"], "Read Write Delete"],
    ["rename package.json to README.md in /repo, overwrite", REPO["/repo/package.json"], "Read Write Delete"],
    ["copy /repo/package.json to /repo/README.md and replace it", REPO["/repo/package.json"], "Read Write"],
  ])("is written over when the person says so: %s", async (request, text, called) => {
    const { tree, send } = talk();
    expect((await send(request)).tools).toBe(called);
    expect(await tree.read("/repo/README.md")).toBe(text);
  });

  it("is not written over by the second of two like it in one request", async () => {
    const { tree, send } = talk();
    const { reply } = await send('create /a.md with "one" and create /a.md with "two"');
    expect(reply).toBe(`I wrote /a.md (1 line).\n\n/a.md is already there; I did not write it. ${again}`);
    expect(await tree.read("/a.md")).toBe("one");
  });
});

describe("what is told of changes", () => {
  it("is the sum of the lines added to a file", async () => {
    const { send } = talk();
    const twice = await send('append "x1" to "/notes/My plan.md" and append "x2" to "/notes/My plan.md"');
    expect(twice.reply).toBe("I added 2 lines to /notes/My plan.md.");
    const mixed = await send(
      'prepend "a" to "/notes/My plan.md", append "b" to /repo/README.md and append "c" to "/notes/My plan.md"',
    );
    expect(mixed.reply).toBe("I added 1 line to /repo/README.md.\n\nI added 2 lines to /notes/My plan.md.");
  });

  it.each([
    ["rename the folder /repo/src to /repo/source", "", "I do not move folders; name the files."],
    ["rename the src folder to source", "", "I do not move folders; name the files."],
    ["move /repo/src to /lib", "Read", "I do not move folders; name the files."],
    ["copy the directory /repo/src to /lib", "", "I do not copy folders; name the files."],
  ])("is that folders stay: %s", async (request, tools, reply) => {
    expect(await talk().send(request)).toMatchObject({ tools, reply });
  });
});

describe("what stands in the way", () => {
  it("is a tool that is off: said in words, the rest is done", async () => {
    const turn = await talk({ tools: ["Read", "LS"] }).send(
      "find the TODOs in /repo, list /repo/src and delete /notes/My plan.md",
    );
    expect(turn.tools).toBe("LS");
    expect(turn.reply).toContain("I cannot search in files here: the Grep tool is not offered to me.");
    expect(turn.reply).toContain("I cannot delete files here: the Delete tool is not offered to me.");
  });

  it("is an edit tool that is off while Write is on: the file is written anew", async () => {
    const { tree, send } = talk({ tools: ["Read", "Write"] });
    expect((await send('replace "tiny" with "small" in /repo/README.md')).tools).toBe("Read Write");
    expect(await tree.read("/repo/README.md")).toBe(REPO["/repo/README.md"].replace("tiny", "small"));
  });

  it("is a read-only mount: told, not tried again", async () => {
    const turn = await talk({ sealed: { "/a.md": "// TODO x\n" } }).send(
      'write "x" to /sealed/notes.md, fix the TODO in /sealed/a.md and note it in the changelog',
    );
    expect(turn.tools).toBe("Glob Write Grep Read StrReplace");
    expect(turn.reply).toBe(
      [
        "I could not write /sealed/notes.md: it is on a read-only mount.",
        "I could not change /sealed/a.md: it is on a read-only mount.",
        "I changed nothing, so there is nothing to note.",
      ].join("\n\n"),
    );
  });

  it("is a person's no: taken for an answer", async () => {
    const turn = await talk({ denied: ["Delete", "StrReplace"] }).send(
      'delete /repo/README.md and append "x" to /notes/My plan.md',
    );
    expect(turn.tools).toBe("Delete Read StrReplace");
    expect(turn.reply.match(/You said no/g)).toHaveLength(2);
  });

  it("is a tool that always fails: no request goes round in circles", async () => {
    const requests = [
      "find the TODOs and fix them",
      "rename createStore to x",
      "summarise /repo",
      "list /repo",
      "how many TODOs are there",
      'replace "a" with "b" in /repo/README.md',
      "note hello in the changelog",
      "move /repo/README.md to /x.md",
    ];
    for (const request of requests) {
      const all = ["Read", "LS", "Grep", "Glob", "Write", "StrReplace", "Delete"];
      const { steps } = await talk({ denied: all }).send(request);
      expect(steps.length).toBeLessThan(6);
    }
  });
});

describe("a long file", () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `const value${index} = oldName;`);
  long[4_500] = "// TODO: mend the far end";

  it("is read on where a hit is, and changed there", async () => {
    const { tree, send } = talk({ files: { "/a.ts": `${long.join("\n")}\n` } });
    const turn = await send("fix the TODO about the far end");
    expect(turn.tools).toBe("Grep Read Read StrReplace");
    expect(await tree.read("/a.ts")).toBe(`${long.toSpliced(4_500, 1).join("\n")}\n`);
  });

  it("is read to its end before a name is changed in it", async () => {
    const { tree, send } = talk({ files: { "/a.ts": `${long.join("\n")}\n` } });
    const turn = await send("rename oldName to newName in /a.ts");
    expect(turn.tools).toMatch(/^Grep Read( Read)+ StrReplace$/);
    expect(await tree.read("/a.ts")).toBe(`${long.join("\n").replaceAll("oldName", "newName")}\n`);
  });
});

describe("a large tree", () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [
      `/pkg/src/m${index % 20}/file${index}.ts`,
      `// header\nexport const v${index} = oldName(${index}); // TODO tidy ${index}\n${index === 377 ? "// TODO: handle the retry storm\n" : ""}`,
    ]),
  );

  it("finds one among hundreds of hits and says what it was not shown", async () => {
    const { reply, steps } = await talk({ files }).send(
      "Find the TODOs in /pkg/src and fix the one about the retry storm",
    );
    expect(steps).toHaveLength(3);
    expect(reply).toContain("I found 401 hits for `TODO` in /pkg/src, in at least 249 files. I was shown 250 of them.");
    expect(reply).toContain("I took out the TODO `handle the retry storm` at /pkg/src/m17/file377.ts:3");
  });

  it("counts whole and changes in portions", async () => {
    const conversation = talk({ files });
    expect((await conversation.send("how many TODOs are in /pkg?")).reply).toContain(
      "There are 401 lines with `TODO` in /pkg, in 400 files.",
    );
    const turn = await conversation.send("rename oldName to newName in /pkg");
    expect(turn.reply).toContain("I renamed `oldName` to `newName` in 40 files.");
    expect(turn.reply).toContain("ask me again to go on");
    expect((await conversation.send("go on")).reply).toContain("I renamed `oldName` to `newName` in 40 files.");
  });
});
