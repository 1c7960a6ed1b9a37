import { isVersionId } from "../mirror/versionId";
import { ContentsNotKeptError, UnavailableError } from "../pathError";
import type { FileEntry } from "../treeEntry";
import type { PackedAt } from "./contentPacks";
import type { ContentStore, StoredContent } from "./contentStore";

/** A file whose bytes lie in the store, read when they are asked for. */
export abstract class ContentFile implements FileEntry, StoredContent {
  readonly kind = "file";
  abstract readonly store: ContentStore;
  abstract readonly hash: string;
  abstract readonly sizeBytes: number;
  abstract readonly modifiedAt: number;

  /** Where the contents were when this was written down, if that is known. */
  get place(): PackedAt | undefined {
    return undefined;
  }

  async bytes(): Promise<Uint8Array> {
    const bytes = this.store.peek(this) ?? (await this.store.read(this));
    if (bytes !== undefined) return bytes;
    if (isVersionId(this.hash)) {
      const found = await this.store.elsewhere?.(this.hash);
      if (found !== undefined) return found;
      throw new ContentsNotKeptError("/");
    }
    throw new UnavailableError("/", "The contents of this file are no longer stored.");
  }

  bytesNow(): Uint8Array | undefined {
    return this.store.peek(this);
  }

  contentsNow(): string | Uint8Array | undefined {
    return this.store.peekContents(this);
  }
}

export class StoredFile extends ContentFile {
  readonly store: ContentStore;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;

  constructor(store: ContentStore, fields: Pick<FileEntry, "hash" | "sizeBytes" | "modifiedAt">) {
    super();
    this.store = store;
    this.hash = fields.hash;
    this.sizeBytes = fields.sizeBytes;
    this.modifiedAt = fields.modifiedAt;
  }
}
