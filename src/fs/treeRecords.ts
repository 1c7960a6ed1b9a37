import { sha256HexSync } from "../base";
import { childMapFromSorted, childNode, namePriority } from "./childMap";
import { EMPTY_DIRECTORY_ID, idLine, isPage, pageIdText, splitIdText } from "./directoryId";
import { DamagedRecordError } from "./idb/damagedRecordError";
import { UnavailableError } from "./pathError";
import { SnapshotTree } from "./snapshotTree";
import { directoryEntry, type ChildMap, type ChildNode, type FileEntry, type TreeEntry } from "./treeEntry";
import { childNodes } from "./treeWalk";

/** A part of a tree as text, stored under its id: a page of children, or one child and the ids of both its sides. */
export interface TreeRecord {
  readonly id: string;
  readonly text: string;
  /** The files it names itself. */
  readonly files: readonly FileEntry[];
}

type EntryJson =
  | readonly ["f", name: string, hash: string, sizeBytes: number, modifiedAt: number]
  | readonly ["d", name: string, id: string, isExplicit: 0 | 1];
type RecordJson =
  | { readonly page: readonly EntryJson[] }
  | { readonly left: string | null; readonly child: EntryJson; readonly right: string | null };

/**
 * The records of a tree, parts before what names them, to be stored by id; `tree.rootHash()` is the id of the whole.
 * What `isKnown` knows is passed over with all below it, so a tree that shares most with a stored one costs only what
 * differs. Contents are not in the records: files are named by their hashes.
 */
export async function* treeRecords(
  tree: SnapshotTree,
  isKnown: (id: string) => boolean | Promise<boolean>,
): AsyncGenerator<TreeRecord, void, undefined> {
  await tree.rootHash();
  yield* mapRecords(tree.root.children, isKnown);
}

async function* mapRecords(
  map: ChildMap,
  isKnown: (id: string) => boolean | Promise<boolean>,
): AsyncGenerator<TreeRecord, void, undefined> {
  if (map?.id === undefined || (await isKnown(map.id))) return;
  const named = isPage(map) ? [...childNodes(map)] : [map];
  for (const { entry } of named) if (entry.kind === "directory") yield* mapRecords(entry.children, isKnown);
  if (!isPage(map)) {
    yield* mapRecords(map.left, isKnown);
    yield* mapRecords(map.right, isKnown);
  }
  const record: RecordJson = isPage(map)
    ? { page: named.map(entryJson) }
    : { left: map.left?.id ?? null, child: entryJson(map), right: map.right?.id ?? null };
  const files = named.flatMap(({ entry }) => (entry.kind === "file" ? [entry] : []));
  yield { id: map.id, text: JSON.stringify(record), files };
}

function entryJson({ name, entry }: ChildNode): EntryJson {
  return entry.kind === "file"
    ? ["f", name, entry.hash, entry.sizeBytes, entry.modifiedAt]
    : ["d", name, entry.children?.id ?? EMPTY_DIRECTORY_ID, entry.isExplicit ? 1 : 0];
}

/** Every file hash and every id a record names: what must be kept while the record is. */
export function namedByRecord(text: string): { readonly fileHashes: string[]; readonly recordIds: string[] } {
  const record = JSON.parse(text) as RecordJson;
  const entries = "page" in record ? record.page : [record.child];
  const sides = "page" in record ? [] : [record.left, record.right];
  return {
    fileHashes: entries.flatMap((entry) => (entry[0] === "f" ? [entry[2]] : [])),
    recordIds: [...entries.map((entry) => (entry[0] === "d" ? entry[2] : null)), ...sides].filter(
      (id): id is string => id !== null && id !== EMPTY_DIRECTORY_ID,
    ),
  };
}

/** What was stored under an id. @throws DamagedRecordError when it is not that */
export function assertWholeRecord(id: string, text: unknown): asserts text is string {
  if (typeof text !== "string" || idOfText(text) !== id) throw new DamagedRecordError("a part of a stored tree");
}

/** The id of what a record says; times and sizes are no part of it. @returns `undefined` when it says nothing */
function idOfText(text: string): string | undefined {
  try {
    const record = JSON.parse(text) as RecordJson;
    if ("page" in record) return sha256HexSync(pageIdText(record.page.map(entryLine)));
    return sha256HexSync(splitIdText(record.left ?? "", entryLine(record.child), record.right ?? ""));
  } catch {
    return undefined;
  }
}

function entryLine([kind, name, id]: EntryJson): string {
  return idLine(kind === "f" ? "file" : "directory", name, id);
}

/** Where a `TreeLoader` reads. */
export interface TreeSource {
  /** The text of a record, or `undefined` when it is lost. */
  record(id: string): Promise<string | undefined>;
  /** A file whose bytes lie in the store. */
  file(fields: Pick<FileEntry, "hash" | "sizeBytes" | "modifiedAt">): FileEntry;
}

/** Trees from their records. Trees of one loader share every part they have in common, so comparing them is cheap. */
export class TreeLoader {
  readonly #source: TreeSource;
  readonly #maps = new Map<string, Promise<ChildMap>>();

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** @throws UnavailableError when a record is lost, DamagedRecordError */
  async load(rootHash: string): Promise<SnapshotTree> {
    return new SnapshotTree(directoryEntry(await this.#map(rootHash), false));
  }

  #map(id: string): Promise<ChildMap> {
    if (id === EMPTY_DIRECTORY_ID) return Promise.resolve(undefined);
    const loaded = this.#maps.get(id);
    if (loaded !== undefined) return loaded;
    const loading = this.#read(id);
    this.#maps.set(id, loading);
    loading.catch(() => this.#maps.delete(id));
    return loading;
  }

  async #read(id: string): Promise<ChildMap> {
    const text = await this.#source.record(id);
    if (text === undefined) throw new UnavailableError("/", `a part of the stored tree is missing (${id})`);
    assertWholeRecord(id, text);
    const record = JSON.parse(text) as RecordJson;
    const map =
      "page" in record
        ? childMapFromSorted(await Promise.all(record.page.map((entry) => this.#child(entry))))
        : await this.#split(record.left, record.child, record.right);
    if (map !== undefined) map.id = id;
    return map;
  }

  async #split(leftId: string | null, json: EntryJson, rightId: string | null): Promise<ChildMap> {
    const [left, [name, entry], right] = await Promise.all([
      leftId === null ? undefined : this.#map(leftId),
      this.#child(json),
      rightId === null ? undefined : this.#map(rightId),
    ]);
    return childNode(name, namePriority(name), entry, left, right);
  }

  async #child(json: EntryJson): Promise<readonly [string, TreeEntry]> {
    if (json[0] === "d") return [json[1], directoryEntry(await this.#map(json[2]), json[3] === 1)];
    const [, name, hash, sizeBytes, modifiedAt] = json;
    return [name, this.#source.file({ hash, sizeBytes, modifiedAt })];
  }
}
