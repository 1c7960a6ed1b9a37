import { afterAll, beforeAll, expect, test } from "vitest";
import { contentsFromBytes, PathError, UnavailableError, type IdbFileSystem, type RecordKey } from "../fs";
import type { SessionEvent } from "../session";
import { openProjects } from "./openProjects";
import type { ProjectCatalog } from "./projectCatalog";
import type { ProjectStore } from "./projectStore";

/** Every record of a project is damaged in every way there is, one at a time; what is left of the project is looked at. */

const NAME = `record faults ${Date.now()}`;
const SMALL_IMPORT = 12;

let catalog: ProjectCatalog;
let id: string;
let database: IDBDatabase;
let whole: readonly (readonly [RecordKey, unknown])[];

const files: Record<string, Record<string, string>> = {
  packed: Object.fromEntries(
    Array.from({ length: SMALL_IMPORT }, (_, at) => [`/d${at % 2}/f${at}`, `packed ${at} `.repeat(30)]),
  ),
  mixed: { "/loose": "l".repeat(50_000), "/pieces": "p".repeat(1_060_000), "/held": "held in the log" },
};

function events(): SessionEvent[] {
  return Array.from({ length: 4 }, (_, index) => ({
    type: "message.appended",
    data: {
      turnId: "turn_0",
      sequence: 0,
      stepIndex: 0,
      messageDelta: index === 2 ? "v".repeat(70_000) : `said ${index}`,
    },
    meta: { id: `evt_${index}`, at: "2026-01-01T00:00:00.000Z" },
  }));
}

beforeAll(async () => {
  catalog = await openProjects({ name: NAME });
  ({ id } = await catalog.create("Project", { draft: "kept" }));
  const store = await catalog.open(id);
  const packed = store.disk("packed");
  await packed.writeMany(Object.entries(files["packed"] ?? {}));
  for (let at = 0; at < 500; at++) await packed.write("/d0/f0", `${at}`);
  await packed.write("/d0/f0", files["packed"]?.["/d0/f0"] ?? "");
  // A checkpoint that is due is written as the disk is let go.
  await packed.close();
  const again = store.disk("packed");
  await again.rename("/d1", "/e1");
  await again.rename("/e1", "/d1");
  await again.close();
  const mixed = store.disk("mixed");
  for (const [path, text] of Object.entries(files["mixed"] ?? {})) await mixed.write(path, text);
  await store.createSession({
    id: "s",
    name: "session",
    createdAt: 1,
    updatedAt: 1,
    eventCount: 0,
    status: "ready",
    preview: "",
    origin: "live",
  });
  await store.log("s").append(events().slice(0, 2));
  await store.log("s").append(events().slice(2));
  await store.keepSnapshot("baseline", await mixed.snapshot());
  await mixed.close();
  await store.close();
  const tidy = await catalog.open(id);
  await tidy.sweep();
  whole = await recordsOf(tidy);
  await tidy.close();
  database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(tidy.database.name);
    request.addEventListener("success", () => resolve(request.result));
  });
});

afterAll(async () => {
  database.close();
  await catalog.delete(id);
  catalog.close();
});

async function recordsOf(store: ProjectStore) {
  const records = await store.database.records.read((reader) => reader.entries({ prefix: [] }));
  return records.filter(([key]) => key[0] !== "reserve");
}

/** Values a record may have turned into. `undefined`: it is lost. */
function* damaged(value: unknown): Generator<readonly [how: string, value: unknown]> {
  yield ["lost", undefined];
  for (const other of [null, "x"]) yield [`turned into ${JSON.stringify(other)}`, other];
  yield* flipped("", value, (part) => part);
}

function* flipped(
  where: string,
  value: unknown,
  inside: (part: unknown) => unknown,
): Generator<readonly [how: string, value: unknown]> {
  if (typeof value === "number") yield [`${where} another number`, inside(value + 1)];
  if (typeof value === "string" && value.length > 0) {
    const middle = value.length >> 1;
    const other = value[middle] === "a" ? "b" : "a";
    yield [`${where} flipped`, inside(value.slice(0, middle) + other + value.slice(middle + 1))];
    yield [`${where} cut off`, inside(value.slice(0, -3))];
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (bytes.length === 0) return;
    const rebuilt = (changed: Uint8Array) => {
      const { constructor } = value as unknown as { constructor: new (buffer: ArrayBufferLike) => unknown };
      return inside(new constructor(changed.buffer));
    };
    for (const at of new Set([0, bytes.length >> 1, bytes.length - 1])) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 4;
      yield [`${where} flipped at ${at}`, rebuilt(changed)];
    }
    yield [`${where} cut off`, rebuilt(bytes.slice(0, Math.max(0, bytes.length - 8)))];
    return;
  }
  if (value === null || typeof value !== "object" || value instanceof Map) return;
  for (const [key, part] of Object.entries(value)) {
    // What an older version did not have may be missing: then nothing is compared.
    yield* flipped(`${where}.${key}`, part, (changed) => inside({ ...value, [key]: changed }));
  }
}

