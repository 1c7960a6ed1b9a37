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
    [
      'create /plans/new note.md with "hello"',
      ['create path=/plans/new note.md content={"from":"text","text":"hello"}'],
    ],
    [
      "create a file called /plans/how to read it.md with a summary of /README.md",
      ['create path=/plans/how to read it.md content={"from":"summary","path":"/README.md"}'],
    ],
    ['write "x" to /plans/new note.md', ['create path=/plans/new note.md content={"from":"text","text":"x"}']],
    ["read /plans/new note.md", ['read paths=["/plans/new note.md"]']],
    [
      'write "x" to /plans/how to go.md',
      [
        "unclear why=I wrote nothing: I understood /plans/how, but not “to go.md”. Texts, and paths with spaces, are safe in quotes.",
      ],
    ],
    [
      'put "x" in /plans/how to go.md',
      [
        "unclear why=I wrote nothing: I understood /go.md, but not “/plans/how to go.md”. Texts, and paths with spaces, are safe in quotes.",
      ],
    ],
    [
      "create /a.md wiht hello",
      [
        "unclear why=I wrote nothing: I understood /a.md, but not “wiht hello”. Texts, and paths with spaces, are safe in quotes.",
      ],
    ],
    ["create /a.md, please", ['create path=/a.md content={"from":"nothing"}']],
    [
      "replace all foo by baz in /repo and tell me how many",
      [
        "replace oldText=foo newText=baz path=/repo all=true",
        "unclear why=I counted nothing: I count what is named, as in “how many TODOs are in /src”.",
      ],
    ],
    [
      "find foo in /repo and tell me how many",
      [
        "find pattern=foo label=foo caseInsensitive=true path=/repo",
        "countMatches pattern=foo label=foo caseInsensitive=true path=/repo",
      ],
    ],
    [
      'count "" in /repo',
      ["unclear why=I counted nothing: I count what is named, as in “how many TODOs are in /src”."],
    ],
    ['find "" in /repo', ['unknown text=find "" in /repo']],
    ['rename "" to "b" in /repo', ["unclear why=I renamed nothing: both names must hold something."]],
    [
      "replace foo with in /repo",
      [
        "unclear why=I replaced nothing: I did not understand with what. Texts, and paths with spaces, are safe in quotes.",
      ],
    ],
    ["delete everything in /repo", ['delete paths=["/repo/**"]']],
    ["delete all the files in /", ['delete paths=["/**"]']],
    ["delete everything", ["unclear why=I deleted nothing. Say “delete /**” if you mean every file there is."]],
    [
      "delete /plans/how to go.md",
      [
        "unclear why=I deleted nothing: I did not understand which files. Texts, and paths with spaces, are safe in quotes.",
      ],
    ],
    ["summarise everything in /docs", ['summarise paths=["/docs"]']],
    ["find everything that works", ["find pattern=works label=works caseInsensitive=true path=/"]],
    ["search for how reopening works", ["find pattern=reopen label=reopening caseInsensitive=true"]],
    [
      "find out why the store loses connections in /src",
      ["find pattern=store|loses|connection label=store loses connections caseInsensitive=true path=/src"],
    ],
    ['In /a.md replace "the" with "THE"', ["replace oldText=the newText=THE path=/a.md"]],
    ["In /src, find the TODOs and count the files", ["find pattern=TODO label=TODO path=/src", "countFiles glob=**/*"]],
    ['in /plans create a.md with "x"', ['create path=/plans/a.md content={"from":"text","text":"x"}']],
    ["In /repo/README.md, count the words", ["countMatches pattern=\\S+ label=word path=/repo/README.md"]],
    ["In /repo, delete all *.tmp files", ['delete paths=["/repo/**/*.tmp"]']],
    ["In /repo, summarise README.md", ['summarise paths=["/repo/README.md"]']],
    ["rename a.ts to b.ts in /src", ["moveFile from=/src/a.ts to=/src/b.ts"]],
    ["rename a.ts to b.ts", ["moveFile from=/a.ts to=/b.ts beside=true"]],
    ["delete a.md and b.md in /plans", ['delete paths=["/plans/a.md","/plans/b.md"]']],
    [
      'create /a.md with "x, y", /b.md with "z" and /c.md with words',
      [
        'create path=/a.md content={"from":"text","text":"x, y"}',
        'create path=/b.md content={"from":"text","text":"z"}',
        'create path=/c.md content={"from":"text","text":"words\\n"}',
      ],
    ],
    [
      'replace "a" with "b" and "c" with "d" in /x.md',
      ["replace oldText=a newText=b path=/x.md", "replace oldText=c newText=d path=/x.md"],
    ],
    ["which files are in /src", ["list path=/src"]],
    ["undo that", ["undo"]],
    ["show me the readme", ['read paths=["**/README*"]']],
    ["list /plans and read everything", ["list path=/plans", 'read paths=["/plans/**"]']],
    [
      "create /x.md with a summary of /a.md and /b.md",
      ['create path=/x.md content={"from":"summary","path":"/a.md","others":["/b.md"]}'],
    ],
    ["run `npm test && ls`", ["run command=npm test && ls"]],
    ['run `echo "a b"; python3 -c "print(\'c\')"`', ['run command=echo "a b"; python3 -c "print(\'c\')"']],
    ['run echo "a b"', ['run command=echo "a b"']],
    ['run "ls -la"', ["run command=ls -la"]],
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
