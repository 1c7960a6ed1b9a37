import { hexFromBytes } from "../../base";
import { childMapFromSorted } from "../childMap";
import { SnapshotTree } from "../snapshotTree";
import type { ChildMap, DirectoryEntry, TreeEntry } from "../treeEntry";
import type { ContentStore } from "./contentStore";
import { ContentFile } from "./storedFile";
import { ENTRY_KINDS, HASH_BYTES, ROW, type TreeImage } from "./treeImage";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The tree of an image: nothing of a directory is made before somebody looks into it. */
export function treeFromImage(image: TreeImage, store: ContentStore): SnapshotTree {
  const packNames = image.packNames.split("\n");
  return new SnapshotTree(new ImageDirectory({ image, store, packNames }, 0, false));
}

interface ImageSource {
  readonly image: TreeImage;
  readonly store: ContentStore;
  readonly packNames: readonly string[];
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

  override get packName(): string | undefined {
    const { image, packNames } = this.#source;
    return packNames[(image.packs[this.#number] ?? 0) - 1];
  }
}