/** Changes records behind the project's back. */
async function put(records: readonly (readonly [RecordKey, unknown])[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const transaction = database.transaction("records", "readwrite");
    const store = transaction.objectStore("records");
    for (const [key, value] of records) {
      if (value === undefined) store.delete([...key]);
      else store.put(value, [...key]);
    }
    transaction.addEventListener("complete", () => resolve());
  });
}

/** What differs from what was written, unless the project says so itself. Throws for what is no answer at all. */
async function unsaidLosses(store: ProjectStore): Promise<string[]> {
  const losses: string[] = [];
  for (const [name, expected] of Object.entries(files)) {
    const disk = store.disk(name);
    const problem = await unsaidLossOfDisk(disk, expected);
    if (problem !== undefined) losses.push(`${name}: ${problem}`);
    await disk.close();
  }
  const read: SessionEvent[] = [];
  for await (const page of store.log("s").read()) read.push(...page);
  const saidLost = read.some(
    (event) => event.type === "log.damaged" || JSON.stringify(event).includes("rootscope/value"),
  );
  if (!saidLost && JSON.stringify(read) !== JSON.stringify(events())) losses.push(`the log: ${read.length} events`);
  const [session] = await store.sessions();
  if (session?.id !== "s" || session.eventCount !== 4) losses.push(`the list: ${JSON.stringify(session)}`);
  const settings = await store.loadDocument().catch(typed);
  if (!(settings instanceof PathError) && JSON.stringify(settings) !== '{"draft":"kept"}') losses.push("the settings");
  return losses;
}

async function unsaidLossOfDisk(disk: IdbFileSystem, expected: Record<string, string>): Promise<string | undefined> {
  const tree = await disk.snapshot().catch(typed);
  if (tree instanceof PathError) return undefined;
  const isSaid = disk.readOnlyReason() !== undefined;
  for (const [path, text] of Object.entries(expected)) {
    const file = tree.file(path);
    if (file === undefined && !isSaid) return `${path} is missing`;
    const bytes = await file?.bytes().catch(typed);
    // Contents are what they were or are said to be damaged, whatever became of the names.
    const isWrong = bytes instanceof Uint8Array && contentsFromBytes(bytes) !== text;
    if (isWrong && !isSaid) return `${path} is another`;
  }
  if (tree.fileCount !== Object.keys(expected).length && !isSaid) return `${tree.fileCount} files`;
  return undefined;
}

/** An answer with words for a person; anything else is a bug. */
function typed(error: unknown): PathError {
  if (error instanceof UnavailableError && error.reason !== undefined) return error;
  throw error;
}

test("whatever record is damaged, and however: it is said, the rest is there, and nothing is taken away", async () => {
  const problems: string[] = [];
  const kinds = new Set<string>();
  let tried = 0;
  for (const [index, [key, value]] of whole.entries()) {
    kinds.add(String(key[0]) + (key[0] === "d" ? String(key[2]) : ""));
    for (const [how, other] of damaged(value)) {
      const what = `${key.join(" ")} ${how}`;
      await put([[key, other]]);
      const hurt = await catalog.open(id);
      tried++;
      try {
        const isExcused = isUnknowable(key, how, index);
        const losses = await unsaidLosses(hurt);
        if (losses.length > 0 && !isExcused) problems.push(`${what}: ${losses.join(", ")}`);
        await hurt.sweep().catch(typed);
        const left = await recordsOf(hurt);
        const gone = whole.filter(([known]) => !left.some(([there]) => there.join() === known.join()));
        await put(gone);
        const others = gone.filter(([lost]) => lost !== key).map(([lost]) => lost.join(" "));
        if (others.length > 0 && !isExcused) problems.push(`${what}: took away ${others.join(", ")}`);
      } catch (error) {
        problems.push(`${what}: ${String(error)}`);
      }
      await put([[key, value]]);
      await hurt.close();
    }
  }
  expect(problems).toEqual([]);
  expect([...kinds].toSorted()).toEqual(["b", "dc", "dh", "dl", "doc", "e", "h", "l", "p", "r", "s", "t", "x"]);
  expect(tried).toBeGreaterThan(200);
}, 240_000);

/**
 * What nobody can know: the last commit of a disk that is lost whole is as if it had never been, and so is a list of what a
 * session or a kept tree needs.
 */
function isUnknowable(key: RecordKey, how: string, index: number): boolean {
  const next = whole[index + 1]?.[0];
  const isLastCommit =
    key[0] === "d" && key[2] === "l" && !(next?.[0] === "d" && next[1] === key[1] && next[2] === "l");
  return how === "lost" && (isLastCommit || key[0] === "r");
}
