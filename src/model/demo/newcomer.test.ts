import { describe, expect, it } from "vitest";
import { sampleProject } from "../../examples/sampleProject";
import { demoConversation, type DemoConversationOptions, type DemoMount } from "../../testing/demoConversation";
import { demoPlanner } from "./demoPlanner";

const mounts: DemoMount[] = sampleProject.mounts.map((mount) => ({
  prefix: mount.prefix,
  readOnly: mount.readOnly,
  files: mount.kind === "idb" ? mount.firstFiles : mount.seed,
}));

function talk(options: Partial<DemoConversationOptions> = {}) {
  return demoConversation({ model: demoPlanner(), mounts, ...options });
}

/** The requests of a list of examples, without what is said about them. */
function examplesIn(reply: string): string[] {
  return reply
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .flatMap((line) => line.slice(2).split(" · "))
    .map((request) => request.replace(" makes exactly this call", ""));
}

const FAILED = /not found|no mount|did not understand|not offered|could not|There is no |I found no|No file/i;

describe("the list of examples", () => {
  it("works on the project it is told about, every one of it", async () => {
    const { send } = talk();
    const { reply } = await send("help");
    expect(reply).toMatchInlineSnapshot(`
      "I am the Demo planner (rules, not AI): I follow rules and understand requests such as these, also joined by “and” or “then”:

      - list /repo · read /repo/README.md · summarise /repo/README.md
      - find the TODOs in /repo/src · which files mention createStore? · find all markdown files
      - how many files are in /repo · how many TODOs are in /repo/src
      - fix the first TODO in /repo/src and note it in the changelog
      - rename createStore to createStore2 in /repo/src · replace "TODO" with "LATER" in /repo/src
      - create /plans/hello.md with "Hello" · append "One more line" to /plans/hello.md · delete /plans/hello.md
      - [[tool:Read {"path":"/repo/README.md"}]] makes exactly this call"
    `);
    for (const request of examplesIn(reply)) {
      const turn = await send(request);
      expect([request, turn.tools === "" ? "nothing called" : "", turn.reply]).toEqual([
        request,
        "",
        expect.not.stringMatching(FAILED),
      ]);
    }
  });

  it.each<[string, Partial<DemoConversationOptions>, RegExp]>([
    ["reads only with read tools", { tools: ["Read", "LS"] }, /find|how many|create|replace|fix|delete|append/],
    [
      "no write where writes are forbidden",
      { instructions: "Never write." },
      /- create|replace|fix|delete|append|rename/,
    ],
    ["no deletion where that is forbidden", { instructions: "Never delete." }, /- delete|· delete/],
    [
      "no change outside of what is allowed",
      { instructions: "Never write outside /repo/docs." },
      /replace|fix|\/plans\/hello/,
    ],
    ["nothing where nothing is offered", { tools: [] }, /^- /m],
  ])("holds %s", async (_what, options, never) => {
    const { send } = talk(options);
    const { reply } = await send("what can you do?");
    expect(reply).not.toMatch(never);
    expect(reply).not.toContain("run `");
    for (const request of examplesIn(reply)) expect((await send(request)).reply).not.toMatch(FAILED);
  });

  it("writes a path with spaces so that it can be said again", async () => {
    const { send } = talk({ mounts: [{ prefix: "/my files", files: { "/a b.md": "# TODO\n" } }] });
    const { reply } = await send("help");
    expect(reply).toContain('read "/my files/a b.md"');
    for (const request of examplesIn(reply).slice(0, 3)) expect((await send(request)).reply).not.toMatch(FAILED);
  });
});

describe("a place that is not there", () => {
  it.each([
    "how many TODOs are in /src",
    "how many files are in /src",
    "how many lines are in /src",
    "find the TODOs in /src",
    "find all markdown files in /src",
    "list /src",
    "fix the TODOs in /src",
    "rename a to b in /src",
  ])("is said not to be, and where it may be: %s", async (request) => {
    expect((await talk().send(request)).reply).toBe("There is no /src. Did you mean /repo/src?");
  });

  it("is told from one where nothing was found", async () => {
    const { send } = talk();
    expect((await send("how many TODOs are in /repo/docs")).reply).toBe("There are 0 lines with `TODO` in /repo/docs.");
    expect((await send("how many TODOs are in /nope")).reply).toBe(
      "There is no /nope. What there is: /repo, /plans, /agent/skills.",
    );
    expect((await send('create /notes.md with "x"')).reply).toBe(
      "I could not write /notes.md: it is in none of the mounts. Files can be under /repo and /plans, for example /repo/notes.md.",
    );
  });
});

