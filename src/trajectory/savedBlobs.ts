import type { ArchiveEntry, EntryToZip } from "../archive";
import { readAhead, sha256Hex } from "../base";
import { isVersionId, UnavailableError, type FileEntry, type SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import type { BlobReader } from "./createReplay";
import { valueBlobs } from "./inlinedValues";
import { soundEvents } from "./soundEvents";

const FOLDER = "blobs/";

/** The stored values a log names beside the trees: requests, what calls and people left behind, and an import's large values. */
export function blobHashes(events: readonly SessionEvent[]): Set<string> {
  const hashes = new Set<string>();
  for (const event of soundEvents(events)) {
    valueBlobs(event, hashes);
    if (event.type === "step.started") {
      if (event.data.request !== undefined) hashes.add(event.data.request.blob);
    } else if (event.type === "action.result" || event.type === "tree.changed") {
      for (const { before, after } of event.data.changes ?? []) {
        if (before !== undefined) hashes.add(before);
        if (after !== undefined) hashes.add(after);
      }
    }
  }
  return hashes;
}

/** Puts values and contents into an archive, each once. */
export class BlobEntries {
  readonly #blobs: BlobReader;
  readonly #written = new Set<string>();

  constructor(blobs: BlobReader) {
    this.#blobs = blobs;
  }

  /** @param lost called for the path of a file whose contents cannot be read: it is named, and not in the archive */
  async *ofTree(tree: SnapshotTree, lost?: (path: string) => void): AsyncGenerator<EntryToZip, void, undefined> {
    const files = readAhead(tree.files(), ([, file]) => this.#fileBytes(file), {
      sizeOf: ([, file]) => file.sizeBytes,
    });
    for await (const [[path, file], bytes] of files) {
      yield* this.#entry(file.hash, bytes);
      if (!this.#written.has(file.hash) && !isVersionId(file.hash)) lost?.(path);
    }
  }

  async *ofFile(file: FileEntry): AsyncGenerator<EntryToZip, void, undefined> {
    yield* this.#entry(file.hash, await this.#fileBytes(file));
  }

  /** Values that are not stored any more are left out; whoever opens the archive is told. */
  async *ofHashes(hashes: Iterable<string>): AsyncGenerator<EntryToZip, void, undefined> {
    for (const hash of hashes) yield* this.#entry(hash, await this.#read(hash, () => this.#blobs.get(hash)));
  }

  /** A version of a file that lies elsewhere is taken along if it was kept, and not fetched for it. */
  #fileBytes(file: FileEntry): Promise<Uint8Array | undefined> {
    return this.#read(file.hash, () => (isVersionId(file.hash) ? this.#blobs.get(file.hash) : file.bytes()));
  }

  /** Nothing for what is written already. */
  async #read(hash: string, read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    if (this.#written.has(hash)) return undefined;
    return await read().catch((error: unknown) => {
      // Damaged, cleared, or given back by a clean-up.
      if (error instanceof UnavailableError) return undefined;
      throw error;
    });
  }

  *#entry(hash: string, bytes: Uint8Array | undefined): Generator<EntryToZip, void, undefined> {
    if (bytes === undefined || this.#written.has(hash)) return;
    this.#written.add(hash);
    yield { path: `${FOLDER}${hash}`, bytes };
  }
}

/** The values of an archive, read when they are asked for. One whose bytes are not what its name says is not there. */
export class ArchivedBlobs implements BlobReader {
  readonly #entries = new Map<string, ArchiveEntry>();

  /** Takes an entry when it is a value. */
  take(entry: ArchiveEntry): boolean {
    const hash = entry.path.startsWith(FOLDER) ? entry.path.slice(FOLDER.length) : "";
    if (!/^[0-9a-f]{63}[0-9a-fv]$/.test(hash)) return false;
    this.#entries.set(hash, entry);
    return true;
  }

  /** The hashes of all values there are. */
  hashes(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(hash: string): boolean {
    return this.#entries.has(hash);
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await this.#entries.get(hash)?.bytes();
      if (bytes === undefined || isVersionId(hash)) return bytes;
      return (await sha256Hex(bytes)) === hash ? bytes : undefined;
    } catch {
      // A broken entry costs itself only; whoever asks for it is told that it is not there.
      return undefined;
    }
  }
}
