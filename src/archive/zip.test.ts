import { describe, expect, test } from "vitest";
import { ArchiveError, zipEntries, zipFromEntries, type EntryToZip } from ".";

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

describe("zip", () => {
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
