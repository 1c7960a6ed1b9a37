import { childNode, namePriority } from "../childMap";
import { SnapshotTree } from "../snapshotTree";
import { directoryEntry, type ChildMap, type ChildNode, type TreeEntry } from "../treeEntry";
import type { NodesMessage } from "./engineProtocol";

/** The files of a tree in the order of their paths, column by column. */
export interface FileList {
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  readonly sizesBytes: readonly number[];
}

/** Lists kept: as many trees as are searched in turn. */
const KEPT_LISTS = 8;

/** Trees as a worker knows them: the page's nodes by id, without contents (treeShipper.ts). */
export class TreeMirror {
  #nodes = new Map<number, ChildNode>();
  #lists = new Map<string, FileList>();

  add({ firstId, names, hashes, numbers }: NodesMessage): void {
    let hashAt = 0;
    names.split("\0").forEach((name, index) => {
      const [left = 0, right = 0, children = 0, sizeBytes = 0] = numbers.subarray(4 * index, 4 * index + 4);
      let entry: TreeEntry;
      if (children >= 0) entry = directoryEntry(this.#map(children), true);
      else entry = mirroredFile(hashes.slice(hashAt, (hashAt += 64)), sizeBytes);
      this.#nodes.set(firstId + index, childNode(name, namePriority(name), entry, this.#map(left), this.#map(right)));
    });
  }

  forget(): void {
    this.#nodes.clear();
    this.#lists.clear();
  }

  /** The tree with this root; what two of them share is the same in both. */
  tree(root: number): SnapshotTree {
    return new SnapshotTree(directoryEntry(this.#map(root), true));
  }

  /** The files of the tree with this root for which `isHeld` says so; `key` tells one such choice from another. */
  files(root: number, key: string, isHeld: (hash: string) => boolean): FileList {
    const listKey = `${root} ${key}`;
    const list = this.#lists.get(listKey) ?? this.#list(root, isHeld);
    this.#lists.delete(listKey);
    this.#lists.set(listKey, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > KEPT_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  /** The hashes that any of the lists in use names. */
  hashesInUse(): Set<string> {
    const hashes = new Set<string>();
    for (const list of this.#lists.values()) for (const hash of list.hashes) hashes.add(hash);
    return hashes;
  }

  #list(root: number, isHeld: (hash: string) => boolean): FileList {
    const list = { paths: [] as string[], hashes: [] as string[], sizesBytes: [] as number[] };
    for (const [path, file] of this.tree(root).files()) {
      if (!isHeld(file.hash)) continue;
      list.paths.push(path);
      list.hashes.push(file.hash);
      list.sizesBytes.push(file.sizeBytes);
    }
    return list;
  }

  #map(id: number): ChildMap {
    return this.#nodes.get(id);
  }
}

function mirroredFile(hash: string, sizeBytes: number): TreeEntry {
  const bytes = () => Promise.reject(new Error("a mirrored file has no bytes"));
  return { kind: "file", hash, sizeBytes, modifiedAt: 0, bytes };
}
