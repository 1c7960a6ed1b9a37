import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archiveEntries, ArchiveError, zipFromEntries } from ".";
import { gzipped, shown, tarBytes } from "./tarBytes.suite";
import { tarEntries } from "./tarEntries";

const isTarHere = spawnSync("tar", ["--version"], { encoding: "utf8" }).stdout?.includes("GNU") ?? false;
if (!isTarHere) console.log("Without GNU tar the tests of archives it makes are skipped.");

const long = `${"directory-with-a-long-name/".repeat(8)}${"f".repeat(120)}.txt`;
const BROKEN = "The file is no tar archive, or it is damaged or was cut off";

describe.skipIf(!isTarHere)("archives of GNU tar", () => {
  let home: string;
  const texts: Record<string, string> = { "a.txt": "hello", "empty.txt": "", "d/ü-é-🌱.txt": "line\n".repeat(50_000) };
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "rootscope-tar-"));
    for (const [name, text] of Object.entries({ ...texts, [long]: "long" })) {
      mkdirSync(dirname(join(home, "in", name)), { recursive: true });
      writeFileSync(join(home, "in", name), text);
      utimesSync(join(home, "in", name), 1_700_000_000, 1_700_000_000);
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const packed = (...options: string[]) => {
    const made = spawnSync("tar", ["-cf", join(home, "out"), "-C", join(home, "in"), ...options]);
    if (made.status !== 0) throw new Error(String(made.stderr));
    return new Uint8Array(readFileSync(join(home, "out")));
  };

  for (const [title, options] of [
    ["ustar", ["--format=ustar", ...Object.keys(texts)]],
    ["gnu", ["--format=gnu", ...Object.keys(texts), long]],
    ["pax", ["--format=pax", ...Object.keys(texts), long]],
    ["pax, gzipped", ["--format=pax", "-z", ...Object.keys(texts), long]],
    ["gnu, gzipped", ["--format=gnu", "-z", ...Object.keys(texts), long]],
  ] as const) {
    test(`give back what was put in: ${title}`, async () => {
      const expected = Object.entries(title === "ustar" ? texts : { ...texts, [long]: "long" });
      const tar = packed(...options);
      expect(await shown(tarEntries(tar))).toEqual(expected.map(([name, text]) => [name, "file", text]));
      expect(await shown(archiveEntries(new Blob([tar])))).toHaveLength(expected.length);
      for await (const entry of tarEntries(tar)) {
        if (entry.kind === "file") expect(entry.modifiedAt).toBe(1_700_000_000_000);
      }
    });
  }

  test("are read without the `./` that stands before all names, and without links and sparse files", async () => {
    symlinkSync("a.txt", join(home, "in", "link"));
    writeFileSync(join(home, "in", "sparse"), "x");
    truncateSync(join(home, "in", "sparse"), 2 ** 22);
    for (const format of ["gnu", "pax"]) {
      const found = await shown(
        tarEntries(packed(`--format=${format}`, "--sort=name", "-S", "./a.txt", "./d", "./link", "./sparse")),
      );
      expect(found).toEqual([
        ["a.txt", "file", "hello"],
        ["d", "directory"],
        ["d/ü-é-🌱.txt", "file", texts["d/ü-é-🌱.txt"]],
        ["link", "entry-refused", "“link” was left out: it is a symbolic link"],
        [expect.stringMatching(/sparse$/), "entry-refused", expect.stringMatching(/left out: it is a sparse file$/)],
      ]);
    }
  });
});

