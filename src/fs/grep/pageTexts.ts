import { childEntry } from "../childMap";
import type { SnapshotTree } from "../snapshotTree";
import type { ChildMap, FileEntry } from "../treeEntry";
import { decodedText } from "./decodedText";

const BYTE_ORDER_MARK = 0xfe_ff;

/** The texts of a tree's files as the page has them: the same string the worker searched, so that offsets fit. */
export class PageTexts {
  readonly #tree: SnapshotTree;
  /** The directory the last file was in, with its slash. Files come in order, so the next is often there too. */
  #directory = "";
  #children: ChildMap;

  constructor(tree: SnapshotTree) {
    this.#tree = tree;
  }

  /** The text of a file, if it is held. */
  held(path: string): string | undefined {
    const text = this.#file(path)?.heldText?.();
    // The mark is no part of what is searched (decodedText.ts).
    return text?.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }

  /** @throws what reading a file throws */
  async read(path: string): Promise<{ readonly text: string; readonly hash: string }> {
    const file = this.#file(path);
    const bytes = file?.bytesNow?.() ?? (await file?.bytes()) ?? new Uint8Array();
    return { text: decodedText(bytes)?.text ?? "", hash: file?.hash ?? "" };
  }

  #file(path: string): FileEntry | undefined {
    const nameAt = path.lastIndexOf("/") + 1;
    if (nameAt !== this.#directory.length || !path.startsWith(this.#directory)) {
      this.#directory = path.slice(0, nameAt);
      const directory = this.#tree.entry(this.#directory);
      this.#children = directory?.kind === "directory" ? directory.children : undefined;
    }
    const entry = childEntry(this.#children, path.slice(nameAt));
    return entry?.kind === "file" ? entry : undefined;
  }
}
