import { contentsFromBytes } from "../contents";
import type { FileEntry } from "../treeEntry";

/** Gets at the contents of mirrored files. */
export interface MirrorReader {
  /** @throws ContentsNotKeptError when that version is neither there any more nor kept */
  bytesOf(file: MirroredFile): Promise<Uint8Array>;
  /** The bytes when they are in memory. */
  heldBytes(id: string): Uint8Array | undefined;
}

/** One version of a file that lies elsewhere; its bytes are read when they are asked for. */
export class MirroredFile implements FileEntry {
  readonly kind = "file";
  readonly isElsewhere = true;
  readonly hash: string;
  readonly path: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
  readonly #reader: MirrorReader;

  constructor(
    reader: MirrorReader,
    fields: Pick<MirroredFile, "hash" | "path" | "version"> & { sizeBytes?: number; modifiedAt?: number },
  ) {
    this.#reader = reader;
    this.hash = fields.hash;
    this.path = fields.path;
    this.version = fields.version;
    this.sizeBytes = fields.sizeBytes ?? 0;
    this.modifiedAt = fields.modifiedAt ?? 0;
  }

  bytes(): Promise<Uint8Array> {
    return this.#reader.bytesOf(this);
  }

  bytesNow(): Uint8Array | undefined {
    return this.#reader.heldBytes(this.hash);
  }

  contentsNow(): string | Uint8Array | undefined {
    const bytes = this.bytesNow();
    return bytes && contentsFromBytes(bytes);
  }
}
