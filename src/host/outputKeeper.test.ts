import { describe, expect, test } from "vitest";
import { OutputKeeper, spillPaths } from "./outputKeeper";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("kept output", () => {
  test("is the whole of it up to its bound, however it is cut into chunks", () => {
    const output = new OutputKeeper({ keptBytes: 8 });
    for (const byte of encode("abcdé🌱".slice(0, 5))) output.push(Uint8Array.of(byte));
    output.push(encode("xy"));
    expect([output.text(), output.totalBytes, output.isTruncated]).toEqual(["abcdéxy", 8, false]);
  });

  test("past it is head and tail, with what lies between counted", async () => {
    const output = new OutputKeeper({ keptBytes: 6 });
    output.push(encode("0123456789"));
    output.push(encode("abc"));
    expect(output.text("/x.log")).toBe("012\n… 7 bytes left out; all of it is in /x.log …\nabc");
    expect(output.text()).toBe("012\n… 7 bytes left out …\nabc");
    expect(decode(await output.whole())).toBe("0123456789abc");
  });

  test("is never cut within a character", () => {
    const output = new OutputKeeper({ keptBytes: 10 });
    output.push(encode("abc🌱…🌱…🌱xy"));
    expect(output.text()).toBe("abc\n… 18 bytes left out …\nxy");
  });

  test("keeps a byte order mark, and bytes that are no text as such", () => {
    const output = new OutputKeeper({ keptBytes: 10 });
    output.push(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff));
    expect(output.text()).toBe("\uFEFFa\uFFFD");
  });

  test("is put aside up to a bound, and the file says so", async () => {
    const output = new OutputKeeper({ keptBytes: 2, spillBytes: 4 });
    output.push(encode("abc"));
    output.push(encode("def"));
    output.push(encode("g"));
    expect(decode(await output.whole())).toBe("abcd\n… 3 bytes more were printed and not kept …\n");
  });

  test("holds much in little: the tail does not grow", async () => {
    const output = new OutputKeeper({ keptBytes: 4 });
    const piece = new Uint8Array(64 * 1024).fill(0x2e);
    for (let count = 0; count < 160; count++) output.push(piece);
    output.push(encode("end"));
    expect(output.text("/o")).toBe("..\n… 10485759 bytes left out; all of it is in /o …\nnd");
    expect((await output.whole()).length).toBe(160 * piece.length + 3);
  });

  test("lies below the root of the project", () => {
    expect(spillPaths("7")).toEqual({ onDisk: "/.agent/out/7.log", onHost: "/home/project/.agent/out/7.log" });
  });
});
