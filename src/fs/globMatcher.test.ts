import { describe, expect, it } from "vitest";
import { globBase } from "./globBase";
import { globMatcher } from "./globMatcher";

const paths = ["a.ts", "b.ts", ".hidden.ts", "src/a.ts", "src/lib/b.ts", "src/.x/c.ts", "[k].ts", "#x", "!x", "😀.md"];

function matching(pattern: string): string[] {
  return paths.filter(globMatcher(pattern));
}

describe("globMatcher", () => {
  it.each([
    ["*.ts", ["a.ts", "b.ts", ".hidden.ts", "[k].ts"]],
    ["**/*.ts", ["a.ts", "b.ts", ".hidden.ts", "src/a.ts", "src/lib/b.ts", "src/.x/c.ts", "[k].ts"]],
    ["src/**", ["src/a.ts", "src/lib/b.ts", "src/.x/c.ts"]],
    ["src/*.ts", ["src/a.ts"]],
    ["./src/*.ts", ["src/a.ts"]],
    ["/src/*.ts", ["src/a.ts"]],
    ["{a,b}.ts", ["a.ts", "b.ts"]],
    ["[!a]*.ts", ["b.ts", ".hidden.ts", "[k].ts"]],
    ["[ab].ts", ["a.ts", "b.ts"]],
    ["\\[k\\].ts", ["[k].ts"]],
    ["?.md", ["😀.md"]],
    ["#x", ["#x"]],
    ["!x", ["!x"]],
    ["src/a.ts", ["src/a.ts"]],
    ["", []],
  ])("%s matches what bash and ripgrep match", (pattern, expected) => {
    expect(matching(pattern)).toEqual(expected);
  });

  it.each([
    ["[k.ts", ["[k.ts"]],
    ["{k.ts", ["{k.ts"]],
    ["*}", ["x}"]],
    ["[]", ["[]"]],
    ["[z-a].ts", []],
    ["[[:x:]].ts", []],
  ])(
    "takes what is never closed in %s by its letters, and finds nothing by what can mean nothing",
    (pattern, expected) => {
      const matches = globMatcher(pattern);
      expect(["[k.ts", "k.ts", "{k.ts", "x}", "[]", "[z-a].ts", "z.ts", "x.ts"].filter(matches)).toEqual(expected);
    },
  );

  it.each([`${"*a".repeat(30)}*b`, "{a,b}".repeat(30), `${"**/".repeat(40)}x`, "*".repeat(70_000)])(
    // Tried in every way there is, these would not end before the machine does.
    "comes to an answer on a hostile pattern (%#)",
    (pattern) => {
      const matches = globMatcher(pattern);
      expect([matches("a".repeat(2_000)), matches("a/".repeat(200))]).toEqual([false, false]);
    },
  );
});

describe("globBase", () => {
  it.each([
    ["*.ts", ""],
    ["src/lib/*.ts", "src/lib"],
    ["/src/**/x.ts", "src"],
    ["src/{a,b}/c.ts", "src"],
    ["src/a.ts", "src"],
    ["a.ts", ""],
    ["{a/b,c}/d", ""],
  ])("is the directory all matches of %s lie in", (pattern, expected) => {
    expect(globBase(pattern)).toBe(expected);
  });
});
