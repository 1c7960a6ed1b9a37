import { describe, expect, it } from "vitest";
import { bytesFromContents, contentsFromBytes, imageMediaType } from "./contents";
import { memoryFile } from "./memoryFile";
import { sha256HexSync } from "../base";

const ascii = (text: string) => new TextEncoder().encode(text);

describe("contents", () => {
  it.each([
    ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
    ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ["image/gif", [...ascii("GIF89a")]],
    ["image/gif", [...ascii("GIF87a")]],
    ["image/webp", [...ascii("RIFF1234WEBP")]],
    [undefined, [...ascii("GIF88a")]],
    [undefined, [...ascii("RIFF1234WAVE")]],
    [undefined, [0x89, 0x50]],
    [undefined, []],
  ])("tells %s by its first bytes", (type, bytes) => {
    expect(imageMediaType(Uint8Array.from(bytes))).toBe(type);
  });

  it("are a string for text only, exactly as it was", () => {
    for (const text of ["", "a\r\nb", "\uFEFFx", "é🙂\u2028"]) expect(contentsFromBytes(ascii(text))).toBe(text);
    for (const bytes of [ascii("GIF89a"), ascii("a\0"), Uint8Array.of(0xc3), Uint8Array.of(0xed, 0xa0, 0x80)]) {
      expect(contentsFromBytes(bytes)).toBe(bytes);
    }
    expect(bytesFromContents("a\ud800")).toEqual(Uint8Array.of(97, 0xef, 0xbf, 0xbd));
  });
});

describe("memoryFile", () => {
  it("reads back what its bytes say, whether written as text or as bytes", async () => {
    const cases: [string | Uint8Array, string | Uint8Array][] = [
      ["text", "text"],
      [ascii("text"), "text"],
      ["GIF89a as text", ascii("GIF89a as text")],
      ["nul\0", ascii("nul\0")],
      ["lone\ud800", "lone\uFFFD"],
      [Uint8Array.of(0xff), Uint8Array.of(0xff)],
    ];
    for (const [written, read] of cases) {
      const file = memoryFile(written, 7);
      expect([file.contentsNow?.(), file.modifiedAt]).toEqual([read, 7]);
      expect(await file.bytes()).toEqual(bytesFromContents(written));
      expect([file.sizeBytes, file.hash]).toEqual([(await file.bytes()).length, sha256HexSync(await file.bytes())]);
    }
  });

  it("keeps bytes of its own", () => {
    const bytes = Uint8Array.of(0, 1);
    const file = memoryFile(bytes, 0);
    bytes[0] = 9;
    expect(file.contentsNow?.()).toEqual(Uint8Array.of(0, 1));
  });
});
