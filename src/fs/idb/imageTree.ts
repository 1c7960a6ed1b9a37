import { hexFromBytes } from "../../base";
import { childMapFromSorted } from "../childMap";
import { SnapshotTree } from "../snapshotTree";
import type { ChildMap, DirectoryEntry, TreeEntry } from "../treeEntry";
import type { Pack, PackedAt } from "./contentPacks";
import type { ContentStore } from "./contentStore";
import { ContentFile } from "./storedFile";
import { ENTRY_KINDS, HASH_BYTES, packsOfImage, ROW, type TreeImage } from "./treeImage";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The tree of an image: nothing of a directory is made before somebody looks into it. */
export function treeFromImage(image: TreeImage, store: ContentStore): SnapshotTree {
  return new SnapshotTree(new ImageDirectory(new ImageSource(image, store), 0, false));
}

/** An image with the store its contents are in. */
class ImageSource {
  readonly image: TreeImage;
  readonly store: ContentStore;
  #packs: readonly Pack[] | undefined;

  constructor(image: TreeImage, store: ContentStore) {
    this.image = image;
    this.store = store;
  }

  placeOf(file: number): PackedAt | undefined {
    const pack = this.#knownPacks()[(this.image.packs[file] ?? 0) - 1];
    const offset = this.image.packOffsets[file] ?? 0;
    return pack && { pack, offset, length: this.image.sizes[file] ?? 0 };
  }

  #knownPacks(): readonly Pack[] {
    if (this.#packs === undefined) {
      this.#packs = packsOfImage(this.image);
      this.store.knowPacks(this.#packs);
    }
    return this.#packs;
  }
}

class ImageDirectory implements DirectoryEntry {
  readonly kind = "directory";
  readonly fileCount: number;
  readonly sizeBytes: number;
  readonly isExplicit: boolean;
  readonly #number: number;
  /** Until it was looked into. */
  #source: ImageSource | undefined;
  #children: ChildMap;

  constructor(source: ImageSource, number: number, isExplicit: boolean) {
    this.#source = source;
    this.#number = number;
    this.isExplicit = isExplicit;
    this.fileCount = source.image.directories[number * ROW.length + ROW.fileCount] ?? 0;
    this.sizeBytes = source.image.directorySizes[number] ?? 0;
  }

  get children(): ChildMap {
    if (this.#source !== undefined) {
      this.#children = childrenOf(this.#source, this.#number);
      this.#source = undefined;
    }
    return this.#children;
  }
}

function childrenOf(source: ImageSource, directory: number): ChildMap {
  const { directories, names, kinds } = source.image;
  const row = directory * ROW.length;
  const column = (at: number) => directories[row + at] ?? 0;
  const nextRow = row + ROW.length;
  const nameBytes = names.subarray(column(ROW.names), directories[nextRow + ROW.names]);
  let entryAt = column(ROW.entries);
  let fileAt = column(ROW.files);
  let directoryAt = column(ROW.directories);
  const entryOf = (kind: number | undefined): TreeEntry =>
    kind === ENTRY_KINDS.file
      ? new ImageFile(source, fileAt++)
      : new ImageDirectory(source, directoryAt++, kind === ENTRY_KINDS.explicitDirectory);
  const children: (readonly [string, TreeEntry])[] = [];
  // After the last NUL there is nothing.
  const own = decoder.decode(nameBytes).split("\0");
  own.pop();
  for (const name of own) children.push([name, entryOf(kinds[entryAt++])]);
  return childMapFromSorted(children);
}

/** A file of an image; what it is lies there, and is read when it is asked for. */
class ImageFile extends ContentFile {
  readonly #source: ImageSource;
  readonly #number: number;

  constructor(source: ImageSource, number: number) {
    super();
    this.#source = source;
    this.#number = number;
  }

  get store(): ContentStore {
    return this.#source.store;
  }

  get hash(): string {
    const { hashes, versionIds } = this.#source.image;
    const begin = this.#number * HASH_BYTES;
    return versionIds.get(this.#number) ?? hexFromBytes(hashes.subarray(begin, begin + HASH_BYTES));
  }

  get sizeBytes(): number {
    return this.#source.image.sizes[this.#number] ?? 0;
  }

  get modifiedAt(): number {
    return this.#source.image.times[this.#number] ?? 0;
  }

  override get place(): PackedAt | undefined {
    return this.#source.placeOf(this.#number);
  }
}
