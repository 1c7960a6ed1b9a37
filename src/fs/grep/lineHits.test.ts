import { describe, expect, it } from "vitest";
import { decodedText } from "./decodedText";
import { grepExpression } from "./grepExpression";
import { lineHits } from "./lineHits";

const encoder = new TextEncoder();

function hits(text: string, pattern: string, multiline = false): string[] {
  const decoded = decodedText(encoder.encode(text));
  if (decoded === undefined) return ["binary"];
  const found = lineHits(decoded, grepExpression({ pattern, multiline }));
  return [...found].map(({ lineNumber, start, end }) => `${lineNumber}:${decoded.text.slice(start, end)}`);
}

describe("lineHits", () => {
  it("gives a line once, whatever matches in it", () => {
    expect(hits("a a a\nb\na", "a")).toEqual(["1:a a a", "3:a"]);
    expect(hits("a a a\nb\na", "[a]")).toEqual(["1:a a a", "3:a"]);
  });

  it("leaves the line end out, CR LF too", () => {
    expect(hits("foo\r\nbar\r\n", "foo$")).toEqual(["1:foo"]);
    expect(hits("foo\r\nbar\r\n", "\\r")).toEqual(["1:foo", "2:bar"]);
    expect(hits("foo\r\nbar\r\n", "o.")).toEqual(["1:foo"]);
    expect(hits("foo\r\nbar\r\n", "oo.")).toEqual([]);
  });

  it("counts no line behind the last line end, and one in a text without", () => {
    expect(hits("a\n\n", "^")).toEqual(["1:a", "2:"]);
    expect(hits("a", "$")).toEqual(["1:a"]);
    expect(hits("", "^")).toEqual([]);
    expect(hits("\n", "^$")).toEqual(["1:"]);
  });

  it("never lets a match run over a line end when lines are searched", () => {
    expect(hits("a\nb\n", "a\\s+b")).toEqual([]);
    expect(hits("a\nb\n", "a[^x]b")).toEqual([]);
    expect(hits("a\nb\n", "(?s)a.b")).toEqual([]);
  });

  it("gives every line a match touches when matches may span lines", () => {
    expect(hits("a\nb\nc\nd", "b\\nc", true)).toEqual(["2:b", "3:c"]);
    expect(hits("a\nb\nc\n", "b\\n", true)).toEqual(["2:b"]);
    expect(hits("xa\nbx\nxa\nb", "a\\nb", true)).toEqual(["1:xa", "2:bx", "3:xa", "4:b"]);
    expect(hits("😀\n\n😀", "\\n*", true)).toEqual(["1:😀", "2:", "3:😀"]);
  });

  it("takes U+2028 and a lone CR for characters of the line", () => {
    expect(hits("a\u2028b\n", "^b")).toEqual([]);
    expect(hits("a\u2028b\n", "a.b$")).toEqual(["1:a\u2028b"]);
    expect(hits("a\rb\n", "^b|a$")).toEqual([]);
  });

  it("answers the same for ASCII and other lines of one text", () => {
    const text = "naïve word\nplain word\nwörd\n日本 word\n";
    expect(hits(text, "\\bword\\b")).toEqual(["1:naïve word", "2:plain word", "4:日本 word"]);
    expect(hits(text, "^\\w+$")).toEqual(["3:wörd"]);
    expect(hits(text, "\\W\\w+$")).toEqual(["1:naïve word", "2:plain word", "4:日本 word"]);
    expect(hits(text, "\\bï")).toEqual([]);
  });

  it("understands byte order marks and passes over binary files", () => {
    const utf16 = decodedText(new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0]));
    expect(utf16).toEqual({ text: "a\n", isAscii: false, hasLoneReturn: false });
    expect(decodedText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toEqual({
      text: "a",
      isAscii: false,
      hasLoneReturn: false,
    });
    expect(decodedText(new Uint8Array([0x61, 0xe9]))).toEqual({
      text: "a\uFFFD",
      isAscii: false,
      hasLoneReturn: false,
    });
    expect(decodedText(new Uint8Array([0x61, 0x62]))).toEqual({ text: "ab", isAscii: true, hasLoneReturn: false });
    expect(hits("a\0b", "a")).toEqual(["binary"]);
  });
});