describe("tar", () => {
  test("takes contents from where they lie, in any order", async () => {
    const entries = [];
    for await (const entry of tarEntries(
      tarBytes([
        { name: "a", text: "1" },
        { name: "b", text: "22" },
      ]),
    ))
      entries.push(entry);
    const texts = [];
    for (const entry of entries.toReversed()) {
      if (entry.kind === "file") texts.push(new TextDecoder().decode(await entry.bytes()));
    }
    expect(texts).toEqual(["22", "1"]);
  });

  test("refuses names that climb or are absolute, and what is no file, those entries only", async () => {
    const names = ["../up", "/abs", "a/../../b", "C:\\x", "a//b", "./ok"];
    const odd = { "1": "hard", "3": "device", "6": "pipe", Z: "unknown" };
    const tar = tarBytes([
      ...names.map((name) => ({ name, text: "x" })),
      ...Object.entries(odd).map(([type, name]) => ({ name, type, text: type === "Z" ? "skipped" : "" })),
      { name: "huge", size: `${(200 * 2 ** 20).toString(8).padStart(11, "0")}\0` },
    ]);
    const found: unknown[] = [];
    await expect(
      (async () => {
        for await (const entry of tarEntries(tar)) {
          found.push(entry.kind === "refused" ? entry.error.message : entry.path);
        }
      })(),
    ).rejects.toMatchObject({ code: "broken-archive" });
    expect(found).toEqual([
      "“../up” was left out: its path holds “..”",
      "“/abs” was left out: its path is absolute",
      "“a/../../b” was left out: its path holds “..”",
      "“C:\\x” was left out: its path is absolute",
      "“a//b” was left out: its path has an empty part or “.”",
      "ok",
      "“hard” was left out: it is a link",
      "“device” was left out: it is a device",
      "“pipe” was left out: it is a pipe",
      "“unknown” was left out: its type is not known",
    ]);
  });

  test("reads sizes that octal digits cannot hold", async () => {
    const base256 = `\x80${"\0".repeat(10)}\x05`;
    const tar = tarBytes([{ name: "a", text: "hello" }]);
    const header = tar.slice(0, 512);
    header.set(
      Uint8Array.from(base256, (letter) => letter.charCodeAt(0)),
      124,
    );
    header.fill(0x20, 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
    tar.set(header, 0);
    expect(await shown(tarEntries(tar))).toEqual([["a", "file", "hello"]]);
  });

  test("gives of one that was cut off the whole entries, then says so", async () => {
    const tar = tarBytes([
      { name: "a", text: "1" },
      { name: "b", text: "2".repeat(2_000) },
    ]);
    for (const cut of [tar.subarray(0, 1_500), tar.subarray(0, 1_100), gzipped(tar.subarray(0, 1_500))]) {
      const found: string[] = [];
      const reading = (async () => {
        for await (const entry of tarEntries(cut)) found.push(entry.path);
      })();
      await expect(reading).rejects.toMatchObject({ code: "broken-archive", message: BROKEN });
      expect(found).toEqual(["a"]);
    }
    // Some writers leave the empty blocks at the end out.
    expect(await shown(tarEntries(tar.subarray(0, 1_024)))).toEqual([["a", "file", "1"]]);
  });

  test("never answers with anything but an ArchiveError, whichever byte is flipped", async () => {
    for (const whole of [tarBytes([{ name: "a", text: "hello" }]), gzipped(tarBytes([{ name: "a", text: "hello" }]))]) {
      for (let at = 0; at < Math.min(whole.length, 700); at++) {
        const flipped = whole.slice();
        flipped[at] = (flipped[at] as number) ^ 0xff;
        await shown(tarEntries(flipped)).catch((error: unknown) => expect(error).toBeInstanceOf(ArchiveError));
      }
    }
  });
});

describe("gzip", () => {
  const tar = tarBytes([{ name: "a", text: "hello ".repeat(20_000) }]);

  test("is read member by member", async () => {
    const parts = [tar.subarray(0, 700), tar.subarray(700, 100_000), tar.subarray(100_000)].map((part) =>
      gzipped(part),
    );
    const joined = new Blob(parts);
    expect(await shown(tarEntries(joined))).toEqual([["a", "file", "hello ".repeat(20_000)]]);
  });

  test("is broken when it was cut off or its checksum does not fit", async () => {
    const packed = gzipped(tar);
    const wrong = packed.slice();
    wrong[packed.length - 6] = (wrong[packed.length - 6] as number) ^ 1;
    for (const broken of [packed.subarray(0, -20), packed.subarray(0, -4), wrong]) {
      await expect(shown(tarEntries(broken))).rejects.toMatchObject({ code: "broken-archive" });
    }
  });
});

describe("an archive of any kind", () => {
  test("is told by its contents", async () => {
    const zip = await zipFromEntries([{ path: "a", bytes: new TextEncoder().encode("x") }]);
    const tar = tarBytes([{ name: "a", text: "x" }]);
    for (const archive of [zip, tar, gzipped(tar)])
      expect(await shown(archiveEntries(archive))).toEqual([["a", "file", "x"]]);
    expect(await shown(archiveEntries(await zipFromEntries([])))).toEqual([]);
    for (const none of ["", "text", gzipped(new TextEncoder().encode("text"))]) {
      await expect(shown(archiveEntries(new Blob([none])))).rejects.toMatchObject({
        code: "broken-archive",
        message: "The file is no archive of a known kind: zip, tar or tar.gz",
      });
    }
  });
});
