import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom, type Random } from "../../base";
import { checkedEvent } from "../checkedEvent";
import { TrajectoryError } from "../trajectoryError";
import type { ImportedTrajectory } from "./importedTrajectory";
import { importTrajectory } from "./importTrajectory";
import { openCalls } from "./mutatedCopies.suite";
import { hasPublished, publishedFiles } from "./publishedFile.suite";

/** More on demand: `IMPORT_FUZZ_CASES=20000 npx vitest run --project node src/trajectory/import/importFuzz`. */
const CASES = Number(process.env["IMPORT_FUZZ_CASES"] ?? 400);
const SEED = Number(process.env["IMPORT_FUZZ_SEED"] ?? 20_260_101);

/** Bytes of a published file that are played with: of the large ones the beginning is as varied as the whole. */
const MOST_BYTES = 48 * 1024;

interface Original {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function originals(): Promise<Original[]> {
  const found: Original[] = [];
  for (const { path, blob } of publishedFiles("./")) {
    if (path.includes("schemas/") || /\.(tsv|md)$/.test(path)) continue;
    const isArchive = path.endsWith(".eval");
    if (isArchive && blob.size > MOST_BYTES) continue;
    found.push({ path, bytes: new Uint8Array(await blob.slice(0, isArchive ? blob.size : MOST_BYTES).arrayBuffer()) });
  }
  return found;
}

type Damage = (bytes: Uint8Array<ArrayBuffer>, random: Random) => Uint8Array<ArrayBuffer>;

const at = (random: Random, length: number): number => Math.floor(random() * length);

function textDamage(change: (text: string, random: Random) => string): Damage {
  return (bytes, random) => new TextEncoder().encode(change(new TextDecoder().decode(bytes), random));
}

/** Somewhere a value stands: behind a colon. */
function valueIn(text: string, random: Random): readonly [start: number, end: number] {
  const starts = [...text.matchAll(/:\s*(?="|\d|true|false|null|\[|\{)/g)].map(
    (match) => match.index + match[0].length,
  );
  const start = starts[at(random, starts.length)] ?? 0;
  const value = /"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null|[[{]/y;
  value.lastIndex = start;
  return [start, start + (value.exec(text)?.[0].length ?? 0)];
}

const OTHERS = [
  "null",
  "7",
  '"text"',
  "[]",
  "{}",
  "[null]",
  "true",
  "-1e308",
  '{"__proto__":{"polluted":1}}',
  '"\\ud83d"',
];

const damages: Readonly<Record<string, Damage>> = {
  cut: (bytes, random) => bytes.slice(0, at(random, bytes.length)),
  beheaded: (bytes, random) => bytes.slice(at(random, bytes.length)),
  "bytes flipped": (bytes, random) => {
    const flipped = bytes.slice();
    for (let count = 1 + at(random, 8); count > 0; count--) {
      const index = at(random, flipped.length);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << at(random, 8));
    }
    return flipped;
  },
  "another type": textDamage((text, random) => {
    const [start, end] = valueIn(text, random);
    return text.slice(0, start) + (OTHERS[at(random, OTHERS.length)] ?? "") + text.slice(end);
  }),
  "deep nesting": textDamage((text, random) => {
    const [start, end] = valueIn(text, random);
    const depth = 2_000 + at(random, 30_000);
    const [open, close] = random() < 0.5 ? ["[", "]"] : ['{"a":', "}"];
    return text.slice(0, start) + open.repeat(depth) + "1" + close.repeat(depth) + text.slice(end);
  }),
  "hostile keys": textDamage((text, random) => {
    const braces = [...text.matchAll(/\{(?=")/g)].map(({ index }) => index + 1);
    const index = braces[at(random, braces.length)] ?? 0;
    const key = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"][at(random, 5)];
    return `${text.slice(0, index)}"${key}":{"polluted":1,"type":"x"},${text.slice(index)}`;
  }),
  "lines shuffled": textDamage((text, random) =>
    text
      .split("\n")
      .map((line) => [random(), line] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, line]) => line)
      .join("\n"),
  ),
  "NULs and line ends": textDamage((text, random) => {
    const index = at(random, text.length);
    return text.slice(0, index) + ["\0\0\0\0", "\r\n", "\u0085", "\u2028", "\n\n"][at(random, 5)] + text.slice(index);
  }),
};

/** What is wrong with an import; nothing is the answer to any file. */
function faultsOf(imported: ImportedTrajectory, byteCount: number): string[] {
  const faults = openCalls(imported);
  let eventCount = 0;
  for (const { events } of imported.sessions) {
    eventCount += events.length;
    for (const event of events) {
      const checked = checkedEvent(event);
      if ("problem" in checked) faults.push(checked.problem);
    }
    // What nothing can write as JSON cannot be stored.
    JSON.stringify(events);
  }
  for (const { code, message } of imported.warnings) if (code === "reader-failed") faults.push(message);
  // Work grows with the file: an event comes of a byte at least, but for the few that every session has.
  if (eventCount > byteCount + 10 * imported.sessions.length + 10)
    faults.push(`${eventCount} events of ${byteCount} bytes`);
  return faults;
}

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<ImportedTrajectory | undefined> {
  try {
    return await importTrajectory({ files: [{ path: "file", blob: new Blob([bytes]) }] });
  } catch (error) {
    if (error instanceof TrajectoryError) return undefined;
    throw error;
  }
}

test.skipIf(!hasPublished)(
  "a damaged recording is read or refused, and never more than that",
  { timeout: 3_600_000 },
  async () => {
    const files = await originals();
    const [first] = files;
    const before = first === undefined ? undefined : await read(first.bytes);
    const names = Object.keys(damages);
    let readCount = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(files.length - 1),
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
        fc.string({ minLength: 1, maxLength: 8 }),
        async (fileIndex, chosen, seed) => {
          const { path, bytes } = files[fileIndex] ?? { path: "", bytes: new Uint8Array() };
          const random = seededRandom(`${path}/${seed}`);
          let damaged = bytes;
          for (const name of chosen) damaged = damages[name]?.(damaged, random) ?? damaged;
          const imported = await read(damaged);
          if (imported === undefined) return;
          readCount++;
          expect([path, faultsOf(imported, damaged.length)]).toEqual([path, []]);
          expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
        },
      ),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    );
    expect(readCount).toBeGreaterThan(CASES / 4);
    // Nothing of all these is left in the next.
    expect(first === undefined ? undefined : await read(first.bytes)).toEqual(before);
  },
);
