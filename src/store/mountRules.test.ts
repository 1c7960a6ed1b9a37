import { describe, expect, it } from "vitest";
import { nameProblem, prefixProblem } from "./mountRules";
import { shownName, shownSentence } from "./shownName";

const refused = (code: string) =>
  `This cannot be used: it holds a character that is not seen (U+${code}), such as a line end or a mark of direction.`;

describe("names a person gives", () => {
  it.each(["\u202A", "\u202E", "\u2066", "\u2069", "\n", "\u0007", "\u2028"])(
    "hold no unseen character (%j)",
    (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      expect(nameProblem(`a${character}b.txt`)).toBe(refused(code));
      expect(prefixProblem(`/a${character}b`, [])).toBe(refused(code));
    },
  );

  it("may be in any language and hold spaces and emoji", () => {
    for (const name of ["שלום.md", "مرحبا", "日本 語.txt", "👩‍👩‍👧.png"]) expect(nameProblem(name)).toBeUndefined();
  });

  it("may keep what an archive brought, but not add to it", () => {
    expect(nameProblem("docs/odd\u202Ename/a.txt", "/work/odd\u202Ename/a.txt")).toBeUndefined();
    expect(nameProblem("work/new\u202Ename", "/work/odd\u202Ename")).toBe(refused("202E"));
  });
});

describe("names as they are shown", () => {
  it("write out what would not be seen", () => {
    expect(shownName("a\u202Egpj.exe\n\r\t\u0007")).toBe("a\\u202Egpj.exe\\n\\r\\t\\u0007");
    expect(shownName("שלום 👩‍👩‍👧 a b")).toBe("שלום 👩‍👩‍👧 a b");
  });

  it("leave the line ends of a sentence", () => {
    expect(shownSentence("one\ntwo\u202E")).toBe("one\ntwo\\u202E");
  });
});