describe("a place named once", () => {
  it("holds for the whole request, whatever was spoken of before", async () => {
    const { send } = talk();
    await send("read /repo/README.md");
    expect((await send("How many files are there in /repo/src and how many lines?")).steps).toEqual([
      'Glob {"globPattern":"**/*","targetDirectory":"/repo/src"}',
      'Grep {"pattern":"^","path":"/repo/src","outputMode":"count","headLimit":10000}',
    ]);
  });

  it("is what a text is replaced in, unless it is said to be “it”", async () => {
    const { send } = talk();
    const all = await send('find Store in /repo/src and replace "Store" with "STORE"');
    expect(all.reply).toContain("I replaced `Store` with `STORE` in 3 files.");
    const one = await send('find connection in /repo/src and replace "connection" with "link" in it');
    expect(one.steps.at(-1)).toContain('"path":"/repo/src/createStore.ts"');
  });

  it("keeps a file that is renamed in its folder", async () => {
    const { tree, send } = talk();
    expect((await send("rename promisify.ts to p.ts in /repo/src")).reply).toBe(
      "I moved /repo/src/promisify.ts to /repo/src/p.ts.",
    );
    expect((await send("rename operations.ts to o.ts")).reply).toContain("to /repo/src/o.ts.");
    expect((await tree.stat("/repo/src/o.ts")).kind).toBe("file");
  });
});

describe("several things in one request", () => {
  it("are noted when they are done, wherever the note is asked for", async () => {
    const { tree, send } = talk();
    const turn = await send('Find the TODOs in /repo/src, note it in the changelog and replace "Store" with "STORE"');
    expect(turn.reply).not.toContain("nothing to note");
    expect(await tree.read("/repo/CHANGELOG.md")).toContain("## Unreleased\n\n- Replaced `Store` with `STORE`.\n");
  });

  it("are all done", async () => {
    const { tree, send } = talk();
    await send('Create /plans/a.md with "A", /plans/b.md with "B, and more" and /plans/c.md with "C"');
    const texts = await Promise.all(["a", "b", "c"].map((name) => tree.read(`/plans/${name}.md`)));
    expect(texts).toEqual(["A", "B, and more", "C"]);
  });

  it("are not claimed after a person's no", async () => {
    const turn = await talk({ denied: ["Write", "StrReplace", "Delete"] }).send(
      'create /plans/a.md with "A", move /plans/release.md to /plans/r.md, replace "Store" with "S" in /repo/src, delete /repo/OLD_NOTES.md and note it in the changelog',
    );
    expect(turn.reply).not.toMatch(/I (?:wrote|moved|replaced|deleted|noted|copied)/);
    expect(turn.reply).toContain("I changed nothing, so there is nothing to note.");
  });
});

describe("thousands of files", () => {
  const files = Object.fromEntries(Array.from({ length: 3_003 }, (_, index) => [`/d${index % 3}/f${index}.txt`, "x"]));
  const many = [{ prefix: "/big", files }];

  it("are counted whole, shown in part, and the rest is told", async () => {
    const { send } = talk({ mounts: many });
    const found = (await send("find all text files")).reply;
    expect(found).toMatch(/^3,003 files match text:\n\n(?:- .*\n){12}- … and 2,991 more$/);
    expect((await send("list /big")).reply).toBe(
      "/big holds 3,003 files and at least 3 folders. The listing was cut.\n\n- /big/d0/ (1,001 files)\n- /big/d1/ (1,001 files)\n- /big/d2/ (1,001 files)\n- … and 3,003 more",
    );
    expect((await send("summarise /big")).reply).toContain("/big holds 3,003 files");
  });
});

describe("what a newcomer asks", () => {
  const ends = /\n- .*\n- \[\[tool:.*makes exactly this call$/;

  it.each<[string, RegExp]>([
    ["What does this project do?", /small-store.*Key-value pairs in IndexedDB/s],
    ["Explain createStore.ts", /exports `Store`, `createStore`/],
    ["which files mention connection?", /^3 files mention `connection`:\n\n- \/repo\/docs\/errors\.md \(1 line\)/],
    ["delete OLD_NOTES.md", /Say "delete \/repo\/OLD_NOTES\.md" if you mean that one\.$/],
    ["read everything in /plans", /# Open questions.*# Release 0\.4/s],
    ["read /plans", /# Open questions.*# Release 0\.4/s],
    ["undo that", /^There is nothing to undo: I have changed nothing so far\.$/],
    ["create a folder /repo/newdir", /^I made no folder: .*create \/repo\/newdir\/notes\.md with "text"/],
  ])("is answered: %s", async (request, reply) => {
    expect((await talk().send(request)).reply).toMatch(reply);
  });

  it.each([
    "hello",
    "help",
    "what can you do?",
    "Write tests",
    "Fix the bug in createStore",
    "Add a README section about errors",
    "Why is the sky blue?",
  ])("ends in what can be done: %s", async (request) => {
    const { tree, send } = talk();
    const before = await tree.read("/repo/README.md");
    expect((await send(request)).reply).toMatch(ends);
    expect(await tree.read("/repo/README.md")).toBe(before);
  });

  it("is told how to take a replacement back", async () => {
    const { send } = talk();
    await send('replace "strings" with "texts" in /repo/OLD_NOTES.md');
    expect((await send("undo that")).reply).toContain('say: replace "texts" with "strings" in /repo/OLD_NOTES.md');
  });
});
