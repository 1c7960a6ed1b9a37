import { describe, expect, it } from "vitest";
import type { Intent } from "./intent";
import { intentsFromText } from "./intentsFromText";

/** An intent on one line, the fields that are not set left out. */
function line({ kind, ...fields }: Intent): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== false && value !== "");
  return [
    kind,
    ...shown.map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`),
  ].join(" ");
}

describe("intentsFromText", () => {
  it.each<[string, string[]]>([
    [
      "Find the TODOs in /repo/src, fix the one about reopening, and note it in the changelog.",
      ["find pattern=TODO label=TODO path=/repo/src", "fixTodos topic=reopening", "note path=**/CHANGELOG*"],
    ],
    ["fix the reopening TODO", ["fixTodos topic=reopening"]],
    ["Fix all the TODOs in /src", ["fixTodos all=true path=/src"]],
    ["rename createStore to openStore in /src", ["renameSymbol from=createStore to=openStore path=/src"]],
    ["rename /a.md to /b.md", ["moveFile from=/a.md to=/b.md"]],
    ["copy /a.txt to /b/", ["moveFile from=/a.txt to=/b keep=true"]],
    ['replace "a and b" with "c, then d" in /file.txt', ["replace oldText=a and b newText=c, then d path=/file.txt"]],
    ['change "foo" to "bar" everywhere in /src', ["replace oldText=foo newText=bar path=/src all=true"]],
    ['remove "debug: true" from /config.json', ["replace oldText=debug: true path=/config.json"]],
    [
      "create /notes.md with milk and eggs",
      ['create path=/notes.md content={"from":"text","text":"milk and eggs\\n"}'],
    ],
    [
      'write "hello" to hello.txt, then list /',
      ['create path=/hello.txt content={"from":"text","text":"hello"}', "list path=/"],
    ],
    ["create /x.md with a summary of /README.md", ['create path=/x.md content={"from":"summary","path":"/README.md"}']],
    [
      "find TODO in /src and save the list to /todos.md",
      ["find pattern=TODO label=TODO path=/src", 'create path=/todos.md content={"from":"findings"}'],
    ],
    ['append "bye" to the end of /log.txt', ['append path=/log.txt content={"from":"text","text":"bye"}']],
    ["add a line to /todo.md saying buy milk", ['append path=/todo.md content={"from":"text","text":"buy milk\\n"}']],
    ['add "New: faster start" to the changelog', ["note path=**/CHANGELOG* text=New: faster start"]],
    ["delete /a.md, /b.md and list /", ['delete paths=["/a.md","/b.md"]', "list path=/"]],
    ["delete all *.tmp files in /build", ['delete paths=["/build/**/*.tmp"]']],
    ["how many TODOs are in /src?", ["countMatches pattern=TODO label=TODO path=/src"]],
    ["How many TypeScript files are there in /repo?", ["countFiles glob=**/*.{ts,tsx} label=typescript path=/repo"]],
    ["how many lines are in /README.md", ["countMatches pattern=^ label=line path=/README.md"]],
    ["list all markdown files in /docs", ["findFiles glob=**/*.md label=markdown path=/docs"]],
    ["find files named *.test.ts", ["findFiles glob=**/*.test.ts label=*.test.ts"]],
    ["find uses of createStore in src/", [String.raw`find pattern=\bcreateStore\b label=createStore path=/src`]],
    ["search /src for reopening", ["find pattern=reopening label=reopening caseInsensitive=true path=/src"]],
    [
      'find every mention of "naïve café (1)" in /docs/ünï',
      [String.raw`find pattern=naïve café \(1\) label=naïve café (1) path=/docs/ünï`],
    ],
    [
      String.raw`grep for ${"`"}useState\(${"`"} in /src`,
      [String.raw`find pattern=useState\( label=useState\( path=/src`],
    ],
    ["what is in /repo?", ["list path=/repo"]],
    ["read /a.ts, /b.ts and /c.ts", ['read paths=["/a.ts","/b.ts","/c.ts"]']],
    ["show me /docs/My notes/plan b.md", ['read paths=["/docs/My notes/plan b.md"]']],
    ["what does /src/index.ts do?", ['summarise paths=["/src/index.ts"]']],
    ["what does createStore do?", ["summarise paths=[] name=createStore"]],
    ["Summarise what you have read", ["summarise paths=[]"]],
    ["run `npm test && ls`", ["run command=npm test && ls"]],
    ["Hello!", ["help"]],
    ["Why is the sky blue?", ["unknown text=Why is the sky blue"]],
    ["", []],
  ])("reads %s", (text, intents) => {
    expect(intentsFromText(text).map(line)).toEqual(intents);
  });

  it("never hangs and never throws on long or odd texts", () => {
    const odd = [
      "a ".repeat(20_000),
      "/".repeat(5_000),
      '"'.repeat(999),
      "find ".repeat(2_000),
      "\uE000\uE001 list /",
      "replace with in",
      "`".repeat(501),
    ];
    for (const text of odd) expect(Array.isArray(intentsFromText(text))).toBe(true);
  });
});
