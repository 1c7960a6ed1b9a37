import { describe, expect, test } from "vitest";
import { ArchiveError, zipEntries, zipFromEntries, type EntryToZip } from ".";
import { crc32 } from "./crc32";

const utf8 = (text: string) => new TextEncoder().encode(text);
const HALF_PAST = Date.UTC(2026, 10, 30, 12, 30, 2);

async function zipBytes(entries: EntryToZip[]): Promise<Uint8Array> {
  return new Uint8Array(await (await zipFromEntries(entries)).arrayBuffer());
}

async function unzip(zip: Uint8Array): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const entry of zipEntries(zip)) {
    if (entry.kind === "refused") found.push([entry.path, entry.error.code, entry.error.message]);
    else
      found.push([
        entry.path,
        entry.kind,
        await entry.bytes().then(
          (bytes) => new TextDecoder().decode(bytes),
          (error: ArchiveError) => error.code,
        ),
      ]);
  }
  return found;
}

/** A zip of one entry as it lies in the file, whatever its method packed. */
function zipOf(name: string, method: number, packed: Uint8Array, contents: Uint8Array): Uint8Array {
  const path = utf8(name);
  const zip = new Uint8Array(30 + path.length + packed.length + 46 + path.length + 22);
  const view = new DataView(zip.buffer);
  const head = (at: number, signature: number, fields: number) => {
    view.setUint32(at, signature, true);
    view.setUint16(fields + 4, method, true);
    view.setUint32(fields + 10, crc32(contents), true);
    view.setUint32(fields + 14, packed.length, true);
    view.setUint32(fields + 18, contents.length, true);
    view.setUint16(fields + 22, path.length, true);
  };
  const directory = 30 + path.length + packed.length;
  head(0, 0x04034b50, 4);
  zip.set(path, 30);
  zip.set(packed, 30 + path.length);
  head(directory, 0x02014b50, directory + 6);
  zip.set(path, directory + 46);
  const end = directory + 46 + path.length;
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 8, 1, true);
  view.setUint16(end + 10, 1, true);
  view.setUint32(end + 12, 46 + path.length, true);
  view.setUint32(end + 16, directory, true);
  return zip;
}

/** `line of text` 300 times, packed by the zstd tool at level 19. */
const PACKED_LINES = Uint8Array.from(atob("KLUv/WQ8Dq0AAGhsaW5lIG9mIHRleHQKAQAsB39+AagJmxA="), (character) =>
  character.charCodeAt(0),
);

describe("zip", () => {
  test("unpacks an entry packed with zstd, and finds a damaged one broken", async () => {
    const lines = "line of text\n".repeat(300);
    expect(await unzip(zipOf("lines.txt", 93, PACKED_LINES, utf8(lines)))).toEqual([["lines.txt", "file", lines]]);
    const cut = zipOf("lines.txt", 93, PACKED_LINES.subarray(0, 20), utf8(lines));
    expect(await unzip(cut)).toEqual([["lines.txt", "file", "broken-entry"]]);
    const noZstd = zipOf("lines.txt", 93, utf8("no zstd at all"), utf8(lines));
    expect(await unzip(noZstd)).toEqual([["lines.txt", "file", "broken-entry"]]);
    expect(await unzip(zipOf("lines.txt", 12, PACKED_LINES, utf8(lines)))).toEqual([
      ["lines.txt", "entry-refused", "“lines.txt” was left out: its compression method is not supported"],
    ]);
  });

  test("gives back what was put in, with names byte for byte and times to two seconds", async () => {
    const long = "line\n".repeat(100_000);
    const zip = await zipBytes([
      { path: "a.txt", bytes: utf8("hello"), modifiedAt: HALF_PAST },
      { path: "dir/with space/ü-é-🌱.txt", bytes: utf8(long) },
      { path: "empty.txt", bytes: utf8("") },
    ]);
    expect(await unzip(zip)).toEqual([
      ["a.txt", "file", "hello"],
      ["dir/with space/ü-é-🌱.txt", "file", long],
      ["empty.txt", "file", ""],
    ]);
    for await (const entry of zipEntries(zip)) {
      if (entry.kind === "file" && entry.path === "a.txt") expect(entry.modifiedAt).toBe(HALF_PAST);
    }
  });

  test("the same entries give the same bytes", async () => {
    const entries = [{ path: "a.txt", bytes: utf8("hello ".repeat(100)), modifiedAt: HALF_PAST }];
    expect(await zipBytes(entries)).toEqual(await zipBytes(entries));
  });

  test("refuses names that climb or are absolute, those entries only", async () => {
    const zip = await zipBytes(
      ["../up.txt", "/abs.txt", "a/../../b", "C:\\x", "ok.txt", "a//b"].map((path) => ({ path, bytes: utf8("x") })),
    );
    expect(await unzip(zip)).toEqual([
      ["../up.txt", "entry-refused", "“../up.txt” was left out: its path holds “..”"],
      ["/abs.txt", "entry-refused", "“/abs.txt” was left out: its path is absolute"],
      ["a/../../b", "entry-refused", "“a/../../b” was left out: its path holds “..”"],
      ["C:\\x", "entry-refused", "“C:\\x” was left out: its path is absolute"],
      ["ok.txt", "file", "x"],
      ["a//b", "entry-refused", "“a//b” was left out: its path has an empty part or “.”"],
    ]);
  });

  test("a damaged entry costs itself only", async () => {
    const zip = await zipBytes([
      { path: "bad.txt", bytes: utf8("first ".repeat(500)) },
      { path: "good.txt", bytes: utf8("second") },
    ]);
    zip.fill(0xff, 40, 50);
    expect(await unzip(zip)).toEqual([
      ["bad.txt", "file", "broken-entry"],
      ["good.txt", "file", "second"],
    ]);
  });

  test("a cut archive and a file that is none are named as broken, whatever the cut", async () => {
    const zip = await zipBytes([{ path: "a.txt", bytes: utf8("hello ".repeat(100)) }]);
    for (const broken of [
      new Uint8Array(),
      utf8("no zip at all"),
      zip.subarray(0, 60),
      zip.subarray(0, zip.length - 23),
    ]) {
      await expect(unzip(broken)).rejects.toMatchObject({
        code: "broken-archive",
        message: "The file is no zip archive, or it was cut off: its table of contents is missing",
      });
    }
  });

  test("never answers with anything but an ArchiveError, whichever byte is flipped", async () => {
    const zip = await zipBytes([
      { path: "a.txt", bytes: utf8("hello ".repeat(100)) },
      { path: "b.txt", bytes: utf8("world") },
    ]);
    for (let at = 0; at < zip.length; at++) {
      const flipped = zip.slice();
      flipped[at] = (flipped[at] as number) ^ 0xff;
      try {
        await unzip(flipped);
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError);
      }
    }
  });

  test("stops packing when told to", async () => {
    const signal = AbortSignal.abort();
    await expect(zipFromEntries([{ path: "a", bytes: utf8("x") }], signal)).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
